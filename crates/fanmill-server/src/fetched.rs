//! Files that were handed in on a learning platform and are not in an archive yet: finds and erases those of one
//! person.
//!
//! Until it is packed, a file lies in a folder beside its batch's archive, under the id of its row. The row names the
//! person by the platform's id, and has a name only if the notice had one. So the names that the platform lists, if it
//! was asked, are checked too.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Row, Transaction, params};

use crate::error::Answer;
use crate::journal::{self, Task};
use crate::naming::is_of;
use crate::person::Batch;

/// The folder of a batch's fetched files.
pub(crate) const FOLDER: &str = "fetched";

/// Names of people, by batch and by the platform's id for the person.
pub(crate) type Names = HashMap<String, HashMap<String, String>>;

/// Lists the files of a batch that are to be fetched, or were fetched, by the ids of their rows.
pub(crate) fn waiting(c: &Connection, batch: &str) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT id FROM assets WHERE batch = ? AND state <> 'kept'";
    let mut statement = c.prepare(sql)?;
    let ids = statement.query_map([batch], |row| row.get(0))?;
    ids.collect()
}

/// Files that are to be fetched, or were fetched, and are not packed yet.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// The files of one person.
    own: Vec<Asset>,
    /// Batches that have files of other people.
    with_others: BTreeSet<String>,
}

#[derive(Debug)]
struct Asset {
    id: String,
    batch: String,
    person: String,
    name: Option<String>,
    state: String,
}

impl Asset {
    fn read(row: &Row) -> rusqlite::Result<Asset> {
        Ok(Asset {
            id: row.get(0)?,
            batch: row.get(1)?,
            person: row.get(2)?,
            name: row.get(3)?,
            state: row.get(4)?,
        })
    }

    fn is_of(&self, name: &str, names: &Names) -> bool {
        let listed = names.get(&self.batch).and_then(|names| names.get(&self.person));
        let mut known = self.name.iter().chain(listed);
        self.person == name || known.any(|known| is_of(known, name))
    }

    fn path(&self, data: &Path) -> PathBuf {
        data.join("batches").join(&self.batch).join(FOLDER).join(&self.id)
    }
}

impl Waiting {
    /// Finds the waiting files of these batches: those of one person, and which batches have files of others.
    pub(crate) fn find(
        c: &Connection,
        batches: &[Batch],
        name: &str,
        names: &Names,
    ) -> Answer<Waiting> {
        // If something of a person was packed before, the folder it was packed in has their name.
        let sql = "SELECT id, batch, person, coalesce(name, (SELECT folder FROM assets AS other WHERE other.batch = assets.batch \
                   AND other.person = assets.person AND folder IS NOT NULL)), state FROM assets WHERE state <> 'kept'";
        let mut statement = c.prepare(sql)?;
        let mut waiting = Waiting::default();
        for asset in statement.query_map([], Asset::read)? {
            let asset = asset?;
            if !batches.iter().any(|batch| batch.id == asset.batch) {
                continue;
            }
            if asset.is_of(name.trim(), names) {
                waiting.own.push(asset);
            } else if ["wanted", "fetched"].contains(&&*asset.state) {
                waiting.with_others.insert(asset.batch);
            }
        }
        Ok(waiting)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// Returns the batches in which files of the person wait.
    pub(crate) fn batches(&self) -> impl Iterator<Item = &String> {
        self.own.iter().map(|asset| &asset.batch)
    }

    /// Returns whether files of other people wait in a batch.
    pub(crate) fn has_others(&self, batch: &str) -> bool {
        self.with_others.contains(batch)
    }

    /// Deletes the rows of the person's files, which the journal then removes. A file that is still being fetched will
    /// not be kept, as its row is gone.
    pub(crate) fn erase_rows(&self, tx: &Transaction, data: &Path) -> Answer<()> {
        for asset in &self.own {
            let n_bytes = fs::metadata(asset.path(data)).map_or(0, |file| file.len());
            tx.execute("DELETE FROM assets WHERE id = ?", [&asset.id])?;
            let sql = "UPDATE batches SET bytes = max(0, bytes - ?) WHERE id = ?";
            tx.execute(sql, params![n_bytes.cast_signed(), asset.batch])?;
            journal::add(tx, Task::RemoveFetched, &asset.batch)?;
        }
        Ok(())
    }
}
