//! Repeated runs of texts in memory.

use std::borrow::Cow;
use std::path::Path;

use fanmill_records::Record;
use fanmill_text::progress::Progress;
use fanmill_text::scheme::Scheme;
use fanmill_text::{Error, Result};
use rayon::prelude::*;

use super::context::{Context, Method};
use super::items::Seed;
use super::jobs::Jobs;
use super::order::Order;
use super::outcome::{Job, Outcome, OutcomeLog};
use super::rounds::{self, Plan};
use super::settings::Settings;
use super::stored::{StoredWords, words_of};
use super::summary::{self, Removed};
use crate::dedup::{self, Keep, Mode};
use crate::job::Steps;
use crate::spill::Sorter;

/// Texts that are processed together; a run can be cancelled between two parts.
const PART: usize = 1 << 10;

/// Decisions about all texts.
#[derive(Debug)]
#[non_exhaustive]
pub struct Edits {
    /// One for each text, in their order.
    pub texts: Vec<Edit>,
    /// The pieces that go, in the order of the texts.
    pub pieces: Vec<FoundPiece>,
    /// The recipe by which runs became hashes.
    pub scheme: Scheme,
    /// The guarantee for the result, in words.
    pub promise: String,
    /// Counts of what goes.
    pub removed: Removed,
    /// Number of rounds in which something was cut.
    pub n_rounds: u32,
}

/// Decision about a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// It stays as it is.
    Stays,
    /// Runs are cut out of it; this is left.
    Cut(String),
    /// It goes as a whole, since too few words are left.
    Goes,
}

/// Consecutive words that go, and the consecutive words that they equal. Places are in bytes of the original texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundPiece {
    /// The number of its text.
    pub text: usize,
    /// The first byte of its first word.
    pub begin: u32,
    /// The byte behind its last word.
    pub end: u32,
    /// Its length in words.
    pub n_words: u32,
    /// The number of the text that it equals a part of.
    pub source: usize,
    /// The first byte of that part.
    pub source_begin: u32,
    /// The byte behind that part.
    pub source_end: u32,
    /// Words that are left of its text.
    pub words_left: u32,
    /// True if its text goes as a whole.
    pub is_removed: bool,
}

/// Finds the repeated runs among texts, with the result that [`run`](super::run) gives for them.
///
/// The settings' mode and strictness have no effect here. Memory holds the texts, 8 bytes for each word, 24 bytes for each
/// window that may be repeated, and what is left of texts that are cut. With a folder to `spill` to, everything except
/// texts goes to unnamed files there when it exceeds the settings' memory; without a folder, no file is made.
///
/// ```
/// use fanmill_corpus::runs::{self, Edit, MinLength, Settings};
/// use fanmill_text::progress::Silent;
///
/// let texts = ["one fish two fish", "red fish one fish two fish blue fish"];
/// let settings = Settings::standard().with(|settings| settings.length = MinLength::Words(4));
/// let found = runs::in_memory(texts, &settings, None, &Silent)?;
/// assert_eq!(found.texts, [Edit::Stays, Edit::Cut("red fish blue fish".to_owned())]);
/// assert_eq!((found.pieces[0].begin, found.pieces[0].source), (9, 0));
/// # Ok::<(), fanmill_text::Error>(())
/// ```
///
/// # Errors
/// If settings contradict each other, or keep documents by the value of a field, since texts do not have fields; if a
/// text has 4 GiB or more, or there are 2^32 - 1 texts or more; if the run is cancelled; if the folder cannot take what
/// does not fit into memory.
pub fn in_memory<T: AsRef<str> + Sync>(
    texts: impl IntoIterator<Item = T>,
    settings: &Settings,
    spill: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Edits> {
    // Without a folder nothing can spill, so memory is not limited.
    let memory = spill.map_or(usize::MAX, |_| settings.memory);
    let settings = settings.clone().with(|own| (own.memory, own.mode) = (memory, Mode::Remove));
    settings.check_values()?;
    dedup::check_rule(&settings.keep)?;
    let mut all = Vec::new();
    dedup::collect(texts, &mut all, progress)?;
    let (method, steps) = (Method::draw(&settings)?, Steps::new(progress));
    let spill = spill.unwrap_or(Path::new(""));
    let context = Context { settings: &settings, method: &method, steps: &steps, spill };
    let work = Work { texts: &all, context };
    let (stored, seeds) = work.read()?;
    steps.begin("comparing", 0)?;
    let plan = rounds::plan(context, &stored, seeds)?;
    work.edits(&stored, &plan)
}

/// The texts being compared, and the context for it.
struct Work<'a, T> {
    texts: &'a [T],
    context: Context<'a>,
}

