//! The selectors, and their names as users write them and schemes record them.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::select::roc::Roc;
use crate::select::{Thresholds, all, mod_p, n_smallest, robust, safe_mod_p, winnow};
use fanmill_kernel as kernel;
use fanmill_text::error::{Error, Result};
use fanmill_text::gram;
use fanmill_text::scheme::{Grammar, POSITIVE};
use fanmill_text::token::Symbol;

/// The way in which fingerprints are chosen among a document's grams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selector {
    /// Robust open-closed mod winnowing, ordered by `r`-grams; an `r` of 0 is taken as 1.
    Roc {
        /// Number of symbols in the grams that decide the order.
        r: u32,
    },
    /// Winnowing, Definition 1.
    Winnow,
    /// Robust winnowing, Definition 3.
    Robust,
    /// Hashes that `p` divides; 0 divides nothing but 0.
    ModP {
        /// The divisor.
        p: u32,
    },
    /// 0 mod p with winnowing's guarantee.
    SafeModP {
        /// The divisor.
        p: u32,
    },
    /// The `n` smallest distinct hashes of a document.
    NSmallest {
        /// Number of hashes.
        n: u32,
    },
    /// Every gram.
    All,
}

const GRAMMAR: Grammar = Grammar {
    what: "selector",
    forms: "roc(r=3) winnow robust mod(p=8) safe-mod(p=8) smallest(n=100) all",
};

impl Selector {
    /// Returns ROC with the `r` that measured best for grams of `noise` tokens.
    ///
    /// Below 12 tokens, pairs of tokens are distinctive enough to order by; longer grams benefit
    /// from a finer order. The difference is small: a few per cent of the fingerprints.
    pub fn roc(noise: usize) -> Selector {
        Selector::Roc {
            r: match noise {
                0..12 => 2,
                12..20 => 3,
                _ => 4,
            },
        }
    }

    /// Returns the length of the shortest shared run that is always found, in tokens; `None` if the selector has no
    /// guarantee.
    pub fn guarantee(self, thresholds: Thresholds) -> Option<usize> {
        match self {
            Selector::Roc { .. }
            | Selector::Winnow
            | Selector::Robust
            | Selector::SafeModP { .. } => Some(thresholds.guarantee()),
            Selector::All => Some(thresholds.noise()),
            Selector::ModP { .. } | Selector::NSmallest { .. } => None,
        }
    }

    /// Appends the positions of the selected grams, ascending.
    ///
    /// Selectors that use windows select nothing from a document shorter than one window.
    pub fn select(self, symbols: &[Symbol], thresholds: Thresholds, positions: &mut Vec<u32>) {
        let (k, w) = (thresholds.noise(), thresholds.window());
        let hashes = || {
            let mut hashes = Vec::with_capacity(gram::count(symbols.len(), k));
            gram::hash_all(symbols, k, &mut hashes);
            hashes
        };
        match self {
            Selector::Roc { r } => {
                let roc = Roc::new(k, w, r as usize);
                let words = Symbol::values(symbols);
                let order = |at: Range<usize>, orders: &mut [u32]| {
                    kernel::order_all(&words[at.start..at.end + roc.r() - 1], roc.r(), orders);
                };
                roc.select(symbols.len(), order, |i| gram::hash(&symbols[i..i + k]), positions);
            }
            Selector::Winnow => winnow::select(&hashes(), w, positions),
            Selector::Robust => robust::select(&hashes(), w, positions),
            Selector::ModP { p } => mod_p::select(&hashes(), u64::from(p), positions),
            Selector::SafeModP { p } => safe_mod_p::select(&hashes(), u64::from(p), w, positions),
            Selector::NSmallest { n } => n_smallest::select(&hashes(), n as usize, positions),
            Selector::All => all::select(gram::count(symbols.len(), k), positions),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::Roc { r } => write!(f, "roc(r={r})"),
            Selector::Winnow => f.write_str("winnow"),
            Selector::Robust => f.write_str("robust"),
            Selector::ModP { p } => write!(f, "mod(p={p})"),
            Selector::SafeModP { p } => write!(f, "safe-mod(p={p})"),
            Selector::NSmallest { n } => write!(f, "smallest(n={n})"),
            Selector::All => f.write_str("all"),
        }
    }
}

impl FromStr for Selector {
    type Err = Error;

    /// Parses what [`Display`](fmt::Display) writes. A name without its parameter gets the one that the error message
    /// shows.
    fn from_str(text: &str) -> Result<Selector> {
        let step = GRAMMAR.step(GRAMMAR.form(text).unwrap_or(text));
        match step.name() {
            "roc" => step.number("r", POSITIVE).map(|r| Selector::Roc { r }),
            "winnow" => step.alone(Selector::Winnow),
            "robust" => step.alone(Selector::Robust),
            "mod" => step.number("p", POSITIVE).map(|p| Selector::ModP { p }),
            "safe-mod" => step.number("p", POSITIVE).map(|p| Selector::SafeModP { p }),
            "smallest" => step.number("n", POSITIVE).map(|n| Selector::NSmallest { n }),
            "all" => step.alone(Selector::All),
            _ => Err(step.unknown()),
        }
    }
}

