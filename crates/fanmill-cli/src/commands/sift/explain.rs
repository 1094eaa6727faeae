//! Evidence: scores and passages, for who holds the originals.
//!
//! A store has no texts. Whoever asks for more than a grade shows the originals, and only one whose
//! fingerprints are those of the store is explained.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use fanmill::frontend;
use fanmill::sift::sifter::{Sifted, Sifter};
use fanmill::sift::store::{Match, Store, StoredIdx};
use fanmill::sift::tokens::KeyedTokens;
use fanmill::span::Span;
use fanmill_report::fit::Room;
use fanmill_report::printable;
use serde::Serialize;

use super::places::Places;
use super::texts::{self, Text};
use super::{print_notices, sift_all, text_of};
use crate::args::TextArgs;
use crate::screen;

/// Originals that are explained for a text.
const EXPLAINED: usize = 3;
/// Passages that are shown of a text.
const PASSAGES: usize = 5;
/// Characters of a passage that are shown.
const QUOTED: usize = 70;

/// The originals that were given, what each says, by their places in the store.
#[derive(Debug)]
pub(crate) struct Originals(BTreeMap<StoredIdx, Vec<u8>>);

impl Originals {
    /// Reads originals, and keeps those that the store has; `None` if none were asked for.
    pub(crate) fn read(
        paths: &[PathBuf],
        args: &TextArgs,
        store: &Store,
        sifter: &Sifter,
    ) -> anyhow::Result<Option<Originals>> {
        if paths.is_empty() {
            return Ok(None);
        }
        let places = Places::of(store.records());
        let mut originals = BTreeMap::new();
        let account = texts::each(paths, &args.reading, &mut |batch| {
            let sifted = sift_all(sifter, &batch);
            for (text, own) in batch.iter().zip(sifted) {
                for original in own {
                    let name = original.name(&text.name);
                    let place = places.of_text(store.records(), &name, &original.sifted);
                    originals.extend(place.map(|at| (at, text.reading(original.reading).to_vec())));
                }
            }
            Ok(())
        })?;
        print_notices(&account, args.quiet)?;
        Ok(Some(Originals(originals)))
    }

    /// What can be said about the first of a text's originals: each with the reading of the text that
    /// it was found by.
    pub(crate) fn explain<'a>(
        &self,
        sifter: &Sifter,
        store: &Store,
        text: &Text,
        sifted: &[Sifted],
        copies: impl Iterator<Item = (&'a Match, usize)>,
    ) -> Vec<Explanation> {
        let readings: Vec<&[u8]> = text.readings().collect();
        let explain = |(found, reading): (&Match, usize)| Explanation {
            original: text_of(store.name(found.document)).to_owned(),
            evidence: self.0.get(&found.document).map(|original| Evidence {
                s3: found.likeness.s3().unwrap_or(0.0),
                families: families(store, found),
                here: passages(sifter, readings[reading], &store.sifted(found.document)),
                there: passages(sifter, original, &sifted[reading]),
            }),
        };
        copies.take(EXPLAINED).map(explain).collect()
    }
}

/// How a text is like an original.
#[derive(Debug, Serialize)]
pub(crate) struct Explanation {
    original: String,
    /// For who holds the original, and nobody else.
    evidence: Option<Evidence>,
}

/// What there is to see with both texts at hand.
#[derive(Debug, Serialize)]
struct Evidence {
    s3: f64,
    families: Vec<FamilyScore>,
    /// In the text that was checked.
    here: Vec<Passage>,
    /// In the original.
    there: Vec<Passage>,
}

/// What one family of grams says.
#[derive(Debug, Serialize)]
struct FamilyScore {
    family: String,
    n_common: usize,
    n_here: usize,
    n_there: usize,
}

/// A stretch that grams in common reach over; there may be changes inside.
#[derive(Debug, Serialize)]
struct Passage {
    /// Bytes of the text.
    start: u32,
    end: u32,
    /// From 1.
    first_line: usize,
    last_line: usize,
    text: String,
}

