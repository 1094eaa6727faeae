//! Small reports that tests write and read.

use std::io;

use serde_json::Value;

use crate::data::{Places, ShownTexts, wanted, write_text};
use crate::printable::is_hidden;
use crate::texts::Texts;
use fanmill::base::Boilerplate;
use fanmill::report::{
    BoilerplateSpan, Cluster, Counts, File, Inputs, ListedFor, Match, MetadataField, Pair, Passage,
    Place, Promise, Report, Settings, SharedMetadata, Submission, ThresholdFrom, VERSION,
};
use fanmill::score::expectation::{Expectation, Quantile};
use fanmill_text::document::{Notice, Outcome, Publication, Role};
use fanmill_text::frontend::{Certainty, ChoiceReason, Decoded, FrontEnd, Marks, OffsetMap, Words};
use fanmill_text::span::Span;
use fanmill_text::token::{Class, Kind, Tokens};

/// Texts held in memory, by submission and file.
pub(super) struct Held(pub(super) Vec<Vec<String>>);

impl Texts for Held {
    fn text(&self, submission: u32, file: u32) -> Option<Decoded<'_>> {
        Some(utf_8(self.0.get(submission as usize)?.get(file as usize)?))
    }

    /// Passes on the words of the text.
    fn tokens(&self, _: u32, _: u32, decoded: &Decoded<'_>, take: &mut dyn FnMut(Class, Span)) {
        let mut tokens = Tokens::default();
        Words.tokenize(&decoded.text, &mut tokens);
        for span in tokens.spans {
            take(Class::Word, span);
        }
    }
}

/// Decodes a text as it is, whatever encoding its bytes look like.
pub(super) fn utf_8(text: &str) -> Decoded<'_> {
    Decoded {
        text: text.into(),
        map: OffsetMap::identity(text.len()),
        encoding: "UTF-8",
        certainty: Certainty::Valid,
        marks: Marks::new(),
        unread: 0,
    }
}

/// Returns a place in file 0, on one line.
pub(super) fn place(start: u32, end: u32, line: u32) -> Place {
    Place { file: 0, start, end, first_line: line, last_line: line, pages: None }
}

fn file(path: &str, bytes: u64, lines: u64, tokens: u64) -> File {
    File {
        path: path.to_owned(),
        language: "python".to_owned(),
        chosen_by: ChoiceReason::Extension,
        encoding: "UTF-8".to_owned(),
        bytes,
        lines,
        tokens,
        boilerplate: Vec::new(),
    }
}

/// Returns the report of the example in `docs/report.md`.
pub(super) fn worked_example() -> Report {
    Report {
        format: "fanmill report".to_owned(),
        version: VERSION,
        tool: "fanmill 0.1.0".to_owned(),
        title: None,
        page_language: None,
        promises: vec![Promise {
            kind: Kind::Code,
            scheme: "code:python@1/k=12,t=24/roc(r=4)/xxh3@2".to_owned(),
            noise: 12,
            guarantee: Some(24),
            shorter_than: None,
            max_holders: None,
            text: "Every shared run of 24 tokens or more is found; none below 12 is shown."
                .to_owned(),
        }],
        settings: Settings {
            min_score: 0.15,
            max_pairs: 250,
            cluster_threshold: 0.6,
            threshold_from: ThresholdFrom::Set,
            max_docs: Some(10),
            quotes: false,
            language: None,
        },
        inputs: Inputs { seen: 3, compared: 2, degraded: 0, skipped: 1, failed: 0 },
        notices: vec![Notice {
            role: Role::New,
            submission: "bruno".to_owned(),
            path: "logo.png".to_owned(),
            outcome: Outcome::Skipped,
            reason: "binary".into(),
        }],
        submissions: submissions(),
        counts: Counts {
            possible: 1,
            scored: 1,
            limited: false,
            reached: 1,
            supported: 1,
            standing_out: 1,
            listed: 1,
        },
        expectation: Some(expectation()),
        unjudged: None,
        histogram: (0..20).map(|bucket| u64::from(bucket == 16)).collect(),
        pairs: vec![pair()],
        unlisted: Vec::new(),
        clusters: vec![Cluster {
            members: vec![0, 1],
            links: 1,
            weakest: 0.8125,
            mean: 0.8125,
            chain: None,
        }],
        sources: Vec::new(),
    }
}

/// Returns the expectation of a batch of thirty.
pub(super) fn expectation() -> Expectation {
    Expectation {
        n_pairs: 435,
        n_groups: 30,
        lower: Quantile { share: 0.5, score: 0.02 },
        upper: Quantile { share: 0.1, score: 0.1 },
        scale: 0.0625,
        n_draws: 100.0,
    }
}

