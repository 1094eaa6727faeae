//! The manuals, followed word by word: each command of a block of `console` is run, and prints what the block shows.
//!
//! A page is one session in a folder that has `examples/`. Lines that begin with `$` are commands; what follows is their
//! output, both streams together. A line `…` holds for any lines. A comment `<!-- run: COMMAND -->` runs something that readers
//! have done before. `FANMILL_WRITE_DOCS=1` writes the output into blocks without a line `…`.

use std::fs;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::place::{Place, examples};

/// A command of a page, with the output that the page shows.
#[derive(Debug, PartialEq)]
struct Step {
    command: String,
    /// `None` for one that readers do not see.
    shown: Option<Shown>,
}

/// Lines of output, and their place in the page.
#[derive(Debug, PartialEq)]
struct Shown {
    output: String,
    place: Range<usize>,
}

/// Returns the commands of a page, in their order.
fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut comment = String::new();
    for (event, place) in Parser::new_ext(page, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) if &*kind == "console" => {
                steps.extend(steps_of_block(page, place));
            }
            Event::Start(Tag::HtmlBlock) => comment.clear(),
            Event::Html(line) => comment.push_str(&line),
            Event::End(TagEnd::HtmlBlock) => {
                let command = comment.trim().strip_prefix("<!-- run:");
                let command = command.and_then(|rest| rest.strip_suffix("-->"));
                let step = |command: &str| Step { command: command.trim().to_owned(), shown: None };
                steps.extend(command.map(step));
            }
            _ => {}
        }
    }
    steps
}

fn steps_of_block(page: &str, block: Range<usize>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut at = block.start;
    let mut is_continued = false;
    for line in page[block].split_inclusive('\n') {
        at += line.len();
        if line.starts_with("```") {
            continue;
        }
        if let Some(command) = line.strip_prefix("$ ").or(is_continued.then_some(line)) {
            let command = command.trim_end_matches('\n');
            match steps.last_mut().filter(|_| is_continued) {
                Some(step) => {
                    step.command.push('\n');
                    step.command.push_str(command);
                }
                None => steps.push(Step { command: command.to_owned(), shown: None }),
            }
            is_continued = command.ends_with('\\');
            let shown = Shown { output: String::new(), place: at..at };
            steps.last_mut().expect("one was added").shown = Some(shown);
        } else {
            let step = steps.last_mut().and_then(|step| step.shown.as_mut());
            let shown = step.expect("a block of `console` begins with a command");
            shown.output += line;
            shown.place.end = at;
        }
    }
    steps
}

/// Returns whether an output is what a page shows, where a line `…` holds for any lines.
fn is_shown(output: &str, shown: &str) -> bool {
    let (output, shown): (Vec<&str>, Vec<&str>) =
        (output.lines().collect(), shown.lines().collect());
    let parts: Vec<&[&str]> = shown.split(|line| *line == "…").collect();
    let [first, between @ .., last] = &parts[..] else { return output == shown };
    let (starts, ends) = (output.starts_with(first), output.ends_with(last));
    let mut at = first.len();
    starts
        && ends
        && output.len() >= first.len() + last.len()
        && between.iter().all(|part| {
            let rest = &output[at.min(output.len() - last.len())..output.len() - last.len()];
            let found = part
                .is_empty()
                .then_some(0)
                .or_else(|| rest.windows(part.len()).position(|w| w == *part));
            at += found.unwrap_or(0) + part.len();
            found.is_some()
        })
}

/// A shell with the program, in a folder of examples.
struct Session {
    place: Place,
    folder: PathBuf,
}

impl Session {
    fn new() -> Session {
        let place = Place::new();
        copy(&examples(), &place.path("work/examples"));
        // The program that `--open` starts.
        place.write("bin/xdg-open", "#!/bin/sh\n");
        let program = fs::Permissions::from_mode(0o755);
        fs::set_permissions(place.path("bin/xdg-open"), program).expect("a program");
        let folder = place.path("work");
        Session { place, folder }
    }

    /// Runs a command; returns whether it succeeds, and what it prints on both streams.
    fn run(&mut self, command: &str) -> (bool, String) {
        if let Some(folder) = command.strip_prefix("cd ").filter(|folder| !folder.contains(' ')) {
            self.folder.push(folder);
            return (true, String::new());
        }
        let program = Path::new(env!("CARGO_BIN_EXE_fanmill")).parent().expect("a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut shell = Command::new("sh");
        shell
            .arg("-c")
            .arg(format!("exec 2>&1\n{command}"))
            .current_dir(&self.folder)
            .stdin(Stdio::null());
        shell.env(
            "PATH",
            format!("{}:{}:{path}", self.place.path("bin").display(), program.display()),
        );
        shell.env("HOME", self.place.path("work"));
        for variable in ["COLUMNS", "CLICOLOR_FORCE", "RAYON_NUM_THREADS", "FANMILL_KERNEL"] {
            shell.env_remove(variable);
        }
        let done = shell.output().expect("a shell");
        (done.status.success(), String::from_utf8(done.stdout).expect("output is UTF-8"))
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a file");
        }
    }
}

