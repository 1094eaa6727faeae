//! `fanmill-bench accuracy --expectation`: checks that chance gives as many pairs as expected, and counts striking
//! copies.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use fanmill::pipeline::Config;
use fanmill::score::expectation::{STANDS_OUT, Shape, Unjudged};
use fanmill_text::frontend::Registry;
use rayon::prelude::*;

use crate::accuracy::copies::{Copies, CopyCounts};
use crate::accuracy::known;
use crate::accuracy::nulls::{ChanceCounts, Family, LEVELS};
use crate::accuracy::pools::Pools;
use crate::accuracy::scored::ScoredBatch;
use crate::prose::sets::{Pair, Set};

/// Labelled sets, with the sets and families that are left out together with them.
const SETS: [(&str, &[&str], &[&str]); 5] = [
    ("conplag1", &["conplag1"], &["conplag1"]),
    ("emse", &["emse_z5z1_insert", "emse_z5z1_gptobf"], &["emse"]),
    ("soco", &["soco_train_java"], &["soco"]),
    ("other batches", &[], &["one task, 5 to 19", "code, one a task", "code, several a task"]),
    ("prose", &[], &["reuters", "clough", "pan sources"]),
];

/// A set that consists mostly of copies: it is shown, but not used to choose a shape.
const NO_BULK: &str = "irplag";

/// Batches that are shown, but not used to choose a shape: two programs of one task are more alike than two of
/// different tasks, and not by chance.
const MIXED: &str = "code, several a task";

/// Prints all figures.
pub(super) fn run(data: &Path, config: &Config) -> Result<()> {
    let registry = fanmill_lang::registry();
    let families = Family::all(&Pools::read(data)?, &registry, config)?;
    let names = SETS.iter().flat_map(|(_, sets, _)| sets.iter().copied()).chain([NO_BULK]);
    let read = |name: &str| Copies::read(&data.join("code").join(name), name, &registry, config);
    let sets = names.map(read).collect::<Result<Vec<Copies>>>()?;
    let shape = Shape::standard();
    println!("{shape:?}\n");
    print_nulls(&families, shape);
    print_copies(&sets, shape);
    prose(&data.join("prose"), &registry, config, shape)?;
    leave_one_out(&families, &sets);
    Ok(())
}

/// Prints the number of pairs among unrelated submissions at each expectation.
fn print_nulls(families: &[Family], shape: Shape) {
    println!("pairs a batch of unrelated submissions, at or below an expectation of");
    let [one, tenth, hundredth] = LEVELS;
    println!(
        "{:<22} {one:>7} {tenth:>7} {hundredth:>7} {:>13} {:>9} {:>12}",
        "", "in clusters", "unjudged", "public code"
    );
    for family in families {
        let found = family.found(shape);
        let [one, tenth, hundredth] = found.pairs;
        println!(
            "{:<22} {one:>7.2} {tenth:>7.2} {hundredth:>7.3} {:>12.1}% {:>9} {:>12.1}",
            family.name,
            100.0 * found.clustered,
            found.n_unjudged,
            found.left_out
        );
    }
    println!(
        "pairs of them at or below {STANDS_OUT}, and in how many batches; ten of each kind at most"
    );
    for family in families {
        for ([a, b], n) in family.standing_out(shape).into_iter().take(10) {
            println!("{:<22} {n:>4} {a} with {b}", family.name);
        }
    }
    println!("public code: pairs a batch that share a run of 60 tokens spelled alike; left out");
    known::print();
}

/// Prints the striking labelled copies, and the quality of thresholds that separate copies from other pairs.
fn print_copies(sets: &[Copies], shape: Shape) {
    println!("\nlabelled pairs at or below an expectation of {STANDS_OUT}, and F1 of pairs");
    println!(
        "{:<22} {:>12} {:>7} {:>9} {:>14} {:>7} {:>12}",
        "", "copies", "others", "unjudged", "best (from)", "linked", "in clusters"
    );
    for set in sets {
        let CopyCounts { n_copies, copies, others, unjudged } = set.kept(shape);
        let parted = set.parted(shape);
        println!(
            "{:<22} {:>12} {others:>7} {unjudged:>9} {:>14} {:>7.3} {:>12.3}",
            set.name,
            format!("{copies} of {n_copies}"),
            format!("{:.3} ({:.2})", parted.best, parted.best_threshold),
            parted.fitted,
            parted.clustered
        );
    }
}

