//! `likewise-fuzz`: hostile files for as long as one likes.
//!
//! `likewise-fuzz SECONDS [SEED] [TARGET]` runs, `likewise-fuzz again TARGET FILE` reads one file again.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use likewise::Run;
use likewise_fuzz::campaign::{Plan, Tally, is_model, run, work};
use likewise_fuzz::{targets, try_one};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<u64>().ok();
    let plan = |seconds: u64, seed: u64, only: &str, kept: PathBuf| Plan {
        seed,
        time: Duration::from_secs(seconds),
        only: only.into(),
        kept,
    };
    match words[..] {
        ["worker", seed, seconds, only, round, kept] => {
            let (Some(seed), Some(seconds), Some(round)) = (number(seed), number(seconds), number(round))
            else {
                return ExitCode::from(2);
            };
            // Inside a pool of one thread nothing waits for another: a case is over in less time than a thread wakes.
            let plan = plan(seconds, seed, only, kept.into());
            let done = Run::new(0).with_threads(1).map(|run| run.install(|| work(&plan, round)));
            if matches!(done, Ok(Ok(()))) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        ["again", name, file] => {
            let Some(target) = targets::all().into_iter().find(|target| target.name() == name) else {
                eprintln!("there is no target {name}");
                return ExitCode::from(2);
            };
            let read = std::fs::read(file)
                .map_err(|e| e.to_string())
                .and_then(|bytes| try_one(target.as_ref(), &bytes));
            println!("{read:?}");
            if read.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        [seconds] | [seconds, _] | [seconds, _, _] if number(seconds).is_some() => {
            let seed = words.get(1).and_then(|seed| number(seed)).unwrap_or(1);
            let only = words.get(2).copied().unwrap_or("");
            report(&plan(number(seconds).unwrap_or(0), seed, only, "target/hostile".into()))
        }
        _ => {
            eprintln!("likewise-fuzz SECONDS [SEED] [TARGET], or likewise-fuzz again TARGET FILE");
            ExitCode::from(2)
        }
    }
}

fn report(plan: &Plan) -> ExitCode {
    let (tallies, failures) = match run(plan) {
        Ok(done) => done,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!(
        "{:<44} {:>9} {:>9} {:>9} {:>7} {:>9}",
        "target", "cases", "answered", "refused", "failed", "ms a case"
    );
    let mut sums = [("all readers", Tally::default()), ("all models", Tally::default())];
    for (name, tally) in &tallies {
        show(name, tally);
        let (_, sum) = &mut sums[usize::from(is_model(name))];
        sum.add(tally);
    }
    sums.iter().for_each(|(name, sum)| show(name, sum));
    failures.iter().for_each(|failure| println!("{failure}"));
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn show(name: &str, tally: &Tally) {
    let Tally { cases, given, refused, failed, spent } = tally;
    let each = *spent as f64 / (*cases).max(1) as f64;
    println!("{name:<44} {cases:>9} {given:>9} {refused:>9} {failed:>7} {each:>9.3}");
}
