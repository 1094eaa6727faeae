//! Code that two programs took from one public source: a class that reads input fast, a table of Base64.
//!
//! Sixty tokens in a row with the same spelling, names and literals included, are not a coincidence, but they do not
//! show that one of the two copied from the other. In contests, most of these runs are classes for reading input, found
//! on the web. The shortest run that was read and found public had 62 tokens, and the longest run of two independent
//! solutions 50.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Length in tokens of a run that is not a coincidence.
const RUN: usize = 60;

/// Returns the hashes of all runs of [`RUN`] tokens, ascending.
pub(super) fn runs(text: &str) -> Vec<u64> {
    let tokens = tokens(text);
    let hash = |run: &[&str]| {
        let mut hasher = DefaultHasher::new();
        run.hash(&mut hasher);
        hasher.finish()
    };
    let mut runs: Vec<u64> = tokens.windows(RUN).map(hash).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

/// Returns whether two programs share a run.
pub(super) fn is_shared(a: &[u64], b: &[u64]) -> bool {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.iter().any(|run| many.binary_search(run).is_ok())
}

/// Returns words and single other characters, without comments.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let length = if word == 0 { first.len_utf8() } else { word };
            tokens.push(&rest[..length]);
            length
        };
        rest = rest[length..].trim_start();
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_layout_do_not_matter() {
        assert_eq!(
            tokens("int a_1 = b[2]; // c\n/* d */ ü++"),
            ["int", "a_1", "=", "b", "[", "2", "]", ";", "ü", "+", "+"]
        );
        let lines: Vec<String> = (0..30).map(|i| format!("x{i} = {i};\n")).collect();
        let body = lines.concat();
        let (a, b) = (format!("class A {{ {body}"), format!("y; /* 1 */ {body} z"));
        assert!(is_shared(&runs(&a), &runs(&b)));
        assert!(!is_shared(&runs(&a), &runs(&body.replace('x', "y"))));
    }
}
