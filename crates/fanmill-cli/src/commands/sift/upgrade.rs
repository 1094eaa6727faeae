//! `fanmill sift upgrade`: makes a new store from an earlier one.

use std::io::{self, Write};

use fanmill_jobs::key_file;
use fanmill_jobs::sift::reading::Reading;
use fanmill_jobs::sift::upgrade::{self, Settings};
use fanmill_report::printable;
use fanmill_text::counted::counted;
use fanmill_text::progress::Silent;
use fanmill_text::readable::readable;

use super::{ending, incomplete, inputs, none_of_them, print_notices};
use crate::args::UpgradeArgs;
use crate::exit::Exit;
use crate::words::words;
use crate::{layers, threads};

pub(crate) fn run(args: &UpgradeArgs) -> anyhow::Result<Exit> {
    let key = key_file::read(&args.key.key)?;
    let (settings, reading): (Settings, Reading) =
        layers::filled(&args.texts.reading.config, "sift", args)?;
    let (pool, _) = threads::within(&args.texts.machine, super::FEWER)?;
    let mut stdin = io::stdin();
    let originals = inputs(&args.originals, &args.texts.reading, reading, &mut stdin)?;
    let stores = [&*args.old, &*args.new];
    let outcome = pool.install(|| upgrade::run(&settings, &key, stores, originals, &Silent))?;
    print_notices(&outcome.account, &args.texts)?;
    if !outcome.is_written {
        // If not one original was found, leaving the missing ones out would leave nothing.
        let advice = "leave them out";
        let is_one_there = outcome.n_found > 0;
        let error =
            if is_one_there { incomplete(&outcome.missing, advice) } else { none_of_them() };
        return Err(error.into());
    }
    if !args.texts.quiet {
        let missing = match outcome.missing.len() {
            0 => String::new(),
            n => format!("; {n} left out"),
        };
        writeln!(
            words(),
            "`{}` is new and has {}{missing}; `{}` stays as it was",
            printable(&readable(args.new.as_os_str())),
            counted(outcome.n_in_all, "text", "texts"),
            printable(&readable(args.old.as_os_str()))
        )?;
    }
    Ok(ending(&outcome.account, &args.texts))
}
