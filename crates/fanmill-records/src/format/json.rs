//! JSON read in place: finds the members of an object without making values of them.
//!
//! A job needs two or three fields of a record and must leave every other byte as it is, so all that matters about a
//! line is *where* things are: a value is a range of bytes, made into text only when it is asked for. Strings are
//! crossed with `memchr`; nested values are checked and crossed with a stack of bits, so that depth costs neither
//! recursion nor memory.
//!
//! More is accepted than the standard allows, since a record that is nearly right must not be lost: the numbers `NaN`,
//! `Infinity` and `-Infinity` that Python writes, control characters in strings, bad escapes in strings that are not read, bytes that are not UTF-8, and half surrogates. The last two
//! read as U+FFFD. Of several members with the same name, the last one counts.
//!
//! No library is used: the usual ones give no positions, stop at bad UTF-8, and copy every string twice. Property tests
//! check that this reads the same as `serde_json`. Speed: `design/corpora.md`.
//!
//! Cost: O(n) time; 64 bytes of stack.
//! Source: RFC 8259.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};

use crate::text::Text;

/// Maximum number of levels of nesting; a record that has more is bad.
pub(super) const MAX_DEPTH: usize = 512;

/// Kind of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    String,
    Number,
    Bool,
    Null,
    Object,
    Array,
}

impl Kind {
    /// Returns a word for such a value.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Kind::String => "a string",
            Kind::Number => "a number",
            Kind::Bool => "true or false",
            Kind::Null => "null",
            Kind::Object => "an object",
            Kind::Array => "a list",
        }
    }
}

/// Position of a value, including quotes and brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
}

/// A fault of a line, and the byte at which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) what: &'static str,
    pub(super) at: usize,
}

impl Value {
    /// Returns the value as text: the content of a string, nothing for null, the JSON of anything else.
    ///
    /// # Errors
    /// If it has an escape that JSON does not have.
    pub(super) fn text(self, line: &[u8]) -> Result<Option<Text<'_>>, Fault> {
        match self.kind {
            Kind::Null => Ok(None),
            Kind::String => string(self.inside(line)).map(Some).map_err(|at| self.bad_escape(at)),
            _ => Ok(Some(Text::utf8(&line[self.start..self.end]))),
        }
    }

    /// Returns the text, borrowed from `room` if it has escapes: for long values, so that memory for them is taken
    /// once.
    ///
    /// # Errors
    /// As [`Value::text`].
    pub(super) fn text_in<'a>(
        self,
        line: &'a [u8],
        room: &'a mut Vec<u8>,
    ) -> Result<Option<Text<'a>>, Fault> {
        if self.kind != Kind::String || memchr(b'\\', self.inside(line)).is_none() {
            return self.text(line);
        }
        let written = unescape_to(self.inside(line), room).map_err(|at| self.bad_escape(at))?;
        let mut text = Text::utf8(&room[..written.end]);
        text.is_replaced |= written.has_halves;
        Ok(Some(text))
    }

    /// Returns the bytes between the quotes of a string.
    fn inside(self, line: &[u8]) -> &[u8] {
        &line[self.start + 1..self.end - 1]
    }

    fn bad_escape(self, at: usize) -> Fault {
        Fault { what: ESCAPE, at: self.start + 1 + at }
    }
}

/// The fault of an escape like `\x`.
const ESCAPE: &str = "an escape that JSON does not have";

/// Decodes the inside of a string, borrowed unless it has escapes; or returns the position of a bad escape.
fn string(inside: &[u8]) -> Result<Text<'_>, usize> {
    if memchr(b'\\', inside).is_none() { Ok(Text::utf8(inside)) } else { unescape(inside) }
}

/// Returns the bytes of a key; one with a bad escape is taken as it is.
fn key(inside: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'\\', inside).is_none() {
        return Cow::Borrowed(inside);
    }
    let text = unescape(inside).map(|text| text.characters.into_owned().into_bytes());
    text.map_or(Cow::Borrowed(inside), Cow::Owned)
}

