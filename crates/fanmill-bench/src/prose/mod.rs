//! `fanmill-bench prose`: re-used text found again, passage by passage, beside the share of common word grams and the
//! cosine of words.
//!
//! The first set is the short answers by Clough & Stevenson, each with the article that its task is about; the figure
//! is the average precision of the copied pairs. The second set is the pairs of PAN 2013; the figures are the area
//! under the curve of each kind of re-use against the pairs without any, and passages in characters. All files of a set
//! are one batch, compared as a user would, and pairs that nobody put together measure false alarms. Articles are found
//! again after half of their words were replaced, deleted or swapped, and scored after lighter edits.
//!
//! A pair that is not listed ranks below all listed pairs.

pub(crate) mod sets;
mod alignment;
mod containment;
mod cosine;
mod articles;
mod edits;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use fanmill::pipeline::{Config, compare};
use fanmill::report::Report;
use fanmill_text::document::Corpus;
use fanmill_text::progress::Silent;

use crate::average_precision::average_precision;
use crate::prose::containment::Containment;
use crate::prose::cosine::Cosine;
use crate::prose::sets::{Pair, Set};

/// Rates of false alarms at which the found pairs are counted.
const FALSE_POSITIVE_RATES: [f64; 3] = [0.0, 0.005, 0.01];

/// The score of a pair that is not listed.
const NOT_LISTED: f64 = -1.0;

/// A way to score a pair of texts.
type Scorer<'a> = (&'a str, Box<dyn Fn(&Pair) -> f64 + 'a>);

/// Prints the results on the sets below `data/prose` and the articles in `data/text/reuters`.
pub(crate) fn run(data: &Path, config: &Config) -> Result<()> {
    let config = config.clone().with(|config| config.max_pairs = 1 << 24);
    clough(&data.join("prose"), &config)?;
    pan(&data.join("prose"), &config)?;
    let articles = data.join("text").join("reuters");
    articles::run(&articles, &config)?;
    edits::run(&articles, &config)?;
    println!("language: English; no other was measured");
    Ok(())
}

/// Compares texts with each other, and lists all pairs that share a passage.
fn report(corpus: Corpus, config: &Config) -> Result<Report> {
    Ok(compare(corpus, &fanmill_lang::registry(), config, &Silent)?.report)
}

/// The methods that the engine is compared with.
struct Peers {
    containment: Containment,
    cosine: Cosine,
}

impl Peers {
    fn from_corpus(corpus: &Corpus) -> Peers {
        Peers { containment: Containment::new(corpus), cosine: Cosine::new(corpus) }
    }
}

/// Returns the engine's scores, and those of its peers.
fn scorers<'a>(report: &Report, peers: &'a Peers) -> Vec<Scorer<'a>> {
    let name = |number: u32| report.submissions[number as usize].name.clone();
    let listed: BTreeMap<Pair, f64> = report
        .pairs
        .iter()
        .flat_map(|pair| {
            let (a, b) = (name(pair.a), name(pair.b));
            [((a.clone(), b.clone()), pair.score), ((b, a), pair.score)]
        })
        .collect();
    vec![
        ("fanmill", Box::new(move |pair| listed.get(pair).copied().unwrap_or(NOT_LISTED))),
        ("3 words", Box::new(|pair| peers.containment.of(pair, 3))),
        ("5 words", Box::new(|pair| peers.containment.of(pair, 5))),
        ("TF-IDF", Box::new(|pair| peers.cosine.of(pair))),
    ]
}

fn clough(folder: &Path, config: &Config) -> Result<()> {
    let set = Set::clough(folder)?;
    let peers = Peers::from_corpus(&set.corpus);
    let report = report(set.corpus, config)?;
    println!("Clough & Stevenson: {} copies among {} pairs", set.n_copies, set.pairs.len());
    println!("{:<12} {:>8} {:>8}", "", "AP", "in list");
    for (name, score) in scorers(&report, &peers) {
        let scored = set.pairs.iter().map(|(pair, kind)| (score(pair), kind.is_some()));
        let mut items: Vec<(f64, bool)> = scored.collect();
        let n_listed = items.iter().filter(|(score, is_copy)| *is_copy && *score > 0.0).count();
        println!("{name:<12} {:>8.4} {n_listed:>8}", average_precision(&mut items));
    }
    Ok(())
}

