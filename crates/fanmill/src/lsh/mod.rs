//! Near-duplicates of a whole corpus: from sketches to verified pairs.
//!
//! A sketch's registers are cut into [`bands`]; documents with equal keys in enough bands are
//! candidates ([`join`]), found in work that is linear in the documents. The chance of that is a
//! polynomial of the resemblance ([`acceptance`]), by which [`tuning`] chooses the bands. Every
//! candidate is compared exactly before it counts ([`verify`]), so no reported pair is below the
//! threshold. [`prefix`] finds all pairs, without sketches and without a miss, and [`containment`]
//! all documents that lie inside others.
//!
//! Sets are slices of different shingle hashes in ascending order, as
//! [`sketch::shingle`](crate::sketch::shingle) makes them.

pub mod acceptance;
pub mod bands;
pub mod containment;
pub mod join;
pub mod prefix;
pub mod tuning;
pub mod verify;

/// A document's index among those that are compared.
pub type DocIdx = u32;
