//! Compares three texts in memory; docs/library.md shows it.
#![expect(clippy::print_stdout, reason = "an example prints")]

use fanmill::{Config, Corpus, Registry, Result, Silent, compare};

fn main() -> Result<()> {
    let anna = "Last summer we walked along the river until the old mill came into sight.";
    let ben = "He says: we walked along the river until the old mill came into sight, too.";
    let cleo = "The mill is younger than the bridge, whatever the sign at the river says.";
    let corpus = Corpus::from_texts([("anna", anna), ("ben", ben), ("cleo", cleo)])?;
    let found = compare(corpus, &Registry::prose(), &Config::standard(), &Silent)?;
    for pair in &found.report.pairs {
        let [a, b] = [pair.a, pair.b].map(|i| &found.report.submissions[i as usize].name);
        println!("{a} and {b}: {:.2}, passages: {}", pair.score, pair.passages.len());
    }
    Ok(())
}
