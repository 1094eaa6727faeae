//! The cuts, pieces and sources of each document that has any, in the order of the corpus.

use fanmill_text::Result;

use super::by_document::ByDocument;
use super::context::Context;
use super::items::{Cut, Piece, SourceRef};
use super::outcome::Job;
use super::rounds::Plan;
use super::summary::Removed;
use crate::spill::{Bits, Sorter};

/// Items of documents, in the order of the corpus.
type Upcoming<'a, T> = ByDocument<T, Box<dyn Iterator<Item = Result<T>> + Send + 'a>>;

/// Reader of a plan, which gives the decisions about documents in the order of the corpus.
pub(super) struct Jobs<'a> {
    exhausted: &'a Bits,
    cuts: Upcoming<'a, Cut>,
    pieces: Upcoming<'a, Piece>,
    sources: Upcoming<'a, SourceRef>,
}

impl<'a> Jobs<'a> {
    /// Sorts a plan for `n` documents. Also returns those that are cut or that others have text from, and counts of the
    /// pieces.
    pub(super) fn new(
        context: Context<'_>,
        plan: &'a Plan,
        n: usize,
    ) -> Result<(Jobs<'a>, Bits, Removed)> {
        let mut members = Bits::new(n);
        let mut sources = Sorter::new(context.spill, context.settings.memory / 16);
        let mut removed = Removed::default();
        for piece in plan.pieces.iter() {
            let piece = piece?;
            members.insert(piece.document);
            members.insert(piece.source);
            let (begin, end) = (piece.source_begin, piece.source_begin + (piece.end - piece.begin));
            sources.push(SourceRef {
                document: piece.source,
                begin,
                end,
                piece: removed.pieces,
            })?;
            removed.pieces += 1;
            removed.pieces_within += u64::from(piece.document == piece.source);
        }
        let jobs = Jobs {
            exhausted: &plan.exhausted,
            cuts: ByDocument::new(Box::new(plan.cuts.iter()), |cut| cut.document),
            pieces: ByDocument::new(Box::new(plan.pieces.iter()), |piece| piece.document),
            sources: ByDocument::new(Box::new(sources.sorted()?), |source| source.document),
        };
        Ok((jobs, members, removed))
    }

    /// Takes what concerns a document. Documents ascend.
    pub(super) fn take(&mut self, document: u32) -> Result<Job> {
        let is_exhausted = self.exhausted.contains(document);
        let (mut cuts, mut pieces, mut sources) = (Vec::new(), Vec::new(), Vec::new());
        self.cuts.take(document, &mut cuts)?;
        self.pieces.take(document, &mut pieces)?;
        self.sources.take(document, &mut sources)?;
        Ok(Job { document, cuts, pieces, sources, is_exhausted })
    }
}
