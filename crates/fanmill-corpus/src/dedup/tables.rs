//! `removed.parquet` and `clusters.parquet`: which documents are duplicates, of what, and how alike.
//!
//! | column | of | is |
//! |---|---|---|
//! | `id` | both | the document's name: the value of its field, or its shard and number |
//! | `shard`, `record` | both | where it is; records are counted from 1 |
//! | `kept_id`, `kept_shard`, `kept_record` | removed | the document that stays in its place |
//! | `resemblance` | both | with the one that stays, exact; 1 for copies and for itself |
//! | `containment` | both | how much of it lies in the one that stays |
//! | `is_copy` | removed | whether the texts are equal |
//! | `is_kept` | clusters | whether it is the one that stays |
//! | `cluster` | both | the cluster's number |
//! | `size`, `smallest`, `mean` | clusters | of the whole cluster: documents, and resemblance to the one that stays |
//! | `component` | clusters | what would be one cluster if chains were not split |

use std::path::Path;

use fanmill::Result;

use super::Run;
use super::names::Names;
use super::plan::{Plan, Row};
use crate::job::Starts;
use crate::table::{AT_ONCE, Columns, Table, flags, floats, numbers, texts};

/// What is in the output besides the corpus.
pub(super) const NAMES: [&str; 4] =
    ["removed.parquet", "clusters.parquet", "pairs.parquet", "summary.json"];

/// Writes the documents that are removed, in the order of the corpus.
pub(super) fn write_removed(
    path: &Path,
    run: &Run<'_>,
    starts: &Starts,
    plan: &Plan,
    names: &Names,
) -> Result<()> {
    let removed: Vec<&Row> = plan.rows.iter().filter(|row| !row.is_kept()).collect();
    write(path, &removed, |rows| {
        let mut columns = places(run, starts, names, "", rows.iter().map(|row| row.document))?;
        columns.extend(places(run, starts, names, "kept_", rows.iter().map(|row| row.kept))?);
        columns.extend([
            ("resemblance".to_owned(), floats(rows.iter().map(|row| row.resemblance))),
            ("containment".to_owned(), floats(rows.iter().map(|row| row.containment))),
            ("cluster".to_owned(), numbers(rows.iter().map(|row| row.cluster.into()))),
            ("is_copy".to_owned(), flags(rows.iter().map(|row| row.is_copy))),
        ]);
        Ok(columns)
    })
}

/// Writes all members of clusters, cluster by cluster.
pub(super) fn write_clusters(
    path: &Path,
    run: &Run<'_>,
    starts: &Starts,
    plan: &Plan,
    names: &Names,
) -> Result<()> {
    let mut members: Vec<&Row> = plan.rows.iter().collect();
    members.sort_by_key(|row| (row.cluster, !row.is_kept(), row.document));
    write(path, &members, |rows| {
        let of_cluster = |row: &&Row| &plan.clusters[row.cluster as usize];
        let mut columns =
            vec![("cluster".to_owned(), numbers(rows.iter().map(|r| r.cluster.into())))];
        columns.extend(places(run, starts, names, "", rows.iter().map(|row| row.document))?);
        columns.extend([
            ("is_kept".to_owned(), flags(rows.iter().map(|row| row.is_kept()))),
            ("resemblance".to_owned(), floats(rows.iter().map(|row| row.resemblance))),
            ("containment".to_owned(), floats(rows.iter().map(|row| row.containment))),
            ("size".to_owned(), numbers(rows.iter().map(|row| of_cluster(row).size))),
            ("smallest".to_owned(), floats(rows.iter().map(|row| of_cluster(row).smallest))),
            ("mean".to_owned(), floats(rows.iter().map(|row| of_cluster(row).mean))),
            ("component".to_owned(), numbers(rows.iter().map(|r| of_cluster(r).component.into()))),
        ]);
        Ok(columns)
    })
}

/// Name, shard and record of documents.
pub(super) fn places(
    run: &Run<'_>,
    starts: &Starts,
    names: &Names,
    prefix: &str,
    documents: impl Iterator<Item = u32>,
) -> Result<Columns> {
    let (mut ids, mut shards, mut records) = (Vec::new(), Vec::new(), Vec::new());
    for document in documents {
        let (shard, number) = starts.place(document);
        ids.push(names.get(document)?);
        shards.push(run.corpus.shards[shard].name());
        records.push(u64::from(number) + 1);
    }
    Ok(vec![
        (format!("{prefix}id"), texts(ids)),
        (format!("{prefix}shard"), texts(shards)),
        (format!("{prefix}record"), numbers(records)),
    ])
}

/// Writes rows as columns.
fn write(path: &Path, rows: &[&Row], columns: impl Fn(&[&Row]) -> Result<Columns>) -> Result<()> {
    let mut table = Table::create(path, columns(&[])?)?;
    for rows in rows.chunks(AT_ONCE) {
        table.append(columns(rows)?)?;
    }
    table.finish()
}
