//! The guarantee in large batches, where more pairs compete for the list than it has room for.

use std::collections::BTreeMap;

use fanmill::pipeline::{Comparison, Config};
use fanmill::report::Pair;
use fanmill::select::Selector;
use fanmill_text::token::{Symbol, Tokens};
use proptest::prelude::*;
use proptest::test_runner::{Config as Cases, RngSeed};

use crate::compare::{Handed, comparison, registry};

/// Every selector; those that promise nothing must still list what they found.
const SELECTORS: [Selector; 7] = [
    Selector::Roc { r: 2 },
    Selector::Winnow,
    Selector::Robust,
    Selector::SafeModP { p: 5 },
    Selector::All,
    Selector::ModP { p: 3 },
    Selector::NSmallest { n: 40 },
];

/// Tokens of C that are their own spelling.
const C: [&str; 48] = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "int", "long", "register", "return", "short",
    "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
    "volatile", "while", "+", "-", "%", "<", ">", "=", "&", "|", "^", "!", "~", "?", "[", "]",
    "<<", "&&",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SourceTexts {
    Code,
    Prose,
}

/// What a batch is made of.
#[derive(Debug, Clone, Copy)]
struct Plan {
    n_submissions: usize,
    written: SourceTexts,
    noise: u32,
    guarantee: u32,
    /// Tokens of a submission's own between what it shares.
    between: u64,
}

/// Makes the texts of a batch, the same for the same plan.
struct Writer {
    plan: Plan,
    state: u64,
    n_words: usize,
}

impl Writer {
    /// A number below `n`.
    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 31) % n
    }

    /// So many tokens that nobody else writes, or in code hardly anybody.
    fn fresh(&mut self, n: u64) -> String {
        let token = |writer: &mut Writer| match writer.plan.written {
            SourceTexts::Code => C[writer.below(C.len() as u64) as usize].to_owned() + " ",
            SourceTexts::Prose => {
                writer.n_words += 1;
                format!("w{} ", writer.n_words)
            }
        };
        (0..n).map(|_| token(self)).collect()
    }

    /// Two different submissions.
    fn pair(&mut self) -> [usize; 2] {
        let n = self.plan.n_submissions as u64;
        let first = self.below(n);
        [first as usize, ((first + 1 + self.below(n - 1)) % n) as usize]
    }

    /// The submissions: runs below the guarantee that crowds share, and a few pairs that share one
    /// run of exactly t, t - 1, k or k - 1 tokens.
    fn batch(mut self) -> Vec<Handed> {
        let Plan { n_submissions, noise, guarantee, between, .. } = self.plan;
        let (k, t) = (u64::from(noise), u64::from(guarantee));
        let mut texts = vec![Vec::new(); n_submissions];
        for number in 0..40 {
            let decoy = self.fresh([k - 1, k, (t - 1).min(k + 2), t - 1][number % 4]);
            for text in &mut texts {
                if self.below(4) == 0 {
                    text.push(decoy.clone());
                }
            }
        }
        for (length, times) in [(t, 6), (t - 1, 3), (k, 3), (k - 1, 3)] {
            for _ in 0..times {
                let run = self.fresh(length);
                for submission in self.pair() {
                    let at = self.below(texts[submission].len() as u64 + 1) as usize;
                    texts[submission].insert(at, run.clone());
                }
            }
        }
        let names = (0..n_submissions).map(|number| format!("s{number:02}"));
        let path = if self.plan.written == SourceTexts::Code { "a.c" } else { "a.txt" };
        names
            .zip(texts)
            .map(|(name, runs)| {
                let mut text = self.fresh(1 + between);
                for run in runs {
                    let gap = 1 + self.below(between);
                    text += &(run + &self.fresh(gap));
                }
                Handed::new(&name, path, text)
            })
            .collect()
    }
}

/// The longest run of tokens that each two submissions share, by looking at all places.
fn longest_runs(handed: &[Handed], plan: Plan) -> BTreeMap<(u32, u32), usize> {
    let language = if plan.written == SourceTexts::Code { "c" } else { "words" };
    let registry = registry();
    let read = |handed: &Handed| -> Vec<Symbol> {
        let text = std::str::from_utf8(&handed.bytes).expect("ASCII");
        let mut tokens = Tokens::default();
        registry.find(language).expect("a language").tokenize(text, &mut tokens);
        tokens.symbols
    };
    let read: Vec<Vec<Symbol>> = handed.iter().map(read).collect();
    let mut longest = BTreeMap::new();
    for b in 0..read.len() {
        for a in 0..b {
            longest.insert((a as u32, b as u32), longest_common_run(&read[a], &read[b]));
        }
    }
    longest
}

