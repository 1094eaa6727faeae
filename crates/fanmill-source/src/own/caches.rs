//! Folders that a tool marks as a cache: Cargo's `target`, and those of other build tools.
//!
//! Only files of the kinds that builds write there are set apart: a program that somebody puts into a marked folder is read,
//! and so is a script without an extension.
//!
//! Cost: O(n) in the number of files and marked folders.
//! Source: Cache Directory Tagging Specification 0.6; the folders that Cargo, pytest, mypy and Ruff write.

use fanmill_text::document::Document;

use super::environments::is_below;
use super::{extension, file_name};

/// Extensions of the texts that builds write, besides files without any.
const KINDS: [&str; 9] = ["TAG", "bin", "d", "json", "lock", "log", "o", "timestamp", "xml"];

/// Number of bytes up to which a file without an extension is a note of a build.
const LONGEST_NOTE: usize = 100;

const MARK: &str = "CACHEDIR.TAG";

/// The beginning that the specification asks for.
const SIGNATURE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";

/// Returns, for each document, the marked folder that it belongs to; `None` for all others.
pub(super) fn cached(documents: &[Document]) -> Vec<Option<String>> {
    // A mark at the top would make a cache of the whole submission.
    let folder_of = |document: &Document| {
        let (folder, name) = document.path.rsplit_once('/')?;
        (name == MARK && document.bytes.starts_with(SIGNATURE)).then(|| folder.to_owned())
    };
    let folders: Vec<String> = documents.iter().filter_map(folder_of).collect();
    if folders.is_empty() {
        return vec![None; documents.len()];
    }
    let folder = |path: &str| folders.iter().find(|folder| is_below(path, folder));
    let cached = |document: &Document| {
        let own = extension(&document.path);
        // Builds keep hashes and stamps in files without an extension, and what they print.
        let is_note = || {
            let name = file_name(&document.path);
            document.bytes.len() <= LONGEST_NOTE
                || matches!(name, "output" | "root-output" | "stderr")
        };
        let is_kind = if own.is_empty() { is_note() } else { KINDS.contains(&own) };
        folder(&document.path).filter(|_| is_kind).cloned()
    };
    documents.iter().map(cached).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(files: &[(&str, &[u8])]) -> Vec<String> {
        let documents: Vec<Document> =
            files.iter().map(|&(path, text)| Document::new(path, text)).collect();
        let found = documents.iter().zip(cached(&documents));
        found.filter(|(_, folder)| folder.is_some()).map(|(one, _)| one.path.clone()).collect()
    }

    #[test]
    fn a_marked_folder_is_set_apart_but_for_programs() {
        let script = [b"#!/bin/sh\n".as_slice(), &b"echo mine\n".repeat(12)].concat();
        let files: [(&str, &[u8]); 5] = [
            ("target/solve", &script),
            ("README.md", b"All is in target."),
            ("target/CACHEDIR.TAG", SIGNATURE),
            ("target/debug/homework.d", b"homework: src/main.rs"),
            ("target/hidden.rs", b"fn solve() {}"),
        ];
        assert_eq!(apart(&files), ["target/CACHEDIR.TAG", "target/debug/homework.d"]);
    }

    #[test]
    fn a_false_mark_hides_nothing() {
        assert_eq!(apart(&[("work/CACHEDIR.TAG", b"mine"), ("work/a.c", b"")]), [""; 0]);
        assert_eq!(apart(&[("CACHEDIR.TAG", SIGNATURE), ("a.c", b"")]), [""; 0]);
    }
}
