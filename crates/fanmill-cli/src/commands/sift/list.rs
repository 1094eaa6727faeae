//! `fanmill sift list`: what a store says without its key.

use std::io::Write;

use fanmill_report::printable;

use crate::args::ListArgs;
use crate::exit::Exit;
use crate::words::words;
use crate::{results, screen};
use fanmill::counted::counted;

pub(crate) fn run(args: &ListArgs) -> anyhow::Result<Exit> {
    let store = fanmill_jobs::sift::list(&args.store)?;
    let room = screen::of_results();
    let names: Vec<_> =
        (0..store.len() as u32).map(|document| printable(store.name(document))).collect();
    let shown = room.names(names.iter().map(|name| &**name));
    results::print(|out| {
        names.iter().try_for_each(|name| Ok(writeln!(out, "{}", shown[&**name])?))
    })?;
    let mut words = words();
    writeln!(words, "{}; key {}", counted(store.len() as u64, "text", "texts"), store.key())?;
    writeln!(words, "scheme: {}", store.profile().scheme(store.key()))?;
    Ok(Exit::Done)
}
