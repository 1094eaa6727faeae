//! For which screens rules are.
//!
//! What a mail program on an ordinary screen shows is what counts. Rules for print are for nothing, rules for screens are
//! for all. Whether rules for narrow screens, dark themes and the like hold depends on the reader, and such
//! rules are *doubtful*: the page is read without them, and with them.
//!
//! Cost: O(n) in the condition.
//! Source: Media Queries Level 4, §2 and §3.

use cssparser::{ParseError, Parser, Token};

use super::length;

/// Whether a condition holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Always,
    Sometimes,
    Never,
}

impl Holds {
    fn not(self) -> Holds {
        match self {
            Holds::Always => Holds::Never,
            Holds::Sometimes => Holds::Sometimes,
            Holds::Never => Holds::Always,
        }
    }

    pub(super) fn and(self, other: Holds) -> Holds {
        match (self, other) {
            (Holds::Never, _) | (_, Holds::Never) => Holds::Never,
            (Holds::Always, Holds::Always) => Holds::Always,
            _ => Holds::Sometimes,
        }
    }

    fn or(self, other: Holds) -> Holds {
        self.not().and(other.not()).not()
    }
}

/// The widths of windows that people read mail in, in pixels, are between these.
const WIDTHS: (f32, f32) = (300.0, 2600.0);

/// Reads a list of conditions, of which one has to hold; none at all holds.
pub(super) fn of(input: &mut Parser<'_>) -> Holds {
    if input.is_exhausted() {
        return Holds::Always;
    }
    let one = |input: &mut Parser<'_>| -> Result<Holds, ParseError<()>> { Ok(condition(input)) };
    let all = input.parse_comma_separated(one).unwrap_or_default();
    all.into_iter().reduce(Holds::or).unwrap_or(Holds::Never)
}

/// Reads `not screen and (…)`.
fn condition(input: &mut Parser<'_>) -> Holds {
    let (mut holds, mut is_negated, mut is_any) = (Holds::Always, false, false);
    while let Ok(token) = input.next().cloned() {
        let next = match &token {
            Token::Ident(word) => match &*word.to_ascii_lowercase() {
                "not" => {
                    is_negated = true;
                    continue;
                }
                "only" | "and" => continue,
                "or" => {
                    is_any = true;
                    continue;
                }
                "all" | "screen" => Holds::Always,
                "print" | "speech" | "aural" | "braille" | "embossed" | "projection" | "tty" => {
                    Holds::Never
                }
                "handheld" | "tv" => Holds::Sometimes,
                _ => Holds::Never,
            },
            Token::ParenthesisBlock => {
                let feature = |input: &mut Parser<'_>| -> Result<Holds, ParseError<()>> {
                    Ok(feature(input))
                };
                input.parse_nested_block(feature).unwrap_or(Holds::Sometimes)
            }
            _ => Holds::Sometimes,
        };
        holds = if is_any { holds.or(next) } else { holds.and(next) };
    }
    if is_negated { holds.not() } else { holds }
}

/// Reads `min-width: 600px`.
fn feature(input: &mut Parser<'_>) -> Holds {
    let holds = feature_of(input).unwrap_or(Holds::Sometimes);
    while input.next().is_ok() {}
    holds
}

fn feature_of(input: &mut Parser<'_>) -> Option<Holds> {
    let name = input.expect_ident().ok()?.to_ascii_lowercase();
    if input.expect_colon().is_err() {
        return None;
    }
    let (least, most) = WIDTHS;
    let pixels = length::parse(input)?.pixels()?;
    Some(match &*name {
        "min-width" | "min-device-width" if pixels <= least => Holds::Always,
        "min-width" | "min-device-width" if pixels > most => Holds::Never,
        "max-width" | "max-device-width" if pixels >= most => Holds::Always,
        "max-width" | "max-device-width" if pixels < least => Holds::Never,
        "min-height" | "min-device-height" if pixels <= 0.0 => Holds::Always,
        _ => Holds::Sometimes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_hold_always_sometimes_or_never() {
        let cases = [
            ("", Holds::Always),
            ("screen", Holds::Always),
            ("only ALL and (min-width: 1px)", Holds::Always),
            ("print, screen", Holds::Always),
            ("not print", Holds::Always),
            ("print", Holds::Never),
            ("not all", Holds::Never),
            ("print and (max-width: 600px)", Holds::Never),
            ("(min-width: 9000px)", Holds::Never),
            ("(max-width: calc(1px + 1px))", Holds::Never),
            ("(max-width: 600px)", Holds::Sometimes),
            ("screen and (prefers-color-scheme: dark)", Holds::Sometimes),
            ("(width <= 600px)", Holds::Sometimes),
            ("(color)", Holds::Sometimes),
            ("nonsense", Holds::Never),
            ("((", Holds::Sometimes),
        ];
        for (text, expected) in cases {
            assert_eq!(of(&mut Parser::new(text)), expected, "{text}");
        }
    }
}
