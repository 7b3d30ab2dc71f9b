//! `likewise review`: a page on which a person finds the rest, and is told when to stop.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};
use likewise::Run;
use likewise::codes;
use likewise::data::Table;
use likewise::figures::{count, rows};
use likewise::note::Note;
use likewise::reading::reading_words;
use likewise_io::{Output, Outputs, Source};
use likewise_review::Desk;
use likewise_review::export::{self, As, What};
use likewise_review::http::{self, Server};
use likewise_review::program;
use likewise_review::project::import::Import;
use likewise_review::project::{Project, Settings};

use crate::arguments::{ColumnArguments, ReadArguments, RunArguments, Usage, WordArguments};
use crate::commands::sample;
use crate::files::Files;
use crate::reading::{self, Wanted};
use crate::terminal::{self, say};
use crate::wording;

/// Read the pile on a page in the browser, best first, and be told when to stop
///
/// Mark rows with a key each; what is most like your marks comes next. Random checks in between prove how much of what
/// you want is found. Everything is kept in one project file, which goes on where it was. Without files it opens a
/// built-in sample.
#[derive(Args)]
pub struct Review {
    /// A project to go on with
    #[arg(value_name = "PROJECT")]
    project_alone: Option<PathBuf>,
    /// The project file to make or go on with [default: the name of --in with .likewise, in this folder]
    #[arg(long, value_name = "FILE", conflicts_with = "project_alone")]
    project: Option<PathBuf>,
    /// Examples of what you want; may be repeated. Without any, search or read rows at random until some are found
    #[arg(long, value_name = "FILE")]
    like: Vec<PathBuf>,
    /// The rows to read; `-` is standard input; may be repeated
    #[arg(long = "in", value_name = "FILE")]
    pile: Vec<PathBuf>,
    /// Column that marks examples in --in
    #[arg(long, value_name = "COL", requires = "positive", conflicts_with = "like")]
    label: Option<String>,
    /// Value of the label that marks an example
    #[arg(long, value_name = "VALUE", requires = "label")]
    positive: Option<String>,
    #[command(flatten)]
    columns: ColumnArguments,
    #[command(flatten)]
    read: ReadArguments,
    /// The share of the wanted that is to be found [default: 0.95, or what the project says]
    #[arg(long, value_name = "SHARE")]
    target: Option<f64>,
    /// How sure that is to be [default: 0.95, or what the project says]
    #[arg(long, value_name = "SHARE")]
    sure: Option<f64>,
    #[command(flatten)]
    page: PageArguments,
    #[command(flatten)]
    reader: ReaderArguments,
    /// Write what was marked to this file (.csv, .jsonl, .tsv, .parquet, .ris where the rows came from RIS; `-` is standard output) and end
    #[arg(long, value_name = "FILE", requires = "project_alone")]
    export: Option<PathBuf>,
    /// What --export writes
    #[arg(long, value_enum, default_value = "yes", requires = "export")]
    what: WhatArgument,
    /// Write a model for `likewise score`, learned from the marks, and end
    #[arg(long, value_name = "FILE", requires = "project_alone")]
    model: Option<PathBuf>,
    #[command(flatten)]
    words: WordArguments,
    #[command(flatten)]
    run: RunArguments,
}

#[derive(Args)]
#[command(next_help_heading = "Page")]
struct PageArguments {
    /// Print the address and open no browser
    #[arg(long)]
    no_open: bool,
    /// Let others reach the page at this address of the machine; needs --token
    #[arg(long, value_name = "ADDRESS", requires = "token")]
    listen: Option<IpAddr>,
    /// What readers need to know to get in, 16 letters or more [default: a new one each time]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// [default: one that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Who reads; may be repeated, each gets an address [default: reader]
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Let pages of this machine, such as a notebook, show it in a frame
    #[arg(long)]
    framed: bool,
}

#[derive(Args)]
#[command(next_help_heading = "A program as reader")]
struct ReaderArguments {
    /// A command that reads rows as JSON lines (id, text, columns) and answers each with a line (id, verdict, note)
    #[arg(long, value_name = "COMMAND")]
    reader: Option<String>,
    /// The name its marks are kept under [default: program]
    #[arg(
        long,
        value_name = "NAME",
        requires = "reader",
        default_value = "program",
        hide_default_value = true
    )]
    reader_name: String,
    /// How long it may take for a row
    #[arg(long, value_name = "N", requires = "reader", default_value_t = 60.0)]
    reader_seconds: f64,
    /// It reads at most so many rows
    #[arg(long, value_name = "N", requires = "reader")]
    budget: Option<u64>,
    /// Let it read alone, without a page, until the target or the budget is reached
    #[arg(long, requires = "reader")]
    no_page: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum WhatArgument {
    /// The rows marked as wanted
    Yes,
    /// Every row with its mark
    All,
    /// Everything that was done, in order
    Log,
}

/// The end of the name of a project.
const EXTENSION: &str = "likewise";

