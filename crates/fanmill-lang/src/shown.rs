//! The text that people see of a page: the text between its tags, in one piece.
//!
//! Tags inside a line of text, such as `<b>`, and comments leave nothing, so that a word with a tag inside stays one
//! word; all other tags separate words. Character references are replaced by their characters. Styles are ignored:
//! hidden text counts as text here.
//!
//! Text in `<blockquote>` and `<q>` is recorded as quoted. An element that is never closed quotes nothing.
//!
//! A page whose lines are sentences is an article, with a navigation around it. Its tags are those of any other
//! article, and are not compared.
//!
//! Cost: O(n).
//! Source: WHATWG HTML Standard, "Phrasing content" for the tags, and "Character reference state".
//! Departs from it: a reference ends with `;`.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem};

use fanmill_text::frontend::{OffsetMap, VisibleProse};

/// Elements inside a line of text.
const INLINE: [&str; 37] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "ins", "kbd", "mark", "nobr", "q", "rb", "rp", "rt", "ruby", "s", "samp", "small",
    "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
];

/// Elements whose text is somebody else's.
const QUOTING: [&str; 2] = ["blockquote", "q"];

/// A page as people see it.
pub(crate) struct Page {
    pub(crate) shown: VisibleProse,
    /// Number of pieces of text with words in them, between tags that separate words.
    n_pieces: usize,
}

/// Average number of words in a piece of text from which a page is an article. Menus, headings and cells have one to
/// five words, paragraphs thirty and more.
const SENTENCE: usize = 10;

impl Page {
    /// Returns whether the page exists for its text.
    pub(crate) fn is_article(&self) -> bool {
        let words = self.shown.text.split_whitespace().filter(|word| has_letters(word));
        self.n_pieces > 0 && words.count() >= SENTENCE * self.n_pieces
    }
}

pub(crate) fn has_letters(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// Returns `page` as people see it; `texts` are the stretches between its tags, ascending.
pub(crate) fn shown(page: &str, texts: &[Range<usize>]) -> Page {
    let (mut shown, mut way) = (String::new(), OffsetMap::new());
    let (mut n_pieces, mut piece) = (0, 0);
    let mut quoted = Quoted::default();
    for text in texts {
        let between = &page[way.in_len()..text.start];
        quoted.pass(between, shown.len());
        // Tags that separate words become one line feed, so that every piece of the text is a line.
        if !shown.is_empty() && parts_words(between) {
            n_pieces += usize::from(has_letters(&shown[piece..]));
            shown.push('\n');
            piece = shown.len();
            way.unit(1, between.len());
        } else {
            way.skip(between.len());
        }
        let mut rest = &page[text.clone()];
        while let Some(at) = memchr(b'&', rest.as_bytes()) {
            copy(&rest[..at], &mut shown, &mut way);
            rest = &rest[at..];
            let mut len = 1;
            if let Some((character, length)) = reference(rest) {
                shown.push_str(&character);
                way.unit(character.len(), length);
                len = length;
            } else {
                copy("&", &mut shown, &mut way);
            }
            rest = &rest[len..];
        }
        copy(rest, &mut shown, &mut way);
    }
    quoted.pass(&page[way.in_len()..], shown.len());
    way.skip(page.len() - way.in_len());
    n_pieces += usize::from(has_letters(&shown[piece..]));
    Page { shown: VisibleProse { text: shown, way, quoted: quoted.ranges() }, n_pieces }
}

/// The stretches of a page's text that its tags quote.
#[derive(Default)]
struct Quoted {
    /// For each element of [`QUOTING`], the starts of the open ones.
    open: [Vec<usize>; 2],
    closed: Vec<Range<usize>>,
}

impl Quoted {
    /// Follows tags and comments that come after `at` bytes of text.
    fn pass(&mut self, markup: &str, at: usize) {
        let mut rest = markup;
        while let Some(start) = memchr(b'<', rest.as_bytes()) {
            rest = &rest[start + 1..];
            if rest.starts_with("!--") {
                let Some(end) = memmem::find(rest.as_bytes(), b"-->") else { return };
                rest = &rest[end..];
                continue;
            }
            let (closes, name) = tag_name(rest);
            let Some(element) = QUOTING.iter().position(|tag| name.eq_ignore_ascii_case(tag))
            else {
                continue;
            };
            if !closes {
                self.open[element].push(at);
            } else if let Some(start) = self.open[element].pop().filter(|&start| start < at) {
                self.closed.push(start..at);
            }
        }
    }

    /// Returns the closed stretches, ascending and disjoint.
    fn ranges(mut self) -> Vec<Range<usize>> {
        self.closed.sort_unstable_by_key(|range| range.start);
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for range in self.closed {
            match ranges.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => ranges.push(range),
            }
        }
        ranges
    }
}

