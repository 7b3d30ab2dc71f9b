//! Many cases of many targets, in a process that may die of them.
//!
//! A worker reads blocks of cases, target after target, and says after each block how it went; before each case it
//! notes which one it is. Where a worker dies, the one that started it makes that case again, keeps it, and starts
//! another worker behind the block.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::watch::processor_time;
use crate::{Answer, Target, case, targets, try_one};

/// Cases of one model at a time. There are more models than readers; a reader gets so many more cases that both kinds
/// have as many.
const BLOCK: u64 = 50;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Of every case.
    pub seed: u64,
    /// How long.
    pub time: Duration,
    /// Only targets whose name contains this.
    pub only: String,
    /// Where cases that fail are kept.
    pub kept: PathBuf,
}

/// How it went with one target.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub cases: u64,
    pub given: u64,
    pub refused: u64,
    pub failed: u64,
    /// Milliseconds of processor time, for making the cases and for reading them.
    pub spent: u64,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.cases += other.cases;
        self.given += other.given;
        self.refused += other.refused;
        self.failed += other.failed;
        self.spent += other.spent;
    }
}

impl Plan {
    fn targets(&self) -> Vec<Box<dyn Target>> {
        targets::all().into_iter().filter(|target| target.name().contains(&self.only)).collect()
    }
}

/// How many cases of each target a round has.
fn blocks(targets: &[Box<dyn Target>]) -> Vec<u64> {
    let models = targets.iter().filter(|target| is_model(&target.name())).count() as u64;
    let readers = targets.len() as u64 - models;
    let of = |target: &dyn Target| match is_model(&target.name()) || models == 0 {
        true => BLOCK,
        false => (BLOCK * models).div_ceil(readers),
    };
    targets.iter().map(|target| of(target.as_ref())).collect()
}

/// Whether a target of this name reads models.
pub fn is_model(name: &str) -> bool {
    name.starts_with("model-")
}

/// Runs workers until the time is over; the tallies by target and what failed.
pub fn run(plan: &Plan) -> std::io::Result<(BTreeMap<String, Tally>, Vec<String>)> {
    std::fs::create_dir_all(&plan.kept)?;
    let end = Instant::now() + plan.time;
    let note = plan.kept.join("current");
    let (mut tallies, mut failures) = (BTreeMap::<String, Tally>::new(), Vec::new());
    let mut round = 0;
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        let mut worker = Command::new(std::env::current_exe()?)
            .args([
                "worker",
                &plan.seed.to_string(),
                &left.as_secs().to_string(),
                &plan.only,
                &round.to_string(),
            ])
            .arg(&plan.kept)
            .stdout(Stdio::piped())
            .spawn()?;
        let Some(out) = worker.stdout.take() else { break };
        for line in BufReader::new(out).lines() {
            let line = line?;
            match line.split('\t').collect::<Vec<_>>()[..] {
                ["block", name, cases, given, refused, failed, spent] => {
                    let [cases, given, refused, failed, spent] =
                        [cases, given, refused, failed, spent].map(|text| text.parse().unwrap_or(0));
                    let block = Tally { cases, given, refused, failed, spent };
                    tallies.entry(name.into()).or_default().add(&block);
                }
                _ => failures.push(line),
            }
        }
        if worker.wait()?.success() {
            break;
        }
        // The worker died in the case it had noted.
        let noted = std::fs::read_to_string(&note)?;
        let mut noted = noted.split_whitespace();
        let name = noted.next().unwrap_or("");
        let mut next = || noted.next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
        let (number, died) = (next(), next());
        if let Some(target) = plan.targets().iter().find(|target| target.name() == name) {
            let path = keep(target.as_ref(), plan, number)?;
            failures.push(format!("{name}\t{number}\tthe process died\t{}", path.display()));
            tallies.entry(name.into()).or_default().failed += 1;
        }
        round = died + 1;
    }
    let _ = std::fs::remove_file(note);
    Ok((tallies, failures))
}

/// What a worker does.
pub fn work(plan: &Plan, from: u64) -> std::io::Result<()> {
    let note = File::create(plan.kept.join("current"))?;
    let end = Instant::now() + plan.time;
    let targets = plan.targets();
    let blocks = blocks(&targets);
    for round in from.. {
        for (target, block) in targets.iter().zip(&blocks) {
            if Instant::now() > end {
                return Ok(());
            }
            let mut tally = Tally::default();
            let before = processor_time();
            for number in round * block..(round + 1) * block {
                note.write_all_at(format!("{:<60} {number:<20} {round:<20}\n", target.name()).as_bytes(), 0)?;
                tally.cases += 1;
                match try_one(target.as_ref(), &case(target.as_ref(), plan.seed, number)) {
                    Ok(Answer::Given) => tally.given += 1,
                    Ok(Answer::Refused) => tally.refused += 1,
                    Err(wrong) => {
                        tally.failed += 1;
                        let path = keep(target.as_ref(), plan, number)?;
                        println!("{}\t{number}\t{wrong}\t{}", target.name(), path.display());
                    }
                }
            }
            let Tally { cases, given, refused, failed, .. } = tally;
            let spent = (processor_time() - before).as_millis();
            println!("block\t{}\t{cases}\t{given}\t{refused}\t{failed}\t{spent}", target.name());
        }
    }
    Ok(())
}

fn keep(target: &dyn Target, plan: &Plan, number: u64) -> std::io::Result<PathBuf> {
    let folder = plan.kept.join(target.name());
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{}-{number}", plan.seed));
    std::fs::write(&path, case(target, plan.seed, number))?;
    Ok(path)
}

/// The cases kept under a folder: target and file.
pub fn kept(folder: &Path) -> Vec<(String, PathBuf)> {
    let list = |path: &Path| -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> =
            std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        all.sort();
        all
    };
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folders = list(folder).into_iter().filter(|path| path.is_dir());
    folders.flat_map(|path| list(&path).into_iter().map(move |file| (name(&path), file))).collect()
}
