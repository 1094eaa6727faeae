//! Two collections in one search: a corpus, and a *reference* that it is compared with.
//!
//! Documents are numbered through both, the reference first, so a document's number tells which of the two it belongs
//! to. Two documents of the reference are never a pair: neither would be removed, so there is no need to find them.
//!
//! | pair | [`Scope::Everything`] | [`Scope::ReferenceOnly`] |
//! |---|---|---|
//! | reference and reference | no | no |
//! | reference and corpus | yes | yes |
//! | corpus and corpus | yes | no |

use fanmill_sketch::lsh::DocIdx;

/// Collections that the documents of a corpus are compared with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The reference, and the corpus itself.
    #[default]
    Everything,
    /// The reference alone.
    ReferenceOnly,
}

/// The split of documents between reference and corpus, and the pairs that are searched for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReferenceSplit {
    /// Number of reference documents, which are numbered `0..n_references`.
    pub n_references: DocIdx,
    /// The collections that all other documents are compared with.
    pub scope: Scope,
}

impl ReferenceSplit {
    /// Returns whether a document belongs to the reference.
    #[inline]
    pub fn is_reference(self, document: DocIdx) -> bool {
        document < self.n_references
    }

    /// Returns whether the two documents may be a pair.
    #[inline]
    pub fn may_pair(self, a: DocIdx, b: DocIdx) -> bool {
        match (self.is_reference(a), self.is_reference(b)) {
            (true, true) => false,
            (false, false) => self.scope == Scope::Everything,
            _ => true,
        }
    }

    /// Returns the number of allowed pairs among `n_references` reference documents and `n_others` documents of the
    /// corpus.
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
            let sides = ReferenceSplit { n_references, scope };
            let pairs = (0..9).flat_map(|a| (a + 1..9).map(move |b| (a, b)));
            let n = pairs.filter(|&(a, b)| sides.may_pair(a, b)).count() as u64;
            assert_eq!(sides.n_pairs(n_references.into(), (9 - n_references).into()), n);
            assert!((0..9).all(|a| sides.may_pair(a, 8) == sides.may_pair(8, a)));
        }
    }
}
