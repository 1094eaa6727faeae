//! The third reading: each shard is written again, with its duplicates removed or marked.

use std::collections::VecDeque;
use std::fs::File;
use std::io::BufReader;
use std::ops::Range;

use fanmill_text::{Error, Result};
use rayon::prelude::*;

use super::context::Run;
use super::log::{self, Digest, Entry, Frames, Log};
use super::names::Names;
use super::plan::{Plan, Row};
use super::settings::{Mode, Settings};
use super::sketching::Inventory;
use crate::job::{AHEAD, BATCHES, PIECE, Starts};
use fanmill_records::format::{Batch, Columns, GroupAction, Options, OutputForm, Shard};
use fanmill_records::{ClusterSize, Mark, RecordAction};

/// Maximum number of shards that are written at once. Several give a thread something to do while one is unpacked.
const AT_ONCE: usize = 4;
/// Documents whose rows are looked at together.
const AT_A_TIME: u32 = 1 << 16;
/// Batches that writing a shard holds besides those it has read: four to be packed, and their packed forms.
const BATCHES_OUT: usize = 8;

/// Writes the shards that no earlier run has written.
///
/// Documents in clusters are checked against the log once more, so that only documents that were compared are removed,
/// or kept for others.
pub(super) fn write(
    run: &Run<'_>,
    log: &Log,
    inventory: &Inventory,
    starts: &Starts,
    plan: &Plan,
    names: &Names,
) -> Result<()> {
    let writing = Writing { run, inventory, starts, plan, names };
    let n_references = run.corpus.n_references;
    let is_left = |&index: &usize| match index.checked_sub(n_references) {
        None => plan.members.any(starts.of(index)),
        Some(number) => !run.staging.has_shard(number),
    };
    let left: Vec<usize> = (0..run.corpus.shards.len()).filter(is_left).collect();
    let mut from = None;
    for indices in left.chunks(at_once(run, inventory.own.longest)) {
        let mut shards = Vec::with_capacity(indices.len());
        for &index in indices {
            let frames = log.frames_of(index as u32, from)?;
            from = Some(frames.end());
            shards.push((index, Digests::new(frames, starts.of(index).start)));
        }
        let written: Vec<Result<()>> =
            shards.into_par_iter().map(|(index, known)| writing.shard(index, known)).collect();
        // Return the error of the first shard, whichever error was met first.
        written.into_iter().collect::<Result<()>>()?;
        let n_own = (indices[indices.len() - 1] + 1).saturating_sub(n_references);
        if n_own > 0 {
            run.staging.finish_shards(n_own)?;
        }
    }
    Ok(())
}

/// Returns the number of shards to write at once. Together they hold at most a quarter of the memory, unless a single
/// one needs more.
fn at_once(run: &Run<'_>, longest: u64) -> usize {
    // Row groups of columns are large, and encoded on all threads anyway.
    if run.corpus.shards.iter().any(|shard| shard.format().has_groups()) {
        return 1;
    }
    let Options { batch_bytes, record_bytes, .. } = run.corpus.options;
    // Each batch may end with a record of the greatest length, but only one of those that were read ahead. Escapes make it
    // longer than its text.
    let longest = usize::try_from(longest.saturating_mul(2)).unwrap_or(usize::MAX);
    let of_one = batch_bytes
        .saturating_mul(BATCHES + AHEAD + BATCHES_OUT)
        .saturating_add(longest.min(*record_bytes).saturating_mul(BATCHES + 1));
    let that_fit = (run.settings.memory / 4 / of_one.max(1)).clamp(1, AT_ONCE);
    that_fit.min(rayon::current_num_threads())
}

/// The rows of a batch, the names of documents that stay for them if marks have these, and the sizes of clusters if
/// records that stay have those.
type Members = (Vec<Row>, Vec<Option<String>>, Vec<ClusterSize>);

/// Everything that writing a shard needs.
struct Writing<'a> {
    run: &'a Run<'a>,
    inventory: &'a Inventory,
    starts: &'a Starts,
    plan: &'a Plan,
    names: &'a Names,
}

