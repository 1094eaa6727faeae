//! `compare` as a WebAssembly module: a page hands over files and settings, and gets the files of the report.
//!
//! [`Session`] does all the work, on any platform; `exports` makes functions of it that a page calls. The module has no
//! clock, no disk, no network and one thread. It imports three functions, which report how far a run is and why it
//! ended.
//!
//! `packaging/browser` builds the module; `web/src/browser/engine.ts` calls it.

#![deny(unsafe_code)]

mod session;
#[cfg(target_family = "wasm")]
mod exports;

pub use session::{Session, words};
