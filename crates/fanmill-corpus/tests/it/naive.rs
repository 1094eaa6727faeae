//! The naive twin of `dedup`: all pairs, one by one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use fanmill_corpus::dedup::{Keep, LEAST_CONTAINED, Linkage, Measure, Settings};
use fanmill_corpus::reference_split::ReferenceSplit;
use fanmill_corpus::{ShortTexts, are_copies};

use crate::corpus::Doc;

/// A document that is removed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Removed {
    pub(crate) document: usize,
    pub(crate) kept: usize,
    pub(crate) resemblance: f64,
    pub(crate) containment: f64,
    pub(crate) is_copy: bool,
}

/// Words of ASCII texts.
pub(crate) fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Returns whether a text of these words is compared word by word.
fn is_short(words: &[String], settings: &Settings) -> bool {
    let n_letters: usize = words.iter().map(|word| word.replace('_', "").len()).sum();
    settings.short_texts == ShortTexts::Slips
        && !settings.measure.is_containment()
        && (words.len() < 6 * settings.words || n_letters < 20 * settings.words)
}

/// The shingles of documents, numbered: equal shingles have equal numbers. Of a short document, its words, each at its
/// place; and then these words.
pub(crate) struct Sets(Vec<Vec<u64>>, Vec<Option<String>>);

impl Sets {
    pub(crate) fn new(records: &[Option<&Doc>], settings: &Settings) -> Sets {
        let mut numbers: BTreeMap<(Vec<String>, usize), u64> = BTreeMap::new();
        let set = |record: Option<&Doc>| {
            let words = record.map(|doc| words(&doc.text)).unwrap_or_default();
            if is_short(&words, settings) {
                let places = words.iter().zip(1_000_000..).map(|(word, place)| {
                    let next = numbers.len() as u64;
                    *numbers.entry((vec![word.clone()], place)).or_insert(next)
                });
                let mut set: Vec<u64> = places.collect();
                set.sort_unstable();
                return set;
            }
            let k = settings.words.min(words.len().max(1));
            let mut seen: BTreeMap<&[String], usize> = BTreeMap::new();
            let mut set = BTreeSet::new();
            for shingle in words.windows(k) {
                let n = seen.entry(shingle).or_default();
                *n += usize::from(settings.is_weighted);
                let next = numbers.len() as u64;
                set.insert(*numbers.entry((shingle.to_vec(), *n)).or_insert(next));
            }
            set.into_iter().collect()
        };
        let short = |record: Option<&Doc>| {
            let words = words(&record?.text);
            (!words.is_empty() && is_short(&words, settings)).then(|| words.join(" "))
        };
        let shown = records.iter().copied().map(short).collect();
        Sets(records.iter().copied().map(set).collect(), shown)
    }

    pub(crate) fn of(&self, document: usize) -> &[u64] {
        &self.0[document]
    }

    pub(crate) fn n_common(&self, a: usize, b: usize) -> usize {
        self.0[a].iter().filter(|shingle| self.0[b].contains(shingle)).count()
    }

    pub(crate) fn resemblance(&self, a: usize, b: usize) -> f64 {
        let n_common = self.n_common(a, b);
        n_common as f64 / (self.0[a].len() + self.0[b].len() - n_common) as f64
    }

    /// The pairs that count, of which the first is the lower document.
    pub(crate) fn edges(
        &self,
        measure: Measure,
        sides: ReferenceSplit,
    ) -> BTreeSet<(usize, usize)> {
        let counts = |a: usize, b: usize| match measure {
            Measure::Resemblance(threshold) => {
                self.resemblance(a, b) >= threshold.value()
                    && match (&self.1[a], &self.1[b]) {
                        (Some(a), Some(b)) => are_copies(a, b, threshold.value()),
                        _ => true,
                    }
            }
            Measure::Containment(threshold) => {
                let (of_a, of_b) = (self.0[a].len(), self.0[b].len());
                // What can go is to be contained: the smaller one, or what is not of the reference.
                let inner = if sides.is_reference(a as u32) { of_b } else { of_a.min(of_b) };
                let part = self.n_common(a, b) as f64 / inner as f64;
                of_a.min(of_b) >= LEAST_CONTAINED && part >= threshold.value()
            }
        };
        let n = self.0.len();
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let pairs = pairs.filter(|&(a, b)| sides.may_pair(a as u32, b as u32));
        pairs.filter(|&(a, b)| counts(a, b)).flat_map(|(a, b)| [(a, b), (b, a)]).collect()
    }
}

