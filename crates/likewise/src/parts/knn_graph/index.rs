//! The rows to search, whatever their kind.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::dense::DenseIndex;
use super::neighbours::Neighbours;
use super::sparse::SparseIndex;
use crate::data::{Csr, Data};
use crate::error::{Error, Result};
use crate::model_file::{Reader, Writer};
use crate::run::Run;

/// Finds the nearest of its rows by cosine.
pub struct CosineIndex {
    rows: Data,
    kind: IndexKind,
}

enum IndexKind {
    Sparse(Box<SparseIndex>),
    Dense(DenseIndex),
}

/// Some rows to answer for, one after the other, on one thread.
const BATCH: usize = 64;

impl CosineIndex {
    pub fn new(rows: &Data) -> Result<Self> {
        // Models keep their index.
        let rows = rows.owned();
        let kind = match &rows {
            Data::Sparse(x) => IndexKind::Sparse(Box::new(SparseIndex::new(x))),
            Data::Dense(x) => IndexKind::Dense(DenseIndex::new(x)),
            other => {
                let message = format!("cosines need words or numbers, but the rows are {:?}", other.kind());
                return Err(Error::data(message.to_lowercase()));
            }
        };
        Ok(CosineIndex { rows, kind })
    }

    /// The rows that are searched.
    pub fn rows(&self) -> &Data {
        &self.rows
    }

    /// The k nearest other rows of every row.
    pub fn graph(&self, k: usize, run: &Run) -> Result<Neighbours> {
        self.search(&self.rows, true, k, run)
    }

    /// The k nearest rows of every row of `x`.
    pub fn query(&self, x: &Data, k: usize, run: &Run) -> Result<Neighbours> {
        if std::mem::discriminant(x) != std::mem::discriminant(&self.rows) {
            let message = format!("the model knows {:?} rows, these are {:?}", self.rows.kind(), x.kind());
            return Err(Error::data(message.to_lowercase()));
        }
        if x.cols() != self.rows.cols() {
            let (known, given) = (self.rows.cols().unwrap_or(0), x.cols().unwrap_or(0));
            return Err(Error::data(format!("the model knows {known} features, the rows have {given}")));
        }
        self.search(x, false, k, run)
    }

    /// Batches of rows in parallel; `among_themselves` means that `x` are the stored rows.
    fn search(&self, x: &Data, among_themselves: bool, k: usize, run: &Run) -> Result<Neighbours> {
        let n = x.rows();
        let done = AtomicU64::new(0);
        let report = |rows: usize| {
            let before = done.fetch_add(rows as u64, Ordering::Relaxed);
            run.step("neighbours", before + rows as u64, n as u64)
        };
        let batches = n.div_ceil(BATCH);
        let rows_of = |batch: usize| batch * BATCH..((batch + 1) * BATCH).min(n);
        let found: Vec<Vec<Vec<(u32, f32)>>> = match (&self.kind, x) {
            _ if k == 0 => vec![vec![Vec::new(); n]],
            (IndexKind::Sparse(index), Data::Sparse(x)) => (0..batches)
                .into_par_iter()
                .map_init(
                    || index.searcher(k),
                    |searcher, batch| {
                        let rows = rows_of(batch);
                        report(rows.len())?;
                        Ok(rows.map(|i| searcher.nearest(x.row(i), among_themselves.then_some(i))).collect())
                    },
                )
                .collect::<Result<_>>()?,
            (IndexKind::Dense(index), Data::Dense(x)) => (0..batches)
                .into_par_iter()
                .map(|batch| {
                    let rows = rows_of(batch);
                    report(rows.len())?;
                    Ok(index.nearest(x, rows, among_themselves, k))
                })
                .collect::<Result<_>>()?,
            _ => unreachable!("the kinds were compared"),
        };
        let mut out = Neighbours::with_capacity(n, k.min(self.rows.rows()));
        for row in found.iter().flatten() {
            out.push_row(row);
        }
        Ok(out)
    }

    /// What each feature adds to the cosine of row `row` of `x` and a stored row.
    pub fn shared_features(&self, x: &Data, row: usize, stored: usize) -> Vec<(usize, f64)> {
        let (a, b) = (entries(x, row), entries(&self.rows, stored));
        let length = |row: &[(usize, f64)]| row.iter().map(|(_, v)| v * v).sum::<f64>().sqrt();
        let scale = length(&a) * length(&b);
        let mut theirs = b.into_iter().peekable();
        let mut out = Vec::new();
        for (j, v) in a {
            while theirs.next_if(|(other, _)| *other < j).is_some() {}
            if let Some((_, w)) = theirs.next_if(|(other, _)| *other == j) {
                out.push((j, v * w / scale));
            }
        }
        out
    }

