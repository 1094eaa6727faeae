//! The promises of the README, tested on random input through the whole pipeline.

use fanmill::pipeline::{Comparison, Config, PRESET_OF_SHORT, SHORT, preset};
use fanmill::report::{Match, Place};
use fanmill::select::Selector;
use fanmill_text::frontend::{Folding, Text};
use fanmill_text::token::{Kind, Symbol, Tokens};
use proptest::prelude::*;
use proptest::test_runner::{Config as Cases, RngSeed};
use unicode_normalization::UnicodeNormalization;

use crate::compare::{Handed, comparison, registry};

/// Selectors that promise to find what is as long as the guarantee.
const PROMISING: [Selector; 5] = [
    Selector::Roc { r: 2 },
    Selector::Winnow,
    Selector::Robust,
    Selector::SafeModP { p: 5 },
    Selector::All,
];

/// Operators and keywords of C, none of which a lexer joins with its neighbour over a space: first
/// those of one program, then those of the other, then those of the shared run.
const VOCABULARIES: [[&str; 6]; 3] = [
    ["+", "while", "!=", "(", "struct", "%"],
    ["-", "switch", "==", "[", "enum", "&"],
    ["*", "return", "<=", "{", "goto", "|"],
];

/// So many cases, the same in every run.
fn cases(n: u32) -> Cases {
    Cases {
        cases: n,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2003),
        ..Cases::default()
    }
}

/// A program of so many tokens of one vocabulary.
fn program(vocabulary: usize, n: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    proptest::collection::vec(0_usize..6, n).prop_map(move |picks| {
        picks.iter().map(|&pick| VOCABULARIES[vocabulary][pick].to_owned() + " ").collect()
    })
}

fn tokens(text: &str, language: &str) -> Tokens {
    let mut tokens = Tokens::default();
    registry().find(language).expect("a language").tokenize(text, &mut tokens);
    tokens
}

fn longest_common_run(a: &[Symbol], b: &[Symbol]) -> usize {
    let mut longest = 0;
    for i in 0..a.len() {
        for j in 0..b.len() {
            let run = a[i..].iter().zip(&b[j..]).take_while(|(x, y)| x == y).count();
            longest = longest.max(run);
        }
    }
    longest
}

/// All shown matches, with the numbers of the two submissions.
fn shown(comparison: &Comparison) -> Vec<(u32, u32, &Match)> {
    let pairs = comparison.report.pairs.iter();
    pairs
        .flat_map(|pair| {
            let matches = pair.passages.iter().flat_map(|passage| &passage.matches);
            matches.map(|found| (pair.a, pair.b, found))
        })
        .collect()
}

/// The bytes of a stretch, as they were handed in.
fn bytes(comparison: &Comparison, submission: u32, place: &Place) -> Vec<u8> {
    let document =
        &comparison.members()[submission as usize].submission.documents[place.file as usize];
    document.bytes[place.start as usize..place.end as usize].to_vec()
}

