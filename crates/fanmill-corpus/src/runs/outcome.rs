//! The result for one document: its cuts and pieces in bytes, and the text that is left.

use std::ops::Range;

use super::context::Context;
use super::items::{Cut, Piece, Row, SourceBytes, SourceRef};
use super::joined::without;
use super::settings::Settings;
use super::stored::StoredWords;
use super::summary::Removed;
use crate::dedup::Mode;
use crate::spill::column::Scratch;
use crate::spill::{Series, Sorter};
use fanmill_text::Result;

/// A document that is cut, or that others have text from.
pub(super) struct Job {
    pub(super) document: u32,
    pub(super) cuts: Vec<Cut>,
    pub(super) pieces: Vec<Piece>,
    /// Pieces of other documents whose source it is.
    pub(super) sources: Vec<SourceRef>,
    /// True if it goes as a whole.
    pub(super) is_exhausted: bool,
}

/// The result for a document.
pub(super) struct Outcome {
    /// The parts that are cut out of it, in bytes of its text.
    pub(super) runs: Vec<Range<u32>>,
    /// Its pieces, in bytes of its text.
    pub(super) pieces: Vec<Range<u32>>,
    /// The places of other documents' pieces in it, in bytes of its text.
    pub(super) sources: Vec<Range<u32>>,
    pub(super) words_left: u32,
    /// The text that is left, if the corpus is written without what is cut.
    pub(super) left: Option<String>,
}

impl Job {
    /// Looks at the document again; `None` if it has changed.
    pub(super) fn outcome(
        &self,
        context: Context<'_>,
        stored: &StoredWords,
        text: &str,
    ) -> Result<Option<Outcome>> {
        let mut scratch = Scratch::default();
        let known = stored.words.get(self.document, &mut scratch)?;
        let (mut places, mut is_same) = (Vec::with_capacity(known.len()), true);
        context.method.reader.each(text, |word, at| {
            is_same &= known.get(places.len()) == Some(&word);
            places.push(at.start as u32..at.end as u32);
        });
        if !is_same || places.len() != known.len() {
            return Ok(None);
        }
        let bytes =
            |begin: u32, end: u32| places[begin as usize].start..places[end as usize - 1].end;
        let words_cut: u32 = self.cuts.iter().map(|cut| cut.end - cut.begin).sum();
        let words_left = known.len() as u32 - words_cut;
        let cuts: Vec<Range<u32>> = self.cuts.iter().map(|cut| cut.begin..cut.end).collect();
        let stays = !cuts.is_empty() && words_left >= context.settings.min_rest;
        let is_written = stays && context.settings.mode == Mode::Remove;
        Ok(Some(Outcome {
            left: is_written.then(|| without(text, &places, &cuts)).flatten(),
            runs: cuts.iter().map(|cut| bytes(cut.start, cut.end)).collect(),
            pieces: self.pieces.iter().map(|piece| bytes(piece.begin, piece.end)).collect(),
            sources: self.sources.iter().map(|own| bytes(own.begin, own.end)).collect(),
            words_left,
        }))
    }
}

/// The record of what becomes of documents, piece by piece.
pub(super) struct OutcomeLog {
    /// A row for each piece, ascending.
    pub(super) rows: Series<Row>,
    pub(super) source_bytes: Sorter<SourceBytes>,
    pub(super) removed: Removed,
}

impl OutcomeLog {
    /// Creates the summary from counts of the pieces.
    pub(super) fn new(context: Context<'_>, removed: Removed) -> OutcomeLog {
        let (spill, memory) = (context.spill, context.settings.memory / 16);
        OutcomeLog {
            rows: Series::new(spill, memory),
            source_bytes: Sorter::new(spill, memory),
            removed,
        }
    }

    /// Notes what becomes of a document. Documents ascend.
    pub(super) fn note(&mut self, job: &Job, outcome: &Outcome, settings: &Settings) -> Result<()> {
        let is_cut = !job.cuts.is_empty();
        let is_short = is_cut && outcome.words_left < settings.min_rest.max(1);
        for &Range { start, end } in &outcome.pieces {
            let (words_left, is_removed) = (outcome.words_left, u8::from(is_short));
            self.rows.push(Row { begin: start, end, words_left, is_removed })?;
        }
        for (source, &Range { start, end }) in job.sources.iter().zip(&outcome.sources) {
            self.source_bytes.push(SourceBytes { piece: source.piece, begin: start, end })?;
        }
        if !is_cut {
            return Ok(());
        }
        let removed = &mut self.removed;
        removed.runs += outcome.runs.len() as u64;
        removed.bytes += outcome.runs.iter().map(|run| u64::from(run.end - run.start)).sum::<u64>();
        removed.words += job.cuts.iter().map(|cut| u64::from(cut.end - cut.begin)).sum::<u64>();
        removed.documents += 1;
        removed.exhausted += u64::from(job.is_exhausted);
        removed.emptied += u64::from(outcome.words_left == 0);
        removed.short += u64::from(is_short && outcome.words_left > 0);
        Ok(())
    }
}
