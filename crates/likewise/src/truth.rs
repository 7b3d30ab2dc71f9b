//! What rows are in truth, from a table of labels: to measure answers, and to learn the ideal they are compared with.

use hashbrown::HashMap;

use crate::data::Table;
use crate::error::{Error, Result};
use crate::problem::{Problem, ids, marked};

/// Whether each row, by what the user calls it, is truly positive.
pub struct Truth {
    labels: HashMap<String, bool, foldhash::fast::FixedState>,
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
        for (row, id) in ids(table, id, 0)?.into_iter().enumerate() {
            let positive = marked[row];
            if labels.insert(id, positive).is_some_and(|before| before != positive) {
                let place = table.place(row);
                return Err(Error::data(format!(
                    "{place}: this id stood before with another label; name a column of unique ids with --id"
                )));
            }
        }
        Ok(Truth { labels })
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The true label of row `row` of `table`, which the user calls `id`.
    pub fn of_row(&self, table: &Table, row: usize, id: &str) -> Result<bool> {
        self.labels.get(id).copied().ok_or_else(|| {
            let place = table.place(row);
            Error::data(format!(
                "{place}: the truth has no row with id `{id}`; give the file that holds the labels of these rows, or name its id column with --id"
            ))
        })
    }

    /// The true label of every row of a problem. The positives are taken at their word.
    pub fn of_problem(&self, problem: &Problem) -> Result<Vec<bool>> {
        let label = |row: usize| match problem.positive[row] {
            true => Ok(true),
            false => self.of_row(&problem.table, row, &problem.ids[row]),
        };
        (0..problem.positive.len()).map(label).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;
    use crate::problem::Choice;

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
        let problem = Problem::of_two(like.clone(), pile, &Choice::default()).unwrap();
        assert_eq!(truth.of_problem(&problem).unwrap(), [true, false, true]);
        let other = table(&[("id", &["s"]), ("text", &["parcel"])]);
        let problem = Problem::of_two(like, other, &Choice::default()).unwrap();
        let message = truth.of_problem(&problem).unwrap_err().to_string();
        assert!(message.contains("no row with id `s`"), "{message}");
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
