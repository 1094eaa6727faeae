//! Visibility of text, by its own formatting and by its styles.

use std::collections::HashMap;

use super::limits::MOST_REFERENCES;
use crate::extracted::SetApartReason;

/// Maximum number of styles in a chain of styles based on one another; a chain may be a circle.
const CHAIN: usize = 16;

/// Size in points below which text cannot be read.
const TINY: f64 = 3.0;

/// Properties that formatting sets; it does not set those that are `None`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) hidden: Option<bool>,
    pub(super) white: Option<bool>,
    pub(super) tiny: Option<bool>,
    /// If true, there is a background that is not white.
    pub(super) shaded: Option<bool>,
}

impl Look {
    /// Returns this look, completed by `other` where this one sets nothing.
    pub(super) fn over(self, other: Look) -> Look {
        Look {
            hidden: self.hidden.or(other.hidden),
            white: self.white.or(other.white),
            tiny: self.tiny.or(other.tiny),
            shaded: self.shaded.or(other.shaded),
        }
    }

    /// Sets the colour of the text, `FFFFFF` or `#ffffff`.
    pub(super) fn colour(&mut self, colour: &str) {
        self.white = Some(is_white(colour));
    }

    /// Sets the colour behind the text.
    pub(super) fn background(&mut self, colour: &str) {
        let is_none = matches!(colour, "auto" | "transparent" | "none" | "clear");
        self.shaded = Some(!is_none && !is_white(colour));
    }

    /// Sets the size of the text in points.
    pub(super) fn size(&mut self, points: f64) {
        self.tiny = Some(points < TINY);
    }

    /// Returns the reason why text of this look is not seen, if it is not.
    pub(super) fn aside(self) -> Option<SetApartReason> {
        let is = |what: Option<bool>| what == Some(true);
        if is(self.hidden) {
            Some(SetApartReason::Hidden)
        } else if is(self.tiny) {
            Some(SetApartReason::Tiny)
        } else {
            (is(self.white) && !is(self.shaded)).then_some(SetApartReason::White)
        }
    }
}

/// Returns whether a colour is white, or cannot be distinguished from it.
fn is_white(colour: &str) -> bool {
    let digits = colour.trim_start_matches('#');
    let channel =
        |at: usize| digits.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    digits.len() == 6
        && [0, 2, 4].into_iter().all(|at| channel(at).is_some_and(|value| value >= 0xF5))
        || digits.eq_ignore_ascii_case("white")
}

/// Styles by their names.
#[derive(Debug, Default)]
pub(super) struct Styles {
    known: HashMap<String, (Look, Option<String>)>,
    /// The style of paragraphs that do not name one.
    pub(super) default: Option<String>,
}

impl Styles {
    pub(super) fn insert(&mut self, name: String, look: Look, based_on: Option<String>) {
        if self.known.len() < MOST_REFERENCES {
            self.known.insert(name, (look, based_on));
        }
    }

    /// Returns the look of a style, including the styles that it is based on.
    pub(super) fn look(&self, name: &str) -> Look {
        let mut look = Look::default();
        let mut next = Some(name);
        for _ in 0..CHAIN {
            let Some((own, based_on)) = next.and_then(|name| self.known.get(name)) else { break };
            look = look.over(*own);
            next = based_on.as_deref();
        }
        look
    }

    /// Returns the look of a paragraph that does not name a style.
    pub(super) fn usual(&self) -> Look {
        self.default.as_deref().map_or(Look::default(), |name| self.look(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_hidden_only_on_white() {
        let look = |colour: &str, background: &str| {
            let mut look = Look::default();
            look.colour(colour);
            look.background(background);
            look.aside()
        };
        assert_eq!(look("FFFFFF", "auto"), Some(SetApartReason::White));
        assert_eq!(look("#fefefe", "#ffffff"), Some(SetApartReason::White));
        assert_eq!(look("FFFFFF", "1F3864"), None);
        assert_eq!(look("F5F5", "auto"), None);
        assert_eq!(look("é12345", "auto"), None);
    }

    #[test]
    fn styles_in_a_circle_end() {
        let mut styles = Styles::default();
        let hidden = Look { hidden: Some(true), ..Look::default() };
        styles.insert("a".to_owned(), Look::default(), Some("b".to_owned()));
        styles.insert("b".to_owned(), hidden, Some("a".to_owned()));
        assert_eq!(styles.look("a"), hidden);
        assert_eq!(styles.look("c"), Look::default());
    }
}
