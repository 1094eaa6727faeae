//! Indexes that store fingerprints, but not texts.

use proptest::prelude::*;

use super::*;
use crate::{Answer, Keep};

fn begin(folder: &Path, keep: Option<Keep>) -> fanmill_text::Result<Writer> {
    Writer::open_to_keep(&Disk::default(), folder, None, keep)
}

fn add_alone(folder: &Path, texts: &[(String, String)]) {
    let mut writer = begin(folder, Some(Keep::Fingerprints)).expect("an index");
    writer.add(documents(texts.iter().cloned()), &Registry::prose(), &Silent).expect("room");
    writer.close().expect("own folder");
}

fn answer(index: &Index, text: &str) -> Answer {
    let text = documents([("query", text.to_owned())]).remove(0);
    let answer = index.search(text, &Registry::prose(), &Search::default(), &Silent);
    answer.expect("a sound index")
}

#[test]
fn no_text_is_on_the_disk_and_all_that_needs_none_works() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let texts: Vec<(String, String)> = (0..6).map(|i| (format!("d{i}"), words(i, 40))).collect();
    add_alone(&folder, &texts[..3]);
    add_alone(&folder, &texts[3..]);
    // The part that is stored need not be given again, and cannot be changed.
    begin(&folder, None).expect("an index").close().expect("own folder");
    let error = begin(&folder, Some(Keep::Everything)).expect_err("it keeps less");
    assert!(error.to_string().contains("no-texts"), "{error}");
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        assert_ne!(path.extension(), Some("txt".as_ref()));
        let bytes = std::fs::read(&path).expect("a file");
        let word = words(0, 1);
        assert!(!bytes.windows(word.len()).any(|own| own == word.as_bytes()), "{path:?}");
    }
    let mut writer = begin(&folder, None).expect("an index");
    assert_eq!(writer.remove(["d1"]).expect("known"), 1);
    writer.merge(&Silent).expect("room");
    writer.close().expect("own folder");
    let index = Index::open(&folder).expect("an index");
    index.verify(&Silent).expect("a sound index");
    assert_eq!((index.n_documents(), index.stats().keep), (5, Keep::Fingerprints));
    let found = answer(&index, &words(2, 40));
    assert_eq!((found.sources.len(), found.by_fingerprint.len()), (0, 1));
    assert_eq!(found.by_fingerprint[0].record.name, "d2");
    assert!(answer(&index, &words(1, 40)).by_fingerprint.is_empty());
    let text = documents([("query", words(2, 40))]);
    let wanted = [&text[0]];
    let error = index.sources(&wanted, &Registry::prose(), &Search::default(), &Silent);
    assert!(error.expect_err("no texts").to_string().contains("no texts"));
    assert!(index.document("d2").expect_err("no texts").to_string().contains("no texts"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(48)))]

    /// A run as long as the guarantee is found and covered, except for less than a window at each end, and nothing else
    /// is shown as shared.
    #[test]
    fn a_shared_run_is_covered(
        n in 12_usize..60,
        (before, after) in (0_usize..40, 0_usize..40),
        (source_before, source_after) in (0_usize..40, 0_usize..40),
        repeated in 1_usize..4,
    ) {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = temporary.path().join("ix");
        let run = words(1, n);
        let source = [words(2, source_before), run.clone(), words(3, source_after)].join(" ");
        add_alone(&folder, &[("source".to_owned(), source), ("other".to_owned(), words(9, 50))]);
        let mut query = words(4, before);
        for _ in 0..repeated {
            query = [query, run.clone(), words(5, after)].join(" ");
        }
        let found = answer(&Index::open(&folder).expect("an index"), &query).by_fingerprint;
        prop_assert_eq!(found.len(), 1);
        prop_assert_eq!(&*found[0].record.name, "source");
        // Words have six letters and a space.
        let window = 12 - 3 + 1;
        let runs = &found[0].runs;
        for (start, _) in query.match_indices(&run) {
            let end = start + run.len();
            let own = runs.iter().filter(|own| start <= own.start as usize && own.end as usize <= end);
            let own: Vec<_> = own.collect();
            prop_assert!(!own.is_empty());
            let (first, last) = (own[0].start as usize, own[own.len() - 1].end as usize);
            prop_assert!((first - start) / 7 < window && (end - last) / 7 < window, "{:?}", runs);
            prop_assert!(own.iter().map(|own| own.tokens).sum::<u64>() <= n as u64);
        }
        prop_assert!(runs.len() == repeated, "{:?}", runs);
        prop_assert!(found[0].tokens <= (repeated * n) as u64);
    }
}
