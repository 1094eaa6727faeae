//! Settings and tasks by their names, as messages speak of them.
//!
//! A message of a library names a setting, and not the way in which it is given: a flag of a command line, a key of a
//! file, a field of a form. Where a message is shown, [`renamed`] puts the words of that place in. The same holds for
//! a task that helps, which is a command here and a function there ([`tasks_renamed`]).

use std::borrow::Cow;
use std::fmt;

/// The name of a setting, as in a config file: small letters, digits and hyphens.
///
/// ```
/// use fanmill::setting::{Setting, renamed};
///
/// let text = format!("10 is below the limit; raise {}", Setting("guarantee"));
/// assert_eq!(text, "10 is below the limit; raise the setting `guarantee`");
/// let shown = renamed(&text, |name| format!("the field “{name}”"));
/// assert_eq!(shown, "10 is below the limit; raise the field “guarantee”");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setting(pub &'static str);

/// The name of something that Fanmill does, in small letters and hyphens: a job, then a part of it.
///
/// ```
/// use fanmill::setting::{Task, tasks_renamed};
///
/// let text = format!("this is not a key file; make one with {}", Task("sift-keygen"));
/// assert_eq!(text, "this is not a key file; make one with the task `sift-keygen`");
/// let shown = tasks_renamed(&text, |name| format!("{}()", name.replace('-', ".")));
/// assert_eq!(shown, "this is not a key file; make one with sift.keygen()");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Task(pub &'static str);

/// What a message says before a setting's name, to distinguish it from a file of the same name.
const SETTING: &str = "the setting `";
/// The same before the name of a task.
const TASK: &str = "the task `";

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SETTING}{}`", self.0)
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{TASK}{}`", self.0)
    }
}

/// A message in which each setting is called what `call` makes of its name.
pub fn renamed(message: &str, call: impl Fn(&str) -> String) -> Cow<'_, str> {
    names_replaced(message, SETTING, call)
}

/// A message in which each task is called what `call` makes of its name.
pub fn tasks_renamed(message: &str, call: impl Fn(&str) -> String) -> Cow<'_, str> {
    names_replaced(message, TASK, call)
}

/// A message in which `call` says what stands in place of `before`, a name and a backtick.
fn names_replaced<'a>(
    message: &'a str,
    before: &str,
    call: impl Fn(&str) -> String,
) -> Cow<'a, str> {
    let mut parts = message.split(before);
    let start = parts.next().unwrap_or_default();
    if start.len() == message.len() {
        return Cow::Borrowed(message);
    }
    let mut said = start.to_owned();
    for part in parts {
        let is_name = |name: &str| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        };
        match part.split_once('`').filter(|(name, _)| is_name(name)) {
            Some((name, rest)) => said.extend([&*call(name), rest]),
            None => said.extend([before, part]),
        }
    }
    Cow::Owned(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_settings_are_renamed() {
        let field = |name: &str| format!("<{name}>");
        let both = format!("raise {} or lower {}", Setting("max-docs"), Setting("noise"));
        for (message, expected) in [
            (&*both, "raise <max-docs> or lower <noise>"),
            ("`noise` does not exist", "`noise` does not exist"),
            ("the setting `a b` is unknown", "the setting `a b` is unknown"),
            ("the setting `noise", "the setting `noise"),
            ("", ""),
        ] {
            assert_eq!(renamed(message, field), expected);
        }
    }
}
