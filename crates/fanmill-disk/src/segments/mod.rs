//! Data that grows by segments: a folder of files that never change, and a manifest that says which of them count.
//!
//! [`pages`] are files that notice damage, [`generation`] commits. The content of a segment is up to its user: an
//! index, or a store of sifted texts.

pub mod pages;
pub mod generation;
