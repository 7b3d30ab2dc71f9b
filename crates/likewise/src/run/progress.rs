//! How far the whole of a run is.
//!
//! Work that knows its parts gives each a stretch of the whole ([`Run::ahead`], [`Run::part`]). Stages that come one after
//! the other within a stretch, or inside one another, share it: each new one takes most of what is still ahead of it. So
//! the whole never goes back and never ends before the work does, whatever a method calls inside.

use std::sync::{Arc, Mutex};

use super::Run;

/// Told of every step of long work; a terminal shows a bar, a test shows nothing.
pub trait Progress: Send + Sync {
    /// So much of the whole is done, from 0 to 1 and never less than before, and this is what is being done.
    fn step(&self, stage: &str, done: f64);
}

/// How much of what is ahead a stage takes that nobody planned for.
const UNPLANNED: f64 = 0.6;

/// A stretch of the whole. Clones share its stages.
#[derive(Clone)]
pub(super) struct Stretch {
    whole: Arc<Whole>,
    start: f64,
    end: f64,
    stages: Arc<Mutex<Vec<Stage>>>,
    /// How much of what is ahead a new stage takes.
    each: f64,
}

struct Stage {
    name: String,
    start: f64,
    end: f64,
}

struct Whole {
    told: Arc<dyn Progress>,
    reached: Mutex<f64>,
}

impl Whole {
    fn reached(&self) -> f64 {
        *self.reached.lock().expect("no panic while held")
    }

    fn reach(&self, stage: &str, at: f64) {
        // Told while it is held: what comes from two threads is told in order.
        let mut reached = self.reached.lock().expect("no panic while held");
        *reached = reached.max(at);
        self.told.step(stage, *reached);
    }
}

impl Stretch {
    pub(super) fn whole(told: Arc<dyn Progress>) -> Self {
        let whole = Arc::new(Whole { told, reached: Mutex::new(0.0) });
        Stretch { whole, start: 0.0, end: 1.0, stages: Arc::default(), each: UNPLANNED }
    }

    fn between(&self, start: f64, end: f64, each: f64) -> Self {
        Stretch { whole: self.whole.clone(), start, end, stages: Arc::default(), each }
    }

    pub(super) fn step(&self, stage: &str, done: u64, total: u64) {
        let share = if total == 0 { 0.0 } else { done.min(total) as f64 / total as f64 };
        let mut stages = self.stages.lock().expect("no panic while held");
        let at = match stages.iter().position(|known| known.name == stage) {
            Some(at) => at,
            None => {
                let start = self.whole.reached().clamp(self.start, self.end);
                let end = start + self.each * (self.end - start);
                stages.push(Stage { name: stage.to_string(), start, end });
                stages.len() - 1
            }
        };
        let Stage { start, end, .. } = stages[at];
        drop(stages);
        self.whole.reach(stage, start + share * (end - start));
    }
}

impl Run {
    /// The same run, whose steps fill this share of what is still ahead.
    pub fn ahead(&self, share: f64) -> Self {
        let stretch = self.progress.as_ref().map(|known| {
            let start = known.whole.reached().clamp(known.start, known.end);
            known.between(start, start + share * (known.end - start), UNPLANNED)
        });
        Run { progress: stretch, ..self.clone() }
    }

    /// The same run, whose steps fill one of several equal parts, counted from 0.
    pub fn part(&self, at: usize, parts: usize) -> Self {
        let stretch = self.progress.as_ref().map(|known| {
            let one = (known.end - known.start) / parts.max(1) as f64;
            known.between(known.start + one * at as f64, known.start + one * (at + 1) as f64, UNPLANNED)
        });
        Run { progress: stretch, ..self.clone() }
    }

    /// The same run, in which nothing comes after the next stage.
    pub fn last_stage(&self) -> Self {
        let stretch = self.progress.as_ref().map(|known| {
            let start = known.whole.reached().clamp(known.start, known.end);
            known.between(start, known.end, 1.0)
        });
        Run { progress: stretch, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Kept(Mutex<Vec<f64>>);

    impl Progress for Kept {
        fn step(&self, _: &str, done: f64) {
            self.0.lock().unwrap().push(done);
        }
    }

    fn watched() -> (Run, Arc<Kept>) {
        let kept = Arc::new(Kept::default());
        (Run::new(0).with_progress(kept.clone()), kept)
    }

    fn steps(kept: &Kept) -> Vec<f64> {
        kept.0.lock().unwrap().iter().map(|at| (at * 1000.0).round() / 1000.0).collect()
    }

    #[test]
    fn parts_follow_each_other_and_fill_their_stretch() {
        let (run, kept) = watched();
        run.ahead(0.2).last_stage().step("reading", 5, 5).unwrap();
        let learning = run.ahead(0.5);
        for part in 0..2 {
            learning.part(part, 2).last_stage().step("fit", 1, 2).unwrap();
        }
        run.last_stage().step("writing", 1, 1).unwrap();
        assert_eq!(steps(&kept), [0.2, 0.3, 0.5, 1.0]);
    }

    #[test]
    fn stages_inside_one_another_never_go_back_and_never_reach_the_end() {
        let (run, kept) = watched();
        for round in 0..10 {
            run.step("outer", round, 10).unwrap();
            for inner in 0..=3 {
                run.clone().step("inner", inner, 3).unwrap();
            }
        }
        let steps = steps(&kept);
        assert!(steps.is_sorted() && steps[0] == 0.0, "{steps:?}");
        assert!(*steps.last().unwrap() < 1.0, "{steps:?}");
    }

    #[test]
    fn a_silent_run_has_no_whole() {
        let (run, kept) = watched();
        run.without_progress().ahead(0.5).part(0, 2).step("fit", 1, 1).unwrap();
        assert!(steps(&kept).is_empty());
    }
}
