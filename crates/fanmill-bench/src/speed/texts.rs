//! Sifting of articles and lexing of programs: the jobs that read real texts.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use anyhow::{Context, Result};
use fanmill::naive;
use fanmill_lang::Lexer;
use fanmill_sift::profile::Profile;
use fanmill_sift::sifter::Sifter;
use fanmill_sift::tokens::KeyedTokens;
use fanmill_text::frontend::FrontEnd;
use fanmill_text::token::Tokens;

use super::measured::{Part, Role, Row, Unit, by_each_set, by_none};
use crate::sift::articles;
use crate::stopwatch::best_of;

/// The sifting jobs: name, label in the figure, profile and purpose.
const PROFILES: [(&str, &str, &str, &str); 5] = [
    (
        "sifting of words, l = 6",
        "sifting words",
        "words@2/slide(l=6)+skip(l=6,p=0.2)+space(l=6,p=0.2)/mod(s=30)",
        "makes all three families of grams of words",
    ),
    ("sifting, `standard`", "standard", "standard", "is for prose that someone disguised"),
    ("sifting, `short`", "short", "short", "is for answers, abstracts and posts"),
    ("sifting, `mail`", "mail", "mail", "is for messages, by words"),
    (
        "sifting, `mail-1`",
        "letters",
        "mail-1",
        "is for messages, by letters, of which there are six to a word",
    ),
];

/// Measures sifting of newswire articles.
pub(super) fn sifting(folder: &Path) -> Result<Vec<Row>> {
    let all = articles::read(folder)?;
    let texts: Vec<&str> = all.iter().map(articles::text).collect();
    let n_bytes: usize = texts.iter().map(|text| text.len()).sum();
    let rate = |job: &mut dyn FnMut(&str)| {
        n_bytes as f64 / best_of(5, || texts.iter().for_each(|text| job(text))) / 1e6
    };
    let mut rows = Vec::new();
    for (name, label, profile, does) in PROFILES {
        // The twin gets the same reader; it differs only in forming and reducing the grams.
        let sifter = Sifter::new(&Profile::named(profile)?, &articles::key(1));
        let mut tokens = KeyedTokens::default();
        let naive = by_none(|| {
            rate(&mut |text| {
                tokens.clear();
                sifter.read(text, &mut tokens);
                black_box(naive::sift(&sifter, &tokens.values));
            })
        })?;
        let rates = by_each_set(|| rate(&mut |text| _ = black_box(sifter.sift(text))))?;
        rows.push(Row {
            part: Part::Sifting,
            role: Role::Ours,
            name: name.to_owned(),
            label: Some(label.to_owned()),
            does: does.to_owned(),
            unit: Unit::Megabytes,
            rates,
            naive: Some(naive),
        });
    }
    Ok(rows)
}

/// Measures a lexer on the files with an extension below a folder; returns no rows if there is less than a megabyte.
pub(super) fn lexing(language: &str, extension: &str, folder: &Path) -> Result<Vec<Row>> {
    const LEAST: usize = 1_000_000;
    const MOST: usize = 8_000_000;
    let front_end = fanmill_lang::front_end(language).context("the language has a table")?;
    let steps = Lexer::step_by_step(front_end.language());
    let (mut texts, mut n_bytes) = (Vec::new(), 0);
    collect(folder, extension, &mut |text| {
        n_bytes += text.len();
        texts.push(text);
        n_bytes < MOST
    })?;
    if n_bytes < LEAST {
        println!("lexing {language}: less than a megabyte of `.{extension}` files");
        return Ok(Vec::new());
    }
    let rate = |job: &mut dyn FnMut(&str)| {
        n_bytes as f64 / best_of(5, || texts.iter().for_each(|text| job(text))) / 1e6
    };
    let mut tokens = Tokens::default();
    let mut rate_of = |lexer: &Lexer| {
        rate(&mut |text| {
            tokens.clear();
            lexer.tokenize(text, &mut tokens);
        })
    };
    // The lexer without its fast loop is the naive twin.
    let naive = by_none(|| rate_of(&steps))?;
    let rates = by_each_set(|| rate_of(&front_end))?;
    let limit = rate(&mut |text| _ = black_box(class_changes(text.as_bytes())));
    let row = |name: String, does: &str, role, rates, naive| Row {
        part: Part::Lexing,
        role,
        name,
        label: None,
        does: does.to_owned(),
        unit: Unit::Megabytes,
        rates,
        naive,
    };
    Ok(vec![
        row(
            format!("lexing of {language}"),
            "makes tokens of programs, with what they are, how they are spelled and where they stand",
            Role::Ours,
            rates,
            Some(naive),
        )
        .labelled(&format!("lexing {language}")),
        row(
            format!("classes of {language}"),
            "looks each byte up in a table and counts where its class changes, a part of what every lexer does",
            Role::Limit,
            vec![limit],
            None,
        ),
    ])
}

/// Passes the files with an extension below a folder to `take`, in the order of their names, until it has enough.
fn collect(folder: &Path, extension: &str, take: &mut dyn FnMut(String) -> bool) -> Result<bool> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("could not list `{}`", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        let kind = fs::symlink_metadata(&path)?;
        let is_wanted = path.extension().is_some_and(|found| found == extension);
        let goes_on = if kind.is_dir() {
            collect(&path, extension, take)?
        } else if kind.is_file() && is_wanted {
            take(String::from_utf8_lossy(&fs::read(&path)?).into_owned())
        } else {
            true
        };
        if !goes_on {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Counts the bytes whose class differs from that of the byte before.
fn class_changes(bytes: &[u8]) -> u64 {
    const CLASSES: [u8; 256] = {
        let mut classes = [3; 256];
        let mut byte = 0_u8;
        while byte < 128 {
            classes[byte as usize] = match byte {
                0..=b' ' => 0,
                b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' => 1,
                _ => 2,
            };
            byte += 1;
        }
        classes
    };
    let mut before = 0;
    bytes.iter().fold(0, |n, &byte| {
        let class = CLASSES[usize::from(byte)];
        let is_change = class != before;
        before = class;
        n + u64::from(is_change)
    })
}
