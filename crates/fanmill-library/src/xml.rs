//! Elements and texts of a small XML document, with limits.
//!
//! Entities that a document type declares are never resolved, so they cannot grow. Memory is that of the document.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesStart, Event};

/// Maximum nesting of elements; dumps have at most six.
const DEEPEST: usize = 64;
/// Maximum number of attributes of an element that are looked at.
const ATTRIBUTES: usize = 64;

/// A part of a document.
#[derive(Debug)]
pub(crate) enum Part<'x> {
    /// The beginning of an element.
    Open(&'x BytesStart<'x>),
    /// The end of an element.
    Close,
    /// Text with its references resolved, perhaps in several pieces.
    Text(&'x str),
}

/// Gives the parts of a document to `take`.
///
/// # Errors
/// If it is not well-formed, or too deep; the reason is in lower case. What came before was given.
pub(crate) fn read(document: &str, mut take: impl FnMut(Part<'_>)) -> Result<(), String> {
    let mut reader = Reader::from_str(document);
    reader.config_mut().expand_empty_elements = true;
    reader.config_mut().allow_dangling_amp = true;
    let mut depth = 0_usize;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                depth += 1;
                if depth > DEEPEST {
                    return Err(format!("its elements are nested more than {DEEPEST} deep"));
                }
                take(Part::Open(&start));
            }
            Ok(Event::End(_)) => {
                depth = depth.saturating_sub(1);
                take(Part::Close);
            }
            Ok(Event::Text(text)) => take(Part::Text(&text.xml10_content())),
            Ok(Event::CData(text)) => take(Part::Text(&text.xml10_content())),
            Ok(Event::GeneralRef(name)) => match name.resolve_char_ref() {
                Ok(Some(c)) => take(Part::Text(c.encode_utf8(&mut [0; 4]))),
                _ => match resolve_predefined_entity(&name) {
                    Some(text) => take(Part::Text(text)),
                    None => take(Part::Text(&format!("&{};", &*name))),
                },
            },
            Ok(Event::Eof) if depth == 0 => return Ok(()),
            Ok(Event::Eof) => return Err("it ends inside of an element".to_owned()),
            Ok(_) => {}
            Err(error) => {
                return Err(format!("it is no XML: {}", error.to_string().to_lowercase()));
            }
        }
    }
}

/// Gives the names and values of an element's attributes to `take`.
pub(crate) fn attributes(element: &BytesStart<'_>, mut take: impl FnMut(&str, String)) {
    let mut attributes = element.attributes();
    let attributes = attributes.with_checks(false).take(ATTRIBUTES).map_while(Result::ok);
    for attribute in attributes {
        let value = unescape(&attribute.value).map(Cow::into_owned);
        let value = value.unwrap_or_else(|_| attribute.value.clone().into_owned());
        take(attribute.key.as_ref(), value);
    }
}
