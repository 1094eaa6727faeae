//! The command that gives an outcome again, to copy into a shell.

use std::ffi::OsString;

use fanmill_report::printable;

/// The words of the command line that was given, with the seed if one was used and not named.
pub(crate) fn command(arguments: impl Iterator<Item = OsString>, seed: Option<u64>) -> Vec<String> {
    let mut words = vec!["fanmill".to_owned()];
    words.extend(arguments.skip(1).map(|argument| quoted(&argument.to_string_lossy())));
    let names_seed = words.iter().any(|word| word == "--seed" || word.starts_with("--seed="));
    if let Some(seed) = seed.filter(|_| !names_seed) {
        words.extend(["--seed".to_owned(), seed.to_string()]);
    }
    words
}

/// A word as a POSIX shell reads it back; characters without ink are shown, and do not come back.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    printable(&format!("'{}'", word.replace('\'', r"'\''"))).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(arguments: &[&str], seed: Option<u64>) -> String {
        command(arguments.iter().map(OsString::from), seed).join(" ")
    }

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(
            again(&["/bin/fanmill", "lab", "gaps", "a b", "it's", "*.html", ""], None),
            r"fanmill lab gaps 'a b' 'it'\''s' '*.html' ''"
        );
        assert_eq!(again(&["fanmill", "\u{1b}[1m"], None), r"fanmill '\u{1b}[1m'");
    }

    #[test]
    fn the_seed_is_named_if_one_was_used() {
        assert_eq!(again(&["f", "lab", "miss"], Some(1)), "fanmill lab miss --seed 1");
        assert_eq!(again(&["f", "lab", "miss", "--seed=4"], Some(4)), "fanmill lab miss --seed=4");
        assert_eq!(again(&["f", "lab", "density", "x"], None), "fanmill lab density x");
    }
}
