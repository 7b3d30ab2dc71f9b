//! The rows of a problem as each method asks for them, made once.

use std::sync::{Arc, Mutex};

use super::problem::{Content, Problem};
use crate::codes;
use crate::data::{Data, Kind, PuData};
use crate::error::{Error, Result};
use crate::features::{Features, words::WordOptions};
use crate::method::{Spec, Weights};
use crate::methods::prior;
use crate::note::Note;
use crate::run::Run;

/// Rows as numbers, and how they were made.
#[derive(Clone)]
pub struct View {
    /// Fitted on these rows; kept in a model.
    pub features: Features,
    /// The rows under them.
    pub x: Data,
    /// What the user should know of the making.
    pub notes: Vec<Note>,
}

impl Problem {
    /// The rows as this method asks for them.
    pub fn view(&self, words: &WordOptions, spec: &Spec, run: &Run) -> Result<View> {
        match &self.content {
            Content::Table { table, input } => {
                let (features, x, notes) = Features::fit(table, input, words, spec, run)?;
                Ok(View { features, x, notes })
            }
            Content::Related(x) => {
                if !spec.inputs.contains(&Kind::Relational) {
                    return Err(Error::of(
                        &codes::WRONG_KIND,
                        format!("method `{}` does not read related tables; choose one that does", spec.name),
                    ));
                }
                let (target, schema) = (x.background.signature(), x.background.schema.clone());
                let features = Features::Related { target, schema };
                Ok(View { features, x: Data::Relational(Arc::new(x.clone())), notes: Vec::new() })
            }
        }
    }
}

/// Methods that want the same of the rows share them.
pub struct Views<'a> {
    problem: &'a Problem,
    words: &'a WordOptions,
    run: &'a Run,
    made: Mutex<Vec<Made>>,
}

/// What was asked for, and what was given.
pub(super) type Made = ((Weights, &'static [Kind]), Arc<View>);

impl<'a> Views<'a> {
    /// None made yet.
    pub fn new(problem: &'a Problem, words: &'a WordOptions, run: &'a Run) -> Self {
        Views { problem, words, run, made: Mutex::default() }
    }

    /// Those that were made for the same rows under other marks.
    pub(super) fn again(problem: &'a Problem, words: &'a WordOptions, made: Vec<Made>, run: &'a Run) -> Self {
        Views { problem, words, run, made: Mutex::new(made) }
    }

    /// What was made so far.
    pub(super) fn made(&self) -> Vec<Made> {
        self.made.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    /// The rows as this method asks for them.
    pub fn of(&self, spec: &Spec) -> Result<Arc<View>> {
        let wanted = (spec.weights, spec.inputs);
        let mut made = self.made.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((_, view)) = made.iter().find(|(known, _)| *known == wanted) {
            return Ok(view.clone());
        }
        let view = Arc::new(self.problem.view(self.words, spec, self.run)?);
        made.push((wanted, view.clone()));
        Ok(view)
    }

    /// The same with the marks.
    pub fn train(&self, spec: &Spec) -> Result<PuData> {
        self.problem.train(self.of(spec)?.x.clone())
    }
}

impl prior::Views for Views<'_> {
    fn view(&self, spec: &Spec) -> Result<PuData> {
        self.train(spec)
    }
}
