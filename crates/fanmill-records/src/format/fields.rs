//! Fields of a JSON record: found, made into text, changed in place.
//!
//! A change touches the bytes of one value only; order, spacing and escapes of all others stay.

use fanmill_text::Error;
use memchr::memchr;

use super::json::{Fault, Kind, Member, Value, line_members, members};
use super::lists::{Steps, astray};
use super::{ID_FIELDS, Options, TEXT_FIELDS};
use crate::record::{ClusterSize, Flaw, Mark, Record, RecordAction, RunMark};
use crate::text::Text;

/// Name of the member in which marks are written.
const MARK: &str = "fanmill";
/// Maximum number of names that are shown when a field is missing.
const NAMES_SHOWN: usize = 12;
/// Maximum number of letters shown of a name.
const NAME_LETTERS: usize = 40;

/// The fields that a job wants.
#[derive(Debug)]
pub(super) struct Fields {
    /// Fields for the text, then those for the name, then the further ones.
    paths: Vec<Path>,
    /// The steps into the value of the text's field, if the user has named it with any.
    steps: Steps,
    n_text: usize,
    n_id: usize,
}

/// Maximum number of parts of a field's name, separated by dots.
const MOST_PARTS: usize = 64;

/// The name of a field, perhaps a nested one.
#[derive(Debug)]
struct Path {
    name: String,
    /// Start of each part of the name, between its dots. At depth `d`, the wanted member is one with all of the name
    /// from there on, or else an object with the name of that one part.
    starts: Vec<usize>,
}

/// Checks the names of the fields that records are to have.
///
/// # Errors
/// If one has more dots than any record has levels.
pub(super) fn check_names(options: &Options) -> fanmill_text::Result<()> {
    let mut names = options.text.iter().chain(&options.id).chain(&options.extra);
    names.try_for_each(|name| check_name(name))
}

/// Refuses the name of a field with more dots than any record has levels.
///
/// # Errors
/// If it has more than [`MOST_PARTS`] parts.
fn check_name(name: &str) -> fanmill_text::Result<()> {
    let n_parts = name.split('.').count();
    if n_parts <= MOST_PARTS {
        return Ok(());
    }
    let shown: String = name.chars().take(NAME_LETTERS).collect();
    Err(Error::setting(format!(
        "the field `{shown}…` has {n_parts} parts, above the limit of {MOST_PARTS}; name the field with \
         fewer dots"
    )))
}

impl Path {
    fn new(name: &str) -> Path {
        let dots = name.match_indices('.').map(|(at, _)| at + 1);
        Path { name: name.to_owned(), starts: std::iter::once(0).chain(dots).collect() }
    }

    /// Returns the name from a depth on.
    fn from(&self, depth: usize) -> &[u8] {
        &self.name.as_bytes()[self.starts[depth]..]
    }

    /// Returns the part at a depth, if others follow.
    fn part(&self, depth: usize) -> Option<&[u8]> {
        let next = *self.starts.get(depth + 1)?;
        Some(&self.name.as_bytes()[self.starts[depth]..next - 1])
    }
}

/// Members found for a path: one of exactly that name, and one to descend into.
#[derive(Debug, Default, Clone, Copy)]
struct Found {
    exact: Option<Value>,
    outer: Option<Value>,
}

impl Found {
    /// Records a member of the object at a depth of the path, if it is wanted there.
    fn see(&mut self, path: &Path, depth: usize, member: &Member<'_>) {
        if *member.key == *path.from(depth) {
            self.exact = Some(member.value);
        } else if path.part(depth).is_some_and(|part| *member.key == *part) {
            self.outer = Some(member.value).filter(|value| value.kind == Kind::Object);
        }
    }

    /// Returns the value, descending at most as deep as the name has dots.
    fn value(self, path: &Path, line: &[u8]) -> Option<Value> {
        let (mut found, mut depth) = (self, 0);
        while found.exact.is_none() {
            let outer = found.outer?;
            found = Found::default();
            depth += 1;
            // The object has been crossed already, so it cannot have a fault.
            members(line, outer.start, |member| found.see(path, depth, &member)).ok()?;
        }
        found.exact
    }
}