    /// Writes the rows, which are those of training, and says so; the index is built again from them.
    pub fn save_training_rows(&self, out: &mut Writer) {
        out.kept_rows(self.rows.rows());
        self.save(out);
    }

    /// Writes the rows; the index is built again from them.
    pub fn save(&self, out: &mut Writer) {
        match &self.rows {
            Data::Sparse(x) => out.csr("rows", x),
            Data::Dense(x) => out.dense("rows", x),
            Data::Relational(_) => unreachable!("refused by `new`"),
        }
        out.value("sparse", &matches!(self.kind, IndexKind::Sparse(_)));
    }

    pub fn load(file: &Reader) -> Result<Self> {
        let rows = if file.value("sparse")? {
            Data::Sparse(Arc::new(file.csr("rows")?))
        } else {
            Data::Dense(Arc::new(file.dense("rows")?))
        };
        CosineIndex::new(&rows)
    }
}

/// The values of a row that are not zero.
fn entries(x: &Data, row: usize) -> Vec<(usize, f64)> {
    match x {
        Data::Sparse(x) => x.row(row).iter().map(|(j, v)| (j, f64::from(v))).collect(),
        Data::Dense(x) => {
            let values = x.row(row).iter().map(|v| f64::from(*v)).enumerate();
            values.filter(|(_, v)| *v != 0.0).collect()
        }
        Data::Relational(_) => Vec::new(),
    }
}

