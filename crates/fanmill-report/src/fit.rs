//! Fits text to the columns of a screen: shortened if necessary, and whole where there are no columns.
//!
//! A screen has a number of columns; a file or another program has [`LineWidth::Any`], and gets everything. Names are cut in
//! the middle, since both ends distinguish them, and those that would then look the same are cut elsewhere. Columns are
//! counted by Unicode's East Asian width: wide characters take two, combining marks none.
//!
//! Cost: O(n log n) in the number of names, O(n) in their length.
//! Source: Unicode Standard Annex 11, by the crate `unicode-width`.

use std::collections::BTreeMap;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Minimum width of a name; shorter ones would be meaningless.
const LEAST: usize = 8;
/// Maximum width of a name in a list, on a screen.
const NAME_WIDTH: usize = 32;

/// The width that lines may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineWidth {
    /// Any width.
    Any,
    /// This number of columns.
    Columns(usize),
}

impl LineWidth {
    /// Returns the room that is left beside something of `taken` columns.
    #[must_use]
    pub fn beside(self, taken: usize) -> LineWidth {
        match self {
            LineWidth::Any => LineWidth::Any,
            LineWidth::Columns(n) => LineWidth::Columns(n.saturating_sub(taken)),
        }
    }

    /// Returns the room, but at most this number of columns, for texts that are excerpts anyway.
    pub fn at_most(self, columns: usize) -> usize {
        match self {
            LineWidth::Any => columns,
            LineWidth::Columns(n) => n.clamp(LEAST, columns.max(LEAST)),
        }
    }

    /// Returns the maximum width of each of several columns with these `widths`; the widest are narrowed first.
    #[must_use]
    pub fn share(self, widths: &[usize]) -> LineWidth {
        let LineWidth::Columns(n) = self else { return LineWidth::Any };
        let mut sorted = widths.to_vec();
        sorted.sort_unstable();
        let mut left = n;
        for (i, &width) in sorted.iter().enumerate() {
            let each = left / (sorted.len() - i);
            if width > each {
                return LineWidth::Columns(each.max(LEAST));
            }
            left -= width;
        }
        LineWidth::Columns(sorted.last().copied().unwrap_or(n).max(LEAST))
    }

    /// Cuts a text in the middle if necessary.
    pub fn cut(self, text: &str) -> String {
        match self {
            LineWidth::Any => text.to_owned(),
            LineWidth::Columns(n) => cut(text, n.max(LEAST)),
        }
    }

    /// Cuts names if necessary, so that different names still look different.
    pub fn names<'n>(self, names: impl IntoIterator<Item = &'n str>) -> BTreeMap<&'n str, String> {
        let names = names.into_iter().map(|name| (name, self.cut(name)));
        let mut shown: BTreeMap<&str, String> = names.collect();
        let LineWidth::Columns(n) = self else { return shown };
        for group in alike(&shown) {
            let (start, end) = in_common(&group);
            for name in group {
                let middle = start..name.len() - end;
                shown.insert(name, around(name, middle, n.max(LEAST)));
            }
        }
        // These still look the same, so they are shown whole.
        for group in alike(&shown) {
            shown.extend(group.into_iter().map(|name| (name, name.to_owned())));
        }
        shown
    }

    /// Breaks a text into lines after blanks, with later lines indented by `indent` columns. Words are never
    /// broken.
    pub fn wrap(self, text: &str, indent: usize) -> Vec<String> {
        let LineWidth::Columns(n) = self else { return vec![text.to_owned()] };
        let (mut lines, mut line) = (Vec::new(), String::new());
        for word in text.split_inclusive(' ') {
            let fits = line.width() + word.trim_end().width() <= n;
            if !fits && !line.trim().is_empty() {
                lines.push(line.trim_end().to_owned());
                line = " ".repeat(indent);
            }
            line.push_str(word);
        }
        lines.push(line.trim_end().to_owned());
        lines
    }
}

