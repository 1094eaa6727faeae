//! An index of earlier work gives the same pairs as the folders that it was made of.

use std::collections::BTreeSet;
use std::path::PathBuf;

use fanmill::report::Report;
use fanmill_jobs::{compare, index};
use fanmill_text::document::Role;
use fanmill_text::progress::Silent;
use proptest::prelude::*;

use crate::place::Place;

/// Returns a function in Python that hardly any other number gives.
fn function(number: u32) -> String {
    let mut state = u64::from(number) + 1;
    let mut word = |of: &[&str]| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        of[(state >> 33) as usize % of.len()].to_owned()
    };
    let (names, signs) = (["total", "count", "best", "seen", "left"], ["+", "-", "*", "//", "%"]);
    let mut text = format!("def task_{number}(values, limit):\n    total = {number}\n");
    for _ in 0..8 {
        let (target, left, sign, right) = (word(&names), word(&names), word(&signs), word(&names));
        let line = match word(&["set", "if", "for", "call", "while"]).as_str() {
            "set" => format!("    {target} = {left} {sign} ({right} {} limit)\n", word(&signs)),
            "if" => {
                format!("    if {left} > {right}:\n        {target} = values[{left} {sign} 1]\n")
            }
            "for" => {
                format!("    for {target} in range({left}, limit):\n        {right} = [{left}]\n")
            }
            "call" => format!("    {target} = max({left}, len(values) {sign} {right})\n"),
            _ => format!("    while {left} < {right} {sign} 3:\n        {left} += {target}\n"),
        };
        text.push_str(&line);
    }
    text.push_str("    return total\n\n");
    text
}

/// A batch: the functions that each submission has besides the handout's.
#[derive(Debug, Clone)]
struct Batch {
    new: Vec<Vec<u32>>,
    earlier: Vec<Vec<u32>>,
    n_handout: u32,
}

fn any_batch() -> impl Strategy<Value = Batch> {
    // From few functions, so that some are in several submissions.
    let program = || prop::collection::vec(100u32..160, 2..6);
    let programs = |most| prop::collection::vec(program(), 2..most);
    (programs(6), programs(14), 0u32..6).prop_map(|(new, earlier, n_handout)| Batch {
        new,
        earlier,
        n_handout,
    })
}

impl Batch {
    fn place(&self) -> Place {
        let handout: String = (0..self.n_handout).map(function).collect();
        let text = |own: &Vec<u32>| {
            handout.clone() + &own.iter().map(|&number| function(number)).collect::<String>()
        };
        let name = |role: &str, number: usize| format!("{role}/s{number:02}/main.py");
        let new = self.new.iter().enumerate().map(|(i, own)| (name("new", i), text(own)));
        let earlier = self.earlier.iter().enumerate();
        let earlier = earlier.map(|(i, own)| (name("earlier", i), text(own)));
        let base = ("base/handout.py".to_owned(), handout.clone());
        let files: Vec<(String, String)> = new.chain(earlier).chain([base]).collect();
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (&**name, &**text)).collect();
        Place::new(&files)
    }
}

/// Returns the pairs with earlier work: names and passages, by lines.
fn pairs(report: &Report) -> BTreeSet<String> {
    let is_earlier = |id: u32| report.submissions[id as usize].role == Role::Archive;
    // An index keeps where documents were.
    let name = |id: u32| report.submissions[id as usize].name.rsplit('/').next();
    let of_archive = report.pairs.iter().filter(|pair| is_earlier(pair.a) || is_earlier(pair.b));
    let shown = of_archive.map(|pair| {
        let matches = pair.passages.iter().map(|passage| format!("{:?}", passage.matches));
        let places: Vec<String> = matches.collect();
        format!("{:?} {:?}: {}", name(pair.a), name(pair.b), places.join("; "))
    });
    shown.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(12)))]

    #[test]
    fn an_index_gives_the_pairs_of_its_folders(batch in any_batch()) {
        let place = batch.place();
        let folder = place.path("ix");
        let earlier = index::Inputs::from_paths([place.path("earlier")]);
        index::add(&index::Settings::default(), &folder, &earlier, index::Wait::No, &Silent)
            .expect("added");
        let compared = |archive: PathBuf| {
            let mut inputs = compare::Inputs::from_paths([place.path("new")]);
            (inputs.archive, inputs.base) = (vec![archive], vec![place.path("base")]);
            let mut settings = compare::Settings::standard();
            settings.min_score = 0.0;
            settings.max_pairs = usize::MAX;
            compare::run(&settings, &inputs, None, &Silent).expect("a comparison")
        };
        let by_index = compared(folder);
        let by_folder = compared(place.path("earlier"));
        prop_assert_eq!(
            pairs(&by_index.comparison.report),
            pairs(&by_folder.comparison.report)
        );
        let searched = &by_index.searched[0];
        prop_assert!(searched.compared <= searched.sharing);
        prop_assert!(searched.sharing <= searched.documents);
    }
}
