//! Attacks beyond Table 2: large blocks, synonyms, other periods, and disguises that cost nothing.

use anyhow::Result;
use fanmill::frontend::Text;
use fanmill::hash::mix::SplitMix;
use fanmill::sift::attack::{self, Cosmetic, Edit, Suite, below};
use fanmill::sift::profile::Profile;
use fanmill::sift::sifter::Sifter;
use fanmill::sketch::shingle;

use super::articles::{self, Article, fresh};
use super::table2;

/// Prints the mean S3 of each attack, for the paper's columns and the default profiles.
pub(crate) fn print(all: &[Article], runs: u32) -> Result<()> {
    let mut profiles = Vec::new();
    for (name, family) in table2::COLUMNS {
        profiles.push((name, Profile::paper(family.parse()?, "mod(s=10)".parse()?)?));
    }
    profiles.push(("ours 10", Profile::of_length(10)));
    profiles.push(("ours 6", Profile::standard()));
    profiles.push(("mail", Profile::mail()));
    println!("other attacks: mean S3 of {runs} runs");
    print!("  {:<28}", "");
    for (name, _) in &profiles {
        print!(" {name:>9}");
    }
    println!();
    let mut rows: Vec<(String, Vec<f64>)> = Vec::new();
    for (_, profile) in &profiles {
        for (i, (name, mean)) in measure(all, profile, runs).into_iter().enumerate() {
            if rows.len() == i {
                rows.push((name, Vec::new()));
            }
            rows[i].1.push(mean);
        }
    }
    for (name, means) in rows {
        print!("  {name:<28}");
        for mean in means {
            print!(" {mean:>9.3}");
        }
        println!();
    }
    println!();
    Ok(())
}

fn measure(all: &[Article], profile: &Profile, runs: u32) -> Vec<(String, f64)> {
    let mut sums: Vec<(String, f64)> = Vec::new();
    let mut n = 0.0;
    for run in 0..u64::from(runs) {
        let mut random = SplitMix::new(run << 32);
        let sifter = Sifter::new(profile, &articles::key(run));
        let sample = articles::sample(all, &mut random);
        let pool: Vec<&str> =
            sample.iter().flat_map(|article| article.words.iter().map(String::as_str)).collect();
        for article in &sample {
            let words: Vec<&str> = article.words.iter().map(String::as_str).collect();
            let original = sifter.sift(&words.join(" "));
            n += 1.0;
            for (i, (name, text)) in attacked(&words, &pool, &mut random).into_iter().enumerate() {
                if sums.len() == i {
                    sums.push((name, 0.0));
                }
                let folded = Text::new(text.as_bytes());
                let likeness = original.likeness(&sifter.sift(folded.as_str()));
                sums[i].1 += likeness.s3().unwrap_or(0.0);
            }
        }
    }
    sums.into_iter().map(|(name, sum)| (name, sum / n)).collect()
}

/// A text under each attack, with its name.
fn attacked(words: &[&str], pool: &[&str], random: &mut SplitMix) -> Vec<(String, String)> {
    let n = words.len();
    let mut attacked = Vec::new();
    let mut add = |name: String, words: &[&str]| attacked.push((name, words.join(" ")));
    for period in [8, 6, 4] {
        let change = Suite::Only(Edit::Change);
        let changed = attack::periodic(words, change, period, |_, old| fresh(pool, old, random));
        add(format!("every {period}th word changed"), &changed);
    }
    for share in [0.1, 0.2, 0.3] {
        let seed = random.draw();
        let value = |word: &str| shingle::word(word.as_bytes());
        let synonym = |word: &str| pool[(value(word) ^ seed) as usize % pool.len()];
        let changed = attack::synonyms(words, share, seed, value, synonym);
        add(format!("synonyms for {share} of words"), &changed);
    }
    let block: Vec<&str> = (0..n).map(|_| fresh(pool, None, random)).collect();
    add("as much again inserted".into(), &attack::insert(words, below(random, n), &block));
    let part = |share: usize, random: &mut SplitMix| {
        let start = below(random, n - n * share / 100);
        start..start + n * share / 100
    };
    add("30 % deleted".into(), &attack::delete(words, part(30, random)));
    let moved = part(20, random);
    let to = below(random, n - moved.len());
    add("20 % moved".into(), &attack::rearrange(words, moved, to));
    let text = words.join(" ");
    for cosmetic in Cosmetic::ALL {
        let seed = random.draw();
        attacked.push((format!("{cosmetic:?}"), attack::cosmetic(&text, cosmetic, seed)));
    }
    attacked
}
