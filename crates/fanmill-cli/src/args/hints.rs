//! Hints for a command line that cannot be read: the new name of a flag that had another one, the name that is nearest in
//! spelling, and the command that a path alone was meant for.

use std::env;
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use fanmill_text::near::nearest;

/// Old names, and the names that flags of the same commands have now.
const RENAMED: [(&str, &str); 3] =
    [("--threshold", "--min-score"), ("--as", "--input-format"), ("--group", "--label")];

/// Adds what was probably meant to an error in the command line.
pub(super) fn explained(error: clap::Error, command: &mut Command) -> clap::Error {
    let given = |kind| match error.get(kind) {
        Some(ContextValue::String(given)) => Some(given.clone()),
        _ => None,
    };
    let message = match error.kind() {
        ErrorKind::UnknownArgument => {
            let given = given(ContextKind::InvalidArg);
            given.and_then(|given| of_flag(given.split('=').next().unwrap_or_default(), command))
        }
        ErrorKind::InvalidSubcommand => {
            given(ContextKind::InvalidSubcommand).and_then(|given| of_path(&given))
        }
        _ => None,
    };
    match message {
        Some(message) => used(command).clone().error(error.kind(), message),
        None => error,
    }
}

/// Returns the message about a flag that the command does not have, if it is known or near one that it has.
fn of_flag(given: &str, command: &Command) -> Option<String> {
    let flags = used(command).get_arguments().filter(|arg| !arg.is_hide_set());
    let mut known: Vec<String> =
        flags.filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect();
    let renamed = |old: &str| {
        let (_, new) = RENAMED.iter().find(|(known, _)| *known == old)?;
        known.iter().any(|flag| flag == new).then_some(*new)
    };
    if let Some(new) = renamed(given) {
        return Some(format!("{given} is called {new} now"));
    }
    let old: Vec<String> = RENAMED
        .iter()
        .filter(|(old, _)| renamed(old).is_some())
        .map(|&(old, _)| old.to_owned())
        .collect();
    known.extend(old);
    let near = nearest(given, known.iter().map(String::as_str))?;
    let now = RENAMED.iter().find(|(old, _)| *old == near);
    let now = now.map_or(String::new(), |(_, new)| format!(", which is called {new} now"));
    Some(format!("unexpected argument '{given}'; did you mean {near}{now}?"))
}

/// Returns the message about a path in place of a command.
fn of_path(given: &str) -> Option<String> {
    let what = match Path::new(given) {
        path if path.is_dir() => "folder",
        path if path.is_file() => "file",
        _ => return None,
    };
    Some(format!(
        "`{given}` is a {what} and not a command; did you mean `fanmill compare {given}`?"
    ))
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
