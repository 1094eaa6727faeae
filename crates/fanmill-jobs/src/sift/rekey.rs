//! Replacing the key of a store.
//!
//! Fingerprints of one key cannot be converted to those of another. They are made again, from originals whose old
//! fingerprints equal the store's.

use std::path::Path;

use fanmill::progress::Progress;
use fanmill::sift::key::Key;
use fanmill::sift::records::{Records, StoredIdx};
use fanmill::sift::sifter::{Sifted, Sifter};
use fanmill::{Error, Result, Setting};
use serde::{Deserialize, Serialize};

use super::library::{self, Library, Patience};
use super::places::Places;
use super::sift_all;
use super::texts::{self, Account, Inputs};

/// What is done about missing originals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// Whether texts whose originals are missing or have changed are dropped from the store.
    pub drop_missing: bool,
    /// Whether to wait while another process is writing the store, instead of ending with an error.
    pub wait: bool,
}

/// What was done with the store.
#[derive(Debug)]
pub struct Outcome {
    /// Whether it has the new key; if not, originals are missing and it is unchanged.
    pub is_written: bool,
    /// Number of texts whose originals were found.
    pub n_found: usize,
    /// The names of the others.
    pub missing: Vec<String>,
    /// What was read.
    pub account: Account,
}

/// Makes a store's fingerprints again under another key, from the originals.
///
/// The store is written only if all originals are found, or if missing ones may be dropped and at least one is found.
///
/// # Errors
/// If both keys are the same, an input cannot be read, the store is missing, damaged, of another key, being written by
/// another process, or cannot be written, or the job is cancelled. The store is then unchanged.
pub fn run(
    settings: Settings,
    [old_key, new_key]: [&Key; 2],
    store: &Path,
    originals: Inputs<'_>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    if old_key.id() == new_key.id() {
        return Err(Error::setting(format!(
            "{} and {} are the same key, {}; make another one",
            Setting("key"),
            Setting("new-key"),
            old_key.id()
        )));
    }
    let library = Library::open(store, old_key, None, Patience::of(settings.wait, progress))?;
    if library.is_new() {
        return Err(library::missing(store));
    }
    let sifters =
        [library.records.sifter(old_key)?, Sifter::new(library.records.profile(), new_key)];
    let mut rekeyed = Rekeyed::of(&library.records, &sifters[1]);
    let account = texts::each(originals, progress, &mut |batch| {
        let [olds, news] = [0, 1].map(|key: usize| sift_all(&sifters[key], &batch));
        for (text, (old, new)) in batch.iter().zip(olds.iter().zip(&news)) {
            rekeyed.take(&text.name, old, new)?;
        }
        Ok(())
    })?;
    let (found, missing) = rekeyed.found();
    let n_found = found.len();
    let is_written = missing.is_empty() || settings.drop_missing && n_found > 0;
    if is_written {
        progress.check()?;
        let new = &rekeyed.new;
        let documents = found.into_iter().map(|(name, at)| Ok((name, new.sifted(at))));
        library.save((new.profile(), new.key()), documents)?;
    }
    Ok(Outcome { is_written, n_found, missing, account })
}

/// The new store, while it is made.
struct Rekeyed<'s> {
    old: &'s Records,
    places: Places,
    /// The new fingerprints, in the order of the originals.
    new: Records,
    /// The place in `new` of each document of the store, once found.
    found: Vec<Option<StoredIdx>>,
}

impl<'s> Rekeyed<'s> {
    fn of(old: &'s Records, sifter: &Sifter) -> Rekeyed<'s> {
        let (places, new) = (Places::of(old), Records::new(sifter));
        Rekeyed { old, places, new, found: vec![None; old.len()] }
    }

    /// Uses a text's new fingerprints for the document of its own name with the same old ones, and for others with the
    /// same old ones that have none yet.
    fn take(&mut self, name: &str, old: &Sifted, new: &Sifted) -> Result<()> {
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

    /// The documents of the new store with their names, and the names for which no original was given.
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
