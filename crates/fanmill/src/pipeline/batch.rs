//! Batches: a corpus that was read, with the language and the number of tokens of each document.

use fanmill_text::message::Message;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use crate::fingerprint::Recipe;
use crate::pipeline::Config;
use crate::pipeline::reading::Reader;
use crate::pipeline::sink::Sink;
use crate::score::{Channel, GramBuilder};
use fanmill_text::document::{Corpus, Document, Notice, Outcome, Role, Submission};
use fanmill_text::error::Result;
use fanmill_text::frontend::cells::Notation;
use fanmill_text::frontend::{Ballot, Choice, ChoiceReason, FrontEnd, Kind, Marks, Registry, Text};
use fanmill_text::gram::SharedFilter;
use fanmill_text::progress::Progress;
use fanmill_text::token::{Columns, Outline, Stream, Symbol, Tokens};

/// The submissions of a corpus, tokenised on demand.
#[derive(Debug)]
pub struct Batch<'a> {
    /// Members, in the order of the corpus.
    pub members: Vec<Member>,
    /// Notices of what the source could not take whole, and of what reading showed.
    pub notices: Vec<Notice>,
    pub(super) reader: Reader<'a>,
    /// The grams of all channels and recipes that more than one submission may hold, base documents left out.
    pub(super) shared: SharedFilter,
    /// Per member, its symbols and names, if they are among the few that are kept.
    kept: Vec<Option<Stream>>,
}

/// Maximum number of bytes of tokens that are kept, so that small batches are read once: 300 kB of code give a MiB.
const KEPT: usize = 16 << 20;

/// One submission that was read.
#[derive(Debug)]
pub struct Member {
    /// The submission as it was handed in, bytes included.
    pub submission: Submission,
    /// Positions of its documents in its stream of tokens.
    pub outline: Outline,
    /// One part for each document, in the same order.
    pub parts: Vec<Part>,
    /// Hash of all its tokens and names, and of where documents begin: equal if these are, and otherwise never by
    /// accident.
    pub(super) content: u128,
}

/// The result of reading one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Name of the front end, or of the notation of a document that mixes prose and code.
    pub language: &'static str,
    /// Reason why that front end was chosen.
    pub chosen: ChoiceReason,
    /// Name of the encoding.
    pub encoding: &'static str,
    /// Signs of disguise and damage, in bytes of the original.
    pub marks: Marks,
    /// Number of lines as people see them: one more than the decoded text has line feeds.
    pub n_lines: u64,
    /// Number of tokens.
    pub n_tokens: usize,
    /// True if its words must be read again to be sure that they are equal.
    pub spells_words: bool,
    /// Kinds and front ends that made its tokens, with their versions: ascending.
    pub front_ends: Vec<(Kind, &'static str, u32)>,
}

impl Member {
    /// Returns the tokens of the prose of documents that mix prose and code ([`Notation`]), ascending.
    pub(super) fn prose_of_cells(&self) -> Vec<Range<usize>> {
        let is_mixed =
            |document: usize| Notation::from_name(self.parts[document].language).is_some();
        let texts = self.outline.documents.iter();
        let prose = texts.filter(|text| text.kind != Kind::Code && is_mixed(text.document));
        prose.map(|text| text.range.clone()).filter(|range| !range.is_empty()).collect()
    }
}

