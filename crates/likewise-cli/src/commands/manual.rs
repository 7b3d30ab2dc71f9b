//! `likewise manual`: the help as manual pages.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command};
use clap_mangen::Man;

use crate::help;

/// Write manual pages, one for each command, into a folder
///
/// The folder is made where it is missing. `man -l likewise-find.1` shows a page; in a folder `man1` of the manual path
/// it is found by its name.
#[derive(Args)]
pub struct Manual {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Manual {
    pub fn run(&self) -> anyhow::Result<()> {
        std::fs::create_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
        let mut program = help::command();
        program.build();
        for command in program.get_subcommands().filter(|command| !command.is_hide_set()).chain([&program]) {
            let name = format!("{}.1", command.get_display_name().unwrap_or(command.get_name()));
            let path = self.folder.join(name);
            let page = page(command).and_then(|page| std::fs::write(&path, page));
            page.with_context(|| path.display().to_string())?;
        }
        Ok(())
    }
}

/// One page. What the help has below the options are sections of it.
fn page(command: &Command) -> std::io::Result<Vec<u8>> {
    let source = format!("likewise {}", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(source).manual("likewise");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    help::end_of_page(command.get_name()).to_writer(&mut page)?;
    Ok(page)
}
