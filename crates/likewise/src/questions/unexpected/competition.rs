//! Which ranker is taken and where it is cut, by how well each found known classes that were hidden.

use rand::RngExt;
use serde::Serialize;

use super::hidden_classes::{Measured, Rehearsal, rehearsals};
use super::known::{Known, members};
use super::present::Presence;
use super::rankers::{Ranker, View, Views};
use crate::automatic::criteria::{CHANCE, clearly_better};
use crate::codes;
use crate::decide::ranking;
use crate::error::{Error, Result};
use crate::note::Note;
use crate::run::Run;

/// A ranker's own cut looks at the pile at hand, which a cut from elsewhere cannot: only one that is better beyond doubt
/// replaces it.
const DOUBT: f64 = 0.05;
/// So many cuts are tried.
const CUTS: usize = 100;
const RESAMPLES: usize = 1000;

/// How those that were tried found known classes that were hidden in turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Competition {
    /// The classes that were hidden, by name.
    pub hidden: Vec<String>,
    /// How often a class was hidden.
    pub rehearsals: usize,
    /// The mean share of hidden rows in the piles.
    pub share: f64,
    /// Everything that was tried, the chosen one first.
    pub candidates: Vec<Candidate>,
    /// Where the chosen one is cut.
    pub cut: Placed,
    /// The mean F1 of marking every row.
    pub f1_of_all: f64,
    /// Whether the hidden classes were told from the others.
    pub told: bool,
}

/// What was tried; means over the rehearsals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// Its name.
    pub method: &'static str,
    /// The chance that a row of a hidden class stands above one of the others.
    pub area_under_roc: f64,
    /// The lower end of its range (95 %).
    pub area_under_roc_low: f64,
    /// The upper end.
    pub area_under_roc_high: f64,
    /// The mean precision at the rank of each hidden row: what the choice goes by.
    pub average_precision: f64,
    /// At its own cut.
    pub own_cut_f1: f64,
    /// At a cut that other hidden classes gave; none where only one class could be hidden.
    pub hidden_cut_f1: Option<f64>,
}

/// Where a ranking is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placed {
    /// Where the method itself says.
    Own,
    /// Where hidden classes were found best.
    Hidden,
}

impl Competition {
    /// F1 of the chosen one where it is cut.
    pub fn f1(&self) -> f64 {
        let chosen = &self.candidates[0];
        match (self.cut, chosen.hidden_cut_f1) {
            (Placed::Hidden, Some(f1)) => f1,
            _ => chosen.own_cut_f1,
        }
    }

    /// What the user should know of it.
    fn note(&self) -> Note {
        let chosen = &self.candidates[0];
        let Candidate {
            method,
            area_under_roc: area,
            area_under_roc_low: low,
            area_under_roc_high: high,
            ..
        } = chosen;
        let (f1, all) = (self.f1(), self.f1_of_all);
        let note = if self.told {
            let cut = match self.cut {
                Placed::Own => String::new(),
                Placed::Hidden => format!(
                    "; cut where hidden classes say, since the method's own cut had F1 {:.2}",
                    chosen.own_cut_f1
                ),
            };
            let text = format!(
                "a known class that was hidden was ranked with AUC {area:.2} and found with F1 {f1:.2} by `{method}`, \
                 the choice among {}{cut}",
                self.candidates.len()
            );
            Note::info(&codes::HIDDEN_CLASSES, text)
        } else {
            let text = format!(
                "known classes that were hidden were not told from the others (AUC {area:.2}, range {low:.2} to {high:.2}; \
                 F1 {f1:.2}, and marking every row has {all:.2}): these rows do not let the unexpected be told. The \
                 ranking is the best there is; do not rely on the marks"
            );
            Note::warning(&codes::UNEXPECTED_UNTOLD, text)
        };
        note.field("method", *method).field("area_under_roc", *area).field("f1", f1)
    }
}

/// The outcome: who ranks, and from which p-value on a row is expected where not the ranker's own cut decides.
pub(super) struct Outcome {
    pub winner: Ranker,
    pub p_value: Option<f64>,
    pub competition: Competition,
    pub note: Note,
}