impl<T: AsRef<str> + Sync> Work<'_, T> {
    /// Returns the words and the seeds of all texts.
    fn read(&self) -> Result<(StoredWords, Sorter<Seed>)> {
        let Context { settings, method, steps, spill } = self.context;
        steps.begin("reading", self.texts.len() as u64)?;
        let mut stored = StoredWords::new(method, spill, settings.memory);
        let mut seeds = StoredWords::seeds(spill, settings.memory);
        let mut ranks = Vec::new();
        for (part, texts) in self.texts.chunks(PART).enumerate() {
            steps.check()?;
            let read = texts.par_iter().enumerate().map(|(i, text)| {
                let text = text.as_ref();
                check_length(part * PART + i, text)?;
                let record =
                    Record { text: Cow::Borrowed(text), id: None, extra: Vec::new(), flaw: None };
                Ok(words_of(method, text, settings.keep.rank(&record)))
            });
            for own in read.collect::<Vec<Result<_>>>() {
                let own = own?;
                if settings.keep != Keep::First {
                    ranks.push(own.rank);
                }
                stored.push(own, &mut seeds)?;
            }
            steps.advance(texts.len() as u64);
        }
        stored.order = Order::by_ranks(&ranks);
        Ok((stored, seeds))
    }

    /// Carries out a plan.
    fn edits(&self, stored: &StoredWords, plan: &Plan) -> Result<Edits> {
        let Context { settings, steps, .. } = self.context;
        let (mut jobs, members, removed) = Jobs::new(self.context, plan, self.texts.len())?;
        let mut log = OutcomeLog::new(self.context, removed);
        let mut texts = vec![Edit::Stays; self.texts.len()];
        steps.begin("writing", members.len() as u64)?;
        let mut members = members.iter().peekable();
        while members.peek().is_some() {
            steps.check()?;
            let part = members.by_ref().take(PART).map(|document| jobs.take(document));
            let part: Vec<Job> = part.collect::<Result<_>>()?;
            let outcomes = part.par_iter().map(|job| {
                job.outcome(self.context, stored, self.texts[job.document as usize].as_ref())
            });
            let outcomes: Vec<Result<Option<Outcome>>> = outcomes.collect();
            for (job, outcome) in part.iter().zip(outcomes) {
                let outcome = outcome?.ok_or_else(changed)?;
                log.note(job, &outcome, settings)?;
                if !job.cuts.is_empty() {
                    texts[job.document as usize] = outcome.left.map_or(Edit::Goes, Edit::Cut);
                }
            }
            steps.advance(part.len() as u64);
        }
        let OutcomeLog { rows, source_bytes, removed } = log;
        let mut pieces = Vec::new();
        for ((piece, row), source) in
            plan.pieces.iter().zip(rows.iter()).zip(source_bytes.sorted()?)
        {
            let (piece, row, source) = (piece?, row?, source?);
            pieces.push(FoundPiece {
                text: piece.document as usize,
                begin: row.begin,
                end: row.end,
                n_words: piece.end - piece.begin,
                source: piece.source as usize,
                source_begin: source.begin,
                source_end: source.end,
                words_left: row.words_left,
                is_removed: row.is_removed != 0,
            });
        }
        Ok(Edits {
            texts,
            pieces,
            scheme: summary::scheme(settings),
            promise: summary::promise(settings),
            removed,
            n_rounds: plan.n_rounds,
        })
    }
}

/// A text that is read twice must be the same both times.
fn changed() -> Error {
    Error::input("a text changed while it was compared; run this again")
}

/// Refuses a text in which places cannot be counted.
fn check_length(number: usize, text: &str) -> Result<()> {
    if u32::try_from(text.len()).is_ok() {
        return Ok(());
    }
    Err(Error::input(format!(
        "text {number} has {} bytes, and places in it are counted up to {}; leave it out, or split it",
        text.len(),
        u32::MAX
    )))
}