/// The rank of a document: of two, the lower one is kept.
pub(crate) fn preference(keep: &Keep, doc: &Doc, document: usize) -> (bool, i64, usize) {
    let value = match keep {
        Keep::First => Some(0),
        Keep::Longest => i64::try_from(doc.text.len()).ok().map(|n| -n),
        Keep::Newest(_) | Keep::Highest(_) => doc.score.map(|n| -n),
        Keep::Oldest(_) | Keep::Lowest(_) => doc.score,
        Keep::Source(_, sources) => {
            let place = doc.source.and_then(|own| sources.iter().position(|s| s == own));
            place.and_then(|place| i64::try_from(place).ok())
        }
    };
    (value.is_none(), value.unwrap_or(0), document)
}

/// The documents that are removed if all pairs are found.
pub(crate) fn removed(records: &[Option<&Doc>], settings: &Settings) -> Vec<Removed> {
    removed_between(records, settings, ReferenceSplit::default())
}

/// The same for records of which the first may be of a reference.
pub(crate) fn removed_between(
    records: &[Option<&Doc>],
    settings: &Settings,
    sides: ReferenceSplit,
) -> Vec<Removed> {
    let sets = Sets::new(records, settings);
    let edges = sets.edges(settings.measure, sides);
    // Equal texts are one node, also texts without words; empty texts are not.
    let mut nodes: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (document, doc) in records.iter().enumerate() {
        if let Some(doc) = doc.filter(|doc| !doc.text.is_empty()) {
            nodes.entry(&doc.text).or_default().push(document);
        }
    }
    let preferred = |&document: &usize| {
        let doc = records[document].expect("nodes are documents");
        // The reference first, in its own order.
        if sides.is_reference(document as u32) {
            (false, (false, 0, document))
        } else {
            (true, preference(&settings.keep, doc, document))
        }
    };
    let mut nodes: Vec<Vec<usize>> = nodes.into_values().collect();
    for node in &mut nodes {
        node.sort_by_key(preferred);
    }
    nodes.sort_by_key(|node| {
        let size = if settings.measure.is_containment() { sets.of(node[0]).len() } else { 0 };
        (!sides.is_reference(node[0] as u32), Reverse(size), preferred(&node[0]))
    });
    let mut removed = Vec::new();
    let mut left = nodes;
    while !left.is_empty() {
        let centre = left.remove(0);
        let mut cluster = vec![centre.clone()];
        let mut at = 0;
        while at < cluster.len() && (at == 0 || settings.linkage == Linkage::Components) {
            let here = cluster[at][0];
            let (near, far) = left.into_iter().partition(|node| edges.contains(&(here, node[0])));
            left = far;
            cluster.extend::<Vec<Vec<usize>>>(near);
            at += 1;
        }
        let kept = centre[0];
        let goes =
            |&document: &usize| document != kept && sides.may_pair(kept as u32, document as u32);
        for document in cluster.into_iter().flatten().filter(goes) {
            let is_copy = centre.contains(&document);
            let containment = sets.n_common(document, kept) as f64 / sets.of(document).len() as f64;
            removed.push(Removed {
                document,
                kept,
                // Texts without words would divide by zero.
                resemblance: if is_copy { 1.0 } else { sets.resemblance(document, kept) },
                containment: if is_copy { 1.0 } else { containment },
                is_copy,
            });
        }
    }
    removed.sort_by_key(|removed| removed.document);
    removed
}
