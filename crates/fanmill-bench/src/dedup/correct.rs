//! The correctness of the job: whether it finds the true pairs and removes the right documents.
//!
//! The ground truth uses Python's words. The job's words are folded, include marks, and in scripts without spaces each
//! character is a word. Some pairs therefore reach the threshold by one kind of word and not by the other. These pairs
//! are counted by the cause of the difference, and some are shown.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use fanmill_text::frontend::{fold, runs};

use super::corpus::{Corpus, THRESHOLD, ordered, reaches};
use super::job::{Found, Job};

/// Number of differing pairs shown.
const SHOWN: usize = 5;

/// Prints pairs and removals, by sketches and by the exact join.
pub(super) fn print(job: &Job, corpus: &Corpus) -> Result<()> {
    let n_true = corpus.true_pairs().count();
    println!("\ncorrectness at {THRESHOLD}, copies counted as what they are copies of");
    println!(
        "{:<10} {:>9} {:>9} {:>8} {:>16} {:>15} {:>8} {:>9}",
        "search",
        "reported",
        "of true",
        "recall",
        "of own words'",
        "recall of these",
        "false",
        "differ"
    );
    for (name, arguments) in [("sketches", &[][..]), ("exact", &["--exact"][..])] {
        let found = job.find(corpus, arguments)?;
        let reported = expanded(corpus, &found);
        let own = own_pairs(corpus, &reported);
        let n_found = corpus.true_pairs().filter(|&pair| found.has(corpus, pair)).count();
        let n_own = own.iter().filter(|&&pair| found.has(corpus, pair)).count();
        // A reported pair is false if it does not reach the threshold by the job's own words either.
        let n_false = reported.iter().filter(|pair| !own.contains(pair)).count();
        let more = reported.iter().filter(|pair| !truly(corpus, **pair)).copied();
        let less = corpus.true_pairs().filter(|&pair| !found.has(corpus, pair));
        let (more, less): (Vec<_>, Vec<_>) = (more.collect(), less.collect());
        println!(
            "{name:<10} {:>9} {n_found:>9} {:>8.5} {:>16} {:>15.5} {n_false:>8} {:>9}",
            reported.len(),
            n_found as f64 / n_true as f64,
            own.len(),
            n_own as f64 / own.len().max(1) as f64,
            more.len() + less.len(),
        );
        differing("reported, below by the truth", corpus, &more);
        differing("true, not reported", corpus, &less);
        removals(corpus, &found, &own);
    }
    Ok(())
}

fn truly(corpus: &Corpus, pair: (u32, u32)) -> bool {
    corpus.truth.get(&pair).is_some_and(|&resemblance| reaches(resemblance))
}

/// Returns all pairs of documents that a run reports: its edges, expanded to all copies of both documents.
fn expanded(corpus: &Corpus, found: &Found) -> BTreeSet<(u32, u32)> {
    let mut same: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (document, &first) in (0..).zip(&corpus.first_of) {
        same.entry(first).or_default().push(document);
    }
    let mut pairs = BTreeSet::new();
    for (a, b) in &found.edges {
        pairs.extend(same[a].iter().flat_map(|&a| same[b].iter().map(move |&b| ordered(a, b))));
    }
    for documents in same.values() {
        for (i, &a) in documents.iter().enumerate() {
            pairs.extend(documents[i + 1..].iter().map(|&b| (a, b)));
        }
    }
    pairs
}

/// Returns the pairs that reach the threshold by the job's words, among the reported ones and the true ones down to .5.
fn own_pairs(corpus: &Corpus, reported: &BTreeSet<(u32, u32)>) -> BTreeSet<(u32, u32)> {
    let looked_at: BTreeSet<(u32, u32)> = corpus.truth.keys().chain(reported).copied().collect();
    let mut sets: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for document in looked_at.iter().flat_map(|&(a, b)| [a, b]) {
        sets.entry(document).or_insert_with(|| corpus.set(document));
    }
    let reaches = |&(a, b): &(u32, u32)| {
        let (a, b) = (&sets[&a], &sets[&b]);
        fanmill_sketch::lsh::verify::resemblance(a, b).is_some_and(|r| r >= THRESHOLD)
    };
    looked_at.into_iter().filter(reaches).collect()
}

