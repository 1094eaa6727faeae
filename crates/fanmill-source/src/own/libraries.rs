//! Libraries of others that were handed in with a program: minified, or whole under their own banner.
//!
//! Cost: O(n) for scripts and style sheets, O(1) for others.

use memchr::{memchr_iter, memmem};

use super::extension;

/// Number of bytes at the start in which a banner must be.
const HEAD: usize = 1000;

/// Length of a line from which on it was made by a tool that takes line breaks out.
const PACKED_LINE: usize = 1000;

/// Size from which on a banner's name that is all over a file is taken for what it says.
const LEAST_WHOLE: usize = 40_000;

/// Libraries that programs of courses hold, by the names in their banners and in their code.
const LIBRARIES: [(&str, &str); 14] = [
    ("jQuery JavaScript Library", "jQuery"),
    ("Bootstrap v", "bootstrap"),
    ("Bootstrap  v", "bootstrap"),
    ("@license React", "React"),
    ("react-dom.", "React"),
    ("Vue.js v", "Vue"),
    ("AngularJS v", "angular"),
    ("three.js", "THREE"),
    ("@license\n * Lodash", "lodash"),
    ("p5.js v", "p5"),
    ("d3js.org", "d3"),
    ("//! moment.js", "moment"),
    ("Chart.js v", "Chart"),
    ("normalize.css v", "webkit"),
];

/// Marks of tools that pack modules to one file.
const PACKERS: [&[u8]; 4] =
    [b"__webpack_require__", b"webpackJsonp", b"sourceMappingURL=", b"webpackChunk"];

/// Returns what a script or style sheet is if it is somebody else's library or a packed bundle.
pub(super) fn library(path: &str, bytes: &[u8]) -> Option<String> {
    if !["js", "mjs", "cjs", "css"].contains(&extension(path)) {
        return None;
    }
    let head = &bytes[..bytes.len().min(HEAD)];
    let has = |text: &[u8], mark: &[u8]| memmem::find(text, mark).is_some();
    if is_packed(bytes) {
        if memmem::find(head, b"/*!").is_some() || has(head, b"@license") {
            return Some("a packed library under its banner".to_owned());
        }
        if PACKERS.iter().any(|mark| has(bytes, mark)) {
            return Some("a packed bundle".to_owned());
        }
    }
    let is_whole = |(banner, name): &&(&str, &str)| {
        bytes.len() >= LEAST_WHOLE
            && has(head, banner.as_bytes())
            && memmem::find_iter(bytes, name.as_bytes()).take(20).count() == 20
    };
    let (_, name) = LIBRARIES.iter().find(is_whole)?;
    Some(format!("the library {name}"))
}

/// Returns whether most of a file is in lines that no person writes.
fn is_packed(bytes: &[u8]) -> bool {
    let (mut start, mut packed) = (0, 0);
    for end in memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        let length = end - start;
        packed += if length >= PACKED_LINE { length } else { 0 };
        start = end + 1;
    }
    packed * 4 > bytes.len() * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_libraries_and_bundles_are_set_apart() {
        let packed = "a(b);".repeat(400);
        for (text, what) in [
            (
                format!("/*! thing 1.2 | (c) others */\n{packed}"),
                "a packed library under its banner",
            ),
            (format!("{packed}\n//# sourceMappingURL=x.map"), "a packed bundle"),
            (
                format!(
                    "/*! jQuery JavaScript Library v3 */\n{}",
                    "jQuery.fn.x = y;\n".repeat(3000)
                ),
                "the library jQuery",
            ),
        ] {
            assert_eq!(library("lib/x.js", text.as_bytes()).as_deref(), Some(what));
            assert_eq!(library("x.py", text.as_bytes()), None);
        }
    }

    #[test]
    fn own_code_under_a_foreign_banner_is_read() {
        let own = "function draw(i) {\n  return i + 1;\n}\n".repeat(2000);
        for text in [
            format!("/*! jQuery JavaScript Library v3 */\n{own}"),
            format!("/*! thing 1.2 */\n{own}"),
            "draw(1);".repeat(1000),
        ] {
            assert_eq!(library("main.js", text.as_bytes()), None);
        }
    }
}
