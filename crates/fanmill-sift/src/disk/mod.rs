//! A store on disk: a folder of segments, to which originals are added without writing the others again.
//!
//! [`segment`](self) has the files that never change, `manifest` lists those that count, `snapshot` reads them, and
//! `writer` changes them. Stores of version 1, which are single files, are only read.

mod facts;
mod segment;
mod manifest;
mod snapshot;
mod writer;
#[cfg(test)]
mod tests;

pub use facts::{DateRange, Facts, Role};
pub use segment::{Original, SegmentWriter};
pub use snapshot::read;
pub use snapshot::{Stored, read_without_key};
pub use writer::{LockWait, Names, Removed, Writer};
