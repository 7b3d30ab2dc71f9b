//! A sample to read, and what its marks say: precision, recall and F1 that rest on reading and on no assumption.
//!
//! Rows are drawn at random from both sides of the cut, so that each side is a random sample of its own (a stratified
//! draw). With M marked rows of which a share p is right and U others of which a share q was missed,
//!
//! ```text
//! precision = p,    recall = M p / (M p + U q),    F1 = 2 M p / (M + M p + U q)
//! ```
//!
//! Each share has its exact interval (Clopper & Pearson 1934). Recall and F1 grow with p and fall with q, so their ends
//! are those of both shares together, each at half the error.

use hashbrown::{HashMap, HashSet};
use rand::seq::SliceRandom;
use serde::Serialize;

use super::columns::ids;
use super::evaluate::{answers, yes_or_no};
use crate::codes;
use crate::data::Table;
use crate::error::{Error, Result};
use crate::figures::{count, percent};
use crate::message::{Message, Setting};
use crate::method::Range;
use crate::note::Note;
use crate::run::Run;
use crate::stopping::chances::binomial_tail;

/// The column in which a reader says whether a row is wanted.
pub const WANTED: &str = "wanted";

/// Both sides of two together stay outside with this chance.
const OUTSIDE: f64 = 0.05;

/// Up to so many rows from either side of the cut, at random and in random order, so that the order tells nothing: places
/// in a ranking whose rows are marked so.
pub fn draw(positive: &[bool], each: usize, run: &Run) -> Vec<usize> {
    let mut drawn = Vec::new();
    for (side, stage) in [(true, "marked rows to read"), (false, "other rows to read")] {
        let mut rows: Vec<usize> = (0..positive.len()).filter(|&at| positive[at] == side).collect();
        rows.shuffle(&mut run.rng(stage, 0));
        drawn.extend(rows.into_iter().take(each));
    }
    drawn.shuffle(&mut run.rng("order of rows to read", 0));
    drawn
}

/// One side of the cut.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// Rows of the answer on this side.
    pub rows: usize,
    /// How many of them were read.
    pub read: usize,
    /// How many of those are wanted.
    pub wanted: usize,
}

/// A figure that rests on reading, with an interval that holds in 95 of 100 draws.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The figure of the sample.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What reading a sample says of an answer.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The rows that the answer marks.
    pub marked: Side,
    /// All others.
    pub unmarked: Side,
    /// Share of the marked rows that are wanted; none where none of them was read.
    pub precision: Option<Figure>,
    /// Share of the wanted rows that are marked; none where a side was not read.
    pub recall: Option<Figure>,
    /// Of precision and recall; none where a side was not read.
    pub f1: Option<Figure>,
    /// What the user should know.
    #[serde(skip)]
    pub notes: Vec<Note>,
}

/// An answer of `find` or `score` (id, score, positive) and rows of it that were drawn at random and read; matched by id.
/// What `label` holds decides; rows without a mark were not read.
pub fn ask(predictions: &Table, marks: &Table, id: Option<&str>, label: &str) -> Result<Measured> {
    let answers = answers(predictions)?;
    let names = ids(predictions, None, 0)?;
    let known: HashMap<&str, bool, foldhash::fast::FixedState> =
        names.iter().zip(answers.iter().copied()).collect();
    let column = marks.column(label)?;
    let mut sides = [true, false].map(|side| {
        let rows = answers.iter().filter(|answer| **answer == side).count();
        Side { rows, read: 0, wanted: 0 }
    });
    let called = ids(marks, id, 0)?;
    let (mut strangers, mut seen) = (0, HashSet::<&str, foldhash::fast::FixedState>::default());
    for (row, id) in called.iter().enumerate() {
        let cell = column.cell(row);
        // An empty cell is a row that nobody has read.
        if cell.trim().is_empty() {
            continue;
        }
        let wanted = yes_or_no(&cell).ok_or_else(|| {
            let place = marks.place(row);
            let text = format!(
                "{place}: `{cell}` in column `{label}` is neither yes nor no; leave it empty if the row was not read"
            );
            Error::of(&codes::NOT_YES_OR_NO, text)
        })?;
        if !seen.insert(id) {
            let place = marks.place(row);
            let text = format!("{place}: the row `{id}` is marked twice; name a column of unique ids with ");
            return Err(Error::data(
                Message::new(&codes::REPEATED_IDS, text).setting(Setting::with("id", "COLUMN")),
            ));
        }
        match known.get(id) {
            None => strangers += 1,
            Some(answer) => {
                let side = &mut sides[usize::from(!*answer)];
                side.read += 1;
                side.wanted += usize::from(wanted);
            }
        }
    }
    let [marked, unmarked] = sides;
    if marked.read + unmarked.read == 0 {
        let text = format!(
            "no row of the answer is marked in column `{label}`; write yes or no beside the rows you have read"
        );
        return Err(Error::of(&codes::TRUTH_MISSING, text));
    }
    let mut measured = Measured::of(marked, unmarked);
    if strangers > 0 {
        let text = format!("{} marked rows are not in the answer and do not count", count(strangers));
        measured.notes.push(Note::info(&codes::TRUTH_UNUSED, text).field("rows", strangers));
    }
    Ok(measured)
}

