//! Labelled data → a PU problem with its truth: which positives are marked, which rows make the pile.
//!
//! SCAR marks every positive with equal probability. SAR marks one with a probability that depends on the row,
//! as people do who mark what they happen to meet: the nearer to the class centre, or the larger a column, the
//! likelier. Most methods promise something under SCAR only; SAR shows what that promise is worth.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::data::Data;
use crate::error::{Error, Result};
use crate::run::Run;

/// How positives come to be marked.
#[derive(Clone, Debug, PartialEq)]
pub enum Mechanism {
    /// Selected completely at random.
    Scar,
    /// Selected by something of the row: one number for each, larger is likelier.
    Sar { by: Vec<f64>, strength: f64 },
}

/// Rows of the table it was drawn from, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    pub like: Vec<usize>,
    pub pile: Vec<usize>,
}

/// Marks `labelled` positives; all other rows are the pile. With `alpha`, only so many others stay in it: a
/// share of the positives left there.
pub fn draw(
    positive: &[bool],
    labelled: usize,
    mechanism: &Mechanism,
    alpha: Option<f64>,
    run: &Run,
) -> Result<Simulated> {
    let positives: Vec<usize> = (0..positive.len()).filter(|&row| positive[row]).collect();
    if labelled == 0 || labelled >= positives.len() {
        let problem = format!(
            "{labelled} of {} positives cannot be marked so that some are left to find; give a number from 1 to {}",
            positives.len(),
            positives.len().saturating_sub(1)
        );
        return Err(Error::parameter("labelled", problem));
    }
    let mut like = match mechanism {
        Mechanism::Scar => {
            let mut order = positives.clone();
            order.shuffle(&mut run.rng("simulate, marked", 0));
            order.truncate(labelled);
            order
        }
        Mechanism::Sar { by, strength } => weighted(&positives, by, *strength, labelled, run)?,
    };
    like.sort_unstable();
    let left = positives.len() - labelled;
    let mut others: Vec<usize> = (0..positive.len()).filter(|&row| !positive[row]).collect();
    if let Some(alpha) = alpha {
        let wanted = (alpha * left as f64).round() as usize;
        if wanted > others.len() {
            let problem = format!("{wanted} other rows are asked for, but there are {}", others.len());
            return Err(Error::parameter("alpha", problem));
        }
        others.shuffle(&mut run.rng("simulate, others", 0));
        others.truncate(wanted);
    }
    let mut pile: Vec<usize> =
        positives.into_iter().filter(|row| like.binary_search(row).is_err()).chain(others).collect();
    pile.sort_unstable();
    Ok(Simulated { like, pile })
}

/// Without replacement, with weights exp(strength × standardised value) (Efraimidis & Spirakis 2006).
fn weighted(rows: &[usize], by: &[f64], strength: f64, count: usize, run: &Run) -> Result<Vec<usize>> {
    if let Some(&row) = rows.iter().find(|&&row| !by[row].is_finite()) {
        return Err(Error::data(format!(
            "row {} has no number to select by; choose another column for --by, or fill it",
            row + 1
        )));
    }
    let n = rows.len() as f64;
    let mean = rows.iter().map(|&row| by[row]).sum::<f64>() / n;
    let spread = (rows.iter().map(|&row| (by[row] - mean).powi(2)).sum::<f64>() / n).sqrt();
    if spread == 0.0 {
        return Err(Error::data(
            "all positives are alike in what they should be selected by; use --mechanism scar or another --by",
        ));
    }
    let mut rng = run.rng("simulate, marked", 1);
    let mut keys: Vec<(f64, usize)> = (rows.iter())
        .map(|&row| {
            let uniform: f64 = rng.random_range(f64::MIN_POSITIVE..1.0);
            // The logarithm of uniform^(1 / weight).
            (uniform.ln() / (strength * (by[row] - mean) / spread).exp(), row)
        })
        .collect();
    keys.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    Ok(keys.into_iter().take(count).map(|(_, row)| row).collect())
}

/// How near each row is to the centre of the positives: the cosine for sparse rows, minus the distance for dense.
pub fn nearness(x: &Data, positive: &[bool]) -> Result<Vec<f64>> {
    let members = || (0..positive.len()).filter(|&row| positive[row]);
    let n = members().count().max(1) as f64;
    match x {
        Data::Sparse(x) => {
            let centre: Vec<f64> = x.column_sums(members()).into_iter().map(|sum| sum / n).collect();
            let cosine = |row: crate::data::SparseRow<'_>| {
                let length = row.squared_norm().sqrt();
                if length > 0.0 { row.dot(&centre) / length } else { 0.0 }
            };
            Ok(x.iter_rows().map(cosine).collect())
        }
        Data::Dense(x) => {
            let mut centre = vec![0.0; x.cols];
            for row in members() {
                centre.iter_mut().zip(x.row(row)).for_each(|(sum, v)| *sum += f64::from(*v) / n);
            }
            let distance = |row: &[f32]| {
                let squares = row.iter().zip(&centre).map(|(v, c)| (f64::from(*v) - c).powi(2));
                -squares.sum::<f64>().sqrt()
            };
            Ok(x.iter_rows().map(distance).collect())
        }
        _ => Err(Error::data("rows without features have no centre; name a column with --by")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    fn truth() -> Vec<bool> {
        (0..100).map(|row| row < 40).collect()
    }

    #[test]
    fn nothing_is_lost_and_nothing_stands_twice() {
        let drawn = draw(&truth(), 10, &Mechanism::Scar, None, &Run::new(1)).unwrap();
        let mut all = [drawn.like.clone(), drawn.pile.clone()].concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        assert!(drawn.like.len() == 10 && drawn.like.iter().all(|&row| row < 40));
        assert_ne!(drawn, draw(&truth(), 10, &Mechanism::Scar, None, &Run::new(2)).unwrap());
    }

    #[test]
    fn alpha_is_a_share_of_the_positives_left() {
        let drawn = draw(&truth(), 20, &Mechanism::Scar, Some(0.5), &Run::new(1)).unwrap();
        assert_eq!(drawn.pile.iter().filter(|&&row| row >= 40).count(), 10);
        assert!(draw(&truth(), 20, &Mechanism::Scar, Some(4.0), &Run::new(1)).is_err());
        assert!(draw(&truth(), 40, &Mechanism::Scar, None, &Run::new(1)).is_err());
    }

    #[test]
    fn a_biased_draw_prefers_large_values() {
        let by: Vec<f64> = (0..100).map(f64::from).collect();
        let mean = |mechanism: &Mechanism| {
            let drawn = draw(&truth(), 10, mechanism, None, &Run::new(1)).unwrap();
            drawn.like.iter().sum::<usize>() as f64 / 10.0
        };
        let biased = mean(&Mechanism::Sar { by: by.clone(), strength: 4.0 });
        assert!(biased > mean(&Mechanism::Scar) + 5.0 && biased > 30.0, "{biased}");
        let alike = Mechanism::Sar { by: vec![1.0; 100], strength: 1.0 };
        assert!(draw(&truth(), 10, &alike, None, &Run::new(1)).is_err());
    }

    #[test]
    fn the_centre_is_that_of_the_positives() {
        let x = Data::Dense(Arc::new(Dense::new(3, 1, vec![0.0, 2.0, 10.0]).unwrap()));
        assert_eq!(nearness(&x, &[true, true, false]).unwrap(), [-1.0, -1.0, -9.0]);
    }
}
