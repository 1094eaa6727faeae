//! Repository rules that no other tool checks: line ends, file lengths, versions, citations.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::tracked::{files, root, text};

/// The text files that we write ourselves, without examples and test data, which are odd on purpose, and without what is built
/// from `web/`.
fn own_files() -> Vec<(PathBuf, String)> {
    const FOREIGN: [&str; 4] =
        ["examples", "testdata", "crates/fanmill-report/src/app", "crates/fanmill-server/src/app"];
    let ours =
        files("").into_iter().filter(|path| !FOREIGN.iter().any(|name| path.starts_with(name)));
    ours.filter_map(|path| text(&path).map(|text| (path, text))).collect()
}

/// A module or folder in backticks is the end of the path of one; in `docs/` and in the documents beside it.
#[test]
fn modules_and_folders_that_documents_name_exist() {
    let own = own_files();
    let mut ends = BTreeSet::new();
    for (path, _) in &own {
        for path in path.ancestors().filter_map(Path::to_str) {
            let parts: Vec<&str> = path.split('/').collect();
            ends.extend((0..parts.len()).map(|from| parts[from..].join("/")));
        }
    }
    let is_document = |path: &&(PathBuf, String)| {
        path.0.extension().is_some_and(|extension| extension == "md")
            && (["docs", "design"].iter().any(|folder| path.0.starts_with(folder))
                || path.0.components().count() == 1)
    };
    let (mut n_named, mut wrong) = (0, Vec::new());
    for (path, text) in own.iter().filter(is_document) {
        for named in text.split('`').skip(1).step_by(2) {
            let is_path = named.contains(|c: char| c.is_alphanumeric())
                && named.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
            // Manuals show folders of their readers.
            let is_folder = named.ends_with('/')
                && (!path.starts_with("docs") || path.ends_with("sources.md"))
                && !path.ends_with("README.md");
            let is_module = Path::new(named).extension().is_some_and(|extension| extension == "rs");
            if is_path && (is_module || is_folder) {
                n_named += 1;
                if !ends.contains(named.trim_end_matches('/')) {
                    wrong.push(format!("{}: `{named}`", path.display()));
                }
            }
        }
    }
    assert!(
        n_named > 100 && wrong.is_empty(),
        "{n_named} names, without their files (`git add` makes new ones known): {wrong:#?}"
    );
}

/// Each step of `.ci/nightly` is described there and is in a workflow; fuzzing has one of its own.
#[test]
fn each_night_takes_all_steps() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("a file");
    let (nightly, workflow) = (read(".ci/nightly"), read(".github/workflows/nightly.yml"));
    let between = |text: &str, start: &str, end: char| -> BTreeSet<String> {
        let list = text.split_once(start).and_then(|(_, rest)| rest.split_once(end));
        let names = list.expect("a list").0.split([' ', ',']).filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    };
    let steps = between(&nightly, "steps=(alone", ')');
    let mut nights = between(&workflow, "step: [alone", ']');
    assert!(read(".github/workflows/fuzz.yml").contains("run: .ci/nightly fuzz"));
    nights.insert("fuzz".to_owned());
    assert!(steps.len() > 15);
    assert_eq!(steps, nights);
    for step in steps {
        assert!(nightly.contains(&format!("\n#   {step} ")), "{step} is not described");
        assert!(nightly.contains(&format!("\n{step}() {{")), "{step} is not a function");
    }
}

#[test]
fn lines_end_in_line_feeds_and_in_nothing_else() {
    for (path, text) in own_files() {
        let path = path.display();
        assert!(!text.contains('\r'), "{path} has a carriage return");
        let odd = text.lines().position(|line| line.ends_with([' ', '\t']));
        assert_eq!(odd.map(|at| at + 1), None, "{path} has spaces at the end of that line");
        assert!(text.is_empty() || text.ends_with('\n'), "{path} does not end in a line feed");
    }
}

#[test]
fn source_files_have_a_readable_length() {
    for (path, text) in own_files() {
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        let lines = text.lines().count();
        assert!(
            !is_source || lines <= 700,
            "{} has {lines} lines: find the second idea in it and split it",
            path.display()
        );
    }
}

/// Clippy reads the nearest list only, so each crate of the engine has it.
#[test]
fn the_crates_of_the_engine_forbid_the_same() {
    let list = |name: &str| text(&Path::new("crates").join(name).join("clippy.toml"));
    let own = list("fanmill").expect("a list");
    for name in ["fanmill-kernel", "fanmill-text", "fanmill-sketch", "fanmill-sift"] {
        assert_eq!(list(name).as_ref(), Some(&own), "{name}");
    }
}

/// A crate, or program, that forbids it cannot allow it further down.
#[test]
fn unsafe_code_is_forbidden_where_none_is_needed() {
    const ALLOWED: [(&str, &[&str]); 5] = [
        ("fanmill-extract", &["src/cage/job.rs", "src/cage/raw.rs"]),
        ("fanmill-fuzz", &["src/arrays.rs"]),
        ("fanmill-kernel", &["src/arch/mod.rs"]),
        ("fanmill-python", &["src/capsules.rs"]),
        ("fanmill-wasm", &["src/exports.rs"]),
    ];
    let mut n_roots = 0;
    for (path, text) in own_files() {
        let Ok(inside) = path.strip_prefix("crates") else { continue };
        let name = inside.iter().next().and_then(|name| name.to_str()).expect("a crate");
        let inside = inside.strip_prefix(name).expect("its file").to_str().expect("a name");
        let allowed = ALLOWED.iter().find(|(of, _)| *of == name).map(|(_, files)| *files);
        let is_rust = path.extension() == Some("rs".as_ref());
        let is_root = ["src/lib.rs", "src/main.rs"].contains(&inside)
            || is_rust && inside.starts_with("src/bin/");
        let has = |attribute: &str| text.lines().any(|line| line.starts_with(attribute));
        let level =
            if allowed.is_some() { "#![deny(unsafe_code)]" } else { "#![forbid(unsafe_code)]" };
        n_roots += usize::from(is_root);
        assert!(!is_root || has(level), "{} has no `{level}`", path.display());
        let is_allowing = is_rust
            && ["allow", "expect"].iter().any(|word| text.contains(&format!("{word}(unsafe_code")));
        let may =
            allowed.is_some_and(|files| files.contains(&inside)) || inside == "tests/it/tidy.rs";
        assert!(!is_allowing || may, "{} allows unsafe code", path.display());
    }
    assert!(n_roots > 25, "{n_roots}");
}

