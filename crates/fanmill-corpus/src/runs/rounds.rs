//! Rounds: what is cut out, until nothing that is left is repeated.
//!
//! A cut joins the words before it and behind it. Windows of words across the join are new, and one of them may equal a
//! window elsewhere; then the later of the two goes as well, in the next round. Windows that are neither cut nor joined
//! were compared before: of equal ones, only those are left that overlap each other. So a round after the first looks
//! only at the seeds of what the last one has joined, and at windows with a seed of such a value. If only whole sentences
//! go, windows are left that go together with those of later rounds; then all are looked at once more, if any across a
//! join is repeated.
//!
//! Each round cuts a word at least, so the rounds end. Someone could nest texts so that there are many: from the
//! document that is cut in round [`MOST`], all goes, which joins nothing.
//!
//! Cost: the first round is as the whole; another one walks the seeds of all texts in order, and reads the words of
//! documents that it concerns.

use std::ops::Range;

use fanmill_text::Result;

use super::by_document::ByDocument;
use super::context::{Context, Measure};
use super::current::Current;
use super::hot::{Seeds, Wanted};
use super::items::{Cut, Going, Piece, Seed};
use super::pieces::{Cutting, Part};
use super::repeats::Texts;
use super::settings;
use super::stored::StoredWords;
use crate::spill::column::Scratch;
use crate::spill::fixed_bytes::FixedBytes;
use crate::spill::{Bits, Series, Sorter};

/// Maximum number of rounds.
pub(super) const MOST: u32 = 32;

/// The cuts of all documents.
#[derive(Debug)]
pub(super) struct Plan {
    /// Cuts, ascending; none touch.
    pub(super) cuts: Series<Cut>,
    /// The pieces of the cuts, ascending, except for documents that go as a whole.
    pub(super) pieces: Series<Piece>,
    /// Documents that are cut in the last round there may be, and go as a whole.
    pub(super) exhausted: Bits,
    /// Number of rounds in which something was cut.
    pub(super) n_rounds: u32,
}

/// Finds what is cut out.
pub(super) fn plan(
    context: Context<'_>,
    stored: &StoredWords,
    seeds: Sorter<Seed>,
) -> Result<Plan> {
    let (spill, memory) = (context.spill, context.settings.memory / 32);
    let mut rounds = Rounds {
        context,
        stored,
        seeds: Seeds {
            original: series(context, seeds)?,
            joined: Series::new(spill, memory),
            new: Series::new(spill, memory),
        },
        cuts: Series::new(spill, memory),
        pieces: Sorter::new(spill, memory),
        exhausted: Bits::new(stored.words.len()),
        has_joined: false,
        n_done: 0,
    };
    let mut wanted = Wanted::All;
    loop {
        let texts = Texts { context, stored, cuts: &rounds.cuts };
        let mut going = texts.find(&rounds.seeds, wanted)?;
        if going.is_some()
            && wanted == Wanted::New
            && context.settings.cut == settings::Cut::Sentence
        {
            going = texts.find(&rounds.seeds, Wanted::All)?;
        }
        let Some(going) = going else { break };
        if !rounds.cut(going)? || rounds.n_done == MOST || !rounds.has_joined {
            break;
        }
        wanted = Wanted::New;
    }
    let Rounds { cuts, pieces, exhausted, n_done, .. } = rounds;
    Ok(Plan { cuts, pieces: series(context, pieces)?, exhausted, n_rounds: n_done })
}

/// Sorts items, and keeps them.
fn series<T: FixedBytes>(context: Context<'_>, items: Sorter<T>) -> Result<Series<T>> {
    let mut series = Series::new(context.spill, context.settings.memory / 32);
    items.sorted()?.try_for_each(|item| series.push(item?))?;
    Ok(series)
}

/// The state between two rounds.
struct Rounds<'a> {
    context: Context<'a>,
    stored: &'a StoredWords,
    seeds: Seeds,
    cuts: Series<Cut>,
    pieces: Sorter<Piece>,
    exhausted: Bits,
    /// True if the last round has joined words that may be in a repeated window.
    has_joined: bool,
    /// Number of rounds in which something was cut.
    n_done: u32,
}

