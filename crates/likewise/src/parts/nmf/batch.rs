//! Several factorisations of one matrix at a time, one in each lane.
//!
//! Ten trials that differ in their start and in their labelled rows read the same V. Side by side, a number of
//! all runs is one lane: nothing has to be summed across lanes, and V and its indices are read once for all.

use rayon::prelude::*;

use super::Factorisation;
use super::entries::Entries;
use super::kernel::{EPSILON, scaled};
use super::panel::{Panel, Real};

/// How many runs go side by side.
pub const LANES: usize = 8;

type Lane = [f32; LANES];

/// Up to `LANES` pairs of factors.
pub struct Batch {
    runs: usize,
    topics: usize,
    w: Vec<Lane>,
    h: Vec<Lane>,
}

impl Batch {
    /// From the starts of each run, all of one shape. A caller with more runs than lanes makes several batches.
    pub fn new(starts: &[(Panel<f32>, Panel<f32>)]) -> Self {
        let runs = starts.len();
        assert!((1..=LANES).contains(&runs), "one to {LANES} runs");
        let pack = |factor: &dyn Fn(usize) -> Vec<f32>| {
            let columns: Vec<Vec<f32>> = (0..runs).map(factor).collect();
            let lane = |i| {
                let mut lane = [0.0; LANES];
                columns.iter().zip(&mut lane).for_each(|(column, out)| *out = column[i]);
                lane
            };
            (0..columns[0].len()).map(lane).collect()
        };
        let flat = |panel: &Panel<f32>| (0..panel.rows()).flat_map(|i| panel.row(i).to_vec()).collect();
        Batch {
            runs,
            topics: starts[0].0.columns(),
            w: pack(&|run| flat(&starts[run].0)),
            h: pack(&|run| flat(&starts[run].1)),
        }
    }

    /// One update of every run's W, then of its H.
    pub fn step(&mut self, matrix: &Factorisation<'_, f32>) {
        update(&matrix.v, self.topics, &mut self.w, &self.h);
        update(&matrix.by_column, self.topics, &mut self.h, &self.w);
    }

    /// The largest number of a run's W.
    pub fn largest(&self, run: usize) -> f32 {
        self.w.iter().fold(0.0, |largest, lane| largest.max(lane[run]))
    }

    /// Sets a row of a run's W.
    pub fn set_row(&mut self, run: usize, row: usize, mut value: impl FnMut(usize) -> f32) {
        let lanes = &mut self.w[row * self.topics..(row + 1) * self.topics];
        lanes.iter_mut().enumerate().for_each(|(a, lane)| lane[run] = value(a));
    }

    /// The factors of each run.
    pub fn finish(self) -> Vec<(Panel<f32>, Panel<f32>)> {
        let k = self.topics;
        let unpack = |lanes: &[Lane], run: usize| {
            Panel::filled(lanes.len() / k, k, |i, a| f64::from(lanes[i * k + a][run]))
        };
        (0..self.runs).map(|run| (unpack(&self.w, run), unpack(&self.h, run))).collect()
    }
}

fn update(v: &Entries<'_, f32>, topics: usize, left: &mut [Lane], right: &[Lane]) {
    const ROWS: usize = 32;
    let sums = column_sums(right, topics);
    let row = row_updater();
    left.par_chunks_mut(ROWS * topics).enumerate().for_each_init(Vec::new, |numerators, (chunk, rows)| {
        for (i, w) in rows.chunks_exact_mut(topics).enumerate() {
            row(v.row(chunk * ROWS + i), w, right, &sums, numerators);
        }
    });
}

fn column_sums(factor: &[Lane], topics: usize) -> Vec<Lane> {
    const ROWS: usize = 1024;
    let of_chunk = |chunk: &[Lane]| {
        let mut sums = vec![[0.0; LANES]; topics];
        for row in chunk.chunks_exact(topics) {
            for (sum, lane) in sums.iter_mut().zip(row) {
                for l in 0..LANES {
                    sum[l] += lane[l];
                }
            }
        }
        sums
    };
    let chunks: Vec<Vec<Lane>> = factor.par_chunks(ROWS * topics).map(of_chunk).collect();
    let mut sums = vec![[0.0f64; LANES]; topics];
    for chunk in chunks {
        for (sum, lane) in sums.iter_mut().zip(chunk) {
            for l in 0..LANES {
                sum[l] += f64::from(lane[l]);
            }
        }
    }
    sums.into_iter().map(|lane| lane.map(f32::from_f64)).collect()
}

type RowUpdater = fn((&[u32], &[f32]), &mut [Lane], &[Lane], &[Lane], &mut Vec<Lane>);

