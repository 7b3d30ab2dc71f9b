//! What a person sees: progress on a terminal, notes, tables.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use likewise::Run;
use likewise::note::Note;
use likewise::run::Progress;
use serde::Serialize;

use crate::arguments::RunArguments;
use crate::signals;
use crate::wording;

/// The run that the arguments ask for: Ctrl-C cancels it, a terminal shows its progress.
pub fn start(arguments: &RunArguments) -> anyhow::Result<Run> {
    let mut run = Run::new(arguments.seed.unwrap_or_default());
    if let Some(threads) = arguments.threads {
        run = run.with_threads(threads.into())?;
    }
    if !arguments.quiet && std::io::stderr().is_terminal() {
        run = run.with_progress(Arc::new(Bar(draw())));
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
const GRACE: Duration = Duration::from_secs(1);
/// The exit code after Ctrl-C.
pub const STOPPED: u8 = 130;

/// The bar of this command, if one is drawn: what is printed must not run into it.
static DRAWN: Mutex<Option<ProgressBar>> = Mutex::new(None);
/// What the bar counts to.
const WHOLE: u64 = 10_000;

/// One bar for the whole of a command, named by what is being done.
struct Bar(ProgressBar);

impl Progress for Bar {
    fn step(&self, stage: &str, done: f64) {
        if self.0.message() != stage {
            self.0.set_message(stage.to_string());
        }
        self.0.set_position((done * WHOLE as f64) as u64);
    }
}

fn draw() -> ProgressBar {
    let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = out.write_str(&time_left(state.elapsed(), state.fraction().into()));
    };
    let style = ProgressStyle::with_template("{msg:24} {wide_bar} {percent:>3} % {left:>12}")
        .expect("a fixed template")
        .with_key("left", left);
    let bar = ProgressBar::new(WHOLE).with_style(style);
    *DRAWN.lock().expect("no panic while held") = Some(bar.clone());
    bar
}

/// What is left if it goes on as it went; nothing is said before that means something.
fn time_left(elapsed: Duration, done: f64) -> String {
    if elapsed < Duration::from_secs(1) || done < 0.01 {
        return String::new();
    }
    match (elapsed.as_secs_f64() * (1.0 - done) / done).ceil() as u64 {
        seconds @ ..60 => format!("{seconds} s left"),
        seconds @ ..3600 => format!("{} min left", seconds.div_ceil(60)),
        seconds => format!("{:.1} h left", seconds as f64 / 3600.0),
    }
}

/// Takes the bar away for good: what comes now is the answer.
pub fn clear_bar() {
    if let Some(bar) = DRAWN.lock().expect("no panic while held").take() {
        bar.finish_and_clear();
    }
}

/// Standard output, with the bar out of the way.
pub fn out() -> std::io::Stdout {
    clear_bar();
    std::io::stdout()
}

/// Does something while no bar is drawn, which then goes on.
pub fn beside_the_bar<T>(work: impl FnOnce() -> T) -> T {
    let bar = DRAWN.lock().expect("no panic while held").clone();
    match bar {
        Some(bar) => bar.suspend(work),
        None => work(),
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
        let _ = beside_the_bar(|| writeln!(std::io::stderr(), "{}", printable(text)));
    }
}

/// Why the command failed.
pub fn complain(text: &str) {
    clear_bar();
    say(&format!("error: {text}"), false);
}

/// The same for programs.
pub fn complain_in_json(error: &serde_json::Value) {
    clear_bar();
    say(&error.to_string(), false);
}

/// An answer as JSON, with what the user should know of it.
pub fn print_json(answer: &impl Serialize, notes: &[Note]) -> anyhow::Result<()> {
    #[derive(Serialize)]
    struct WithNotes<'a, T> {
        #[serde(flatten)]
        answer: &'a T,
        notes: &'a [Note],
    }
    writeln!(out(), "{}", serde_json::to_string_pretty(&WithNotes { answer, notes })?)?;
    Ok(())
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
    let shown = |cell: &str| printable(cell).into_owned();
    let names: Vec<String> = head.iter().map(|(name, _)| shown(name)).collect();
    let rows = rows.iter().map(|row| row.iter().map(|cell| shown(cell)).collect());
    let rows: Vec<Vec<String>> = std::iter::once(names).chain(rows).collect();
    let mut widths = vec![0; head.len()];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(columns(cell));
        }
    }
    let last = head.len() - 1;
    let before: usize = widths[..last].iter().sum::<usize>() + 2 * last;
    let room = width().saturating_sub(before).max(20);
    let mut out = out().lock();
    for row in &rows {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            let align = head[at].1;
            if at == last && align == Align::Left {
                line.push_str(&cut(cell, room));
                continue;
            }
            let pad = " ".repeat(widths[at] - columns(cell));
            match align {
                Align::Left => line.extend([cell.as_str(), pad.as_str()]),
                Align::Right => line.extend([pad.as_str(), cell.as_str()]),
            }
            if at < last {
                line.push_str("  ");
            }
        }
        writeln!(out, "{}", line.trim_end())?;
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
        if columns(&words) > room {
            break;
        }
    }
    if columns(&words) <= room {
        return words;
    }
    let mut taken = 0;
    let fits = |c: &char| {
        taken += columns_of(*c);
        taken < room
    };
    words.chars().take_while(fits).chain(['…']).collect()
}

/// How many columns a terminal gives to a text.
pub fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// Two for what East Asian scripts and emoji are written in, none for marks on the letter before.
fn columns_of(c: char) -> usize {
    match c {
        '\u{300}'..='\u{36f}'
        | '\u{200b}'..='\u{200d}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f680}'..='\u{1f6ff}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
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
    fn the_time_left_follows_from_the_time_taken() {
        let left = |seconds, done| time_left(Duration::from_secs(seconds), done);
        assert_eq!((left(0, 0.5), left(9, 0.001)), (String::new(), String::new()));
        assert_eq!((left(10, 0.5), left(30, 0.25)), ("10 s left".into(), "2 min left".into()));
        assert_eq!(left(3600, 0.25), "3.0 h left");
    }

    #[test]
    fn wide_characters_take_two_columns_and_marks_none() {
        assert_eq!(["退款", "환불", "e\u{301}te\u{301}", "ok"].map(columns), [4, 4, 3, 2]);
    }

    #[test]
    fn long_texts_are_cut_on_one_line() {
        assert_eq!(cut("a\n  b", 10), "a b");
        assert_eq!(cut("über alle Maßen", 8), "über al…");
        assert_eq!(cut("退款申请", 6), "退款…");
    }
}
