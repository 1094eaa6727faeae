//! Windows of words that are repeated, found by their seeds, and those of them that go.
//!
//! A window goes if an equal one begins earlier in the order of keeping and does not overlap it. Of equal windows that
//! are sorted in that order, each but the first goes, except where it overlaps the first: if it does, every window
//! between the two overlaps it, too. So a window with `m` holders costs a sort of `m`, and no pair is looked at.

use std::iter::Peekable;

use fanmill_text::Result;
use rayon::prelude::*;

use super::by_document::ByDocument;
use super::context::Run;
use super::current::Current;
use super::hashing::Rolling;
use super::items::{Cut, Going, Seed, Window};
use super::stored::Stored;
use crate::spill::column::Scratch;
use crate::spill::{Series, Sorter};

/// Words that are hashed together, at least; then threads need not wait for each other often.
const TOGETHER: usize = 1 << 17;

/// The seeds of all texts.
#[derive(Debug)]
pub(super) struct Seeds {
    /// Those of the original texts.
    pub(super) original: Series<Seed>,
    /// Those of stretches that earlier rounds have joined.
    pub(super) joined: Series<Seed>,
    /// Those of stretches that the last round has joined.
    pub(super) new: Series<Seed>,
}

/// The seeds that may tell of repeated windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All whose value occurs twice.
    All,
    /// Of these, the ones with the value of a new seed.
    New,
}

impl Seeds {
    /// Returns the documents and places of seeds whose value occurs twice.
    fn repeated(&self, run: &Run<'_>, wanted: Wanted) -> Result<Sorter<(u32, u32)>> {
        let mut places = Sorter::distinct(run.staging.spill(), run.settings.memory / 8);
        let mut streams = [self.original.iter().peekable(), self.joined.iter().peekable()];
        let mut new = self.new.iter().peekable();
        loop {
            run.steps.check()?;
            let value = match wanted {
                Wanted::New => value(&mut new)?,
                Wanted::All => {
                    let [a, b] = &mut streams;
                    [value(a)?, value(b)?, value(&mut new)?].into_iter().flatten().min()
                }
            };
            let Some(value) = value else { return Ok(places) };
            // The first place waits until there is another one.
            let mut first = None;
            let mut see = |seed: Seed| -> Result<()> {
                let place = (seed.document, seed.begin);
                match first {
                    None => first = Some(place),
                    Some(known) if known == place => {}
                    Some(known) => {
                        places.push(known)?;
                        places.push(place)?;
                    }
                }
                Ok(())
            };
            let [a, b] = &mut streams;
            each(a, value, &mut see)?;
            each(b, value, &mut see)?;
            each(&mut new, value, &mut see)?;
        }
    }
}

/// Returns the value of the next seed.
fn value(seeds: &mut Peekable<impl Iterator<Item = Result<Seed>>>) -> Result<Option<u64>> {
    match seeds.peek() {
        Some(Ok(seed)) => Ok(Some(seed.value)),
        Some(Err(_)) => seeds.next().transpose().map(|_| None),
        None => Ok(None),
    }
}

/// Takes all seeds up to those of this value, and passes these to `see`.
fn each(
    seeds: &mut Peekable<impl Iterator<Item = Result<Seed>>>,
    wanted: u64,
    see: &mut impl FnMut(Seed) -> Result<()>,
) -> Result<()> {
    while value(seeds)?.is_some_and(|own| own <= wanted) {
        if let Some(seed) = seeds.next().transpose()?
            && seed.value == wanted
        {
            see(seed)?;
        }
    }
    Ok(())
}

