use fanmill_text::progress::Silent;

use super::*;
use crate::collection::tests::collection;

fn measured(files: &[(&str, &str)], noise: u32, guarantee: u32) -> Outcome {
    let thresholds = Thresholds::new(noise, guarantee).expect("ordered");
    run(&Settings::new(thresholds), &collection(files), &Silent).expect("there is text")
}

fn table<'o>(outcome: &'o Outcome, name: &str) -> &'o Table {
    outcome.tables.iter().find(|table| table.name == name).expect("the table")
}

fn shown(row: &[Cell]) -> Vec<String> {
    let cell = |cell: &Cell| match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Number { value, .. } => format!("{value:.3}"),
        Cell::Nothing => "-".to_owned(),
    };
    row.iter().map(cell).collect()
}

#[test]
fn a_string_that_repeats_is_named_and_its_gap_is_shown() {
    let text =
        format!("One sentence stands up.\n{} And here is another one.", "docwrite".repeat(50));
    let outcome =
        measured(&[("page.txt", &text), ("other.txt", "Nothing at all to see in this.")], 5, 12);
    let repeats = table(&outcome, "repeats");
    assert_eq!(repeats.rows.len(), 1);
    assert_eq!(shown(&repeats.rows[0]), ["docwrite", "8", "1", "400", "400", "page.txt:2"]);
    let lengths = table(&outcome, "lengths");
    let names: Vec<String> = lengths.rows.iter().map(|row| shown(row)[0].clone()).collect();
    assert_eq!(names[..3], ["roc(r=2)", "winnow", "robust"]);
    let longest: Vec<usize> =
        lengths.rows.iter().map(|row| shown(row)[7].parse().expect("a count")).collect();
    assert!(longest[..3].iter().all(|&run| run <= 7), "w - 1 = 7: {longest:?}");
}

#[test]
fn zeros_are_bare_and_quoted() {
    let zeros = "0".repeat(1_000);
    let outcome = measured(&[("zeros.txt", &zeros)], 50, 149);
    let passages = table(&outcome, "passages");
    let row = shown(&passages.rows[0]);
    assert_eq!(row[..4], ["mod(p=50)", "951", "1", "zeros.txt:1"]);
    assert_eq!(row[4], format!("{}", "0".repeat(QUOTED)));
    let winnow = shown(&table(&outcome, "lengths").rows[1]);
    assert_eq!(winnow, ["winnow", "851", "1.000", "1", "1", "1", "0.000", "99"]);
    let robust = shown(&table(&outcome, "lengths").rows[2]);
    assert_eq!(robust[..6], ["robust", "8", "100.000", "100", "100", "100"]);
}

/// Checks golden vectors: the longest run, ends included, and the longest gap.
#[test]
fn runs_and_gaps_are_those_of_the_vectors() {
    let vectors = include_str!("../../../../testdata/golden/gaps.json");
    let vectors: serde_json::Value = serde_json::from_str(vectors).expect("JSON");
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    for case in vectors["cases"].as_array().expect("cases") {
        let positions: Vec<u32> = case["positions"]
            .as_array()
            .expect("positions")
            .iter()
            .map(|at| number(at) as u32)
            .collect();
        let runs = bare_runs(&positions, number(&case["n"]) as usize);
        let longest = runs.map(|(_, length)| length).max().unwrap_or(0);
        assert_eq!(longest as u64, number(&case["longest_run_without_fingerprint"]), "{case}");
        let gap = positions.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        assert_eq!(u64::from(gap), number(&case["max_gap"]), "{case}");
    }
}

/// Expects a share of (1 - 1/50)^99 = 0.1353 of the gaps to be 100 or longer; 5 standard deviations of about 20,000
/// gaps are 0.012.
#[test]
fn gaps_of_random_text_are_as_expected() {
    let text = Collection::random(1_000_000, 1).expect("small");
    let thresholds = Thresholds::new(50, 149).expect("ordered");
    let outcome = run(&Settings::new(thresholds), &text, &Silent).expect("text");
    let of = |name: &str| {
        let series = outcome.figures[0].series.iter().find(|series| series.name == name);
        series.expect("drawn").points.clone()
    };
    let from = |points: &[(f64, f64)], length: f64| {
        points.iter().find(|&&(at, _)| at >= length).expect("so long").1
    };
    let measured = from(&of("mod(p=50)"), 100.0);
    assert!((measured - 0.1353).abs() < 0.012, "{measured}");
    let expected = from(&of("mod(p=50), expected of random hashes"), 100.0);
    assert!((expected - 0.1353).abs() < 1e-4, "{expected}");
    assert!(of("winnow").last().expect("gaps").0 <= 100.0);
    assert!(outcome.tables.iter().all(|table| table.name != "repeats"));
    assert_eq!(outcome.seed, Some(1));
}

#[test]
fn the_order_of_adding_up_does_not_matter() {
    let parts = [
        ("a", "abababababababababababababababab"),
        ("b", "babababababababababababababa"),
        ("c", "A sentence that does not repeat itself is here."),
    ];
    let collection = collection(&parts);
    let settings = Settings::new(Thresholds::new(3, 6).expect("ordered"));
    let of = |index| Tally::of(&collection, index, &settings);
    let sum = |order: [usize; 3]| {
        let sum =
            order.iter().fold(Tally::nothing(&settings), |sum, &i| sum.plus(of(i), &settings));
        format!("{sum:?}")
    };
    assert_eq!(sum([0, 1, 2]), sum([2, 1, 0]));
    assert_eq!(sum([0, 1, 2]), sum([1, 2, 0]));
}
