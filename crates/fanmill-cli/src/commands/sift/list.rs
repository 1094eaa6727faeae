//! `fanmill sift list`: what a store tells without its key.

use std::fs;
use std::io::{self, Write};

use anyhow::Context;
use fanmill::report::printable;
use fanmill::sift::store_file;

use super::library::unreadable;
use crate::args::ListArgs;
use crate::exit::Exit;
use crate::terminal::counted;

pub(crate) fn run(args: &ListArgs) -> anyhow::Result<Exit> {
    let bytes = fs::read(&args.store).map_err(|error| unreadable(&args.store, error))?;
    let store = store_file::read_without_key(&bytes)
        .with_context(|| format!("store `{}`", args.store.display()))?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    for document in 0..store.len() as u32 {
        writeln!(out, "{}", printable(store.name(document)))?;
    }
    out.flush()?;
    let mut words = io::stderr().lock();
    writeln!(words, "{}; key {}", counted(store.len() as u64, "text", "texts"), store.key())?;
    writeln!(words, "scheme: {}", store.profile().scheme(store.key()))?;
    Ok(Exit::Done)
}
