//! The test that compares the pages of `docs/commands/`, and writes them: each command as `--help` shows it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command};

use super::every_setting::root;

/// The folder of the pages.
const FOLDER: &str = "docs/commands";

/// The manual of a command, beside its page.
const MANUALS: [(&str, &str); 12] = [
    ("compare", "[The manual](../compare.md); what can be compared is in [Inputs](../inputs.md)."),
    ("index", "[The manual](../index-command.md)."),
    ("search", "[The manual](../index-command.md#searching)."),
    ("dedup", "[The manual](../dedup.md)."),
    ("urls", "[The manual](../urls.md)."),
    ("sift", "[The manual](../sift.md)."),
    ("lab", "[The manual](../lab.md)."),
    ("serve", "[The manual](../serve.md)."),
    ("text", "[What is read](../inputs.md#what-is-read)."),
    ("languages", "[How a language is chosen](../inputs.md#what-you-can-give-it)."),
    ("completions", "[Where a shell looks for them](../install.md#completions-and-manual-pages)."),
    ("man", "[Where to put them](../install.md#completions-and-manual-pages)."),
];

/// Returns the commands that help lists, built, so that they know their full names.
fn commands() -> Vec<Command> {
    let mut command = super::command().disable_help_subcommand(true);
    command.build();
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    let mut commands: Vec<Command> = shown.cloned().collect();
    let place =
        |command: &Command| MANUALS.iter().position(|(name, _)| *name == command.get_name());
    commands.sort_by_key(place);
    commands
}

/// Returns whether this is the name of a page.
fn is_page(name: &str) -> bool {
    Path::new(name).extension() == Some("md".as_ref())
}

/// Returns text of the help as Markdown: outside of code, nothing in it is markup, and manuals are links.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut is_code = false;
    for word in text.split_inclusive([' ', '(', ';']) {
        let name = word.trim_end_matches([' ', ';', ')']);
        let manual = name.strip_prefix("docs/").filter(|_| is_page(name));
        if let (Some(manual), false) = (manual, is_code) {
            write!(out, "[{name}](../{manual}){}", &word[name.len()..]).expect("memory");
            continue;
        }
        for c in word.chars() {
            is_code ^= c == '`';
            if !is_code && "<>*_|[]".contains(c) {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out
}

/// Returns the line that the flags of an argument are shown in.
fn name(arg: &Arg) -> String {
    let long = arg.get_long().map(|long| format!("--{long}"));
    let short = arg.get_short().map(|short| format!("-{short}"));
    let mut name = [short, long].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let values = arg.get_value_names().unwrap_or_default().iter().map(|value| format!("<{value}>"));
    let values = values.collect::<Vec<_>>().join(" ");
    if takes_value && name.is_empty() {
        name = values;
    } else if takes_value {
        write!(name, " {values}").expect("memory");
    }
    name
}

/// Appends an argument with its help, its values and its default.
fn argument(arg: &Arg, page: &mut String) {
    let help = arg.get_long_help().or(arg.get_help()).map(StyledStr::to_string).unwrap_or_default();
    let one_line = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut default, mut values) = (String::new(), Vec::new());
    if matches!(arg.get_action(), ArgAction::Set | ArgAction::Append) {
        let defaults = arg.get_default_values().iter().map(|value| value.to_string_lossy());
        let defaults = defaults.collect::<Vec<_>>().join(" ");
        if !defaults.is_empty() && !arg.is_hide_default_value_set() {
            default = format!(" [default: {defaults}]");
        }
        if !arg.is_hide_possible_values_set() {
            values = arg.get_possible_values();
        }
    }
    let text = escaped(&format!("{one_line}{default}"));
    writeln!(page, "- `{}`\\\n  {text}", name(arg)).expect("memory");
    for value in values.iter().filter(|value| !value.is_hide_set()) {
        let help = value.get_help().map(|help| format!(": {}", escaped(&help.to_string())));
        writeln!(page, "  - `{}`{}", value.get_name(), help.unwrap_or_default()).expect("memory");
    }
}

/// Appends the arguments of a command, by the headings of its help.
fn arguments(command: &Command, level: usize, page: &mut String) {
    let shown = command.get_arguments().filter(|arg| {
        !arg.is_hide_set() && !["color", "help", "version"].contains(&arg.get_id().as_str())
    });
    let mut groups: Vec<(&str, Vec<&Arg>)> = Vec::new();
    for arg in shown {
        let heading = match arg.get_help_heading() {
            Some(heading) => heading,
            None if arg.is_positional() => "Arguments",
            None => "Options",
        };
        match groups.iter_mut().find(|(name, _)| *name == heading) {
            Some((_, args)) => args.push(arg),
            None => groups.push((heading, vec![arg])),
        }
    }
    for (heading, args) in groups {
        writeln!(page, "\n{} {heading}\n", "#".repeat(level)).expect("memory");
        for arg in args {
            argument(arg, page);
        }
    }
}

/// Appends a command, and those below it.
fn section(command: &Command, level: usize, page: &mut String) {
    let full = command.get_bin_name().unwrap_or_default();
    let about = command
        .get_long_about()
        .or(command.get_about())
        .map(StyledStr::to_string)
        .unwrap_or_default();
    writeln!(page, "{} {full}\n\n{}", "#".repeat(level), escaped(&about)).expect("memory");
    if let Some((_, manual)) =
        MANUALS.iter().find(|(name, _)| level == 1 && *name == command.get_name())
    {
        writeln!(page, "\n{manual}").expect("memory");
    }
    let usage = command.clone().render_usage().to_string();
    let usage =
        usage.trim_start_matches("Usage: ").lines().map(str::trim).collect::<Vec<_>>().join("\n");
    writeln!(page, "\n```usage\n{usage}\n```").expect("memory");
    arguments(command, level + 1, page);
    if let Some(after) = command.get_after_long_help().or(command.get_after_help()) {
        writeln!(page, "\n```text\n{}\n```", after.to_string().trim_end()).expect("memory");
    }
    for below in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        page.push('\n');
        section(below, level + 1, page);
    }
}

