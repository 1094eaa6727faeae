//! Fanmill finds copying, and shows the evidence.
//!
//! Compare three texts in memory, and see who shares what with whom:
//!
//! ```
//! use fanmill::{document::Corpus, frontend::Registry, pipeline, progress::Silent};
//!
//! let texts = [
//!     ("anna", "Last summer we walked along the river until the old mill came into sight, and then home."),
//!     ("ben", "He says: we walked along the river until the old mill came into sight. So did everybody."),
//!     ("cleo", "The mill is younger than the bridge, whatever the sign at the river tells its visitors."),
//! ];
//! let corpus = Corpus::from_texts(texts)?;
//! let found = pipeline::compare(corpus, &Registry::prose(), &pipeline::Config::standard(), &Silent)?;
//! let pair = &found.report.pairs[0];
//! let place = &pair.passages[0].matches[0].a;
//! assert_eq!((pair.a, pair.b), (0, 1), "anna and ben");
//! assert!(texts[0].1[place.start as usize..place.end as usize].starts_with("we walked along"));
//! # Ok::<(), fanmill_text::Error>(())
//! ```
//!
//! For code, name the texts as files are named (`anna.py`) and use `fanmill_lang::registry()`, which knows the
//! programming languages.
//!
//! This crate is the engine: it opens no files and makes no pages. `fanmill-source` reads folders and archives, and
//! `fanmill-report` writes the result as JSON, CSV and pages. This compares a batch of submissions and does not count
//! what they took from the handout:
//!
//! ```
//! use fanmill_text::document::{Corpus, Role};
//! use fanmill::pipeline::{Config, compare};
//! use fanmill_text::progress::Silent;
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
//!     println!("{a} and {b}: {:.2}, {} passages", pair.score, pair.passages.len());
//! }
//! # assert_eq!(comparison.report.submissions[comparison.report.pairs[0].a as usize].name, "hana");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The pipeline
//!
//! Modules are in the order in which data flows, and use only modules before them. All the others use [`error`],
//! [`span`], [`token`] and [`hash`]:
//!
//! ```text
//! document → frontend → gram ┬→ select → fingerprint → base → index ┬→ pair
//!                            ├→ sketch ─────────────────────→ lsh ──┘
//!                            └→ sift
//! pair → matches → score → cluster → report → pipeline
//! ```
//!
//! Most callers need [`document`], [`pipeline`] and [`report`]. To compose a pipeline of your own, use the stages,
//! which are plain functions over slices. [`select`] has the fingerprinting algorithms of the winnowing paper and their
//! successor, each with its definition as code beside its fast form. [`sketch`] (MinHash) and [`lsh`] have the
//! algorithms of Broder's slides and their successors, for near-duplicates in a corpus. [`sift`] has the algorithms of
//! text sifting, for copies that someone has disguised.
//!
//! # Guarantees
//!
//! A run of tokens shared by two submissions is found if it is at least as long as the guarantee threshold. A passage
//! is shown only if it has a run at least as long as the noise threshold ([`select::Thresholds`]), and only passages of
//! prose have shorter matches beside that run. Spans are bytes of the original documents. The same input gives the same
//! report at any number of threads.

pub mod select;
pub mod fingerprint;
pub mod surroundings;
pub mod base;
pub mod index;
#[doc(hidden)]
pub mod naive;
pub mod pair;
pub mod rare_runs;
pub mod matches;
pub mod score;
pub mod cluster;
pub mod report;
pub mod pipeline;
