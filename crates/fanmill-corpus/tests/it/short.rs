//! Short texts: one slip makes no other text, and one other word does.

use std::fmt::Write as _;

use fanmill_corpus::ShortTexts;
use fanmill_corpus::dedup::{self, Search, Settings};
use fanmill_text::progress::Silent;

use crate::job;

/// Returns the texts that go, each with the one that stays.
fn removed(texts: &[String], settings: &Settings) -> Vec<(usize, usize)> {
    let found = dedup::in_memory(texts, settings, None, &Silent).expect("done");
    let removal = |(i, own): (usize, &dedup::Decision)| Some((i, own.removal()?.kept));
    found.texts.iter().enumerate().filter_map(removal).collect()
}

/// Both searches, by sketches and exact.
fn searches() -> [Settings; 2] {
    [job::settings(), job::settings().with(|s| s.search = Search::Exact)]
}

#[test]
fn a_slip_in_a_verse_is_found_and_an_opposite_review_is_not() {
    let verses =
        "Rain on the harbour, lanterns along the quay; the last ferry carries nobody home.";
    let review = "I have seen this film four times and I would recommend it to everybody I know.";
    let poem = "山高水长人在远方雨落江南夜未央，灯火万家归路漫漫月如霜风。";
    let notice = "The library opens at nine on weekdays and closes at six in the evening all year.";
    for settings in searches() {
        for (text, other, is_copy) in [
            (verses, verses.replace("lanterns", "lantems"), false),
            (verses, verses.replace("lanterns", "lanternes"), true),
            (verses, verses.replace("harbour", "harbuor").to_uppercase(), true),
            (review, review.replace("would recommend", "would never recommend"), false),
            (review, review.replace("recommend", "deprecate"), false),
            (review, review.replace("recommend", "recomend"), true),
            (review, review.replace("four times", "2 times"), false),
            (poem, poem.replace('远', "遥"), true),
            (poem, poem.replace('未', "已"), false),
            (notice, format!("{notice} Welcome!"), true),
            (
                notice,
                notice.replace("opens", "closes").replace("closes at six", "opens at six"),
                false,
            ),
        ] {
            let expected: &[(usize, usize)] = if is_copy { &[(1, 0)] } else { &[] };
            assert_eq!(removed(&[text.to_owned(), other.clone()], &settings), expected, "{other}");
        }
    }
}

/// Hundreds of pages of help that only say which command another one stands for.
#[test]
fn pages_that_differ_in_the_name_of_a_command_stay() {
    let letters = |n: usize| [b'a' + (n / 26) as u8, b'a' + (n % 26) as u8].map(char::from);
    let mut pages = Vec::new();
    for n in 0..400 {
        let [a, b] = letters(n);
        let name = format!("tool{a}{b}x");
        pages.push(format!(
            "# {name}\n\n> This command is an alias of `base{a}`.\n\n- View documentation for the original command:\n\n\
             `help base{a}`\n\n- Show what it does in a terminal:\n\n`{name} --show`"
        ));
    }
    for settings in searches() {
        assert_eq!(removed(&pages, &settings), [], "words");
        let by_shingles = settings.with(|s| {
            s.short_texts = ShortTexts::Shingles;
            s.measure = dedup::Measure::Resemblance(
                fanmill_sketch::lsh::verify::Threshold::new(0.3).expect("a fraction"),
            );
        });
        assert!(removed(&pages, &by_shingles).len() > 300, "they are alike by shingles");
    }
}

/// A run over files whose texts do not fit into memory finds the slips that one over texts in memory finds.
#[test]
fn slips_are_found_on_disk_as_in_memory() {
    let base = |n: usize| {
        let words = (0..24).map(|i| {
            format!(
                "word{}",
                char::from(b'a' + ((n * 7 + i * i * 5 + n * i) % 26) as u8)
                    .to_string()
                    .repeat(1 + (n >> i & 1))
            )
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let mut texts = Vec::new();
    for n in 0..150 {
        let text = base(n);
        texts.push(text.replacen("word", "wrod", 1));
        texts.push(text.clone());
        texts.push(text.replacen("word", "verb", 1));
    }
    // Long texts fill the memory that would keep the short ones.
    let long: String = (0..60_000).fold(String::new(), |mut text, n| {
        write!(text, "w{} ", n * 31 % 7919).expect("a string");
        text
    });
    let mut all = vec![long.clone(), format!("{long} end"), long.replace("w7 ", "w8 ")];
    for _ in 0..40 {
        all.push(format!("{} {long}", all.len()));
    }
    all.extend(texts);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let lines: String = all.iter().fold(String::new(), |mut lines, text| {
        writeln!(lines, "{}", serde_json::json!({ "text": text })).expect("a string");
        lines
    });
    std::fs::write(&path, lines).expect("a file");
    for settings in searches() {
        let expected = removed(&all, &settings);
        assert!(expected.iter().filter(|(document, _)| *document >= 43).count() >= 150);
        let outcome = job::dedup(
            std::slice::from_ref(&path),
            &settings,
            &folder.path().join(format!("{:?}", settings.search)),
        )
        .expect("done");
        assert_eq!(outcome.summary.counts.duplicates as usize, expected.len());
    }
}
