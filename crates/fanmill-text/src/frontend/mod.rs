//! Bytes to canonical tokens: decoding, folding, and the front ends for prose.
//!
//! A front end declares the files that it takes, and turns a document's text into tokens whose spans point into that
//! text; [`Text`] knows the way back to the original bytes. Front ends for programming languages are in the crate
//! `fanmill-lang`. For whole corpora, [`runs`] goes from text to hashes of words in one step.

mod offset_map;
mod marks;
mod decoded;
mod wide;
mod legacy;
mod decode;
pub(crate) mod invisible;
mod normal;
mod skeleton;
mod look_alike;
mod decoration;
mod han;
mod letters;
mod fold;
mod shown;
mod text;
mod idioms;
mod front_end;
#[cfg(test)]
mod fake;
mod earlier;
mod word_class;
mod word_table;
mod word_hash;
mod hashed_word;
mod mixed_row;
mod words;
pub mod runs;
mod signs;
mod verbatim;
mod chars;
mod code_or_prose;
mod recognition;
mod registry;
mod labelled;
mod order;
mod agreement;
mod quotations;
pub mod cells;

pub use crate::token::Kind;
pub use agreement::Ballot;
pub use chars::Chars;
pub use code_or_prose::lines_of_code;
pub use decode::{MAX_BYTES, decode};
pub use decoded::{Certainty, Decoded};
pub use fold::{Folded, Folding, fold};
pub use front_end::{Claims, FrontEnd, PART};
pub use idioms::Idioms;
pub use letters::{has_readings, is_same_reading};
pub use marks::{Mark, MarkPlaces, Marks};
pub use offset_map::OffsetMap;
pub use order::ordered_for;
pub use quotations::quotations;
pub use registry::{Choice, ChoiceReason, GENERIC, Registry};
pub use shown::VisibleProse;
pub use signs::{Signs, each_sign_word, has_symbols, keyed_sign_hashes, sign_hashes};
pub use text::{JOINT, SEPARATOR, Text};
pub use verbatim::each_verbatim_word;
pub use word_class::{lower, stands_alone};
pub use words::{Word, Words, each_word};
