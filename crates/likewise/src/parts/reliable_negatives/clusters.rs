//! Reliable negatives, purified by clusters (the second half of Rocchio with clustering, Li & Liu 2003).
//!
//! k-means by cosine divides the negatives into N_1 … N_k. Each cluster and the positives make a pair of
//! prototypes n_j and p_j. A negative stays if, for the p_v most like it, some n_j is more like it still.

use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::rocchio::{Rocchio, mean_direction, unit};
use crate::error::Result;
use crate::parts::linear::RowView;
use crate::run::Run;

const MOST_ROUNDS: u64 = 50;

/// The rows of `negatives` that stay, in their order.
pub fn purify(
    x: RowView,
    negatives: &[usize],
    positives: &[usize],
    clusters: usize,
    rocchio: Rocchio,
    run: &Run,
) -> Result<Vec<usize>> {
    if negatives.is_empty() {
        return Ok(Vec::new());
    }
    let groups = spherical_k_means(x, negatives, clusters, run)?;
    let of_positives = mean_direction(x, positives);
    let mix = |towards: &[f64], away: &[f64]| -> Vec<f64> {
        unit(towards.iter().zip(away).map(|(a, b)| rocchio.alpha * a - rocchio.beta * b).collect())
    };
    let pairs: Vec<(Vec<f64>, Vec<f64>)> = groups
        .iter()
        .map(|group| {
            let own = mean_direction(x, group);
            (mix(&of_positives, &own), mix(&own, &of_positives))
        })
        .collect();
    let stays: Vec<bool> = negatives
        .par_iter()
        .map(|&i| {
            let largest =
                |products: &mut dyn Iterator<Item = f64>| products.fold(f64::NEG_INFINITY, f64::max);
            let positive = largest(&mut pairs.iter().map(|(p, _)| x.dot(i, p)));
            let negative = largest(&mut pairs.iter().map(|(_, n)| x.dot(i, n)));
            negative > positive
        })
        .collect();
    Ok(negatives.iter().zip(stays).filter(|(_, stays)| *stays).map(|(i, _)| *i).collect())
}

/// Groups of rows by the centre of largest cosine; empty groups are left out.
fn spherical_k_means(x: RowView, rows: &[usize], k: usize, run: &Run) -> Result<Vec<Vec<usize>>> {
    let mut seeds = rows.to_vec();
    seeds.shuffle(&mut run.rng("clusters of negatives", 0));
    seeds.truncate(k);
    let mut centres: Vec<Vec<f64>> = seeds.iter().map(|&i| unit(mean_direction(x, &[i]))).collect();
    let mut nearest = vec![usize::MAX; rows.len()];
    for round in 0..MOST_ROUNDS {
        run.step("clustering negatives", round, MOST_ROUNDS)?;
        let next: Vec<usize> = rows
            .par_iter()
            .map(|&i| {
                let cosine = |c: &usize| x.dot(i, &centres[*c]);
                (0..centres.len()).max_by(|a, b| cosine(a).total_cmp(&cosine(b)).then(b.cmp(a))).unwrap_or(0)
            })
            .collect();
        if next == nearest {
            break;
        }
        nearest = next;
        for (c, centre) in centres.iter_mut().enumerate() {
            let own: Vec<usize> =
                rows.iter().zip(&nearest).filter(|(_, n)| **n == c).map(|(i, _)| *i).collect();
            if !own.is_empty() {
                *centre = unit(mean_direction(x, &own));
            }
        }
    }
    let mut groups = vec![Vec::new(); centres.len()];
    rows.iter().zip(&nearest).for_each(|(&i, &c)| groups[c].push(i));
    groups.retain(|group| !group.is_empty());
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;

    #[test]
    fn clusters_follow_directions_and_a_disguised_positive_goes() {
        // Negatives along the second and third axis, and row 6, which leans to the positives' first axis.
        let rows = [
            [1.0, 0.0, 0.0],
            [0.1, 1.0, 0.0],
            [0.0, 1.0, 0.1],
            [0.0, 0.1, 1.0],
            [0.1, 0.0, 1.0],
            [0.0, 0.0, 1.0],
            [1.0, 0.4, 0.0f32],
        ];
        let x = Dense::new(7, 3, rows.concat()).unwrap();
        let x = RowView::Dense(&x);
        let negatives = [1, 2, 3, 4, 5, 6];
        let mut groups = spherical_k_means(x, &negatives, 2, &Run::new(1)).unwrap();
        groups.sort();
        assert!(groups.iter().any(|g| g.contains(&3) && g.contains(&4) && g.contains(&5)), "{groups:?}");
        let rocchio = Rocchio { alpha: 16.0, beta: 4.0 };
        assert_eq!(purify(x, &negatives, &[0], 2, rocchio, &Run::new(1)).unwrap(), [1, 2, 3, 4, 5]);
        assert!(purify(x, &[], &[0], 2, rocchio, &Run::new(1)).unwrap().is_empty());
    }
}
