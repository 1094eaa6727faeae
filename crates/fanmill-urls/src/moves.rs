//! Moves: finds folders and hosts that are copies of others, such as mirrors, `www.` and links.
//!
//! Two addresses of one content are equal from the end back to where they differ; the parts before that are a pair of
//! folders. If most addresses of the smaller folder have a counterpart with the same content in the larger one, it is a
//! copy, and its addresses move. Some are not enough: two sites of one owner share their imprint, and are not mirrors.
//!
//! Cost: O(n) for the pairs; O(m log m) for each pair of folders that is tried, if their hosts have m addresses in all,
//! and at most [`TRIED`] pairs.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Small scale problems": aliasing.

use std::collections::{BTreeMap, BTreeSet};

use super::address::Parts;
use super::content::ContentId;
use super::evidence::{Limits, Node, groups, merged, tally};
use super::rule::{Kind, Rule, Target, is_below};
use super::site::{LearntRule, describe};

/// The addresses of each host.
pub(super) type Sites = BTreeMap<String, Vec<Node>>;

/// Maximum number of addresses of one content that are compared with each other.
const SAMPLED: usize = 12;
/// Maximum number of folders of a path that may differ.
const DEPTH: usize = 4;
/// Levels below a pair of folders at which its parts are tried.
const DESCENTS: usize = 2;
/// Maximum number of pairs of folders that are tried.
const TRIED: usize = 100_000;
/// Fraction of the moving addresses that must have a counterpart of the same content.
const COVERED: f64 = 0.5;

/// A host and a folder of it; the empty path is the host's root.
type Folder = (String, String);

/// The places between which moves are searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveScope {
    /// Whole hosts.
    Roots,
    /// Folders of different hosts, or a host and a folder of another one; also parts of these.
    Hosts,
    /// Folders of one host.
    Folders,
}

/// Learns which folders are copies of others, and applies the rules to `sites`.
pub(super) fn learn(sites: &mut Sites, between: MoveScope, limits: &Limits) -> Vec<LearntRule> {
    let depth = if between == MoveScope::Hosts { 0 } else { DESCENTS };
    let mut pairs: Vec<((Folder, Folder), usize)> =
        pairs(sites, between).into_iter().filter(|(_, n)| *n >= limits.min_support).collect();
    // The pairs with the most contents come first; among equals, a folder comes before those below it.
    pairs.sort_by(|x, y| y.1.cmp(&x.1).then_with(|| x.0.cmp(&y.0)));
    pairs.truncate(TRIED);
    let mut learnt = Vec::new();
    for ((a, b), _) in pairs {
        try_pair(sites, &a, &b, depth, limits, &mut learnt);
    }
    learnt
}

/// Returns pairs of folders, each with the number of contents that both have at the same place.
fn pairs(sites: &Sites, between: MoveScope) -> BTreeMap<(Folder, Folder), usize> {
    let mut by_content: Vec<(ContentId, &str)> =
        sites.values().flatten().map(|node| (node.content, node.address.as_str())).collect();
    by_content.sort_unstable();
    let mut votes: BTreeMap<(Folder, Folder), usize> = BTreeMap::new();
    for same in by_content.chunk_by(|x, y| x.0 == y.0).filter(|same| same.len() > 1) {
        let step = same.len().div_ceil(SAMPLED);
        let sample: Vec<Parts<'_>> =
            same.iter().step_by(step).map(|(_, address)| Parts::from_address(address)).collect();
        let mut found: BTreeSet<(Folder, Folder)> = BTreeSet::new();
        for (i, a) in sample.iter().enumerate() {
            let others = sample[i + 1..].iter();
            found.extend(others.filter_map(|b| folders(a, b, between)));
        }
        for pair in found {
            *votes.entry(pair).or_default() += 1;
        }
    }
    votes
}

/// Returns the folders in which two addresses differ, the lower one first.
fn folders(a: &Parts<'_>, b: &Parts<'_>, between: MoveScope) -> Option<(Folder, Folder)> {
    let is_one_host = a.host == b.host;
    let is_root = between != MoveScope::Roots || a.path == b.path;
    if a.query != b.query || is_one_host != (between == MoveScope::Folders) || !is_root {
        return None;
    }
    let (of_a, of_b): (Vec<&str>, Vec<&str>) = (a.segments().collect(), b.segments().collect());
    let n_common = of_a.iter().rev().zip(of_b.iter().rev()).take_while(|(x, y)| x == y).count();
    // The last segment names a page, not a folder.
    let folder = |host: &str, segments: &[&str]| {
        let segments = &segments[..segments.len() - n_common];
        let is_folder = n_common > 0 && segments.len() <= DEPTH;
        let path: String = segments.iter().flat_map(|segment| ["/", segment]).collect();
        is_folder.then(|| (host.to_owned(), path))
    };
    let (x, y) = (folder(a.host, &of_a)?, folder(b.host, &of_b)?);
    (x != y).then(|| if x < y { (x, y) } else { (y, x) })
}

