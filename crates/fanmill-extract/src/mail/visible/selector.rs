//! Which elements a rule of a style sheet is for.
//!
//! Followed are names, classes, ids, attributes, `:root`, `:first-child`, `:nth-child()`, `:not()`, `:is()` and `:where()` of
//! these, and what is inside of what (`a b`, `a > b`), in rules inside of rules too. Not followed are neighbours (`a + b`, `a ~ b`)
//! and all other pseudo-classes: a selector with one of them is *doubtful*, and what is left of it is taken as its
//! meaning. So is one that counts children, since we count those of the head as well, or is for a first line. Rules for what
//! only a pointer or the keyboard makes true (`:hover`), and for what is no element, are for nothing; of `::before` and
//! `::after` counts what they write.
//!
//! Cost: to ask about an element, for each part of a selector at most its depth.
//! Source: Selectors Level 4, §3 to §6, §14, §17; CSS Nesting Level 1, §3.

mod reading;
mod fitting;

use cssparser::Parser;

use super::nested::separated;
use reading::Reading;

/// Parts of a selector, inside of one another: more are read by nobody.
const MAX_PARTS: usize = 32;
/// The largest [`size`](Selector::size) of a selector that is read.
const MAX_SIZE: usize = 1000;

/// How an element stands to the next part of a selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Combinator {
    Inside,
    Child,
}

/// A selector; see the [module](self).
#[derive(Debug, Clone)]
pub(super) struct Selector {
    own: Compound,
    /// From the innermost one outward.
    outer: Vec<(Combinator, Compound)>,
    /// Ids, then classes and attributes, then names.
    pub(super) specificity: [u16; 3],
    pub(super) doubt: Doubt,
    pub(super) is_for: For,
    /// What it takes to keep a copy: its tests, and one more for each 16 bytes of their values.
    pub(super) size: usize,
    /// Whether it is larger than what is read.
    pub(super) is_cut: bool,
}

/// How far a selector was followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Doubt {
    /// Wholly.
    #[default]
    None,
    /// In part.
    Partly,
    /// In part, and what was not followed may be unknown to browsers too.
    Unknown,
}

impl Doubt {
    fn add(&mut self, other: Doubt) {
        *self = other.max(*self);
    }
}

/// What a selector is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum For {
    #[default]
    Elements,
    /// What is written before or behind an element.
    Beside,
    /// No element, or one only while somebody points at it.
    Nothing,
}

/// What one element has to be.
#[derive(Debug, Clone, Default)]
struct Compound {
    tests: Vec<Test>,
    /// Whether it has to be what the rule around is for: `&`.
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
    /// Whether its place is `a * n + b` for some `n` from 0 on.
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

    /// Reads one selector of a list, of a rule inside of another one.
    pub(super) fn parse_nested(input: &mut Parser<'_>) -> Option<Selector> {
        reading::read(Reading::nested(), input)
    }

    /// Reads a list of selectors with `read`; at most `most` of them, and the number of the others. `None` if one cannot
    /// be read, which makes the whole rule invalid, as in browsers.
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

    /// `&`: for what the rule around is for.
    pub(super) fn same() -> Selector {
        Selector {
            own: Compound { is_outer: true, ..Compound::default() },
            outer: Vec::new(),
            specificity: [0; 3],
            doubt: Doubt::Partly,
            is_for: For::Elements,
            size: 0,
            is_cut: false,
        }
    }

    /// This one, of a rule inside of another one, as if it stood alone. It is doubtful, since few mail programs know such rules.
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
        if around.is_for == For::Nothing {
            whole.is_for = For::Nothing;
        }
        whole.is_cut |= around.is_cut || whole.outer.len() > MAX_PARTS;
        whole
    }

    /// What elements are found by that it may be for: one of [`Names::keys`].
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
    /// See [`Selector::size`]. What is in a list was counted when that was read.
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
