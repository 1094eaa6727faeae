//! Erasure of one person's work, wherever it is: in archives of uploads, and in files that are not packed yet.

use std::collections::BTreeSet;
use std::path::Path;

use axum::http::StatusCode;
use rusqlite::Transaction;
use serde_json::json;

use crate::errand::{Findings, FoundWork, UnreadBatch};
use crate::error::{Answer, Refusal};
use crate::fetched::{Names, Waiting};
use crate::person::{self, Batch};
use crate::store::{Store, audit};
use crate::{compared, jobs, journal, removal};

/// The work that is to be erased.
#[derive(Debug)]
pub(crate) struct Erasure {
    name: String,
    found: Vec<FoundWork>,
    waiting: Waiting,
    unread: Vec<UnreadBatch>,
}

/// The batches that an erasure changes, and those that it could not search.
#[derive(Debug)]
pub(crate) struct Erased {
    /// Number of batches with nothing left in them.
    pub(crate) deleted: usize,
    /// Number of batches to be compared again.
    pub(crate) compared_again: usize,
    pub(crate) unread: Vec<UnreadBatch>,
    /// The number of the search of the disk that follows.
    pub(crate) search: i64,
}

impl Erasure {
    /// Prepares the erasure of what an errand has found of a person in these batches, and of files that wait to be packed.
    /// Nothing may be packed from the search until it is erased.
    pub(crate) fn new(
        store: &Store,
        findings: Findings,
        batches: &[Batch],
        name: &str,
        names: &Names,
    ) -> Answer<Erasure> {
        let Findings { mut found, unread } = findings;
        let waiting = store.read(|c| Waiting::find(c, batches, name, names))?;
        if found.is_empty() && waiting.is_empty() {
            return Err(unread.first().map_or_else(
                || person::nothing(name),
                |first| {
                    let message = format!(
                        "nothing was found of `{}`, and {} of {} batches cannot be searched; the first is `{}`: {}",
                        name.trim(),
                        unread.len(),
                        batches.len(),
                        first.title,
                        first.reason
                    );
                    let not_searched = Some(("not_searched", json!(unread)));
                    Refusal { more: not_searched, ..Refusal::new(StatusCode::CONFLICT, message) }
                },
            ));
        }
        for one in &mut found {
            one.has_others |= waiting.has_others(&one.id);
        }
        Ok(Erasure { name: name.trim().to_owned(), found, waiting, unread })
    }

    /// Erases it from the database, and has the journal erase it from files. Batches with nothing left in them are
    /// deleted. Those that others still have work in, and those that were compared with any of these, lose their
    /// reports and wait to be compared again. One line of the audit log says so.
    pub(crate) fn erase(&self, tx: &Transaction, data: &Path, by: &str) -> Answer<Erased> {
        let names: Vec<String> =
            self.found.iter().flat_map(|found| found.names.iter().cloned()).collect();
        let (mut deleted, mut again) = (BTreeSet::new(), BTreeSet::new());
        for one in &self.found {
            let id = &one.id;
            again.extend(compared::with(tx, id)?);
            if one.has_others {
                journal::add_erasure(tx, id, &self.name)?;
                jobs::compare_again(tx, id)?;
                person::erase_rows(tx, id, &names)?;
                removal::remove_dependents(tx, id)?;
                again.insert(id.clone());
            } else {
                removal::delete(tx, by, id)?;
                deleted.insert(id.clone());
            }
        }
        again.retain(|id| !deleted.contains(id));
        // Reports of batches that were compared with these as earlier work show the person's texts, too.
        for id in &again {
            person::erase_rows(tx, id, &names)?;
        }
        self.waiting.erase_rows(tx, data)?;
        journal::add_forgetting(tx)?;
        let sought = names.into_iter().chain([self.name.clone()]).collect();
        let search = journal::add_search(tx, &sought)?;
        let mut changed: BTreeSet<&String> = deleted.iter().chain(&again).collect();
        changed.extend(self.waiting.batches());
        audit(tx, by, "person erased", &format!("{} batches", changed.len()))?;
        let (deleted, compared_again) = (deleted.len(), again.len());
        Ok(Erased { deleted, compared_again, unread: self.unread.clone(), search })
    }
}
