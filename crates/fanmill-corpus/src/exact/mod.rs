//! Exact joins of more documents than fit into memory: no pair that reaches the threshold is missed.
//!
//! Members of sets are put in one order, the rarest first, so that two documents with enough in common share one of
//! their first few members. Joins in memory hold all sets; this one reads them several times, and holds
//!
//! 1. a *count* for each member, with many members to a counter ([`counts`]), which gives the order;
//! 2. a *posting* for each of the first members of a document, if another document may have that member, too
//!    ([`postings`]), sorted by member;
//! 3. the pairs of documents with equal postings that can still reach the threshold, given the position of the member
//!    in both ([`join`]), sorted, each once.
//!
//! The caller compares these candidates exactly. A counter that several members share only makes the order worse, and
//! so adds candidates; it never changes the answer.
//!
//! Source: Bayardo, Ma & Srikant, "Scaling up all pairs similarity search", WWW 2007 (prefix and length filters); Xiao,
//! Wang, Lin & Yu, "Efficient similarity joins for near duplicate detection", WWW 2008 (positional filter); Broder, "On
//! the resemblance and containment of documents", 1997 (containment).
//! Departs from it: see above.
//!
//! ```
//! use fanmill_sketch::lsh::verify::Threshold;
//! use fanmill_corpus::exact::{counts::Counts, join::ExactJoin, postings::{Rarest, Relation}};
//!
//! let sets: [&[u64]; 3] = [&[1, 2, 3, 4, 5], &[2, 3, 4, 5], &[5, 6, 7, 8]];
//! let relation = Relation::Resemblance(Threshold::new(0.8)?);
//! let counts = Counts::new(1 << 20);
//! for set in sets {
//!     counts.add(set);
//! }
//!
//! let rarest = Rarest::new(&counts, relation);
//! let mut join = ExactJoin::new(&std::env::temp_dir(), 1 << 20, relation);
//! for (document, set) in (0..).zip(sets) {
//!     let mut postings = Vec::new();
//!     rarest.postings(document, set, &mut postings);
//!     join.extend(&postings)?;
//! }
//! let pairs: Vec<(u32, u32)> = join.finish()?.collect::<Result<_, _>>()?;
//! assert_eq!(pairs, [(0, 1)]);
//! # Ok::<(), fanmill_text::Error>(())
//! ```

pub mod counts;
pub mod postings;
pub mod join;
