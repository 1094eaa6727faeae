//! Selectors: the elements that a rule of a style sheet is for.
//!
//! We follow names, classes, ids, attributes, `:root`, `:first-child`, `:nth-child()`, `:not()`, `:is()` and `:where()`
//! of these, and nesting (`a b`, `a > b`), also in nested rules. We do not follow siblings (`a + b`, `a ~ b`) and other
//! pseudo-classes: a selector with one of them is *doubtful*, and is read as if it did not have it. A selector that
//! counts children is also doubtful, because we count those of the head as well, and so is a selector for a first line.
//! Rules that apply only under a pointer or with the keyboard (`:hover`), or to something that is not an element, are
//! ignored; for `::before` and `::after` the text that they generate is kept.
//!
//! Cost: for each part of a selector at most the depth of the element that is tested.
//! Source: Selectors Level 4, §3 to §6, §14, §17; CSS Nesting Level 1, §3.

mod reading;
mod fitting;

use cssparser::Parser;

use super::nested::separated;
use reading::Reading;

/// Maximum number of parts of a selector that is read.
const MAX_PARTS: usize = 32;
/// Maximum [`size`](Selector::size) of a selector that is read.
const MAX_SIZE: usize = 1000;

/// Relation between two parts of a selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Combinator {
    Inside,
    Child,
}

/// A selector; see the [module](self).
#[derive(Debug, Clone)]
pub(super) struct Selector {
    own: Compound,
    /// The other parts, from the innermost one outward.
    outer: Vec<(Combinator, Compound)>,
    /// Numbers of ids, of classes and attributes, and of names.
    pub(super) specificity: [u16; 3],
    pub(super) doubt: Doubt,
    pub(super) is_for: SelectorTarget,
    /// Cost of a copy: the number of its tests, and one for each 16 bytes of their values.
    pub(super) size: usize,
    /// If set, it is larger than the limits.
    pub(super) is_cut: bool,
}

/// Degree to which a selector was not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Doubt {
    /// Followed completely.
    #[default]
    None,
    /// Followed in part.
    Partly,
    /// Followed in part, and browsers may not know the rest either.
    Unknown,
}

impl Doubt {
    fn add(&mut self, other: Doubt) {
        *self = other.max(*self);
    }
}

/// Targets of selectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum SelectorTarget {
    #[default]
    Elements,
    /// Text generated before or after an element.
    Beside,
    /// No element, or one only while a pointer is over it.
    Nothing,
}

/// The tests of one element.
#[derive(Debug, Clone, Default)]
struct Compound {
    tests: Vec<Test>,
    /// If set, the selector of the rule around it must also fit the element: `&`.
    is_outer: bool,
}

#[derive(Debug, Clone)]
enum Test {
    Name(String),
    Id(String),
    Class(String),
    Attribute {
        name: String,
        comparison: Comparison,
        value: String,
        has_case: bool,
    },
    Root,
    /// The place must be `a * n + b` for some `n` from 0 on.
    Nth(i32, i32),
    Any(Vec<Compound>),
    None(Vec<Compound>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Exists,
    Equals,
    HasWord,
    HasBegin,
    StartsWith,
    EndsWith,
    Contains,
}

impl Selector {
    /// Reads one selector of a list; `None` if it cannot be read.
    pub(super) fn parse(input: &mut Parser<'_>) -> Option<Selector> {
        reading::read(Reading::default(), input)
    }

    /// Reads one selector in the list of a nested rule.
    pub(super) fn parse_nested(input: &mut Parser<'_>) -> Option<Selector> {
        reading::read(Reading::nested(), input)
    }

    /// Reads a list of selectors with `read`. Returns at most `most` of them, and the number of the others. `None` if
    /// one cannot be read, which makes the whole rule invalid, as in browsers.
    pub(super) fn list(
        input: &mut Parser<'_>,
        most: usize,
        read: fn(&mut Parser<'_>) -> Option<Selector>,
    ) -> Option<(Vec<Selector>, usize)> {
        let (mut selectors, mut n_cut) = (Vec::new(), 0);
        separated(input, |input| {
            if selectors.len() < most {
                selectors.push(read(input)?);
            } else {
                n_cut += 1;
                while input.next().is_ok() {}
            }
            Some(())
        })?;
        Some((selectors, n_cut))
    }

    /// Returns `&`, the selector for the target of the rule around it.
    pub(super) fn same() -> Selector {
        Selector {
            own: Compound { is_outer: true, ..Compound::default() },
            outer: Vec::new(),
            specificity: [0; 3],
            doubt: Doubt::Partly,
            is_for: SelectorTarget::Elements,
            size: 0,
            is_cut: false,
        }
    }

    /// Returns the selector of a nested rule as a selector of its own. It is doubtful, because few mail programs know
    /// nested rules.
    pub(super) fn inside(&self, around: &Selector) -> Selector {
        let mut whole = self.clone();
        let outermost = whole.outer.last_mut().map_or(&mut whole.own, |(_, part)| part);
        if std::mem::take(&mut outermost.is_outer) {
            outermost.tests.extend(around.own.tests.iter().cloned());
        } else {
            whole.outer.push((Combinator::Inside, around.own.clone()));
        }
        whole.outer.extend(around.outer.iter().cloned());
        for (own, around) in whole.specificity.iter_mut().zip(around.specificity) {
            *own = own.saturating_add(around);
        }
        whole.doubt.add(Doubt::Partly);
        whole.size += around.size;
        if around.is_for == SelectorTarget::Nothing {
            whole.is_for = SelectorTarget::Nothing;
        }
        whole.is_cut |= around.is_cut || whole.outer.len() > MAX_PARTS;
        whole
    }

    /// Returns the key under which elements find it: one of [`SelectableElement::keys`](super::names::SelectableElement::keys).
    pub(super) fn key(&self) -> String {
        let tests = &self.own.tests;
        let id = tests.iter().find_map(|test| match test {
            Test::Id(id) => Some(format!("#{}", id.to_ascii_lowercase())),
            _ => None,
        });
        let class = || {
            tests.iter().find_map(|test| match test {
                Test::Class(class) => Some(format!(".{}", class.to_ascii_lowercase())),
                _ => None,
            })
        };
        let name = || {
            tests.iter().find_map(|test| match test {
                Test::Name(name) => Some(name.clone()),
                _ => None,
            })
        };
        id.or_else(class).or_else(name).unwrap_or_else(|| "*".to_owned())
    }
}

impl Test {
    /// Returns its part of [`Selector::size`]. The tests in a list were counted when the list was read.
    fn size(&self) -> usize {
        let bytes = match self {
            Test::Name(name) | Test::Id(name) | Test::Class(name) => name.len(),
            Test::Attribute { name, value, .. } => name.len() + value.len(),
            Test::Root | Test::Nth(..) | Test::Any(_) | Test::None(_) => 0,
        };
        1 + bytes / 16
    }
}

#[cfg(test)]
mod tests;
