//! Infrastructure that all jobs over a corpus share: shards walked in order, a folder for the work, and steps that are
//! shown and timed.

mod places;
mod pool;
mod steps;
mod staging;
mod walk;
mod corpus;
mod bad;
mod account;
mod failed;

pub(crate) use account::{Account, Read, ReadRecord, RecordOutcome};
pub(crate) use bad::BadRecords;
pub use bad::DEFAULT_ALLOWED;
pub use corpus::Reference;
pub(crate) use corpus::{
    Corpus, Identity, Job, Numbering, Starts, Work, changed, identifying, keyed_hash,
    keyed_hash_of, open, random,
};
pub(crate) use failed::write as write_failed;
pub use places::{CaseClashes, Places, RunEnd, bookkeeping_of};
pub(crate) use pool::{Lent, Pool};
pub(crate) use staging::Staging;
pub use staging::check_places;
pub(crate) use steps::Steps;
pub(crate) use walk::{AHEAD, BATCHES, PIECE};
