//! The jobs of Fanmill, for any program that starts them: a command line, a server, a notebook.
//!
//! A job is a function from its settings and inputs to an outcome. It prints nothing, knows no terminal, tells a
//! [`Progress`](fanmill::progress::Progress) how far it is, and ends with
//! [`Error::is_cancelled`](fanmill::Error::is_cancelled) soon after that asks it to; then an output that was there is
//! as it was, and a new one is not begun or, where a job can resume, marked as unfinished. Work is done on the
//! threads of the rayon pool that a job is started in.
//!
//! Settings are read with serde: the config file of the command line, the body of a request and the arguments of
//! another language are the same type, and a name that is not known is an error.
//!
//! ```
//! use fanmill::progress::Silent;
//! use fanmill_jobs::compare::{self, Inputs, Settings};
//!
//! # let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/assignment");
//! # std::env::set_current_dir(examples)?;
//! let mut inputs = Inputs::of(["submissions"]);
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
//! `dedup` and `urls` are there with the feature `corpus`, `sift` with the feature `sift`.

mod as_text;
pub mod compare;
pub mod config_file;
#[cfg(feature = "corpus")]
pub mod dedup;
#[cfg(feature = "corpus")]
pub mod urls;
#[cfg(feature = "sift")]
pub mod sift;
