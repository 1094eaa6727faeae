//! Scores: the values that pairs are ranked by, and the share of each submission that was found in the other.
//!
//! | name | meaning | computed from |
//! |---|---|---|
//! | score | amount of rare material that two submissions share, 0 to 1 | all their grams: [`rarity`], [`fusion`] |
//! | containment of A in B | tokens of A that passages cover / tokens of A that count | [`Coverage`] |
//! | resemblance | covered tokens / all tokens of both, the covered ones counted once | [`Coverage`] |
//! | expectation | pairs with at least this score among unrelated submissions | [`Expectation`] |

mod coverage;
mod groups;
mod plain;
mod profile;
pub mod tally;
pub(crate) mod evident;
pub mod rarity;
pub mod fusion;
mod bulk;
pub mod expectation;
mod holders;
pub mod surprise;

pub use coverage::Coverage;
pub(crate) use coverage::{outside, without};
pub use expectation::Expectation;
pub use groups::Groups;
pub use holders::Holders;
pub use profile::{Channel, GramBuilder, Profile};
