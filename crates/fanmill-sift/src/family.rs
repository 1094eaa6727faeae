//! Families of grams: a way of forming them with its parameters, and the same under a key.

use std::fmt;
use std::str::FromStr;

use super::batch::Batch;
use super::formation::Gram;
use super::key::{Key, Mixer, Prf};
use super::spaced::Gaps;
use super::thousandths::Thousandths;
use super::{partition, side_by_side, skipping, sliding, whole};
use fanmill_kernel as kernel;
use fanmill_text::error::{Error, Result};
use fanmill_text::scheme::Grammar;

/// Maximum number of tokens in a gram.
pub const MAX_LENGTH: u32 = 64;
/// Maximum number of parts in a partition.
pub const MAX_PARTS: u32 = 16;
/// Maximum number of tokens of a text that is taken as a whole.
pub const MAX_WHOLE: u32 = 10_000;

/// A way of forming grams, partitioned or not. Made by [`Family::new`] or parsed from its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Family {
    shape: Shape,
    parts: u32,
}

/// The ways of forming grams, with their parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// `slide(l=6)`: consecutive tokens.
    Sliding {
        /// Number of tokens in a gram.
        l: u32,
    },
    /// `skip(l=6,p=0.3)`: each next token is taken with a certain probability.
    Skipping {
        /// Number of tokens in a gram.
        l: u32,
        /// Probability of being taken.
        p: Thousandths,
    },
    /// `skip(add=0.27,stop=0.03)`: as skipping, up to the first token of the stop set.
    Variable {
        /// Probability of being taken.
        add: Thousandths,
        /// Probability of being taken as the last token.
        stop: Thousandths,
    },
    /// `space(l=6,p=0.3)`: tokens at distances that depend on the head.
    Spaced {
        /// Number of tokens in a gram.
        l: u32,
        /// 1 divided by the mean gap.
        p: Thousandths,
    },
    /// `whole(n=150)`: all tokens of a short text.
    Whole {
        /// Maximum number of tokens of a short text.
        n: u32,
    },
}

const GRAMMAR: Grammar = Grammar {
    what: "family of grams",
    forms: "slide(l=6) slide(l=6,b=2) skip(l=6,p=0.3) skip(add=0.27,stop=0.03) space(l=6,p=0.3) whole(n=150)",
};

/// Lowest probability with which a token may be taken.
const MIN_CHANCE: Thousandths = Thousandths(20);
const ONE: Thousandths = Thousandths(1000);

impl Family {
    /// Creates a family, partitioned if `parts` is not 1.
    ///
    /// # Errors
    /// If a length is 0 or above [`MAX_LENGTH`] (for whole texts [`MAX_WHOLE`]), if the probabilities add
    /// up to less than .02 or more than 1, if `parts` is 0 or above [`MAX_PARTS`], or if whole texts are
    /// to be partitioned.
    pub fn new(shape: Shape, parts: u32) -> Result<Family> {
        let family = Family { shape, parts };
        // The length and its maximum, and the probability of taking a token, are checked alike for all shapes.
        let (length, longest, chance) = match shape {
            Shape::Sliding { l } => (l, MAX_LENGTH, ONE),
            Shape::Skipping { l, p } | Shape::Spaced { l, p } => (l, MAX_LENGTH, p),
            Shape::Variable { add, stop } => {
                (1, MAX_LENGTH, Thousandths(add.0.saturating_add(stop.0)))
            }
            Shape::Whole { n } => (n, MAX_WHOLE, ONE),
        };
        if !(1..=longest).contains(&length) {
            return Err(Error::setting(format!(
                "`{family}` has grams of {length} tokens; use 1 to {longest}"
            )));
        }
        if !(MIN_CHANCE..=ONE).contains(&chance) {
            return Err(Error::setting(format!(
                "`{family}` takes tokens with probability {chance}; use {MIN_CHANCE} to 1, such as 0.3"
            )));
        }
        if !(1..=MAX_PARTS).contains(&parts) {
            return Err(Error::setting(format!(
                "`{family}` divides words into {parts} sets; use 2 to {MAX_PARTS}, or leave b= out"
            )));
        }
        if family.is_whole() && parts != 1 {
            return Err(Error::setting(format!("`{family}` partitions whole texts; leave b= out")));
        }
        Ok(family)
    }

    /// Returns the way of forming grams.
    pub fn shape(self) -> Shape {
        self.shape
    }

    /// Returns whether its only gram is the whole text, which no reduction may drop.
    pub fn is_whole(self) -> bool {
        matches!(self.shape, Shape::Whole { .. })
    }

    /// Returns the number of sets that words are divided into; 1 without partitioning.
    pub fn parts(self) -> u32 {
        self.parts
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape {
            Shape::Sliding { l } => write!(f, "slide(l={l}")?,
            Shape::Skipping { l, p } => write!(f, "skip(l={l},p={p}")?,
            Shape::Variable { add, stop } => write!(f, "skip(add={add},stop={stop}")?,
            Shape::Spaced { l, p } => write!(f, "space(l={l},p={p}")?,
            Shape::Whole { n } => write!(f, "whole(n={n}")?,
        }
        match self.parts {
            1 => f.write_str(")"),
            parts => write!(f, ",b={parts})"),
        }
    }
}

