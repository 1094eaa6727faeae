//! Rich text: control words and groups, read in one pass without recursion.
//!
//! A control word acts until the end of its group. Bytes are letters of a code page, which the font determines. `\u`
//! gives a character by its number; after it come letters for programs that do not know it, as many as `\uc` declared.
//! Groups that are destinations contain something other than text: tables of fonts and colours, pictures, headers,
//! instructions of fields. An unknown one is skipped if it begins with `\*`; within a group, that sign says nothing.
//! Nobody sees what follows the last brace.
//!
//! Cost: O(n) time; memory for at most [`DEEPEST`] open groups; deeper ones share one state.
//! Source: Rich Text Format Specification 1.9.1, "Conventions of an RTF reader", "Unicode RTF", "Character formatting
//! properties".

mod code_pages;
mod tables;

use encoding_rs::{Encoding, WINDOWS_1252};

use super::draft::{Draft, LineTarget};
use super::look::Look;
use crate::extracted::SetApartReason;
use tables::Tables;

/// Maximum nesting of groups; deeper ones are read as part of the group around them.
const DEEPEST: usize = 4096;

/// The kind of content of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Destination {
    Body,
    Notes,
    Comment,
    Fonts,
    Colours,
    /// Facts about the document, in groups of their own.
    Properties,
    /// A value of the document, with the name of its control word.
    Info(&'static str),
    /// The shape behind all pages; the name of one of its properties, and the value.
    Background,
    BackgroundName,
    BackgroundValue,
    Created,
    Revisions,
    Nothing,
}

/// Settings that are in effect until the group ends.
#[derive(Debug, Clone, Copy)]
struct State {
    destination: Destination,
    /// The code page of letters.
    encoding: &'static Encoding,
    /// Number of letters to skip after a `\u`.
    n_instead: u32,
    look: Look,
    is_deleted: bool,
    is_moved: bool,
    is_in_table: bool,
}

/// Returns whether bytes are rich text.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(b"{\\rtf")
}

/// Reads a document, whatever its bytes are.
pub(super) fn read(bytes: &[u8], draft: &mut Draft) {
    draft.open_line();
    let mut reader = Reader::new(draft);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'{' => reader.open(),
            b'}' => reader.close(),
            b'\\' => at = reader.control(bytes, at),
            b'\r' | b'\n' => continue,
            _ => reader.letter(byte),
        }
        reader.is_at_start = byte == b'{';
    }
    reader.flush();
    while reader.stack.len() > 1 {
        reader.close();
    }
    reader.end_line();
    let tables = reader.tables;
    tables.into_metadata(draft);
}

/// The reader of a document.
struct Reader<'r> {
    draft: &'r mut Draft,
    /// The states of the open groups; the last one is in effect. Never empty.
    stack: Vec<State>,
    /// Number of open groups that are too deep to have a state.
    n_deeper: usize,
    /// Letters that are not decoded yet.
    letters: Vec<u8>,
    /// Number of letters still to be skipped after a `\u`.
    n_passed: u32,
    /// The first half of a character above U+FFFF.
    high: Option<u16>,
    /// If set, a group has just begun.
    is_at_start: bool,
    /// If set, the last control was `\*` at the start of a group.
    is_optional: bool,
    tables: Tables,
}

