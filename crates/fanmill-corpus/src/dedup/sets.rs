//! The second reading: makes sets of shingles of the documents that may be duplicates.
//!
//! Only members whose texts were not [kept](super::kept) are parsed again. Their sets go into a column that spills to
//! disk, and so do their bitmaps, which are a sixteenth to an eighth of that size: for most pairs, only the bitmaps are
//! looked at.
//!
//! Cost: one reading, and a sort of each such document's shingles.

use fanmill_sketch::lsh::verify;
use fanmill_text::Result;
use fanmill_text::frontend::runs::WordKey;
use rayon::prelude::*;

use super::context::{Context, Run};
use super::kept::{KeptTexts, SetView, SetWithBitmap, unpacked};
use crate::job::{PIECE, Pool, Starts, changed};
use crate::recipe::RecordScratch;
use crate::spill::column::Scratch;
use crate::spill::{Bits, Column};
use fanmill_records::format::{Batch, Columns};

/// The sets of some documents.
#[derive(Debug)]
pub(super) struct Sets {
    /// The documents that have sets.
    members: Bits,
    /// Members whose texts the first reading has kept.
    kept: KeptTexts,
    /// All other members.
    others: Bits,
    /// The sets of these others, by rank among them.
    column: Column<u64>,
    /// The bitmaps of these others.
    bitmaps: Column<u64>,
    /// The words of these others that are short.
    words: Column<u64>,
}

/// Maximum number of documents that are processed together, and of members in their sets, unless one has more.
const PART: usize = 1 << 10;
const MEMBERS_OF_PART: usize = 1 << 20;

impl Sets {
    /// Reads the sets of `members`.
    pub(super) fn read(
        run: &Run<'_>,
        starts: &Starts,
        members: Bits,
        mut kept: KeptTexts,
        key: &WordKey<1>,
    ) -> Result<Sets> {
        kept.make_sets(&members, |text, scratch| {
            SetWithBitmap::new(run.recipe.set_and_words(text, key, scratch))
        });
        let mut others = Bits::new(starts.n_documents() as usize);
        members.iter().filter(|&m| kept.get(m).is_none()).for_each(|m| others.insert(m));
        let others = others.ranked();
        let column = |part| Column::new(run.staging.spill(), run.settings.memory / part);
        let (mut column, mut bitmaps, mut words) = (column(4), column(32), column(32));
        let scratches = Pool::<RecordScratch>::default();
        for index in 0..run.corpus.shards.len() {
            if !others.any(starts.of(index)) {
                continue;
            }
            let make = |first: u32, batch: &Batch| {
                let wanted = (first..).take(batch.len()).filter(|&d| others.contains(d));
                let wanted: Vec<u32> = wanted.map(|document| document - first).collect();
                let pieces = wanted.into_par_iter().with_max_len(PIECE);
                let sets = pieces.map_init(
                    || scratches.lend(),
                    |own, i| {
                        let RecordScratch { text, scratch } = &mut **own;
                        // A candidate was readable the first time, so an error here means that the shard has changed.
                        let record = batch.record_in(i as usize, text);
                        let record = record.map_err(|_| changed(&run.corpus.shards[index]))?;
                        let made = run.recipe.set_and_words(&record.text, key, scratch);
                        let made = SetWithBitmap::new(made);
                        own.give_up_if_large();
                        Ok(made)
                    },
                );
                sets.collect::<Result<Vec<SetWithBitmap>>>()
            };
            let take = |_: u32, _: &Batch, made: Vec<SetWithBitmap>| {
                made.iter().map(SetWithBitmap::look).try_for_each(|view| {
                    bitmaps.push(view.bitmap)?;
                    words.push(view.words)?;
                    column.push(view.set).map(drop)
                })
            };
            run.corpus.walk_again(starts, index, Columns::Needed, &run.steps, make, take)?;
        }
        Ok(Sets { members, kept, others, column, bitmaps, words })
    }