impl Writing<'_> {
    /// Writes a shard again; of the reference, only checks a shard.
    fn shard(&self, index: usize, mut known: Digests<'_>) -> Result<()> {
        let Writing { run, inventory, starts, plan, names } = *self;
        let (shard, mode) = (&run.corpus.shards[index], run.settings.mode);
        let mut rows_of = |first: u32, batch: &Batch| {
            let rows = plan.rows_of(first..first + batch.len() as u32)?;
            check(shard, batch, &known.of(first, &rows)?)?;
            Ok(rows)
        };
        // Shards of the reference are not written, but their documents must not have changed either.
        if run.corpus.is_reference(index) {
            let (columns, take) = (Columns::Needed, |_: u32, _: &Batch, _: Vec<Row>| Ok(()));
            return run.corpus.walk_again(starts, index, columns, &run.steps, rows_of, take);
        }
        // A shard of which nothing goes is copied, once its documents that stay for others are checked.
        let writes = form(self.run.settings).unwrap_or(OutputForm::Records);
        if writes == OutputForm::Records && self.stays_whole(starts.of(index))? {
            let (columns, take) = (Columns::Needed, |_: u32, _: &Batch, _: Vec<Row>| Ok(()));
            if plan.members.any(starts.of(index)) {
                run.corpus.walk_again(starts, index, columns, &run.steps, &mut rows_of, take)?;
            }
            if shard.copy(&run.staging, run.corpus.options)? {
                return Ok(());
            }
        }
        let mut writer = shard.writer(&run.staging, run.corpus.options, writes)?;
        let mut reader = run.corpus.reader(index, Columns::All)?;
        // Row groups whose documents all stay are copied as they are.
        if writer.copies_groups() {
            let first = starts.of(index).start;
            reader
                .choose_groups(|records| for_group(plan, inventory, documents(first, records)))?;
        }
        let make = |first: u32, batch: &Batch| {
            let rows = rows_of(first, batch)?;
            let kept = match mode {
                Mode::Mark => kept_names(&rows, names)?,
                Mode::Remove | Mode::Report => vec![None; rows.len()],
            };
            let sizes = if writes == OutputForm::Sizes { sizes(&rows, plan)? } else { Vec::new() };
            Ok((rows, kept, sizes))
        };
        let write = |first: u32, batch: &Batch, (rows, kept, sizes): Members| {
            let mut actions = vec![other(writes); batch.len()];
            for (row, kept) in rows.iter().zip(&kept) {
                actions[(row.document - first) as usize] =
                    action_for(mode, plan, row, kept.as_deref());
            }
            for (row, size) in rows.iter().filter(|row| row.is_kept()).zip(sizes) {
                actions[(row.document - first) as usize] = RecordAction::MarkSize(size);
            }
            inventory.own.bad.leave_out(shard, first, &mut actions);
            writer.write(batch, &actions)
        };
        run.corpus.walk_reader_again(starts, (index, reader), &run.steps, make, write)?;
        writer.finish()
    }
}