fn submissions() -> Vec<Submission> {
    let mut given = file("inventory.py", 400, 18, 70);
    given.boilerplate.push(BoilerplateSpan { start: 0, end: 41, why: Boilerplate::Given });
    vec![
        Submission {
            name: "ada".to_owned(),
            role: Role::New,
            author: Some("Ada Lindqvist".to_owned()),
            label: Some("group A".to_owned()),
            submitted: Some("2026-03-01T17:42:00Z".to_owned()),
            publication: Publication::default(),
            files: vec![given],
            tokens: 60,
            boilerplate_tokens: 10,
        },
        Submission {
            name: "bruno".to_owned(),
            role: Role::New,
            author: None,
            label: None,
            submitted: None,
            publication: Publication::default(),
            files: vec![file("store.py", 230, 11, 40)],
            tokens: 40,
            boilerplate_tokens: 0,
        },
    ]
}

fn pair() -> Pair {
    let found = |tokens, a, b| Match { tokens, a, b };
    Pair {
        a: 0,
        b: 1,
        score: 0.8125,
        expected: Some(0.0034),
        containment_a: 0.5,
        containment_b: 0.75,
        resemblance: 0.4286,
        rare: 85,
        longest: 30,
        rare_run: 26,
        listed_for: ListedFor::Score,
        matched: 30,
        truncated: false,
        own_earlier: false,
        passages: vec![Passage {
            tokens: 30,
            moved: false,
            matches: vec![
                found(24, place(42, 180, 4), place(0, 131, 1)),
                found(6, place(190, 222, 9), place(140, 171, 7)),
            ],
        }],
        metadata: vec![said(MetadataField::Author)],
    }
}

fn said(what: MetadataField) -> SharedMetadata {
    SharedMetadata {
        what,
        value: "A. Lindqvist".to_owned(),
        path_a: "inventory.docx".to_owned(),
        path_b: "store.docx".to_owned(),
    }
}

/// Returns a report in which every text from outside is `text`.
pub(super) fn hostile(text: &str) -> Report {
    let mut report = worked_example();
    for submission in &mut report.submissions {
        submission.name = text.to_owned();
        submission.author = Some(text.to_owned());
        submission.label = Some(text.to_owned());
        submission.submitted = Some(text.to_owned());
        for file in &mut submission.files {
            file.path = text.to_owned();
            file.language = text.to_owned();
            file.encoding = text.to_owned();
            file.boilerplate =
                vec![BoilerplateSpan { start: 3, end: 9, why: Boilerplate::Frequent }];
        }
    }
    let all = [
        MetadataField::RevisionIds,
        MetadataField::Author,
        MetadataField::LastAuthor,
        MetadataField::Created,
        MetadataField::Program,
    ];
    report.pairs[0].metadata = all.map(said).into();
    for said in &mut report.pairs[0].metadata {
        for own in [&mut said.value, &mut said.path_a, &mut said.path_b] {
            text.clone_into(own);
        }
    }
    for promise in &mut report.promises {
        promise.text = text.to_owned();
        promise.scheme = text.to_owned();
    }
    report.tool = text.to_owned();
    report.title = Some(text.to_owned());
    report.settings.language = Some(text.to_owned());
    for outcome in [Outcome::Failed, Outcome::Skipped, Outcome::Degraded, Outcome::Flagged] {
        report.notices.push(Notice {
            role: Role::Archive,
            submission: text.to_owned(),
            path: text.to_owned(),
            outcome,
            reason: text.into(),
        });
    }
    report
}

/// Reads a file of the page: its name and the argument of its call, which must be harmless inside a script.
pub(super) fn call(written: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> (String, Value) {
    let mut out = Vec::new();
    written(&mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(!text.chars().any(|c| c == '<' || (is_hidden(c) && c != '\n')), "{text}");
    let body = text.strip_prefix("fanmill(\"").unwrap().strip_suffix(");\n").unwrap();
    let (name, json) = body.split_once("\", ").unwrap();
    (name.to_owned(), serde_json::from_str(json).unwrap())
}

/// Returns the texts of a report, as they are written, and the places in them.
pub(super) fn texts_of(report: &Report, texts: &dyn Texts) -> (Places, Vec<(String, Value)>) {
    let mut places = Places::default();
    let write = |text: ShownTexts| {
        call(|out| {
            places.keep(&text, write_text(report, texts, &text, out)?);
            Ok(())
        })
    };
    let written = wanted(report).into_iter().map(write).collect();
    (places, written)
}
