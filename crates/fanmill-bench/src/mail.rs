//! `fanmill-bench mail`: recall on disguised mail, false positives among unrelated mail, and campaigns.
//!
//! A pair of messages is *unrelated* if it shares next to no wording. Mailing list footers, quoted messages and
//! signatures are shared legitimately, and no figure here covers them.

mod messages;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use fanmill_lab::attack::article::{Article, Word, pool};
use fanmill_lab::attack::attacks::Attack;
use fanmill_lab::attack::edits::{Cosmetic, Suite};
use fanmill_lab::attack::keys;
use fanmill_lab::attack::letters::Slip;
use fanmill_sift::leaders::Leaders;
use fanmill_sift::profile::Profile;
use fanmill_sift::sifter::{Likeness, Sifted, Sifter};
use fanmill_sift::store::{Limits, Store};
use fanmill_sift::verdict::Threshold;
use rayon::prelude::*;

use messages::Message;

/// Maximum share of the smaller message's shingles that unrelated messages have in common.
const UNRELATED: f64 = 0.02;
/// The thresholds of S3 in the curves.
const S3: [f64; 9] = [0.01, 0.06, 0.1, 0.12, 0.15, 0.2, 0.3, 0.4, 0.5];
/// The required numbers of common values in the curves.
const COMMON: [usize; 4] = [1, 2, 3, 4];
/// The percentages of words that are attacked.
const STRENGTHS: [u32; 5] = [5, 10, 15, 20, 30];
/// The seed of all random numbers.
const SEED: u64 = 1;

/// Prints all figures; `data` holds `text/mail.tar.zst`.
pub(crate) fn run(data: &Path, runs: u32, profile: &Profile) -> Result<()> {
    let all = messages::read(&data.join("text/mail.tar.zst"))?;
    let n_bytes: usize = all.iter().map(|message| message.text.len()).sum();
    println!("{profile}: {} messages, {n_bytes} bytes of visible text", all.len());
    called_copies(&all, profile, runs);
    for percent in STRENGTHS {
        found_again(&all, profile, runs, percent);
    }
    store(&all, profile);
    campaigns(&all, profile);
    Ok(())
}

/// Returns all thresholds of a curve, row by row.
fn thresholds() -> Vec<Threshold> {
    S3.iter().flat_map(|&s3| COMMON.map(|n_common| Threshold { s3, n_common })).collect()
}

/// Prints a number for each threshold.
fn print_curve(numbers: &[String]) {
    print!("  {:<6}", "S3");
    for n in COMMON {
        print!(" {:>18}", format!("{n} in common"));
    }
    println!();
    for (s3, row) in S3.iter().zip(numbers.chunks(COMMON.len())) {
        print!("  {s3:<6}");
        for number in row {
            print!(" {number:>18}");
        }
        println!();
    }
}

/// Prints, for each threshold, the number of unrelated pairs that are called copies, and of all pairs that are.
fn called_copies(all: &[Message], profile: &Profile, runs: u32) {
    let unrelated = messages::unrelated(all, UNRELATED);
    let thresholds = thresholds();
    let mut counts = vec![(0_u64, 0_u64); thresholds.len()];
    for run in 0..u64::from(runs) {
        let sifted = sift(all, &sifter(profile, run));
        // Each message is compared with the ones before it only.
        for (i, row) in unrelated.iter().enumerate() {
            for (j, &is_unrelated) in row.iter().enumerate() {
                let likeness = sifted[i].likeness(&sifted[j]);
                for (threshold, count) in thresholds.iter().zip(&mut counts) {
                    let is_called = threshold.grade(profile, &likeness).is_some();
                    count.0 += u64::from(is_called && is_unrelated);
                    count.1 += u64::from(is_called);
                }
            }
        }
    }
    let n_unrelated: usize =
        unrelated.iter().map(|row| row.iter().filter(|&&is_unrelated| is_unrelated).count()).sum();
    println!(
        "called copies under {runs} keys: share of {n_unrelated} unrelated pairs, and number of all {} pairs",
        unrelated.iter().map(Vec::len).sum::<usize>()
    );
    let shown = |&(of_unrelated, of_all): &(u64, u64)| {
        let share = of_unrelated as f64 / (n_unrelated as f64 * f64::from(runs));
        format!("{share:.1e} {:>8}", of_all / u64::from(runs.max(1)))
    };
    print_curve(&counts.iter().map(shown).collect::<Vec<_>>());
    by_other_readings(all, &unrelated, profile, runs);
}

