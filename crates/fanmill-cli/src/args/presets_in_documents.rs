//! The numbers of the presets in documents: the test that compares them, and writes them.

use std::fs;
use std::ops::Range;
use std::path::Path;

use fanmill::pipeline::{PRESET_OF_SHORT, SHORT, preset};
use fanmill_text::token::Kind;

/// Sentences in documents; each name in braces is the place of a number.
const SENTENCES: [(&str, &str); 6] = [
    (
        "README.md",
        "every shared passage of at least {code.t} tokens of code ({words.t} words of prose) is found. In code, nothing shorter than \
         {code.k} tokens is ever shown; where one of two programs has fewer than {short} tokens, these numbers are {short.t} and \
         {short.k}.",
    ),
    ("README.md", "no passage is shown that has no run of at least {words.k} words,"),
    (
        "docs/index-command.md",
        "finds passages of {short.t} tokens where one of two programs has fewer than {short}. An index has no fingerprints so short: \
         documents that share nothing of {code.t} tokens",
    ),
    ("docs/index-command.md", "two texts that share any two grams of {words.k} words,"),
    ("docs/lab.md", "words; pages without their tags | {words.k}, {words.t} |"),
    ("docs/lab.md", "each file as `compare` reads it | {code.k}, {code.t} |"),
];

fn number(name: &str) -> u32 {
    let (noise, guarantee) = match name.split('.').next() {
        Some("code") => preset(Kind::Code),
        Some("words") => preset(Kind::Words),
        Some("short") => PRESET_OF_SHORT,
        _ => panic!("no preset is called {name}"),
    };
    match name.split_once('.') {
        Some((_, "k")) => noise,
        Some((_, "t")) => guarantee,
        _ => SHORT as u32,
    }
}

/// Puts the numbers into a sentence.
fn rendered(sentence: &str) -> String {
    let mut parts = sentence.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').expect("a name in braces");
        text += &number(name).to_string();
        text += rest;
    }
    text
}

/// Splits a text into words, with their places.
fn words(text: &str) -> Vec<(Range<usize>, &str)> {
    let start_of = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split_whitespace()
        .map(|word| (start_of(word)..start_of(word) + word.len(), word))
        .collect()
}

/// Replaces each number in a word by `#`.
fn numberless(word: &str) -> String {
    let mut out = String::new();
    for c in word.chars() {
        match c {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            c => out.push(c),
        }
    }
    out
}

/// Puts the numbers of a sentence into a document, which has the sentence with these or other numbers.
fn with_numbers(document: &str, sentence: &str) -> Option<String> {
    let rendered = rendered(sentence);
    let (own, wanted) = (words(document), words(&rendered));
    let is_it = |window: &&[(Range<usize>, &str)]| {
        window.iter().zip(&wanted).all(|(a, b)| numberless(a.1) == numberless(b.1))
    };
    let found = own.windows(wanted.len()).find(is_it)?;
    let mut text = document.to_owned();
    for ((place, _), (_, word)) in found.iter().zip(&wanted).rev() {
        text.replace_range(place.clone(), word);
    }
    Some(text)
}

#[test]
fn documents_name_the_presets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (name, sentence) in SENTENCES {
        let path = root.join(name);
        let document = fs::read_to_string(&path).expect("a document");
        let right = with_numbers(&document, sentence);
        let right =
            right.unwrap_or_else(|| panic!("{name} does not have the sentence: {sentence}"));
        if std::env::var_os("FANMILL_WRITE_DOCS").is_some() {
            fs::write(&path, &right).expect("a document");
        } else {
            assert!(
                right == document,
                "{name} has other numbers than `{}`; write them with FANMILL_WRITE_DOCS=1",
                rendered(sentence)
            );
        }
    }
}

#[test]
fn only_numbers_are_replaced() {
    let document = "In prose, passages of at least\n  99 words of prose.";
    let sentence = "at least {words.t} words of";
    let expected = "In prose, passages of at least\n  12 words of prose.";
    assert_eq!(with_numbers(document, sentence).as_deref(), Some(expected));
    assert_eq!(with_numbers("nothing of this", sentence), None);
}