/// Lets the rankers compete; the first stays unless another is clearly better. `present` says which known classes the new
/// rows hold; of so many of these such a share seems unexpected. None where no class can be hidden.
pub(super) fn compete(
    mut rankers: Vec<Ranker>,
    views: &mut Views<'_>,
    (known, present): (&Known, &Presence),
    (new, share): (usize, f64),
    run: &Run,
) -> Result<Option<Outcome>> {
    let classes = known.classes.as_slice();
    let plan = rehearsals((classes, &present.absent), new, share, run);
    if plan.is_empty() {
        return Ok(None);
    }
    let view = views.of(&Ranker::of_likeness()?, run)?;
    let looked = |rehearsal: Rehearsal| Ok((rehearsal.present(&view, classes, run)?, rehearsal));
    let plan: Vec<(Presence, Rehearsal)> = plan.into_iter().map(looked).collect::<Result<_>>()?;
    let mut measured: Vec<Vec<Measured>> = Vec::new();
    let total = rankers.len() as u64;
    let mut standing = Vec::new();
    for (at, ranker) in rankers.drain(..).enumerate() {
        let stage = |done: usize| {
            let parts = plan.len() as u64;
            run.step("hiding known classes", at as u64 * parts + done as u64, total * parts)
        };
        let found =
            views.of(&ranker, run).and_then(|view| rehearse(&plan, &ranker, &view, classes, stage, run));
        match found {
            Ok(found) => {
                measured.push(found);
                standing.push(ranker);
            }
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            // A challenger that cannot learn from these rows does not stand; the first has to.
            Err(error) if at == 0 => return Err(error),
            Err(_) => {}
        }
    }
    let winner = winner(&measured, run);
    let candidates: Vec<Candidate> =
        standing.iter().zip(&measured).map(|(ranker, own)| Candidate::of(ranker.name(), own, run)).collect();
    let ranked = candidates[winner].area_under_roc_low > 0.5;
    let cuts = Cuts::of(&measured[winner]);
    let hidden_cut = cuts.left_out().filter(|f1| ranked && better(f1, &measured[winner], run)).is_some();
    let (place, rest): (Vec<usize>, Vec<usize>) =
        by_precision(&candidates).into_iter().partition(|c| *c == winner);
    let candidates = place.into_iter().chain(rest).map(|at| candidates[at].clone()).collect();
    let mut hidden: Vec<usize> = plan.iter().map(|(_, rehearsal)| rehearsal.class).collect();
    hidden.sort_unstable();
    hidden.dedup();
    let shares = plan.iter().map(|(_, rehearsal)| rehearsal.hidden as f64 / rehearsal.pile.len() as f64);
    let mut competition = Competition {
        hidden: hidden.into_iter().map(|class| known.names[class].clone()).collect(),
        rehearsals: plan.len(),
        share: mean(shares),
        candidates,
        cut: if hidden_cut { Placed::Hidden } else { Placed::Own },
        f1_of_all: mean(measured[winner].iter().map(|one| one.all_f1)),
        told: ranked,
    };
    competition.told &= competition.f1() > competition.f1_of_all;
    let p_value = hidden_cut.then(|| cuts.p_values[cuts.best(|_| true)]);
    let note = competition.note();
    Ok(Some(Outcome { winner: standing.swap_remove(winner), p_value, competition, note }))
}

fn rehearse(
    plan: &[(Presence, Rehearsal)],
    ranker: &Ranker,
    view: &View,
    classes: &[usize],
    stage: impl Fn(usize) -> Result<()>,
    run: &Run,
) -> Result<Vec<Measured>> {
    let silent = run.without_progress();
    let one = |(done, (present, rehearsal)): (usize, &(Presence, Rehearsal))| {
        stage(done)?;
        rehearsal.measure(ranker, view, (classes, present), &silent)
    };
    plan.iter().enumerate().map(one).collect()
}