impl FromStr for Family {
    type Err = Error;

    /// Parses what [`Display`](fmt::Display) writes, and nothing else.
    fn from_str(text: &str) -> Result<Family> {
        let mut step = GRAMMAR.step(text);
        let parts = step.take_last("b").map_or(Ok(1), |parts| parts.number(2..=MAX_PARTS))?;
        let length = 1..=MAX_LENGTH;
        let shape = match step.name() {
            "slide" => Shape::Sliding { l: step.number("l", length)? },
            "skip" if step.has("add") => {
                let [add, stop] = step.parameters(["add", "stop"])?;
                Shape::Variable { add: add.read()?, stop: stop.read()? }
            }
            "skip" => {
                let [l, p] = step.parameters(["l", "p"])?;
                Shape::Skipping { l: l.number(length)?, p: p.read()? }
            }
            "space" => {
                let [l, p] = step.parameters(["l", "p"])?;
                Shape::Spaced { l: l.number(length)?, p: p.read()? }
            }
            "whole" => Shape::Whole { n: step.number("n", 1..=MAX_WHOLE)? },
            _ => return Err(step.unknown()),
        };
        Family::new(shape, parts)
    }
}

/// Forms the grams of a family under a key.
#[derive(Debug, Clone)]
pub(crate) struct GramFormer {
    family: Family,
    accept: Mixer,
    part: Mixer,
    gaps: Gaps,
    prf: Prf,
}

impl GramFormer {
    pub(crate) fn new(family: Family, key: &Key) -> GramFormer {
        let (name, p) = match family.shape {
            Shape::Sliding { .. } => ("gram slide", ONE),
            Shape::Skipping { .. } | Shape::Variable { .. } => ("gram skip", ONE),
            Shape::Spaced { p, .. } => ("gram space", p),
            Shape::Whole { .. } => ("whole text", ONE),
        };
        GramFormer {
            family,
            accept: key.mixer("accept"),
            part: key.mixer("partition"),
            gaps: Gaps::new(key.mixer("gaps"), p),
            prf: key.prf(name),
        }
    }

    pub(crate) fn family(&self) -> Family {
        self.family
    }

    /// Returns the value of a gram that is stored.
    #[inline]
    pub(crate) fn value(&self, gram: &Gram<'_>) -> u64 {
        self.prf.gram(gram.tokens)
    }

    /// Calls `take` with the values of all grams, in any order: eight are hashed at a time.
    pub(crate) fn values(&self, tokens: &[u64], mut take: impl FnMut(u64)) {
        let length = match self.family.shape {
            Shape::Sliding { l } | Shape::Skipping { l, .. } | Shape::Spaced { l, .. } => {
                l as usize
            }
            Shape::Variable { .. } | Shape::Whole { .. } => {
                return self.form(tokens, |gram| take(self.value(&gram)));
            }
        };
        let mut batch = Batch::new(&self.prf, length, take);
        if matches!(self.family, Family { shape: Shape::Sliding { .. }, parts: 1 }) {
            batch.slide(tokens);
        } else {
            self.form(tokens, |gram| batch.push(gram.tokens));
        }
        batch.finish();
    }