    /// Wraps sets that are given by document; there are none of documents outside `members`.
    pub(super) fn given(
        context: &Context<'_>,
        members: Bits,
        sets: Vec<Option<SetWithBitmap>>,
    ) -> Sets {
        let none = || Column::new(context.spill, 0);
        let (others, kept) = (Bits::default(), KeptTexts::given(sets));
        Sets { members, kept, others, column: none(), bitmaps: none(), words: none() }
    }

    /// Returns the number of shingles of a document; 0 if it is not a member.
    pub(super) fn size(&self, document: u32) -> usize {
        match self.kept.get(document) {
            Some(looked) => looked.set.len(),
            None if self.others.contains(document) => {
                self.column.row_len(self.others.rank(document))
            }
            None => 0,
        }
    }

    /// Calls `work` with each set, in any order.
    pub(super) fn for_each(&self, work: impl Fn(u32, &[u64]) + Sync) -> Result<()> {
        self.each_part(|document, set, _: &mut Vec<()>| work(document, set), |_| Ok(()))
    }

    /// Makes something from each set, in any order, and passes the results of one document after another to `take`, in
    /// the order of documents.
    pub(super) fn each_part<T: Send>(
        &self,
        make: impl Fn(u32, &[u64], &mut Vec<T>) + Sync,
        mut take: impl FnMut(&[T]) -> Result<()>,
    ) -> Result<()> {
        let documents: Vec<u32> = self.members.iter().collect();
        let mut left = &documents[..];
        while !left.is_empty() {
            let part;
            (part, left) = left.split_at(self.part_of(left));
            let made: Vec<Vec<T>> = part
                .par_iter()
                .map_init(Scratch::default, |scratch, &document| {
                    let mut made = Vec::new();
                    make(document, self.get(document, scratch)?, &mut made);
                    Ok(made)
                })
                .collect::<Result<_>>()?;
            made.iter().try_for_each(|made| take(made))?;
        }
        Ok(())
    }

    /// Returns how many of the first of these members are processed together: at least one.
    fn part_of(&self, documents: &[u32]) -> usize {
        let mut n_members = 0;
        let fit = documents.iter().take(PART).take_while(|&&document| {
            n_members += self.size(document);
            n_members <= MEMBERS_OF_PART
        });
        fit.count().max(1)
    }

    /// Returns the set of a member.
    pub(super) fn get<'a>(
        &'a self,
        document: u32,
        scratch: &'a mut Scratch<u64>,
    ) -> Result<&'a [u64]> {
        match self.kept.get(document) {
            Some(SetView { set, .. }) => Ok(set),
            None => self.column.get(self.others.rank(document), scratch),
        }
    }

    /// Returns the [bitmap](fanmill_sketch::lsh::bitmap) of a member's set.
    pub(super) fn bitmap<'a>(
        &'a self,
        document: u32,
        scratch: &'a mut Scratch<u64>,
    ) -> Result<&'a [u64]> {
        match self.kept.get(document) {
            Some(SetView { bitmap, .. }) => Ok(bitmap),
            None => self.bitmaps.get(self.others.rank(document), scratch),
        }
    }

    /// Returns the words of a member that is compared word by word, with a blank between two; `None` for any other.
    pub(super) fn words(&self, document: u32) -> Result<Option<String>> {
        let mut scratch = Scratch::default();
        let words = if let Some(SetView { words, .. }) = self.kept.get(document) {
            words
        } else {
            let rank = self.others.rank(document);
            if self.words.row_len(rank) == 0 {
                return Ok(None);
            }
            self.words.get(rank, &mut scratch)?
        };
        Ok((!words.is_empty()).then(|| unpacked(words)))
    }

    /// Counts the shingles that any two members have in common.
    pub(super) fn n_common(&self, a: u32, b: u32) -> Result<u32> {
        let (mut scratch_a, mut scratch_b) = Default::default();
        let n_common = verify::common(self.get(a, &mut scratch_a)?, self.get(b, &mut scratch_b)?);
        Ok(n_common as u32)
    }
}
