//! Names turned into labels: text for people, never a path to open.
//!
//! A name from a disk or an archive is bytes that anyone may have chosen: absolute, climbing with `..`, not UTF-8, used
//! twice, or with newlines and markup in it. A label keeps what the name says and drops what it would do:
//! `..\..\etc/passwd` becomes `etc/passwd`. Control characters stay; a label is escaped where it is written to a
//! terminal, a page or a table.
//!
//! Cost: O(n) in the length of the name.

use std::borrow::Cow;
use std::collections::BTreeMap;

use fanmill_text::readable::readable_bytes;

/// Label of a name that holds nothing else.
const NAMELESS: &str = "(no name)";

/// Maximum length of a label in bytes: Linux's `PATH_MAX`. A tar entry can claim a name of a gigabyte.
const LONGEST: usize = 4096;

/// Folders and files that tools leave behind and nobody hands in on purpose. Only names that cannot be anything else
/// are listed: students also call their own folders `build`, `bin` and `target`.
const LITTER: [&str; 24] = [
    ".git",
    ".svn",
    ".hg",
    ".bzr",
    "CVS",
    "_darcs",
    "__MACOSX",
    "node_modules",
    "__pycache__",
    ".idea",
    ".vscode",
    ".vs",
    ".gradle",
    ".settings",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".pytest_cache",
    ".tox",
    ".venv",
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
    ".localized",
    ".Spotlight-V100",
];

/// Returns the label of an archive entry's name: `/` between parts, and no `.`, `..`, root or drive letter.
///
/// | name | label |
/// |---|---|
/// | `src\Main.java` | `src/Main.java` |
/// | `../../etc/passwd` | `etc/passwd` |
/// | `C:\a\..\b` | `b` |
/// | `/` | `(no name)` |
pub(super) fn label(name: &str) -> String {
    label_of(tail(name).split(['/', '\\']))
}

/// Returns the label of a name given in parts.
fn label_of<'n>(name: impl Iterator<Item = &'n str>) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in name {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    if parts.first().is_some_and(|part| is_drive(part)) {
        parts.remove(0);
    }
    if parts.is_empty() { NAMELESS.to_owned() } else { parts.join("/") }
}

/// Returns the last `LONGEST` bytes, marked with `…` when that is not all: the extension must stay.
fn tail(name: &str) -> Cow<'_, str> {
    if name.len() <= LONGEST {
        return name.into();
    }
    let mut start = name.len() - LONGEST;
    while !name.is_char_boundary(start) {
        start += 1;
    }
    format!("…{}", &name[start..]).into()
}

fn is_drive(part: &str) -> bool {
    matches!(part.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

/// Returns the part of `path` that ends with the first piece of litter in it: folders and files that tools leave
/// behind.
pub fn litter(path: &str) -> Option<&str> {
    let mut end = 0;
    for part in path.split('/') {
        end += part.len();
        if LITTER.contains(&part) {
            return Some(&path[..end]);
        }
        end += 1;
    }
    None
}

/// Distinct names as text: bytes that are not UTF-8 are written as [`readable`](fanmill_text::readable) does, which another
/// name may spell out.
#[derive(Debug, Default)]
pub(super) struct DistinctText {
    seen: BTreeMap<String, Vec<Vec<u8>>>,
}

impl DistinctText {
    /// Returns the label of a path given in bytes.
    pub(super) fn label(&mut self, path: &[u8]) -> String {
        let parts = path.split(|byte| matches!(byte, b'/' | b'\\'));
        let parts: Vec<String> = parts.map(|part| self.text(part)).collect();
        tail(&label_of(parts.iter().map(String::as_str))).into_owned()
    }

    /// Returns `bytes` as text; the second, third … name to give the same text gets ` (2)`, ` (3)` …
    pub(super) fn text(&mut self, bytes: &[u8]) -> String {
        let text = readable_bytes(bytes).into_owned();
        if !text.contains("\\x") {
            return text;
        }
        let alike = self.seen.entry(text.clone()).or_default();
        let place = alike.iter().position(|known| known == bytes).unwrap_or_else(|| {
            alike.push(bytes.to_owned());
            alike.len() - 1
        });
        if place == 0 { text } else { numbered(&text, place + 1) }
    }
}

/// Names handed out so far, so that none is handed out twice.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Each name taken, with the number that its next namesake gets.
    taken: BTreeMap<String, usize>,
}

impl Names {
    /// Returns `name`, or the first of `name (2)`, `name (3)` … that is free.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let Some(&next) = self.taken.get(name) else {
            self.taken.insert(name.to_owned(), 2);
            return name.to_owned();
        };
        let mut number = next;
        let mut fresh = numbered(name, number);
        while self.taken.contains_key(&fresh) {
            number += 1;
            fresh = numbered(name, number);
        }
        self.taken.insert(name.to_owned(), number + 1);
        self.taken.insert(fresh.clone(), 2);
        fresh
    }
}

