//! File names of clients, turned into paths below a folder of our own.
//!
//! A client sends a path as its user typed it: absolute, with `..`, with `\` on Windows, and possibly the same for two
//! files. Here, parts that are empty, `.` or `..` are dropped, and characters that some file system does not accept are
//! replaced; the extension stays, since it may show the language of a file. A path is never given out twice, and is
//! never the folder of another one. Paths that differ only in case count as equal, as they do on some file systems.
//!
//! Cost: O(length) a name, and memory for all names of a session.

use std::collections::{HashMap, HashSet};

/// Maximum number of parts of a path that are kept: the last ones, which distinguish submissions.
const MAX_PARTS: usize = 16;

/// Longest part, in bytes. File systems accept 255, and a number may need some of them.
const MAX_PART: usize = 100;

/// Longest extension that is kept when a part is cut, in bytes.
const MAX_EXTENSION: usize = 12;

/// The paths that a session has given out, in lower case.
#[derive(Debug, Default)]
pub(crate) struct Names {
    files: HashSet<String>,
    folders: HashSet<String>,
    /// For a path that was taken, the last number that was tried with it.
    numbers: HashMap<String, u32>,
    /// The new name of each folder whose path is that of a file.
    moved: HashMap<String, String>,
}

impl Names {
    /// Returns a path for the file that a client calls `name`: relative, not empty, and separated by `/`.
    pub(crate) fn path(&mut self, name: &str) -> String {
        let parts = parts(name);
        let mut path = String::new();
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                path.push('/');
            }
            path.push_str(part);
            path = if i + 1 < parts.len() { self.folder(path) } else { self.file(path) };
        }
        path
    }

    fn folder(&mut self, path: String) -> String {
        let key = path.to_lowercase();
        if !self.files.contains(&key) {
            self.folders.insert(key);
            return path;
        }
        if let Some(moved) = self.moved.get(&key) {
            return moved.clone();
        }
        let moved = self.numbered(&path);
        self.folders.insert(moved.to_lowercase());
        self.moved.insert(key, moved.clone());
        moved
    }

    fn file(&mut self, path: String) -> String {
        let path = if self.is_taken(&path) { self.numbered(&path) } else { path };
        self.files.insert(path.to_lowercase());
        path
    }

    fn is_taken(&self, path: &str) -> bool {
        let key = path.to_lowercase();
        self.files.contains(&key) || self.folders.contains(&key)
    }

    /// Adds a number to a path to make it new. Numbers only rise, so that many equal names do not cost more.
    fn numbered(&mut self, path: &str) -> String {
        let (folder, name) = path.rsplit_once('/').map_or(("", path), |(f, n)| (f, n));
        let slash = if folder.is_empty() { "" } else { "/" };
        let (stem, extension) = extension(name);
        let mut number = self.numbers.get(&path.to_lowercase()).copied().unwrap_or(1);
        loop {
            number += 1;
            let new = format!("{folder}{slash}{stem}~{number}{extension}");
            if !self.is_taken(&new) {
                self.numbers.insert(path.to_lowercase(), number);
                return new;
            }
        }
    }
}

/// Returns the parts of a path that are kept; at least one.
fn parts(name: &str) -> Vec<String> {
    let kept = name.split(['/', '\\']).map(part).filter(|part| !part.is_empty());
    let mut parts: Vec<String> = kept.collect();
    parts.drain(..parts.len().saturating_sub(MAX_PARTS));
    if parts.is_empty() {
        parts.push("file".to_owned());
    }
    parts
}

/// Removes from a part what file systems refuse; empty if nothing is left, as for `.` and `..`.
fn part(part: &str) -> String {
    let is_odd = |c: char| c.is_control() || "<>:\"|?*".contains(c);
    let clean: String = part.chars().map(|c| if is_odd(c) { '_' } else { c }).collect();
    // Windows drops blanks and dots at the end, so that `..` could reappear.
    let clean = clean.trim().trim_end_matches(['.', ' ']);
    if clean.len() <= MAX_PART {
        return clean.to_owned();
    }
    let (stem, extension) = extension(clean);
    let stem = &stem[..stem.floor_char_boundary(MAX_PART - extension.len())];
    format!("{}{extension}", stem.trim_end())
}

/// Splits a name into its stem, which is not empty, and its extension with the dot, if it has a short one.
fn extension(name: &str) -> (&str, &str) {
    let at = name.rfind('.').filter(|at| (1..=MAX_EXTENSION).contains(&(name.len() - at)));
    name.split_at(at.filter(|at| *at > 0).unwrap_or(name.len()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_stay_below_their_folder() {
        let cases = [
            ("hana/A.java", "hana/A.java"),
            ("/etc/passwd", "etc/passwd"),
            ("../../x.c", "x.c"),
            ("a/./b//../c.py", "a/b/c.py"),
            ("C:\\work\\B x.java", "C_/work/B x.java"),
            ("a/.. /.../b", "a/b"),
            (" a \n.c", "a _.c"),
            (".bashrc", ".bashrc"),
            ("naïve/é.py", "naïve/é.py"),
            ("\u{fffd}.c", "\u{fffd}.c"),
            ("", "file"),
            ("..", "file"),
            ("a\0b", "a_b"),
        ];
        for (name, expected) in cases {
            assert_eq!(Names::default().path(name), expected, "{name:?}");
        }
    }

    #[test]
    fn equal_paths_are_numbered() {
        let mut names = Names::default();
        let given =
            ["a/B.java", "a/b.java", "/a/B.java", "a/B~2.java", "a", "a/B.java/c", "A", "x/y"];
        let paths: Vec<String> = given.iter().map(|name| names.path(name)).collect();
        let expected = [
            "a/B.java",
            "a/b~2.java",
            "a/B~3.java",
            "a/B~2~2.java",
            "a~2",
            "a/B~4.java/c",
            "A~3",
            "x/y",
        ];
        assert_eq!(paths, expected);
        assert_eq!(names.path("a/B.java/d"), "a/B~4.java/d");
    }

    #[test]
    fn long_names_are_cut_and_keep_their_extensions() {
        let path = Names::default().path(&("é".repeat(300) + ".java"));
        assert!(path.len() <= MAX_PART && path.ends_with("é.java"), "{path}");
        let path = Names::default().path(&"ab/".repeat(2000));
        assert_eq!(path, ["ab"; MAX_PARTS].join("/"));
    }

    #[test]
    fn many_equal_names_take_no_square_of_time() {
        let mut names = Names::default();
        let all: HashSet<String> = (0..20_000).map(|_| names.path("a.c")).collect();
        assert_eq!(all.len(), 20_000);
    }

    proptest! {
        #[test]
        fn no_two_files_share_a_path(names in prop::collection::vec("[aA./~2\\\\ é]{0,7}", 0..40)) {
            let mut given = Names::default();
            let paths: Vec<String> = names.iter().map(|name| given.path(name).to_lowercase()).collect();
            let sorted: HashSet<&String> = paths.iter().collect();
            prop_assert_eq!(sorted.len(), paths.len(), "{:?}", paths);
            for path in &paths {
                let is_clean = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
                prop_assert!(is_clean, "{path:?}");
                let below = path.to_owned() + "/";
                prop_assert!(!paths.iter().any(|other| other.starts_with(&below)), "{:?}", paths);
            }
        }
    }
}
