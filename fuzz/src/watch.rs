//! The limits that every case is held to, and who says so when one is broken.
//!
//! Memory is counted where it is asked for, so that a request for terabytes is seen before the system refuses it. What
//! libraries in C take (SQLite, zstd) is not counted. Time is that of the processor: a busy machine fails no case.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

/// Processor time that one case may take.
pub const LONGEST: Duration = Duration::from_secs(5);

/// Time by the clock after which a case stands still, however busy the machine is.
const STILL: Duration = Duration::from_secs(300);

/// Bytes that reading a file of this length may take at most.
pub const fn most_memory(file: usize) -> usize {
    10 * file + (256 << 20)
}

static TAKEN: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// Beyond this nothing is given: the process ends by saying so, not by taking the machine with it.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

struct Counting;

// SAFETY: every request goes to the system's allocator unchanged, and what it gave is given back to it with the same
// layout; counting touches nothing but atomics.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let taken = TAKEN.fetch_add(layout.size(), Relaxed).saturating_add(layout.size());
        PEAK.fetch_max(taken, Relaxed);
        if taken > LIMIT.load(Relaxed) {
            TAKEN.fetch_sub(layout.size(), Relaxed);
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promise on the layout is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        TAKEN.fetch_sub(layout.size(), Relaxed);
        // SAFETY: `alloc` gave this pointer for this layout from the same allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static RUNNING: AtomicBool = AtomicBool::new(false);
/// Cases so far. Whoever watches the clock sees by it that another one has begun; asking the system for the time would
/// cost more than many a case.
static CASES: AtomicU64 = AtomicU64::new(0);
static PANICS: AtomicUsize = AtomicUsize::new(0);
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// A case that is being read.
pub struct Watched {
    taken: usize,
    most: usize,
    panics: usize,
}

/// Starts the clock and the count.
pub fn start(file: usize) -> Watched {
    prepare();
    let taken = TAKEN.load(Relaxed);
    let most = most_memory(file);
    PEAK.store(taken, Relaxed);
    LIMIT.store(taken + 2 * most, Relaxed);
    CASES.fetch_add(1, Relaxed);
    RUNNING.store(true, Relaxed);
    Watched { taken, most, panics: PANICS.load(Relaxed) }
}

impl Watched {
    /// What was broken, if anything.
    pub fn end(self) -> Result<(), String> {
        RUNNING.store(false, Relaxed);
        LIMIT.store(usize::MAX, Relaxed);
        let peak = PEAK.load(Relaxed).saturating_sub(self.taken);
        if PANICS.load(Relaxed) > self.panics {
            return Err(format!("panic in a thread: {}", last_panic()));
        }
        if peak > self.most {
            return Err(format!("{peak} bytes of memory, more than {}", self.most));
        }
        Ok(())
    }
}

/// Where the last panic was and what it said.
pub fn last_panic() -> String {
    LAST_PANIC.lock().map(|text| text.clone()).unwrap_or_default()
}

/// Panics of cases are noted instead of printed, and a thread watches the clock.
fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !RUNNING.load(Relaxed) {
                return before(panic);
            }
            PANICS.fetch_add(1, Relaxed);
            if let Ok(mut text) = LAST_PANIC.lock() {
                *text = panic.to_string().replace('\n', " ");
            }
        }));
        std::thread::spawn(|| {
            let (mut case, mut before, mut begin) = (0, Duration::ZERO, Instant::now());
            loop {
                std::thread::sleep(Duration::from_millis(100));
                let (now, spent) = (CASES.load(Relaxed), processor_time());
                if case != now {
                    (case, before, begin) = (now, spent, Instant::now());
                }
                if RUNNING.load(Relaxed) && (spent - before > LONGEST || begin.elapsed() > STILL) {
                    eprintln!(
                        "a case took more than {LONGEST:?} of processor time, or {STILL:?} of the clock"
                    );
                    std::process::abort();
                }
            }
        });
    });
}

/// What this process has spent so far, to a hundredth of a second.
pub fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is a name in brackets, which may hold anything; user and system time are the 14th and 15th.
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}
