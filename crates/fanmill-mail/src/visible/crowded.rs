//! Tags with absurdly many attributes, made bare before the tokenizer sees them.
//!
//! The tokenizer compares the name of each attribute with those of all others of its tag, which is quadratic: a
//! megabyte of attributes takes it minutes. Tags with hundreds of them are read as if they had none, and counted.
//!
//! Whoever finds a place that is a tag to the tokenizer and none here has his minutes. So this follows the standard's
//! states to the letter, and a property test holds it against the tokenizer, with scripts read as
//! [`RawKind::Rawtext`](html5ever::tokenizer::states::RawKind), as this crate has it.
//!
//! Cost: O(n), one look at each byte of a tag or comment.
//! Source: WHATWG HTML Standard, "Tokenization", from "Tag open state" to "Bogus comment state".

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memmem};

/// More attributes than a tag of real mail has; to compare as many takes a tenth of a millisecond.
const MAX_ATTRIBUTES: usize = 512;
/// Elements in which there is no markup.
const RAW: [&str; 8] =
    ["script", "style", "xmp", "iframe", "noembed", "noframes", "title", "textarea"];

/// A page that can be given to the tokenizer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Safe<'a> {
    pub(super) page: Cow<'a, str>,
    /// Tags that were made bare.
    pub(super) n_crowded: usize,
    /// Bytes at the end that are part of a comment which is not closed.
    pub(super) n_unclosed: usize,
}

/// The page, with each tag of too many attributes as its name only.
pub(super) fn without_crowded_tags(page: &str) -> Safe<'_> {
    bare(page, MAX_ATTRIBUTES)
}

fn bare(page: &str, max: usize) -> Safe<'_> {
    let bytes = page.as_bytes();
    let mut out = String::new();
    let (mut kept, mut from, mut n_crowded, mut n_unclosed) = (0, 0, 0, 0);
    for at in memchr_iter(b'<', bytes) {
        if at < from {
            continue;
        }
        let rest = &bytes[at..];
        let start = if rest.starts_with(b"</") { 2 } else { 1 };
        if rest.get(start).is_some_and(u8::is_ascii_alphabetic) {
            let tag = Shape::of(rest, start);
            from = at + tag.len;
            if tag.n_attributes > max {
                out.push_str(&page[kept..at + tag.name]);
                kept = from;
                n_crowded += 1;
            }
            if start == 1 {
                from = raw_end(page, &page[at + 1..at + tag.name], from);
            }
        } else if rest.starts_with(b"<!--") {
            let end = comment_end(rest);
            from = at + end.unwrap_or(rest.len());
            n_unclosed = if end.is_none() { rest.len() } else { 0 };
        } else if start == 2 || rest.starts_with(b"<!") || rest.starts_with(b"<?") {
            from = at + memchr(b'>', rest).unwrap_or(rest.len());
        }
    }
    if n_crowded == 0 {
        return Safe { page: Cow::Borrowed(page), n_crowded, n_unclosed };
    }
    out.push_str(&page[kept..]);
    Safe { page: Cow::Owned(out), n_crowded, n_unclosed }
}

/// Where the `>` of a comment is: behind `--`, which may be that of its beginning, or behind `--!`, which may not.
fn comment_end(rest: &[u8]) -> Option<usize> {
    let mut ends = memchr_iter(b'>', rest);
    ends.find(|&at| {
        at >= 4 && rest[..at].ends_with(b"--") || at >= 7 && rest[..at].ends_with(b"--!")
    })
}

/// A tag: where its `>` and the end of its name are, or the end of the page, and how many attributes it has.
#[derive(Debug)]
struct Shape {
    len: usize,
    name: usize,
    n_attributes: usize,
}

/// Where in a tag a byte is; called after the standard's states.
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

impl Shape {
    /// Of the tag that `rest` starts with, whose name starts at `start`.
    fn of(rest: &[u8], start: usize) -> Shape {
        let mut state = State::TagName;
        let mut shape = Shape { len: rest.len(), name: rest.len(), n_attributes: 0 };
        for (at, &byte) in rest.iter().enumerate().skip(start) {
            let next = state.next(byte);
            if state == State::TagName && (next != State::TagName || byte == b'>') {
                shape.name = at;
            }
            if byte == b'>' && !matches!(state, State::Quoted(_)) {
                shape.len = at;
                break;
            }
            shape.n_attributes += usize::from(next == State::Name && state != State::Name);
            state = next;
        }
        shape
    }
}

impl State {
    /// The state after a byte that does not end the tag.
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

/// Where the end tag is of an element in which there is no markup, such as a script.
fn raw_end(page: &str, name: &str, from: usize) -> usize {
    let bytes = page.as_bytes();
    if !RAW.iter().any(|raw| name.eq_ignore_ascii_case(raw)) {
        return from;
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
    use std::cell::Cell;

    use html5ever::tendril::StrTendril;
    use html5ever::tokenizer::{
        BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
    };
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn crowded_tags_become_bare_and_all_others_stay() {
        let many = " a=b c='>'".repeat(600);
        let close = format!(" {}", "a='x'".repeat(600));
        let classes = "a ".repeat(2000);
        for many in [&*many, &*close] {
            let page = format!(
                "x<a{many}>y<script>i<n{many}</script><!-- <b{many}> --><p class=\"{classes}\">z"
            );
            let bare = page.replacen(many, "", 1);
            let expected = Safe { page: Cow::Borrowed(&*bare), n_crowded: 1, n_unclosed: 0 };
            assert_eq!(without_crowded_tags(&page), expected);
        }
        assert!(matches!(without_crowded_tags("<a b=\"c\">").page, Cow::Borrowed(_)));
        assert_eq!(without_crowded_tags(&format!("<a{many}")).page, "<a");
        assert_eq!(without_crowded_tags(&format!("</a{many}>")).page, "</a>");
        assert_eq!(without_crowded_tags("a<!-- b -->c<!--d").n_unclosed, 5);
    }

    /// The most attributes that a tag had.
    struct Most(Cell<usize>);

    impl TokenSink for Most {
        type Handle = ();

        fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
            if let Token::TagToken(tag) = token {
                self.0.set(self.0.get().max(tag.attrs.len()));
                if let Some((kind, _)) = super::super::raw_kind(&tag.name)
                    && tag.kind == TagKind::StartTag
                {
                    return TokenSinkResult::RawData(kind);
                }
            }
            TokenSinkResult::Continue
        }
    }

    fn most_attributes(page: &str) -> usize {
        let input = BufferQueue::default();
        input.push_back(StrTendril::from_slice(page));
        let tokenizer = Tokenizer::new(Most(Cell::new(0)), TokenizerOpts::default());
        let _ = tokenizer.feed(&input);
        tokenizer.end();
        tokenizer.sink.0.get()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn no_tag_escapes(parts in prop::collection::vec(prop::sample::select(&["<a", "</a", "<!--", "-->", "--!>", "<!", "<?", "</", "<", ">", "-", "!", "<script>", "<!--<script>", "</script", "</scripts", "<title", "</title>", "<![CDATA[", "<!doctype", "=", "\"", "'", "/", " ", " b", " c d", "\r", "\0", "é"][..]), 0..16)) {
            let page = parts.concat() + " f g h>";
            prop_assert!(most_attributes(&bare(&page, 1).page) <= 1, "{:?}", page);
        }
    }
}
