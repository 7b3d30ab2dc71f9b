//! Non-negative matrix factorisation V ≈ W H under the Kullback-Leibler divergence (Lee & Seung 2001).
//!
//! Multiplicative updates, W first, then H with the new W:
//!
//! - W(i,a) ← W(i,a) · Σ_j H(a,j) R(i,j) / Σ_j H(a,j)
//! - H(a,j) ← H(a,j) · Σ_i W(i,a) R(i,j) / Σ_i W(i,a)     with R = V / (W H + 1e-10)
//!
//! R is needed only where V is not zero, so a step costs 8 · non-zeros · topics operations. H is kept by column
//! (a row of numbers for each word), which makes both updates the same work on V and on its transpose: every row
//! is updated on its own, in parallel and in a fixed order. Numbers are f32, or f64 where the last digits matter.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod batch;
mod entries;
mod kernel;
mod panel;
mod topic_model;

pub use batch::{Batch, LANES};
pub use entries::Entries;
pub use panel::{Panel, Real};
pub use topic_model::{Decision, TopicModel};

use rayon::prelude::*;

use crate::data::Csr;
use crate::error::{Error, Result};
use crate::run::Run;

/// A matrix to factorise, with its transpose.
pub struct Factorisation<'a, T: Real> {
    v: Entries<'a, T>,
    by_column: Entries<'static, T>,
}

impl<'a, T: Real> Factorisation<'a, T> {
    pub fn new(v: Entries<'a, T>) -> Result<Self> {
        refuse_negative(&v)?;
        Ok(Factorisation { by_column: v.transpose(), v })
    }

    /// One update of W, then one of H. `h` has a row for each column of V.
    pub fn step(&self, w: &mut Panel<T>, h: &mut Panel<T>) {
        update(&self.v, w, h);
        update(&self.by_column, h, w);
    }

    /// Σ V ln(V / WH) - V + WH, in double precision whatever the factors are.
    pub fn divergence(&self, w: &Panel<T>, h: &Panel<T>) -> f64 {
        const ROWS: usize = 256;
        let of_rows = |chunk: usize| -> f64 {
            let rows = chunk * ROWS..((chunk + 1) * ROWS).min(self.v.rows());
            rows.map(|i| {
                let product = |j: usize| -> f64 {
                    w.row(i).iter().zip(h.row(j)).map(|(a, b)| a.to_f64() * b.to_f64()).sum()
                };
                let term = |(j, v): (&u32, f64)| v * (v / (product(*j as usize) + 1e-10)).ln() - v;
                let (columns, values) = self.v.row(i);
                let entries = columns.iter().zip(values.iter().map(|v| v.to_f64()));
                entries.filter(|(_, v)| *v > 0.0).map(term).sum::<f64>()
            })
            .sum()
        };
        let chunks: Vec<f64> = (0..self.v.rows().div_ceil(ROWS)).into_par_iter().map(of_rows).collect();
        let total: f64 = w.column_sums().iter().zip(h.column_sums()).map(|(a, b)| a * b).sum();
        chunks.iter().sum::<f64>() + total
    }
}

/// The rows of W that fit new rows best while H stays as it is.
pub fn fold_in<T: Real>(v: &Csr, h: &Panel<T>, iterations: u64, run: &Run) -> Result<Panel<T>> {
    let v = Entries::new(v);
    refuse_negative(&v)?;
    let mut w = Panel::filled(v.rows(), h.columns(), |_, _| 1.0);
    for round in 0..iterations {
        run.step("folding in", round, iterations)?;
        update(&v, &mut w, h);
    }
    Ok(w)
}

fn refuse_negative<T: Real>(v: &Entries<'_, T>) -> Result<()> {
    match v.negative_row() {
        Some(row) => Err(Error::data(format!(
            "row {} has a negative value, but the factorisation takes none; choose another method",
            row + 1
        ))),
        None => Ok(()),
    }
}

