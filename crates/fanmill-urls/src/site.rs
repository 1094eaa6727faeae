//! Learning the rules of one host.
//!
//! Candidates are tried one by one, the simplest first, each on what earlier rules have left. A rule that explains
//! nothing new does not have evidence, and is not written. If contents contradict a candidate, it is tried again below
//! single folders, since a parameter may matter on one path and not on another. Finally, rules that cannot show
//! anything alone are tried together: if every visit has its own session id *and* its own tracking parameter, dropping
//! one of them never makes two addresses equal. From such a bundle, first those rules are removed that contents
//! contradict, then those without which it explains as much.
//!
//! Cost: O(n log n) for each of at most 64 candidates, and for at most [`BUNDLED`] squared trials of a bundle, in each
//! of [`ROUNDS`] rounds.

use std::collections::BTreeSet;

use xxhash_rust::xxh3::xxh3_64;

use super::address::Parts;
use super::candidates::candidates;
use super::evidence::{Evidence, Group, Limits, Node, groups, merged, tally};
use super::rule::{Kind, Rule, is_below};
use super::steps::Steps;

/// Maximum number of rounds of trying all candidates.
const ROUNDS: usize = 8;
/// Maximum number of candidates that are tried together.
const BUNDLED: usize = 12;
/// Maximum depth of folders below which a candidate is tried alone.
const DEPTH: usize = 4;
/// Contents lost in a folder that forbid a rule for the folders around it, if more are lost than kept there.
const OUTVOTES: usize = 2;
/// Fraction of a segment's values that must have been seen to make no difference.
const COVERED: f64 = 0.5;
/// Number of addresses whose values are looked at in order to describe these.
const SHOWN_VALUES: usize = 1000;

/// A rule with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearntRule {
    /// The rule.
    pub rule: Rule,
    /// Its evidence.
    pub evidence: Evidence,
    /// True if the evidence is that of several rules together: its neighbours for which this is true, too.
    pub is_joint: bool,
    /// Number of addresses of the input that it changes.
    pub n_urls: u64,
    /// A description of its values, for readers; nothing depends on it.
    pub looks: Option<&'static str>,
    /// Addresses before and after; two of one content, if possible.
    pub examples: Vec<(String, String)>,
}

/// Learns the rules of a host, and applies them to `nodes`, which are its addresses.
pub(super) fn learn(host: &str, nodes: &mut Vec<Node>, limits: &Limits) -> Vec<LearntRule> {
    let given = nodes.clone();
    let mut learnt = Vec::new();
    for _ in 0..ROUNDS {
        let before = learnt.len();
        let mut failed = Vec::new();
        for candidate in candidates(host, nodes, limits.min_support) {
            let found = alone(&candidate, nodes, limits);
            if found.is_empty() {
                failed.push(candidate);
            }
            for rule in found {
                learnt.extend(accept(&[rule], nodes, limits));
            }
        }
        if learnt.len() == before {
            learnt.extend(accept(&together(failed, nodes, limits), nodes, limits));
        }
        if learnt.len() == before {
            break;
        }
    }
    if leave_out_needless(&mut learnt, &given, nodes.len()) {
        *nodes = merged(given, &learnt.iter().map(|l| &l.rule).collect::<Vec<_>>());
    }
    learnt
}

/// Removes rules without which the others explain as much, the last ones first: what they explained when they were
/// found may be explained by later ones. Returns true if there were any.
fn leave_out_needless(learnt: &mut Vec<LearntRule>, given: &[Node], n_after: usize) -> bool {
    let n_learnt = learnt.len();
    for i in (0..n_learnt).rev().filter(|_| n_learnt > 1) {
        let others = learnt.iter().enumerate().filter(|&(j, _)| j != i);
        let others: Vec<&Rule> = others.map(|(_, other)| &other.rule).collect();
        let steps = Steps::new(&others);
        let mut after: Vec<u64> = given
            .iter()
            .map(|node| {
                let changed = steps.rewritten(&node.address);
                xxh3_64(changed.as_ref().unwrap_or(&node.address).as_bytes())
            })
            .collect();
        after.sort_unstable();
        after.dedup();
        if after.len() == n_after {
            learnt.remove(i);
        }
    }
    learnt.len() < n_learnt
}

