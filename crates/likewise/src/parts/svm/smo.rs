//! Sequential minimal optimisation: the quadratic programme behind every kernel SVM here.
//!
//! Solves:  min over β of  ½ βᵀKβ + p·β,   lo ≤ β ≤ hi,   Σ β over each group as it is at the start
//!
//! Given: the kernel K of the rows, p, bounds, one or two groups, and a feasible start. β_i is y_i α_i of the
//! textbooks. C-SVC has p = -y and one group; one-class SVM and SVDD have one group too; ν-SVC has a group for
//! each class. With f = -(Kβ + p), the solution has f_i ≤ f_j for all i that may still rise and j that may still
//! fall in a group; the solver moves weight from j to i, i the one of largest f and j the one that gains most to
//! second order (Fan, Chen & Lin 2005), until no pair is further apart than the tolerance.
//!
//! Rows at a bound that pull outwards are set aside (shrinking) and looked at again before the end. f is kept in
//! doubles, kernel rows in singles. Nothing here depends on the number of threads.

use rayon::prelude::*;

use super::cache::RowCache;
use super::kernel::Kernel;
use super::lanes::{Extremes, best_partner, move_and_find};
use super::rows::{KernelRows, Query, diagonal};
use crate::data::Data;
use crate::error::Result;
use crate::parts::linear::RowView;
use crate::run::Run;

/// How exactly to solve and how much to keep in memory.
#[derive(Clone, Debug)]
pub struct SmoOptions {
    /// The largest f_i - f_j left between a row that may rise and one that may fall.
    pub tolerance: f64,
    /// Bytes of kernel rows kept.
    pub cache_bytes: usize,
    pub shrinking: bool,
}

impl Default for SmoOptions {
    fn default() -> Self {
        SmoOptions { tolerance: 1e-3, cache_bytes: 512 << 20, shrinking: true }
    }
}

/// The programme. All vectors have an element for each row.
pub struct Programme<'a> {
    pub kernel: Kernel,
    pub x: &'a Data,
    pub linear: Vec<f64>,
    pub low: Vec<f64>,
    pub high: Vec<f64>,
    /// The group of each row: weight moves within a group only. False is the first group.
    pub second_group: Vec<bool>,
    pub start: Vec<f64>,
}

pub struct Solution {
    pub beta: Vec<f64>,
    /// -(Kβ + p) at the solution.
    pub f: Vec<f64>,
    pub iterations: u64,
}

impl Solution {
    /// ½ βᵀKβ + p·β.
    pub fn objective(&self, linear: &[f64]) -> f64 {
        let terms = self.beta.iter().zip(&self.f).zip(linear);
        0.5 * terms.map(|((b, f), p)| b * (p - f)).sum::<f64>()
    }

    /// The f at the boundary of a group: the mean over rows strictly between their bounds, or else the middle
    /// between those that may rise and those that may fall.
    pub fn offset(&self, programme: &Programme, second_group: bool) -> f64 {
        let (mut sum, mut free) = (0.0, 0u32);
        let (mut above, mut below) = (f64::INFINITY, f64::NEG_INFINITY);
        for i in (0..self.beta.len()).filter(|&i| programme.second_group[i] == second_group) {
            let (rises, falls) = (self.beta[i] < programme.high[i], self.beta[i] > programme.low[i]);
            match (rises, falls) {
                (true, true) => {
                    sum += self.f[i];
                    free += 1;
                }
                (true, false) => below = below.max(self.f[i]),
                (false, true) => above = above.min(self.f[i]),
                (false, false) => {}
            }
        }
        if free > 0 {
            return sum / f64::from(free);
        }
        match (above.is_finite(), below.is_finite()) {
            (true, true) => 0.5 * (above + below),
            (true, false) => above,
            (false, true) => below,
            (false, false) => 0.0,
        }
    }
}

