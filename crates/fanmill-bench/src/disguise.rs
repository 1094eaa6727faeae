//! `fanmill-bench disguise`: the strength of disguise at which a copy looks like independent work.
//!
//! Programs are made from seeds, in three languages, and represent exercises that people solved by themselves. A copy
//! of each is disguised in one way, or in all of them, at growing strength: the share of the possible places that were
//! changed. A copy is found if it scores higher with its original than the best pair of unrelated programs; all are
//! compared in one batch, as they would be handed in.

mod program;
mod language;
mod edits;

use std::path::Path;

use anyhow::Result;
use fanmill::pipeline::{Batch, Config, Ranking};
use fanmill_text::document::Corpus;
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Silent;

use edits::Disguise;
use language::{Language, Style};
use program::Program;

/// Number of unrelated programs.
const PROGRAMS: u64 = 20;
/// Strengths of the disguises, in tenths of the places.
const STRENGTHS: std::ops::RangeInclusive<u32> = 1..=10;

/// The mean score of copies with their originals, and the number of copies found.
struct Found {
    mean: f64,
    n_found: usize,
}

/// Prints, for each language and disguise, the mean score of copies and the number found.
pub(crate) fn run() -> Result<()> {
    let registry = fanmill_lang::registry();
    for language in Language::ALL {
        println!("{language:?}: mean score, and copies found of {PROGRAMS}");
        println!("{:<28} {:>12} {:>12} {:>12}   all found up to", "", "30 %", "60 %", "100 %");
        for (disguise, name) in Disguise::ALL {
            let found = STRENGTHS
                .map(|tenths| measure(language, disguise, f64::from(tenths) / 10.0, &registry));
            let found: Vec<Found> = found.collect::<Result<_>>()?;
            let shown = [3, 6, 10].map(|tenths: usize| {
                let Found { mean, n_found } = found[tenths - 1];
                format!("{mean:.2} {n_found:>5}")
            });
            let n_whole =
                found.iter().take_while(|found| found.n_found == PROGRAMS as usize).count();
            println!(
                "{name:<28} {:>12} {:>12} {:>12}   {:>3} %",
                shown[0],
                shown[1],
                shown[2],
                10 * n_whole
            );
        }
        println!();
    }
    println!("found: scores more than the best pair of unrelated programs, in one batch with them");
    Ok(())
}

/// Writes programs, and copies of them at full strength, into a folder, for reading or compiling.
pub(crate) fn write(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    for seed in 0..3 {
        let program = Program::new(seed);
        for language in Language::ALL {
            let path = |name: &str| {
                folder.join(format!("{seed}-{}.{}", name.replace(' ', "-"), language.extension()))
            };
            std::fs::write(path("original"), language.write(&program, Style::default()))?;
            for (disguise, name) in Disguise::ALL {
                let (copy, style) = disguise.apply(&program, 1.0, seed);
                std::fs::write(path(&name.replace(',', "")), language.write(&copy, style))?;
            }
        }
    }
    Ok(())
}

/// Compares programs with disguised copies of them.
fn measure(
    language: Language,
    disguise: Disguise,
    strength: f64,
    registry: &Registry,
) -> Result<Found> {
    let texts = (0..PROGRAMS).flat_map(|seed| {
        let program = Program::new(seed);
        let (copy, style) = disguise.apply(&program, strength, seed);
        let name = |part: &str| format!("{seed:02}-{part}.{}", language.extension());
        let plain = Style::default();
        [
            (name("copy"), language.write(&copy, style)),
            (name("original"), language.write(&program, plain)),
        ]
    });
    let corpus = Corpus::from_texts(texts)?;
    let config = Config::standard();
    let batch = Batch::read(corpus, registry, &config, &Silent)?;
    let ranking = Ranking::new(&batch, &config, &Silent)?;
    let (mut copies, mut best_other) = (vec![0.0; PROGRAMS as usize], 0.0_f64);
    for pair in &ranking.pairs {
        for (x, y) in ranking.members_of(pair, &batch) {
            // In the order of names, each copy comes directly before its original.
            if x / 2 == y / 2 {
                copies[x / 2] = pair.score;
            } else {
                best_other = best_other.max(pair.score);
            }
        }
    }
    let n_found = copies.iter().filter(|&&score| score > best_other).count();
    Ok(Found { mean: copies.iter().sum::<f64>() / copies.len() as f64, n_found })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If a new layout broke a literal, tokens would change.
    #[test]
    fn comments_and_layout_change_no_score() -> Result<()> {
        let registry = fanmill_lang::registry();
        for language in Language::ALL {
            for disguise in [Disguise::Comments, Disguise::Layout] {
                let found = measure(language, disguise, 1.0, &registry)?;
                assert!(found.mean > 0.999, "{language:?} {disguise:?}: {}", found.mean);
                assert_eq!(found.n_found, PROGRAMS as usize, "{language:?} {disguise:?}");
            }
        }
        Ok(())
    }
}
