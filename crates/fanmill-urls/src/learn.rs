//! Learning rules from records: collects addresses with their contents, and learns from all of them.
//!
//! A round looks for hosts that are copies of others, for the rules of each host, and for folders that are copies of
//! others, on any host. The next round works on what these have left, since a session id may hide a mirror, and a
//! mirror a session id. In the end the rules are applied to every address as crawlers apply them, and the lost contents
//! are counted; a host whose rules lose too much gives up its last ones.
//!
//! Cost: O(n log n) time for each of at most [`ROUNDS`] rounds. In memory, an address takes four times its length and
//! about 300 bytes, and a content what [`content`](super::content) states.

use fanmill_text::message::Message;
use std::collections::{BTreeMap, BTreeSet};

use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, Setting};
use rayon::prelude::*;

use super::address::{Parts, normalise};
use super::content::{ContentId, Contents, Summariser, Summary};
use super::evidence::{Limits, Node, merged};
use super::moves::{self, MoveScope, Sites};
use super::pattern::{Pattern, Rewriter};
use super::site::{self, LearntRule};

/// Maximum number of rounds of hosts and folders.
const ROUNDS: usize = 4;
/// Hosts whose expressions are held at a time.
const HOSTS: usize = 256;
/// Copies of an address that are held while learning.
const COPIES: usize = 4;
/// Further bytes that an address takes.
const OVERHEAD: usize = 300;

/// The options for learning.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Resemblance at which two texts become one content, above 0 and at most 1.
    pub threshold: f64,
    /// The limits for sufficient evidence.
    pub limits: Limits,
    /// Bytes that addresses and contents may take.
    pub memory: u64,
}

impl Options {
    /// Returns the standard options: a resemblance of .9, the standard limits, and 4 GiB.
    pub const fn standard() -> Options {
        Options { threshold: 0.9, limits: Limits::standard(), memory: 4 << 30 }
    }
}

/// An address of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAddress {
    /// The URL as it was given, if that is not its normal form.
    given: Option<Box<str>>,
    /// The URL in normal form.
    address: Box<str>,
    /// The content at the address; `None` for a text without words.
    pub content: Option<ContentId>,
}

impl StoredAddress {
    /// Returns the URL as it was given.
    pub fn given(&self) -> &str {
        self.given.as_deref().unwrap_or(&self.address)
    }

    /// Returns the URL in normal form.
    pub fn address(&self) -> &str {
        &self.address
    }
}

/// The addresses and contents seen so far.
#[derive(Debug)]
pub struct Collector {
    options: Options,
    contents: Contents,
    stored: Vec<StoredAddress>,
    address_bytes: u64,
}

impl Collector {
    /// Makes an empty collector.
    ///
    /// # Errors
    /// If an option is out of bounds.
    pub fn new(options: Options) -> Result<Collector> {
        options.limits.check()?;
        let contents = Contents::new(options.threshold)?;
        Ok(Collector { options, contents, stored: Vec::new(), address_bytes: 0 })
    }

    /// Returns a summariser for the summaries that [`Self::push`] takes.
    ///
    /// # Errors
    /// Never for options that [`Self::new`] accepted.
    pub fn summariser(&self) -> Result<Summariser> {
        Summariser::new(self.options.threshold)
    }

    /// Adds a record. An inner error is the reason why this record is left out.
    ///
    /// # Errors
    /// If the memory limit is reached, or registers do not suffice for the threshold.
    pub fn push(
        &mut self,
        url: &str,
        summary: &Summary,
    ) -> Result<std::result::Result<(), Message>> {
        let address = match normalise(url) {
            Ok(address) => address,
            Err(reason) => return Ok(Err(reason.into())),
        };
        let content = match self.contents.place(summary) {
            Ok(content) => content,
            Err(error) if error.is_input() => return Ok(Err(error.message())),
            Err(error) => return Err(error),
        };
        let given = (url != address).then(|| url.into());
        // This counts the memory that learning will take, not only that of the record.
        self.address_bytes += (address.len() * COPIES + OVERHEAD) as u64;
        self.address_bytes += given.as_deref().map_or(0, str::len) as u64;
        self.stored.push(StoredAddress { given, address: address.into(), content });
        if self.bytes() > self.options.memory {
            return Err(Error::setting(message![
                (
                    "{} addresses and {} contents take {} bytes, above the limit of {}; raise ",
                    self.stored.len(),
                    self.contents.len(),
                    self.bytes(),
                    self.options.memory
                ),
                Setting("memory"),
                ", or give the hosts one after another"
            ]));
        }
        Ok(Ok(()))
    }