impl Measured {
    fn of(marked: Side, unmarked: Side) -> Self {
        let share = |side: &Side, outside: f64| {
            (side.read > 0).then(|| {
                let range = clopper_pearson(side.wanted as u64, side.read as u64, outside);
                (side.wanted as f64 / side.read as f64, range)
            })
        };
        // A side without rows holds nothing that was missed, or nothing that is right: that is known without reading.
        let both = |side: &Side| match side.rows {
            0 => Some((0.0, Range { low: 0.0, high: 0.0 })),
            _ => share(side, OUTSIDE / 2.0),
        };
        let precision = share(&marked, OUTSIDE);
        let precision = precision.map(|(value, Range { low, high })| Figure { value, low, high });
        let (m, u) = (marked.rows as f64, unmarked.rows as f64);
        let figure = |of: &dyn Fn(f64, f64) -> f64| {
            let ((p, right), (q, missed)) = (both(&marked)?, both(&unmarked)?);
            Some(Figure {
                value: of(p, q),
                low: of(right.low, missed.high),
                high: of(right.high, missed.low),
            })
        };
        let ratio = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let recall = figure(&|p, q| ratio(m * p, m * p + u * q));
        let f1 = figure(&|p, q| ratio(2.0 * m * p, m + m * p + u * q));
        Measured { marked, unmarked, precision, recall, f1, notes: Vec::new() }
    }

    /// The figures in plain lines.
    pub fn lines(&self) -> Vec<String> {
        let side = |name: &str, side: &Side| {
            format!(
                "Of {} {name} rows {} were read; {} of them are wanted.",
                count(side.rows),
                count(side.read),
                count(side.wanted)
            )
        };
        let figure = |name: &str, figure: Option<Figure>| match figure {
            Some(Figure { value, low, high }) => {
                format!("{name}: {} ({} to {}).", percent(value), percent(low), percent(high))
            }
            None => format!("{name}: not known; read some rows of that side of the cut."),
        };
        vec![
            side("marked", &self.marked),
            side("other", &self.unmarked),
            figure("Precision", self.precision),
            figure("Recall", self.recall),
            figure("F1", self.f1),
            "These rest on the rows that were read and on nothing else, if those were drawn at random from either side.".into(),
        ]
    }
}

