//! Small corpora with planted duplicates, as lines of JSON.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

/// The plan of a document; numbers of other documents are taken modulo the number there are so far.
#[derive(Debug, Clone)]
pub(crate) enum Piece {
    /// Words by their numbers.
    Fresh(Vec<u8>),
    /// The text of an earlier document.
    Copy(usize),
    /// The words of an earlier document, in another spelling.
    Loud(usize),
    /// An earlier document with some words replaced.
    Edited(usize, Vec<(usize, u8)>),
    /// A stretch of an earlier document.
    Part(usize, usize, usize),
    /// A text without words; equal numbers give equal texts.
    Wordless(u8),
    /// A line that is not a record.
    Bad(u8),
    /// An empty line.
    Blank,
}

/// A document.
#[derive(Debug, Clone)]
pub(crate) struct Doc {
    pub(crate) text: String,
    pub(crate) score: Option<i64>,
    pub(crate) source: Option<&'static str>,
    pub(crate) url: Option<&'static str>,
}

/// A line of a shard.
#[derive(Debug, Clone)]
pub(crate) enum Line {
    Doc(Doc),
    Bad(&'static str),
    Blank,
}

const BAD: [&str; 4] = ["{\"text\": ", "{\"other\": 1}", "\"text\"", "{\"text\": [1]}"];
const WORDLESS: [&str; 4] = ["", " ", "... !", "—"];

/// The number of cases; failures are printed, and no file is written beside the tests.
pub(crate) fn cases(n: u32) -> ProptestConfig {
    ProptestConfig {
        cases: fanmill_effort::cases(n),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn word(number: u8) -> String {
    format!("word{number}")
}

fn piece() -> impl Strategy<Value = Piece> {
    let words = |n| prop::collection::vec(0_u8..24, n);
    let edits = prop::collection::vec((any::<usize>(), 24_u8..40), 1..4);
    prop_oneof![
        4 => words(0..70).prop_map(Piece::Fresh),
        2 => any::<usize>().prop_map(Piece::Copy),
        1 => any::<usize>().prop_map(Piece::Loud),
        5 => (any::<usize>(), edits).prop_map(|(of, edits)| Piece::Edited(of, edits)),
        3 => (any::<usize>(), any::<usize>(), any::<usize>()).prop_map(|(of, i, n)| Piece::Part(of, i, n)),
        1 => any::<u8>().prop_map(Piece::Wordless),
        1 => any::<u8>().prop_map(Piece::Bad),
        1 => Just(Piece::Blank),
    ]
}

/// Corpora of a few dozen lines at most.
pub(crate) fn corpora() -> impl Strategy<Value = Vec<Line>> {
    let extra = (prop::option::of(-3_i64..12), prop::option::of(0_usize..3));
    prop::collection::vec((piece(), extra), 0..30).prop_map(|pieces| lines(&pieces))
}

/// A document's score, and the number of its source.
type Extra = (Option<i64>, Option<usize>);

fn lines(pieces: &[(Piece, Extra)]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    for (piece, (score, source)) in pieces {
        let earlier = |i: usize| texts.get(i % texts.len().max(1)).cloned().unwrap_or_default();
        let split = |i| earlier(i).split(' ').map(str::to_owned).collect::<Vec<String>>();
        let text = match piece {
            Piece::Fresh(words) => words.iter().copied().map(word).collect::<Vec<_>>().join(" "),
            Piece::Copy(of) => earlier(*of),
            Piece::Loud(of) => split(*of).join(" - ").to_uppercase(),
            Piece::Edited(of, edits) => {
                let mut words = split(*of);
                for &(at, new) in edits {
                    let n = words.len();
                    words[at % n] = word(new);
                }
                words.join(" ")
            }
            Piece::Part(of, start, n) => {
                let words = split(*of);
                let start = start % words.len();
                let n = 1 + n % (words.len() - start);
                words[start..start + n].join(" ")
            }
            Piece::Wordless(kind) => WORDLESS[usize::from(*kind) % WORDLESS.len()].to_owned(),
            Piece::Bad(kind) => {
                lines.push(Line::Bad(BAD[usize::from(*kind) % BAD.len()]));
                continue;
            }
            Piece::Blank => {
                lines.push(Line::Blank);
                continue;
            }
        };
        texts.push(text.clone());
        let source = source.map(|i| ["wiki", "news", "blog"][i]);
        lines.push(Line::Doc(Doc { text, score: *score, source, url: None }));
    }
    lines
}

impl Line {
    /// As it stands in its shard, without the line feed.
    pub(crate) fn json(&self) -> String {
        match self {
            Line::Blank => String::new(),
            Line::Bad(text) => (*text).to_owned(),
            Line::Doc(doc) => {
                let text = serde_json::to_string(&doc.text).expect("a string");
                let score = doc.score.map_or_else(String::new, |n| {
                    format!(", \"score\":{n}, \"date\": \"2024-03-{:02}\"", n + 10)
                });
                let source = doc.source.map_or_else(|| "null".to_owned(), |s| format!("{s:?}"));
                let url = doc.url.map_or_else(String::new, |url| format!(",\"url\":{url:?}"));
                format!("{{\"n\" :[1, 2],\"text\":{text}{score},\"from\":{source}{url} }}")
            }
        }
    }

    /// The document; `None` for a bad record.
    pub(crate) fn doc(&self) -> Option<&Doc> {
        match self {
            Line::Doc(doc) => Some(doc),
            Line::Bad(_) | Line::Blank => None,
        }
    }

    pub(crate) fn is_record(&self) -> bool {
        !matches!(self, Line::Blank)
    }
}

/// A corpus on disk, in two shards, of which the second is packed.
#[derive(Debug)]
pub(crate) struct Shards {
    pub(crate) paths: Vec<PathBuf>,
    /// The lines of each.
    pub(crate) lines: [Vec<Line>; 2],
}

impl Shards {
    /// Writes the lines, the first third of them into the first shard; and one more if none of them can be read, which
    /// would end a run.
    pub(crate) fn write(folder: &Path, lines: &[Line]) -> Shards {
        let mut lines = lines.to_vec();
        let is_bad = |line: &Line| matches!(line, Line::Bad(_));
        if lines.iter().any(is_bad) && lines.iter().all(|line| line.doc().is_none()) {
            lines.push(Line::Doc(Doc {
                text: String::new(),
                score: None,
                source: None,
                url: None,
            }));
        }
        let (first, second) = lines.split_at(lines.len() / 3);
        let text = |lines: &[Line]| lines.iter().map(|line| line.json() + "\n").collect::<String>();
        let paths = vec![folder.join("a.jsonl"), folder.join("b.jsonl.gz")];
        fs::write(&paths[0], text(first)).expect("a file");
        let mut packer =
            GzEncoder::new(File::create(&paths[1]).expect("a file"), Compression::fast());
        packer.write_all(text(second).as_bytes()).expect("written");
        packer.finish().expect("written");
        Shards { paths, lines: [first.to_vec(), second.to_vec()] }
    }

    /// All records: documents, and `None` for bad ones.
    pub(crate) fn records(&self) -> Vec<Option<&Doc>> {
        let all = self.lines.iter().flatten();
        all.filter(|line| line.is_record()).map(Line::doc).collect()
    }

    /// The number, among all records, of a shard's first record.
    pub(crate) fn start(&self, shard: &str) -> usize {
        let is_second = shard.starts_with('b');
        assert!(is_second || shard == "a.jsonl", "{shard}");
        let before = self.lines[0].iter().filter(|line| line.is_record()).count();
        if is_second { before } else { 0 }
    }

    /// Each shard without some of its records.
    pub(crate) fn without(&self, mut is_gone: impl FnMut(usize) -> bool) -> [String; 2] {
        let mut number = 0;
        [0, 1].map(|shard| {
            let mut text = String::new();
            for line in &self.lines[shard] {
                let goes = line.is_record() && {
                    number += 1;
                    line.doc().is_none() || is_gone(number - 1)
                };
                text += &if goes { String::new() } else { line.json() + "\n" };
            }
            text
        })
    }
}
