//! What stops the work: Ctrl-C, a request to end, the end of the terminal.

/// Calls this when a person or the system asks to stop. A terminal that ends is such a request, unless whoever started
/// the program said that it is not, as `nohup` does.
pub fn on_stop(stop: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    let outlives_terminal = ignore_hang_up();
    ctrlc::set_handler(stop)?;
    if outlives_terminal {
        ignore_hang_up();
    }
    Ok(())
}

/// Ignores the signal from now on; whether it was ignored before.
#[cfg(unix)]
fn ignore_hang_up() -> bool {
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    let ignore = SigAction::new(SigHandler::SigIgn, SaFlags::empty(), SigSet::empty());
    // SAFETY: what is ignored runs no handler, so none can do what a handler must not.
    let before = unsafe { sigaction(Signal::SIGHUP, &ignore) };
    before.is_ok_and(|before| matches!(before.handler(), SigHandler::SigIgn))
}

#[cfg(not(unix))]
fn ignore_hang_up() -> bool {
    false
}
