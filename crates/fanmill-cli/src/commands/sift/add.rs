//! `fanmill sift add`: adds originals to a store.

use std::io::{self, Write};

use fanmill_jobs::key_file;
use fanmill_jobs::sift::add::{self, Outcome, Settings};
use fanmill_jobs::sift::reading::Reading;
use fanmill_report::printable;
use fanmill_text::Error;
use fanmill_text::counted::counted;
use fanmill_text::progress::Silent;
use fanmill_text::readable::readable;

use super::{ending, inputs, print_notices};
use crate::args::AddArgs;
use crate::exit::Exit;
use crate::words::words;
use crate::{layers, threads};

pub(crate) fn run(args: &AddArgs) -> anyhow::Result<Exit> {
    let key = key_file::read(&args.key.key)?;
    let (settings, reading): (Settings, Reading) =
        layers::filled(&args.texts.reading.config, "sift", args)?;
    let (pool, _) = threads::within(&args.texts.machine, super::FEWER)?;
    let mut stdin = io::stdin();
    let texts = inputs(&args.paths, &args.texts.reading, reading, &mut stdin)?;
    let outcome = pool.install(|| add::run(&settings, &key, &args.store, texts, &Silent))?;
    print_notices(&outcome.account, &args.texts)?;
    if outcome.n_new + outcome.n_replaced == 0 {
        anyhow::bail!(Error::input("none of the inputs has a text to add; the store is unchanged"));
    }
    if !args.texts.quiet {
        say(args, &outcome)?;
    }
    Ok(ending(&outcome.account, &args.texts))
}

fn say(args: &AddArgs, outcome: &Outcome) -> io::Result<()> {
    let mut words = words();
    let replaced = match outcome.n_replaced {
        0 => String::new(),
        n => format!(", {n} replaced"),
    };
    let cut = match outcome.account.n_cut {
        0 => String::new(),
        n => format!(", {n} not read in full"),
    };
    let shown = readable(args.store.as_os_str());
    writeln!(
        words,
        "{} added{replaced}{cut}; `{}` {} {}",
        counted(outcome.n_new as u64, "text", "texts"),
        printable(&shown),
        if outcome.is_new { "is new and has" } else { "has" },
        counted(outcome.n_in_all, "text", "texts")
    )?;
    writeln!(words, "scheme: {}", outcome.scheme)
}
