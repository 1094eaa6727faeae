//! A store of a million messages.

use std::hint::black_box;

use fanmill_kernel::hash::mix::SplitMix;
use fanmill_lab::attack::article::Article;
use fanmill_sift::profile::Profile;
use fanmill_sift::reduce::{FamilyFingerprint, Rule};
use fanmill_sift::sifter::{Sifted, Sifter};
use fanmill_sift::store::{Limits, Store};
use fanmill_sift::store_file;

use super::articles;
use crate::stopwatch::{best_of, peak_memory, reset_peak_memory};

/// Number of messages in the store.
const N: usize = 1_000_000;

/// Fills a store with made-up fingerprints, as large as those of messages of 4 kB, and checks real messages of 4 kB
/// against it.
pub(crate) fn print(all: &[Article]) {
    let key = articles::key(1);
    let sifter = Sifter::new(&Profile::mail(), &key);
    let messages: Vec<String> = all.chunks(4).map(message).collect();
    let sifted: Vec<Sifted> = messages.iter().map(|message| sifter.sift(message)).collect();
    let size = sifted.iter().map(Sifted::len).sum::<usize>() as f64 / sifted.len() as f64;
    println!("store: {N} messages, {size:.1} values each by {}", Profile::mail());

    let mut random = SplitMix::new(1);
    let mut store = Store::new(&sifter);
    let adding = best_of(1, || {
        for i in 0..N {
            // One message in ten thousand is real, so that there is something to find.
            let real = (i % 10_000 == 0).then(|| &sifted[i / 10_000 % sifted.len()]);
            let made_up = like(&sifted[i % sifted.len()], &mut random);
            store.add(&format!("inbox/{i:08}"), real.unwrap_or(&made_up)).expect("room");
        }
    });
    println!("  added one by one in {adding:.1} s; {} bytes a message", store.bytes() / N);
    let mut bytes = Vec::new();
    let writing =
        best_of(1, || store_file::write(store.records(), &mut bytes).expect("memory takes all"));
    drop(store);
    reset_peak_memory();
    let before = peak_memory().unwrap_or(0);
    let mut read = None;
    let reading =
        best_of(1, || read = store_file::read(&*bytes, &key).ok().map(Store::from_records));
    let store = read.expect("its own bytes");
    let memory = peak_memory().unwrap_or(0).saturating_sub(before) / N as u64;
    println!(
        "  written in {writing:.1} s, {} bytes a message; read in {reading:.1} s, at most {memory} bytes a \
         message on the way",
        bytes.len() / N
    );
    let mut n_found = 0;
    let checking = best_of(5, || {
        n_found =
            sifted.iter().map(|each| store.check(each, &Limits::standard()).matches.len()).sum();
    });
    let sifting =
        best_of(5, || messages.iter().for_each(|each| drop(black_box(sifter.sift(each)))));
    println!(
        "  a message of 4 kB: sifted in {:.3} ms, checked in {:.4} ms; {n_found} matches for {} messages\n",
        sifting * 1e3 / messages.len() as f64,
        checking * 1e3 / messages.len() as f64,
        messages.len()
    );
}

/// Returns a message: the first 4 kB of some articles.
fn message(some: &[Article]) -> String {
    let texts: Vec<&str> = some.iter().map(articles::text).collect();
    let text = texts.join(" ");
    text.chars().cycle().take(4096).collect()
}

/// Returns random fingerprints with as many values and the same rules.
fn like(sifted: &Sifted, random: &mut SplitMix) -> Sifted {
    let made_up = |kept: &FamilyFingerprint| {
        let Rule::Divisor(s) = kept.rule else { unreachable!("the mail profile has divisors") };
        let mut values: Vec<u64> = kept.values.iter().map(|_| random.draw() / s * s).collect();
        values.sort_unstable();
        FamilyFingerprint { values, rule: kept.rule }
    };
    Sifted { families: sifted.families.iter().map(made_up).collect() }
}
