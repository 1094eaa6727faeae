//! Counts the occurrences of every gram, and the documents it occurs in, in bounded memory.
//!
//! Counting all grams at once would take memory for each distinct one. The range of hashes is therefore divided into
//! parts, and the documents are hashed again for each part. A pass holds some eight million grams and is exact; only a
//! histogram and the most common grams are kept.
//!
//! Cost: O(n log n) for n grams, and hashing them once per pass; up to a gibibyte beside the documents.

use std::cmp::Reverse;

use fanmill::select::{Selector, Thresholds};
use fanmill_text::gram;
use fanmill_text::progress::Progress;

use super::documents::Documents;
use super::rank::Plateau;

/// Maximum number of grams in a pass: each takes up to 32 bytes in the tally, and as much again while it
/// merges.
const GRAMS_OF_A_PASS: u64 = 1 << 23;

/// Number of the most common grams kept for display; their passages fill the table many times over.
const OFTEN: usize = 1 << 16;

/// Number of widespread grams kept for the base: at most half a gibibyte of text.
const WIDESPREAD: usize = 1 << 20;

/// The rule by which grams are counted.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The length of grams, and the window of the selector.
    pub thresholds: Thresholds,
    /// The selector of the grams that are fingerprints.
    pub selector: Selector,
    /// Grams in more documents than this are widespread.
    pub max_documents: u64,
}

/// A gram that occurs more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GramCount {
    /// Its hash.
    pub hash: u64,
    /// Number of its occurrences.
    pub occurrences: u64,
    /// Number of documents in which it occurs.
    pub documents: u64,
}

/// The counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// All grams by frequency, descending.
    pub all: Vec<Plateau>,
    /// Selected grams by the number of times they were selected, descending.
    pub selected: Vec<Plateau>,
    /// The most common grams, which occur at least twice, most common first.
    pub often: Vec<GramCount>,
    /// The grams in more documents than the rule allows, ascending by hash.
    pub widespread: Vec<GramCount>,
    /// True if there are more widespread grams than are kept.
    pub is_cut: bool,
}

/// Counts the grams of documents, which have `n_tokens` tokens in all.
pub fn count(
    documents: &(impl Documents + ?Sized),
    n_tokens: u64,
    rule: &Rule,
    progress: &dyn Progress,
) -> Counts {
    count_in(documents, n_tokens.div_ceil(GRAMS_OF_A_PASS).max(1), rule, progress)
}

/// Counts grams like [`count`], in a given number of passes.
fn count_in(
    documents: &(impl Documents + ?Sized),
    n_passes: u64,
    rule: &Rule,
    progress: &dyn Progress,
) -> Counts {
    let k = rule.thresholds.noise();
    let mut counts = Counts::default();
    let (mut of_all, mut of_selected) = (Vec::new(), Vec::new());
    let mut positions = Vec::new();
    progress.begin("counting", n_passes * documents.n_documents() as u64);
    for pass in 0..n_passes {
        // A pass counts the hashes in one of `n_passes` equal parts of their range.
        let is_of_pass =
            |hash: u64| (u128::from(hash) * u128::from(n_passes)) >> 64 == u128::from(pass);
        let (mut all, mut selected) = (Tally::default(), Tally::default());
        for document in 0..documents.n_documents() as u32 {
            progress.advance();
            let symbols = documents.symbols(document as usize);
            gram::hash_in_parts(&symbols, k, |_, hashes| {
                let own = hashes.iter().copied().filter(|&hash| is_of_pass(hash));
                own.for_each(|hash| all.push(hash, document));
            });
            // Selection examines whole documents, so it runs on all hashes in every pass.
            positions.clear();
            rule.selector.select(&symbols, rule.thresholds, &mut positions);
            let chosen = positions.iter().map(|&at| gram::hash(&symbols[at as usize..][..k]));
            chosen.filter(|&hash| is_of_pass(hash)).for_each(|hash| selected.push(hash, document));
        }
        let (all, selected) = (all.finish(), selected.finish());
        add_to_histogram(&all, &mut of_all);
        add_to_histogram(&selected, &mut of_selected);
        counts.take_common(&all, rule);
    }
    counts.cut();
    counts.widespread.sort_unstable_by_key(|gram| gram.hash);
    (counts.all, counts.selected) = (of_all, of_selected);
    counts
}

