//! `likewise reproduce`: the papers' tables, rerun beside what they print.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use likewise::figures;
use likewise::registry;
use likewise_io::write_atomically;
use likewise_papers::data::DataFolder;
use likewise_papers::show::{show, summary};
use likewise_papers::{Cell, Extent, Lab, PAPERS, Paper, tables, vectors};
use likewise_report::reproduce::{Results, page};

use crate::arguments::{RunArguments, Usage};
use crate::files::Files;
use crate::terminal;

/// Rerun the papers' experiments and print their tables beside ours
///
/// Each cell is ours, its spread over the trials, and in brackets what the paper prints and the difference. A
/// run that was stopped goes on where it was.
#[derive(Args)]
pub struct Reproduce {
    /// Which: lgn, relocc, nmfpul, topics, svmc, onb, ranking, automatic, prior, pile-size, review, marks, tomorrow, vectors
    /// (of word vectors that LIKEWISE_VECTORS names), tables (of those that LIKEWISE_TABLES names), or all
    #[arg(value_name = "PAPER", default_value = "all")]
    papers: Vec<String>,
    /// The folder with the data sets [default: LIKEWISE_DATA, else ../shared/data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Fewer trials, minutes instead of an hour; the default
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// As many trials as the papers ran
    #[arg(long)]
    full: bool,
    /// Write every cell as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write one page that opens offline
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Show cells that an earlier run wrote with --json instead of running anything; may be repeated. A folder stands for
    /// every .json in it
    #[arg(long, value_name = "FILE|FOLDER", conflicts_with_all = ["afresh", "quick", "full"])]
    from: Vec<PathBuf>,
    /// Run only these methods, and of each paper only its table of every method
    #[arg(long, value_name = "METHOD,…", value_delimiter = ',', conflicts_with = "from")]
    methods: Vec<String>,
    /// Forget what an earlier, interrupted run has done
    #[arg(long)]
    afresh: bool,
    #[command(flatten)]
    run: RunArguments,
}

impl Reproduce {
    pub fn run(&self) -> anyhow::Result<()> {
        let papers = self.chosen_papers()?;
        let files = Files::default().read(&self.from).written("--json", self.json.clone());
        files.written("--report", self.report.clone()).check()?;
        let effort = if self.full { Extent::Full } else { Extent::Quick };
        if !self.from.is_empty() {
            return self.show_kept(&papers);
        }
        let run = terminal::start(&self.run)?;
        let data = DataFolder::find(self.data.as_deref());
        let journal = journal(&papers, effort)?;
        if self.afresh {
            forget(&journal)?;
        }
        let mut lab = Lab::new(data, effort, run.clone()).with_journal(&journal)?;
        if !self.methods.is_empty() {
            lab = lab.only(self.methods.clone());
        }
        if lab.remembered() > 0 {
            let known = figures::count(lab.remembered());
            terminal::say(
                &format!("{known} trials of an interrupted run are taken up again."),
                self.run.quiet,
            );
        }
        if effort == Extent::Quick {
            terminal::say("Fewer trials than the papers ran; --full runs them all.", self.run.quiet);
        }
        let mut cells: Vec<Cell> = Vec::new();
        for (at, paper) in papers.iter().enumerate() {
            lab.told(run.part(at, papers.len()));
            let started = std::time::Instant::now();
            let found = (paper.reproduce)(&lab).with_context(|| format!("{} stopped", paper.name))?;
            terminal::beside_the_bar(|| writeln!(std::io::stdout(), "{}", show(paper, &found)))?;
            let seconds = started.elapsed().as_secs_f64();
            terminal::say(&format!("{} took {seconds:.0} s.", paper.name), self.run.quiet);
            cells.extend(found);
        }
        sum_up(&mut terminal::out().lock(), &papers, &cells)?;
        self.write(&papers, &cells, Some(effort))?;
        forget(&journal)?;
        Ok(())
    }

