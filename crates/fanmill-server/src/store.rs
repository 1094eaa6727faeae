//! The server's database: one SQLite file.
//!
//! One connection writes, behind a mutex; a few others read, which write-ahead logging allows. Another process (an
//! administrator's command) may write, too: each waits for the other. Deleted data is overwritten (`secure_delete`),
//! and [`Store::forget`] also empties the log. A newer program changes an older file only after copying it to
//! `fanmill.db.v1`, and so on.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};

use crate::error::Refusal;
use crate::reserve::Reserve;

/// The steps from an empty file to the current schema; `user_version` counts the steps that were taken.
const MIGRATIONS: [&str; 8] = [
    include_str!("schema.sql"),
    include_str!("owners.sql"),
    include_str!("identities.sql"),
    include_str!("platforms.sql"),
    include_str!("journal.sql"),
    include_str!("browsers.sql"),
    include_str!("summary.sql"),
    include_str!("report_bytes.sql"),
];

/// The name of the database in a data folder.
pub(crate) const DATABASE: &str = "fanmill.db";

/// The time for which one process waits for another.
const PATIENCE: Duration = Duration::from_secs(10);

/// The database. Clones share its connections.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    path: Arc<PathBuf>,
    writer: Arc<Mutex<Connection>>,
    readers: Arc<Mutex<Vec<Connection>>>,
    reserve: Arc<Reserve>,
}

impl Store {
    /// Opens `fanmill.db` in a folder, and brings it up to date.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Store> {
        let path = folder.join(DATABASE);
        // SQLite does not wait if two processes turn on the write-ahead log of a new file at the same time.
        let lock = folder.join("fanmill.db.lock");
        let context = || format!("cannot lock `{}`", lock.display());
        let opening = File::create(&lock).with_context(context)?;
        opening.lock().with_context(context)?;
        if path.exists() {
            // Before the file is opened to be written.
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            version(&Connection::open_with_flags(&path, flags)?)?;
        }
        let mut writer = connect(&path)?;
        migrate(&mut writer, &path)?;
        let reserve = Reserve::new(folder);
        reserve.make();
        Ok(Store {
            path: Arc::new(path),
            writer: Arc::new(Mutex::new(writer)),
            readers: Arc::default(),
            reserve: Arc::new(reserve),
        })
    }

    /// Reads, on the calling thread.
    pub(crate) fn read<T, E: From<rusqlite::Error>>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let kept = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let reader = kept.map_or_else(|| connect(&self.path), Ok)?;
        let outcome = work(&reader);
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() < 8 {
            readers.push(reader);
        }
        outcome
    }

    /// Returns the disk space that is kept back.
    pub(crate) fn reserve(&self) -> &Reserve {
        &self.reserve
    }

    /// Writes in a transaction: everything or, after an error, nothing.
    pub(crate) fn write<T, E: From<rusqlite::Error>>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        self.reserve.release_if_full();
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = begin(&mut writer)?;
        let outcome = work(&transaction)?;
        transaction.commit()?;
        Ok(outcome)
    }

    /// Removes all traces of deleted rows from the file and its log, and the copies that older releases have left, which
    /// have these rows.
    ///
    /// # Errors
    /// If the log could not be emptied, as somebody reads for longer than [`PATIENCE`], or a copy cannot be removed.
    pub(crate) fn forget(&self) -> Result<(), Refusal> {
        self.empty_log()?;
        for version in 1..MIGRATIONS.len() {
            match std::fs::remove_file(copy_of(&self.path, version)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    fn empty_log(&self) -> rusqlite::Result<()> {
        // The snapshot of a reader would keep the log from being emptied.
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.execute_batch("VACUUM")?;
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let is_busy: bool = writer.query_row(sql, [], |row| row.get(0))?;
        let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
        if is_busy { Err(rusqlite::Error::SqliteFailure(busy, None)) } else { Ok(()) }
    }
}

impl Store {
    /// Copies the database to a new file, as it is at one moment, without what was deleted.
    pub(crate) fn copy_to(&self, file: &Path) -> rusqlite::Result<()> {
        self.read(|c| c.execute("VACUUM INTO ?", [file.to_string_lossy()]).map(drop))
    }

    /// Opens a copy that nobody else uses, to read it.
    pub(crate) fn open_copy(file: &Path) -> rusqlite::Result<CopiedDatabase> {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        Connection::open_with_flags(file, flags).map(CopiedDatabase)
    }
}

/// A copy of the database, to be read.
pub(crate) struct CopiedDatabase(Connection);

impl CopiedDatabase {
    /// Lists the ids of its batches.
    pub(crate) fn batches(&self) -> rusqlite::Result<Vec<String>> {
        let mut statement = self.0.prepare("SELECT id FROM batches ORDER BY id")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        rows.collect()
    }
}

/// Verifies the audit log. Returns its number of lines and the hash of the last one, or else the number of the first line
/// that does not follow from the line before, so that something was changed or removed there.
pub(crate) fn verify_audit(c: &Connection) -> rusqlite::Result<Result<(u64, String), i64>> {
    let sql = "SELECT number, at, who, what, id, chain FROM audit ORDER BY number";
    let mut statement = c.prepare(sql)?;
    let (mut rows, mut last, mut n) = (statement.query([])?, String::new(), 0);
    while let Some(row) = rows.next()? {
        let (number, at): (i64, i64) = (row.get(0)?, row.get(1)?);
        let [who, what, id, chain]: [String; 4] =
            [row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?];
        n += 1;
        if chain != link(&last, at, &who, &what, &id) || number != n {
            return Ok(Err(number));
        }
        last = chain;
    }
    Ok(Ok((u64::try_from(n).unwrap_or(0), last)))
}

/// Computes the hash of a line of the audit log, which covers the hash of the line before.
fn link(last: &str, at: i64, who: &str, what: &str, id: &str) -> String {
    crate::secret::hash(&format!("{last}\n{at}\n{who}\n{what}\n{id}"))
}

/// Adds a line to the audit log. Each line's hash covers the line before, so that no line can be removed unnoticed.
pub(crate) fn audit(tx: &Transaction, who: &str, what: &str, id: &str) -> rusqlite::Result<()> {
    let last: String = tx.query_row(
        "SELECT coalesce((SELECT chain FROM audit ORDER BY number DESC LIMIT 1), '')",
        [],
        |row| row.get(0),
    )?;
    let at = now();
    let chain = link(&last, at, who, what, id);
    tx.execute(
        "INSERT INTO audit (at, who, what, id, chain) VALUES (?, ?, ?, ?, ?)",
        params![at, who, what, id, chain],
    )?;
    Ok(())
}

/// Returns the seconds since 1970.
pub(crate) fn now() -> i64 {
    jiff::Timestamp::now().as_second()
}

/// Writes a time as the API does.
pub(crate) fn rfc3339(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds).map(|time| time.to_string()).unwrap_or_default()
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; \
         PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;",
    )?;
    Ok(connection)
}

