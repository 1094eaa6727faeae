//! Conditions of rules on the screen.
//!
//! The page is read as a mail program shows it on an ordinary screen. Rules for print never apply, rules for screens
//! always do. Whether rules for narrow screens, dark themes and the like apply depends on the reader, so they are
//! *doubtful*: the page is read without them and with them.
//!
//! Cost: O(n) in the condition.
//! Source: Media Queries Level 4, §2 and §3.

use cssparser::{Parser, Token};

use super::length;
use super::nested::{nested, separated};

/// Cases in which a condition holds.
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

/// Minimum and maximum width of the windows in which people read mail, in pixels.
const WIDTHS: (f32, f32) = (300.0, 2600.0);

/// Reads a list of conditions. It holds if one of them does, or if it is empty.
pub(super) fn of(input: &mut Parser<'_>) -> Holds {
    if input.is_exhausted() {
        return Holds::Always;
    }
    let all = separated(input, |input| Some(condition(input))).unwrap_or_default();
    all.into_iter().reduce(Holds::or).unwrap_or(Holds::Never)
}

/// Reads `not screen and (…)`. An invalid condition holds sometimes: in few programs, or in none.
fn condition(input: &mut Parser<'_>) -> Holds {
    let (mut holds, mut is_negated, mut is_odd) = (Holds::Always, false, false);
    // `between` is the word between this part and the one before (true for `or`); `has_type` is set if a medium was
    // named.
    let (mut between, mut n_parts, mut has_type) = (None, 0, false);
    while let Ok(token) = input.next().cloned() {
        let next = match &token {
            Token::Ident(word) => match &*word.to_ascii_lowercase() {
                "not" if n_parts == 0 && !is_negated => {
                    is_negated = true;
                    continue;
                }
                "only" if n_parts == 0 => continue,
                word @ ("and" | "or") => {
                    is_odd |= between.is_some() || n_parts == 0 || word == "or" && has_type;
                    between = Some(word == "or");
                    continue;
                }
                word => {
                    is_odd |= n_parts > 0;
                    has_type = true;
                    medium(word)
                }
            },
            Token::ParenthesisBlock => {
                nested(input, |input| Some(feature(input))).unwrap_or(Holds::Sometimes)
            }
            _ => Holds::Sometimes,
        };
        is_odd |= n_parts > 0 && between.is_none();
        holds = if between.take() == Some(true) { holds.or(next) } else { holds.and(next) };
        n_parts += 1;
    }
    match (is_odd || between.is_some(), is_negated) {
        (true, _) => Holds::Sometimes,
        (false, true) => holds.not(),
        (false, false) => holds,
    }
}

fn medium(name: &str) -> Holds {
    match name {
        "all" | "screen" => Holds::Always,
        "handheld" | "tv" => Holds::Sometimes,
        _ => Holds::Never,
    }
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
            ("screen or print", Holds::Sometimes),
            ("all screen", Holds::Sometimes),
            ("screen and", Holds::Sometimes),
            ("and screen", Holds::Sometimes),
            ("(min-width: 1px) or (color)", Holds::Always),
            ("(min-width: 1px) (color)", Holds::Sometimes),
            ("((", Holds::Sometimes),
        ];
        for (text, expected) in cases {
            assert_eq!(of(&mut Parser::new(text)), expected, "{text}");
        }
    }
}
