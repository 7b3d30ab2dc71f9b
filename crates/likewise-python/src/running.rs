//! Work outside the interpreter lock: threads that survive a fork, Ctrl-C, progress.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use likewise::Run;
use likewise::run::{Progress, keep_freed_memory};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::{Told, of_related, to_python};

/// How often Python is asked whether the user pressed Ctrl-C, and told how far the work is.
const PERIOD: Duration = Duration::from_millis(50);

/// The circumstances of a run, as Python gives them.
#[pyclass(frozen, module = "likewise._native")]
pub struct Settings {
    seed: u64,
    /// None: one for each core.
    threads: Option<usize>,
    /// Called with a stage and how much of the whole is done, from 0 to 1.
    progress: Option<Py<PyAny>>,
}

#[pymethods]
impl Settings {
    #[new]
    #[pyo3(signature = (seed, threads=None, progress=None))]
    fn new(seed: u64, threads: Option<usize>, progress: Option<Py<PyAny>>) -> Self {
        Settings { seed, threads, progress }
    }
}

/// Runs the work on the threads of a pool while this one listens for signals; the interpreter is free meanwhile.
pub fn run<T: Send>(
    py: Python<'_>,
    settings: &Settings,
    work: impl FnOnce(&Run) -> likewise::Result<T> + Send,
) -> PyResult<T> {
    run_any(py, settings, to_python, work)
}

/// The same for work among related tables, which may read files.
pub fn run_reading<T: Send>(
    py: Python<'_>,
    settings: &Settings,
    work: impl FnOnce(&Run) -> likewise_io::Result<T> + Send,
) -> PyResult<T> {
    run_any(py, settings, of_related, work)
}

fn run_any<T: Send, E: Told>(
    py: Python<'_>,
    settings: &Settings,
    told: fn(Python<'_>, E) -> PyErr,
    work: impl FnOnce(&Run) -> Result<T, E> + Send,
) -> PyResult<T> {
    let pool = pool(settings.threads.unwrap_or(0)).map_err(PyValueError::new_err)?;
    let latest = Arc::new(Latest::default());
    let mut run = Run::new(settings.seed).with_pool(pool.clone());
    if settings.progress.is_some() {
        run = run.with_progress(latest.clone());
    }
    let cancelled = run.cancel_flag();
    let (done, mut waiting) = channel();
    pool.in_place_scope(|scope| {
        // Whether anybody still listens is of no matter to the work.
        scope.spawn(move |_| drop(done.send(work(&run))));
        let mut stopped = None;
        loop {
            let (news, again) = py.detach(move || (waiting.recv_timeout(PERIOD), waiting));
            waiting = again;
            match news {
                Ok(result) => {
                    let result = result.map_err(|error| told(py, error));
                    return stopped.map_or(result, Err);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the work ended in a bug; please report it"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let heard = py.check_signals().and_then(|()| latest.tell(py, settings));
                    if let Err(error) = heard {
                        cancelled.store(true, Ordering::Relaxed);
                        stopped.get_or_insert(error);
                    }
                }
            }
        }
    })
}

/// The last step of the work; threads leave it here, and the waiting thread takes it to Python.
#[derive(Default)]
struct Latest(Mutex<Option<(String, f64)>>);

impl Progress for Latest {
    fn step(&self, stage: &str, done: f64) {
        if let Ok(mut latest) = self.0.lock() {
            *latest = Some((stage.to_string(), done));
        }
    }
}

impl Latest {
    fn tell(&self, py: Python<'_>, settings: &Settings) -> PyResult<()> {
        let step = self.0.lock().ok().and_then(|mut latest| latest.take());
        if let (Some(step), Some(progress)) = (step, &settings.progress) {
            progress.call1(py, step)?;
        }
        Ok(())
    }
}

/// Pools of this process by number of threads.
static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

struct Pools {
    process: u32,
    of_size: HashMap<usize, Arc<ThreadPool>>,
}

/// A pool of so many threads (0: one for each core). A forked child has none of its parent's threads, so it
/// starts its own instead of waiting for them for ever.
fn pool(threads: usize) -> std::result::Result<Arc<ThreadPool>, String> {
    let mut pools = POOLS.lock().map_err(|e| e.to_string())?;
    let process = std::process::id();
    if pools.as_ref().is_some_and(|pools| pools.process != process) {
        std::mem::forget(pools.take());
    }
    let pools = pools.get_or_insert_with(|| Pools { process, of_size: HashMap::new() });
    if let Some(pool) = pools.of_size.get(&threads) {
        return Ok(pool.clone());
    }
    keep_freed_memory();
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(|e| e.to_string())?;
    let pool = Arc::new(pool);
    pools.of_size.insert(threads, pool.clone());
    Ok(pool)
}
