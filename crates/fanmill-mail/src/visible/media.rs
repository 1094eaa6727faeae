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
pub(super) enum Applicability {
    Always,
    Sometimes,
    Never,
}

impl Applicability {
    fn not(self) -> Applicability {
        match self {
            Applicability::Always => Applicability::Never,
            Applicability::Sometimes => Applicability::Sometimes,
            Applicability::Never => Applicability::Always,
        }
    }

    pub(super) fn and(self, other: Applicability) -> Applicability {
        match (self, other) {
            (Applicability::Never, _) | (_, Applicability::Never) => Applicability::Never,
            (Applicability::Always, Applicability::Always) => Applicability::Always,
            _ => Applicability::Sometimes,
        }
    }

    fn or(self, other: Applicability) -> Applicability {
        self.not().and(other.not()).not()
    }
}

/// Minimum and maximum width of the windows in which people read mail, in pixels.
const WIDTHS: (f32, f32) = (300.0, 2600.0);

/// Reads a list of conditions. It holds if one of them does, or if it is empty.
pub(super) fn applicability(input: &mut Parser<'_>) -> Applicability {
    if input.is_exhausted() {
        return Applicability::Always;
    }
    let all = separated(input, |input| Some(condition(input))).unwrap_or_default();
    all.into_iter().reduce(Applicability::or).unwrap_or(Applicability::Never)
}

/// Reads `not screen and (…)`. An invalid condition holds sometimes: in few programs, or in none.
fn condition(input: &mut Parser<'_>) -> Applicability {
    let (mut holds, mut is_negated, mut is_odd) = (Applicability::Always, false, false);
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
                nested(input, |input| Some(feature(input))).unwrap_or(Applicability::Sometimes)
            }
            _ => Applicability::Sometimes,
        };
        is_odd |= n_parts > 0 && between.is_none();
        holds = if between.take() == Some(true) { holds.or(next) } else { holds.and(next) };
        n_parts += 1;
    }
    match (is_odd || between.is_some(), is_negated) {
        (true, _) => Applicability::Sometimes,
        (false, true) => holds.not(),
        (false, false) => holds,
    }
}

fn medium(name: &str) -> Applicability {
    match name {
        "all" | "screen" => Applicability::Always,
        "handheld" | "tv" => Applicability::Sometimes,
        _ => Applicability::Never,
    }
}

/// Reads `min-width: 600px`.
fn feature(input: &mut Parser<'_>) -> Applicability {
    let holds = feature_of(input).unwrap_or(Applicability::Sometimes);
    while input.next().is_ok() {}
    holds
}

fn feature_of(input: &mut Parser<'_>) -> Option<Applicability> {
    let name = input.expect_ident().ok()?.to_ascii_lowercase();
    if input.expect_colon().is_err() {
        return None;
    }
    let (least, most) = WIDTHS;
    let pixels = length::parse(input)?.pixels()?;
    Some(match &*name {
        "min-width" | "min-device-width" if pixels <= least => Applicability::Always,
        "min-width" | "min-device-width" if pixels > most => Applicability::Never,
        "max-width" | "max-device-width" if pixels >= most => Applicability::Always,
        "max-width" | "max-device-width" if pixels < least => Applicability::Never,
        "min-height" | "min-device-height" if pixels <= 0.0 => Applicability::Always,
        _ => Applicability::Sometimes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_hold_always_sometimes_or_never() {
        let cases = [
            ("", Applicability::Always),
            ("screen", Applicability::Always),
            ("only ALL and (min-width: 1px)", Applicability::Always),
            ("print, screen", Applicability::Always),
            ("not print", Applicability::Always),
            ("print", Applicability::Never),
            ("not all", Applicability::Never),
            ("print and (max-width: 600px)", Applicability::Never),
            ("(min-width: 9000px)", Applicability::Never),
            ("(max-width: calc(1px + 1px))", Applicability::Never),
            ("(max-width: 600px)", Applicability::Sometimes),
            ("screen and (prefers-color-scheme: dark)", Applicability::Sometimes),
            ("(width <= 600px)", Applicability::Sometimes),
            ("(color)", Applicability::Sometimes),
            ("nonsense", Applicability::Never),
            ("screen or print", Applicability::Sometimes),
            ("all screen", Applicability::Sometimes),
            ("screen and", Applicability::Sometimes),
            ("and screen", Applicability::Sometimes),
            ("(min-width: 1px) or (color)", Applicability::Always),
            ("(min-width: 1px) (color)", Applicability::Sometimes),
            ("((", Applicability::Sometimes),
        ];
        for (text, expected) in cases {
            assert_eq!(applicability(&mut Parser::new(text)), expected, "{text}");
        }
    }
}