/// Prints one line: the number of differing pairs, the reasons, and the first few pairs.
fn differing(what: &str, corpus: &Corpus, pairs: &[(u32, u32)]) {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for &pair in pairs {
        *reasons.entry(reason(corpus, pair)).or_default() += 1;
    }
    let reasons: Vec<String> = reasons.iter().map(|(why, n)| format!("{n} by {why}")).collect();
    let mut first: Vec<(u32, u32)> = pairs.to_vec();
    first.sort_unstable();
    let shown = first.iter().take(SHOWN).map(|&(a, b)| {
        let of_truth = corpus.truth.get(&(a, b)).copied();
        let of_truth = of_truth.map_or("below .5".to_owned(), |r| format!("{r:.3}"));
        let (a, b) = (&corpus.ids[a as usize], &corpus.ids[b as usize]);
        format!("{a} {b} ({of_truth} there)")
    });
    let shown: Vec<String> = shown.collect();
    println!("  {what}: {} [{}] {}", pairs.len(), reasons.join(", "), shown.join("; "));
}

/// Returns the reason why the words of a pair differ from Python's.
fn reason(corpus: &Corpus, (a, b): (u32, u32)) -> &'static str {
    let texts = [a, b].map(|document| corpus.texts[document as usize].as_str());
    let own = corpus.resemblance((a, b)) >= THRESHOLD;
    if own == truly(corpus, (a, b)) {
        "the sketch"
    } else if texts.iter().any(|text| is_unspaced(text)) {
        "characters as words"
    } else if texts.iter().any(|text| fold(text).text != **text) {
        "folding"
    } else {
        "marks and other classes of characters"
    }
}

/// Returns whether single characters of a text are words: the text has more words than runs of letters.
fn is_unspaced(text: &str) -> bool {
    let mut words = Vec::new();
    runs::word_hashes(text, &mut words);
    let rows = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.len() > rows.filter(|row| !row.is_empty()).count() * 11 / 10
}

/// Prints the removed documents beside those that the definition removes: in the order of the corpus, each document
/// that has not been removed stays, and all its partners are removed.
fn removals(corpus: &Corpus, found: &Found, own: &BTreeSet<(u32, u32)>) {
    let of_truth = removable(corpus.ids.len(), corpus.true_pairs());
    let of_own = removable(corpus.ids.len(), own.iter().copied());
    let n = |which: &[bool]| which.iter().filter(|is| **is).count();
    // The removals of the run, as a flag per document, to compare with both definitions.
    let mut is_removed = vec![false; corpus.ids.len()];
    found.removed.iter().for_each(|&document| is_removed[document as usize] = true);
    let differ = |which: &[bool]| which.iter().zip(&is_removed).filter(|(a, b)| a != b).count();
    println!(
        "  removed {}; by definition {} of the truth's pairs ({} documents differ), {} of its own words' \
         ({} differ)",
        found.removed.len(),
        n(&of_truth),
        differ(&of_truth),
        n(&of_own),
        differ(&of_own)
    );
    let words: Vec<Vec<u64>> = corpus.texts.iter().map(|text| words(text)).collect();
    // Short documents are examined separately: a removed one is lost if it has no words, or if no equal one stays.
    let stays: BTreeSet<&Vec<u64>> =
        words.iter().zip(&is_removed).filter(|(_, removed)| !**removed).map(|(w, _)| w).collect();
    let short = |document: &&u32| words[**document as usize].len() < 5;
    let n_short = words.iter().filter(|words| words.len() < 5).count();
    let n_wordless = words.iter().filter(|words| words.is_empty()).count();
    let dropped: Vec<&u32> = found.removed.iter().filter(short).collect();
    let lost = dropped.iter().filter(|document| {
        let words = &words[***document as usize];
        words.is_empty() || !stays.contains(words)
    });
    println!(
        "  of {n_short} documents below 5 words, {n_wordless} of them without any, {} are removed, {} of \
         them without an equal one that stays",
        dropped.len(),
        lost.count()
    );
}

fn words(text: &str) -> Vec<u64> {
    let mut words = Vec::new();
    runs::word_hashes(text, &mut words);
    words
}

/// Returns, for each document, whether the definition removes it.
fn removable(n: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Vec<bool> {
    let mut others: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (a, b) in pairs {
        others[a as usize].push(b);
    }
    let mut is_taken = vec![false; n];
    for document in 0..n {
        if !is_taken[document] {
            // Its partners before it were all removed; otherwise it would have been removed itself.
            others[document].iter().for_each(|&other| is_taken[other as usize] = true);
        }
    }
    is_taken
}
