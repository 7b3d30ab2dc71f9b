//! Where new rows differ beyond chance from those that were learned from, in numbers and in plain words.

use serde::Serialize;

use super::share::{self, Known, New, Share};
use super::{Baseline, SeenRows};
use crate::codes;
use crate::figures::{count, percent, small_percent};
use crate::message::{Message, Setting};
use crate::method::Range;
use crate::note::Note;
use crate::run::Run;

/// What is known of new rows beside those that were learned from. Shares are numbers from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// New rows.
    pub rows: usize,
    /// Those of them that are marked.
    pub found: usize,
    /// The share of them that is marked.
    pub marked: f64,
    /// The share that would be if they were like the pile.
    pub marked_before: f64,
    /// The believed share of positives; none where nobody has estimated that of the pile.
    pub positives: Option<Share>,
    /// The believed share of positives in the pile.
    pub positives_before: Option<Share>,
    /// The believed share of the marked that are right.
    pub precision: Option<f64>,
    /// Where that share lies.
    pub precision_range: Option<Range>,
    /// Whether the rows are of another kind than those that were learned from.
    pub another_kind: bool,
    /// The share of these rows that the model learned from, of which it cannot tell what it tells of new ones.
    pub learned: Option<f64>,
    /// How much of a row was there before: of its words, or of its numbers within the range that there was.
    pub familiar: Option<f64>,
    /// The same of rows like the pile.
    pub familiar_before: Option<f64>,
    /// Columns that lie outside of the range that there was, and the share of rows in which they do.
    pub outside: Vec<(String, f64)>,
    /// Scores, the share of rows like the pile that reach each, and that of the new rows.
    pub scores: Vec<[f64; 3]>,
    /// The largest difference of these shares, in deviations that chance would give it.
    pub deviations: f64,
    /// Whether anything differs beyond chance.
    pub differs: bool,
    /// What there is to say of it.
    #[serde(skip)]
    pub notes: Vec<Note>,
}

/// From this share on that was learned from, rows are not new.
const MOSTLY: f64 = 0.5;
/// Fewer new rows than this say nothing.
pub const LEAST_ROWS: u64 = 30;
/// Deviations that the largest difference over all steps reaches by chance less often than once in a hundred.
const BEYOND_CHANCE: f64 = 3.5;
/// Steps at which fewer rows than this would stand above or below are left to chance.
const LEAST_EXPECTED: f64 = 10.0;
/// What rows were left out of has learned from fewer rows than the model, and places the others so much otherwise.
const ALLOWED: f64 = 0.08;
/// Differences of shares that are too small to matter, however sure: in themselves, and beside the share.
const MATTERS: f64 = 0.05;
const MATTERS_BESIDE: f64 = 0.25;
/// The same for how much of a row is known, which chance moves less.
const UNFAMILIAR: f64 = 0.03;
const FAMILIAR_BEYOND_CHANCE: f64 = 3.3;
/// A column outside of its range in this share of the rows, and in so many, is named.
const OUTSIDE: f64 = 0.05;
const OUTSIDE_ROWS: u64 = 5;
/// Steps of the scores that are listed.
const LISTED: usize = 24;
/// Columns that are named.
const NAMED: usize = 3;

