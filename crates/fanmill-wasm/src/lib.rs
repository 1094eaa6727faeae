//! `compare` as a WebAssembly module: a page hands over files and settings, and gets the files of the report.
//!
//! [`Session`] is all there is to it, and works on any platform; `exports` makes functions of it that a page calls. The module
//! has no clock, no disk, no network and one thread. What it imports are three functions, which tell how far a run is and why
//! it ended.
//!
//! `packaging/browser` builds the module; `web/src/browser/engine.ts` calls it.

mod session;
#[cfg(target_family = "wasm")]
mod exports;

pub use session::{Session, words};
