//! Evidence: the addresses that a rule would make equal, and whether they belong together.
//!
//! Addresses that a rule makes equal are a *group*. If all have one content, the group is evidence for the rule; if
//! they have `k` contents, the rule would lose `k - 1` of them. The evidence for a rule is counted in different
//! contents, not in groups or addresses: a thousand addresses of one error page are one observation. So a site with
//! only one page seen proves nothing.
//!
//! Cost: O(n log n) for the n addresses of a host.

use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};
use xxhash_rust::xxh3::xxh3_64;

use super::address::Parts;
use super::content::ContentId;
use super::rule::Rule;
use super::steps::Steps;

/// An address under the rules so far, and its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) address: String,
    pub(super) content: ContentId,
    /// Number of addresses of the input that have become this one.
    pub(super) n_urls: u64,
}

/// The evidence for a rule, and against it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Number of addresses that the rule makes equal to another one.
    pub addresses: usize,
    /// Number of different addresses that they become.
    pub groups: usize,
    /// Number of groups whose new address was itself seen, with the same content.
    pub seen: usize,
    /// Number of different contents whose several addresses become one that no other content has.
    pub contents: usize,
    /// Number of contents that would be lost because another one's address becomes theirs.
    pub conflicts: usize,
}

impl Evidence {
    /// Returns a lower bound of the fraction of contents that the rule leaves whole, in `0..=1`: Wilson's interval,
    /// one-sided, at 95 %. 3 contents without a conflict give .53, 20 give .88.
    pub fn confidence(&self) -> f64 {
        const Z: f64 = 1.644_853_6;
        let n = (self.contents + self.conflicts) as f64;
        if n == 0.0 {
            return 0.0;
        }
        let p = self.contents as f64 / n;
        let (z2, half) = (Z * Z / n, Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt());
        ((p + z2 / 2.0 - half) / (1.0 + z2)).clamp(0.0, 1.0)
    }
}

/// The limits for sufficient evidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Minimum number of contents that must support a rule; at least 1.
    pub min_support: usize,
    /// Largest fraction of conflicts among the contents that a rule touches, in `0..=1`.
    pub max_conflicts: f64,
    /// Minimum confidence, in `0..=1`; see [`Evidence::confidence`].
    pub min_confidence: f64,
}

impl Limits {
    /// Returns the standard limits: 3 contents, 2 % of conflicts, and more likely than not.
    pub const fn standard() -> Limits {
        Limits { min_support: 3, max_conflicts: 0.02, min_confidence: 0.5 }
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// If `min_support` is 0, or a share is not in `0..=1`.
    pub fn check(&self) -> Result<()> {
        if self.min_support == 0 {
            let name = Setting("min-support");
            return Err(Error::setting(message![
                name,
                " 0 needs no evidence; use 1 or more contents"
            ]));
        }
        let shares =
            [("max-conflicts", self.max_conflicts), ("min-confidence", self.min_confidence)];
        for (name, share) in shares {
            if !(0.0..=1.0).contains(&share) {
                return Err(Error::setting(message![
                    Setting(name),
                    " {share} is not a share; use 0 to 1"
                ]));
            }
        }
        Ok(())
    }

    /// Returns whether this many conflicts are few for this many contents that stay whole.
    pub fn bears(&self, contents: usize, conflicts: usize) -> bool {
        conflicts as f64 <= self.max_conflicts * (contents + conflicts) as f64
    }

    /// Returns whether the evidence suffices for a rule.
    pub fn accept(&self, evidence: &Evidence) -> bool {
        evidence.contents >= self.min_support
            && self.bears(evidence.contents, evidence.conflicts)
            && evidence.confidence() >= self.min_confidence
    }
}

/// Addresses that become one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The address that they become.
    pub(super) address: String,
    /// Indices of nodes, ascending; at least two.
    pub(super) members: Vec<usize>,
    /// Their contents, ascending and different.
    pub(super) contents: Vec<ContentId>,
    /// True if one of them already has that address.
    pub(super) is_seen: bool,
}

impl Group {
    pub(super) fn agrees(&self) -> bool {
        self.contents.len() == 1
    }

    pub(super) fn path(&self) -> &str {
        Parts::from_address(&self.address).path
    }
}

/// Returns the groups that some rules together make, in the order of the new addresses.
///
/// Addresses are distinguished by 64 bits of hash here; the final check compares them in full.
pub(super) fn groups(nodes: &[&Node], rules: &[&Rule]) -> Vec<Group> {
    let steps = Steps::new(rules);
    let mut keys: Vec<(u64, usize, bool)> = Vec::with_capacity(nodes.len());
    for (i, node) in nodes.iter().enumerate() {
        match steps.rewritten(&node.address) {
            Some(address) => keys.push((xxh3_64(address.as_bytes()), i, true)),
            None => keys.push((xxh3_64(node.address.as_bytes()), i, false)),
        }
    }
    keys.sort_unstable();
    let shared = keys.chunk_by(|x, y| x.0 == y.0).filter(|chunk| chunk.len() > 1);
    let mut groups: Vec<Group> = shared
        .map(|chunk| {
            let first = &nodes[chunk[0].1].address;
            let mut contents: Vec<ContentId> =
                chunk.iter().map(|&(_, i, _)| nodes[i].content).collect();
            contents.sort_unstable();
            contents.dedup();
            Group {
                address: steps.rewritten(first).unwrap_or_else(|| first.clone()),
                members: chunk.iter().map(|&(_, i, _)| i).collect(),
                contents,
                is_seen: chunk.iter().any(|&(_, _, is_changed)| !is_changed),
            }
        })
        .collect();
    groups.sort_unstable_by(|x, y| x.address.cmp(&y.address));
    groups
}

