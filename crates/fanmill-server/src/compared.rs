//! A record of which batches were compared with which as earlier work, and so may show their texts.
//!
//! Kept in the database, so that a deletion knows in its own transaction which reports it concerns. `job.json` does not
//! suffice: while a batch waits to be compared with other settings, its report still shows what it was compared with
//! before.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use rusqlite::{Connection, Transaction};

use crate::instructions;
use crate::job::JobRequest;

/// Returns the batch that a path of earlier work leads to: `../ID/earlier/…`.
pub(crate) fn batch_of(path: &Path) -> Option<&str> {
    let mut parts = path.components();
    match (parts.next(), parts.next()) {
        (Some(Component::ParentDir), Some(Component::Normal(id))) => id.to_str(),
        _ => None,
    }
}

/// Returns the batches that a job compares with.
pub(crate) fn earlier_of(work: &JobRequest) -> BTreeSet<String> {
    work.inputs.archive.iter().filter_map(|path| batch_of(path)).map(str::to_owned).collect()
}

/// Records that a batch is about to be compared with these.
pub(crate) fn add(c: &Connection, batch: &str, earlier: &BTreeSet<String>) -> rusqlite::Result<()> {
    let sql = "INSERT OR IGNORE INTO compared_with (batch, earlier) VALUES (?, ?)";
    let mut statement = c.prepare(sql)?;
    for earlier in earlier {
        statement.execute([batch, earlier])?;
    }
    Ok(())
}

/// Records that the report of a batch shows texts of these and of no others.
pub(crate) fn set(
    tx: &Transaction,
    batch: &str,
    earlier: &BTreeSet<String>,
) -> rusqlite::Result<()> {
    tx.execute("DELETE FROM compared_with WHERE batch = ?", [batch])?;
    add(tx, batch, earlier)
}

/// Lists the batches whose reports may show texts of `earlier`.
pub(crate) fn with(c: &Connection, earlier: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = c.prepare("SELECT batch FROM compared_with WHERE earlier = ?")?;
    let rows = statement.query_map([earlier], |row| row.get(0))?;
    rows.collect()
}

/// Records what all batches are compared with by their instructions, as releases without the table have kept nothing
/// else.
pub(crate) fn learn(tx: &Transaction, data: &Path) -> rusqlite::Result<()> {
    let mut statement = tx.prepare("SELECT id FROM batches")?;
    let ids = statement.query_map([], |row| row.get::<_, String>(0))?;
    for id in ids.collect::<Result<Vec<_>, _>>()? {
        // A batch whose instructions cannot be read cannot be compared either.
        let work = instructions::read(&data.join("batches").join(&id)).ok().flatten();
        add(tx, &id, &work.as_ref().map(earlier_of).unwrap_or_default())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_batch_of_earlier_work_is_in_its_path() {
        assert_eq!(batch_of(Path::new("../b1/earlier/Week 3.tar")), Some("b1"));
        for other in ["b1/earlier/x.tar", "/b1/x", "..", "../../b1"] {
            assert_eq!(batch_of(Path::new(other)), None, "{other}");
        }
    }
}
