//! Flags that used to have another name: the old name is answered with the new one.

use std::env;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Old names, and the names that flags of the same commands have now.
const RENAMED: [(&str, &str); 3] =
    [("--threshold", "--min-score"), ("--as", "--input-format"), ("--group", "--label")];

/// Adds the new name to the error about an unknown flag, if it has one.
pub(super) fn explained(error: clap::Error, command: &mut Command) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let given = given.split('=').next().unwrap_or_default();
    let Some((old, new)) = RENAMED.iter().find(|(old, _)| *old == given) else { return error };
    let used = used(command);
    if !used.get_arguments().any(|arg| arg.get_long() == Some(&new[2..])) {
        return error;
    }
    let message = format!("{old} is called {new} now");
    used.clone().error(ErrorKind::UnknownArgument, message)
}

/// Returns the command that the command line names.
fn used(command: &Command) -> &Command {
    let mut used = command;
    for word in env::args_os().skip(1) {
        match used.find_subcommand(&word) {
            Some(below) => used = below,
            None => break,
        }
    }
    used
}
