//! Long text on a terminal: a page at a time.

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

/// Shows the text through the user's pager where a person looks on, else prints it.
pub fn show(text: &str) -> std::io::Result<()> {
    if std::io::stdout().is_terminal() && paged(text) {
        return Ok(());
    }
    std::io::stdout().write_all(text.as_bytes())
}

/// Whether a pager took it. One that is closed early has shown enough.
fn paged(text: &str) -> bool {
    let wanted = std::env::var("PAGER").ok();
    // `F` leaves at once where everything fits on the screen.
    let line = wanted.as_deref().unwrap_or(if cfg!(windows) { "more" } else { "less -FRX" }).trim();
    if line.is_empty() {
        return false;
    }
    let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let Ok(mut pager) = Command::new(shell).args([option, line]).stdin(Stdio::piped()).spawn() else {
        return false;
    };
    if let Some(mut input) = pager.stdin.take() {
        let _ = input.write_all(text.as_bytes());
    }
    pager.wait().is_ok_and(|status| status.code() != Some(NOT_FOUND))
}

/// What a shell answers where there is no such program.
const NOT_FOUND: i32 = 127;
