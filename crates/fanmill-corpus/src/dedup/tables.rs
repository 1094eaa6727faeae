//! `removed.parquet` and `clusters.parquet`: the duplicates, what they duplicate, and how similar they are.
//!
//! | column | of | is |
//! |---|---|---|
//! | `id` | both | the document's name: the value of its field, or its shard and number |
//! | `shard`, `record` | both | its place; records are counted from 1 |
//! | `kept_id`, `kept_shard`, `kept_record` | removed | the document that stays in its place |
//! | `resemblance` | both | with the one that stays, exact; 1 for copies and for itself; null if the two were not compared |
//! | `containment` | removed | of it in the one that stays; null likewise |
//! | `is_copy` | removed | true if the texts are equal; null likewise |
//! | `reason` | removed | if documents are grouped by addresses: `address` or `text` |
//! | `is_kept` | clusters | true for the one that stays |
//! | `cluster` | both | the cluster's number |
//! | `size`, `smallest`, `mean` | clusters | of the whole cluster: documents, and resemblance to the one that stays of those that were compared |
//! | `component` | clusters | the number of the cluster there would be if chains were not split |
//! | `is_reference` | clusters | if there is a reference: true for its documents |
//! | `kept_is_reference` | removed | if there is a reference: true if the one that stays is in it |

use std::path::PathBuf;

use fanmill_disk::replace::DiskFile;
use fanmill_text::Result;

use super::clusters::{Cluster, number};
use super::context::Run;
use super::names::Names;
use super::plan::{Plan, Row};
use crate::job::Starts;
use crate::spill::Sorter;
use crate::spill::series::CHUNK;
use crate::table::{Column, Columns, Table, flags, floats, numbers, texts};

/// A file that was made for a table, and its path.
pub(super) type Made = (DiskFile, PathBuf);

/// Writes the documents that are removed, in the order of the corpus.
pub(super) fn write_removed(
    file: Made,
    run: &Run<'_>,
    starts: &Starts,
    plan: &Plan,
    names: &Names,
) -> Result<()> {
    let columns = |rows: &[&Row]| -> Result<Columns> {
        let mut columns = places(run, starts, names, "", rows.iter().map(|row| row.document))?;
        columns.extend(places(run, starts, names, "kept_", rows.iter().map(|row| row.kept))?);
        let cluster = |row: &&Row| plan.clusters.of(row.kept).into();
        let is_copy = |row: &&Row| row.similarity.map(|_| row.is_copy);
        columns.extend(of_reference(run, starts, "kept_", rows.iter().map(|row| row.kept)));
        columns.extend([
            ("resemblance".to_owned(), floats(rows.iter().map(|row| row.resemblance()))),
            ("containment".to_owned(), floats(rows.iter().map(|row| row.containment()))),
            ("cluster".to_owned(), numbers(rows.iter().map(cluster))),
            ("is_copy".to_owned(), flags(rows.iter().map(is_copy))),
        ]);
        let reason = |row: &&Row| if row.by_address { "address" } else { "text" };
        let reasons = || ("reason".to_owned(), texts(rows.iter().map(reason)));
        columns.extend(run.settings.by_address.is_some().then(reasons));
        Ok(columns)
    };
    let mut table = Table::create(file, columns(&[])?)?;
    plan.each_rows(|rows| {
        let removed: Vec<&Row> = rows.iter().filter(|row| !row.is_kept()).collect();
        table.append(columns(&removed)?)
    })?;
    table.finish()
}

/// A member of a cluster in the form in which it is sorted: by the cluster's number, the one that stays first.
type Member = ((u32, u8), (u32, u64));

/// Writes all members of clusters, cluster by cluster.
pub(super) fn write_clusters(
    file: Made,
    run: &Run<'_>,
    starts: &Starts,
    plan: &Plan,
    names: &Names,
) -> Result<()> {
    let mut members = Sorter::<Member>::new(run.staging.spill(), run.settings.memory / 4);
    plan.each_rows(|rows| {
        members.extend(rows.iter().map(|row| {
            let key = (plan.clusters.of(row.kept), u8::from(!row.is_kept()));
            (key, (row.document, row.resemblance().unwrap_or(f64::NAN).to_bits()))
        }))
    })?;
    let columns = |rows: &[(Member, Cluster)]| -> Result<Columns> {
        let cluster = |&(((number, _), _), _): &(Member, Cluster)| u64::from(number);
        let documents = || rows.iter().map(|&((_, (document, _)), _)| document);
        let resemblance = |&((_, (_, bits)), _): &(Member, Cluster)| number(f64::from_bits(bits));
        let mut columns = vec![("cluster".to_owned(), numbers(rows.iter().map(cluster)))];
        columns.extend(places(run, starts, names, "", documents())?);
        columns.extend(of_reference(run, starts, "", documents()));
        columns.extend([
            ("is_kept".to_owned(), flags(rows.iter().map(|(((_, other), _), _)| *other == 0))),
            ("resemblance".to_owned(), floats(rows.iter().map(resemblance))),
            ("size".to_owned(), numbers(rows.iter().map(|(_, cluster)| cluster.size))),
            (
                "smallest".to_owned(),
                floats(rows.iter().map(|(_, cluster)| number(cluster.smallest))),
            ),
            ("mean".to_owned(), floats(rows.iter().map(|(_, cluster)| number(cluster.mean)))),
            ("component".to_owned(), numbers(rows.iter().map(|(_, c)| c.component.into()))),
        ]);
        Ok(columns)
    };
    let mut table = Table::create(file, columns(&[])?)?;
    let (mut clusters, mut current, mut rows) = (plan.clusters.iter(), None, Vec::new());
    for member in members.sorted()? {
        let member = member?;
        // The member that stays comes first, and each cluster has one, so this is where the next cluster begins.
        if member.0.1 == 0 {
            current = clusters.next().transpose()?;
        }
        rows.extend(current.map(|cluster| (member, cluster)));
        if rows.len() == CHUNK {
            table.append(columns(&rows)?)?;
            rows.clear();
        }
    }
    table.append(columns(&rows)?)?;
    table.finish()
}

/// Returns the column that tells which documents belong to the reference; `None` if there is no reference.
pub(super) fn of_reference(
    run: &Run<'_>,
    starts: &Starts,
    prefix: &str,
    documents: impl Iterator<Item = u32>,
) -> Option<Column> {
    let n_references = starts.n_of_first(run.corpus.n_references);
    let is_reference = documents.map(|document| document < n_references);
    run.has_reference.then(|| (format!("{prefix}is_reference"), flags(is_reference)))
}

/// Returns columns with the name, shard and record of documents.
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
