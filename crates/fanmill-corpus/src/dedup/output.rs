//! The third reading: each shard is written again, as its documents' fates say.

use fanmill::Result;

use super::Run;
use super::names::Names;
use super::plan::Plan;
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
            let kept = match run.settings.mode {
                Mode::Mark => kept_names(plan, names, first, batch.len())?,
                Mode::Remove | Mode::Report => vec![None; batch.len()],
            };
            let fates = (first..).zip(&kept);
            let mut fates: Vec<Fate<'_>> = fates
                .map(|(document, kept)| fate(run.settings.mode, plan, document, kept.as_deref()))
                .collect();
            inventory.bad.leave_out(first, &mut fates);
            writer.write(batch, &fates)
        })?;
        writer.finish()?;
        run.staging.finish_shard(index, &tables::NAMES)?;
    }
    Ok(())
}

/// The names that the marks of `n` documents from `first` on speak of.
fn kept_names(plan: &Plan, names: &Names, first: u32, n: usize) -> Result<Vec<Option<String>>> {
    let name = |document| match plan.row(document) {
        Some(row) if !row.is_kept() => names.get(row.kept).map(Some),
        _ => Ok(None),
    };
    (first..).take(n).map(name).collect()
}

fn fate<'a>(mode: Mode, plan: &Plan, document: u32, kept: Option<&'a str>) -> Fate<'a> {
    match (mode, plan.row(document)) {
        (Mode::Remove, Some(row)) if !row.is_kept() => Fate::Remove,
        (Mode::Mark, row) => Fate::Mark(row.map(|row| Mark {
            cluster: row.cluster.into(),
            duplicate_of: kept,
            resemblance: row.resemblance,
            containment: row.containment,
        })),
        _ => Fate::Keep,
    }
}
