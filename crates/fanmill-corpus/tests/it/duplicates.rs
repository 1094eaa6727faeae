//! `dedup` removes what a comparison of all pairs, one by one, says.

use std::collections::BTreeSet;

use fanmill_corpus::ShortTexts;
use fanmill_corpus::dedup::{DEFAULT_RECALL, Keep, Linkage, Measure, Search, Settings};
use fanmill_sketch::Sketch;
use fanmill_sketch::lsh::verify::Threshold;
use proptest::prelude::*;

use crate::corpus::{Line, Shards, cases, corpora};
use crate::job::{self, Table};
use crate::naive;

const RULES: [&str; 7] = [
    "first",
    "longest",
    "newest:date",
    "oldest:date",
    "highest:score",
    "lowest:score",
    "source:from=news,wiki",
];

fn threshold(value: f64) -> Threshold {
    Threshold::new(value).expect("a fraction")
}

fn keeps() -> impl Strategy<Value = Keep> {
    prop::sample::select(RULES.to_vec()).prop_map(|rule| rule.parse().expect(rule))
}

fn linkages() -> impl Strategy<Value = Linkage> {
    prop_oneof![3 => Just(Linkage::Centres), 1 => Just(Linkage::Components)]
}

/// Exact searches.
pub(crate) fn exact() -> impl Strategy<Value = Settings> {
    let measures = (prop::sample::select(vec![0.2, 0.5, 0.8, 0.9, 1.0]), any::<bool>());
    let short = prop::sample::select(vec![ShortTexts::Slips, ShortTexts::Shingles]);
    (measures, 1_usize..5, any::<bool>(), linkages(), keeps(), short).prop_map(
        |((least, is_containment), words, is_weighted, linkage, keep, short_texts)| {
            let resemblance = Measure::Resemblance(threshold(least));
            let containment = Measure::Containment(threshold(least));
            job::settings().with(|s| {
                s.measure = if is_containment { containment } else { resemblance };
                s.search = Search::Exact;
                s.words = words;
                s.is_weighted = is_weighted;
                s.short_texts = short_texts;
                s.linkage = linkage;
                s.keep = if is_containment { Keep::First } else { keep };
            })
        },
    )
}