impl Rounds<'_> {
    /// Cuts out the windows that go, and finds the seeds of what is joined. Returns whether anything was cut.
    fn cut(&mut self, going: Sorter<Going>) -> Result<bool> {
        let (context, stored) = (self.context, self.stored);
        let (spill, memory) = (context.spill, context.settings.memory / 32);
        let mut going = ByDocument::new(going.sorted()?, |going| going.document);
        let earlier = std::mem::replace(&mut self.cuts, Series::new(spill, memory));
        let mut known = ByDocument::new(earlier.iter(), |cut| cut.document);
        let mut joined = Sorter::distinct(spill, memory);
        let mut cuts = Series::new(spill, memory);
        let (mut is_cut, mut scratch) = (false, Scratch::default());
        self.n_done += 1;
        self.has_joined = false;
        while let Some(document) = least(going.next()?, known.next()?) {
            context.steps.check()?;
            let mut before = Vec::new();
            known.take(document, &mut before)?;
            for cut in &mut before {
                cut.is_new = 0;
            }
            if going.next()? == Some(document) {
                let words = stored.words.get(document, &mut scratch)?;
                let mut windows = || going.next_of(document);
                let new = self.cut_document(document, words, &mut windows, &before, &earlier)?;
                is_cut |= !new.is_empty();
                before = merged(document, &before, new);
                self.add_joined(document, words, &before, &mut joined)?;
            }
            before.into_iter().try_for_each(|cut| cuts.push(cut))?;
        }
        self.cuts = cuts;
        self.n_done -= u32::from(!is_cut);
        self.keep_joined(joined)?;
        Ok(is_cut)
    }

    /// Returns what is cut out of a document now, as places of its words.
    fn cut_document(
        &mut self,
        document: u32,
        words: &[u64],
        going: &mut impl FnMut() -> Result<Option<Going>>,
        before: &[Cut],
        earlier: &Series<Cut>,
    ) -> Result<Vec<Range<u32>>> {
        let current = Current::new(words, &places(before));
        let mut cutting = Cutting::new(&current, self.context.settings.cut);
        let mut take = |part: Part| self.add_pieces(&current, &part, earlier);
        while let Some(window) = going()? {
            cutting.push(window, &mut take)?;
        }
        let cuts = cutting.finish(&mut take)?;
        if self.n_done == MOST && !cuts.is_empty() {
            self.exhausted.insert(document);
            return Ok(std::iter::once(0..words.len() as u32).collect());
        }
        Ok(cuts.into_iter().map(|cut| current.place(cut.start)..current.end(cut.end)).collect())
    }

    /// Adds the pieces of a part: it is divided where it, or its source, holds a cut of an earlier round.
    fn add_pieces(
        &mut self,
        current: &Current<'_>,
        part: &Part,
        earlier: &Series<Cut>,
    ) -> Result<()> {
        let Going { document, source, source_begin, source_end, .. } = part.going;
        // The window of the source begins with a word that is left, so cuts inside it begin there, too.
        let cuts = if part.is_plain {
            Vec::new()
        } else {
            let range = (source, source_begin)..(source, source_end);
            earlier.range(range, |cut| (cut.document, cut.begin))?
        };
        let (mut cuts, mut own) = (cuts.into_iter().peekable(), source_begin);
        let mut open: Option<Piece> = None;
        for index in part.window..part.end {
            if index >= part.begin {
                let place = current.place(index);
                match &mut open {
                    Some(piece) if piece.goes_on_at(place, own) => piece.end += 1,
                    open => {
                        let (begin, end) = (place, place + 1);
                        let next = Piece { document, begin, end, source, source_begin: own };
                        open.replace(next).map_or(Ok(()), |piece| self.pieces.push(piece))?;
                    }
                }
            }
            own += 1;
            while let Some(cut) = cuts.next_if(|cut| cut.begin == own) {
                own = cut.end;
            }
        }
        open.map_or(Ok(()), |piece| self.pieces.push(piece))
    }

    /// Adds the seeds of the windows across new joins.
    fn add_joined(
        &mut self,
        document: u32,
        words: &[u64],
        cuts: &[Cut],
        joined: &mut Sorter<Seed>,
    ) -> Result<()> {
        let current = Current::new(words, &places(cuts));
        let (n_words, method) = (current.words.len(), self.context.method);
        let joins = cuts.iter().filter(|cut| cut.is_new != 0).map(|cut| current.index(cut.end));
        let mut joins = joins.filter(|&at| at > 0 && at < n_words).peekable();
        self.has_joined |= joins.peek().is_some();
        // Windows that are measured in bytes are all hashed again.
        let Measure::Words { n, selection } = method.measure else { return Ok(()) };
        let mut stretches: Vec<Range<usize>> = Vec::new();
        for at in joins {
            let (start, end) = (at.saturating_sub(n - 1), n_words.min(at + n - 1));
            match stretches.last_mut() {
                Some(last) if start <= last.end => last.end = end,
                _ => stretches.push(start..end),
            }
        }
        let mut seeds = Vec::new();
        for stretch in stretches {
            seeds.clear();
            selection.select(&method.hashing, &current.words[stretch.clone()], &mut seeds);
            joined.extend(seeds.iter().map(|&(value, at)| Seed {
                value,
                document,
                begin: current.place(stretch.start + at as usize),
            }))?;
        }
        Ok(())
    }

    /// Makes these the new seeds, and the ones before joined seeds.
    fn keep_joined(&mut self, joined: Sorter<Seed>) -> Result<()> {
        let context = self.context;
        let mut all = Sorter::distinct(context.spill, context.settings.memory / 32);
        for seeds in [&self.seeds.joined, &self.seeds.new] {
            seeds.iter().try_for_each(|seed| all.push(seed?))?;
        }
        self.seeds.joined = series(context, all)?;
        self.seeds.new = series(context, joined)?;
        Ok(())
    }
}

fn least(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    [a, b].into_iter().flatten().min()
}

fn places(cuts: &[Cut]) -> Vec<Range<u32>> {
    cuts.iter().map(|cut| cut.begin..cut.end).collect()
}

/// Returns all cuts of a document, of which none touch.
fn merged(document: u32, before: &[Cut], new: Vec<Range<u32>>) -> Vec<Cut> {
    let new =
        new.into_iter().map(|cut| Cut { document, begin: cut.start, end: cut.end, is_new: 1 });
    let mut all: Vec<Cut> = before.iter().copied().chain(new).collect();
    all.sort_unstable();
    let mut merged: Vec<Cut> = Vec::new();
    for cut in all {
        match merged.last_mut() {
            Some(last) if cut.begin <= last.end => {
                last.end = last.end.max(cut.end);
                last.is_new |= cut.is_new;
            }
            _ => merged.push(cut),
        }
    }
    merged
}
