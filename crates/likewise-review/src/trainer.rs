//! The thread that learns.
//!
//! At most one training at a time, always from the newest marks: marks that came in during a training are learned
//! together by the next one. The reader never waits for it; before the first ranking rows come in random order.
//! Beside it another thread searches the rows' neighbours once; rankings count them from when they are found.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, RwLock};
use std::time::Instant;

use likewise::Run;
use likewise::data::{Csr, Table};
use likewise::reading::{Neighbours, Pick};

use crate::automatic::Automatic;
use crate::clock;
use crate::error::Result;
use crate::ranking::{Ranker, Ranking};

/// What the trainer is asked for.
#[derive(Default)]
struct Wish {
    /// Marks that no ranking knows.
    stale: bool,
    /// Examples that the features do not have yet, with their rows.
    examples: Vec<(u32, Table)>,
    /// Rows whose neighbours nobody has searched.
    unsearched: Option<Arc<Csr>>,
    /// Neighbours that no ranking counts.
    found: Option<Arc<Neighbours>>,
    end: bool,
}

#[derive(Default)]
pub struct Trainer {
    wish: Mutex<Wish>,
    wake: Condvar,
    training: AtomicBool,
    /// Why there is no ranking, where learning failed.
    trouble: Mutex<Option<String>>,
    ranker: RwLock<Option<Ranker>>,
    ranking: RwLock<Option<Arc<Ranking>>>,
    /// What the automatic choice said last, where a reader asked for it.
    automatic: Mutex<Option<Automatic>>,
    choosing: AtomicBool,
    /// Why the automatic choice gave no answer; learning goes on without.
    refused: Mutex<Option<String>>,
    searching: AtomicBool,
    /// Of the search, which ends with the trainer.
    search: Run,
}

/// The marks at one moment.
#[derive(Default)]
pub struct Snapshot {
    pub seq: u64,
    pub wanted: Vec<usize>,
    pub unwanted: Vec<usize>,
    pub pick: Pick,
}

impl Trainer {
    /// There are new marks.
    pub fn nudge(&self) {
        self.change(|wish| wish.stale = true);
    }

    pub fn add_example(&self, row: u32, table: Table) {
        self.change(|wish| wish.examples.push((row, table)));
    }

    pub fn end(&self) {
        self.search.cancel_flag().store(true, Ordering::Relaxed);
        self.change(|wish| wish.end = true);
    }

    fn change(&self, change: impl FnOnce(&mut Wish)) {
        change(&mut locked(&self.wish));
        self.wake.notify_all();
    }

    /// Whether marks are waiting to be learned, or are being learned.
    pub fn is_training(&self) -> bool {
        self.trains(&locked(&self.wish))
    }

    fn trains(&self, wish: &Wish) -> bool {
        self.training.load(Ordering::Relaxed) || wish.stale || !wish.examples.is_empty()
    }

    /// Whether neighbours are being searched, or are found and no ranking counts them yet.
    pub fn is_searching(&self) -> bool {
        self.searches(&locked(&self.wish))
    }

    fn searches(&self, wish: &Wish) -> bool {
        self.searching.load(Ordering::Relaxed) || wish.unsearched.is_some() || wish.found.is_some()
    }

    /// Whether a ranking that nobody asks for is still to come. One look at both, as each brings forth the other.
    pub fn is_busy(&self) -> bool {
        let wish = locked(&self.wish);
        self.trains(&wish) || self.searches(&wish)
    }

    pub fn is_ready(&self) -> bool {
        self.ranker.read().is_ok_and(|ranker| ranker.is_some())
    }

    /// Why there is no ranking, where learning failed.
    pub fn trouble(&self) -> Option<String> {
        locked(&self.trouble).clone()
    }

    /// The same, or why the automatic choice gave no answer.
    pub fn complaint(&self) -> Option<String> {
        self.trouble().or_else(|| locked(&self.refused).clone())
    }

    pub fn ranking(&self) -> Option<Arc<Ranking>> {
        self.ranking.read().ok()?.clone()
    }

    /// Whether the automatic choice is under way.
    pub fn is_choosing(&self) -> bool {
        self.choosing.load(Ordering::Relaxed)
    }

    /// False where it is under way already.
    pub fn begin_choosing(&self) -> bool {
        !self.choosing.swap(true, Ordering::Relaxed)
    }

    /// From now on rankings take it into account.
    pub fn end_choosing(&self, found: Result<Automatic>) {
        self.choosing.store(false, Ordering::Relaxed);
        *locked(&self.refused) = found.as_ref().err().map(ToString::to_string);
        if let Ok(automatic) = found {
            *locked(&self.automatic) = Some(automatic);
            self.nudge();
        }
    }