/// Returns the pages by name.
fn pages() -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    let mut list = "# Every command\n\nThese pages are made from the program's own help, which `fanmill COMMAND --help` prints. `fanmill man` writes \
        the same as manual pages. Each command has `--help`, and takes `--color auto|always|never`.\n\n| command | what it does |\n|---|---|\n"
        .to_owned();
    for command in commands() {
        let name = format!("fanmill-{}.md", command.get_name());
        let about = command.get_about().map(StyledStr::to_string).unwrap_or_default();
        writeln!(list, "| [`fanmill {}`]({name}) | {} |", command.get_name(), escaped(&about))
            .expect("memory");
        let mut page = String::new();
        section(&command, 1, &mut page);
        pages.insert(name, page);
    }
    pages.insert("README.md".to_owned(), list);
    pages
}

#[test]
fn the_pages_of_commands_are_those_of_the_program() {
    let folder = root().join(FOLDER);
    let made = pages();
    if std::env::var_os("FANMILL_WRITE_DOCS").is_some() {
        fs::create_dir_all(&folder).expect("a folder");
        for (name, page) in &made {
            fs::write(folder.join(name), page).expect("a page");
        }
    }
    for (name, page) in &made {
        let written = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(written == *page, "{FOLDER}/{name} differs; write it with FANMILL_WRITE_DOCS=1");
    }
    let entries =
        fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let left: Vec<_> =
        entries.filter(|name| !made.contains_key(&*name.to_string_lossy())).collect();
    assert!(left.is_empty(), "no command has these pages in {FOLDER}: {left:?}");
}

#[test]
fn every_command_has_a_manual() {
    let names: Vec<String> =
        commands().iter().map(|command| command.get_name().to_owned()).collect();
    let with_manual = MANUALS.map(|(name, _)| name);
    assert_eq!(names, with_manual);
}

/// Adds a command with its arguments and flags, and those below it, to a list.
fn list(command: &Command, found: &mut BTreeSet<String>) {
    let full = command.get_bin_name().unwrap_or_default();
    found.insert(full.to_owned());
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
        found.extend(arg.get_long().map(|long| format!("{full} --{long}")));
        found.extend(arg.get_short().map(|short| format!("{full} -{short}")));
    }
    for below in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        list(below, found);
    }
}

/// A flag of an earlier release is one of this release; `docs/stability.md` promises it.
#[test]
fn commands_and_flags_of_earlier_releases_are_there() {
    let mut flags = BTreeSet::new();
    for command in commands() {
        list(&command, &mut flags);
    }
    let path = root().join("testdata/format/flags-0.1.txt");
    let mut promised: BTreeSet<String> =
        fs::read_to_string(&path).unwrap_or_default().lines().map(str::to_owned).collect();
    if std::env::var_os("FANMILL_WRITE_DOCS").is_some()
        && env!("CARGO_PKG_VERSION").starts_with("0.1.")
    {
        promised.extend(flags.iter().cloned());
        let mut lines = promised.iter().cloned().collect::<Vec<_>>().join("\n");
        lines.push('\n');
        fs::write(&path, lines).expect("a list");
    }
    let gone: Vec<&String> = promised.difference(&flags).collect();
    assert!(
        promised.len() > 300 && gone.is_empty(),
        "of {}, these are gone: {gone:?}",
        promised.len()
    );
}
