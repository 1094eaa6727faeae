//! Originals into a store.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::path::Path;

use fanmill::progress::Progress;
use fanmill::sift::key::Key;
use fanmill::sift::profile::Profile;
use fanmill::sift::records::{Filling, Records, StoredIdx};
use fanmill::sift::sifter::Sifted;
use fanmill::{Error, Result};
use serde::{Deserialize, Serialize};

use super::library::{Library, Patience};
use super::spool::Spool;
use super::texts::{self, Account, Inputs, Notice};
use super::{named_profile, sift_all};
use crate::as_text;

/// What a store is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// The profile of a new store, `None` for `standard`; an existing store must have this one.
    #[serde(serialize_with = "as_text::serialize", deserialize_with = "named_profile")]
    pub profile: Option<Profile>,
    /// Whether to wait while another process is writing the store, instead of ending with an error.
    pub wait: bool,
}

/// What was done with the texts.
#[derive(Debug)]
pub struct Outcome {
    /// Number of texts whose names were not in the store.
    pub n_new: usize,
    /// Number of texts that replaced one of the same name.
    pub n_replaced: usize,
    /// Number of texts in the store; if none was added, it is unchanged, and not created.
    pub n_in_all: usize,
    /// Whether the store was created.
    pub is_new: bool,
    /// The scheme: the store's profile and the id of its key.
    pub scheme: String,
    /// What was read.
    pub account: Account,
}

/// Adds texts to a store, which is created if necessary. If there are none, nothing is written.
///
/// # Errors
/// If an input cannot be read; if the store is damaged, of another key or profile, or being written by another
/// process, or cannot be written; or if the job is cancelled. The store is then unchanged.
pub fn run(
    settings: &Settings,
    key: &Key,
    store: &Path,
    inputs: Inputs<'_>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    let patience = Patience::of(settings.wait, progress);
    let mut library = Library::open(store, key, settings.profile.as_ref(), patience)?;
    let sifter = library.records.sifter(key)?;
    let mut shelf = Shelf::of(library.take_records(), library.folder());
    let mut account = texts::each(inputs, progress, &mut |batch| {
        let originals = sift_all(&sifter, &batch);
        let mut texts = batch.into_iter().zip(originals);
        texts.try_for_each(|(text, original)| shelf.put(text.name, &original))
    })?;
    account.notices.append(&mut shelf.empty);
    let [n_new, n_replaced, n_in_all] = [shelf.n_new, shelf.n_replaced, shelf.order.len()];
    let profile = shelf.old.profile().clone();
    if n_new + n_replaced > 0 {
        progress.check()?;
        library.save((&profile, key.id()), shelf.into_documents().map_err(unspooled)?)?;
    }
    Ok(Outcome {
        n_new,
        n_replaced,
        n_in_all,
        is_new: library.is_new() && n_new > 0,
        scheme: profile.scheme(key.id()).to_string(),
        account,
    })
}

fn unspooled(error: io::Error) -> Error {
    Error::system("keeping fingerprints on disk, beside the store", error)
}

/// A store to which texts are added, one after another.
///
/// New fingerprints wait on disk, and replace old ones when the store is written, so that no second store is made in
/// memory. A text takes some 90 bytes of memory and its name.
#[derive(Debug)]
struct Shelf {
    /// The store as it was.
    old: Records,
    /// The fingerprints that were added.
    new: Spool,
    filling: Filling,
    /// Which documents are in the new store, in its order: numbers count the old ones first, then those added.
    order: Vec<StoredIdx>,
    /// The place of each name in `order`.
    places: HashMap<Box<str>, u32>,
    /// Numbers of texts that were added, and that replaced others.
    n_new: usize,
    n_replaced: usize,
    /// The last number given to each name that was added more than once.
    repeated: HashMap<String, usize>,
    /// Notices on texts without words.
    empty: Vec<Notice>,
}

impl Shelf {
    /// The store as it was; new fingerprints will be kept in `folder`.
    fn of(old: Records, folder: &Path) -> Shelf {
        let order: Vec<StoredIdx> = (0..old.len() as u32).collect();
        let places = order.iter().map(|&at| (old.name(at).into(), at)).collect();
        Shelf {
            new: Spool::in_folder(folder, old.profile().families().len()),
            filling: old.filling(),
            old,
            order,
            places,
            n_new: 0,
            n_replaced: 0,
            repeated: HashMap::new(),
            empty: Vec::new(),
        }
    }

