//! `decontaminate` removes what a comparison of every run of words, one by one, says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use fanmill_corpus::decontaminate::{self, Settings, Summary};
use fanmill_corpus::dedup::Mode;
use fanmill_corpus::job::Reference;
use fanmill_records::format::Options;
use fanmill_text::Result;
use fanmill_text::progress::Silent;
use proptest::prelude::*;

use crate::corpus::{Line, Shards, cases, corpora};
use crate::job::{self, Table};
use crate::naive::words;

fn standard() -> Settings {
    Settings::standard().with(|s| {
        s.memory = job::LITTLE;
        s.allowed_failures = 1.0;
    })
}

fn run(own: &[PathBuf], tests: &[PathBuf], settings: &Settings, output: &Path) -> Result<Summary> {
    let options = Options { batch_bytes: 1 << 10, ..Options::standard() };
    let reference = Reference::new(tests, &options);
    let places = job::to(output);
    let ended = decontaminate::run((own, &options), reference, settings, &places, &Silent)?;
    Ok(ended.now().expect("it had not been done"))
}

/// A run: item, place in the item, document, place in the document, and length in words.
type Found = (usize, usize, usize, usize, usize);

/// The naive twin: every run of `k` words is looked for in every document; longest runs, each once.
struct Naive {
    runs: BTreeSet<Found>,
    /// Windows of each item that do not count.
    common: Vec<usize>,
}

impl Naive {
    fn new(
        documents: &[Vec<String>],
        lines: &[Vec<usize>],
        items: &[Vec<String>],
        (k, max): (usize, usize),
    ) -> Naive {
        // An item below 8 words is a whole line, from one end of a line to the next, or the whole document.
        let is_whole = |document: usize, at: usize, n: usize| {
            let ends = &lines[document];
            let is_line = ends.windows(2).any(|line| line == [at, at + n]);
            is_line || (at, n) == (0, documents[document].len())
        };
        let first_of = |document: usize, window: &[String]| {
            let n = window.len();
            let windows = documents[document].windows(n).enumerate();
            let mut equal = windows.filter(|(_, other)| *other == window).map(|(at, _)| at);
            equal.find(|&at| n >= k.min(8) || is_whole(document, at, n))
        };
        let mut having: BTreeMap<&[String], BTreeSet<usize>> = BTreeMap::new();
        for item in items {
            for window in item.windows(item.len().min(k)) {
                let all =
                    (0..documents.len()).filter(|&document| first_of(document, window).is_some());
                having.entry(window).or_insert_with(|| all.collect());
            }
        }
        let counts = |window: &[String]| having.get(window).is_some_and(|all| all.len() <= max);
        let (mut runs, mut common) = (BTreeSet::new(), Vec::new());
        for (i, item) in items.iter().enumerate() {
            let n = item.len().min(k);
            common.push(item.windows(n).filter(|window| !counts(window)).count());
            for (at, window) in item.windows(n).enumerate().filter(|(_, window)| counts(window)) {
                for &document in &having[window] {
                    let words = &documents[document];
                    let first = first_of(document, window).expect("it has it");
                    let is_same = |back: &usize| item[at - back] == words[first - back];
                    let before = (1..=at.min(first)).take_while(is_same).count();
                    let after = item[at..].iter().zip(&words[first..]).take_while(|(a, b)| a == b);
                    let n_words = before + after.count();
                    runs.insert((i, at - before, document, first - before, n_words));
                }
            }
        }
        Naive { runs, common }
    }
}

/// The texts of a side as words, those of bad records left out, and the numbers of the records that are documents.
fn documents(shards: &Shards) -> (Vec<Vec<String>>, Vec<usize>) {
    let records = shards.records();
    let all =
        records.iter().enumerate().filter_map(|(i, doc)| Some((words(&doc.as_ref()?.text), i)));
    all.unzip()
}

