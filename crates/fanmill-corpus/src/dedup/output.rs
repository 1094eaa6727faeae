//! The third reading: each shard is written again, as its documents' fates say.

use fanmill::Result;

use super::Run;
use super::names::Names;
use super::plan::{Plan, Row};
use super::settings::Mode;
use super::sketching::Inventory;
use super::tables;
use crate::format::{Columns, Writes};
use crate::job::Starts;
use crate::record::{Fate, Mark};

/// Writes the shards that no earlier run has written.
pub(super) fn write(
    run: &Run<'_>,
    inventory: &Inventory,
    starts: &Starts,
    plan: &Plan,
    names: &Names,
) -> Result<()> {
    let writes = match run.settings.mode {
        Mode::Mark => Writes::Marks,
        Mode::Remove | Mode::Report => Writes::Records,
    };
    for (index, shard) in run.corpus.shards.iter().enumerate() {
        if run.staging.has_shard(index) {
            continue;
        }
        let mut writer = shard.writer(&run.staging.begin_shard()?, run.corpus.options, writes)?;
        run.corpus.walk_again(starts, index, Columns::All, &run.steps, |first, batch| {
            let rows = plan.rows_of(first..first + batch.len() as u32)?;
            let kept = match run.settings.mode {
                Mode::Mark => kept_names(&rows, names)?,
                Mode::Remove | Mode::Report => vec![None; rows.len()],
            };
            let mut fates = vec![other(run.settings.mode); batch.len()];
            for (row, kept) in rows.iter().zip(&kept) {
                let fate = fate(run.settings.mode, plan, row, kept.as_deref());
                fates[(row.document - first) as usize] = fate;
            }
            inventory.bad.leave_out(shard, first, &mut fates);
            writer.write(batch, &fates)
        })?;
        writer.finish()?;
        run.staging.finish_shard(index, &tables::NAMES)?;
    }
    Ok(())
}

/// The names that the marks of documents in clusters speak of.
fn kept_names(rows: &[Row], names: &Names) -> Result<Vec<Option<String>>> {
    let name = |row: &Row| if row.is_kept() { Ok(None) } else { names.get(row.kept).map(Some) };
    rows.iter().map(name).collect()
}

/// What becomes of a document in a cluster.
fn fate<'a>(mode: Mode, plan: &Plan, row: &Row, kept: Option<&'a str>) -> Fate<'a> {
    match mode {
        Mode::Remove if !row.is_kept() => Fate::Remove,
        Mode::Mark => Fate::Mark(Some(Mark {
            cluster: plan.clusters.of(row.kept).into(),
            duplicate_of: kept,
            resemblance: row.resemblance,
            containment: row.containment,
        })),
        Mode::Remove | Mode::Report => Fate::Keep,
    }
}

/// What becomes of all others.
fn other(mode: Mode) -> Fate<'static> {
    match mode {
        Mode::Mark => Fate::Mark(None),
        Mode::Remove | Mode::Report => Fate::Keep,
    }
}
