//! Data that grows by segments: a folder of files that never change, and a manifest that says which of them count.
//!
//! [`pages`] are files that notice damage, [`generation`] commits. What is in a segment is for others to say: an index, or a
//! store of sifted texts.

pub mod pages;
pub mod generation;
