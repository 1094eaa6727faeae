//! One spelling for what Unicode can spell in several ways, without anything that cannot be seen.
//!
//! Every cluster, which is a base character and the combining marks on it, becomes its NFKC form: `e` and U+0301 become
//! the same `é` as U+00E9, `ﬁ` two letters, `ｉｎｔ` and `𝐢𝐧𝐭` plain `int`. [Invisible](super::invisible) characters are
//! removed first, so that none can separate a base from its mark.
//!
//! | departs from NFKC | why |
//! |---|---|
//! | typographic quotes, primes and `´` become `'` and `"` | the same text from another editor |
//! | hyphens, dashes, minus become `-`; `⁄` becomes `/` | likewise |
//! | every space becomes U+0020, line and paragraph separators a line feed | likewise |
//! | a soft hyphen at a line's end becomes `-` | it is a hyphen there |
//! | U+FDFA stays | it would become 18 letters; nothing else makes more than 8 |
//! | a cluster ends after 32 characters | a million marks on one letter stay linear |
//!
//! Canonically equivalent texts give the same result, up to that limit on marks.
//!
//! Cost: O(n). A character is looked up in a table; only clusters that change, and those with
//! combining marks that might compose, are taken apart.
//! Source: UAX #15 (NFKC, quick check; §13, the stream-safe limit, 30 there).

use std::borrow::Cow;
use std::sync::LazyLock;

use encoding_rs::Encoding;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};

use super::invisible;
use super::marks::{Mark, Marks};
use super::offset_map::{OffsetMap, narrow};
use crate::span::Span;

/// Maximum number of characters, counted after decomposition, that are normalised together.
const CLUSTER: usize = 32;

/// Normalises `text`, and notes in `marks` what was removed, or was plain text in disguise.
///
/// Borrowed if nothing changes. Normalising the result again changes nothing.
pub(super) fn normalize<'a>(text: &'a str, marks: &mut Marks) -> (Cow<'a, str>, OffsetMap) {
    if text.is_ascii() {
        return (Cow::Borrowed(text), OffsetMap::identity(text.len()));
    }
    let mut normalizer = Normalizer::new(text, marks);
    normalizer.run();
    normalizer.finish()
}

/// The effect of a character on its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Stays as it is, and never joins with the character before it.
    Plain = 0,
    /// Stays as it is after a plain character, if no other mark follows.
    LoneMark = 1,
    /// Anything else.
    Joins = 2,
}

/// The effects of characters below this are looked up in a table: all alphabets, Indic scripts, punctuation.
const TABLE: u32 = 0x3000;

fn effect(c: char) -> Effect {
    static EFFECTS: LazyLock<Vec<Effect>> = LazyLock::new(|| {
        (0..TABLE).map(|c| char::from_u32(c).map_or(Effect::Plain, effect_of)).collect()
    });
    match c as u32 {
        code if code < TABLE => EFFECTS[code as usize],
        0x3001..=0x3029 | 0x3041..=0x3096 | 0x30A1..=0x30FA | 0x3400..=0x9FFF | 0xAC00..=0xD7A3 => {
            Effect::Plain
        }
        _ => effect_of(c),
    }
}

fn effect_of(c: char) -> Effect {
    let changes = invisible::is_invisible(c) || plain(c).is_some() || is_control(c);
    if changes || is_nfkc_quick(std::iter::once(c)) != IsNormalized::Yes {
        Effect::Joins
    } else if canonical_combining_class(c) == 0 {
        Effect::Plain
    } else {
        Effect::LoneMark
    }
}

/// Returns whether `c` is a control character beyond ASCII.
fn is_control(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{9F}')
}

/// Returns the ASCII character that a typographic one is written for.
fn plain(c: char) -> Option<char> {
    Some(match c {
        '\u{B4}'
        | '\u{2BC}'
        | '\u{2018}'..='\u{201B}'
        | '\u{2032}'
        | '\u{2035}'
        | '\u{2039}'
        | '\u{203A}' => '\'',
        '«' | '»' | '\u{201C}'..='\u{201F}' | '\u{2033}' | '\u{2036}' | '\u{301D}'..='\u{301F}' => {
            '"'
        }
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2E3A}' | '\u{2E3B}' | '\u{FE58}' => '-',
        '\u{2044}' => '/',
        '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => {
            ' '
        }
        '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
        _ => return None,
    })
}

