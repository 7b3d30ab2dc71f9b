//! What the help says beside the options themselves: their headings, examples, exit codes.
//!
//! The parser, the help, the completions and the manual pages are all made of [`command`].

use clap::{Command, CommandFactory};

use crate::Arguments;

/// Under which heading options stand. `command/option` is for an option that means something else there. What follows a
/// flattened group of arguments would stand under the heading of that group.
const HEADINGS: [(&str, &str); 14] = [
    (
        "Examples and pile",
        "alpha by data examples in keep-positives known label labelled like mechanism negative positive",
    ),
    ("Examples and pile", "project sample strength unlike"),
    ("Truth", "marks truth truth-label truth-positive"),
    ("Cut", "cut find/top precision recall share threshold"),
    ("Columns", "embed except features id id-column text vectors"),
    ("Reading", "encoding format separator skip-bad-rows"),
    ("Related tables", "database draw modes schema target"),
    (
        "Method",
        "afresh candidates effort folds full method methods quick rankers resamples scores set with-graph",
    ),
    (
        "Answer",
        "audit-file audit-sample export from guide json keep-columns model output probabilities recut report safe-csv shard summary top what",
    ),
    ("When to stop", "most next rehearse/alpha rehearse/target review/target row rule sure"),
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
    ("help", ["help marking", "help --guide unexpected"]),
];

const EXIT_CODES: &str = "Exit codes: 0 success; 1 failure; 2 wrong usage; 130 stopped by Ctrl-C. Answers go to standard output, all else \
to standard error.";

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
        "`likewise COMMAND --help` shows examples, `likewise help` the chapters of the guide. {EXIT_CODES}"
    ))
}

fn examples(command: &str) -> Option<String> {
    let (_, examples) = EXAMPLES.iter().find(|(name, _)| *name == command)?;
    let lines: Vec<String> = examples.iter().map(|line| format!("  likewise {line}")).collect();
    Some(format!("Examples:\n{}\n\n{EXIT_CODES}", lines.join("\n")))
}

fn heading(command: &str, option: &str) -> Option<&'static str> {
    let under = |name: &str| {
        HEADINGS.iter().find(|(_, options)| options.split(' ').any(|o| o == name)).map(|(h, _)| *h)
    };
    under(&format!("{command}/{option}")).or_else(|| under(option))
}