impl<'a> Batch<'a> {
    /// Reads all documents of a corpus.
    ///
    /// # Errors
    /// If `config.fingerprints.lang` names no front end of the registry, or the run is cancelled.
    pub fn read(
        corpus: Corpus,
        registry: &'a Registry,
        config: &'a Config,
        progress: &dyn Progress,
    ) -> Result<Batch<'a>> {
        let reader = Reader::new(registry, config)?;
        let choices = choices(&corpus.submissions, &reader, progress)?;
        let n_bytes = compared_bytes(&corpus);
        let shared = SharedFilter::with_slots(SLOTS_PER_BYTE * n_bytes);
        // Thresholds that contradict each other are an error once there is text of that kind.
        let recipes = [Kind::Code, Kind::Words, Kind::Chars].map(|kind| config.recipe(kind).ok());
        let recipes: Vec<Recipe> = recipes.into_iter().flatten().collect();
        progress.begin("reading", corpus.submissions.len() as u64);
        let room = AtomicUsize::new(KEPT);
        let read: Result<Vec<Read>> = corpus
            .submissions
            .into_par_iter()
            .zip(choices)
            .map(|(submission, choices)| {
                progress.check()?;
                let has_partners = n_bytes > 0 && submission.role != Role::Base;
                let noted = has_partners.then_some(&shared);
                let survey = Survey::new(noted, &recipes, &room);
                let member = read_submission(submission, &choices, &reader, survey);
                progress.advance();
                member
            })
            .collect();
        let (members, kept) = (Vec::new(), Vec::new());
        let mut batch = Batch { members, notices: corpus.notices, reader, shared, kept };
        for (member, notices, kept) in read? {
            batch.members.push(member);
            batch.notices.extend(notices);
            batch.kept.push(kept);
        }
        batch.notices.sort();
        Ok(batch)
    }

    /// Returns the kinds of text that occur, ascending.
    pub fn kinds(&self) -> Vec<Kind> {
        let documents = self.members.iter().flat_map(|member| &member.outline.documents);
        let mut kinds: Vec<Kind> = documents.map(|document| document.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// Returns some columns of a member's tokens, and maybe more: from memory, or read again.
    pub fn stream(&self, member: usize, columns: Columns) -> Cow<'_, Stream> {
        let kept = self.kept.get(member).and_then(Option::as_ref);
        if let Some(kept) = kept.filter(|kept| kept.columns().has(columns)) {
            return Cow::Borrowed(kept);
        }
        let Member { submission, parts, .. } = &self.members[member];
        Cow::Owned(self.reader.of(submission).stream(&submission.documents, parts, columns))
    }

    /// Returns the tokens of a member that are in quotations, ascending and disjoint.
    pub(super) fn quoted(&self, member: usize) -> Vec<Range<usize>> {
        let Member { submission, parts, outline, .. } = &self.members[member];
        let quoted = self.reader.of(submission).quoted(&submission.documents, parts);
        let texts = outline.documents.iter().zip(quoted);
        let moved = texts.flat_map(|(text, quoted)| {
            let first = text.range.start;
            quoted.into_iter().map(move |range| first + range.start..first + range.end)
        });
        moved.collect()
    }

    /// Frees what is needed only for the ranking, and for the tokens held afterwards.
    pub(super) fn forget_grams(&mut self) {
        self.shared = SharedFilter::default();
        self.kept = Vec::new();
    }
}

/// Calls `make` for each of some members, in parallel, as a step of `progress`; returns the results in their order.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn of_each<T: Send>(
    members: &[usize],
    (progress, step): (&dyn Progress, &'static str),
    make: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>> {
    if !members.is_empty() {
        progress.begin(step, members.len() as u64);
    }
    let made = members.par_iter().map(|&member| {
        progress.check()?;
        let made = make(member);
        progress.advance();
        Ok(made)
    });
    made.collect()
}

/// Number of slots of the filter for each byte of text. Code has a token in four bytes, and up to three grams for each;
/// so there are about six slots for a gram, and fewer where a text is nothing but operators.
const SLOTS_PER_BYTE: usize = 4;

/// Returns the size of the documents that are compared, in bytes; 0 if there is nothing to compare them with.
fn compared_bytes(corpus: &Corpus) -> usize {
    let compared = corpus.submissions.iter().filter(|submission| submission.role != Role::Base);
    if compared.clone().nth(1).is_none() { 0 } else { compared.map(Submission::n_bytes).sum() }
}

/// A submission, notices of what was lost or guessed, and its tokens if they are kept.
type Read = (Member, Vec<Notice>, Option<Stream>);

/// Returns the choices of front ends for the documents of each submission, in their order, as far as the batch decides.
fn choices<'a>(
    submissions: &[Submission],
    reader: &Reader<'a>,
    progress: &dyn Progress,
) -> Result<Vec<Vec<Option<Choice<'a>>>>> {
    let ballots = submissions.par_iter().map(|submission| {
        progress.check()?;
        let reader = reader.of(submission);
        Ok(submission.documents.iter().map(|document| reader.ballot(document)).collect())
    });
    let ballots: Vec<Vec<Option<Ballot>>> = ballots.collect::<Result<_>>()?;
    let mut agreed = reader.agree(&ballots.concat()).into_iter();
    Ok(ballots.iter().map(|own| agreed.by_ref().take(own.len()).collect()).collect())
}

