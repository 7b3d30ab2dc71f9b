//! Rows of words: an inverted index, searched from the rarest word to the most common.
//!
//! A row's cosines are accumulated word by word through the lists of rows that hold the word. Nearly all of the
//! cost lies in the few most common words, which decide little. So after the words rarer than some level have
//! been added, a row d can be left aside if what it has so far, plus the most that the common words can add
//! (Cauchy-Schwarz: |q from the level on| |d from the level on|), stays below the k-th best. When few enough
//! rows survive, the common words are looked up in those rows instead of being walked through.

use super::top::{Top, best, slack};
use crate::data::{Csr, SparseRow};

/// Words in more than 1 of this many rows count as common, from the first level to the last.
const LEVELS: [usize; 2] = [16, 8];

/// What it costs to finish one survivor, in steps through the lists of rows.
const SURVIVOR: usize = 600;

pub(super) struct SparseIndex {
    /// The place of each column when columns are sorted by how many rows hold them, rarest first.
    rank: Vec<u32>,
    /// The rows as given, their columns replaced by ranks.
    rows: Csr,
    lengths: Vec<f64>,
    /// For each rank the rows that hold it, their values scaled to unit rows.
    postings: Csr,
    levels: Vec<Level>,
    /// Bounds need sums that only grow.
    nonnegative: bool,
}

struct Level {
    /// The first rank that counts as common.
    start: u32,
    /// The length of each unit row's common part.
    tails: Vec<f32>,
}

impl SparseIndex {
    pub fn new(x: &Csr) -> Self {
        let frequencies = x.document_frequencies();
        let mut by_frequency: Vec<u32> = (0..x.cols as u32).collect();
        by_frequency.sort_by_key(|&j| frequencies[j as usize]);
        let mut rank = vec![0; x.cols];
        for (place, &j) in by_frequency.iter().enumerate() {
            rank[j as usize] = place as u32;
        }
        let rows = reordered(x, &rank);
        let lengths: Vec<f64> = rows.iter_rows().map(|row| row.squared_norm().sqrt()).collect();
        let mut units = rows.clone();
        units.normalize_rows();
        let levels = LEVELS.iter().map(|divisor| {
            let start =
                by_frequency.partition_point(|&j| frequencies[j as usize] as usize * divisor <= x.rows());
            let start = start as u32;
            let tails = units.iter_rows().map(|row| tail(row, start).squared_norm().sqrt() as f32).collect();
            Level { start, tails }
        });
        let levels = levels.filter(|level| (level.start as usize) < x.cols).collect();
        let nonnegative = x.values.iter().all(|v| *v >= 0.0);
        SparseIndex { levels, postings: units.transpose(), rank, rows, lengths, nonnegative }
    }

    /// The memory of one thread's searches for k neighbours.
    pub fn searcher(&self, k: usize) -> Searcher<'_> {
        Searcher {
            index: self,
            k,
            sums: vec![0.0; self.rows.rows()],
            values: vec![0.0; self.rows.cols],
            survivors: Vec::new(),
            top: Top::new(k),
        }
    }
}

/// The rows with columns replaced by their ranks and sorted by them.
fn reordered(x: &Csr, rank: &[u32]) -> Csr {
    let mut out = crate::data::CsrBuilder::with_capacity(x.cols, x.rows(), x.nnz());
    for row in x.iter_rows() {
        out.push_entries(by_rank(row, rank));
    }
    out.finish()
}

fn by_rank(row: SparseRow<'_>, rank: &[u32]) -> Vec<(u32, f32)> {
    let mut entries: Vec<(u32, f32)> = row.iter().map(|(j, v)| (rank[j], v)).collect();
    entries.sort_unstable_by_key(|(r, _)| *r);
    entries
}

/// The entries of a row from a rank on.
fn tail(row: SparseRow<'_>, start: u32) -> SparseRow<'_> {
    let from = row.indices.partition_point(|r| *r < start);
    SparseRow { indices: &row.indices[from..], values: &row.values[from..] }
}

pub(super) struct Searcher<'a> {
    index: &'a SparseIndex,
    k: usize,
    /// What has been added up of each stored row's cosine; all zero between searches.
    sums: Vec<f32>,
    /// The asked row's values by rank; all zero between searches.
    values: Vec<f32>,
    survivors: Vec<u32>,
    top: Top,
}