impl<'r> Reader<'r> {
    fn new(draft: &'r mut Draft) -> Reader<'r> {
        let state = State {
            destination: Destination::Body,
            encoding: WINDOWS_1252,
            n_instead: 1,
            look: Look::default(),
            is_deleted: false,
            is_moved: false,
            is_in_table: false,
        };
        Reader {
            draft,
            stack: vec![state],
            n_deeper: 0,
            letters: Vec::new(),
            n_passed: 0,
            high: None,
            is_at_start: false,
            is_optional: false,
            tables: Tables::default(),
        }
    }

    fn state(&mut self) -> &mut State {
        self.stack.last_mut().expect("the first state is never removed")
    }

    fn open(&mut self) {
        self.flush();
        (self.n_passed, self.is_optional) = (0, false);
        if self.stack.len() < DEEPEST {
            let state = *self.state();
            self.stack.push(state);
        } else {
            self.n_deeper += 1;
        }
    }

    fn close(&mut self) {
        self.flush();
        (self.n_passed, self.is_optional) = (0, false);
        if self.n_deeper > 0 {
            self.n_deeper -= 1;
            return;
        }
        if self.stack.len() < 2 {
            return;
        }
        let inner = *self.state();
        self.stack.pop();
        if self.stack.len() == 1 {
            self.state().look.hidden = Some(true);
        }
        let outer = self.state().destination;
        if outer == inner.destination {
            return;
        }
        match inner.destination {
            Destination::Notes => self.draft.close_line(LineTarget::Notes),
            Destination::Comment => self.draft.end_aside(),
            _ => {}
        }
    }

    fn stream(&mut self) -> LineTarget {
        match *self.state() {
            State { destination: Destination::Notes, .. } => LineTarget::Notes,
            State { is_in_table: true, .. } => LineTarget::Table,
            _ => LineTarget::Body,
        }
    }

    fn end_line(&mut self) {
        let stream = self.stream();
        self.draft.close_line(stream);
    }

    /// Ends a paragraph and begins the next one.
    fn break_line(&mut self) {
        match self.state().destination {
            Destination::Body | Destination::Notes => {
                self.end_line();
                self.draft.open_line();
            }
            _ => self.text("\n"),
        }
    }

    /// Handles a letter of the code page.
    fn letter(&mut self, byte: u8) {
        if self.n_passed > 0 {
            self.n_passed -= 1;
        } else if self.state().destination == Destination::Colours {
            self.tables.colour_letter(byte);
        } else if !matches!(self.state().destination, Destination::Nothing | Destination::Fonts) {
            self.letters.push(byte);
        }
    }

    /// Decodes the letters collected so far.
    fn flush(&mut self) {
        self.high = None;
        if !self.letters.is_empty() {
            let letters = std::mem::take(&mut self.letters);
            let encoding = self.state().encoding;
            let text = encoding.decode_without_bom_handling(&letters).0;
            self.text(&text);
            // Reuse the allocation.
            self.letters = letters;
            self.letters.clear();
        }
    }

    /// Handles text of the group.
    fn text(&mut self, text: &str) {
        let state = *self.state();
        let at = match state.destination {
            Destination::Body | Destination::Notes | Destination::Comment => {
                let stream = self.stream();
                self.draft.here(stream)
            }
            Destination::Info(name) => return self.tables.value(name, text),
            Destination::BackgroundName => return self.tables.background_name(text),
            Destination::BackgroundValue => return self.tables.background_value(text),
            _ => return,
        };
        match why_aside(state).filter(|why| *why != SetApartReason::White || !self.tables.is_dark())
        {
            Some(kind) => self.draft.aside(kind, at, text),
            None => self.draft.push(text),
        }
    }

    /// Handles a character by its number in UTF-16.
    fn unicode(&mut self, number: i32) {
        // Numbers above 32,767 are written as negative ones.
        let unit = number.cast_unsigned() as u16;
        let high = self.high.take();
        let units = match high {
            Some(high) => [high, unit],
            None => [unit, 0],
        };
        let units = if high.is_some() { &units[..] } else { &units[..1] };
        match char::decode_utf16(units.iter().copied()).next() {
            Some(Ok(c)) => self.text(c.encode_utf8(&mut [0; 4])),
            _ if (0xD800..0xDC00).contains(&unit) => self.high = Some(unit),
            _ => self.text("\u{FFFD}"),
        }
        self.n_passed = self.state().n_instead;
    }

    /// Handles what follows a backslash; returns its end.
    fn control(&mut self, bytes: &[u8], at: usize) -> usize {
        let Some(&first) = bytes.get(at) else { return at };
        if !first.is_ascii_alphabetic() {
            return self.symbol(bytes, at, first);
        }
        let n_letters =
            bytes[at..].iter().take(32).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = &bytes[at..at + n_letters];
        let mut end = at + n_letters;
        let is_negative = bytes.get(end) == Some(&b'-');
        let digits = end + usize::from(is_negative);
        let n_digits =
            bytes[digits..].iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        let mut number = None;
        if n_digits > 0 {
            end = digits + n_digits;
            let value = bytes[digits..end]
                .iter()
                .fold(0_i64, |value, digit| value * 10 + i64::from(digit - b'0'));
            let value = if is_negative { -value } else { value };
            number = Some(value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32);
        }
        end += usize::from(bytes.get(end) == Some(&b' '));
        let word = std::str::from_utf8(word).unwrap_or_default();
        if word == "bin" {
            // Raw bytes contain no controls.
            let n = usize::try_from(number.unwrap_or(0)).unwrap_or(0);
            return end.saturating_add(n).min(bytes.len());
        }
        if self.n_passed > 0 {
            self.n_passed -= 1;
        } else {
            self.word(word, number);
        }
        end
    }

    /// Handles a control of one character; returns its end.
    fn symbol(&mut self, bytes: &[u8], at: usize, symbol: u8) -> usize {
        let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        match symbol {
            b'\'' => {
                let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2)) else { return at + 1 };
                self.letter((high * 16 + low) as u8);
                return at + 3;
            }
            b'*' => self.is_optional = self.is_at_start,
            b'\\' | b'{' | b'}' => self.letter(symbol),
            b'~' => self.letter(b' '),
            b'_' => self.letter(b'-'),
            b'\r' | b'\n' => self.word("par", None),
            _ => {}
        }
        at + 1
    }

    /// Handles a control word.
    fn word(&mut self, word: &str, number: Option<i32>) {
        // Do not flush between the two halves of a character, which are two adjacent `\u`.
        if word != "u" || !self.letters.is_empty() {
            self.flush();
        }
        let is_optional = std::mem::take(&mut self.is_optional);
        let inside = self.state().destination;
        if let Some(destination) = destination(word, inside) {
            if inside == Destination::Nothing {
                return;
            }
            if destination == Destination::Notes && inside != Destination::Notes {
                self.draft.open_line();
            }
            let state = self.state();
            state.destination = destination;
            state.is_in_table &= destination == Destination::Body;
            return;
        }
        if is_optional && !matches!(word, "shpinst") {
            self.state().destination = Destination::Nothing;
            return;
        }
        match self.state().destination {
            Destination::Nothing => {}
            Destination::Fonts => self.tables.font(word, number),
            Destination::Colours => self.tables.colour(word, number),
            Destination::Created => self.tables.created(word, number),
            Destination::Revisions => self.tables.revision(word, number),
            _ => self.formatting(word, number),
        }
    }

    /// Handles a control word among text.
    fn formatting(&mut self, word: &str, number: Option<i32>) {
        // A switch is on unless its number is 0.
        let is_on = number != Some(0);
        match word {
            "u" => self.unicode(number.unwrap_or(0)),
            "uc" => self.state().n_instead = number.unwrap_or(1).clamp(0, 16).cast_unsigned(),
            "par" | "sect" | "page" | "cell" | "nestcell" => self.break_line(),
            "line" => self.text("\n"),
            "tab" => self.text("\t"),
            "ansicpg" => self.state().encoding = code_pages::of_number(number.unwrap_or(1252)),
            "viewbksp" => self.tables.has_background = is_on,
            "mac" => self.state().encoding = code_pages::of_number(10_000),
            "f" => {
                let encoding = self.tables.encoding(number.unwrap_or(0), self.stack[0].encoding);
                self.state().encoding = encoding;
            }
            "pard" => self.state().is_in_table = false,
            "intbl" => self.state().is_in_table = true,
            "plain" => {
                let state = self.state();
                (state.look, state.is_deleted, state.is_moved) = (Look::default(), false, false);
            }
            "v" => self.state().look.hidden = Some(is_on),
            "deleted" => self.state().is_deleted = is_on,
            "mvf" => self.state().is_moved = is_on,
            "fs" => self.state().look.size(f64::from(number.unwrap_or(24)) / 2.0),
            "cf" => {
                let is_white = self.tables.is_white(number.unwrap_or(0));
                self.state().look.white = Some(is_white);
            }
            "cb" | "chcbpat" | "highlight" | "cbpat" => {
                let number = number.unwrap_or(0);
                let is_shaded = number > 0 && !self.tables.is_white(number);
                self.state().look.shaded = Some(is_shaded);
            }
            _ => {
                if let Some(text) = character(word) {
                    self.text(text);
                }
            }
        }
    }
}