/// Inserts a number before the extension, which names the language: `src/Main (2).java`.
fn numbered(name: &str, number: usize) -> String {
    let file = name.rfind('/').map_or(0, |slash| slash + 1);
    match name[file..].rfind('.') {
        Some(dot) if dot > 0 => {
            let (stem, extension) = name.split_at(file + dot);
            format!("{stem} ({number}){extension}")
        }
        _ => format!("{name} ({number})"),
    }
}

/// The way to an input below the given path: its first part, which may be its submission, and the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trail {
    pub(super) head: String,
    /// `/` or `!/`, between head and tail.
    joint: &'static str,
    /// Empty for an input at the top.
    pub(super) tail: String,
}

/// Returns the extension of a name, behind its last dot, in lower case.
pub fn extension(name: &str) -> Option<String> {
    name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase())
}

impl Trail {
    /// Returns the trail to `label`, whose first part is its head.
    pub(super) fn top(label: &str) -> Trail {
        match label.split_once('/') {
            Some((head, tail)) => {
                Trail { head: head.to_owned(), joint: "/", tail: tail.to_owned() }
            }
            None => Trail::whole(label),
        }
    }

    /// Returns the trail to `label`, which is a head however many parts it has.
    pub(super) fn whole(label: &str) -> Trail {
        Trail { head: label.to_owned(), joint: "/", tail: String::new() }
    }

    /// Returns the trail to `label` in the folder that this one leads to.
    pub(super) fn join(&self, label: &str) -> Trail {
        self.with("/", label)
    }

    /// Returns the trail to the entry `label` of the archive that this one leads to.
    pub(super) fn enter(&self, label: &str) -> Trail {
        self.with("!/", label)
    }

    fn with(&self, joint: &'static str, label: &str) -> Trail {
        if self.tail.is_empty() {
            return Trail { head: self.head.clone(), joint, tail: label.to_owned() };
        }
        let tail = format!("{}{joint}{label}", self.tail);
        Trail { head: self.head.clone(), joint: self.joint, tail }
    }

    /// Returns the whole trail.
    pub(super) fn full(&self) -> String {
        if self.tail.is_empty() {
            return self.head.clone();
        }
        format!("{}{}{}", self.head, self.joint, self.tail)
    }

    /// Returns the tail, or the head if there is no tail.
    pub(super) fn inner(&self) -> &str {
        if self.tail.is_empty() { &self.head } else { &self.tail }
    }