/// A crate whose documentation is not looked through for examples to run has none.
#[test]
fn no_example_is_left_out() {
    let own = own_files();
    let is_without = |(path, text): &&(PathBuf, String)| {
        path.ends_with("Cargo.toml") && text.lines().any(|line| line == "doctest = false")
    };
    for (manifest, _) in own.iter().filter(is_without) {
        let src = manifest.with_file_name("src");
        for (path, text) in own.iter().filter(|(path, _)| path.starts_with(&src)) {
            let comments = text.lines().map(str::trim_start).filter_map(|line| {
                line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim_start)
            });
            let mut starts = comments.filter_map(|line| line.strip_prefix("```")).step_by(2);
            let (path, manifest) = (path.display(), manifest.display());
            assert!(starts.all(|kind| kind == "text"), "{path}: an example, but not by {manifest}");
        }
    }
}

/// The program that the manual shows is one that is compiled.
#[test]
fn the_manual_shows_an_example_of_the_library() {
    let example = text(Path::new("crates/fanmill/examples/three_texts.rs")).expect("an example");
    let code = &example[example.find("use fanmill").expect("an import")..];
    let manual = text(Path::new("docs/library.md")).expect("a manual");
    assert!(manual.contains(&format!("```rust\n{code}```")), "{code}");
}

/// The version of the workspace.
fn version(manifest: &str) -> &str {
    let (_, package) = manifest.split_once("[workspace.package]").expect("a workspace");
    let line =
        package.lines().find_map(|line| line.strip_prefix("version = \"")).expect("a version");
    line.strip_suffix('"').expect("quoted")
}

#[test]
fn versions_are_in_step() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    let version = version(&manifest);
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    for line in manifest.lines().filter(|line| line.contains("path = \"crates/")) {
        assert!(line.contains(&format!("version = \"{version}\"")), "{line}");
    }
    for (path, text) in own_files() {
        let is_member = path.starts_with("crates") && path.ends_with("Cargo.toml");
        assert!(!is_member || text.contains("version.workspace = true"), "{}", path.display());
    }
}

#[test]
fn the_changelog_has_a_section_for_this_version() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).expect("a changelog");
    let heading = format!("## {}", version(&manifest));
    assert!(changelog.lines().any(|line| line.starts_with(&heading)), "{heading}");
}

#[test]
fn papers_that_modules_cite_are_in_the_list_of_sources() {
    let list = fs::read_to_string(root().join("docs/sources.md")).expect("the sources");
    let mut missing = Vec::new();
    for (path, text) in own_files() {
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        if !(is_source && path.starts_with("crates")) {
            continue;
        }
        for citation in citations(&text) {
            let known = list
                .lines()
                .any(|line| line.contains(citation.author) && line.contains(citation.year));
            if !known {
                missing.push(format!("{}: {} {}", path.display(), citation.author, citation.year));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// A paper, by its first author and its year.
#[derive(Debug, PartialEq)]
struct Citation<'a> {
    author: &'a str,
    year: &'a str,
}

/// The papers named after `Source:` in a module's head: each by its year and the first name before it.
fn citations(text: &str) -> Vec<Citation<'_>> {
    let mut found = Vec::new();
    let mut is_source = false;
    for line in text.lines().map_while(|line| line.strip_prefix("//!")) {
        is_source |= line.trim_start().starts_with("Source:");
        is_source &= !line.trim().is_empty() && !line.contains("Departs from it:");
        if !is_source {
            continue;
        }
        for clause in
            line.split(&[';', ':'][..]).flat_map(|clause| clause.split(" as described in "))
        {
            let years = clause.split(|c: char| !c.is_alphanumeric());
            let year = years.into_iter().find(|word| {
                word.len() == 4
                    && (word.starts_with("19") || word.starts_with("20"))
                    && word.bytes().all(|b| b.is_ascii_digit())
            });
            let author = clause.split(|c: char| !c.is_alphanumeric()).find(|word| {
                word.starts_with(|c: char| c.is_uppercase())
                    && word.chars().skip(1).all(char::is_lowercase)
                    && word.len() > 1
            });
            found.extend(year.zip(author).map(|(year, author)| Citation { author, year }));
        }
    }
    found
}

#[test]
fn citations_are_read_from_heads() {
    let head = "//! Winnowing.\n//!\n//! Source: Manber, USENIX 1994, as described in Schleimer & Aiken, SIGMOD 2003, §2.3.\n\
                //! Departs from it: Nobody 1999.\n\nfn f() {}\n";
    let found = citations(head);
    assert_eq!(
        found,
        [
            Citation { author: "Manber", year: "1994" },
            Citation { author: "Schleimer", year: "2003" }
        ]
    );
}
