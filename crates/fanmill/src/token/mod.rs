//! A document as canonical symbols, each with its span in the original.

mod symbol;
mod tokens;

pub use symbol::Symbol;
pub use tokens::{Token, Tokens};
