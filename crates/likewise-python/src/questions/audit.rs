//! `likewise.audit`.

use likewise::Run;
use likewise::features::words::WordOptions;
use likewise::questions::Problem;
use likewise::questions::audit::ask;
use pyo3::prelude::*;

use super::{Reading, Sides};
use crate::errors::Word;
use crate::related::{Asked, RelatedExamples};
use crate::running::{Settings, run, run_reading};
use crate::wording::{self, Told, notes_in};

/// The findings as JSON, positions of the rows of each strange group, the findings in plain lines, warnings, notes.
type Findings = (String, Vec<Vec<usize>>, Vec<String>, Vec<Told>, Vec<Told>);

/// Looks at the examples and the pile.
#[pyfunction]
pub fn audit<'py>(
    py: Python<'py>,
    positives: &Bound<'py, PyAny>,
    pile: &Bound<'py, PyAny>,
    unlike: Option<&Bound<'py, PyAny>>,
    reading: Reading,
    settings: &Settings,
) -> PyResult<Findings> {
    let words = reading.words(py)?;
    let sides = Sides::read(positives, pile, unlike, &reading)?;
    run(py, settings, |run| findings(&sides.problem()?, &words, wording::parameter, run))
}

/// The same among related tables, whose examples are called by their keys.
#[pyfunction]
pub fn audit_related<'py>(
    py: Python<'py>,
    examples: RelatedExamples<'py>,
    settings: &Settings,
) -> PyResult<Findings> {
    let asked = Asked::read(&examples)?;
    let words = WordOptions::default();
    run_reading(py, settings, |run| Ok(findings(&asked.problem(run)?.0, &words, wording::of_related, run)?))
}

fn findings(problem: &Problem, words: &WordOptions, word: Word, run: &Run) -> likewise::Result<Findings> {
    let (findings, said) = ask(problem, words, run)?;
    let json = serde_json::to_string(&findings).map_err(|e| likewise::Error::data(e.to_string()))?;
    let row = |row: usize| format!("row {}: {}", problem.positions[row], beginning(&problem.glance(row)));
    let lines = findings.lines(row, word);
    let position = |rows: &Vec<usize>| rows.iter().map(|&row| problem.positions[row]).collect();
    let groups = findings.strange_groups.iter().map(|group| position(&group.rows)).collect();
    let warnings = wording::messages_in(&findings.warnings, word);
    Ok((json, groups, lines, warnings, notes_in(&said, word)))
}

fn beginning(text: &str) -> String {
    const LENGTH: usize = 80;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= LENGTH { words } else { words.chars().take(LENGTH).chain(['…']).collect() }
}
