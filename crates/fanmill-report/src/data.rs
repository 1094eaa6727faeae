//! The page's data: the result and the texts as script files, each loaded when it is needed.
//!
//! A page opened from disk may not fetch, but it may insert a script element. So each file is one
//! call, `fanmill("pairs/0001", …);`, whose second argument is JSON. Hidden characters and `<` are
//! escapes, so that no text ends a script, turns its reading order round, or starts a line; the
//! first argument is made of letters, digits, `/` and `-` by us. Described in `docs/report.md`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::chance;
use crate::json::write_escaped;
use crate::runs::Runs;
use crate::texts::{FloorBoundary, ShownText, Texts};
use crate::units::Units;
use fanmill::base::Boilerplate;
use fanmill::report::{
    Cluster, Counts, Inputs, ListedFor, Match, Pair, Passage, Place, Promise, RankedSource, Report,
    Settings, SharedMetadata,
};
use fanmill::score::expectation::Unjudged;
use fanmill_text::document::{Notice, Publication, Role};
use fanmill_text::frontend::ChoiceReason;
use fanmill_text::span::Span;
use fanmill_text::token::Class;

/// Maximum size of a text, in bytes of UTF-8; larger ones are cut. A browser scrolls through this much with ease.
const SHOWN_BYTES: usize = 16 << 20;

/// The name of the overview.
pub(super) const OVERVIEW: &str = "overview";

/// Returns the name of the listed pair `i`, 0-based.
pub(super) fn pair_name(i: usize) -> String {
    format!("pairs/{:04}", i + 1)
}

/// Writes what is shown without looking at a pair or a text.
///
/// # Errors
/// If writing fails.
pub(super) fn write_overview(report: &Report, out: impl Write) -> io::Result<()> {
    write_call(OVERVIEW, &Overview::from_report(report), out)
}

/// Writes the passages of a pair, placed in code units of the shown texts.
///
/// # Errors
/// If writing fails.
pub(super) fn write_pair(
    i: usize,
    pair: &Pair,
    places: &Places,
    out: impl Write,
) -> io::Result<()> {
    let placed = |submission: u32, place: &Place| {
        let units = places.of.get(&(submission, place.file));
        let at = |byte| units.map_or(0, |units| units.at(byte));
        Place { start: at(place.start), end: at(place.end), ..place.clone() }
    };
    let passages: Vec<Passage> = pair
        .passages
        .iter()
        .map(|passage| Passage {
            matches: passage
                .matches
                .iter()
                .map(|found| Match {
                    tokens: found.tokens,
                    a: placed(pair.a, &found.a),
                    b: placed(pair.b, &found.b),
                })
                .collect(),
            ..*passage
        })
        .collect();
    write_call(&pair_name(i), &PairData { passages, metadata: &pair.metadata }, out)
}

/// Places in the texts that the page shows.
#[derive(Debug, Default)]
pub(super) struct Places {
    of: BTreeMap<(u32, u32), Units>,
}

impl Places {
    /// Keeps the places in a text that [`write_text`] has returned.
    pub(super) fn keep(&mut self, text: &ShownTexts, units: Units) {
        self.of.insert(text.key, units);
    }
}

/// A text that the page shows: a file of a submission in a listed pair.
#[derive(Debug)]
pub(super) struct ShownTexts {
    /// The numbers of the submission and of the file.
    key: (u32, u32),
    /// The bytes at which passages start and end.
    bytes: Vec<u32>,
    /// Size of the file, in bytes.
    pub(super) size: u64,
}

impl ShownTexts {
    /// Returns the name of its script.
    pub(super) fn name(&self) -> String {
        let (submission, file) = self.key;
        format!("texts/{submission}-{file}")
    }
}

