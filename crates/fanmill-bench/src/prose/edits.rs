//! Scores of prose after edits: articles against edited copies of themselves.

use std::path::Path;

use anyhow::Result;
use fanmill::pipeline::Config;
use fanmill_text::document::Corpus;

use crate::prose::articles::read;

/// Number of articles that are copied.
const COPIED: usize = 60;

/// Minimum number of words of an article: shorter ones carry no promise.
const LEAST: usize = 100;

/// Length of the surrounding text, in copies.
const TIMES: usize = 100;

/// An edit of a copy.
#[derive(Debug, Clone, Copy)]
enum Edit {
    Nothing,
    Padded,
    Changed,
    Halved,
    Hidden,
}

const EDITS: [(Edit, &str); 5] = [
    (Edit::Nothing, "as it is"),
    (Edit::Padded, "\"very\" after every third word"),
    (Edit::Changed, "every fourth word changed"),
    (Edit::Halved, "the second half taken away"),
    (Edit::Hidden, "inside of a text 100 times as long"),
];

/// Prints the scores of edited copies of articles.
pub(super) fn run(folder: &Path, config: &Config) -> Result<()> {
    let articles: Vec<Vec<String>> = read(folder)?
        .into_iter()
        .map(|(_, text)| text.split_whitespace().map(str::to_owned).collect())
        .filter(|words: &Vec<String>| words.len() >= LEAST)
        .collect();
    println!("\ncopies of {COPIED} articles of {LEAST} words or more, each in a batch of two");
    println!("{:<36} {:>8} {:>8} {:>8}", "", "lowest", "mean", "highest");
    for (edit, name) in EDITS {
        let mut scores = Vec::new();
        for number in 0..COPIED.min(articles.len()) {
            let copy = edited(&articles, number, edit);
            scores.push(score(&articles[number], &copy, config)?);
        }
        scores.sort_by(f64::total_cmp);
        let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
        let [lowest, highest] = [scores.first(), scores.last()].map(|s| s.copied().unwrap_or(0.0));
        println!("{name:<36} {lowest:>8.3} {mean:>8.3} {highest:>8.3}");
    }
    Ok(())
}

fn edited(articles: &[Vec<String>], number: usize, edit: Edit) -> Vec<String> {
    let words = &articles[number];
    let very = || "very".to_owned();
    match edit {
        Edit::Nothing => words.clone(),
        Edit::Padded => words.chunks(3).flat_map(|few| [few, &[very()]].concat()).collect(),
        Edit::Changed => {
            let change = |(at, word): (usize, &String)| {
                if at % 4 == 3 { format!("changed{}", "x".repeat(at % 23)) } else { word.clone() }
            };
            words.iter().enumerate().map(change).collect()
        }
        Edit::Halved => words[..words.len() / 2].to_vec(),
        Edit::Hidden => {
            let others = articles.iter().cycle().skip(number + 1).take(articles.len() - 1);
            let around: Vec<String> =
                others.flatten().take((TIMES - 1) * words.len()).cloned().collect();
            let (before, after) = around.split_at(around.len() / 2);
            [before, words, after].concat()
        }
    }
}

/// Returns the score of two texts that are alone in their batch.
fn score(a: &[String], b: &[String], config: &Config) -> Result<f64> {
    let texts = [("a.txt", a.join(" ")), ("b.txt", b.join(" "))];
    let report = super::report(Corpus::from_texts(texts)?, config)?;
    Ok(report.pairs.first().map_or(0.0, |pair| pair.score))
}
