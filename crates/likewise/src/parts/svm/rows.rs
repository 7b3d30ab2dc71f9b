//! One row of the kernel matrix at a time: a query against all rows of a set, as fast as its kind allows.
//!
//! Dense rows stand in panels of 32, column by column, so that 32 products grow together. Sparse rows stand
//! in an inverted index: only rows that share a column with the query are touched. Distances of dense rows are
//! sums of squared differences, not of norms and products: nothing cancels.

use rayon::prelude::*;

use super::kernel::Kernel;
use super::lanes::{PANEL, exp_of_distances, panel_distances, panel_products};
use crate::data::{Csr, CsrBuilder, Data, SparseRow};
use crate::error::{Error, Result};

/// A row to compare with the set.
#[derive(Clone, Copy)]
pub enum Query<'a> {
    Dense(&'a [f32]),
    Sparse(SparseRow<'a>),
}

impl<'a> Query<'a> {
    pub fn of(x: &'a Data, row: usize) -> Result<Self> {
        match x {
            Data::Dense(x) => Ok(Query::Dense(x.row(row))),
            Data::Sparse(x) => Ok(Query::Sparse(x.row(row))),
            Data::Relational(_) => Err(Error::data("an SVM takes word weights or numeric columns")),
        }
    }

    pub fn squared_norm(&self) -> f64 {
        match self {
            Query::Dense(x) => x.iter().map(|v| f64::from(*v) * f64::from(*v)).sum(),
            Query::Sparse(x) => x.squared_norm(),
        }
    }
}

/// A set of rows that answers with K(query, ·).
pub struct KernelRows {
    kernel: Kernel,
    len: usize,
    store: Store,
}

enum Store {
    /// Panels of PANEL rows; the last one is filled up with zeros.
    Panels(Vec<f32>),
    /// For each column the rows that use it, and |row|².
    Inverted { columns: Csr, norms: Vec<f32> },
    /// The columns of a given kernel that belong to the set.
    Given(Vec<u32>),
}

/// Work below which a second thread does not pay.
const WORTH_SHARING: usize = 1 << 20;

impl KernelRows {
    /// The rows of `x` with these numbers, in this order. For a given kernel these are columns.
    pub fn new(kernel: Kernel, x: &Data, rows: &[u32]) -> Result<Self> {
        let store = match (kernel, x) {
            (Kernel::Given, Data::Dense(_)) => Store::Given(rows.to_vec()),
            (Kernel::Given, _) => return Err(Error::data("a given kernel must be a dense matrix")),
            (_, Data::Dense(x)) => {
                let mut panels = vec![0.0; rows.len().div_ceil(PANEL) * PANEL * x.cols];
                for (k, &row) in rows.iter().enumerate() {
                    let from = k / PANEL * PANEL * x.cols + k % PANEL;
                    let panel = panels[from..].iter_mut().step_by(PANEL);
                    panel.zip(x.row(row as usize)).for_each(|(to, v)| *to = *v);
                }
                Store::Panels(panels)
            }
            (_, Data::Sparse(x)) => {
                let mut out = CsrBuilder::with_capacity(x.cols, rows.len(), x.nnz());
                rows.iter().for_each(|&row| out.push_row(x.row(row as usize)));
                let chosen = out.finish();
                let norms = chosen.iter_rows().map(|row| row.squared_norm() as f32).collect();
                Store::Inverted { columns: chosen.transpose(), norms }
            }
            (_, Data::Relational(_)) => {
                return Err(Error::data("an SVM takes word weights or numeric columns"));
            }
        };
        Ok(KernelRows { kernel, len: rows.len(), store })
    }

    /// K(query, row) for every row of the set.
    pub fn evaluate(&self, query: Query, out: &mut [f32]) {
        match (&self.store, query) {
            (Store::Panels(panels), Query::Dense(x)) => self.evaluate_panels(x, panels, out),
            (Store::Inverted { columns, norms }, Query::Sparse(x)) => {
                out.fill(0.0);
                for (j, v) in x.iter().filter(|(j, _)| *j < columns.rows()) {
                    let column = columns.row(j);
                    column.indices.iter().zip(column.values).for_each(|(&k, u)| out[k as usize] += v * u);
                }
                if self.kernel.by_distance() {
                    let own = query.squared_norm() as f32;
                    for (product, norm) in out.iter_mut().zip(norms) {
                        *product = (own + norm - 2.0 * *product).max(0.0);
                    }
                }
                self.finish(out);
            }
            (Store::Given(columns), Query::Dense(x)) => {
                out.iter_mut().zip(columns).for_each(|(to, &j)| *to = x[j as usize]);
            }
            _ => unreachable!("queries are of the kind of the set"),
        }
    }

    fn evaluate_panels(&self, x: &[f32], panels: &[f32], out: &mut [f32]) {
        let base = if self.kernel.by_distance() { panel_distances } else { panel_products };
        if x.is_empty() {
            out.fill(0.0);
            return self.finish(out);
        }
        let some = |panels: &[f32], out: &mut [f32]| {
            let whole = out.len() / PANEL;
            let (panels, rest) = panels.split_at(whole * PANEL * x.len());
            let (out, last) = out.split_at_mut(whole * PANEL);
            base(x, panels, out);
            self.finish(out);
            if !last.is_empty() {
                let mut padded = [0.0; PANEL];
                base(x, rest, &mut padded);
                last.copy_from_slice(&padded[..last.len()]);
                self.finish(last);
            }
        };
        if panels.len() < WORTH_SHARING {
            return some(panels, out);
        }
        const SHARE: usize = 64;
        (panels.par_chunks(SHARE * PANEL * x.len()).zip(out.par_chunks_mut(SHARE * PANEL)))
            .for_each(|(panels, out)| some(panels, out));
    }

    /// From products or distances to the kernel.
    fn finish(&self, out: &mut [f32]) {
        match self.kernel {
            Kernel::Linear | Kernel::Given => {}
            Kernel::Rbf { gamma } => exp_of_distances(out, gamma as f32),
            Kernel::Polynomial { gamma, constant, degree } => {
                let (gamma, constant) = (gamma as f32, constant as f32);
                out.iter_mut().for_each(|v| *v = (gamma * *v + constant).powi(degree as i32));
            }
        }
    }

    /// Σ_k coefficient_k K(query, k) for each query of `x` in `rows`, on all threads.
    pub fn weighted_sums(&self, x: &Data, rows: &[u32], coefficients: &[f64]) -> Result<Vec<f64>> {
        let sums = rows.par_iter().map_init(
            || vec![0.0f32; self.len],
            |buffer, &row| {
                self.evaluate(Query::of(x, row as usize)?, buffer);
                Ok(weighted_sum(buffer, coefficients))
            },
        );
        sums.collect()
    }
}

/// Σ a_k b_k in eight lanes.
fn weighted_sum(values: &[f32], coefficients: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut lanes = [0.0; LANES];
    let (a, b) = (values.chunks_exact(LANES), coefficients.chunks_exact(LANES));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| f64::from(*a) * b).sum();
    for (a, b) in a.zip(b) {
        for k in 0..LANES {
            lanes[k] += f64::from(a[k]) * b[k];
        }
    }
    lanes.iter().sum::<f64>() + rest
}

