//! Search for the cheapest filter that finds enough similar pairs and accepts few others.
//!
//! The requirement is a recall at one resemblance, and a bound on false acceptance at a lower one. Both fall as more
//! groups must agree. For each number of groups, of registers per group and of bits per feature, the numbers of
//! agreeing groups that meet both are therefore a range, whose ends are found by bisection. All other parameters are
//! tried one by one, so the answer is exact.
//!
//! Cost: O(t² log t) for filters of up to `t` registers: .03 s for 512 and four widths of features.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Probability that two documents are deemed fungible",
//! turned round: the slides state the filter and show the probabilities.

use fanmill_sketch::lsh::acceptance::Filter;
use fanmill_sketch::similarity::MAX_REGISTERS;
use fanmill_text::error::{Error, Result};
use fanmill_text::message;
use fanmill_text::setting::Setting;

/// Maximum number of registers in the search.
pub const MOST_REGISTERS: u32 = 4096;
const _: () = assert!(MOST_REGISTERS as usize <= MAX_REGISTERS);

/// The requirement on a filter.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// Minimum share of the pairs of resemblance `at` that the filter accepts.
    pub recall: f64,
    /// The resemblance of pairs to be found.
    pub at: f64,
    /// Maximum share of the pairs of resemblance `at_most` that the filter accepts.
    pub false_positive: f64,
    /// The resemblance of pairs to be refused, which is lower than `at`.
    pub at_most: f64,
    /// Maximum number of registers of a document.
    pub most_registers: u32,
    /// The numbers of bits per feature to choose from.
    pub bits: Vec<u32>,
    /// The cost to minimise.
    pub cost: Cost,
}

/// The cost of a filter for each document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Bytes stored; on a tie, registers.
    Bytes,
    /// Registers computed; on a tie, bytes.
    Registers,
}

/// A filter that meets a requirement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QualifyingFilter {
    /// The filter with the fewest agreeing groups that meet the requirement: the highest recall.
    pub filter: Filter,
    /// The largest number of agreeing groups that meets the requirement: the fewest false acceptances.
    pub most_needed: u32,
    /// The filter's recall, at the higher resemblance.
    pub recall: f64,
    /// The filter's false acceptance, at the lower resemblance.
    pub false_positive: f64,
}

impl QualifyingFilter {
    /// Returns the number of registers of a document.
    pub fn n_registers(&self) -> u32 {
        self.filter.groups * self.filter.samples
    }

    /// Returns the number of bits stored per document.
    pub fn stored_bits(&self) -> u32 {
        self.filter.groups * self.filter.bits
    }

    /// Returns its cost, with the more important number first.
    fn price(&self, cost: Cost) -> [u32; 2] {
        let (bytes, registers) = (self.stored_bits().div_ceil(8), self.n_registers());
        match cost {
            Cost::Bytes => [bytes, registers],
            Cost::Registers => [registers, bytes],
        }
    }

    /// Returns whether it costs the same as another one.
    pub fn ties_with(&self, other: &QualifyingFilter, cost: Cost) -> bool {
        self.price(cost) == other.price(cost)
    }
}

impl Requirement {
    /// # Errors
    /// If a share or a resemblance is not between 0 and 1, the resemblances are not in order, or a
    /// number of registers or bits is out of bounds.
    pub fn check(&self) -> Result<()> {
        // A share or resemblance of 0 or 1 asks for nothing, or for the impossible.
        let fractions =
            [("recall", self.recall), ("at", self.at), ("false-positive", self.false_positive)];
        for (name, value) in fractions {
            if !(value > 0.0 && value < 1.0) {
                return Err(Error::setting(message![
                    Setting(name),
                    " {value} is not between 0 and 1; use a fraction such as 0.9"
                ]));
            }
        }
        if !(self.at_most >= 0.0 && self.at_most < self.at) {
            return Err(Error::setting(message![
                Setting("at-most"),
                (" {} is not from 0 to below ", self.at_most),
                Setting("at"),
                (
                    " {}: pairs to be refused resemble less than pairs to be found; lower it",
                    self.at
                )
            ]));
        }
        if !(1..=MOST_REGISTERS).contains(&self.most_registers) {
            return Err(Error::setting(format!(
                "{} registers cannot be searched; use 1 to {MOST_REGISTERS}",
                self.most_registers
            )));
        }
        match self.bits.iter().find(|bits| !(1..=64).contains(*bits)) {
            None if !self.bits.is_empty() => Ok(()),
            None => Err(Error::setting("no width of features is given; use 8, 16, 32 or 64 bits")),
            Some(bits) => {
                Err(Error::setting(format!("a feature of {bits} bits cannot be; use 1 to 64")))
            }
        }
    }

