//! A worked case: a Markdown file with documents, settings and the expected passages.
//!
//! Fenced blocks whose info string is a language and a path are documents; the path's first part
//! is the submission, behind `base:` or `archive:` for the other roles. A block `settings` has a
//! setting a line. A block `expect` has one of these a line:
//!
//! ```text
//! ada/A.java:3-9 = bob/B.java:2-8         a passage, by lines, both ends exactly
//! ada/e.md "We … home" = bob/f.md "We … home"   likewise, by its first and last words
//! … moved                                 it stands in another order than the others
//! may ada/A.java:3-4 = bob/B.java:2-3     may be shown: between noise and guarantee
//! grey ada/A.java:1-5 given               boilerplate, `given` or `frequent`
//! ```
//!
//! What is not expected must not be shown. All else is prose, and explains.

use std::fs;
use std::path::{Path, PathBuf};

use fanmill::pipeline::Config;
use fanmill::report::{Passage, Report};
use fanmill_text::document::Role;
use fanmill_text::frontend::Kind;

use crate::compare::Handed;

pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) documents: Vec<Handed>,
    pub(crate) config: Config,
    pub(crate) passages: Vec<Expected>,
    pub(crate) greys: Vec<(Stretch, String)>,
}

/// A passage that a case expects.
#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) line: String,
    pub(crate) is_sure: bool,
    moved: bool,
    a: Stretch,
    b: Stretch,
}

/// Where something stands in a document.
#[derive(Debug)]
pub(crate) struct Stretch {
    submission: String,
    path: String,
    extent: Extent,
}

#[derive(Debug)]
enum Extent {
    Lines(u32, u32),
    Bytes(u32, u32),
}

/// Every case of the repository, by name.
pub(crate) fn all() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases");
    let entries = fs::read_dir(folder).expect("testdata/cases");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Case {
    let text = fs::read_to_string(path).expect("a case");
    let mut case = Case {
        name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
        documents: Vec::new(),
        config: Config::standard(),
        passages: Vec::new(),
        greys: Vec::new(),
    };
    let blocks = blocks(&text);
    for (info, block) in &blocks {
        if let Some((_, path)) = info.split_once(' ') {
            case.documents.push(document(path, block));
        }
    }
    for (info, block) in &blocks {
        let lines = block.lines().filter(|line| !line.trim().is_empty());
        match info.as_str() {
            "settings" => lines.for_each(|line| set(&mut case.config, line)),
            "expect" => lines.for_each(|line| case.expect(line)),
            info => assert!(info.contains(' '), "{}: a block of what? {info:?}", case.name),
        }
    }
    case
}

/// The fenced blocks, each with its info string.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        blocks.push((info.trim().to_owned(), inside.join("\n") + "\n"));
    }
    blocks
}

fn document(path: &str, text: &str) -> Handed {
    let (role, path) = match path.split_once(':') {
        Some(("base", path)) => (Role::Base, path),
        Some(("archive", path)) => (Role::Archive, path),
        _ => (Role::New, path),
    };
    let (submission, path) = path.split_once('/').expect("a submission and a path");
    Handed { role, ..Handed::new(submission, path, text) }
}

fn set(config: &mut Config, line: &str) {
    let (name, value) = line.split_once(' ').expect("a setting and its value");
    let number = || Some(value.parse().expect("a number"));
    match name {
        "noise" => config.fingerprints.noise = number(),
        "guarantee" => config.fingerprints.guarantee = number(),
        "lang" => config.fingerprints.lang = Some(value.to_owned()),
        "quotes" => config.quotes = value.parse().expect("true or false"),
        "max-docs" => config.max_docs = Some(value.parse().expect("a number or a share")),
        _ => panic!("unknown setting {name}"),
    }
}

impl Case {
    fn expect(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("grey ") {
            let (stretch, why) = rest.rsplit_once(' ').expect("why it is grey");
            let stretch = self.stretch(stretch);
            return self.greys.push((stretch, why.to_owned()));
        }
        let (is_sure, rest) = match line.strip_prefix("may ") {
            Some(rest) => (false, rest),
            None => (true, line),
        };
        let (moved, rest) = match rest.strip_suffix(" moved") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let (a, b) = rest.split_once(" = ").unwrap_or_else(|| panic!("{}: {line}", self.name));
        let (a, b) = (self.stretch(a), self.stretch(b));
        self.passages.push(Expected { line: line.to_owned(), is_sure, moved, a, b });
    }

