//! The result for one document: its cuts and pieces in bytes, and the text that is left.

use std::ops::Range;

use super::context::Run;
use super::items::{Cut, Piece, SourceRef};
use super::joined::without;
use super::stored::Stored;
use crate::dedup::Mode;
use crate::spill::column::Scratch;
use fanmill_records::format::Batch;
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
    pub(super) id: String,
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
        run: &Run<'_>,
        stored: &Stored,
        batch: &Batch,
        i: usize,
    ) -> Result<Option<Outcome>> {
        let Ok(record) = batch.record(i) else { return Ok(None) };
        let mut scratch = Scratch::default();
        let known = stored.words.get(self.document, &mut scratch)?;
        let (mut places, mut is_same) = (Vec::with_capacity(known.len()), true);
        run.method.reader.each(&record.text, |word, at| {
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
        let stays = !cuts.is_empty() && words_left >= run.settings.min_rest;
        let is_written = stays && run.settings.mode == Mode::Remove;
        Ok(Some(Outcome {
            id: record.name().unwrap_or_default().to_owned(),
            left: is_written.then(|| without(&record.text, &places, &cuts)).flatten(),
            runs: cuts.iter().map(|cut| bytes(cut.start, cut.end)).collect(),
            pieces: self.pieces.iter().map(|piece| bytes(piece.begin, piece.end)).collect(),
            sources: self.sources.iter().map(|own| bytes(own.begin, own.end)).collect(),
            words_left,
        }))
    }
}
