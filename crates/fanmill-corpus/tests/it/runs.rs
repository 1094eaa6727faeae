//! `dedup --unit run` cuts what a look at all windows of words, one by one, says.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use fanmill_corpus::dedup::{Keep, Mode};
use fanmill_corpus::runs::{self, Cut, Edit, FoundPiece, MinLength, Settings, Summary};
use fanmill_text::progress::Silent;
use proptest::prelude::*;

use crate::corpus::{Doc, Line, Shards, cases};
use crate::job::{self, Table};
use crate::run_operators::by_operators;

/// The greatest number of rounds.
pub(crate) const MOST_ROUNDS: usize = 32;

/// A word: its place in bytes, whether a sentence begins with it, and itself.
#[derive(Debug, Clone, PartialEq)]
struct Word {
    at: Range<usize>,
    begins: bool,
    text: String,
}

fn is_han(c: char) -> bool {
    matches!(c, '漢' | '字')
}

/// Words of texts whose characters are those of [`texts`].
fn words(text: &str) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let (mut is_open, mut is_single) = (false, false);
    let mut white = String::new();
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            is_open = false;
            white.push(c);
            continue;
        }
        let joins = is_open && !is_han(c) && (!is_single || c == '\u{301}');
        if !joins {
            let begins = found.last().is_none_or(|before| {
                let own = before.text.trim_end_matches(['"', ')']);
                white.contains('\n')
                    || own.ends_with('。')
                    || !white.is_empty() && own.ends_with(['.', '!'])
            });
            found.push(Word { at: at..at, begins, text: String::new() });
            is_single = is_han(c);
            white.clear();
        }
        is_open = true;
        let word = found.last_mut().expect("one is open");
        word.text.push(c);
        word.at.end = at + c.len_utf8();
    }
    found
}

/// Documents of few different words, with stretches of earlier ones, or of one word.
fn texts() -> impl Strategy<Value = Vec<String>> {
    let word = || {
        prop::sample::select(vec![
            "a",
            "b",
            "a",
            "b",
            "c.",
            "d!\"",
            "é",
            "漢",
            "字",
            "字\u{301}",
            "。",
            "A",
        ])
    };
    let white =
        || prop::sample::select(vec![" ", " ", " ", "  ", "\n", "\r\n", "\u{3000}", "\t\n", ""]);
    let fresh = prop::collection::vec((word(), white()), 0..24);
    let part = prop_oneof![
        4 => fresh.prop_map(|words| (words.into_iter().map(|(word, white)| word.to_owned() + white).collect::<String>(), None)),
        3 => (any::<prop::sample::Index>(), any::<(prop::sample::Index, prop::sample::Index)>()).prop_map(|of| (String::new(), Some(of))),
        1 => (word(), 1_usize..30).prop_map(|(word, n)| ((word.to_owned() + " ").repeat(n), None)),
    ];
    prop::collection::vec(prop::collection::vec(part, 0..4), 0..9).prop_map(|documents| {
        let mut texts: Vec<String> = Vec::new();
        for parts in documents {
            let mut text = String::new();
            for (fresh, copied) in parts {
                text += &fresh;
                let Some((of, (start, end))) = copied else { continue };
                let earlier = if texts.is_empty() { text.clone() } else { of.get(&texts).clone() };
                let places: Vec<usize> =
                    earlier.char_indices().map(|(at, _)| at).chain([earlier.len()]).collect();
                let (start, end) = (*start.get(&places), *end.get(&places));
                text += &earlier[start.min(end)..start.max(end)];
                text += " ";
            }
            texts.push(text);
        }
        texts
    })
}

/// A place in the order of keeping.
fn preference(keep: &Keep, doc: &Doc) -> (bool, i64) {
    let value = match keep {
        Keep::First => Some(0),
        Keep::Longest => i64::try_from(doc.text.len()).ok().map(|n| -n),
        Keep::Newest(_) | Keep::Highest(_) => doc.score.map(|n| -n),
        Keep::Oldest(_) | Keep::Lowest(_) => doc.score,
        Keep::Source(_, sources) => {
            let place = doc.source.and_then(|own| sources.iter().position(|s| s == own));
            place.and_then(|place| i64::try_from(place).ok())
        }
    };
    (value.is_none(), value.unwrap_or(0))
}

