//! Words → counts → weights.
//!
//! `options` and `documents` say what is read and how, `tokens` finds the words, `interner` numbers them, `counting` counts them chunk by
//! chunk, `term_counts` adds the chunks up and keeps the terms that are worth it, `vocabulary` makes rows under them,
//! `weighing` makes weights of counts, and `Words` here is what a model keeps of all that.

mod counting;
mod documents;
mod entries;
mod interner;
mod language;
mod options;
mod stop_words;
mod term_counts;
mod tokens;
mod vocabulary;
mod weighing;

use counting::Chunk;
pub use documents::Documents;
pub(super) use interner::Interner;
pub use language::Language;
pub use options::WordOptions;
pub use stop_words::StopWords;
pub use term_counts::TermCounts;
use term_counts::{Kept, Limits};
pub use tokens::Tokens;
pub(super) use tokens::each_token;
use tokens::is_small;
pub use vocabulary::Vocabulary;
pub(crate) use weighing::idf;
pub use weighing::{weigh_counts, weigh_counts_as};

use crate::data::{Csr, CsrBuilder, Texts};
use crate::error::{Error, Result};
use crate::method::{ColumnCounts, Weights};
use crate::model_file::{Reader, Writer};
use crate::run::Run;

/// Fitted word features: a list of terms and their weights.
#[derive(Clone, Debug)]
pub struct Words {
    options: WordOptions,
    weights: Weights,
    language: Language,
    vocabulary: Vocabulary,
    /// ln((1 + n) / (1 + df)) + 1 for every term; empty unless the weights are tf-idf.
    idf: Vec<f32>,
    /// The same for a term of one document, where those that are not kept count for the length.
    idf_of_one: Option<f32>,
}

