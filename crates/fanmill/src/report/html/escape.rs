//! Markup that cannot be injected into: raw text is the program's own, everything else escaped.
//!
//! [`Html::raw`] takes `&'static str` only, so data never reaches it; tag and attribute names are
//! static too. Attribute values always stand in double quotes.
//!
//! Source: the HTML Standard, §13.1.2.3 (attributes) and §13.1.4 (character references), by
//! what the two kinds of text may not hold.

use std::fmt::Write;

use crate::report::printable::{is_hidden, printable};

/// A page or a part of one in the making.
#[derive(Debug, Default)]
pub(super) struct Html {
    out: String,
}

/// An attribute's name and its value, not yet escaped.
pub(super) type Attribute<'a> = (&'static str, &'a str);

impl Html {
    /// Nothing yet.
    pub(super) fn new() -> Html {
        Html::default()
    }

    /// Bytes so far.
    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    /// The markup.
    pub(super) fn into_string(self) -> String {
        self.out
    }

    /// Adds markup that the program brings along.
    pub(super) fn raw(&mut self, markup: &'static str) {
        self.out.push_str(markup);
    }

    /// Adds another part, which is escaped already.
    pub(super) fn part(&mut self, part: &Html) {
        self.out.push_str(&part.out);
    }

    /// Adds a text as it is.
    pub(super) fn text(&mut self, text: &str) {
        escape_text(text, &mut self.out);
    }

    /// Adds a text on one line, its hidden characters as escapes.
    pub(super) fn shown(&mut self, text: &str) {
        escape_text(&printable(text), &mut self.out);
    }

    /// Adds a name from outside, so that its direction does not disturb its surroundings.
    pub(super) fn name(&mut self, name: &str) {
        self.raw("<bdi>");
        self.shown(name);
        self.raw("</bdi>");
    }

    /// Adds a number or another value of our own making, escaped all the same.
    pub(super) fn value(&mut self, value: impl std::fmt::Display) {
        self.text(&value.to_string());
    }

    /// Adds a stretch of a document: hidden characters become chips, tab and line feed stay.
    pub(super) fn code(&mut self, text: &str) {
        let mut plain = 0;
        for (at, c) in text.char_indices() {
            if c == '\t' || c == '\n' || !is_hidden(c) {
                continue;
            }
            self.text(&text[plain..at]);
            self.chip(c);
            plain = at + c.len_utf8();
        }
        self.text(&text[plain..]);
    }

    /// A hidden character in a form that can be seen: ␀, or its code point.
    fn chip(&mut self, c: char) {
        self.raw("<i>");
        match u32::from(c) {
            code @ 0..=0x1F => self.out.extend(char::from_u32(0x2400 + code)),
            0x7F => self.out.push('\u{2421}'),
            code => write!(self.out, "U+{code:04X}").expect("writing to a String succeeds"),
        }
        self.raw("</i>");
    }

    /// Adds a start tag.
    pub(super) fn tag(&mut self, name: &'static str, attributes: &[Attribute]) {
        self.out.push('<');
        self.out.push_str(name);
        for &(name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            escape_attribute(value, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
    }

    /// Adds an end tag.
    pub(super) fn end(&mut self, name: &'static str) {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }

    /// Adds an element with its content.
    pub(super) fn element(
        &mut self,
        name: &'static str,
        attributes: &[Attribute],
        content: impl FnOnce(&mut Html),
    ) {
        self.tag(name, attributes);
        content(self);
        self.end(name);
    }

    /// Adds an element of a class with its content.
    pub(super) fn of_class(
        &mut self,
        name: &'static str,
        class: &'static str,
        content: impl FnOnce(&mut Html),
    ) {
        self.element(name, &[("class", class)], content);
    }
}

/// Escapes a text between tags. A carriage return is escaped because a parser would drop it.
pub(super) fn escape_text(text: &str, out: &mut String) {
    escape(text, out, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'\r' => Some("&#13;"),
        0 => Some("\u{FFFD}"),
        _ => None,
    });
}

/// Escapes an attribute's value, which stands in double quotes.
pub(super) fn escape_attribute(text: &str, out: &mut String) {
    escape(text, out, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'"' => Some("&quot;"),
        b'\'' => Some("&#39;"),
        b'\t' => Some("&#9;"),
        b'\n' => Some("&#10;"),
        b'\r' => Some("&#13;"),
        0 => Some("\u{FFFD}"),
        _ => None,
    });
}

/// One segment of a relative URL's path: everything but unreserved characters in percent form,
/// so that neither a scheme nor a host nor a step upwards can come of it.
pub(super) fn url_segment(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let only_dots = name.bytes().all(|byte| byte == b'.');
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || (b"-_.~".contains(&byte) && !only_dots) {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").expect("writing to a String succeeds");
        }
    }
    out
}

fn escape(text: &str, out: &mut String, reference: impl Fn(u8) -> Option<&'static str>) {
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if let Some(reference) = reference(byte) {
            out.push_str(&text[plain..at]);
            out.push_str(reference);
            plain = at + 1;
        }
    }
    out.push_str(&text[plain..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn made(make: impl FnOnce(&mut Html)) -> String {
        let mut html = Html::new();
        make(&mut html);
        html.into_string()
    }

    #[test]
    fn each_context_has_its_own_escapes() {
        let text = "<a href='x'>\"&\0\r\n\t</a>";
        assert_eq!(
            made(|html| html.text(text)),
            "&lt;a href='x'&gt;\"&amp;\u{FFFD}&#13;\n\t&lt;/a&gt;"
        );
        assert_eq!(
            made(|html| html.tag("p", &[("title", text)])),
            "<p title=\"&lt;a href=&#39;x&#39;&gt;&quot;&amp;\u{FFFD}&#13;&#10;&#9;&lt;/a&gt;\">"
        );
        assert_eq!(url_segment("0001.html"), "0001.html");
        assert_eq!(url_segment("javascript:x/ä\"?#"), "javascript%3Ax%2F%C3%A4%22%3F%23");
        assert_eq!((url_segment(".."), url_segment("//")), ("%2E%2E".into(), "%2F%2F".into()));
    }

    #[test]
    fn hidden_characters_of_a_document_are_chips() {
        assert_eq!(
            made(|html| html.code("a\0<\t\u{202E}b\u{7F}\n")),
            "a<i>\u{2400}</i>&lt;\t<i>U+202E</i>b<i>\u{2421}</i>\n"
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_markup(text in "[<>&\"'=/a-c \u{0}\r\n\u{202e}!-]{0,40}") {
            let between = made(|html| html.text(&text));
            prop_assert!(!between.contains(['<', '>']));
            let value = made(|html| html.tag("p", &[("title", &text)]));
            let inner = &value["<p title=\"".len()..value.len() - "\">".len()];
            prop_assert!(!inner.contains(['<', '>', '"', '\'', '\n']));
            prop_assert!(url_segment(&text).bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.~%".contains(&b)));
        }
    }
}