/// Calls `take` with the characters into which a visible one is decomposed.
pub(super) fn parts(c: char, mut take: impl FnMut(char)) {
    match plain(c) {
        _ if c.is_ascii() || c == '\u{FDFA}' => take(c),
        Some(ascii) => take(ascii),
        None => decompose_compatible(c, |part| take(plain(part).unwrap_or(part))),
    }
}

/// Returns the combining class of `c`, which is 0 unless it is a mark. Normal forms keep `c` where these classes do not
/// decrease; `None` if they may not.
pub(super) fn order(c: char) -> Option<u8> {
    match effect_of(c) {
        Effect::Plain => Some(0),
        Effect::LoneMark => Some(canonical_combining_class(c)),
        Effect::Joins => None,
    }
}

/// Returns whether `c` is a letter in a style that Unicode has for symbols; words in such letters are a disguise, or
/// shouting.
fn is_styled(c: char) -> bool {
    is_fullwidth(c)
        || matches!(c, '\u{1D400}'..='\u{1D6A5}' | '\u{24B6}'..='\u{24E9}' | '\u{249C}'..='\u{24B5}'
            | '\u{1F110}'..='\u{1F149}' | '\u{1D2C}'..='\u{1D61}' | '\u{2090}'..='\u{209C}')
}

fn is_fullwidth(c: char) -> bool {
    matches!(c, '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}')
}

/// Characters that are normalised together, decomposed.
#[derive(Debug, Default)]
struct Cluster {
    chars: Vec<char>,
    /// Number of characters from the last one on that could start a cluster by itself: `n` in `ŉ`.
    row: usize,
    start: usize,
    end: usize,
}

/// Styled letters in a row: three make a word.
#[derive(Debug, Default)]
struct StyledRow {
    count: usize,
    end: usize,
    early: [Span; 2],
}

struct Normalizer<'a, 'm> {
    text: &'a str,
    out: String,
    map: OffsetMap,
    marks: &'m mut Marks,
    cluster: Cluster,
    styled: StyledRow,
    /// The last visible character that was fed.
    before: Option<char>,
    right_to_left: Option<bool>,
    east_asian: Option<bool>,
}

impl<'a, 'm> Normalizer<'a, 'm> {
    fn new(text: &'a str, marks: &'m mut Marks) -> Normalizer<'a, 'm> {
        Normalizer {
            text,
            out: String::new(),
            map: OffsetMap::new(),
            marks,
            cluster: Cluster::default(),
            styled: StyledRow::default(),
            before: None,
            right_to_left: None,
            east_asian: None,
        }
    }

    fn finish(mut self) -> (Cow<'a, str>, OffsetMap) {
        if self.map.in_len() == 0 {
            return (Cow::Borrowed(self.text), OffsetMap::identity(self.text.len()));
        }
        self.copy_to(self.text.len());
        (Cow::Owned(self.out), self.map)
    }

    /// Passes over plain stretches, and stops at each row of characters that are not plain.
    fn run(&mut self) {
        let mut at = 0;
        // Start of the plain character right before `at`, if there is one.
        let mut base = None;
        while at < self.text.len() {
            let ascii = Encoding::ascii_valid_up_to(&self.text.as_bytes()[at..]);
            if ascii > 0 {
                at += ascii;
                base = Some(at - 1);
            }
            let Some((next, kind)) = self.look(at) else { break };
            match kind {
                Effect::Plain => base = Some(at),
                Effect::LoneMark if base.is_some() && self.is_plain_at(next) => base = None,
                Effect::LoneMark | Effect::Joins => {
                    at = self.slow(base.unwrap_or(at));
                    base = None;
                    continue;
                }
            }
            at = next;
        }
    }

    /// Returns the end of the character at `at`, and its effect.
    fn look(&self, at: usize) -> Option<(usize, Effect)> {
        let byte = *self.text.as_bytes().get(at)?;
        if byte.is_ascii() {
            return Some((at + 1, Effect::Plain));
        }
        let c = self.text[at..].chars().next()?;
        Some((at + c.len_utf8(), effect(c)))
    }

    fn is_plain_at(&self, at: usize) -> bool {
        self.look(at).is_none_or(|(_, effect)| effect == Effect::Plain)
    }

