//! What the learner sees of a table: words and pairs of words, or categories and binned numbers.

use std::collections::HashSet;
use std::sync::Arc;

use crate::data::{Csr, Data, Table, Texts};
use crate::error::{Error, Result};
use crate::features::words::{StopWords, WordOptions, Words};
use crate::features::{Features, Input};
use crate::method::Weights;
use crate::methods;
use crate::note::Note;
use crate::run::Run;

/// Words and pairs of neighbouring words, none left out: a reader's "not" or "to you" may tell.
pub fn word_options() -> WordOptions {
    WordOptions { ngrams: (1, 2), stop_words: StopWords::None, ..WordOptions::default() }
}

/// The rows of plain texts, by tf-idf.
pub fn features(texts: &Texts, run: &Run) -> Result<(Words, Csr)> {
    run.install(|| Words::fit(texts, &word_options(), Weights::TfIdf, run))
}

/// The rows of a table's chosen columns, all of length 1.
pub fn of_table(table: &Table, input: &Input, run: &Run) -> Result<(Features, Arc<Csr>, Vec<Note>)> {
    // A linear model of numbers needs them in bins, which is what methods of words are given.
    let like = match input {
        Input::Columns(_) => "nb",
        _ => "logistic",
    };
    let spec = methods::find(like)?.spec();
    let (features, x, notes) = Features::fit(table, input, &word_options(), &spec, run)?;
    let Data::Sparse(x) = x else {
        return Err(Error::data(
            "these columns give no rows of words or categories; name a text with --text",
        ));
    };
    let mut x = Arc::unwrap_or_clone(x);
    x.normalize_rows();
    Ok((features, Arc::new(x), notes))
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

    #[test]
    fn equal_rows_are_read_once() {
        let texts: Texts = ["aa bb", "cc", "aa bb", "", "", "bb aa"].into_iter().collect();
        let (_, x) = features(&texts, &Run::new(0)).unwrap();
        assert_eq!(distinct(&x), [0, 1, 3, 5], "the order of words makes other pairs");
    }
}
