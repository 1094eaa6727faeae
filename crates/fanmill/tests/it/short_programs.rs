//! Pairs with a short program: thresholds of their own, and what is promised of them.

use fanmill::pipeline::{Config, MaxDocs};
use fanmill::report::Report;
use fanmill_text::document::Role;

use crate::compare::{Handed, comparison};

/// A function that sums what is even, 60 tokens.
const SUM: &str = "
    int sum(int n, int v[]) {
        int total = 0;
        for (int i = 0; i < n; i++) {
            if (v[i] % 2 == 0) total += v[i];
        }
        return total > 0 ? total : -1;
    }
";

/// A rewriting of it: the longest run that is left has 12 tokens.
const REWRITTEN: &str = "
    int evens(const int list[], int count) {
        int all = 0;
        int k = 0;
        do {
            int item = list[k];
            if (item % 2 == 0) all += list[k];
            k++;
        } while (k < count);
        if (all > 0) { return all; }
        return -1;
    }
";

/// Statements of 12 tokens each that no program of other operators has.
fn statements([x, y]: [&str; 2], n: usize) -> String {
    format!("r = r {x} (q {y} 3) {x} r; ").repeat(n)
}

fn report(handed: &[Handed], change: impl FnOnce(&mut Config)) -> Report {
    comparison(handed, &Config::standard().with(change)).report
}

fn n_pairs(programs: &[&str], change: impl FnOnce(&mut Config)) -> usize {
    let handed = (0..).zip(programs).map(|(i, text)| Handed::new(&format!("s{i}"), "a.c", *text));
    report(&handed.collect::<Vec<_>>(), change).pairs.len()
}

#[test]
fn a_short_program_that_was_rewritten_is_found() {
    assert_eq!(n_pairs(&[SUM, REWRITTEN], |_| ()), 1);
    let told = |config: &mut Config| {
        (config.fingerprints.noise, config.fingerprints.guarantee) = (Some(11), Some(24));
    };
    assert_eq!(n_pairs(&[SUM, REWRITTEN], told), 0, "thresholds that are told hold for all");
}

/// A short program lowers the thresholds of its own pairs only.
#[test]
fn the_shorter_of_two_decides() {
    let [first, second] = [["+", "-"], ["*", "/"]].map(|operators| statements(operators, 30));
    let [a, b] = [format!("{SUM}{first}"), format!("{REWRITTEN}{second}")];
    assert_eq!(n_pairs(&[&a, REWRITTEN], |_| ()), 1);
    assert_eq!(n_pairs(&[&a, &b], |_| ()), 0);
    let handed = (0..).zip([&a, &b, SUM]);
    let handed: Vec<Handed> =
        handed.map(|(i, text)| Handed::new(&format!("s{i}"), "a.c", text)).collect();
    let pairs = report(&handed, |_| ()).pairs;
    let mut pairs: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.a, pair.b)).collect();
    pairs.sort_unstable();
    assert_eq!(
        pairs,
        [(0, 2), (1, 2)],
        "a short one beside them changes nothing for two long ones"
    );
}

/// Boilerplate of eight tokens does not count in short programs.
#[test]
fn boilerplate_of_short_programs() {
    let handed = [Handed::new("a", "a.c", SUM), Handed::new("b", "b.c", REWRITTEN)];
    let base = Handed { role: Role::Base, ..Handed::new("handout", "h.c", REWRITTEN) };
    assert!(report(&[&handed[..], &[base]].concat(), |_| ()).pairs.is_empty());
    let names = ["a", "b", "c", "d"];
    let many: Vec<Handed> = (0..)
        .zip(names)
        .map(|(i, name)| {
            let own = statements([["+", "-"], ["*", "/"], ["&", "|"], ["<", ">"]][i], 6);
            Handed::new(name, "a.c", format!("{own} x(a, b[1], c);"))
        })
        .collect();
    assert_eq!(report(&many, |_| ()).pairs.len(), 6);
    let few = |config: &mut Config| config.max_docs = Some(MaxDocs::Count(3));
    assert!(report(&many, few).pairs.is_empty());
}

#[test]
fn what_is_promised_of_short_programs() {
    let long = statements(["+", "-"], 40);
    let text = |programs: [&str; 2]| -> Vec<String> {
        let handed = [0, 1].map(|i| Handed::new(&format!("s{i}"), "a.c", programs[i]));
        report(&handed, |_| ()).promises.into_iter().map(|promise| promise.text).collect()
    };
    assert_eq!(
        text([&long, &long]),
        [
            "a shared passage of 24 tokens of code or more is always found; nothing shorter than 11 is ever shown"
        ]
    );
    assert_eq!(
        text([&long, SUM]),
        [
            "a shared passage of 24 tokens of code or more is always found; nothing shorter than 11 is ever shown, \
             unless one of the two submissions has fewer than 150 tokens of code",
            "if one of the two submissions has fewer than 150 tokens of code, a shared passage of 12 tokens of code or \
             more is always found; nothing shorter than 8 is ever shown",
        ]
    );
}
