//! The elements and the text of an XML part, given to a handler.
//!
//! Names are local: `w:p` and `p` in any namespace are the same. A part that is not well-formed is read up to the
//! fault. Document types are skipped, so an entity declared in one stays the text `&name;`, and cannot grow.
//!
//! Cost: O(n) in the part; memory for the names of at most [`DEEPEST`] open elements.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesStart, Event};

/// Maximum nesting of elements. Word's own documents stay below a hundred.
const DEEPEST: usize = 4096;

/// Maximum number of attributes of an element that are looked at.
const ATTRIBUTES: usize = 256;

/// A receiver of the content of a part.
pub(super) trait Handler {
    /// Handles the beginning of an element.
    fn open(&mut self, element: &Element<'_>);
    /// Handles the end of the element with this local name.
    fn close(&mut self, name: &str);
    /// Handles text with its references resolved. The text between two tags may come in several pieces.
    fn text(&mut self, text: &str);
}

/// Result of reading a part: whole, or only up to a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(super) enum Ending {
    Whole,
    Damaged,
}

/// The beginning of an element.
#[derive(Debug)]
pub(super) struct Element<'x>(&'x BytesStart<'x>);

impl Element<'_> {
    /// Returns the local name.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// Returns the value of the attribute with this local name.
    pub(super) fn get(&self, name: &str) -> Option<Cow<'_, str>> {
        self.find(|key| key.rsplit(':').next() == Some(name))
    }

    /// Returns the `id` that refers to a relationship. It has a prefix, since an element may also have an `id` of its
    /// own.
    pub(super) fn relation(&self) -> Option<Cow<'_, str>> {
        self.find(|key| key.split_once(':').is_some_and(|(_, local)| local == "id"))
    }

    /// Returns whether a switch such as `<w:vanish/>` is on.
    pub(super) fn is_on(&self) -> bool {
        self.get("val").is_none_or(|value| !matches!(&*value, "0" | "false" | "off" | "none"))
    }

    /// Returns the value of an attribute as a number.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        self.get(name)?.trim().parse().ok()
    }

    fn find(&self, is_it: impl Fn(&str) -> bool) -> Option<Cow<'_, str>> {
        let mut attributes = self.0.attributes();
        // Repeated attributes are not rejected: the first one counts.
        let mut attributes = attributes.with_checks(false).take(ATTRIBUTES).map_while(Result::ok);
        let found = attributes.find(|attribute| is_it(attribute.key.as_ref()))?;
        let plain = unescape(&found.value).map(Cow::into_owned);
        Some(Cow::Owned(plain.unwrap_or_else(|_| found.value.into_owned())))
    }
}

/// Reads a part and gives its content to a handler.
pub(super) fn read(part: &str, handler: &mut impl Handler) -> Ending {
    let mut reader = Reader::from_str(part.trim_start_matches('\u{FEFF}'));
    // An empty element also gets an end, and a stray `&` is not a fault.
    reader.config_mut().expand_empty_elements = true;
    reader.config_mut().allow_dangling_amp = true;
    let mut depth = 0_usize;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                depth += 1;
                if depth > DEEPEST {
                    return Ending::Damaged;
                }
                handler.open(&Element(&start));
            }
            Ok(Event::End(end)) => {
                depth = depth.saturating_sub(1);
                handler.close(end.local_name().into_inner());
            }
            Ok(Event::Text(text)) => handler.text(&text.xml10_content()),
            Ok(Event::CData(text)) => handler.text(&text.xml10_content()),
            Ok(Event::GeneralRef(name)) => match name.resolve_char_ref() {
                Ok(Some(c)) => handler.text(c.encode_utf8(&mut [0; 4])),
                _ => match resolve_predefined_entity(&name) {
                    Some(text) => handler.text(text),
                    None => handler.text(&format!("&{};", &*name)),
                },
            },
            Ok(Event::Eof) => return if depth == 0 { Ending::Whole } else { Ending::Damaged },
            Ok(_) => {}
            Err(_) => return Ending::Damaged,
        }
    }
}

/// Returns the local name of the outermost element.
pub(super) fn root(part: &str) -> Option<String> {
    let mut reader = Reader::from_str(part.trim_start_matches('\u{FEFF}'));
    loop {
        match reader.read_event() {
            Ok(Event::Start(start) | Event::Empty(start)) => {
                return Some(start.local_name().into_inner().to_owned());
            }
            Ok(Event::Eof) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

/// Calls `take` with each element, for parts that are tables of attributes.
pub(super) fn each_element(part: &str, take: impl FnMut(&Element<'_>)) -> Ending {
    struct Each<F>(F);
    impl<F: FnMut(&Element<'_>)> Handler for Each<F> {
        fn open(&mut self, element: &Element<'_>) {
            (self.0)(element);
        }
        fn close(&mut self, _name: &str) {}
        fn text(&mut self, _text: &str) {}
    }
    read(part, &mut Each(take))
}

/// Calls `take` with the local name and the text of each innermost element, for parts that are lists of values.
pub(super) fn each_value(part: &str, take: impl FnMut(&str, &str)) -> Ending {
    struct Each<F> {
        take: F,
        text: String,
    }
    impl<F: FnMut(&str, &str)> Handler for Each<F> {
        fn open(&mut self, _element: &Element<'_>) {
            self.text.clear();
        }
        fn close(&mut self, name: &str) {
            if !self.text.trim().is_empty() {
                (self.take)(name, self.text.trim());
            }
            self.text.clear();
        }
        fn text(&mut self, text: &str) {
            self.text.push_str(text);
        }
    }
    read(part, &mut Each { take, text: String::new() })
}
