//! The first reading: what each document is, appended to the log.

use fanmill::Result;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::Run;
use super::kept::Kept;
use super::log::{Draft, Entry, Frame, Log, Sketched};
use super::recipe::Scratch;
use crate::format::{Batch, Columns, Shard};
use crate::job::{BadRecords, Starts};
use crate::record::Bad;

/// What reading has found, without what the log keeps.
#[derive(Debug, Default)]
pub(super) struct Inventory {
    /// Records of each shard.
    pub(super) n_records: Vec<u64>,
    /// Records that could not be read.
    pub(super) bad: BadRecords,
    /// Documents without words.
    pub(super) n_wordless: u64,
    /// Bytes of text.
    pub(super) n_bytes: u64,
    /// Places in the order of preference, by document, if it is not that of the corpus.
    pub(super) ranks: Vec<u64>,
    /// Records that an earlier run has read.
    pub(super) n_resumed: u64,
}

impl Inventory {
    /// Where each shard's documents are.
    pub(super) fn starts(&self) -> Result<Starts> {
        Starts::new(&self.n_records)
    }

    /// The place of a document in the order of preference; the same for all if that is the corpus's.
    pub(super) fn rank(&self, document: u32) -> u64 {
        self.ranks.get(document as usize).copied().unwrap_or(0)
    }

    fn add(&mut self, frame: &Frame, run: &Run<'_>) {
        let shard = frame.shard as usize;
        let start = self.n_records.iter().sum::<u64>() - self.n_records[shard];
        for (number, entry) in (frame.first..).zip(frame.entries()) {
            self.n_records[shard] += 1;
            let rank = match entry {
                Entry::Document { n_bytes, n_shingles, rank, .. } => {
                    self.n_bytes += n_bytes;
                    self.n_wordless += u64::from(n_shingles == 0);
                    rank
                }
                Entry::Bad { offset, reason } => {
                    let bad = Bad { number, offset, reason: reason.to_owned() };
                    // Numbers beyond 32 bits are refused before they can come to use.
                    let document = (start + number) as u32;
                    self.bad.add(&run.corpus.shards[shard], &bad, document);
                    u64::MAX
                }
            };
            if run.has_ranks() {
                self.ranks.push(rank);
            }
        }
    }
}

/// Reads the corpus into the log, from where an earlier run has stopped; keeps what fits into memory.
pub(super) fn read(run: &Run<'_>, log: &mut Log) -> Result<(Inventory, Kept)> {
    let mut inventory =
        Inventory { n_records: vec![0; run.corpus.shards.len()], ..Inventory::default() };
    let (mut next_shard, mut frames) = (0, log.frames()?);
    while let Some(frame) = frames.next()? {
        inventory.add(&frame, run);
        next_shard = frame.shard as usize + usize::from(frame.is_last);
    }
    let end = frames.end();
    log.cut(end)?;
    inventory.n_resumed = inventory.n_records.iter().sum();
    // A number beyond 32 bits ends the run when all is read.
    let mut kept = Kept::new(inventory.n_resumed as u32, run.settings.memory / 4);
    for (index, shard) in run.corpus.shards.iter().enumerate().skip(next_shard) {
        read_shard(run, log, &mut inventory, &mut kept, index, shard)?;
    }
    Ok((inventory, kept))
}

fn read_shard(
    run: &Run<'_>,
    log: &mut Log,
    inventory: &mut Inventory,
    kept: &mut Kept,
    index: usize,
    shard: &Shard,
) -> Result<()> {
    let done = inventory.n_records[index];
    run.corpus.walk(shard, Columns::Needed, &run.steps, |batch| {
        let from = done.saturating_sub(batch.first_number()).min(batch.len() as u64);
        let first = batch.first_number() + from;
        let draft = sketch(run, shard, batch, from as usize, kept)?;
        if !draft.is_empty() {
            inventory.add(&log.append(index as u32, false, first, &draft)?, run);
        }
        Ok(())
    })?;
    log.append(index as u32, true, inventory.n_records[index], &Draft::default())?;
    Ok(())
}

/// What becomes of the records of a batch, from the given one on.
fn sketch(
    run: &Run<'_>,
    shard: &Shard,
    batch: &Batch,
    from: usize,
    kept: &mut Kept,
) -> Result<Draft> {
    let keeps = kept.is_open();
    let made: Vec<std::result::Result<(Sketched, Vec<u64>), Bad>> = (from..batch.len())
        .into_par_iter()
        .map_init(Scratch::default, |scratch, i| {
            let sketched = document(run, batch, i, scratch)?;
            Ok((sketched, if keeps { scratch.take_shingles() } else { Vec::new() }))
        })
        .collect();
    let mut draft = Draft::default();
    for made in made {
        match made {
            Ok((document, shingles)) => {
                draft.document(&document);
                kept.push(shingles);
            }
            Err(bad) if run.settings.is_strict => return Err(BadRecords::refusal(shard, &bad)),
            Err(bad) => {
                draft.bad(&bad);
                kept.push(Vec::new());
            }
        }
    }
    Ok(draft)
}

fn document(
    run: &Run<'_>,
    batch: &Batch,
    i: usize,
    scratch: &mut Scratch,
) -> std::result::Result<Sketched, Bad> {
    let record = batch.record(i)?;
    run.recipe.shingles(&record.text, scratch);
    let mut keys = Vec::new();
    run.recipe.append_keys(scratch, &mut keys);
    Ok(Sketched {
        content: xxh3_128(record.text.as_bytes()),
        n_bytes: record.text.len() as u64,
        n_shingles: u32::try_from(scratch.shingles.len()).unwrap_or(u32::MAX),
        rank: run.settings.keep.rank(&record),
        id: record.id.map(Into::into).unwrap_or_default(),
        keys,
    })
}