impl Counts {
    fn take_common(&mut self, tally: &[Entry], rule: &Rule) {
        for entry in tally.iter().filter(|entry| entry.occurrences > 1) {
            let counted = GramCount {
                hash: entry.hash,
                occurrences: entry.occurrences,
                documents: u64::from(entry.documents),
            };
            self.often.push(counted);
            if counted.documents > rule.max_documents {
                self.widespread.push(counted);
            }
            // Cut only when there are several times too many, so that sorting stays cheap.
            if self.often.len() >= 4 * OFTEN || self.widespread.len() >= 2 * WIDESPREAD {
                self.cut();
            }
        }
    }

    /// Keeps only the most common grams.
    fn cut(&mut self) {
        let by_occurrences = |gram: &GramCount| (gram.occurrences, gram.documents);
        self.often.sort_unstable_by(|x, y| {
            by_occurrences(y).cmp(&by_occurrences(x)).then(x.hash.cmp(&y.hash))
        });
        self.often.truncate(OFTEN);
        if self.widespread.len() > WIDESPREAD {
            self.is_cut = true;
            self.widespread
                .sort_unstable_by(|x, y| y.documents.cmp(&x.documents).then(x.hash.cmp(&y.hash)));
            self.widespread.truncate(WIDESPREAD);
        }
    }
}

/// Adds grams to a histogram, which is ordered by descending occurrences.
fn add_to_histogram(tally: &[Entry], histogram: &mut Vec<Plateau>) {
    histogram
        .extend(tally.iter().map(|gram| Plateau { occurrences: gram.occurrences, n_grams: 1 }));
    histogram.sort_unstable_by_key(|plateau| Reverse(plateau.occurrences));
    histogram.dedup_by(|next, kept| {
        let is_equal = next.occurrences == kept.occurrences;
        kept.n_grams += if is_equal { next.n_grams } else { 0 };
        is_equal
    });
    histogram.shrink_to_fit();
}

/// Grams counted so far, in memory bounded by the number of distinct ones.
#[derive(Debug, Default)]
struct Tally {
    /// The counted grams, ascending by hash.
    counted: Vec<Entry>,
    /// Grams not counted yet: hash and document.
    fresh: Vec<(u64, u32)>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    hash: u64,
    occurrences: u64,
    documents: u32,
    /// The first and last document in which it was counted.
    first: u32,
    last: u32,
}

impl Tally {
    /// Number of grams collected before they are counted together. A file of one line repeated a million
    /// times must not take memory for each of its tokens.
    const FRESH: usize = 1 << 16;

    /// Adds a gram. Documents must come in ascending order.
    fn push(&mut self, hash: u64, document: u32) {
        self.fresh.push((hash, document));
        if self.fresh.len() >= Tally::FRESH.max(self.counted.len()) {
            self.count_fresh();
        }
    }

    fn finish(mut self) -> Vec<Entry> {
        self.count_fresh();
        self.counted
    }

    fn count_fresh(&mut self) {
        self.fresh.sort_unstable();
        let fresh = self.fresh.chunk_by(|x, y| x.0 == y.0).map(Entry::from_run);
        self.counted.extend(fresh);
        self.fresh.clear();
        // These are two ascending runs, which the stable sort merges, older entries first.
        self.counted.sort_by_key(|entry| entry.hash);
        self.counted.dedup_by(|next, kept| {
            let is_equal = next.hash == kept.hash;
            if is_equal {
                kept.append(next);
            }
            is_equal
        });
    }
}

impl Entry {
    /// Returns the entry for a run of equal grams, ordered by document.
    fn from_run(run: &[(u64, u32)]) -> Entry {
        Entry {
            hash: run[0].0,
            occurrences: run.len() as u64,
            documents: run.chunk_by(|x, y| x.1 == y.1).count() as u32,
            first: run[0].1,
            last: run[run.len() - 1].1,
        }
    }