/// For each document, the words that are left by their numbers, and the number of rounds.
fn naive(
    order: &[usize],
    documents: &[Vec<Word>],
    length: MinLength,
    cut: Cut,
) -> (Vec<Vec<usize>>, usize) {
    let mut left: Vec<Vec<usize>> =
        documents.iter().map(|words| (0..words.len()).collect()).collect();
    let mut n_rounds = 0;
    loop {
        let texts: Vec<Vec<&str>> = (0..documents.len())
            .map(|d| left[d].iter().map(|&i| &*documents[d][i].text).collect())
            .collect();
        let is_long = |words: &[&str]| match length {
            MinLength::Words(n) => words.len() == n as usize,
            MinLength::Bytes(n) => !words.is_empty() && words.join(" ").len() >= usize::from(n),
        };
        let stands_earlier = |place: usize, own: Range<usize>| {
            let words = &texts[order[place]][own.clone()];
            (0..=place).any(|other| {
                let text = &texts[order[other]];
                let end = if other == place { own.start } else { text.len() };
                text[..end].windows(words.len()).any(|window| window == words)
            })
        };
        let mut gone: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); documents.len()];
        for (place, &d) in order.iter().enumerate() {
            for start in 0..texts[d].len() {
                // Of two runs with one begin, the longer one occurs earlier only if the shorter one does.
                for end in start + 1..=texts[d].len() {
                    if is_long(&texts[d][start..end]) {
                        if !stands_earlier(place, start..end) {
                            break;
                        }
                        gone[d].extend(start..end);
                    }
                }
            }
            if cut == Cut::Sentence {
                let begins =
                    |i: usize| i == 0 || i == left[d].len() || documents[d][left[d][i]].begins;
                gone[d] = sentences(&gone[d], begins);
            }
        }
        if gone.iter().all(BTreeSet::is_empty) {
            return (left, n_rounds);
        }
        n_rounds += 1;
        for (left, gone) in left.iter_mut().zip(&gone) {
            let kept =
                left.iter().enumerate().filter(|(i, _)| !gone.contains(i)).map(|(_, &word)| word);
            *left = if n_rounds == MOST_ROUNDS && !gone.is_empty() {
                Vec::new()
            } else {
                kept.collect()
            };
        }
        if n_rounds == MOST_ROUNDS {
            return (left, n_rounds);
        }
    }
}

/// The whole sentences in runs of words.
fn sentences(gone: &BTreeSet<usize>, begins: impl Fn(usize) -> bool) -> BTreeSet<usize> {
    let mut whole = BTreeSet::new();
    for &start in gone {
        for end in start + 1.. {
            if begins(start) && begins(end) {
                whole.extend(start..end);
            }
            if !gone.contains(&end) {
                break;
            }
        }
    }
    whole
}

/// The text that some of the words leave.
fn left_of(text: &str, words: &[Word], left: &[usize]) -> String {
    let (Some(&first), Some(&last)) = (left.first(), left.last()) else { return String::new() };
    let mut out = if first == 0 { text[..words[0].at.start].to_owned() } else { String::new() };
    out += &words[first].text;
    for pair in left.windows(2) {
        let [a, b] = [&words[pair[0]], &words[pair[1]]];
        if pair[0] + 1 == pair[1] {
            out += &text[a.at.end..b.at.start];
        } else {
            let after = &text[a.at.end..words[pair[0] + 1].at.start];
            let before = &text[words[pair[1] - 1].at.end..b.at.start];
            let has = |what: &str| after.contains(what) || before.contains(what);
            out += if has("\r\n") {
                "\r\n"
            } else if has("\n") {
                "\n"
            } else {
                " "
            };
        }
        out += &b.text;
    }
    out + if last + 1 == words.len() {
        &text[words[last].at.end..]
    } else {
        &text[words[words.len() - 1].at.end..]
    }
}

fn run(paths: &[PathBuf], settings: &Settings, output: &Path) -> Summary {
    let options = job::options(&settings.keep);
    let ended = runs::run(paths, &options, settings, &job::to(output), &Silent);
    ended.expect("done").now().expect("now")
}

fn keeps() -> impl Strategy<Value = Keep> {
    prop::sample::select(vec![
        "first",
        "longest",
        "newest:date",
        "oldest:date",
        "highest:score",
        "lowest:score",
        "source:from=wiki,news",
    ])
    .prop_map(|rule| rule.parse().expect("a rule"))
}

