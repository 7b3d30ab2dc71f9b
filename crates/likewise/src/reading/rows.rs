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
    fn equal_rows_are_read_once() {
        let texts: Texts = ["aa bb", "cc", "aa bb", "", "", "bb aa"].into_iter().collect();
        let (_, x) = features(&texts, &Run::new(0)).unwrap();
        assert_eq!(distinct(&x), [0, 1, 3, 5], "the order of words makes other pairs");
    }
}