fanmill_text::serde_as_text!(Selector);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL_KINDS: [Selector; 7] = [
        Selector::Roc { r: 2 },
        Selector::Winnow,
        Selector::Robust,
        Selector::ModP { p: 3 },
        Selector::SafeModP { p: 3 },
        Selector::NSmallest { n: 20 },
        Selector::All,
    ];

    fn symbols(text: &[u8]) -> Vec<Symbol> {
        text.iter().map(|&b| Symbol::spelled(&[b])).collect()
    }

    /// Numbers that make no sense cost selectivity, not the program.
    #[test]
    fn numbers_of_0_are_no_panic() {
        let text = symbols(b"adorunrunrunadorunrunadorunrunrun");
        let thresholds = Thresholds::new(3, 8).expect("ordered");
        let like = [
            (Selector::Roc { r: 0 }, Selector::Roc { r: 1 }),
            (Selector::SafeModP { p: 0 }, Selector::SafeModP { p: u32::MAX }),
            (Selector::ModP { p: 0 }, Selector::NSmallest { n: 0 }),
        ];
        for (zero, other) in like {
            assert_eq!(values(zero, &text, thresholds), values(other, &text, thresholds), "{zero}");
        }
        for w in [0, 1] {
            let mut all = Vec::new();
            winnow::select(&[5, 3, 4], w, &mut all);
            assert_eq!(all, [0, 1, 2]);
        }
    }

    /// Returns the values of the selected grams.
    fn values(selector: Selector, text: &[Symbol], thresholds: Thresholds) -> Vec<u64> {
        let mut positions = Vec::new();
        selector.select(text, thresholds, &mut positions);
        positions
            .iter()
            .map(|&at| gram::hash(&text[at as usize..at as usize + thresholds.noise()]))
            .collect()
    }

    #[test]
    fn names_are_read_back() {
        for selector in ALL_KINDS {
            assert_eq!(selector.to_string().parse::<Selector>().expect("own name"), selector);
        }
        for wrong in ["", "roc()", "roc(r=0)", "roc(p=2)", "mod(p=)", "all(n=1)", "winnow("] {
            assert!(wrong.parse::<Selector>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_bare_name_takes_the_parameter_of_the_help() {
        for (bare, whole) in [
            ("roc", "roc(r=3)"),
            ("mod", "mod(p=8)"),
            ("safe-mod", "safe-mod(p=8)"),
            ("smallest", "smallest(n=100)"),
        ] {
            assert_eq!(bare.parse::<Selector>().expect("a name").to_string(), whole);
        }
    }

    #[test]
    fn longer_grams_are_ordered_by_longer_ones() {
        for (noise, r) in [(1, 2), (11, 2), (12, 3), (19, 3), (20, 4), (500, 4)] {
            assert_eq!(Selector::roc(noise), Selector::Roc { r }, "{noise}");
        }
    }

    #[test]
    fn selectors_guarantee_what_the_thresholds_say_or_nothing() {
        let thresholds = Thresholds::new(3, 8).expect("ordered");
        let guaranteed = ALL_KINDS.map(|selector| selector.guarantee(thresholds));
        assert_eq!(guaranteed, [Some(8), Some(8), Some(8), None, Some(8), None, Some(3)]);
    }

    proptest! {
        #[test]
        fn roc_orders_by_grams_of_r_symbols(
            text in proptest::collection::vec(0_u8..4, 0..120),
            noise in 1_u32..10,
            more in 0_u32..10,
            r in 1_u32..6,
        ) {
            let thresholds = Thresholds::new(noise, noise + more).expect("ordered");
            let (k, text) = (thresholds.noise(), symbols(&text));
            let mut positions = Vec::new();
            Selector::Roc { r }.select(&text, thresholds, &mut positions);
            let r = (r as usize).min(k);
            let order = |i: usize| {
                let mut order = [0];
                kernel::order_all(Symbol::values(&text[i..i + r]), r, &mut order);
                order[0]
            };
            let content = |i: usize| gram::hash(&text[i..i + k]);
            let expected = crate::select::roc::naive::roc(text.len(), Roc::new(k, thresholds.window(), r), order, content);
            prop_assert_eq!(positions, expected);
        }

        /// The paper's first promise (§3, property 1), for every selector that gives it.
        #[test]
        fn shared_run_of_t_tokens_is_always_found(
            before_a in proptest::collection::vec(0_u8..6, 0..60),
            before_b in proptest::collection::vec(0_u8..6, 0..60),
            after in proptest::collection::vec(0_u8..6, 0..60),
            run in proptest::collection::vec(0_u8..3, 60),
            noise in 1_u32..20,
            more in 0_u32..20,
        ) {
            let thresholds = Thresholds::new(noise, noise + more).expect("ordered");
            let run = &run[..thresholds.guarantee()];
            let a = symbols(&[&before_a, run, &after].concat());
            let b = symbols(&[&before_b[..], run].concat());
            for selector in ALL_KINDS {
                if selector.guarantee(thresholds).is_some() {
                    let (in_a, in_b) = (values(selector, &a, thresholds), values(selector, &b, thresholds));
                    prop_assert!(in_a.iter().any(|value| in_b.contains(value)), "{}", selector);
                }
            }
        }

        /// The paper's second promise: documents that share no run of `k` tokens share no fingerprint.
        #[test]
        fn nothing_shorter_than_k_is_found(
            a in proptest::collection::vec(0_u8..5, 0..80),
            b in proptest::collection::vec(0_u8..5, 0..80),
            noise in 1_u32..12,
            more in 0_u32..8,
        ) {
            let thresholds = Thresholds::new(noise, noise + more).expect("ordered");
            let (a, b) = (symbols(&a), symbols(&b));
            let k = thresholds.noise();
            let share_a_gram = a.windows(k).any(|gram| b.windows(k).any(|other| other == gram));
            prop_assume!(!share_a_gram);
            for selector in ALL_KINDS {
                let (in_a, in_b) = (values(selector, &a, thresholds), values(selector, &b, thresholds));
                prop_assert!(!in_a.iter().any(|value| in_b.contains(value)), "{}", selector);
            }
        }
    }
}