/// The same rows without the words that more than this share of them contain.
///
/// Common words say little of likeness and cost most of the search.
pub fn without_common_words(x: &Csr, share: f64) -> Csr {
    let most = share * x.rows() as f64;
    let keep: Vec<bool> = x.document_frequencies().iter().map(|df| f64::from(*df) <= most).collect();
    let mut out = crate::data::CsrBuilder::with_capacity(x.cols, x.rows(), x.nnz());
    for row in x.iter_rows() {
        out.push_entries(row.iter().filter(|(j, _)| keep[*j]).map(|(j, v)| (j as u32, v)));
    }
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::super::EdgeRule;
    use super::*;
    use crate::data::{CsrBuilder, Dense};
    use proptest::prelude::*;
    use rand::RngExt;

    fn as_dense(x: &Csr) -> Vec<Vec<f64>> {
        let full = |i: usize| {
            let mut row = vec![0.0; x.cols];
            x.row(i).iter().for_each(|(j, v)| row[j] = f64::from(v));
            row
        };
        (0..x.rows()).map(full).collect()
    }

    fn cosine(a: &[f64], b: &[f64]) -> f64 {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let lengths = (dot(a, a) * dot(b, b)).sqrt();
        if lengths > 0.0 { dot(a, b) / lengths } else { 0.0 }
    }

    /// Each found cosine is right, and the i-th best found is as good as the i-th best there is.
    fn check(found: &Neighbours, asked: &[Vec<f64>], stored: &[Vec<f64>], own: bool, k: usize) {
        assert_eq!(found.len(), asked.len());
        for (i, row) in asked.iter().enumerate() {
            let all = stored.iter().enumerate().filter(|(j, _)| !own || *j != i);
            let mut best: Vec<f64> = all.map(|(_, other)| cosine(row, other)).filter(|c| *c > 1e-6).collect();
            best.sort_by(|a, b| b.total_cmp(a));
            best.truncate(k);
            let mine: Vec<_> = found.of(i).collect();
            assert_eq!(mine.len(), best.len(), "row {i}");
            for (&(j, c), wanted) in mine.iter().zip(&best) {
                assert!((f64::from(c) - cosine(row, &stored[j])).abs() < 1e-6, "row {i}, neighbour {j}");
                assert!((f64::from(c) - wanted).abs() < 1e-6, "row {i}: {c} where {wanted} is best");
            }
            assert!(mine.windows(2).all(|w| w[0].1 > w[1].1 || (w[0].1 == w[1].1 && w[0].0 < w[1].0)));
        }
    }

    /// Documents of rare words, every one with some of a few words that most documents hold.
    fn collection(rows: usize, seed: u64) -> Csr {
        let mut rng = Run::new(seed).rng("collection", 0);
        let mut out = CsrBuilder::with_capacity(600, rows, 0);
        for _ in 0..rows {
            let topic = rng.random_range(0..20u32);
            let mut words: Vec<u32> = (0..12).map(|_| 30 + topic * 25 + rng.random_range(0..60)).collect();
            words.extend((0..8).map(|_| rng.random_range(0..30u32)));
            words.sort_unstable();
            words.dedup();
            out.push_entries(words.iter().map(|&w| (w, if w < 30 { 0.3 } else { 1.0 + (w % 7) as f32 })));
        }
        out.finish()
    }

    #[test]
    fn equal_rows_come_in_the_order_of_their_numbers() {
        let x =
            Csr::new(2, vec![0, 1, 2, 2, 3, 5], vec![0, 0, 0, 0, 1], vec![1.0, 2.0, 3.0, 1.0, 1.0]).unwrap();
        let index = CosineIndex::new(&Data::Sparse(Arc::new(x))).unwrap();
        let graph = index.graph(2, &Run::new(0)).unwrap();
        assert_eq!(graph.of(3).collect::<Vec<_>>(), [(0, 1.0), (1, 1.0)]);
        assert_eq!(graph.of(4).map(|(j, _)| j).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(graph.of(2).len(), 0, "an empty row is like nothing");
    }

    #[test]
    fn pruning_loses_nothing() {
        let x = collection(600, 1);
        let rows = as_dense(&x);
        let index = CosineIndex::new(&Data::Sparse(Arc::new(x))).unwrap();
        let run = Run::new(0);
        let graph = index.graph(7, &run).unwrap();
        check(&graph, &rows, &rows, true, 7);
        let new = collection(40, 2);
        let asked = as_dense(&new);
        check(&index.query(&Data::Sparse(Arc::new(new)), 3, &run).unwrap(), &asked, &rows, false, 3);
        let edges = graph.edges(EdgeRule::Either);
        assert_eq!(edges.transpose(), edges, "cosines are the same from both sides");
    }

    #[test]
    fn threads_change_nothing() {
        let index = CosineIndex::new(&Data::Sparse(Arc::new(collection(700, 3)))).unwrap();
        let on = |threads| {
            let run = Run::new(0).with_threads(threads).unwrap();
            run.install(|| index.graph(5, &run)).unwrap()
        };
        assert_eq!(on(1), on(2));
    }

    #[test]
    fn refuses_rows_of_another_shape() {
        let index = CosineIndex::new(&Data::Sparse(Arc::new(collection(5, 3)))).unwrap();
        assert!(index.query(&Data::Sparse(Arc::new(Csr::empty(7))), 1, &Run::new(0)).is_err());
        let dense = Data::Dense(Arc::new(Dense::new(1, 600, vec![0.0; 600]).unwrap()));
        assert!(index.query(&dense, 1, &Run::new(0)).is_err());
    }

    #[test]
    fn common_words_are_dropped_by_their_share() {
        let x = Csr::new(2, vec![0, 2, 3, 4], vec![0, 1, 0, 0], vec![1.0; 4]).unwrap();
        let rare = without_common_words(&x, 0.5);
        assert_eq!((rare.indptr, rare.indices, rare.cols), (vec![0, 1, 1, 1], vec![1].into(), 2));
    }

    proptest! {
        #[test]
        fn any_numbers_agree_with_brute_force(
            rows in prop::collection::vec(prop::collection::vec(-4i8..5, 6), 1..40), k in 0usize..6
        ) {
            let wide: Vec<Vec<f64>> = rows.iter().map(|r| r.iter().map(|v| f64::from(*v)).collect()).collect();
            let flat: Vec<f32> = rows.iter().flatten().map(|v| f32::from(*v)).collect();
            let mut sparse = CsrBuilder::with_capacity(6, rows.len(), 0);
            for row in flat.chunks(6) {
                sparse.push_entries(row.iter().enumerate().map(|(j, v)| (j as u32, *v)));
            }
            let dense = Dense::new(rows.len(), 6, flat).unwrap();
            for x in [Data::Dense(Arc::new(dense)), Data::Sparse(Arc::new(sparse.finish()))] {
                let index = CosineIndex::new(&x).unwrap();
                check(&index.graph(k, &Run::new(0)).unwrap(), &wide, &wide, true, k);
                check(&index.query(&x, k, &Run::new(0)).unwrap(), &wide, &wide, false, k);
            }
        }
    }
}
