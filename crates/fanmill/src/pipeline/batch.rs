//! A corpus as token streams: every document decoded, its front end chosen, its tokens read.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::error::Result;
use crate::frontend::{Chosen, Evidence, FrontEnd, Kind, Marks, Registry, Text, notebook};
use crate::pipeline::{Config, Progress};
use crate::source::{Corpus, Document, Notice, Outcome, Submission};
use crate::token::Stream;

/// The submissions of a corpus with their tokens.
#[derive(Debug)]
pub struct Batch {
    /// In the order of the corpus.
    pub members: Vec<Member>,
    /// What the source could not take whole, and what reading took note of.
    pub notices: Vec<Notice>,
}

/// One submission, read.
#[derive(Debug)]
pub struct Member {
    /// What was handed in, bytes included.
    pub submission: Submission,
    /// Its tokens.
    pub stream: Stream,
    /// One a document, in the same order.
    pub parts: Vec<Part>,
}

/// What reading one document showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Name of the front end; of a notebook, `notebook`.
    pub language: &'static str,
    /// Why that front end.
    pub chosen: Chosen,
    /// The encoding's name.
    pub encoding: &'static str,
    /// Signs of disguise and damage, in bytes of the original.
    pub marks: Marks,
    /// Number of tokens.
    pub n_tokens: usize,
    /// Whether its words must be read again to be sure that they are equal.
    pub spells_words: bool,
    /// The kinds and front ends that made its tokens, with their versions: `java@1`.
    pub front_ends: BTreeSet<(Kind, String)>,
}

impl Batch {
    /// Reads all documents of a corpus.
    ///
    /// # Errors
    /// If `config.language` names no front end of the registry.
    pub fn read(
        corpus: Corpus,
        registry: &Registry,
        config: &Config,
        progress: &dyn Progress,
    ) -> Result<Batch> {
        if let Some(name) = &config.language {
            registry.find(name)?;
        }
        progress.begin("reading", corpus.submissions.len() as u64);
        let read: Result<Vec<(Member, Vec<Notice>)>> = corpus
            .submissions
            .into_par_iter()
            .map(|submission| {
                let member = read_submission(submission, registry, config);
                progress.advance();
                member
            })
            .collect();
        let mut batch = Batch { members: Vec::new(), notices: corpus.notices };
        for (member, notices) in read? {
            batch.members.push(member);
            batch.notices.extend(notices);
        }
        batch.notices.sort();
        Ok(batch)
    }

    /// The kinds of text that occur, ascending.
    pub fn kinds(&self) -> Vec<Kind> {
        let documents = self.members.iter().flat_map(|member| &member.stream.documents);
        let mut kinds: Vec<Kind> = documents.map(|document| document.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}

fn read_submission(
    submission: Submission,
    registry: &Registry,
    config: &Config,
) -> Result<(Member, Vec<Notice>)> {
    let mut reader = Reader { registry, config, stream: Stream::default() };
    let (mut parts, mut notices) = (Vec::new(), Vec::new());
    for (index, document) in submission.documents.iter().enumerate() {
        let mut losses = Vec::new();
        let part = reader.read(index, document, &mut losses)?;
        if part.n_tokens == 0 {
            losses.push(
                "there is nothing in it but comments, imports and blanks: not compared".to_owned(),
            );
        }
        parts.push(part);
        notices.extend(losses.into_iter().map(|reason| Notice {
            role: submission.role,
            submission: submission.name.clone(),
            path: document.path.clone(),
            outcome: Outcome::Degraded,
            reason,
        }));
    }
    let mut stream = reader.stream;
    stream.tokens.shrink_to_fit();
    Ok((Member { submission, stream, parts }, notices))
}

/// Reads the documents of one submission into one stream.
struct Reader<'a> {
    registry: &'a Registry,
    config: &'a Config,
    stream: Stream,
}

impl Reader<'_> {
    /// Appends one document's tokens; `losses` takes what was lost or guessed.
    fn read(
        &mut self,
        index: usize,
        document: &Document,
        losses: &mut Vec<String>,
    ) -> Result<Part> {
        let is_notebook = document.path.to_lowercase().ends_with(".ipynb");
        if is_notebook {
            match notebook::cells(&document.bytes) {
                Ok(cells) => return self.read_cells(index, &cells),
                Err(reason) => losses.push(format!("{reason}; read as plain text")),
            }
        }
        let text = Text::new(&document.bytes);
        let choice =
            self.registry.choose(&document.path, text.as_str(), self.config.language.as_deref())?;
        note_losses(&text, choice.why, choice.front_end.name(), losses);
        let n_tokens = self.push(index, choice.front_end, &text);
        Ok(Part {
            language: choice.front_end.name(),
            chosen: choice.why,
            encoding: text.encoding(),
            marks: text.marks().clone(),
            n_tokens,
            spells_words: choice.front_end.spells_words(),
            front_ends: BTreeSet::from([scheme_name(choice.front_end)]),
        })
    }

    /// Appends the tokens of a notebook, each cell by the front end of its language.
    fn read_cells(&mut self, index: usize, cells: &[notebook::Cell]) -> Result<Part> {
        let mut part = Part {
            language: notebook::NAME,
            chosen: Chosen::Extension,
            encoding: cells.first().map_or("UTF-8", |cell| cell.text.encoding()),
            marks: Marks::new(),
            n_tokens: 0,
            spells_words: true,
            front_ends: BTreeSet::new(),
        };
        for cell in cells {
            let language = match cell.kind {
                notebook::CellKind::Code => {
                    let language = self.config.language.as_deref().or(cell.language.as_deref());
                    language.unwrap_or("python")
                }
                notebook::CellKind::Markdown => "markdown",
                notebook::CellKind::Raw => "words",
            };
            let front_end = match self.registry.find(language) {
                Ok(front_end) => front_end,
                Err(_) => self.registry.choose("", cell.text.as_str(), None)?.front_end,
            };
            part.n_tokens += self.push(index, front_end, &cell.text);
            part.front_ends.insert(scheme_name(front_end));
            part.marks.append(cell.text.marks());
        }
        Ok(part)
    }

    /// Appends the tokens of one text; returns how many.
    fn push(&mut self, index: usize, front_end: &dyn FrontEnd, text: &Text<'_>) -> usize {
        self.stream.push(index, front_end.kind(), |tokens| {
            let start = tokens.len();
            front_end.tokenize(text.as_str(), tokens);
            text.spans_to_original(&mut tokens.spans[start..]);
        })
    }
}

/// A front end as schemes name it.
fn scheme_name(front_end: &dyn FrontEnd) -> (Kind, String) {
    (front_end.kind(), format!("{}@{}", front_end.name(), front_end.version()))
}

/// Says what was guessed or lost in reading a document.
fn note_losses(text: &Text<'_>, why: Chosen, language: &str, losses: &mut Vec<String>) {
    if text.evidence() == Evidence::Guess {
        losses.push(format!(
            "its encoding is a guess: {}; save it as UTF-8 to be sure",
            text.encoding()
        ));
    }
    if text.unread() > 0 {
        losses.push(format!(
            "its last {} bytes were not read: it is over 4 GiB; split it",
            text.unread()
        ));
    }
    if why.is_fallback() {
        losses.push(format!("read as {language} {}; use --lang to say what it is", why.reason()));
    }
}
