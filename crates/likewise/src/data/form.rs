//! Dense or sparse: the form in which a method gets a matrix, whatever form it came in.
//!
//! A matrix stays the same matrix as rows of numbers and as compressed rows, but sums over the two are made in
//! different orders and differ in their last bits. So the form is chosen from the values alone: the same data
//! gives the same scores, bit for bit, in whatever container it arrives.

use std::sync::Arc;

use super::{Csr, CsrBuilder, Data, Dense, Kind};
use crate::error::{Error, Result};

/// From this share of cells that are not zero on, rows are worked on as dense. Below it sparse rows take less
/// than half the memory and the time.
const DENSE_SHARE: f64 = 0.25;

/// More cells than this (8 GiB) are not made dense.
const MOST_DENSE_CELLS: usize = 1 << 31;

impl Data {
    /// These rows in the form that their values call for, among those that a method takes.
    pub fn suited(self, inputs: &[Kind]) -> Result<Data> {
        let x = self.without_zeros();
        let (Some(cols), takes) = (x.cols(), |kind| inputs.contains(&kind)) else { return Ok(x) };
        let kind = match (takes(Kind::Dense), takes(Kind::Sparse)) {
            (true, true) => {
                let cells = x.rows() as f64 * cols as f64;
                if x.nonzeros() as f64 >= DENSE_SHARE * cells { Kind::Dense } else { Kind::Sparse }
            }
            (true, false) => Kind::Dense,
            (false, true) => Kind::Sparse,
            (false, false) => return Ok(x),
        };
        x.into_kind(kind)
    }

    /// Sparse rows that write down a zero are the same rows without it.
    fn without_zeros(self) -> Data {
        match self {
            Data::Sparse(x) if x.values.contains(&0.0) => Data::Sparse(Arc::new(x.without_zeros())),
            other => other,
        }
    }

    /// The same rows as dense or as sparse ones.
    pub fn into_kind(self, kind: Kind) -> Result<Data> {
        match (self.without_zeros(), kind) {
            (Data::Dense(x), Kind::Sparse) => Ok(Data::Sparse(Arc::new(x.to_csr()))),
            (Data::Sparse(x), Kind::Dense) => Ok(Data::Dense(Arc::new(x.to_dense()?))),
            (x @ Data::Dense(_), Kind::Dense) => Ok(x),
            (x, kind) if x.kind() == kind => Ok(x),
            (x, kind) => {
                let (have, want) = (format!("{:?}", x.kind()), format!("{kind:?}"));
                let message = format!("{} rows cannot be made {}", have.to_lowercase(), want.to_lowercase());
                Err(Error::data(message))
            }
        }
    }

    fn nonzeros(&self) -> usize {
        match self {
            Data::Dense(x) => x.values.iter().filter(|v| **v != 0.0).count(),
            Data::Sparse(x) => x.nnz(),
            Data::Relational(_) => 0,
        }
    }
}

impl Csr {
    /// The same matrix with every cell written down.
    pub fn to_dense(&self) -> Result<Dense> {
        let cells = self.rows().checked_mul(self.cols).filter(|cells| *cells <= MOST_DENSE_CELLS);
        let Some(cells) = cells else {
            return Err(Error::data(format!(
                "{} rows of {} columns are too many cells for a method that takes dense rows; choose one that takes sparse rows, or fewer columns",
                self.rows(),
                self.cols
            )));
        };
        let mut values = vec![0.0; cells];
        for (i, row) in self.iter_rows().enumerate() {
            row.iter().for_each(|(j, v)| values[i * self.cols + j] = v);
        }
        Dense::new(self.rows(), self.cols, values)
    }

    fn without_zeros(&self) -> Csr {
        let mut out = CsrBuilder::with_capacity(self.cols, self.rows(), self.nnz());
        for row in self.iter_rows() {
            out.push_entries(row.indices.iter().copied().zip(row.values.iter().copied()));
        }
        out.finish()
    }
}

impl Dense {
    /// The same matrix without its zeros.
    pub fn to_csr(&self) -> Csr {
        let nonzeros = self.values.iter().filter(|v| **v != 0.0).count();
        let mut out = CsrBuilder::with_capacity(self.cols, self.rows(), nonzeros);
        for row in self.iter_rows() {
            out.push_entries((0u32..).zip(row.iter().copied()));
        }
        out.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(values: [f32; 8]) -> [Data; 2] {
        let dense = Dense::new(2, 4, values.to_vec()).unwrap();
        let indices = [0, 1, 2, 3, 0, 1, 2, 3].to_vec();
        let with_zeros = Csr::new(4, vec![0, 4, 8], indices, values.to_vec()).unwrap();
        [Data::Dense(Arc::new(dense)), Data::Sparse(Arc::new(with_zeros))]
    }

    #[test]
    fn the_form_depends_on_the_values_alone() {
        for x in forms([0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]) {
            let suited = x.suited(&[Kind::Dense, Kind::Sparse]).unwrap();
            let expected = Csr::new(4, vec![0, 1, 1], vec![1], vec![2.0]).unwrap();
            assert_eq!(**suited.sparse().unwrap(), expected);
        }
        for x in forms([0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]) {
            assert_eq!(x.into_kind(Kind::Sparse).unwrap().sparse().unwrap().nnz(), 1);
        }
        for x in forms([0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]) {
            let suited = x.suited(&[Kind::Sparse, Kind::Dense]).unwrap();
            assert_eq!(suited.dense().unwrap().values, [0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        }
    }

    #[test]
    fn a_method_gets_the_kind_it_takes() {
        for x in forms([1.0; 8]) {
            assert_eq!(x.clone().suited(&[Kind::Sparse]).unwrap().kind(), Kind::Sparse);
            assert_eq!(x.suited(&[Kind::Dense]).unwrap().kind(), Kind::Dense);
        }
    }

    #[test]
    fn what_would_not_fit_in_memory_is_refused() {
        let wide = Csr::new(1 << 31, vec![0, 0, 0], vec![], vec![]).unwrap();
        assert!(wide.to_dense().unwrap_err().to_string().contains("too many cells"));
    }
}
