//! The lines of a session: reads those of a client, and makes the few that answer it.
//!
//! A line ends in a line feed; a carriage return before it is dropped. Fields are separated by one blank, and the last
//! one extends to the end of the line, so names and comments may contain blanks. Bytes that are not UTF-8 become U+FFFD
//! in text.

/// Longest answer in bytes, including its line feed.
///
/// mosspy and moss-cappa read an answer by a single `recv(1024)`.
const MAX_ANSWER: usize = 1000;

/// Maximum number of characters of a value that an error line repeats.
const MAX_QUOTED: usize = 60;

/// Maximum number of digits in a size: those of 2^63.
pub(crate) const MAX_DIGITS: usize = 19;

/// A line of a client.
#[derive(Debug, PartialEq)]
pub(crate) enum Line {
    /// The user id.
    Moss(String),
    /// True if the files of a folder are one submission.
    Directory(bool),
    /// True if the experimental server is requested.
    Experimental(bool),
    /// The maximum number of submissions that may have a passage before it counts as given.
    MaxMatches(u64),
    /// The maximum number of pairs that are shown.
    Show(u64),
    /// MOSS's name of the language.
    Language(String),
    /// A file follows.
    File(Head),
    /// The comment; all files have been sent.
    Query(String),
    /// The client leaves.
    End,
    /// An empty line.
    Blank,
    /// Any other line.
    Other,
}

/// The line before a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Head {
    /// 0 for a base file; submissions count from 1.
    pub(crate) id: u32,
    pub(crate) language: String,
    /// Size in bytes, as declared; `u64::MAX` if it does not fit into `u64`.
    pub(crate) size: u64,
    pub(crate) name: String,
}

/// Reads a line, with or without its end.
///
/// # Errors
/// If a line of settings has an invalid value; the message names both.
pub(crate) fn read(line: &[u8]) -> Result<Line, String> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return Ok(Line::Blank);
    }
    let (word, rest) = split(line);
    Ok(match word {
        b"moss" => Line::Moss(text(rest.trim_ascii())),
        b"directory" => Line::Directory(yes_or_no("directory", rest)?),
        b"X" => Line::Experimental(yes_or_no("X", rest)?),
        b"maxmatches" => Line::MaxMatches(count("maxmatches", rest)?),
        b"show" => Line::Show(count("show", rest)?),
        b"language" => Line::Language(text(rest.trim_ascii())),
        b"file" => head(rest).map_or(Line::Other, Line::File),
        // All clients ask for number 0; contents may well have lines like `query 2 rows`.
        b"query" if split(rest).0 == b"0" => Line::Query(text(split(rest).1.trim_ascii())),
        b"end" if rest.trim_ascii().is_empty() => Line::End,
        _ => Line::Other,
    })
}

fn head(rest: &[u8]) -> Option<Head> {
    let (id, rest) = split(rest);
    let (language, rest) = split(rest);
    let (size, name) = split(rest);
    let id = u32::try_from(number_of(id)?).ok()?;
    let size = number_of(size)?;
    (!language.is_empty()).then(|| Head { id, language: text(language), size, name: text(name) })
}

/// Splits a line at its first blank.
fn split(line: &[u8]) -> (&[u8], &[u8]) {
    let at = line.iter().position(|byte| *byte == b' ').unwrap_or(line.len());
    (&line[..at], line.get(at + 1..).unwrap_or_default())
}

/// Parses digits as a number, `u64::MAX` if it is larger; `None` for anything else.
fn number_of(digits: &[u8]) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| {
        let digit = |byte: &u8| u64::from(byte - b'0');
        digits.iter().fold(0_u64, |n, byte| n.saturating_mul(10).saturating_add(digit(byte)))
    })
}

fn count(what: &str, value: &[u8]) -> Result<u64, String> {
    let value = value.trim_ascii();
    number_of(value).ok_or_else(|| format!("{what} {} is not a whole number", quoted(value)))
}

