//! A page as a sequence of tags and texts.
//!
//! The tokenizer of HTML says where tags, text and references are. No tree is built: what a tree would add, the repair of
//! wrong nesting, takes time quadratic in the depth on hostile pages. Which elements contain no markup is decided here, by
//! [`elements`](crate::html::elements), and not by the caller: the guard before the tokenizer (`guard`) must know it too, and an
//! element that the two read differently is a way around the guard.
//!
//! Cost: O(n) time and memory in the page.
//! Source: WHATWG HTML Standard, "Tokenization".

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use crate::html::elements::{Inside, NoScript};
use crate::html::guard::{Safe, guarded};

/// Receives the tags and the text of a page.
pub trait Reader {
    /// Takes a tag: its name in lower case, and each attribute once. A tag with too many attributes has only the first ones.
    fn tag(&mut self, tag: &Tag);

    /// Takes text with its references resolved. The text between two tags may come in several pieces.
    fn text(&mut self, characters: &str);

    /// Takes the text of a comment, or of what counts as one, such as `[CDATA[x]]`.
    fn comment(&mut self, _characters: &str) {}
}

/// The value of an attribute, if the tag has it.
pub fn attribute<'t>(tag: &'t Tag, name: &str) -> Option<&'t str> {
    let mut attributes = tag.attrs.iter();
    attributes.find(|attribute| &*attribute.name.local == name).map(|attribute| &*attribute.value)
}

/// What a reader did not receive of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// Tags that had too many attributes, and were cut.
    pub n_tags_cut: usize,
    /// Characters without white space of a comment that is not closed.
    pub n_unclosed: usize,
}

/// Gives a page to a reader, whatever the page is.
pub fn read<R: Reader>(page: &str, no_script: NoScript, reader: R) -> (R, Account) {
    let Safe { page, n_tags_cut, n_unclosed } = guarded(page, no_script);
    let unclosed = &page[page.len() - n_unclosed..];
    let n_unclosed = unclosed.chars().filter(|c| !c.is_whitespace()).count();
    (tokenized(&page, no_script, reader), Account { n_tags_cut, n_unclosed })
}

/// Gives a page to a reader as it is, in time quadratic in the attributes of a tag.
pub(crate) fn tokenized<R: Reader>(page: &str, no_script: NoScript, reader: R) -> R {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(page));
    let sink = Sink { reader: RefCell::new(reader), no_script };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    // Scripts are not run, so the tokenizer never stops for one.
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.reader.into_inner()
}

/// Where the tokenizer puts its tokens.
struct Sink<R> {
    reader: RefCell<R>,
    no_script: NoScript,
}

impl<R: Reader> TokenSink for Sink<R> {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut reader = self.reader.borrow_mut();
        match token {
            Token::TagToken(tag) => {
                reader.tag(&tag);
                if tag.kind == TagKind::StartTag {
                    return inside(Inside::of(&tag.name, self.no_script));
                }
            }
            Token::CharacterTokens(characters) => reader.text(&characters),
            Token::CommentToken(characters) => reader.comment(&characters),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// How the tokenizer continues after a start tag.
fn inside(inside: Inside) -> TokenSinkResult<()> {
    match inside.raw_kind() {
        Some(kind) => TokenSinkResult::RawData(kind),
        None if inside == Inside::Plain => TokenSinkResult::Plaintext,
        None => TokenSinkResult::Continue,
    }
}
