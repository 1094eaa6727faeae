//! Different words with equal hashes: they must not give a passage or a link, or fail the build.

use fanmill::pipeline::{Config, compare};
use fanmill::report::Report;
use fanmill_text::frontend::{Claims, FrontEnd, Kind, Registry};
use fanmill_text::progress::Silent;
use fanmill_text::span::Span;
use fanmill_text::token::{Symbol, Token, Tokens};

use crate::compare::{Handed, comparison, corpus};

/// Different words whose XXH3 hashes agree in the upper 32 bits, found among 1.3 million.
const COLLIDING: [(&str, &str); 30] = [
    ("pukuzudegu", "rarufovufu"),
    ("pevafupuvo", "ferikilupe"),
    ("natobiloro", "dogibubani"),
    ("migegiteko", "kulasugiza"),
    ("bupesiluve", "pigutiguku"),
    ("nasapidupu", "rebefozome"),
    ("nafevafelu", "rikukepeme"),
    ("dadebotato", "zudotadusa"),
    ("mapugogiti", "bamesimama"),
    ("lodenosefe", "kadorobefi"),
    ("pulemerufa", "sokukefeme"),
    ("vetisofoka", "bifibimeza"),
    ("tedovanoli", "rolobibisi"),
    ("lunosinetu", "tagutikuko"),
    ("foramenipu", "gopadugile"),
    ("tutesizuko", "pezigefimo"),
    ("bapidugubu", "panativuta"),
    ("gogonugifu", "difenalasa"),
    ("domerukizu", "dibokanura"),
    ("kizifibeme", "zozesemimi"),
    ("notaremobo", "genirofoda"),
    ("zoluresiti", "difiteraki"),
    ("tufesamobu", "lusopaselo"),
    ("finobirone", "madaregiza"),
    ("banitapagu", "runisonalo"),
    ("dumitotese", "lusedaloli"),
    ("nafufofavu", "vudetikive"),
    ("vamizikudi", "sonivemafu"),
    ("bokusoloba", "tigofubitu"),
    ("rarikozife", "dakofavote"),
];

/// A text of so many words, each as `write` writes it.
fn text(words: impl Iterator<Item = &'static str>, write: fn(&str) -> String) -> String {
    words.map(|word| write(word) + " ").collect()
}

/// A word whose first letter is an escape of JSON.
fn escaped(word: &str) -> String {
    format!("\\u{:04x}{}", u32::from(word.chars().next().expect("a letter")), &word[1..])
}

