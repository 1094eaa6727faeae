//! `fanmill sift expire`: removes originals that have not been seen for long from a store.

use std::io::Write;

use fanmill_jobs::key_file;
use fanmill_jobs::sift::expire::{self, Settings};
use fanmill_report::printable;
use fanmill_text::counted::counted;
use fanmill_text::progress::Silent;
use fanmill_text::readable::readable;

use crate::args::ExpireArgs;
use crate::exit::Exit;
use crate::words::words;

pub(crate) fn run(args: &ExpireArgs) -> anyhow::Result<Exit> {
    let key = key_file::read(&args.key.key)?;
    let mut settings = Settings::default();
    settings.before.clone_from(&args.before);
    settings.wait = args.wait.wait;
    let outcome = expire::run(&settings, &key, &args.store, &Silent)?;
    let undated = match outcome.n_undated {
        0 => String::new(),
        n => format!(", {n} without a date"),
    };
    writeln!(
        words(),
        "{} removed; `{}` has {}{undated}",
        counted(outcome.n_removed, "text", "texts"),
        printable(&readable(args.store.as_os_str())),
        counted(outcome.n_in_all, "text", "texts")
    )?;
    Ok(Exit::Done)
}
