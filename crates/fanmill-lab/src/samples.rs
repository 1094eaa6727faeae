//! Small inputs for tests.

use fanmill::token::Symbol;

/// A symbol a byte.
pub(crate) fn symbols(text: &str) -> Vec<Symbol> {
    text.bytes().map(|byte| Symbol::spelled(&[byte])).collect()
}
