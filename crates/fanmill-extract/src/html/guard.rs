//! Cuts tags with absurdly many attributes before the tokenizer sees them.
//!
//! The tokenizer compares the name of each attribute with those of all others of its tag, which is quadratic: a
//! megabyte of attributes takes minutes. So only the first attributes of such a tag are kept, and the tag is counted.
//!
//! An attacker must not find a place that is a tag for the tokenizer but not here. So this follows the standard's
//! states to the letter and uses the same table of element contents, and a property test compares it with the
//! tokenizer.
//!
//! Cost: O(n), one look at each byte of a tag or comment.
//! Source: WHATWG HTML Standard, "Tokenization", from "Tag open state" to "Bogus comment state".

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memmem};

use crate::html::elements::{ContentModel, NoScript};

/// More attributes than a tag of a real page or message has; comparing this many takes a tenth of a millisecond.
const MAX_ATTRIBUTES: usize = 512;

/// A page that is safe to give to the tokenizer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct GuardedPage<'a> {
    pub(crate) page: Cow<'a, str>,
    /// Number of tags that were cut.
    pub(crate) n_tags_cut: usize,
    /// Bytes at the end that belong to an unclosed comment.
    pub(crate) n_unclosed: usize,
}

/// Returns the page with each tag cut after [`MAX_ATTRIBUTES`] attributes.
pub(crate) fn guarded(page: &str, no_script: NoScript) -> GuardedPage<'_> {
    cut(page, no_script, MAX_ATTRIBUTES)
}

fn cut(page: &str, no_script: NoScript, max: usize) -> GuardedPage<'_> {
    let bytes = page.as_bytes();
    let mut out = String::new();
    let (mut kept, mut from, mut n_tags_cut, mut n_unclosed) = (0, 0, 0, 0);
    for at in memchr_iter(b'<', bytes) {
        // Inside a tag, comment or element that was already skipped.
        if at < from {
            continue;
        }
        let rest = &bytes[at..];
        let start = if rest.starts_with(b"</") { 2 } else { 1 };
        if rest.get(start).is_some_and(u8::is_ascii_alphabetic) {
            let tag = TagExtent::new(rest, start, max);
            from = at + tag.len;
            if let Some(cut) = tag.cut {
                out.push_str(&page[kept..at + cut]);
                kept = from;
                n_tags_cut += 1;
            }
            if start == 1 {
                // Elements such as `<script>` contain no tags, so skip to the end tag.
                let name = page[at + 1..at + tag.name].to_ascii_lowercase();
                from = behind_inside(page, ContentModel::new(&name, no_script), &name, from);
            }
        } else if rest.starts_with(b"<!--") {
            let end = comment_end(rest);
            from = at + end.unwrap_or(rest.len());
            n_unclosed = if end.is_none() { rest.len() } else { 0 };
        } else if start == 2 || rest.starts_with(b"<!") || rest.starts_with(b"<?") {
            from = at + memchr(b'>', rest).unwrap_or(rest.len());
        }
    }
    if n_tags_cut == 0 {
        return GuardedPage { page: Cow::Borrowed(page), n_tags_cut, n_unclosed };
    }
    out.push_str(&page[kept..]);
    GuardedPage { page: Cow::Owned(out), n_tags_cut, n_unclosed }
}

/// Returns the position of the `>` that ends a comment: after `--`, which may be part of its `<!--`, or after `--!`,
/// which may not.
fn comment_end(rest: &[u8]) -> Option<usize> {
    let mut ends = memchr_iter(b'>', rest);
    ends.find(|&at| {
        at >= 4 && rest[..at].ends_with(b"--") || at >= 7 && rest[..at].ends_with(b"--!")
    })
}

/// The extent of a tag: the positions of its `>` and of the end of its name (or the end of the page), and the position
/// where it has to be cut.
#[derive(Debug)]
struct TagExtent {
    len: usize,
    name: usize,
    cut: Option<usize>,
}