proptest! {
    #![proptest_config(cases(120))]

    /// P2: a planted run that is as long as the guarantee is found whole; what is shorter than
    /// noise is not; what lies between is shown whole or not at all.
    #[test]
    fn a_planted_run_is_found_from_the_guarantee_on_and_never_below_noise(
        before_a in program(0, 0..60),
        after_a in program(0, 1..60),
        before_b in program(1, 0..60),
        after_b in program(1, 1..60),
        run in program(2, 1..40),
        noise in 2_u32..14,
        more in 0_u32..16,
        selector in 0_usize..PROMISING.len(),
    ) {
        let n = run.split_whitespace().count();
        let a = format!("{before_a}{run}{after_a}");
        let handed = [
            Handed::new("a", "a.c", a.as_str()),
            Handed::new("b", "b.c", format!("{before_b}{run}{after_b}")),
        ];
        let config = Config::standard().with(|config| { config.fingerprints.noise = Some(noise); config.fingerprints.guarantee = Some(noise + more); config.fingerprints.select = Some(PROMISING[selector]); });
        let compared = comparison(&handed, &config);
        let shown = shown(&compared);
        let is_whole = |found: &Match| {
            let place = found.a.start as usize..found.a.end as usize;
            found.tokens as usize == n && a[place] == *run.trim_end()
        };
        let (noise, guarantee) = (noise as usize, (noise + more) as usize);
        if n >= guarantee {
            prop_assert!(shown.len() == 1 && is_whole(shown[0].2), "{:?}", shown);
        } else if n < noise {
            prop_assert!(shown.is_empty(), "{:?}", shown);
        } else {
            prop_assert!(shown.iter().all(|(_, _, found)| is_whole(found)), "{:?}", shown);
        }
    }

    /// P2 by the presets, which are lower where one of the two programs is short.
    #[test]
    fn a_planted_run_is_found_by_the_size_of_the_shorter_program(
        before_a in program(0, 0..150),
        after_a in program(0, 1..150),
        before_b in program(1, 0..150),
        after_b in program(1, 1..150),
        run in program(2, 1..40),
        other in program(0, 1..300),
        selector in 0_usize..PROMISING.len(),
    ) {
        let n = run.split_whitespace().count();
        let a = format!("{before_a}{run}{after_a}");
        let b = format!("{before_b}{run}{after_b}");
        let is_short = [&a, &b].iter().any(|text| text.split_whitespace().count() < SHORT);
        let (noise, guarantee) = if is_short { PRESET_OF_SHORT } else { preset(Kind::Code) };
        let (noise, guarantee) = (noise as usize, guarantee as usize);
        let handed = [Handed::new("a", "a.c", a.as_str()), Handed::new("b", "b.c", b), Handed::new("c", "c.c", other)];
        let config = Config::standard().with(|config| config.fingerprints.select = Some(PROMISING[selector]));
        let compared = comparison(&handed, &config);
        let shown: Vec<&Match> =
            shown(&compared).into_iter().filter(|&(_, b, _)| b == 1).map(|(.., found)| found).collect();
        let is_whole = |found: &Match| {
            let place = found.a.start as usize..found.a.end as usize;
            found.tokens as usize == n && a[place] == *run.trim_end()
        };
        if n >= guarantee {
            prop_assert!(shown.len() == 1 && is_whole(shown[0]), "{:?}", shown);
        } else if n < noise {
            prop_assert!(shown.is_empty(), "{:?}", shown);
        } else {
            prop_assert!(shown.iter().all(|found| is_whole(found)), "{:?}", shown);
        }
    }

    /// P2 where runs repeat and overlap: something is shown if and only if there is a run for it.
    #[test]
    fn tangled_programs_are_found_by_their_longest_run(
        a in program(2, 20..90),
        b in program(2, 20..90),
        copied in 0_usize..40,
        noise in 3_u32..9,
        more in 0_u32..9,
        selector in 0_usize..PROMISING.len(),
    ) {
        let start: String = a.split_inclusive(' ').take(copied).collect();
        let b = b + &start;
        let longest = longest_common_run(&tokens(&a, "c").symbols, &tokens(&b, "c").symbols);
        let handed = [Handed::new("a", "a.c", a), Handed::new("b", "b.c", b)];
        let config = Config::standard().with(|config| { config.fingerprints.noise = Some(noise); config.fingerprints.guarantee = Some(noise + more); config.fingerprints.select = Some(PROMISING[selector]); });
        let compared = comparison(&handed, &config);
        if longest >= (noise + more) as usize {
            let best = compared.report.pairs.first().map_or(0, |pair| pair.longest);
            prop_assert!(best >= u64::from(noise + more), "{} of {}", best, longest);
        }
        if longest < noise as usize {
            prop_assert!(shown(&compared).is_empty());
        }
        let report = &compared.report;
        prop_assert_eq!(report.counts.supported, report.pairs.len() as u64, "what scores is shown");
        for (_, _, found) in shown(&compared) {
            prop_assert!((noise..=longest as u32).contains(&found.tokens), "{:?}", found);
        }
    }

    /// P2 in prose: a run as long as the guarantee is found, and no passage is shown without a run that is
    /// as long as noise; within one, single words may be marked.
    #[test]
    fn a_passage_of_prose_has_a_run_as_long_as_noise(
        a in proptest::collection::vec("[a-d]{1,2}", 20..90),
        b in proptest::collection::vec("[a-d]{1,2}", 20..90),
        copied in 0_usize..40,
        noise in 2_u32..6,
        more in 0_u32..9,
    ) {
        let start = &a[..copied.min(a.len())];
        let (a, b) = (a.join(" "), [&b[..], start].concat().join(" "));
        let longest = longest_common_run(&tokens(&a, "words").symbols, &tokens(&b, "words").symbols);
        let handed = [Handed::new("a", "a.txt", a), Handed::new("b", "b.txt", b)];
        let guarantee = noise + more;
        let config = Config::standard().with(|config| {
            (config.fingerprints.noise, config.fingerprints.guarantee) = (Some(noise), Some(guarantee));
        });
        let compared = comparison(&handed, &config);
        let pairs = &compared.report.pairs;
        let runs = |passage: &fanmill::report::Passage| {
            passage.matches.iter().map(|found| found.tokens).max().unwrap_or(0)
        };
        let passages = || pairs.iter().flat_map(|pair| &pair.passages);
        prop_assert!(passages().all(|passage| runs(passage) >= noise));
        if longest >= guarantee as usize {
            prop_assert!(passages().any(|passage| runs(passage) >= guarantee));
        }
        if longest < noise as usize {
            prop_assert!(pairs.is_empty());
        }
        // In A they ascend; in B they may have changed places.
        for passage in passages() {
            let apart = |places: &[&Place]| places.windows(2).all(|two| two[0].end <= two[1].start);
            let in_a: Vec<&Place> = passage.matches.iter().map(|found| &found.a).collect();
            let mut in_b: Vec<&Place> = passage.matches.iter().map(|found| &found.b).collect();
            in_b.sort_by_key(|place| place.start);
            prop_assert!(apart(&in_a) && apart(&in_b));
        }
    }

    /// P6 in prose, in three encodings: both sides of what is shown are the same words.
    #[test]
    fn both_sides_of_a_match_read_the_same_in_any_encoding(
        words in proptest::collection::vec("[a-e]{1,3}|Größe|naïve|\u{1f600}|don't|е", 60..90),
        cut in 5_usize..25,
        forms in (0_usize..3, 0_usize..3),
        separator in "[ \n,]|\r\n",
    ) {
        let encode = |text: &str, form: usize| -> Vec<u8> {
            let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
            match form {
                0 => text.as_bytes().to_vec(),
                1 => units(&format!("\u{feff}{text}")).into_iter().flat_map(u16::to_le_bytes).collect(),
                _ => units(&format!("\u{feff}{text}")).into_iter().flat_map(u16::to_be_bytes).collect(),
            }
        };
        let a = words.join(&separator);
        let b = ["zzz yyy", &words[cut..].join(" "), "xxx"].join("\n");
        let handed = [
            Handed::new("a", "a.txt", encode(&a, forms.0)),
            Handed::new("b", "b.txt", encode(&b, forms.1)),
        ];
        let compared = comparison(&handed, &Config::standard());
        prop_assert!(!compared.report.pairs.is_empty());
        let read = |submission: u32, place: &Place, form: usize| {
            let bytes = bytes(&compared, submission, place);
            let pair = |pair: &[u8]| match form {
                1 => u16::from_le_bytes([pair[0], pair[1]]),
                _ => u16::from_be_bytes([pair[0], pair[1]]),
            };
            let text = match form {
                0 => String::from_utf8(bytes).expect("whole characters"),
                _ => String::from_utf16(&bytes.chunks_exact(2).map(pair).collect::<Vec<_>>()).expect("whole"),
            };
            tokens(Text::folded(text.as_bytes(), Folding::Spelling).as_str(), "words").symbols
        };
        for (a, b, found) in shown(&compared) {
            let (in_a, in_b) = (read(a, &found.a, forms.0), read(b, &found.b, forms.1));
            prop_assert_eq!(in_a.len(), found.tokens as usize);
            prop_assert_eq!(in_a, in_b);
        }
    }

    /// P2 in prose: a run is found whole however its copy is written.
    #[test]
    fn a_copy_in_other_letters_is_found_whole(
        words in proptest::collection::vec(
            "[a-z]{1,6}|[0-9]{1,3}|é[a-z]|don't|λόγος|Οδός|İd|½|⅓|½ml|㏂|ﬁne|Åre|a\u{301}b",
            12..40,
        ),
        form in 0_usize..4,
    ) {
        let run = words.join(" ");
        let copy = match form {
            0 => run.to_uppercase(),
            1 => run.nfd().collect(),
            2 => run.nfkd().collect(),
            _ => run.to_uppercase().nfkd().collect(),
        };
        let handed = [
            Handed::new("a", "a.txt", format!("zzz yyy {run} xxx qqq")),
            Handed::new("b", "b.txt", format!("vvv www {copy} uuu rrr")),
        ];
        let n = tokens(Text::folded(run.as_bytes(), Folding::Spelling).as_str(), "words").len() as u64;
        let report = comparison(&handed, &Config::standard()).report;
        let longest: Vec<u64> = report.pairs.iter().map(|pair| pair.longest).collect();
        prop_assert_eq!(longest, [n], "{} and {}", run, copy);
    }

    /// P2 where text repeats itself so much that not every pair of places of a gram is tried: short
    /// runs of what repeats stand all over both texts, and one of them is long. It is shown whole, unless
    /// another match of the guarantee was found first: then the pair says that a limit was met.
    #[test]
    fn a_long_run_of_what_repeats_is_found_among_short_ones(
        unit in prop::sample::select(vec![
            ("txt", "na ", 1), ("txt", "na ni ", 2), ("txt", "la na ni ", 3),
            ("c", "= ", 1), ("c", "= return ", 2), ("c", "x = y; ", 4),
        ]),
        n_short in (33_usize..60, 33_usize..60),
        more in 0_usize..20,
        at in (0_usize..33, 0_usize..33),
    ) {
        let (ending, unit, n_tokens) = unit;
        let (noise, guarantee) = preset(if ending == "c" { Kind::Code } else { Kind::Words });
        let (noise, guarantee) = (noise as usize, guarantee as usize);
        let short = unit.repeat(noise / n_tokens + 2);
        let run = unit.repeat(guarantee.div_ceil(n_tokens) + more);
        let mut n_words = 0;
        let mut text = |n_short: usize, at: usize| -> String {
            let piece = |number: usize| {
                n_words += 3;
                let run = if number == at { &run } else { &short };
                match ending {
                    "c" => format!("goto {}; {run}", "* ".repeat(5 + n_words % 7)),
                    _ => format!("w{n_words} w{} w{} {run}", n_words + 1, n_words + 2),
                }
            };
            (0..n_short).map(piece).collect()
        };
        let handed = [
            Handed::new("a", &format!("a.{ending}"), text(n_short.0, at.0)),
            Handed::new("b", &format!("b.{ending}"), text(n_short.1, at.1)),
        ];
        let report = comparison(&handed, &Config::standard()).report;
        let (longest, truncated) =
            report.pairs.first().map_or((0, false), |pair| (pair.longest, pair.truncated));
        let n_run = (run.len() / unit.len() * n_tokens) as u64;
        prop_assert!(longest >= guarantee as u64, "{}", longest);
        prop_assert!(longest >= n_run || truncated, "{} of {}", longest, n_run);
    }

    /// P1: whatever the bytes, every document is accounted for, and nothing panics.
    #[test]
    fn every_document_is_accounted_for(
        documents in proptest::collection::vec(
            ("[ab]", "[a-c]\\.(py|java|txt|ipynb|zip|html|tex|c|m)", proptest::collection::vec(any::<u8>(), 0..300)),
            1..12,
        ),
    ) {
        let mut handed: Vec<Handed> = Vec::new();
        for (submission, path, bytes) in documents {
            if !handed.iter().any(|h| h.submission == submission && h.path == path) {
                handed.push(Handed::new(&submission, &path, bytes));
            }
        }
        let report = comparison(&handed, &Config::standard()).report;
        let inputs = report.inputs;
        prop_assert_eq!(inputs.seen, handed.len() as u64);
        prop_assert_eq!(inputs.seen, inputs.compared + inputs.degraded + inputs.skipped + inputs.failed);
        let files: usize = report.submissions.iter().map(|submission| submission.files.len()).sum();
        prop_assert_eq!(files, handed.len());
    }
}

