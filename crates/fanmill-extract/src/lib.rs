//! Text extraction: turns documents whose text is wrapped in a format into the text that is compared.
//!
//! [`html`] finds the tags and the text of a page in linear time. [`office`] (a feature, on by default) reads
//! Word, OpenDocument, slides, sheets, EPUB and RTF, and `pdf` (a feature) reads PDF. Both return an
//! [`extracted::Extracted`]. `cage` (a feature) locks processes in: the PDF reader, which can then do nothing but read,
//! and a comparison that a server runs.

#![deny(unsafe_code)]

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
