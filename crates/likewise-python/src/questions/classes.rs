//! `likewise.find` for several classes.

use likewise::data::Table;
use likewise::questions::classes::{Class, ClassExamples};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use super::find::{Left, left};
use super::{Ending, Reading, has_ids, question};
use crate::model::Model;
use crate::only_text::agree;
use crate::rows::table_of;
use crate::running::{Settings, run};
use crate::summary::Summary;
use crate::wording::{Told, notes};

/// Of a class: its model, what is said of it, and notes.
type OfClass = (Model, Option<Summary>, Vec<Told>);

/// Positions of the pile's rows best first, the best class of each, whether it is marked for that, the scores of each class,
/// what is known of each class, plain lines, what takes no part, and notes.
type Answer<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<bool>>,
    Vec<Bound<'py, PyArray1<f64>>>,
    Vec<OfClass>,
    Vec<String>,
    Vec<Left>,
    Vec<Told>,
);

/// Examples of each class and the pile as tables.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn find_classes<'py>(
    py: Python<'py>,
    method: &str,
    given: &str,
    names: Vec<String>,
    positives: Vec<Bound<'py, PyAny>>,
    pile: &Bound<'py, PyAny>,
    ending: Ending,
    reading: Reading,
    settings: &Settings,
) -> PyResult<Answer<'py>> {
    let question = question(py, method, given, ending, &reading)?;
    let mut examples = Vec::new();
    for (name, rows) in names.into_iter().zip(&positives) {
        let like = table_of(rows, &name)?;
        examples.push(ClassExamples { name, like });
    }
    let mut pile = table_of(pile, "the pile")?;
    let mut choice = reading.choice(py)?;
    let have_ids = has_ids(&pile, &choice);
    let found = run(py, settings, |run| {
        let mut tables: Vec<&mut Table> = examples.iter_mut().map(|class| &mut class.like).collect();
        tables.push(&mut pile);
        agree(&mut tables, &mut choice, None);
        question.classes(examples, pile, &choice, run)
    })?;
    let lines = found.lines();
    let integers = |of: &[usize]| of.iter().map(|&at| at as i64).collect::<Vec<_>>().into_pyarray(py);
    let of_class = |(class, scores): (Class, &Vec<f64>)| {
        let summary = class.summary.map(|said| Summary::new(said, Some(scores.clone())));
        (Model::new(class.trained), summary, notes(&class.notes))
    };
    Ok((
        integers(&found.positions),
        integers(&found.best),
        found.positive.clone().into_pyarray(py),
        found.scores.iter().map(|scores| scores.clone().into_pyarray(py)).collect(),
        found.classes.into_iter().zip(&found.scores).map(of_class).collect(),
        lines,
        left(&found.left_out, have_ids),
        notes(&found.notes),
    ))
}