/// P3 and P6 on real programs: both sides of every match, found again by their bytes among the
/// tokens of the whole document, are the same tokens, as many as the report says.
///
/// Not cut out and read alone: a string at the start of a piece of Python would be its docstring.
/// A page about a lighthouse: a title and 43 words, some of which tags, comments and character references cut.
const PAGE: &str = r#"<!DOCTYPE html><html><head><title>Evenings</title>
<style>.keeper { color: navy } p { margin: 0 }</style></head>
<body class="keeper"><script>if (1 < 2) { document.title = "<p>not text</p>"; }</script>
<p>The keep&shy;er of the <b>light</b>house wrote down every ship that passed,<br>its flag and its
h<i>eading</i>, for forty&nbsp;one years.</p><!-- no one read it -->
<p>When the caf&eacute; at the harb<!-- x -->our closed, her daughter found the note&#98;ooks behind the stove
and sold them to a museum of maps.</p></body></html>"#;

/// Its text, typed again.
const TYPED: &str = "The keeper of the lighthouse wrote down every ship that passed, its flag and its heading, for
forty one years. When the café at the harbour closed, her daughter found the notebooks behind the stove and sold them
to a museum of maps.";

#[test]
fn a_page_and_a_text_meet_in_their_words() {
    let handed = [
        Handed::new("page", "a.html", PAGE),
        Handed::new("text", "b.txt", TYPED),
        Handed::new("utf-16", "c.htm", utf_16(PAGE)),
    ];
    let compared = comparison(&handed, &Config::standard());
    for (a, b) in [(0, 1), (1, 2)] {
        let of_pair = |found: &&(u32, u32, &Match)| (found.0, found.1) == (a, b);
        let all = shown(&compared);
        let found: Vec<_> = all.iter().filter(of_pair).collect();
        let n_words: u32 = found.iter().map(|(_, _, found)| found.tokens).sum();
        assert_eq!(n_words, 43, "{found:?}");
        let page = |found: &Match| if a == 0 { found.a.clone() } else { found.b.clone() };
        let first = bytes(&compared, if a == 0 { 0 } else { 2 }, &page(found[0].2));
        let first = String::from_utf8_lossy(&first).replace('\0', "");
        assert!(first.starts_with("The keep&shy;er of the <b>light</b>house"), "{first}");
    }
}

