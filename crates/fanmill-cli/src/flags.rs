//! Settings and tasks in the words of the command line: as flags and commands.
//!
//! Only this crate knows about flags and commands. Messages of the libraries name settings and tasks.

use fanmill_source::Limits;
use fanmill_text::Error;
use fanmill_text::message::{Message, Vocabulary};

/// Puts flags in place of settings, and commands in place of tasks.
struct Flags;

impl Vocabulary for Flags {
    /// Returns a flag, or a limit in a config file.
    fn setting(&self, name: &str) -> String {
        if Limits::NAMES.contains(&name) {
            format!("`{name}` in [limits] of the file that --config names")
        } else {
            format!("--{name}")
        }
    }

    fn task(&self, name: &str) -> String {
        format!("`fanmill {}`", name.replace('-', " "))
    }
}

/// Writes out a message, with flags and commands.
pub(crate) fn said(message: &Message) -> String {
    message.say(&Flags)
}

/// Writes out an error and its causes, with flags and commands.
pub(crate) fn said_of_error(error: &anyhow::Error) -> String {
    let causes = error.chain().map(|cause| match cause.downcast_ref::<Error>() {
        Some(error) => said(&error.message()),
        None => cause.to_string(),
    });
    causes.collect::<Vec<_>>().join(": ")
}

#[cfg(all(test, feature = "corpus", feature = "index", feature = "lab", feature = "sift"))]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use clap::CommandFactory;
    use fanmill_text::Error;
    use fanmill_text::message;
    use fanmill_text::setting::{Setting, Task};

    use crate::args::Cli;

    /// Collects the flags of a command and of those below it.
    fn flags(command: &clap::Command, found: &mut BTreeSet<String>) {
        found.extend(command.get_arguments().filter_map(|arg| arg.get_long()).map(str::to_owned));
        command.get_subcommands().for_each(|command| flags(command, found));
    }

    /// Collects the names that the sources below a folder have in `Setting("…")`, or in another kind of name.
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

    /// Crates whose messages name settings or tasks, after `fanmill`.
    const LIBRARIES: [&str; 14] = [
        "", "-corpus", "-disk", "-extract", "-index", "-jobs", "-lab", "-mail", "-records",
        "-sift", "-sketch", "-source", "-text", "-urls",
    ];

    #[test]
    fn every_setting_that_a_message_names_is_a_flag() {
        let (mut known, mut named) = (BTreeSet::new(), BTreeSet::new());
        flags(&Cli::command(), &mut known);
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for name in LIBRARIES {
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
        for name in LIBRARIES {
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
        let message = message![
            "raise ",
            Setting("noise"),
            " or ",
            Setting("max-depth"),
            "; ",
            Task("sift-keygen"),
            " makes a key"
        ];
        let limit = "`max-depth` in [limits] of the file that --config names";
        assert_eq!(
            super::said(&message),
            format!("raise --noise or {limit}; `fanmill sift keygen` makes a key")
        );
        let error = Error::setting(message!["lower ", Setting("noise")]).within("`a`");
        let error = anyhow::Error::from(error).context("the setting `noise`");
        assert_eq!(super::said_of_error(&error), "the setting `noise`: `a`: lower --noise");
    }
}