/// Searches by sketches.
pub(crate) fn sketched() -> impl Strategy<Value = Settings> {
    let sketches = [
        "fss(t=128)",
        "perm(t=64)",
        "lead(t=84)",
        "classic(k=6,s=14,r=2)",
        "bottom(t=32)",
        "mod(m=2)",
        "bytes(s=11,r=3)",
    ];
    let least = prop::sample::select(vec![0.5, 0.8, 0.95]);
    (prop::sample::select(sketches.to_vec()), least, 1_usize..5, any::<bool>(), linkages(), keeps())
        .prop_map(|(sketch, least, words, is_weighted, linkage, keep)| {
            job::settings().with(|s| {
                s.measure = Measure::Resemblance(threshold(least));
                s.search = Search::Sketches {
                    sketch: sketch.parse::<Sketch>().expect(sketch),
                    recall: DEFAULT_RECALL,
                };
                s.words = words;
                s.is_weighted = is_weighted;
                s.linkage = linkage;
                s.keep = keep;
            })
        })
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn an_exact_search_is_the_naive_one(lines in corpora(), settings in exact()) {
        let folder = tempfile::tempdir().expect("a folder");
        let shards = Shards::write(folder.path(), &lines);
        let settings = job::followed(settings, &shards.records());
        let output = folder.path().join("out");
        let outcome = job::dedup(&shards.paths, &settings, &output).expect("done");
        let records = shards.records();
        let expected = naive::removed(&records, &settings);
        prop_assert_eq!(job::removed(&shards, &output), expected.clone());

        let gone: BTreeSet<usize> = expected.iter().map(|removed| removed.document).collect();
        prop_assert_eq!(job::written(&output), shards.without(|document| gone.contains(&document)));

        let counts = outcome.summary.counts;
        let n_bad = records.iter().filter(|record| record.is_none()).count();
        let documents = || records.iter().flatten();
        prop_assert_eq!(counts.records as usize, records.len());
        prop_assert_eq!(counts.bad as usize, n_bad);
        prop_assert_eq!(outcome.summary.bad_records.len(), n_bad);
        prop_assert_eq!(counts.documents as usize, documents().count());
        prop_assert_eq!(counts.text_bytes as usize, documents().map(|d| d.text.len()).sum::<usize>());
        prop_assert_eq!(
            counts.wordless as usize,
            documents().filter(|d| naive::words(&d.text).is_empty()).count()
        );
        prop_assert_eq!(counts.duplicates as usize, gone.len());
        prop_assert_eq!(counts.kept as usize, documents().count() - gone.len());
        prop_assert!(counts.edges <= counts.candidates);
    }

    #[test]
    fn clusters_tell_the_same_as_what_is_removed(lines in corpora(), settings in exact()) {
        let folder = tempfile::tempdir().expect("a folder");
        let shards = Shards::write(folder.path(), &lines);
        let settings = job::followed(settings, &shards.records());
        let output = folder.path().join("out");
        let outcome = job::dedup(&shards.paths, &settings, &output).expect("done");
        let removed = job::removed(&shards, &output);
        let table = Table::read(&job::beside(&output).join("clusters.parquet"));
        let (numbers, is_kept) = (table.numbers("cluster"), table.flags("is_kept"));
        let (documents, alike) = (table.documents(&shards, ""), table.floats("resemblance"));
        let (sizes, means) = (table.numbers("size"), table.floats("mean"));
        let (smallest, components) = (table.floats("smallest"), table.numbers("component"));
        let rows: Vec<usize> = (0..numbers.len()).collect();
        let mut kept_before = None;
        for cluster in rows.chunk_by(|&i, &j| numbers[i] == numbers[j]) {
            let (first, others) = (cluster[0], &cluster[1..]);
            prop_assert!(is_kept[first] && others.iter().all(|&i| !is_kept[i]));
            // Clusters are numbered in the order of the documents that are kept.
            prop_assert!(kept_before < Some(documents[first]));
            kept_before = Some(documents[first]);
            let of_kept: Vec<_> = removed.iter().filter(|r| r.kept == documents[first]).collect();
            let listed: Vec<_> = others.iter().map(|&i| (documents[i], alike[i])).collect();
            let expected: Vec<_> = of_kept.iter().map(|r| (r.document, r.resemblance)).collect();
            prop_assert_eq!(listed, expected);
            let least = of_kept.iter().map(|r| r.resemblance).fold(1.0, f64::min);
            let mean = of_kept.iter().map(|r| r.resemblance).sum::<f64>() / of_kept.len() as f64;
            for &i in cluster {
                prop_assert_eq!(sizes[i] as usize, cluster.len());
                prop_assert_eq!(smallest[i].to_bits(), least.to_bits());
                prop_assert!((means[i] - mean).abs() < 1e-9);
                prop_assert!(components[i] <= numbers[i]);
            }
        }
        let n_clusters = numbers.last().map_or(0, |last| last + 1);
        prop_assert_eq!(outcome.summary.counts.clusters, n_clusters);
        let different: BTreeSet<u64> = components.into_iter().collect();
        prop_assert_eq!(outcome.summary.counts.components as usize, different.len());
        prop_assert_eq!(numbers.len(), removed.len() + n_clusters as usize);
    }

    #[test]
    fn what_sketches_find_is_true(lines in corpora(), settings in sketched()) {
        let folder = tempfile::tempdir().expect("a folder");
        let shards = Shards::write(folder.path(), &lines);
        let settings = job::followed(settings, &shards.records());
        let output = folder.path().join("out");
        job::dedup(&shards.paths, &settings, &output).expect("done");
        let records = shards.records();
        let sets = naive::Sets::new(&records, &settings);
        let removed = job::removed(&shards, &output);
        let gone: BTreeSet<usize> = removed.iter().map(|removed| removed.document).collect();
        let least = settings.measure.threshold().value();
        for one in &removed {
            let (document, kept) = (one.document, one.kept);
            prop_assert!(!gone.contains(&kept));
            prop_assert!(one.is_copy || !sets.of(document).is_empty());
            let alike = if one.is_copy { 1.0 } else { sets.resemblance(document, kept) };
            prop_assert_eq!(one.resemblance.to_bits(), alike.to_bits());
            let same = records[document].map(|doc| &doc.text) == records[kept].map(|doc| &doc.text);
            prop_assert_eq!(one.is_copy, same);
            prop_assert!(settings.linkage == Linkage::Components || one.resemblance >= least);
        }
        prop_assert_eq!(job::written(&output), shards.without(|document| gone.contains(&document)));
        // Equal sets have equal sketches, and are never missed; mod(m) may keep nothing of them.
        if !matches!(settings.search, Search::Sketches { sketch: Sketch::ModM { .. }, .. }) {
            let staying: Vec<usize> =
                (0..records.len()).filter(|d| !gone.contains(d) && !sets.of(*d).is_empty()).collect();
            let different: BTreeSet<&[u64]> = staying.iter().map(|&d| sets.of(d)).collect();
            prop_assert_eq!(different.len(), staying.len());
        }
    }

    #[test]
    fn nothing_that_stays_pairs_with_anything_that_stays(lines in corpora(), settings in exact()) {
        let folder = tempfile::tempdir().expect("a folder");
        let shards = Shards::write(folder.path(), &lines);
        let settings = job::followed(settings, &shards.records());
        let once = folder.path().join("once");
        job::dedup(&shards.paths, &settings, &once).expect("done");
        // The output, read as a corpus, has no duplicates.
        let again = [once.join("a.jsonl"), once.join("b.jsonl.gz")];
        let outcome = job::dedup(&again, &settings, &folder.path().join("again")).expect("done");
        let counts = outcome.summary.counts;
        prop_assert_eq!((counts.duplicates, counts.edges, counts.copies, counts.bad), (0, 0, 0, 0));
        prop_assert_eq!(job::written(&folder.path().join("again")), job::written(&once));
    }
}

