//! The first reading: each record is digested and sketched, and the result is appended to the log.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use fanmill_text::{Error, Result};
use rayon::prelude::*;

use super::addresses::{Address, AddressCounts};
use super::context::Run;
use super::kept::KeptTexts;
use super::log::{self, Draft, Entry, Frame, Log, Sketched};
use super::secret::Secrets;
use crate::job::{BadRecords, Corpus, Lent, Numbering, PIECE, Pool, Starts};
use crate::recipe::{Keyed, RecordScratch, Scratch};
use fanmill_records::account::{CountedList, Inputs, Notice};
use fanmill_records::format::{Batch, Columns};
use fanmill_records::{BadRecord, Record};

/// Totals and notices of the first reading; everything else stays in the log.
#[derive(Debug, Default)]
pub(super) struct Inventory {
    /// Number of records in each shard.
    pub(super) records: Numbering,
    /// Findings in the corpus.
    pub(super) own: CollectionCounts,
    /// Findings in the reference.
    pub(super) reference: CollectionCounts,
    /// Number of shards of the reference, which come first.
    n_reference_shards: usize,
    /// Number of skips in each shard.
    n_skipped: Vec<u64>,
    /// Ranks in the order of preference, by document; empty if that is the order of the corpus.
    pub(super) ranks: Vec<u64>,
    /// The digests of all documents, from which the run's secret is made.
    pub(super) secrets: Secrets,
    /// Number of records that an earlier run has read.
    pub(super) n_resumed: u64,
}

/// Findings in the corpus, or in the reference.
#[derive(Debug, Default)]
pub(super) struct CollectionCounts {
    pub(super) n_records: u64,
    /// Records that could not be read.
    pub(super) bad: BadRecords,
    /// Documents whose texts are incomplete.
    pub(super) flawed: CountedList<Notice>,
    /// Content that was left out although it might have been a record.
    pub(super) skipped: CountedList<Notice>,
    /// Number of documents without words.
    pub(super) n_wordless: u64,
    /// Documents by their addresses.
    pub(super) addresses: AddressCounts,
    /// Bytes of text.
    pub(super) n_bytes: u64,
    /// Bytes of the longest text.
    pub(super) longest: u64,
}

impl CollectionCounts {
    /// Returns the number of records that could be read.
    pub(super) fn n_documents(&self) -> u64 {
        self.n_records - self.bad.n()
    }

    /// Returns the numbers of inputs that were compared, degraded, skipped or failed.
    pub(super) fn inputs(&self) -> Inputs {
        Inputs {
            seen: self.n_records + self.skipped.n,
            compared: self.n_documents() - self.flawed.n,
            degraded: self.flawed.n,
            skipped: self.skipped.n,
            failed: self.bad.n(),
        }
    }
}

impl Inventory {
    /// Begins an inventory of a corpus that has not been read yet.
    fn from_corpus(corpus: &Corpus<'_>) -> Inventory {
        let n_shards = corpus.shards.len();
        Inventory {
            records: Numbering::new(n_shards),
            n_reference_shards: corpus.n_references,
            n_skipped: vec![0; n_shards],
            ..Inventory::default()
        }
    }

    /// Returns the number of documents of the reference, bad records included. They come first.
    pub(super) fn n_references(&self, starts: &Starts) -> u32 {
        starts.n_of_first(self.n_reference_shards)
    }

    /// Makes sure that what was read is what the user meant: enough records of each file, of the corpus and of its
    /// reference if they have any, and some text in the corpus.
    pub(super) fn check(&self, corpus: &Corpus<'_>, starts: &Starts, allowed: f64) -> Result<()> {
        let (n_references, n_shards) = (corpus.n_references, corpus.shards.len());
        // A reference may be empty, as an index is at first.
        let is_any = if self.reference.n_records == 0 { 1.0 } else { allowed };
        self.reference.bad.check(corpus, (0..n_references, starts), u64::MAX, is_any)?;
        self.own.bad.check(corpus, (n_references..n_shards, starts), self.own.n_bytes, allowed)
    }

    /// Returns whether a record could not be read.
    pub(super) fn is_bad(&self, document: u32) -> bool {
        self.own.bad.contains(document) || self.reference.bad.contains(document)
    }

    /// Returns the document ranges of all shards.
    pub(super) fn starts(&self) -> Result<Starts> {
        self.records.starts()
    }

    /// Returns whether a frame can come next. Checksums detect damage, but not a frame that someone has forged.
    fn can_take(&self, frame: &Frame, next_shard: usize) -> bool {
        let shard = frame.shard as usize;
        shard == next_shard
            && shard < self.n_skipped.len()
            && frame.first <= self.records.of(shard)
            && frame.is_sound()
    }

