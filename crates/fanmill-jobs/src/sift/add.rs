//! Adding originals to a store.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use fanmill_disk::replace::Disk;
use fanmill_sift::key::Key;
use fanmill_sift::profile::Profile;
use fanmill_sift::records::FillLevel;
use fanmill_sift::sifter::{Sifted, Sifter};
use fanmill_text::document::{self, Notice};
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};
use serde::{Deserialize, Serialize};

use super::texts::{self, Account, Inputs};
use super::{dates, sift_all};
use fanmill_sift::disk::{Facts, LockWait, Names, Original, Removed, Role, SegmentWriter, Writer};

/// The settings of an addition to a store.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// The profile of a new store, `None` for `standard`; an existing store must have this one.
    pub profile: Option<Profile>,
    /// If set, copies of these texts are never reported, although they may resemble others.
    pub wanted: bool,
    /// The date of these texts, such as `2026-03-01`; `None` for the date of each message.
    pub date: Option<String>,
    /// If set, waits while another process is writing the store, instead of ending with an error.
    pub wait: bool,
}

/// The outcome of an addition.
#[derive(Debug)]
pub struct Outcome {
    /// Number of texts whose names were not in the store.
    pub n_new: usize,
    /// Number of texts that replaced one of the same name.
    pub n_replaced: usize,
    /// Number of texts in the store. If none was added, it is unchanged, and not created.
    pub n_in_all: u64,
    /// True if the store was created.
    pub is_new: bool,
    /// The scheme: the store's profile and the id of its key.
    pub scheme: String,
    /// An account of what was read.
    pub account: Account,
}

/// Adds texts to a store, which is created if necessary. If there are none, nothing is written.
///
/// # Errors
/// If the date is invalid; if an input cannot be read; if the store is damaged, has another key or profile, has version
/// 1, is being written by another process, or cannot be written; or if the job is cancelled. The store is then
/// unchanged.
pub fn run(
    settings: &Settings,
    key: &Key,
    store: &Path,
    inputs: Inputs<'_>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    let date = settings.date.as_deref().map(|date| dates::of_setting("date", date)).transpose()?;
    let role = if settings.wanted { Role::Wanted } else { Role::Reported };
    let patience = LockWait::new(settings.wait, progress);
    let profile = settings.profile.as_ref();
    let mut writer = Writer::open(&Disk::default(), store, key, profile, patience)?;
    let is_new = writer.is_new();
    let sifter = Sifter::new(writer.profile(), key);
    let filling = writer.filling();
    let done = writer.add(progress, |out, names| {
        let mut shelf = SegmentFiller::new(out, names, filling, Facts::new(role, date));
        // Fingerprints of a batch are made in parallel, and put into the segment in the order of the texts.
        let mut account = texts::each(inputs, progress, &mut |batch| {
            let originals = sift_all(&sifter, &batch);
            let mut texts = batch.into_iter().zip(originals);
            texts.try_for_each(|(text, original)| shelf.put(text.name, text.date, original))
        })?;
        account.notices.append(&mut shelf.empty);
        Ok((shelf.removed, (shelf.n_new, shelf.n_replaced, account)))
    })?;
    let (n_new, n_replaced, account) = done;
    let n_in_all = writer.n_originals();
    writer.close()?;
    Ok(Outcome {
        n_new,
        n_replaced,
        n_in_all,
        is_new: is_new && n_new > 0,
        scheme: sifter.scheme().to_string(),
        account,
    })
}

/// A new segment, into which texts are put one after another.
///
/// Cost: some 60 bytes of memory for each text, and its name.
struct SegmentFiller<'a, 'w, 's> {
    out: &'a mut SegmentWriter<'w>,
    /// The names in the store before the addition.
    old: &'a mut Names<'s>,
    filling: FillLevel,
    /// The facts of every text; if they have no date, each text has its own.
    facts: Facts,
    /// The names of texts added in this run.
    new: HashSet<Box<str>>,
    /// Texts of the store that are replaced.
    removed: Removed,
    /// Numbers of texts with new names, and of texts that replaced others.
    n_new: usize,
    n_replaced: usize,
    /// The last number given to each name that was added more than once.
    repeated: HashMap<String, usize>,
    /// Notices about texts without words.
    empty: Vec<Notice>,
}

