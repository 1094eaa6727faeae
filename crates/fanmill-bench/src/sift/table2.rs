//! The paper's Table 2, with the bands of single runs and of means.

use fanmill_lab::attack::article::Article;
use fanmill_lab::attack::table2::{COLUMNS, HALVES, NAMES, bands, measure, profile};

/// Prints all 64 cells, with two numbers each.
pub(crate) fn print(all: &[Article], runs: u32) {
    println!(
        "Table 2: mean of {runs} runs; the paper's; the band of one run; `!` outside of it, `*` outside of \
         the band of {runs}"
    );
    let (mut n_outside, mut n_outside_of_runs) = (0, 0);
    for (half, reduction) in HALVES {
        for (column, family) in COLUMNS {
            let (means, size) = measure(all, &profile(reduction, family), runs, 0);
            println!("{half} {column}: {family}, {reduction}, {size:.1} values");
            for (attack, name) in NAMES.iter().enumerate() {
                let bands = bands(half, attack, column);
                print!("  {name:<24}");
                // The band of a mean is narrower than that of one run, so a number can leave only the second.
                for (measure, (band, ours)) in bands.iter().zip(means[attack]).enumerate() {
                    let (one, many) = (!band.has(ours, 1), !band.has(ours, runs));
                    (n_outside, n_outside_of_runs) =
                        (n_outside + u32::from(one), n_outside_of_runs + u32::from(many));
                    print!(
                        " {} {ours:.3} ({:.3}) {:.3}–{:.3}{}",
                        ["S1", " S3"][measure],
                        band.paper,
                        (band.mean - band.half(1)).max(0.0),
                        band.mean + band.half(1),
                        if one {
                            "!"
                        } else if many {
                            "*"
                        } else {
                            " "
                        },
                    );
                }
                println!();
            }
        }
    }
    println!(
        "of 128 numbers in 64 cells, {n_outside} are outside of one run's band, {n_outside_of_runs} \
         outside of that of {runs} runs\n"
    );
}