#[test]
fn pages_meet_in_their_markup_too() {
    let cards = |words: &[&str]| -> String {
        let card = |word: &&str| {
            format!(
                "<div class=\"card\" data-x=1><h3><a href=\"#\">{word}</a></h3><p title=t><em>{word}</em></p></div>"
            )
        };
        words.iter().map(card).collect()
    };
    let handed = [
        Handed::new("a", "a.html", cards(&["plum", "pear", "fig", "quince"])),
        Handed::new("b", "b.html", cards(&["oboe", "harp", "viola", "drum"])),
    ];
    let compared = comparison(&handed, &Config::standard());
    let found = shown(&compared);
    assert!(found.iter().any(|(_, _, found)| found.tokens > 100), "{found:?}");
}

fn utf_16(text: &str) -> Vec<u8> {
    "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn both_sides_of_every_match_in_the_examples_read_the_same() {
    let folder = "examples/assignment/submissions";
    let mut handed = Vec::new();
    for path in crate::tracked::files(folder) {
        let inside = path.strip_prefix(folder).expect("inside").to_string_lossy().into_owned();
        let path = crate::tracked::root().join(&path);
        let (submission, name) = inside.split_once('/').expect("a submission");
        handed.push(Handed::new(submission, name, std::fs::read(&path).expect("a file")));
    }
    let compared = comparison(&handed, &Config::standard());
    let mut n_matches = 0;
    for (a, b, found) in shown(&compared) {
        let read = |submission: u32, place: &Place| {
            let member = &compared.members()[submission as usize];
            let file = place.file as usize;
            let folding = registry().find(member.parts[file].language).expect("known").folding();
            let text = Text::folded(&member.submission.documents[file].bytes, folding);
            let mut tokens = tokens(text.as_str(), member.parts[file].language);
            text.spans_to_original(&mut tokens.spans);
            let inside = |at: &usize| {
                tokens.spans[*at].start >= place.start && tokens.spans[*at].end <= place.end
            };
            let inside: Vec<usize> = (0..tokens.len()).filter(inside).collect();
            let (first, last) = (inside[0], inside[inside.len() - 1]);
            assert_eq!(tokens.spans[first].start, place.start, "{found:?}");
            assert_eq!(tokens.spans[last].end, place.end, "{found:?}");
            tokens.symbols[first..=last].to_vec()
        };
        let (in_a, in_b) = (read(a, &found.a), read(b, &found.b));
        assert_eq!(in_a.len(), found.tokens as usize, "{found:?}");
        assert_eq!(in_a, in_b, "{found:?}");
        n_matches += 1;
    }
    assert!(n_matches > 50, "{n_matches}");
}