impl Review {
    pub fn run(&self) -> anyhow::Result<()> {
        if self.export.is_some() || self.model.is_some() {
            return self.write();
        }
        let run = terminal::start(&self.run)?;
        let folder = tempfile::tempdir()?;
        let (project, examples) = self.project(folder.path(), &run)?;
        let path = project.path.clone();
        let kept = !path.starts_with(folder.path());
        let desk = Desk::open(project, examples, self.reader.no_page, &run)?;
        self.apply_settings(&desk)?;
        if self.reader.no_page {
            self.read_alone(&desk, &run)?;
        } else {
            self.serve(&desk, &run)?;
        }
        desk.close();
        self.say_what_was_done(&desk, kept);
        Ok(())
    }

    /// Nothing was named: the built-in sample stands in.
    fn is_sample(&self) -> bool {
        self.like.is_empty() && self.pile.is_empty()
    }

    fn write(&self) -> anyhow::Result<()> {
        let Some(project) = &self.project_alone else { return Ok(()) };
        is_no_file_of_rows(project)?;
        let files = Files::default().read([project]).written("--export", self.export.clone());
        files.written("--model", self.model.clone()).check()?;
        let mut outputs = Outputs::new();
        if let Some(path) = &self.model {
            let (bytes, notes) = export::model(project)?;
            terminal::print_notes(&notes, self.run.quiet);
            outputs.write(path, &bytes)?;
        }
        if let Some(path) = &self.export {
            let what = match self.what {
                WhatArgument::Yes => What::Yes,
                WhatArgument::All => What::All,
                WhatArgument::Log => What::Log,
            };
            if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ris")) {
                let request = export::Request { what, form: As::Ris };
                let (bytes, notes) = export::bytes(project, &request)?;
                terminal::print_notes(&notes, self.run.quiet);
                outputs.write(path, &bytes)?;
            } else {
                let (writer, notes) = export::to_output(project, what, &Output::parse(path)?)?;
                terminal::print_notes(&notes, self.run.quiet);
                outputs.add(writer)?;
            }
        }
        outputs.commit()?;
        if let Some(path) = &self.model {
            say(
                &format!("The model is in {0}: likewise score {0} --in FILE", path.display()),
                self.run.quiet,
            );
        }
        Ok(())
    }

    /// The project to read, and examples that it does not have yet.
    fn project(&self, temporary: &Path, run: &Run) -> anyhow::Result<(Project, Vec<Vec<String>>)> {
        let named = self.project_alone.as_ref().or(self.project.as_ref());
        if let (true, Some(path)) = (self.is_sample(), named)
            && (path.exists() || self.project_alone.is_some())
        {
            is_no_file_of_rows(path)?;
            return Ok((Project::open(path)?, Vec::new()));
        }
        if self.project_alone.is_some() {
            return Err(Usage(
                "a project goes on with its own rows; name a new one with --project to read these files"
                    .into(),
            )
            .into());
        }
        let import = self.import(run)?;
        let path = match (named, self.pile.first()) {
            (Some(path), _) => path.clone(),
            (None, Some(pile)) if pile.as_os_str() != "-" => default_project(pile),
            (None, Some(_)) => {
                return Err(Usage("name the project for standard input with --project FILE".into()).into());
            }
            (None, None) => temporary.join("sample.likewise"),
        };
        Ok(import.open(&path, run)?)
    }

    fn import(&self, run: &Run) -> anyhow::Result<Import> {
        Files::default().read(self.like.iter().chain(&self.pile)).check()?;
        let choice = self.columns.choice(true)?;
        let label = self.label.clone().zip(self.positive.clone());
        let read = |paths: &[PathBuf], label: Option<&str>| {
            let check = |table: &Table| choice.check(table, label);
            reading::table(paths, &self.read, &Wanted::all(), check, run, self.run.quiet)
        };
        let (like, pile, label) = if self.is_sample() {
            if label.is_some() {
                return Err(Usage("--label marks rows of --in, which is missing".into()).into());
            }
            let label = (sample::LABEL.to_string(), sample::POSITIVE.to_string());
            (None, sample::table()?, Some(label))
        } else if self.pile.is_empty() {
            return Err(
                Usage("--like gives the examples; name the rows to read with --in FILE".into()).into()
            );
        } else {
            let like = if self.like.is_empty() { None } else { Some(read(&self.like, None)?) };
            (like, read(&self.pile, self.label.as_deref())?, label)
        };
        let sources = self.read.sources(&self.pile)?;
        let from_ris = !sources.is_empty() && sources.iter().all(|source| source.format().name() == "ris");
        let format = from_ris.then(|| "ris".to_string());
        let words = reading_words(self.words.options()?);
        let settings = Settings::default();
        Ok(Import {
            like,
            pile,
            label,
            choice,
            words,
            seed: self.run.seed.unwrap_or_default(),
            format,
            settings,
        })
    }

    fn apply_settings(&self, desk: &Desk) -> anyhow::Result<()> {
        let before = desk.settings();
        let mut settings = before.clone();
        settings.target = self.target.unwrap_or(settings.target);
        settings.alpha = self.sure.map_or(settings.alpha, |sure| 1.0 - sure);
        if settings != before {
            desk.set_settings(settings).map_err(|e| Usage(format!("--target and --sure: {e}")))?;
        }
        Ok(())
    }

    fn program(&self) -> Option<program::ReaderOptions> {
        let reader = &self.reader;
        Some(program::ReaderOptions {
            command: reader.reader.clone()?,
            name: reader.reader_name.clone(),
            time: Duration::try_from_secs_f64(reader.reader_seconds).unwrap_or(Duration::MAX),
            budget: reader.budget,
            alone: reader.no_page,
            warn: if self.run.quiet { |_| () } else { |note| terminal::print_notes(&[note], false) },
        })
    }

    fn read_alone(&self, desk: &Arc<Desk>, run: &Run) -> anyhow::Result<()> {
        let program = self.program().context("--no-page is for --reader")?;
        program::read(desk, &program, &run.cancel_flag())?;
        Ok(())
    }

    fn serve(&self, desk: &Arc<Desk>, run: &Run) -> anyhow::Result<()> {
        let page = &self.page;
        let names = if page.name.is_empty() { vec!["reader".into()] } else { page.name.clone() };
        let options = http::ServerOptions {
            address: page.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            port: page.port,
            token: page.token.clone(),
            names,
            framed: page.framed,
        };
        let same = self.reader.reader.is_some() && options.names.contains(&self.reader.reader_name);
        if same {
            let text = format!(
                "the program and a person are both called `{}`; give the program another name with --reader-name",
                self.reader.reader_name
            );
            return Err(Usage(text).into());
        }
        let server = Server::bind(desk.clone(), &options)?;
        let addresses = server.addresses();
        for address in &addresses {
            println!("{address}");
        }
        std::io::Write::flush(&mut terminal::out())?;
        say(
            "The page is at the address above; Ctrl-C ends it, and everything marked is kept.",
            self.run.quiet,
        );
        if !page.no_open {
            open_browser(&addresses[0]);
        }
        let stop = run.cancel_flag();
        let reading = self.program().map(|options| {
            let (desk, stop) = (desk.clone(), stop.clone());
            std::thread::spawn(move || {
                if let Err(error) = program::read(&desk, &options, &stop) {
                    let text = error.render(wording::option);
                    (options.warn)(Note::warning(&codes::READING_PROGRAM, text.clone()));
                    desk.set_program_trouble(text);
                }
            })
        });
        server.run(stop)?;
        reading.map(|reading| reading.join());
        Ok(())
    }

    fn say_what_was_done(&self, desk: &Desk, kept: bool) {
        let state = desk.last_word();
        let quiet = self.run.quiet;
        let rests = if self.reader.no_page {
            format!(", if the marks of `{}` are right", self.reader.reader_name)
        } else {
            String::new()
        };
        let settings = desk.settings();
        say(
            &format!(
                "Read {} of {}, found {}: at least {} of all that is wanted, {} sure{rests}.",
                count(state.read as usize),
                rows(state.rows as usize),
                count(state.found as usize),
                percent(state.recall_low),
                percent(1.0 - settings.alpha),
            ),
            quiet,
        );
        let path = desk.path.display();
        if kept {
            say(
                &format!(
                    "Kept in {path}: `likewise review {path}` goes on, with --export FILE it writes what was found."
                ),
                quiet,
            );
        } else {
            say(
                "This was the built-in sample, which is not kept. Now yours: likewise review --like wanted.jsonl --in pile.jsonl",
                quiet,
            );
        }
    }
}

