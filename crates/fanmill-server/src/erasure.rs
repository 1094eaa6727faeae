//! Erasure of one person's work, wherever it is: in archives of uploads, and in files that are not packed yet.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Transaction;

use crate::error::Answer;
use crate::fetched::{Names, Waiting};
use crate::person::{self, Batch, PersonsWork};
use crate::store::{Store, audit};

/// The work that is to be erased.
#[derive(Debug)]
pub(crate) struct Erasure {
    name: String,
    found: Vec<PersonsWork>,
    waiting: Waiting,
}

/// Batches with nothing left in them, and batches to be compared again.
pub(crate) type Erased = (Vec<String>, Vec<String>);

impl Erasure {
    /// Finds a person's work in these batches. Nothing may be packed until it is erased.
    ///
    /// Reads files and the database on the calling thread.
    pub(crate) fn new(
        store: &Store,
        data: &Path,
        batches: &[Batch],
        name: &str,
        names: &Names,
    ) -> Answer<Erasure> {
        let mut found = person::find_all(data, batches, name)?;
        let waiting = store.read(|c| Waiting::find(c, batches, name, names))?;
        if found.is_empty() && waiting.is_empty() {
            return Err(person::nothing(name));
        }
        for one in &mut found {
            one.has_others |= waiting.has_others(one.id());
        }
        Ok(Erasure { name: name.trim().to_owned(), found, waiting })
    }

    /// Returns the batches whose archives have some of it.
    pub(crate) fn archives(&self) -> Vec<String> {
        person::ids(&self.found)
    }

    /// Erases it from archives, whose jobs must have ended, from the database and from the fetched files. Keeps the
    /// folders of batches with nothing left in them.
    pub(crate) fn carry_out(
        &self,
        store: &Store,
        data: &Path,
        all: &[Batch],
        by: &str,
    ) -> Answer<Erased> {
        let erased = person::erase(data, &self.found, all, &self.name)?;
        store.write(|tx| self.erase_rows(tx, data, by, &erased))?;
        self.waiting.erase_files(data)?;
        Ok(erased)
    }

    /// Erases the rows, and notes that in one line of the audit log.
    fn erase_rows(&self, tx: &Transaction, data: &Path, by: &str, erased: &Erased) -> Answer<()> {
        person::erase_rows(tx, erased, &person::names(&self.found))?;
        self.waiting.erase_rows(tx, data)?;
        let mut batches: BTreeSet<&String> = erased.0.iter().chain(&erased.1).collect();
        batches.extend(self.waiting.batches());
        Ok(audit(tx, by, "person erased", &format!("{} batches", batches.len()))?)
    }
}