    /// Emits all grams.
    #[inline]
    pub(crate) fn form(&self, tokens: &[u64], mut emit: impl FnMut(Gram<'_>)) {
        match self.family.parts {
            1 => self.form_whole(tokens, emit),
            parts => {
                let part_of = |token| self.part.class(token, parts);
                let whole =
                    |seen: &[u64], emit: &mut dyn FnMut(Gram<'_>)| self.form_whole(seen, emit);
                partition::form(tokens, parts, part_of, whole, &mut emit);
            }
        }
    }

    #[inline]
    fn form_whole(&self, tokens: &[u64], emit: impl FnMut(Gram<'_>)) {
        // XOR combines token values: they are keyed hashes already, and the mixer does the rest.
        let g = |c: u64, t: u64| c ^ t;
        match self.family.shape {
            Shape::Sliding { l } => sliding::form(tokens, l as usize, emit),
            Shape::Skipping { l, p } => {
                let (l, limit) = (l as usize, p.of_u64());
                let span = skipping::bound(l, p.value());
                if kernel::walks_pay() {
                    side_by_side::fixed(tokens, l, span, &self.accept, limit, emit);
                } else {
                    let accept = |c| self.accept.mix(c) <= limit;
                    skipping::fixed(tokens, l, span, g, accept, emit);
                }
            }
            Shape::Variable { add, stop } => {
                let (stop_limit, add_limit) = (stop.of_u64(), Thousandths(add.0 + stop.0).of_u64());
                let categorise = |c| match self.accept.mix(c) {
                    h if h <= stop_limit => skipping::Category::Stop,
                    h if h <= add_limit => skipping::Category::Add,
                    _ => skipping::Category::Skip,
                };
                let mean = skipping::mean_length(add.value(), stop.value());
                let span = skipping::bound(mean, add.value() + stop.value());
                skipping::variable(tokens, span, g, categorise, emit);
            }
            Shape::Spaced { l, .. } => self.gaps.form(tokens, l as usize, emit),
            Shape::Whole { n } => whole::form(tokens, n as usize, emit),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::key;
    use fanmill_kernel::hash::mix::SplitMix;

    pub(super) const NAMES: [&str; 8] = [
        "slide(l=10)",
        "skip(l=10,p=0.3)",
        "skip(add=0.27,stop=0.03)",
        "space(l=10,p=0.3)",
        "slide(l=10,b=2)",
        "skip(l=10,p=0.3,b=2)",
        "space(l=6,p=0.3,b=3)",
        "skip(l=6,p=1)",
    ];

    fn values(name: &str, key: u64, tokens: &[u64]) -> BTreeSet<u64> {
        let former = GramFormer::new(name.parse().expect(name), &key::of_test(key));
        let mut values = BTreeSet::new();
        former.form(tokens, |gram| {
            values.insert(former.value(&gram));
        });
        values
    }

    #[test]
    fn names_are_read_back() {
        for name in NAMES.into_iter().chain(["whole(n=150)"]) {
            assert_eq!(name.parse::<Family>().expect(name).to_string(), name);
        }
        for wrong in [
            "",
            "slide",
            "slide(l=0)",
            "slide(l=65)",
            "slide(l=06)",
            "slide(b=2)",
            "slide(l=6,b=1)",
            "slide(l=6,b=0)",
            "slide(l=6,b=99)",
            "skip(l=6)",
            "skip(l=6,p=0)",
            "skip(l=6,p=1.1)",
            "skip(add=0.9,stop=0.2)",
            "space(l=6,p=0.01)",
            "slide(b=2,l=6)",
            "skip(add=4294967,stop=4294967)",
            "whole(n=0)",
            "whole(n=10001)",
            "whole(n=100,b=2)",
        ] {
            assert!(wrong.parse::<Family>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn another_key_gives_other_values() {
        let tokens = SplitMix::new(1).seeds(500);
        for name in NAMES {
            let (a, b) = (values(name, 1, &tokens), values(name, 2, &tokens));
            assert!(a.len() > 300, "{name}: {}", a.len());
            assert!(a == values(name, 1, &tokens) && a.is_disjoint(&b), "{name}");
        }
    }

    /// Equal tokens give different values in different families, so that families are scored separately.
    #[test]
    fn families_give_different_values() {
        let tokens = SplitMix::new(1).seeds(100);
        let slide = values("slide(l=6)", 1, &tokens);
        assert!(slide.is_disjoint(&values("skip(l=6,p=1)", 1, &tokens)));
        assert!(slide.is_disjoint(&values("space(l=6,p=1)", 1, &tokens)));
        assert_eq!(slide.len(), values("skip(l=6,p=1)", 1, &tokens).len());
    }

    /// One in ten tokens taken is a stop, so variable grams have a mean length of 1 + 10 tokens.
    #[test]
    fn variable_grams_have_the_stated_mean_length() {
        let tokens = SplitMix::new(1).seeds(20_000);
        let former =
            GramFormer::new("skip(add=0.27,stop=0.03)".parse().expect("a name"), &key::of_test(1));
        let (mut n, mut sum) = (0, 0);
        former.form(&tokens, |gram| (n, sum) = (n + 1, sum + gram.tokens.len()));
        let mean = f64::from(sum as u32) / f64::from(n);
        assert!((mean - 11.0).abs() < 0.5, "{mean}");
    }

    proptest! {
        /// An equal stretch gives equal grams, wherever it is.
        #[test]
        fn an_untouched_stretch_keeps_its_grams(seed: u64, before in 0_usize..50, name in prop::sample::select(&NAMES[..])) {
            let stretch = SplitMix::new(seed).seeds(400);
            let moved = [SplitMix::new(!seed).seeds(before), stretch.clone()].concat();
            let (alone, inside) = (values(name, 1, &stretch), values(name, 1, &moved));
            prop_assert!(alone.is_subset(&inside));
        }

        #[test]
        fn no_document_panics(tokens in prop::collection::vec(0_u64..4, 0..100), name in prop::sample::select(&NAMES[..])) {
            let former = GramFormer::new(name.parse().expect(name), &key::of_test(1));
            former.form(&tokens, |gram| {
                assert!(gram.reach.end <= tokens.len() && gram.reach.len() >= gram.tokens.len());
                assert_eq!(gram.tokens[0], tokens[gram.reach.start]);
                assert_eq!(gram.tokens.last(), Some(&tokens[gram.reach.end - 1]));
            });
        }
    }
}