/// A share of which at least so much is proved: never rounded up.
fn percent(share: f64) -> String {
    format!("{:.0} %", (100.0 * share + 1e-9).floor())
}

/// Whoever names rows where a project is expected most likely wants to read them.
fn is_no_file_of_rows(path: &Path) -> anyhow::Result<()> {
    let mut start = [0; 15];
    let read = std::fs::File::open(path).and_then(|mut file| std::io::Read::read(&mut file, &mut start));
    let is_project = read.is_ok_and(|read| read == 0 || start == *b"SQLite format 3");
    let is_rows = Source::parse(path, None).is_ok() && path.extension().is_some_and(|end| end != EXTENSION);
    if path.is_file() && is_rows && !is_project {
        let path = path.display();
        let text = format!("{path} holds rows and is no project; did you mean --in {path}?");
        return Err(Usage(text).into());
    }
    Ok(())
}

/// `mails.jsonl.gz` becomes `mails.likewise` in this folder.
fn default_project(pile: &Path) -> PathBuf {
    let name = pile.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or("review").to_string();
    PathBuf::from(format!("{stem}.{EXTENSION}"))
}

/// Where there is no browser the address that was printed is enough.
fn open_browser(address: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = std::process::Command::new(program);
    let quiet = std::process::Stdio::null;
    let _ = command.args(arguments).arg(address).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
}
