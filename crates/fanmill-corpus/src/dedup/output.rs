//! The third reading: each shard is written again, as its documents' fates say.

use fanmill::Result;

use super::Run;
use super::names::Names;
use super::plan::Plan;
use super::settings::Mode;
use super::sketching::Inventory;
use crate::format::{Batch, Columns, Writes};
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
    let (finished, unfinished) = (run.staging.finished(), run.staging.unfinished());
    let writes = match run.settings.mode {
        Mode::Mark => Writes::Marks,
        Mode::Remove | Mode::Report => Writes::Records,
    };
    for (index, shard) in run.corpus.shards.iter().enumerate() {
        let target = finished.join(shard.name());
        if target.exists() {
            continue;
        }
        let mut writer = shard.writer(&unfinished, run.corpus.options, writes)?;
        let first = starts.of(index).start;
        run.corpus.walk(shard, Columns::All, &run.steps, |batch| {
            let first = first + batch.first_number() as u32;
            let mut fates = fates(run, plan, names, first, batch)?;
            inventory.bad.leave_out(first, &mut fates);
            writer.write(batch, &fates)
        })?;
        writer.finish()?;
        run.staging.finish_shard(shard.name())?;
    }
    Ok(())
}

/// The fates of a batch's records, the first of which is the document `first`.
fn fates<'a>(
    run: &Run<'_>,
    plan: &Plan,
    names: &Names,
    first: u32,
    batch: &Batch,
) -> Result<Vec<Fate<'a>>> {
    (first..).take(batch.len()).map(|document| fate(run, plan, names, document)).collect()
}

fn fate<'a>(run: &Run<'_>, plan: &Plan, names: &Names, document: u32) -> Result<Fate<'a>> {
    let row = plan.row(document);
    match (run.settings.mode, row) {
        (Mode::Remove, Some(row)) if !row.is_kept() => Ok(Fate::Remove),
        (Mode::Mark, None) => Ok(Fate::Mark(None)),
        (Mode::Mark, Some(row)) => Ok(Fate::Mark(Some(Mark {
            cluster: row.cluster.into(),
            duplicate_of: if row.is_kept() { None } else { Some(names.get(row.kept)?.into()) },
            resemblance: row.resemblance,
            containment: row.containment,
        }))),
        _ => Ok(Fate::Keep),
    }
}
