//! Matching of selectors against elements.
//!
//! Cost: for each part of a selector at most the depth of the element, plus what its tests compare; the page has a
//! budget of steps.
//! Source: Selectors Level 4, §3 to §6 and §14.

use super::super::names::{Ancestors, SelectableElement};
use super::super::variables::BYTES_A_STEP;
use super::{Combinator, Comparison, Compound, Selector, Test};

impl Selector {
    /// Returns whether it applies to an element with the elements around it. Takes a step for each element that is
    /// tested; without steps it applies to none.
    pub(in super::super) fn fits(
        &self,
        own: &SelectableElement,
        around: &impl Ancestors,
        steps_left: &mut u64,
    ) -> bool {
        if !self.own.fits(own, around.around(0).is_none(), steps_left) {
            return false;
        }
        // Distances of the elements that fit the last part; 0 is the element itself.
        let mut places = vec![0];
        for (combinator, compound) in &self.outer {
            let n_around = |from: usize| {
                let mut n = from;
                while around.around(n).is_some() {
                    n += 1;
                }
                n
            };
            let candidates: Vec<usize> = match combinator {
                Combinator::Child => places.clone(),
                Combinator::Inside => {
                    let nearest = places.iter().copied().min().unwrap_or(0);
                    (nearest..n_around(nearest)).collect()
                }
            };
            places.clear();
            for n in candidates {
                let is_root = around.around(n + 1).is_none();
                let Some(names) = around.around(n) else { continue };
                if compound.fits(names, is_root, steps_left) {
                    places.push(n + 1);
                }
            }
            if places.is_empty() {
                return false;
            }
        }
        true
    }
}

impl Compound {
    fn fits(&self, names: &SelectableElement, is_root: bool, steps_left: &mut u64) -> bool {
        let fits = self.tests.iter().all(|test| test.fits(names, is_root, steps_left));
        *steps_left = steps_left.saturating_sub(1);
        fits && *steps_left > 0
    }
}

impl Test {
    fn fits(&self, names: &SelectableElement, is_root: bool, steps_left: &mut u64) -> bool {
        *steps_left = steps_left.saturating_sub(1);
        match self {
            Test::Name(name) => *names.name == **name,
            Test::Id(id) => names.id.as_ref().is_some_and(|own| names.is_same(own, id)),
            Test::Class(class) => {
                *steps_left = steps_left.saturating_sub(names.classes.len() as u64 / 4);
                names.classes.iter().any(|own| names.is_same(own, class))
            }
            Test::Attribute { name, comparison, value, has_case } => {
                let found = names.attributes.iter().find(|(other, _)| **other == **name);
                let compared = found.map_or(0, |(_, found)| found.len());
                let n_steps = (names.attributes.len() + compared) as u64 / BYTES_A_STEP;
                *steps_left = steps_left.saturating_sub(n_steps);
                found.is_some_and(|(_, found)| {
                    if *has_case {
                        comparison.holds(found, value)
                    } else {
                        comparison.holds(&found.to_lowercase(), &value.to_lowercase())
                    }
                })
            }
            Test::Root => is_root,
            Test::Nth(a, b) => {
                // The place is `a * n + b` for an `n` that is not negative.
                let behind = i64::from(names.place) - i64::from(*b);
                match i64::from(*a) {
                    0 => behind == 0,
                    a => behind % a == 0 && behind / a >= 0,
                }
            }
            Test::Any(list) => list.iter().any(|one| one.fits(names, is_root, steps_left)),
            Test::None(list) => !list.iter().any(|one| one.fits(names, is_root, steps_left)),
        }
    }
}

impl Comparison {
    fn holds(self, found: &str, value: &str) -> bool {
        match self {
            Comparison::Exists => true,
            Comparison::Equals => found == value,
            Comparison::HasWord => found.split_ascii_whitespace().any(|word| word == value),
            Comparison::HasBegin => found
                .strip_prefix(value)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
            Comparison::StartsWith => !value.is_empty() && found.starts_with(value),
            Comparison::EndsWith => !value.is_empty() && found.ends_with(value),
            Comparison::Contains => !value.is_empty() && found.contains(value),
        }
    }
}
