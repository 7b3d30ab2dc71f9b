//! The report of a reproduction: each paper's tables with the deviations coloured, its curves, what held and
//! what did not.

use likewise_papers::show::{distinct, number, trials};
use likewise_papers::{Cell, Extent, Numbers, Paper, PaperTable};

use crate::chart::{Curve, curves};
use crate::page::{Page, Tone};

/// What was run.
pub struct Results<'a> {
    pub papers: &'a [&'static Paper],
    pub cells: &'a [Cell],
    /// What kind of run it was; of kept cells only their trials tell.
    pub effort: Option<Extent>,
}

pub fn page(results: &Results<'_>) -> String {
    let mut page = Page::new("Papers rerun by likewise");
    page.paragraph(match results.effort {
        Some(Extent::Quick) => {
            "A quick run: fewer trials than the papers ran. `likewise reproduce --full` runs them all."
        }
        Some(Extent::Full) => "A full run.",
        None => "Kept results; each table says how many trials it holds.",
    });
    page.paragraph("Each cell shows our mean over the trials and its spread; below it what the paper prints and the difference.");
    page.legend(&[
        (Tone::Near, "within .03 of the paper (3 points where it prints percents)"),
        (Tone::Above, "above the paper"),
        (Tone::Below, "below the paper"),
    ]);
    let links: Vec<(String, String)> =
        results.papers.iter().map(|paper| (paper.name.to_string(), paper.title.to_string())).collect();
    page.contents(&links);
    for paper in results.papers {
        let cells: Vec<Cell> =
            results.cells.iter().filter(|cell| cell.paper == paper.name).cloned().collect();
        section(&mut page, paper, &cells);
    }
    page.html()
}

fn section(page: &mut Page, paper: &Paper, cells: &[Cell]) {
    page.chapter(paper.name, paper.title);
    let numbers = Numbers(cells);
    let checked: Vec<Vec<(String, Tone)>> = (paper.claims.iter())
        .filter_map(|claim| {
            let (word, tone) =
                if (claim.holds)(&numbers)? { ("held", Tone::Near) } else { ("did not hold", Tone::Below) };
            Some(vec![(word.into(), tone), (claim.text.into(), Tone::Plain)])
        })
        .collect();
    if !checked.is_empty() {
        page.heading("What the paper says, and whether these numbers show it");
        page.toned_table(&["", "claim"], &checked);
    }
    if !paper.findings.is_empty() {
        page.heading("Found while trying it");
        page.list(paper.findings);
    }
    for table in paper.tables {
        show_table(page, table, cells);
    }
    if !paper.missing.is_empty() {
        page.heading("Not run");
        page.list(paper.missing);
    }
}

fn show_table(page: &mut Page, table: &PaperTable, cells: &[Cell]) {
    let of_table: Vec<&Cell> = cells.iter().filter(|cell| cell.table == table.name).collect();
    if of_table.is_empty() {
        return;
    }
    page.heading(table.title);
    if !table.note.is_empty() {
        page.paragraph(table.note);
    }
    let metrics = distinct(of_table.iter().map(|cell| cell.metric.as_str()));
    for metric in &metrics {
        let of_metric: Vec<&Cell> = of_table.iter().copied().filter(|cell| cell.metric == *metric).collect();
        page.paragraph(&format!("{metric}, {}", trials(&of_metric)));
        let rows = distinct(of_metric.iter().map(|cell| cell.row.as_str()));
        let columns = distinct(of_metric.iter().map(|cell| cell.column.as_str()));
        let find = |row: &str, column: &str| {
            of_metric.iter().find(|cell| cell.row == row && cell.column == column).copied()
        };
        if let Some(axis) = table.axis {
            let lines: Vec<Curve<'_>> = (rows.iter())
                .map(|row| Curve {
                    name: row,
                    values: columns.iter().map(|column| find(row, column).map(|cell| cell.value)).collect(),
                })
                .collect();
            page.figure_with_key(&curves(table.title, axis, metric, &columns, &lines), &rows);
        }
        let head: Vec<&str> = std::iter::once("").chain(columns.iter().copied()).collect();
        let body: Vec<Vec<(String, Tone)>> = (rows.iter())
            .map(|row| {
                let name = (row.to_string(), Tone::Plain);
                let rest = columns.iter().map(|column| match find(row, column) {
                    Some(cell) => (in_two_lines(cell, table.digits), tone(cell, table.digits)),
                    None => (String::new(), Tone::Plain),
                });
                std::iter::once(name).chain(rest).collect()
            })
            .collect();
        page.toned_table(&head, &body);
    }
}

fn in_two_lines(cell: &Cell, digits: usize) -> String {
    let spread = cell.spread().map_or_else(String::new, |spread| format!(" ±{}", number(spread, digits)));
    let ours = format!("{}{spread}", number(cell.value, digits));
    match (cell.paper_value, cell.difference()) {
        (Some(paper), Some(difference)) => {
            let sign = if difference < 0.0 { "−" } else { "+" };
            format!("{ours}\n{} ({sign}{})", number(paper, digits), number(difference.abs(), digits))
        }
        _ => ours,
    }
}

/// Percents are printed with one digit, shares with three.
fn tone(cell: &Cell, digits: usize) -> Tone {
    let near = if digits <= 1 { 3.0 } else { 0.03 };
    match cell.difference() {
        None => Tone::Plain,
        Some(difference) if difference.abs() <= near => Tone::Near,
        Some(difference) if difference > 0.0 => Tone::Above,
        Some(_) => Tone::Below,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deviation_is_coloured_and_a_curve_drawn() {
        let paper = likewise_papers::PAPERS[0];
        let table = paper.tables.iter().find(|table| table.axis.is_some()).unwrap();
        let cell = |column: &str, value, printed| {
            Cell::new(paper.name, table.name, "a <system>", column, "F")
                .printed(printed)
                .of(&[(value, 1.0), (value, 1.0)])
                .unwrap()
        };
        let cells = [cell("5", 20.0, Some(77.0)), cell("10", 30.0, Some(29.0)), cell("15", 40.0, None)];
        let results = Results { papers: &[paper], cells: &cells, effort: Some(Extent::Quick) };
        let html = page(&results);
        assert_eq!(html.matches("<td class=\"below\">").count(), 1);
        assert_eq!(html.matches("<td class=\"near\">").count(), 1);
        assert!(html.contains("77.0 (−57.0)") && html.contains("a &lt;system&gt;"));
        assert!(html.contains("<p>F, 2 trials</p>"));
        assert_eq!(html.matches("<polyline").count(), 1);
        assert!(!html.contains("NaN") && !html.contains("http"));
    }
}
