//! The score of prose rests on the passages that are shown: edits of random texts.
#![expect(clippy::cast_sign_loss, reason = "numbers of words are not negative")]

use fanmill::pipeline::Config;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::compare::{Handed, comparison};

/// Words by their numbers, as in a language: word `i` has a share of about `1 / i` among `vocabulary` words.
fn text(n: usize, vocabulary: f64, seed: u64) -> Vec<String> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..n).map(|_| word(libm::pow(vocabulary, next()) as u32)).collect()
}

/// Letters that stand for a number.
fn word(number: u32) -> String {
    let digits = number.to_string();
    digits.bytes().map(|digit| char::from(b'k' + digit - b'0')).collect()
}

/// The score of two texts, alone in their batch; 0 if they are not listed.
fn score(a: &[String], b: &[String]) -> f64 {
    let handed = [("a", a), ("b", b)].map(|(name, words)| {
        Handed::new(name, &format!("{name}.txt"), words.join(" ").into_bytes())
    });
    let report = comparison(&handed, &Config::standard()).report;
    let pair = report.pairs.first();
    assert!(pair.is_none_or(|pair| !pair.passages.is_empty()), "a score without a passage");
    pair.map_or(0.0, |pair| pair.score)
}

/// A text with a passage put in at a part of it.
fn with(passage: &[String], text: &[String], at: f64) -> Vec<String> {
    let at = (at * text.len() as f64) as usize;
    [&text[..at], passage, &text[at..]].concat()
}

/// Every third word followed by the same one.
fn padded(text: &[String]) -> Vec<String> {
    text.chunks(3).flat_map(|words| [words, &["very".to_owned()]].concat()).collect()
}

/// Every fourth word replaced by one of a kind.
fn changed(text: &[String]) -> Vec<String> {
    let words = (0..).zip(text);
    words.map(|(at, old)| if at % 4 == 3 { word(1_000_000 + at) } else { old.clone() }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2003),
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_text_that_lies_in_another_one_scores_a_half(
        n in 100_usize..400,
        times in 0_usize..100,
        vocabulary in 2000.0_f64..30_000.0,
        at in 0.0_f64..1.0,
        seed in 0_u64..1000,
    ) {
        let original = text(n, vocabulary, seed + 1);
        let around = text(n * times, vocabulary, seed + 2000);
        for copy in [original.clone(), padded(&original), changed(&original)] {
            let inside = score(&original, &with(&copy, &around, at));
            prop_assert!(inside >= 0.5, "{inside}");
            let outside = score(&copy, &with(&original, &around, at));
            prop_assert!(outside >= 0.5, "{outside}");
        }
    }

    #[test]
    fn equal_texts_score_one_and_which_of_two_is_the_first_hardly_matters(
        n in 12_usize..400,
        vocabulary in 200.0_f64..30_000.0,
        seed in 0_u64..1000,
    ) {
        let original = text(n, vocabulary, seed + 1);
        prop_assert!(score(&original, &original) > 0.99);
        // Neither a class of identical ones.
        let copy = [&original[..], &[word(7_000_000)]].concat();
        prop_assert!(n < 100 || score(&original, &copy) > 0.98);
        let other = with(&changed(&original), &text(n, vocabulary, seed + 3000), 0.4);
        let (one, turned) = (score(&original, &other), score(&other, &original));
        // The score of the same passages is the same; but of several ways to match words that repeat, the first one in
        // the first text is taken.
        prop_assert!((one - turned).abs() < 0.1, "{one} and {turned}");
    }

    /// To half of a hundredth: what is left may be tiled otherwise. Parts begin and end where rewritten words do, since
    /// taking away a word that differs closes a gap, and so gives evidence instead of taking it.
    #[test]
    fn taking_away_a_part_of_a_passage_never_raises_the_score(
        sizes in (30_usize..800, 30_usize..800),
        n in 12_usize..150,
        rewritten in any::<bool>(),
        at in (0.0_f64..1.0, 0.0_f64..1.0),
        part in (0.0_f64..1.0, 0.0_f64..1.0),
        from in (any::<bool>(), any::<bool>()),
        vocabulary in 200.0_f64..30_000.0,
        seed in 0_u64..1000,
    ) {
        let passage = text(n, vocabulary, seed + 1);
        let copy = if rewritten { changed(&passage) } else { passage.clone() };
        let place = |part: f64| (part * n as f64) as usize / 4 * 4;
        let (start, end) = (place(part.0.min(part.1)), place(part.0.max(part.1)));
        let without = |words: &[String]| [&words[..start], &words[end..]].concat();
        let [around_a, around_b] = [(sizes.0, 2000), (sizes.1, 4000)]
            .map(|(size, seeds)| text(size, vocabulary, seed + seeds));
        let scored = |in_a: &[String], in_b: &[String]| {
            score(&with(in_a, &around_a, at.0), &with(in_b, &around_b, at.1))
        };
        let before = scored(&passage, &copy);
        let after = match from {
            (true, true) => scored(&without(&passage), &without(&copy)),
            (true, false) => scored(&without(&passage), &copy),
            (false, _) => scored(&passage, &without(&copy)),
        };
        prop_assert!(after <= before + 0.005, "{before} and then {after}");
    }
}
