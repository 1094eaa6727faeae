//! Near-duplicates in corpora of any size.
//!
//! [`recipe`] makes keys and sets of texts, [`candidates`] and [`exact`] find the pairs that may be
//! near-duplicates, [`sides`] says which of them are looked for, and [`centres`] makes clusters of those that are:
//! operators over texts and slices, for other programs, too. The jobs: [`dedup`] removes near-duplicates, [`passages`] what is repeated inside documents, and
//! [`decontaminate`] what shares a run of words with test sets.
//! [`job`] has what both need; records are read and written by [`fanmill_records`].

mod spill;
pub mod recipe;
pub mod sides;
pub mod candidates;
pub mod exact;
pub mod centres;
mod table;
pub mod job;
pub mod dedup;
pub mod passages;
pub mod decontaminate;
