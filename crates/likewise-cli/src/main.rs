//! The `likewise` program; everything is in the crate's library.

fn main() -> std::process::ExitCode {
    give_memory_back();
    likewise_cli::run(std::env::args_os()).into()
}

/// glibc maps what is larger than a threshold and gives it back when it is freed, but raises the threshold to the largest
/// block freed so far: after the first columns of a large table are gone, the next ones stay with the process, and the peak
/// of `find` on a million rows is a quarter higher. A threshold that was set stays. Only the program does this: the memory
/// of a Python process is not ours to arrange.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn give_memory_back() {
    const MAPPED: libc::c_int = 1 << 20;
    // SAFETY: it sets a number of the allocator, before there is a second thread.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_memory_back() {}
