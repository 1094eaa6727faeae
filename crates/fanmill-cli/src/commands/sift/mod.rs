//! `fanmill sift`: recognises texts that were changed on purpose, under a secret key.

mod add;
#[cfg(feature = "lab")]
mod attack;
mod campaign;
mod explained;
mod check;
mod expire;
mod header;
mod keys;
mod list;
mod rekey;
mod remove;
mod upgrade;

#[cfg(not(feature = "lab"))]
left_out!(attack, "lab");

use std::io::{self, Stdin, Write};
use std::path::{Path, PathBuf};

use fanmill_jobs::sift::reading::Reading;
use fanmill_jobs::sift::texts::{Account, Input, Inputs};
use fanmill_report::printable;
use fanmill_text::Error;
use fanmill_text::counted::counted;

#[cfg(feature = "lab")]
use crate::args::ReadingArgs;
use crate::args::{NoticesArgs, SiftArgs, SiftCommand, TextsArgs};
use crate::exit::Exit;
use crate::flags;
#[cfg(feature = "lab")]
use crate::layers;
use crate::terminal;
use crate::words::words;

/// The way out where a store and its texts take too much memory.
const FEWER: &str = "keep a store for each kind of text, or use a profile with fewer values";

/// Maximum number of notices that are shown; their number always is.
const SHOWN: usize = 20;
/// Maximum number of missing originals that are named.
const NAMED: usize = 5;

pub(crate) fn run(args: &SiftArgs) -> anyhow::Result<Exit> {
    match &args.command {
        SiftCommand::Keygen(args) => keys::generate(args),
        SiftCommand::Add(args) => add::run(args),
        SiftCommand::Remove(args) => remove::run(args),
        SiftCommand::Expire(args) => expire::run(args),
        SiftCommand::Check(args) => match &args.header {
            Some(name) => header::run(args, name),
            None => check::run(args),
        },
        SiftCommand::Campaign(args) => campaign::run(args),
        SiftCommand::Attack(args) => attack::run(args),
        SiftCommand::List(args) => list::run(args),
        SiftCommand::Rekey(args) => rekey::run(args),
        SiftCommand::Upgrade(args) => upgrade::run(args),
        SiftCommand::Destroy(args) => keys::destroy(args),
    }
}

/// Returns the inputs: paths, and standard input for `-`. `reading` is of `args` and of the config file.
///
/// # Errors
/// If standard input is given twice.
fn inputs<'a>(
    paths: &[PathBuf],
    args: &ReadingArgs,
    reading: Reading,
    stdin: &'a mut Stdin,
) -> anyhow::Result<Inputs<'a>> {
    let mut stdin = Some(stdin);
    let input = |path: &PathBuf| {
        if path.as_path() != Path::new("-") {
            return Ok(Input::Path(path.clone()));
        }
        let twice = || Error::setting("standard input (`-`) is given twice; it can be read once");
        Ok(Input::Stream(stdin.take().ok_or_else(twice)?))
    };
    let from = paths.iter().map(input).collect::<fanmill_text::Result<_>>()?;
    let Reading { input_format: kind, limits, mut documents } = reading;
    args.documents.add_paths(&mut documents);
    Ok(Inputs { from, kind, limits, documents })
}

/// Returns the settings for reading inputs, for a job that has no other settings in a config file.
#[cfg(feature = "lab")]
fn reading(args: &ReadingArgs) -> anyhow::Result<Reading> {
    let mut reading = Reading::default();
    layers::fill(&args.config, "sift", args, |given| given.fill(&mut reading))?;
    Ok(reading)
}

/// Returns the error if originals are missing.
fn incomplete(missing: &[String], advice: &str) -> Error {
    let named: Vec<String> = missing.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = match missing.len() - named.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Error::input(format!(
        "originals are missing or have changed: {}{more}; give them too, or {advice} with --drop-missing. The store is \
         unchanged",
        named.join(", ")
    ))
}

/// Returns the error if not one original was found. Even with `--drop-missing`, an empty store is not what was meant:
/// the wrong folder was named.
fn none_of_them() -> Error {
    Error::input(
        "none of the store's originals are among those given, or all have changed; give those that were added. \
         The store is unchanged",
    )
}

/// Prints notices about inputs that were not read, and writes them to the file that was named for them.
fn print_notices(account: &Account, args: &TextsArgs) -> anyhow::Result<()> {
    let written = terminal::write_notices(&args.notices, &account.notices);
    show_notices(account, args.quiet, Some(&args.notices))?;
    Ok(written?)
}

/// Prints notices about inputs that were not read; `args` as for [`terminal::notices`].
fn show_notices(account: &Account, is_quiet: bool, args: Option<&NoticesArgs>) -> io::Result<()> {
    if is_quiet {
        return Ok(());
    }
    let mut words = words();
    for notice in account.notices.iter().take(SHOWN) {
        let reason = flags::said(&notice.reason);
        writeln!(words, "not read: {}: {}", printable(&notice.path), printable(&reason))?;
    }
    if account.notices.len() > SHOWN {
        let more = counted((account.notices.len() - SHOWN) as u64, "more was", "more were");
        let all =
            args.map_or_else(String::new, |args| format!("; {}", terminal::where_all_are(args)));
        writeln!(words, "{more} not read{all}")?;
    }
    Ok(())
}

/// The exit status after everything readable was read.
fn ending(account: &Account, args: &TextsArgs) -> Exit {
    if args.strict && !account.is_whole() { Exit::Incomplete } else { Exit::Done }
}