/// Begins a transaction with the write lock. Otherwise one that reads first and then writes would fail, without
/// waiting, if another process wrote in between.
fn begin(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// Returns the version of a database; 0 if it is a new one.
///
/// # Errors
/// If a later release has written it.
fn version(connection: &Connection) -> anyhow::Result<usize> {
    let version: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let (version, known) = (version as usize, MIGRATIONS.len());
    if version > known {
        let what = format!(
            "the database has version {version}, and this release knows {known}; use a newer release"
        );
        return Err(fanmill_text::Error::input(what).into());
    }
    Ok(version)
}

fn migrate(connection: &mut Connection, path: &Path) -> anyhow::Result<()> {
    let version = version(connection)?;
    if 0 < version && version < MIGRATIONS.len() {
        backup(connection, path, version)?;
    }
    for (number, step) in MIGRATIONS.iter().enumerate().skip(version) {
        let tx = begin(connection)?;
        tx.execute_batch(step)?;
        tx.pragma_update(None, "user_version", number as u32 + 1)?;
        tx.commit()?;
    }
    Ok(())
}

/// Returns the path of the copy that an upgrade from a version makes.
fn copy_of(path: &Path, version: usize) -> PathBuf {
    path.with_extension(format!("db.v{version}"))
}

/// Copies the database beside itself, unless that was done before.
fn backup(connection: &Connection, path: &Path, version: usize) -> anyhow::Result<()> {
    let copy = copy_of(path, version);
    if !copy.exists() {
        connection.execute("VACUUM INTO ?", [copy.to_string_lossy()])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_database_is_copied_before_it_is_changed() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("fanmill.db");
        let connection = connect(&path).expect("opens");
        connection
            .execute_batch("CREATE TABLE kept (x); INSERT INTO kept VALUES (7)")
            .expect("rows");
        backup(&connection, &path, 1).expect("copied");
        let copy = Connection::open(folder.path().join("fanmill.db.v1")).expect("opens");
        let kept: i64 = copy.query_row("SELECT x FROM kept", [], |row| row.get(0)).expect("row");
        assert_eq!(kept, 7);
    }

    #[test]
    fn processes_that_write_at_once_wait_for_each_other() {
        for _ in 0..8 {
            let folder = tempfile::tempdir().expect("folder");
            let lines = 12;
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        let store = Store::open(folder.path()).expect("opens");
                        for _ in 0..lines {
                            store.write(|tx| audit(tx, "anna", "added", "b1")).expect("a line");
                        }
                    });
                }
            });
            let store = Store::open(folder.path()).expect("opens");
            let sql = "SELECT count(*), count(DISTINCT chain) FROM audit";
            let counts: (i64, i64) = store
                .read(|c| c.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))))
                .expect("counts");
            assert_eq!(counts, (4 * lines, 4 * lines));
        }
    }

    #[test]
    fn the_audit_log_only_grows() {
        let folder = tempfile::tempdir().expect("folder");
        let store = Store::open(folder.path()).expect("opens");
        store.write(|tx| audit(tx, "anna", "deleted", "b1")).expect("line");
        assert!(store.write(|tx| tx.execute("DELETE FROM audit", [])).is_err());
        assert!(store.write(|tx| tx.execute("UPDATE audit SET who = 'x'", [])).is_err());
    }
}