/// Three hundred texts, each with a variant in which a few words differ.
#[test]
fn sketches_find_nearly_all_pairs() {
    let mut random = 7_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) % below
    };
    let mut lines = Vec::new();
    let mut push = |words: &[u64]| {
        let text = words.iter().map(|w| format!("w{w}")).collect::<Vec<_>>().join(" ");
        lines.push(Line::Doc(crate::corpus::Doc { text, score: None, source: None, url: None }));
    };
    for _ in 0..300 {
        let mut words: Vec<u64> = (0..120).map(|_| next(5000)).collect();
        push(&words);
        for _ in 0..2 {
            words[next(120) as usize] = 6000;
        }
        push(&words);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let shards = Shards::write(folder.path(), &lines);
    let run = |search: Search, name: &str| {
        let settings = job::settings().with(|s| s.search = search);
        let outcome = job::dedup(&shards.paths, &settings, &folder.path().join(name));
        outcome.expect("done").summary.counts
    };
    let exact = run(Search::Exact, "exact");
    assert!((290..=300).contains(&exact.edges), "{exact:?}");
    for sketch in ["fss(t=128)", "perm(t=128)", "bottom(t=128)", "mod(m=8)"] {
        let sketch: Sketch = sketch.parse().expect(sketch);
        let found = run(Search::Sketches { sketch, recall: 0.998 }, &sketch.to_string());
        assert!(found.edges >= exact.edges - 2, "{sketch}: {found:?}, {exact:?}");
    }
}
