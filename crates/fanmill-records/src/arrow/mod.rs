//! Texts and sets of Arrow arrays that another program has made, read without a copy.
//!
//! The producer of an array is trusted about where its buffers are, but not about their contents: an array may come by
//! Arrow's C interface, where nobody has looked at its offsets, its keys or its characters.

mod texts;
mod sets;

pub use sets::{Sets, are_sets};
pub use texts::Texts;
