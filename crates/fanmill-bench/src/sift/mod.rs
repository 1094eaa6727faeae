//! `fanmill-bench sift`: the sifting paper's Table 2, the default profile beside it, unrelated pairs, and
//! speed.

pub(crate) mod articles;
mod beyond;
mod rest;
mod store;
mod table2;

use std::path::Path;

use anyhow::Result;
use fanmill_lab::attack::article::Article;
use fanmill_lab::attack::table2::{COLUMNS, HALVES, NAMES, measure, paper_best, profile};
use fanmill_sift::profile::Profile;

/// Prints all figures; `data` holds the articles in `text/reuters`.
pub(crate) fn run(data: &Path, runs: u32, profiles: &[Profile]) -> Result<()> {
    let all = articles::read(&data.join("text/reuters"))?;
    if profiles.is_empty() {
        table2::print(&all, runs);
        for length in [10, 6] {
            beside_the_paper(&all, &Profile::with_length(length)?, runs);
        }
        beyond::print(&all, runs)?;
        rest::speed(&all)?;
        store::print(&all);
    }
    for profile in profiles {
        beside_the_paper(&all, profile, runs);
    }
    Ok(())
}

/// Prints a profile beside the best column of the paper, and its scores on unrelated pairs.
fn beside_the_paper(all: &[Article], ours: &Profile, runs: u32) {
    let (means, size) = measure(all, ours, runs, 0);
    let (_, paper_size) = measure(all, &profile(HALVES[0].1, COLUMNS[0].1), 1, 0);
    println!("{ours}: {size:.1} values; the paper's {paper_size:.1}");
    for (attack, name) in NAMES.iter().enumerate() {
        let (s3, best) = (means[attack][1], paper_best(attack));
        println!(
            "  {name:<24} S3 {s3:.3}  paper's best {best:.3} {}",
            if s3 < best { "!" } else { "" }
        );
    }
    rest::unrelated(all, ours, runs);
    println!();
}