/// The numbers of words before each line of a text that has any, and in all of it.
fn line_ends(text: &str) -> Vec<usize> {
    let numbers = text.lines().map(|line| words(line).len()).filter(|&n| n > 0);
    let ends = numbers.scan(0, |end, n| {
        *end += n;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// An answer of one word is in many texts, and a text that only has it in passing is not of the test.
#[test]
fn an_item_of_few_words_counts_as_a_line_or_a_document_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let texts = ["Paris?", "I love Paris.", "a question\nParis\nand more", "paris paris"];
    let lines = texts.map(|text| format!("{}\n", serde_json::json!({"text": text})));
    fs::write(path("a.jsonl"), lines.concat()).expect("written");
    fs::write(path("t.jsonl"), "{\"text\":\"Paris?\"}\n").expect("written");
    let output = path("out");
    let summary = run(&[path("a.jsonl")], &[path("t.jsonl")], &standard(), &output).expect("done");
    assert_eq!(job::text(&output.join("a.jsonl")), [&*lines[1], &lines[3]].concat());
    assert_eq!((summary.items.counts.short, summary.items.counts.too_short), (1, 1));
    let table = Table::read(&job::beside(&output).join("items.parquet"));
    assert_eq!((table.flags("is_too_short"), table.numbers("documents")), (vec![true], vec![2]));
}

/// The words of a piece of a text.
fn words_of(texts: &[String], text: usize, begin: u64, end: u64) -> Vec<String> {
    words(&texts[text][begin as usize..end as usize])
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn what_goes_is_what_the_naive_twin_finds(
        lines in corpora(), choice in any::<u64>(), k in 1_usize..9, max in 1_u32..6,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let side = |name: &str, of: bool| {
            let folder = folder.path().join(name);
            fs::create_dir(&folder).expect("a folder");
            let own = lines.iter().enumerate().filter(|(i, _)| (choice >> (i % 64) & 1 == 0) == of);
            Shards::write(&folder, &own.map(|(_, line)| line.clone()).collect::<Vec<Line>>())
        };
        let (own, tests) = (side("own", true), side("tests", false));
        let settings = standard().with(|s| {
            s.min_words = k as u32;
            s.max_documents = max;
        });
        let output = folder.path().join("out");
        let summary = run(&own.paths, &tests.paths, &settings, &output).expect("done");

        let (own_words, records) = documents(&own);
        let (item_words, item_records) = documents(&tests);
        let items: Vec<Vec<String>> = item_words.iter().filter(|words| !words.is_empty()).cloned().collect();
        let lines: Vec<Vec<usize>> =
            own.records().into_iter().flatten().map(|doc| line_ends(&doc.text)).collect();
        let naive = Naive::new(&own_words, &lines, &items, (k, max as usize));
        let gone: BTreeSet<usize> = naive.runs.iter().map(|run| records[run.2]).collect();
        prop_assert_eq!(job::written(&output), own.without(|record| gone.contains(&record)));
        prop_assert_eq!(summary.counts.contaminated as usize, gone.len());
        prop_assert_eq!(summary.counts.documents as usize, records.len());
        prop_assert_eq!(summary.items.counts.items as usize, item_records.len());
        let hit: BTreeSet<usize> = naive.runs.iter().map(|run| run.0).collect();
        prop_assert_eq!(summary.items.counts.hit as usize, hit.len());

        // The tables name each run, where it is in both texts, and each item.
        let table = Table::read(&job::beside(&output).join("removed.parquet"));
        let numbers = |name: &str| table.numbers(name);
        let texts = |shards: &Shards| -> Vec<String> {
            shards.records().into_iter().map(|doc| doc.map_or(String::new(), |doc| doc.text.clone())).collect()
        };
        let (own_texts, item_texts) = (texts(&own), texts(&tests));
        let (found, item) = (table.documents(&own, ""), table.documents(&tests, "item_"));
        let (places, item_places) =
            ((numbers("begin"), numbers("end")), (numbers("item_begin"), numbers("item_end")));
        let mut listed = Vec::new();
        for (i, n_words) in numbers("words").into_iter().enumerate() {
            let run = words_of(&own_texts, found[i], places.0[i], places.1[i]);
            prop_assert_eq!(run.len() as u64, n_words);
            let of_item = words_of(&item_texts, item[i], item_places.0[i], item_places.1[i]);
            prop_assert_eq!(&run, &of_item);
            listed.push((item[i], found[i], n_words as usize));
        }
        let with_words: Vec<usize> = item_records.iter().copied()
            .filter(|&record| !words(&item_texts[record]).is_empty()).collect();
        let mut expected: Vec<(usize, usize, usize)> =
            naive.runs.iter().map(|run| (with_words[run.0], records[run.2], run.4)).collect();
        listed.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(listed, expected);
        let table = Table::read(&job::beside(&output).join("items.parquet"));
        let common: Vec<u64> = naive.common.iter().map(|&n| n as u64).collect();
        prop_assert_eq!(table.numbers("common_runs"), common);
        prop_assert_eq!(table.documents(&tests, ""), with_words);
        check_in_memory((&own, &own_texts), (&tests, &item_texts), &settings, &output, &summary)?;
    }
}

/// Checks that texts in memory give the decisions that files give; bad records become empty texts.
fn check_in_memory(
    (own, texts): (&Shards, &[String]),
    (tests, items): (&Shards, &[String]),
    settings: &Settings,
    output: &Path,
    summary: &Summary,
) -> std::result::Result<(), TestCaseError> {
    let found = decontaminate::in_memory(texts, items, settings, &Silent).expect("done");
    prop_assert_eq!((&found.scheme, &found.promise), (&summary.scheme, &summary.promise));
    let n_gone = found.texts.iter().filter(|is_gone| **is_gone).count() as u64;
    prop_assert_eq!(n_gone, summary.counts.contaminated);
    let table = Table::read(&job::beside(output).join("removed.parquet"));
    let numbers = |name: &str| table.numbers(name).into_iter().map(|n| n as usize).collect();
    let columns: [Vec<usize>; 5] = ["words", "begin", "end", "item_begin", "item_end"].map(numbers);
    let (of, of_items) = (table.documents(own, ""), table.documents(tests, "item_"));
    let shown = table.texts("text");
    let runs = (0..of.len()).map(|i| {
        let [words, begin, end, item_begin, item_end] = [0, 1, 2, 3, 4].map(|c| columns[c][i]);
        decontaminate::FoundRun {
            text: of[i],
            item: of_items[i],
            n_words: words as u32,
            place: begin..end,
            item_place: item_begin..item_end,
            shown: shown[i].clone(),
        }
    });
    prop_assert_eq!(&found.runs, &runs.collect::<Vec<_>>());
    prop_assert!(found.runs.iter().all(|run| found.texts[run.text]));
    let table = Table::read(&job::beside(output).join("items.parquet"));
    let of = |value: fn(&decontaminate::FoundItem) -> u64| -> Vec<u64> {
        found.items.iter().map(value).collect()
    };
    prop_assert_eq!(of(|item| item.n_words as u64), table.numbers("words"));
    prop_assert_eq!(of(|item| item.n_documents.into()), table.numbers("documents"));
    prop_assert_eq!(of(|item| item.longest.into()), table.numbers("longest"));
    prop_assert_eq!(of(|item| item.n_common.into()), table.numbers("common_runs"));
    let is_too_short: Vec<bool> = found.items.iter().map(|item| item.is_too_short).collect();
    prop_assert_eq!(is_too_short, table.flags("is_too_short"));
    let rows: Vec<usize> = found.items.iter().map(|item| item.item).collect();
    prop_assert_eq!(rows, table.documents(tests, ""));
    Ok(())
}

/// A folder with files.
fn folder(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

fn record(id: &str, text: &str) -> String {
    format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n")
}

const QUESTION: &str =
    "A farmer has seventeen sheep, all but nine run away; how many sheep are left in the field?";

/// The same question in capitals, with other signs, inside a longer text.
#[test]
fn a_question_is_found_inside_a_text() {
    let loud = QUESTION.to_uppercase().replace([',', ';'], " –");
    let folder = folder(&[
        (
            "train.jsonl",
            [
                record("page", &format!("Riddles for a rainy day: {loud} Answer below.")),
                record("near", "A farmer has seventeen sheep, all but nine run away, and a dog."),
                record("other", "Seventeen farmers have a sheep."),
            ]
            .concat(),
        ),
        ("test.jsonl", [record("q1", QUESTION), record("q2", "What is a riddle?")].concat()),
    ]);
    let path = |name: &str| folder.path().join(name);
    let (own, tests) = ([path("train.jsonl")], [path("test.jsonl")]);
    let summary = run(&own, &tests, &standard(), &path("out")).expect("done");
    assert_eq!((summary.counts.contaminated, summary.items.counts.hit), (1, 1));
    assert_eq!(summary.items.counts.short, 1);
    let table = Table::read(&path("out.fanmill/removed.parquet"));
    assert_eq!(
        (table.texts("id"), table.texts("item_id")),
        (vec!["page".into()], vec!["q1".into()])
    );
    assert_eq!(table.numbers("words"), [18]);
    assert_eq!(table.texts("text"), [loud.as_str()]);
    let worst = &summary.most_shared[0];
    assert_eq!((&*worst.id, worst.documents, worst.longest, worst.words), ("q1", 1, 18, 18));
    assert_eq!(fs::read_to_string(&tests[0]).expect("as it was").lines().count(), 2);

    // Shorter runs, and marks in place of removal.
    let settings = standard().with(|s| {
        s.min_words = 10;
        s.mode = Mode::Mark;
    });
    run(&own, &tests, &settings, &path("marked")).expect("done");
    let marked = fs::read_to_string(path("marked/train.jsonl")).expect("written");
    let marks: Vec<bool> =
        marked.lines().map(|line| line.contains("\"duplicate_of\":\"q1\"")).collect();
    assert_eq!(marks, [true, true, false]);
}

/// What very many records have is not the item's own; the summary says which items have nothing else.
#[test]
fn common_runs_do_not_count() {
    let template = "Choose the best of the following four answers and explain your choice in one short sentence.";
    let page = |i: usize| record(&format!("p{i}"), &format!("{template} Number {i}."));
    let special = record("leak", &format!("{template} {QUESTION}"));
    let items = [record("q", &format!("{template} {QUESTION}")), record("t", template)].concat();
    let folder = folder(&[
        ("train.jsonl", (0..5).map(page).collect::<String>() + &special),
        ("test.jsonl", items),
    ]);
    let path = |name: &str| folder.path().join(name);
    let counts = |max: u32| {
        let settings = standard().with(|s| s.max_documents = max);
        let output = path(&format!("out{max}"));
        let summary =
            run(&[path("train.jsonl")], &[path("test.jsonl")], &settings, &output).expect("done");
        let items = summary.items.counts;
        (summary.counts.contaminated, items.hit, items.common_runs, items.common_items)
    };
    assert_eq!(counts(6), (6, 2, 0, 0));
    assert_eq!(counts(5), (1, 1, 4, 1));
}

/// A record that repeats a run, and items that share one, cost no more than they hold.
#[test]
fn repetitive_records_and_items_take_linear_work() {
    let phrase =
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen ";
    let folder = folder(&[
        ("train.jsonl", record("a", &phrase.repeat(5000))),
        (
            "test.jsonl",
            (0..3000).map(|i| record(&format!("q{i}"), &format!("{phrase} {i}"))).collect(),
        ),
    ]);
    let path = |name: &str| folder.path().join(name);
    let summary = run(&[path("train.jsonl")], &[path("test.jsonl")], &standard(), &path("out"))
        .expect("done");
    assert_eq!((summary.counts.contaminated, summary.counts.runs), (1, 3000));
}

#[test]
fn the_same_bytes_at_any_number_of_threads() {
    let page = |i: usize| {
        let words: Vec<String> = (0..60).map(|w| format!("w{}", (w * w + i * 7) % 200)).collect();
        record(&format!("d{i}"), &words.join(" "))
    };
    let folder = folder(&[
        ("train.jsonl", (0..300).map(page).collect()),
        ("test.jsonl", (0..80).map(|i| page(i * 5 + 3)).collect()),
    ]);
    let path = |name: &str| folder.path().join(name);
    let files = |threads: usize, memory: usize| {
        let settings = standard().with(|s| {
            s.memory = memory;
            s.min_words = 6;
        });
        let output = path(&format!("out{threads}"));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let run = || run(&[path("train.jsonl")], &[path("test.jsonl")], &settings, &output);
        assert!(pool.install(run).expect("done").counts.contaminated > 10);
        job::files(&output)
    };
    let expected = files(1, 1 << 30);
    assert!(files(2, job::LITTLE) == expected && files(7, 1 << 28) == expected);
}

#[test]
fn what_no_run_can_do_is_refused() {
    let folder = folder(&[
        ("train.jsonl", record("a", "one two three")),
        ("test.jsonl", (0..40_000).map(|i| record("q", &format!("w{i} ").repeat(20))).collect()),
    ]);
    let path = |name: &str| folder.path().join(name);
    let refused = |change: fn(&mut Settings), tests: &str| {
        let settings = standard().with(change);
        let output = path("out");
        let error =
            run(&[path("train.jsonl")], &[path(tests)], &settings, &output).expect_err("refused");
        assert!(error.is_setting() && !output.exists(), "{error}");
        error.to_string()
    };
    assert!(refused(|_| {}, "test.jsonl").contains("the setting `memory`"));
    assert!(refused(|_| {}, "train.jsonl").contains("found in itself"));
    refused(|s| s.min_words = 0, "test.jsonl");
    refused(|s| s.min_words = u32::MAX, "test.jsonl");
    refused(|s| s.max_documents = 0, "test.jsonl");
    refused(|s| s.memory = 0, "test.jsonl");
}