/// The settings with a rule that some document can follow.
fn followed(keep: Keep, records: &[Option<&Doc>]) -> Keep {
    let can = records.iter().flatten().any(|doc| !preference(&keep, doc).0);
    if can { keep } else { Keep::First }
}

fn lines(texts: Vec<String>, extra: &[(Option<i64>, Option<usize>, u8)]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (text, &(score, source, other)) in texts.into_iter().zip(extra) {
        let source = source.map(|i| ["wiki", "news", "blog"][i]);
        lines.push(Line::Doc(Doc { text, score, source, url: None }));
        lines.extend(match other {
            0 => Some(Line::Bad("{\"text\"")),
            1 => Some(Line::Blank),
            _ => None,
        });
    }
    lines
}

proptest! {
    #![proptest_config(cases(384))]

    #[test]
    fn repeated_runs_go_and_nothing_else(
        texts in texts(),
        extra in prop::collection::vec((prop::option::of(-3_i64..12), prop::option::of(0_usize..3), 0_u8..12), 9),
        length in prop_oneof![
            3 => (1_u32..8).prop_map(MinLength::Words),
            1 => (1_u16..20).prop_map(MinLength::Bytes),
        ],
        keep in keeps(),
        is_by_sentence in any::<bool>(),
        min_rest in 0_u32..6,
        threads in 1_usize..4,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let shards = Shards::write(folder.path(), &lines(texts, &extra));
        let records = shards.records();
        let cut = if is_by_sentence { Cut::Sentence } else { Cut::Word };
        let keep = followed(keep, &records);
        let keep = if keep == Keep::Longest && is_by_sentence { Keep::First } else { keep };
        let settings = Settings::standard().with(|s| {
            s.length = length; s.cut = cut; s.keep = keep.clone(); s.min_rest = min_rest; s.memory = job::LITTLE;
            s.allowed_failures = 1.0;
        });
        let output = folder.path().join("out");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let summary = pool.install(|| run(&shards.paths, &settings, &output));

        let documents: Vec<Vec<Word>> = records.iter().map(|doc| doc.map_or(Vec::new(), |doc| words(&doc.text))).collect();
        let mut order: Vec<usize> = (0..records.len()).collect();
        order.sort_by_key(|&d| (records[d].map_or((true, i64::MAX), |doc| preference(&keep, doc)), d));
        let (left, n_rounds) = naive(&order, &documents, length, cut);
        prop_assert_eq!(summary.counts.rounds as usize, n_rounds);

        // The texts that are left.
        let written = job::written(&output).concat();
        let mut out = written.lines().filter(|line| !line.is_empty());
        let is_changed = |d: usize| left[d].len() < documents[d].len();
        let goes = |d: usize| is_changed(d) && left[d].len() < min_rest.max(1) as usize;
        for (d, doc) in records.iter().enumerate() {
            let Some(doc) = doc.filter(|_| !goes(d)) else { continue };
            let value: serde_json::Value = serde_json::from_str(out.next().expect("a line")).expect("JSON");
            let expected = if is_changed(d) { left_of(&doc.text, &documents[d], &left[d]) } else { doc.text.clone() };
            prop_assert_eq!(value["text"].as_str(), Some(&*expected), "of {:?}", doc.text);
        }
        prop_assert_eq!(out.next(), None);
        check_marks(folder.path(), &shards, &documents, &left, &settings)?;
        check_pieces(&output, &shards, (&documents, &left, &order), min_rest, &summary)?;
        let edit = |(d, doc): (usize, Option<&Doc>)| match doc {
            None => None,
            Some(_) if !is_changed(d) => Some(Edit::Stays),
            Some(_) if goes(d) => Some(Edit::Goes),
            Some(doc) => Some(Edit::Cut(left_of(&doc.text, &documents[d], &left[d]))),
        };
        let edits: Vec<Edit> = records.iter().copied().enumerate().filter_map(edit).collect();
        pool.install(|| check_in_memory(&edits, &shards, &settings, &output, &summary))?;

        // Nothing is left for a second run. If everything has gone, there are no records to follow a rule.
        let again = folder.path().join("again");
        let paths = [output.join("a.jsonl"), output.join("b.jsonl.gz")];
        let is_rest = written.lines().any(|line| !line.is_empty());
        let settings = if is_rest { settings } else { settings.with(|s| s.keep = Keep::First) };
        let options = job::options(&settings.keep);
        match runs::run(&paths, &options, &settings, &job::to(&again), &Silent) {
            Ok(ended) => prop_assert_eq!(ended.now().expect("now").counts.removed.runs, 0),
            Err(error) => prop_assert!(error.to_string().contains("which the rule"), "{}", error),
        }
        if again.exists() {
            prop_assert_eq!(job::written(&again), job::written(&output));
        }
    }
}

