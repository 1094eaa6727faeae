//! Form feeds part prose into pages, and passages say on which they are.

use fanmill::pipeline::{Config, compare};
use fanmill_text::document::{Corpus, Document, Role, Submission};
use fanmill_text::progress::Silent;

const SENTENCE: &str = "the last ferry leaves the island at nine and nobody who has missed it once will ever miss it again";

/// The pages of the first match of the first pair, in both texts.
fn pages(path: &str, a: String, b: String) -> [Option<(u32, u32)>; 2] {
    let submission = |name: &str, text: String| {
        let documents = vec![Document::new(path, text)];
        Submission::new(name, Role::New, documents)
    };
    let corpus =
        Corpus { submissions: vec![submission("a", a), submission("b", b)], ..Corpus::default() };
    let found = compare(corpus, &fanmill_lang::registry(), &Config::standard(), &Silent);
    let report = found.expect("a comparison").report;
    let place = &report.pairs[0].passages[0].matches[0];
    [place.a.pages, place.b.pages]
}

#[test]
fn a_passage_is_on_the_pages_that_form_feeds_part() {
    let (first, second) = SENTENCE.split_once(" nobody ").expect("it is there");
    let a = format!("Page one is short.\n\x0cSo is page two.\n\x0c{SENTENCE}\n");
    let b = format!("Words of my own come first. {first}\n\x0cnobody {second} or so they say.\n");
    assert_eq!(pages("essay.txt", a, b), [Some((3, 3)), Some((1, 2))]);
}

#[test]
fn text_without_form_feeds_and_sources_with_them_have_no_pages() {
    assert_eq!(pages("essay.txt", SENTENCE.to_owned(), SENTENCE.to_owned()), [None, None]);
    let source = "int f(int x) {\n  int y = x * 2;\n  return y + f(y - 1);\n}\n\x0c".repeat(3);
    assert_eq!(pages("x.c", source.clone(), source), [None, None]);
}