fn read_submission<'a>(
    submission: Submission,
    choices: &[Option<Choice<'a>>],
    reader: &Reader<'a>,
    mut survey: Survey<'_>,
) -> Result<Read> {
    let (mut parts, mut notices) = (Vec::new(), Vec::new());
    let of_submission = reader.of(&submission);
    for (index, (document, choice)) in submission.documents.iter().zip(choices).enumerate() {
        let mut losses = Vec::new();
        let part = of_submission.read(index, document, *choice, &mut survey, &mut losses)?;
        note(&submission, document, &part, losses, &mut notices);
        parts.push(part);
    }
    let content = survey.content();
    let kept = survey.kept();
    Ok((Member { submission, outline: survey.outline, parts, content }, notices, kept))
}

/// Appends notices of what was lost or guessed in reading a document.
pub(super) fn note(
    submission: &Submission,
    document: &Document,
    part: &Part,
    mut losses: Vec<Message>,
    notices: &mut Vec<Notice>,
) {
    if part.n_tokens == 0 {
        losses.push("there is nothing in it but comments, imports and blanks: not compared".into());
    }
    notices.extend(losses.into_iter().map(|reason| Notice {
        role: submission.role,
        submission: submission.name.clone(),
        path: document.path.clone(),
        outcome: Outcome::Degraded,
        reason,
    }));
}

/// Surveys a submission's tokens as they are read.
struct Survey<'a> {
    outline: Outline,
    /// Document, kind and number of tokens of the current text.
    text: (usize, Kind, usize),
    symbols: Xxh3,
    names: Xxh3,
    shared: Option<&'a SharedFilter>,
    recipes: &'a [Recipe],
    /// Formers of the grams of the current text: one for each channel, and one for a recipe if its grams differ.
    formers: Vec<(GramBuilder, Option<&'a Recipe>)>,
    /// Grams that were not noted yet.
    grams: Vec<u64>,
    /// The last gram for each remainder modulo [`RECENT`]: most grams that repeat do so soon.
    recent: Vec<u64>,
    /// All tokens so far, unless they are too many.
    kept: Option<Stream>,
    /// Number of bytes of tokens that may still be kept.
    room: &'a AtomicUsize,
}

/// Number of grams remembered as seen: they fit into the processor's first-level cache.
const RECENT: u64 = 1 << 11;

