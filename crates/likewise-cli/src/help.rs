//! What the help says beside the options themselves: their headings, examples, exit codes.
//!
//! The parser, the help, the completions and the manual pages are all made of [`command`].

use std::ffi::OsString;
use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};
use clap_mangen::roff::{Roff, bold, roman};
use likewise::registry;
use likewise_io::Format;

use crate::Arguments;
use crate::guide::CHAPTERS;

/// Under which heading options stand. `command/option` is for an option that means something else there. What follows a
/// flattened group of arguments would stand under the heading of that group.
const HEADINGS: [(&str, &str); 16] = [
    (
        "Examples and pile",
        "alpha by examples in keep-positives known label labelled like mechanism negative positive",
    ),
    ("Examples and pile", "project sample strength unlike"),
    ("Truth", "marks truth truth-label truth-positive evaluate/id evaluate/label evaluate/positive"),
    ("Experiments", "afresh data full quick reproduce/from reproduce/methods"),
    ("Cut", "cut find/top precision recall share threshold"),
    ("Columns", "embed except features id id-column text vectors"),
    ("Reading", "encoding format separator sheet skip-bad-rows"),
    ("Related tables", "database draw modes schema target"),
    ("Method", "candidates effort folds method methods rankers resamples scores set with-graph"),
    (
        "Answer",
        "audit-file audit-sample export json keep-columns model output probabilities recut report safe-csv shard summary top what",
    ),
    ("When to stop", "most next rehearse/alpha rehearse/target review/target row rule sure"),
    ("Guide", "guide"),
    ("Page", "framed listen name no-open port token"),
    ("A program as reader", "budget no-page reader reader-name reader-seconds"),
    (
        "Words",
        "fold-accents max-share min-documents most-words ngrams stemming stop-words times tokens unit-length weights",
    ),
    ("Run", "memory quiet seed threads"),
];

/// Two ways to call each command, without the program's name.
const EXAMPLES: [(&str, [&str; 2]); 22] = [
    (
        "find",
        [
            "find --like wanted.jsonl --in pile.jsonl --output ranked.csv --model refunds.model",
            "find --in patients.csv --label known --positive yes --features all",
        ],
    ),
    ("look", ["look pile.csv", "look patients.parquet --label known --except hospital --json"]),
    (
        "score",
        [
            "score refunds.model --in tomorrow.jsonl --output scored.parquet",
            "score refunds.model --in tomorrow.csv --recut --summary how.json --output scored.csv",
        ],
    ),
    (
        "update",
        [
            "update refunds.model --like more.jsonl --unlike wrong.jsonl --model better.model",
            "update refunds.model --like wanted.jsonl --like more.jsonl --in pile.jsonl --model better.model",
        ],
    ),
    (
        "unexpected",
        [
            "unexpected --known train.jsonl --label group --in new.jsonl --output verdicts.jsonl",
            "unexpected --known coins.csv --label kind --in new.csv --features all",
        ],
    ),
    (
        "evaluate",
        [
            "evaluate ranked.jsonl --truth all.jsonl --label topic --positive refund",
            "evaluate ranked.csv --truth sim/truth.jsonl --json",
        ],
    ),
    (
        "prior",
        [
            "prior --like wanted.jsonl --in pile.jsonl",
            "prior --in all.csv --label status --positive refund --json",
        ],
    ),
    ("methods", ["methods", "methods logistic"]),
    (
        "explain",
        ["explain refunds.model --in pile.jsonl --id m081 --top 6", "explain refunds.model --top 20"],
    ),
    (
        "audit",
        ["audit --like wanted.jsonl --in pile.jsonl", "audit --in all.csv --label status --positive refund"],
    ),
    (
        "compare",
        [
            "compare --like wanted.jsonl --in pile.jsonl --methods auto,nb,logistic",
            "compare --like sim/like.jsonl --in sim/pile.jsonl --truth sim/truth.jsonl",
        ],
    ),
    (
        "simulate",
        [
            "simulate --in all.jsonl --label topic --positive refund --labelled 50 --output sim",
            "simulate --in all.jsonl --label topic --positive refund --mechanism sar --output sim",
        ],
    ),
    (
        "rehearse",
        [
            "rehearse --in all.jsonl --label topic --positive refund",
            "rehearse --in all.jsonl --label topic --positive refund --rule in-a-row --row 50",
        ],
    ),
    ("reproduce", ["reproduce onb", "reproduce all --full --json cells.json --report papers.html"]),
    (
        "review",
        [
            "review --like wanted.jsonl --in pile.jsonl --project refunds.likewise",
            "review refunds.likewise --export found.csv",
        ],
    ),
    ("data", ["data", "data --json"]),
    ("schema", ["schema shop.sqlite", "schema tables/ --schema corrected.toml"]),
    (
        "features",
        [
            "features refunds.model --database shop.sqlite --output rules.csv",
            "features refunds.model --database shop.sqlite --in orders.txt --output rules.csv",
        ],
    ),
    ("codes", ["codes", "codes > codes.md"]),
    (
        "completions",
        [
            "completions bash > ~/.local/share/bash-completion/completions/likewise",
            "completions fish > ~/.config/fish/completions/likewise.fish",
        ],
    ),
    ("manual", ["manual ~/.local/share/man/man1", "manual pages/"]),
    ("help", ["help marking", "help logistic"]),
];

