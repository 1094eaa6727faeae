//! From bytes to tokens: documents, the front ends that read them, tokens with their places in the original, and grams.
//!
//! Modules are in the order in which they use each other. [`error`], [`mod@message`], [`setting`] and [`progress`] are how all of
//! Fanmill says what is wrong and how far a job is; [`scheme`] names the recipe that fingerprints are made by.

#![forbid(unsafe_code)]

pub mod readable;
pub mod setting;
pub mod message;
pub mod error;
pub mod amount;
pub mod foreign;
pub mod near;
mod as_text;
pub mod progress;
pub mod counted;
pub mod span;
pub mod token;
pub mod scheme;
pub mod document;
pub mod glob;
pub mod frontend;
pub mod gram;

pub use error::{Error, Result};
pub use message::Message;
pub use setting::Setting;
