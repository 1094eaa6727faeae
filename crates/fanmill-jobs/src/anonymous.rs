//! Pseudonyms for a report that is shown to others: it contains no name of a person, folder or file.
//!
//! Submissions are renamed before they are compared, so whatever is made from the report has the new names: table,
//! JSON, CSV and page. They are numbered by the size and content of what was handed in, which reveals nothing about who
//! is who. A file keeps the ending that determines how it is read, so scores stay what they were. Texts are compared
//! unchanged; where a page shows them, words that occur in a name are covered by as many `x` as they have bytes, so all
//! positions stay the same.

use fanmill_text::message::{Message, Part};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use fanmill_report::{Compared, Texts};
use fanmill_text::document::{Corpus, Document, Origin, Role, Submission};
use fanmill_text::frontend::{Decoded, Registry, decode};
use fanmill_text::span::Span;
use fanmill_text::token::Class;

/// The words of the names that were replaced, in lower case.
#[derive(Debug, Default)]
pub(crate) struct Names {
    words: BTreeSet<String>,
}

/// Words in names of folders that identify nobody.
const COMMON: [&str; 20] = [
    "archive",
    "assignment",
    "assignsubmission",
    "essay",
    "essays",
    "file",
    "files",
    "group",
    "homework",
    "late",
    "main",
    "onlinetext",
    "src",
    "student",
    "students",
    "submission",
    "submissions",
    "test",
    "tests",
    "txt",
];

/// Renames submissions, files and labels, also in notices and lists, and removes authors. Returns the words of the old
/// names.
pub(crate) fn rename(corpus: &mut Corpus, registry: &Registry) -> Names {
    let names = Names::from_corpus(corpus);
    let mut new_names = BTreeMap::new();
    let mut labels = BTreeMap::new();
    // Numbers that followed the old names would reveal the order of these.
    corpus.submissions.sort_by(|a, b| {
        (a.role, a.n_bytes()).cmp(&(b.role, b.n_bytes())).then_with(|| contents(a).cmp(contents(b)))
    });
    let digits = corpus.submissions.len().to_string().len();
    let mut last = (Role::New, 0);
    for submission in &mut corpus.submissions {
        last = if submission.role == last.0 { (last.0, last.1 + 1) } else { (submission.role, 1) };
        let name = format!("{} {:0digits$}", title(submission.role), last.1);
        let old = std::mem::replace(&mut submission.name, name.clone());
        new_names.insert((submission.role, old), name);
        submission.author = None;
        if let Some(label) = &mut submission.label {
            let number = labels.len() + 1;
            label.clone_from(
                labels.entry(label.clone()).or_insert_with(|| format!("Group {number}")),
            );
        }
    }
    let mut paths = BTreeMap::new();
    let old_names: BTreeMap<&String, &(Role, String)> =
        new_names.iter().map(|(old, new)| (new, old)).collect();
    for submission in &mut corpus.submissions {
        let digits = submission.documents.len().to_string().len();
        let (role, old_name) = old_names[&submission.name];
        for (i, document) in submission.documents.iter_mut().enumerate() {
            let path = names.path(document, &format!("file {:0digits$}", i + 1), registry);
            let old = std::mem::replace(&mut document.path, path.clone());
            paths.insert((*role, old_name.clone(), old), path);
        }
    }
    for notice in &mut corpus.notices {
        let old = (notice.role, notice.submission.clone(), notice.path.clone());
        notice.path = paths.get(&old).cloned().unwrap_or_else(|| "a file".to_owned());
        let name = new_names.get(&(old.0, old.1));
        notice.submission = name.cloned().unwrap_or_default();
        let covered = notice.reason.parts().map(|part| match part {
            Part::Words(words) => Message::from(names.cover(words)),
            part => part.into(),
        });
        notice.reason = covered.collect();
    }
    corpus.notices.sort();
    for (i, list) in corpus.lists.iter_mut().enumerate() {
        *list = format!("list {}", i + 1);
    }
    names
}

fn title(role: Role) -> &'static str {
    match role {
        Role::New => "Submission",
        Role::Archive => "Archived",
        Role::Base => "Base",
    }
}

/// Returns the contents of a submission's files, without their names.
fn contents(submission: &Submission) -> impl Iterator<Item = &[u8]> {
    submission.documents.iter().map(|document| document.bytes.as_slice())
}

/// Returns the name of a submission. If it is a file, an ending such as `.java` is left out, as that identifies nobody.
fn without_ending(submission: &Submission) -> &str {
    let is_file = !matches!(submission.origin, Origin::Folder | Origin::Person);
    let ending = submission.name.rsplit_once('.').filter(|(_, ending)| ending.len() <= 5);
    ending.filter(|_| is_file).map_or(&submission.name, |(stem, _)| stem)
}

impl Names {
    fn from_corpus(corpus: &Corpus) -> Names {
        let mut names = Names::default();
        for submission in &corpus.submissions {
            names.add(without_ending(submission));
            submission.author.iter().for_each(|author| names.add(author));
        }
        corpus.notices.iter().for_each(|notice| names.add(&notice.submission));
        names
    }

