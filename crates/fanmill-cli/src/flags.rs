//! Settings as they are given here: by flags.
//!
//! Only this crate knows that there are flags. Messages of the libraries name settings.

use std::borrow::Cow;

use fanmill::setting::renamed;

/// A message with flags in place of settings.
pub(crate) fn named(message: &str) -> Cow<'_, str> {
    renamed(message, |name| format!("--{name}"))
}

#[cfg(all(test, feature = "corpus", feature = "lab", feature = "sift"))]
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

    /// The settings that the sources below a folder name.
    fn settings(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                settings(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source");
                let names = text.split("Setting(\"").skip(1);
                found.extend(names.filter_map(|rest| rest.split('"').next()).map(str::to_owned));
            }
        }
    }

    #[test]
    fn every_setting_that_a_message_names_is_a_flag() {
        let (mut known, mut named) = (BTreeSet::new(), BTreeSet::new());
        flags(&Cli::command(), &mut known);
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for name in ["", "-corpus", "-jobs", "-lab", "-source"] {
            settings(&crates.join(format!("fanmill{name}/src")), &mut named);
        }
        assert!(named.len() > 20, "{named:?}");
        let unknown: Vec<&String> = named.difference(&known).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
