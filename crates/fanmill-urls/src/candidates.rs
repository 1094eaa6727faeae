//! Candidates for rules: parts that vary between addresses of one content, and so might not matter.
//!
//! A parameter that selects content is the same wherever that content is. So everything that is worth a try differs
//! between two addresses of one content, for as many contents as a rule needs. Lists of well-known names are not used.
//!
//! Cost: O(n) for n addresses of a host: at most [`SAMPLED`] addresses of each content are looked at.

use std::collections::{BTreeMap, BTreeSet};

use super::address::{Parts, name};
use super::content::ContentId;
use super::evidence::Node;
use super::rule::{Kind, Rule};
use super::shape::{Shape, lead};

/// Maximum number of addresses of one content that are compared with each other.
const SAMPLED: usize = 64;
/// Maximum number of candidates that are tried for a host: those that vary for the most contents.
const TRIED: usize = 64;
/// Segments of a path in which session ids are searched for.
const SEGMENTS: usize = 16;
/// Maximum number of segments in which two paths may differ to be compared.
const DIFFERENT: usize = 3;
/// Maximum number of different values that are kept of a segment, to fit a shape.
const VALUES: usize = 4096;

/// Returns candidates for the rules of a host, the simplest first. `nodes` are all of its addresses.
pub(super) fn candidates(host: &str, nodes: &[Node], min_support: usize) -> Vec<Rule> {
    let mut votes = Votes::default();
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order.sort_by_key(|&i| (nodes[i].content, i));
    for same in order.chunk_by(|&x, &y| nodes[x].content == nodes[y].content) {
        if same.len() > 1 {
            let step = same.len().div_ceil(SAMPLED);
            let sample: Vec<Parts<'_>> = same
                .iter()
                .step_by(step)
                .map(|&i| Parts::from_address(&nodes[i].address))
                .collect();
            votes.count(&sample, nodes[same[0]].content);
        }
    }
    votes.rules(host, min_support)
}

/// The number of contents for which each candidate varies.
#[derive(Debug, Default)]
struct Votes {
    kinds: BTreeMap<Kind, usize>,
    /// Values of segments, by position and lead.
    segments: BTreeMap<(usize, String), Values>,
}

#[derive(Debug, Default)]
struct Values {
    seen: BTreeSet<String>,
    /// The paths before the segment; at most two are kept.
    folders: BTreeSet<String>,
    n_contents: usize,
    last: Option<ContentId>,
}

