//! Shows files as they are read: their text with marks, or the tokens that are compared.
//!
//! The files are read as [`compare`](crate::compare) reads them, each on its own. So the job shows what a comparison
//! sees, and every loss has its notice.

use fanmill_text::message::Message;
use std::collections::BTreeMap;
use std::path::PathBuf;

use fanmill::pipeline::{self, Comparison, Config};
use fanmill::report::File;
use fanmill_report::ShownText;
use fanmill_source::{Budget, Extraction, Files, GroupBy, Limits, Manifests, Marks, Options};
use fanmill_text::Result;
use fanmill_text::document::{Corpus, Document, Notice, Origin, Outcome, Role, Submission};
use fanmill_text::frontend::{Registry, decode};
use fanmill_text::progress::Progress;
use fanmill_text::span::Span;
use fanmill_text::token::Class;
use serde::{Deserialize, Serialize};

/// The view of a file that is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// The text as it was read; documents with marks for pages, cells and text that was set apart.
    #[default]
    Text,
    /// The tokens that are compared.
    Tokens,
}

/// Settings of the job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// The language as which all files are read; `None` to choose by name and content.
    pub lang: Option<String>,
    /// The view of a file that is shown.
    #[serde(skip)]
    pub view: View,
}

/// The files to be read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Inputs {
    /// Files, folders, archives and mailboxes.
    pub paths: Vec<PathBuf>,
    /// The files that the paths lead to.
    pub files: Files,
    /// Limits on what is read.
    pub limits: Limits,
    /// Extraction of documents' text.
    pub documents: Extraction,
}