impl Searcher<'_> {
    /// The k nearest stored rows; `own` is the place of the asked row where it is itself stored.
    pub fn nearest(&mut self, row: SparseRow<'_>, own: Option<usize>) -> Vec<(u32, f32)> {
        let query = by_rank(row, &self.index.rank);
        let length = row.squared_norm().sqrt();
        if length == 0.0 {
            return Vec::new();
        }
        let unit: Vec<(u32, f32)> =
            query.iter().map(|(r, v)| (*r, (f64::from(*v) / length) as f32)).collect();
        let slack = slack(unit.len());
        let work: usize = unit.iter().map(|(r, _)| self.postings_of(*r)).sum();
        if work * 4 < self.sums.len() {
            self.gather_sparsely(&unit, own, slack);
        } else {
            self.gather(&unit, own, slack);
        }
        for &(r, v) in &query {
            self.values[r as usize] = v;
        }
        let index = self.index;
        let values = &self.values;
        let cosine = |j: u32| {
            let stored = index.rows.row(j as usize);
            let dot: f64 = stored.iter().map(|(r, v)| f64::from(v) * f64::from(values[r])).sum();
            (dot / (length * index.lengths[j as usize])).min(1.0) as f32
        };
        let found = self.top.candidates().map(|j| (j, cosine(j))).filter(|(_, c)| *c > 0.0).collect();
        for &(r, _) in &query {
            self.values[r as usize] = 0.0;
        }
        best(found, self.k)
    }

    fn postings_of(&self, rank: u32) -> usize {
        let ends = &self.index.postings.indptr;
        ends[rank as usize + 1] - ends[rank as usize]
    }

    /// Adds the given words' part of every cosine.
    fn add(&mut self, words: &[(u32, f32)]) {
        for &(r, value) in words {
            let list = self.index.postings.row(r as usize);
            for (&j, &v) in list.indices.iter().zip(list.values) {
                self.sums[j as usize] += value * v;
            }
        }
    }

    /// For rare words among many rows: visits only the rows that share one.
    fn gather_sparsely(&mut self, unit: &[(u32, f32)], own: Option<usize>, slack: f32) {
        self.add(unit);
        if let Some(i) = own {
            self.sums[i] = 0.0;
        }
        self.top.start(slack, f32::MIN_POSITIVE);
        for &(r, _) in unit {
            for &j in self.index.postings.row(r as usize).indices {
                self.top.push(std::mem::take(&mut self.sums[j as usize]), j);
            }
        }
    }

    fn gather(&mut self, unit: &[(u32, f32)], own: Option<usize>, slack: f32) {
        if let Some(i) = own {
            self.sums[i] = f32::NEG_INFINITY;
        }
        let index = self.index;
        self.top.start(slack, f32::MIN_POSITIVE);
        let prune = index.nonnegative && unit.iter().all(|(_, v)| *v >= 0.0);
        let mut added = 0;
        let mut finished = false;
        for level in index.levels.iter().filter(|_| prune) {
            let end = unit.partition_point(|(r, _)| *r < level.start);
            self.add(&unit[added..end]);
            added = end;
            if self.finish_survivors(&unit[added..], level, slack) {
                finished = true;
                break;
            }
        }
        if !finished {
            self.add(&unit[added..]);
            self.top.start(slack, f32::MIN_POSITIVE);
            self.top.push_all(&self.sums, 0);
        }
        self.sums.fill(0.0);
    }

    /// Finishes the rows that can still win, if that is cheaper than walking through the common words.
    fn finish_survivors(&mut self, common: &[(u32, f32)], level: &Level, slack: f32) -> bool {
        let rest: usize = common.iter().map(|(r, _)| self.postings_of(*r)).sum();
        if rest < self.sums.len() / 2 {
            return false;
        }
        self.top.start(slack, self.top.threshold().max(f32::MIN_POSITIVE));
        self.top.push_all(&self.sums, 0);
        let Some(kth) = self.top.kth() else { return false };
        let reach = common.iter().map(|(_, v)| v * v).sum::<f32>().sqrt();
        if !self.find_survivors(kth - slack, reach, &level.tails, rest / SURVIVOR) {
            return false;
        }
        for &(r, v) in common {
            self.values[r as usize] = v;
        }
        self.top.start(slack, f32::MIN_POSITIVE);
        for &j in &self.survivors {
            let stored = tail(self.index.rows.row(j as usize), level.start);
            let dot: f32 = stored.iter().map(|(r, v)| v * self.values[r]).sum();
            self.top.push(self.sums[j as usize] + dot / self.index.lengths[j as usize] as f32, j);
        }
        for &(r, _) in common {
            self.values[r as usize] = 0.0;
        }
        true
    }

    /// The rows whose sum can still reach `least`; gives up when there are more than `most`.
    fn find_survivors(&mut self, least: f32, reach: f32, tails: &[f32], most: usize) -> bool {
        const CHUNK: usize = 32;
        self.survivors.clear();
        for (c, (sums, tails)) in self.sums.chunks(CHUNK).zip(tails.chunks(CHUNK)).enumerate() {
            let alive = |(sum, tail): (&f32, &f32)| sum + reach * tail >= least;
            if sums.iter().zip(tails).fold(false, |any, pair| any | alive(pair)) {
                for (i, pair) in sums.iter().zip(tails).enumerate() {
                    if alive(pair) {
                        self.survivors.push((c * CHUNK + i) as u32);
                    }
                }
                if self.survivors.len() > most {
                    return false;
                }
            }
        }
        true
    }
}