/// Groups names that would look the same.
fn alike<'n>(shown: &BTreeMap<&'n str, String>) -> Vec<Vec<&'n str>> {
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, shown) in shown {
        groups.entry(shown).or_default().push(name);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// Returns how many bytes different names have in common at their start, and after that at their end.
fn in_common(names: &[&str]) -> (usize, usize) {
    let first = names[0];
    let (mut start, mut end) = (first.len(), first.len());
    for name in &names[1..] {
        let same = first.char_indices().zip(name.chars()).take_while(|((_, a), b)| a == b);
        start = start.min(same.map(|((at, c), _)| at + c.len_utf8()).last().unwrap_or(0));
        let same = first.chars().rev().zip(name.chars().rev()).take_while(|(a, b)| a == b);
        end = end.min(same.map(|(c, _)| c.len_utf8()).sum());
    }
    let shortest = names.iter().map(|name| name.len()).min().unwrap_or(0);
    (start, end.min(shortest - start))
}

/// Cuts `name` to `width` columns, keeping its `middle` and as much around it as fits.
fn around(name: &str, middle: std::ops::Range<usize>, width: usize) -> String {
    let room = width.saturating_sub(2);
    let mut used = name[middle.clone()].width();
    if used > room {
        return format!("…{}", cut(&name[middle.start..], width - 1));
    }
    let (mut start, mut end) = (middle.start, middle.end);
    loop {
        let before = name[..start].chars().next_back();
        let after = name[end..].chars().next();
        let (was_start, was_end) = (start, end);
        for (c, is_before) in [(after, false), (before, true)] {
            let Some(c) = c else { continue };
            let columns = c.width().unwrap_or(0);
            if used + columns <= room {
                used += columns;
                if is_before { start -= c.len_utf8() } else { end += c.len_utf8() }
            }
        }
        if (start, end) == (was_start, was_end) {
            break;
        }
    }
    let (head, tail) = (if start > 0 { "…" } else { "" }, if end < name.len() { "…" } else { "" });
    format!("{head}{}{tail}", &name[start..end])
}

/// Cuts `text` in the middle to `width` columns; a combining mark stays with its letter.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let columns = |c: char| c.width().unwrap_or(0);
    let head_room = (width - 1) / 2;
    let mut used = 0;
    let fits = |c: &char| {
        used += columns(*c);
        used <= head_room
    };
    let head: String = text.chars().take_while(fits).collect();
    let tail_room = width - 1 - head.width();
    let mut start = text.len();
    let mut taken = 0;
    for (at, c) in text.char_indices().rev() {
        taken += columns(c);
        if taken > tail_room {
            break;
        }
        if columns(c) > 0 {
            start = at;
        }
    }
    format!("{head}…{}", &text[start..])
}

