//! Documents of which only a part is compared.

use fanmill::pipeline::{Config, compare, fingerprinted_in_place};
use fanmill::report::Pair;
use fanmill_text::document::{Corpus, Document, Role, Submission};
use fanmill_text::progress::Silent;
use fanmill_text::span::Span;
use proptest::prelude::*;

const PROGRAM: &str = include_str!("../../../../examples/assignment/submissions/hana/inventory.py");

/// The bytes of these lines, 1-based.
fn lines(text: &str, first: usize, last: usize) -> Span {
    let mut starts: Vec<u32> = vec![0];
    starts.extend((1..).zip(text.bytes()).filter(|&(_, byte)| byte == b'\n').map(|(end, _)| end));
    Span::new(starts[first - 1], starts[last])
}

fn compared(a: Document, b: Document) -> Option<Pair> {
    let submissions =
        vec![Submission::new("a", Role::New, vec![a]), Submission::new("b", Role::New, vec![b])];
    let corpus = Corpus { submissions, ..Corpus::default() };
    let found = compare(corpus, &fanmill_lang::registry(), &Config::standard(), &Silent);
    found.expect("a comparison").report.pairs.into_iter().next()
}

fn part_of(text: &str, part: Vec<Span>) -> Document {
    Document { part: Some(part), ..Document::new("x.py", text) }
}

#[test]
fn only_the_part_is_compared() {
    let n_lines = PROGRAM.lines().count();
    let whole = || Document::new("x.py", PROGRAM);
    let (upper, lower) = (lines(PROGRAM, 1, n_lines / 2), lines(PROGRAM, n_lines / 2 + 1, n_lines));
    let pair = compared(part_of(PROGRAM, vec![lower]), whole()).expect("a pair");
    for found in pair.passages.iter().flat_map(|passage| &passage.matches) {
        assert!(found.a.first_line as usize > n_lines / 2, "{found:?}");
        assert_eq!(found.a.first_line, found.b.first_line);
    }
    assert!(pair.score > 0.0);
    let none = compared(part_of(PROGRAM, vec![upper]), part_of(PROGRAM, vec![lower]));
    assert!(none.is_none_or(|pair| pair.passages.is_empty()));
    assert_eq!(compared(part_of(PROGRAM, Vec::new()), whole()), None);
}

#[test]
fn a_line_of_a_comment_is_one_though_its_beginning_is_not_of_the_part() {
    let text = format!("\"\"\"A long word about it.\nx = [1, 2, 3]\n\"\"\"\n{PROGRAM}");
    // The quotation marks of the second line of marks would begin a string of all that follows.
    let n_lines = text.lines().count();
    let part = vec![lines(&text, 3, n_lines)];
    let pair = compared(part_of(&text, part), Document::new("x.py", PROGRAM)).expect("a pair");
    assert!(pair.score > 0.9, "{}", pair.score);
}

#[test]
fn no_match_crosses_what_is_not_of_the_part() {
    let has_tokens = |line: &&str| line.contains(['(', '=']) && !line.contains(['#', '"']);
    let text: String = PROGRAM.lines().filter(has_tokens).flat_map(|line| [line, "\n"]).collect();
    let n_lines = text.lines().count();
    let every_other = (1..=n_lines).step_by(2).map(|n| lines(&text, n, n)).collect();
    let joined: String = text.lines().step_by(2).flat_map(|line| [line, "\n"]).collect();
    let longest = |pair: Pair| {
        let matches = pair.passages.into_iter().flat_map(|passage| passage.matches);
        matches.map(|found| found.a.last_line - found.a.first_line).max()
    };
    let other = || Document::new("x.py", joined.clone());
    let crossing = compared(other(), other()).and_then(longest);
    assert!(crossing.is_some_and(|lines| lines > 4), "{crossing:?}");
    let apart = compared(part_of(&text, every_other), other()).and_then(longest);
    assert_eq!(apart.unwrap_or(0), 0);
}

proptest! {
    #[test]
    fn the_tokens_are_those_of_the_whole_that_begin_in_the_part(cuts in prop::collection::btree_set(0..PROGRAM.len() as u32, 0..12)) {
        let cuts: Vec<u32> = cuts.into_iter().collect();
        let part: Vec<Span> = cuts.chunks_exact(2).map(|two| Span::new(two[0], two[1])).collect();
        let spans = |document: Document| {
            let submission = Submission::new("a", Role::New, vec![document]);
            let read = fingerprinted_in_place(&submission, &fanmill_lang::registry(), &Config::standard());
            let (found, places) = read.expect("tokens");
            (0..found.n_tokens).map(|at| places.bytes(at..at + 1).expect("a place").1).collect::<Vec<Span>>()
        };
        let mut wanted = spans(Document::new("x.py", PROGRAM));
        wanted.retain(|token| part.iter().any(|own| own.range().contains(&(token.start as usize))));
        let mut found = spans(part_of(PROGRAM, part));
        found.retain(|token| !token.is_empty());
        prop_assert_eq!(found, wanted);
    }
}
