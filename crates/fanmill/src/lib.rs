//! Fanmill finds copying, and shows the evidence.
//!
//! Compare three texts in memory, and see who shares what with whom:
//!
//! ```
//! use fanmill::{Config, Corpus, Registry, Silent, compare};
//!
//! let texts = [
//!     ("anna", "Last summer we walked along the river until the old mill came into sight, and then home."),
//!     ("ben", "He says: we walked along the river until the old mill came into sight. So did everybody."),
//!     ("cleo", "The mill is younger than the bridge, whatever the sign at the river tells its visitors."),
//! ];
//! let found = compare(Corpus::from_texts(texts)?, &Registry::prose(), &Config::standard(), &Silent)?;
//! let pair = &found.report.pairs[0];
//! let place = &pair.passages[0].matches[0].a;
//! assert_eq!((pair.a, pair.b), (0, 1), "anna and ben");
//! assert!(texts[0].1[place.start as usize..place.end as usize].starts_with("we walked along"));
//! # Ok::<(), fanmill::Error>(())
//! ```
//!
//! For code, name the texts as files are named (`anna.py`) and use `fanmill_lang::registry()`, which knows the
//! programming languages.
//!
//! A comparison opens no files and makes no pages. `fanmill-source` reads folders and archives, and
//! `fanmill-report` writes the result as JSON, CSV and pages. This compares a batch of submissions and does not count
//! what they took from the handout:
//!
//! ```
//! use fanmill::{Config, Corpus, Role, Silent, compare};
//! use fanmill_source::{Budget, Limits, Options, read};
//!
//! # let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/assignment");
//! # std::env::set_current_dir(examples)?;
//! let (options, budget) = (Options::everything(), Budget::new(Limits::standard()));
//! let mut corpus = Corpus::default();
//! read(&["submissions".into()], Role::New, &options, &budget, &mut corpus, &Silent)?;
//! read(&["handout".into()], Role::Base, &options, &budget, &mut corpus, &Silent)?;
//!
//! let comparison = compare(corpus, &fanmill_lang::registry(), &Config::standard(), &Silent)?;
//! for pair in comparison.report.pairs.iter().take(3) {
//!     let [a, b] = [pair.a, pair.b].map(|i| &comparison.report.submissions[i as usize].name);
//!     println!("{a} and {b}: {:.2}, passages: {}", pair.score, pair.passages.len());
//! }
//! # assert_eq!(comparison.report.submissions[comparison.report.pairs[0].a as usize].name, "hana");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Near-duplicates of a corpus are found by [`Sketch`]es and the functions of [`sketch`], disguised copies by a
//! [`Sifter`] under a secret [`Key`] and the modules of [`sift`].
//!
//! # The pipeline
//!
//! Data flows from left to right, and a stage uses only stages before it. They are plain functions over slices, in this
//! crate and in `fanmill-text` (documents, front ends, grams), `fanmill-sketch` and `fanmill-sift`:
//!
//! ```text
//! document → frontend → gram ┬→ select → fingerprint → base → index → pair
//!                            ├→ sketch → lsh
//!                            └→ sift
//! pair → matches → score → cluster → report → pipeline
//! ```
//!
//! The modules of stages are for the other crates of Fanmill: they are hidden here, and change from one release to the next.
//!
//! # Guarantees
//!
//! A run of tokens shared by two submissions is found if it is at least as long as the guarantee threshold. A passage
//! is shown only if it has a run at least as long as the noise threshold ([`Thresholds`]), and only passages of
//! prose have shorter matches beside that run. Spans are bytes of the original documents. The same input gives the same
//! report at any number of threads.

#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod select;
#[doc(hidden)]
pub mod fingerprint;
#[doc(hidden)]
pub mod surroundings;
#[doc(hidden)]
pub mod base;
#[doc(hidden)]
pub mod index;
#[doc(hidden)]
pub mod naive;
#[doc(hidden)]
pub mod pair;
#[doc(hidden)]
pub mod rare_runs;
#[doc(hidden)]
pub mod matches;
#[doc(hidden)]
pub mod score;
#[doc(hidden)]
pub mod cluster;
pub mod report;
#[doc(hidden)]
pub mod pipeline;

#[doc(inline)]
pub use fanmill_sift as sift;
#[doc(inline)]
pub use fanmill_sift::{key::Key, profile::Profile, sifter::Sifter, store::Store};
#[doc(inline)]
pub use fanmill_sketch as sketch;
#[doc(inline)]
pub use fanmill_sketch::{Sketch, Sketcher};
#[doc(inline)]
pub use fanmill_text::document::{
    Corpus, Document, Inputs, Metadata, Notice, Origin, Outcome, Role, Submission,
};
#[doc(inline)]
pub use fanmill_text::frontend::{FrontEnd, Registry};
#[doc(inline)]
pub use fanmill_text::progress::{Progress, Silent};
#[doc(inline)]
pub use fanmill_text::{Error, Message, Result};
#[doc(inline)]
pub use pipeline::{Comparison, Config, Fingerprinting, MaxDocs, ThresholdOverrides, compare};
#[doc(inline)]
pub use report::{Match, Pair, Passage, Place, Report};
#[doc(inline)]
pub use select::{Selector, Thresholds};
