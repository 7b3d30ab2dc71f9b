//! The average silhouette width of one class (Rousseeuw 1987), for many splits of the same rows.
//!
//! For a row i of the class, a is its mean distance to the other rows of the class, b its mean distance to
//! the rows outside, and its silhouette is (b - a) / max(a, b); a class of one row has silhouette 0.
//!
//! Hamming and cosine distance are affine in each row, so the sum of the distances to a class follows from
//! the sum of its rows: O(non-zeros) a split, no pair is ever looked at. Euclidean and Jaccard distance are
//! not; there each pair of distinct rows is measured once for all splits. Both ways are exact.

use hashbrown::HashMap;
use rayon::prelude::*;

use crate::error::Result;
use crate::parts::binary_rows::{BinaryRows, Distance};
use crate::run::Run;

/// For each split the mean silhouette of the rows that it calls positive; none if a side is empty.
/// A split has an element for every row of the matrix.
pub fn silhouettes(
    rows: &BinaryRows,
    splits: &[Vec<bool>],
    distance: Distance,
    run: &Run,
) -> Result<Vec<Option<f64>>> {
    match distance {
        Distance::Hamming | Distance::Cosine => {
            let one = |(k, split): (usize, &Vec<bool>)| {
                run.step("measuring silhouettes", k as u64, splits.len() as u64)?;
                Ok(by_sums(rows, split, distance))
            };
            splits.par_iter().enumerate().map(one).collect()
        }
        Distance::Euclidean | Distance::Jaccard => by_pairs(rows, splits, distance, run),
    }
}

/// How many of the rows equal to each distinct row are positive, and how many are not.
fn tally(rows: &BinaryRows, split: &[bool]) -> Vec<[f64; 2]> {
    let mut tally = vec![[0.0; 2]; rows.len()];
    for (&distinct, &positive) in rows.distinct_of.iter().zip(split) {
        tally[distinct as usize][usize::from(!positive)] += 1.0;
    }
    tally
}

/// The mean over the positive rows, from each distinct row's sums of distances to both sides.
fn mean_silhouette(tally: &[[f64; 2]], sums: impl Fn(usize) -> [f64; 2]) -> Option<f64> {
    let sizes = tally.iter().fold([0.0; 2], |sum, t| [sum[0] + t[0], sum[1] + t[1]]);
    if sizes[0] == 0.0 || sizes[1] == 0.0 {
        return None;
    }
    if sizes[0] == 1.0 {
        return Some(0.0);
    }
    let total: f64 = (tally.iter().enumerate())
        .filter(|(_, times)| times[0] > 0.0)
        .map(|(row, times)| {
            let [inside, outside] = sums(row);
            let (a, b) = (inside / (sizes[0] - 1.0), outside / sizes[1]);
            let larger = a.max(b);
            times[0] * if larger > 0.0 { (b - a) / larger } else { 0.0 }
        })
        .sum();
    Some(total / sizes[0])
}

fn by_sums(rows: &BinaryRows, split: &[bool], distance: Distance) -> Option<f64> {
    let tally = tally(rows, split);
    // A row as a vector: its words, or its words scaled to length 1.
    let scale = |row: usize| match distance {
        Distance::Cosine => 1.0 / f64::from(rows.size(row)).max(1.0).sqrt(),
        _ => 1.0,
    };
    let mut count = [0.0; 2];
    let mut words = [0.0; 2];
    let mut empty = [0.0; 2];
    let mut sum = vec![[0.0; 2]; rows.cols];
    for (row, times) in tally.iter().enumerate() {
        for side in 0..2 {
            count[side] += times[side];
            words[side] += times[side] * f64::from(rows.size(row));
            if rows.size(row) == 0 {
                empty[side] += times[side];
            }
        }
        let scale = scale(row);
        for &word in rows.words(row) {
            let sum = &mut sum[word as usize];
            sum[0] += scale * times[0];
            sum[1] += scale * times[1];
        }
    }
    mean_silhouette(&tally, |row| {
        let scale = scale(row);
        let mut product = [0.0; 2];
        for &word in rows.words(row) {
            product[0] += scale * sum[word as usize][0];
            product[1] += scale * sum[word as usize][1];
        }
        let size = f64::from(rows.size(row));
        [0, 1].map(|side| match distance {
            Distance::Cosine if size == 0.0 => count[side] - empty[side],
            Distance::Cosine => count[side] - product[side],
            _ => count[side] * size + words[side] - 2.0 * product[side],
        })
    })
}

