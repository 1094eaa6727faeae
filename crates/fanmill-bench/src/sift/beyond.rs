//! Attacks beyond Table 2: large blocks, synonyms, other periods, and disguises that cost nothing.

use anyhow::Result;
use fanmill_lab::attack::article::{Article, join, pool};
use fanmill_lab::attack::attacks::{self, Attack};
use fanmill_lab::attack::{keys, table2};
use fanmill_sift::profile::Profile;
use fanmill_sift::sifter::Sifter;

/// Prints the mean S3 of each attack, for the paper's columns and the default profiles.
pub(crate) fn print(all: &[Article], runs: u32) -> Result<()> {
    let mut profiles = Vec::new();
    for (name, family) in table2::COLUMNS {
        profiles.push((name, Profile::paper(family.parse()?, "mod(s=10)".parse()?)?));
    }
    profiles.push(("ours 10", Profile::with_length(10)?));
    profiles.push(("ours 6", Profile::with_length(6)?));
    profiles.push(("standard", Profile::standard()));
    profiles.push(("mail", Profile::mail()));
    println!("other attacks: mean S3 of {runs} runs");
    print!("  {:<36}", "");
    for (name, _) in &profiles {
        print!(" {name:>9}");
    }
    println!();
    let attacks = attacks();
    let means: Vec<Vec<f64>> =
        profiles.iter().map(|(_, profile)| measure(all, profile, &attacks, runs)).collect();
    for (i, attack) in attacks.iter().enumerate() {
        print!("  {:<36}", attack.to_string());
        for means in &means {
            print!(" {:>9.3}", means[i]);
        }
        println!();
    }
    println!();
    Ok(())
}

/// Returns the attacks of the attack bench that are neither the paper's nor part of curves.
fn attacks() -> Vec<Attack> {
    let periods = attacks::strengths().into_iter().skip(attacks::STRENGTHS.len());
    periods.chain(attacks::rewriting()).chain(attacks::cosmetics()).collect()
}

fn measure(all: &[Article], profile: &Profile, attacks: &[Attack], runs: u32) -> Vec<f64> {
    let (mut sums, mut n) = (vec![0.0; attacks.len()], 0.0);
    for run in 0..u64::from(runs) {
        let mut random = keys::numbers(0, run);
        let sifter = Sifter::new(profile, &keys::test_key(0, run));
        let sample = table2::sample(all, &mut random);
        let pool = pool(&sample);
        for article in &sample {
            let original = sifter.sift(&join(&article.words()));
            n += 1.0;
            for (sum, attack) in sums.iter_mut().zip(attacks) {
                let text = attack.on(article, &pool, &mut random);
                let folded = sifter.text(text.as_bytes());
                let likeness = original.likeness(&sifter.sift(folded.as_str()));
                *sum += likeness.s3().unwrap_or(0.0);
            }
        }
    }
    sums.into_iter().map(|sum| sum / n).collect()
}