/// Row by row, from the end: the run that starts here is one longer than the one that starts at the next two.
fn longest_common_run(a: &[Symbol], b: &[Symbol]) -> usize {
    let mut longest = 0;
    let mut runs = vec![0_usize; b.len() + 1];
    for x in a.iter().rev() {
        for (j, y) in b.iter().enumerate() {
            runs[j] = if x == y { runs[j + 1] + 1 } else { 0 };
            longest = longest.max(runs[j]);
        }
    }
    longest
}

fn longest_match(pair: &Pair) -> usize {
    let matches = pair.passages.iter().flat_map(|passage| &passage.matches);
    matches.map(|found| found.tokens as usize).max().unwrap_or(0)
}

/// Holds what is listed against what there is; returns how many pairs the guarantee was for.
fn check(
    compared: &Comparison,
    plan: Plan,
    selector: Selector,
    truth: &BTreeMap<(u32, u32), usize>,
) -> Result<usize, TestCaseError> {
    let report = &compared.report;
    let max_pairs = report.settings.max_pairs as usize;
    prop_assert!(report.pairs.len() <= max_pairs.saturating_add(2 * (max_pairs / 5)));
    let found: BTreeMap<(u32, u32), usize> =
        report.pairs.iter().map(|pair| ((pair.a, pair.b), longest_match(pair))).collect();
    for (pair, longest) in &found {
        prop_assert!((plan.noise as usize..=truth[pair]).contains(longest), "{:?}", pair);
    }
    for passage in report.pairs.iter().flat_map(|pair| &pair.passages) {
        let mut long = passage.matches.iter().map(|found| found.tokens >= plan.noise);
        // Only in a passage of prose are there shorter ones too.
        let is_as_said = match plan.written {
            SourceTexts::Code => long.all(|is_long| is_long),
            SourceTexts::Prose => long.any(|is_long| is_long),
        };
        prop_assert!(is_as_said, "{:?}", passage);
    }
    let least = match selector {
        Selector::All => plan.noise,
        Selector::ModP { .. } | Selector::NSmallest { .. } => return Ok(0),
        _ => plan.guarantee,
    };
    let promised: Vec<_> = truth.iter().filter(|(_, run)| **run >= least as usize).collect();
    let n_found = promised.iter().filter(|(pair, _)| found.contains_key(pair)).count();
    prop_assert!(n_found >= promised.len().min(max_pairs.div_ceil(2)), "{}", n_found);
    if promised.len() <= max_pairs {
        for (pair, run) in &promised {
            prop_assert_eq!(found.get(*pair), Some(*run), "{:?} by {}", pair, selector);
        }
    }
    Ok(promised.len())
}

proptest! {
    #![proptest_config(Cases {
        cases: 60,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2003),
        ..Cases::default()
    })]

    /// What is as long as the guarantee is listed as long as the pairs that share such a run have
    /// room, whoever else shares shorter ones, and otherwise fills half of the list; and what has no
    /// room is counted.
    #[test]
    fn no_crowd_of_short_runs_keeps_a_guaranteed_one_from_the_list(
        seed in any::<u64>(),
        n_submissions in 30_usize..40,
        is_code in any::<bool>(),
        noise in 3_u32..9,
        more in 1_u32..9,
        between in prop::sample::select(vec![2_u64, 16]),
        selector in prop::sample::select(SELECTORS.to_vec()),
        max_pairs in 1_usize..12,
    ) {
        let written = if is_code { SourceTexts::Code } else { SourceTexts::Prose };
        let guarantee = noise + more;
        let plan = Plan { n_submissions, written, noise, guarantee, between };
        let handed = Writer { plan, state: seed, n_words: 0 }.batch();
        let truth = longest_runs(&handed, plan);
        let config = |max_pairs| Config::standard().with(|config| { config.fingerprints.noise = Some(noise); config.fingerprints.guarantee = Some(guarantee); config.fingerprints.select = Some(selector); config.max_pairs = max_pairs; });
        let few = comparison(&handed, &config(max_pairs));
        check(&few, plan, selector, &truth)?;
        let all = comparison(&handed, &config(usize::MAX));
        check(&all, plan, selector, &truth)?;

        for compared in [&few, &all] {
            let report = &compared.report;
            prop_assert_eq!(report.counts.supported > 0, !report.pairs.is_empty());
            prop_assert_eq!(report.counts.supported > 0, compared.highest_score > 0.0);
        }
        let (few, all) = (few.report.counts, all.report.counts);
        prop_assert_eq!(all.listed, all.supported, "all pairs that share a passage are listed");
        prop_assert_eq!(few.supported, all.supported);
        prop_assert_eq!(few.listed, all.supported.min((max_pairs + 2 * (max_pairs / 5)) as u64));
    }
}