/// Prints the number of pairs that are called copies only because another reading of one message is similar to the
/// first reading of the other.
fn by_other_readings(all: &[Message], unrelated: &[Vec<bool>], profile: &Profile, runs: u32) {
    let (mut n_unrelated, mut n_all) = (0, 0);
    for run in 0..u64::from(runs) {
        let sifter = sifter(profile, run);
        let first = sift(all, &sifter);
        let of_message = |message: &Message| -> Vec<Sifted> {
            message.others.iter().map(|text| messages::sift(&sifter, text)).collect()
        };
        let others: Vec<Vec<Sifted>> = all.par_iter().map(of_message).collect();
        let is_called = |a: &Sifted, b: &Sifted| {
            Threshold::from_profile(profile).grade(profile, &a.likeness(b)).is_some()
        };
        for (i, row) in unrelated.iter().enumerate() {
            for (j, &is_unrelated) in row.iter().enumerate() {
                let by_others = others[i].iter().any(|other| is_called(other, &first[j]))
                    || others[j].iter().any(|other| is_called(other, &first[i]));
                if by_others && !is_called(&first[i], &first[j]) {
                    n_all += 1;
                    n_unrelated += u32::from(is_unrelated);
                }
            }
        }
    }
    let n_others: usize = all.iter().map(|message| message.others.len()).sum();
    println!(
        "  and by {n_others} other readings under the standard threshold: {n_unrelated} unrelated pairs, {n_all} in all"
    );
}

/// Prints the share of disguised messages found for each attack, and for random attacks at each threshold.
fn found_again(all: &[Message], profile: &Profile, runs: u32, percent: u32) {
    let articles: Vec<Article> = all
        .iter()
        .map(|message| Article::as_it_stands(message.text.as_bytes(), usize::MAX))
        .collect();
    let words = pool(&articles.iter().collect::<Vec<_>>());
    let attacks = attacks(percent);
    let thresholds = thresholds();
    let mut curve = vec![0_u64; thresholds.len()];
    let mut found = vec![0_u64; attacks.len()];
    let mut lost: BTreeMap<usize, u32> = BTreeMap::new();
    for run in 0..u64::from(runs) {
        for (i, likenesses) in
            disguised(&articles, &words, &attacks, profile, run).iter().enumerate()
        {
            for ((attack, likeness), found) in attacks.iter().zip(likenesses).zip(&mut found) {
                let is_found = Threshold::from_profile(profile).grade(profile, likeness).is_some();
                *found += u64::from(is_found);
                // The curve and the lost messages are those of random attacks; every attack is also printed by itself.
                if matches!(attack, Attack::Random(..)) {
                    *lost.entry(i).or_default() += u32::from(!is_found);
                    for (threshold, count) in thresholds.iter().zip(&mut curve) {
                        *count += u64::from(threshold.grade(profile, likeness).is_some());
                    }
                }
            }
        }
    }
    let n = all.len() as f64 * f64::from(runs);
    println!("{percent} % of words attacked at random, under {runs} keys: share that is found");
    let shown = |&count: &u64| format!("{:.4}", count as f64 / (n * Suite::ALL.len() as f64));
    print_curve(&curve.iter().map(shown).collect::<Vec<_>>());
    for (attack, found) in attacks.iter().zip(found) {
        println!("  {:<32} {:.4}", attack.to_string(), found as f64 / n);
    }
    let words_of_lost = |most: usize| {
        let is_short = |i: &usize| articles[*i].n_words() <= most;
        lost.iter().filter(|(i, _)| is_short(i)).map(|(_, n)| n).sum::<u32>()
    };
    let n_lost: u32 = lost.values().sum();
    println!(
        "  of {n_lost} lost, {} have 20 words or fewer, {} 50 or fewer",
        words_of_lost(20),
        words_of_lost(50)
    );
}

