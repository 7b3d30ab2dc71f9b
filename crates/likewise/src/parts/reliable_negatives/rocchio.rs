//! Rocchio prototypes of two sets of rows, and the pile rows nearer to the pile's.
//!
//! ```text
//! c₊ = α mean_P(x/|x|) - β mean_U(x/|x|),     c₋ = α mean_U(x/|x|) - β mean_P(x/|x|)
//! ```
//!
//! A row is negative if its cosine with c₋ exceeds the one with c₊. The difference of the two cosines is a
//! product with one vector, (c₊/|c₊| - c₋/|c₋|)·x/|x|, which is all that needs to be kept.

use rayon::prelude::*;

use crate::data::{Data, PuData};
use crate::error::Result;
use crate::parts::known_negatives::NegativeSide;
use crate::parts::linear::RowView;

/// How far positives attract and others repel (16 and 4 in Li & Liu 2003).
#[derive(Clone, Copy, Debug)]
pub struct Rocchio {
    pub alpha: f64,
    pub beta: f64,
}

/// cos(x, c₊) - cos(x, c₋) as one weight for each column.
#[derive(Clone, Debug)]
pub struct Prototypes {
    pub weights: Vec<f64>,
}

impl Rocchio {
    pub fn fit(&self, x: &Data, positives: &[usize], others: &[usize]) -> Result<Prototypes> {
        let x = RowView::of(x)?;
        Ok(self.between(&mean_direction(x, positives), &mean_direction(x, others)))
    }

    /// Of positives against the pile, to whose mean that of the known negatives is added by their share of the side.
    pub fn fit_marks(&self, train: &PuData) -> Result<Prototypes> {
        let x = RowView::of(&train.x)?;
        let mut others = mean_direction(x, &train.unlabeled());
        let side = NegativeSide::of(train);
        if side.is_known() {
            let known = mean_direction(x, &train.known_negatives());
            let mixed = |(u, n): (&mut f64, f64)| *u = (1.0 - side.share) * *u + side.share * n;
            others.iter_mut().zip(known).for_each(mixed);
        }
        Ok(self.between(&mean_direction(x, &train.positives()), &others))
    }

    fn between(&self, p: &[f64], u: &[f64]) -> Prototypes {
        let mix = |towards: &[f64], away: &[f64]| -> Vec<f64> {
            towards.iter().zip(away).map(|(a, b)| self.alpha * a - self.beta * b).collect()
        };
        let (positive, negative) = (unit(mix(p, u)), unit(mix(u, p)));
        Prototypes { weights: positive.iter().zip(&negative).map(|(a, b)| a - b).collect() }
    }
}

impl Prototypes {
    /// The difference of the cosines for every row, within [-2, 2]; 0 for an empty row.
    pub fn margins(&self, x: &Data) -> Result<Vec<f64>> {
        let x = RowView::of(x)?;
        let margin = |i| {
            let length = x.squared_norm(i).sqrt();
            if length > 0.0 { x.dot(i, &self.weights) / length } else { 0.0 }
        };
        Ok((0..x.len()).into_par_iter().map(margin).collect())
    }

    /// The rows among `pile` that are nearer to the other prototype.
    pub fn negatives(&self, x: &Data, pile: &[usize]) -> Result<Vec<usize>> {
        let margins = self.margins(x)?;
        Ok(pile.iter().copied().filter(|&i| margins[i] < 0.0).collect())
    }
}

/// The mean of the rows scaled to length 1; empty rows add nothing.
pub fn mean_direction(x: RowView, rows: &[usize]) -> Vec<f64> {
    let mut mean = vec![0.0; x.cols()];
    for &i in rows {
        let length = x.squared_norm(i).sqrt();
        if length > 0.0 {
            x.add_scaled(i, 1.0 / (length * rows.len() as f64), &mut mean);
        }
    }
    mean
}

/// Scaled to length 1; zero stays zero.
pub fn unit(mut v: Vec<f64>) -> Vec<f64> {
    let length = v.iter().map(|v| v * v).sum::<f64>().sqrt();
    if length > 0.0 {
        v.iter_mut().for_each(|v| *v /= length);
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    #[test]
    fn two_directions_by_hand() {
        // P points along the first axis, U along the second: c₊ = (16, -4), c₋ = (-4, 16), both of length √272.
        let x =
            Data::Dense(Arc::new(Dense::new(4, 2, vec![3.0, 0.0, 0.0, 0.5, 1.0, 1.0, 0.0, 0.0]).unwrap()));
        let found = Rocchio { alpha: 16.0, beta: 4.0 }.fit(&x, &[0], &[1]).unwrap();
        let wanted = 20.0 / 272f64.sqrt();
        let margins = found.margins(&x).unwrap();
        for (found, wanted) in margins.iter().zip([wanted, -wanted, 0.0, 0.0]) {
            assert!((found - wanted).abs() < 1e-12, "{margins:?}");
        }
        assert_eq!(found.negatives(&x, &[1, 2, 3]).unwrap(), [1]);
    }
}
