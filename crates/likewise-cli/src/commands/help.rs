//! `likewise help`: the help of a command, or a chapter of the guide as text.

use clap::Args;

use likewise::registry;

use super::methods;
use crate::arguments::Usage;
use crate::guide::{CHAPTERS, Chapter, as_text};
use crate::{help, pager, terminal};

/// Show the help of a command, a chapter of the guide, or a method
#[derive(Args)]
pub struct Help {
    /// A command, a chapter or a method; without it, the chapters are listed
    #[arg(value_name = "COMMAND|TOPIC|METHOD")]
    about: Option<String>,
    /// Take the chapter where a command has the same name
    #[arg(long)]
    guide: bool,
}

impl Help {
    pub fn run(&self) -> anyhow::Result<()> {
        let Some(about) = &self.about else {
            let mut program = help::command();
            return Ok(pager::show(&format!("{}\n{}", program.render_help(), topics()))?);
        };
        let is_command = help::command().get_subcommands().any(|command| command.get_name() == about);
        if is_command && !self.guide {
            return help_of(about);
        }
        let method = if self.guide { None } else { registry::find(about).ok() };
        let chapter = Chapter::find(about);
        if let (Some(method), None) = (method, chapter) {
            return Ok(pager::show(&methods::description(method, terminal::width()))?);
        }
        let chapter = chapter.ok_or_else(|| {
            let called = if self.guide { "chapter" } else { "command, chapter or method" };
            Usage(format!("there is no {called} `{about}`.\n{}", topics()))
        })?;
        Ok(pager::show(&as_text(chapter.markdown, terminal::width()))?)
    }
}

/// What `likewise COMMAND --help` shows.
fn help_of(command: &str) -> anyhow::Result<()> {
    let asked = help::command().try_get_matches_from(["likewise", command, "--help"]);
    let shown = asked.expect_err("help is shown instead of an answer");
    shown.print()?;
    if Chapter::find(command).is_some() {
        terminal::say(&format!("\nThe guide's chapter: `likewise help --guide {command}`"), false);
    }
    Ok(())
}

fn topics() -> String {
    let widest = CHAPTERS.iter().map(|chapter| chapter.name.len()).max().unwrap_or(0);
    let lines: Vec<String> =
        CHAPTERS.iter().map(|chapter| format!("  {:widest$}  {}", chapter.name, chapter.title())).collect();
    format!(
        "Chapters of the guide, for `likewise help TOPIC`:\n{}\n\n`likewise methods` lists the methods.\n",
        lines.join("\n")
    )
}
