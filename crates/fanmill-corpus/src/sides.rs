//! Two collections in one search: a corpus, and a *reference* that it is compared with.
//!
//! Documents are numbered through both, the reference first, so that a number says which of the two a document is
//! of. Two documents of the reference are never a pair: nothing happens to them, so nobody needs to know.
//!
//! | pair | [`Scope::Everything`] | [`Scope::ReferenceOnly`] |
//! |---|---|---|
//! | reference and reference | no | no |
//! | reference and corpus | yes | yes |
//! | corpus and corpus | yes | no |

use fanmill_sketch::lsh::DocIdx;

/// What the documents of a corpus are compared with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// With the reference, and with each other.
    #[default]
    Everything,
    /// With the reference alone.
    ReferenceOnly,
}

/// Which documents are of the reference, and which pairs are looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sides {
    /// The documents `0..n_references` are of the reference.
    pub n_references: DocIdx,
    /// What the others are compared with.
    pub scope: Scope,
}

impl Sides {
    /// Whether a document is of the reference.
    #[inline]
    pub fn is_reference(self, document: DocIdx) -> bool {
        document < self.n_references
    }

    /// Whether the two documents may be a pair.
    #[inline]
    pub fn may_pair(self, a: DocIdx, b: DocIdx) -> bool {
        match (self.is_reference(a), self.is_reference(b)) {
            (true, true) => false,
            (false, false) => self.scope == Scope::Everything,
            _ => true,
        }
    }

    /// How many pairs so many documents may be.
    pub fn n_pairs(self, n_references: u64, n_others: u64) -> u64 {
        let among_others = match self.scope {
            Scope::Everything => n_others * n_others.saturating_sub(1) / 2,
            Scope::ReferenceOnly => 0,
        };
        n_references * n_others + among_others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_as_they_are_allowed() {
        for (scope, n_references) in
            [(Scope::Everything, 0), (Scope::Everything, 3), (Scope::ReferenceOnly, 4)]
        {
            let sides = Sides { n_references, scope };
            let pairs = (0..9).flat_map(|a| (a + 1..9).map(move |b| (a, b)));
            let n = pairs.filter(|&(a, b)| sides.may_pair(a, b)).count() as u64;
            assert_eq!(sides.n_pairs(n_references.into(), (9 - n_references).into()), n);
            assert!((0..9).all(|a| sides.may_pair(a, 8) == sides.may_pair(8, a)));
        }
    }
}
