//! The postings in SQLite: a table from a fingerprint to the documents that have it, with positions.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;

use anyhow::Result;
use fanmill::pipeline::{Config, fingerprinted};
use fanmill_text::document::Submission;
use fanmill_text::frontend::Registry;
use rusqlite::{Connection, OptionalExtension};

use crate::stopwatch::best_of;

/// Writes the postings of all texts beside the index, looks up `hashes`, and prints the cost of both.
///
/// A row holds the postings of a fingerprint as one value, as in our table: one row per posting takes more time and
/// space.
pub(super) fn run(
    folder: &Path,
    texts: &[Submission],
    hashes: &[u64],
    registry: &Registry,
) -> Result<()> {
    let mut postings: BTreeMap<i64, Vec<u8>> = BTreeMap::new();
    for (document, text) in (0_u32..).zip(texts) {
        for fingerprint in fingerprinted(text, registry, &Config::standard())?.fingerprints {
            let own = postings.entry(fingerprint.hash.cast_signed()).or_default();
            own.extend(document.to_le_bytes());
            own.extend(fingerprint.at.to_le_bytes());
        }
    }
    let path = folder.with_extension("sqlite");
    let mut database = Connection::open(&path)?;
    let mut written = Ok(());
    let adding = best_of(1, || written = write(&mut database, &postings));
    written?;
    let mut statement = database.prepare("SELECT postings FROM fingerprints WHERE hash = ?1")?;
    let seconds = best_of(5, || {
        for hash in hashes {
            let found = statement.query_row([hash.cast_signed()], |row| {
                // All postings are read, as in a search.
                row.get_ref(0).map(|own| own.as_blob().map_or(0, <[u8]>::len))
            });
            let _ = black_box(found.optional());
        }
    });
    println!(
        "SQLite: postings alone added in {adding:.2} s of CPU, {:.1} MB, {:.2} µs a look-up",
        std::fs::metadata(&path)?.len() as f64 / 1e6,
        1e6 * seconds / hashes.len() as f64
    );
    Ok(())
}

fn write(database: &mut Connection, postings: &BTreeMap<i64, Vec<u8>>) -> Result<()> {
    database.execute_batch(
        "PRAGMA journal_mode = WAL; CREATE TABLE fingerprints (hash INTEGER PRIMARY KEY, postings BLOB NOT NULL);",
    )?;
    let all = database.transaction()?;
    {
        let mut insert = all.prepare("INSERT INTO fingerprints VALUES (?1, ?2)")?;
        for (hash, own) in postings {
            insert.execute((hash, own))?;
        }
    }
    all.commit()?;
    Ok(database.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")?)
}
