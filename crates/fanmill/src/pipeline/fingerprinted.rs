//! The fingerprints of a single submission, for an index that is kept and for a search in it.
//!
//! A comparison takes the same fingerprints, but only those with hashes that several of its submissions may hold. Here
//! it is not known who else holds them.
//!
//! Cost: the documents are read once; meanwhile their tokens are in memory, 8 bytes each.

use std::ops::Range;

use crate::fingerprint::{Fingerprint, fingerprint};
use crate::pipeline::Config;
use crate::pipeline::batch::note;
use crate::pipeline::reading::{Collector, Reader};
use crate::surroundings::{Layout, PlacedSurroundings};
use fanmill_text::document::{Notice, Submission};
use fanmill_text::error::Result;
use fanmill_text::frontend::{Kind, Registry};
use fanmill_text::span::Span;
use fanmill_text::token::{Columns, Outline, Stream};

/// The data that an index keeps of one submission, besides its bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fingerprinted {
    /// Fingerprints of each kind of text by the recipe of that kind; within a kind, ascending by position. Positions
    /// are in the stream of all documents.
    pub fingerprints: Vec<Fingerprint>,
    /// Number of tokens.
    pub n_tokens: usize,
    /// The kinds and front ends that made its tokens, with their versions: ascending.
    pub front_ends: Vec<(Kind, &'static str, u32)>,
    /// Notices of what was lost or guessed in reading.
    pub notices: Vec<Notice>,
}

/// Positions of a submission's tokens in its documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    outline: Outline,
    spans: Vec<Span>,
}

impl Places {
    /// Returns the number of the document that tokens are in, and their bytes there; `None` if they are not in one
    /// document.
    pub fn bytes(&self, tokens: Range<usize>) -> Option<(usize, Span)> {
        let part = self.outline.documents.get(self.outline.part_of(tokens.start))?;
        let is_inside = part.range.start <= tokens.start && tokens.end <= part.range.end;
        let last = tokens.end.checked_sub(1).filter(|&last| is_inside && last >= tokens.start)?;
        Some((part.document, self.spans[tokens.start].join(self.spans[last])))
    }

    /// Returns the number of tokens that begin in some bytes of a document.
    pub fn count(&self, document: usize, bytes: Range<u32>) -> u64 {
        let own = self.outline.documents.iter().filter(|part| part.document == document);
        own.fold(0, |sum, part| {
            let spans = &self.spans[part.range.clone()];
            let before = |at: u32| spans.partition_point(|span| span.start < at);
            sum + before(bytes.end).saturating_sub(before(bytes.start)) as u64
        })
    }

    /// Returns the kind of text that a token is of; `None` if there is no such token.
    pub fn kind(&self, token: usize) -> Option<Kind> {
        self.outline.documents.get(self.outline.part_of(token)).map(|part| part.kind)
    }
}

/// Reads a submission as [`fingerprinted`] does, and also returns the places of its tokens: 8 bytes more for each.
///
/// # Errors
/// As for [`fingerprinted`].
pub fn fingerprinted_in_place(
    submission: &Submission,
    registry: &Registry,
    config: &Config,
) -> Result<(Fingerprinted, Places)> {
    let (found, stream) = read(submission, registry, config, Columns::Placed)?;
    Ok((found, Places { outline: stream.outline, spans: stream.tokens.spans }))
}

/// Reads a submission as [`fingerprinted_in_place`] does, and also returns the surroundings of its fingerprints,
/// ascending by place, in the layout of each kind of text.
///
/// # Errors
/// As for [`fingerprinted`], and if there is no layout.
pub fn fingerprinted_around(
    submission: &Submission,
    registry: &Registry,
    config: &Config,
    layout: &dyn Fn(Kind) -> Result<Layout>,
) -> Result<(Fingerprinted, PlacedSurroundings, Places)> {
    let (found, stream) = read(submission, registry, config, Columns::Placed)?;
    let mut around = Vec::with_capacity(found.fingerprints.len());
    for own in &found.fingerprints {
        let at = own.at as usize;
        let document = &stream.outline.documents[stream.outline.part_of(at)];
        let (kind, range) = (document.kind, document.range.clone());
        let gram = at - range.start..at - range.start + config.recipe(kind)?.thresholds.noise();
        around.push((own.at, layout(kind)?.surroundings(&stream.tokens.symbols[range], gram)));
    }
    around.sort_unstable();
    Ok((found, around, Places { outline: stream.outline, spans: stream.tokens.spans }))
}

/// Reads a submission and takes its fingerprints.
///
/// # Errors
/// If `config.fingerprints.lang` names no front end of the registry, or the thresholds of a kind of text that occurs
/// contradict each other.
pub fn fingerprinted(
    submission: &Submission,
    registry: &Registry,
    config: &Config,
) -> Result<Fingerprinted> {
    Ok(read(submission, registry, config, Columns::Symbols)?.0)
}

fn read(
    submission: &Submission,
    registry: &Registry,
    config: &Config,
    columns: Columns,
) -> Result<(Fingerprinted, Stream)> {
    let reader = Reader::new(registry, config)?.of(submission);
    let mut sink = Collector::new(columns);
    let mut found = Fingerprinted::default();
    for (index, document) in submission.documents.iter().enumerate() {
        let mut losses = Vec::new();
        let part = reader.read(index, document, None, &mut sink, &mut losses)?;
        note(submission, document, &part, losses, &mut found.notices);
        found.front_ends.extend(part.front_ends);
    }
    found.front_ends.sort_unstable();
    found.front_ends.dedup();
    let stream = sink.stream;
    found.n_tokens = stream.outline.n_tokens();
    for kind in [Kind::Code, Kind::Words, Kind::Chars] {
        if stream.ranges(kind).next().is_some() {
            fingerprint(&stream, &config.recipe(kind)?, &mut found.fingerprints);
        }
    }
    Ok((found, stream))
}
