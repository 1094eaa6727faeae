//! Documents that hold their text in a wrapping: from bytes to the text that is compared.
//!
//! [`html`] finds the tags and the text of a page in linear time, and [`mail`] (a feature, on by default) the text that
//! a person sees of a message or a page. [`office`] (likewise) reads Word, OpenDocument, slides, sheets, EPUB and RTF,
//! and `pdf` (a feature) the text of PDF. Both give an [`extracted::Extracted`]. `cage` (a feature) locks
//! processes in: the reader of PDF, which can do nothing but read it, and a comparison that a server runs.

#[cfg(feature = "office")]
pub mod extracted;
#[cfg(feature = "office")]
mod marked;
pub mod html;
#[cfg(feature = "office")]
pub mod office;
#[cfg(feature = "pdf")]
pub mod pdf;
#[cfg(feature = "cage")]
pub mod cage;
