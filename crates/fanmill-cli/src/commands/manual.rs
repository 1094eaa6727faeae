//! `fanmill completions` and `fanmill man`: made from the same definitions as `--help`.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use fanmill_report::printable;
use fanmill_source::replace::{Access, Disk, Former, NewFile};

use crate::args::Cli;
use crate::exit::Exit;
use crate::results;
use crate::words::words;

/// Writes a completion script.
///
/// The generator panics when it cannot write, so it writes to memory first.
pub(crate) fn completions(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "fanmill", &mut script);
    results::print(|out| Ok(out.write_all(&script)?))?;
    Ok(Exit::Done)
}

/// Writes manual pages: into a folder a file for each command, or else one text to standard output.
pub(crate) fn man(folder: Option<&Path>) -> anyhow::Result<Exit> {
    match folder {
        Some(folder) => {
            let n_pages = pages(folder)?;
            let folder = folder.to_string_lossy();
            writeln!(words(), "written: {n_pages} manual pages in {}", printable(&folder))?;
        }
        None => one_text()?,
    }
    Ok(Exit::Done)
}

/// Writes `fanmill.1`, `fanmill-compare.1` and so on; returns how many. Those of an earlier run are replaced.
fn pages(folder: &Path) -> anyhow::Result<usize> {
    let made = tempfile::tempdir().context("could not make a temporary folder")?;
    clap_mangen::generate_to(Cli::command(), made.path())?;
    let entries = fs::read_dir(made.path())?;
    let mut names = entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    names.sort_unstable();
    let failed = || format!("could not make folder `{}`", folder.display());
    fs::create_dir_all(folder).with_context(failed)?;
    let folder = fs::canonicalize(folder).with_context(failed)?;
    let mut new = NewFile::begin(&Disk::default(), &folder, "fanmill-man", "man")?;
    for name in &names {
        let mut page = File::open(made.path().join(name))?;
        new.write(name, Access::Usual, |out| io::copy(&mut page, out).map(drop))?;
    }
    new.finish(Former::Replaced)?;
    Ok(names.len())
}

/// Writes the program's page, then that of each command.
fn one_text() -> anyhow::Result<()> {
    let mut command = Cli::command();
    command.build();
    results::print(|out| {
        clap_mangen::Man::new(command.clone()).render(out)?;
        for subcommand in command.get_subcommands().filter(|c| c.get_name() != "help") {
            let name = format!("fanmill-{}", subcommand.get_name());
            clap_mangen::Man::new(subcommand.clone().display_name(name)).render(out)?;
        }
        Ok(())
    })
}
