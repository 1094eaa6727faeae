//! A check of one message, which gets a header with the answer: for mail systems that pass messages through a program.

use std::io::Read;
use std::path::Path;

use fanmill_mail::Limits;
use fanmill_mail::headed::{HeaderName, headed};
use fanmill_sift::key::Key;
use fanmill_source::Extraction;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};

use super::check::{Answer, Checker, Settings};
use super::texts::{MailTerms, Text};

/// A message that was checked.
#[derive(Debug)]
pub struct Outcome {
    /// The answer about it.
    pub answer: Answer,
    /// True if some of it was not read.
    pub is_cut: bool,
    /// The message with the header. Whatever is left in the stream follows it.
    pub bytes: Vec<u8>,
}

/// Checks the message in a stream, and adds a header with the answer and the grade: `yes; grade=strong`. Headers of
/// this name that it already has are removed; everything else stays byte for byte.
///
/// # Errors
/// If `name` is not the name of a header, the threshold is outside `0..=1`, the stream cannot be read, or the store is
/// missing, damaged or of another key; or if the job is cancelled.
pub fn run(
    settings: &Settings,
    documents: &Extraction,
    name: &str,
    key: &Key,
    store: &Path,
    message: &mut dyn Read,
    progress: &dyn Progress,
) -> Result<Outcome> {
    let name: HeaderName = name.parse()?;
    let checker = Checker::open(settings, key, store, progress)?;
    progress.check()?;
    let limits = Limits::standard();
    let most = limits.message_bytes;
    let mut bytes = Vec::new();
    let read = message.take(most as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Error::system("reading standard input", error))?;
    let left_out = (bytes.len() > most)
        .then(|| format!("the limit of {most} bytes a message was reached; the rest was not read"));
    let unpacked = fanmill_source::Limits::standard().file_bytes;
    let raw = &bytes[..bytes.len().min(most)];
    let terms = MailTerms { limits: &limits, most: unpacked, extractor: &documents.open()? };
    let text = Text::message("-".to_owned(), raw, terms, left_out);
    let answer = checker.answer(&text);
    let grade = answer.grade.as_ref().map_or(String::new(), |grade| format!("; grade={grade}"));
    let bytes = headed(&bytes, &name, &format!("{}{grade}", answer.verdict.name()));
    Ok(Outcome { answer, is_cut: text.is_cut, bytes })
}