impl Votes {
    /// Counts what varies between addresses of one content.
    fn count(&mut self, sample: &[Parts<'_>], content: ContentId) {
        let mut varying: BTreeSet<Kind> = BTreeSet::new();
        parameters(sample, &mut varying);
        path_parameters(sample, &mut varying);
        if sample.iter().any(|parts| parts.scheme != sample[0].scheme) {
            varying.insert(Kind::Scheme("https"));
        }
        // Compare neighbours in the order of addresses, and each address with the first.
        let pairs = (1..sample.len()).flat_map(|i| [(i - 1, i), (0, i)]);
        for (x, y) in pairs.filter(|&(x, y)| x != y) {
            self.compare(&sample[x], &sample[y], content, &mut varying);
        }
        for kind in varying {
            *self.kinds.entry(kind).or_default() += 1;
        }
    }

    /// Records how two addresses of one content differ in their paths and in the order of their parameters.
    fn compare(
        &mut self,
        a: &Parts<'_>,
        b: &Parts<'_>,
        content: ContentId,
        varying: &mut BTreeSet<Kind>,
    ) {
        if a.path == b.path {
            if is_reordered(a, b) {
                varying.insert(Kind::Order);
            }
            return;
        }
        if a.path.ends_with('/') != b.path.ends_with('/') {
            varying.insert(Kind::Slash);
        }
        if a.path.eq_ignore_ascii_case(b.path) {
            varying.insert(Kind::Case);
        }
        let (of_a, of_b): (Vec<&str>, Vec<&str>) = (pieces(a), pieces(b));
        for (folder, file) in [(&of_a, &of_b), (&of_b, &of_a)] {
            let is_folder = folder.len() == file.len() && folder.last() == Some(&"");
            let file = file.last().filter(|file| is_folder && !file.is_empty());
            varying.extend(file.map(|file| Kind::Index((*file).to_owned())));
        }
        self.segments_between(&of_a, &of_b, content);
    }

    /// Records the segments in which two paths differ: some, if both have as many, or the one that only the longer has.
    fn segments_between(&mut self, a: &[&str], b: &[&str], content: ContentId) {
        let (a, b) = (without_slash(a), without_slash(b));
        if a.len() == b.len() {
            let different: Vec<usize> = (0..a.len()).filter(|&i| a[i] != b[i]).collect();
            for &at in different.iter().filter(|_| different.len() <= DIFFERENT) {
                self.value(a, at, content);
                self.value(b, at, content);
            }
            return;
        }
        let (long, short) = if a.len() > b.len() { (a, b) } else { (b, a) };
        let at = (0..long.len()).find(|&i| short.get(i) != Some(&long[i])).unwrap_or(0);
        if long[at + 1..] == short[at..] {
            self.value(long, at, content);
        }
    }

    fn value(&mut self, segments: &[&str], at: usize, content: ContentId) {
        let Some(&value) = segments.get(at).filter(|value| !value.is_empty()) else { return };
        if at >= SEGMENTS {
            return;
        }
        let entry = self.segments.entry((at, lead(value).to_owned())).or_default();
        if entry.last != Some(content) {
            entry.last = Some(content);
            entry.n_contents += 1;
        }
        if entry.seen.len() < VALUES {
            entry.seen.insert(value.to_owned());
        }
        if entry.folders.len() < 2 {
            entry.folders.insert(segments[..at].iter().flat_map(|s| ["/", s]).collect());
        }
    }

    fn rules(self, host: &str, min_support: usize) -> Vec<Rule> {
        let segments =
            self.segments.into_iter().filter(|(_, v)| v.seen.len() >= min_support.max(3));
        let segments = segments.map(|((at, lead), values)| {
            let shape = Shape::fit(&lead, values.seen.iter().map(|value| &**value));
            let mut folders = values.folders.into_iter();
            let scope = match (folders.next(), folders.next()) {
                (Some(only), None) => only,
                _ => String::new(),
            };
            (scope, Kind::Segment { at, shape }, values.n_contents)
        });
        let kinds = self.kinds.into_iter().map(|(kind, n)| (String::new(), kind, n));
        let mut all: Vec<_> = kinds.chain(segments).filter(|(_, _, n)| *n >= min_support).collect();
        all.sort_by(|x, y| y.2.cmp(&x.2).then_with(|| (&x.1, &x.0).cmp(&(&y.1, &y.0))));
        all.truncate(TRIED);
        let rule = |(scope, kind, _)| Rule { host: host.to_owned(), scope, kind };
        let mut rules: Vec<Rule> = all.into_iter().map(rule).collect();
        // The sort is stable, so within a kind those that vary for the most contents come first.
        rules.sort_by_key(|rule| rank(&rule.kind));
        rules
    }
}

/// Returns the place of a kind in the order of trying, in which the simplest explanation comes first.
fn rank(kind: &Kind) -> u32 {
    match kind {
        Kind::Scheme(_) => 0,
        Kind::Move(_) => 1,
        Kind::PathParameter(_) => 2,
        Kind::Parameter(_) => 3,
        Kind::Order => 4,
        Kind::Index(_) => 5,
        Kind::Slash => 6,
        Kind::Case => 7,
        Kind::Segment { .. } => 8,
    }
}

/// Returns the segments of a path without their parameters.
fn pieces<'a>(parts: &Parts<'a>) -> Vec<&'a str> {
    parts.segments().map(|s| s.split(';').next().unwrap_or_default()).collect()
}

fn without_slash<'a, 'b>(segments: &'b [&'a str]) -> &'b [&'a str] {
    match segments {
        [rest @ .., ""] => rest,
        all => all,
    }
}

/// Returns whether two queries have the same names in a different order.
fn is_reordered(a: &Parts<'_>, b: &Parts<'_>) -> bool {
    let mut of_a: Vec<&str> = a.parameters().map(name).collect();
    let mut of_b: Vec<&str> = b.parameters().map(name).collect();
    if of_a == of_b {
        return false;
    }
    of_a.sort_unstable();
    of_b.sort_unstable();
    of_a == of_b
}

/// Parameters by their name and by the number of their address.
type ByName<'a> = BTreeMap<&'a str, BTreeMap<usize, Vec<&'a str>>>;

/// Adds the parameters that do not have the same values in all addresses.
fn parameters(sample: &[Parts<'_>], varying: &mut BTreeSet<Kind>) {
    let mut values = ByName::new();
    for (i, parts) in sample.iter().enumerate() {
        for parameter in parts.parameters() {
            values.entry(name(parameter)).or_default().entry(i).or_default().push(parameter);
        }
    }
    varying.extend(unequal(&values, sample.len()).map(|name| Kind::Parameter(name.to_owned())));
}

/// Adds the parameters of path segments that do not have the same values in all addresses.
fn path_parameters(sample: &[Parts<'_>], varying: &mut BTreeSet<Kind>) {
    let mut values = ByName::new();
    for (i, parts) in sample.iter().enumerate().filter(|(_, parts)| parts.path.contains(';')) {
        for piece in parts.segments().flat_map(|segment| segment.split(';').skip(1)) {
            values.entry(name(piece)).or_default().entry(i).or_default().push(piece);
        }
    }
    varying.extend(unequal(&values, sample.len()).map(|name| Kind::PathParameter(name.to_owned())));
}

/// Returns the names that some of `n` addresses lack, or have with other values.
fn unequal<'a>(values: &ByName<'a>, n: usize) -> impl Iterator<Item = &'a str> {
    let differs = move |by_address: &BTreeMap<usize, Vec<&str>>| {
        let mut all = by_address.values();
        let first = all.next();
        by_address.len() < n || all.any(|other| Some(other) != first)
    };
    values.iter().filter(move |(_, by_address)| differs(by_address)).map(|(name, _)| *name)
}