    /// Returns the bytes of memory that learning from all of this takes, approximately.
    pub fn bytes(&self) -> u64 {
        self.address_bytes + self.contents.bytes()
    }

    /// Learns the rules. The result is the same for any number of threads.
    ///
    /// # Errors
    /// If the run is cancelled, or if a rule does not have a regular expression, which would be a bug.
    pub fn learn(self, progress: &dyn Progress) -> Result<Findings> {
        let n_contents = self.contents.len();
        let bands = self.contents.bands().map(|bands| bands.to_string());
        let (nodes, n_unstable) = nodes(&self.stored);
        let n_addresses = nodes.len();
        let mut sites = Sites::new();
        for node in nodes {
            let host = Parts::from_address(&node.address).host.to_owned();
            sites.entry(host).or_default().push(node);
        }
        let n_hosts = sites.len();
        let limits = &self.options.limits;
        let rules = rounds(&mut sites, limits, progress)?;
        drop(sites);
        let mut found = checked(rules, &self.stored, limits, progress)?;
        // Hosts come before those they move to, if no more is lost in that order.
        if let Some(homed) = homed(&found.rules) {
            let other = checked(homed, &self.stored, limits, progress)?;
            if other.rules.len() == found.rules.len() && other.check.lost <= found.check.lost {
                found = other;
            }
        }
        let CheckedRules { rules, canonical, check } = found;
        Ok(Findings {
            options: self.options,
            hosts: hosts(&rules, &self.stored, &canonical),
            rules,
            stored: self.stored,
            canonical,
            n_hosts,
            n_addresses,
            n_contents,
            n_unstable,
            check,
            bands,
        })
    }
}

/// The result of learning.
#[derive(Debug)]
pub struct Findings {
    /// The options that were used.
    pub options: Options,
    /// The rules, in the order in which they apply.
    pub rules: Vec<LearntRule>,
    /// The records, in their order.
    pub stored: Vec<StoredAddress>,
    /// The address of each record after all rules.
    pub canonical: Vec<Box<str>>,
    /// Hosts with rules, ordered by the number of addresses that these save, the most first.
    pub hosts: Vec<HostFindings>,
    /// Number of different hosts.
    pub n_hosts: usize,
    /// Number of different addresses with a content.
    pub n_addresses: usize,
    /// Number of different contents.
    pub n_contents: usize,
    /// Number of addresses that were seen with several contents.
    pub n_unstable: usize,
    /// Counts of what the rules keep and lose.
    pub check: Check,
    /// The bands by which similar contents were found.
    pub bands: Option<String>,
}

/// The result for a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostFindings {
    /// Its name, with its port.
    pub host: String,
    /// The numbers of its rules, counted from 0, ascending.
    pub rules: Vec<usize>,
    /// Number of its different addresses.
    pub before: usize,
    /// Number of different addresses that the rules make of them.
    pub after: usize,
}

/// Counts of all addresses and contents under all rules.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Check {
    /// Number of different addresses after the rules.
    pub after: usize,
    /// Number of contents whose several addresses became one that no other content has.
    pub whole: usize,
    /// Number of contents that were lost because another one's address became theirs.
    pub lost: usize,
}

