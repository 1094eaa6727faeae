//! The text that people see of a page: what stands between its tags, in one piece.
//!
//! Tags inside a line of text, such as `<b>`, and comments leave nothing, so that a word that they cut stays
//! one word; all other tags part words. Character references become what they stand for. Nothing is
//! known of styles: hidden text is text here.
//!
//! Cost: O(n).
//! Source: WHATWG HTML Standard, "Phrasing content" for the tags, and "Character reference state".
//! Departs from it: a reference ends with `;`.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use fanmill::frontend::OffsetMap;

/// Elements inside a line of text.
const INLINE: [&str; 37] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "ins", "kbd", "mark", "nobr", "q", "rb", "rp", "rt", "ruby", "s", "samp", "small",
    "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
];

/// The text of `page`, with the way back to it; `texts` are the stretches between its tags, ascending.
pub(crate) fn shown(page: &str, texts: &[Range<usize>]) -> (String, OffsetMap) {
    let (mut shown, mut way) = (String::new(), OffsetMap::new());
    for text in texts {
        let between = &page[way.in_len()..text.start];
        if !shown.is_empty() && parts_words(between) {
            shown.push('\n');
            way.unit(1, between.len());
        } else {
            way.skip(between.len());
        }
        let mut rest = &page[text.clone()];
        while let Some(at) = memchr(b'&', rest.as_bytes()) {
            copy(&rest[..at], &mut shown, &mut way);
            rest = &rest[at..];
            let len = match reference(rest) {
                Some((character, len)) => {
                    shown.push_str(&character);
                    way.unit(character.len(), len);
                    len
                }
                None => {
                    copy("&", &mut shown, &mut way);
                    1
                }
            };
            rest = &rest[len..];
        }
        copy(rest, &mut shown, &mut way);
    }
    way.skip(page.len() - way.in_len());
    (shown, way)
}

fn copy(text: &str, shown: &mut String, way: &mut OffsetMap) {
    shown.push_str(text);
    way.copy(text.len());
}

/// Whether words on both sides of these tags and comments are two words.
fn parts_words(markup: &str) -> bool {
    let begins_inline = |at: usize| {
        let tag = &markup[at + 1..];
        let name = tag.strip_prefix('/').unwrap_or(tag);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        tag.starts_with("!--") || INLINE.iter().any(|tag| name[..end].eq_ignore_ascii_case(tag))
    };
    !memchr_iter(b'<', markup.as_bytes()).all(begins_inline)
}

/// What the character reference at the start of `text` stands for, and its length in bytes.
fn reference(text: &str) -> Option<(String, usize)> {
    /// The longest name has 31 letters.
    const LONGEST: usize = 34;
    let head = &text.as_bytes()[..text.len().min(LONGEST)];
    let len = memchr(b';', head)? + 1;
    let decoded = html_escape::decode_html_entities(text.get(..len)?);
    (!decoded.is_empty() && decoded != text[..len]).then(|| (decoded.into_owned(), len))
}

#[cfg(test)]
mod tests {
    use fanmill::frontend::FrontEnd;
    use fanmill::span::Span;

    use crate::front_end;

    /// The text of a page, with each word's place in it.
    fn read(page: &str) -> (String, Vec<String>) {
        let (shown, way) = front_end("html").expect("listed").shown(page).expect("words");
        assert_eq!((way.out_len(), way.in_len()), (shown.len(), page.len()));
        let words = shown.split_whitespace().map(|word| {
            let start = word.as_ptr() as usize - shown.as_ptr() as usize;
            let span = Span::new(start as u32, (start + word.len()) as u32);
            page[way.map_span(span).range()].to_owned()
        });
        let words = words.collect();
        (shown, words)
    }

    #[test]
    fn tags_in_a_line_leave_words_whole_and_others_part_them() {
        let (shown, words) =
            read("<p>un<b>be</b>liev<!-- x -->able <i>thing</i></p><p>end<br>of</p>");
        assert_eq!(shown, "unbelievable thing\nend\nof");
        assert_eq!(words, ["un<b>be</b>liev<!-- x -->able", "thing", "end", "of"]);
    }

    #[test]
    fn references_are_characters() {
        let (shown, words) = read("caf&eacute; &#x41;&#66;c R&D &nosuch; &amp;co &");
        assert_eq!(shown, "café ABc R&D &nosuch; &co &");
        assert_eq!(words, ["caf&eacute;", "&#x41;&#66;c", "R&D", "&nosuch;", "&amp;co", "&"]);
    }

    #[test]
    fn scripts_styles_and_attributes_are_not_text() {
        let page = r#"<style>p { color: red }</style><script>if (a < b) x = "<p>no</p>";</script>
            <p title="not > this">5 < 6 words</p>"#;
        assert_eq!(read(page).0.split_whitespace().collect::<Vec<_>>(), ["5", "6", "words"]);
    }

    #[test]
    fn without_words_there_is_no_text() {
        let html = front_end("html").expect("listed");
        assert!(html.shown("<p>&nbsp; <br></p> – ").is_none());
        assert!(front_end("java").expect("listed").shown("a page of words").is_none());
    }

    #[test]
    fn any_bytes_are_read() {
        for page in [
            "&",
            "&;",
            "&#;",
            "&#xD800;",
            "é&é;",
            "<",
            "</",
            "<b",
            "a<b",
            "&#99999999999;",
            "ß<é>&",
        ] {
            let html = front_end("html").expect("listed");
            if let Some((shown, way)) = html.shown(page) {
                assert_eq!((way.out_len(), way.in_len()), (shown.len(), page.len()), "{page}");
            }
        }
    }
}