fn row_updater() -> RowUpdater {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        #[target_feature(enable = "avx2,fma")]
        fn wide(
            row: (&[u32], &[f32]),
            w: &mut [Lane],
            right: &[Lane],
            sums: &[Lane],
            numerators: &mut Vec<Lane>,
        ) {
            update_row::<true>(row, w, right, sums, numerators);
        }
        // SAFETY: both instruction sets were found.
        return |row, w, right, sums, numerators| unsafe { wide(row, w, right, sums, numerators) };
    }
    update_row::<false>
}

/// Words are taken four at a time: each number of W and of the numerators is read once for the four.
#[inline(always)]
fn update_row<const FUSED: bool>(
    row: (&[u32], &[f32]),
    w: &mut [Lane],
    right: &[Lane],
    sums: &[Lane],
    numerators: &mut Vec<Lane>,
) {
    let k = w.len();
    numerators.clear();
    numerators.resize(k, [0.0; LANES]);
    let (fours, rest) = row.0.as_chunks::<4>();
    let (value_fours, value_rest) = row.1.as_chunks::<4>();
    for (j, x) in fours.iter().zip(value_fours) {
        let words = [at(right, j[0], k), at(right, j[1], k), at(right, j[2], k), at(right, j[3], k)];
        add_words::<FUSED, 4>(w, words, x, numerators);
    }
    for (&j, &x) in rest.iter().zip(value_rest) {
        add_words::<FUSED, 1>(w, [at(right, j, k)], &[x], numerators);
    }
    for a in 0..k {
        for l in 0..LANES {
            w[a][l] = scaled(w[a][l], numerators[a][l], sums[a][l]);
        }
    }
}

#[inline(always)]
fn at(right: &[Lane], j: u32, k: usize) -> &[Lane] {
    &right[j as usize * k..(j as usize + 1) * k]
}

#[inline(always)]
fn add_words<const FUSED: bool, const N: usize>(
    w: &[Lane],
    words: [&[Lane]; N],
    x: &[f32; N],
    numerators: &mut [Lane],
) {
    let k = w.len();
    let mut ratios = [[0.0f32; LANES]; N];
    for a in 0..k {
        for t in 0..N {
            for l in 0..LANES {
                ratios[t][l] = multiply_add::<FUSED>(w[a][l], words[t][a][l], ratios[t][l]);
            }
        }
    }
    for t in 0..N {
        for l in 0..LANES {
            ratios[t][l] = x[t] / (ratios[t][l] + EPSILON as f32);
        }
    }
    for a in 0..k {
        let mut sum = numerators[a];
        for t in 0..N {
            for l in 0..LANES {
                sum[l] = multiply_add::<FUSED>(ratios[t][l], words[t][a][l], sum[l]);
            }
        }
        numerators[a] = sum;
    }
}

/// Fused only where the machine has it: elsewhere it would be a slow call.
#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;
    use rand::RngExt;

    #[test]
    fn each_lane_is_the_run_it_would_be_alone() {
        let mut rng = Run::new(1).rng("batch", 0);
        let mut v = crate::data::CsrBuilder::with_capacity(30, 40, 0);
        for _ in 0..40 {
            let row: Vec<(u32, f32)> =
                (0..30).map(|j| (j, rng.random_range(-2.0f32..1.0).max(0.0))).collect();
            v.push_entries(row);
        }
        let v = v.finish();
        let matrix = Factorisation::new(Entries::new(&v)).unwrap();
        let starts: Vec<_> = (0..3)
            .map(|run| {
                let mut rng = Run::new(run).rng("start", 0);
                let mut random = |_, _| rng.random_range(0.0..1.0);
                (Panel::filled(40, 5, &mut random), Panel::filled(30, 5, &mut random))
            })
            .collect();
        let mut batch = Batch::new(&starts);
        for _ in 0..30 {
            batch.step(&matrix);
            batch.set_row(1, 7, |a| if a == 0 { 1.0 } else { 0.001 });
        }
        assert!(batch.largest(1) >= 1.0);
        for (run, (found, mut alone)) in batch.finish().into_iter().zip(starts).enumerate() {
            for _ in 0..30 {
                matrix.step(&mut alone.0, &mut alone.1);
                if run == 1 {
                    alone.0.row_mut(7).copy_from_slice(&[1.0, 0.001, 0.001, 0.001, 0.001]);
                }
            }
            for i in 0..40 {
                for (a, b) in found.0.row(i).iter().zip(alone.0.row(i)) {
                    assert!((a - b).abs() <= 1e-3 * (1.0 + b), "run {run}, row {i}: {a} against {b}");
                }
            }
            let (together, alone) =
                (matrix.divergence(&found.0, &found.1), matrix.divergence(&alone.0, &alone.1));
            assert!((together - alone).abs() < 1e-4 * alone, "run {run}: {together} against {alone}");
        }
    }
}
