//! The test of commands in documents: each line that starts the program is one that it takes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use clap::Command;
use clap::error::ErrorKind;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// The command, built, so that it knows the flags that all commands have.
static COMMAND: LazyLock<Command> = LazyLock::new(|| {
    let mut command = super::command();
    command.build();
    command
});

/// Documents outside of `docs/` that show commands.
const OTHERS: [&str; 6] = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "examples/README.md",
    "python/README.md",
    "python/cli/README.md",
];

/// Marks at the beginning of files, which look like commands.
const MARKS: [&str; 3] = ["fanmill report", "fanmill segment 1", "fanmill texts 1"];

/// Returns the texts of all documents, by their paths from the root.
fn documents() -> BTreeMap<String, String> {
    let root = super::every_setting::root();
    let mut names: Vec<String> = OTHERS.map(str::to_owned).into();
    let mut folders = vec!["docs".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                folders.push(name);
            } else if Path::new(&name).extension().is_some_and(|extension| extension == "md") {
                names.push(name);
            }
        }
    }
    let read = |name: String| {
        let text = fs::read_to_string(root.join(&name)).expect("a document");
        (name, text)
    };
    names.into_iter().map(read).collect()
}

/// Returns the blocks of code and the words of code in a text. A block of `usage` has no commands to be run.
fn code(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut blocks, mut spans, mut block) = (Vec::new(), Vec::new(), None::<String>);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match (event, &mut block) {
            (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))), _) if &*kind == "usage" => {
            }
            (Event::Start(Tag::CodeBlock(_)), _) => block = Some(String::new()),
            (Event::Text(line), Some(block)) => block.push_str(&line),
            (Event::End(TagEnd::CodeBlock), _) => blocks.extend(block.take()),
            (Event::Code(words), None) => spans.push(words.replace('\n', " ")),
            _ => {}
        }
    }
    (blocks, spans)
}

/// Returns the command lines of a block: what starts the program, as words of a shell, without what a shell does with it.
fn command_lines(block: &str) -> Vec<Vec<String>> {
    let whole = block.replace("\\\n", " ");
    let lines = whole.lines().map(str::trim_start);
    let lines = lines.map(|line| line.strip_prefix("$ ").unwrap_or(line));
    let parts = lines.flat_map(|line| line.split(" && ")).flat_map(|part| part.split("; "));
    let started = parts.filter_map(|part| part.strip_prefix("exec ").or(Some(part)));
    let own = started.filter(|part| part.starts_with("fanmill "));
    let words = own.map(|part| shlex::split(part).unwrap_or_else(|| panic!("quotes: {part}")));
    let is_of_the_shell = |word: &String| ["|", ">", "<", ">>", "2>"].contains(&word.as_str());
    words
        .map(|words| words.into_iter().take_while(|word| !is_of_the_shell(word)).collect())
        .collect()
}

/// Says what is wrong with a command line.
fn refused(words: &[String]) -> Option<String> {
    let error = COMMAND.clone().try_get_matches_from(words).err()?;
    let is_asking = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    (!is_asking).then(|| error.to_string())
}

/// Says which command or flag of a mention such as `fanmill sift add --wanted` there is not.
fn unknown(mention: &str) -> Option<String> {
    let mut command = &*COMMAND;
    let mut words = mention.split(' ').skip(1).peekable();
    let is_name = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
    if let Some(first) = words.next_if(is_name) {
        match command.find_subcommand(first) {
            Some(below) => command = below,
            None => return Some(format!("`{mention}`: no command {first}")),
        }
    }
    for word in words {
        if let Some(below) = command.find_subcommand(word) {
            command = below;
        } else if let Some(flag) = word.strip_prefix("--") {
            let name = flag.split(['=', ',', '…']).next().unwrap_or_default();
            let is_known =
                name == "help" || command.get_arguments().any(|arg| arg.get_long() == Some(name));
            if !name.is_empty() && !is_known {
                return Some(format!("`{mention}`: no --{name}"));
            }
        }
    }
    None
}

#[test]
fn every_command_line_in_a_document_is_taken() {
    let (mut n_lines, mut wrong) = (0, Vec::new());
    for (name, text) in documents() {
        for words in code(&text).0.iter().flat_map(|block| command_lines(block)) {
            n_lines += 1;
            wrong.extend(refused(&words).map(|error| format!("{name}: {words:?}: {error}")));
        }
    }
    assert!(
        n_lines > 100 && wrong.is_empty(),
        "{n_lines} command lines, of which are wrong: {wrong:#?}"
    );
}

#[test]
fn every_command_that_a_document_mentions_exists() {
    let (mut n_mentions, mut wrong) = (0, Vec::new());
    for (name, text) in documents() {
        for mention in code(&text).1.iter().filter(|words| words.starts_with("fanmill ")) {
            if MARKS.contains(&mention.as_str()) {
                continue;
            }
            n_mentions += 1;
            wrong.extend(unknown(mention).map(|error| format!("{name}: {error}")));
        }
    }
    assert!(
        n_mentions > 100 && wrong.is_empty(),
        "{n_mentions} mentions, of which are wrong: {wrong:#?}"
    );
}

#[test]
fn wrong_commands_are_noticed() {
    let block = "$ fanmill compare a b -o out; echo $?\nfanmill nothing\n    fanmill dedup x.jsonl \\\n  --min-score .8 > y\n";
    let lines = command_lines(block);
    assert_eq!(lines.len(), 3);
    assert_eq!(refused(&lines[0]), None);
    assert!(refused(&lines[1]).is_some_and(|error| error.contains("nothing")));
    assert_eq!(lines[2], ["fanmill", "dedup", "x.jsonl", "--min-score", ".8"]);
    assert_eq!(unknown("fanmill sift add --wanted"), None);
    assert!(unknown("fanmill sift add --unwanted").is_some());
    assert!(unknown("fanmill nothing").is_some());
}