impl Programme<'_> {
    pub fn solve(&self, options: &SmoOptions, run: &Run) -> Result<Solution> {
        Smo::new(self, options)?.run(run)
    }
}

struct Smo<'a> {
    programme: &'a Programme<'a>,
    options: &'a SmoOptions,
    /// All rows, the first group before the second.
    order: Vec<u32>,
    beta: Vec<f64>,
    f: Vec<f64>,
    own: Vec<f64>,
    active: Active,
    cache: RowCache,
    iterations: u64,
}

/// The rows in play, side by side; every vector has an element for each.
struct Active {
    rows: Vec<u32>,
    /// Rows of the first group; the rest are of the second.
    first: usize,
    kernel: KernelRows,
    f: Vec<f64>,
    /// 0 for a row that may rise, -∞ for one that may not.
    rises: Vec<f32>,
    /// 0 for a row that may fall, +∞ for one that may not.
    falls: Vec<f32>,
    diagonal: Vec<f32>,
}

/// A pair to move weight between: positions among the active rows.
struct Pair {
    up: usize,
    down: usize,
}

impl<'a> Smo<'a> {
    fn new(programme: &'a Programme<'a>, options: &'a SmoOptions) -> Result<Self> {
        programme.kernel.check()?;
        let n = programme.x.rows();
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(|&i| programme.second_group[i as usize]);
        let own = diagonal(programme.kernel, programme.x)?;
        let beta = programme.start.clone();
        let mut f: Vec<f64> = programme.linear.iter().map(|p| -p).collect();
        let all: Vec<u32> = (0..n as u32).collect();
        subtract_expansion(programme, &beta, &all, &mut f)?;
        let active = Active::new(programme, order.clone(), &beta, &f, &own)?;
        let cache = RowCache::new(n, n, options.cache_bytes);
        Ok(Smo { programme, options, order, beta, f, own, active, cache, iterations: 0 })
    }

    fn run(mut self, run: &Run) -> Result<Solution> {
        let n = self.order.len();
        let most = (100 * n as u64).max(10_000_000);
        let pause = (n as u64).clamp(1, 200);
        let mut looked_back = false;
        let mut extremes = self.active.extremes();
        loop {
            let gap = gap(&extremes);
            if gap <= self.options.tolerance || self.iterations >= most {
                // Converged on the rows in play: look at the others, and go on if some of them object.
                match self.reopen()? {
                    Some(found) if self.iterations < most => extremes = found,
                    _ => break,
                }
            }
            if self.iterations > 0 && self.iterations.is_multiple_of(pause) {
                run.step("support vectors", self.iterations, most)?;
                if !looked_back && gap <= 10.0 * self.options.tolerance {
                    looked_back = true;
                    match self.reopen()? {
                        Some(found) => extremes = found,
                        None => break,
                    }
                }
                if self.options.shrinking {
                    self.shrink(&extremes)?;
                    extremes = self.active.extremes();
                }
            }
            let Some(pair) = self.choose(&extremes) else { break };
            extremes = self.step(pair);
            self.iterations += 1;
        }
        self.park();
        Ok(Solution { beta: self.beta, f: self.f, iterations: self.iterations })
    }

    /// The most violating row of each group and the partner that gains most; the better of the two pairs.
    fn choose(&mut self, extremes: &[Extremes; 2]) -> Option<Pair> {
        let mut best: Option<(f32, Pair)> = None;
        let mut pinned = Vec::with_capacity(2);
        for (group, found) in extremes.iter().enumerate() {
            if found.row == usize::MAX || found.lowest >= found.highest {
                continue;
            }
            let segment = self.active.segment(group);
            let up = segment.start + found.row;
            let row = self.active.rows[up] as usize;
            self.make_sure(row, &pinned);
            pinned.push(row);
            let values = &self.cache.row(row)[segment.clone()];
            let active = &self.active;
            let partner = best_partner(
                &active.f[segment.clone()],
                &active.falls[segment.clone()],
                values,
                &active.diagonal[segment.clone()],
                found.highest,
                active.diagonal[up],
            );
            if let Some((down, gain)) = partner
                && best.as_ref().is_none_or(|(most, _)| gain >= *most)
            {
                best = Some((gain, Pair { up, down: segment.start + down }));
            }
        }
        best.map(|(_, pair)| pair)
    }

