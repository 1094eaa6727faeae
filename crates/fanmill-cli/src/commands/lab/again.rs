//! The command that reproduces an outcome, for copying into a shell.

use std::ffi::{OsStr, OsString};

use fanmill_report::printable;

/// Returns the words of the given command line, with the seed if one was used but not given.
pub(crate) fn command(arguments: impl Iterator<Item = OsString>, seed: Option<u64>) -> Vec<String> {
    let mut words = vec!["fanmill".to_owned()];
    words.extend(arguments.skip(1).map(|argument| quoted(&argument)));
    let names_seed = words.iter().any(|word| word == "--seed" || word.starts_with("--seed="));
    if let Some(seed) = seed.filter(|_| !names_seed) {
        words.extend(["--seed".to_owned(), seed.to_string()]);
    }
    words
}

/// Quotes a word for a shell: it stays unchanged, or is put into `'…'`, or into `$'…'` if it has bytes that are not
/// UTF-8 or invisible characters.
fn quoted(word: &OsStr) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    match word.to_str() {
        Some(word) if !word.is_empty() && word.chars().all(is_plain) => word.to_owned(),
        Some(word) if printable(word) == word => format!("'{}'", word.replace('\'', r"'\''")),
        _ => format!("$'{}'", escaped(word.as_encoded_bytes())),
    }
}

/// Escapes bytes for `$'…'`.
fn escaped(bytes: &[u8]) -> String {
    let mut escaped = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            let text = c.to_string();
            match c {
                '\'' | '\\' => escaped.extend(['\\', c]),
                _ if printable(&text) == text => escaped.push(c),
                _ => escaped.extend(text.bytes().map(in_digits)),
            }
        }
        escaped.extend(chunk.invalid().iter().copied().map(in_digits));
    }
    escaped
}

fn in_digits(byte: u8) -> String {
    format!(r"\x{byte:02x}")
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
            again(&["/bin/fanmill", "lab", "frequency", "a b", "it's", "*.html", ""], None),
            r"fanmill lab frequency 'a b' 'it'\''s' '*.html' ''"
        );
        assert_eq!(again(&["fanmill", "\u{1b}[1m"], None), r"fanmill $'\x1b[1m'");
        assert_eq!(again(&["fanmill", "a\u{200b}'\\"], None), r"fanmill $'a\xe2\x80\x8b\'\\'");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf_8_come_back() {
        use std::os::unix::ffi::OsStringExt;
        let arguments = ["fanmill".into(), OsString::from_vec(b"a\xff b".to_vec())];
        assert_eq!(command(arguments.into_iter(), None), ["fanmill", r"$'a\xff b'"]);
    }

    #[test]
    fn the_seed_is_named_if_one_was_used() {
        let filter = ["f", "lab", "filter", "--seed=4"];
        assert_eq!(again(&filter[..3], Some(1)), "fanmill lab filter --seed 1");
        assert_eq!(again(&filter, Some(4)), "fanmill lab filter --seed=4");
        assert_eq!(again(&["f", "lab", "frequency", "x"], None), "fanmill lab frequency x");
    }
}
