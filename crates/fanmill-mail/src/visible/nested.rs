//! Reads the content of a function or of brackets.
//!
//! Cost: that of reading the content.
//! Source: CSS Syntax Module Level 3, §5.

use cssparser::{ParseError, Parser};

/// Reads the block that the last token began; `None` if `read` fails, or leaves a part of the block unread.
pub(super) fn nested<T>(
    input: &mut Parser<'_>,
    read: impl FnOnce(&mut Parser<'_>) -> Option<T>,
) -> Option<T> {
    let read = |input: &mut Parser<'_>| -> Result<T, ParseError<()>> {
        read(input).ok_or_else(ParseError::unexpected_token)
    };
    input.parse_nested_block(read).ok()
}

/// Reads values separated by commas; `None` if `read` cannot read one of them.
pub(super) fn separated<T>(
    input: &mut Parser<'_>,
    mut read: impl FnMut(&mut Parser<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    let one = |input: &mut Parser<'_>| -> Result<T, ParseError<()>> {
        read(input).ok_or_else(ParseError::unexpected_token)
    };
    input.parse_comma_separated(one).ok()
}
