//! `likewise.update`.

use likewise::questions::update::Update;
use pyo3::prelude::*;

use crate::errors::to_python;
use crate::model::Model;
use crate::running::{Settings, run};
use crate::wording::{Told, notes};

/// A model with new marks: corrected by them alone, or learned again where there is a pile.
#[pyfunction]
pub fn update<'py>(
    py: Python<'py>,
    model: &Model,
    like: Option<&Bound<'py, PyAny>>,
    unlike: Option<&Bound<'py, PyAny>>,
    pile: Option<&Bound<'py, PyAny>>,
    id: Option<String>,
    settings: &Settings,
) -> PyResult<(Model, Vec<String>, Vec<Told>)> {
    let table = |rows: Option<&Bound<'py, PyAny>>, called: &str| {
        rows.map(|rows| model.table(rows, called)).transpose()
    };
    let question = Update { like: table(like, "like")?, unlike: table(unlike, "unlike")?, id, seed: None };
    let pile = table(pile, "the pile")?;
    let again = model.again().map_err(|e| to_python(py, e))?;
    let (trained, lines, said) = run(py, settings, |run| match pile {
        None => {
            let updated = question.correct(again, run)?;
            let line = updated.line();
            Ok((updated.trained, vec![line], updated.notes))
        }
        Some(pile) => {
            let found = question.learn(&again, pile, run)?;
            let lines = found.lines();
            Ok((found.trained, lines, found.notes))
        }
    })?;
    Ok((Model::new(trained), lines, notes(&said)))
}