/// Returns the rule for the whole host, or for the folders where it holds; empty if it does not hold anywhere.
fn alone(candidate: &Rule, nodes: &[Node], limits: &Limits) -> Vec<Rule> {
    let nodes: Vec<&Node> = nodes.iter().collect();
    let groups = groups(&nodes, &[candidate]);
    if !candidate.drops_parameter() {
        let holds = limits.accept(&tally(&groups))
            && !is_outvoted(&groups.iter().collect::<Vec<_>>(), 0)
            && is_covered(candidate, &nodes, &groups);
        return if holds { vec![candidate.clone()] } else { Vec::new() };
    }
    let mut scopes = Vec::new();
    descend(&groups.iter().collect::<Vec<_>>(), "", 0, limits, &mut scopes);
    scopes.into_iter().map(|scope| Rule { scope, ..candidate.clone() }).collect()
}

/// Appends the widest folders, from `scope` down, in which these groups support a rule.
fn descend(
    groups: &[&Group],
    scope: &str,
    depth: usize,
    limits: &Limits,
    scopes: &mut Vec<String>,
) {
    let evidence = tally(groups.iter().copied());
    if evidence.contents < limits.min_support {
        return;
    }
    if limits.accept(&evidence) && !is_outvoted(groups, depth) {
        scopes.push(scope.to_owned());
    } else if depth < DEPTH {
        for (folder, inside) in folders(groups, depth) {
            descend(&inside, &format!("{scope}/{folder}"), depth + 1, limits, scopes);
        }
    }
}

/// Returns groups by the segment of their paths at `depth`, ascending; groups without that segment are left out.
fn folders<'a>(groups: &[&'a Group], depth: usize) -> Vec<(&'a str, Vec<&'a Group>)> {
    let segment = |group: &'a Group| {
        let segment = Parts::from_address(&group.address).segments().nth(depth)?;
        let segment = segment.split(';').next().unwrap_or_default();
        (!segment.is_empty()).then_some(segment)
    };
    let mut keyed: Vec<(&str, &Group)> =
        groups.iter().filter_map(|&group| Some((segment(group)?, group))).collect();
    keyed.sort_by(|x, y| x.0.cmp(y.0));
    let same = keyed.chunk_by(|x, y| x.0 == y.0);
    same.map(|same| (same[0].0, same.iter().map(|&(_, group)| group).collect())).collect()
}

/// Returns whether more contents would be lost than kept in some folder from `depth` on. The rest of a large host must
/// not outvote the one path on which a parameter matters.
fn is_outvoted(groups: &[&Group], depth: usize) -> bool {
    if depth >= DEPTH || groups.iter().all(|group| group.agrees()) {
        return false;
    }
    folders(groups, depth).into_iter().any(|(_, inside)| {
        let evidence = tally(inside.iter().copied());
        (evidence.conflicts >= OUTVOTES && evidence.conflicts > evidence.contents)
            || is_outvoted(&inside, depth + 1)
    })
}

/// Returns whether most values that a segment rule drops were seen to make no difference. If not, the rest may be names
/// of folders that happen to have the same shape.
fn is_covered(candidate: &Rule, nodes: &[&Node], groups: &[Group]) -> bool {
    let Kind::Segment { at, shape } = &candidate.kind else { return true };
    let value = |node: &Node| {
        let parts = Parts::from_address(&node.address);
        let segment = parts.segments().nth(*at).filter(|segment| shape.matches(segment))?;
        is_below(parts.path, &candidate.scope).then(|| segment.to_owned())
    };
    let all: BTreeSet<String> = nodes.iter().filter_map(|node| value(node)).collect();
    let agreeing = groups.iter().filter(|group| group.agrees()).flat_map(|group| &group.members);
    let covered: BTreeSet<String> = agreeing.filter_map(|&i| value(nodes[i])).collect();
    covered.len() as f64 >= COVERED * all.len() as f64
}

/// Returns the smallest bundle of these candidates that holds, although none of them does alone.
fn together(mut bundle: Vec<Rule>, nodes: &[Node], limits: &Limits) -> Vec<Rule> {
    let nodes: Vec<&Node> = nodes.iter().collect();
    bundle.truncate(BUNDLED);
    let evidence = |rules: &[&Rule]| tally(&groups(&nodes, rules));
    let without = |bundle: &[Rule], left_out: usize| {
        let kept = bundle.iter().enumerate().filter(|&(i, _)| i != left_out);
        evidence(&kept.map(|(_, rule)| rule).collect::<Vec<_>>())
    };
    while bundle.len() > 1 {
        let all: Vec<&Rule> = bundle.iter().collect();
        let found = groups(&nodes, &all);
        if found.is_empty() && bundle.iter().all(Rule::drops_parameter) {
            // Fewer of them do not make addresses equal either.
            return Vec::new();
        }
        let so_far = tally(&found);
        let is_outvoted = is_outvoted(&found.iter().collect::<Vec<_>>(), 0);
        let holds = limits.accept(&so_far) && !is_outvoted;
        let covered = |i: &usize| is_covered(&bundle[*i], &nodes, &found);
        let numbers = 0..bundle.len();
        let dropped = if !holds {
            // Drop the rule without which the fewest contents are lost, and then the most are kept.
            numbers.rev().min_by_key(|&i| {
                let rest = without(&bundle, i);
                (rest.conflicts, usize::MAX - rest.contents)
            })
        } else if let Some(uncovered) = numbers.clone().find(|i| !covered(i)) {
            Some(uncovered)
        } else {
            // Drop the least simple rule that adds nothing.
            numbers.rev().find(|&i| {
                let rest = without(&bundle, i);
                limits.accept(&rest) && rest.contents >= so_far.contents
            })
        };
        match dropped {
            Some(i) => drop(bundle.remove(i)),
            None => return bundle,
        }
    }
    Vec::new()
}