/// Returns the likeness of each attacked article to its original, for each attack.
fn disguised(
    articles: &[Article],
    words: &[Word<'_>],
    attacks: &[Attack],
    profile: &Profile,
    run: u64,
) -> Vec<Vec<Likeness>> {
    let sifter = sifter(profile, run);
    let of_article = |(i, article): (usize, &Article)| {
        let original = messages::sift(&sifter, article.text());
        let mut random = keys::numbers(i as u64, run);
        let under = |attack: &Attack| attack.on(article, words, &mut random);
        let texts: Vec<String> = attacks.iter().map(under).collect();
        texts.iter().map(|text| original.likeness(&messages::sift(&sifter, text))).collect()
    };
    articles.par_iter().enumerate().map(of_article).collect()
}

/// Returns the random and periodic attacks of a strength, the attacks on letters, and the cosmetic ones, which cost
/// nothing.
fn attacks(percent: u32) -> Vec<Attack> {
    let random = Suite::ALL.map(|suite| Attack::Random(suite, percent));
    let periodic = Suite::ALL.map(|suite| Attack::Periodic(suite, 100_u32.div_ceil(percent)));
    let letters = Slip::ALL.map(|slip| Attack::Letters(slip, percent));
    let cosmetic = Cosmetic::ALL.map(Attack::Cosmetic);
    [&random[..], &periodic, &letters, &cosmetic].concat()
}

/// Prints the cost of a store of all messages, and the number of messages that checks find in it.
fn store(all: &[Message], profile: &Profile) {
    let sifter = sifter(profile, 0);
    let sifted = sift(all, &sifter);
    let mut store = Store::new(&sifter);
    for (message, sifted) in all.iter().zip(&sifted) {
        store.add(&message.name, sifted).expect("room");
    }
    let is_found = |(i, sifted): &(usize, &Sifted)| {
        let found = store.check(sifted, &Limits::standard());
        found.matches.iter().any(|found| found.document as usize == *i)
    };
    println!(
        "store: {} bytes a message; {} of {} messages are found in it",
        store.bytes() / store.len().max(1),
        sifted.iter().enumerate().filter(is_found).count(),
        all.len()
    );
}

/// Prints the groups in each folder, at the thresholds of `fanmill sift campaign`.
fn campaigns(all: &[Message], profile: &Profile) {
    let sifter = sifter(profile, 0);
    for folder in all.chunk_by(|a, b| a.folder() == b.folder()) {
        let mut leaders = Leaders::new(&sifter, Threshold::campaign());
        for message in folder {
            leaders.push(&messages::sift(&sifter, &message.text)).expect("room");
        }
        let sizes: Vec<usize> =
            leaders.finish().iter().map(|group| group.members.len()).filter(|&n| n > 1).collect();
        println!(
            "{}: {} messages, {} groups of {} in all, the largest of {}",
            folder[0].folder(),
            folder.len(),
            sizes.len(),
            sizes.iter().sum::<usize>(),
            sizes.first().unwrap_or(&0)
        );
    }
}

fn sifter(profile: &Profile, run: u64) -> Sifter {
    Sifter::new(profile, &keys::test_key(SEED, run))
}

fn sift(all: &[Message], sifter: &Sifter) -> Vec<Sifted> {
    all.par_iter().map(|message| messages::sift(sifter, &message.text)).collect()
}