/// Forty texts: each two share ten runs of `n` words, but the fourth and the 28th, which share twelve words
/// in a row and nothing else. In the second of two texts, the runs are as `order` puts them.
fn texts_with_one_guaranteed_run(n: usize, order: impl Fn(&mut Vec<String>)) -> Vec<Handed> {
    let mut texts = vec![Vec::new(); 40];
    let mut n_words = 0;
    let mut fresh = |n: usize| -> String {
        let words: Vec<String> = (0..n).map(|i| format!("w{} ", n_words + i)).collect();
        n_words += n;
        words.concat()
    };
    let pairs = (0..40).flat_map(|b| (0..b).map(move |a| (a, b)));
    for (a, b) in pairs.filter(|&pair| pair != (3, 27)) {
        let mut runs: Vec<String> = (0..10).map(|_| fresh(n)).collect();
        texts[a].extend_from_slice(&runs);
        order(&mut runs);
        texts[b].append(&mut runs);
    }
    let run = fresh(12);
    texts[3].insert(200, run.clone());
    texts[27].insert(100, run);
    let text = |runs: &Vec<String>, fresh: &mut dyn FnMut(usize) -> String| -> String {
        runs.iter().map(|run| run.clone() + &fresh(20)).collect()
    };
    let texts = texts.iter().enumerate();
    texts
        .map(|(i, runs)| Handed::new(&format!("s{i:02}"), "a.txt", text(runs, &mut fresh)))
        .collect()
}

#[test]
fn a_guaranteed_run_among_780_pairs_of_rewritten_texts_is_listed() {
    // In the same order the runs of two texts are one passage; in reverse, they are surprising together.
    let rewritten = texts_with_one_guaranteed_run(8, |_| ());
    let swapped = texts_with_one_guaranteed_run(3, |runs| runs.reverse());
    for handed in [rewritten, swapped] {
        for (max_pairs, n_listed) in [(1, 1), (500, 700)] {
            let config = Config::standard().with(|config| config.max_pairs = max_pairs);
            let report = comparison(&handed, &config).report;
            assert_eq!((report.pairs.len(), report.counts.supported), (n_listed, 780));
            let found = report.pairs.iter().find(|pair| (pair.a, pair.b) == (3, 27));
            assert_eq!(found.map(longest_match), Some(12));
        }
    }
}

/// Twenty texts share one run of twelve words each two by two; forty more share more in short runs.
#[test]
fn more_guaranteed_pairs_than_fit_have_half_of_the_list() {
    let mut n_words = 0;
    let mut fresh = |n: usize| -> String {
        let words: Vec<String> = (0..n).map(|i| format!("w{} ", n_words + i)).collect();
        n_words += n;
        words.concat()
    };
    let mut texts = vec![String::new(); 60];
    for (a, b) in (0..20).flat_map(|b| (0..b).map(move |a| (a, b))) {
        let run = fresh(12);
        for text in [a, b] {
            texts[text] += &(run.clone() + &fresh(40));
        }
    }
    for (a, b) in (20..60).flat_map(|b| (20..b).map(move |a| (a, b))) {
        // Two runs close to each other make a passage, and none of them is guaranteed.
        for gap in [1, 40] {
            let run = fresh(8);
            for text in [a, b] {
                texts[text] += &(run.clone() + &fresh(gap));
            }
        }
    }
    let names = (0..60).map(|number| format!("s{number:02}"));
    let handed: Vec<Handed> =
        names.zip(texts).map(|(name, text)| Handed::new(&name, "a.txt", text)).collect();
    for max_pairs in [1, 15, 100, 189, 190] {
        let config = Config::standard().with(|config| config.max_pairs = max_pairs);
        let report = comparison(&handed, &config).report;
        let n_guaranteed = report.pairs.iter().filter(|pair| pair.a < 20).count();
        let least = if max_pairs < 190 { max_pairs.div_ceil(2) } else { 190 };
        assert!(n_guaranteed >= least, "{n_guaranteed} of {max_pairs}");
        assert!(report.counts.supported > 2 * 190, "{}", report.counts.supported);
        assert_eq!(report.pairs.len(), max_pairs + 2 * (max_pairs / 5));
    }
}
