//! What the learner sees of a table: words and pairs of words, or categories and binned numbers.

use std::collections::HashSet;
use std::sync::Arc;

use crate::data::{Csr, Data, Kind, Table};
use crate::error::{Error, Result};
use crate::features::words::{Documents, StopWords, WordOptions, Words};
use crate::features::{Features, Input};
use crate::method::Weights;
use crate::methods;
use crate::note::Note;
use crate::run::Run;

/// Words and pairs of neighbouring words, none left out: a reader's "not" or "to you" may tell. Most pairs stand in one
/// row alone; what a row shares with others counts the less the more of them it has.
pub fn word_options() -> WordOptions {
    WordOptions { ngrams: (1, 2), stop_words: StopWords::None, full_length: true, ..WordOptions::default() }
}

/// The same beside what somebody asked for.
pub fn reading_words(asked: WordOptions) -> WordOptions {
    let (usual, own) = (WordOptions::default(), word_options());
    WordOptions {
        ngrams: if asked.ngrams == usual.ngrams { own.ngrams } else { asked.ngrams },
        stop_words: if asked.stop_words == usual.stop_words { own.stop_words } else { asked.stop_words },
        full_length: own.full_length,
        ..asked
    }
}

/// What finding takes where a reader's learner took these.
pub fn finding_words(read: WordOptions) -> WordOptions {
    let (usual, own) = (WordOptions::default(), word_options());
    WordOptions {
        ngrams: if read.ngrams == own.ngrams { usual.ngrams } else { read.ngrams },
        stop_words: if read.stop_words == own.stop_words { usual.stop_words } else { read.stop_words },
        full_length: usual.full_length,
        ..read
    }
}

/// The rows of plain texts, by tf-idf.
pub fn features<'a>(documents: impl Into<Documents<'a>>, run: &Run) -> Result<(Words, Csr)> {
    let documents = documents.into();
    run.install(|| Words::fit(documents, &word_options(), Weights::TfIdf, run))
}

/// The rows of a table's chosen columns, none longer than 1.
pub fn of_table(
    table: &Table,
    input: &Input,
    words: &WordOptions,
    run: &Run,
) -> Result<(Features, Arc<Csr>, Vec<Note>)> {
    // A linear model of numbers needs them in bins, which is what methods of words are given.
    let like = match input {
        Input::Columns(_) => "nb",
        _ => "logistic",
    };
    let spec = methods::find(like)?.spec();
    let (features, x, notes) = Features::fit(table, input, words, &spec, run)?;
    let x = rows(x, &features)?;
    Ok((features, x, notes))
}

/// Further rows under the same features.
pub fn of_more(features: &Features, table: &Table, run: &Run) -> Result<Arc<Csr>> {
    rows(features.transform(table, run)?.0, features)
}

fn rows(x: Data, features: &Features) -> Result<Arc<Csr>> {
    let Data::Sparse(mut x) = x.into_kind(Kind::Sparse)? else {
        return Err(Error::data("these rows are no words or columns"));
    };
    // Of words alone, what a row lacks to 1 is what no other row holds.
    if !matches!(features, Features::Words { .. }) {
        Arc::make_mut(&mut x).normalize_rows();
    }
    Ok(x)
}

/// The first of all rows that are equal: a reader reads such rows once.
pub fn distinct(x: &Csr) -> Vec<usize> {
    let mut seen = HashSet::new();
    let content = |row: usize| {
        let row = x.row(row);
        row.indices.iter().copied().chain(row.values.iter().map(|v| v.to_bits())).collect::<Vec<u32>>()
    };
    (0..x.rows()).filter(|&row| seen.insert(content(row))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Texts;

    #[test]
    fn what_was_asked_for_stays_and_the_rest_is_the_readers() {
        assert_eq!(reading_words(WordOptions::default()), word_options());
        assert_eq!(finding_words(word_options()), WordOptions::default());
        let asked = WordOptions { ngrams: (1, 3), min_documents: Some(4), ..WordOptions::default() };
        let read = reading_words(asked.clone());
        assert_eq!((read.ngrams, read.min_documents, &read.stop_words), ((1, 3), Some(4), &StopWords::None));
        assert!(read.full_length && finding_words(read) == asked);
    }

    #[test]
    fn equal_rows_are_read_once() {
        let texts: Texts = ["aa bb", "cc", "aa bb", "", "", "bb aa"].into_iter().collect();
        let (_, x) = features(&texts, &Run::new(0)).unwrap();
        assert_eq!(distinct(&x), [0, 1, 3, 5], "the order of words makes other pairs");
    }
}