/// Checks that a marked corpus is whole, and that its marks name what would be cut.
fn check_marks(
    folder: &Path,
    shards: &Shards,
    documents: &[Vec<Word>],
    left: &[Vec<usize>],
    settings: &Settings,
) -> Result<(), TestCaseError> {
    let output = folder.join("marked");
    run(&shards.paths, &settings.clone().with(|s| s.mode = Mode::Mark), &output);
    let expected = |d: usize| -> Option<serde_json::Value> {
        let mut runs: Vec<[usize; 2]> = Vec::new();
        let mut before = None;
        for (i, word) in documents[d].iter().enumerate().filter(|(i, _)| !left[d].contains(i)) {
            match runs.last_mut() {
                Some(run) if before == i.checked_sub(1) => run[1] = word.at.end,
                _ => runs.push([word.at.start, word.at.end]),
            }
            before = Some(i);
        }
        let mark = serde_json::json!({"runs": runs, "words_left": left[d].len()});
        (!runs.is_empty()).then_some(mark)
    };
    let mut number = 0..;
    let originals = shards.without(|_| false);
    for (marked, original) in job::written(&output).iter().zip(&originals) {
        prop_assert_eq!(marked.lines().count(), original.lines().count());
        for (marked, original) in
            marked.lines().zip(original.lines()).filter(|(line, _)| !line.is_empty())
        {
            let mut d = number.next().expect("there are more");
            while shards.records()[d].is_none() {
                d = number.next().expect("there are more");
            }
            let mut value: serde_json::Value = serde_json::from_str(marked).expect("JSON");
            let mark = value.as_object_mut().expect("an object").remove("fanmill");
            prop_assert_eq!(mark, expected(d));
            prop_assert_eq!(
                value,
                serde_json::from_str::<serde_json::Value>(original).expect("JSON")
            );
        }
    }
    Ok(())
}

/// Checks that texts in memory are cut as those in files are.
fn check_in_memory(
    edits: &[Edit],
    shards: &Shards,
    settings: &Settings,
    output: &Path,
    summary: &Summary,
) -> Result<(), TestCaseError> {
    if settings.keep.field().is_some() {
        return Ok(());
    }
    let records = shards.records();
    let texts: Vec<&str> = records.iter().flatten().map(|doc| &*doc.text).collect();
    let number = |d: usize| records[..d].iter().flatten().count();
    let table = Table::read(&job::beside(output).join("runs.parquet"));
    let (of, sources) = (table.documents(shards, ""), table.documents(shards, "source_"));
    let numbers = |name: &str| table.numbers(name).into_iter().map(|n| n as u32).collect();
    let columns: [Vec<u32>; 6] =
        ["begin", "end", "words", "source_begin", "source_end", "words_left"].map(numbers);
    let is_removed = table.flags("is_removed");
    let pieces = (0..of.len()).map(|i| {
        let [begin, end, n_words, source_begin, source_end, words_left] =
            [0, 1, 2, 3, 4, 5].map(|column| columns[column][i]);
        FoundPiece {
            text: number(of[i]),
            begin,
            end,
            n_words,
            source: number(sources[i]),
            source_begin,
            source_end,
            words_left,
            is_removed: is_removed[i],
        }
    });
    let pieces: Vec<FoundPiece> = pieces.collect();
    let spilled = tempfile::tempdir().expect("a folder");
    for spill in [None, Some(spilled.path())] {
        let found = runs::in_memory(&texts, settings, spill, &Silent).expect("done");
        prop_assert_eq!(&found.texts[..], edits);
        prop_assert_eq!(&found.pieces, &pieces);
        prop_assert_eq!(found.removed, summary.counts.removed);
        prop_assert_eq!(u64::from(found.n_rounds), summary.counts.rounds);
        prop_assert_eq!((&found.scheme, &found.promise), (&summary.scheme, &summary.promise));
    }
    if settings.keep == Keep::First {
        prop_assert_eq!(&by_operators(&texts, settings)[..], edits);
    }
    Ok(())
}

