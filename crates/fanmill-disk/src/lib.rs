//! Files on disk, whatever is in them.
//!
//! [`replace`] is the one way to write an output: beside its place, synced and renamed, so that whatever ends a run, either the
//! old output or the new one is there. `segments` (a feature) are folders that grow by files which never change, with checksums. [`packing`]
//! reads and writes gzip and Zstandard. [`given`] looks at paths that a user named, and [`ours`] knows the folders
//! that Fanmill keeps.

#![forbid(unsafe_code)]

pub mod given;
pub mod ours;
pub mod replace;
#[cfg(feature = "segments")]
pub mod segments;
pub mod packing;
