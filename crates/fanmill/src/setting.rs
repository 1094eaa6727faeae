//! Settings by their names, as messages speak of them.
//!
//! A message of a library names a setting, and not the way in which it is given: a flag of a command line, a key of a
//! file, a field of a form. Where a message is shown, [`renamed`] puts the words of that place in.

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

/// What a message says before a setting's name, so that it is told from a file of that name.
const BEFORE: &str = "the setting `";

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{BEFORE}{}`", self.0)
    }
}

/// A message in which each setting is called what `call` makes of its name.
pub fn renamed(message: &str, call: impl Fn(&str) -> String) -> Cow<'_, str> {
    let mut parts = message.split(BEFORE);
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
            None => said.extend([BEFORE, part]),
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