/// Applies rules that hold together, and describes them.
fn accept(rules: &[Rule], nodes: &mut Vec<Node>, limits: &Limits) -> Vec<LearntRule> {
    let all: Vec<&Rule> = rules.iter().collect();
    let described = {
        let refs: Vec<&Node> = nodes.iter().collect();
        describe(&all, &refs)
    };
    // Rules below folders are applied one after another, and an earlier one may have left nothing to explain.
    if described.first().is_none_or(|first| !limits.accept(&first.evidence)) {
        return Vec::new();
    }
    *nodes = merged(std::mem::take(nodes), &all);
    described
}

/// Describes rules by their evidence, examples, and the look of their values.
pub(super) fn describe(rules: &[&Rule], nodes: &[&Node]) -> Vec<LearntRule> {
    let found = groups(nodes, rules);
    let evidence = tally(&found);
    let best = found.iter().filter(|group| group.agrees()).max_by_key(|group| {
        let is_plain = group.path().len() < 60;
        (is_plain, group.members.len().min(3), std::cmp::Reverse(&group.address))
    });
    let examples: Vec<(String, String)> = best.map_or_else(Vec::new, |group| {
        let steps = Steps::new(rules);
        let changed = group.members.iter().filter_map(|&i| {
            let address = &nodes[i].address;
            steps.rewritten(address).map(|after| (address.clone(), after))
        });
        changed.take(2).collect()
    });
    let each = |rule: &&Rule| LearntRule {
        rule: (*rule).clone(),
        evidence,
        is_joint: rules.len() > 1,
        n_urls: nodes.iter().filter(|n| rule.apply(&n.address).is_some()).map(|n| n.n_urls).sum(),
        looks: looks(rule, nodes),
        examples: examples.clone(),
    };
    rules.iter().map(each).collect()
}

/// Describes the look of the values that a rule drops, for readers only.
fn looks(rule: &Rule, nodes: &[&Node]) -> Option<&'static str> {
    let mut values: BTreeSet<&str> = BTreeSet::new();
    for node in nodes.iter().take(SHOWN_VALUES) {
        let parts = Parts::from_address(&node.address);
        let of =
            |piece: &'_ str, name: &str| piece.strip_prefix(name)?.strip_prefix('=').map(str::len);
        match &rule.kind {
            Kind::Parameter(name) => values.extend(
                parts.parameters().filter_map(|p| of(p, name).map(|len| &p[p.len() - len..])),
            ),
            Kind::PathParameter(name) => values.extend(
                parts
                    .path
                    .split(['/', ';'])
                    .filter_map(|p| of(p, name).map(|len| &p[p.len() - len..])),
            ),
            Kind::Segment { at, shape } => {
                values.extend(parts.segments().nth(*at).filter(|segment| shape.matches(segment)));
            }
            _ => return None,
        }
    }
    // A random value is long and mixes digits with other characters, or is very long.
    let is_random = |value: &&&str| {
        let n_digits = value.bytes().filter(u8::is_ascii_digit).count();
        value.len() >= 8 && n_digits > 0 && value.len() > n_digits
            || value.len() >= 16 && !value.contains(['%', '+', '.'])
    };
    let n_random = values.iter().filter(is_random).count();
    if values.len() >= 2 && 2 * n_random > values.len() {
        Some("random values, as of sessions")
    } else if values.len() >= 2 && values.iter().all(|v| v.bytes().all(|b| b.is_ascii_digit())) {
        Some("numbers, as of counters or times")
    } else if values.len() >= 2 {
        Some("words, as of campaigns or views")
    } else {
        None
    }
}