/// The best mean average precision, if it is clearly better than that of the first.
fn winner(measured: &[Vec<Measured>], run: &Run) -> usize {
    let precision = |of: &[Measured]| mean(of.iter().map(|one| one.average_precision));
    let best = ranking(&measured.iter().map(|of| precision(of)).collect::<Vec<_>>())[0];
    let gains = |challenger: &Vec<Measured>| {
        let gain = |at: usize| challenger[at].average_precision - measured[0][at].average_precision;
        means_of_classes(challenger, gain)
    };
    let gains: Vec<Vec<f64>> = measured[1..].iter().map(gains).collect();
    if best > 0 && clearly_better(best - 1, &gains, CHANCE, run) { best } else { 0 }
}

/// Whether these F1 are beyond doubt better than those of the ranker's own cut.
fn better(f1: &[f64], measured: &[Measured], run: &Run) -> bool {
    clearly_better(0, &[means_of_classes(measured, |at| f1[at] - measured[at].own_f1)], DOUBT, run)
}

/// The rehearsals of each class. Classes are what chance has drawn: a class that is hidden again is no other class.
fn of_classes(measured: &[Measured]) -> Vec<Vec<usize>> {
    let mut rehearsals = members(&measured.iter().map(|one| one.class).collect::<Vec<_>>());
    rehearsals.retain(|of_class| !of_class.is_empty());
    rehearsals
}

fn means_of_classes(measured: &[Measured], value: impl Fn(usize) -> f64) -> Vec<f64> {
    of_classes(measured).iter().map(|of_class| mean(of_class.iter().map(|at| value(*at)))).collect()
}

fn by_precision(candidates: &[Candidate]) -> Vec<usize> {
    ranking(&candidates.iter().map(|one| one.average_precision).collect::<Vec<_>>())
}

/// F1 of every rehearsal at every cut that is tried.
struct Cuts {
    p_values: Vec<f64>,
    classes: Vec<usize>,
    f1: Vec<Vec<f64>>,
}

impl Cuts {
    /// The cuts are those right after a hidden row: F1 is best there.
    fn of(measured: &[Measured]) -> Self {
        let hidden = |one: &Measured| -> Vec<f64> {
            one.p_values.iter().zip(&one.truth).filter(|(_, is)| **is).map(|(p, _)| *p).collect()
        };
        let mut p_values: Vec<f64> = measured.iter().flat_map(hidden).collect();
        p_values.sort_by(f64::total_cmp);
        p_values.dedup();
        let step = p_values.len().div_ceil(CUTS).max(1);
        let p_values: Vec<f64> = p_values.into_iter().step_by(step).collect();
        let f1 = measured.iter().map(|one| p_values.iter().map(|p| one.f1_at(*p)).collect()).collect();
        Cuts { p_values, classes: measured.iter().map(|one| one.class).collect(), f1 }
    }

    /// The place of the cut of the best mean F1 over the rehearsals of these classes; the smallest of equals.
    fn best(&self, wanted: impl Fn(usize) -> bool) -> usize {
        let of = |at: usize| -> f64 {
            let used = self.f1.iter().zip(&self.classes).filter(|(_, class)| wanted(**class));
            used.map(|(f1, _)| f1[at]).sum()
        };
        ranking(&(0..self.p_values.len()).map(of).collect::<Vec<_>>())[0]
    }

    /// F1 of each rehearsal at the cut that the other classes give; none where there is no other.
    fn left_out(&self) -> Option<Vec<f64>> {
        if self.classes.iter().all(|class| *class == self.classes[0]) {
            return None;
        }
        let one = |(f1, class): (&Vec<f64>, &usize)| f1[self.best(|other| other != *class)];
        Some(self.f1.iter().zip(&self.classes).map(one).collect())
    }
}

