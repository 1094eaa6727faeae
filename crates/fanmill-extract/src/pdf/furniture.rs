//! Headers, footers and page numbers: lines that repeat at the edge of pages.
//!
//! A line among the first two or last two of a page is furniture if the same line is at the same height on at least
//! three pages; a number in it may count the pages. A line that differs in anything else is kept, and so is any number
//! that does not follow the pages: the rows of a table over many pages differ, or do not count along with the pages.

use std::collections::HashMap;

use super::columns::Line;

/// Number of lines at each edge of a page that are looked at.
const EDGE: usize = 2;

/// Minimum number of pages that a line must be on.
const PAGES: usize = 3;

/// Difference in points within which lines of two pages are at the same height.
const SAME_HEIGHT: f64 = 6.0;

/// Maximum number of words of a line that is looked at.
const MOST_WORDS: usize = 30;

/// Returns, for each page, the ascending indices of its lines that repeat.
pub(super) fn furniture(pages: &[Vec<Line>]) -> Vec<Vec<usize>> {
    let mut seen: HashMap<(String, i64), Vec<usize>> = HashMap::new();
    for (number, lines) in pages.iter().enumerate() {
        for index in edges(lines) {
            for key in keys(&lines[index].text, number) {
                for height in heights(lines[index].across) {
                    let on = seen.entry((key.clone(), height)).or_default();
                    if on.last() != Some(&number) {
                        on.push(number);
                    }
                }
            }
        }
    }
    let repeats = |line: &Line, number: usize| {
        keys(&line.text, number).into_iter().any(|key| {
            heights(line.across)
                .into_iter()
                .any(|height| seen.get(&(key.clone(), height)).is_some_and(|on| on.len() >= PAGES))
        })
    };
    let of_page = |(number, lines): (usize, &Vec<Line>)| {
        edges(lines).into_iter().filter(|&index| repeats(&lines[index], number)).collect()
    };
    pages.iter().enumerate().map(of_page).collect()
}

/// Returns the ascending indices of the lines at the top and at the bottom of a page.
fn edges(lines: &[Line]) -> Vec<usize> {
    let mut by_height: Vec<usize> = (0..lines.len()).collect();
    by_height.sort_by(|&a, &b| lines[a].across.total_cmp(&lines[b].across));
    let top = by_height.iter().take(EDGE);
    let mut edges: Vec<usize> = top.chain(by_height.iter().rev().take(EDGE)).copied().collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Returns the keys of a height. There are two, so that neighbouring heights share one.
fn heights(across: f64) -> [i64; 2] {
    let place = (across / SAME_HEIGHT).floor() as i64;
    let half = ((across / SAME_HEIGHT) + 0.5).floor() as i64;
    [place * 2, half * 2 + 1]
}

/// Returns the forms of a line that other pages would have: unchanged if it has letters, and for each number in it one
/// with that number as its distance to the page.
fn keys(text: &str, page: usize) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() > MOST_WORDS {
        return Vec::new();
    }
    let mut keys = Vec::new();
    if text.chars().any(char::is_alphabetic) && !words.iter().all(|word| number(word).is_some()) {
        keys.push(words.join(" "));
    }
    for (at, word) in words.iter().enumerate() {
        let Some((kind, value)) = number(word) else { continue };
        let mut with: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        with[at] = format!("\0{kind}{}", value - page.cast_signed() as i64);
        keys.push(with.join(" "));
    }
    keys
}

/// Returns the value of a word that may be a page number, and the kind of its digits.
fn number(word: &str) -> Option<(char, i64)> {
    let digits = word.trim_matches(|c: char| !c.is_alphanumeric());
    if !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.parse().ok().map(|value| ('1', value));
    }
    roman(digits).map(|value| ('i', value))
}

/// Returns the value of a Roman numeral up to 399.
fn roman(word: &str) -> Option<i64> {
    let lower = word.to_ascii_lowercase();
    if word.is_empty() || word.len() > 12 || (word != lower && word.chars().any(char::is_lowercase))
    {
        return None;
    }
    (1..400).find(|&value| numeral(value) == lower)
}

fn numeral(mut value: i64) -> String {
    let parts = [
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut numeral = String::new();
    for (part, letters) in parts {
        while value >= part {
            numeral.push_str(letters);
            value -= part;
        }
    }
    numeral
}

#[cfg(test)]
mod tests {
    use super::{Line, furniture, number};

    fn page(lines: &[&str]) -> Vec<Line> {
        let line = |(i, text): (usize, &&str)| Line {
            text: (*text).to_owned(),
            start: 0.0,
            end: 100.0,
            across: 20.0 * i as f64,
            size: 10.0,
            is_apart: false,
        };
        lines.iter().enumerate().map(line).collect()
    }

    #[test]
    fn what_repeats_at_the_edge_is_set_apart() {
        let pages: Vec<_> = (0..5)
            .map(|i| {
                let text = format!("text of page {}", ["one", "two", "ten", "six", "five"][i]);
                page(&["A thesis", &text, "more", "and more", &text, &format!("- {} -", i + 7)])
            })
            .collect();
        assert_eq!(furniture(&pages), vec![vec![0, 5]; 5]);
    }

    #[test]
    fn tables_and_ordinary_words_stay() {
        let rows = ["3 14 15", "92 65 35", "89 79 32", "38 46 26"];
        let words = ["civil", "mild", "dim", "vivid"];
        let pages: Vec<_> = (0..4)
            .map(|i| page(&[words[i], rows[i], "body", "more", rows[3 - i], rows[i]]))
            .collect();
        assert_eq!(furniture(&pages), vec![Vec::<usize>::new(); 4]);
    }

    #[test]
    fn page_numbers_are_told_from_words() {
        let cases =
            [("12", Some(12)), ("xiv", Some(14)), ("[IV]", Some(4)), ("civil", None), ("Iv", None)];
        for (word, value) in cases {
            assert_eq!(number(word).map(|(_, value)| value), value, "{word}");
        }
    }
}