/// Adds up the evidence of groups.
pub(super) fn tally<'a>(groups: impl IntoIterator<Item = &'a Group>) -> Evidence {
    let mut evidence = Evidence::default();
    let mut contents: Vec<ContentId> = Vec::new();
    for group in groups {
        evidence.addresses += group.members.len();
        evidence.groups += 1;
        evidence.conflicts += group.contents.len() - 1;
        if group.agrees() {
            evidence.seen += usize::from(group.is_seen);
            contents.push(group.contents[0]);
        }
    }
    contents.sort_unstable();
    contents.dedup();
    evidence.contents = contents.len();
    evidence
}

/// Returns the nodes after some rules. If contents meet, the one with the most addresses stays; of equals, the lowest.
pub(super) fn merged(nodes: impl IntoIterator<Item = Node>, rules: &[&Rule]) -> Vec<Node> {
    let steps = Steps::new(rules);
    let mut nodes: Vec<Node> = nodes
        .into_iter()
        .map(|mut node| {
            if let Some(address) = steps.rewritten(&node.address) {
                node.address = address;
            }
            node
        })
        .collect();
    nodes.sort_unstable_by(|x, y| x.address.cmp(&y.address).then(x.content.cmp(&y.content)));
    let same = nodes.chunk_by(|x, y| x.address == y.address);
    same.map(|same| {
        let weight = |content: ContentId| -> u64 {
            same.iter().filter(|node| node.content == content).map(|node| node.n_urls).sum()
        };
        let heaviest = same
            .iter()
            .map(|node| node.content)
            .reduce(|best, content| if weight(content) > weight(best) { content } else { best });
        Node {
            address: same[0].address.clone(),
            content: heaviest.unwrap_or_default(),
            n_urls: same.iter().map(|node| node.n_urls).sum(),
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::Kind;

    fn node(address: &str, content: ContentId) -> Node {
        Node { address: format!("http://example.org{address}"), content, n_urls: 1 }
    }

    fn drop_parameter(name: &str) -> Rule {
        let kind = Kind::Parameter(name.to_owned());
        Rule { host: "example.org".to_owned(), scope: String::new(), kind }
    }

    #[test]
    fn contents_count_and_not_addresses() {
        let nodes: Vec<Node> = (0..50)
            .map(|i| node(&format!("/gone?id={i}"), 7))
            .chain([node("/a?id=1", 1), node("/a?id=2", 1), node("/a", 1), node("/b?id=1", 2)])
            .chain([node("/c?id=1", 3), node("/c?id=2", 4), node("/c?id=3", 5)])
            .collect();
        let nodes: Vec<&Node> = nodes.iter().collect();
        let evidence = tally(&groups(&nodes, &[&drop_parameter("id")]));
        let expected = Evidence { addresses: 56, groups: 3, seen: 1, contents: 2, conflicts: 2 };
        assert_eq!(evidence, expected);
    }

    #[test]
    fn confidence_grows_with_support() {
        let of = |contents, conflicts| {
            let evidence = Evidence { contents, conflicts, ..Evidence::default() };
            format!("{:.2}", evidence.confidence())
        };
        assert_eq!(
            [of(0, 0), of(1, 0), of(3, 0), of(20, 0), of(1000, 0)],
            ["0.00", "0.27", "0.53", "0.88", "1.00"]
        );
        assert_eq!([of(98, 2), of(1, 1), of(0, 5)], ["0.94", "0.12", "0.00"]);
    }

    #[test]
    fn limits_are_checked_and_kept() {
        let limits = Limits::standard();
        let accept = |contents, conflicts| {
            limits.accept(&Evidence { contents, conflicts, ..Evidence::default() })
        };
        assert!(accept(3, 0) && accept(98, 2) && !accept(2, 0) && !accept(97, 3) && !accept(0, 0));
        assert!(Limits { min_support: 0, ..limits }.check().is_err());
        assert!(Limits { max_conflicts: f64::NAN, ..limits }.check().is_err());
    }

    #[test]
    fn the_heavier_content_stays() {
        let nodes = [node("/a?s=1", 5), node("/a?s=2", 3), node("/a?s=3", 5), node("/b", 1)];
        let after = merged(nodes, &[&drop_parameter("s")]);
        let short: Vec<_> = after.iter().map(|n| (&n.address[18..], n.content, n.n_urls)).collect();
        assert_eq!(short, [("/a", 5, 3), ("/b", 1, 1)]);
    }
}
