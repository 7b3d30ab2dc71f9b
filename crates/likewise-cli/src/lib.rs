//! The `likewise` command: arguments, terminal, exit codes. What it does lives in the library.
//!
//! [`run`] is the whole command, so that other doors (Python's `python -m likewise`) are the same command line.

mod answer;
mod arguments;
mod beside;
mod commands;
mod embedding;
mod files;
mod guide;
mod help;
mod kept;
mod memory;
mod pager;
mod problem;
mod reading;
mod signals;
mod terminal;
mod wording;

use std::ffi::OsString;
use std::io::Write;

use clap::{FromArgMatches, Parser, Subcommand};

/// Show it a few of what you want; it finds the rest.
///
/// Learns a class from examples of that class alone and a pile of unlabelled rows. Without any argument after
/// `find` it runs on a sample, so that you can look around.
#[derive(Parser)]
#[command(
    name = "likewise",
    version,
    propagate_version = true,
    max_term_width = 110,
    disable_help_subcommand = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Find(Box<commands::find::Find>),
    Score(commands::score::Score),
    Update(commands::update::Update),
    Unexpected(commands::unexpected::Unexpected),
    Evaluate(commands::evaluate::Evaluate),
    Prior(commands::prior::Prior),
    Methods(commands::methods::Methods),
    Explain(commands::explain::Explain),
    Look(commands::look::Look),
    Audit(commands::audit::Audit),
    Compare(commands::compare::Compare),
    Simulate(commands::simulate::Simulate),
    Rehearse(commands::rehearse::Rehearse),
    #[cfg(feature = "papers")]
    Reproduce(commands::reproduce::Reproduce),
    #[cfg(feature = "review")]
    Review(Box<commands::review::Review>),
    #[cfg(feature = "papers")]
    Data(commands::data::Data),
    #[cfg(not(feature = "papers"))]
    #[command(hide = true)]
    Reproduce(commands::papers_absent::PapersAbsent),
    #[cfg(not(feature = "papers"))]
    #[command(hide = true)]
    Data(commands::papers_absent::PapersAbsent),
    Schema(commands::schema::Schema),
    Features(commands::features::Features),
    Codes(commands::codes::Codes),
    Completions(commands::completions::Completions),
    Manual(commands::manual::Manual),
    Help(commands::help::Help),
}

/// The definitions behind the parser, the help, the completions and the manual pages.
pub fn command() -> clap::Command {
    help::command()
}

/// Runs the command line `arguments` (the program's name first) and returns its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut in_json = arguments.iter().any(|argument| argument == "--json");
    let parsed = help::command().try_get_matches_from(&arguments).and_then(|matches| {
        in_json = asks_for_json(&matches);
        Arguments::from_arg_matches(&matches)
    });
    let result = match parsed {
        Ok(arguments) => arguments.command.run(),
        Err(error) if in_json && error.use_stderr() => {
            let code = error.exit_code() as u8;
            terminal::complain_in_json(&wording::error_json(&error.into()));
            return code;
        }
        Err(error) => {
            let printed = error.print();
            if let Some(advice) = help::advice(&error, &arguments) {
                terminal::say(&advice, false);
            }
            return if printed.is_ok() { error.exit_code() as u8 } else { 1 };
        }
    };
    // Inside another program nobody flushes for us at the end.
    let result = result.and_then(|()| Ok(terminal::out().flush()?));
    match result {
        Ok(()) => 0,
        Err(error) => {
            let code = exit_code(&error);
            if code != 0 && in_json {
                terminal::complain_in_json(&wording::error_json(&error));
            } else if code != 0 {
                terminal::complain(&wording::error(&error));
            }
            code
        }
    }
}

/// Whether the answer is printed as JSON; the `--json` of some commands names a file.
fn asks_for_json(matches: &clap::ArgMatches) -> bool {
    let command = matches.subcommand().map_or(matches, |(_, command)| command);
    matches!(command.try_get_one::<bool>("json"), Ok(Some(true)))
}

impl Command {
    fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Find(command) => command.run(),
            Command::Score(command) => command.run(),
            Command::Update(command) => command.run(),
            Command::Unexpected(command) => command.run(),
            Command::Evaluate(command) => command.run(),
            Command::Prior(command) => command.run(),
            Command::Methods(command) => command.run(),
            Command::Explain(command) => command.run(),
            Command::Look(command) => command.run(),
            Command::Audit(command) => command.run(),
            Command::Compare(command) => command.run(),
            Command::Simulate(command) => command.run(),
            Command::Rehearse(command) => command.run(),
            Command::Reproduce(command) => command.run(),
            #[cfg(feature = "review")]
            Command::Review(command) => command.run(),
            Command::Data(command) => command.run(),
            Command::Schema(command) => command.run(),
            Command::Features(command) => command.run(),
            Command::Codes(command) => command.run(),
            Command::Completions(command) => command.run(),
            Command::Manual(command) => command.run(),
            Command::Help(command) => command.run(),
        }
    }
}

/// 2: the command was called wrongly; 130: stopped by the user; 0: nobody reads our output any more.
fn exit_code(error: &anyhow::Error) -> u8 {
    use likewise::Error as Learning;
    use likewise_io::Error as Files;
    for cause in error.chain() {
        match cause.downcast_ref::<Learning>() {
            Some(Learning::Parameter { .. } | Learning::UnknownMethod { .. }) => return 2,
            Some(Learning::Cancelled) => return terminal::STOPPED,
            _ => {}
        }
        if let Some(files) = cause.downcast_ref::<Files>() {
            if files.is_broken_pipe() {
                return 0;
            }
            if files.is_usage() {
                return 2;
            }
        }
        if let Some(io) = cause.downcast_ref::<std::io::Error>()
            && io.kind() == std::io::ErrorKind::BrokenPipe
        {
            return 0;
        }
        if cause.downcast_ref::<arguments::Usage>().is_some() {
            return 2;
        }
    }
    1
}