/// Returns the different addresses with their contents, and the number of those seen with several contents; of these,
/// the more frequent one counts.
fn nodes(stored: &[StoredAddress]) -> (Vec<Node>, usize) {
    let nodes = stored.iter().filter_map(|stored| {
        let content = stored.content?;
        Some(Node { address: stored.address.to_string(), content, n_urls: 1 })
    });
    let mut pairs: Vec<(&str, ContentId)> =
        stored.iter().filter_map(|s| Some((&*s.address, s.content?))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let n_unstable = pairs.chunk_by(|x, y| x.0 == y.0).filter(|same| same.len() > 1).count();
    (merged(nodes, &[]), n_unstable)
}

fn rounds(sites: &mut Sites, limits: &Limits, progress: &dyn Progress) -> Result<Vec<LearntRule>> {
    let mut rules = Vec::new();
    for _ in 0..ROUNDS {
        progress.check()?;
        let before = rules.len();
        rules.extend(moves::learn(sites, MoveScope::Roots, limits));
        let each: Vec<(&String, &mut Vec<Node>)> = sites.iter_mut().collect();
        let learn = |(host, nodes): (&String, &mut Vec<Node>)| {
            progress.check()?;
            Ok(site::learn(host, nodes, limits))
        };
        let found: Vec<Vec<LearntRule>> = each.into_par_iter().map(learn).collect::<Result<_>>()?;
        rules.extend(found.into_iter().flatten());
        progress.check()?;
        // Only now are paths free of session ids, which look like folders.
        rules.extend(moves::learn(sites, MoveScope::Hosts, limits));
        rules.extend(moves::learn(sites, MoveScope::Folders, limits));
        // Nothing has changed, so the next round would not find anything either.
        if rules.len() == before {
            break;
        }
    }
    Ok(rules)
}

/// Returns the rules in another order: those of a host come before those of the hosts that it moves to, so that the
/// latter also apply to addresses that move there. `None` if hosts move to each other.
fn homed(rules: &[LearntRule]) -> Option<Vec<LearntRule>> {
    let mut waiting: BTreeMap<&str, Vec<&LearntRule>> = BTreeMap::new();
    for learnt in rules {
        waiting.entry(&learnt.rule.host).or_default().push(learnt);
    }
    let mut homed = Vec::with_capacity(rules.len());
    while !waiting.is_empty() {
        let targets: BTreeSet<&str> =
            waiting.values().flatten().filter_map(|learnt| learnt.rule.new_host()).collect();
        let ready: Vec<&str> =
            waiting.keys().filter(|host| !targets.contains(*host)).copied().collect();
        if ready.is_empty() {
            return None;
        }
        for host in ready {
            homed.extend(waiting.remove(host)?.into_iter().cloned());
        }
    }
    Some(homed)
}

/// Rules applied as crawlers apply them, with the results.
struct CheckedRules {
    rules: Vec<LearntRule>,
    canonical: Vec<Box<str>>,
    check: Check,
}

/// Applies the rules as crawlers do, and removes rules of hosts that lose too much.
fn checked(
    mut rules: Vec<LearntRule>,
    stored: &[StoredAddress],
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<CheckedRules> {
    loop {
        let canonical = rewritten(&rules, stored, progress)?;
        let by_host = check(stored, &canonical);
        let too_much = by_host.iter().find(|(_, check)| !limits.bears(check.whole, check.lost));
        let culprit = too_much.and_then(|(host, _)| {
            rules.iter().rposition(|l| &l.rule.host == host || l.rule.new_host() == Some(host))
        });
        if let Some(culprit) = culprit {
            rules.remove(culprit);
            continue;
        }
        let total = by_host.values().fold(Check::default(), |sum, host| Check {
            after: sum.after + host.after,
            whole: sum.whole + host.whole,
            lost: sum.lost + host.lost,
        });
        return Ok(CheckedRules { rules, canonical, check: total });
    }
}

/// Returns the addresses after the rules. Expressions take tens of kilobytes each once they are used, so only those of
/// [`HOSTS`] hosts are held at a time, with those of the hosts that they lead to.
fn rewritten(
    rules: &[LearntRule],
    stored: &[StoredAddress],
    progress: &dyn Progress,
) -> Result<Vec<Box<str>>> {
    let mut canonical: Vec<Box<str>> = vec![Box::default(); stored.len()];
    let mut by_host: BTreeMap<&str, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (number, learnt) in rules.iter().enumerate() {
        by_host.entry(&learnt.rule.host).or_default().0.push(number);
    }
    for (i, stored) in stored.iter().enumerate() {
        by_host.entry(Parts::from_address(&stored.address).host).or_default().1.push(i);
    }
    let hosts: Vec<&str> = by_host.keys().copied().collect();
    for some in hosts.chunks(HOSTS) {
        progress.check()?;
        // The rules of hosts that addresses move to are needed, too, and so on.
        let mut numbers: BTreeSet<usize> = BTreeSet::new();
        let mut open = some.to_vec();
        while let Some(host) = open.pop() {
            let of_host = by_host.get(host).map_or(&[][..], |(numbers, _)| numbers);
            for &number in of_host.iter().filter(|&&number| numbers.insert(number)) {
                open.extend(rules[number].rule.new_host());
            }
        }
        let rewriter = Rewriter::numbered(numbers.into_iter().map(|number| {
            let rule = &rules[number].rule;
            (number, rule.host.clone(), Pattern::from_rule(rule))
        }))?;
        let places: Vec<usize> = some.iter().flat_map(|host| by_host[host].1.clone()).collect();
        let rewrite = |&i: &usize| rewriter.rewrite(&stored[i].address).into_boxed_str();
        let written: Vec<Box<str>> = places.par_iter().map(rewrite).collect();
        for (i, address) in places.into_iter().zip(written) {
            canonical[i] = address;
        }
    }
    Ok(canonical)
}

/// Counts addresses and contents after the rules, by host.
fn check(stored: &[StoredAddress], canonical: &[Box<str>]) -> BTreeMap<String, Check> {
    let (nodes, _) = nodes(stored);
    let content: BTreeMap<&str, ContentId> =
        nodes.iter().map(|node| (&*node.address, node.content)).collect();
    let mut met: Vec<(&str, ContentId, &str)> = stored
        .iter()
        .zip(canonical)
        .filter_map(|(s, c)| Some((&**c, *content.get(&*s.address)?, &*s.address)))
        .collect();
    met.sort_unstable();
    met.dedup();
    let mut checks: BTreeMap<String, Check> = BTreeMap::new();
    let mut whole: BTreeSet<(&str, ContentId)> = BTreeSet::new();
    for same in met.chunk_by(|x, y| x.0 == y.0) {
        let host = Parts::from_address(same[0].0).host;
        let check = checks.entry(host.to_owned()).or_default();
        let n_contents = same.chunk_by(|x, y| x.1 == y.1).count();
        check.after += 1;
        check.lost += n_contents - 1;
        if n_contents == 1 && same.len() > 1 && whole.insert((host, same[0].1)) {
            check.whole += 1;
        }
    }
    checks
}

/// Counts the addresses of each host with rules, before and after these.
fn hosts(
    rules: &[LearntRule],
    stored: &[StoredAddress],
    canonical: &[Box<str>],
) -> Vec<HostFindings> {
    let mut by_host: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, learnt) in rules.iter().enumerate() {
        by_host.entry(&learnt.rule.host).or_default().push(number);
    }
    let mut addresses: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (stored, canonical) in stored.iter().zip(canonical) {
        let host = Parts::from_address(&stored.address).host;
        if by_host.contains_key(host) {
            addresses.entry(host).or_default().push((canonical, &stored.address));
        }
    }
    let mut hosts: Vec<HostFindings> = by_host
        .into_iter()
        .map(|(host, rules)| {
            let mut pairs = addresses.remove(host).unwrap_or_default();
            pairs.sort_unstable();
            pairs.dedup();
            let after = pairs.chunk_by(|x, y| x.0 == y.0).count();
            HostFindings { host: host.to_owned(), rules, before: pairs.len(), after }
        })
        .collect();
    hosts.sort_by_key(|host| (std::cmp::Reverse(host.before - host.after), host.host.clone()));
    hosts
}