/// Checks the table: pieces are what is cut, word by word, and each equals a text that occurs earlier.
fn check_pieces(
    output: &Path,
    shards: &Shards,
    (documents, left, order): (&[Vec<Word>], &[Vec<usize>], &[usize]),
    min_rest: u32,
    summary: &Summary,
) -> Result<(), TestCaseError> {
    let table = Table::read(&job::beside(output).join("runs.parquet"));
    let (of, sources) = (table.documents(shards, ""), table.documents(shards, "source_"));
    let number = |name: &str| table.numbers(name);
    let (begins, ends, lengths) = (number("begin"), number("end"), number("words"));
    let (source_begins, source_ends) = (number("source_begin"), number("source_end"));
    let (words_left, is_removed) = (number("words_left"), table.flags("is_removed"));
    let inside = |d: usize, from: u64, to: u64| {
        let is_inside = |word: &&Word| from as usize <= word.at.start && word.at.end <= to as usize;
        documents[d].iter().filter(is_inside).map(|word| &*word.text).collect::<Vec<&str>>()
    };
    let place = |d: usize| order.iter().position(|&own| own == d).expect("all are in order");
    let mut cut = vec![0; documents.len()];
    for i in 0..of.len() {
        let (d, source) = (of[i], sources[i]);
        let own = inside(d, begins[i], ends[i]);
        prop_assert_eq!(own.len() as u64, lengths[i]);
        prop_assert_eq!(&own, &inside(source, source_begins[i], source_ends[i]));
        prop_assert!((place(source), source_begins[i]) < (place(d), begins[i]));
        prop_assert!(i == 0 || (of[i - 1], ends[i - 1]) <= (d, begins[i]));
        let is_left = left[d].iter().any(|&word| {
            let at = &documents[d][word].at;
            begins[i] as usize <= at.start && at.end <= ends[i] as usize
        });
        prop_assert!(!is_left);
        prop_assert_eq!(words_left[i] as usize, left[d].len());
        prop_assert_eq!(is_removed[i], left[d].len() < min_rest.max(1) as usize);
        cut[d] += own.len();
    }
    for d in 0..documents.len() {
        prop_assert_eq!(cut[d], documents[d].len() - left[d].len());
    }
    let removed = summary.counts.removed;
    prop_assert_eq!(removed.pieces as usize, of.len());
    prop_assert_eq!(removed.words as usize, cut.iter().sum::<usize>());
    prop_assert_eq!(removed.documents as usize, cut.iter().filter(|&&n| n > 0).count());
    Ok(())
}

/// Writes documents of these texts, half of them into each of two shards.
fn shards(folder: &Path, texts: &[String]) -> Shards {
    let doc =
        |text: &String| Line::Doc(Doc { text: text.clone(), score: None, source: None, url: None });
    Shards::write(folder, &texts.iter().map(doc).collect::<Vec<Line>>())
}

/// Standard settings with little memory.
fn settings(n: u32) -> Settings {
    Settings::standard().with(|s| {
        s.length = MinLength::Words(n);
        s.memory = job::LITTLE;
        s.allowed_failures = 1.0;
    })
}

/// Words by number.
fn numbered(words: impl IntoIterator<Item = usize>) -> String {
    words.into_iter().flat_map(|word| ["w".to_owned(), word.to_string(), " ".to_owned()]).collect()
}

/// Each cut joins two texts to one that another document has, so that another cut is made.
fn nested(depth: usize, n: usize) -> Vec<String> {
    let half = n.div_ceil(2);
    let left = |i: usize| numbered((0..half).map(|j| 1_000_000 + i * n + j));
    let right = |i: usize| numbered((0..half).map(|j| 2_000_000 + i * n + j));
    let core = numbered(0..n);
    let before: String = (0..depth).rev().map(left).collect();
    let after: String = (0..depth).map(right).collect();
    let others = (0..depth).map(|i| left(i) + &right(i));
    let nest = format!("{before}{core}{after}");
    [core].into_iter().chain(others).chain([nest]).collect()
}