/// Updates every row of `left` for the fit of `left` times the rows of `right` to V.
fn update<T: Real>(v: &Entries<'_, T>, left: &mut Panel<T>, right: &Panel<T>) {
    const ROWS: usize = 32;
    let sums: Vec<T> = right.column_sums().into_iter().map(T::from_f64).collect();
    let stride = left.stride();
    let kernel = T::kernel(stride);
    left.values_mut().par_chunks_mut(ROWS * stride).enumerate().for_each_init(
        Vec::new,
        |ratios, (chunk, rows)| {
            kernel(v, chunk * ROWS, rows, right, &sums, ratios);
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::CsrBuilder;
    use rand::RngExt;

    fn matrix(rows: usize, cols: u32, density: f64) -> Csr {
        let mut rng = Run::new(3).rng("matrix", 0);
        let mut out = CsrBuilder::with_capacity(cols as usize, rows, 0);
        for _ in 0..rows {
            let words = (0..cols).filter(|_| rng.random_bool(density)).collect::<Vec<_>>();
            let values: Vec<f32> = words.iter().map(|_| rng.random_range(0.01..1.0)).collect();
            out.push_entries(words.into_iter().zip(values));
        }
        out.finish()
    }

    fn start<T: Real>(rows: usize, k: usize, seed: u64) -> Panel<T> {
        let mut rng = Run::new(seed).rng("start", 0);
        Panel::filled(rows, k, |_, _| f64::from(rng.random_range(0.0f32..1.0)))
    }

    #[test]
    fn one_step_by_hand() {
        // V = [2 1; 0 1], one topic, W = (1, 1), H = (1, 1): R = V. W becomes (3/2, 1/2); with it R is
        // [4/3 2/3; 0 2], and H becomes ((3/2 · 4/3) / 2, (3/2 · 2/3 + 1/2 · 2) / 2) = (1, 1).
        let v = Csr::new(2, vec![0, 2, 3], vec![0, 1, 1], vec![2.0, 1.0, 1.0]).unwrap();
        let (mut w, mut h) = (Panel::<f64>::filled(2, 1, |_, _| 1.0), Panel::filled(2, 1, |_, _| 1.0));
        let factorisation = Factorisation::new(Entries::new(&v)).unwrap();
        factorisation.step(&mut w, &mut h);
        let close = |found: &[f64], wanted: f64| assert!((found[0] - wanted).abs() < 1e-9, "{found:?}");
        close(w.row(0), 1.5);
        close(w.row(1), 0.5);
        close(h.row(0), 1.0);
        close(h.row(1), 1.0);
        // WH = [1.5 1.5; 0.5 0.5]: 2 ln(4/3) + ln(2/3) + ln 2 - 4 + 4.
        let wanted = 2.0 * (4.0f64 / 3.0).ln() + (4.0f64 / 3.0).ln();
        assert!((factorisation.divergence(&w, &h) - wanted).abs() < 1e-8);
    }

    #[test]
    fn single_precision_follows_double_at_every_width() {
        let v = matrix(70, 90, 0.2);
        let single = Factorisation::new(Entries::new(&v)).unwrap();
        let double = Factorisation::new(Entries::new(&v)).unwrap();
        for k in [1, 7, 8, 17, 20, 33, 48, 60] {
            let (mut w, mut h) = (start::<f32>(70, k, 1), start::<f32>(90, k, 2));
            let (mut exact_w, mut exact_h) = (start::<f64>(70, k, 1), start::<f64>(90, k, 2));
            let mut last = f64::INFINITY;
            for _ in 0..40 {
                single.step(&mut w, &mut h);
                double.step(&mut exact_w, &mut exact_h);
                let now = double.divergence(&exact_w, &exact_h);
                assert!(now <= last * (1.0 + 1e-9), "an update never loses: {now} after {last}");
                last = now;
            }
            let found = single.divergence(&w, &h);
            assert!((found - last).abs() < 1e-3 * last, "k = {k}: {found} against {last}");
        }
    }

    #[test]
    fn threads_change_nothing() {
        let v = matrix(300, 200, 0.1);
        let on = |threads| {
            Run::new(0).with_threads(threads).unwrap().install(|| {
                let (mut w, mut h) = (start::<f32>(300, 9, 1), start::<f32>(200, 9, 2));
                let factorisation = Factorisation::new(Entries::new(&v)).unwrap();
                (0..10).for_each(|_| factorisation.step(&mut w, &mut h));
                (w, h)
            })
        };
        assert!(on(1) == on(2));
    }

    #[test]
    fn rows_folded_in_fit_as_well_as_they_can() {
        let v = matrix(60, 40, 0.3);
        let factorisation = Factorisation::new(Entries::new(&v)).unwrap();
        let (mut w, mut h) = (start::<f64>(60, 3, 1), start::<f64>(40, 3, 2));
        (0..200).for_each(|_| factorisation.step(&mut w, &mut h));
        let folded = fold_in(&v, &h, 1000, &Run::new(0)).unwrap();
        let (joint, found) = (factorisation.divergence(&w, &h), factorisation.divergence(&folded, &h));
        assert!(found <= joint * (1.0 + 1e-6), "{found} where {joint} can be had");
        // With H fixed the best rows are unique, so any start must end there.
        let mut other = start::<f64>(60, 3, 9);
        (0..1000).for_each(|_| update(&Entries::new(&v), &mut other, &h));
        let other = factorisation.divergence(&other, &h);
        assert!((found - other).abs() < 1e-4 * joint, "{found} against {other}");
    }

    #[test]
    fn negative_values_are_refused() {
        let v = Csr::new(2, vec![0, 1, 2], vec![0, 1], vec![1.0, -1.0]).unwrap();
        assert!(
            Factorisation::<f32>::new(Entries::new(&v))
                .err()
                .unwrap()
                .to_string()
                .starts_with("row 2 has a negative value")
        );
    }
}