impl<'a> Survey<'a> {
    fn new(
        shared: Option<&'a SharedFilter>,
        recipes: &'a [Recipe],
        room: &'a AtomicUsize,
    ) -> Survey<'a> {
        Survey {
            outline: Outline::default(),
            text: (0, Kind::Code, 0),
            symbols: Xxh3::new(),
            names: Xxh3::new(),
            shared,
            recipes,
            formers: Vec::new(),
            grams: Vec::new(),
            // None of these values has the remainder of its place, so no gram counts as seen.
            recent: if shared.is_some() { (1..=RECENT).collect() } else { Vec::new() },
            kept: Some(Stream::from_columns(Columns::Spelled)),
            room,
        }
    }

    /// Notes the grams so far if there are at least `least`: the more are noted together, the fewer are noted twice.
    fn note(&mut self, least: usize) {
        if let Some(shared) = self.shared.filter(|_| self.grams.len() >= least) {
            shared.note(&mut self.grams);
        }
    }

    /// Returns the tokens, if there is still room for them.
    fn kept(&mut self) -> Option<Stream> {
        let mut kept = self.kept.take()?;
        kept.tokens.shrink_to_fit();
        let n_bytes = n_bytes(&kept);
        let take = |room: usize| room.checked_sub(n_bytes);
        self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok()?;
        Some(kept)
    }

    /// Notes the remaining grams, and hashes all that was seen.
    fn content(&mut self) -> u128 {
        self.note(0);
        let mut hasher = Xxh3::new();
        for hash in [self.symbols.digest128(), self.names.digest128()] {
            hasher.update(&hash.to_le_bytes());
        }
        for document in &self.outline.documents {
            hasher.update(&[document.kind as u8]);
            hasher.update(&(document.range.len() as u64).to_le_bytes());
        }
        hasher.digest128()
    }
}

/// Number of grams that are noted together: those of a submission of some 300 kB.
const NOTED_TOGETHER: usize = 1 << 17;

impl Sink for Survey<'_> {
    fn begin(&mut self, document: usize, kind: Kind) {
        self.text = (document, kind, 0);
        if let Some(kept) = &mut self.kept {
            kept.begin();
        }
        if self.shared.is_none() {
            return;
        }
        let channels = Channel::all_of(kind).iter();
        let channels = channels.map(|&channel| (GramBuilder::new(channel, kind, 0), None));
        let channels: Vec<(GramBuilder, Option<&Recipe>)> = channels.collect();
        let recipe = self.recipes.iter().find(|recipe| recipe.kind == kind);
        let own = recipe.map(|recipe| {
            let k = recipe.thresholds.noise();
            (GramBuilder::with_len(k, Channel::Structural, 0), Some(recipe))
        });
        // With the preset for code, these are the grams of the first channel.
        let is_new = |(former, recipe): &(GramBuilder, Option<&Recipe>)| {
            let marks = recipe.is_some_and(|recipe| recipe.mark(0) != 0);
            marks || former.k() != channels[0].0.k()
        };
        let own = own.filter(is_new);
        self.formers = channels.into_iter().chain(own).collect();
    }

    fn take(&mut self, part: &Tokens, _: &Text<'_>, _: &dyn FrontEnd) {
        self.text.2 += part.len();
        if let Some(kept) = &mut self.kept {
            kept.append(part);
        }
        let room = self.room.load(Ordering::Relaxed);
        self.kept.take_if(|kept| n_bytes(kept) > room);
        self.symbols.update(bytemuck::cast_slice(&part.symbols));
        self.names.update(bytemuck::cast_slice(&part.names));
        for (former, recipe) in &mut self.formers {
            let (grams, recent) = (&mut self.grams, &mut self.recent);
            former.push(part, 0..part.len(), |hash, _| {
                let hash = marked(hash, *recipe);
                if std::mem::replace(&mut recent[(hash % RECENT) as usize], hash) != hash {
                    grams.push(hash);
                }
            });
        }
        self.note(NOTED_TOGETHER);
    }

    fn end(&mut self, _: &Text<'_>) -> usize {
        for (former, recipe) in self.formers.drain(..) {
            former.finish(|hash, _| self.grams.push(marked(hash, recipe)));
        }
        let (document, kind, n_tokens) = self.text;
        if let Some(kept) = &mut self.kept {
            kept.end(document, kind, |_| ());
        }
        self.outline.push(document, kind, n_tokens);
        n_tokens
    }
}

/// Returns the size of a stream's symbols and names, in bytes.
fn n_bytes(stream: &Stream) -> usize {
    2 * size_of::<Symbol>() * stream.tokens.len()
}

/// Returns the hash under which a gram of a channel or of a recipe is noted.
fn marked(hash: u64, recipe: Option<&Recipe>) -> u64 {
    recipe.map_or(hash, |recipe| recipe.mark(hash))
}