/// K(x, x) for each row.
pub fn diagonal(kernel: Kernel, x: &Data) -> Result<Vec<f64>> {
    (0..x.rows())
        .into_par_iter()
        .map(|i| match (kernel, x) {
            (Kernel::Given, Data::Dense(k)) if i < k.cols => Ok(f64::from(k.row(i)[i])),
            (Kernel::Given, _) => Err(Error::data("a given kernel must be a square matrix")),
            _ => Ok(kernel.of_itself(Query::of(x, i)?.squared_norm())),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use rand::RngExt;
    use std::sync::Arc;

    /// 77 rows of 9 columns, a third of them zero, in both forms.
    fn rows() -> (Data, Data) {
        let mut rng = crate::Run::new(1).rng("rows", 0);
        let values: Vec<f32> =
            (0..77 * 9).map(|i| if i % 3 == 0 { 0.0 } else { rng.random_range(-1.0..1.0) }).collect();
        let mut sparse = CsrBuilder::with_capacity(9, 77, 0);
        for row in values.chunks(9) {
            sparse.push_entries(row.iter().enumerate().map(|(j, v)| (j as u32, *v)));
        }
        let dense = Dense::new(77, 9, values).unwrap();
        (Data::Dense(Arc::new(dense)), Data::Sparse(Arc::new(sparse.finish())))
    }

    #[test]
    fn every_kernel_on_every_kind_of_rows_is_the_formula() {
        let (dense, sparse) = rows();
        let x = dense.dense().unwrap();
        let chosen: Vec<u32> = (0..77).filter(|i| i % 5 != 1).collect();
        let kernels = [
            Kernel::Linear,
            Kernel::Rbf { gamma: 0.7 },
            Kernel::Polynomial { gamma: 0.5, constant: 1.0, degree: 3 },
        ];
        for kernel in kernels {
            for data in [&dense, &sparse] {
                let set = KernelRows::new(kernel, data, &chosen).unwrap();
                let mut out = vec![0.0; chosen.len()];
                for i in [0, 30, 76] {
                    set.evaluate(Query::of(data, i).unwrap(), &mut out);
                    for (k, &j) in chosen.iter().enumerate() {
                        let pairs = || {
                            x.row(i)
                                .iter()
                                .zip(x.row(j as usize))
                                .map(|(a, b)| (f64::from(*a), f64::from(*b)))
                        };
                        let product: f64 = pairs().map(|(a, b)| a * b).sum();
                        let distance: f64 = pairs().map(|(a, b)| (a - b) * (a - b)).sum();
                        let wanted = kernel.of(if kernel.by_distance() { distance } else { product });
                        assert!((f64::from(out[k]) - wanted).abs() < 1e-5, "{kernel:?} {} {wanted}", out[k]);
                    }
                }
                let own = diagonal(kernel, data).unwrap();
                set.evaluate(Query::of(data, 0).unwrap(), &mut out);
                assert!((own[0] - f64::from(out[0])).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn weighted_sums_add_up() {
        let (dense, _) = rows();
        let set = KernelRows::new(Kernel::Linear, &dense, &[3, 4]).unwrap();
        let sums = set.weighted_sums(&dense, &[9], &[2.0, -1.0]).unwrap();
        let mut out = [0.0; 2];
        set.evaluate(Query::of(&dense, 9).unwrap(), &mut out);
        assert!((sums[0] - (2.0 * f64::from(out[0]) - f64::from(out[1]))).abs() < 1e-12);
    }
}
