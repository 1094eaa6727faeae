//! Files that are empty, broken, huge or not text.

use crate::beside::{is_taken, is_told, report, two_copies};
use crate::report::Ask;
use crate::run::Run;

/// Bytes that are the same in every run and look random.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u8 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u8
    }

    fn bytes(seed: u64, n: usize, keep: impl Fn(u8) -> bool) -> Vec<u8> {
        let mut noise = Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        std::iter::repeat_with(|| noise.next()).filter(|&byte| keep(byte)).take(n).collect()
    }
}

/// The first extension of every language, with its name.
fn extensions() -> Vec<(String, String)> {
    let languages = Run::new("languages").run().stdout;
    let extension = |line: &str| {
        let mut words = line.split_whitespace();
        let name = words.next()?.to_owned();
        let extension = words.find(|word| word.starts_with('.'))?;
        Some((name, extension.to_owned()))
    };
    let found: Vec<_> = languages.lines().filter_map(extension).collect();
    assert!(found.len() > 55, "{found:?}");
    found
}

#[test]
fn an_empty_file_is_named() {
    is_told("a.py", b"", "skipped", "empty");
}

#[test]
fn a_file_of_blanks_is_compared_as_nothing() {
    let report = is_taken("a.py", " \t\r\n".repeat(10_000).as_bytes());
    assert_eq!(report.of("odd").tokens, 0);
}

#[test]
fn binary_files_are_named() {
    is_told("a.py", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0\x01", "skipped", "binary");
    is_told("b.java", b"\xca\xfe\xba\xbe\0\0\0\x34\0\x1d\x0a\0\x06\0\x0f", "skipped", "binary");
    is_told("c.c", &Noise::bytes(1, 50_000, |_| true), "skipped", "binary");
}

#[test]
fn a_stray_nul_in_text_is_named_and_the_text_compared() {
    let text = b"def first(x):\n    return x\n\0\ndef second(y):\n    return y\n";
    let report = is_told("a.py", text, "degraded", "1 NUL byte within text");
    assert!(report.of("odd").tokens > 10);
}

#[test]
fn bytes_that_are_no_utf_8_are_named_and_the_text_compared() {
    let mut text = "def first(x):\n    return x  # é\n".repeat(20).into_bytes();
    text.extend(b"# \xff\xfe\xc3\xc3\x28\n");
    let report = report(&two_copies().with("in/odd/a.py", text));
    assert!(report.of("odd").tokens > 100);
    assert!(!report.said_of("odd").is_empty(), "{:#?}", report.notices);
}

#[test]
fn one_broken_file_does_not_remove_its_submission() {
    let place = two_copies();
    for (name, bytes) in
        [("a.zip", &b"PK\x03\x04 broken"[..]), ("b.py", b""), ("c.ipynb", b"{\"cells\": ")]
    {
        place.write(format!("in/ann/{name}"), bytes);
    }
    let report = report(&place);
    let mut named: Vec<&str> =
        report.said_of("ann").iter().map(|notice| notice.path.as_str()).collect();
    named.dedup();
    assert_eq!(named, ["a.zip", "b.py", "c.ipynb"]);
}

#[test]
fn five_megabytes_on_one_line() {
    let function = |i: u32| format!("function f{i}(a){{return a+{i}?g(a,\"x{i}\"):[{i},a]}}");
    let line: Vec<String> = (0..110_000).map(function).collect();
    let line = line.concat();
    assert!(line.len() > 5 << 20);
    let place = two_copies().with("in/odd/min.js", &line).with("in/odd2/min.js", &line);
    let report = report(&place);
    assert!(report.score("odd", "odd2") >= 1.0);
    let pair = report.find_pair("odd", "odd2").expect("listed");
    assert!(pair.containment_a > 0.99, "{}", pair.containment_a);
    let run = place.fanmill("compare in --quiet -o").arg(place.path("report")).run();
    assert_eq!(run.code, Some(0), "{run}");
}

#[test]
fn a_million_nested_brackets() {
    let place = two_copies();
    let half = 500_000;
    for (i, name) in [
        "a.c", "a.java", "a.py", "a.js", "a.lisp", "a.hs", "a.rs", "a.txt", "a.json", "a.html",
        "a.tex",
    ]
    .iter()
    .enumerate()
    {
        let (open, close) = [("(", ")"), ("[", "]"), ("{", "}")][i % 3];
        place.write(format!("in/odd{i}/{name}"), open.repeat(half) + &close.repeat(half));
    }
    place.write("in/open/a.c", "(".repeat(2 * half));
    place.write("in/tags/a.html", "<ul><li>".repeat(50_000));
    place.write("in/comments/a.rs", "/*".repeat(half));
    place.write("in/generics/a.java", "a<".repeat(half));
    place.write("in/indents/a.py", (0..500).map(|i| " ".repeat(i) + "if x:\n").collect::<String>());
    report(&place);
}

#[test]
fn literals_and_comments_that_never_end() {
    let place = two_copies();
    let openers = [
        "\"", "'", "`", "/*", "\"\"\"", "'''", "(*", "{-", "#|", "<!--", "r#\"", "<<EOF\n", "%{",
        "[[", "$$",
    ];
    for (i, (language, extension)) in extensions().into_iter().enumerate() {
        for (j, opener) in openers.iter().enumerate() {
            let text = format!("x = 1\n{opener}{}", "never ended \\\n".repeat(10));
            place.write(format!("in/{i} {language}/{j}{extension}"), text);
        }
    }
    let report = report(&place);
    assert_eq!(report.inputs.failed, 0, "{:#?}", report.notices);
    assert_eq!(report.inputs.skipped, 0, "{:#?}", report.notices);
}

#[test]
fn random_bytes_in_every_language() {
    let place = two_copies();
    let soup = b"(){}[]<>\"'`/*-+=#%$&|\\;:,.?!@^~_ \n\tabeE01xX";
    for (i, (language, extension)) in extensions().into_iter().enumerate() {
        let seed = 3 * i as u64 + 7;
        // With NULs it would count as a binary file and not be read.
        let any = Noise::bytes(seed, 20_000, |byte| byte != 0);
        let punctuation: Vec<u8> = Noise::bytes(seed + 1, 20_000, |_| true)
            .into_iter()
            .map(|byte| soup[usize::from(byte) % soup.len()])
            .collect();
        place.write(format!("in/{language}/any{extension}"), any);
        place.write(format!("in/{language}/soup{extension}"), punctuation);
    }
    let report = report(&place);
    for submission in report.submissions.iter().filter(|s| s.name != "ann" && s.name != "bea") {
        for file in &submission.files {
            assert!(file.tokens > 0, "{} {}", submission.name, file.path);
        }
    }
}

#[test]
fn a_megabyte_of_one_repeated_line_in_ten_submissions() {
    let place = two_copies();
    for i in 0..10 {
        place.write(format!("in/odd{i}/a.py"), "x = f(x, 1)\n".repeat(80_000 + i));
    }
    let report = report(&place);
    assert!(report.score("odd0", "odd9") > 0.9);
}

#[test]
fn two_hundred_submissions_of_one_program() {
    let place = two_copies();
    for i in 0..200 {
        place.write(format!("in/same{i}/a.c"), "int f(int a) { return a * 2 + g(a); }\n".repeat(5));
    }
    let report = place.fanmill("compare in --max-pairs 50000").report();
    assert_eq!(report.clusters.iter().map(|cluster| cluster.members.len()).max(), Some(200));
    assert_eq!(report.pairs.len(), 200 * 199 / 2 + 1);
}