/// The tokenizer's state inside a tag, named as in the standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    TagName,
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Unquoted,
    Quoted(u8),
    AfterQuoted,
}

impl TagExtent {
    /// Measures the tag at the start of `rest`. Its name starts at `start`, and it may have `max` attributes.
    fn new(rest: &[u8], start: usize, max: usize) -> TagExtent {
        let mut state = State::TagName;
        let mut shape = TagExtent { len: rest.len(), name: rest.len(), cut: None };
        let mut n_attributes = 0;
        for (at, &byte) in rest.iter().enumerate().skip(start) {
            let next = state.next(byte);
            if state == State::TagName && (next != State::TagName || byte == b'>') {
                shape.name = at;
            }
            if byte == b'>' && !matches!(state, State::Quoted(_)) {
                shape.len = at;
                break;
            }
            if next == State::Name && state != State::Name {
                n_attributes += 1;
                if n_attributes == max + 1 {
                    shape.cut = Some(at);
                }
            }
            state = next;
        }
        shape
    }
}

impl State {
    /// Returns the state after a byte that does not end the tag.
    fn next(self, byte: u8) -> State {
        let is_space = matches!(byte, b'\t' | b'\n' | 0xC | b'\r' | b' ');
        match (self, byte) {
            (State::Quoted(quote), _) if byte != quote => self,
            (State::Quoted(_), _) => State::AfterQuoted,
            (State::TagName, _) if !is_space && byte != b'/' => State::TagName,
            (State::Unquoted, _) => {
                if is_space {
                    State::BeforeName
                } else {
                    State::Unquoted
                }
            }
            (State::BeforeValue, b'"' | b'\'') => State::Quoted(byte),
            (State::BeforeValue, _) => {
                if is_space {
                    self
                } else {
                    State::Unquoted
                }
            }
            (_, b'/') => State::BeforeName,
            (State::Name | State::AfterName, b'=') => State::BeforeValue,
            (State::Name | State::AfterName, _) if is_space => State::AfterName,
            _ if is_space => State::BeforeName,
            _ => State::Name,
        }
    }
}

