//! The iteration itself.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::Csr;
use crate::error::Result;
use crate::run::Run;

/// How labels spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Spreading {
    /// Harmonic functions (Zhu et al. 2003): labelled rows keep their label
    Gfhf,
    /// Local and global consistency (Zhou et al. 2004): labelled rows listen to their neighbours too
    Llgc,
}

/// How much of either label reached each row.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    pub positive: Vec<f64>,
    pub negative: Vec<f64>,
}

impl Spread {
    /// The public score of a row with these two amounts: the positive share, a draw being negative.
    pub fn score(positive: f64, negative: f64) -> f64 {
        if positive > negative {
            (positive / (positive + negative)).max(0.5)
        } else if positive + negative > 0.0 {
            (positive / (positive + negative)).min(0.5 - f64::EPSILON)
        } else {
            0.0
        }
    }

    pub fn scores(&self) -> Vec<f64> {
        self.positive.iter().zip(&self.negative).map(|(p, n)| Spread::score(*p, *n)).collect()
    }
}

const MOST_ROUNDS: u64 = 1000;
/// Amounts lie within 0 and 1.
const SETTLED: f64 = 1e-6;
const CHUNK: usize = 512;

/// Spreads the labels over the undirected `edges`; `alpha` is LLGC's weight of the neighbours.
pub fn spread(
    edges: &Csr,
    positives: &[usize],
    negatives: &[usize],
    how: Spreading,
    alpha: f64,
    run: &Run,
) -> Result<Spread> {
    let n = edges.rows();
    let mut labels = vec![[0.0; 2]; n];
    negatives.iter().for_each(|&i| labels[i] = [0.0, 1.0]);
    positives.iter().for_each(|&i| labels[i] = [1.0, 0.0]);
    let degrees: Vec<f64> = (0..n).into_par_iter().map(|i| edges.row(i).sum()).collect();
    let inverse = |power: i32, d: f64| if d > 0.0 { d.powi(power) } else { 0.0 };
    let (outgoing, incoming): (Vec<f64>, Vec<f64>) = match how {
        Spreading::Gfhf => (vec![1.0; n], degrees.iter().map(|d| inverse(-1, *d)).collect()),
        Spreading::Llgc => {
            let root: Vec<f64> = degrees.iter().map(|d| inverse(-1, d.sqrt())).collect();
            (root.clone(), root)
        }
    };
    let fixed = |i: usize| how == Spreading::Gfhf && labels[i] != [0.0; 2];
    let next = |i: usize, now: &[[f64; 2]]| {
        if fixed(i) {
            return labels[i];
        }
        let mut sum = [0.0; 2];
        for (j, weight) in edges.row(i).iter() {
            let weight = f64::from(weight) * outgoing[j];
            sum[0] += weight * now[j][0];
            sum[1] += weight * now[j][1];
        }
        let flowed = sum.map(|s| s * incoming[i]);
        match how {
            Spreading::Gfhf => flowed,
            Spreading::Llgc => [0, 1].map(|c| alpha * flowed[c] + (1.0 - alpha) * labels[i][c]),
        }
    };
    let mut now = labels.clone();
    let mut then = labels.clone();
    for round in 0..MOST_ROUNDS {
        run.step("spreading labels", round, MOST_ROUNDS)?;
        let change = then
            .par_chunks_mut(CHUNK)
            .enumerate()
            .map(|(chunk, out)| {
                let mut change = 0f64;
                for (k, out) in out.iter_mut().enumerate() {
                    let i = chunk * CHUNK + k;
                    *out = next(i, &now);
                    change = change.max((out[0] - now[i][0]).abs()).max((out[1] - now[i][1]).abs());
                }
                change
            })
            .reduce(|| 0.0, f64::max);
        std::mem::swap(&mut now, &mut then);
        if change < SETTLED {
            break;
        }
    }
    Ok(Spread { positive: now.iter().map(|f| f[0]).collect(), negative: now.iter().map(|f| f[1]).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path 0 - 1 - 2 - 3 with weights 1, 2, 1, and a row 4 apart.
    fn path() -> Csr {
        Csr::new(5, vec![0, 1, 3, 5, 6, 6], vec![1, 0, 2, 1, 3, 2], vec![1.0, 1.0, 2.0, 2.0, 1.0, 1.0])
            .unwrap()
    }

    #[test]
    fn harmonic_values_by_hand() {
        // f(1) = (1 + 2 f(2)) / 3 and f(2) = 2 f(1) / 3 give f(1) = 3/5, f(2) = 2/5.
        let found = spread(&path(), &[0], &[3], Spreading::Gfhf, 0.5, &Run::new(0)).unwrap();
        for (f, wanted) in found.positive.iter().zip([1.0, 0.6, 0.4, 0.0, 0.0]) {
            assert!((f - wanted).abs() < 1e-5, "{found:?}");
        }
        for (p, n) in found.positive.iter().zip(&found.negative).take(4) {
            assert!((p + n - 1.0).abs() < 1e-5);
        }
        assert_eq!(found.scores()[4], 0.0, "no label reaches row 4");
    }

    #[test]
    fn consistent_values_solve_their_equation() {
        let (edges, alpha) = (path(), 0.7);
        let found = spread(&edges, &[0], &[3], Spreading::Llgc, alpha, &Run::new(0)).unwrap();
        let degree = [1.0f64, 3.0, 3.0, 1.0];
        for i in 0..4 {
            let flow: f64 = (edges.row(i).iter())
                .map(|(j, w)| f64::from(w) * found.positive[j] / (degree[i] * degree[j]).sqrt())
                .sum();
            let label = if i == 0 { 1.0 } else { 0.0 };
            assert!((found.positive[i] - alpha * flow - (1.0 - alpha) * label).abs() < 1e-5);
        }
        assert!(found.positive[0] < 1.0, "a labelled row listens too");
    }

    #[test]
    fn a_draw_is_negative() {
        assert!(Spread::score(0.3, 0.3) < 0.5 && Spread::score(0.31, 0.3) > 0.5);
        assert_eq!((Spread::score(0.0, 0.0), Spread::score(1.0, 0.0)), (0.0, 1.0));
    }
}
