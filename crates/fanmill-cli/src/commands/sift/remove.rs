//! `fanmill sift remove`: removes originals from a store.

use std::io::Write;

use fanmill_jobs::key_file;
use fanmill_jobs::sift::remove::{self, Settings};
use fanmill_report::printable;
use fanmill_text::counted::counted;
use fanmill_text::progress::Silent;
use fanmill_text::readable::readable;

use crate::args::RemoveArgs;
use crate::exit::Exit;
use crate::words::words;

pub(crate) fn run(args: &RemoveArgs) -> anyhow::Result<Exit> {
    let key = key_file::read(&args.key.key)?;
    let mut settings = Settings::default();
    settings.wait = args.wait.wait;
    let outcome = remove::run(settings, &key, &args.store, &args.names, &Silent)?;
    writeln!(
        words(),
        "{} removed; `{}` has {}",
        counted(outcome.n_removed, "text", "texts"),
        printable(&readable(args.store.as_os_str())),
        counted(outcome.n_in_all, "text", "texts")
    )?;
    Ok(Exit::Done)
}