/// Lists the texts that the page shows, ascending by submission and file.
pub(super) fn wanted(report: &Report) -> Vec<ShownTexts> {
    let mut wanted: BTreeMap<(u32, u32), ShownTexts> = BTreeMap::new();
    for pair in &report.pairs {
        for submission in [pair.a, pair.b] {
            let files = report.submission(submission).map_or(&[][..], |s| &s.files);
            for (file, of) in (0..).zip(files) {
                let key = (submission, file);
                let text = || ShownTexts { key, bytes: Vec::new(), size: of.bytes };
                wanted.entry(key).or_insert_with(text);
            }
        }
        for found in pair.passages.iter().flat_map(|passage| &passage.matches) {
            for (submission, place) in [(pair.a, &found.a), (pair.b, &found.b)] {
                if let Some(text) = wanted.get_mut(&(submission, place.file)) {
                    text.bytes.extend([place.start, place.end]);
                }
            }
        }
    }
    wanted.into_values().collect()
}

/// Requests a text, writes it as a script, and returns the places in it.
///
/// # Errors
/// If writing fails.
pub(super) fn write_text(
    report: &Report,
    texts: &dyn Texts,
    wanted: &ShownTexts,
    out: impl Write,
) -> io::Result<Units> {
    let (submission, file) = wanted.key;
    let of = report.submission(submission).and_then(|s| s.files.get(file as usize));
    let grey = of.map_or(&[][..], |file| &file.boilerplate);
    let (mut data, mut units) = (TextData::default(), Units::default());
    let decoded = texts.text(submission, file);
    if let Some(decoded) = &decoded {
        let shown = ShownText::from_decoded(decoded);
        let ends = grey.iter().flat_map(|grey| [grey.start, grey.end]);
        units = Units::new(shown, wanted.bytes.iter().copied().chain(ends).collect());
        let grey = grey.iter().map(|grey| (units.at(grey.start), units.at(grey.end), grey.why));
        data = TextData::new(shown, grey.collect(), |take| {
            texts.tokens(submission, file, decoded, take);
        });
    }
    write_call(&wanted.name(), &data, out)?;
    Ok(units)
}

/// A text with its tokens and boilerplate, as the page gets it.
#[derive(Debug, Default, Serialize)]
struct TextData<'a> {
    /// Absent if it can no longer be read.
    text: Option<&'a str>,
    /// Number of bytes of UTF-8 that were cut off at the end.
    cut: usize,
    /// Boilerplate: start and end in code units, and the reason.
    grey: Vec<(u32, u32, Boilerplate)>,
    /// The tokens it was compared by, as [`Runs`] writes them; empty if there are none.
    tokens: String,
}

impl<'a> TextData<'a> {
    /// Makes the data of a text, whose tokens `tell` passes on.
    fn new(
        shown: ShownText<'a>,
        grey: Vec<(u32, u32, Boilerplate)>,
        tell: impl FnOnce(&mut dyn FnMut(Class, Span)),
    ) -> TextData<'a> {
        let whole = shown.text();
        let text = &whole[..whole.floor_boundary(SHOWN_BYTES)];
        let mut runs = Runs::new(shown, text.len());
        tell(&mut |class, span| runs.push(class, span));
        TextData { text: Some(text), cut: whole.len() - text.len(), grey, tokens: runs.finish() }
    }
}

#[derive(Serialize)]
struct PairData<'a> {
    passages: Vec<Passage>,
    metadata: &'a [SharedMetadata],
}

/// The report without the parts that are loaded later.
#[derive(Serialize)]
struct Overview<'a> {
    format: &'a str,
    version: u32,
    tool: &'a str,
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page_language: Option<&'a str>,
    promises: &'a [Promise],
    settings: &'a Settings,
    inputs: Inputs,
    notices: &'a [Notice],
    submissions: Vec<SubmissionHead<'a>>,
    counts: Counts,
    /// The score that a pair would need to stand out, if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing_from: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unjudged: Option<&'a Unjudged>,
    histogram: &'a [u64],
    pairs: Vec<PairHead>,
    clusters: &'a [Cluster],
    #[serde(skip_serializing_if = "<[RankedSource]>::is_empty")]
    sources: &'a [RankedSource],
}

