//! Windows of words that are repeated, and those of them that go.
//!
//! A window goes if an equal one begins earlier in the order of keeping and does not overlap it. Of equal windows that
//! are sorted in that order, each but the first goes, except where it overlaps the first: if it does, every window
//! between the two overlaps it, too. So a window with `m` holders costs a sort of `m`, and no pair is looked at.
//!
//! Windows of `n` words are found by their seeds. Of windows that are measured in bytes, all are hashed, once to see
//! which hashes occur twice, and once more to keep these.

use std::ops::Range;

use fanmill_text::Result;
use rayon::prelude::*;

use super::by_document::ByDocument;
use super::context::{Context, Measure};
use super::current::{Current, left};
use super::hot::{Seeds, Wanted};
use super::items::{Cut, Going, Window};
use super::stored::StoredWords;
use super::twice::Twice;
use super::windows::{Found, around_seeds, of_bytes};
use crate::spill::column::Scratch;
use crate::spill::{Series, Sorter};

/// Words that are hashed together, at least; then threads need not wait for each other often.
const TOGETHER: usize = 1 << 17;

/// The texts in which windows are looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Texts<'a> {
    pub(super) context: Context<'a>,
    pub(super) stored: &'a StoredWords,
    /// The cuts of earlier rounds.
    pub(super) cuts: &'a Series<Cut>,
}

/// A document whose windows are hashed.
struct Job {
    document: u32,
    /// Places of seeds that occur twice.
    seeds: Vec<(u32, u32)>,
    cuts: Vec<Cut>,
}