    fn add(&mut self, frame: &Frame, run: &Run<'_>) {
        let shard = frame.shard as usize;
        let name = run.corpus.shards[shard].name();
        let of_reference = shard < self.n_reference_shards;
        let stock = if of_reference { &mut self.reference } else { &mut self.own };
        let mut number = frame.first;
        for entry in frame.entries() {
            let rank = match entry {
                Entry::Skipped { offset, reason } => {
                    // Skipped content is not a record, so it does not get a number.
                    self.n_skipped[shard] += 1;
                    stock.skipped.skipped(name, offset, reason);
                    continue;
                }
                Entry::Document { digest, address, n_bytes, n_words, rank, flaw, .. } => {
                    self.records.add(shard, 1);
                    self.secrets.add(&digest);
                    stock.addresses.add(&address);
                    if let Address::Canonical(digest) = address {
                        self.secrets.add(&digest);
                    }
                    if let Some(flaw) = flaw {
                        stock.flawed.flaw(name, number, flaw);
                    }
                    stock.n_bytes += n_bytes;
                    stock.longest = stock.longest.max(n_bytes);
                    stock.n_wordless += u64::from(n_words == 0);
                    rank
                }
                Entry::Bad { offset, reason } => {
                    let document = self.records.add(shard, 1);
                    let bad = BadRecord { number, offset, reason: reason.clone() };
                    stock.bad.add(&run.corpus.shards[shard], &bad, document);
                    u64::MAX
                }
            };
            stock.n_records += 1;
            number += 1;
            if run.has_ranks() {
                self.ranks.push(rank);
            }
        }
    }
}

/// Notices of files beside the shards of a corpus, and beside those of its reference.
#[derive(Debug)]
pub(super) struct LeftOut {
    pub(super) own: CountedList<Notice>,
    pub(super) reference: CountedList<Notice>,
}

/// Reads the corpus into the log, from where an earlier run stopped; keeps the texts that fit into memory.
pub(super) fn read(
    run: &Run<'_>,
    log: &mut Log,
    left_out: LeftOut,
) -> Result<(Inventory, KeptTexts)> {
    let mut inventory = Inventory::from_corpus(&run.corpus);
    inventory.own.skipped = left_out.own;
    inventory.reference.skipped = left_out.reference;
    let (mut next_shard, mut frames) = (0, log.frames()?);
    let mut end = frames.end();
    while let Some(frame) = frames.next()? {
        if !inventory.can_take(&frame, next_shard) {
            break;
        }
        inventory.add(&frame, run);
        next_shard = frame.shard as usize + usize::from(frame.is_last);
        end = frames.end();
    }
    log.cut(end)?;
    inventory.n_resumed = inventory.records.total();
    // If the number does not fit 32 bits, the run ends once everything is read.
    let kept = KeptTexts::new(inventory.n_resumed as u32, run.settings.memory / 4);
    let (scratches, pieces) = (Pool::default(), Pool::default());
    let sketching = Sketching { run, keeps: kept.is_open().into(), scratches, pieces };
    let mut reading = Reading { sketching: &sketching, log, inventory, kept };
    for index in next_shard..run.corpus.shards.len() {
        reading.read_shard(index)?;
    }
    Ok((reading.inventory, reading.kept))
}

/// The state of the reading.
struct Reading<'a> {
    sketching: &'a Sketching<'a>,
    log: &'a mut Log,
    inventory: Inventory,
    kept: KeptTexts,
}

/// Turns batches into pieces, with buffers that are reused.
struct Sketching<'a> {
    run: &'a Run<'a>,
    /// True while there may be room for texts.
    keeps: AtomicBool,
    scratches: Pool<RecordScratch>,
    pieces: Pool<Vec<Piece>>,
}

/// The result for [some records](PIECE), which goes into the log in one piece.
#[derive(Debug, Default)]
struct Piece {
    draft: Draft,
    /// The texts of these records, each with its number of words and whether it is short, if there may be room for
    /// them.
    texts: Vec<(Box<str>, (usize, bool))>,
    /// The error for the first record that is bad or incomplete, if the run is strict.
    refused: Option<Error>,
}