    fn add(&mut self, name: &str) {
        for word in pieces(name) {
            let word = word.to_lowercase();
            let is_small_number = word.len() < 4 && word.bytes().all(|byte| byte.is_ascii_digit());
            if word.chars().count() > 1 && !is_small_number && !COMMON.contains(&word.as_str()) {
                self.words.insert(word);
            }
        }
    }

    /// Returns a new path for a document, under which the same front end reads it.
    fn path(&self, document: &Document, name: &str, registry: &Registry) -> String {
        let decoded = decode(&document.bytes);
        let reader = |path: &str| {
            registry
                .choose(path, &decoded.text, None)
                .map(|choice| (choice.front_end.name(), choice.why))
                .ok()
        };
        let wanted = reader(&document.path);
        let last = document.path.rsplit(['/', '\\']).next().unwrap_or_default();
        let endings: Vec<&str> = last.split('.').skip(1).collect();
        let ending = endings
            .last()
            .filter(|ending| !self.words.contains(&ending.to_lowercase()) && ending.len() <= 8);
        let simple = ending.map_or_else(|| name.to_owned(), |ending| format!("{name}.{ending}"));
        let inner =
            endings.iter().map(|inner| format!("{name}.{inner}.{}", ending.unwrap_or(inner)));
        let known = endings.iter().map(|ending| format!("{name}.{ending}"));
        // A name such as `Makefile` determines how the file is read, and identifies nobody.
        let whole = std::iter::once(format!("{name}/{last}"));
        let mut candidates = std::iter::once(simple.clone()).chain(inner).chain(known).chain(whole);
        candidates.find(|path| reader(path) == wanted).unwrap_or(simple)
    }

    /// Covers every word of a name in the text with `x`, byte for byte.
    fn cover<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut covered = String::new();
        let mut rest = 0;
        for piece in pieces(text) {
            if !self.words.contains(&piece.to_lowercase()) {
                continue;
            }
            let start = piece.as_ptr() as usize - text.as_ptr() as usize;
            covered.push_str(text.get(rest..start).unwrap_or_default());
            covered.extend(std::iter::repeat_n('x', piece.len()));
            rest = rest.max(start + piece.len());
        }
        if covered.is_empty() {
            return Cow::Borrowed(text);
        }
        covered.push_str(&text[rest..]);
        Cow::Owned(covered)
    }
}

/// Splits a text into words, and words where `camelCase` or a number joins them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).flat_map(|run| {
        let mut starts = vec![0];
        let chars: Vec<(usize, char)> = run.char_indices().collect();
        for two in chars.windows(2) {
            let [(_, before), (at, after)] = [two[0], two[1]];
            if before.is_lowercase() && after.is_uppercase()
                || before.is_numeric() != after.is_numeric()
            {
                starts.push(at);
            }
        }
        starts.push(run.len());
        starts.windows(2).filter_map(|two| run.get(two[0]..two[1])).collect::<Vec<_>>()
    })
}

/// The texts of a comparison with names covered.
pub(crate) struct Covered<'a> {
    pub(crate) texts: Compared<'a>,
    pub(crate) names: &'a Names,
}

impl Texts for Covered<'_> {
    fn text(&self, submission: u32, file: u32) -> Option<Decoded<'_>> {
        let mut decoded = self.texts.text(submission, file)?;
        if let Cow::Owned(covered) = self.names.cover(&decoded.text) {
            decoded.text = Cow::Owned(covered);
        }
        Some(decoded)
    }

    fn tokens(
        &self,
        submission: u32,
        file: u32,
        decoded: &Decoded<'_>,
        take: &mut dyn FnMut(Class, Span),
    ) {
        // The tokens that were compared, not those of the covered text.
        match self.texts.text(submission, file) {
            Some(compared) => self.texts.tokens(submission, file, &compared, take),
            None => self.texts.tokens(submission, file, decoded, take),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(given: &[&str]) -> Names {
        let mut names = Names::default();
        for name in given {
            names.add(name);
        }
        names
    }

    #[test]
    fn names_are_covered_in_words_and_in_parts_of_words() {
        let names = names(&["Ada Lindqvist_1011840_assignsubmission_file", "Jürgen Müller", "Li"]);
        for (text, covered) in [
            ("by ADA lindqvist, group 3", "by xxx xxxxxxxxx, group 3"),
            ("adaSort(sortAda, ada_sort) // 1011840", "xxxSort(sortxxx, xxx_sort) // xxxxxxx"),
            ("Müller müller", "xxxxxxx xxxxxxx"),
            ("Canada, list of files", "Canada, list of files"),
        ] {
            assert_eq!(names.cover(text), covered);
            assert_eq!(names.cover(text).len(), text.len());
        }
    }

    #[test]
    fn a_file_is_read_as_before_under_its_new_name() {
        let registry = fanmill_lang::registry();
        let names = names(&["ada"]);
        for (path, text, renamed) in [
            ("ada/Ada.java", "class A {}", "file 1.java"),
            ("ada/ada.java.txt", "class A { int f() { return 1; } }", "file 1.java.txt"),
            ("ada/Makefile", "all:\n\tcc x.c\n", "file 1/Makefile"),
            ("ada/notes", "some words of prose", "file 1"),
        ] {
            let document = Document::new(path, text);
            assert_eq!(names.path(&document, "file 1", &registry), renamed);
        }
    }
}
