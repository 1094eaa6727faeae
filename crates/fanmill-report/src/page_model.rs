//! Types of TypeScript for the data that the page reads, made from the data that is written here.
//!
//! `web/src/data/model.ts` is this text, so neither side can change alone. The types come from samples in
//! which everything occurs: every field, every value of an enum, every absence. Text from outside is
//! always `text`; any other string is a value of an enum.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use fanmill::base::Boilerplate;
use fanmill::report::{BoilerplateSpan, ListedFor, RankedSource, Report, ThresholdFrom, VERSION};
use fanmill::score::expectation::Unjudged;
use fanmill_text::document::{Notice, Outcome, Publication, Role};
use fanmill_text::frontend::ChoiceReason;
use fanmill_text::token::{Class, Kind};
use serde_json::Value;

use crate::data::{write_overview, write_pair};
use crate::runs::DIGITS;
use crate::samples::{Held, call, expectation, hostile, texts_of};

#[test]
fn the_pages_model_is_what_is_written() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/data/model.ts"));
    let right = model();
    if std::env::var_os("FANMILL_WRITE_MODEL").is_some() {
        fs::write(path, &right).unwrap();
    }
    assert!(
        fs::read_to_string(path).unwrap().replace('\r', "") == right,
        "web/src/data/model.ts is not what the program writes: run this test with FANMILL_WRITE_MODEL=1, \
         then `npm run check` and `npm run build` in web"
    );
}

/// Every object that the page reads: its place, and the name of its type.
const NAMES: [(&str, &str); 17] = [
    ("overview", "Overview"),
    ("overview.unjudged", "Unjudged"),
    ("overview.promises[]", "Promised"),
    ("overview.settings", "Settings"),
    ("overview.inputs", "Inputs"),
    ("overview.notices[]", "Notice"),
    ("overview.submissions[]", "Submission"),
    ("overview.submissions[].files[]", "FileHead"),
    ("overview.counts", "Counts"),
    ("overview.pairs[]", "Pair"),
    ("overview.clusters[]", "Cluster"),
    ("overview.sources[]", "RankedSource"),
    ("pair", "PairData"),
    ("pair.metadata[]", "SharedMetadata"),
    ("pair.passages[]", "Passage"),
    ("pair.passages[].matches[]", "Match"),
    ("text", "TextData"),
];

/// The two sides of a match; both are places.
const PLACES: [&str; 2] = ["pair.passages[].matches[].a", "pair.passages[].matches[].b"];

fn model() -> String {
    let mut shapes = BTreeMap::new();
    for (name, value) in written() {
        shapes.entry(name).or_insert_with(Shape::default).add(&value);
    }
    let mut types = Types::default();
    for (name, shape) in &shapes {
        types.of(shape, name);
    }
    let classes: Vec<String> = Class::ALL.iter().map(|class| quoted(class.name())).collect();
    let digits = std::str::from_utf8(DIGITS).unwrap().replace('\'', "\\'");
    let mut out = format!(
        "// The data that a report's page reads: docs/report.md, \"The page's data\", as types.\n\
         // Made by a test of `crates/fanmill-report/src/page_model.rs`, which says how to make it again.\n\n\
         export const VERSION = {VERSION};\n\n\
         /** What a token is to its reader, by its number. */\n\
         export const CLASSES = [{}] as const;\n\n\
         /** The digits in which tokens are written; the first 64 end a number. */\n\
         export const DIGITS = '{digits}';\n\n\
         export type Side = 'a' | 'b';\n",
        classes.join(", ")
    );
    for (_, name) in NAMES.iter().chain([&("", "Place")]) {
        write!(out, "\nexport interface {name} {{\n{}}}\n", types.interfaces[*name]).unwrap();
    }
    out
}

/// Returns a notice of each outcome for each role.
fn notices() -> Vec<Notice> {
    all(Role::New, next_role)
        .flat_map(|role| all(Outcome::Degraded, next_outcome).map(move |outcome| (role, outcome)))
        .map(|(role, outcome)| {
            let text = || "text".to_owned();
            Notice { role, outcome, submission: text(), path: text(), reason: text().into() }
        })
        .collect()
}