impl Fields {
    pub(super) fn new(options: &Options) -> Fields {
        let names = |given: &Option<String>, usual: &[&str]| -> Vec<Path> {
            match given {
                Some(name) => vec![Path::new(name)],
                None => usual.iter().map(|name| Path::new(name)).collect(),
            }
        };
        let (text, steps) = options.text.as_deref().map(Steps::from_name).unzip();
        let mut paths = names(&text.map(str::to_owned), &TEXT_FIELDS);
        let n_text = paths.len();
        paths.extend(names(&options.id, &ID_FIELDS));
        let n_id = paths.len() - n_text;
        paths.extend(options.extra.iter().map(|name| Path::new(name)));
        Fields { paths, steps: steps.unwrap_or_default(), n_text, n_id }
    }

    /// Parses a line; `room` takes a text with escapes, if it is given.
    pub(super) fn parse<'a>(
        &self,
        line: &'a [u8],
        room: Option<&'a mut Vec<u8>>,
    ) -> Result<Record<'a>, String> {
        let (found, _) = self.find(line)?;
        let values: Vec<Option<Value>> =
            found.iter().zip(&self.paths).map(|(found, path)| found.value(path, line)).collect();
        let (text, rest) = values.split_at(self.n_text);
        let (id, extra) = rest.split_at(self.n_id);
        let at = text.iter().position(Option::is_some).ok_or_else(|| self.missing(line))?;
        let text = text[at].map(|value| self.text(value, &self.paths[at].name, (line, room)));
        let text = text.transpose()?.flatten();
        let characters = |text: Option<Text<'a>>| text.map(|text| text.characters);
        let id = id.iter().flatten().find_map(|value| value.text(line).transpose()).transpose();
        let extra = extra.iter().map(|value| value.map_or(Ok(None), |value| value.text(line)));
        Ok(Record {
            flaw: text.as_ref().map_or(Some(Flaw::Null), Text::flaw),
            text: characters(text).unwrap_or_default(),
            id: characters(id.map_err(said)?),
            extra: extra
                .map(|value| value.map(characters))
                .collect::<Result<_, _>>()
                .map_err(said)?,
        })
    }

    /// Returns the text in the value of a field of this name.
    fn text<'a>(
        &self,
        value: Value,
        name: &str,
        (line, room): (&'a [u8], Option<&'a mut Vec<u8>>),
    ) -> Result<Option<Text<'a>>, String> {
        match value.kind {
            Kind::Array => {}
            _ if !self.steps.is_empty() => {}
            Kind::String | Kind::Null => {
                let text = match room {
                    Some(room) => value.text_in(line, room),
                    None => value.text(line),
                };
                return text.map_err(said);
            }
            kind => return Err(format!("field `{name}` is {}, not a string", kind.noun())),
        }
        let joined = self.steps.joined(value, line);
        joined.map_err(|what| astray(name, &what))
    }

    /// Returns the reason why a record cannot get another text; `None` if it can.
    pub(super) fn unchangeable(&self, line: &[u8]) -> Option<&'static str> {
        let is_list = || {
            let (found, _) = self.find(line).ok()?;
            let values = found.iter().zip(&self.paths).take(self.n_text);
            let value = values.into_iter().find_map(|(found, path)| found.value(path, line))?;
            Some(value.kind == Kind::Array)
        };
        let may_be_list = memchr(b'[', line).is_some();
        (may_be_list && is_list() == Some(true))
            .then_some("its text is a list of strings, and no text can be put back into it")
    }

    /// Returns what is found for each path, and the position of the closing brace.
    fn find(&self, line: &[u8]) -> Result<(Vec<Found>, usize), String> {
        let mut found = vec![Found::default(); self.paths.len()];
        let end = line_members(line, |member| {
            for (found, path) in found.iter_mut().zip(&self.paths) {
                found.see(path, 0, &member);
            }
        });
        Ok((found, end.map_err(said)?))
    }

    fn missing(&self, line: &[u8]) -> String {
        let mut names = Vec::new();
        let _ = line_members(line, |member| {
            if names.len() <= NAMES_SHOWN {
                let name = String::from_utf8_lossy(&member.key);
                names.push(format!("`{}`", name.chars().take(NAME_LETTERS).collect::<String>()));
            }
        });
        missing(self.paths[..self.n_text].iter().map(|path| &*path.name), names)
    }

    /// Appends the line as `action` says.
    pub(super) fn edit(
        &self,
        line: &[u8],
        action: &RecordAction<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        match action {
            RecordAction::Remove => {}
            RecordAction::Keep => out.extend_from_slice(line),
            RecordAction::Text(text) => {
                let (found, _) = self.find(line)?;
                let value = found.iter().zip(&self.paths).take(self.n_text);
                let value = value.into_iter().find_map(|(found, path)| found.value(path, line));
                let value = value.ok_or_else(|| self.missing(line))?;
                if value.kind == Kind::Array {
                    return Err("a list of strings cannot be changed".to_owned());
                }
                out.extend_from_slice(&line[..value.start]);
                push_string(text, out);
                out.extend_from_slice(&line[value.end..]);
            }
            RecordAction::Mark(mark) => {
                mark_line(line, mark.as_ref().map(|mark| |out: &mut _| push_mark(mark, out)), out)?;
            }
            RecordAction::MarkRuns(mark) => {
                let push = |mark| move |out: &mut _| push_run_mark(mark, out);
                mark_line(line, mark.as_ref().map(push), out)?;
            }
            RecordAction::MarkSize(size) => {
                mark_line(line, Some(|out: &mut _| push_size(*size, out)), out)?;
            }
        }
        Ok(())
    }
}

