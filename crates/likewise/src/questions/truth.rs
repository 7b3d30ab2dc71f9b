//! What rows are in truth, from a table of labels: to measure answers, and to learn the ideal they are compared with.

use hashbrown::HashMap;

use super::columns::ids;
use super::label::marked;
use super::problem::Problem;
use crate::codes;
use crate::data::Table;
use crate::error::{Error, Result};
use crate::message::{Message, Setting};

const ID: Setting = Setting::with("id", "COLUMN");

/// Whether each row is truly positive.
///
/// ```
/// use likewise::prelude::*;
/// use likewise::questions::truth::Truth;
/// let truth = Truth::of_label(&Table::from_texts("class", ["spam", "ham"]), None, "class", &["spam"])?;
/// assert!(truth.of_row("1", || "the answer".into())?);
/// # Ok::<(), likewise::Error>(())
/// ```
pub struct Truth {
    labels: Labels,
}

enum Labels {
    /// By what the user calls the row.
    Ids(HashMap<String, bool, foldhash::fast::FixedState>),
    /// By where the row stands in the pile.
    Positions(Vec<bool>),
}

impl Truth {
    /// Rows whose label equals one of the values are positive. An id that stands for rows of either kind decides nothing and
    /// is refused.
    pub fn of_label<S: AsRef<str>>(
        table: &Table,
        id: Option<&str>,
        label: &str,
        values: &[S],
    ) -> Result<Truth> {
        let marked = marked(table, label, values)?;
        let mut labels = HashMap::default();
        for (row, id) in ids(table, id, 0)?.iter().enumerate() {
            let positive = marked[row];
            if labels.insert(id.to_string(), positive).is_some_and(|before| before != positive) {
                let place = table.place(row);
                let text = format!(
                    "{place}: this id stood before with another label; name a column of unique ids with "
                );
                return Err(Error::data(Message::new(&codes::TRUTH_MISSING, text).setting(ID)));
            }
        }
        Ok(Truth { labels: Labels::Ids(labels) })
    }

    /// One for each row of the pile as it was given.
    pub fn of_positions(positive: Vec<bool>) -> Truth {
        Truth { labels: Labels::Positions(positive) }
    }

    /// How many rows are labelled.
    pub fn len(&self) -> usize {
        match &self.labels {
            Labels::Ids(labels) => labels.len(),
            Labels::Positions(labels) => labels.len(),
        }
    }

    /// Whether no row is labelled.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The true label of the row that the user calls `id`; `place` says where that row stands.
    pub fn of_row(&self, id: &str, place: impl FnOnce() -> String) -> Result<bool> {
        let label = match &self.labels {
            Labels::Ids(labels) => labels.get(id).copied(),
            Labels::Positions(_) => None,
        };
        label.ok_or_else(|| {
            let place = place();
            let text = format!(
                "{place}: the truth has no row with id `{id}`; give the labels of these rows, or name their id column with "
            );
            Error::data(Message::new(&codes::TRUTH_MISSING, text).setting(ID).field("id", id))
        })
    }

    /// The true label of every row of a problem. Marks of either kind are taken at their word.
    pub fn of_problem(&self, problem: &Problem) -> Result<Vec<bool>> {
        let label = |row: usize| match (&self.labels, problem.positive[row]) {
            (_, true) => Ok(true),
            _ if problem.unwanted[row] => Ok(false),
            (Labels::Positions(labels), false) => {
                labels.get(problem.positions[row]).copied().ok_or_else(|| {
                    let text = format!(
                        "the truth has {} labels, but the pile has more rows; give one for each",
                        labels.len()
                    );
                    Error::of(&codes::TRUTH_MISSING, text)
                })
            }
            (Labels::Ids(_), false) => self.of_row(&problem.ids[row], || match problem.table() {
                Some(table) => table.place(row),
                None => "the pile".into(),
            }),
        };
        (0..problem.positive.len()).map(label).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::ColumnChoice;
    use super::*;
    use crate::data::Column;

    fn table(columns: &[(&str, &[&str])]) -> Table {
        let mut table = Table::from_source("rows");
        for (name, cells) in columns {
            table.push_column(*name, Column::Text(cells.iter().collect()));
        }
        table.origins = (0..columns[0].1.len()).map(|i| (0, i as u64 + 1)).collect();
        table
    }

    #[test]
    fn pile_rows_are_looked_up_and_positives_taken_at_their_word() {
        let truth = table(&[("id", &["p", "q", "r"]), ("class", &["yes", "no", "yes"])]);
        let truth = Truth::of_label(&truth, None, "class", &["yes"]).unwrap();
        let like = table(&[("id", &["unknown"]), ("text", &["refund"])]);
        let pile = table(&[("id", &["q", "r"]), ("text", &["parcel", "money"])]);
        let problem = Problem::of_two(like.clone(), pile, &ColumnChoice::default()).unwrap();
        assert_eq!(truth.of_problem(&problem).unwrap(), [true, false, true]);
        let other = table(&[("id", &["s"]), ("text", &["parcel"])]);
        let problem = Problem::of_two(like, other, &ColumnChoice::default()).unwrap();
        let message = truth.of_problem(&problem).unwrap_err().to_string();
        assert!(message.contains("no row with id `s`"), "{message}");
    }

    #[test]
    fn labels_by_position_are_those_of_the_pile_as_it_was_given() {
        let like = table(&[("text", &["refund", "money"])]);
        // The first row is a copy of an example and takes no part.
        let pile = table(&[("text", &["refund", "parcel", "cash"])]);
        let problem = Problem::of_two(like, pile, &ColumnChoice::default()).unwrap();
        let truth = Truth::of_positions(vec![true, false, true]);
        assert_eq!(truth.of_problem(&problem).unwrap(), [true, true, false, true]);
        let message = Truth::of_positions(vec![true, false]).of_problem(&problem).unwrap_err().to_string();
        assert!(message.contains("2 labels"), "{message}");
    }

    #[test]
    fn labels_that_decide_nothing_are_refused() {
        let twice = table(&[("id", &["p", "p"]), ("class", &["yes", "no"])]);
        let message = Truth::of_label(&twice, None, "class", &["yes"]).err().unwrap().to_string();
        assert!(message.contains("rows:2") && message.contains("another label"), "{message}");
        let message = Truth::of_label(&twice, None, "class", &["maybe"]).err().unwrap().to_string();
        assert!(message.contains("`maybe` in column `class`"), "{message}");
    }
}
