//! A page as a sequence of tags and texts.
//!
//! The tokenizer of HTML finds tags, text and character references. No tree is built: a tree would add the repair of
//! wrong nesting, which takes time quadratic in the depth on hostile pages. This module, not the caller, decides which
//! elements contain no markup, using [`elements`](crate::html::elements). The guard before the tokenizer (`guard`)
//! needs the same table: an element that the two read differently would be a way around the guard.
//!
//! Cost: O(n) time and memory in the page.
//! Source: WHATWG HTML Standard, "Tokenization".

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use crate::html::elements::{ContentModel, NoScript};
use crate::html::guard::{GuardedPage, guarded};

/// A receiver of the tags and the text of a page.
pub trait Reader {
    /// Receives a tag, with its name in lower case and each attribute once. If a tag has too many attributes, only the
    /// first ones are there.
    fn tag(&mut self, tag: &Tag);

    /// Receives text with its character references resolved. The text between two tags may come in several pieces.
    fn text(&mut self, characters: &str);

    /// Receives the text of a comment, or of what counts as one, such as `[CDATA[x]]`.
    fn comment(&mut self, _characters: &str) {}
}

/// Returns the value of an attribute, if the tag has it.
pub fn attribute<'t>(tag: &'t Tag, name: &str) -> Option<&'t str> {
    let mut attributes = tag.attrs.iter();
    attributes.find(|attribute| &*attribute.name.local == name).map(|attribute| &*attribute.value)
}

/// Counts of what a reader did not receive from a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadLosses {
    /// Tags that were cut because they had too many attributes.
    pub n_tags_cut: usize,
    /// Characters of an unclosed comment, not counting white space.
    pub n_unclosed: usize,
}

/// Reads a page safely and gives its tags and text to a reader.
pub fn read<R: Reader>(page: &str, no_script: NoScript, reader: R) -> (R, ReadLosses) {
    let GuardedPage { page, n_tags_cut, n_unclosed } = guarded(page, no_script);
    let unclosed = &page[page.len() - n_unclosed..];
    let n_unclosed = unclosed.chars().filter(|c| !c.is_whitespace()).count();
    (tokenized(&page, no_script, reader), ReadLosses { n_tags_cut, n_unclosed })
}

/// Gives an unguarded page to a reader, in time quadratic in the number of attributes of a tag.
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

/// The receiver of the tokenizer's tokens.
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
                    return inside(ContentModel::new(&tag.name, self.no_script));
                }
            }
            Token::CharacterTokens(characters) => reader.text(&characters),
            Token::CommentToken(characters) => reader.comment(&characters),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// Tells the tokenizer how to continue after a start tag.
fn inside(inside: ContentModel) -> TokenSinkResult<()> {
    match inside.raw_kind() {
        Some(kind) => TokenSinkResult::RawData(kind),
        None if inside == ContentModel::Plain => TokenSinkResult::Plaintext,
        None => TokenSinkResult::Continue,
    }
}