    /// Returns all filters that meet the requirement, cheapest first.
    pub fn offers(&self) -> Vec<QualifyingFilter> {
        let mut offers: Vec<QualifyingFilter> =
            self.shapes().filter_map(|shape| self.offer(shape)).collect();
        offers.sort_by(|a, b| {
            let by_price = a.price(self.cost).cmp(&b.price(self.cost));
            by_price.then(b.recall.total_cmp(&a.recall)).then(b.filter.bits.cmp(&a.filter.bits))
        });
        offers
    }

    /// Returns the nearest filter if none meets the requirement: among those with few enough false acceptances, the one
    /// with the highest recall. `None` if not even one has few enough false acceptances.
    pub fn nearest(&self) -> Option<QualifyingFilter> {
        let strict = self.shapes().filter_map(|shape| self.strict_enough(shape));
        let offers = strict.map(|filter| self.describe(filter, filter.needed));
        // The first one wins a tie; it has the fewest registers per group.
        offers.reduce(|best, next| if next.recall > best.recall { next } else { best })
    }

    /// Returns every way to group registers, with all groups required to agree.
    fn shapes(&self) -> impl Iterator<Item = Filter> + '_ {
        let most = self.most_registers;
        self.bits.iter().flat_map(move |&bits| {
            (1..=most).flat_map(move |samples| {
                (1..=most / samples).map(move |groups| Filter {
                    groups,
                    samples,
                    needed: groups,
                    bits,
                })
            })
        })
    }

    /// Returns the least strict filter of this shape with few enough false acceptances.
    fn strict_enough(&self, shape: Filter) -> Option<Filter> {
        let is_strict = |needed: u32| {
            Filter { needed, ..shape }.probability(self.at_most) <= self.false_positive
        };
        let needed = first(1, shape.groups + 1, is_strict);
        (needed <= shape.groups).then_some(Filter { needed, ..shape })
    }

    fn offer(&self, shape: Filter) -> Option<QualifyingFilter> {
        let filter = self.strict_enough(shape)?;
        let is_deaf = |needed: u32| Filter { needed, ..shape }.probability(self.at) < self.recall;
        let too_many = first(filter.needed, shape.groups + 1, is_deaf);
        (too_many > filter.needed).then(|| self.describe(filter, too_many - 1))
    }

    fn describe(&self, filter: Filter, most_needed: u32) -> QualifyingFilter {
        QualifyingFilter {
            filter,
            most_needed,
            recall: filter.probability(self.at),
            false_positive: filter.probability(self.at_most),
        }
    }
}