/// Returns samples of what the page may be given, by the kind of file.
fn written() -> Vec<(&'static str, Value)> {
    let mut full = hostile("text");
    let [submission, ..] = &mut full.submissions[..] else { unreachable!() };
    for chosen in all(ChoiceReason::Forced, next_chosen) {
        let mut file = submission.files[0].clone();
        file.chosen_by = chosen;
        submission.files.push(file);
    }
    for why in all(Boilerplate::Given, next_boilerplate) {
        submission.files[0].boilerplate.push(BoilerplateSpan { start: 0, end: 2, why });
    }
    full.submissions[1].role = Role::Archive;
    let fact = || Some("text".to_owned());
    full.submissions[1].publication =
        Publication { title: fact(), url: fact(), licence: fact(), language: fact() };
    full.notices = notices();
    for kind in all(Kind::Code, next_kind) {
        full.promises.push(fanmill::report::Promise { kind, ..full.promises[0].clone() });
    }

    full.sources.push(RankedSource { pair: 0, added: 1, variants: vec![1] });

    // In the second report, whatever may be absent is absent.
    let mut bare = full.clone();
    full.clusters[0].chain = Some(2);
    for found in &mut full.pairs[0].passages[0].matches {
        (found.a.pages, found.b.pages) = (Some((1, 2)), Some((1, 1)));
    }
    full.promises[0].shorter_than = Some(150);
    full.promises[0].max_holders = Some(16);
    bare.title = None;
    bare.sources.clear();
    bare.pairs[0].expected = None;
    bare.expectation = None;
    full.page_language = Some("text".to_owned());
    (full.unjudged, full.expectation) = (None, Some(expectation()));
    full.counts.standing_out = 0;
    bare.settings.max_docs = None;
    bare.settings.language = None;
    bare.promises[0].guarantee = None;
    for submission in &mut bare.submissions {
        (submission.author, submission.label, submission.submitted) = (None, None, None);
        submission.publication = Publication::default();
    }
    let texts = vec!["text".to_owned(); 9];
    let mut out = Vec::new();
    for (report, held) in [(&full, Held(vec![texts.clone(), texts])), (&bare, Held(Vec::new()))] {
        out.extend(files(report, &held));
    }
    for listed_for in [ListedFor::Score, ListedFor::RareRun] {
        bare.pairs[0].listed_for = listed_for;
        out.push(("overview", overview_of(&bare)));
    }
    let first = Unjudged::TooFewPairs { n_pairs: 1, least: 10 };
    for unjudged in all(first, next_unjudged) {
        bare.unjudged = Some(unjudged);
        out.push(("overview", overview_of(&bare)));
    }
    for from in all(ThresholdFrom::Set, next_threshold) {
        bare.settings.threshold_from = from;
        out.push(("overview", overview_of(&bare)));
    }
    out
}

fn files(report: &Report, held: &Held) -> Vec<(&'static str, Value)> {
    let (places, texts) = texts_of(report, held);
    let texts = texts.into_iter().map(|(_, mut text)| {
        // Tokens are text, and not a value of an enum.
        text["tokens"] = "text".into();
        ("text", text)
    });
    let written: Vec<_> = texts.collect();
    let overview = overview_of(report);
    let pair = call(|out| write_pair(0, &report.pairs[0], &places, out)).1;
    written.into_iter().chain([("overview", overview), ("pair", pair)]).collect()
}

fn overview_of(report: &Report) -> Value {
    call(|out| write_overview(report, out)).1
}

/// Returns all values of an enum. `next` is a match over all of them, so that none can be missing.
fn all<T: Copy>(first: T, next: fn(T) -> Option<T>) -> impl Iterator<Item = T> {
    std::iter::successors(Some(first), move |&value| next(value))
}

fn next_unjudged(unjudged: Unjudged) -> Option<Unjudged> {
    match unjudged {
        Unjudged::TooFewPairs { .. } => {
            Some(Unjudged::MostlyCopies { n_submissions: 9, n_groups: 2 })
        }
        Unjudged::MostlyCopies { .. } => Some(Unjudged::ChosenSources),
        Unjudged::ChosenSources => Some(Unjudged::AllAlike { typical: 0.5, expected: 2.0 }),
        Unjudged::AllAlike { .. } => None,
    }
}

fn next_chosen(chosen: ChoiceReason) -> Option<ChoiceReason> {
    match chosen {
        ChoiceReason::Forced => Some(ChoiceReason::FileName),
        ChoiceReason::FileName => Some(ChoiceReason::Extension),
        ChoiceReason::Extension => Some(ChoiceReason::Interpreter),
        ChoiceReason::Interpreter => Some(ChoiceReason::InnerExtension),
        ChoiceReason::InnerExtension => Some(ChoiceReason::Content),
        ChoiceReason::Content => Some(ChoiceReason::Batch),
        ChoiceReason::Batch => Some(ChoiceReason::FallbackCode),
        ChoiceReason::FallbackCode => Some(ChoiceReason::FallbackProse),
        ChoiceReason::FallbackProse => None,
    }
}

fn next_threshold(from: ThresholdFrom) -> Option<ThresholdFrom> {
    match from {
        ThresholdFrom::Set => Some(ThresholdFrom::Chance),
        ThresholdFrom::Chance => Some(ThresholdFrom::Unjudged),
        ThresholdFrom::Unjudged => Some(ThresholdFrom::Fitted),
        ThresholdFrom::Fitted => None,
    }
}

