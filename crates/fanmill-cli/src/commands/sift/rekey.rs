//! `fanmill sift rekey`: replaces the key of a store.

use std::io::{self, Write};

use fanmill_jobs::key_file;
use fanmill_jobs::sift::reading::Reading;
use fanmill_jobs::sift::rekey::{self, Settings};
use fanmill_report::printable;
use fanmill_text::counted::counted;
use fanmill_text::progress::Silent;
use fanmill_text::readable::readable;

use super::{ending, incomplete, inputs, none_of_them, print_notices};
use crate::args::RekeyArgs;
use crate::exit::Exit;
use crate::words::words;
use crate::{layers, threads};

pub(crate) fn run(args: &RekeyArgs) -> anyhow::Result<Exit> {
    let (old_key, new_key) = (key_file::read(&args.key.key)?, key_file::read(&args.new_key)?);
    let (settings, reading): (Settings, Reading) =
        layers::filled(&args.texts.reading.config, "sift", args)?;
    let (pool, _) = threads::within(&args.texts.machine, super::FEWER)?;
    let mut stdin = io::stdin();
    let originals = inputs(&args.paths, &args.texts.reading, reading, &mut stdin)?;
    let keys = [&old_key, &new_key];
    let outcome = pool.install(|| rekey::run(settings, keys, &args.store, originals, &Silent))?;
    print_notices(&outcome.account, &args.texts)?;
    if !outcome.is_written {
        // If not one original was found, dropping the missing ones would leave an empty store.
        let is_one_there = outcome.n_found > 0;
        let advice = "drop them from the store";
        let error =
            if is_one_there { incomplete(&outcome.missing, advice) } else { none_of_them() };
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
