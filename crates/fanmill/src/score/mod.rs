//! Scores: what pairs are ranked by, and what share of each was found in the other.
//!
//! | name | what | from |
//! |---|---|---|
//! | score | how much rare material two submissions share, 0 to 1 | all their grams: [`rarity`], [`fusion`] |
//! | containment of A in B | tokens of A that passages cover / tokens of A that count | [`Coverage`] |
//! | resemblance | covered tokens / all tokens of both, the covered ones counted once | [`Coverage`] |

mod coverage;
mod groups;
mod plain;
mod profile;
pub mod tally;
pub mod rarity;
pub mod fusion;

pub use coverage::Coverage;
pub(crate) use coverage::{outside, without};
pub use groups::Groups;
pub use profile::{Channel, Former, Profile};