fn notebook(source: &str) -> String {
    format!(r#"{{"cells": [{{"cell_type": "raw", "source": ["{source}"]}}], "nbformat": 4}}"#)
}

#[test]
fn words_that_collide_in_32_bits_have_the_same_hash_there() {
    for (x, y) in COLLIDING {
        let upper = |word: &str| xxhash_rust::xxh3::xxh3_64(word.as_bytes()) >> 32;
        assert!(x != y && upper(x) == upper(y), "{x} and {y}");
    }
}

#[test]
fn different_words_with_equal_hashes_link_nothing() {
    let plain = |word: &str| word.to_owned();
    let words = [COLLIDING.map(|(x, _)| x), COLLIDING.map(|(_, y)| y)];
    let texts = words.map(|words| text(words.into_iter(), plain));
    let notebooks = words.map(|words| notebook(&text(words.into_iter(), escaped)));
    for (path, [ann, bob]) in [("a.txt", texts), ("a.ipynb", notebooks)] {
        let handed = [Handed::new("ann", path, ann), Handed::new("bob", path, bob)];
        let compared = comparison(&handed, &Config::standard());
        let report = &compared.report;
        assert!(report.pairs.is_empty() && report.clusters.is_empty(), "{path}");
        assert_eq!(compared.highest_score.to_bits(), 0, "{path}");
        assert_eq!((report.counts.supported, report.counts.listed), (0, 0), "{path}");
    }
}

#[test]
fn a_link_rests_on_a_pair_that_shares_a_passage_and_not_on_one_beside_it() {
    // Ann's and Bob's words only look alike to a hash; Cy has Ann's own.
    let plain = |word: &str| word.to_owned();
    let ann = text(COLLIDING.map(|(x, _)| x).into_iter(), plain);
    let bob = text(COLLIDING.map(|(_, y)| y).into_iter(), plain);
    let handed = [
        Handed::new("ann", "a.txt", ann.as_str()),
        Handed::new("bob", "a.txt", format!("Bob writes: {bob}")),
        Handed::new("cy", "a.txt", format!("Then cy wrote: {ann}")),
    ];
    let report = comparison(&handed, &Config::standard()).report;
    let pairs: Vec<_> = report.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
    let clusters: Vec<_> = report.clusters.iter().map(|c| (c.members.clone(), c.links)).collect();
    assert_eq!((pairs, clusters), (vec![(0, 2)], vec![(vec![0, 2], 1)]));
}

#[test]
fn words_of_notebooks_are_the_same_whatever_their_escapes() {
    let words = || COLLIDING.map(|(x, _)| x).into_iter();
    let plain = |word: &str| word.to_owned();
    // A hyphen at the end of one string of the list, its other half in the next.
    let halved = |word: &str| format!(r#"{}-\n", "{}"#, &word[..4], &word[4..]);
    let handed = [
        Handed::new("ann", "a.txt", text(words(), plain)),
        Handed::new("bob", "a.ipynb", notebook(&text(words(), escaped))),
        Handed::new("cy", "a.ipynb", notebook(&text(words(), halved))),
    ];
    let report = comparison(&handed, &Config::standard()).report;
    let found: Vec<_> = report.pairs.iter().map(|p| (p.a, p.b, p.longest)).collect();
    assert_eq!(found, [(0, 1, 30), (0, 2, 30), (1, 2, 30)]);
}

/// Words of letters, of which only the first three count for their symbol: as if 64 bits collided.
#[derive(Debug)]
struct FirstThree;

impl FrontEnd for FirstThree {
    fn name(&self) -> &'static str {
        "first-three"
    }

    fn version(&self) -> u32 {
        1
    }

    fn kind(&self) -> Kind {
        Kind::Words
    }

    fn spells_words(&self) -> bool {
        true
    }

    fn claims(&self) -> Claims {
        Claims::default()
    }

    fn tokenize(&self, text: &str, tokens: &mut Tokens) {
        let mut at = 0;
        for word in text.split_inclusive(' ') {
            let symbol = Symbol::spelled(&word.as_bytes()[..3]);
            let span = Span::new(at, at + word.trim_end().len() as u32);
            tokens.push(Token { symbol, name: symbol, span });
            at += word.len() as u32;
        }
    }
}

/// Compares texts whose words differ where their symbols do not; also the highest score.
fn with_one_symbol_for_many(texts: &[&str], max_pairs: usize) -> (Report, f64) {
    let registry = Registry::new(vec![Box::new(FirstThree)]).expect("names are distinct");
    let names = ["ann", "bob", "cy", "dan"];
    let handed: Vec<Handed> =
        names.iter().zip(texts).map(|(name, text)| Handed::new(name, "a.txt", *text)).collect();
    let language = Some("first-three".to_owned());
    let config = Config::standard().with(|config| {
        config.fingerprints.lang = language;
        config.max_pairs = max_pairs;
    });
    let compared = compare(corpus(&handed), &registry, &config, &Silent).expect("sound settings");
    (compared.report, compared.highest_score)
}

/// So many words: their numbers in three letters, with an ending.
fn numbered(numbers: std::ops::Range<u8>, ending: &str) -> String {
    let letter = |n: u8| char::from(b'a' + n % 26);
    let word = |n| format!("{}{}{}{ending} ", letter(n), letter(n / 26), letter(n / 7));
    numbers.map(word).collect::<Vec<_>>().concat()
}

#[test]
fn words_that_share_a_symbol_of_64_bits_link_nothing() {
    let (ann, bob) = (numbered(0..30, "y"), numbered(0..30, "z"));
    for max_pairs in [0, 500] {
        let (report, highest_score) = with_one_symbol_for_many(&[&ann, &bob], max_pairs);
        assert_eq!(report.counts.scored, 1, "it looks like a copy to hashes");
        assert!(report.pairs.is_empty() && report.clusters.is_empty());
        assert_eq!((highest_score.to_bits(), report.counts.supported), (0, 0));
    }
}

#[test]
fn a_run_of_equal_words_among_such_that_only_share_symbols_is_the_evidence() {
    let [ann, bob] = ["y", "z"].map(|ending| {
        numbered(0..20, ending) + &numbered(20..35, "same") + &numbered(35..60, ending)
    });
    let (report, _) = with_one_symbol_for_many(&[&ann, &bob], 500);
    let found: Vec<_> =
        report.pairs.iter().map(|pair| (pair.longest, pair.passages.len())).collect();
    assert_eq!((found, report.counts.supported), (vec![(15, 1)], 1));
}