    /// The words that push the row's score most. None while a training holds the learner: the row must not wait.
    pub fn why(&self, row: u32, top: usize) -> Option<Vec<(String, f32)>> {
        let ranker = self.ranker.try_read().ok()?;
        self.ranking()?;
        ranker.as_ref().map(|ranker| ranker.why(row, top))
    }

    /// Learns until it is told to end. `prepare` makes the features; `snapshot` hands over the marks; `done` is told
    /// of every ranking.
    pub fn work(
        &self,
        prepare: impl FnOnce() -> Result<Ranker>,
        snapshot: impl Fn() -> Snapshot,
        done: impl Fn(&Ranking),
        run: &Run,
    ) {
        match prepare() {
            Ok(ranker) => *write(&self.ranker) = Some(ranker),
            Err(error) => {
                *locked(&self.trouble) = Some(error.to_string());
                return;
            }
        }
        self.nudge();
        let (mut id, mut asked) = (0, 0);
        loop {
            let mut wish = locked(&self.wish);
            while !wish.stale && wish.examples.is_empty() && !wish.end {
                self.training.store(false, Ordering::Relaxed);
                wish = self.wake.wait(wish).unwrap_or_else(|poisoned| poisoned.into_inner());
            }
            if wish.end {
                return;
            }
            wish.stale = false;
            let examples = std::mem::take(&mut wish.examples);
            let found = wish.found.take();
            // Before the wish is let go, so that nobody sees neither.
            self.training.store(true, Ordering::Relaxed);
            drop(wish);
            id += 1;
            if let (Some(found), Some(ranker)) = (found, write(&self.ranker).as_mut()) {
                ranker.join(found);
            }
            let outcome = self.train(id, examples, snapshot(), run);
            // After the first ranking, which must not wait for the search, and when examples have come in.
            let x = self.ranker.read().ok().and_then(|ranker| Some(ranker.as_ref()?.x().clone()));
            if let Some(x) = x.filter(|x| x.rows() > asked && Neighbours::are_found_among(x.rows())) {
                asked = x.rows();
                self.change(|wish| wish.unsearched = Some(x));
            }
            match outcome {
                Ok(Some(ranking)) => {
                    *locked(&self.trouble) = None;
                    let ranking = Arc::new(ranking);
                    *write(&self.ranking) = Some(ranking.clone());
                    done(&ranking);
                }
                Ok(None) => *write(&self.ranking) = None,
                Err(error) => *locked(&self.trouble) = Some(error.to_string()),
            }
        }
    }

    /// Searches neighbours until it is told to end.
    pub fn search(&self) {
        // On threads of its own, half of all: a ranking must not queue behind it.
        let half = std::thread::available_parallelism().map_or(1, |threads| threads.get().div_ceil(2));
        let Ok(run) = self.search.clone().with_threads(half) else { return };
        loop {
            let wish = locked(&self.wish);
            let asleep = |wish: &mut Wish| wish.unsearched.is_none() && !wish.end;
            let waited = self.wake.wait_while(wish, asleep);
            let mut wish = waited.unwrap_or_else(|poisoned| poisoned.into_inner());
            if wish.end {
                return;
            }
            let Some(x) = wish.unsearched.take() else { continue };
            self.searching.store(true, Ordering::Relaxed);
            drop(wish);
            let found = Neighbours::of(&x, &run);
            self.change(|wish| {
                // Without them the reading goes on by the learner alone.
                wish.found = found.ok().map(Arc::new);
                wish.stale |= wish.found.is_some();
                self.searching.store(false, Ordering::Relaxed);
            });
        }
    }

    /// None where there is nothing wanted to learn from.
    fn train(
        &self,
        id: u64,
        examples: Vec<(u32, Table)>,
        marks: Snapshot,
        run: &Run,
    ) -> Result<Option<Ranking>> {
        let start = Instant::now();
        let mut ranker = write(&self.ranker);
        let Some(ranker) = ranker.as_mut() else { return Ok(None) };
        for (row, table) in examples {
            ranker.add(&table, &[row], run)?;
        }
        if marks.wanted.is_empty() {
            return Ok(None);
        }
        let scores = ranker.scores(&marks.wanted, &marks.unwanted, run)?;
        let known = marks.wanted.iter().chain(&marks.unwanted).copied().collect();
        let order = ranker.order(&scores, &known, marks.pick);
        let marked = (marks.wanted.len() + marks.unwanted.len()) as u64;
        let order = match locked(&self.automatic).as_ref() {
            Some(automatic) => automatic.mixed_with(&order, marked),
            None => order,
        };
        let (seq, at, took, joined) = (marks.seq, clock::now(), start.elapsed(), ranker.is_joined());
        Ok(Some(Ranking { id, seq, at, took, marks: marked, joined, scores, order }))
    }
}

/// A panic elsewhere leaves plain values behind, which stay usable.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn write<T>(lock: &RwLock<T>) -> std::sync::RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(|poisoned| poisoned.into_inner())
}
