//! Settings and tasks as they are given here: by flags and by commands.
//!
//! Only this crate knows that there are flags and commands. Messages of the libraries name settings and tasks.

use std::borrow::Cow;

use fanmill::setting::{renamed, tasks_renamed};

/// A message with flags in place of settings, and commands in place of tasks.
pub(crate) fn named(message: &str) -> Cow<'_, str> {
    let command = |name: &str| format!("`fanmill {}`", name.replace('-', " "));
    match renamed(message, |name| format!("--{name}")) {
        Cow::Borrowed(message) => tasks_renamed(message, command),
        Cow::Owned(message) => Cow::Owned(tasks_renamed(&message, command).into_owned()),
    }
}

#[cfg(all(test, feature = "corpus", feature = "index", feature = "lab", feature = "sift"))]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use clap::CommandFactory;

    use crate::args::Cli;

    /// The flags of a command and of those below it.
    fn flags(command: &clap::Command, found: &mut BTreeSet<String>) {
        found.extend(command.get_arguments().filter_map(|arg| arg.get_long()).map(str::to_owned));
        command.get_subcommands().for_each(|command| flags(command, found));
    }

    /// The names that the sources below a folder have in `Setting("…")`, or in another kind of name.
    fn named_in(folder: &Path, kind: &str, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                named_in(&path, kind, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source");
                let names = text.split(kind).skip(1);
                found.extend(names.filter_map(|rest| rest.split('"').next()).map(str::to_owned));
            }
        }
    }

    /// The settings of a job, by the names that a message gives them, with the command that has flags of these names.
    fn jobs() -> Vec<(&'static str, serde_json::Value)> {
        use fanmill_jobs::{compare, dedup, index, sift, urls};
        fn value(settings: &impl serde::Serialize) -> serde_json::Value {
            serde_json::to_value(settings).expect("settings are data")
        }
        vec![
            ("compare", value(&compare::Settings::default())),
            ("index add", value(&index::Settings::default())),
            ("search", value(&index::Search::default())),
            ("dedup", value(&dedup::Settings::default())),
            ("urls", value(&urls::Settings::default())),
            ("sift add", value(&sift::add::Settings::default())),
            ("sift check", value(&sift::check::Settings::default())),
            ("sift campaign", value(&sift::campaign::Settings::default())),
            ("sift rekey", value(&sift::rekey::Settings::default())),
            ("sift remove", value(&sift::remove::Settings::default())),
            ("sift expire", value(&sift::expire::Settings::default())),
            ("sift upgrade", value(&sift::upgrade::Settings::default())),
        ]
    }

    #[test]
    fn every_setting_that_a_message_names_is_a_flag() {
        let (mut known, mut named) = (BTreeSet::new(), BTreeSet::new());
        flags(&Cli::command(), &mut known);
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for name in ["", "-corpus", "-index", "-jobs", "-lab", "-source"] {
            named_in(&crates.join(format!("fanmill{name}/src")), "Setting(\"", &mut named);
        }
        assert!(named.len() > 20, "{named:?}");
        let unknown: Vec<&String> = named.difference(&known).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn every_task_that_a_message_names_is_a_command() {
        let mut tasks = BTreeSet::new();
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for name in ["", "-jobs"] {
            named_in(&crates.join(format!("fanmill{name}/src")), "Task(\"", &mut tasks);
        }
        assert!(tasks.len() > 3, "{tasks:?}");
        let known = Cli::command();
        for task in tasks {
            let found = task.split('-').try_fold(&known, |above, name| above.find_subcommand(name));
            assert!(found.is_some(), "{task}");
        }
    }

    #[test]
    fn settings_are_flags_and_tasks_are_commands() {
        let message = "raise the setting `noise`; the task `sift-keygen` makes a key";
        assert_eq!(super::named(message), "raise --noise; `fanmill sift keygen` makes a key");
        let message = "the task `languages` lists all";
        assert_eq!(super::named(message), "`fanmill languages` lists all");
    }

    /// Tables of a config file are no flags of their own.
    const TABLES: [&str; 3] = ["code", "words", "chars"];

    #[test]
    fn every_setting_of_a_job_is_a_flag_of_its_command() {
        let cli = Cli::command();
        for (job, settings) in jobs() {
            let command = job.split(' ').fold(&cli, |command, name| {
                command.find_subcommand(name).expect("a command for each job")
            });
            let mut known = BTreeSet::new();
            flags(command, &mut known);
            for name in settings.as_object().expect("a table").keys() {
                assert!(TABLES.contains(&name.as_str()) || known.contains(name), "{job}: {name}");
            }
        }
    }
}