/// Compares; `name` is what column `j` is called.
pub fn compare(
    baseline: &Baseline,
    seen: &SeenRows,
    name: impl Fn(usize) -> String,
    run: &Run,
) -> Comparison {
    let (before, now) = (baseline.told.pile.reached(), seen.standing.reached());
    let rows = seen.standing.rows;
    let cut = baseline.cut();
    let (deviations, scores_differ) = largest(baseline, seen, &before, &now);
    let prior = baseline.told.prior;
    let learned = seen.met.share();
    let old = learned.is_some_and(|share| share >= MOSTLY);
    let believed = prior.filter(|_| rows >= LEAST_ROWS && !old).map(|prior| {
        let known = Known { pile: &baseline.told.pile, positives: &baseline.told.positives, prior };
        let new = New { rows: &seen.standing, cut, marked: seen.found as usize };
        share::estimate(&known, &new, run)
    });
    let positives = believed.as_ref().map(|believed| believed.positives);
    let changed = believed.as_ref().is_some_and(|believed| believed.changed);
    let precision = believed.and_then(|believed| believed.precision);
    let known = |familiar: &super::Familiar| (familiar.rows() > 0).then(|| familiar.mean().0);
    let outside = outside(baseline, seen, name);
    let mut found = Comparison {
        rows: rows as usize,
        found: seen.found as usize,
        marked: seen.found as f64 / rows.max(1) as f64,
        marked_before: before.get(cut).copied().unwrap_or(1.0),
        positives,
        positives_before: prior,
        precision: precision.map(|believed| believed.share),
        precision_range: precision.map(|believed| believed.range()),
        another_kind: false,
        learned,
        familiar: known(&seen.familiar),
        familiar_before: known(&baseline.told.familiar),
        outside,
        scores: listed(baseline, &before, &now),
        deviations,
        differs: false,
        notes: Vec::new(),
    };
    if old {
        found.notes = vec![found.of_old_rows()];
        return found;
    }
    if rows >= LEAST_ROWS {
        let unfamiliar = unfamiliar(baseline, seen);
        let words = unfamiliar && (baseline.told.words || baseline.ranges.is_none());
        found.another_kind = unfamiliar || !found.outside.is_empty();
        found.notes = found.told(scores_differ, changed, words);
    }
    found.differs = !found.notes.is_empty();
    found
}

/// The largest difference between the shares that reach a step, and whether one of them is beyond chance and matters.
/// Steps far above the cut are few rows that nobody decides by.
fn largest(baseline: &Baseline, seen: &SeenRows, before: &[f64], now: &[f64]) -> (f64, bool) {
    let (n, m) = (baseline.told.pile.rows as f64, seen.standing.rows as f64);
    let from = 0.5 * baseline.told.ladder.shares().get(baseline.cut()).copied().unwrap_or(0.0);
    let (mut most, mut matters) = (0.0f64, false);
    for ((share, before), now) in baseline.told.ladder.shares().iter().zip(before).zip(now) {
        let joint = (n * before + m * now) / (n + m).max(1.0);
        let expected = joint.min(1.0 - joint) * n.min(m);
        if *share < from || expected < LEAST_EXPECTED {
            continue;
        }
        let spread = joint * (1.0 - joint);
        let error = (spread * (1.0 / n + 1.0 / m)).sqrt().hypot(ALLOWED * spread);
        let (difference, deviations) = ((now - before).abs(), (now - before).abs() / error);
        most = most.max(deviations);
        let large = difference >= MATTERS || difference >= MATTERS_BESIDE * before;
        matters |= large && deviations >= BEYOND_CHANCE;
    }
    (most, matters)
}

/// Whether less of the rows is known than there should be.
fn unfamiliar(baseline: &Baseline, seen: &SeenRows) -> bool {
    if seen.familiar.rows() < LEAST_ROWS || baseline.told.familiar.rows() == 0 {
        return false;
    }
    let ((before, error), (now, more)) = (baseline.told.familiar.mean(), seen.familiar.mean());
    before - now >= UNFAMILIAR && before - now >= FAMILIAR_BEYOND_CHANCE * error.hypot(more)
}

/// Columns that lie outside of their range in many rows, those in most rows first.
fn outside(baseline: &Baseline, seen: &SeenRows, name: impl Fn(usize) -> String) -> Vec<(String, f64)> {
    // By chance a new row holds the lowest or the highest number of n + 1 in two of n + 1 cases.
    let by_chance = 2.0 / (baseline.told.familiar.rows() as f64 + 1.0);
    let least = OUTSIDE.max(10.0 * by_chance);
    let rows = seen.standing.rows.max(1) as f64;
    let mut columns: Vec<(usize, u64)> = (seen.outside.iter().copied().enumerate())
        .filter(|(_, outside)| *outside >= OUTSIDE_ROWS && *outside as f64 / rows >= least)
        .collect();
    columns.sort_by_key(|(column, outside)| (std::cmp::Reverse(*outside), *column));
    columns.truncate(NAMED);
    columns.into_iter().map(|(column, outside)| (name(column), outside as f64 / rows)).collect()
}

/// Some of the steps.
fn listed(baseline: &Baseline, before: &[f64], now: &[f64]) -> Vec<[f64; 3]> {
    let scores = baseline.told.ladder.scores();
    let every = scores.len().div_ceil(LISTED).max(1);
    (0..scores.len()).step_by(every).map(|j| [scores[j], before[j], now[j]]).collect()
}