/// One member of an object, as it is found.
#[derive(Debug)]
pub(super) struct Member<'a> {
    /// The key, with its escapes decoded.
    pub(super) key: Cow<'a, [u8]>,
    /// Start of the key, at its quote.
    pub(super) start: usize,
    pub(super) value: Value,
}

/// Shows each member of the object at `start` to `visit`, in order.
///
/// Returns the position of the object's closing brace. What follows it is not looked at.
pub(super) fn members<'a>(
    line: &'a [u8],
    start: usize,
    mut visit: impl FnMut(Member<'a>),
) -> Result<usize, Fault> {
    let mut scan = Scan { line, at: start };
    scan.space();
    if scan.peek() != Some(b'{') {
        return Err(scan.fault("no JSON object"));
    }
    scan.at += 1;
    scan.space();
    if scan.peek() == Some(b'}') {
        return Ok(scan.at);
    }
    loop {
        let name = scan.key()?;
        let value = scan.value()?;
        visit(Member { key: key(&line[name.start + 1..name.end - 1]), start: name.start, value });
        scan.space();
        match scan.peek() {
            Some(b',') => scan.at += 1,
            Some(b'}') => return Ok(scan.at),
            _ => return Err(scan.fault("neither a comma nor a closing brace")),
        }
    }
}

/// Shows each element of the list at `start` to `visit`, in order. What follows the list is not looked at.
pub(super) fn elements(
    line: &[u8],
    start: usize,
    mut visit: impl FnMut(Value),
) -> Result<(), Fault> {
    let mut scan = Scan { line, at: start + 1 };
    scan.space();
    if scan.peek() == Some(b']') {
        return Ok(());
    }
    loop {
        visit(scan.value()?);
        scan.space();
        match scan.peek() {
            Some(b',') => scan.at += 1,
            Some(b']') => return Ok(()),
            _ => return Err(scan.fault("neither a comma nor a closing bracket")),
        }
    }
}

/// Shows the members of a whole line, as [`members`] does; only spaces may follow the object.
pub(super) fn line_members<'a>(
    line: &'a [u8],
    visit: impl FnMut(Member<'a>),
) -> Result<usize, Fault> {
    let end = members(line, 0, visit)?;
    let mut scan = Scan { line, at: end + 1 };
    scan.space();
    if scan.at < line.len() {
        return Err(scan.fault("more behind the object"));
    }
    Ok(end)
}

