//! The journal: tasks that must follow a change of rows, such as removing the files of a deleted batch.
//!
//! A task is written in the transaction that changes the rows, so that both are kept or neither is. `removal` carries
//! tasks out, in the order of their numbers, and deletes each afterwards; a task that fails is repeated later, and one
//! that the end of the server interrupts after the next start. So a task must do no harm if it is done twice. While a
//! batch has a task, its report is not served, and no comparison of it or with it begins.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::secret;
use crate::store::now;

/// The batch of tasks that concern no batch.
const NO_BATCH: &str = "";

/// Seconds until a failed task is repeated: doubled at each failure, up to the maximum.
const FIRST_PAUSE: i64 = 1;
const MAX_PAUSE: i64 = 300;

/// The kind of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    /// Removes the folder of a batch that has no row.
    RemoveFolder,
    /// Removes the report of a batch, which shows texts that were deleted elsewhere.
    RemoveReport,
    /// Rewrites the uploads of a batch without one person's files, and removes its report.
    ErasePerson,
    /// Removes the files fetched for a batch that have no row.
    RemoveFetched,
    /// Removes all traces of deleted rows from the database.
    ForgetRows,
    /// Searches the disk for the names of a person who was erased, after all other tasks.
    SearchDisk,
}

impl Task {
    const ALL: [Task; 6] = [
        Task::RemoveFolder,
        Task::RemoveReport,
        Task::ErasePerson,
        Task::RemoveFetched,
        Task::ForgetRows,
        Task::SearchDisk,
    ];

    /// Returns its name in the database and in the log.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Task::RemoveFolder => "remove folder",
            Task::RemoveReport => "remove report",
            Task::ErasePerson => "erase person",
            Task::RemoveFetched => "remove fetched files",
            Task::ForgetRows => "forget rows",
            Task::SearchDisk => "search disk",
        }
    }
}

/// A task of the journal.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) number: i64,
    pub(crate) task: Task,
    /// The batch that it concerns; empty if it concerns none.
    pub(crate) batch: String,
    /// The person whose files are erased, as they were searched for; of a search of the disk, all names, encoded.
    pub(crate) person: Option<String>,
    attempts: i64,
}

/// Adds a task for a batch.
pub(crate) fn add(tx: &Transaction, task: Task, batch: &str) -> rusqlite::Result<()> {
    tx.execute("INSERT INTO journal (task, batch) VALUES (?, ?)", [task.name(), batch])?;
    Ok(())
}

/// Adds the task to erase a person's files from the uploads of a batch.
pub(crate) fn add_erasure(tx: &Transaction, batch: &str, person: &str) -> rusqlite::Result<()> {
    let sql = "INSERT INTO journal (task, batch, person) VALUES (?, ?, ?)";
    tx.execute(sql, [Task::ErasePerson.name(), batch, person])?;
    Ok(())
}

/// Adds the task to search the disk for these names once everything else is done. Returns its number.
pub(crate) fn add_search(tx: &Transaction, names: &BTreeSet<String>) -> rusqlite::Result<i64> {
    let sql = "INSERT INTO journal (task, batch, person) VALUES (?, ?, ?)";
    tx.execute(sql, params![Task::SearchDisk.name(), NO_BATCH, encoded(names)])?;
    Ok(tx.last_insert_rowid())
}

/// Encodes names as hexadecimal digits, so that a search of the disk does not find the task itself.
fn encoded(names: &BTreeSet<String>) -> String {
    let joined: Vec<&str> = names.iter().map(String::as_str).collect();
    secret::hex(joined.join("\n").as_bytes())
}

/// Decodes the names of a search.
fn decoded(names: &str) -> Vec<String> {
    let byte = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = names.as_bytes().chunks(2).map(byte).collect();
    let joined = String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
    joined.lines().map(str::to_owned).collect()
}

impl Entry {
    /// Returns the names that the disk is searched for.
    pub(crate) fn names(&self) -> Vec<String> {
        self.person.as_deref().map(decoded).unwrap_or_default()
    }
}

/// Returns whether a task is still to be done.
pub(crate) fn is_waiting(c: &Connection, number: i64) -> rusqlite::Result<bool> {
    c.query_row("SELECT EXISTS (SELECT 1 FROM journal WHERE number = ?)", [number], |row| {
        row.get(0)
    })
}

/// Adds the task to remove all traces of rows that this transaction deletes.
pub(crate) fn add_forgetting(tx: &Transaction) -> rusqlite::Result<()> {
    add(tx, Task::ForgetRows, NO_BATCH)
}

/// Returns the first task with a higher number than `after` that is due. The disk is searched when nothing else is left
/// to be done.
pub(crate) fn next(c: &Connection, after: i64) -> rusqlite::Result<Option<Entry>> {
    let sql = "SELECT number, task, batch, person, attempts FROM journal WHERE number > ?1 AND again <= ?2 \
               AND (task <> ?3 OR NOT EXISTS (SELECT 1 FROM journal AS other WHERE other.task <> ?3)) ORDER BY number LIMIT 1";
    let row = |row: &rusqlite::Row| {
        let name: String = row.get(1)?;
        let task = Task::ALL.into_iter().find(|task| task.name() == name);
        let entry = |task| {
            Ok(Entry {
                number: row.get(0)?,
                task,
                batch: row.get(2)?,
                person: row.get(3)?,
                attempts: row.get(4)?,
            })
        };
        // A name that this release does not know cannot occur: an older release refuses a newer database.
        task.map_or(Err(rusqlite::Error::InvalidQuery), entry)
    };
    c.query_row(sql, params![after, now(), Task::SearchDisk.name()], row).optional()
}

/// Deletes a task that is done. A person's name in it is forgotten by another task.
pub(crate) fn finish(tx: &Transaction, entry: &Entry) -> rusqlite::Result<()> {
    tx.execute("DELETE FROM journal WHERE number = ?", [entry.number])?;
    match entry.task {
        // One forgetting serves all that were asked for before it.
        Task::ForgetRows => {
            let sql = "DELETE FROM journal WHERE task = ? AND number < ?";
            tx.execute(sql, params![Task::ForgetRows.name(), entry.number])?;
        }
        Task::ErasePerson | Task::SearchDisk => add_forgetting(tx)?,
        Task::RemoveFolder | Task::RemoveReport | Task::RemoveFetched => {}
    }
    Ok(())
}

/// Puts off a task that failed.
pub(crate) fn put_off(tx: &Transaction, entry: &Entry) -> rusqlite::Result<()> {
    let doublings = u32::try_from(entry.attempts).unwrap_or(u32::MAX).min(16);
    let pause = (FIRST_PAUSE << doublings).min(MAX_PAUSE);
    let sql = "UPDATE journal SET attempts = attempts + 1, again = ? WHERE number = ?";
    tx.execute(sql, params![now() + pause, entry.number])?;
    Ok(())
}

/// Makes all tasks due, as after a start of the server.
pub(crate) fn make_due(tx: &Transaction) -> rusqlite::Result<()> {
    tx.execute("UPDATE journal SET attempts = 0, again = 0", [])?;
    Ok(())
}

/// Returns the number of tasks.
pub(crate) fn count(c: &Connection) -> rusqlite::Result<i64> {
    c.query_row("SELECT count(*) FROM journal", [], |row| row.get(0))
}

/// Returns whether a batch has a task.
pub(crate) fn has_task(c: &Connection, batch: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM journal WHERE batch = ?)";
    c.query_row(sql, [batch], |row| row.get(0))
}
