//! A page as a row of tags and texts.
//!
//! The tokenizer of HTML says where tags, text and references are. No tree is built: what a tree would add, the
//! repair of wrong nesting, costs time quadratic in depth on pages made to hurt. Which elements have no
//! markup inside is decided here, by [`elements`](crate::html::elements), and not by who reads: the guard before the tokenizer
//! (`crowded`) has to know it too, and each element that the two take differently is a way around the guard.
//!
//! Cost: O(n) time and memory in the page.
//! Source: WHATWG HTML Standard, "Tokenization".

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use crate::html::crowded::{Safe, without_crowds};
use crate::html::elements::{Inside, NoScript};

/// Who makes something of a page.
pub trait Reader {
    /// Takes a tag; the name in lower case, and each attribute once. Of a tag with too many attributes it has the first.
    fn tag(&mut self, tag: &Tag);

    /// Takes text, references resolved. What is between two tags may come in several pieces.
    fn text(&mut self, characters: &str);

    /// Takes what a comment says, or what counts as one, such as `[CDATA[x]]`.
    fn comment(&mut self, _characters: &str) {}
}

/// The value of an attribute, if it is there.
pub fn attribute<'t>(tag: &'t Tag, name: &str) -> Option<&'t str> {
    let mut attributes = tag.attrs.iter();
    attributes.find(|attribute| &*attribute.name.local == name).map(|attribute| &*attribute.value)
}

/// What a reader was not given of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// Tags that had too many attributes.
    pub n_crowded: usize,
    /// Characters, white space not counted, of a comment that is not closed.
    pub n_unclosed: usize,
}

/// Gives a page to a reader, whatever it is.
pub fn read<R: Reader>(page: &str, no_script: NoScript, reader: R) -> (R, Account) {
    let Safe { page, n_crowded, n_unclosed } = without_crowds(page, no_script);
    let unclosed = &page[page.len() - n_unclosed..];
    let n_unclosed = unclosed.chars().filter(|c| !c.is_whitespace()).count();
    (tokenized(&page, no_script, reader), Account { n_crowded, n_unclosed })
}

/// Gives a page to a reader as it is, in time quadratic in the attributes of a tag.
pub(crate) fn tokenized<R: Reader>(page: &str, no_script: NoScript, reader: R) -> R {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(page));
    let sink = Sink { reader: RefCell::new(reader), no_script };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    // Scripts are not run, so that the tokenizer stops for none of them.
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

/// How the tokenizer goes on behind a start tag.
fn inside(inside: Inside) -> TokenSinkResult<()> {
    match inside.raw_kind() {
        Some(kind) => TokenSinkResult::RawData(kind),
        None if inside == Inside::Plain => TokenSinkResult::Plaintext,
        None => TokenSinkResult::Continue,
    }
}