/// A position in a line.
struct Scan<'a> {
    line: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn fault(&self, what: &'static str) -> Fault {
        let what =
            if self.at >= self.line.len() { "cut off: the object does not end" } else { what };
        Fault { what, at: self.at.min(self.line.len()) }
    }

    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Crosses a key and its colon; returns the key.
    fn key(&mut self) -> Result<Value, Fault> {
        self.space();
        if self.peek() != Some(b'"') {
            return Err(self.fault("no key in quotes"));
        }
        let key = self.string()?;
        self.space();
        if self.peek() != Some(b':') {
            return Err(self.fault("no colon behind a key"));
        }
        self.at += 1;
        Ok(key)
    }

    fn value(&mut self) -> Result<Value, Fault> {
        self.space();
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            _ => return self.scalar(),
        };
        self.nested()?;
        Ok(Value { start, end: self.at, kind })
    }

    fn scalar(&mut self) -> Result<Value, Fault> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'"') => return self.string(),
            Some(b't') => self.word(b"true", Kind::Bool)?,
            Some(b'f') => self.word(b"false", Kind::Bool)?,
            Some(b'n') => self.word(b"null", Kind::Null)?,
            Some(b'N') => self.word(b"NaN", Kind::Number)?,
            Some(b'I') => self.word(b"Infinity", Kind::Number)?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => return Err(self.fault("no JSON value")),
        };
        Ok(Value { start, end: self.at, kind })
    }

    fn word(&mut self, word: &[u8], kind: Kind) -> Result<Kind, Fault> {
        if !self.line[self.at..].starts_with(word) {
            return Err(self.fault("no JSON value"));
        }
        self.at += word.len();
        Ok(kind)
    }

    fn number(&mut self) -> Result<Kind, Fault> {
        self.at += usize::from(self.peek() == Some(b'-'));
        if self.peek() == Some(b'I') {
            return self.word(b"Infinity", Kind::Number);
        }
        let has_lead_zero = self.peek() == Some(b'0');
        if self.digits()? > 1 && has_lead_zero {
            return Err(self.fault("a number with a leading zero"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(Kind::Number)
    }

    /// Crosses digits, at least one; returns their number.
    fn digits(&mut self) -> Result<usize, Fault> {
        let n = self.line[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if n == 0 {
            return Err(self.fault("a number without digits"));
        }
        self.at += n;
        Ok(n)
    }

    /// Crosses a string. Its escapes are checked when it is read.
    ///
    /// Only quotes are searched for, not backslashes too: texts have a line feed, `\n`, more often than a quote, and
    /// each find costs more than the bytes that it crosses.
    fn string(&mut self) -> Result<Value, Fault> {
        let start = self.at;
        for found in memchr_iter(b'"', &self.line[start + 1..]) {
            let inside = &self.line[start + 1..start + 1 + found];
            let n_backslashes = inside.iter().rev().take_while(|&&byte| byte == b'\\').count();
            if n_backslashes % 2 == 0 {
                self.at = start + 1 + found + 1;
                return Ok(Value { start, end: self.at, kind: Kind::String });
            }
        }
        Err(Fault { what: "a string without its closing quote", at: start })
    }

    /// Crosses an object or array, and checks it.
    fn nested(&mut self) -> Result<(), Fault> {
        let mut open = Stack::default();
        let mut is_fresh = self.open(&mut open)?;
        while let Some(is_object) = open.top() {
            self.space();
            let closes = self.peek() == Some(if is_object { b'}' } else { b']' });
            let follows = self.peek() == Some(b',');
            if closes {
                self.at += 1;
                open.pop();
                is_fresh = false;
                continue;
            }
            // Only the first value in its brackets has no comma before it.
            if !is_fresh {
                if !follows {
                    return Err(self.fault("neither a comma nor a closing bracket"));
                }
                self.at += 1;
            }
            if is_object {
                self.key()?;
            }
            self.space();
            is_fresh = match self.peek() {
                Some(b'{' | b'[') => self.open(&mut open)?,
                _ => self.scalar().map(|_| false)?,
            };
        }
        Ok(())
    }

    /// Crosses an opening bracket; returns true, as no value comes before the next one.
    fn open(&mut self, open: &mut Stack) -> Result<bool, Fault> {
        if !open.push(self.peek() == Some(b'{')) {
            return Err(self.fault("nested deeper than 512 levels"));
        }
        self.at += 1;
        Ok(true)
    }
}

/// The open brackets, one bit for each: 1 for a brace.
#[derive(Default)]
struct Stack {
    bits: [u64; MAX_DEPTH / 64],
    depth: usize,
}

impl Stack {
    /// Adds a bracket; returns false if there is no room.
    fn push(&mut self, is_object: bool) -> bool {
        let Some(word) = self.bits.get_mut(self.depth / 64) else { return false };
        let bit = self.depth % 64;
        *word = (*word & !(1 << bit)) | (u64::from(is_object) << bit);
        self.depth += 1;
        true
    }

    fn pop(&mut self) {
        self.depth -= 1;
    }

    fn top(&self) -> Option<bool> {
        let last = self.depth.checked_sub(1)?;
        Some(self.bits[last / 64] >> (last % 64) & 1 == 1)
    }
}

/// Reads four hexadecimal digits.
fn hex(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0, |value, &byte| Some(value << 4 | char::from(byte).to_digit(16)?))
}

/// Number of bytes that are copied at once when escapes are decoded.
const CHUNK: usize = size_of::<u128>();
/// A one, and a backslash, in each byte.
const ONES: u128 = u128::MAX / 0xFF;
const BACKSLASHES: u128 = ONES * b'\\' as u128;

/// Returns the number of bytes of a chunk before its first backslash; all of them if it has none.
///
/// A byte is zero where it was a backslash; subtracting one borrows into its high bit, and the lowest such bit is
/// exact.
fn before_backslash(chunk: [u8; CHUNK]) -> usize {
    let zeros = u128::from_le_bytes(chunk) ^ BACKSLASHES;
    let high_bits = zeros.wrapping_sub(ONES) & !zeros & (ONES << 7);
    high_bits.trailing_zeros() as usize / 8
}

/// Meanings of a backslash and one letter; 0 if they are not an escape.
const PLAIN: [u8; 256] = {
    let mut plain = [0; 256];
    let pairs = *b"n\nt\tr\rb\x08f\x0c\"\"\\\\//";
    let mut i = 0;
    while i < pairs.len() {
        plain[pairs[i] as usize] = pairs[i + 1];
        i += 2;
    }
    plain
};

/// Decodes the inside of a string; or returns the position of a bad escape.
fn unescape<'a>(inside: &[u8]) -> Result<Text<'a>, usize> {
    let mut out = Vec::new();
    let written = unescape_to(inside, &mut out)?;
    out.truncate(written.end);
    let mut text = Text::utf8_of(out);
    text.is_replaced |= written.has_halves;
    Ok(text)
}

/// The part of a string that has been decoded.
#[derive(Debug, Clone, Copy, Default)]
struct Written {
    /// Number of bytes.
    end: usize,
    /// True if half a surrogate was replaced.
    has_halves: bool,
}

/// Decodes the inside of a string to the first bytes of `out`, which is extended as needed and otherwise left as it is.
///
/// Texts have an escape every twenty bytes or so: they are copied by chunks, and the bytes of a chunk behind a
/// backslash are written over.
fn unescape_to(inside: &[u8], out: &mut Vec<u8>) -> Result<Written, usize> {
    // No escape is shorter than its meaning.
    if out.len() < inside.len() + CHUNK {
        out.resize(inside.len() + CHUNK, 0);
    }
    let (mut at, mut end, mut has_halves) = (0, 0, false);
    while let Some(chunk) = inside[at..].first_chunk() {
        let n = before_backslash(*chunk);
        out[end..end + CHUNK].copy_from_slice(chunk);
        (at, end) = (at + n, end + n);
        if n < CHUNK {
            let plain = inside.get(at + 1).map_or(0, |&letter| PLAIN[usize::from(letter)]);
            if plain == 0 {
                (at, end) = code_point(inside, at, out, end, &mut has_halves).ok_or(at)?;
            } else {
                out[end] = plain;
                (at, end) = (at + 2, end + 1);
            }
        }
    }
    while let Some(&byte) = inside.get(at) {
        let plain = inside.get(at + 1).map_or(0, |&letter| PLAIN[usize::from(letter)]);
        (at, end) = match byte {
            b'\\' if plain == 0 => code_point(inside, at, out, end, &mut has_halves).ok_or(at)?,
            b'\\' => {
                out[end] = plain;
                (at + 2, end + 1)
            }
            _ => {
                out[end] = byte;
                (at + 1, end + 1)
            }
        };
    }
    Ok(Written { end, has_halves })
}

/// Writes the character of the escape `\u` at `at` to `out[end..]`, together with its other half if it has one; half a
/// character becomes U+FFFD, and is noted. Returns where both continue.
fn code_point(
    bytes: &[u8],
    at: usize,
    out: &mut [u8],
    end: usize,
    has_halves: &mut bool,
) -> Option<(usize, usize)> {
    let high = (bytes.get(at + 1) == Some(&b'u')).then(|| hex(bytes, at + 2))??;
    let low = (bytes.get(at + 6..at + 8) == Some(b"\\u")).then(|| hex(bytes, at + 8)).flatten();
    let (value, used) = match (high, low) {
        (0xD800..0xDC00, Some(low @ 0xDC00..0xE000)) => {
            (0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00), 12)
        }
        _ => (high, 6),
    };
    let c = char::from_u32(value);
    *has_halves |= c.is_none();
    let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
    let n = c.encode_utf8(&mut out[end..]).len();
    Some((at + used, end + n))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value as Tree;

    use super::*;

    /// Returns keys and texts of an object's members, in order.
    fn listed(line: &[u8]) -> Result<Vec<(String, Option<String>)>, Fault> {
        let mut found = Vec::new();
        line_members(line, |member| {
            let key = String::from_utf8_lossy(&member.key).into_owned();
            let (text, mut room) = (member.value.text(line), vec![b'x'; 3]);
            assert_eq!(member.value.text_in(line, &mut room), text);
            found.push((key, text));
        })?;
        let owned = |(key, text): (String, Result<Option<Text<'_>>, Fault>)| {
            Ok((key, text?.map(|text| text.characters.into_owned())))
        };
        found.into_iter().map(owned).collect()
    }

    #[test]
    fn strings_say_what_their_escapes_mean() {
        let cases: [(&[u8], &str); 7] = [
            (br#"{"a":"plain"}"#, "plain"),
            (br#"{"a":"\"\\\/\b\f\n\r\t"}"#, "\"\\/\u{8}\u{c}\n\r\t"),
            (br#"{"a":"\u00e9\u65e5\ud83e\udd80"}"#, "é日🦀"),
            (br#"{"a":"x\ud83dy"}"#, "x\u{FFFD}y"),
            (br#"{"a":"\udd80\ud83d"}"#, "\u{FFFD}\u{FFFD}"),
            (br#"{"a":"\ud83d\u0041"}"#, "\u{FFFD}A"),
            (b"{\"a\":\"x\xFFy\\n\"}", "x\u{FFFD}y\n"),
        ];
        for (line, text) in cases {
            let found = listed(line).expect("an object");
            assert_eq!(found, [("a".to_owned(), Some(text.to_owned()))]);
        }
    }

    #[test]
    fn faults_name_their_place() {
        let cases: [(&[u8], &str, usize); 12] = [
            (b"[1]", "no JSON object", 0),
            (b"", "cut off: the object does not end", 0),
            (br#"{"a":1"#, "cut off: the object does not end", 6),
            (br#"{"a":"b"#, "a string without its closing quote", 5),
            (br#"{"a" 1}"#, "no colon behind a key", 5),
            (br#"{"a":1 "b":2}"#, "neither a comma nor a closing brace", 7),
            (br#"{"a":1,}"#, "no key in quotes", 7),
            (br#"{"a":01}"#, "a number with a leading zero", 7),
            (br#"{"a":"\x"}"#, "an escape that JSON does not have", 6),
            (br#"{"a":tru}"#, "no JSON value", 5),
            (br#"{"a":[1,]}"#, "no JSON value", 8),
            (br#"{"a":1} x"#, "more behind the object", 8),
        ];
        for (line, what, at) in cases {
            assert_eq!(listed(line), Err(Fault { what, at }), "{}", line.escape_ascii());
        }
    }

    #[test]
    fn depth_is_limited_and_costs_no_recursion() {
        let nested = |n: usize| format!("{{\"a\":{}{}}}", "[".repeat(n), "]".repeat(n));
        assert!(listed(nested(MAX_DEPTH).as_bytes()).is_ok());
        let fault = listed(nested(MAX_DEPTH + 1).as_bytes()).expect_err("too deep");
        assert_eq!(fault.what, "nested deeper than 512 levels");
        assert!(listed(&[&b"{\"a\":"[..], &b"[{\"a\":".repeat(1 << 20)].concat()).is_err());
    }

    /// Generates any JSON value of some depth.
    fn tree() -> impl Strategy<Value = Tree> {
        let leaf = prop_oneof![
            Just(Tree::Null),
            any::<bool>().prop_map(Tree::from),
            any::<i64>().prop_map(Tree::from),
            any::<f64>().prop_map(Tree::from),
            any::<String>().prop_map(Tree::from),
        ];
        leaf.prop_recursive(4, 30, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Tree::from),
                prop::collection::btree_map(any::<String>(), inner, 0..5)
                    .prop_map(|map| map.into_iter().collect()),
            ]
        })
    }

    fn object() -> impl Strategy<Value = String> {
        prop::collection::btree_map("[a-c\\\\\"é]{0,3}", tree(), 0..5).prop_map(|map| {
            serde_json::to_string(&map.into_iter().collect::<Tree>()).expect("JSON")
        })
    }

    /// Returns what `serde_json` makes of a line; of members with the same name, only the last one counts.
    fn naive(line: &[u8]) -> Option<Vec<(String, Tree)>> {
        let Tree::Object(map) = serde_json::from_slice(line).ok()? else { return None };
        Some(map.into_iter().collect())
    }

    proptest! {
        #[test]
        fn members_are_those_of_the_library(line in object()) {
            let expected = naive(line.as_bytes()).expect("JSON");
            let found = listed(line.as_bytes()).expect("JSON");
            prop_assert_eq!(found.len(), expected.len());
            for (key, value) in expected {
                let (_, text) = found.iter().rfind(|(found, _)| *found == key).expect("the key");
                match value {
                    Tree::Null => prop_assert_eq!(text, &None),
                    Tree::String(value) => prop_assert_eq!(text, &Some(value)),
                    other => {
                        let text = text.as_deref().expect("a value");
                        prop_assert_eq!(serde_json::from_str::<Tree>(text).expect("JSON"), other);
                    }
                }
            }
        }

        /// One byte is changed, so that most lines are nearly JSON.
        #[test]
        fn what_is_refused_is_refused_by_the_library(line in object(), at in any::<prop::sample::Index>(), byte in prop::sample::select(&b"{}[]\",:\\u0e-.1tn x"[..])) {
            let mut line = line.into_bytes();
            let at = at.index(line.len());
            line[at] = byte;
            let is_in_order = listed(&line).is_ok();
            // A changed byte may leave half a surrogate or half a character, which only we accept.
            let is_lenient = line.contains(&b'\\') || line.iter().any(|b| *b >= 0x80 || *b < 0x20);
            // The library stops at such a number, whatever follows it.
            let number_too_large = serde_json::from_slice::<Tree>(&line).is_err_and(|e| e.to_string().contains("number out of range"));
            if !is_lenient && !number_too_large {
                prop_assert_eq!(is_in_order, naive(&line).is_some());
            }
        }

        /// Escapes, good and bad ones, except half surrogates.
        #[test]
        fn strings_are_those_of_the_library(parts in prop::collection::vec(prop::sample::select(&["a", "plain stretch of some length", "\\n", "\\\\", "\\\"", "\\/", "\\u00e9", "\\ud83e\\udd80", "é🦀", "\\x", "\\u12", "\\q"][..]), 0..12)) {
            let inside = parts.concat();
            let quoted = format!("\"{inside}\"");
            prop_assert_eq!(string(inside.as_bytes()).ok().map(|text| text.characters.into_owned()), serde_json::from_str::<String>(&quoted).ok());
        }

        #[test]
        fn no_bytes_make_it_panic(line in prop::collection::vec(prop::sample::select(&b"{}[]\",:\\ud83e-.1tn x\xff"[..]), 0..40)) {
            let _ = listed(&line);
            let _ = listed(&[b"{\"a\":\"", &line[..], b"\"}"].concat());
        }
    }
}