    /// Normalises from `start`: one base character or none, and all characters after it that are not plain. Returns the
    /// place of the next plain character.
    fn slow(&mut self, start: usize) -> usize {
        self.copy_to(start);
        self.before = self.text[..start].chars().next_back();
        let mut at = start;
        for c in self.text[start..].chars() {
            if at > start && effect(c) == Effect::Plain {
                break;
            }
            let end = at + c.len_utf8();
            self.feed(c, at, end);
            at = end;
        }
        self.flush();
        let rest = at - self.map.in_len();
        self.map.skip(rest);
        at
    }

    /// Copies the text that has been passed over, up to `at`.
    fn copy_to(&mut self, at: usize) {
        let from = self.map.in_len();
        if self.out.capacity() == 0 {
            self.out.reserve(self.text.len());
        }
        self.out.push_str(&self.text[from..at]);
        self.map.copy(at - from);
    }

    fn feed(&mut self, c: char, start: usize, end: usize) {
        if let Some(mark) = invisible::class(c) {
            self.note_invisible(mark, c, start, end);
            if c == '\u{AD}' && matches!(self.text.as_bytes().get(end), Some(b'\r' | b'\n')) {
                self.join(&['-'], start, end);
            }
            return;
        }
        self.before = Some(c);
        let span = Span::new(narrow(start), narrow(end));
        if is_control(c) && c != '\u{85}' {
            self.marks.add(Mark::Control, span);
        }
        self.note_styled(c, start, span);
        let mut found = ['\0'; CLUSTER];
        let mut count = 0;
        parts(c, |part| {
            found[count] = part;
            count += 1;
        });
        self.join(&found[..count], start, end);
    }

    /// Adds the decomposed character at `start..end` to the cluster, or to the next one.
    fn join(&mut self, parts: &[char], start: usize, end: usize) {
        let joins = parts.first().is_some_and(|&first| !starts_cluster(first));
        if self.cluster.chars.is_empty() || !joins || self.cluster.row >= CLUSTER {
            self.flush();
            self.cluster.start = start;
        }
        self.cluster.end = end;
        for &part in parts {
            self.cluster.row = if starts_cluster(part) { 1 } else { self.cluster.row + 1 };
            self.cluster.chars.push(part);
        }
    }

    fn flush(&mut self) {
        if self.cluster.chars.is_empty() {
            return;
        }
        let gap = self.cluster.start - self.map.in_len();
        self.map.skip(gap);
        let before = self.out.len();
        match self.cluster.chars[..] {
            [only] if only.is_ascii() => self.out.push(only),
            _ => self.out.extend(self.cluster.chars.iter().copied().nfc()),
        }
        self.map.unit(self.out.len() - before, self.cluster.end - self.cluster.start);
        self.cluster.chars.clear();
        self.cluster.row = 0;
    }

    fn note_invisible(&mut self, mark: Mark, c: char, start: usize, end: usize) {
        /// Maximum number of characters searched for the next visible one.
        const AHEAD: usize = 16;
        let text = self.text;
        let after = text[end..].chars().take(AHEAD).find(|&c| !invisible::is_invisible(c));
        let before = self.before;
        let mut expected = || {
            let overrides = matches!(c, '\u{202D}' | '\u{202E}');
            mark == Mark::Bidi
                && !overrides
                && *self.right_to_left.get_or_insert_with(|| invisible::has_right_to_left(text))
        };
        let honest = invisible::is_honest(c, text, start, end, before, after) || expected();
        if !honest {
            self.marks.add(mark, Span::new(narrow(start), narrow(end)));
        }
    }

    /// Notes styled letters from the third in a row on, and then the first two as well: one or two are taken for a
    /// variable.
    fn note_styled(&mut self, c: char, start: usize, span: Span) {
        let text = self.text;
        let usual = |east_asian: &mut Option<bool>| {
            is_fullwidth(c) && *east_asian.get_or_insert_with(|| invisible::has_east_asian(text))
        };
        if !is_styled(c) || usual(&mut self.east_asian) {
            return;
        }
        let row = &mut self.styled;
        row.count = if row.count > 0 && row.end == start { row.count + 1 } else { 1 };
        row.end = span.end as usize;
        if row.count <= 2 {
            row.early[row.count - 1] = span;
            return;
        }
        if row.count == 3 {
            self.marks.add(Mark::Compatibility, row.early[0]);
            self.marks.add(Mark::Compatibility, row.early[1]);
        }
        self.marks.add(Mark::Compatibility, span);
    }
}

