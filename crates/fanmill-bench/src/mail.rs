//! `fanmill-bench mail`: disguised mail found again, false positives, campaigns.
//!
//! A pair of messages is *unrelated* unless they share wording, or what is left of them as letters: the footer of a list, a
//! quoted message, a signature. What that is, is counted exactly: a share of the smaller one's shingles of 5 words.

mod messages;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use fanmill::hash::mix::SplitMix;
use fanmill::sift::attack::{self, Cosmetic, Suite, below};
use fanmill::sift::profile::Profile;
use fanmill::sift::sifter::{Likeness, Sifted, Sifter};
use fanmill::sift::store::{Limits, Store};
use fanmill::sift::verdict::Threshold;
use rayon::prelude::*;

use crate::sift::articles;
use messages::Message;

/// Largest share of the smaller message's shingles that unrelated messages have in common.
const UNRELATED: f64 = 0.02;
/// Thresholds of S3 that the curve goes through.
const CURVE: [f64; 9] = [0.01, 0.06, 0.1, 0.12, 0.15, 0.2, 0.3, 0.4, 0.5];
/// Values in common that are asked for.
const COMMON: [usize; 4] = [1, 2, 3, 4];
/// Shares of words that are attacked.
const STRENGTHS: [f64; 5] = [0.05, 0.1, 0.15, 0.2, 0.3];

/// Prints all figures; `data` holds `text/mail.tar.zst`.
pub(crate) fn run(data: &Path, runs: u32, profile: &Profile) -> Result<()> {
    let all = messages::read(&data.join("text/mail.tar.zst"))?;
    let n_letters: usize = all.iter().map(|message| message.text.len()).sum();
    println!("{profile}: {} messages, {n_letters} bytes of visible text", all.len());
    let unrelated = messages::unrelated(&all, UNRELATED);
    false_positives(&all, profile, &unrelated, runs);
    found_again(&all, profile, runs);
    Ok(())
}

/// For each threshold and number in common how many pairs are called copies.
fn false_positives(all: &[Message], profile: &Profile, unrelated: &[Vec<bool>], runs: u32) {
    let cells: Vec<Threshold> = cells();
    let mut counts = vec![(0_u64, 0_u64); cells.len()];
    let (mut n_unrelated, mut n_pairs) = (0_u64, 0_u64);
    let mut worst: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for run in 0..u64::from(runs) {
        let sifted = sift(all, &Sifter::new(profile, &articles::key(run)));
        for i in 0..all.len() {
            for j in 0..i {
                n_pairs += 1;
                n_unrelated += u64::from(unrelated[i][j]);
                let likeness = sifted[i].likeness(&sifted[j]);
                if likeness.n_common() == 0 {
                    continue;
                }
                for (cell, count) in cells.iter().zip(&mut counts) {
                    let called = u64::from(cell.grade(profile, &likeness).is_some());
                    count.0 += called;
                    count.1 += called * u64::from(unrelated[i][j]);
                }
                if unrelated[i][j] && Threshold::standard().grade(profile, &likeness).is_some() {
                    *worst.entry((i, j)).or_default() += 1;
                }
            }
        }
    }
    println!(
        "called copies: of {n_unrelated} unrelated pairs under {runs} keys (of all {n_pairs})"
    );
    print_curve(&cells, |cell| {
        let (of_all, of_unrelated) = counts[cell];
        format!("{:.1e} ({})", of_unrelated as f64 / n_unrelated as f64, of_all)
    });
    for ((i, j), n) in worst.iter().take(20) {
        println!("  {} {}: under {n} keys", all[*i].name, all[*j].name);
    }
}

fn cells() -> Vec<Threshold> {
    COMMON
        .iter()
        .flat_map(|&n_common| CURVE.iter().map(move |&s3| Threshold { s3, n_common }))
        .collect()
}

fn print_curve(cells: &[Threshold], shown: impl Fn(usize) -> String) {
    print!("  {:<10}", "S3");
    COMMON.iter().for_each(|n| print!(" {:>16}", format!("{n} in common")));
    println!();
    for (row, s3) in CURVE.iter().enumerate() {
        print!("  {s3:<10}");
        for column in 0..COMMON.len() {
            let cell = column * CURVE.len() + row;
            assert!((cells[cell].s3 - s3).abs() < 1e-9, "rows of columns");
            print!(" {:>16}", shown(cell));
        }
        println!();
    }
}

