//! `fanmill completions` and `fanmill man`: made from the same definitions as `--help`.

use std::io::{self, Write};
use std::path::Path;

use clap_complete::Shell;
use fanmill_disk::replace::{Access, Disk, ExistingFile, NewFile, resolved};
use fanmill_report::printable;
use fanmill_text::readable::readable;

use crate::args;
use crate::exit::Exit;
use crate::results;
use crate::words::words;

/// Writes a completion script.
///
/// The generator panics when it cannot write, so it writes to memory first.
pub(crate) fn completions(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::command(), "fanmill", &mut script);
    results::print(|out| Ok(out.write_all(&script)?))?;
    Ok(Exit::Done)
}

/// Writes manual pages: a file for each command into a folder, or, without one, all pages to standard output.
pub(crate) fn man(folder: Option<&Path>) -> anyhow::Result<Exit> {
    let pages = pages()?;
    match folder {
        Some(folder) => {
            write(&pages, folder)?;
            let folder = readable(folder.as_os_str());
            writeln!(words(), "written: {} manual pages in {}", pages.len(), printable(&folder))?;
        }
        None => results::print(|out| {
            pages.iter().try_for_each(|(_, page)| out.write_all(page)).map_err(Into::into)
        })?,
    }
    Ok(Exit::Done)
}

/// Returns the page of each command, with its file name: `fanmill.1`, then those of its commands and of theirs.
fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    fn add(command: &clap::Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
        let man = clap_mangen::Man::new(command.clone());
        let mut page = Vec::new();
        man.render(&mut page)?;
        pages.push((man.get_filename(), page));
        let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
        shown.into_iter().try_for_each(|command| add(command, pages))
    }
    // The full names of commands, such as `fanmill-sift-add`, are known only once they are built.
    let mut command = args::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    add(&command, &mut pages)?;
    Ok(pages)
}

/// Writes pages to a folder, which is made if it does not exist. Pages of an earlier run are replaced.
fn write(pages: &[(String, Vec<u8>)], folder: &Path) -> anyhow::Result<()> {
    if folder.exists() && !folder.is_dir() {
        anyhow::bail!(fanmill_text::Error::setting(format!(
            "output `{}` is not a folder; name a new one",
            folder.display()
        )));
    }
    let mut new = NewFile::begin(&Disk::default(), &resolved(folder)?, "fanmill-man", "man")?;
    for (name, page) in pages {
        new.write(name, Access::Usual, |out| out.write_all(page))?;
    }
    new.finish(ExistingFile::Replaced)?;
    Ok(())
}
