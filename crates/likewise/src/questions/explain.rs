//! Explain: why does a row have its score, and what does a model look for?

use serde::Serialize;

use super::columns;
use crate::codes;
use crate::data::Table;
use crate::decide::is_positive;
use crate::error::{Error, Result};
use crate::figures::rows;
use crate::message::{Message, Setting};
use crate::relations::Relational;
use crate::run::Run;
use crate::trained::{Explanation, RuleReason, Trained};

/// One row, its score and the reasons for it.
///
/// ```
/// use likewise::prelude::*;
/// let like = Table::from_texts("text", ["refund my money", "money back please", "a refund please"]);
/// let pile = Table::from_texts("text", ["late parcel", "a refund please", "want my money back", "parcel lost"]);
/// let problem = Problem::of_two(like, pile, &ColumnChoice::default())?;
/// let trained = Find::new(Some("nb"), false)?.ask(&problem, &Run::new(0))?.trained;
/// let new = Table::from_texts("text", ["my money"]);
/// let explained = likewise::questions::explain::row(&trained, &new, 0, "1".into(), 3, &Run::new(0))?;
/// assert_eq!(explained.reasons[0].reason, "money");
/// # Ok::<(), likewise::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explained {
    /// What the user calls the row.
    pub id: String,
    /// Within [0, 1].
    pub score: f64,
    /// Whether the score is 0.5 or more.
    pub positive: bool,
    /// Strongest first; empty where the model knows no feature of the row, or does not weigh them one by one.
    pub reasons: Vec<Why>,
}

/// One reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Why {
    /// A word, a column, a rule.
    pub reason: String,
    /// The rule as a query that answers whether the example satisfies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// How much it speaks for the class; below 0 against it.
    pub push: f64,
}

fn whys(explanation: Explanation) -> Vec<Why> {
    explanation.into_iter().map(|(reason, push)| Why { reason, sql: None, push }).collect()
}

/// Why row `row` of a table has its score.
pub fn row(
    trained: &Trained,
    table: &Table,
    row: usize,
    id: String,
    top: usize,
    run: &Run,
) -> Result<Explained> {
    if row >= table.rows() {
        let text = format!(
            "there is no row {row} among {}; give the row that is to be explained",
            rows(table.rows())
        );
        return Err(Error::of(&codes::NO_SUCH_ROW, text));
    }
    let one = table.select(&[row]);
    let score = trained.score(&one, run)?.0[0];
    let reasons = whys(trained.explain(&one, 0, top, run)?);
    Ok(Explained { id, score, positive: is_positive(score), reasons })
}

/// Why an example among related tables has its score.
pub fn related(trained: &Trained, x: &Relational, id: String, top: usize, run: &Run) -> Result<Explained> {
    let score = trained.score_related(x, run)?[0];
    let why = |RuleReason { clause, query, push }| Why { reason: clause, sql: query, push };
    let reasons = trained.explain_related(x, 0, top)?.into_iter().map(why).collect();
    Ok(Explained { id, score, positive: is_positive(score), reasons })
}

/// What counts most in any row; empty where the model gives no feature a weight of its own.
pub fn model(trained: &Trained, top: usize) -> Vec<Why> {
    whys(trained.portrait(top))
}

/// The row that the user calls so, in a table that is not the first: `before` rows came already.
pub fn position(table: &Table, id: &str, column: Option<&str>, before: usize) -> Result<Option<usize>> {
    Ok(columns::ids(table, column, before)?.iter().position(|known| known == id))
}

/// No row is called so.
pub fn no_such_row(id: &str) -> Error {
    let text = format!("no row has the id `{id}`; check it, and name the column of ids with ");
    let message = Message::new(&codes::NO_SUCH_ROW, text).setting(Setting::with("id_column", "COLUMN"));
    Error::data(message.text(" if they stand in another one").field("id", id))
}
