//! The two tables as text.

use super::{MEAN, PRIORS, SYSTEMS};
use crate::Cell;

/// Systems with their F1 on every task and precision and recall over all; then the errors of the priors.
pub fn show(cells: &[Cell]) -> String {
    let mut out =
        String::from("F1 of each system on the target (mean over the trials), P and R over all tasks\n");
    out += &table(cells, SYSTEMS, "f1", &["precision", "recall"]);
    out += "\nAbsolute error of each estimate of the prior, and its bias over all tasks\n";
    out += &table(cells, PRIORS, "absolute error", &["bias"]);
    out
}

fn table(cells: &[Cell], table: &str, metric: &str, extra: &[&str]) -> String {
    let of_table = || cells.iter().filter(|cell| cell.table == table);
    let mut rows: Vec<&str> = Vec::new();
    let mut columns: Vec<&str> = Vec::new();
    for cell in of_table() {
        if !rows.contains(&cell.row.as_str()) {
            rows.push(&cell.row);
        }
        if !columns.contains(&cell.column.as_str()) {
            columns.push(&cell.column);
        }
    }
    let value = |row: &str, column: &str, metric: &str| {
        let cell = of_table().find(|c| c.row == row && c.column == column && c.metric == metric);
        cell.map_or("-".into(), |cell| format!("{:.3}", cell.value))
    };
    let width = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
    let mut out = format!("{:width$}", "");
    for name in columns.iter().chain(extra) {
        out += &format!("  {name:>9}");
    }
    out.push('\n');
    for row in rows {
        out += &format!("{row:width$}");
        for column in &columns {
            out += &format!("  {:>9}", value(row, column, metric));
        }
        for metric in extra {
            out += &format!("  {:>9}", value(row, MEAN, metric));
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_stand_in_order() {
        let cell = |row: &str, column: &str, metric, value| Cell {
            paper: "onb",
            table: PRIORS,
            row: row.into(),
            column: column.into(),
            metric,
            paper_value: None,
            value,
            sd: 0.0,
            trials: 1,
            seconds: 0.0,
            method: String::new(),
            parameters: Default::default(),
        };
        let cells = [
            cell("bbe", "sms", "absolute error", 0.1),
            cell("bbe", MEAN, "absolute error", 0.1),
            cell("bbe", MEAN, "bias", -0.05),
            cell("median", "sms", "absolute error", 0.02),
        ];
        let text = table(&cells, PRIORS, "absolute error", &["bias"]);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0], ["sms", "mean", "bias"]);
        assert_eq!(lines[1], ["bbe", "0.100", "0.100", "-0.050"]);
        assert_eq!(lines[2], ["median", "0.020", "-", "-"]);
    }
}
