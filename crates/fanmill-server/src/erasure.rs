//! Erasure of one person's work, wherever it is: in archives of uploads, and in files that are not packed yet.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Transaction;

use crate::error::Answer;
use crate::fetched::{Names, Waiting};
use crate::person::{self, Batch, PersonsWork};
use crate::store::{Store, audit};
use crate::{compared, jobs, journal, removal};

/// The work that is to be erased.
#[derive(Debug)]
pub(crate) struct Erasure {
    name: String,
    found: Vec<PersonsWork>,
    waiting: Waiting,
}

/// The numbers of batches that an erasure changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Erased {
    /// Number of batches with nothing left in them.
    pub(crate) deleted: usize,
    /// Number of batches to be compared again.
    pub(crate) compared_again: usize,
}

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

    /// Erases it from the database, and has the journal erase it from files. Batches with nothing left in them are
    /// deleted. Those that others still have work in, and those that were compared with any of these, lose their
    /// reports and wait to be compared again. One line of the audit log says so.
    pub(crate) fn erase(&self, tx: &Transaction, data: &Path, by: &str) -> Answer<Erased> {
        let names = person::names(&self.found);
        let (mut deleted, mut again) = (BTreeSet::new(), BTreeSet::new());
        for one in &self.found {
            let id = one.id();
            again.extend(compared::with(tx, id)?);
            if one.has_others {
                journal::add_erasure(tx, id, &self.name)?;
                jobs::compare_again(tx, id)?;
                person::erase_rows(tx, id, &names)?;
                removal::remove_dependents(tx, id)?;
                again.insert(id.to_owned());
            } else {
                removal::delete(tx, by, id)?;
                deleted.insert(id.to_owned());
            }
        }
        again.retain(|id| !deleted.contains(id));
        // Reports of batches that were compared with these as earlier work show the person's texts, too.
        for id in &again {
            person::erase_rows(tx, id, &names)?;
        }
        self.waiting.erase_rows(tx, data)?;
        journal::add_forgetting(tx)?;
        let mut changed: BTreeSet<&String> = deleted.iter().chain(&again).collect();
        changed.extend(self.waiting.batches());
        audit(tx, by, "person erased", &format!("{} batches", changed.len()))?;
        Ok(Erased { deleted: deleted.len(), compared_again: again.len() })
    }
}