impl Candidate {
    fn of(method: &'static str, measured: &[Measured], run: &Run) -> Self {
        let areas: Vec<f64> = measured.iter().map(|one| one.area_under_roc).collect();
        let (low, high) = range_of_mean(&areas, &of_classes(measured), run);
        Candidate {
            method,
            area_under_roc: mean(areas.iter().copied()),
            area_under_roc_low: low,
            area_under_roc_high: high,
            average_precision: mean(measured.iter().map(|one| one.average_precision)),
            own_cut_f1: mean(measured.iter().map(|one| one.own_f1)),
            hidden_cut_f1: Cuts::of(measured).left_out().map(|f1| mean(f1.into_iter())),
        }
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len().max(1) as f64;
    values.sum::<f64>() / n
}

/// Where the mean of 95 % of the resamples lies: of classes, and of the times that each was hidden.
fn range_of_mean(values: &[f64], of_classes: &[Vec<usize>], run: &Run) -> (f64, f64) {
    let mut rng = run.rng("range of a mean", 0);
    let mut resample = || {
        let mut drawn = Vec::with_capacity(values.len());
        for _ in of_classes {
            let class = &of_classes[rng.random_range(0..of_classes.len())];
            drawn.extend(class.iter().map(|_| values[class[rng.random_range(0..class.len())]]));
        }
        mean(drawn.into_iter())
    };
    let mut means: Vec<f64> = (0..RESAMPLES).map(|_| resample()).collect();
    means.sort_by(f64::total_cmp);
    (means[RESAMPLES / 40], means[RESAMPLES - 1 - RESAMPLES / 40])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(class: usize, average_precision: f64, own_f1: f64) -> Measured {
        Measured {
            class,
            area_under_roc: 0.9,
            average_precision,
            own_f1,
            all_f1: 0.1,
            p_values: vec![0.1, 0.2, 0.4, 0.8, 0.3],
            truth: vec![true, true, false, false, class == 1],
        }
    }

    #[test]
    fn the_first_stays_without_evidence() {
        let of = |precisions: [f64; 10]| -> Vec<Measured> {
            precisions.iter().enumerate().map(|(at, p)| measured(at, *p, 0.0)).collect()
        };
        let first = of([0.5; 10]);
        let noisy = of([0.9, 0.4, 0.4, 0.6, 0.4, 0.5, 0.4, 0.6, 0.4, 0.5]);
        let clear = of([0.6, 0.7, 0.6, 0.6, 0.7, 0.6, 0.8, 0.6, 0.6, 0.4]);
        assert_eq!(winner(&[first.clone(), noisy], &Run::new(0)), 0);
        assert_eq!(winner(&[first.clone(), of([0.4; 10]), clear], &Run::new(0)), 2);
        assert_eq!(winner(&[first], &Run::new(0)), 0);
    }

    #[test]
    fn a_cut_is_judged_on_classes_that_did_not_give_it() {
        // Class 0 is found whole at 0.2; class 1 at 0.3, which costs class 0 nothing but its F1 of 0.8.
        let all = [measured(0, 0.5, 0.0), measured(1, 0.5, 0.0)];
        let cuts = Cuts::of(&all);
        assert_eq!(cuts.p_values, [0.1, 0.2, 0.3]);
        assert_eq!([0, 1].map(|wanted| cuts.p_values[cuts.best(|class| class == wanted)]), [0.2, 0.3]);
        let left_out = cuts.left_out().unwrap();
        assert!((left_out[0] - 0.8).abs() < 1e-12 && (left_out[1] - 0.8).abs() < 1e-12, "{left_out:?}");
        assert_eq!(Cuts::of(&all[..1]).left_out(), None);
        let six: Vec<Measured> = (0..6).map(|class| measured(class, 0.5, 0.1)).collect();
        assert!(better(&[0.8, 0.7, 0.9, 0.6, 0.8, 0.9], &six, &Run::new(0)));
        assert!(!better(&[0.2, 0.0, 0.1, 0.3, 0.0, 0.1], &six, &Run::new(0)));
        // The same of one class, six times, is no evidence for another.
        assert!(!better(&[0.8, 0.7, 0.9, 0.6, 0.8, 0.9], &vec![measured(3, 0.5, 0.1); 6], &Run::new(0)));
    }
}
