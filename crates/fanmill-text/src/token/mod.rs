//! A document as canonical symbols, each with its span in the original.

mod class;
mod dictionary;
mod kind;
mod stream;
mod symbol;
mod tokens;

pub use class::Class;
pub use dictionary::IdentityHasher;
pub use dictionary::{Dictionary, Number};
pub use kind::Kind;
pub use stream::{DocumentTokens, Outline, Stream};
pub use symbol::{Symbol, Writing};
pub use tokens::{Columns, Token, Tokens};