/// Returns the reason why text in this state is set apart, if it is.
fn why_aside(state: State) -> Option<SetApartReason> {
    if state.is_deleted {
        return Some(SetApartReason::Deleted);
    }
    if state.is_moved {
        return Some(SetApartReason::Moved);
    }
    match state.look.aside() {
        Some(SetApartReason::White) if state.is_in_table => None,
        None if state.destination == Destination::Comment => Some(SetApartReason::Comment),
        why => why,
    }
}

/// Returns the kind of content that a control word gives its group, which is `inside` one of another kind.
fn destination(word: &str, inside: Destination) -> Option<Destination> {
    Some(match word {
        "background" => Destination::Background,
        "sn" if inside == Destination::Background => Destination::BackgroundName,
        "sv" if inside == Destination::Background => Destination::BackgroundValue,
        "sp" if inside == Destination::Background => Destination::Background,
        "info" => Destination::Properties,
        "footnote" => Destination::Notes,
        "annotation" => Destination::Comment,
        "fonttbl" => Destination::Fonts,
        "colortbl" => Destination::Colours,
        "author" => Destination::Info("author"),
        "operator" => Destination::Info("operator"),
        "generator" => Destination::Info("generator"),
        "creatim" => Destination::Created,
        "rsidtbl" => Destination::Revisions,
        "stylesheet" | "pict" | "header" | "headerl" | "headerr" | "headerf" | "footer"
        | "footerl" | "footerr" | "footerf" | "fldinst" | "listtext" | "pntext" | "shprslt"
        | "sp" | "nonshppict" | "objdata" | "themedata" | "datastore" | "latentstyles"
        | "listtable" | "listoverridetable" | "xmlnstbl" | "filetbl" | "title" | "subject"
        | "keywords" | "doccomm" | "company" | "category" | "manager" | "revtbl" | "revtim"
        | "printim" | "buptim" | "ftnsep" | "ftnsepc" | "aftnsep" | "aftnsepc" | "atnid"
        | "atnauthor" | "atndate" | "tc" | "xe" | "bkmkstart" | "bkmkend" => Destination::Nothing,
        _ => return None,
    })
}

/// Returns the character that a control word represents.
fn character(word: &str) -> Option<&'static str> {
    Some(match word {
        "emdash" => "—",
        "endash" => "–",
        "lquote" => "‘",
        "rquote" => "’",
        "ldblquote" => "“",
        "rdblquote" => "”",
        "bullet" => "•",
        "emspace" | "enspace" | "qmspace" => " ",
        "zwj" => "\u{200D}",
        "zwnj" => "\u{200C}",
        _ => return None,
    })
}
