//! A document as canonical symbols, each with its span in the original.

mod kind;
mod stream;
mod symbol;
mod tokens;

pub use kind::Kind;
pub use stream::{DocumentTokens, Stream};
pub use symbol::Symbol;
pub use tokens::{Token, Tokens};