    fn stretch(&self, text: &str) -> Stretch {
        let wrong = || -> ! { panic!("{}: {text}", self.name) };
        let (place, extent) = if let Some((place, quote)) = text.split_once(" \"") {
            let quote = quote.strip_suffix('"').unwrap_or_else(|| wrong());
            (place, self.quoted(place, quote))
        } else {
            let (place, lines) = text.rsplit_once(':').unwrap_or_else(|| wrong());
            let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
            let number = |text: &str| text.parse().expect("a line");
            (place, Extent::Lines(number(first), number(last)))
        };
        let (submission, path) = place.split_once('/').unwrap_or_else(|| wrong());
        let known = |d: &&Handed| d.submission == submission && d.path == path;
        assert!(self.documents.iter().any(|d| known(&d)), "{}: no document {place}", self.name);
        Stretch { submission: submission.to_owned(), path: path.to_owned(), extent }
    }

    /// Where a text stands of which the first and the last words are given.
    fn quoted(&self, place: &str, quote: &str) -> Extent {
        let is_it = |d: &&Handed| format!("{}/{}", d.submission, d.path) == place;
        let document = self.documents.iter().find(is_it).expect("a document of that name");
        let text = std::str::from_utf8(&document.bytes).expect("cases are UTF-8");
        let (head, tail) = quote.split_once('…').unwrap_or((quote, ""));
        let start = text.find(head.trim()).unwrap_or_else(|| panic!("{}: {head}", self.name));
        let from = start + head.trim().len();
        let end = text[from..].find(tail.trim()).unwrap_or_else(|| panic!("{}: {tail}", self.name));
        Extent::Bytes(start as u32, (from + end + tail.trim().len()) as u32)
    }

    /// The noise threshold of one kind of text, in tokens.
    pub(crate) fn noise(&self, kind: Kind) -> u32 {
        self.config.recipe(kind).expect("sound settings").thresholds.noise() as u32
    }
}

impl Expected {
    /// Whether a shown passage is this one.
    pub(crate) fn is(&self, report: &Report, pair: (u32, u32), passage: &Passage) -> bool {
        let (first, last) = (&passage.matches[0], &passage.matches[passage.matches.len() - 1]);
        let forth = self.a.is(report, pair.0, &first.a, &last.a)
            && self.b.is(report, pair.1, &first.b, &last.b);
        let back = self.b.is(report, pair.0, &first.a, &last.a)
            && self.a.is(report, pair.1, &first.b, &last.b);
        (forth || back) && self.moved == passage.moved
    }
}

type Place = fanmill::report::Place;

impl Stretch {
    fn is(&self, report: &Report, submission: u32, first: &Place, last: &Place) -> bool {
        let named = &report.submissions[submission as usize];
        let path = &named.files[first.file as usize].path;
        let extent = match self.extent {
            Extent::Lines(from, to) => (first.first_line, last.last_line) == (from, to),
            Extent::Bytes(from, to) => (first.start, last.end) == (from, to),
        };
        named.name == self.submission && *path == self.path && extent && first.file == last.file
    }

    /// Whether the report greys out exactly these lines for this reason.
    pub(crate) fn is_grey(&self, report: &Report, handed: &[Handed], why: &str) -> bool {
        let Extent::Lines(from, to) = self.extent else { panic!("grey goes by lines") };
        let is_it = |d: &&Handed| d.submission == self.submission && d.path == self.path;
        let text = &handed.iter().find(is_it).expect("a document").bytes;
        let line = |at: u32| text[..at as usize].split(|&byte| byte == b'\n').count();
        let named = report.submissions.iter().filter(|known| known.name == self.submission);
        let files = named.flat_map(|known| &known.files).filter(|file| file.path == self.path);
        files.flat_map(|file| &file.boilerplate).any(|grey| {
            (line(grey.start), line(grey.end - 1)) == (from as usize, to as usize)
                && grey.why.name() == why
        })
    }
}