impl<'a, 'w, 's> SegmentFiller<'a, 'w, 's> {
    fn new(
        out: &'a mut SegmentWriter<'w>,
        old: &'a mut Names<'s>,
        filling: FillLevel,
        facts: Facts,
    ) -> SegmentFiller<'a, 'w, 's> {
        SegmentFiller {
            out,
            old,
            filling,
            facts,
            new: HashSet::new(),
            removed: Removed::new(),
            n_new: 0,
            n_replaced: 0,
            repeated: HashMap::new(),
            empty: Vec::new(),
        }
    }

    /// Adds a text. It replaces a text of the same name in the store, but only once: a second one of that name gets a
    /// number.
    fn put(&mut self, name: String, date: Option<i64>, sifted: Sifted) -> Result<()> {
        if sifted.is_empty() {
            let reason = "has no word to recognise it by";
            self.empty.push(Notice::about_input(name, document::Outcome::Skipped, reason));
            return Ok(());
        }
        let name = self.free(name)?;
        self.filling.add(&name, &sifted)?;
        let mut facts = self.facts;
        if facts.seen.is_none() {
            facts = Facts::new(facts.role, date);
        }
        match self.old.find(&name)? {
            Some((segment, number, before)) => {
                facts = facts.after(before);
                self.removed.entry(segment).or_default().insert(number);
                self.n_replaced += 1;
            }
            None => self.n_new += 1,
        }
        self.new.insert(name.as_str().into());
        let written = self.out.push(&Original { name, facts, sifted });
        written.map_err(|error| Error::system("writing the store", error))
    }

    /// Returns the name, or its first numbered form that is not taken.
    fn free(&mut self, name: String) -> Result<String> {
        if !self.is_taken(&name, &name)? {
            return Ok(name);
        }
        let mut n = self.repeated.get(&name).copied().unwrap_or(1);
        let numbered = loop {
            n += 1;
            let numbered = format!("{name} ({n})");
            if !self.is_taken(&name, &numbered)? {
                break numbered;
            }
        };
        self.repeated.insert(name, n);
        Ok(numbered)
    }

    /// Returns whether a text added as `name` cannot be called `candidate`, because a text of this run is. Standard
    /// input is another text each time, so it must not replace a text of the store, either.
    fn is_taken(&mut self, name: &str, candidate: &str) -> Result<bool> {
        let is_new = self.new.contains(candidate);
        Ok(is_new || texts::is_of_stdin(name) && self.old.find(candidate)?.is_some())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use fanmill_sift::key::KEY_BYTES;
    use tempfile::TempDir;

    use super::*;
    use crate::sift::list;
    use fanmill_sift::disk::DateRange;

    fn key() -> Key {
        let digits = std::array::from_fn::<u8, KEY_BYTES, _>(|i| i as u8);
        Key::new(digits).expect("a key")
    }

    /// Adds texts by name, each with a date of its own.
    fn add(store: &Path, texts: &[(&str, String)]) {
        let open = || {
            let (disk, profile) = (Disk::default(), Profile::short());
            Writer::open(&disk, store, &key(), Some(&profile), LockWait::None)
        };
        let mut writer = open().expect("a store");
        let sifter = Sifter::new(writer.profile(), &key());
        let filling = writer.filling();
        let added = writer.add(&fanmill_text::progress::Silent, |out, names| {
            let facts = Facts::new(Role::Reported, None);
            let mut shelf = SegmentFiller::new(out, names, filling, facts);
            for (date, (name, text)) in (0..).zip(texts) {
                shelf.put((*name).to_owned(), Some(date), sifter.sift(text))?;
            }
            Ok((shelf.removed, ()))
        });
        added.expect("room");
        writer.close().expect("own folder");
    }

    /// Makes a store of the old names, each with a text of its own, and adds the new ones. Returns all names, with
    /// their texts.
    fn put(old: &[&str], new: &[&str]) -> Vec<(String, String)> {
        let sifter = Sifter::new(&Profile::short(), &key());
        let text = |what: &str, i: usize| format!("{what} text {i}");
        let place = TempDir::new().expect("a folder");
        let store = place.path().join("a.sift");
        for (what, names) in [("old", old), ("new", new)] {
            let texts: Vec<(&str, String)> =
                (0..).zip(names).map(|(i, &name)| (name, text(what, i))).collect();
            add(&store, &texts);
        }
        let all = ["old", "new"].into_iter().flat_map(|what| (0..9).map(move |i| text(what, i)));
        let all: Vec<String> = all.collect();
        let records = list(&store).expect("a store").records;
        let document = |at: u32| {
            let sifted = records.sifted(at);
            let is_it = |text: &&String| sifter.sift(text) == sifted;
            (records.name(at).to_owned(), all.iter().find(is_it).expect("one of them").clone())
        };
        (0..records.len() as u32).map(document).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect()
    }

    #[test]
    fn a_name_that_was_there_is_replaced_once() {
        assert_eq!(
            put(&["a", "b", "a (2)"], &["c", "b", "a", "a", "a", "b"]),
            pairs(&[
                ("c", "new text 0"),
                ("b", "new text 1"),
                ("a", "new text 2"),
                ("a (2)", "new text 3"),
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

    /// There are more names than are looked up one by one, and more additions than segments.
    #[test]
    fn each_of_many_names_is_replaced_and_counted() {
        let place = TempDir::new().expect("a folder");
        let store = place.path().join("a.sift");
        let texts = |what: &str| -> Vec<(String, String)> {
            (0..300).map(|i| (format!("{i}"), format!("{what} text {i}"))).collect()
        };
        let texts = ["old", "new", "newest"].map(texts);
        for texts in &texts {
            for some in texts.chunks(120) {
                let some: Vec<(&str, String)> =
                    some.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
                add(&store, &some);
            }
        }
        let stored = list(&store).expect("a store");
        let names: BTreeSet<&str> = (0..300).map(|at| stored.records.name(at)).collect();
        assert_eq!((stored.records.len(), names.len()), (300, 300));
        let sifter = Sifter::new(&Profile::short(), &key());
        for at in 0..300 {
            let i: i64 = stored.records.name(at).parse().expect("a number");
            let newest = sifter.sift(&format!("newest text {i}"));
            assert_eq!(stored.records.sifted(at), newest, "{i}");
            let seen = Some(DateRange { first: i % 120, last: i % 120 });
            let expected = Facts { seen, count: 3, role: Role::Reported };
            assert_eq!(stored.facts[at as usize], expected, "{i}");
        }
    }
}
