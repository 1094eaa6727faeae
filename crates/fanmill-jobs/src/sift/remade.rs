//! Fingerprints that are made again from the originals: under another key, or by another profile.
//!
//! Values of one key or profile cannot be converted to those of another. The old fingerprints prove that a text is the
//! original.

use fanmill_sift::records::{Records, StoredIdx};
use fanmill_sift::sifter::{Sifted, Sifter};
use fanmill_text::Result;
use fanmill_text::progress::Progress;

use super::places::Places;
use super::sift_all;
use super::texts::{self, Account, Inputs, Text};
use fanmill_sift::disk::{DateRange, Original, Stored};

/// Fingerprints that are made again.
pub(super) struct RebuiltFingerprints<'s> {
    old: &'s Stored,
    places: Places,
    /// The new fingerprints, in the order of the texts.
    new: Records,
    /// For each original of the store, the text that was found to be it.
    found: Vec<Option<Found>>,
}

/// An original that was found.
#[derive(Clone, Copy)]
struct Found {
    /// The place of its new fingerprints.
    at: StoredIdx,
    date: Option<i64>,
}

impl<'s> RebuiltFingerprints<'s> {
    /// Reads the originals, and makes new fingerprints of those whose old ones are in the store.
    ///
    /// # Errors
    /// If an input cannot be read, or the job is cancelled.
    pub(super) fn read(
        old: &'s Stored,
        [old_sifter, new_sifter]: [&Sifter; 2],
        originals: Inputs<'_>,
        progress: &dyn Progress,
    ) -> Result<(RebuiltFingerprints<'s>, Account)> {
        let (places, new) = (Places::from_records(&old.records), Records::new(new_sifter));
        let mut remade =
            RebuiltFingerprints { old, places, new, found: vec![None; old.records.len()] };
        let account = texts::each(originals, progress, &mut |batch| {
            let [olds, news] = [old_sifter, new_sifter].map(|sifter| sift_all(sifter, &batch));
            let mut texts = batch.iter().zip(olds.iter().zip(&news));
            texts.try_for_each(|(text, (old, new))| remade.take(text, old, new))
        })?;
        Ok((remade, account))
    }

    /// Uses a text's new fingerprints for the original of its own name with the same old ones, and for others with the
    /// same old ones that have no new ones yet.
    fn take(&mut self, text: &Text, old: &Sifted, new: &Sifted) -> Result<()> {
        let records = &self.old.records;
        let is_wanted = |&place: &StoredIdx| {
            self.found[place as usize].is_none() || records.name(place) == text.name
        };
        let wanted: Vec<StoredIdx> = self.places.equal(records, old).filter(is_wanted).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let found = Found { at: self.new.push("", new)?, date: text.date };
        for place in wanted {
            self.found[place as usize] = Some(found);
        }
        Ok(())
    }

    /// Returns the originals that were found, with their new fingerprints. If a date was not known, it is that of the
    /// text.
    pub(super) fn found(&self) -> impl Iterator<Item = Original> + '_ {
        let places = (0..).zip(&self.found);
        places.filter_map(|(place, found)| found.map(|found| self.original(place, found)))
    }

    /// Returns all originals, with the old fingerprints, and with dates as in [`found`](RebuiltFingerprints::found).
    pub(super) fn all(&self) -> impl Iterator<Item = Original> + '_ {
        (0..).zip(&self.found).map(|(place, found)| {
            let facts = match *found {
                Some(found) => self.original(place, found).facts,
                None => self.old.facts[place as usize],
            };
            Original { facts, ..self.old.original(place) }
        })
    }

    fn original(&self, place: StoredIdx, found: Found) -> Original {
        let mut facts = self.old.facts[place as usize];
        facts.seen = facts.seen.or(found.date.map(|date| DateRange { first: date, last: date }));
        let name = self.old.records.name(place).to_owned();
        Original { name, facts, sifted: self.new.sifted(found.at) }
    }

    /// Returns the number of originals that were found.
    pub(super) fn n_found(&self) -> usize {
        self.found.iter().flatten().count()
    }

    /// Returns the names of the originals that were not found.
    pub(super) fn missing(&self) -> Vec<String> {
        let missing = (0..).zip(&self.found).filter(|(_, found)| found.is_none());
        missing.map(|(place, _)| self.old.records.name(place).to_owned()).collect()
    }
}
