//! Shows a passage of a text on one line of a table.

use fanmill_report::printable;

/// Maximum number of characters shown, not counting the gap.
const SHOWN: usize = 72;

/// Puts a text on one line, printable, with its middle left out if it is long.
///
/// | text | excerpt |
/// |---|---|
/// | `for (…)`, line feed, four blanks, `x;` | `for (…) x;` |
/// | 5,000 characters | the first 48, ` … `, the last 24 |
pub(crate) fn excerpt(text: &str) -> String {
    let (head, tail) = (SHOWN * 2 / 3, SHOWN / 3);
    // Only the two ends of a long text are read.
    let line = one_line(text.chars(), SHOWN + 1);
    if line.chars().count() <= SHOWN {
        return printable(&line).into_owned();
    }
    let start: String = line.chars().take(head).collect();
    let mut end: Vec<char> = one_line(text.chars().rev(), tail).chars().collect();
    end.reverse();
    let end: String = end.into_iter().collect();
    format!("{} … {}", printable(start.trim_end()), printable(end.trim_start()))
}

/// Returns the first `most` characters, with a blank for each run of white space.
fn one_line(characters: impl Iterator<Item = char>, most: usize) -> String {
    let mut line = String::new();
    let mut n = 0;
    let mut is_blank = true;
    for character in characters {
        let c = if character.is_whitespace() { ' ' } else { character };
        if !(is_blank && c == ' ') {
            line.push(c);
            n += 1;
        }
        is_blank = c == ' ';
        if n == most {
            break;
        }
    }
    line.truncate(line.trim_end().len());
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_shown_whole_and_on_one_line() {
        assert_eq!(excerpt("  for (x)\n\t    y;\n"), "for (x) y;");
        assert_eq!(excerpt(&"é".repeat(72)), "é".repeat(72));
        assert_eq!(excerpt("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(excerpt(""), "");
    }

    #[test]
    fn long_texts_lose_their_middle() {
        let text = format!("{}{}{}", "a".repeat(48), "-".repeat(9000), "z".repeat(24));
        assert_eq!(excerpt(&text), format!("{} … {}", "a".repeat(48), "z".repeat(24)));
        assert!(excerpt(&"word ".repeat(900)).ends_with("word word word"));
    }
}
