//! The nine text collections of the paper (Rossi, Marcacini & Rezende 2013), under the two weightings in use.

use std::sync::Arc;

use likewise::data::{Csr, Data};

use crate::data::DataFolder;
use crate::error::{Error, Result};

/// A collection in the order of the paper's tables, which are numbered from 3.
pub const NAMES: [&str; 9] = ["CSTR", "SyskillWebert", "oh0", "oh15", "tr11", "re0", "re1", "wap", "fbis"];

/// Documents with their classes.
pub struct Collection {
    pub name: &'static str,
    pub counts: Csr,
    /// The class of each document.
    pub classes: Vec<usize>,
    /// count · ln(N / df), rows as long as they are: what the LP-PUL study took cosines of.
    pub plain: Data,
    /// count · (ln((1 + N) / (1 + df)) + 1), unit rows: the usual form, assumed for NMFPUL.
    pub unit: Data,
}

impl Collection {
    pub fn load(data: &DataFolder, name: &'static str) -> Result<Self> {
        let file = format!("textcollections/{name}.svm.gz");
        let table = data.table(&file)?;
        let damaged = |what: &str| Error::Learning(likewise::Error::data(format!("{file}: {what}")));
        let counts = &table.sparse.as_ref().ok_or_else(|| damaged("it has no documents"))?.x;
        let labels = table.column("label")?;
        let class = |row: usize| labels.cell(row).parse().map_err(|_| damaged("a class is no number"));
        let classes = (0..table.rows()).map(class).collect::<Result<_>>()?;
        Ok(Collection {
            name,
            counts: counts.clone(),
            classes,
            plain: weighted(counts, plain_idf),
            unit: unit(counts),
        })
    }

    /// Every class with more documents than are labelled, so that some are left to find.
    pub fn classes_with_more_than(&self, labelled: usize) -> Vec<usize> {
        self.all_classes().filter(|class| self.members(*class).len() > labelled).collect()
    }

    pub fn all_classes(&self) -> std::ops::Range<usize> {
        0..self.classes.iter().max().map_or(0, |class| class + 1)
    }

    /// The documents of a class.
    pub fn members(&self, class: usize) -> Vec<usize> {
        (0..self.classes.len()).filter(|&i| self.classes[i] == class).collect()
    }
}

fn plain_idf(documents: f64, df: f64) -> f64 {
    (documents / df).ln()
}

fn weighted(counts: &Csr, idf: impl Fn(f64, f64) -> f64) -> Data {
    let documents = counts.rows() as f64;
    let of_words: Vec<f64> =
        counts.document_frequencies().into_iter().map(|df| idf(documents, f64::from(df.max(1)))).collect();
    let mut out = counts.clone();
    for (value, word) in out.values.iter_mut().zip(&counts.indices) {
        *value = (f64::from(*value) * of_words[*word as usize]) as f32;
    }
    Data::Sparse(Arc::new(out))
}

fn unit(counts: &Csr) -> Data {
    let smooth = |documents: f64, df: f64| ((1.0 + documents) / (1.0 + df)).ln() + 1.0;
    let Data::Sparse(mut rows) = weighted(counts, smooth) else { unreachable!("words stay words") };
    Arc::make_mut(&mut rows).normalize_rows();
    Data::Sparse(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_by_hand() {
        // Word 0 is in both documents, word 1 in one of two.
        let counts = Csr::new(2, vec![0, 2, 3], vec![0, 1, 0], vec![2.0, 3.0, 5.0]).unwrap();
        let plain = weighted(&counts, plain_idf);
        assert_eq!(plain.sparse().unwrap().values, [0.0, (3.0 * 2f64.ln()) as f32, 0.0]);
        let (a, b) = (2.0, 3.0 * (1.5f64.ln() + 1.0));
        let rows = unit(&counts);
        let found = &rows.sparse().unwrap().values;
        assert!((f64::from(found[0]) - a / f64::hypot(a, b)).abs() < 1e-6 && found[2] == 1.0);
    }
}