    /// Returns the part of `piece`, the start of the whole trail, that lies behind the head; `None` if nothing does.
    pub(super) fn in_submission<'p>(&self, piece: &'p str) -> Option<&'p str> {
        piece.get(self.head.len() + self.joint.len()..).filter(|inside| !inside.is_empty())
    }

    /// Returns the last part: the file's own name.
    pub(super) fn name(&self) -> &str {
        let inner = self.inner();
        inner.rsplit('/').next().unwrap_or(inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_label_says_but_does_not_climb() {
        let cases = [
            ("src\\Main.java", "src/Main.java"),
            ("../../etc/passwd", "etc/passwd"),
            ("/etc/passwd", "etc/passwd"),
            ("C:\\a\\..\\b", "b"),
            ("a/./b//c", "a/b/c"),
            ("a:b/c", "a:b/c"),
            ("", NAMELESS),
            ("/", NAMELESS),
            ("..", NAMELESS),
            ("x\n<b>\u{1b}[31m\"'", "x\n<b>\u{1b}[31m\"'"),
            ("a\0b", "a\0b"),
        ];
        for (name, expected) in cases {
            assert_eq!(label(name), expected, "{name:?}");
        }
    }

    #[test]
    fn a_long_name_keeps_its_end() {
        let long = label(&format!("{}é.java", "x".repeat(LONGEST)));
        assert!(long.len() <= LONGEST + "…".len());
        assert!(long.starts_with('…') && long.ends_with("é.java"));
    }

    #[test]
    fn numbers_go_before_the_extension() {
        assert_eq!(numbered("src/Main.java", 2), "src/Main (2).java");
        assert_eq!(numbered("a.b/Makefile", 3), "a.b/Makefile (3)");
        assert_eq!(numbered(".profile", 2), ".profile (2)");
    }

    #[test]
    fn names_are_handed_out_once() {
        let mut names = Names::default();
        let given = ["a", "a (2)", "a", "a", "b"].map(|name| names.unique(name));
        assert_eq!(given, ["a", "a (2)", "a (3)", "a (4)", "b"]);
    }

    #[test]
    fn names_that_are_not_utf8_stay_distinct() {
        let mut lossy = DistinctText::default();
        assert_eq!(lossy.text(b"a\xfe"), r"a\xfe");
        assert_eq!(lossy.text(b"a\xff"), r"a\xff");
        assert_eq!(lossy.text(br"a\xff"), r"a\xff (2)");
        assert_eq!(lossy.text(b"a\xff"), r"a\xff");
        assert_eq!(lossy.text("a\u{FFFD}".as_bytes()), "a\u{FFFD}");
        assert_eq!(lossy.label(b"./b\\a\xfe"), r"b/a\xfe");
    }

    #[test]
    fn litter_is_found_at_any_depth() {
        assert_eq!(litter("ada/.git/objects/12"), Some("ada/.git"));
        assert_eq!(litter("__MACOSX/._a"), Some("__MACOSX"));
        assert_eq!(litter("ada/.DS_Store"), Some("ada/.DS_Store"));
        assert_eq!(litter("ada/.gitignore"), None);
        assert_eq!(litter("ada/build/Main.java"), None);
    }

    #[test]
    fn a_trail_knows_its_submission() {
        let trail = Trail::top("ada/work.zip").enter("src/Main.java");
        assert_eq!(trail.head, "ada");
        assert_eq!(trail.inner(), "work.zip!/src/Main.java");
        assert_eq!(trail.full(), "ada/work.zip!/src/Main.java");
        assert_eq!(trail.name(), "Main.java");
        assert_eq!(Trail::top("ada.zip").enter("Main.java").full(), "ada.zip!/Main.java");
    }

    proptest! {
        #[test]
        fn no_label_climbs_or_starts_at_a_root(name in r"[a-zC:./\\\x00-\x1f]{0,40}") {
            let label = label(&name);
            prop_assert!(!label.is_empty() && !label.starts_with('/') && !label.contains('\\'));
            prop_assert!(label.split('/').all(|part| !matches!(part, "" | "." | "..")));
        }

        #[test]
        fn no_name_is_given_twice(asked in prop::collection::vec("(a|b)( \\(2\\)| \\(3\\))?", 0..60)) {
            let mut names = Names::default();
            let mut given: Vec<_> = asked.iter().map(|name| names.unique(name)).collect();
            given.sort();
            given.dedup();
            prop_assert_eq!(given.len(), asked.len());
        }
    }
}