fn families(store: &Store, found: &Match) -> Vec<FamilyScore> {
    let families = store.profile().families().iter().zip(&found.likeness.families);
    let score = |(family, overlap): (
        &fanmill::sift::family::Family,
        &fanmill::sift::similarity::Overlap,
    )| {
        FamilyScore {
            family: family.to_string(),
            n_common: overlap.n_common,
            n_here: overlap.a,
            n_there: overlap.b,
        }
    };
    families.map(score).filter(|score| score.n_here + score.n_there > 0).collect()
}

/// The stretches of a text that it has in common with a fingerprint, in its own bytes.
fn passages(sifter: &Sifter, text: &[u8], other: &Sifted) -> Vec<Passage> {
    let folded = frontend::Text::new(text);
    let mut tokens = KeyedTokens::default();
    sifter.read(folded.as_str(), &mut tokens);
    let mut spans: Vec<Span> = sifter.evidence(&tokens, other).concat();
    folded.spans_to_original(&mut spans);
    // A long text has many passages: each counts lines from where the one before it ended.
    let (mut counted, mut line) = (0, 1);
    let mut line_at = |at: usize| {
        line += text[counted..at].split(|&byte| byte == b'\n').count() - 1;
        counted = at;
        line
    };
    let passage = |span: Span| {
        let (start, end) = (span.start as usize, span.end as usize);
        let (first_line, last_line) = (line_at(start), line_at(end));
        Passage {
            start: span.start,
            end: span.end,
            first_line,
            last_line,
            text: String::from_utf8_lossy(&text[start..end]).into_owned(),
        }
    };
    union(spans).into_iter().map(passage).collect()
}

/// Spans in any order as their union, ascending.
fn union(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|span| span.start);
    let mut joined: Vec<Span> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    joined
}

impl Explanation {
    pub(crate) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let original = screen::of_results().beside(13 + 9).cut(&printable(&self.original));
        match &self.evidence {
            Some(evidence) => {
                writeln!(out, "             {original}: S3 {:.2}", evidence.s3)?;
                evidence.print(out)
            }
            None => writeln!(
                out,
                "             {original}: not among the originals that were given, or changed since"
            ),
        }
    }
}

impl Evidence {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        for family in &self.families {
            writeln!(
                out,
                "               {:<22} {} in common, of {} here and {} there",
                family.family, family.n_common, family.n_here, family.n_there
            )?;
        }
        for (where_, passages) in [("here", &self.here), ("there", &self.there)] {
            for passage in passages.iter().take(PASSAGES) {
                let (first, last) = (passage.first_line, passage.last_line);
                let lines = if first == last {
                    format!("line {first}")
                } else {
                    format!("lines {first}-{last}")
                };
                let room = screen::of_results().beside(15 + 5 + 1 + lines.len() + 2);
                writeln!(
                    out,
                    "               {where_:<5} {lines}: {}",
                    quoted(&passage.text, room)
                )?;
            }
            if passages.len() > PASSAGES {
                writeln!(out, "               {where_:<5} and {} more", passages.len() - PASSAGES)?;
            }
        }
        Ok(())
    }
}

/// The beginning and the end of a passage, on one line.
fn quoted(text: &str, room: Room) -> String {
    // With the dots between its beginning and its end.
    let most = room.at_most(QUOTED + 3);
    let words: Vec<&str> = text.split_whitespace().collect();
    let line: Vec<char> = words.join(" ").chars().collect();
    let shown = if line.len() <= QUOTED.min(most) {
        line.iter().collect()
    } else {
        let half = (most - 3) / 2;
        let (head, tail) = (&line[..half], &line[line.len() - half..]);
        format!("{} … {}", head.iter().collect::<String>(), tail.iter().collect::<String>())
    };
    printable(&shown).into_owned()
}
