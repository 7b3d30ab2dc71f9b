//! `likewise.audit`.

use likewise::questions::audit::ask;
use pyo3::prelude::*;

use super::{Reading, Sides};
use crate::running::{Settings, run};
use crate::wording::{self, Told, notes};

/// The findings as JSON, positions of the rows of each strange group, the findings in plain lines, warnings, notes.
type Findings = (String, Vec<Vec<usize>>, Vec<String>, Vec<Told>, Vec<Told>);

/// Looks at the examples and the pile.
#[pyfunction]
pub fn audit<'py>(
    py: Python<'py>,
    positives: &Bound<'py, PyAny>,
    pile: &Bound<'py, PyAny>,
    reading: Reading,
    settings: &Settings,
) -> PyResult<Findings> {
    let words = reading.words(py)?;
    let sides = Sides::read(positives, pile, &reading)?;
    let (json, groups, lines, warnings, said) = run(py, settings, |run| {
        let problem = sides.problem()?;
        let (findings, said) = ask(&problem, &words, run)?;
        let json = serde_json::to_string(&findings).map_err(|e| likewise::Error::data(e.to_string()))?;
        let row = |row: usize| format!("row {}: {}", problem.positions[row], beginning(&problem.glance(row)));
        let lines = findings.lines(row, wording::parameter);
        let position = |rows: &Vec<usize>| rows.iter().map(|&row| problem.positions[row]).collect();
        let groups = findings.strange_groups.iter().map(|group| position(&group.rows)).collect();
        Ok((json, groups, lines, wording::warnings(&findings.warnings), said))
    })?;
    Ok((json, groups, lines, warnings, notes(&said)))
}

fn beginning(text: &str) -> String {
    const LENGTH: usize = 80;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= LENGTH { words } else { words.chars().take(LENGTH).chain(['…']).collect() }
}
