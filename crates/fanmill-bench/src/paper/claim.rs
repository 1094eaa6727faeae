//! A claim: one figure of a paper, beside ours.
//!
//! Claims are computed on small inputs of their own; `docs/reproduction.md` is made from them, and a test compares the
//! two.

use std::ops::RangeInclusive;

use fanmill_lab::Cell;

/// One figure of a paper, beside ours.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Claim {
    /// The paper and its section: `Broder, slides, "Real implementation"`.
    pub(crate) source: &'static str,
    /// The quantity, in a few words.
    pub(crate) what: String,
    /// The paper's figure: a number, or its words.
    pub(crate) papers: Cell,
    /// Our figure.
    pub(crate) ours: Cell,
    /// The band in which our figure may lie.
    pub(crate) band: Band,
    /// The reason why the figures differ, or a remark that they do not.
    pub(crate) why: String,
}

/// The range in which a figure may change with another seed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Band {
    /// No range: the figure is calculated.
    Exact,
    /// This range: the figure is measured.
    Within(RangeInclusive<f64>),
}

impl Band {
    /// Returns a band of four standard errors around an expected value.
    pub(crate) fn around(expected: f64, standard_error: f64) -> Band {
        Band::Within(expected - 4.0 * standard_error..=expected + 4.0 * standard_error)
    }
}

impl Claim {
    /// Returns a claim with a figure that is calculated, or counted on a fixed input.
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

    /// Sets the band of a measured figure.
    #[must_use]
    pub(crate) fn within(self, band: Band) -> Claim {
        Claim { band, ..self }
    }

    /// Returns whether our figure is inside the band. Words and exact numbers always are.
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
    fn a_claim_holds_only_inside_its_band() {
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