impl Writing<'_> {
    /// Returns whether all of some documents stay, and none of these records is bad.
    fn stays_whole(&self, documents: Range<u32>) -> Result<bool> {
        if self.inventory.own.bad.any(documents.clone()) {
            return Ok(false);
        }
        for first in documents.clone().step_by(AT_A_TIME as usize) {
            let some = first..documents.end.min(first.saturating_add(AT_A_TIME));
            if !self.plan.rows_of(some)?.iter().all(Row::is_kept) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns the documents that a range of a shard's records corresponds to.
fn documents(first: u32, records: Range<u64>) -> Range<u32> {
    // Records beyond those read before mean that the shard has changed, which walking it will detect.
    let document = |record| first.saturating_add(u32::try_from(record).unwrap_or(u32::MAX));
    document(records.start)..document(records.end)
}

/// Returns the action for a row group with these documents when duplicates are removed.
fn for_group(plan: &Plan, inventory: &Inventory, documents: Range<u32>) -> Result<GroupAction> {
    if inventory.own.bad.any(documents.clone()) {
        return Ok(GroupAction::Rewritten);
    }
    let rows = plan.rows_of(documents)?;
    Ok(if rows.is_empty() {
        GroupAction::CopiedUnread
    } else if rows.iter().all(Row::is_kept) {
        // Documents that stay for others are checked against the log, so they are read.
        GroupAction::Copied
    } else {
        GroupAction::Rewritten
    })
}

/// Digests of a shard's documents from the first reading, in the order of the corpus.
struct Digests<'a> {
    frames: Frames<'a, BufReader<File>>,
    /// Documents and digests from the frames read so far that have not been passed yet.
    upcoming: VecDeque<(u32, Digest)>,
    /// The first document of the next frame.
    next: u32,
}

impl Digests<'_> {
    /// Takes digests from `frames`, which begin with the document `next`.
    fn new(frames: Frames<'_, BufReader<File>>, next: u32) -> Digests<'_> {
        Digests { frames, upcoming: VecDeque::new(), next }
    }

    /// Returns the digests of the documents in `rows`, which ascend, each with its offset from `first`.
    fn of(&mut self, first: u32, rows: &[Row]) -> Result<Vec<(usize, Digest)>> {
        let Some(last) = rows.last().map(|row| row.document) else { return Ok(Vec::new()) };
        while self.next <= last {
            let Some(frame) = self.frames.next()? else { break };
            for (document, entry) in (self.next..).zip(frame.records()) {
                if let (Entry::Document { digest, .. }, true) = (entry, document >= first) {
                    self.upcoming.push_back((document, digest));
                }
            }
            self.next += frame.n_records;
        }
        let n_passed = self.upcoming.partition_point(|&(document, _)| document <= last);
        let passed = self.upcoming.drain(..n_passed);
        let is_wanted = |document: u32| {
            document >= first && rows.binary_search_by_key(&document, |row| row.document).is_ok()
        };
        let wanted = passed.filter(|&(document, _)| is_wanted(document));
        Ok(wanted.map(|(document, digest)| ((document - first) as usize, digest)).collect())
    }
}

/// Checks that documents have not changed since they were first read.
fn check(shard: &Shard, batch: &Batch, known: &[(usize, Digest)]) -> Result<()> {
    let is_same = |room: &mut Vec<u8>, &(i, digest): &(usize, Digest)| {
        let record = batch.record_in(i, room);
        record.is_ok_and(|record| log::digest(&record.text) == digest)
    };
    let other = known.par_iter().with_max_len(PIECE);
    let other = other.map_init(Vec::new, |room, known| (known.0, is_same(room, known)));
    match other.find_first(|(_, is_same)| !is_same) {
        None => Ok(()),
        Some((i, _)) => Err(Error::input(format!(
            "record {} of `{}` has changed since it was compared: something writes to the shard; run again \
             when it is complete",
            batch.first_number() + i as u64 + 1,
            shard.name()
        ))),
    }
}

/// Returns the names that go into the marks of documents in clusters.
fn kept_names(rows: &[Row], names: &Names) -> Result<Vec<Option<String>>> {
    let name = |row: &Row| if row.is_kept() { Ok(None) } else { names.get(row.kept).map(Some) };
    rows.iter().map(name).collect()
}

/// Returns the action for a document in a cluster.
fn action_for<'a>(mode: Mode, plan: &Plan, row: &Row, kept: Option<&'a str>) -> RecordAction<'a> {
    match mode {
        Mode::Remove if !row.is_kept() => RecordAction::Remove,
        Mode::Mark => RecordAction::Mark(Some(Mark {
            cluster: plan.clusters.of(row.kept).into(),
            duplicate_of: kept,
            resemblance: row.resemblance(),
            containment: row.containment(),
        })),
        Mode::Remove | Mode::Report => RecordAction::Keep,
    }
}

/// Returns the sizes of the clusters for which documents stay, in the order of these.
fn sizes(rows: &[Row], plan: &Plan) -> Result<Vec<ClusterSize>> {
    // Clusters are numbered by the documents that stay, and all of these in a range are members.
    let mut kept = rows.iter().filter(|row| row.is_kept()).map(|row| row.kept);
    let Some(first) = kept.next() else { return Ok(Vec::new()) };
    let last = kept.next_back().unwrap_or(first);
    plan.clusters.sizes(plan.clusters.of(first)..plan.clusters.of(last) + 1)
}

/// Returns the form in which the corpus is written; `None` if it is not.
pub(super) fn form(settings: &Settings) -> Option<OutputForm> {
    match settings.mode {
        Mode::Mark => Some(OutputForm::Marks),
        Mode::Remove if settings.has_sizes => Some(OutputForm::Sizes),
        Mode::Remove => Some(OutputForm::Records),
        Mode::Report => None,
    }
}

/// Returns the action for a document outside all clusters.
fn other(writes: OutputForm) -> RecordAction<'static> {
    match writes {
        OutputForm::Marks => RecordAction::Mark(None),
        OutputForm::Sizes => RecordAction::MarkSize(ClusterSize::ALONE),
        _ => RecordAction::Keep,
    }
}
