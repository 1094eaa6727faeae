//! `fanmill sift rekey`: replaces the key of a store.

use std::io::{self, Write};

use fanmill::Error;
use fanmill::counted::counted;
use fanmill::progress::Silent;
use fanmill::readable::readable;
use fanmill_jobs::sift::key_file;
use fanmill_jobs::sift::rekey::{self, Settings};
use fanmill_report::printable;

use super::{ending, inputs, print_notices};
use crate::args::RekeyArgs;
use crate::exit::Exit;
use crate::threads;
use crate::words::words;

/// Maximum number of missing originals that are named.
const NAMED: usize = 5;

pub(crate) fn run(args: &RekeyArgs) -> anyhow::Result<Exit> {
    let (old_key, new_key) = (key_file::read(&args.key.key)?, key_file::read(&args.new_key)?);
    let mut settings = Settings::default();
    settings.drop_missing = args.drop_missing;
    settings.wait = args.wait.wait;
    let pool = threads::pool(args.texts.threads)?;
    let mut stdin = io::stdin();
    let originals = inputs(&args.paths, &args.texts.reading, &mut stdin)?;
    let keys = [&old_key, &new_key];
    let outcome = pool.install(|| rekey::run(settings, keys, &args.store, originals, &Silent))?;
    print_notices(&outcome.account, args.texts.quiet)?;
    if !outcome.is_written {
        let is_one_there = outcome.n_found > 0;
        let error = if is_one_there { incomplete(&outcome.missing) } else { none_of_them() };
        return Err(error.into());
    }
    if !args.texts.quiet {
        let shown = readable(args.store.as_os_str());
        writeln!(
            words(),
            "`{}` has {} under key {} instead of {}{}",
            printable(&shown),
            counted(outcome.n_found as u64, "text", "texts"),
            new_key.id(),
            old_key.id(),
            if outcome.missing.is_empty() {
                String::new()
            } else {
                format!("; {} left out", outcome.missing.len())
            }
        )?;
    }
    Ok(ending(&outcome.account, &args.texts))
}

/// Even with `--drop-missing`, an empty store is not what was meant: the wrong folder was named.
fn none_of_them() -> Error {
    Error::input(
        "none of the store's originals are among those given, or all have changed; give those that were added. \
         The store is unchanged",
    )
}

fn incomplete(missing: &[String]) -> Error {
    let named: Vec<String> = missing.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = match missing.len() - named.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Error::input(format!(
        "originals are missing or have changed: {}{more}; give them too, or drop them from the store with \
         --drop-missing. The store is unchanged",
        named.join(", ")
    ))
}
