//! Documents that mix prose and code: their code is that of a program, and their prose that of a text.

use fanmill::pipeline::Config;
use fanmill_text::document::{Corpus, Document, Role, Submission};
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Silent;
use fanmill_text::scheme::FrontEndVersion;

use crate::compare::{Handed, comparison, registry};

const PROGRAM: &str = "total <- 0
squares <- function(n) {
  if (n < 1) stop(\"too small\")
  sapply(seq_len(n), function(k) k^2)
}
odd <- function(x) x %% 2 == 1
for (k in squares(12)) {
  if (odd(k)) total <- total + k else total <- total - 1
}
table <- data.frame(side = 1:12, area = squares(12))
table$name <- paste0(\"plot\", table$side)
largest <- table[which.max(table$area), ]
cat(largest$name, largest$area, sep = \": \")
ratio <- mean(table$area) / median(table$area)
if (ratio > 1.2) print(round(ratio, 3)) else print(\"even\")
while (total > 10) {
  total <- total %/% 3
  cat(total, sqrt(total), \"\\n\")
}
";

const REMARKS: [&str; 5] = [
    "Before anything else I wondered which plots of the garden were worth a visit in the rain.",
    "My grandmother used to measure them with a rope, and she was never far from the truth.",
    "It took me an evening to see why the sum went below zero, and another one to be glad of it.",
    "A table is easier to look at than a list, so here is one; the names are made up.",
    "In the end nothing was even, which my teacher may find less surprising than I did.",
];

/// The lines of a program, in chunks of `n` with a remark before each.
fn chunks(program: &str, n: usize, chunk: impl Fn(&str) -> String) -> String {
    let lines: Vec<&str> = program.split_inclusive('\n').collect();
    let parts = lines.chunks(n).zip(REMARKS.iter().cycle());
    let texts: Vec<String> =
        parts.map(|(lines, remark)| format!("{remark}\n\n{}\n", chunk(&lines.concat()))).collect();
    texts.concat()
}

fn fenced(lines: &str) -> String {
    format!("```{{r, echo=FALSE}}\n{lines}```\n")
}

fn score(a: Handed, b: Handed) -> f64 {
    comparison(&[a, b], &Config::standard()).report.pairs.first().map_or(0.0, |pair| pair.score)
}

/// Chunks are shorter than any passage that is found, and the code is found all the same.
#[test]
fn code_of_a_document_is_that_of_a_program() {
    let sweave = |lines: &str| format!("<<>>=\n{lines}@\n");
    let listing =
        |lines: &str| format!("\\begin{{lstlisting}}[language=R]\n{lines}\\end{{lstlisting}}\n");
    let minted = |lines: &str| format!("\\begin{{minted}}{{r}}\n{lines}\\end{{minted}}\n");
    for (path, text) in [
        ("b.Rmd", chunks(PROGRAM, 2, fenced)),
        ("b.qmd", format!("---\ntitle: Plots\n---\n{}", chunks(PROGRAM, 3, fenced))),
        ("b.md", chunks(PROGRAM, 2, |lines| format!("~~~~ R\n{lines}~~~~\n"))),
        ("b.Rnw", chunks(PROGRAM, 2, sweave)),
        ("b.tex", chunks(PROGRAM, 3, listing)),
        ("b.tex", chunks(PROGRAM, 3, minted)),
    ] {
        let found = score(Handed::new("a", "a.R", PROGRAM), Handed::new("b", path, text));
        assert!(found >= 0.9, "{path}: {found}");
    }
}

#[test]
fn each_match_is_within_a_chunk() {
    let text = chunks(PROGRAM, 4, fenced);
    let handed = [Handed::new("a", "a.R", PROGRAM), Handed::new("b", "b.Rmd", text.as_str())];
    let compared = comparison(&handed, &Config::standard());
    let pair = &compared.report.pairs[0];
    let matches: Vec<_> = pair.passages.iter().flat_map(|passage| &passage.matches).collect();
    assert!(matches.len() >= 5);
    for found in &matches {
        let shown = &text[found.b.start as usize..found.b.end as usize];
        assert!(!shown.contains("```"), "{shown}");
    }
    let n_tokens: u64 = pair.passages.iter().map(|passage| passage.tokens).sum();
    assert_eq!(n_tokens, matches.iter().map(|found| u64::from(found.tokens)).sum::<u64>());
    assert_eq!(compared.report.submissions[1].files[0].language, "markdown with code");
}

#[test]
fn prose_of_a_document_is_that_of_a_text() {
    let prose = REMARKS.join("\n\n");
    for (path, code) in [
        ("b.Rmd", fenced(PROGRAM)),
        ("b.lhs", "\n> main = print (sum [x * x | x <- [1 .. 9], odd x])\n\n".to_owned()),
        ("b.tex", "\\begin{lstlisting}\nint x = f(y);\n\\end{lstlisting}\n".to_owned()),
    ] {
        let (first, rest) = prose.split_at(prose.find("It took").expect("it is there"));
        let text = format!("{first}\n{code}\n{rest}");
        let found = score(Handed::new("a", "a.txt", prose.as_str()), Handed::new("b", path, text));
        assert!(found >= 0.9, "{path}: {found}");
    }
}

#[test]
fn a_short_listing_in_two_long_reports_is_no_copy() {
    let report = |own: &str| {
        let words: Vec<String> = (0..1200).map(|k| format!("{own}{}", k * k % 977)).collect();
        let prose = words.join(" ");
        format!("{prose}\n\n{}", fenced(&PROGRAM[..140]))
    };
    let [a, b] =
        [("a", "ash"), ("b", "elm")].map(|(name, own)| Handed::new(name, "a.Rmd", report(own)));
    let found = score(a, b);
    assert!(found < 0.3, "{found}");
}

#[test]
fn a_text_without_code_is_read_as_before_and_so_is_all_by_earlier_versions() {
    let now = registry();
    let earlier = now.as_of(&[FrontEndVersion::new("markdown", 2)]).expect("known");
    let read = |registry: &Registry, text: &str| {
        let submission = Submission::new("a", Role::New, vec![Document::new("a.md", text)]);
        let corpus = Corpus { submissions: vec![submission], ..Corpus::default() };
        let compared = fanmill::pipeline::compare(corpus, registry, &Config::standard(), &Silent);
        let file = compared.expect("a comparison").report.submissions.remove(0).files.remove(0);
        (file.language, file.tokens)
    };
    let plain = "# Title\n\nSome `code` in a line, and three ticks ``` in another.\n";
    assert_eq!(read(&now, plain), read(&earlier, plain));
    let mixed = "One two.\n```c\nx;\n```\n";
    assert_eq!(read(&now, mixed), ("markdown with code".to_owned(), 4));
    assert_eq!(read(&earlier, mixed), ("markdown".to_owned(), 4));
    assert_eq!(earlier.find("markdown").expect("known").version(), 2);
    assert!(now.as_of(&[FrontEndVersion::new("markdown", 1)]).is_some());
    assert!(now.as_of(&[FrontEndVersion::new("markdown", 4)]).is_none());
}
