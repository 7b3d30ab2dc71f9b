//! Prior: how many of the pile are positive?

use super::columns::numbers;
use super::label::marked;
use super::problem::Problem;
use super::views::Views;
use crate::automatic::{certainty::believed, random_draw};
use crate::codes;
use crate::data::{Kind, Table};
use crate::error::{Error, Result};
use crate::features::words::WordOptions;
use crate::figures::{count, share_of};
use crate::method::{Drawn, Parameters};
use crate::methods::prior as by_methods;
use crate::note::Note;
use crate::prior::{PriorOptions, PriorReport, Ranker, Ranks, if_typical_first, of_ranks};
use crate::registry;
use crate::run::Run;

/// The methods whose ranking of hidden positives is to be used.
pub fn rankers(names: &[String]) -> Result<Vec<Ranker>> {
    names.iter().map(|name| Ranker::method(registry::find(name)?, Parameters::new())).collect()
}

/// From examples and pile. What is to be said of the problem itself stands first among the notes.
///
/// ```
/// use likewise::prelude::*;
/// use likewise::prior::PriorOptions;
/// use likewise::questions::prior;
/// let like = Table::from_texts("text", ["refund my money", "money back please", "a refund please"]);
/// let pile = Table::from_texts("text", ["late parcel", "a refund now", "want my money back", "parcel lost"]);
/// let problem = Problem::of_two(like, pile, &ColumnChoice::default())?;
/// let report = prior::ask(&problem, &Default::default(), &PriorOptions::default(), &Run::new(0))?;
/// let share = report.default_estimate();
/// assert!(0.0 <= share.low && share.low <= share.estimate && share.estimate <= share.high);
/// # Ok::<(), likewise::Error>(())
/// ```
pub fn ask(problem: &Problem, words: &WordOptions, options: &PriorOptions, run: &Run) -> Result<PriorReport> {
    let views = Views::new(problem, words, run);
    let mut report = by_methods::estimate_all(&views, problem.kind(), options, run)?;
    report.notes.splice(0..0, problem.notes.iter().cloned());
    // Estimators are compared under a random draw; whoever reads them must know where it is none.
    let drawn = match problem.kind() {
        Kind::Relational => None,
        _ => random_draw::of(&views.train(&registry::find("logistic")?.spec())?, &run.sharing())?,
    };
    let (_, drawn) = believed(&report, drawn, run)?;
    if let Some(drawn) = drawn.filter(Drawn::alarm) {
        let far = if_typical_first(&report.ranks, drawn.strength_high, options, run)?;
        let up_to = report.default_estimate().high.max(far.high);
        let pile = report.ranks.first().map_or(0, |(_, ranks)| ranks.pile());
        report.notes.push(Note::warn(drawn.warning(Some(&share_of(up_to, pile)))));
    }
    Ok(report)
}

/// From scores of both by a model that learned from neither.
pub fn of_scores(positives: &[f64], pile: &[f64], options: &PriorOptions, run: &Run) -> Result<PriorReport> {
    if positives.len() < 2 {
        return Err(Error::of(
            &codes::FEW_EXAMPLES,
            "one positive tells nothing of the others; mark at least two rows",
        ));
    }
    let ranks = Ranks::of_scores(positives, pile)?;
    run.install(|| of_ranks(vec![("scores".into(), ranks)], options, run))
}

/// The same from a column of scores: of two tables, or of one whose label marks the positives.
pub fn of_column(column: &str, given: Given<'_>, options: &PriorOptions, run: &Run) -> Result<PriorReport> {
    let (positives, others) = match given {
        Given::Two { like, pile } => (numbers(like, column)?, numbers(pile, column)?),
        Given::Label { table, label, positive } => {
            let (scores, marked) = (numbers(table, column)?, marked(table, label, positive)?);
            let of = |wanted: bool| {
                let own = scores.iter().zip(&marked).filter(|(_, marked)| **marked == wanted);
                own.map(|(score, _)| *score).collect::<Vec<f64>>()
            };
            (of(true), of(false))
        }
    };
    of_scores(&positives, &others, options, run)
}

/// Where scores stand.
pub enum Given<'a> {
    /// Those of positives in one table, those of the pile in another.
    Two {
        /// The positives.
        like: &'a Table,
        /// The pile.
        pile: &'a Table,
    },
    /// All in one table.
    Label {
        /// Positives and pile.
        table: &'a Table,
        /// The column that marks positives.
        label: &'a str,
        /// Its value for them.
        positive: &'a [String],
    },
}

/// The answer in a plain line.
pub fn line(report: &PriorReport) -> String {
    let (best, pile) = (report.default_estimate(), report.ranks.first().map_or(0, |(_, ranks)| ranks.pile()));
    let rows = |share: f64| share_of(share, pile);
    format!(
        "About {} of the {} rows in the pile are positive ({} to {}).",
        rows(best.estimate),
        count(pile),
        rows(best.low),
        rows(best.high)
    )
}