impl Reading<'_> {
    fn read_shard(&mut self, index: usize) -> Result<()> {
        let (sketching, done) = (self.sketching, self.inventory.records.of(index));
        let Sketching { run, .. } = *sketching;
        let first_new =
            |batch: &Batch| done.saturating_sub(batch.first_number()).min(batch.len() as u64);
        run.corpus.walk(
            index,
            Columns::Needed,
            &run.steps,
            |batch| Ok(sketching.pieces(index, batch, first_new(batch) as usize)),
            |batch, mut pieces| {
                let mut draft = self.draft(&mut pieces)?;
                let (first_skipped, skipped) = batch.skipped();
                let known = self.inventory.n_skipped[index].saturating_sub(first_skipped) as usize;
                skipped.iter().skip(known).for_each(|skipped| draft.skipped(skipped));
                if !draft.is_empty() {
                    let first = batch.first_number() + first_new(batch);
                    let frame = self.log.append(index as u32, false, first, &draft)?;
                    self.inventory.add(&frame, run);
                }
                Ok(())
            },
        )?;
        let n_records = self.inventory.records.of(index);
        self.log.append(index as u32, true, n_records, &Draft::default())?;
        Ok(())
    }

    /// Puts the pieces of a batch together, and keeps their texts.
    fn draft(&mut self, pieces: &mut [Piece]) -> Result<Draft> {
        let mut draft = Draft::default();
        for piece in pieces {
            if let Some(refusal) = piece.refused.take() {
                return Err(refusal);
            }
            draft.append(&piece.draft);
            piece.texts.drain(..).for_each(|(text, size)| self.kept.push(text, size));
        }
        self.sketching.keeps.store(self.kept.is_open(), Ordering::Relaxed);
        Ok(draft)
    }
}

impl Sketching<'_> {
    /// Makes the pieces of a batch, from the given record on. Pieces at the end may be empty.
    fn pieces(&self, index: usize, batch: &Batch, from: usize) -> Lent<'_, Vec<Piece>> {
        let (run, keeps) = (self.run, self.keeps.load(Ordering::Relaxed));
        let starts: Vec<usize> = (from..batch.len()).step_by(PIECE).collect();
        let mut pieces = self.pieces.lend();
        pieces.iter_mut().for_each(Piece::clear);
        let n_pieces = pieces.len().max(starts.len());
        pieces.resize_with(n_pieces, Piece::default);
        let work = starts.into_par_iter().zip(&mut **pieces).with_max_len(1);
        work.for_each_init(
            || self.scratches.lend(),
            |own, (start, piece)| {
                let records = start..batch.len().min(start + PIECE);
                piece.make(run, index, batch, records, keeps, own);
            },
        );
        pieces
    }
}

impl Piece {
    fn clear(&mut self) {
        self.draft.clear();
        self.texts.clear();
        self.refused = None;
    }

    /// Adds the results for some records.
    fn make(
        &mut self,
        run: &Run<'_>,
        index: usize,
        batch: &Batch,
        records: Range<usize>,
        keeps: bool,
        own: &mut RecordScratch,
    ) {
        let shard = &run.corpus.shards[index];
        // All documents of the reference have the best rank, and keep their order.
        let is_reference = run.corpus.is_reference(index);
        let rank =
            |record: &Record<'_>| if is_reference { 0 } else { run.settings.keep.rank(record) };
        let address = |record: &Record<'_>| match &run.settings.by_address {
            Some(own) if !is_reference => {
                own.of_record(record, usize::from(run.settings.keep.field().is_some()))
            }
            _ => Address::Missing,
        };
        let RecordScratch { text, scratch } = own;
        for i in records {
            match batch.record_in(i, text) {
                Ok(Record { flaw: Some(flaw), .. }) if run.settings.is_strict => {
                    let number = batch.first_number() + i as u64;
                    self.refused = Some(BadRecords::refusal_of_flaw(shard, number, &flaw));
                    return;
                }
                Ok(record) => {
                    let place = (rank(&record), address(&record));
                    self.draft.document(&document(run, &record, place, scratch));
                    if keeps {
                        let size = (scratch.n_words(), scratch.is_short());
                        self.texts.push((Box::from(&*record.text), size));
                    }
                }
                Err(bad) if run.settings.is_strict => {
                    self.refused = Some(BadRecords::refusal(shard, &bad));
                    return;
                }
                Err(bad) => {
                    self.draft.bad(&bad);
                    if keeps {
                        self.texts.push(<_>::default());
                    }
                }
            }
        }
        own.give_up_if_large();
    }
}

fn document<'a>(
    run: &Run<'_>,
    record: &'a Record<'_>,
    (rank, address): (u64, Address),
    scratch: &'a mut Scratch,
) -> Sketched<'a> {
    let Keyed { n_words, keys } = run.recipe.keys_or_shingle(&record.text, scratch);
    Sketched {
        digest: log::digest(&record.text),
        address,
        n_bytes: record.text.len() as u64,
        n_words: u32::try_from(n_words).unwrap_or(u32::MAX),
        rank,
        id: record.name().unwrap_or_default(),
        keys,
        flaw: record.flaw.clone(),
    }
}