/// Lays out cells in columns with two blanks in between; the columns in `left` are left-aligned.
pub fn lay_out<R: AsRef<[String]>>(rows: &[R], left: &[usize]) -> Vec<String> {
    let n_columns = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or(0);
    let widths = widths(rows, n_columns);
    let line = |row: &R| {
        let cells = row.as_ref().iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            let blank = " ".repeat(width.saturating_sub(cell.width()));
            if left.contains(&column) { format!("{cell}{blank}") } else { format!("{blank}{cell}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Cuts the cells of some columns so that all columns fit the room, with two blanks in between.
pub fn shrink<const N: usize>(rows: &mut [[String; N]], flexible: &[usize], room: LineWidth) {
    let widths = widths(rows, N);
    let fixed: usize = (0..N).filter(|column| !flexible.contains(column)).map(|c| widths[c]).sum();
    let natural: Vec<usize> = flexible.iter().map(|&column| widths[column]).collect();
    let each = room.beside(fixed + 2 * (N - 1)).share(&natural);
    if each == LineWidth::Any {
        return;
    }
    let cells = rows.iter().flat_map(|row| flexible.iter().map(|&column| row[column].clone()));
    let cells: Vec<String> = cells.collect();
    let shown = each.names(cells.iter().map(String::as_str));
    for row in rows {
        for &column in flexible {
            row[column].clone_from(&shown[row[column].as_str()]);
        }
    }
}

fn widths<R: AsRef<[String]>>(rows: &[R], n_columns: usize) -> Vec<usize> {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.as_ref().get(column));
        cells.map(|cell| cell.width()).max().unwrap_or(0)
    };
    (0..n_columns).map(width).collect()
}

/// Lists the first of `n` names, and says how many more there are.
pub fn list(names: &[String], n: u64, room: LineWidth) -> String {
    let each = match room {
        LineWidth::Any => LineWidth::Any,
        LineWidth::Columns(_) => LineWidth::Columns(room.at_most(NAME_WIDTH)),
    };
    let shown = each.names(names.iter().map(String::as_str));
    let named: Vec<&str> = names.iter().map(|name| shown[name.as_str()].as_str()).collect();
    let more = n.saturating_sub(names.len() as u64);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_is_cut_by_the_columns_it_takes() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("0123456789", 7), "012…789");
        assert_eq!(cut("李明李明李明", 8), "李…李明");
        // A combining mark takes no column, and does not start the tail without its letter.
        assert_eq!(cut("e\u{301}e\u{301}", 2), "e\u{301}e\u{301}");
        assert_eq!(cut("aaaaae\u{301}b", 3), "a…b");
        for width in 2..40 {
            let cut = cut("🙂 名前 e\u{301}tude/long/path/to/a/file.py", width);
            assert!(cut.width() <= width, "{cut} in {width}");
        }
    }

    #[test]
    fn the_part_that_distinguishes_names_stays() {
        let names = ["assignment-3/ada/solution.java", "assignment-3/bob/solution.java", "own"];
        let shown = LineWidth::Columns(15).names(names);
        assert_eq!(shown[names[0]], "…nt-3/ada/solu…");
        assert_eq!(shown[names[1]], "…nt-3/bob/solu…");
        assert_eq!(shown["own"], "own");
        // Names from Moodle, where the person comes first.
        let names = ["Ada Lovelace_123_assignsubmission_file_", "Bob_124_assignsubmission_file_"];
        let shown = LineWidth::Columns(21).names(names);
        assert_eq!(shown[names[0]], "Ada Lovela…sion_file_");
        assert_eq!(LineWidth::Any.names(names)[names[0]], names[0]);
    }

    #[test]
    fn the_widest_columns_are_narrowed_first() {
        assert_eq!(LineWidth::Columns(40).share(&[5, 90]), LineWidth::Columns(35));
        assert_eq!(LineWidth::Columns(40).share(&[90, 90]), LineWidth::Columns(20));
        assert_eq!(LineWidth::Columns(40).share(&[9, 10]), LineWidth::Columns(10));
        assert_eq!(LineWidth::Columns(4).share(&[90, 90]), LineWidth::Columns(LEAST));
        assert_eq!(LineWidth::Any.share(&[90, 90]), LineWidth::Any);
    }

    #[test]
    fn lines_are_broken_after_words_and_never_inside() {
        let text = "skipped: a/very/long/path/of/a/file.png: binary: an image";
        assert_eq!(
            LineWidth::Columns(30).wrap(text, 2),
            ["skipped:", "  a/very/long/path/of/a/file.png:", "  binary: an image"]
        );
        assert_eq!(LineWidth::Any.wrap(text, 2), [text]);
        assert_eq!(LineWidth::Columns(80).wrap("", 2), [""]);
        assert_eq!(LineWidth::Columns(80).wrap("    in as it was", 2), ["    in as it was"]);
    }

    #[test]
    fn a_table_fits_its_room() {
        let row = |a: &str, b: &str| ["0.50".to_owned(), a.to_owned(), b.to_owned()];
        let mut rows = vec![row("a/long/name/of/ada", "b"), row("a/long/name/of/bob", "李明")];
        shrink(&mut rows, &[1, 2], LineWidth::Columns(24));
        let lines = lay_out(&rows, &[1, 2]);
        assert_eq!(lines, ["0.50  a/lon…of/ada  b", "0.50  a/lon…of/bob  李明"]);
    }

    proptest! {
        /// Different names never look the same, and apart from that all fit.
        #[test]
        fn names_stay_different(
            names in prop::collection::vec("(a|abc|李|e\u{301}|/|-){0,30}", 1..30),
            width in 0..40_usize,
        ) {
            let shown = LineWidth::Columns(width).names(names.iter().map(String::as_str));
            for (a, own) in &shown {
                prop_assert!(own.width() <= width.max(LEAST) || own == a);
                prop_assert!(shown.iter().all(|(b, other)| a == b || own != other), "{}", own);
            }
        }

        #[test]
        fn wrapping_loses_no_word(text in "[a-z]{1,9}( [a-z]{1,9}){0,30}", width in 12..60_usize) {
            let lines = LineWidth::Columns(width).wrap(&text, 2);
            prop_assert!(lines.iter().all(|line| line.width() <= width));
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(&lines.join(" ")), words(&text));
        }
    }
}