impl Words {
    /// Learns terms and weights from the documents and returns their rows.
    pub fn fit<'a>(
        documents: impl Into<Documents<'a>>,
        options: &WordOptions,
        wanted: Weights,
        run: &Run,
    ) -> Result<(Words, Csr)> {
        let documents = documents.into();
        options.check()?;
        let weights = options.weights.unwrap_or(wanted);
        let mut options = options.clone();
        if options.stop_words == StopWords::Auto && !options.are_words_as_they_stand() {
            let mut as_they_stand = TermCounts::default();
            as_they_stand.batch(documents.each_once(), &WordOptions::default(), run)?;
            options.stop_words = options.stop_words.settled(&as_they_stand)?;
        }
        let chunks = counting::count_all(&documents, &options, &Language::new(&options)?, run)?;
        let mut counts = TermCounts::default();
        let places = counts.add(&chunks);
        let (words, kept) = Words::of_counts(counts, &options, weights)?;
        let column_of =
            |of_chunk: Vec<u32>| of_chunk.iter().map(|any| kept.column_of[*any as usize]).collect();
        let columns: Vec<Vec<u32>> = places.into_iter().map(column_of).collect();
        let rows = words.rows(chunks, &columns);
        Ok((words, rows))
    }

    /// Terms and weights from what the documents add up to.
    fn of_counts(counts: TermCounts, options: &WordOptions, weights: Weights) -> Result<(Words, Kept)> {
        let stop_words = options.stop_words.settled(&counts)?;
        let mut settled = WordOptions { stop_words, ..options.clone() };
        settled.tokens = if settled.counts_all_tokens() { Tokens::All } else { Tokens::Words };
        // What was said before the documents were counted was never counted.
        let list = match options.stop_words == StopWords::Auto {
            true => settled.stop_words.words()?,
            false => Default::default(),
        };
        let no_small = options.counts_all_tokens() && settled.tokens == Tokens::Words;
        let left_out = |word: &str| (no_small && is_small(word)) || (!list.is_empty() && list.contains(word));
        let documents = counts.documents();
        let limits = Limits {
            min_documents: u64::from(options.least_documents(weights, documents)),
            max_documents: (options.max_share * documents as f64).floor() as u64,
            most_terms: options.most_terms,
        };
        let (terms, kept) = counts.keep(&limits, left_out);
        let idf = match weights {
            Weights::TfIdf => weighing::idf(kept.seen.iter().map(|seen| seen.documents), documents),
            _ => Vec::new(),
        };
        let of_one = settled.full_length && weights == Weights::TfIdf;
        let idf_of_one = of_one.then(|| weighing::idf([1u64], documents)[0]);
        let (language, vocabulary) = (Language::new(&settled)?, Vocabulary::from_terms(terms)?);
        Ok((Words { options: settled, weights, language, vocabulary, idf, idf_of_one }, kept))
    }

    /// The same from some documents at hand and from what others, which may lie anywhere, add up to. Returns the rows of
    /// those at hand, and the sums of the others.
    pub fn with_counted(
        documents: &Documents<'_>,
        mut counts: TermCounts,
        options: &WordOptions,
        wanted: Weights,
        run: &Run,
    ) -> Result<(Words, Csr, ColumnCounts)> {
        options.check_parts(wanted)?;
        let others = counts.documents();
        counts.add(&counting::count_all(documents, options, &Language::new(options)?, run)?);
        let (words, kept) = Words::of_counts(counts, options, wanted)?;
        let chunks = counting::count_all(documents, &words.options, &words.language, run)?;
        let columns = words.vocabulary.columns(&chunks);
        let dropped = words.idf_of_one.map(|idf| vocabulary::dropped(&chunks, &columns, idf));
        let at_hand = vocabulary::rows(chunks, &columns, words.terms().len());
        let mut sums = ColumnCounts {
            rows: others,
            holding: kept.seen.iter().map(|seen| seen.documents).collect(),
            total: kept.seen.iter().map(|seen| seen.occurrences).collect(),
        };
        for (column, count) in at_hand.iter_rows().flat_map(|row| row.iter()) {
            sums.holding[column] -= 1;
            sums.total[column] -= count as u64;
        }
        if wanted == Weights::Binary {
            sums.total.clone_from(&sums.holding);
        }
        let rows = words.weigh(at_hand, dropped.as_deref());
        Ok((words, rows, sums))
    }

    /// The rows of new documents; terms not seen in training do not count.
    pub fn transform<'a>(&self, documents: impl Into<Documents<'a>>, run: &Run) -> Result<Csr> {
        let chunks = counting::count_all(&documents.into(), &self.options, &self.language, run)?;
        let columns = self.vocabulary.columns(&chunks);
        Ok(self.rows(chunks, &columns))
    }

    /// The same, and of each document the share of its words that are known; none where it has no word.
    pub fn transform_and_known<'a>(
        &self,
        documents: impl Into<Documents<'a>>,
        run: &Run,
    ) -> Result<(Csr, Vec<Option<f32>>)> {
        let chunks = counting::count_all(&documents.into(), &self.options, &self.language, run)?;
        let columns = self.vocabulary.columns(&chunks);
        let known = vocabulary::known(&chunks, &columns, |_| true);
        Ok((self.rows(chunks, &columns), known))
    }

    /// What each of some of the documents `x` was learned from would know of its words if it alone had not been there:
    /// those that enough others hold.
    pub fn known_by_others<'a>(
        &self,
        documents: impl Into<Documents<'a>>,
        x: &Csr,
        run: &Run,
    ) -> Result<Vec<Option<f32>>> {
        let (df, least) =
            (x.document_frequencies(), self.options.least_documents(self.weights, x.rows() as u64));
        let chunks = counting::count_all(&documents.into(), &self.options, &self.language, run)?;
        Ok(self.vocabulary.known(&chunks, |column| df[column as usize] > least))
    }

    /// The rows that were learned from, each as it would be if it alone had not been there.
    pub fn as_if_new(&self, x: &Csr) -> Csr {
        let (df, least) =
            (x.document_frequencies(), self.options.least_documents(self.weights, x.rows() as u64));
        let mut rows = CsrBuilder::with_capacity(x.cols, x.rows(), x.nnz());
        for row in x.iter_rows() {
            let kept = row.iter().filter(|(term, _)| df[*term] > least);
            rows.push_entries(kept.map(|(term, value)| (term as u32, value)));
        }
        let mut rows = rows.finish();
        if self.options.unit_length || matches!(self.weights, Weights::TfIdf | Weights::BinaryUnit) {
            rows.normalize_rows();
        }
        rows
    }

    /// Weighed rows; `columns[c]` maps the terms of chunk `c`.
    fn rows(&self, chunks: Vec<Chunk>, columns: &[Vec<u32>]) -> Csr {
        let dropped = self.idf_of_one.map(|idf| vocabulary::dropped(&chunks, columns, idf));
        self.weigh(vocabulary::rows(chunks, columns, self.terms().len()), dropped.as_deref())
    }

    /// `dropped`: the squared length of what each row lost.
    fn weigh(&self, counts: Csr, dropped: Option<&[f64]>) -> Csr {
        let mut rows = weighing::weigh(counts, self.weights, &self.idf, dropped);
        if self.options.unit_length && dropped.is_none() {
            rows.normalize_rows();
        }
        rows
    }

    /// The words that are known, by column.
    pub fn terms(&self) -> &Texts {
        self.vocabulary.terms()
    }

    /// How text became words.
    pub fn options(&self) -> &WordOptions {
        &self.options
    }

    /// How words are weighted.
    pub fn weights(&self) -> Weights {
        self.weights
    }

    /// Keeps the words in a model file.
    pub fn save(&self, out: &mut Writer) {
        out.value("options", &self.options);
        out.value("weights", &self.weights);
        out.texts("terms", self.terms());
        out.f32s("idf", &[self.idf.len()], &self.idf);
        if let Some(idf) = self.idf_of_one {
            out.f32s("idf of one", &[1], &[idf]);
        }
    }

    /// Reads the words from a model file.
    pub fn load(file: &Reader) -> Result<Self> {
        let options: WordOptions = file.value("options")?;
        options.check()?;
        let weights = file.value("weights")?;
        let vocabulary = Vocabulary::from_terms(file.texts("terms")?)?;
        let idf = file.read_f32s("idf")?;
        if idf.len() != if weights == Weights::TfIdf { vocabulary.terms().len() } else { 0 } {
            return Err(Error::model_file("`idf` does not fit the terms"));
        }
        let idf_of_one = match options.full_length && weights == Weights::TfIdf {
            true => match file.read_f32s("idf of one")?[..] {
                [idf] => Some(idf),
                _ => return Err(Error::model_file("`idf of one` is not one number")),
            },
            false => None,
        };
        let language = Language::new(&options)?;
        Ok(Words { options, weights, language, vocabulary, idf, idf_of_one })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> WordOptions {
        WordOptions { stop_words: StopWords::None, ..WordOptions::default() }
    }

    fn fit(texts: &[&str], options: &WordOptions, weights: Weights) -> (Words, Csr) {
        Words::fit(&texts.iter().collect(), options, weights, &Run::new(0)).unwrap()
    }

    fn terms(words: &Words) -> Vec<&str> {
        words.terms().iter().collect()
    }

    #[test]
    fn counts_by_hand() {
        let (words, x) = fit(&["bb aa bb", "", "cc aa"], &plain(), Weights::Count);
        assert_eq!(terms(&words), ["aa", "bb", "cc"]);
        assert_eq!(x, Csr::new(3, vec![0, 2, 2, 4], vec![0, 1, 0, 2], vec![1.0, 2.0, 1.0, 1.0]).unwrap());
        let new = words.transform(&["zz cc cc"].into_iter().collect(), &Run::new(0)).unwrap();
        assert_eq!((new.row(0).indices, new.row(0).values), (&[2u32][..], &[2.0f32][..]));
    }

    #[test]
    fn a_document_knows_what_others_hold() {
        let texts = ["aa bb bb", "aa cc", "aa"];
        let (words, x) = fit(&texts, &plain(), Weights::Count);
        let known = words.known_by_others(&texts.iter().collect(), &x, &Run::new(0)).unwrap();
        // `bb` and `cc` stand in one document each, which would not know them.
        assert_eq!(known, [Some(1.0 / 3.0), Some(0.5), Some(1.0)]);
        assert_eq!(words.as_if_new(&x).indices[..], [0, 0, 0]);
        let new = ["aa zz bb zz", ""].into_iter().collect();
        let (rows, known) = words.transform_and_known(&new, &Run::new(0)).unwrap();
        assert_eq!(known, [Some(0.5), None]);
        assert_eq!(rows, words.transform(&new, &Run::new(0)).unwrap());
    }

    #[test]
    fn tf_idf_by_hand() {
        let options = WordOptions { min_documents: Some(1), ..plain() };
        let (_, x) = fit(&["aa aa bb", "aa"], &options, Weights::TfIdf);
        // idf(aa) = ln(3/3) + 1 = 1, idf(bb) = ln(3/2) + 1; tf(aa) = 1 + ln 2.
        let (a, b) = (1.0 + 2f64.ln(), 1.5f64.ln() + 1.0);
        let length = (a * a + b * b).sqrt();
        assert!((f64::from(x.row(0).values[0]) - a / length).abs() < 1e-6);
        assert!((f64::from(x.row(0).values[1]) - b / length).abs() < 1e-6);
        assert_eq!(x.row(1).values, [1.0]);
    }

    #[test]
    fn what_a_row_alone_holds_shortens_what_it_shares() {
        let options = WordOptions { min_documents: Some(2), full_length: true, ..plain() };
        let texts = ["aa bb bb", "aa", "aa zz yy"];
        let (words, x) = fit(&texts, &options, Weights::TfIdf);
        assert_eq!(terms(&words), ["aa"]);
        // idf(aa) = 1, and of a word of one of three documents ln 2 + 1.
        let one = 2f64.ln() + 1.0;
        let (twice, both) = ((1.0 + 2f64.ln()) * one, 2.0 * one * one);
        let expected = [1.0 / (1.0 + twice * twice).sqrt(), 1.0, 1.0 / (1.0 + both).sqrt()];
        for (value, expected) in x.values.iter().zip(expected) {
            assert!((f64::from(*value) - expected).abs() < 1e-6, "{x:?}");
        }
        // Words that no document had shorten a new row as well, and a kept model knows it.
        let mut out = Writer::default();
        words.save(&mut out);
        let kept = Words::load(&Reader::new(out.finish().unwrap()).unwrap()).unwrap();
        for words in [&words, &kept] {
            assert_eq!(words.transform(&texts.iter().collect(), &Run::new(0)).unwrap(), x);
            let new = words.transform(&["aa vv"].into_iter().collect(), &Run::new(0)).unwrap();
            assert!((f64::from(new.values[0]) - 1.0 / (1.0 + one * one).sqrt()).abs() < 1e-6);
        }
    }

    #[test]
    fn short_texts_count_all_tokens_and_long_ones_words() {
        let of = |text: &str, options: &WordOptions| {
            let (words, _) = fit(&[text, text], options, Weights::Count);
            (terms(&words).join(" "), words.options().tokens)
        };
        let message = "where is the parcel u sent to me?? call 0871230";
        let expected = "####### 0871230 ? call is me parcel sent the to u where".to_string();
        assert_eq!(of(message, &WordOptions::default()), (expected.clone(), Tokens::All));
        assert_eq!(of(message, &plain()), (expected, Tokens::All));
        let said = WordOptions { tokens: Tokens::Words, ..WordOptions::default() };
        assert_eq!(of(message, &said).0, "0871230 call is me parcel sent the to where");
        let long = vec![message; 20].join(" and the ");
        let expected = ("0871230 call parcel sent".to_string(), Tokens::Words);
        assert_eq!(of(&long, &WordOptions::default()), expected);
        let english = WordOptions { stop_words: StopWords::English, ..WordOptions::default() };
        assert_eq!(of(&long, &english), expected);
        let all = WordOptions { tokens: Tokens::All, ..english };
        assert_eq!(of(&long, &all).0, "####### 0871230 ? call parcel sent u");
    }

    #[test]
    fn limits_stop_words_stems_and_n_grams() {
        let texts = ["the running dogs", "the dog runs", "the cat"];
        let (words, _) = fit(
            &texts,
            &WordOptions {
                stop_words: StopWords::English,
                stemming: Some("english".into()),
                ..WordOptions::default()
            },
            Weights::Count,
        );
        assert_eq!(terms(&words), ["cat", "dog", "run"]);
        let (words, _) =
            fit(&texts, &WordOptions { max_share: 0.9, min_documents: Some(1), ..plain() }, Weights::Count);
        assert!(!terms(&words).contains(&"the"));
        let (words, _) = fit(&texts, &WordOptions { min_documents: Some(2), ..plain() }, Weights::Count);
        assert_eq!(terms(&words), ["the"]);
        let (words, _) = fit(&texts, &WordOptions { most_terms: Some(1), ..plain() }, Weights::Count);
        assert_eq!(terms(&words), ["the"]);
        let (words, x) = fit(&["aa bb aa bb"], &WordOptions { ngrams: (1, 2), ..plain() }, Weights::Count);
        assert_eq!(terms(&words), ["aa", "aa bb", "bb", "bb aa"]);
        assert_eq!(x.values, [2.0, 2.0, 2.0, 1.0]);
    }

    #[test]
    fn columns_read_as_one_are_neighbours_and_louder_ones_count_more_often() {
        let columns: [Texts; 2] = [["aa bb"].into_iter().collect(), ["cc"].into_iter().collect()];
        let table = crate::data::Table::from_columns(
            ["title", "body"]
                .map(String::from)
                .into_iter()
                .zip(columns.map(crate::data::Column::Text))
                .collect(),
        )
        .unwrap();
        let count = |times: &[u32]| {
            let names = ["title", "body"].map(String::from);
            let options = WordOptions { ngrams: (1, 2), times: times.to_vec(), ..plain() };
            let documents = Documents::of(&table, &names, times).unwrap();
            let (words, x) = Words::fit(documents, &options, Weights::Count, &Run::new(0)).unwrap();
            (terms(&words).join(", "), x.values.to_vec())
        };
        assert_eq!(count(&[]), ("aa, aa bb, bb, bb cc, cc".into(), vec![1.0; 5]));
        assert_eq!(count(&[3, 1]), ("aa, aa bb, bb, cc".into(), vec![3.0, 3.0, 3.0, 1.0]));
        // Long texts are those that repeat words, and not those whose words are let count twice.
        let short = ["where is the parcel"; 3];
        let loud = crate::data::Table::from_texts("text", short);
        let documents = Documents::of(&loud, &["text".into()], &[2]).unwrap();
        let options = WordOptions { times: vec![2], ..WordOptions::default() };
        let (words, x) = Words::fit(documents, &options, Weights::Count, &Run::new(0)).unwrap();
        assert_eq!((terms(&words).join(" "), x.rows()), ("is parcel the where".into(), 3));
    }

    #[test]
    fn chunks_do_not_show() {
        let texts: Texts = (0..40_000).map(|i| format!("word{} other{} shared", i % 977, i % 13)).collect();
        let on = |threads: usize| {
            let run = Run::new(0).with_threads(threads).unwrap();
            run.install(|| Words::fit(&texts, &plain(), Weights::TfIdf, &run).unwrap().1)
        };
        assert_eq!(on(1), on(2));
        assert_eq!(on(1), on(5));
    }
}