/// Returns whether the text after a `<` is a closing tag, and the tag's name.
fn tag_name(tag: &str) -> (bool, &str) {
    let name = tag.strip_prefix('/').unwrap_or(tag);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    (name.len() < tag.len(), &name[..end])
}

fn copy(text: &str, shown: &mut String, way: &mut OffsetMap) {
    shown.push_str(text);
    way.copy(text.len());
}

/// Returns whether these tags and comments separate the words on both sides.
fn parts_words(markup: &str) -> bool {
    let begins_inline = |at: usize| {
        let tag = &markup[at + 1..];
        let (_, name) = tag_name(tag);
        tag.starts_with("!--") || INLINE.iter().any(|tag| name.eq_ignore_ascii_case(tag))
    };
    !memchr_iter(b'<', markup.as_bytes()).all(begins_inline)
}

/// Returns the text of the character reference at the start of `text`, and the reference's length in bytes.
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
    use fanmill_text::frontend::{FrontEnd, VisibleProse};
    use fanmill_text::span::Span;
    use proptest::prelude::*;

    use crate::front_end;

    /// Returns the text of a page, and the part of the page that each word comes from.
    fn read(page: &str) -> (String, Vec<String>) {
        let VisibleProse { text, way, .. } = shown(page);
        assert_eq!((way.out_len(), way.in_len()), (text.len(), page.len()));
        let words = text.split_whitespace().map(|word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let span = Span::new(start as u32, (start + word.len()) as u32);
            page[way.map_span(span).range()].to_owned()
        });
        let words = words.collect();
        (text, words)
    }

    fn shown(page: &str) -> VisibleProse {
        front_end("html").expect("listed").shown(page).expect("words")
    }

    /// Returns the stretches that the tags of a page quote.
    fn quoted(page: &str) -> Vec<String> {
        let VisibleProse { text, quoted, .. } = shown(page);
        quoted.into_iter().map(|range| text[range].to_owned()).collect()
    }

    #[test]
    fn quoting_elements_are_noted() {
        let page = "<p>He said <q>no</q> and <Q cite=x>n&auml;her</Q >.</p><blockquote><p>All of <b>it</b></p>\
                    </blockquote><p>end</p>";
        assert_eq!(quoted(page), ["no", "näher", "\nAll of it"]);
        assert_eq!(
            quoted("<blockquote>a <q>b</q> c<blockquote>d</blockquote>e</blockquote>f"),
            ["a b c\nd\ne"]
        );
    }

    #[test]
    fn a_quoting_element_that_is_never_closed_hides_nothing() {
        for page in [
            "<blockquote>all of this",
            "</q>all of this</blockquote>",
            "<!-- <q> -->all of this<!-- </q> -->",
            "<q></q>all of this<quote>x</quote>",
        ] {
            assert_eq!(quoted(page), [""; 0], "{page}");
        }
        assert_eq!(quoted("<blockquote>a <q>b</blockquote> c"), ["a b"]);
        assert_eq!(quoted(&"<q>a".repeat(5)), [""; 0]);
    }

    proptest! {
        #[test]
        fn quoted_stretches_ascend_and_are_disjoint(page in "(<q>|</q>|<blockquote>|</blockquote>|[aé <-]){0,40}") {
            let Some(VisibleProse { text, quoted, .. }) = front_end("html").expect("listed").shown(&page) else {
                return Ok(());
            };
            prop_assert!(quoted.iter().all(|range| range.start < range.end && text.get(range.clone()).is_some()));
            prop_assert!(quoted.windows(2).all(|two| two[0].end < two[1].start));
        }
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
            if let Some(VisibleProse { text, way, .. }) = html.shown(page) {
                assert_eq!((way.out_len(), way.in_len()), (text.len(), page.len()), "{page}");
            }
        }
    }
}