/// Returns the sentence on a field for the text that is missing.
pub(super) fn missing<'a>(wanted: impl Iterator<Item = &'a str>, mut names: Vec<String>) -> String {
    let wanted: Vec<String> = wanted.map(|name| format!("`{name}`")).collect();
    let wanted = match wanted.as_slice() {
        [one] => format!("no field {one}"),
        many => format!("no field for the text, such as {}", many[..3.min(many.len())].join(", ")),
    };
    if names.is_empty() {
        return format!("{wanted}; there are no fields");
    }
    let more = if names.len() > NAMES_SHOWN { ", …" } else { "" };
    names.truncate(NAMES_SHOWN);
    format!("{wanted}; there are {}{more}", names.join(", "))
}

fn said(fault: Fault) -> String {
    format!("{}, at byte {} of the record", fault.what, fault.at)
}

/// Appends a line with what `push_mark` appends as its member [`MARK`], and without any other member of that name.
fn mark_line(
    line: &[u8],
    push_mark: Option<impl Fn(&mut Vec<u8>)>,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let mut kept = Vec::with_capacity(line.len());
    let mut n_members = 0;
    let (mut begin, mut last_end) = (0, 0);
    let mut drops_next_comma = false;
    let end = line_members(line, |member| {
        if std::mem::take(&mut drops_next_comma) {
            begin = member.start;
        }
        if *member.key == *MARK.as_bytes() {
            // A member is removed with the comma before it; the first one, with the comma after it.
            let stop = if n_members == 0 { member.start } else { last_end };
            kept.extend_from_slice(&line[begin..stop]);
            begin = member.value.end;
            drops_next_comma = n_members == 0;
        } else {
            n_members += 1;
        }
        last_end = member.value.end;
    });
    let end = end.map_err(said)?;
    out.extend_from_slice(&kept);
    out.extend_from_slice(&line[begin..end]);
    if let Some(push_mark) = push_mark {
        out.extend_from_slice(if n_members == 0 { b"\"" } else { b",\"" });
        out.extend_from_slice(MARK.as_bytes());
        out.extend_from_slice(b"\":");
        push_mark(out);
    }
    out.extend_from_slice(&line[end..]);
    Ok(())
}

