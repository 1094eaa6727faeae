//! The form of a file's lines: whether all of it could be what a tool writes.
//!
//! Cost: O(n).

/// Maximum length of a line in bytes, so that nobody hides a text in a value.
const LONGEST: usize = 600;

/// A form of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON with one value a line.
    Json,
    /// TOML: tables, `key = value`, and values of lists.
    Toml,
    /// YAML: `key: value` and values of lists; yarn writes `key "value"`, too.
    Yaml,
    /// A module, its version and a hash, as Go writes them.
    GoSum,
}

impl Form {
    /// Returns whether every line of a text has this form.
    pub(super) fn is_of(self, text: &[u8]) -> bool {
        let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        lines.all(|line| line.len() <= LONGEST && (line.is_empty() || self.has(line)))
    }

    fn has(self, line: &[u8]) -> bool {
        let is_value = |line: &[u8]| {
            let line = line.strip_suffix(b",").unwrap_or(line);
            matches!(line, b"true" | b"false" | b"null")
                || is_quoted(line)
                || (!line.is_empty()
                    && line.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.'))
        };
        let is_brackets = |line: &[u8]| line.iter().all(|byte| b"{}[], ".contains(byte));
        let is_comment = line.starts_with(b"#");
        match self {
            Form::Json => {
                is_brackets(line)
                    || is_value(line)
                    || split(line, b": ").is_some_and(|(key, value)| {
                        is_quoted(key) && (is_value(value) || is_brackets(value))
                    })
            }
            Form::Toml => {
                let is_table = line.starts_with(b"[") && line.ends_with(b"]");
                let is_entry = || {
                    split(line, b" = ")
                        .is_some_and(|(key, _)| !key.iter().any(u8::is_ascii_whitespace))
                };
                is_comment
                    || is_table
                    || is_brackets(line)
                    || is_value(line)
                    || is_entry()
                    || line.starts_with(b"{")
            }
            Form::Yaml => {
                let line = line.strip_prefix(b"- ").unwrap_or(line);
                let has_one_word = |line: &[u8]| !line.iter().any(u8::is_ascii_whitespace);
                is_comment
                    || line.ends_with(b":")
                    || has_one_word(line)
                    || split(line, b": ")
                        .is_some_and(|(key, _)| has_one_word(key) || is_quoted(key))
                    || split(line, b" ")
                        .is_some_and(|(_, value)| is_quoted(value) || is_release(value))
            }
            Form::GoSum => {
                let mut words = line.split(|&byte| byte == b' ');
                let (_, version, hash) = (words.next(), words.next(), words.next());
                version.is_some_and(|version| version.starts_with(b"v"))
                    && hash.is_some_and(|hash| hash.starts_with(b"h1:") && hash.ends_with(b"="))
                    && words.next().is_none()
            }
        }
    }
}

fn split<'l>(line: &'l [u8], between: &[u8]) -> Option<(&'l [u8], &'l [u8])> {
    let at = memchr::memmem::find(line, between)?;
    Some((&line[..at], line[at + between.len()..].trim_ascii()))
}

fn is_quoted(text: &[u8]) -> bool {
    [b'"', b'\'']
        .iter()
        .any(|quote| text.len() >= 2 && text.first() == Some(quote) && text.last() == Some(quote))
}

/// Returns whether a text is a version, or the way that Ruby writes a choice of versions.
fn is_release(text: &[u8]) -> bool {
    let known = |byte: &u8| byte.is_ascii_alphanumeric() || b"()=~><., -_".contains(byte);
    text.iter().all(known) && text.iter().any(u8::is_ascii_digit)
}
