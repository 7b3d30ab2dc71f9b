//! The convergence stage of mapping-convergence (Yu 2003, Figure 4): SVMs that close in on the positives.
//!
//! Each SVM of the positives P against the negatives N calls some of the undecided pile rows negative; they join
//! N, and the next SVM is learned, until none does. The reset of SVMC keeps of N only the support vectors.
//!
//! Three safeguards: the guard steps back to the SVM before the one that rejects too many of P; the reset can
//! remember the support vectors of every SVM so far, so that far regions keep some support; the refit learns a
//! last SVM from every negative found.

use crate::codes;
use crate::data::PuData;
use crate::error::Result;
use crate::note::Note;
use crate::parts::svm::{Kernel, MarginModel, Svm, SvmFit};
use crate::run::Run;

/// The SVM of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    Nu(f64),
    C(f64),
}

/// The negatives that go on from one SVM to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// SMC: every negative found.
    All,
    /// SVMC as printed: the support vectors of the last SVM.
    Support,
    /// The support vectors of any SVM so far.
    SupportOfAny,
}

#[derive(Clone, Debug)]
pub struct Convergence {
    pub kernel: Kernel,
    pub form: Form,
    /// Which negatives go on to the next SVM.
    pub carried: Carried,
    /// Each SVM starts from the dual variables of the one before.
    pub warm: bool,
    /// The share of the positives that an SVM may reject.
    pub guard: Option<f64>,
    pub refit: bool,
    pub most_iterations: usize,
}

pub struct Converged {
    pub model: MarginModel,
    pub iterations: usize,
    /// Pile rows found negative.
    pub negatives: usize,
    pub notes: Vec<Note>,
}

/// One SVM of the stage and the rows it was learned from, positives first.
struct Step {
    rows: Vec<usize>,
    fit: SvmFit,
}

impl Step {
    /// Its dual variables by row of the training data, to start the next SVM from.
    fn keep(&self, beta: &mut [f64]) {
        beta.fill(0.0);
        self.rows.iter().zip(&self.fit.beta).for_each(|(&i, b)| beta[i] = *b);
    }
}

impl Convergence {
    pub fn run(&self, train: &PuData, strong: Vec<usize>, run: &Run) -> Result<Converged> {
        let positives = train.positives();
        let mut notes = Vec::new();
        let mut decided = vec![false; train.positive.len()];
        strong.iter().for_each(|&i| decided[i] = true);
        let mut undecided: Vec<usize> = train.unlabeled().into_iter().filter(|&i| !decided[i]).collect();
        let mut negatives = strong.clone();
        let mut found = strong;
        // The dual variables of the last SVM by row of the training data.
        let mut beta = vec![0.0; train.positive.len()];
        let mut supports = vec![false; train.positive.len()];
        let mut kept: Option<Step> = None;
        let mut iterations = 0;
        let mut found_before = found.len();
        loop {
            run.step("closing in", iterations as u64, self.most_iterations as u64)?;
            let step = self.learn(train, &positives, &negatives, &beta, &mut notes, run)?;
            iterations += 1;
            let rejected = step.fit.margins[..positives.len()].iter().filter(|m| **m < 0.0).count();
            let too_many = |share: f64| rejected as f64 > share * positives.len() as f64;
            if kept.is_some() && self.guard.is_some_and(too_many) {
                let text = format!(
                    "SVM {iterations} rejects {rejected} of {} positives; the one before it is kept",
                    positives.len()
                );
                notes.push(Note::info(&codes::LEARNED, text));
                found.truncate(found_before);
                break;
            }
            let joins = self.called_negative(train, &step, &mut undecided)?;
            if self.carried != Carried::All {
                if self.carried == Carried::Support {
                    supports.fill(false);
                }
                let weights = step.rows.iter().zip(&step.fit.beta);
                weights.filter(|(_, b)| **b != 0.0).for_each(|(&i, _)| supports[i] = true);
                negatives.retain(|&i| supports[i]);
            }
            if self.warm {
                step.keep(&mut beta);
            }
            kept = Some(step);
            if joins.is_empty() || iterations == self.most_iterations {
                break;
            }
            found_before = found.len();
            negatives.extend(&joins);
            found.extend(&joins);
        }
        let mut last = kept.expect("the first SVM is always kept");
        if self.refit && last.rows.len() < positives.len() + found.len() {
            last = self.learn(train, &positives, &found, &beta, &mut notes, run)?;
        }
        let model = last.fit.model.numbered_by(&last.rows).into();
        Ok(Converged { model, iterations, negatives: found.len(), notes })
    }

    /// Takes from the undecided rows those that the SVM calls negative.
    fn called_negative(&self, train: &PuData, step: &Step, undecided: &mut Vec<usize>) -> Result<Vec<usize>> {
        let margins = MarginModel::from(step.fit.model.clone()).margins(&train.x.select(undecided))?;
        let mut at = margins.iter();
        let joins = undecided.extract_if(.., |_| at.next().is_some_and(|m| *m < 0.0));
        Ok(joins.collect())
    }