/// Returns whether a decomposed character never composes with the character before it, nor is sorted before that.
fn starts_cluster(c: char) -> bool {
    c.is_ascii()
        || (canonical_combining_class(c) == 0
            && is_nfc_quick(std::iter::once(c)) == IsNormalized::Yes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn normal(text: &str) -> String {
        let mut marks = Marks::new();
        let (out, map) = normalize(text, &mut marks);
        assert_eq!((map.in_len(), map.out_len()), (text.len(), out.len()));
        out.into_owned()
    }

    /// NFKC after removing invisible characters, and the table of departures: too simple to be wrong.
    fn naive(text: &str) -> String {
        let seen: String = text.chars().filter(|&c| !invisible::is_invisible(c)).collect();
        let plainer: String = seen.chars().map(|c| plain(c).unwrap_or(c)).collect();
        plainer.nfkd().map(|c| plain(c).unwrap_or(c)).nfc().collect()
    }

    fn texts() -> impl Strategy<Value = String> {
        let c = prop_oneof![
            4 => prop::char::range(' ', '~'),
            3 => prop::char::range('\u{300}', '\u{345}'),
            3 => prop::char::range('\u{C0}', '\u{24F}'),
            2 => prop::char::range('\u{370}', '\u{45F}'),
            2 => prop::char::range('\u{5B0}', '\u{65F}'),
            2 => prop::char::range('\u{900}', '\u{9FF}'),
            2 => prop::char::range('\u{1100}', '\u{11FF}'),
            2 => prop::char::range('\u{AC00}', '\u{ACFF}'),
            2 => prop::char::range('\u{2000}', '\u{206F}'),
            1 => prop::char::range('\u{F900}', '\u{FFEF}'),
            1 => any::<char>(),
        ];
        prop::collection::vec(c, 0..24).prop_map(|chars| chars.into_iter().collect())
    }

    #[test]
    fn one_spelling() {
        for (text, want) in [
            ("cafe\u{301} caf\u{E9}", "café café"),
            ("e\u{200B}\u{301}", "é"),
            ("ﬁn ﬀ", "fin ff"),
            ("ｉｎｔ　ｘ；", "int x;"),
            ("𝐛𝐨𝐥𝐝 Ⓐ", "bold A"),
            ("“don’t” – «x»…", "\"don't\" - \"x\"..."),
            ("\u{1112}\u{1161}\u{11AB}글", "한글"),
            ("pass\u{AD}\nage", "pass-\nage"),
            ("\u{FEFF}", ""),
            ("q\u{307}\u{323} q\u{323}\u{307}", "q\u{323}\u{307} q\u{323}\u{307}"),
        ] {
            assert_eq!(normal(text), want);
        }
    }

    #[test]
    fn a_cluster_is_one_unit() {
        let (out, map) = normalize("xe\u{301}\u{200B}y", &mut Marks::new());
        assert_eq!(out, "xéy");
        assert_eq!(map.map_span(Span::new(1, 3)), Span::new(1, 4));
        assert_eq!(map.map_span(Span::new(3, 4)), Span::new(7, 8));
    }

    #[test]
    fn a_million_marks_take_no_time() {
        let text = format!("a{}", "\u{301}\u{327}".repeat(500_000));
        let once = normal(&text);
        assert_eq!(normal(&once), once);
        let text = "\u{200B}".repeat(1_000_000);
        assert_eq!(normal(&text), "");
    }

    proptest! {
        #[test]
        fn is_the_naive_one(text in texts()) {
            prop_assume!(!text.contains(['\u{AD}', '\u{FDFA}']));
            prop_assert_eq!(normal(&text), naive(&text));
        }

        #[test]
        fn equivalent_texts_are_equal(text in texts()) {
            let nfc: String = text.nfc().collect();
            let nfd: String = text.nfd().collect();
            prop_assert_eq!(normal(&nfc), normal(&nfd));
        }

        #[test]
        fn twice_is_once(text in texts(), marks in 0..80usize) {
            let once = normal(&(text + &"\u{301}\u{323}".repeat(marks)));
            prop_assert_eq!(normal(&once), once);
        }
    }
}
