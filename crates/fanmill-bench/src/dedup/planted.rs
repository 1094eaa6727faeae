//! The copies planted in the corpus, and the number of each kind that is found.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::corpus::{Corpus, ordered};
use super::job::{Found, Job};

/// A planted copy.
struct Planted {
    pair: (u32, u32),
    /// Resemblance by the words of the truth; `containment` is the greater of the two containments.
    resemblance: f64,
    containment: f64,
}

/// The containment that half of a document reaches, even if the halves are not equally long.
const LOW: f64 = 0.45;

/// Prints the table of kinds.
pub(super) fn print(job: &Job, corpus: &Corpus, path: &Path) -> Result<()> {
    let mut kinds: BTreeMap<String, Vec<Planted>> = BTreeMap::new();
    for line in fs::read_to_string(path)?.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let text = |name: &str| row[name].as_str().with_context(|| format!("no `{name}`"));
        let number = |name: &str| row[name].as_f64().with_context(|| format!("no `{name}`"));
        let pair = ordered(corpus.place(text("id1")?)?, corpus.place(text("id2")?)?);
        let containment = number("containment_1in2")?.max(number("containment_2in1")?);
        let planted = Planted { pair, resemblance: number("jaccard_w5")?, containment };
        kinds.entry(text("edit")?.to_owned()).or_default().push(planted);
    }
    let low = LOW.to_string();
    // The containment of a half is below the usual threshold, so it has a run of its own.
    let runs: Vec<Found> = [&[][..], &["--containment", "0.8"], &["--containment", &low]]
        .iter()
        .map(|arguments| job.find(corpus, arguments))
        .collect::<Result<_>>()?;
    println!("\nplanted copies found, and how many reach the threshold by the truth's words");
    println!(
        "{:<14} {:>6} {:>16} {:>16} {:>16}",
        "kind",
        "copies",
        "resemblance .8",
        "containment .8",
        format!("containment {LOW}")
    );
    for (kind, copies) in &kinds {
        let found = |run: &Found| copies.iter().filter(|copy| run.has(corpus, copy.pair)).count();
        let reach = |of: fn(&Planted) -> f64, threshold: f64| {
            copies.iter().filter(|copy| of(copy) >= threshold).count()
        };
        println!(
            "{kind:<14} {:>6} {:>9} / {:>4} {:>9} / {:>4} {:>9} / {:>4}",
            copies.len(),
            found(&runs[0]),
            reach(|copy| copy.resemblance, 0.8),
            found(&runs[1]),
            reach(|copy| copy.containment, 0.8),
            found(&runs[2]),
            reach(|copy| copy.containment, LOW),
        );
    }
    Ok(())
}