/// Returns the first of `from..end` for which `holds`, by bisection, otherwise `end`. If it holds for one
/// number, it must hold for all after it.
fn first(from: u32, end: u32, holds: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (from, end);
    while low < high {
        let middle = u32::midpoint(low, high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries every filter with every number of agreeing groups, in no particular order: the naive twin of
    /// [`Requirement::offers`].
    fn naive(wish: &Requirement) -> Vec<Filter> {
        let shapes = wish.shapes();
        let all = shapes
            .flat_map(|shape| (1..=shape.groups).map(move |needed| Filter { needed, ..shape }));
        all.filter(|filter| filter.probability(wish.at) >= wish.recall)
            .filter(|filter| filter.probability(wish.at_most) <= wish.false_positive)
            .collect()
    }

    fn wish(recall: f64, at: f64, false_positive: f64, at_most: f64) -> Requirement {
        Requirement {
            recall,
            at,
            false_positive,
            at_most,
            most_registers: 40,
            bits: vec![8, 64],
            cost: Cost::Bytes,
        }
    }

    #[test]
    fn the_offers_are_all_filters_that_meet_the_wish() {
        for (recall, at, false_positive, at_most) in [
            (0.9, 0.9, 1e-2, 0.5),
            (0.5, 0.95, 1e-4, 0.5),
            (0.8, 0.8, 0.3, 0.6),
            (0.9, 0.9, 1e-9, 0.0),
        ] {
            let wish = wish(recall, at, false_positive, at_most);
            let mut expected = naive(&wish);
            let offers = wish.offers();
            let mut found: Vec<Filter> = offers
                .iter()
                .flat_map(|offer| {
                    (offer.filter.needed..=offer.most_needed)
                        .map(|needed| Filter { needed, ..offer.filter })
                })
                .collect();
            let key = |f: &Filter| (f.bits, f.samples, f.groups, f.needed);
            expected.sort_by_key(key);
            found.sort_by_key(key);
            assert_eq!(found, expected, "{wish:?}");
            assert!(!found.is_empty(), "{wish:?}");
            for cost in [Cost::Bytes, Cost::Registers] {
                let offers = Requirement { cost, ..wish.clone() }.offers();
                let least = |f: fn(&QualifyingFilter) -> u32| offers.iter().map(f).min();
                let first = offers.first().expect("not empty");
                match cost {
                    Cost::Bytes => {
                        assert_eq!(Some(first.stored_bits() / 8), least(|o| o.stored_bits() / 8));
                    }
                    Cost::Registers => {
                        assert_eq!(Some(first.n_registers()), least(QualifyingFilter::n_registers));
                    }
                }
            }
        }
    }

    /// Checks that bounds are met exactly. With a single register, P = J, so .9 is met at .9 and .5 at .5.
    #[test]
    fn bounds_are_met_to_the_last_digit() {
        let one = |recall, false_positive| Requirement {
            most_registers: 1,
            bits: vec![64],
            ..wish(recall, 0.9, false_positive, 0.5)
        };
        assert_eq!(one(0.9, 0.5).offers().len(), 1);
        assert!(one(0.900_001, 0.5).offers().is_empty() && one(0.9, 0.499_999).offers().is_empty());
    }

    #[test]
    fn the_nearest_is_strict_and_finds_less_than_wished() {
        let wish = wish(0.99, 0.9, 1e-9, 0.5);
        assert!(wish.offers().is_empty());
        let nearest = wish.nearest().expect("all of 40 groups agree rarely");
        assert!(nearest.false_positive <= 1e-9 && nearest.recall < 0.99, "{nearest:?}");
        let better = naive(&Requirement { recall: nearest.recall + 1e-9, ..wish.clone() });
        assert!(better.is_empty(), "{better:?}");
        let impossible = Requirement { most_registers: 1, bits: vec![64], ..wish };
        assert_eq!(impossible.nearest(), None);
    }

    #[test]
    fn wishes_that_contradict_themselves_are_refused() {
        assert!(wish(0.9, 0.9, 1e-3, 0.5).check().is_ok());
        for wrong in [
            wish(1.0, 0.9, 1e-3, 0.5),
            wish(0.9, 0.5, 1e-3, 0.5),
            wish(0.9, 0.9, 0.0, 0.5),
            wish(0.9, f64::NAN, 1e-3, 0.5),
            wish(0.9, 0.9, 1e-3, -0.1),
            Requirement { most_registers: 0, ..wish(0.9, 0.9, 1e-3, 0.5) },
            Requirement { bits: vec![], ..wish(0.9, 0.9, 1e-3, 0.5) },
            Requirement { bits: vec![65], ..wish(0.9, 0.9, 1e-3, 0.5) },
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
    }
}