#[test]
fn what_cuts_join_is_compared_again() {
    for (depth, n) in [(1, 5), (3, 6), (30, 4)] {
        let folder = tempfile::tempdir().expect("a folder");
        let shards = shards(folder.path(), &nested(depth, n));
        let output = folder.path().join("out");
        let counts = run(&shards.paths, &settings(n as u32), &output).counts;
        assert_eq!(
            (counts.rounds, counts.removed.emptied, counts.removed.exhausted),
            (depth as u64 + 1, 1, 0)
        );
    }
}

/// Nobody can make a run take as many rounds as there are words.
#[test]
fn a_document_goes_if_it_is_still_cut_in_the_last_round() {
    let folder = tempfile::tempdir().expect("a folder");
    let texts = nested(MOST_ROUNDS + 9, 4);
    let shards = shards(folder.path(), &texts);
    let output = folder.path().join("out");
    let counts = run(&shards.paths, &settings(4), &output).counts;
    assert_eq!(counts.rounds, MOST_ROUNDS as u64);
    let removed = counts.removed;
    assert_eq!((removed.exhausted, removed.emptied, removed.documents), (1, 1, 1));
    let n_left = job::written(&output).concat().lines().count();
    assert_eq!(n_left, texts.len() - 1);
    let again = folder.path().join("again");
    let paths = [output.join("a.jsonl"), output.join("b.jsonl.gz")];
    assert_eq!(run(&paths, &settings(4), &again).counts.removed.runs, 0);
}

/// A fingerprint with `m` holders would cost `m^2` comparisons if it were looked up for each of them.
#[test]
fn texts_of_many_holders_take_little_time() {
    let licence = numbered(0..300);
    let many: Vec<String> = (0..3_000)
        .map(|i| format!("{licence}{}", numbered(1_000 + 9 * i..1_009 + 9 * i)))
        .collect();
    let one_word = vec!["word ".repeat(1_000_000)];
    for (texts, words_left) in [(many, 300 + 9 * 3_000), (one_word, 50)] {
        let folder = tempfile::tempdir().expect("a folder");
        let shards = shards(folder.path(), &texts);
        let output = folder.path().join("out");
        let (counts, effort) =
            fanmill_effort::of(|| run(&shards.paths, &settings(50), &output).counts);
        assert_eq!(counts.words - counts.removed.words, words_left);
        assert!(counts.removed.pieces <= 21_000, "{}", counts.removed.pieces);
        assert!(effort.as_secs_f64() < 60.0, "{effort:?}");
    }
}

/// Sorted runs, words and cuts go to disk if there is little memory.
#[test]
fn any_memory_and_number_of_threads_give_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut state = 1_u64;
    let mut random = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut all: Vec<u64> = Vec::new();
    let mut texts = Vec::new();
    for _ in 0..3_000 {
        let mut words = Vec::new();
        for _ in 0..=random(4) {
            let n = 1 + random(400) as usize;
            if random(2) == 0 {
                words.extend((0..n).map(|_| random(50_000)));
            } else {
                let start = random(1 + all.len() as u64) as usize;
                words.extend_from_slice(&all[start..all.len().min(start + n)]);
            }
        }
        all.extend_from_slice(&words);
        texts.push(numbered(words.into_iter().map(|word| word as usize)));
    }
    assert!(all.len() > 1_200_000, "{} words, which would not go to disk", all.len());
    let shards = shards(folder.path(), &texts);
    let mut expected = None;
    for (threads, memory) in [(1, job::LITTLE), (3, job::LITTLE), (2, 1 << 30)] {
        let output = folder.path().join(format!("{threads}"));
        let settings = settings(20).with(|s| s.memory = memory);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| run(&shards.paths, &settings, &output));
        let files = job::files(&output);
        assert!(
            *expected.get_or_insert(files.clone()) == files,
            "{threads} threads, {memory} bytes"
        );
    }
}

#[test]
fn settings_that_no_run_can_use() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("out");
    for settings in [
        settings(0),
        settings(100_001),
        settings(5).with(|s| s.memory = job::LITTLE - 1),
        settings(5).with(|s| {
            s.keep = Keep::Longest;
            s.cut = Cut::Sentence;
        }),
    ] {
        let options = job::options(&Keep::First);
        let done = runs::run(&[], &options, &settings, &job::to(&output), &Silent);
        assert!(done.is_err_and(|error| error.is_setting()), "{settings:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