/// Each distance is added to the sum of its group: rows that every split treats alike.
fn by_pairs(
    rows: &BinaryRows,
    splits: &[Vec<bool>],
    distance: Distance,
    run: &Run,
) -> Result<Vec<Option<f64>>> {
    let n = rows.len();
    let tallies: Vec<Vec<[f64; 2]>> = splits.iter().map(|split| tally(rows, split)).collect();
    let (group_of, shares) = groups(&tallies, n);
    let times: Vec<f64> = rows.multiplicities().into_iter().map(f64::from).collect();
    let mut holders = vec![Vec::new(); rows.cols];
    for row in 0..n {
        rows.words(row).iter().for_each(|&word| holders[word as usize].push(row as u32));
    }
    // For each row its sums of distances to both sides of every split.
    let sums: Vec<Vec<[f64; 2]>> = (0..n)
        .into_par_iter()
        .map_init(
            || vec![0u32; n],
            |common, row| {
                if row % 256 == 0 {
                    run.step("measuring silhouettes", row as u64, n as u64)?;
                }
                common.fill(0);
                for &word in rows.words(row) {
                    holders[word as usize].iter().for_each(|&other| common[other as usize] += 1);
                }
                let mut to_group = vec![0.0; shares.len()];
                for other in 0..n {
                    let d = distance.of(common[other], rows.size(row), rows.size(other));
                    to_group[group_of[other]] += times[other] * d;
                }
                let to_sides = |split: usize| {
                    to_group.iter().zip(&shares).fold([0.0; 2], |[inside, outside], (sum, shares)| {
                        [inside + shares[split] * sum, outside + (1.0 - shares[split]) * sum]
                    })
                };
                Ok((0..splits.len()).map(to_sides).collect())
            },
        )
        .collect::<Result<_>>()?;
    Ok(tallies.iter().enumerate().map(|(k, tally)| mean_silhouette(tally, |row| sums[row][k])).collect())
}

/// The group of each distinct row, and for each group the share of its rows that each split calls positive.
fn groups(tallies: &[Vec<[f64; 2]>], rows: usize) -> (Vec<usize>, Vec<Vec<f64>>) {
    let mut known: HashMap<Vec<u64>, usize, foldhash::fast::FixedState> = HashMap::default();
    let mut shares = Vec::new();
    let mut group_of = Vec::with_capacity(rows);
    for row in 0..rows {
        let positive: Vec<f64> =
            tallies.iter().map(|tally| tally[row][0] / (tally[row][0] + tally[row][1])).collect();
        let key = positive.iter().map(|share| share.to_bits()).collect();
        group_of.push(*known.entry(key).or_insert_with(|| {
            shares.push(positive);
            shares.len() - 1
        }));
    }
    (group_of, shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::CsrBuilder;
    use proptest::prelude::*;

    fn by_brute_force(rows: &[Vec<bool>], split: &[bool], distance: Distance) -> Option<f64> {
        let size = |row: &[bool]| row.iter().filter(|v| **v).count() as u32;
        let d = |i: usize, j: usize| {
            let common = rows[i].iter().zip(&rows[j]).filter(|(x, y)| **x && **y).count() as u32;
            distance.of(common, size(&rows[i]), size(&rows[j]))
        };
        let side = |positive: bool| (0..rows.len()).filter(|i| split[*i] == positive).collect::<Vec<_>>();
        let (inside, outside) = (side(true), side(false));
        if inside.is_empty() || outside.is_empty() {
            return None;
        }
        let width = |&i: &usize| {
            if inside.len() == 1 {
                return 0.0;
            }
            let a = inside.iter().map(|&j| d(i, j)).sum::<f64>() / (inside.len() - 1) as f64;
            let b = outside.iter().map(|&j| d(i, j)).sum::<f64>() / outside.len() as f64;
            if a.max(b) > 0.0 { (b - a) / a.max(b) } else { 0.0 }
        };
        Some(inside.iter().map(width).sum::<f64>() / inside.len() as f64)
    }

    proptest! {
        #[test]
        fn equals_the_definition(
            rows in prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.3), 9), 2..25),
            splits in prop::collection::vec(prop::collection::vec(any::<bool>(), 25), 3),
        ) {
            let mut x = CsrBuilder::with_capacity(9, rows.len(), 0);
            for row in &rows {
                x.push_entries(row.iter().enumerate().map(|(j, v)| (j as u32, f32::from(u8::from(*v)))));
            }
            let binary = BinaryRows::new(&x.finish(), &(0..rows.len()).collect::<Vec<_>>());
            let splits: Vec<Vec<bool>> = splits.iter().map(|s| s[..rows.len()].to_vec()).collect();
            for distance in Distance::ALL {
                let found = silhouettes(&binary, &splits, distance, &Run::new(0)).unwrap();
                for (found, split) in found.into_iter().zip(&splits) {
                    let expected = by_brute_force(&rows, split, distance);
                    let close = match (found, expected) {
                        (Some(a), Some(b)) => (a - b).abs() < 1e-9,
                        (a, b) => a == b,
                    };
                    prop_assert!(close, "{:?}: {:?} instead of {:?}", distance, found, expected);
                }
            }
        }
    }
}
