//! Path patterns, which say what files are read and what files are not.
//!
//! `*` matches anything within a part, `?` one character, `**` anything across parts, `[a-z]` and `[!a-z]` one
//! character of a set; everything else matches itself, case included. A pattern without `/` is compared with the file's
//! name, one with `/` with its whole path. Case counts in extensions too, as it does on the disks that archives come
//! from: `*.[jJ]ava`.
//!
//! Cost: O(pattern × path) on any input, which a backtracking matcher does not promise. `globset` does promise it;
//! `design/inputs.md` says why it is not used.

use crate::error::{Error, Result};

/// One checked pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    steps: Vec<Step>,
    whole_path: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Char(char),
    AnyChar,
    Set {
        ranges: Vec<(char, char)>,
        negated: bool,
    },
    /// `*`: any number of characters except `/`.
    Part,
    /// `**`: any number of characters.
    Path,
    /// `**/`: skips or enters the [`Step::Folders`] that always follows it.
    MaybeFolders,
    /// Any number of characters up to and including a `/`.
    Folders,
}

impl Glob {
    /// Checks and compiles a pattern.
    ///
    /// # Errors
    /// If it is empty, or a `[` is not closed.
    pub fn new(pattern: &str) -> Result<Glob> {
        if pattern.is_empty() {
            return Err(Error::setting("a pattern is empty; write * to match every file"));
        }
        let mut steps = Vec::new();
        let mut rest = pattern.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '*' if rest.next_if_eq(&'*').is_none() => steps.push(Step::Part),
                '*' if rest.next_if_eq(&'/').is_none() => steps.push(Step::Path),
                '*' => steps.extend([Step::MaybeFolders, Step::Folders]),
                '?' => steps.push(Step::AnyChar),
                '[' => steps.push(set(pattern, &mut rest)?),
                c => steps.push(Step::Char(c)),
            }
        }
        Ok(Glob { steps, whole_path: pattern.contains('/') })
    }

    /// Returns whether the pattern matches `path`, or only its last part if the pattern has no `/`.
    pub fn matches(&self, path: &str) -> bool {
        let text = if self.whole_path { path } else { path.rsplit('/').next().unwrap_or(path) };
        // alive[i]: steps[..i] match the text read so far.
        let mut alive = vec![false; self.steps.len() + 1];
        alive[0] = true;
        self.pass_stars(&mut alive);
        for c in text.chars() {
            let mut next = vec![false; alive.len()];
            for (i, step) in self.steps.iter().enumerate().filter(|&(i, _)| alive[i]) {
                match step {
                    Step::Path => next[i] = true,
                    Step::Part => next[i] |= c != '/',
                    Step::MaybeFolders => {}
                    Step::Folders => {
                        next[i] = true;
                        next[i + 1] |= c == '/';
                    }
                    Step::AnyChar => next[i + 1] |= c != '/',
                    Step::Char(own) => next[i + 1] |= c == *own,
                    Step::Set { ranges, negated } => {
                        let inside = ranges.iter().any(|&(low, high)| (low..=high).contains(&c));
                        next[i + 1] |= c != '/' && inside != *negated;
                    }
                }
            }
            alive = next;
            self.pass_stars(&mut alive);
        }
        alive[self.steps.len()]
    }

    /// Passes over stars, which may match nothing: whatever reaches a star also reaches what follows it.
    fn pass_stars(&self, alive: &mut [bool]) {
        for (i, step) in self.steps.iter().enumerate() {
            match step {
                Step::Part | Step::Path => alive[i + 1] |= alive[i],
                Step::MaybeFolders => {
                    alive[i + 1] |= alive[i];
                    alive[i + 2] |= alive[i];
                }
                _ => {}
            }
        }
    }
}

/// Reads a set up to its `]`; the `[` has been read.
fn set(pattern: &str, rest: &mut impl Iterator<Item = char>) -> Result<Step> {
    let open = || {
        Error::setting(format!("pattern {pattern:?} has a [ without its ]; write [[] for itself"))
    };
    let mut members: Vec<char> = Vec::new();
    loop {
        match rest.next().ok_or_else(open)? {
            ']' if !members.is_empty() && members != ['!'] => break,
            c => members.push(c),
        }
    }
    let negated = members[0] == '!';
    let mut members = &members[usize::from(negated)..];
    let mut ranges = Vec::new();
    while let [low, after @ ..] = members {
        if let ['-', high, after @ ..] = after {
            ranges.push((*low, *high));
            members = after;
        } else {
            ranges.push((*low, *low));
            members = after;
        }
    }
    Ok(Step::Set { ranges, negated })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, path: &str) -> bool {
        Glob::new(pattern).expect("a good pattern").matches(path)
    }

    #[test]
    fn patterns_fit_what_their_table_says() {
        let cases = [
            ("*.java", "src/Main.java", true),
            ("*.java", "src/Main.javac", false),
            ("src/*.java", "src/Main.java", true),
            ("src/*.java", "src/a/Main.java", false),
            ("src/**/*.java", "src/a/b/Main.java", true),
            ("src/**/*.java", "src/Main.java", true),
            ("**/test/**", "a/test/b.c", true),
            ("**/test/**", "test/b.c", true),
            ("**/test/**", "protest/b.c", false),
            ("src/**/a.c", "src/ba.c", false),
            ("test_?.py", "test_1.py", true),
            ("[!a-c]*", "dora", true),
            ("[!a-c]*", "ada", false),
            ("[]x]", "]", true),
            ("[a-]", "-", true),
            ("é*", "été", true),
            ("*", "", true),
        ];
        for (pattern, path, expected) in cases {
            assert_eq!(fits(pattern, path), expected, "{pattern} against {path}");
        }
    }

    #[test]
    fn a_pattern_of_stars_takes_no_time() {
        assert!(!fits(&"*a".repeat(200), &"a".repeat(199)));
        assert!(fits(&"**a".repeat(50), &"a".repeat(4000)));
    }

    #[test]
    fn a_broken_pattern_is_the_users_setting() {
        assert!(Glob::new("[a-").expect_err("open set").is_setting());
        assert!(Glob::new("").expect_err("empty").is_setting());
    }
}
