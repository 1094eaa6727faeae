//! What a paper says, and what came out here.
//!
//! Claims are made on small inputs of their own; `docs/reproduction.md` is made of them, and a test
//! holds them to it.

use std::ops::RangeInclusive;

use fanmill_lab::Cell;

/// One figure of a paper, beside ours.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Claim {
    /// The paper and its section: `Broder, slides, "Real implementation"`.
    pub(crate) source: &'static str,
    /// What is counted, in a few words.
    pub(crate) what: String,
    /// As the paper has it: a number, or its words.
    pub(crate) papers: Cell,
    /// As it came out here.
    pub(crate) ours: Cell,
    /// Where ours may lie.
    pub(crate) band: Band,
    /// Why they differ, or that they do not.
    pub(crate) why: String,
}

/// How far a figure may move from run to run, if its seed were another.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Band {
    /// Not at all: it is calculated.
    Exact,
    /// So far: it is measured.
    Within(RangeInclusive<f64>),
}

impl Band {
    /// Four standard errors around what is expected.
    pub(crate) fn around(expected: f64, standard_error: f64) -> Band {
        Band::Within(expected - 4.0 * standard_error..=expected + 4.0 * standard_error)
    }
}

impl Claim {
    /// A figure that is calculated, or counted on an input that never changes.
    pub(crate) fn exact(
        source: &'static str,
        what: &str,
        papers: Cell,
        ours: Cell,
        why: &str,
    ) -> Claim {
        let (what, why) = (what.to_owned(), why.to_owned());
        Claim { source, what, papers, ours, band: Band::Exact, why }
    }

    /// The same, measured: another seed may move it, within a band.
    #[must_use]
    pub(crate) fn within(self, band: Band) -> Claim {
        Claim { band, ..self }
    }

    /// Whether ours lies where it may. Words and exact numbers always do.
    #[cfg(test)]
    pub(crate) fn holds(&self) -> bool {
        match (&self.band, &self.ours) {
            (Band::Within(band), Cell::Number { value, .. }) => band.contains(value),
            (Band::Within(band), Cell::Count(n)) => band.contains(&(*n as f64)),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanmill_lab::cells::{number, text};

    #[test]
    fn a_claim_holds_inside_of_its_band_only() {
        let claim = |ours, band| Claim {
            source: "a paper",
            what: "a thing".to_owned(),
            papers: text("about 2"),
            ours,
            band,
            why: String::new(),
        };
        assert!(claim(number(2.3, 1), Band::around(2.0, 0.1)).holds());
        assert!(!claim(number(2.5, 1), Band::around(2.0, 0.1)).holds());
        assert!(!claim(Cell::Count(3), Band::around(2.0, 0.1)).holds());
        assert!(claim(number(9.0, 1), Band::Exact).holds());
    }
}