fn push_mark(mark: &Mark<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("{{\"cluster\":{},\"duplicate_of\":", mark.cluster).as_bytes());
    match mark.duplicate_of {
        Some(name) => push_string(name, out),
        None => out.extend_from_slice(b"null"),
    }
    let share = |share: Option<f64>| share.map_or_else(|| "null".to_owned(), |n| n.to_string());
    let (resemblance, containment) = (share(mark.resemblance), share(mark.containment));
    let rest = format!(",\"resemblance\":{resemblance},\"containment\":{containment}}}");
    out.extend_from_slice(rest.as_bytes());
}

fn push_run_mark(mark: &RunMark, out: &mut Vec<u8>) {
    let (runs, words_left) = (mark.runs_as_json(), mark.words_left);
    out.extend_from_slice(format!("{{\"runs\":{runs},\"words_left\":{words_left}}}").as_bytes());
}

fn push_size(ClusterSize { documents, copies }: ClusterSize, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("{{\"size\":{documents},\"copies\":{copies}}}").as_bytes());
}

fn push_string(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(out, text).expect("a string is JSON, and memory takes it");
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::super::Purpose;
    use super::*;

    fn options(text: Option<&str>, id: Option<&str>, extra: &[&str]) -> Options {
        Options {
            text: text.map(str::to_owned),
            id: id.map(str::to_owned),
            extra: extra.iter().map(|&name| name.to_owned()).collect(),
            ..Options::standard()
        }
    }

    fn edited(line: &str, action: &RecordAction<'_>) -> String {
        let mut out = Vec::new();
        Fields::new(&Options::standard()).edit(line.as_bytes(), action, &mut out).expect("JSON");
        String::from_utf8(out).expect("UTF-8")
    }

    const MARKED: Mark<'_> = Mark {
        cluster: 7,
        duplicate_of: Some("a\"b"),
        resemblance: Some(0.875),
        containment: Some(1.0),
    };

    #[test]
    fn usual_fields_are_found_in_their_order() {
        let fields = Fields::new(&options(None, None, &["lang", "none"]));
        let line =
            br#"{"url":"u", "content":"c", "lang":"en", "x":{"text":"inner"}, "text":"t","id":12}"#;
        let record = fields.parse(line, None).expect("a record");
        assert_eq!((&*record.text, record.id.as_deref()), ("t", Some("12")));
        assert_eq!(record.extra, [Some(Cow::from("en")), None]);
        let record =
            fields.parse(br#"{"content":null,"_id":null,"url":"u"}"#, None).expect("a record");
        assert_eq!((&*record.text, record.id.as_deref()), ("", Some("u")));
    }

    #[test]
    fn a_dot_descends_unless_it_is_part_of_a_name() {
        let fields = Fields::new(&options(Some("a.b.c"), Some("meta.url"), &["a.b", "a.0"]));
        let line = br#"{"a":{"b":{"c":"deep"}},"meta":{"url":"outer"},"meta.url":"exact"}"#;
        let record = fields.parse(line, None).expect("a record");
        assert_eq!((&*record.text, record.id.as_deref()), ("deep", Some("exact")));
        assert_eq!(record.extra, [Some(Cow::from(r#"{"c":"deep"}"#)), None]);
        assert_eq!(
            &*fields.parse(br#"{"a":{"b.c":"dotted"}}"#, None).expect("a record").text,
            "dotted"
        );
        assert!(fields.parse(br#"{"a":[{"b":1}]}"#, None).is_err());
    }

    /// Making, following and dropping a name take no stack for its dots.
    #[test]
    fn a_name_of_a_million_dots_is_followed_as_deep_as_the_record_goes() {
        let depth = 500;
        let line = format!("{}\"x\"{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
        let found = |parts: usize| {
            let fields = Fields::new(&options(Some(&vec!["a"; parts].join(".")), None, &[]));
            fields.parse(line.as_bytes(), None).map(|record| record.text.into_owned())
        };
        assert_eq!(found(depth).as_deref(), Ok("x"));
        assert!(found(depth - 1).is_err() && found(1_000_000).is_err());
    }

    #[test]
    fn names_with_more_parts_than_records_have_levels_are_refused() {
        for name in [
            options(Some(&"a.".repeat(60_000)), None, &[]),
            options(None, Some(&".".repeat(64)), &[]),
            options(None, None, &["x", &".".repeat(64)]),
        ] {
            let error = check_names(&name).expect_err("refused");
            assert!(
                error.is_setting() && error.to_string().contains("above the limit of 64"),
                "{error}"
            );
            assert!(error.to_string().len() < 200, "{error}");
            let error =
                super::super::survey(&[".".into()], &name, Purpose::Read).expect_err("refused");
            assert!(error.is_setting(), "{error}");
        }
        check_names(&options(Some(&".".repeat(63)), None, &[])).expect("64 parts");
    }

    #[test]
    fn what_is_no_text_is_said() {
        let fields = Fields::new(&options(Some("body"), None, &[]));
        let cases = [
            (r#"{"id":1,"text":"x"}"#, "no field `body`; there are `id`, `text`"),
            ("{}", "no field `body`; there are no fields"),
            (r#"{"body":{}}"#, "field `body` is an object, not a string"),
            (
                r#"{"body":[{"content":"x"}]}"#,
                "field `body` has an object in a list of strings; name a path such as `body[].content`",
            ),
            (r#"{"body":"x"#, "a string without its closing quote, at byte 8 of the record"),
        ];
        for (line, reason) in cases {
            assert_eq!(fields.parse(line.as_bytes(), None).expect_err("bad"), reason);
        }
        let fields = Fields::new(&Options::standard());
        let reason = fields.parse(br#"{"id":1}"#, None).expect_err("bad");
        assert_eq!(
            reason,
            "no field for the text, such as `text`, `content`, `body`; there are `id`"
        );
    }

    #[test]
    fn texts_in_lists_are_joined() {
        let text = |name: &str, line: &str| {
            let fields = Fields::new(&options(Some(name), None, &[]));
            let record = fields.parse(line.as_bytes(), None)?;
            Ok::<_, String>((record.text.into_owned(), record.flaw))
        };
        let of = |text: &str| Ok((text.replace('\n', fanmill_text::frontend::JOINT), None));
        let nothing = || Ok((String::new(), Some(Flaw::Null)));
        let chat = r#"{"m":[{"role":"user","content":"on\u0065"},{"content":null},{"role":"x"},{"content":"two"}]}"#;
        assert_eq!(text("m[].content", chat), of("one\ntwo"));
        assert_eq!(text("p", r#"{"p":["a", "b" ,null,"c"]}"#), of("a\nb\nc"));
        assert_eq!(text("p[]", r#"{"p":["a"]}"#), of("a"));
        assert_eq!(
            text("a.p[].q.r", r#"{"a":{"p":[{"q":{"r":"x"}},{"q":{}},{"q":{"r":["y","z"]}}]}}"#),
            of("x\ny\nz")
        );
        assert_eq!(text("p[][]", r#"{"p":[["a"],["b","c"]]}"#), of("a\nb\nc"));
        for line in [r#"{"p":[]}"#, r#"{"p":null}"#, r#"{"p":[null]}"#] {
            assert_eq!(text("p[]", line), nothing(), "{line}");
        }
        for (line, words) in [
            (r#"{"p":"x"}"#, "a string where a list should be"),
            (r#"{"p":["x"]}"#, "a string where an object with `q` should be"),
            (r#"{"p":[{"q":1}]}"#, "a number in a list of strings"),
            (r#"{"p":[{"q":[["x"]]}]}"#, "a list in a list of strings"),
            (r#"{"r":1}"#, "no field `p`"),
        ] {
            assert!(text("p[].q", line).expect_err("bad").contains(words), "{line}");
        }
        let fields = Fields::new(&options(Some("p"), None, &[]));
        assert!(fields.unchangeable(br#"{"p":["a"]}"#).is_some());
        assert!(fields.unchangeable(br#"{"p":"a [b]"}"#).is_none());
    }

    #[test]
    fn the_last_of_two_members_counts() {
        let line = r#"{"text":"one","text":"two"}"#;
        let fields = Fields::new(&Options::standard());
        assert_eq!(fields.parse(line.as_bytes(), None).expect("a record").text, "two");
        assert_eq!(
            edited(line, &RecordAction::Text("new".into())),
            r#"{"text":"one","text":"new"}"#
        );
    }

    #[test]
    fn marks_are_added_replaced_and_taken_away() {
        let mark =
            r#""fanmill":{"cluster":7,"duplicate_of":"a\"b","resemblance":0.875,"containment":1}"#;
        let cases = [
            (r#" {"text":"x" } "#, format!(r#" {{"text":"x" ,{mark}}} "#)),
            ("{}", format!("{{{mark}}}")),
            (r#"{"fanmill":1,"text":"x"}"#, format!(r#"{{"text":"x",{mark}}}"#)),
            (r#"{"text":"x", "fanmill":{}}"#, format!(r#"{{"text":"x",{mark}}}"#)),
            (
                r#"{"fanmill":1,"fanmill":2,"a":3,"fanmill":4,"b":5}"#,
                format!(r#"{{"a":3,"b":5,{mark}}}"#),
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(edited(line, &RecordAction::Mark(Some(MARKED))), expected);
        }
        assert_eq!(edited(r#"{"a":1, "fanmill":2}"#, &RecordAction::Mark(None)), r#"{"a":1}"#);
        assert_eq!(edited(r#"{"fanmill":2 , "a":1}"#, &RecordAction::Mark(None)), r#"{"a":1}"#);
        assert_eq!(edited(r#"{"a":1}"#, &RecordAction::Mark(None)), r#"{"a":1}"#);
    }

    proptest! {
        #[test]
        fn a_new_text_is_read_back_and_all_else_stays(old in any::<String>(), new in any::<String>(), other in any::<i32>()) {
            let line = format!("{{ \"n\" : {other}, \"text\" : {} , \"z\":[{other}]}}", serde_json::to_string(&old).expect("JSON"));
            let out = edited(&line, &RecordAction::Text(new.clone().into()));
            let fields = Fields::new(&Options::standard());
            prop_assert_eq!(fields.parse(out.as_bytes(), None).expect("a record").text, new);
            prop_assert_eq!(edited(&out, &RecordAction::Text("".into())), edited(&line, &RecordAction::Text("".into())));
        }

        /// Members of that name may be anywhere: one mark is left, and everything else in order.
        #[test]
        fn marking_leaves_one_mark(keys in prop::collection::vec(prop::sample::select(&["fanmill", "a", "b"][..]), 0..6)) {
            let inside: Vec<String> = keys.iter().enumerate().map(|(i, key)| format!("\"{key}\":{i}")).collect();
            let line = format!("{{{}}}", inside.join(","));
            let rest: Vec<String> = inside.into_iter().filter(|m| !m.starts_with("\"fanmill")).collect();
            prop_assert_eq!(edited(&line, &RecordAction::Mark(None)), format!("{{{}}}", rest.join(",")));
            let once = edited(&line, &RecordAction::Mark(Some(MARKED)));
            prop_assert_eq!(edited(&once, &RecordAction::Mark(Some(MARKED))), once.clone());
            serde_json::from_str::<serde_json::Value>(&once).expect("JSON");
        }
    }
}
