//! Tables as text: ours, the spread, and where the paper prints a number, that number and the difference.

use likewise::figures::count;

use crate::paper::{Cell, Numbers, Paper, PaperTable};

/// Everything a terminal shows of one paper.
pub fn show(paper: &Paper, cells: &[Cell]) -> String {
    let mut out = format!("{}\n{}\n", paper.title, "=".repeat(paper.title.chars().count()));
    for table in paper.tables {
        out += &show_table(table, cells);
    }
    let checked = checked(paper, cells);
    if !checked.is_empty() {
        out += "\nWhat the paper says, and whether these numbers show it\n";
        for (text, holds) in checked {
            out += &format!("  {}  {text}\n", if holds { "held    " } else { "did not " });
        }
    }
    for (title, lines) in [("Found while trying it", paper.findings), ("Not run", paper.missing)] {
        if !lines.is_empty() {
            out += &format!("\n{title}\n");
            out += &lines.iter().map(|line| format!("  - {line}\n")).collect::<String>();
        }
    }
    out
}

/// What each paper says that could be checked, and whether its cells show it.
fn checked(paper: &Paper, cells: &[Cell]) -> Vec<(&'static str, bool)> {
    let numbers = Numbers(cells);
    paper.claims.iter().filter_map(|claim| Some((claim.text, (claim.holds)(&numbers)?))).collect()
}

/// A line for each paper: how much was run, how much of it has a printed number, how many claims held.
pub fn summary(papers: &[&Paper], cells: &[Cell]) -> String {
    let widest = papers.iter().map(|paper| paper.name.len()).max().unwrap_or(0);
    let mut out = format!("{:widest$}  {:>6}  {:>12}  claims that held\n", "", "cells", "with printed");
    for paper in papers {
        let own: Vec<Cell> = cells.iter().filter(|cell| cell.paper == paper.name).cloned().collect();
        let printed = own.iter().filter(|cell| cell.paper_value.is_some()).count();
        let claims = checked(paper, &own);
        let held = claims.iter().filter(|(_, holds)| *holds).count();
        let (name, all) = (paper.name, claims.len());
        out += &format!("{name:widest$}  {:>6}  {printed:>12}  {held} of {all}\n", count(own.len()));
    }
    out
}

/// One block for each metric of a table.
pub fn show_table(table: &PaperTable, cells: &[Cell]) -> String {
    let cells: Vec<&Cell> = cells.iter().filter(|cell| cell.table == table.name).collect();
    let mut out = String::new();
    for metric in distinct(cells.iter().map(|cell| cell.metric.as_str())) {
        let of_metric: Vec<&Cell> = cells.iter().copied().filter(|cell| cell.metric == metric).collect();
        out += &format!("\n{}: {metric} ({})\n", table.title, trials(&of_metric));
        out += &block(&of_metric, table.digits);
    }
    if !out.is_empty() && !table.note.is_empty() {
        out += &format!("{}\n", table.note);
    }
    out
}

/// How many trials are behind each of these.
pub fn trials(cells: &[&Cell]) -> String {
    let fewest = cells.iter().map(|cell| cell.trials).min().unwrap_or(0);
    let most = cells.iter().map(|cell| cell.trials).max().unwrap_or(0);
    match (fewest, most) {
        (1, 1) => "one trial".into(),
        (a, b) if a == b => format!("{a} trials"),
        (a, b) => format!("{a} to {b} trials"),
    }
}

fn block(cells: &[&Cell], digits: usize) -> String {
    let rows = distinct(cells.iter().map(|cell| cell.row.as_str()));
    let columns = distinct(cells.iter().map(|cell| cell.column.as_str()));
    let text = |row: &str, column: &str| {
        let cell = cells.iter().find(|cell| cell.row == row && cell.column == column);
        cell.map_or(String::new(), |cell| in_words(cell, digits))
    };
    let widths: Vec<usize> = columns
        .iter()
        .map(|column| {
            let widest = rows.iter().map(|row| text(row, column).chars().count()).max().unwrap_or(0);
            widest.max(column.chars().count())
        })
        .collect();
    let first = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
    let mut out = format!("  {:first$}", "");
    for (column, width) in columns.iter().zip(&widths) {
        out += &format!("  {column:>width$}");
    }
    out.push('\n');
    for row in &rows {
        let mut line = format!("  {row:first$}");
        for (column, width) in columns.iter().zip(&widths) {
            line += &format!("  {:>width$}", text(row, column));
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// `.412±.021 (.770 -.358)`: ours, its spread, the paper's, the difference.
pub fn in_words(cell: &Cell, digits: usize) -> String {
    let mut out = number(cell.value, digits);
    if let Some(spread) = cell.spread() {
        out += &format!("±{}", number(spread, digits));
    }
    if let (Some(paper), Some(difference)) = (cell.paper_value, cell.difference()) {
        let sign = if difference < 0.0 { "-" } else { "+" };
        out += &format!(" ({} {sign}{})", number(paper, digits), number(difference.abs(), digits));
    }
    out
}

/// Shares, which have several digits, stand without the zero before the point, as tables print them.
pub fn number(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    if digits < 2 {
        return text;
    }
    match text.strip_prefix("0.") {
        Some(rest) => format!(".{rest}"),
        None => text.strip_prefix("-0.").map_or(text.clone(), |rest| format!("-.{rest}")),
    }
}

/// Each name once, in the order of first sight.
pub fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut out: Vec<&str> = Vec::new();
    for name in names {
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: PaperTable =
        PaperTable { name: "t", title: "Table 1", note: "Mind the gap.", digits: 3, axis: None };

    #[test]
    fn a_line_sums_a_paper_up() {
        const PAPER: Paper = Paper {
            name: "p",
            title: "P",
            tables: &[TABLE],
            claims: &[
                crate::Claim { text: "above", holds: |n| Some(n.ours("t", "lgn", "5", "F")? > 0.4) },
                crate::Claim { text: "below", holds: |n| Some(n.ours("t", "lgn", "5", "F")? < 0.4) },
                crate::Claim { text: "not run", holds: |n| Some(n.ours("t", "none", "5", "F")? < 0.4) },
            ],
            findings: &[],
            missing: &[],
            reproduce: |_| Ok(Vec::new()),
        };
        let cell =
            |paper: &str, printed| Cell::new(paper, "t", "lgn", "5", "F").printed(printed).of(&[(0.5, 1.0)]);
        let cells = [cell("p", Some(0.4)).unwrap(), cell("other", None).unwrap()];
        let text = summary(&[&PAPER], &cells);
        let words: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!(words, ["p", "1", "1", "1", "of", "2"]);
    }

    #[test]
    fn the_papers_number_stands_beside_ours() {
        let cell = |row: &str, column: &str| Cell::new("p", "t", row, column, "F");
        let cells = [
            cell("lgn", "5").printed(Some(0.77)).of(&[(0.4, 0.1), (0.5, 0.1)]).unwrap(),
            cell("s-em", "10").of(&[(1.0, 0.1)]).unwrap(),
        ];
        let text = show_table(&TABLE, &cells);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "Table 1: F (1 to 2 trials)");
        assert_eq!(lines[2].split_whitespace().collect::<Vec<_>>(), ["5", "10"]);
        assert_eq!(lines[3].trim(), "lgn   .450±.071 (.770 -.320)");
        assert_eq!(lines[4].split_whitespace().collect::<Vec<_>>(), ["s-em", "1.000"]);
        assert_eq!(lines[5], "Mind the gap.");
    }
}