/// Returns the windows that go, in the order of the corpus; `None` if there are none.
pub(super) fn find(
    run: &Run<'_>,
    stored: &Stored,
    cuts: &Series<Cut>,
    seeds: &Seeds,
    wanted: Wanted,
) -> Result<Option<Sorter<Going>>> {
    let places = seeds.repeated(run, wanted)?.sorted()?;
    let mut hashed = HashedWindows {
        run,
        stored,
        windows: Sorter::new(run.staging.spill(), run.settings.memory / 4),
    };
    let mut places = ByDocument::new(places, |place| place.0);
    let mut cuts = ByDocument::new(cuts.iter(), |cut| cut.document);
    let (mut jobs, mut n_words) = (Vec::new(), 0);
    while let Some(document) = places.next()? {
        let mut job = Job { document, seeds: Vec::new(), cuts: Vec::new() };
        places.take(document, &mut job.seeds)?;
        cuts.take(document, &mut job.cuts)?;
        n_words += stored.words.row_len(document);
        jobs.push(job);
        if n_words >= TOGETHER {
            run.steps.check()?;
            hashed.hash(&std::mem::take(&mut jobs))?;
            n_words = 0;
        }
    }
    hashed.hash(&jobs)?;
    going(run, stored, hashed.windows)
}

/// A document with seeds that occur twice.
struct Job {
    document: u32,
    seeds: Vec<(u32, u32)>,
    cuts: Vec<Cut>,
}

/// The windows that contain such seeds.
struct HashedWindows<'a> {
    run: &'a Run<'a>,
    stored: &'a Stored,
    windows: Sorter<Window>,
}

impl HashedWindows<'_> {
    fn hash(&mut self, jobs: &[Job]) -> Result<()> {
        // A long document is alone, and its windows need not be held twice.
        if let [only] = jobs {
            let HashedWindows { run, stored, windows } = self;
            return windows_of(run, stored, only, &mut Scratch::default(), |w| windows.push(w));
        }
        let (run, stored) = (self.run, self.stored);
        let hashed = jobs.par_iter().map_init(Scratch::default, |scratch, job| {
            let mut windows = Vec::new();
            let push = |window| {
                windows.push(window);
                Ok(())
            };
            windows_of(run, stored, job, scratch, push)?;
            Ok(windows)
        });
        let hashed: Vec<Result<Vec<Window>>> = hashed.collect();
        hashed.into_iter().try_for_each(|windows| self.windows.extend(windows?))
    }
}

/// Passes the windows of a document that contain one of its seeds to `take`.
fn windows_of(
    run: &Run<'_>,
    stored: &Stored,
    job: &Job,
    scratch: &mut Scratch<u64>,
    mut take: impl FnMut(Window) -> Result<()>,
) -> Result<()> {
    let (n, k) = (run.method.n, run.method.selection.n_words());
    let cuts: Vec<_> = job.cuts.iter().map(|cut| cut.begin..cut.end).collect();
    let current = Current::new(stored.words.get(job.document, scratch)?, &cuts);
    let Some(last) = current.words.len().checked_sub(n) else { return Ok(()) };
    let place = stored.order.place(job.document);
    // The first window that has not been hashed, and the hash of the window before it, if that one has been.
    let (mut done, mut rolling) = (0, Rolling::new(&run.method.hashing));
    let mut is_rolling = false;
    for &(_, begin) in &job.seeds {
        if !current.has(begin) {
            continue;
        }
        let index = current.index(begin);
        let from = (index + k).saturating_sub(n);
        if from > done || !is_rolling {
            done = done.max(from);
            is_rolling = false;
        }
        for start in done..=index.min(last) {
            if is_rolling {
                rolling.pop(current.words[start - 1]);
                rolling.push(current.words[start + n - 1]);
            } else {
                rolling = Rolling::new(&run.method.hashing);
                current.words[start..start + n].iter().for_each(|&word| rolling.push(word));
                is_rolling = true;
            }
            let (hash, more) = rolling.hash();
            let (begin, end) = (current.place(start), current.end(start + n));
            take(Window { hash, more, place, begin, end })?;
        }
        done = done.max(index.min(last) + 1);
    }
    Ok(())
}

/// Returns those of the windows that go; `None` if there are none.
fn going(run: &Run<'_>, stored: &Stored, windows: Sorter<Window>) -> Result<Option<Sorter<Going>>> {
    let mut going = Sorter::new(run.staging.spill(), run.settings.memory / 8);
    let (mut is_empty, mut first) = (true, None::<Window>);
    for (i, window) in windows.sorted()?.enumerate() {
        let window = window?;
        if i % TOGETHER == 0 {
            run.steps.check()?;
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
