//! The report of an automatic answer: what was found, how sure, and where to look.

use std::ops::Range;

use likewise::decide::is_positive;
use likewise::message::Setting;
use likewise::method::Summary;
use likewise::probability::Probability;
use likewise::questions::{Problem, Ranking};

use crate::chart::{Axes, Line, histogram, lines};
use crate::page::Page;

/// One row of the pile as the report shows it.
pub struct Row {
    pub id: String,
    pub score: f64,
    /// How probable it is, where that was asked for.
    pub probability: Option<Probability>,
    pub text: String,
}

impl Row {
    /// The row that stands there in the ranking.
    pub fn of(ranking: &Ranking, problem: &Problem, at: usize) -> Row {
        Row {
            id: ranking.ids[at].to_string(),
            score: ranking.scores[at],
            probability: ranking.probabilities.as_ref().map(|known| known[at]),
            text: problem.glance(ranking.rows[at]),
        }
    }
}

/// What the report needs besides the summary.
pub struct Found<'a> {
    /// The pile, best first.
    pub rows: &'a [Row],
    /// What speaks most for the class and against it, strongest first.
    pub features: &'a [(String, f64)],
    pub summary: &'a Summary,
    /// How the door that shows the page words settings.
    pub word: &'a dyn Fn(&Setting) -> String,
}

/// Rows in each of the three lists.
const SHOWN: usize = 10;

/// The report as a file.
pub fn page(found: &Found<'_>) -> String {
    let scores: Vec<f64> = found.rows.iter().map(|row| row.score).collect();
    let mut page = Page::new(TITLE);
    answer(&mut page, found.summary, &scores, found.word);
    if !found.features.is_empty() {
        page.heading("What matters most");
        let rows: Vec<Vec<String>> =
            found.features.iter().map(|(name, push)| vec![name.clone(), format!("{push:+.3}")]).collect();
        page.table(&["feature", "push"], &rows);
    }
    lists(&mut page, found);
    page.heading("Assumptions");
    page.paragraph("Your examples are a random draw of the class: every member of it was equally likely to be among them. If only one kind of it was, the rest is underestimated; that they are the typical ones is looked for, and said above where it looks like that.");
    page.paragraph("No negative was seen. Rows that look exactly like positives count as positives; how many positives there are is therefore known only from above, and so is precision.");
    page.html()
}

/// Lines and charts of the report without its rows, to stand in a page of somebody else; without scores, no chart of
/// them.
pub fn fragment(summary: &Summary, scores: &[f64], word: &dyn Fn(&Setting) -> String) -> String {
    let mut page = Page::new(TITLE);
    answer(&mut page, summary, scores, word);
    page.fragment()
}

const TITLE: &str = "What likewise found";

/// What was found, how sure that is, and what was tried.
fn answer(page: &mut Page, summary: &Summary, scores: &[f64], word: &dyn Fn(&Setting) -> String) {
    for line in summary.lines() {
        page.paragraph(&line);
    }
    for warning in &summary.warnings {
        page.warning(&warning.render(word));
    }
    if !scores.is_empty() {
        page.heading("Scores of the pile");
        page.figure(
            &histogram("Scores of the pile", "score", "rows", scores, 0.5),
            "Rows to the right of the cut are marked. The height is logarithmic.",
        );
    }
    if !summary.recall_curve.is_empty() {
        page.heading("How much of the class is found");
        page.figure(
            &recall_chart(summary),
            "Share of all positives found when the best share of the pile is accepted, with its 95 % band.",
        );
    }
    if !summary.candidates.is_empty() {
        page.heading("What was tried");
        let number = |value: f64| format!("{value:.3}");
        let rows: Vec<Vec<String>> = (summary.candidates.iter())
            .map(|c| vec![c.method.clone(), number(c.pu_auc), number(c.estimated_f1), number(c.partial_auc)])
            .collect();
        page.table(&["method", "PU-AUC", "estimated F1", "partial AUC"], &rows);
        let chosen = if summary.candidates.len() > 1 { " The first was chosen." } else { "" };
        page.paragraph(&format!(
            "Each column judges where the method ranked examples that were hidden in the pile.{chosen}"
        ));
    }
}

fn recall_chart(summary: &Summary) -> String {
    let points = summary.recall_curve.iter().map(|[q, recall, ..]| (*q, *recall)).collect();
    let band = summary.recall_curve.iter().map(|[_, _, low, high]| (*low, *high)).collect();
    let axes =
        Axes { x_label: "share of the pile accepted", y_label: "recall", x: (0.0, 1.0), y: (0.0, 1.0) };
    lines(
        "Recall against the share accepted",
        &axes,
        &[Line { name: "recall", points, band }],
        Some((summary.cut, "cut")),
    )
}

/// Which places of a ranking the report lists: the surest, the last above the cut, the nearest misses. Ascending.
pub fn listed(scores: &[f64]) -> [Range<usize>; 3] {
    let marked = scores.iter().filter(|score| is_positive(**score)).count();
    let surest = marked.min(SHOWN);
    [0..surest, marked.saturating_sub(SHOWN).max(surest)..marked, marked..(marked + SHOWN).min(scores.len())]
}

fn lists(page: &mut Page, found: &Found<'_>) {
    let scores: Vec<f64> = found.rows.iter().map(|row| row.score).collect();
    let mut list = |title: &str, rows: &[Row]| {
        if rows.is_empty() {
            return;
        }
        page.heading(title);
        let cells = |row: &Row| {
            let mut cells = vec![row.id.clone(), format!("{:.3}", row.score)];
            cells.extend(row.probability.map(|probability| probability.to_string()));
            cells.push(beginning(&row.text));
            cells
        };
        let mut head = vec!["id", "score"];
        head.extend(rows[0].probability.map(|_| "probability"));
        head.push("row");
        page.table(&head, &rows.iter().map(cells).collect::<Vec<_>>());
    };
    let titles = ["The surest", "The last above the cut", "The nearest misses"];
    for (title, places) in titles.into_iter().zip(listed(&scores)) {
        list(title, &found.rows[places]);
    }
}

fn beginning(text: &str) -> String {
    const LENGTH: usize = 240;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= LENGTH { words } else { words.chars().take(LENGTH).chain(['…']).collect() }
}
