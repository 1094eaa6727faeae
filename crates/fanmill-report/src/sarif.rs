//! SARIF 2.1.0: passages as results that code hosts and editors show beside the lines.
//!
//! Each passage of each listed pair is one result of the rule `shared-passage`, at its place in the first submission,
//! with its place in the second as a related location. A file is `submission/path`, or the path where a submission is a
//! file. The fingerprint `sharedPassage/v1` is made of both paths and the words of the passage, so that it stays when
//! lines above it change.
//!
//! Cost: linear in the passages. A text is decoded once for passages in a row that are in it.
//! Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", §3.27 (results), §3.34 (related
//! locations).

use std::io::{self, Write};

use fanmill::report::{Match, Pair, Passage, Place, Report};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_128;

use crate::printable::printable;
use crate::texts::{ShownText, Texts};

const RULE: &str = "shared-passage";

const HEX: &str = "0123456789ABCDEF";

/// The results of several reports, in the order in which they are added.
#[derive(Debug, Default)]
pub struct Log {
    tool: String,
    results: Vec<Value>,
}

impl Log {
    /// Adds the passages of a report's listed pairs.
    pub fn add(&mut self, report: &Report, texts: &dyn Texts) {
        let mut of_passages = Fingerprints { texts, last: None };
        for (rank, pair) in (1..).zip(&report.pairs) {
            for passage in &pair.passages {
                self.results.extend(result(report, (rank, pair), passage, &mut of_passages));
            }
        }
        self.tool.clone_from(&report.tool);
    }

    /// Writes all results.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(self, mut out: impl Write) -> io::Result<()> {
        let mut log = log(&self.tool);
        log["runs"][0]["results"] = Value::Array(self.results);
        serde_json::to_writer_pretty(&mut out, &log)?;
        out.write_all(b"\n")
    }
}

/// Returns a log without results.
fn log(tool: &str) -> Value {
    let (name, version) = tool.split_once(' ').unwrap_or((tool, ""));
    let rule = json!({
        "id": RULE,
        "shortDescription": {"text": "A passage that two submissions share"},
        "fullDescription": {
            "text": "The passage is long enough to be more than chance. Why it is in both is for a person to say: \
                     it may be quoted, given to everyone, or copied from a third text."
        },
        "defaultConfiguration": {"level": "warning"},
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": name, "version": version, "rules": [rule]}},
            "columnKind": "unicodeCodePoints",
            "results": [],
        }],
    })
}

/// Returns a passage as a result; `None` if the report has no such submission or file.
fn result(
    report: &Report,
    (rank, pair): (usize, &Pair),
    passage: &Passage,
    fingerprints: &mut Fingerprints<'_>,
) -> Option<Value> {
    let first = passage.matches.first()?;
    let places = [(pair.a, first.a.file), (pair.b, first.b.file)];
    let paths = [path(report, places[0])?, path(report, places[1])?];
    let lines = [lines(passage, |own| &own.a), lines(passage, |own| &own.b)];
    let location = |side: usize| {
        json!({
            "artifactLocation": {"uri": uri(&paths[side])},
            "region": {"startLine": lines[side].0, "endLine": lines[side].1},
        })
    };
    // The link to `1` leads to the related location with this id.
    let text = format!(
        "{} tokens are also in [{}](1), lines {} to {}.",
        passage.tokens,
        printable(&paths[1]).replace('[', "\\[").replace(']', "\\]"),
        lines[1].0,
        lines[1].1
    );
    Some(json!({
        "ruleId": RULE,
        "ruleIndex": 0,
        "message": {"text": text},
        "locations": [{"physicalLocation": location(0)}],
        "relatedLocations": [{
            "id": 1,
            "message": {"text": "the same passage"},
            "physicalLocation": location(1),
        }],
        "partialFingerprints": {"sharedPassage/v1": fingerprints.of(pair, passage, &paths)},
        "rank": pair.score * 100.0,
        "properties": {
            "pair": rank,
            "score": pair.score,
            "expected": pair.expected,
            "tokens": passage.tokens,
        },
    }))
}

