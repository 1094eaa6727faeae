//! Reads what is inside a function or brackets.
//!
//! Cost: that of what is read.
//! Source: CSS Syntax Module Level 3, §5.

use cssparser::{ParseError, Parser};

/// Reads the block that the last token began; `None` if `read` cannot, or if something is left in it.
pub(super) fn nested<T>(
    input: &mut Parser<'_>,
    read: impl FnOnce(&mut Parser<'_>) -> Option<T>,
) -> Option<T> {
    let read = |input: &mut Parser<'_>| -> Result<T, ParseError<()>> {
        read(input).ok_or_else(ParseError::unexpected_token)
    };
    input.parse_nested_block(read).ok()
}

/// Reads values that commas separate; `None` if `read` cannot read one of them.
pub(super) fn separated<T>(
    input: &mut Parser<'_>,
    mut read: impl FnMut(&mut Parser<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    let one = |input: &mut Parser<'_>| -> Result<T, ParseError<()>> {
        read(input).ok_or_else(ParseError::unexpected_token)
    };
    input.parse_comma_separated(one).ok()
}