/// Follows a page; returns it with the output that there really was, and what differs.
fn followed(page: &str) -> (String, Vec<String>) {
    let mut session = Session::new();
    let (mut written, mut wrong, mut at) = (String::new(), Vec::new(), 0);
    for step in steps(page) {
        let (succeeds, output) = session.run(&step.command);
        let Some(Shown { output: shown, place }) = step.shown else {
            if !succeeds {
                wrong.push(format!("hidden: {}\n--- printed\n{output}", step.command));
            }
            continue;
        };
        if !is_shown(&output, &shown) {
            wrong.push(format!("$ {}\n--- shown\n{shown}--- printed\n{output}", step.command));
        }
        if !shown.lines().any(|line| line == "…") {
            written += &page[at..place.start];
            written += &output;
            at = place.end;
        }
    }
    (written + &page[at..], wrong)
}

/// Follows one page of the repository.
fn follow(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    let page = fs::read_to_string(&path).expect("a page");
    assert!(page.contains("```console\n$ "), "{name} has no commands to follow");
    let (written, wrong) = followed(&page);
    if std::env::var_os("FANMILL_WRITE_DOCS").is_some() && written != page {
        fs::write(&path, written).expect("a page");
    } else {
        assert!(
            wrong.is_empty(),
            "{name} shows what is not printed; FANMILL_WRITE_DOCS=1 writes it\n{}",
            wrong.join("\n")
        );
    }
}

/// Makes a test of each page, and one that no page is left out.
macro_rules! pages {
    ($($test:ident: $name:literal,)*) => {
        $(
            #[test]
            fn $test() {
                follow($name);
            }
        )*

        #[test]
        fn every_page_with_a_session_is_followed() {
            let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
            for entry in fs::read_dir(docs).expect("docs") {
                let entry = entry.expect("an entry");
                let name = format!("docs/{}", entry.file_name().to_string_lossy());
                let page = fs::read(entry.path()).unwrap_or_default();
                let has_session = !steps(&String::from_utf8_lossy(&page)).is_empty();
                assert!(!has_session || [$($name),*].contains(&&*name), "{name} is not in the list of this test");
            }
        }
    };
}

pages! {
    the_readme_is_true: "README.md",
    the_first_steps_are_true: "docs/tutorial.md",
    the_manual_of_compare_is_true: "docs/compare.md",
    the_manual_of_installation_is_true: "docs/install.md",
    the_answers_to_questions_are_true: "docs/faq.md",
    the_manual_of_sift_is_true: "docs/sift.md",
    the_manual_of_urls_is_true: "docs/urls.md",
    the_recipes_for_courses_are_true: "docs/recipes-courses.md",
    the_recipes_for_corpora_are_true: "docs/recipes-corpora.md",
    the_recipes_for_mail_are_true: "docs/recipes-mail.md",
}

#[test]
fn a_page_that_shows_something_else_is_noticed() {
    let page = "# Page\n\n<!-- run:\nx=hidden\necho $x > file -->\n\n```console\n$ cat file\nhidden\n$ echo a; echo b; \\\necho c\na\n…\n$ echo d\nelse\n```\n\nText\n";
    let commands: Vec<String> = steps(page).into_iter().map(|step| step.command).collect();
    assert_eq!(
        commands,
        ["x=hidden\necho $x > file", "cat file", "echo a; echo b; \\\necho c", "echo d"]
    );
    let (written, wrong) = followed(page);
    assert_eq!(wrong, ["$ echo d\n--- shown\nelse\n--- printed\nd\n"]);
    assert_eq!(written, page.replace("else\n", "d\n"));
}

#[test]
fn dots_hold_for_any_lines() {
    for (output, shown, expected) in [
        ("a\nb\nc\n", "a\nb\nc\n", true),
        ("a\nb\nc\n", "a\n…\n", true),
        ("a\nb\nc\n", "…\nb\n…\n", true),
        ("a\nb\nc\n", "…\nc\n", true),
        ("a\nb\nc\n", "a\nc\n", false),
        ("a\nb\nc\n", "…\nd\n…\n", false),
        ("a\n", "a\n…\na\n", false),
        ("b\n", "a\n…\n", false),
    ] {
        assert_eq!(is_shown(output, shown), expected, "{output:?} {shown:?}");
    }
}