/// Returns the first and last line of a passage on one side, in the file in which it begins.
fn lines(passage: &Passage, side: impl Fn(&Match) -> &Place) -> (u32, u32) {
    let places = passage.matches.iter().map(&side);
    let file = passage.matches.first().map(|first| side(first).file);
    let own = places.filter(|place| Some(place.file) == file);
    let (mut first, mut last) = (u32::MAX, 1);
    for place in own {
        (first, last) = (first.min(place.first_line), last.max(place.last_line));
    }
    (first.min(last), last)
}

/// Returns the name of a file: its path below its submission.
fn path(report: &Report, (submission, file): (u32, u32)) -> Option<String> {
    let submission = report.submission(submission)?;
    let path = &submission.files.get(file as usize)?.path;
    let is_file = submission.files.len() == 1
        && (*path == submission.name || submission.name.ends_with(&format!("/{path}")));
    Some(if is_file { submission.name.clone() } else { format!("{}/{path}", submission.name) })
}

/// Writes a path as a relative reference (RFC 3986, §4.2).
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for &byte in path.as_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => {
                uri.extend(["%", &HEX[byte as usize >> 4..][..1], &HEX[byte as usize & 15..][..1]]);
            }
        }
    }
    // A first part with a colon would be a scheme, but colons are written with percent signs.
    uri.trim_start_matches('/').to_owned()
}

/// Makes fingerprints of passages, from the texts.
struct Fingerprints<'t> {
    texts: &'t dyn Texts,
    /// The text that was decoded last.
    last: Option<((u32, u32), fanmill_text::frontend::Decoded<'t>)>,
}

impl Fingerprints<'_> {
    fn of(&mut self, pair: &Pair, passage: &Passage, paths: &[String; 2]) -> String {
        let mut said = paths.join("\0");
        for found in &passage.matches {
            said.push('\0');
            self.append((pair.a, found.a.file), &found.a, &mut said);
        }
        format!("{:032x}", xxh3_128(said.as_bytes()))
    }

    /// Appends the words of a place.
    fn append(&mut self, file: (u32, u32), place: &Place, said: &mut String) {
        if self.last.as_ref().is_none_or(|last| last.0 != file) {
            self.last = self.texts.text(file.0, file.1).map(|decoded| (file, decoded));
        }
        let Some((_, decoded)) = &self.last else { return };
        let shown = ShownText::from_decoded(decoded);
        let start = shown.at_from(0, place.start);
        let end = shown.at_from(start, place.end);
        for word in shown.text()[start..end].split_whitespace() {
            said.push_str(word);
            said.push(' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{Held, worked_example};

    fn written(report: &Report, texts: &dyn Texts) -> Value {
        let mut out = Vec::new();
        let mut log = Log::default();
        log.add(report, texts);
        log.write(&mut out).expect("memory");
        serde_json::from_slice(&out).expect("JSON")
    }

    #[test]
    fn a_passage_is_a_result_with_both_places() {
        let report = worked_example();
        let log = written(&report, &Held(Vec::new()));
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["name"], "fanmill");
        let result = &run["results"][0];
        assert_eq!(
            result["locations"][0]["physicalLocation"],
            json!({"artifactLocation": {"uri": "ada/inventory.py"}, "region": {"startLine": 4, "endLine": 9}})
        );
        let related = &result["relatedLocations"][0]["physicalLocation"];
        assert_eq!(related["artifactLocation"]["uri"], "bruno/store.py");
        let text = "30 tokens are also in [bruno/store.py](1), lines 1 to 7.";
        assert_eq!(result["message"]["text"], text);
    }

    #[test]
    fn names_are_no_markup_and_no_scheme() {
        assert_eq!(uri("Ada L/a:b c%.py"), "Ada%20L/a%3Ab%20c%25.py");
        assert_eq!(uri("/é"), "%C3%A9");
        let mut report = worked_example();
        report.submissions[1].name = "](http://x) [".to_owned();
        let log = written(&report, &Held(Vec::new()));
        let text = log["runs"][0]["results"][0]["message"]["text"].as_str().expect("text");
        assert!(text.contains("[\\](http://x) \\[/store.py](1)"), "{text}");
    }
}