#[derive(Serialize)]
struct SubmissionHead<'a> {
    name: &'a str,
    role: Role,
    author: Option<&'a str>,
    label: Option<&'a str>,
    submitted: Option<&'a str>,
    #[serde(flatten)]
    publication: &'a Publication,
    files: Vec<FileHead<'a>>,
    tokens: u64,
    boilerplate_tokens: u64,
}

#[derive(Serialize)]
struct FileHead<'a> {
    path: &'a str,
    language: &'a str,
    chosen_by: ChoiceReason,
    encoding: &'a str,
    bytes: u64,
    lines: u64,
    tokens: u64,
}

#[derive(Serialize)]
struct PairHead {
    a: u32,
    b: u32,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f64>,
    containment_a: f64,
    containment_b: f64,
    resemblance: f64,
    rare: u64,
    longest: u64,
    rare_run: u64,
    listed_for: ListedFor,
    matched: u64,
    truncated: bool,
    own_earlier: bool,
    n_passages: usize,
    n_moved: usize,
}

impl<'a> Overview<'a> {
    fn from_report(report: &'a Report) -> Overview<'a> {
        Overview {
            format: &report.format,
            version: report.version,
            tool: &report.tool,
            title: report.title.as_deref(),
            page_language: report.page_language.as_deref(),
            promises: &report.promises,
            settings: &report.settings,
            inputs: report.inputs,
            notices: &report.notices,
            submissions: report.submissions.iter().map(SubmissionHead::from_submission).collect(),
            counts: report.counts,
            nothing_from: chance::nothing_from(report),
            unjudged: report.unjudged.as_ref(),
            histogram: &report.histogram,
            pairs: report.pairs.iter().map(PairHead::from_pair).collect(),
            clusters: &report.clusters,
            sources: &report.sources,
        }
    }
}

impl<'a> SubmissionHead<'a> {
    fn from_submission(submission: &'a fanmill::report::Submission) -> SubmissionHead<'a> {
        let files = submission.files.iter().map(|file| FileHead {
            path: &file.path,
            language: &file.language,
            chosen_by: file.chosen_by,
            encoding: &file.encoding,
            bytes: file.bytes,
            lines: file.lines,
            tokens: file.tokens,
        });
        SubmissionHead {
            name: &submission.name,
            role: submission.role,
            author: submission.author.as_deref(),
            label: submission.label.as_deref(),
            submitted: submission.submitted.as_deref(),
            publication: &submission.publication,
            files: files.collect(),
            tokens: submission.tokens,
            boilerplate_tokens: submission.boilerplate_tokens,
        }
    }
}

impl PairHead {
    fn from_pair(pair: &Pair) -> PairHead {
        PairHead {
            a: pair.a,
            b: pair.b,
            score: pair.score,
            expected: pair.expected,
            containment_a: pair.containment_a,
            containment_b: pair.containment_b,
            resemblance: pair.resemblance,
            rare: pair.rare,
            longest: pair.longest,
            rare_run: pair.rare_run,
            listed_for: pair.listed_for,
            matched: pair.matched,
            truncated: pair.truncated,
            own_earlier: pair.own_earlier,
            n_passages: pair.passages.len(),
            n_moved: pair.passages.iter().filter(|passage| passage.moved).count(),
        }
    }
}

/// Writes `fanmill("name", …);` and a line feed.
fn write_call(name: &str, value: &impl Serialize, mut out: impl Write) -> io::Result<()> {
    write!(out, "fanmill(\"{name}\", ")?;
    value.serialize(&mut Serializer::with_formatter(&mut out, Escaped))?;
    out.write_all(b");\n")
}

/// A formatter of compact JSON that is harmless inside a script.
struct Escaped;

impl Formatter for Escaped {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        write_escaped(text, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::read;
    use crate::samples::{Held, call, hostile, texts_of, worked_example};
    use proptest::prelude::*;

    #[test]
    fn places_are_code_units_of_the_shown_text() {
        let report = worked_example();
        let text = "é".repeat(300);
        let held = Held(vec![vec![text.clone()], vec![text]]);
        let (places, texts) = texts_of(&report, &held);
        assert_eq!(texts[0].0, "texts/0-0");
        assert_eq!(texts[0].1["grey"], serde_json::json!([[0, 20, "given"]]));
        let (name, pair) = call(|out| write_pair(0, &report.pairs[0], &places, out));
        let first = &pair["passages"][0]["matches"][0]["a"];
        assert_eq!(
            (name.as_str(), &first["start"], &first["end"]),
            ("pairs/0001", &21.into(), &90.into())
        );
    }

    #[test]
    fn a_text_that_is_gone_is_said_to_be() {
        let report = worked_example();
        let (_, texts) = texts_of(&report, &Held(Vec::new()));
        assert_eq!(texts.len(), 2);
        assert!(texts.iter().all(|(_, data)| data["text"].is_null()));
    }

    /// Tokens are coloured and counted as they were compared, also where code units and bytes differ.
    #[test]
    fn tokens_stand_in_the_shown_text() {
        let text = "Über 🦀 naïve\tcrabs, (twice)";
        let report = worked_example();
        let held = Held(vec![vec![text.to_owned()], vec![String::new()]]);
        let (_, texts) = texts_of(&report, &held);
        let units: Vec<u16> = text.encode_utf16().collect();
        let words: Vec<String> = read(texts[0].1["tokens"].as_str().unwrap(), text)
            .into_iter()
            .map(|(_, start, end)| {
                String::from_utf16(&units[start as usize..end as usize]).unwrap()
            })
            .collect();
        assert_eq!(words, ["Über", "naïve", "crabs", "twice"]);
        assert_eq!(texts[1].1["tokens"], "");
    }

    #[test]
    fn tokens_behind_the_cut_are_left_out() {
        let text = format!("one {} two three", "é".repeat(SHOWN_BYTES / 2 - 3));
        let report = worked_example();
        let (_, texts) = texts_of(&report, &Held(vec![vec![text.clone()], vec![String::new()]]));
        let tokens = read(texts[0].1["tokens"].as_str().unwrap(), &text);
        assert_eq!(tokens.len(), 2, "{tokens:?}");
    }

    #[test]
    fn a_very_large_text_is_cut_and_says_so() {
        let report = worked_example();
        let text = "é".repeat(SHOWN_BYTES / 2 + 5);
        let (_, texts) = texts_of(&report, &Held(vec![vec![text], vec![String::new()]]));
        assert_eq!(texts[0].1["cut"], 10);
    }

    #[test]
    fn the_overview_has_every_pair_without_its_passages() {
        let (name, overview) = call(|out| write_overview(&worked_example(), out));
        assert_eq!(name, OVERVIEW);
        assert_eq!(overview["pairs"][0]["n_passages"], 1);
        assert!(overview["submissions"][0]["files"][0].get("boilerplate").is_none());
    }

    #[test]
    fn a_damaged_report_makes_no_panic() {
        let mut report = worked_example();
        report.pairs[0].b = 77;
        report.pairs[0].passages[0].matches[0].a.file = 9;
        report.pairs[0].passages[0].matches[1].a.end = u32::MAX;
        let (places, _) = texts_of(&report, &Held(vec![vec!["x".to_owned()]]));
        call(|out| write_pair(0, &report.pairs[0], &places, out));
        call(|out| write_overview(&report, out));
    }

    proptest! {
        #[test]
        fn no_text_leaves_its_string(text in any::<String>()) {
            let report = hostile(&text);
            let held = Held(vec![vec![text.clone()], vec![text.clone()]]);
            let (places, texts) = texts_of(&report, &held);
            prop_assert_eq!(texts[0].1["text"].as_str(), Some(text.as_str()));
            call(|out| write_pair(0, &report.pairs[0], &places, out));
            let (_, overview) = call(|out| write_overview(&report, out));
            prop_assert_eq!(overview["submissions"][0]["name"].as_str(), Some(text.as_str()));
        }
    }
}
