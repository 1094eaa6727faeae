//! The tags and the text of HTML, in linear time for any page.
//!
//! The text of a page depends on the purpose: in a corpus, hidden text is text; in mail, the text is what a mail
//! program shows. This module has what both need. [`mod@reading`] gives the tags and the text of a page to a
//! [`Reader`], and protects the tokenizer from hostile pages; [`elements`] defines the content of elements and the gaps
//! around them; [`flow`] makes lines of text; [`text()`] returns all text of a page, hidden or not, and [`fenced()`]
//! tells its code apart; [`begin`] recognises pages by how they begin.
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
mod guard;
pub mod reading;
mod encoding;
mod text;
mod fenced;
pub mod begin;

pub use elements::{NoScript, gap_around};
pub use encoding::decode;
pub use fenced::fenced;
pub use flow::{Flow, Gap};
pub use html5ever::tokenizer::{Tag, TagKind};
pub use html5ever::{Attribute, LocalName};
pub use reading::{ReadLosses, Reader, attribute, read};
pub use text::text;
