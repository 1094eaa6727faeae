//! Of HTML, the tags and the text, in linear time whatever the page is.
//!
//! What the text of a page *is* depends on who asks: a corpus takes hidden text for text, and mail is what a mail
//! program shows. This crate has what both have in common: [`mod@reading`] gives a page's tags and text to a [`Reader`]
//! and keeps the tokenizer from pages made to hurt, [`elements`] says what is inside of elements and around
//! them, and [`flow`] makes lines of text.
//!
//! ```
//! use fanmill_extract::html::{Flow, NoScript, Reader, Tag, gap_around, read};
//!
//! #[derive(Default)]
//! struct Words(Flow);
//!
//! impl Reader for Words {
//!     fn tag(&mut self, tag: &Tag) {
//!         self.0.widen(gap_around(&tag.name));
//!     }
//!
//!     fn text(&mut self, characters: &str) {
//!         self.0.push(characters);
//!     }
//! }
//!
//! let (words, _) = read("<p>one\n two<p>thr<!-- x -->ee", NoScript::Markup, Words::default());
//! assert_eq!(words.0.into_text(), "one two\n\nthree");
//! ```

pub mod flow;
pub mod elements;
mod crowded;
pub mod reading;
mod encoding;
pub mod begin;

pub use elements::{NoScript, gap_around};
pub use encoding::decode;
pub use flow::{Flow, Gap};
pub use html5ever::tokenizer::{Tag, TagKind};
pub use html5ever::{Attribute, LocalName};
pub use reading::{Account, Reader, attribute, read};