/// Moves the smaller folder to the larger one if it is a copy, and otherwise those of its parts that are.
fn try_pair(
    sites: &mut Sites,
    a: &Folder,
    b: &Folder,
    depth: usize,
    limits: &Limits,
    learnt: &mut Vec<LearntRule>,
) {
    let Some((from, to)) = direction(sites, a, b) else { return };
    let rule = rule(sites, &from, &to);
    let nodes: Vec<&Node> = nodes(sites, &from.0, &to.0).collect();
    let found = groups(&nodes, &[&rule]);
    let evidence = tally(&found);
    if evidence.contents < limits.min_support {
        return;
    }
    let moves = |i: &&usize| rule.apply(&nodes[**i].address).is_some();
    let n_moving = nodes.iter().filter(|node| rule.apply(&node.address).is_some()).count();
    let agreeing = found.iter().filter(|group| group.agrees() && group.is_seen);
    let n_covered = agreeing.flat_map(|group| &group.members).filter(moves).count();
    // Most of the addresses that would move need a counterpart, not only some.
    if limits.accept(&evidence) && n_covered as f64 >= COVERED * n_moving as f64 {
        learnt.extend(describe(&[&rule], &nodes));
        apply(sites, &rule, &to.0);
    } else if depth < DESCENTS {
        let inside: BTreeSet<String> = nodes
            .iter()
            .map(|node| Parts::from_address(&node.address))
            .filter(|parts| parts.host == from.0 && is_below(parts.path, &from.1))
            .filter_map(|parts| {
                let rest = parts.path[from.1.len()..].strip_prefix('/')?;
                rest.split_once('/').map(|(folder, _)| folder.to_owned())
            })
            .filter(|folder| !folder.is_empty() && !folder.contains(';'))
            .collect();
        for folder in inside {
            let below = |(host, path): &Folder| (host.clone(), format!("{path}/{folder}"));
            try_pair(sites, &below(&from), &below(&to), depth + 1, limits, learnt);
        }
    }
}

/// Returns the folder that moves, and the one it moves to. The smaller one moves; of equals, the one with the longer
/// name, then the higher one. A folder inside the other one moves to that. `None` if one of them does not have
/// addresses (any more).
fn direction(sites: &Sites, a: &Folder, b: &Folder) -> Option<(Folder, Folder)> {
    let size = |(host, path): &Folder| {
        let nodes = sites.get(host).map_or(&[][..], Vec::as_slice);
        nodes.iter().filter(|node| is_below(Parts::from_address(&node.address).path, path)).count()
    };
    let (of_a, of_b) = (size(a), size(b));
    if of_a == 0 || of_b == 0 {
        return None;
    }
    let key = |folder: &Folder, size: usize| {
        (usize::MAX - size, folder.0.len() + folder.1.len(), folder.clone())
    };
    let a_stays = if a.0 == b.0 && is_below(&a.1, &b.1) {
        false
    } else if a.0 == b.0 && is_below(&b.1, &a.1) {
        true
    } else {
        key(a, of_a) < key(b, of_b)
    };
    Some(if a_stays { (b.clone(), a.clone()) } else { (a.clone(), b.clone()) })
}

fn rule(sites: &Sites, from: &Folder, to: &Folder) -> Rule {
    let n_secure = |host: &str| {
        let nodes = sites.get(host).map_or(&[][..], Vec::as_slice);
        let n = nodes.iter().filter(|node| node.address.starts_with("https:")).count();
        (n, nodes.len())
    };
    let (n_secure, n) = n_secure(&to.0);
    let scheme = if 2 * n_secure >= n { "https" } else { "http" };
    let scheme = (from.0 != to.0).then(|| scheme.to_owned());
    let target = Target { scheme, host: to.0.clone(), path: to.1.clone() };
    Rule { host: from.0.clone(), scope: from.1.clone(), kind: Kind::Move(target) }
}

fn nodes<'a>(sites: &'a Sites, a: &str, b: &str) -> impl Iterator<Item = &'a Node> {
    let second = (a != b).then(|| sites.get(b)).flatten();
    sites.get(a).into_iter().chain(second).flatten()
}

fn apply(sites: &mut Sites, rule: &Rule, to: &str) {
    let mut all = sites.remove(&rule.host).unwrap_or_default();
    all.extend(sites.remove(to).unwrap_or_default());
    for node in merged(all, &[rule]) {
        let host = Parts::from_address(&node.address).host.to_owned();
        sites.entry(host).or_default().push(node);
    }
}