    fn learn(
        &self,
        train: &PuData,
        positives: &[usize],
        negatives: &[usize],
        beta: &[f64],
        notes: &mut Vec<Note>,
        run: &Run,
    ) -> Result<Step> {
        let rows: Vec<usize> = positives.iter().chain(negatives).copied().collect();
        let labels: Vec<bool> = (0..rows.len()).map(|k| k < positives.len()).collect();
        let start: Vec<f64> = rows.iter().map(|&i| beta[i]).collect();
        let x = train.x.select(&rows);
        let svm = Svm::new(self.kernel);
        if let Form::Nu(nu) = self.form {
            // Half of ν n must fit into either class.
            let most = 0.999 * 2.0 * positives.len().min(negatives.len()) as f64 / rows.len() as f64;
            let mut tried = nu.min(most);
            while tried <= most {
                if let Some(fit) = svm.classify_nu(&x, &labels, tried, Some(&start), run)?.fit {
                    if tried != nu {
                        let text =
                            format!("nu = {tried:.4} was taken: {nu} leaves no margin between these rows");
                        push_once(notes, Note::info(&codes::LEARNED, text));
                    }
                    return Ok(Step { rows, fit });
                }
                tried *= 2.0;
            }
            let text =
                "positives and negatives cannot be told apart by any nu; the SVM was learned with C = 1";
            push_once(notes, Note::warning(&codes::POORLY_LEARNED, text));
        }
        let c = if let Form::C(c) = self.form { c } else { 1.0 };
        let fit = svm.classify(&x, &labels, &vec![c; rows.len()], Some(&start), run)?;
        Ok(Step { rows, fit })
    }
}

fn push_once(notes: &mut Vec<Note>, note: Note) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Dense};
    use std::sync::Arc;

    /// Ten positives around 0, a pile from -10 to 10 in steps of 0.5.
    fn line() -> PuData {
        let values = (0..10).map(|i| (i as f32 - 4.5) / 10.0).chain((0..41).map(|i| (i as f32 - 20.0) / 2.0));
        let x = Data::Dense(Arc::new(Dense::new(51, 1, values.collect()).unwrap()));
        PuData::new(x, (0..51).map(|i| i < 10).collect()).unwrap()
    }

    fn stage() -> Convergence {
        Convergence {
            kernel: Kernel::Rbf { gamma: 0.5 },
            form: Form::C(10.0),
            carried: Carried::SupportOfAny,
            warm: true,
            guard: None,
            refit: true,
            most_iterations: 50,
        }
    }

    #[test]
    fn the_boundary_closes_in_from_both_sides() {
        let ways = [
            (Carried::All, true),
            (Carried::All, false),
            (Carried::Support, true),
            (Carried::Support, false),
            (Carried::SupportOfAny, true),
        ];
        for (carried, warm) in ways {
            for form in [Form::C(10.0), Form::Nu(0.01)] {
                let stage = Convergence { carried, warm, form, ..stage() };
                let found = stage.run(&line(), vec![10, 50], &Run::new(0)).unwrap();
                let margins = found.model.margins(&line().x).unwrap();
                assert!(margins[..10].iter().all(|m| *m > 0.0), "{carried:?} {form:?}");
                assert!(
                    margins[10] < 0.0 && margins[20] < 0.0 && margins[40] < 0.0,
                    "{carried:?} {form:?} {margins:?}"
                );
                assert!(
                    found.iterations > 1 && found.negatives > 20,
                    "{carried:?} {form:?} {}",
                    found.negatives
                );
            }
        }
    }

    #[test]
    fn the_guard_steps_back_when_positives_are_rejected() {
        // No gap in the pile, which goes on through the positives: nothing stops the boundary before them.
        let values = (0..10).map(|i| i as f32).chain((0..121).map(|i| i as f32 / 3.0)).collect();
        let x = Data::Dense(Arc::new(Dense::new(131, 1, values).unwrap()));
        let train = PuData::new(x, (0..131).map(|i| i < 10).collect()).unwrap();
        let wild = Convergence { kernel: Kernel::Linear, form: Form::C(0.01), refit: false, ..stage() };
        let guarded = Convergence { guard: Some(0.01), ..wild.clone() };
        let lost = |found: &Converged| {
            found.model.margins(&train.x).unwrap()[..10].iter().filter(|m| **m < 0.0).count()
        };
        let (wild, guarded) = (
            wild.run(&train, vec![130], &Run::new(0)).unwrap(),
            guarded.run(&train, vec![130], &Run::new(0)).unwrap(),
        );
        assert!(lost(&wild) > 1 && lost(&guarded) == 0, "{} {}", lost(&wild), lost(&guarded));
        assert!(wild.notes.is_empty() && guarded.notes.len() == 1, "{:?}", guarded.notes);
        assert!(guarded.negatives < wild.negatives);
    }

    #[test]
    fn equal_rows_in_both_classes_are_survived() {
        let x = Data::Dense(Arc::new(Dense::new(8, 1, vec![1.0; 8]).unwrap()));
        let train = PuData::new(x, (0..8).map(|i| i < 4).collect()).unwrap();
        let stage = Convergence { form: Form::Nu(0.01), ..stage() };
        let found = stage.run(&train, vec![4, 5], &Run::new(0)).unwrap();
        assert!(found.model.margins(&train.x).unwrap().iter().all(|m| m.is_finite()));
        assert!(found.notes.iter().any(|n| n.is_warning()), "{:?}", found.notes);
    }
}