impl Inputs {
    /// Takes these paths on disk, within the usual limits.
    pub fn from_paths(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Inputs {
        Inputs {
            paths: paths.into_iter().map(Into::into).collect(),
            files: Files::Disk,
            limits: Limits::standard(),
            documents: Extraction::default(),
        }
    }
}

/// A piece of the output, in order: each file is followed by its text or its tokens.
#[derive(Debug)]
pub enum Piece<'a> {
    /// A file, or an entry of an archive.
    File {
        /// Its path, as people see it.
        name: &'a str,
        /// The language it was read as, and its encoding; `None` if nothing was read.
        read_as: Option<&'a File>,
        /// Losses, reasons why it was left out, and signs of disguise.
        notices: &'a [(Outcome, Message)],
    },
    /// The text of the file.
    Text(&'a str),
    /// A token of the file.
    Token {
        /// Its line, counted from 1.
        line: u64,
        /// Its class: names, numbers and strings of code are compared by that alone.
        class: Class,
        /// Its spelling in the text.
        spelling: &'a str,
    },
}

/// Reads the inputs, and passes what is shown of them to `take`.
///
/// Returns the notices that do not belong to a single file.
///
/// # Errors
/// If a path does not exist or overlaps with another one, the language is unknown, `take` fails, or the run is
/// cancelled.
pub fn run(
    settings: &Settings,
    inputs: &Inputs,
    progress: &dyn Progress,
    take: &mut dyn FnMut(Piece<'_>) -> Result<()>,
) -> Result<Vec<Notice>> {
    let registry = fanmill_lang::registry();
    settings.lang.as_deref().map(|order| registry.check_order(order)).transpose()?;
    let corpus = read(settings.view, inputs, progress)?;
    let (mut read, corpus) = ReadFiles::from_corpus(corpus);
    let config =
        Config::standard().with(|config| config.fingerprints.lang.clone_from(&settings.lang));
    let comparison = pipeline::compare(corpus, &registry, &config, progress)?;
    read.add_losses(&comparison);
    for item in &read.items {
        progress.check()?;
        show(item, settings.view, &comparison, &registry, take)?;
    }
    Ok(read.others)
}

fn read(view: View, inputs: &Inputs, progress: &dyn Progress) -> Result<Corpus> {
    if matches!(inputs.files, Files::Disk) {
        fanmill_source::check_given(&inputs.paths, Role::New)?;
    }
    let options = Options {
        group_by: GroupBy::File,
        files: inputs.files.clone(),
        manifests: Manifests::Texts,
        extractor: inputs.documents.open()?,
        marks: if view == View::Text { Marks::Shown } else { Marks::Nowhere },
        ..Options::everything()
    };
    let mut corpus = Corpus::default();
    progress.begin("reading", 0);
    let budget = Budget::new(inputs.limits.clone());
    fanmill_source::read(&inputs.paths, Role::New, &options, &budget, &mut corpus, progress)?;
    Ok(corpus)
}

/// The files that the inputs lead to.
struct ReadFiles {
    items: Vec<ReadFile>,
    /// Notices that do not belong to an item.
    others: Vec<Notice>,
}

/// A document, or an input without one.
struct ReadFile {
    name: String,
    /// Its number among all documents.
    document: Option<usize>,
    notices: Vec<(Outcome, Message)>,
}

impl ReadFiles {
    /// Puts all documents into one submission, so that nothing is compared.
    fn from_corpus(corpus: Corpus) -> (ReadFiles, Corpus) {
        let (mut items, mut documents) = (Vec::new(), Vec::new());
        let mut by_submission: BTreeMap<String, Vec<Notice>> = BTreeMap::new();
        for notice in corpus.notices {
            by_submission.entry(notice.submission.clone()).or_default().push(notice);
        }
        for submission in corpus.submissions {
            let own = by_submission.remove(&submission.name).into_iter().flatten();
            let mut notices: Vec<_> = own.map(|notice| (notice.outcome, notice.reason)).collect();
            let is_single = submission.documents.len() == 1;
            if submission.documents.is_empty() {
                items.push(ReadFile { name: submission.name, document: None, notices });
                continue;
            }
            for document in submission.documents {
                let name = if is_single { submission.name.clone() } else { document.path.clone() };
                let number = documents.len();
                let notices = std::mem::take(&mut notices);
                items.push(ReadFile { name, document: Some(number), notices });
                // The number keeps the order, and the path still determines the language.
                let path = format!("{number:010}/{}", document.path);
                documents.push(Document { path, ..document });
            }
        }
        let submission =
            Submission { origin: Origin::Folder, ..Submission::new("all", Role::New, documents) };
        let corpus = Corpus { submissions: vec![submission], ..Corpus::default() };
        (ReadFiles { items, others: by_submission.into_values().flatten().collect() }, corpus)
    }

    /// Adds losses and guesses of decoding to the notices of their files.
    fn add_losses(&mut self, comparison: &Comparison) {
        let places =
            self.items.iter().enumerate().filter_map(|(i, item)| Some((item.document?, i)));
        let places: BTreeMap<usize, usize> = places.collect();
        for notice in &comparison.report.notices {
            let number = notice.path.split('/').next().and_then(|number| number.parse().ok());
            let place = number.and_then(|number: usize| places.get(&number));
            if let Some(item) = place.and_then(|&i| self.items.get_mut(i)) {
                item.notices.push((notice.outcome, notice.reason.clone()));
            }
        }
    }
}

fn show(
    item: &ReadFile,
    view: View,
    comparison: &Comparison,
    registry: &Registry,
    take: &mut dyn FnMut(Piece<'_>) -> Result<()>,
) -> Result<()> {
    let ReadFile { name, document, notices } = item;
    let submission = comparison.report.submissions.first();
    let file = document.and_then(|number| submission?.files.get(number));
    take(Piece::File { name, read_as: file, notices })?;
    let Some((number, member)) = document.zip(comparison.members().first()) else {
        return Ok(());
    };
    let Some(document) = member.submission.documents.get(number) else { return Ok(()) };
    let decoded = decode(&document.bytes);
    if view == View::Text {
        return take(Piece::Text(&decoded.text));
    }
    let shown = ShownText::from_decoded(&decoded);
    // Tokens come in order, so places and lines are counted on from the token before.
    let (mut at, mut line, mut outcome) = (0, 1, Ok(()));
    comparison.tokens(registry, 0, number, &decoded, &mut |class, span: Span| {
        if outcome.is_err() {
            return;
        }
        let start = shown.at_from(at, span.start);
        let end = shown.at_from(start, span.end);
        line += memchr::memchr_iter(b'\n', decoded.text[at..start].as_bytes()).count() as u64;
        at = start;
        outcome = take(Piece::Token { line, class, spelling: &decoded.text[start..end] });
    });
    outcome
}

#[cfg(test)]
mod tests {
    use std::fs;

    use fanmill_text::progress::Silent;

    use super::*;

    /// Returns a line for each piece that is shown of files.
    fn shown(files: &[(&str, &[u8])], view: View) -> Vec<String> {
        let place = tempfile::tempdir().expect("a folder");
        for (name, bytes) in files {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, bytes).expect("written");
        }
        let settings = Settings { view, ..Settings::default() };
        let mut lines = Vec::new();
        let others = run(&settings, &Inputs::from_paths([place.path()]), &Silent, &mut |piece| {
            match piece {
                Piece::File { name, read_as, notices } => {
                    let read_as = read_as.map_or("nothing", |file| file.language.as_str());
                    lines.push(format!("{name}: {read_as}"));
                    lines
                        .extend(notices.iter().map(|(outcome, why)| format!("{outcome:?}: {why}")));
                }
                Piece::Text(text) => lines.extend(text.lines().map(|line| format!("  {line}"))),
                Piece::Token { line, class, spelling } => {
                    lines.push(format!("{line} {} {spelling}", class.name()));
                }
            }
            Ok(())
        });
        assert_eq!(others.expect("read"), []);
        lines
    }

    #[test]
    fn each_kind_of_file_is_shown_as_it_is_read() {
        let rtf = b"{\\rtf1 seen\\par {\\v not seen}\\par}";
        let message = b"Subject: Offer\nFrom: a@b\nTo: c@d\n\nbody\n";
        let mailbox = b"From a@b Thu\nSubject: one\n\nx\n\nFrom a@b Thu\nSubject: two\n\ny\n";
        let files: [(&str, &[u8]); 6] = [
            ("a.rtf", rtf),
            ("b.eml", message),
            ("c.mbox", mailbox),
            ("d.txt", b"\xff\xd8\xff\xe0 a picture"),
            ("e.py", b"x = 1\n"),
            ("f.txt", b"caf\xe9 au lait, deux caf\xe9s\n"),
        ];
        let lines = shown(&files, View::Text);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let expected = [
            "a.rtf: words",
            "Flagged: hidden text: 2 words, not compared",
            "  [rtf]",
            "  seen",
            "  [paragraph 2]",
            "  [hidden text: not seen]",
            "b.eml: words",
            "  [message]",
            "  Offer",
            "  ",
            "  body",
            "c.mbox!/000001.eml: words",
            "  [message]",
            "  one",
            "  ",
            "  x",
            "c.mbox!/000002.eml: words",
            "  [message]",
            "  two",
            "  ",
            "  y",
            "d.txt: nothing",
            "Skipped: binary: a JPEG image",
            "e.py: python",
            "  x = 1",
        ];
        assert_eq!(lines[..expected.len()], expected);
        // The last file is in Latin-1, which nothing in it says.
        assert!(lines[expected.len()..].iter().any(|line| line.contains("encoding is a guess")));
        assert_eq!(lines.last(), Some(&"  café au lait, deux cafés"));
    }

    #[test]
    fn tokens_have_their_lines_and_classes() {
        let wide: Vec<u8> =
            "\u{feff}x = 1\n\nif y: 'z'\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let expected = [
            "a.py: python",
            "1 identifier x",
            "1 spelled =",
            "1 number 1",
            "3 keyword if",
            "3 identifier y",
            "3 spelled :",
            "3 string 'z'",
        ];
        for bytes in [b"x = 1\n\nif y: 'z'\n".as_slice(), &wide] {
            let lines = shown(&[("a.py", bytes)], View::Tokens);
            let spelled: Vec<&String> =
                lines.iter().filter(|line| !line.contains("Degraded")).collect();
            assert!(
                expected.iter().all(|line| spelled.iter().any(|own| own == line)),
                "{lines:#?}"
            );
        }
    }
}
