//! What `fanmill lab` finds in texts, and how other commands use it.

use insta::assert_snapshot;

use crate::place::{Place, examples};
use crate::run::Run;

const NOTICE: &str =
    "This work is my own. I have read the rules on plagiarism, and I have kept them throughout.";

/// Six short texts that share only a notice, and a pair of copies.
fn notices() -> Place {
    let own = [
        "A kettle boils when the pressure of its vapour meets that of the air above it.",
        "Rivers carry more sand in spring, since snow melts upstream and banks give way.",
        "Nobody counted the swallows that year, so the second census has no elder sister.",
        "Glass is made from sand and ash; lead makes it heavy, and manganese takes its tint.",
        "The oldest bridge in town leans a little, which engineers say does it no harm at all.",
        "The oldest bridge in town leans a little, which engineers say does it no harm at all.",
    ];
    let place = Place::new();
    for (name, own) in ["ada", "bo", "cy", "di", "ed", "fay"].into_iter().zip(own) {
        place.write(format!("in/{name}.txt"), format!("{NOTICE}\n{own}\n"));
    }
    place
}

#[test]
fn common_strings_written_as_a_base_are_not_matched_any_more() {
    let place = notices();
    let matched = |arguments: &str| {
        let report = place.fanmill(&format!("compare in {arguments}")).report();
        let with_passages = report.pairs.iter().filter(|pair| !pair.passages.is_empty());
        with_passages.count()
    };
    assert_eq!(matched(""), 15, "everybody shares the notice");
    let done =
        place.fanmill("lab frequency in --max-docs 3 --write-base base.txt --strings 3").run();
    assert_snapshot!(done, @r"
    exit: 0
    --- stdout
    question  how often does each gram of 3 tokens occur?
    repeats   Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.1 and Figure 4
    input     6 documents, 1,042 bytes, read as tokens of their kind

    Distinct grams by how often they occur
      occurrences    all  share  fingerprints  share  the paper
                   grams      %         grams      %          %
      once            60   64.5             9   60.0         82
      twice           17   18.3             3   20.0         14
      three times      0    0.0             0    0.0          2
      more often      16   17.2             3   20.0          2

    Frequency by rank: f = C · rank^slope, fitted to the ends of the plateaus
      curve         occurrences  distinct  commonest  plateaus   slope      C     r²
                          grams     grams      times                    times
      all                   190        93          6         3  −0.411      7  0.611
      fingerprints           33        15          6         3  −0.774      7  0.765

    The commonest strings: what your documents repeat
      occurs         in  length  text
       times  documents  tokens
           6          6      18  This work is my own. I have read the rules on pl … ave kept the…
           2          2      19  them throughout. The oldest bridge in town leans … y does it no…

    - 64.5 % of all distinct grams occur once, 18.3 % twice; of the fingerprints, 60.0 % and 20.0 % (the
      paper: 82 % and 14 % for both)
    - frequency falls with the rank to the power of -0.41, that of fingerprints to -0.77 (the paper:
      about -0.7 on Web pages; the less is copied, the flatter the line)
    - 16 grams are in more than 3 documents; joined, they are 1 passage
    - the base holds 16 of the 16 grams when it is read as words; look through it, then give it to
      `fanmill compare --base`
    --- stderr

    again: fanmill lab frequency in --max-docs 3 --write-base base.txt --strings 3
    ");
    assert_eq!(matched("--base base.txt"), 1, "the copies are left");
    let again = place.fanmill("lab frequency in --write-base base.txt").run();
    assert_snapshot!(again, @r"
    exit: 2
    --- stderr
    fanmill: `base.txt` exists already; name another file, or remove it first
    ");
}

#[test]
fn a_base_that_would_be_read_otherwise_is_refused() {
    let place = notices();
    assert_snapshot!(place.fanmill("lab frequency in --write-base base.java").run(), @r"
    exit: 2
    --- stderr
    fanmill: a comparison would read the base `base.java` as code, and what is common are words; give it the extension that the documents have
    ");
    assert!(!place.path("base.java").exists());
}

/// Texts of random words and of phrases of four, by a fixed rule.
fn phrases(n: u64) -> Place {
    let place = Place::new();
    for document in 0..n {
        let mut state = document;
        let mut draw = move |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        draw(9);
        let words = (0..220).map(|_| match draw(8) {
            0 => ["as it were so", "now and then again", "one by one only"][draw(3) as usize]
                .to_owned(),
            _ => format!("w{}", draw(500)),
        });
        place.write(format!("in/{document}.txt"), words.collect::<Vec<_>>().join(" "));
    }
    place
}

#[test]
fn thresholds_are_found_written_and_read_by_a_comparison() {
    let place = phrases(20);
    let done = place.fanmill("lab calibrate in --write-config own.toml -o out --quiet").run();
    assert_eq!(done.code, Some(0), "{done}");
    let config = std::fs::read_to_string(place.path("own.toml")).expect("written");
    let config = config.replace(env!("CARGO_PKG_VERSION"), "[VERSION]");
    assert_snapshot!(config, @r"
    # Thresholds by `fanmill lab calibrate`, fanmill [VERSION].
    # Measured on 20 documents, 26,961 bytes, read as tokens of their kind.
    # words: --noise 4. Scrambled documents share a gram of 4 tokens in 0 % of the pairs, and one of 3 in 15 %
    # words: --guarantee 18. By the law of their quartiles, 1 % of unrelated pairs share a run of 18 tokens; a tool that shows every match needs --noise 18 for that
    # words: Fanmill's own thresholds are 3 and 12; 15 % of scrambled pairs share 3 tokens, and by the law 12 % of unrelated pairs 12

    [compare.words]
    noise = 4
    guarantee = 18
    ");
    let report = place.fanmill("compare in --config own.toml").report();
    assert_snapshot!(report.promises[0].scheme, @r"words:words@2/k=4,t=18/roc(r=2)/xxh3@2");
    for file in ["calibrate.json", "calibrate-matches-words.svg", "calibrate-pairs-words.svg"] {
        assert!(place.path("out").join(file).is_file(), "{file}");
    }
    let again = place.fanmill("lab calibrate in --write-config own.toml").run();
    assert_snapshot!(again, @r"
    exit: 2
    --- stderr
    fanmill: `own.toml` exists already; name another file, or remove it first
    ");
}

#[test]
fn the_result_is_the_same_at_any_number_of_threads() {
    let place = phrases(18);
    let with = |threads: u32, experiment: &str| {
        place
            .fanmill(&format!("lab {experiment} in --format json --threads {threads}"))
            .run()
            .stdout
    };
    for experiment in ["calibrate", "frequency"] {
        let one = with(1, experiment);
        assert!(one.len() > 1000);
        assert_eq!(one, with(4, experiment), "{experiment}");
    }
}

#[test]
fn too_few_documents_write_no_config() {
    let run = Run::new("lab calibrate essays --write-config never.toml").inside(&examples());
    assert_snapshot!(run.run(), @r"
    exit: 3
    --- stderr
    fanmill: there are no thresholds to write to `never.toml`: words: nothing to recommend; 5 unrelated pairs are too few to tell: it takes 100, and 15 documents of different authors have them
    ");
    assert!(!examples().join("never.toml").exists());
}

#[test]
fn settings_of_calibration_are_checked() {
    let said = |arguments: &str| {
        Run::new(&format!("lab calibrate essays {arguments}")).inside(&examples()).run().to_string()
    };
    assert_snapshot!(said("--noise 5"), @r"
    exit: 2
    --- stderr
    fanmill: --noise has no effect here: calibration finds the thresholds, on documents; leave it out
    ");
    assert_snapshot!(said("--tolerate 60%"), @r"
    exit: 2
    --- stderr
    fanmill: --tolerate `60%` is out of bounds; use 0.01% to 25%, since the curve is fitted through quartiles
    ");
    assert_snapshot!(said("--pairs 1000000"), @r"
    exit: 2
    --- stderr
    fanmill: --pairs 1000000 is above the limit of 100000; 10,000 are enough for shares of 0.1 %
    ");
    assert_snapshot!(said("--scrambles 0"), @r"
    exit: 2
    --- stderr
    fanmill: --scrambles 0 is out of bounds; use 1 to 100
    ");
}