/// The exact interval of a share after `successes` of `trials`: outside it the chance of so few, or of so many, is below
/// half of `outside`.
pub fn clopper_pearson(successes: u64, trials: u64, outside: f64) -> Range {
    let solve = |wanted: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if wanted(middle) { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    };
    let low = match successes {
        0 => 0.0,
        x => solve(&|p| binomial_tail(x, trials, p) < outside / 2.0),
    };
    let high = match trials - successes {
        0 => 1.0,
        _ => solve(&|p| 1.0 - binomial_tail(successes + 1, trials, p) > outside / 2.0),
    };
    Range { low, high }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;
    use rand::RngExt;

    fn table(columns: &[(&str, Vec<String>)]) -> Table {
        let columns =
            columns.iter().map(|(name, cells)| (name.to_string(), Column::Text(cells.iter().collect())));
        Table::from_columns(columns.collect()).unwrap()
    }

    /// A hundred rows, the first twenty of them marked.
    fn answer() -> Table {
        let cells = |of: fn(usize) -> String| (0..100).map(of).collect::<Vec<String>>();
        table(&[
            ("id", cells(|row| format!("r{row}"))),
            ("score", cells(|row| (1.0 - row as f64 / 100.0).to_string())),
            ("positive", cells(|row| (row < 20).to_string())),
        ])
    }

    #[test]
    fn intervals_of_the_book() {
        // Clopper & Pearson's own: 8 of 10 is 0.4439 to 0.9748; none of 20 ends at 1 - 0.025^(1/20).
        let range = clopper_pearson(8, 10, 0.05);
        assert!(
            (range.low - 0.443_904_5).abs() < 1e-6 && (range.high - 0.974_789_3).abs() < 1e-6,
            "{range:?}"
        );
        let none = clopper_pearson(0, 20, 0.05);
        assert!(none.low == 0.0 && (none.high - (1.0 - 0.025f64.powf(0.05))).abs() < 1e-9, "{none:?}");
        assert_eq!(clopper_pearson(20, 20, 0.05).high, 1.0);
    }

    #[test]
    fn figures_by_hand() {
        let marks = table(&[
            ("id", ["r0", "r1", "r2", "r3", "r50", "r60", "zzz", "r70"].map(String::from).to_vec()),
            ("wanted", ["yes", "Y", "1", "no", "false", "yes", "no", ""].map(String::from).to_vec()),
        ]);
        let found = ask(&answer(), &marks, None, WANTED).unwrap();
        assert_eq!(found.marked, Side { rows: 20, read: 4, wanted: 3 });
        assert_eq!(found.unmarked, Side { rows: 80, read: 2, wanted: 1 });
        // 20 · 3/4 = 15 right among the marked, 80 · 1/2 = 40 missed.
        let (precision, recall, f1) = (found.precision.unwrap(), found.recall.unwrap(), found.f1.unwrap());
        assert_eq!(precision.value, 0.75);
        assert!((recall.value - 15.0 / 55.0).abs() < 1e-12 && (f1.value - 30.0 / 75.0).abs() < 1e-12);
        assert!(recall.low < recall.value && recall.high > recall.value && f1.high <= 1.0);
        assert!(found.notes.len() == 1 && found.lines()[2].starts_with("Precision: 75"));
    }

    #[test]
    fn a_side_that_nobody_read_says_nothing_of_recall() {
        let marks = table(&[("id", vec!["r1".into()]), ("wanted", vec!["yes".into()])]);
        let found = ask(&answer(), &marks, None, WANTED).unwrap();
        assert!(found.precision.is_some() && found.recall.is_none() && found.f1.is_none());
        let refused = |wanted: &str| {
            let marks = table(&[("id", vec!["r1".into()]), ("wanted", vec![wanted.into()])]);
            ask(&answer(), &marks, None, WANTED).unwrap_err().to_string()
        };
        assert!(
            refused("perhaps").contains("neither yes nor no") && refused("").contains("no row of the answer")
        );
    }

    #[test]
    fn the_draw_is_of_both_sides_and_tells_nothing_by_its_order() {
        let positive: Vec<bool> = (0..100).map(|at| at < 20).collect();
        let drawn = draw(&positive, 15, &Run::new(1));
        assert_eq!((drawn.len(), drawn.iter().filter(|at| **at < 20).count()), (30, 15));
        assert_eq!(drawn, draw(&positive, 15, &Run::new(1)));
        assert!(drawn[..15].iter().any(|at| *at >= 20));
        assert_eq!(draw(&positive, 50, &Run::new(1)).len(), 70);
    }

    #[test]
    fn the_intervals_hold_as_often_as_they_say() {
        // A pile of 2,000: 200 marked, of which 120 are wanted; of the others 60.
        let wanted = |row: usize| row < 120 || (200..260).contains(&row);
        let (mut precision, mut recall) = (0, 0);
        for trial in 0..400 {
            let mut rng = Run::new(trial).rng("trial", 0);
            let mut side = |from: usize, to: usize| {
                let read: Vec<usize> = (0..40).map(|_| rng.random_range(from..to)).collect();
                let found = read.iter().filter(|row| wanted(**row)).count();
                Side { rows: to - from, read: read.len(), wanted: found }
            };
            let found = Measured::of(side(0, 200), side(200, 2000));
            let holds = |figure: Option<Figure>, truth: f64| {
                let Figure { low, high, .. } = figure.unwrap();
                usize::from((low..=high).contains(&truth))
            };
            precision += holds(found.precision, 0.6);
            recall += holds(found.recall, 120.0 / 180.0);
        }
        assert!(precision >= 380 && recall >= 380, "{precision} and {recall} of 400");
    }
}
