//! Words with equal hashes, on purpose: texts of different words are never duplicates.
//!
//! The hashes behind sketches never change and can be solved for: these pairs took seconds to find.

use std::fs;
use std::path::Path;

use fanmill_corpus::dedup::{Measure, Search};
use fanmill_corpus::passages::{self};
use fanmill_sketch::lsh::verify::Threshold;
use fanmill_sketch::shingle::{self, DEFAULT_WORDS, ShortDocuments};
use fanmill_text::frontend::runs;
use fanmill_text::progress::Silent;

use crate::job;

/// Pairs of words with the same fixed hash.
const WORDS: [(&str, &str); 12] = [
    ("tbozrxhzacgtcoqw", "kftjiamuhgbxa2mv"),
    ("kxtxfkybvalpdvag", "pcunvuvlhkdqzur7"),
    ("hkxjbscctigkodcb", "hydryxrvv3w1p7ae"),
    ("kjibtvppdniwruzn", "jmlubsqvxn4ima0o"),
    ("imbultiipnxvutoy", "eizkvxwiendspxuh"),
    ("ddjfhyldidokbjsr", "tmlaclhb8kxtbh8c"),
    ("kzvzowcjscctlkqk", "pioobawzvymavnhe"),
    ("utzhdshifmwyooxr", "rqouphojbd31jbr1"),
    ("lzzzvrmxxgbetxbe", "vonfdupkgynzf64f"),
    ("rjbpwqhteonwuotq", "ebzjfidlul56gjd5"),
    ("kiqfysvmhmnueotq", "hmpynmzl53i7xp7y"),
    ("dsagyzwewkxonrym", "slbdshqwnjg8kxxt"),
];

/// No two words have the same hash, but each five words in a row have that of the five beside them.
const SHINGLES: [(&str, &str); 12] = [
    ("lniwxnvt", "ndgtshjn"),
    ("jcgqrdoj", "xdvezego"),
    ("fhvokyul", "rnuapuxs"),
    ("hfrvaels", "qqbpzcvn"),
    ("hybomkot", "y06p3s4e"),
    ("vuylpvpp", "918gt8cj"),
    ("sfneutdr", "ags7w6jh"),
    ("oihculeh", "3ev9fxik"),
    ("lkvdbyut", "m03siqj7"),
    ("iesdlucm", "7ectprzt"),
    ("tcomzngs", "8skoe406"),
    ("qbjguypm", "z2ftvfnn"),
];

/// Two texts: the first words of all pairs, and the second ones.
fn texts(pairs: &[(&str, &str)]) -> [String; 2] {
    let join = |words: Vec<&str>| words.join(" ");
    [
        join(pairs.iter().map(|pair| pair.0).collect()),
        join(pairs.iter().map(|pair| pair.1).collect()),
    ]
}

/// The pairs in three orders, so that there are more than twenty different shingles.
fn longer(pairs: &[(&str, &str); 12]) -> [String; 2] {
    let places = [1, 5, 7].into_iter().flat_map(|step| (0..12).map(move |i| step * i % 12));
    texts(&places.map(|place| pairs[place]).collect::<Vec<_>>())
}

fn fixed(text: &str) -> (Vec<u64>, Vec<u64>) {
    let mut words = Vec::new();
    runs::word_hashes(text, &mut words);
    let set = shingle::set(&words, DEFAULT_WORDS, ShortDocuments::Whole);
    (words, set)
}

fn write(path: &Path, texts: &[String]) {
    let lines: Vec<String> =
        texts.iter().map(|text| format!("{{\"text\":\"{text}\"}}\n")).collect();
    fs::write(path, lines.concat()).expect("written");
}

#[test]
fn documents_of_different_words_are_never_duplicates() {
    let [words, shingles] = [longer(&WORDS), texts(&SHINGLES)];
    assert_eq!(fixed(&words[0]), fixed(&words[1]));
    assert_eq!(fixed(&shingles[0]).1, fixed(&shingles[1]).1);
    assert_ne!(fixed(&shingles[0]).0, fixed(&shingles[1]).0);

    let standard = job::settings();
    let half = Threshold::new(0.5).expect("a fraction");
    let all = [
        standard.clone(),
        standard.clone().with(|s| s.search = Search::Exact),
        standard.clone().with(|s| s.measure = Measure::Containment(half)),
        standard.with(|s| s.is_weighted = true),
    ];
    for settings in all {
        for texts in [&words, &shingles] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("a.jsonl");
            write(&path, texts);
            let output = folder.path().join("out");
            let outcome =
                job::dedup(std::slice::from_ref(&path), &settings, &output).expect("done");
            let counts = outcome.summary.counts;
            assert_eq!(
                (counts.documents, counts.duplicates, counts.edges),
                (2, 0, 0),
                "{settings:?}"
            );
            assert_eq!(
                fs::read(output.join("a.jsonl")).expect("there"),
                fs::read(path).expect("there")
            );
        }
    }
}

#[test]
fn passages_of_different_words_are_never_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    write(&path, &[texts(&WORDS), longer(&WORDS)].concat());
    let settings = job::by_line();
    let places = job::to(&folder.path().join("out"));
    let options = job::options(&job::settings().keep);
    let ended = passages::run(&[path], &options, &settings, &places, &Silent).expect("done");
    let counts = ended.now().expect("now").counts;
    assert_eq!((counts.passages, counts.removed.passages), (4, 0));
}