/// For each strength and attack how many disguised messages are found in a store of all.
fn found_again(all: &[Message], profile: &Profile, runs: u32) {
    let pool: Vec<&str> = all.iter().flat_map(|message| message.text.split_whitespace()).collect();
    let cells = cells();
    for strength in STRENGTHS {
        let mut counts = vec![0_u64; cells.len()];
        let mut by_attack: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        let mut n = 0_u64;
        let mut lost: BTreeMap<usize, u32> = BTreeMap::new();
        for run in 0..u64::from(runs) {
            let sifter = Sifter::new(profile, &articles::key(run));
            let sifted = sift(all, &sifter);
            let found: Vec<Vec<(String, Likeness)>> = all
                .par_iter()
                .enumerate()
                .map(|(i, message)| {
                    let mut random = SplitMix::new(run << 32 | i as u64);
                    let compare = |(name, text): (String, String)| {
                        (name, sifted[i].likeness(&messages::sift(&sifter, &text)))
                    };
                    disguises(&message.text, &pool, strength, &mut random)
                        .into_iter()
                        .map(compare)
                        .collect()
                })
                .collect();
            for (i, attacks) in found.into_iter().enumerate() {
                for (name, likeness) in attacks {
                    let is_found = Threshold::standard().grade(profile, &likeness).is_some();
                    let tally = by_attack.entry(name.clone()).or_default();
                    *tally = (tally.0 + u64::from(is_found), tally.1 + 1);
                    if name.starts_with("random") {
                        n += 1;
                        for (cell, count) in cells.iter().zip(&mut counts) {
                            *count += u64::from(cell.grade(profile, &likeness).is_some());
                        }
                        if !is_found {
                            *lost.entry(i).or_default() += 1;
                        }
                    }
                }
            }
        }
        println!(
            "{:.0} % of words attacked at random, {n} disguised messages: found",
            100.0 * strength
        );
        print_curve(&cells, |cell| format!("{:.4}", counts[cell] as f64 / n as f64));
        for (name, (found, of)) in by_attack {
            println!("  {name:<24} {:.4}", found as f64 / of as f64);
        }
        let mut lost: Vec<(u32, usize)> = lost.into_iter().map(|(i, n)| (n, i)).collect();
        lost.sort_unstable_by(|a, b| b.cmp(a));
        for (n, i) in lost.iter().take(5) {
            println!("  lost {n} times: {} of {} bytes", all[*i].name, all[*i].text.len());
        }
    }
    store(all, profile);
}

/// A message under each attack at a strength, with its name.
fn disguises(
    text: &str,
    pool: &[&str],
    strength: f64,
    random: &mut SplitMix,
) -> Vec<(String, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut disguised = Vec::new();
    for (suite, name) in
        Suite::ALL.into_iter().zip(["adding", "deleting", "changing", "combination"])
    {
        #[expect(clippy::cast_sign_loss, reason = "a share of a number of words")]
        let n_edits = |share: f64| (words.len() as f64 * share).round() as usize;
        let share = if suite == Suite::Combination { strength / 3.0 } else { strength };
        let seed = random.draw();
        let changed = attack::scattered(&words, suite, n_edits(share), seed, |_, old| {
            articles::fresh(pool, old, random)
        });
        disguised.push((format!("random {name}"), changed.join(" ")));
        #[expect(clippy::cast_sign_loss, reason = "a whole number above 1")]
        let period = (1.0 / strength).round() as usize;
        let changed =
            attack::periodic(&words, suite, period, |_, old| articles::fresh(pool, old, random));
        disguised.push((format!("periodic {name}"), changed.join(" ")));
    }
    for cosmetic in Cosmetic::ALL {
        disguised.push((format!("{cosmetic:?}"), attack::cosmetic(text, cosmetic, random.draw())));
    }
    disguised.push(("letters put in".into(), letters_put_in(text, strength, random)));
    disguised
}

/// A letter put into one word of so many.
fn letters_put_in(text: &str, share: f64, random: &mut SplitMix) -> String {
    let mut attacked = String::with_capacity(text.len() + text.len() / 8);
    for word in text.split_whitespace() {
        #[expect(clippy::cast_sign_loss, reason = "a share of a number")]
        let is_chosen = below(random, 1000) < (share * 1000.0) as usize;
        let places: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        let at = if is_chosen { places[below(random, places.len())] } else { word.len() };
        attacked.push_str(&word[..at]);
        if is_chosen {
            attacked.push(char::from(b'a' + below(random, 26) as u8));
        }
        attacked.push_str(&word[at..]);
        attacked.push(' ');
    }
    attacked
}

/// Whether asking a store finds what comparing finds.
fn store(all: &[Message], profile: &Profile) {
    let sifter = Sifter::new(profile, &articles::key(1));
    let sifted = sift(all, &sifter);
    let mut store = Store::new(&sifter);
    for (message, sifted) in all.iter().zip(&sifted) {
        store.add(&message.name, sifted).expect("room");
    }
    let found = sifted.iter().enumerate().filter(|(i, sifted)| {
        let found = store.check(sifted, &Limits::standard());
        found.matches.iter().any(|found| found.document as usize == *i)
    });
    println!(
        "store: {} bytes a message; {} of {} unchanged messages are found",
        store.bytes() / store.len().max(1),
        found.count(),
        all.len()
    );
}

fn sift(all: &[Message], sifter: &Sifter) -> Vec<Sifted> {
    all.par_iter().map(|message| messages::sift(sifter, &message.text)).collect()
}
