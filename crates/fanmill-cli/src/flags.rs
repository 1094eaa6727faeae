//! Settings and tasks as they are given here: by flags and by commands.
//!
//! Only this crate knows that there are flags and commands. Messages of the libraries name settings and tasks.

use std::borrow::Cow;

use fanmill::setting::{renamed, tasks_renamed};

/// A message with flags in place of settings, and commands in place of tasks.
pub(crate) fn named(message: &str) -> Cow<'_, str> {
    let command = |name: &str| format!("`fanmill {}`", name.replace('-', " "));
    match renamed(message, given_here) {
        Cow::Borrowed(message) => tasks_renamed(message, command),
        Cow::Owned(message) => Cow::Owned(tasks_renamed(&message, command).into_owned()),
    }
}

/// The setting as it is given here: by a flag, or a limit in a config file.
fn given_here(name: &str) -> String {
    const LIMITS: [&str; 5] =
        ["max-file-bytes", "max-total-bytes", "max-entries", "max-depth", "max-ratio"];
    if LIMITS.contains(&name) {
        format!("`{name}` in [limits] of the file that --config names")
    } else {
        format!("--{name}")
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
}