/// Prints the striking pairs among labelled texts.
fn prose(folder: &Path, registry: &Registry, config: &Config, shape: Shape) -> Result<()> {
    println!("\nlabelled texts at or below an expectation of {STANDS_OUT}");
    for (name, set) in [("Clough", Set::clough(folder)?), ("PAN 2013", Set::pan(folder)?)] {
        let Set { corpus, pairs, .. } = set;
        let scored = ScoredBatch::new(corpus, registry, config)?;
        let fitted = match scored.fit(shape) {
            Ok(fitted) => fitted,
            Err(reason) => {
                println!("{name}: cannot be judged: {}", said(reason));
                continue;
            }
        };
        // Pairs are counted kind by kind; the striking pairs that remain have no label.
        let scores = scored.by_name();
        let n_out = scored.pairs.iter().filter(|p| fitted.of(p.score) <= STANDS_OUT).count();
        let mut n_labelled = 0;
        let kinds: BTreeSet<Option<&str>> = pairs.iter().map(|(_, kind)| kind.as_deref()).collect();
        for kind in kinds {
            let of_kind = pairs.iter().filter(|(_, own)| own.as_deref() == kind);
            let score = |(pair, _): &(Pair, _)| scores.get(pair).copied().unwrap_or(0.0);
            let of_kind: Vec<f64> = of_kind.map(score).collect();
            let out = of_kind.iter().filter(|score| fitted.of(**score) <= STANDS_OUT).count();
            n_labelled += out;
            let kind = kind.unwrap_or("no copies");
            println!("{name:<12} {kind:<12} {out:>4} of {}", of_kind.len());
        }
        println!(
            "{name:<12} {:<12} {:>4} that nobody put together; a score of {:.3} stands out",
            "others",
            n_out - n_labelled,
            fitted.score_at(STANDS_OUT)
        );
    }
    Ok(())
}

/// Returns a reason in words.
fn said(reason: Unjudged) -> String {
    match reason {
        Unjudged::TooFewPairs { n_pairs, least } => {
            format!("{n_pairs} pairs are fewer than {least}")
        }
        Unjudged::MostlyCopies { n_submissions, n_groups } => {
            format!("{n_submissions} submissions are {n_groups} groups")
        }
        Unjudged::ChosenSources => "the archive is an index".to_owned(),
        Unjudged::AllAlike { typical, expected } => {
            format!(
                "chance would give {expected:.1} identical pairs; a score of {typical:.3} is typical"
            )
        }
    }
}

/// Returns all shapes that are tried.
fn shapes() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for bulk in [0.4, 0.5, 0.6] {
        for ratio in [4.0, 5.0, 8.0] {
            for floor in [0.02, 0.03, 0.04, 0.05] {
                for links in [0.1, 0.5] {
                    shapes.push(Shape { bulk, ratio, floor, links, ..Shape::standard() });
                }
            }
        }
    }
    shapes
}

/// Results of a shape, for each family and each set.
struct Tried {
    shape: Shape,
    found: Vec<(&'static str, ChanceCounts)>,
    kept: Vec<(String, CopyCounts)>,
}

impl Tried {
    /// Returns the violations in the families that count, and the mean share of copies kept in the sets that count.
    fn quality(
        &self,
        is_family: &dyn Fn(&str) -> bool,
        is_set: &dyn Fn(&str) -> bool,
    ) -> (usize, f64) {
        let families = self.found.iter().filter(|(name, _)| is_family(name));
        let n_violations = families.map(|(_, found)| found.n_violations()).sum();
        let sets = self.kept.iter().filter(|(name, _)| is_set(name));
        let shares: Vec<f64> =
            sets.map(|(_, kept)| kept.copies as f64 / kept.n_copies as f64).collect();
        (n_violations, shares.iter().sum::<f64>() / shares.len().max(1) as f64)
    }
}

/// For each set, prints the results of the shape that is best for all other sets: the one with the fewest families
/// above twice the expected number, and then with the most copies.
fn leave_one_out(families: &[Family], sets: &[Copies]) {
    let sets: Vec<&Copies> = sets.iter().filter(|set| set.name != NO_BULK).collect();
    let shapes = shapes();
    let try_one = |&shape: &Shape| Tried {
        shape,
        found: families.iter().map(|family| (family.name, family.found(shape))).collect(),
        kept: sets.iter().map(|set| (set.name.clone(), set.kept(shape))).collect(),
    };
    let tried: Vec<Tried> = shapes.par_iter().map(try_one).collect();
    println!(
        "\nthe best of {} shapes by all sets but one, and what it gives on that one",
        tried.len()
    );
    // The shape is chosen without the set that it is judged by, so these results are not fitted to that set.
    for (left_out, own_sets, own_families) in SETS {
        let is_family = |name: &str| !own_families.contains(&name) && name != MIXED;
        let is_set = |name: &str| !own_sets.contains(&name);
        let quality = |tried: &Tried| tried.quality(&is_family, &is_set);
        let best = tried.iter().max_by(|x, y| {
            let (x, y) = (quality(x), quality(y));
            y.0.cmp(&x.0).then(x.1.total_cmp(&y.1))
        });
        let Some(Tried { shape: Shape { bulk, ratio, floor, links, .. }, found, kept }) = best
        else {
            continue;
        };
        println!("{left_out:<12} bulk {bulk}, ratio {ratio}, floor {floor}, links at {links}");
        for (name, found) in found.iter().filter(|(name, _)| own_families.contains(name)) {
            let [one, tenth, hundredth] = found.pairs;
            println!("    {name}: {one:.2}, {tenth:.2} and {hundredth:.3} pairs a batch");
        }
        for (name, kept) in kept.iter().filter(|(name, _)| own_sets.contains(&name.as_str())) {
            println!("    {name}: {} of {} copies", kept.copies, kept.n_copies);
        }
    }
}
