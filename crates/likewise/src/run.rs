//! The circumstances of one run: seed, threads, progress and cancelling.
//!
//! Random streams are named by stage and index, so a draw does not depend on which thread made it. Fits of the same
//! rows can share what they make ([`Run::sharing`]).

mod progress;
mod sharing;

pub use progress::Progress;
pub use sharing::Key;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::error::{Error, Result};

/// Cheap to clone; all clones share cancelling and progress.
///
/// ```
/// use std::sync::atomic::Ordering;
/// use likewise::prelude::*;
/// let run = Run::new(7).with_threads(2)?;
/// assert_eq!(run.seed(), 7);
/// run.cancel_flag().store(true, Ordering::Relaxed);
/// assert!(matches!(run.step("work", 0, 10), Err(likewise::Error::Cancelled)));
/// # Ok::<(), likewise::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Run {
    seed: u64,
    threads: Option<Arc<rayon::ThreadPool>>,
    cancelled: Arc<AtomicBool>,
    progress: Option<progress::Stretch>,
    shared: Option<Arc<sharing::Shared>>,
}

impl Run {
    /// A run with this seed, on all cores, silent.
    pub fn new(seed: u64) -> Self {
        Run { seed, ..Run::default() }
    }

    /// Uses exactly this many threads instead of one for each core.
    pub fn with_threads(mut self, threads: usize) -> Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|e| Error::parameter("threads", e.to_string()))?;
        self.threads = Some(Arc::new(pool));
        Ok(self)
    }

    /// Uses the threads of a pool that outlives the run.
    pub fn with_pool(mut self, pool: Arc<rayon::ThreadPool>) -> Self {
        self.threads = Some(pool);
        self
    }

    /// Tells this of every step.
    pub fn with_progress(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = Some(progress::Stretch::whole(progress));
        self
    }

    /// The same run, but nobody is told of its steps.
    pub fn without_progress(&self) -> Self {
        Run { progress: None, ..self.clone() }
    }

    /// The same threads, progress and cancelling under another seed.
    pub fn with_seed(&self, seed: u64) -> Self {
        Run { seed, ..self.clone() }
    }

    /// The seed of every random choice.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Set it from a signal handler; the next `step` returns `Error::Cancelled`.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        self.cancelled.clone()
    }

    /// The random stream of one piece of work, the same whatever thread asks for it.
    pub fn rng(&self, stage: &str, index: u64) -> Pcg64 {
        let mut seed = [0u8; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        seed[8..16].copy_from_slice(&index.to_le_bytes());
        seed[16..24].copy_from_slice(&fnv1a(stage.as_bytes()).to_le_bytes());
        Pcg64::from_seed(seed)
    }

    /// Reports progress and stops the work if the user asked for it. Call it in every long loop. So much of a stage is
    /// done; what that is of the whole, `run/progress.rs` knows.
    pub fn step(&self, stage: &str, done: u64, total: u64) -> Result<()> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Error::Cancelled);
        }
        if let Some(progress) = &self.progress {
            progress.step(stage, done, total);
        }
        Ok(())
    }

    /// Runs `work` on this run's threads; parallel iterators inside it use them.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.threads {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// Makes glibc keep freed memory for the next request, for processes that learn more than once. It gives memory back to
/// the kernel at once until it has seen a large block come and go; then it keeps about as much. Methods that need the
/// same vectors again and again spend half their time on fresh pages otherwise. Nothing is ever written to this block, so
/// it takes no memory.
pub fn keep_freed_memory() {
    const LARGEST_THAT_COUNTS: usize = 32 << 20;
    drop(std::hint::black_box(Vec::<u8>::with_capacity(LARGEST_THAT_COUNTS - (1 << 16))));
}

/// The FNV-1a hash of some bytes, the same everywhere.
pub fn fnv1a<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> u64 {
    bytes.into_iter().copied().fold(FNV_START, fnv1a_step)
}

/// FNV-1a over a seed and bytes, then the finaliser of MurmurHash3, since FNV alone leaves the high bits of short texts
/// alike. The same everywhere.
pub fn spread_hash(seed: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    let mut h = seed.to_le_bytes().into_iter().chain(bytes).fold(FNV_START, fnv1a_step);
    h = (h ^ (h >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    h = (h ^ (h >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ (h >> 33)
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv1a_step(h: u64, byte: u8) -> u64 {
    (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn streams_differ_by_seed_stage_and_index() {
        let first = |run: &Run, stage: &str, i| run.rng(stage, i).next_u64();
        let run = Run::new(1);
        assert_eq!(first(&run, "a", 0), first(&Run::new(1), "a", 0));
        assert_ne!(first(&run, "a", 0), first(&run, "a", 1));
        assert_ne!(first(&run, "a", 0), first(&run, "b", 0));
        assert_ne!(first(&run, "a", 0), first(&Run::new(2), "a", 0));
    }

    #[test]
    fn a_cancelled_run_stops_at_its_next_step() {
        let run = Run::new(0);
        assert!(run.step("fit", 1, 2).is_ok());
        run.clone().cancel_flag().store(true, Ordering::Relaxed);
        assert!(matches!(run.step("fit", 2, 2), Err(Error::Cancelled)));
    }
}
