//! `fanmill sift rekey`: a store under another key.
//!
//! Fingerprints say nothing without their key, so there is no way from those of one key to those of another one:
//! they are made again, from originals whose old fingerprints are the store's.

use std::io::Write;

use fanmill::Error;
use fanmill::sift::records::{Records, StoredIdx};
use fanmill::sift::sifter::{Sifted, Sifter};
use fanmill_report::printable;
use rayon::prelude::*;

use super::library::Library;
use super::places::Places;
use super::texts::{self, Text};
use super::{Original, ending, key_file, print_notices, sift, sift_all};
use crate::args::RekeyArgs;
use crate::exit::Exit;
use crate::threads;
use crate::words::words;
use fanmill::counted::counted;

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
    let library = Library::open(&args.store, &old_key, None)?;
    if library.is_new() {
        return Err(super::library::missing(&args.store).into());
    }
    let sifters =
        [library.records.sifter(&old_key)?, Sifter::new(library.records.profile(), &new_key)];
    let mut rekeyed = Rekeyed::of(&library.records, &sifters[1]);
    let account = pool.install(|| {
        texts::each(&args.paths, &args.texts.reading, &mut |batch| {
            let olds = sift_all(&sifters[0], &batch);
            // Those readings of a text are in the store that tell it under the old key.
            let again = |(text, olds): (&Text, &Vec<Original>)| -> Vec<Sifted> {
                olds.iter().map(|old| sift(&sifters[1], text.reading(old.reading))).collect()
            };
            let news: Vec<Vec<Sifted>> = batch.par_iter().zip(&olds).map(again).collect();
            for (text, (olds, news)) in batch.iter().zip(olds.iter().zip(&news)) {
                for (old, new) in olds.iter().zip(news) {
                    rekeyed.take(&old.name(&text.name), &old.sifted, new)?;
                }
            }
            Ok(())
        })
    })?;
    print_notices(&account, args.texts.quiet)?;
    let (found, missing) = rekeyed.found();
    if found.is_empty() && !missing.is_empty() {
        return Err(none_of_them().into());
    }
    if !missing.is_empty() && !args.drop_missing {
        return Err(incomplete(&missing).into());
    }
    let n_in_all = found.len();
    let new = &rekeyed.new;
    let documents = found.into_iter().map(|(name, at)| Ok((name, new.sifted(at))));
    library.save((new.profile(), new.key()), documents)?;
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

/// A store under another key in the making.
struct Rekeyed<'s> {
    old: &'s Records,
    places: Places,
    /// The new fingerprints, in the order in which the originals came.
    new: Records,
    /// Where in `new` those of each document of the store are.
    found: Vec<Option<StoredIdx>>,
}

impl<'s> Rekeyed<'s> {
    fn of(old: &'s Records, sifter: &Sifter) -> Rekeyed<'s> {
        let (places, new) = (Places::of(old), Records::new(sifter));
        Rekeyed { old, places, new, found: vec![None; old.len()] }
    }

    /// Puts a text's new fingerprints where its old ones are: those of its own name, and others that were equal
    /// and have none yet.
    fn take(&mut self, name: &str, old: &Sifted, new: &Sifted) -> fanmill::Result<()> {
        let is_wanted = |&place: &StoredIdx| {
            self.found[place as usize].is_none() || self.old.name(place) == name
        };
        let wanted: Vec<StoredIdx> = self.places.equal(self.old, old).filter(is_wanted).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let at = self.new.push("", new)?;
        for place in wanted {
            self.found[place as usize] = Some(at);
        }
        Ok(())
    }

    /// The documents of the new store, each under its name, and the names that no original was given for.
    fn found(&self) -> (Vec<(&'s str, StoredIdx)>, Vec<String>) {
        let (mut documents, mut missing) = (Vec::new(), Vec::new());
        for (document, found) in self.found.iter().enumerate() {
            let name = self.old.name(document as u32);
            match found {
                Some(at) => documents.push((name, *at)),
                None => missing.push(name.to_owned()),
            }
        }
        (documents, missing)
    }
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
