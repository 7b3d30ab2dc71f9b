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
        self.view_beside(&[], words, spec, run)
    }

    /// The same beside others of these rows.
    fn view_beside(&self, made: &[Made], words: &WordOptions, spec: &Spec, run: &Run) -> Result<View> {
        match &self.content {
            Content::Table { table, input } => {
                let input = input.knowing(made.iter().map(|(_, view)| (&view.features, &view.x)))?;
                let (features, x, notes) = Features::fit(table, &input, words, spec, run)?;
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
        let view = Arc::new(self.problem.view_beside(&made, self.words, spec, self.run)?);
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::data::Table;
    use crate::features::embedding::Embedding;
    use crate::questions::ColumnChoice;
    use crate::registry::find;

    /// Tells lengths and capitals of texts, and counts the texts it was given.
    #[derive(Debug, Default)]
    struct Counting(AtomicUsize);

    impl Embedding for Counting {
        fn name(&self) -> &str {
            "counting"
        }

        fn hash(&self) -> &str {
            "00"
        }

        fn width(&self) -> usize {
            2
        }

        fn add(&self, texts: &[&str], vectors: &mut [f32]) {
            self.0.fetch_add(texts.len(), Ordering::Relaxed);
            for (text, vector) in texts.iter().zip(vectors.chunks_exact_mut(2)) {
                let capitals = text.bytes().filter(u8::is_ascii_uppercase).count();
                vector.copy_from_slice(&[text.len() as f32, -(capitals as f32)]);
            }
        }
    }

    /// The numbers of the rows, absent ones left out.
    fn numbers(x: &Data) -> Vec<Vec<(usize, f32)>> {
        let dense = |row: &[f32]| row.iter().copied().enumerate().collect();
        match x {
            Data::Dense(x) => x.iter_rows().map(dense).collect(),
            Data::Sparse(x) => x.iter_rows().map(|row| row.iter().collect()).collect(),
            Data::Relational(_) => Vec::new(),
        }
    }

    #[test]
    fn a_text_is_embedded_once_for_all_views() {
        let like = Table::from_texts("text", ["refund my Money", "money BACK please"]);
        let pile = Table::from_texts("text", ["late Parcel", "a refund", "LOST", ""]);
        let (words, run) = (WordOptions::default(), Run::new(0));
        for order in [["nb", "logistic", "forest"], ["forest", "nb", "logistic"]] {
            let embedding = Arc::new(Counting::default());
            let choice = ColumnChoice { embedding: Some(embedding.clone()), ..ColumnChoice::default() };
            let problem = Problem::of_two(like.clone(), pile.clone(), &choice).unwrap();
            let views = Views::new(&problem, &words, &run);
            let specs = order.map(|name| find(name).unwrap().spec());
            let made = specs.each_ref().map(|spec| views.of(spec).unwrap());
            assert_eq!(embedding.0.load(Ordering::Relaxed), 6);
            assert_eq!(made.iter().filter(|view| view.features.has_vectors()).count(), 2);
            for (spec, view) in specs.iter().zip(made) {
                let alone = problem.view(&words, spec, &run).unwrap();
                assert_eq!(numbers(&view.x), numbers(&alone.x));
                // What is kept makes the vectors of other tables.
                let other = Table::from_texts("text", ["Refund late parcel"]);
                let of_other = |view: &View| numbers(&view.features.transform(&other, &run).unwrap().0);
                assert_eq!(of_other(&view), of_other(&alone));
            }
        }
    }
}