    /// Adds a later entry of the same gram, which may begin in the document where this one ends.
    fn append(&mut self, next: &Entry) {
        self.occurrences += next.occurrences;
        self.documents += next.documents - u32::from(self.last == next.first);
        self.last = next.last;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use fanmill_text::progress::Silent;
    use fanmill_text::token::Symbol;
    use proptest::prelude::*;

    use super::*;
    use crate::samples::symbols;

    fn rule(noise: u32, guarantee: u32, max_documents: u64) -> Rule {
        let thresholds = Thresholds::new(noise, guarantee).expect("ordered");
        Rule { thresholds, selector: Selector::Winnow, max_documents }
    }

    /// Counts all grams in a map, as the naive twin.
    fn naive(documents: &[&[Symbol]], rule: &Rule) -> Counts {
        let k = rule.thresholds.noise();
        let mut all: BTreeMap<u64, (u64, BTreeSet<usize>)> = BTreeMap::new();
        let mut selected: BTreeMap<u64, u64> = BTreeMap::new();
        for (document, symbols) in documents.iter().enumerate() {
            for hash in symbols.windows(k).map(gram::hash) {
                let entry = all.entry(hash).or_default();
                entry.0 += 1;
                entry.1.insert(document);
            }
            let mut positions = Vec::new();
            rule.selector.select(symbols, rule.thresholds, &mut positions);
            for at in positions {
                *selected.entry(gram::hash(&symbols[at as usize..][..k])).or_default() += 1;
            }
        }
        let counted: Vec<GramCount> = all
            .iter()
            .map(|(&hash, (occurrences, documents))| GramCount {
                hash,
                occurrences: *occurrences,
                documents: documents.len() as u64,
            })
            .collect();
        let mut often: Vec<GramCount> =
            counted.iter().copied().filter(|gram| gram.occurrences > 1).collect();
        often.sort_by_key(|gram| (Reverse((gram.occurrences, gram.documents)), gram.hash));
        Counts {
            all: histogram(counted.iter().map(|gram| gram.occurrences)),
            selected: histogram(selected.into_values()),
            often,
            widespread: counted
                .into_iter()
                .filter(|gram| gram.occurrences > 1 && gram.documents > rule.max_documents)
                .collect(),
            is_cut: false,
        }
    }

    fn histogram(frequencies: impl Iterator<Item = u64>) -> Vec<Plateau> {
        let mut numbers: BTreeMap<u64, u64> = BTreeMap::new();
        frequencies.for_each(|f| *numbers.entry(f).or_default() += 1);
        let plateaus = numbers.into_iter().rev();
        plateaus.map(|(occurrences, n_grams)| Plateau { occurrences, n_grams }).collect()
    }

    #[test]
    fn a_gram_counts_once_for_each_place_and_once_for_each_document() {
        let documents = ["abcabc", "xabcx", "bca"].map(symbols);
        let counts =
            count(&documents.each_ref().map(Vec::as_slice)[..], 14, &rule(3, 4, 1), &Silent);
        let of = |text: &str| {
            let hash = gram::hash(&symbols(text));
            counts.often.iter().find(|gram| gram.hash == hash).map(|g| (g.occurrences, g.documents))
        };
        assert_eq!(of("abc"), Some((3, 2)));
        assert_eq!(of("bca"), Some((2, 2)));
        assert_eq!(of("cab"), None, "once is not often");
        let plateau = |occurrences, n_grams| Plateau { occurrences, n_grams };
        assert_eq!(counts.all, [plateau(3, 1), plateau(2, 1), plateau(1, 3)]);
        assert_eq!(counts.widespread.len(), 2);
    }

    #[test]
    fn a_tally_counts_a_document_once_across_its_batches() {
        let mut tally = Tally::default();
        for i in 0..5 * Tally::FRESH {
            tally.push(7, u32::from(i > 2 * Tally::FRESH + 5));
        }
        let counted = tally.finish();
        assert_eq!(counted.len(), 1);
        assert_eq!((counted[0].occurrences, counted[0].documents), (5 * Tally::FRESH as u64, 2));
    }

    proptest! {
        #[test]
        fn passes_and_batches_change_nothing(
            texts in proptest::collection::vec("[ab]{0,40}", 0..8),
            noise in 1_u32..6,
            more in 0_u32..4,
            max_documents in 1_u64..4,
            n_passes in 1_u64..9,
        ) {
            let documents: Vec<Vec<Symbol>> = texts.iter().map(|text| symbols(text)).collect();
            let documents: Vec<&[Symbol]> = documents.iter().map(Vec::as_slice).collect();
            let rule = rule(noise, noise + more, max_documents);
            let counts = count_in(&documents[..], n_passes, &rule, &Silent);
            prop_assert_eq!(counts, naive(&documents, &rule));
        }
    }
}