impl Texts<'_> {
    /// Returns the windows that go, in the order of the corpus; `None` if there are none.
    pub(super) fn find(self, seeds: &Seeds, wanted: Wanted) -> Result<Option<Sorter<Going>>> {
        let Context { settings, spill, .. } = self.context;
        let memory = settings.memory;
        let mut windows = Sorter::new(spill, memory / 4);
        match self.context.method.measure {
            Measure::Words { .. } => self.each_with_seeds(seeds, wanted, |w| windows.push(w))?,
            Measure::Bytes(_) => {
                let twice = Twice::new(self.stored.n_words.saturating_mul(2), memory / 8);
                let add = |window: &Window| {
                    twice.add(window.hash);
                    false
                };
                self.each_of_all(&add, |_| Ok(()))?;
                let is_repeated = |window: &Window| twice.has(window.hash);
                self.each_of_all(&is_repeated, |window| windows.push(window))?;
            }
        }
        self.going(windows)
    }

    /// Passes the windows with a seed that occurs twice to `take`.
    fn each_with_seeds(
        self,
        seeds: &Seeds,
        wanted: Wanted,
        mut take: impl FnMut(Window) -> Result<()>,
    ) -> Result<()> {
        let places = seeds.repeated(self.context, wanted)?.sorted()?;
        let mut places = ByDocument::new(places, |place| place.0);
        let mut cuts = ByDocument::new(self.cuts.iter(), |cut| cut.document);
        let (mut jobs, mut n_words) = (Vec::new(), 0);
        while let Some(document) = places.next()? {
            let mut job = Job { document, seeds: Vec::new(), cuts: Vec::new() };
            places.take(document, &mut job.seeds)?;
            cuts.take(document, &mut job.cuts)?;
            n_words += self.stored.words.row_len(document);
            jobs.push(job);
            if n_words >= TOGETHER {
                self.each_of(&std::mem::take(&mut jobs), &|_| true, &mut take)?;
                n_words = 0;
            }
        }
        self.each_of(&jobs, &|_| true, &mut take)
    }

    /// Passes all windows to `take` that `is_wanted`.
    fn each_of_all(
        self,
        is_wanted: &(dyn Fn(&Window) -> bool + Sync),
        mut take: impl FnMut(Window) -> Result<()>,
    ) -> Result<()> {
        let mut cuts = ByDocument::new(self.cuts.iter(), |cut| cut.document);
        let (mut jobs, mut n_words) = (Vec::new(), 0);
        for document in 0..self.stored.words.len() as u32 {
            let mut job = Job { document, seeds: Vec::new(), cuts: Vec::new() };
            cuts.take(document, &mut job.cuts)?;
            n_words += self.stored.words.row_len(document);
            jobs.push(job);
            if n_words >= TOGETHER {
                self.each_of(&std::mem::take(&mut jobs), is_wanted, &mut take)?;
                n_words = 0;
            }
        }
        self.each_of(&jobs, is_wanted, &mut take)
    }

    /// Passes the windows of some documents to `take` that `is_wanted`.
    fn each_of(
        self,
        jobs: &[Job],
        is_wanted: &(dyn Fn(&Window) -> bool + Sync),
        take: &mut impl FnMut(Window) -> Result<()>,
    ) -> Result<()> {
        self.context.steps.check()?;
        // Only the last document may be long, and its windows are passed one after another.
        let n_words = |job: &Job| self.stored.words.row_len(job.document);
        let long = jobs.last().filter(|last| n_words(last) >= TOGETHER);
        let short = &jobs[..jobs.len() - usize::from(long.is_some())];
        let hashed = short.par_iter().map_init(Default::default, |scratch, job| {
            let mut windows = Vec::new();
            let push = |window| {
                windows.extend(is_wanted(&window).then_some(window));
                Ok(())
            };
            self.windows_of(job, scratch, push)?;
            Ok(windows)
        });
        let hashed: Vec<Result<Vec<Window>>> = hashed.collect();
        for windows in hashed {
            windows?.into_iter().try_for_each(&mut *take)?;
        }
        let Some(long) = long else { return Ok(()) };
        let take = |window| if is_wanted(&window) { take(window) } else { Ok(()) };
        self.windows_of(long, &mut Default::default(), take)
    }

    /// Passes the windows of a document to `take`.
    fn windows_of(
        self,
        job: &Job,
        (words, lengths): &mut (Scratch<u64>, Scratch<u16>),
        mut take: impl FnMut(Window) -> Result<()>,
    ) -> Result<()> {
        let Texts { context, stored, .. } = self;
        let cuts: Vec<Range<u32>> = job.cuts.iter().map(|cut| cut.begin..cut.end).collect();
        let current = Current::new(stored.words.get(job.document, words)?, &cuts);
        let place = stored.order.place(job.document);
        let take = |((hash, more), start, end): Found| {
            let (begin, end) = (current.place(start), current.end(end));
            take(Window { hash, more, place, begin, end })
        };
        let hashing = &context.method.hashing;
        match context.method.measure {
            Measure::Words { n, selection } => {
                let seeds = job.seeds.iter().map(|&(_, place)| place);
                around_seeds(&current, (n, selection.n_words()), seeds, hashing, take)
            }
            Measure::Bytes(min) => {
                let lengths = left(stored.lengths.get(job.document, lengths)?, &cuts);
                of_bytes(&current.words, &lengths, min, hashing, take)
            }
        }
    }

    /// Returns those of the windows that go; `None` if there are none.
    fn going(self, windows: Sorter<Window>) -> Result<Option<Sorter<Going>>> {
        let Texts { context, stored, .. } = self;
        let mut going = Sorter::new(context.spill, context.settings.memory / 8);
        let (mut is_empty, mut first) = (true, None::<Window>);
        for (i, window) in windows.sorted()?.enumerate() {
            let window = window?;
            if i % TOGETHER == 0 {
                context.steps.check()?;
            }
            let Some(first) = first.filter(|first| first.equals(&window)) else {
                first = Some(window);
                continue;
            };
            if first.place == window.place && window.begin < first.end {
                continue;
            }
            is_empty = false;
            going.push(Going {
                document: stored.order.document(window.place),
                begin: window.begin,
                end: window.end,
                source: stored.order.document(first.place),
                source_begin: first.begin,
                source_end: first.end,
            })?;
        }
        Ok((!is_empty).then_some(going))
    }
}
