//! The files of one extension in a batch are read alike.

use fanmill::pipeline::{Config, compare};
use fanmill::report::Report;
use fanmill_text::document::{Corpus, Document, Role, Submission};
use fanmill_text::progress::Silent;

/// Compares submissions of one file each, given by path and text, with `n` threads.
fn compared(n: usize, files: &[(&str, String)]) -> Report {
    let submissions = files.iter().enumerate().map(|(at, (path, text))| {
        let role = if at % 4 == 3 { Role::Archive } else { Role::New };
        Submission::new(format!("s{at}"), role, vec![Document::new(*path, text.clone())])
    });
    let corpus = Corpus { submissions: submissions.collect(), ..Corpus::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("a pool");
    let found =
        pool.install(|| compare(corpus, &fanmill_lang::registry(), &Config::standard(), &Silent));
    found.expect("a comparison").report
}

/// Returns the language of each file that is in the report, in its order.
fn languages(report: &Report) -> Vec<(String, String)> {
    let files = report.submissions.iter().flat_map(|submission| &submission.files);
    files.map(|file| (file.path.clone(), file.language.clone())).collect()
}

/// A program for a stack machine: with many labels it looks like code, and without like words.
fn machine(n_labels: usize, seed: usize) -> String {
    let step = |i: usize| {
        let pushed = format!("push constant {}\npop local {}\nadd\n", (i * seed) % 97, i % 3);
        let label = format!("label LOOP_{i}$\nif-goto END_{i}$; (* {i} *)\n  [a] = {{b}} + (c);\n");
        if i < n_labels { pushed + &label } else { pushed }
    };
    "function Main.run 2\n".to_owned() + &(0..40).map(step).collect::<String>()
}

#[test]
fn an_extension_that_nothing_claims_is_read_alike() {
    let files: Vec<(&str, String)> =
        (1..12).map(|i| ("Main.vm", machine(if i % 3 == 0 { 40 } else { 0 }, i))).collect();
    let report = compared(1, &files);
    let languages = languages(&report);
    assert!(languages.iter().all(|(_, language)| *language == languages[0].1), "{languages:?}");
    let alone = compared(1, &[("Main.vm", machine(40, 3)), ("Main.vm", machine(40, 6))]);
    let alone = self::languages(&alone);
    assert!(alone.iter().all(|(_, language)| language == "generic"), "{alone:?}");
    assert_eq!(compared(4, &files), report, "the number of threads matters");
}

#[test]
fn short_headers_follow_the_others() {
    let cpp = |i: usize| {
        format!(
            "#include <string>\nnamespace n{i} {{\nclass A {{\npublic:\n  std::string s;\n}};\n}}\n"
        )
    };
    let short = "int first(int x);\nint second(int y, int z);\nint third(int a, int b, int c);\n";
    let mut files: Vec<(&str, String)> = (0..4).map(|i| ("a.h", cpp(i))).collect();
    files.push(("b.h", short.to_owned()));
    files.push(("b.h", short.to_owned()));
    let languages = languages(&compared(2, &files));
    assert!(languages.iter().all(|(_, language)| language == "cpp"), "{languages:?}");
}

#[test]
fn dialects_of_assembly_stay_apart() {
    let x86 = "\t.text\n\t.globl f\nf:\n\tpushq %rbx\n\tmovl $1, %eax # one\n\tpopq %rbx\n\tret\n";
    let arm = "f:\n  push {r4, lr}  @ keep\n  ldr r4, [r0, #4]\n  cmp r4, #0\n  bx lr\n";
    let files = [x86, x86, x86, arm].map(|text| ("a.s", text.repeat(3)));
    let found = languages(&compared(2, &files));
    let of = |language: &str| found.iter().filter(|(_, own)| own == language).count();
    assert!(of("gas") >= 2 && of("gas") + of("arm") == found.len(), "{found:?}");
}

#[test]
fn a_program_in_a_text_is_found_with_its_like() {
    let fortran = |a: &str, b: &str| {
        format!(
            "program {a}\n  implicit none\n  integer :: {b}, n\n  real :: {a}s(10), top\n  read(*,*) n\n  \
             top = 0.0\n  do {b} = 1, n\n    read(*,*) {a}s({b})\n    if ({a}s({b}) > top) then\n      \
             top = {a}s({b})\n    end if\n  end do\n  write(*,*) 'top', top\n  call show(n, top)\nend program {a}\n"
        )
    };
    let report = compared(
        2,
        &[
            ("a.txt", fortran("rain", "i")),
            ("b.txt", fortran("snow", "day")),
            ("c.f90", fortran("hail", "k")),
        ],
    );
    assert_eq!(report.pairs.len(), 3);
    assert!(report.pairs.iter().all(|pair| pair.score > 0.5), "{:?}", report.pairs);
    let essay =
        "It was late when we came home, so late that nobody saw us on the stairs.\n".repeat(6);
    let report =
        compared(2, &[("a.txt", fortran("rain", "i")), ("b.txt", essay.clone()), ("c.txt", essay)]);
    let languages = languages(&report);
    assert!(languages.contains(&("b.txt".to_owned(), "words".to_owned())), "{languages:?}");
}
