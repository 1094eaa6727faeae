//! The tokens that a report shows are those that were compared.

use fanmill::pipeline::{Comparison, Config};
use fanmill::report::Place;
use fanmill_text::frontend::decode;
use fanmill_text::span::Span;
use fanmill_text::token::Class;

use crate::compare::{Handed, comparison, registry};

fn tokens(compared: &Comparison, submission: u32, file: u32) -> Vec<(Class, Span)> {
    let mut tokens = Vec::new();
    let mut take = |class, span| tokens.push((class, span));
    let (submission, file) = (submission as usize, file as usize);
    let member = compared.members().get(submission);
    let document = member.and_then(|member| member.submission.documents.get(file));
    let decoded = decode(document.map_or(&[][..], |document| &document.bytes[..]));
    compared.tokens(&registry(), submission, file, &decoded, &mut take);
    tokens
}

/// Lines of a program, each of them another one.
fn program(n_lines: usize) -> String {
    let line = |i: usize| {
        let word = "abcdefgh".repeat(1 + i % 3);
        match i % 4 {
            0 => format!("{word}{i} = {i} + count({word})  # remark {i}\n"),
            1 => format!("if {word} > 2 and not done: return \"{word}\"\n"),
            2 => format!("import {word}\nfor {word} in list{i}[{i}:]: print(x * {i})\n"),
            _ => format!("naïve.{word}(Größe, 'ü', {word})\n"),
        }
    };
    (0..n_lines).map(line).collect()
}

fn prose(n_words: usize) -> String {
    let word = |i: usize| {
        let comma = if i.is_multiple_of(5) { "," } else { "" };
        format!("{}{}{comma}", ["Grün", "co-operate", "it's", "Crab"][i % 4], i * i % 97)
    };
    (0..n_words).map(word).collect::<Vec<_>>().join(" ")
}

fn notebook(source: &str) -> String {
    let cell = |kind: &str, source: &str| {
        serde_json::json!({"cell_type": kind, "source": source.lines().map(|l| format!("{l}\n"))
            .collect::<Vec<_>>()})
    };
    let cells = [cell("markdown", &prose(60)), cell("code", source)];
    serde_json::json!({"cells": cells, "metadata": {}, "nbformat": 4}).to_string()
}

/// Markdown with a chunk of code for every few lines of a program.
fn chunks(program: &str, n_lines: usize) -> String {
    let lines: Vec<&str> = program.split_inclusive('\n').collect();
    let chunk = |lines: &[&str]| format!("{}\n```python\n{}```\n", prose(30), lines.concat());
    lines.chunks(n_lines).map(chunk).collect()
}

fn utf_16(text: &str) -> Vec<u8> {
    format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Whatever the kind of text and its encoding, and whatever was folded.
#[test]
fn a_match_has_as_many_tokens_as_stand_in_its_place() {
    let hidden = program(40).replace("count", "co\u{200B}unt").replace("abc", "аbс");
    let batches: [(&str, Vec<u8>, Vec<u8>); 6] = [
        ("a.py", program(40).into(), format!("x = 1\n{}", program(40)).into()),
        ("a.py", hidden.into(), program(40).into()),
        ("a.py", utf_16(&program(40)), program(40).into()),
        ("a.txt", utf_16(&prose(200)), prose(200).to_uppercase().into()),
        (
            "a.ipynb",
            notebook(&program(40)).into(),
            notebook(&format!("y()\n{}", program(40))).into(),
        ),
        ("a.md", chunks(&program(40), 3).into(), chunks(&program(41), 4).into()),
    ];
    for (path, a, b) in batches {
        let handed = [Handed::new("a", path, a), Handed::new("b", path, b)];
        let compared = comparison(&handed, &Config::standard());
        let files = [tokens(&compared, 0, 0), tokens(&compared, 1, 0)];
        let matches: Vec<_> =
            compared.report.pairs[0].passages.iter().flat_map(|p| &p.matches).collect();
        assert!(matches.iter().map(|found| found.tokens).sum::<u32>() > 100, "{path}");
        for found in matches {
            let within = |tokens: &[(Class, Span)], place: &Place| {
                let (start, end) = (place.start, place.end);
                let inside = tokens.iter().filter(|(_, span)| (start..end).contains(&span.start));
                let classes: Vec<Class> = inside.map(|(class, _)| *class).collect();
                (tokens.iter().any(|(_, span)| span.end == end), classes)
            };
            let [(ends_a, in_a), (ends_b, in_b)] =
                [within(&files[0], &found.a), within(&files[1], &found.b)];
            assert_eq!((in_a.len() as u32, &in_a), (found.tokens, &in_b), "{path}");
            assert!(ends_a && ends_b, "{path}");
        }
        for (submission, tokens) in compared.report.submissions.iter().zip(&files) {
            assert_eq!(submission.files[0].tokens, tokens.len() as u64, "{path}");
        }
    }
}

#[test]
fn classes_are_what_a_reader_sees() {
    let text = "if x > 1:  # more\n  return \"y\"\n";
    let handed = [Handed::new("a", "a.py", text), Handed::new("b", "b.txt", "If two, words.")];
    let compared = comparison(&handed, &Config::standard());
    let seen = |submission, text: &str| -> Vec<(Class, String)> {
        let tokens = tokens(&compared, submission, 0);
        tokens.iter().map(|(class, span)| (*class, text[span.range()].to_owned())).collect()
    };
    let seen_code = seen(0, text);
    let code: Vec<(Class, &str)> = seen_code.iter().map(|(c, text)| (*c, text.as_str())).collect();
    assert_eq!(
        code,
        [
            (Class::Keyword, "if"),
            (Class::Identifier, "x"),
            (Class::Spelled, ">"),
            (Class::Number, "1"),
            (Class::Spelled, ":"),
            (Class::Keyword, "return"),
            (Class::String, "\"y\""),
        ]
    );
    assert!(seen(1, "If two, words.").iter().all(|(class, _)| *class == Class::Word));
}

#[test]
fn a_language_that_was_forced_is_the_one_that_is_shown() {
    let handed = [Handed::new("a", "a.txt", "return x"), Handed::new("b", "b.txt", "return y")];
    let config =
        Config::standard().with(|config| config.fingerprints.lang = Some("java".to_owned()));
    let compared = comparison(&handed, &config);
    let classes: Vec<Class> = tokens(&compared, 0, 0).iter().map(|(class, _)| *class).collect();
    assert_eq!(classes, [Class::Keyword, Class::Identifier]);
}

#[test]
fn what_is_not_there_has_no_tokens() {
    let compared = comparison(&[Handed::new("a", "a.py", "x")], &Config::standard());
    assert!(tokens(&compared, 7, 0).is_empty() && tokens(&compared, 0, 7).is_empty());
}
