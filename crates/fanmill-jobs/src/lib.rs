//! The jobs of Fanmill, for any program that starts them: a command line, a server, a notebook.
//!
//! A job is a function from its settings and inputs to an outcome. It prints nothing, knows no terminal, reports to a
//! [`Progress`](fanmill_text::progress::Progress), and, if that asks it to stop, soon ends with
//! [`Error::is_cancelled`](fanmill_text::Error::is_cancelled). An existing output is then unchanged, and a new one does not
//! exist or, where a job can resume, is marked as unfinished. A job works on the threads of the rayon pool that it is
//! started in.
//!
//! Settings are read with serde: the command line's config file, the body of a request and the arguments of another
//! language are the same type, and an unknown name is an error.
//!
//! ```
//! use fanmill_text::progress::Silent;
//! use fanmill_jobs::compare::{self, Inputs, Settings};
//!
//! # let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/assignment");
//! # std::env::set_current_dir(examples)?;
//! let mut inputs = Inputs::from_paths(["submissions"]);
//! inputs.base.push("handout".into());
//! let outcome = compare::run(&Settings::default(), &inputs, None, &Silent)?;
//! let report = &outcome.comparison.report;
//! for pair in report.pairs.iter().take(3) {
//!     let [a, b] = [pair.a, pair.b].map(|i| &report.submissions[i as usize].name);
//!     println!("{a} and {b}: {:.2}", pair.score);
//! }
//! # assert_eq!(report.submissions[report.pairs[0].a as usize].name, "hana");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `dedup` and `urls` need the feature `corpus`, and `remote` to read what is not on this machine; `index` needs the feature
//! `index`, `sift` the feature `sift`.

#![forbid(unsafe_code)]

pub mod given;
mod anonymous;
mod searched;
mod change;
#[cfg(feature = "index")]
mod earlier;
#[cfg(any(feature = "index", feature = "sift"))]
pub mod key_file;
#[cfg(all(feature = "corpus", feature = "index"))]
mod keyed;
pub mod page_language;
pub mod compare;
pub mod taken;
pub mod text;
#[cfg(feature = "sift")]
pub mod sift;
#[cfg(feature = "index")]
pub mod index;
#[cfg(feature = "corpus")]
mod remote;
#[cfg(feature = "corpus")]
pub mod dedup;
#[cfg(feature = "corpus")]
pub mod urls;
pub mod config_file;

/// Lists the names of the languages and kinds of text that jobs read, in the order in which users see them.
pub fn languages() -> impl Iterator<Item = &'static str> {
    fanmill_lang::registry().names().collect::<Vec<_>>().into_iter()
}
