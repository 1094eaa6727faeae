//! Scores of unrelated pairs, and speed.

use std::hint::black_box;

use anyhow::Result;
use fanmill_lab::attack::article::Article;
use fanmill_lab::attack::scheme::Scheme;
use fanmill_lab::attack::{Settings, unrelated};
use fanmill_sift::profile::Profile;
use fanmill_sift::sifter::Sifter;
use fanmill_sift::tokens::KeyedTokens;
use fanmill_text::progress::Silent;

use super::articles;
use crate::stopwatch::best_of;

/// A share above 1, so that no pair is left out as related.
const NOTHING_LEFT_OUT: f64 = 2.0;

/// Prints S3 of all pairs of different articles.
pub(crate) fn unrelated(all: &[Article], profile: &Profile, runs: u32) {
    let articles: Vec<&Article> = all.iter().collect();
    let settings = Settings {
        schemes: vec![Scheme { name: String::new(), profile: profile.clone() }],
        n_keys: runs,
        related: NOTHING_LEFT_OUT,
        seed: 0,
        ..Settings::standard()
    };
    let found = unrelated::measure(&articles, &settings, &Silent);
    println!(
        "  {} unrelated pairs: median {}, 99.9 % {:.3}, 99.99 % {:.3}, largest {:.3}; {} above 0",
        found.n_scores(),
        found.quantile(0, 0.5),
        found.quantile(0, 0.999),
        found.quantile(0, 0.9999),
        found.quantile(0, 1.0),
        found.n_above_zero(0)
    );
}

/// Prints words and bytes per second on one thread.
pub(crate) fn speed(all: &[Article]) -> Result<()> {
    const REPEAT: usize = 20;
    let texts: Vec<&str> = all.iter().map(articles::text).collect();
    let n_bytes = REPEAT * texts.iter().map(|text| text.len()).sum::<usize>();
    let n_words = REPEAT * all.iter().map(Article::n_words).sum::<usize>();
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
        let profile: Profile = format!("words@2/{families}/mod(s=30)").parse()?;
        Ok(Sifter::new(&profile, &articles::key(1)))
    };
    // Every sifter reads the text first, so the rows below include this time.
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