fn next_boilerplate(why: Boilerplate) -> Option<Boilerplate> {
    match why {
        Boilerplate::Given => Some(Boilerplate::Frequent),
        Boilerplate::Frequent => Some(Boilerplate::Quoted),
        Boilerplate::Quoted => None,
    }
}

fn next_role(role: Role) -> Option<Role> {
    match role {
        Role::New => Some(Role::Archive),
        Role::Archive => Some(Role::Base),
        Role::Base => None,
    }
}

fn next_outcome(outcome: Outcome) -> Option<Outcome> {
    match outcome {
        Outcome::Degraded => Some(Outcome::Skipped),
        Outcome::Skipped => Some(Outcome::Failed),
        Outcome::Failed => Some(Outcome::Flagged),
        Outcome::Flagged => None,
    }
}

fn next_kind(kind: Kind) -> Option<Kind> {
    match kind {
        Kind::Code => Some(Kind::Words),
        Kind::Words => Some(Kind::Chars),
        Kind::Chars => None,
    }
}

/// The values in one place of the samples.
#[derive(Debug, Default)]
struct Shape {
    /// `null`, `boolean`, `number`, `string`, or a value of an enum in quotes.
    scalars: BTreeSet<String>,
    items: Option<Box<Shape>>,
    /// The items of an array in which each position has its own meaning.
    tuple: Vec<Shape>,
    /// The number of objects, and their fields, each with the number of objects that have it.
    n_objects: usize,
    fields: BTreeMap<String, (usize, Shape)>,
}

impl Shape {
    fn add(&mut self, value: &Value) {
        let scalar = match value {
            Value::Null => "null".to_owned(),
            Value::Bool(_) => "boolean".to_owned(),
            Value::Number(_) => "number".to_owned(),
            Value::String(text) if text == "text" => "string".to_owned(),
            Value::String(text) => quoted(text),
            Value::Array(items) => return self.add_array(items),
            Value::Object(fields) => {
                self.n_objects += 1;
                for (name, value) in fields {
                    let (n_with, shape) = self.fields.entry(name.clone()).or_default();
                    *n_with += 1;
                    shape.add(value);
                }
                return;
            }
        };
        self.scalars.insert(scalar);
    }

    fn add_array(&mut self, items: &[Value]) {
        let kind = std::mem::discriminant::<Value>;
        if items.iter().any(|item| kind(item) != kind(&items[0])) {
            self.tuple.resize_with(items.len(), Shape::default);
            for (shape, item) in self.tuple.iter_mut().zip(items) {
                shape.add(item);
            }
        } else {
            let shape = self.items.get_or_insert_default();
            for item in items {
                shape.add(item);
            }
        }
    }
}

/// The types of shapes; those of objects have names.
#[derive(Debug, Default)]
struct Types {
    /// The fields of each interface, one per line.
    interfaces: BTreeMap<&'static str, String>,
}

impl Types {
    fn of(&mut self, shape: &Shape, path: &str) -> String {
        let mut any: Vec<String> = shape.scalars.iter().filter(|s| *s != "null").cloned().collect();
        if shape.n_objects > 0 {
            any.push(self.object(shape, path));
        }
        if !shape.tuple.is_empty() {
            let items: Vec<String> = shape.tuple.iter().map(|item| self.of(item, path)).collect();
            any.push(format!("[{}]", items.join(", ")));
        } else if let Some(items) = &shape.items {
            let item = self.of(items, &format!("{path}[]"));
            any.push(if item.contains(' ') && !item.starts_with('[') {
                format!("({item})[]")
            } else {
                format!("{item}[]")
            });
        }
        any.extend(shape.scalars.get("null").cloned());
        assert!(!any.is_empty(), "the samples have nothing in {path}");
        any.join(" | ")
    }

    fn object(&mut self, shape: &Shape, path: &str) -> String {
        let known = NAMES.iter().find(|(known, _)| *known == path).map(|(_, name)| *name);
        let name = known.or_else(|| PLACES.contains(&path).then_some("Place"));
        let name = name.unwrap_or_else(|| panic!("{path} needs a name"));
        let mut lines = String::new();
        let n_objects = shape.n_objects;
        for (field, (n_with, field_shape)) in &shape.fields {
            let optional = if *n_with < n_objects { "?" } else { "" };
            let of = self.of(field_shape, &format!("{path}.{field}"));
            writeln!(lines, "  {field}{optional}: {of};").unwrap();
        }
        let first = self.interfaces.entry(name).or_insert_with(|| lines.clone());
        assert_eq!(*first, lines, "two shapes of {name}");
        name.to_owned()
    }
}

fn quoted(text: &str) -> String {
    format!("'{text}'")
}
