//! `fanmill sift rekey`: a store under another key.
//!
//! Fingerprints say nothing without their key, so there is no way from those of one key to those of another one:
//! they are made again, from originals whose old fingerprints are the store's.

use std::io::Write;

use fanmill::Error;
use fanmill::report::printable;
use fanmill::sift::sifter::{Sifted, Sifter};
use fanmill::sift::store::Store;

use super::library::Library;
use super::places::Places;
use super::{ending, key_file, print_notices, sift_all, texts};
use crate::args::RekeyArgs;
use crate::exit::Exit;
use crate::terminal::counted;
use crate::threads;
use crate::words::words;

/// Missing originals that are named.
const NAMED: usize = 5;

pub(crate) fn run(args: &RekeyArgs) -> anyhow::Result<Exit> {
    let (old_key, new_key) = (key_file::read(&args.key.key)?, key_file::read(&args.new_key)?);
    if old_key.id() == new_key.id() {
        anyhow::bail!(Error::setting(format!(
            "--key and --new-key are the same key, {}; make another one with `fanmill sift keygen`",
            old_key.id()
        )));
    }
    let pool = threads::pool(args.texts.threads)?;
    let mut library = Library::open(&args.store, &old_key, None)?;
    if library.is_new() {
        return Err(super::library::missing(&args.store).into());
    }
    let store = &library.store;
    let (old, new) = (store.sifter(&old_key)?, Sifter::new(store.profile(), &new_key));
    let places = Places::of(store);
    let mut found: Vec<Option<Sifted>> = vec![None; store.len()];
    let account = pool.install(|| {
        texts::each(&args.paths, &args.texts.reading, &mut |batch| {
            let (olds, news) = (sift_all(&old, &batch), sift_all(&new, &batch));
            for ((text, old), new) in batch.iter().zip(olds).zip(news) {
                places.fill(store, &text.name, &old, &new, &mut found);
            }
            Ok(())
        })
    })?;
    print_notices(&account, args.texts.quiet)?;
    let (rekeyed, missing) = rekeyed(store, &new, found)?;
    if rekeyed.is_empty() && !missing.is_empty() {
        return Err(none_of_them().into());
    }
    if !missing.is_empty() && !args.drop_missing {
        return Err(incomplete(&missing).into());
    }
    library.store = rekeyed;
    let n_in_all = library.store.len();
    library.save()?;
    if !args.texts.quiet {
        let shown = args.store.to_string_lossy();
        writeln!(
            words(),
            "`{}` has {} under key {} in place of {}{}",
            printable(&shown),
            counted(n_in_all as u64, "text", "texts"),
            new_key.id(),
            old_key.id(),
            if missing.is_empty() {
                String::new()
            } else {
                format!("; {} left out", missing.len())
            }
        )?;
    }
    Ok(ending(&account, &args.texts))
}

/// The new store, and the names that no original was given for.
fn rekeyed(
    old: &Store,
    sifter: &Sifter,
    found: Vec<Option<Sifted>>,
) -> fanmill::Result<(Store, Vec<String>)> {
    let (mut new, mut missing) = (Store::new(sifter), Vec::new());
    for (document, sifted) in found.into_iter().enumerate() {
        let name = old.name(document as u32);
        match sifted {
            Some(sifted) => drop(new.add(name, &sifted)?),
            None => missing.push(name.to_owned()),
        }
    }
    Ok((new, missing))
}

/// Not even `--drop-missing` means this: the wrong folder was named.
fn none_of_them() -> Error {
    Error::input(
        "none of the store's originals are among those given, or all are changed; give those that were added. \
         The store is as it was",
    )
}

fn incomplete(missing: &[String]) -> Error {
    let named: Vec<String> = missing.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = match missing.len() - named.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Error::input(format!(
        "the originals do not hold, or hold changed: {}{more}; give them too, or leave them out of the store with \
         --drop-missing. The store is as it was",
        named.join(", ")
    ))
}
