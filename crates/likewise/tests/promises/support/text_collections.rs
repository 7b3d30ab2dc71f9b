//! The nine text collections of Rossi, Marcacini & Rezende (2013), as the LP-PUL study weighted them.

use likewise::data::{Csr, CsrBuilder};

use super::data_text;

/// Word counts and the class of every document.
pub struct Collection {
    pub counts: Csr,
    pub classes: Vec<usize>,
}

impl Collection {
    /// None, with a visible line, where the data is not there.
    pub fn read(name: &str) -> Option<Self> {
        let text = data_text(&format!("textcollections/{name}.svm.gz"))?;
        let mut classes = Vec::new();
        let mut rows: Vec<Vec<(u32, f32)>> = Vec::new();
        for line in text.lines() {
            let mut cells = line.split_ascii_whitespace();
            classes.push(cells.next().expect("a label").parse().expect("a whole number"));
            let entry = |cell: &str| {
                let (column, count) = cell.split_once(':').expect("column:count");
                (column.parse::<u32>().expect("a column") - 1, count.parse().expect("a count"))
            };
            rows.push(cells.map(entry).collect());
        }
        let cols = rows.iter().flatten().map(|(j, _)| *j as usize + 1).max().unwrap_or(0);
        let mut counts = CsrBuilder::with_capacity(cols, rows.len(), 0);
        rows.into_iter().for_each(|row| counts.push_entries(row));
        Some(Collection { counts: counts.finish(), classes })
    }

    /// count ln(N / df), rows left at their length: what the LP-PUL study took cosines of.
    pub fn weighted(&self) -> Csr {
        let n = self.counts.rows() as f32;
        let idf: Vec<f32> =
            self.counts.document_frequencies().iter().map(|df| (n / (*df).max(1) as f32).ln()).collect();
        let mut out = CsrBuilder::with_capacity(self.counts.cols, self.counts.rows(), self.counts.nnz());
        for row in self.counts.iter_rows() {
            out.push_entries(row.iter().map(|(j, count)| (j as u32, count * idf[j])));
        }
        out.finish()
    }
}
