//! URLs that vary while the content does not: session ids, tracking parameters, mirrors.
//!
//! A crawler that gets a new session id with every visit finds the same pages again and again, at addresses that it has
//! never seen. The contents show which part of an address does not matter: addresses that differ only in that part have
//! equal contents, for many contents and with hardly an exception. So [`Collector`] reads addresses with texts or
//! sketches, groups equal contents ([`content`]), tries what varies within them, keeps what no content contradicts, and
//! yields rules with their evidence ([`Findings`]), as regular expressions ([`pattern`]). It does not use lists of
//! well-known names.
//!
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Cookie crumbs" and, among its open problems, the
//! grammar of such addresses. The rules here are a small grammar of that kind.
//!
//! ```
//! use fanmill_text::progress::Silent;
//! use fanmill_urls::{Collector, Options, content::Content};
//!
//! let mut collector = Collector::new(Options::standard())?;
//! let summariser = collector.summariser()?;
//! for (page, text) in [("kettle", "a red kettle"), ("lamp", "a tall lamp"), ("rug", "a soft rug")] {
//!     for visit in ["S-x4Gq81LzTw", "S-0bYk77PmAa", "S-uR52vvNc9D"] {
//!         let url = format!("http://shop.example.com/{visit}/{page}");
//!         let summary = summariser.summary(Content::Text(text));
//!         collector.push(&url, &summary)?.expect("a URL");
//!     }
//! }
//! let findings = collector.learn(&Silent)?;
//! assert_eq!(findings.rules[0].rule.to_string(), "drop path segment 1, S-[0-9A-Za-z]{10}");
//! assert_eq!(&*findings.canonical[4], "http://shop.example.com/lamp");
//! # Ok::<(), fanmill_text::Error>(())
//! ```

#![forbid(unsafe_code)]

pub mod address;
pub mod content;
pub mod shape;
pub mod rule;
mod steps;
mod evidence;
mod candidates;
mod site;
mod moves;
pub mod pattern;
mod learn;
pub mod write;
#[cfg(test)]
mod tests;
pub mod read;

pub use evidence::{Evidence, Limits};
pub use learn::{Check, Collector, Findings, HostFindings, Options, StoredAddress};
pub use site::LearntRule;