/// Returns the end of the element's content if it contains no markup (its end tag, or the end of the page), and `from`
/// if it does.
fn behind_inside(page: &str, inside: ContentModel, name: &str, from: usize) -> usize {
    let bytes = page.as_bytes();
    match inside {
        ContentModel::Markup => return from,
        ContentModel::Plain => return bytes.len(),
        ContentModel::Raw | ContentModel::Escaped => {}
    }
    let is_end = |&at: &usize| {
        let Some((other, behind)) = bytes[at + 2..].split_at_checked(name.len()) else {
            return false;
        };
        let ends = |byte: &u8| matches!(byte, b'\t' | b'\n' | 0xC | b'\r' | b' ' | b'/' | b'>');
        other.eq_ignore_ascii_case(name.as_bytes()) && behind.first().is_some_and(ends)
    };
    let mut ends = memmem::find_iter(&bytes[from..], b"</").map(|at| from + at);
    ends.find(is_end).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use html5ever::tokenizer::Tag;
    use proptest::prelude::*;

    use super::*;
    use crate::html::reading::{Reader, tokenized};

    fn text_guarded(page: &str) -> GuardedPage<'_> {
        guarded(page, NoScript::Text)
    }

    #[test]
    fn tags_with_many_attributes_are_cut_and_all_others_stay() {
        let pairs = |n: usize| " a=b c='>'".repeat(n);
        let close = |n: usize| format!(" {}", "a='x'".repeat(n));
        let classes = "a ".repeat(2000);
        for (many, first) in [(pairs(600), pairs(256) + " "), (close(600), close(512))] {
            let page = format!(
                "x<a{many}>y<script>i<n{many}</script><!-- <b{many}> --><p class=\"{classes}\">z<plaintext><a{many}>"
            );
            let cut = page.replacen(&many, &first, 1);
            let expected = GuardedPage { page: Cow::Borrowed(&*cut), n_tags_cut: 1, n_unclosed: 0 };
            assert_eq!(text_guarded(&page), expected);
        }
        let (many, first) = (pairs(600), pairs(256));
        assert!(matches!(text_guarded("<a b=\"c\">").page, Cow::Borrowed(_)));
        assert_eq!(text_guarded(&format!("<a{many}")).page, format!("<a{first} "));
        assert_eq!(text_guarded(&format!("</a{many}>")).page, format!("</a{first} >"));
        assert_eq!(text_guarded("a<!-- b -->c<!--d").n_unclosed, 5);
        let no_script = format!("<noscript><a{many}></noscript>");
        assert_eq!(text_guarded(&no_script).n_tags_cut, 0);
        assert_eq!(guarded(&no_script, NoScript::Markup).n_tags_cut, 1);
    }

    /// The largest number of attributes of a tag.
    struct Most(usize);

    impl Reader for Most {
        fn tag(&mut self, tag: &Tag) {
            self.0 = self.0.max(tag.attrs.len());
        }

        fn text(&mut self, _characters: &str) {}
    }

    fn most_attributes(page: &str, no_script: NoScript) -> usize {
        tokenized(page, no_script, Most(0)).0
    }

    /// Returns `n` attributes with distinct names.
    fn attributes(n: usize) -> String {
        (0..n).fold(String::new(), |all, i| all + " a" + &i.to_string())
    }

    /// Beginnings that would make a careless reader miss the tag at their end.
    const DISGUISES: [&str; 8] = [
        "<!--><a",
        "<!--->\n<a",
        "<!-- --!><a",
        "</a",
        "<p =\"><a",
        "<!x <a b=\"><a",
        "<script><!--<script></script><a",
        "<title></titles></title><a",
    ];

    #[test]
    fn no_disguise_brings_too_many_attributes_to_the_tokenizer() {
        let many = attributes(2000);
        for disguise in DISGUISES {
            let page = format!("{disguise}{many}>x");
            for no_script in [NoScript::Markup, NoScript::Text] {
                assert_eq!(most_attributes(&page, no_script), 2000, "{disguise}");
                let GuardedPage { page, n_tags_cut, .. } = guarded(&page, no_script);
                assert!(most_attributes(&page, no_script) <= MAX_ATTRIBUTES, "{disguise}");
                assert_eq!(n_tags_cut, 1, "{disguise}");
            }
        }
    }

    /// Without the guard, 100,000 attributes take some eight seconds, and twice as many take four times as long.
    #[test]
    fn many_attributes_take_linear_time() {
        let many = attributes(500_000);
        for disguise in DISGUISES {
            let page = format!("{disguise}{many}>x");
            let ((most, account), effort) =
                fanmill_effort::of(|| crate::html::read(&page, NoScript::Text, Most(0)));
            assert!(most.0 <= MAX_ATTRIBUTES && account.n_tags_cut == 1, "{disguise}");
            assert!(effort < Duration::from_secs(10), "{disguise}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(3000)))]
        #[test]
        fn no_tag_escapes(parts in prop::collection::vec(prop::sample::select(&["<a", "</a", "<!--", "-->", "--!>", "<!", "<?", "</", "<", ">", "-", "!", "<script>", "<!--<script>", "</script", "</scripts", "<title", "</title>", "<noscript>", "</noscript>", "<plaintext>", "<![CDATA[", "<!doctype", "=", "\"", "'", "/", " ", " b", " c d", "\r", "\0", "é"][..]), 0..16)) {
            let page = parts.concat() + " f g h>";
            for no_script in [NoScript::Markup, NoScript::Text] {
                let safe = cut(&page, no_script, 1);
                prop_assert!(most_attributes(&safe.page, no_script) <= 1, "{page:?}");
                // Pages without such a tag are returned unchanged.
                prop_assert_eq!(safe.n_tags_cut == 0, *safe.page == *page);
            }
        }
    }
}