fn pan(folder: &Path, config: &Config) -> Result<()> {
    let set = Set::pan(folder)?;
    let peers = Peers::from_corpus(&set.corpus);
    let texts = sets::texts(&set.corpus);
    let report = report(set.corpus, config)?;
    let unrelated = sets::unlabelled(&texts, &set.pairs);
    println!(
        "\nPAN 2013: {} pairs, {} that nobody put together; {} said to be copies have no passage and are left out\n\
         above all none: part with a higher score than all pairs without plagiarism; above all: nor has one that nobody put together",
        set.pairs.len(),
        unrelated.len(),
        set.n_without_passage
    );
    println!(
        "{:<12} {:<12} {:>6} {:>8} {:>14} {:>11} {:>14} {:>14}",
        "kind", "", "pairs", "AUC", "above all none", "above all", "found at .005", "found at .01"
    );
    for (name, score) in scorers(&report, &peers) {
        let scores = |kind: Option<&str>| -> Vec<f64> {
            let own = set.pairs.iter().filter(|(_, own)| own.as_deref() == kind);
            own.map(|(pair, _)| score(pair)).collect()
        };
        // There are two kinds of false pairs: labelled ones without plagiarism, and those that nobody put together.
        let mut without = scores(None);
        without.sort_by(|x, y| y.total_cmp(x));
        let mut false_scores: Vec<f64> = unrelated.iter().map(&score).collect();
        false_scores.sort_by(|x, y| y.total_cmp(x));
        for kind in sets::KINDS {
            let of_kind = scores(Some(kind));
            let found = FALSE_POSITIVE_RATES.map(|rate| found_at(&of_kind, &false_scores, rate));
            println!(
                "{kind:<12} {name:<12} {:>6} {:>8.4} {:>14.3} {:>11.3} {:>14.3} {:>14.3}",
                of_kind.len(),
                area_under_curve(&of_kind, &without),
                found_at(&of_kind, &without, 0.0),
                found[0],
                found[1],
                found[2]
            );
        }
        let listed = |scores: &[f64]| scores.iter().filter(|score| **score > 0.0).count();
        println!(
            "{:<12} {name:<12} {:>6} above 0: {}, and {} of {} that nobody put together",
            "none",
            without.len(),
            listed(&without),
            listed(&false_scores),
            false_scores.len()
        );
    }
    alignment::print(&report, &set.passages, &set.pairs, &texts);
    Ok(())
}

/// Returns the share of true pairs above the score that this rate of the false ones reaches.
fn found_at(of_true: &[f64], descending: &[f64], rate: f64) -> f64 {
    #[expect(clippy::cast_sign_loss, reason = "a rate of a length")]
    let allowed = (rate * descending.len() as f64) as usize;
    let least = descending.get(allowed).copied().unwrap_or(NOT_LISTED);
    of_true.iter().filter(|score| **score > least).count() as f64 / of_true.len().max(1) as f64
}

/// Returns the share of cases in which a true pair has a higher score than a false one; a tie counts half.
fn area_under_curve(of_true: &[f64], of_false: &[f64]) -> f64 {
    let wins = of_true.iter().flat_map(|x| {
        of_false.iter().map(move |y| match x.total_cmp(y) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        })
    });
    wins.sum::<f64>() / (of_true.len() * of_false.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_counts_ties_as_half() {
        assert!((area_under_curve(&[0.9, 0.5], &[0.5, 0.1]) - 0.875).abs() < 1e-12);
    }

    #[test]
    fn pairs_are_found_above_the_score_that_false_ones_reach() {
        let unrelated: Vec<f64> = (0..200).rev().map(f64::from).collect();
        assert!((found_at(&[199.5, 198.5, 3.0], &unrelated, 0.005) - 2.0 / 3.0).abs() < 1e-12);
    }
}