    fn chosen_papers(&self) -> anyhow::Result<Vec<&'static Paper>> {
        self.methods.iter().try_for_each(|name| registry::find(name).map(|_| ()))?;
        let mut papers = chosen(&self.papers, self.from.is_empty())?;
        if !self.methods.is_empty() {
            papers.retain(|paper| paper.compares_every_method());
            if papers.is_empty() {
                let message = "--methods: no paper named here has a table of every method";
                return Err(Usage(message.into()).into());
            }
        }
        Ok(papers)
    }

    fn write(&self, papers: &[&'static Paper], cells: &[Cell], effort: Option<Extent>) -> anyhow::Result<()> {
        if let Some(path) = &self.json {
            let lines: Vec<String> = cells.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
            write_atomically(path, format!("[\n{}\n]\n", lines.join(",\n")).as_bytes())?;
        }
        if let Some(path) = &self.report {
            write_atomically(path, page(&Results { papers, cells, effort }).as_bytes())?;
        }
        Ok(())
    }

    /// The files of --from, and those in its folders in the order of their names.
    fn kept_files(&self) -> anyhow::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for path in &self.from {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let entries = std::fs::read_dir(path).with_context(|| format!("{}", path.display()))?;
            let mut inside: Vec<PathBuf> =
                entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
            inside.retain(|file| file.extension().is_some_and(|end| end == "json"));
            if inside.is_empty() {
                return Err(anyhow!("{} holds no .json that `reproduce --json` wrote", path.display()));
            }
            inside.sort();
            files.extend(inside);
        }
        Ok(files)
    }

    /// The papers of which cells were kept.
    fn show_kept(&self, papers: &[&'static Paper]) -> anyhow::Result<()> {
        let mut cells: Vec<Cell> = Vec::new();
        for path in self.kept_files()? {
            let bytes = std::fs::read(&path).with_context(|| format!("{}", path.display()))?;
            let found: Vec<Cell> = serde_json::from_slice(&bytes)
                .with_context(|| format!("{} holds no cells of `reproduce --json`", path.display()))?;
            cells.extend(found);
        }
        let kept = |paper: &&&Paper| cells.iter().any(|cell| cell.paper == paper.name);
        let papers: Vec<&'static Paper> = papers.iter().filter(kept).copied().collect();
        if papers.is_empty() {
            let asked = self.papers.join(", ");
            return Err(anyhow!("the files of --from hold no cells of {asked}; name what they hold, or all"));
        }
        let mut out = terminal::out().lock();
        for paper in &papers {
            let own: Vec<Cell> = cells.iter().filter(|cell| cell.paper == paper.name).cloned().collect();
            writeln!(out, "{}", show(paper, &own))?;
        }
        sum_up(&mut out, &papers, &cells)?;
        self.write(&papers, &cells, None)
    }
}

/// One paper speaks for itself.
fn sum_up(out: &mut impl Write, papers: &[&Paper], cells: &[Cell]) -> std::io::Result<()> {
    if papers.len() > 1 { write!(out, "{}", summary(papers, cells)) } else { Ok(()) }
}

/// `runs`: they are to be run, not only shown.
fn chosen(names: &[String], runs: bool) -> anyhow::Result<Vec<&'static Paper>> {
    if names.iter().any(|name| name == "all") {
        // Word vectors and the tables of packages are no part of the data sets: who has none runs all the others.
        let can = |paper: &&&Paper| match paper.name {
            _ if !runs => true,
            name if name == vectors::PAPER.name => vectors::file().is_some(),
            name if name == tables::PAPER.name => tables::folder().is_some(),
            _ => true,
        };
        return Ok(PAPERS.iter().filter(can).copied().collect());
    }
    let find = |name: &String| {
        PAPERS.iter().copied().find(|paper| paper.name == name).ok_or_else(|| {
            let known: Vec<&str> = PAPERS.iter().map(|paper| paper.name).collect();
            anyhow::Error::new(Usage(format!("no paper `{name}`; there are {}, all", known.join(", "))))
        })
    };
    names.iter().map(find).collect()
}

/// Where finished trials are remembered until the run ends. The name changes with the program, so that
/// trials of an older one are never mixed in, and with the papers, so that runs beside each other keep their own.
fn journal(papers: &[&Paper], effort: Extent) -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let about = std::fs::metadata(&program)?;
    let changed = about.modified()?.duration_since(std::time::UNIX_EPOCH)?.as_secs();
    let folder = match (std::env::var_os("XDG_CACHE_HOME"), std::env::var_os("HOME")) {
        (Some(cache), _) if !cache.is_empty() => PathBuf::from(cache),
        (_, Some(home)) if !home.is_empty() => Path::new(&home).join(".cache"),
        _ => std::env::temp_dir(),
    };
    let effort = if effort == Extent::Full { "full" } else { "quick" };
    let papers = papers.iter().map(|paper| paper.name).collect::<Vec<_>>().join("-");
    let name = format!("reproduce-{papers}-{effort}-{}-{changed:x}.jsonl", about.len());
    Ok(folder.join("likewise").join(name))
}

/// The same run beside this one may have forgotten it already.
fn forget(journal: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(journal) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}
