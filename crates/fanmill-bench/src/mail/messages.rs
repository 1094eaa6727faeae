//! The messages, and the pairs of them that are unrelated.

use std::path::Path;

use anyhow::{Result, ensure};
use fanmill_mail::{Limits as MailLimits, message};
use fanmill_sift::sifter::{Sifted, Sifter};
use fanmill_sift::similarity::Overlap;
use fanmill_sketch::shingle::{self, ShortDocuments};
use fanmill_source::{self, Budget, GroupBy, Limits, Options};
use fanmill_text::document::{Corpus, Role};
use fanmill_text::frontend::Text;
use fanmill_text::progress::Silent;

/// A message as a mail program shows it.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The texts that other mail programs show.
    pub(crate) others: Vec<String>,
}

impl Message {
    /// Returns the message's folder in the archive.
    pub(crate) fn folder(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |parts| parts.0)
    }
}

/// Reads all messages of an archive, by name.
pub(crate) fn read(archive: &Path) -> Result<Vec<Message>> {
    let mut corpus = Corpus::default();
    let options = Options { group_by: GroupBy::File, ..Options::everything() };
    let budget = Budget::new(Limits::standard());
    fanmill_source::read(
        &[archive.to_owned()],
        Role::New,
        &options,
        &budget,
        &mut corpus,
        &Silent,
    )?;
    let mut messages = Vec::new();
    for submission in corpus.submissions {
        for document in submission.documents {
            let read = message::read(&document.bytes, &MailLimits::standard());
            let name = submission.name.clone();
            messages.push(Message { name, text: read.text, others: read.others });
        }
    }
    ensure!(!messages.is_empty(), "no message in {}", archive.display());
    Ok(messages)
}

/// Returns the fingerprints of a message's text.
pub(crate) fn sift(sifter: &Sifter, text: &str) -> Sifted {
    sifter.sift(sifter.text(text.as_bytes()).as_str())
}

/// Returns, for each message and each one before it, whether they share at most this part of the smaller one's shingles
/// of 5 words.
pub(crate) fn unrelated(all: &[Message], most: f64) -> Vec<Vec<bool>> {
    let shingles = |message: &Message| {
        let text = Text::new(message.text.as_bytes());
        let word = |word: &str| shingle::word(word.to_lowercase().as_bytes());
        let letters = |c: char| !c.is_alphanumeric();
        let words: Vec<u64> =
            text.as_str().split(letters).filter(|word| !word.is_empty()).map(word).collect();
        shingle::set(&words, 5, ShortDocuments::Whole)
    };
    let sets: Vec<Vec<u64>> = all.iter().map(shingles).collect();
    let share = |a: &[u64], b: &[u64]| Overlap::from_values(a, b).s3().unwrap_or(0.0);
    let row = |i: usize| sets[..i].iter().map(|b| share(&sets[i], b) <= most).collect();
    (0..all.len()).map(row).collect()
}
