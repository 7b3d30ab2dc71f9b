//! What a person sees: progress on a terminal, notes, tables.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use indicatif::{ProgressBar, ProgressStyle};
use likewise::Run;
use likewise::note::Note;
use likewise::run::Progress;

use crate::arguments::RunArguments;
use crate::signals;
use crate::wording;

/// The run that the arguments ask for: Ctrl-C cancels it, a terminal shows its progress.
pub fn start(arguments: &RunArguments) -> anyhow::Result<Run> {
    let mut run = Run::new(arguments.seed);
    if let Some(threads) = arguments.threads {
        run = run.with_threads(threads.into())?;
    }
    if !arguments.quiet && std::io::stderr().is_terminal() {
        run = run.with_progress(Arc::new(Bar::default()));
    }
    let cancelled = run.cancel_flag();
    signals::on_stop(move || {
        cancelled.store(true, Ordering::Relaxed);
        // Work that looks at the flag ends by itself; a read that waits for input never would.
        std::thread::sleep(GRACE);
        likewise_io::remove_unfinished();
        std::process::exit(STOPPED.into());
    })?;
    Ok(run)
}

/// How long work may take to notice that it should stop.
const GRACE: std::time::Duration = std::time::Duration::from_secs(1);
/// The exit code after Ctrl-C.
pub const STOPPED: u8 = 130;

/// One bar, renamed for every stage.
#[derive(Default)]
struct Bar(Mutex<Option<(String, ProgressBar)>>);

impl Progress for Bar {
    fn step(&self, stage: &str, done: u64, total: u64) {
        let mut current = self.0.lock().expect("no panic while drawing");
        if current.as_ref().is_none_or(|(name, _)| name != stage) {
            if let Some((_, bar)) = current.take() {
                bar.finish_and_clear();
            }
            let style = ProgressStyle::with_template("{msg:24} {wide_bar} {percent:>3} % {eta:>5}")
                .expect("a fixed template");
            let bar = ProgressBar::new(total).with_style(style).with_message(stage.to_string());
            *current = Some((stage.to_string(), bar));
        }
        if let Some((_, bar)) = current.as_ref() {
            bar.set_length(total);
            bar.set_position(done);
            if done >= total {
                bar.finish_and_clear();
            }
        }
    }
}

/// Notes go to standard error, so that the answer stays clean in a pipe.
pub fn print_notes(notes: &[Note], quiet: bool) {
    if quiet {
        return;
    }
    for note in notes {
        say(&wording::note(note), false);
    }
}

/// A line of help on standard error.
pub fn say(text: &str, quiet: bool) {
    if !quiet {
        // Nothing is lost if nobody can read it: the answer goes elsewhere.
        let _ = writeln!(std::io::stderr(), "{}", printable(text));
    }
}

/// Why the command failed.
pub fn complain(text: &str) {
    say(&format!("error: {text}"), false);
}

/// The text without what a terminal would obey instead of showing it: cells and names are whatever a file holds.
pub fn printable(text: &str) -> Cow<'_, str> {
    let obeyed = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(obeyed) {
        return text.into();
    }
    let shown = |c: char| if obeyed(c) { c.escape_default().collect() } else { c.to_string() };
    text.chars().map(shown).collect::<String>().into()
}

pub fn width() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0)).clamp(40, 200)
}

/// How a column of a printed table is set.
#[derive(Clone, Copy, PartialEq)]
pub enum Align {
    Left,
    Right,
}

/// Columns side by side on standard output; the last one is cut at the edge of the screen.
pub fn print_table(head: &[(&str, Align)], rows: &[Vec<String>]) -> std::io::Result<()> {
    let mut widths: Vec<usize> = head.iter().map(|(name, _)| name.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let last = head.len() - 1;
    let before: usize = widths[..last].iter().sum::<usize>() + 2 * last;
    let room = width().saturating_sub(before).max(20);
    let mut out = std::io::stdout().lock();
    let names: Vec<String> = head.iter().map(|(name, _)| name.to_string()).collect();
    for row in std::iter::once(&names).chain(rows) {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            let align = head[at].1;
            if at == last && align == Align::Left {
                line.push_str(&cut(cell, room));
                continue;
            }
            let pad = " ".repeat(widths[at] - cell.chars().count());
            match align {
                Align::Left => line.extend([cell.as_str(), pad.as_str()]),
                Align::Right => line.extend([pad.as_str(), cell.as_str()]),
            }
            if at < last {
                line.push_str("  ");
            }
        }
        writeln!(out, "{}", printable(line.trim_end()))?;
    }
    Ok(())
}

/// The beginning of a text on one line.
pub fn cut(text: &str, room: usize) -> String {
    let mut words = String::new();
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        if words.chars().count() > room {
            break;
        }
    }
    if words.chars().count() <= room {
        return words;
    }
    words.chars().take(room.saturating_sub(1)).chain(['…']).collect()
}

/// A score as people read it.
pub fn score(value: f64) -> String {
    format!("{value:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(printable("a\u{1b}[2Jb\u{7}\n"), "a\\u{1b}[2Jb\\u{7}\n");
        assert!(matches!(printable("über\tb"), Cow::Borrowed(_)));
    }

    #[test]
    fn long_texts_are_cut_on_one_line() {
        assert_eq!(cut("a\n  b", 10), "a b");
        assert_eq!(cut("über alle Maßen", 8), "über al…");
    }
}
