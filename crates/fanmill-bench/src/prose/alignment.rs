//! Passages measured as at PAN: precision and recall in characters, granularity, plagdet.
//!
//! Source: Potthast, Stein, Barrón-Cedeño & Rosso, COLING 2010, §3. Averages are over passages, whatever their length.

use std::collections::BTreeMap;

use fanmill::report::{self, Report};
use fanmill_text::document::Role;

use crate::prose::sets::{KINDS, Pair, Place};

/// Prints the quality of the passages found, by kind of re-use and, last, for all kinds together.
pub(super) fn print(
    report: &Report,
    passages: &BTreeMap<Pair, Vec<Place>>,
    pairs: &[(Pair, Option<String>)],
    texts: &BTreeMap<String, (Role, String)>,
) {
    let shown = shown(report, texts);
    println!(
        "{:<12} {:>8} {:>8} {:>9} {:>7} {:>7} {:>12} {:>8}",
        "passages", "true", "shown", "precision", "recall", "F1", "granularity", "plagdet"
    );
    let mut all = Measure::default();
    for kind in KINDS {
        let mut measure = Measure::default();
        for (pair, _) in pairs.iter().filter(|(_, own)| own.as_deref() == Some(kind)) {
            let of = |places: &BTreeMap<Pair, Vec<Place>>| places.get(pair).cloned();
            let (of_true, of_shown) = (of(passages), of(&shown));
            for measure in [&mut measure, &mut all] {
                let (of_true, of_shown) = (of_true.as_deref(), of_shown.as_deref());
                measure.add(of_true.unwrap_or_default(), of_shown.unwrap_or_default());
            }
        }
        measure.print(kind);
    }
    all.print("all");
}

/// Returns the passages that the report shows, in characters; the new text first.
fn shown(report: &Report, texts: &BTreeMap<String, (Role, String)>) -> BTreeMap<Pair, Vec<Place>> {
    let mut shown: BTreeMap<Pair, Vec<Place>> = BTreeMap::new();
    for pair in &report.pairs {
        let [name_a, name_b] =
            [pair.a, pair.b].map(|number| report.submissions[number as usize].name.clone());
        let (text_a, text_b) = (&texts[&name_a], &texts[&name_b]);
        let [starts_a, starts_b] = [&text_a.1, &text_b.1].map(|text| char_starts(text));
        let places = pair.passages.iter().map(|passage| {
            let a = extent(passage.matches.iter().map(|found| &found.a), &starts_a);
            let b = extent(passage.matches.iter().map(|found| &found.b), &starts_b);
            if text_a.0 == Role::Archive { [b, a] } else { [a, b] }
        });
        let places = places.collect();
        let key = if text_a.0 == Role::Archive { (name_b, name_a) } else { (name_a, name_b) };
        shown.insert(key, places);
    }
    shown
}

/// Returns the position of each character, in bytes.
fn char_starts(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).collect()
}

/// Returns the range from the first character of some places to the position after the last.
fn extent<'a>(places: impl Iterator<Item = &'a report::Place>, starts: &[usize]) -> (usize, usize) {
    let (mut first, mut end) = (usize::MAX, 0);
    for place in places {
        first = first.min(starts.partition_point(|&at| at < place.start as usize));
        end = end.max(starts.partition_point(|&at| at < place.end as usize));
    }
    (first, end)
}

/// Measurements of some pairs.
#[derive(Debug, Default)]
struct Measure {
    /// For each true passage, the share of it that was shown.
    recalls: Vec<f64>,
    /// For each passage shown, the share of it that is true.
    precisions: Vec<f64>,
    /// For each true passage that was found, the number of passages shown for it.
    n_shown: Vec<f64>,
}

impl Measure {
    fn add(&mut self, of_true: &[Place], of_shown: &[Place]) {
        for place in of_true {
            let over: Vec<&Place> = of_shown.iter().filter(|shown| overlap(place, shown)).collect();
            self.recalls.push(covered(place, &over));
            if !over.is_empty() {
                self.n_shown.push(over.len() as f64);
            }
        }
        for place in of_shown {
            let over: Vec<&Place> =
                of_true.iter().filter(|of_true| overlap(place, of_true)).collect();
            self.precisions.push(covered(place, &over));
        }
    }

    fn print(&self, name: &str) {
        let Measure { recalls, precisions, .. } = self;
        let (precision, recall) = (mean(precisions), mean(recalls));
        println!(
            "{name:<12} {:>8} {:>8} {precision:>9.3} {recall:>7.3} {:>7.3} {:>12.2} {:>8.3}",
            recalls.len(),
            precisions.len(),
            self.f1(),
            self.granularity(),
            self.f1() / (1.0 + self.granularity()).log2()
        );
    }

    fn f1(&self) -> f64 {
        let (precision, recall) = (mean(&self.precisions), mean(&self.recalls));
        let sum = precision + recall;
        if sum == 0.0 { 0.0 } else { 2.0 * precision * recall / sum }
    }

    fn granularity(&self) -> f64 {
        if self.n_shown.is_empty() { 1.0 } else { mean(&self.n_shown) }
    }
}

/// Returns whether two passages overlap in both texts.
fn overlap(x: &Place, y: &Place) -> bool {
    x.iter().zip(y).all(|(x, y)| x.0.max(y.0) < x.1.min(y.1))
}

/// Returns the share of a passage's characters, in both texts, that other passages cover.
fn covered(place: &Place, others: &[&Place]) -> f64 {
    let (mut n_covered, mut n_chars) = (0, 0);
    for (side, &(start, end)) in place.iter().enumerate() {
        let mut ranges: Vec<(usize, usize)> = others.iter().map(|other| other[side]).collect();
        ranges.sort_unstable();
        let mut at = start;
        for (from, to) in ranges {
            let from = from.max(at);
            n_covered += to.min(end).saturating_sub(from);
            at = at.max(to.min(end));
        }
        n_chars += end - start;
    }
    if n_chars == 0 { 0.0 } else { n_covered as f64 / n_chars as f64 }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_halves_have_full_recall_and_a_granularity_of_two() {
        let mut measure = Measure::default();
        measure.add(&[[(0, 10), (20, 30)]], &[[(0, 5), (20, 25)], [(5, 15), (25, 35)]]);
        assert!((mean(&measure.recalls) - 1.0).abs() < 1e-12);
        assert!((mean(&measure.precisions) - 0.75).abs() < 1e-12);
        assert!((measure.granularity() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn what_overlaps_in_one_text_only_is_no_detection() {
        let mut measure = Measure::default();
        measure.add(&[[(0, 10), (20, 30)]], &[[(0, 10), (50, 60)]]);
        assert!(measure.f1().abs() < 1e-12);
    }
}