/// Parses a flag. Scripts around mosspy also pass Python's `True` and `False`.
fn yes_or_no(what: &str, value: &[u8]) -> Result<bool, String> {
    match value.trim_ascii() {
        b"1" | b"True" | b"true" => Ok(true),
        b"0" | b"False" | b"false" | b"" => Ok(false),
        value => Err(format!("{what} {} is neither 0 nor 1", quoted(value))),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns a value in the form that error lines show: in quotes, and only its beginning if it is long.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let value = text(&bytes[..bytes.len().min(4 * MAX_QUOTED)]);
    let start: String = value.chars().take(MAX_QUOTED).collect();
    let more = if start.len() < value.len() { "…" } else { "" };
    format!("\"{}{more}\"", start.trim_end())
}

/// Makes a line to be written to a client, in one piece: an address, or an error.
///
/// It ends in a line feed, is no longer than clients read at once (1,000 bytes; anything beyond is cut off), and has a
/// blank for every control character.
///
/// ```
/// assert_eq!(fanmill_moss::answer("http://host/results/1/2\r\nX: y"), "http://host/results/1/2  X: y\n");
/// ```
pub fn answer(text: &str) -> String {
    let end = text.floor_char_boundary(MAX_ANSWER - 1);
    let mut line: String =
        text[..end].chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.push('\n');
    line
}

/// Makes a line that reports an error to a client: `error: ` and the message, in the form of [`answer`].
///
/// Clients print it where they expected an address.
pub fn error(message: &str) -> String {
    answer(&format!("error: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(id: u32, language: &str, size: u64, name: &str) -> Line {
        Line::File(Head { id, language: language.to_owned(), size, name: name.to_owned() })
    }

    #[test]
    fn lines_are_read() {
        let cases: [(&[u8], Line); 21] = [
            (b"moss 17\n", Line::Moss("17".to_owned())),
            (b"moss 17\r\n", Line::Moss("17".to_owned())),
            (b"moss\n", Line::Moss(String::new())),
            (b"directory 1\n", Line::Directory(true)),
            (b"directory False\n", Line::Directory(false)),
            (b"X 0\n", Line::Experimental(false)),
            (b"maxmatches 1000000\n", Line::MaxMatches(1_000_000)),
            (b"show 250", Line::Show(250)),
            (b"language a8086\n", Line::Language("a8086".to_owned())),
            (b"file 1 java 20 a/B.java\n", file(1, "java", 20, "a/B.java")),
            (b"file 0 c 3  two blanks \r\n", file(0, "c", 3, " two blanks ")),
            (b"file 7 c 99999999999999999999 x\n", file(7, "c", u64::MAX, "x")),
            (b"file 2 c 3\n", file(2, "c", 3, "")),
            (b"file 2 c 3 \xffx\n", file(2, "c", 3, "\u{fffd}x")),
            (b"file 2 c -3 x\n", Line::Other),
            (b"query 0 \n", Line::Query(String::new())),
            (b"query 0 week 3\r\n", Line::Query("week 3".to_owned())),
            (b"query 2 rows\n", Line::Other),
            (b"end\n", Line::End),
            (b" \r\n", Line::Blank),
            (b"GET / HTTP/1.1\r\n", Line::Other),
        ];
        for (line, expected) in cases {
            assert_eq!(read(line), Ok(expected), "{}", text(line));
        }
    }

    #[test]
    fn wrong_values_are_named() {
        let message = |line| read(line).expect_err("an error");
        assert_eq!(message(b"directory 2\n"), "directory \"2\" is neither 0 nor 1");
        assert_eq!(message(b"show many\n"), "show \"many\" is not a whole number");
        assert_eq!(message(b"maxmatches \n"), "maxmatches \"\" is not a whole number");
        let long = [b"show ".as_slice(), &[b'x'; 5000]].concat();
        assert!(message(&long).len() < 100);
    }

    #[test]
    fn answers_are_one_short_line() {
        for text in ["", "a\nb\0c", &"é".repeat(5000), &"x".repeat(999)] {
            let line = answer(text);
            assert!(line.len() <= MAX_ANSWER && line.ends_with('\n'), "{}", line.len());
            assert_eq!(line.matches('\n').count(), 1);
        }
        assert_eq!(error("no"), "error: no\n");
    }
}
