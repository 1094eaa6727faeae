//! Unrelated pairs, and speed.

use std::hint::black_box;

use anyhow::Result;
use fanmill::sift::profile::Profile;
use fanmill::sift::sifter::{Sifted, Sifter};
use fanmill::sift::tokens::KeyedTokens;

use super::articles::{self, Article};
use crate::stopwatch::best_of;

/// S3 of all pairs of different articles.
pub(crate) fn unrelated(all: &[Article], profile: &Profile, runs: u32) {
    let texts: Vec<String> = all.iter().map(|article| article.words.join(" ")).collect();
    let mut scores = Vec::new();
    for run in 0..u64::from(runs) {
        let sifter = Sifter::new(profile, &articles::key(run));
        let sifted: Vec<Sifted> = texts.iter().map(|text| sifter.sift(text)).collect();
        for (i, a) in sifted.iter().enumerate() {
            scores.extend(sifted[..i].iter().map(|b| a.likeness(b).s3().unwrap_or(0.0)));
        }
    }
    scores.sort_by(f64::total_cmp);
    let at = |per_10_000: usize| scores[(scores.len() - 1) * per_10_000 / 10_000];
    let above = scores.iter().filter(|score| **score > 0.0).count();
    println!(
        "  {} unrelated pairs: median {}, 99.9 % {:.3}, 99.99 % {:.3}, largest {:.3}; {above} above 0",
        scores.len(),
        at(5_000),
        at(9_990),
        at(9_999),
        at(10_000)
    );
}

/// Words and bytes a second, of one thread.
pub(crate) fn speed(all: &[Article]) -> Result<()> {
    const REPEAT: usize = 20;
    let texts: Vec<String> = all.iter().map(|article| article.words.join(" ")).collect();
    let n_bytes = REPEAT * texts.iter().map(String::len).sum::<usize>();
    let n_words = REPEAT * all.iter().map(|article| article.words.len()).sum::<usize>();
    println!(
        "speed, one thread, {} articles, {} words {REPEAT} times",
        all.len(),
        n_words / REPEAT
    );
    let row = |name: &str, job: &mut dyn FnMut(&str)| {
        let seconds = best_of(5, || {
            (0..REPEAT).for_each(|_| texts.iter().for_each(|text| job(text)));
        });
        let (words, bytes) = (n_words as f64 / seconds, n_bytes as f64 / seconds);
        println!("  {name:<40} {:>8.1} MB/s {:>8.2} M words/s", bytes / 1e6, words / 1e6);
    };
    let sifter = |families: &str| -> Result<Sifter> {
        let profile: Profile = format!("words@1/{families}/mod(s=30)").parse()?;
        Ok(Sifter::new(&profile, &articles::key(1)))
    };
    let reader = sifter("slide(l=6)")?;
    let mut tokens = KeyedTokens::default();
    row("reading alone", &mut |text| {
        tokens.clear();
        reader.read(text, &mut tokens);
        black_box(&tokens);
    });
    for families in [
        "slide(l=6)",
        "skip(l=6,p=0.2)",
        "space(l=6,p=0.2)",
        "slide(l=6)+skip(l=6,p=0.2)+space(l=6,p=0.2)",
        "slide(l=10)+skip(l=10,p=0.2)+space(l=10,p=0.2)",
    ] {
        let sifter = sifter(families)?;
        row(families, &mut |text| {
            black_box(sifter.sift(text));
        });
    }
    let mail = Sifter::new(&Profile::mail(), &articles::key(1));
    row("mail", &mut |text| {
        black_box(mail.sift(text));
    });
    println!();
    Ok(())
}
