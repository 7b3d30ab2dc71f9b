//! Rehearse: a reading of labelled rows, played by a reader who never errs.

use std::sync::Arc;

use super::columns::ColumnChoice;
use super::label::marked;
use crate::data::Table;
use crate::error::Result;
use crate::features::words::WordOptions;
use crate::figures::{count, percent};
use crate::note::Note;
use crate::reading::rehearse::{Answer, Request, rehearse};
use crate::reading::{distinct, of_table, reading_words};
use crate::run::Run;

/// What is asked.
///
/// ```
/// use likewise::prelude::*;
/// use likewise::questions::rehearse::Rehearse;
/// use likewise::reading::rehearse::{Request, StopRule};
/// let row = |i: usize| if i % 3 == 0 { format!("refund {i} please") } else { format!("parcel {i} is late") };
/// let columns = vec![
///     ("text".to_string(), Column::Text((0..30).map(row).collect())),
///     ("wanted".to_string(), Column::Number((0..30).map(|i| f64::from(i % 3 == 0)).collect())),
/// ];
/// let request = Request { rule: StopRule::Never, examples: 2, most: Some(20), ..Request::default() };
/// let question = Rehearse::new("wanted", &["1"], request);
/// let (answer, _) = question.ask(&Table::from_columns(columns)?, &Run::new(0))?;
/// assert_eq!((answer.rows, answer.wanted, answer.marks), (30, 10, 22));
/// # Ok::<(), likewise::Error>(())
/// ```
pub struct Rehearse {
    /// The column that holds the label.
    pub label: String,
    /// Its values that mean wanted.
    pub positive: Vec<String>,
    /// Which columns are learned from.
    pub columns: ColumnChoice,
    /// How text becomes words.
    pub words: WordOptions,
    /// How it is read.
    pub request: Request,
}

impl Rehearse {
    /// With the usual columns and words.
    pub fn new<S: AsRef<str>>(label: &str, positive: &[S], request: Request) -> Rehearse {
        let positive = positive.iter().map(|value| value.as_ref().to_string()).collect();
        let (columns, words) = (ColumnChoice::default(), WordOptions::default());
        Rehearse { label: label.into(), positive, columns, words, request }
    }

    /// Plays it over the rows that differ; the examples are rows of the table.
    pub fn ask(&self, table: &Table, run: &Run) -> Result<(Answer, Vec<Note>)> {
        let truth = marked(table, &self.label, &self.positive)?;
        let input = self.columns.input(table, Some(&self.label))?;
        let (_, x, notes) = of_table(table, &input, &reading_words(self.words.clone()), run)?;
        let once = distinct(&x);
        let truth: Vec<bool> = once.iter().map(|&row| truth[row]).collect();
        let mut answer = rehearse(Arc::new(x.select(&once)), &truth, &self.request, run)?;
        for row in answer.examples.iter_mut().chain(&mut answer.unwanted) {
            *row = once[*row];
        }
        Ok((answer, notes))
    }

    /// How it went, in a few plain lines.
    pub fn lines(&self, answer: &Answer) -> Vec<String> {
        let Request { target, alpha, .. } = self.request;
        let checks = match answer.checks {
            0 => String::new(),
            checks => format!(", {} of them at random", count(checks)),
        };
        let marks = answer.marks as f64;
        let mut lines = vec![
            format!(
                "{} of {} distinct rows are wanted; {} of them were known at the start.",
                count(answer.wanted),
                count(answer.rows),
                count(answer.examples.len())
            ),
            format!(
                "Stopped after {} marks{checks}: {} of the rows.",
                count(answer.marks),
                percent(marks / answer.rows as f64)
            ),
            format!(
                "Found {}: recall {:.1} %, the target of {} is {}.",
                count(answer.found),
                100.0 * answer.recall,
                percent(target),
                if answer.reached { "reached" } else { "missed" }
            ),
        ];
        lines.extend(answer.recall_low.map(|low| {
            format!("Proved: recall at least {:.1} % ({} sure).", 100.0 * low, percent(1.0 - alpha))
        }));
        lines.push(format!(
            "In random order as many take about {} marks: {} of that work is saved.",
            count(answer.random.round() as usize),
            percent((1.0 - marks / answer.random).max(0.0))
        ));
        lines.push(match answer.ideal {
            Some(ideal) => format!(
                "Had one known when to stop, reading best first reaches the target after {} marks; these are {:.1} times as many.",
                count(ideal),
                marks / ideal as f64
            ),
            None => "Reading best first did not reach the target within these marks.".into(),
        });
        lines
    }
}
