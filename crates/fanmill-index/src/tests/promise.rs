//! The promise: searches find a shared run of the guarantee, with the index's guarantee and with higher ones, and
//! nothing shorter than the noise threshold is shown.

use fanmill::pipeline::Config;
use fanmill::select::Selector;

use super::*;

/// Number of documents in the index, of words in each, and of searches for each guarantee.
const DOCUMENTS: u64 = 120;
const LENGTH: usize = 150;
const SEARCHES: u64 = 700;
/// Thresholds that the searches are made for, in tokens. The standard noise threshold of prose is 3 by now.
const NOISE: usize = 5;
const GUARANTEE: usize = 12;

fn number(i: u64, below: usize) -> usize {
    (fanmill_kernel::hash::mix::mix(i) >> 8) as usize % below
}

/// Returns `n` words of a document, from word `at` on.
fn run(document: u64, at: usize, n: usize) -> String {
    let text = words(document, LENGTH);
    text.split(' ').skip(at).take(n).collect::<Vec<_>>().join(" ")
}

/// Searches for texts that have a run of at least `guarantee` tokens from one document, and a run one word shorter than
/// the noise threshold from another. Returns how often the first was not found.
fn missed(index: &Index, guarantee: usize) -> u64 {
    let mut n_missed = 0;
    for i in 0..SEARCHES {
        let seed = i << 8 | guarantee as u64;
        let (shared, other) = (i % DOCUMENTS, (i + 7) % DOCUMENTS);
        let n = guarantee + number(seed, 3);
        let text = [
            words(10_000 + i, number(seed + 1, 30)),
            run(shared, number(seed + 2, LENGTH - n + 1), n),
            words(20_000 + i, 1 + number(seed + 3, 30)),
            run(other, number(seed + 4, LENGTH - NOISE), NOISE - 1),
            words(30_000 + i, number(seed + 5, 30)),
        ];
        let text = documents([("query", text.join(" "))]).remove(0);
        let wanted = Some(guarantee as u32);
        let search = Search { guarantee: wanted, ..Search::default() };
        let answer = index.search(text, &Registry::prose(), &search, &Silent);
        let sources = answer.expect("a sound index").sources;
        let names: Vec<&str> = sources.iter().map(|source| &*source.record.name).collect();
        if names != [format!("d{shared}")] {
            assert!(names.is_empty(), "{names:?}, and not {shared} alone");
            n_missed += 1;
        }
        let matches = sources.iter().flat_map(|source| &source.pair.passages);
        let mut matches = matches.flat_map(|passage| &passage.matches);
        assert!(matches.all(|found| found.tokens >= n as u32), "search {i}");
    }
    n_missed
}

fn index(folder: &Path, selector: Selector) -> Index {
    let mut config = Config::standard();
    config.fingerprints.select = Some(selector);
    let mut writer = Writer::open(&Disk::default(), folder, Some(&config)).expect("an index");
    let known = (0..DOCUMENTS).map(|i| (format!("d{i}"), words(i, LENGTH)));
    writer.add(documents(known), &Registry::prose(), &Silent).expect("room");
    writer.close().expect("own folder");
    Index::open(folder).expect("an index")
}

/// Tries windows of the index's width, and up to four times as wide.
#[test]
fn a_shared_run_of_the_guarantee_is_found_with_any_higher_window() {
    let temporary = tempfile::tempdir().expect("a folder");
    let window = GUARANTEE - NOISE + 1;
    let guarantees = [1, 2, 4].map(|times| times * window + NOISE - 1);
    let winnow = index(&temporary.path().join("winnow"), Selector::Winnow);
    assert_eq!(guarantees.map(|guarantee| missed(&winnow, guarantee)), [0, 0, 0]);
    let roc = index(&temporary.path().join("roc"), Selector::roc(NOISE));
    let missed = guarantees.map(|guarantee| missed(&roc, guarantee));
    assert_eq!(missed[0], 0, "at the index's own guarantee");
    // Above it, ROC's selection is a subset except for one in a thousand.
    assert!(missed[1..].iter().sum::<u64>() <= 1 + 2 * SEARCHES / 1000, "{missed:?}");
}