    fn make_sure(&mut self, row: usize, pinned: &[usize]) {
        let (x, kernel) = (self.programme.x, &self.active.kernel);
        self.cache.ensure(row, pinned, |out| {
            let query = Query::of(x, row).expect("the kind was checked when the set was made");
            kernel.evaluate(query, out);
        });
    }

    /// Moves weight from the falling to the rising row of the pair until one of them is satisfied or at a bound.
    fn step(&mut self, pair: Pair) -> [Extremes; 2] {
        let Pair { up, down } = pair;
        let (i, j) = (self.active.rows[up] as usize, self.active.rows[down] as usize);
        self.make_sure(i, &[j]);
        self.make_sure(j, &[i]);
        let (row_i, row_j) = (self.cache.row(i), self.cache.row(j));
        let curvature = (self.own[i] + self.own[j] - 2.0 * f64::from(row_i[down])).max(1e-12);
        let wanted = (self.active.f[up] - self.active.f[down]) / curvature;
        let (room_i, room_j) = (self.programme.high[i] - self.beta[i], self.beta[j] - self.programme.low[j]);
        let moved = wanted.min(room_i).min(room_j);
        self.beta[i] = if moved == room_i { self.programme.high[i] } else { self.beta[i] + moved };
        self.beta[j] = if moved == room_j { self.programme.low[j] } else { self.beta[j] - moved };
        for (at, row) in [(up, i), (down, j)] {
            self.active.rises[at] = may(self.beta[row] < self.programme.high[row], f32::NEG_INFINITY);
            self.active.falls[at] = may(self.beta[row] > self.programme.low[row], f32::INFINITY);
        }
        self.active.advance(row_i, row_j, moved)
    }

    /// Sets rows aside that sit at a bound and pull outwards beyond every row that could take their place.
    fn shrink(&mut self, extremes: &[Extremes; 2]) -> Result<()> {
        let kept = self.active.unsettled(extremes);
        // Rows must be laid out anew: only worth it when many go.
        if kept.len() * 10 > self.active.rows.len() * 9 {
            return Ok(());
        }
        self.park();
        let rows: Vec<u32> = kept.iter().map(|&k| self.active.rows[k as usize]).collect();
        self.active = Active::new(self.programme, rows, &self.beta, &self.f, &self.own)?;
        self.cache.narrow(&kept);
        Ok(())
    }

    /// Copies what is known of the active rows to all rows.
    fn park(&mut self) {
        for (&row, f) in self.active.rows.iter().zip(&self.active.f) {
            self.f[row as usize] = *f;
        }
    }

    /// Computes f of the rows set aside. None where nothing objects; else all rows are in play again.
    fn reopen(&mut self) -> Result<Option<[Extremes; 2]>> {
        let n = self.order.len();
        if self.active.rows.len() < n {
            self.park();
            let mut aside = vec![true; n];
            self.active.rows.iter().for_each(|&row| aside[row as usize] = false);
            let rows: Vec<u32> = (0..n as u32).filter(|&i| aside[i as usize]).collect();
            for &row in &rows {
                self.f[row as usize] = -self.programme.linear[row as usize];
            }
            subtract_expansion(self.programme, &self.beta, &rows, &mut self.f)?;
            self.active = Active::new(self.programme, self.order.clone(), &self.beta, &self.f, &self.own)?;
            self.cache.clear(n);
        }
        let extremes = self.active.extremes();
        Ok((gap(&extremes) > self.options.tolerance).then_some(extremes))
    }
}