    /// Adds a text. It replaces one of the same name in the store, once: a second one of that name gets a number.
    fn put(&mut self, name: String, sifted: &Sifted) -> Result<()> {
        if sifted.is_empty() {
            let reason = "has no word to recognise it by".to_owned();
            self.empty.push(Notice { name, reason });
            return Ok(());
        }
        let name = self.free(name);
        let at = self.filling.add(&name, sifted)?;
        self.new.push(&name, sifted).map_err(unspooled)?;
        match self.places.entry(name.into_boxed_str()) {
            Entry::Occupied(place) => {
                self.n_replaced += 1;
                self.order[*place.get() as usize] = at;
            }
            Entry::Vacant(place) => {
                self.n_new += 1;
                place.insert(self.order.len() as u32);
                self.order.push(at);
            }
        }
        Ok(())
    }

    /// The name, or its first numbered form that is not taken.
    fn free(&mut self, name: String) -> String {
        if !self.is_taken(&name, &name) {
            return name;
        }
        let mut n = self.repeated.get(&name).copied().unwrap_or(1);
        let numbered = loop {
            n += 1;
            let numbered = format!("{name} ({n})");
            if !self.is_taken(&name, &numbered) {
                break numbered;
            }
        };
        self.repeated.insert(name, n);
        numbered
    }

    /// Whether a text added as `name` cannot be called `candidate`, because one of this run is. Standard input is
    /// another text each time, so it replaces none.
    fn is_taken(&self, name: &str, candidate: &str) -> bool {
        self.places.get(candidate).is_some_and(|&place| {
            let is_new = place as usize >= self.old.len() || self.order[place as usize] != place;
            is_new || texts::is_of_stdin(name)
        })
    }

    /// The documents of the new store, in its order.
    fn into_documents(
        mut self,
    ) -> io::Result<impl ExactSizeIterator<Item = io::Result<(String, Sifted)>>> {
        self.new.end()?;
        let Shelf { old, mut new, order, .. } = self;
        Ok(order.into_iter().map(move |at| match (at as usize).checked_sub(old.len()) {
            Some(at) => new.get(at),
            None => Ok((old.name(at).to_owned(), old.sifted(at))),
        }))
    }
}

#[cfg(test)]
mod tests {
    use fanmill::sift::key::KEY_BYTES;
    use fanmill::sift::sifter::Sifter;
    use tempfile::TempDir;

    use super::*;

    /// A store of these names, each with a text of its own, and then more put into it; all names, with the texts they have.
    fn put(old: &[&str], new: &[&str]) -> Vec<(String, String)> {
        let sifter = sifter();
        let (before, after) =
            (|i: usize| format!("old text {i}"), |i: usize| format!("new text {i}"));
        let place = TempDir::new().expect("a folder");
        let mut shelf =
            Shelf::of(records(&sifter, old.iter().copied().zip((0..).map(before))), place.path());
        for (i, name) in new.iter().enumerate() {
            shelf.put((*name).to_owned(), &sifter.sift(&after(i))).expect("room");
        }
        let texts: Vec<String> =
            (0..old.len()).map(before).chain((0..new.len()).map(after)).collect();
        let text_of = |sifted: &Sifted| {
            texts.iter().find(|text| sifter.sift(text) == *sifted).expect("one of them").clone()
        };
        let documents =
            shelf.into_documents().expect("a disk").map(|document| document.expect("a disk"));
        let texts: Vec<_> = documents.map(|(name, sifted)| (name, text_of(&sifted))).collect();
        texts
    }

    fn sifter() -> Sifter {
        let digits = std::array::from_fn::<u8, KEY_BYTES, _>(|i| i as u8);
        Sifter::new(&Profile::short(), &Key::new(digits).expect("a key"))
    }

    fn records<'n>(sifter: &Sifter, texts: impl Iterator<Item = (&'n str, String)>) -> Records {
        let mut records = Records::new(sifter);
        for (name, text) in texts {
            records.push(name, &sifter.sift(&text)).expect("room");
        }
        records
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect()
    }

    #[test]
    fn a_name_that_was_there_is_replaced_in_its_place_and_once() {
        assert_eq!(
            put(&["a", "b", "a (2)"], &["c", "b", "a", "a", "a", "b"]),
            pairs(&[
                ("a", "new text 2"),
                ("b", "new text 1"),
                ("a (2)", "new text 3"),
                ("c", "new text 0"),
                ("a (3)", "new text 4"),
                ("b (2)", "new text 5"),
            ])
        );
    }

    #[test]
    fn no_two_texts_of_a_run_have_one_name() {
        assert_eq!(
            put(&[], &["a (2)", "a", "a", "a (2)"]),
            pairs(&[
                ("a (2)", "new text 0"),
                ("a", "new text 1"),
                ("a (3)", "new text 2"),
                ("a (2) (2)", "new text 3"),
            ])
        );
    }

    #[test]
    fn what_comes_by_standard_input_replaces_nothing() {
        let names: Vec<String> =
            put(&["-", "-#1"], &["-", "-#1", "-#2", "-"]).into_iter().map(|pair| pair.0).collect();
        assert_eq!(names, ["-", "-#1", "- (2)", "-#1 (2)", "-#2", "- (3)"]);
    }
}