const EXIT_CODES: [(&str, &str); 4] =
    [("0", "success"), ("1", "failure"), ("2", "wrong usage"), ("130", "stopped by Ctrl-C")];
const WHERE_TO: &str = "Answers go to standard output, all else to standard error.";

fn exit_codes() -> String {
    let codes: Vec<String> = EXIT_CODES.iter().map(|(code, meaning)| format!("{code} {meaning}")).collect();
    format!("Exit codes: {}. {WHERE_TO}", codes.join("; "))
}

/// The command line with its headings and examples.
pub fn command() -> Command {
    let mut program = Arguments::command();
    let names: Vec<String> = program.get_subcommands().map(|c| c.get_name().to_string()).collect();
    for name in names {
        program = program.mut_subcommand(&name, |command| {
            let command = match examples(&name) {
                Some(examples) => command.after_help(examples),
                None => command,
            };
            command.mut_args(|argument| {
                let heading = argument.get_long().and_then(|long| heading(&name, long));
                argument.help_heading(heading)
            })
        });
    }
    program.after_help(format!(
        "`likewise COMMAND --help` shows examples, `likewise help` the chapters of the guide. {}",
        exit_codes()
    ))
}

fn examples(command: &str) -> Option<String> {
    let lines: Vec<String> = calls(command)?.iter().map(|line| format!("  likewise {line}")).collect();
    Some(format!("Examples:\n{}\n\n{}", lines.join("\n"), exit_codes()))
}

fn calls(command: &str) -> Option<&'static [&'static str; 2]> {
    EXAMPLES.iter().find(|(name, _)| *name == command).map(|(_, calls)| calls)
}

/// The end of a manual page: what stands below the options, as sections of its own.
pub fn end_of_page(command: &str) -> Roff {
    let mut page = Roff::new();
    if let Some(calls) = calls(command) {
        page.control("SH", ["EXAMPLES"]).control("nf", []);
        calls.iter().for_each(|call| _ = page.text([roman(format!("likewise {call}"))]));
        page.control("fi", []);
    }
    page.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in EXIT_CODES {
        page.control("TP", []).text([bold(code)]).text([roman(meaning)]);
    }
    page.control("PP", []).text([roman(WHERE_TO)]);
    page
}

/// The definitions with every value that can be offered before anything is read: for shells, which do not run the
/// command while they complete it. The parser takes more, and says more where it does not.
pub fn command_to_complete() -> Command {
    let methods: Vec<&'static str> = registry::all().map(|entry| entry.spec().name).collect();
    let chapters = CHAPTERS.iter().map(|chapter| chapter.name);
    let commands = EXAMPLES.iter().map(|(name, _)| *name);
    let topics: Vec<&'static str> = commands.chain(chapters).chain(methods.iter().copied()).collect();
    let formats: Vec<&'static str> = Format::ALL.map(Format::name).to_vec();
    let mut program = command();
    let names: Vec<String> = program.get_subcommands().map(|c| c.get_name().to_string()).collect();
    for name in names {
        program = program.mut_subcommand(&name, |command| {
            command.mut_args(|argument| {
                let values = match (name.as_str(), argument.get_id().as_str()) {
                    (_, "method" | "methods" | "candidates" | "rankers") | ("methods", "name") => &methods,
                    (_, "format") => &formats,
                    ("help", "about") => &topics,
                    _ => return argument,
                };
                argument.value_parser(PossibleValuesParser::new(values.clone()))
            })
        });
    }
    program
}

fn heading(command: &str, option: &str) -> Option<&'static str> {
    let under = |name: &str| {
        HEADINGS.iter().find(|(_, options)| options.split(' ').any(|o| o == name)).map(|(h, _)| *h)
    };
    under(&format!("{command}/{option}")).or_else(|| under(option))
}

/// What is meant, mostly, by a word that belongs to no option.
pub fn advice(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(alone)) = error.get(ContextKind::InvalidArg) else { return None };
    let at = arguments.iter().position(|argument| argument.to_str() == Some(alone))?;
    let option =
        arguments[..at].iter().rev().find_map(|before| before.to_str().filter(|o| o.starts_with("--")))?;
    match error.kind() {
        ErrorKind::UnknownArgument if option == "--keep-columns" => {
            Some(format!("\ntip: columns to keep stand behind an equals sign: --keep-columns={alone}"))
        }
        ErrorKind::UnknownArgument if Path::new(alone).exists() => Some(format!(
            "\ntip: {option} takes one file. A shell replaces a pattern by the names of all files; put it in quotes, as in {option} '*.csv', or give every file an option of its own: {option} {alone}"
        )),
        _ => None,
    }
}