impl Baseline {
    /// The step at which rows are marked: the last whose score is positive.
    pub(super) fn cut(&self) -> usize {
        let scores = self.told.ladder.scores();
        scores.partition_point(|score| crate::decide::is_positive(*score)).saturating_sub(1)
    }
}

impl Comparison {
    /// Whether most rows are no new ones.
    pub fn is_of_old_rows(&self) -> bool {
        self.learned.is_some_and(|share| share >= MOSTLY)
    }

    fn told(&self, scores_differ: bool, changed: bool, words: bool) -> Vec<Note> {
        let mut notes = Vec::new();
        let of_columns: Vec<String> =
            self.outside.iter().map(|(name, share)| format!("`{name}` in {}", percent(*share))).collect();
        if self.another_kind {
            notes.push(self.of_another_kind(words, &of_columns.join(", ")));
        }
        match (scores_differ, self.positives, self.positives_before) {
            (false, _, _) => {}
            // If rows are of another kind, what was known of positives says nothing of them.
            (true, Some(now), Some(before)) if changed && !self.another_kind => {
                notes.push(self.of_share(now, before));
            }
            (true, _, _) => notes.push(self.of_scores()),
        }
        notes
    }

    fn of_old_rows(&self) -> Note {
        let learned = self.learned.unwrap_or(1.0);
        let text = format!(
            "{} of these rows are rows that the model learned from, and stand lower or higher with it than new ones would: the ranking of them is what learning gave them, and what is said of tomorrow's rows cannot be said of these",
            percent(learned)
        );
        Note::info(&codes::LEARNED_FROM, text).field("learned", learned)
    }

    fn of_another_kind(&self, words: bool, columns: &str) -> Note {
        let (now, before) = (self.familiar.unwrap_or(0.0), self.familiar_before.unwrap_or(1.0));
        let what = match (words, columns) {
            (true, _) => format!(
                "{} of the words of these rows are known, where {} would be if they were like the rows learned from",
                percent(now),
                percent(before)
            ),
            (false, "") => format!(
                "{} of the numbers of these rows lie within the range that was learned from, where {} would",
                percent(now),
                percent(before)
            ),
            (false, columns) => {
                format!("columns lie outside of the range that was learned from: {columns} of the rows")
            }
        };
        let text = format!(
            "{what}: they are of another kind, and neither their scores nor the {} marked can be relied on; learn again with rows like these in the pile",
            count(self.found)
        );
        Note::warning(&codes::ANOTHER_KIND, text).field("known", now).field("before", before)
    }

    fn of_share(&self, now: Share, before: Share) -> Note {
        let right = match self.precision.zip(self.precision_range) {
            Some((right, range)) => format!(
                "of the {} marked about {} are right ({} to {})",
                count(self.found),
                percent(right),
                percent(range.low),
                percent(range.high)
            ),
            None => "none is marked".into(),
        };
        let text = format!(
            "about {} of these rows are positive ({} to {}), where {} of the pile were that was learned from: {right}; place the cut for that with ",
            small_percent(now.share),
            small_percent(now.low),
            small_percent(now.high),
            small_percent(before.share),
        );
        let message = Message::new(&codes::SHARE_CHANGED, text)
            .setting(Setting::flag("recut"))
            .field("share", now.share)
            .field("low", now.low)
            .field("high", now.high)
            .field("before", before.share);
        Note::warn(message)
    }

    fn of_scores(&self) -> Note {
        let text = format!(
            "scores are distributed otherwise than where it was learned: {} of these rows are marked, where {} would be if they were like the pile; read some of the marked before you rely on them, or learn again",
            small_percent(self.marked),
            small_percent(self.marked_before)
        );
        let note = Note::warning(&codes::SCORES_DIFFER, text);
        note.field("marked", self.marked).field("before", self.marked_before)
    }

    /// The figures in a plain line.
    pub fn line(&self) -> Option<String> {
        let (now, before) = (self.positives?, self.positives_before?);
        Some(format!(
            "Believed to be positive: {} of these rows ({} to {}); it was {} of the pile.",
            small_percent(now.share),
            small_percent(now.low),
            small_percent(now.high),
            small_percent(before.share)
        ))
    }
}