impl Active {
    fn new(programme: &Programme, rows: Vec<u32>, beta: &[f64], f: &[f64], own: &[f64]) -> Result<Self> {
        let at = |of: &[f64]| -> Vec<f64> { rows.iter().map(|&i| of[i as usize]).collect() };
        let (f, diagonal) = (at(f), at(own).into_iter().map(|k| k as f32).collect());
        let mask = |allowed: &dyn Fn(usize) -> bool, never: f32| -> Vec<f32> {
            rows.iter().map(|&i| may(allowed(i as usize), never)).collect()
        };
        let rises = mask(&|i| beta[i] < programme.high[i], f32::NEG_INFINITY);
        let falls = mask(&|i| beta[i] > programme.low[i], f32::INFINITY);
        let first = rows.iter().filter(|&&i| !programme.second_group[i as usize]).count();
        let kernel = KernelRows::new(programme.kernel, programme.x, &rows)?;
        Ok(Active { rows, first, kernel, f, rises, falls, diagonal })
    }

    fn segment(&self, group: usize) -> std::ops::Range<usize> {
        if group == 0 { 0..self.first } else { self.first..self.rows.len() }
    }

    /// Positions of the rows that may still have to move.
    fn unsettled(&self, extremes: &[Extremes; 2]) -> Vec<u32> {
        let may_move = |at: usize| {
            let found = &extremes[usize::from(at >= self.first)];
            let stuck_high = self.rises[at] != 0.0 && self.f[at] > found.highest;
            let stuck_low = self.falls[at] != 0.0 && self.f[at] < found.lowest;
            !stuck_high && !stuck_low
        };
        (0..self.rows.len()).filter(|&at| may_move(at)).map(|at| at as u32).collect()
    }

    fn extremes(&mut self) -> [Extremes; 2] {
        let still = vec![0.0; self.rows.len()];
        self.advance(&still, &still, 0.0)
    }

    /// f -= moved (row_i - row_j), and the extremes of both groups after it.
    fn advance(&mut self, row_i: &[f32], row_j: &[f32], moved: f64) -> [Extremes; 2] {
        [0, 1].map(|group| {
            let segment = self.segment(group);
            move_and_find(
                &mut self.f[segment.clone()],
                &row_i[segment.clone()],
                &row_j[segment.clone()],
                moved,
                &self.rises[segment.clone()],
                &self.falls[segment],
            )
        })
    }
}

fn gap(extremes: &[Extremes; 2]) -> f64 {
    extremes.iter().map(|e| e.highest - e.lowest).fold(f64::NEG_INFINITY, f64::max)
}

fn may(allowed: bool, never: f32) -> f32 {
    if allowed { 0.0 } else { never }
}

/// f -= Kβ for the given rows.
fn subtract_expansion(programme: &Programme, beta: &[f64], rows: &[u32], f: &mut [f64]) -> Result<()> {
    let support: Vec<u32> = (0..beta.len() as u32).filter(|&i| beta[i as usize] != 0.0).collect();
    if support.is_empty() || rows.is_empty() {
        return Ok(());
    }
    let sums = match programme.kernel {
        // Σ β_i x_i is one vector, so each row costs one product.
        Kernel::Linear => {
            let x = RowView::of(programme.x)?;
            let mut w = vec![0.0; x.cols()];
            support.iter().for_each(|&i| x.add_scaled(i as usize, beta[i as usize], &mut w));
            rows.par_iter().map(|&row| x.dot(row as usize, &w)).collect()
        }
        _ => {
            let coefficients: Vec<f64> = support.iter().map(|&i| beta[i as usize]).collect();
            let set = KernelRows::new(programme.kernel, programme.x, &support)?;
            set.weighted_sums(programme.x, rows, &coefficients)?
        }
    };
    rows.iter().zip(sums).for_each(|(&row, sum)| f[row as usize] -= sum);
    Ok(())
}
