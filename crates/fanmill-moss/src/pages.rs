//! The pages of a result, in the form expected by programs that read MOSS's pages.
//!
//! Teachers' scripts download these pages and take them apart, so their shape is a protocol, too. They rely on the
//! following, which the pages keep:
//!
//! - The index has one table before all others. Its cells are not closed; a row has three: two links `name (87%)`, and
//!   a whole number of lines. Every link is `ADDRESS/matchK.html`; there are no others.
//! - Percentages and lines are at least 1. pymousse divides by both.
//! - `matchK.html` is a frame set of `matchK-top.html`, `matchK-0.html` and `matchK-1.html`.
//! - The top page has its table inside `<CENTER>`: a header whose first and third cells are `name (87%)`, and for each
//!   passage the cells `33-52`, picture, `40-61`, picture, all of them links.
//! - On a text's page, passage `i` is `<A NAME="i"></A>`, directly followed by a `<FONT>` beside it, in which a link to
//!   the other side comes first and text last. The same numbers occur on both sides.
//! - All links of a pair's pages lead to `matchK-0.html#i` and `matchK-1.html#i`.
//!
//! Passages of one text should not overlap; if they do, the one that begins later is shown on top. MOSS draws bars with
//! pictures of its server. Here they are part of the page (`data:`), and other resources are not needed. A content
//! policy has to allow `img-src data:` and frames of the same origin.
//!
//! Pages are served as `text/html; charset=utf-8`; mosspy does not save a page without a charset. The index is
//! `ADDRESS` and `ADDRESS/` alike, without redirection.
//!
//! Cost: linear in the texts, and n log n for n passages.
//! Source: pages that MOSS made, and what mosspy 1.0.9, pymousse 0.1.5, markus-moss 0.1.2 and moss-cappa 0.3 look for
//! in them.

use std::fmt;
use std::fmt::Write;
use std::ops::Range;

use crate::escape::{escaped, label};

/// The colours of passages, in turn; they are MOSS's.
const COLOURS: [&str; 5] = ["#FF0000", "#00FF00", "#0000FF", "#00FFFF", "#FF00FF"];

/// One submission of a pair, as the index lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The name as the client sent it.
    pub name: String,
    /// The percentage of it that is in passages, from [`percent`]. Shown as 1 to 100.
    pub percent: u32,
}

/// A pair of submissions, as the index lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPair {
    /// The submission on the left.
    pub first: Side,
    /// The submission on the right.
    pub second: Side,
    /// Number of lines in passages. Shown as at least 1.
    pub lines_matched: u64,
}

/// Returns a fraction (`0..=1`) in percent, rounded down as MOSS does, but at least 1: a listed pair shares something.
///
/// ```
/// use fanmill_moss::pages::percent;
/// assert_eq!([0.0, 0.001, 0.999, 1.0, f64::NAN].map(percent), [1, 1, 99, 100, 1]);
/// ```
#[expect(clippy::cast_sign_loss, reason = "at least 1")]
pub fn percent(share: f64) -> u32 {
    // The small addend keeps 0.29 from becoming 28 percent, since its product is slightly below 29 in binary.
    (share * 100.0 + 1e-9).clamp(1.0, 100.0).max(1.0) as u32
}

/// The contents of the index.
#[derive(Clone, Copy, Debug)]
pub struct Index<'a> {
    /// The address of the result, absolute and without a slash at its end.
    pub address: &'a str,
    /// The time at which the result was made, in readable form.
    pub date: &'a str,
    /// The settings, from [`Settings::options`](crate::Settings::options).
    pub options: &'a str,
    /// The user's comment on the request; may be empty.
    pub comment: &'a str,
    /// The pairs, in the order of their pages: the first is `match0.html`.
    pub listed: &'a [ListedPair],
    /// Errors, one a line.
    pub notes: &'a [String],
    /// The address of another page with the same result. It is shown but not linked, since scripts take every link of
    /// the index for a pair.
    pub report: Option<&'a str>,
}

/// A pair with everything that its pages show.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// Its place in the index, counted from 0.
    pub number: usize,
    /// Names and percentages, as in the index.
    pub listed: &'a ListedPair,
    /// The whole texts; the first is on the left.
    pub texts: [&'a str; 2],
    /// The passages in the order in which they are listed; MOSS lists the largest first.
    pub passages: &'a [Passage],
}

/// A passage that is in both texts of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Its place in each text, in bytes. A place beyond the text, or inside a character, is moved back to the last
    /// valid place.
    pub ranges: [Range<usize>; 2],
    /// Its size in tokens. Bars show its fraction of all passages.
    pub tokens: u64,
}

/// One of the two texts of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairSide {
    /// The text on the left, `matchK-0.html`.
    First,
    /// The text on the right, `matchK-1.html`.
    Second,
}

impl PairSide {
    fn number(self) -> usize {
        match self {
            PairSide::First => 0,
            PairSide::Second => 1,
        }
    }

    fn other(self) -> PairSide {
        match self {
            PairSide::First => PairSide::Second,
            PairSide::Second => PairSide::First,
        }
    }
}

/// A page of a result, by its name; `match3-top.html` is `Top(3)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The index, whose name is empty.
    Index,
    /// The frame set of a pair.
    Frames(usize),
    /// The passages of a pair.
    Top(usize),
    /// A text of a pair.
    Text(usize, PairSide),
}

impl Page {
    /// Returns the page with this name, which is the part of an address after the result's and its slash.
    ///
    /// ```
    /// use fanmill_moss::pages::{Page, PairSide};
    /// assert_eq!(Page::named("match12-1.html"), Some(Page::Text(12, PairSide::Second)));
    /// assert_eq!(Page::named(""), Some(Page::Index));
    /// assert_eq!(Page::named("match012.html"), None);
    /// ```
    pub fn named(name: &str) -> Option<Page> {
        if name.is_empty() || name == "index.html" {
            return Some(Page::Index);
        }
        let stem = name.strip_prefix("match")?.strip_suffix(".html")?;
        let (digits, part) = stem.split_once('-').map_or((stem, None), |(n, part)| (n, Some(part)));
        let number: usize = digits.parse().ok()?;
        let page = match part {
            None => Page::Frames(number),
            Some("top") => Page::Top(number),
            Some("0") => Page::Text(number, PairSide::First),
            Some("1") => Page::Text(number, PairSide::Second),
            Some(_) => return None,
        };
        // Each page has one name, without leading zeros or a sign.
        (page.to_string() == name).then_some(page)
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Page::Index => Ok(()),
            Page::Frames(number) => write!(f, "match{number}.html"),
            Page::Top(number) => write!(f, "match{number}-top.html"),
            Page::Text(number, which) => write!(f, "match{number}-{}.html", which.number()),
        }
    }
}

/// Makes the index of a result: its pairs, or a statement that nothing was found.
pub fn index(index: &Index) -> String {
    let mut html = start("Moss Results", "");
    let _ = writeln!(html, "Moss Results<p>\n{}", escaped(index.date));
    let _ = writeln!(html, "<p>Options {}", escaped(index.options));
    if !index.comment.trim().is_empty() {
        let _ = writeln!(html, "<p>{}", label(index.comment));
    }
    // Programs take the third paragraph for the title, which is empty without a comment. So what is ours is in none, and
    // it is no link, since some follow all links.
    html.push_str("<HR>\n");
    if let Some(report) = index.report {
        let _ = writeln!(html, "[ The same result, with more to see: {} ]", escaped(report));
    }
    html.push_str("<p><HR>\n<TABLE>\n<TR><TH>File 1<TH>File 2<TH>Lines Matched\n");
    for (number, listed) in index.listed.iter().enumerate() {
        let link = format!("{}/{}", escaped(index.address), Page::Frames(number));
        let cell = |side: &Side| format!("<TD><A HREF=\"{link}\">{}</A>\n", titled(side));
        let (first, second) = (cell(&listed.first), cell(&listed.second));
        let _ = write!(html, "<TR>{first}    {second}");
        let _ = writeln!(html, "<TD ALIGN=right>{}", listed.lines_matched.max(1));
    }
    html.push_str("</TABLE>\n");
    if index.listed.is_empty() {
        html.push_str("No matches were found in your submission.<p>\n");
    }
    html.push_str("<HR>\nAny errors encountered during this query are listed below.<p>\n");
    for note in index.notes {
        let _ = writeln!(html, "{}<p>", label(note));
    }
    html + "</BODY>\n</HTML>\n"
}

/// Makes `matchK.html`: the frames of a pair.
pub fn frames(pair: &Pair) -> String {
    let number = pair.number;
    let frame = |page: Page, name: &str| format!("<FRAME SRC=\"{page}\" NAME=\"{name}\">");
    let top = format!("<FRAME SRC=\"{}\" NAME=\"top\" FRAMEBORDER=0>", Page::Top(number));
    let left = frame(Page::Text(number, PairSide::First), "0");
    let right = frame(Page::Text(number, PairSide::Second), "1");
    let (first, second) = (label(&pair.listed.first.name), label(&pair.listed.second.name));
    format!(
        "{}<FRAMESET ROWS=\"150,*\"><FRAMESET COLS=\"1000,*\">{top}</FRAMESET>\
         <FRAMESET COLS=\"50%,50%\">{left}{right}</FRAMESET></FRAMESET>\n</HTML>\n",
        head(&format!("Matches for {first} and {second}"))
    )
}

/// Makes `matchK-top.html`: the passages of a pair, with their lines.
pub fn top(pair: &Pair) -> String {
    let sides = [&pair.listed.first, &pair.listed.second];
    let lines = pair.texts.map(Lines::new);
    let all = pair.passages.iter().fold(0_u64, |all, passage| all.saturating_add(passage.tokens));
    let mut html = start("Top", " BGCOLOR=white");
    html.push_str("<CENTER>\n<TABLE BORDER=\"1\" CELLSPACING=\"0\" BGCOLOR=\"#d0d0d0\">\n<TR>");
    for side in sides {
        let _ = write!(html, "<TH>{}<TH>{}", titled(side), bar(0, shown(side), ""));
    }
    html.push_str("<TH>\n");
    for (i, passage) in pair.passages.iter().enumerate() {
        html.push_str("<TR>");
        for which in [PairSide::First, PairSide::Second] {
            let side = which.number();
            let range = within(pair.texts[side], &passage.ranges[side]);
            let (from, to) = lines[side].of(&range);
            let link = format!("HREF=\"{}#{i}\"", Page::Text(pair.number, which));
            let share = u128::from(shown(sides[side])) * u128::from(passage.tokens)
                / u128::from(all.max(1));
            let bar = bar(i, share as u32, "link");
            let _ = writeln!(html, "<TD><A {link} NAME=\"{i}\" TARGET=\"{side}\">{from}-{to}</A>");
            let _ = writeln!(html, "<TD><A {link} TARGET=\"{side}\">{bar}</A>");
        }
    }
    html + "</TABLE>\n</CENTER>\n</BODY>\n</HTML>\n"
}

/// Makes `matchK-0.html` or `matchK-1.html`: a text with its passages in colours.
pub fn text(pair: &Pair, which: PairSide) -> String {
    let side = [&pair.listed.first, &pair.listed.second][which.number()];
    let name = label(&side.name);
    let html = start(&name, " BGCOLOR=white") + "<HR>\n" + &name + "<p><PRE>\n";
    MarkedText::new(html, pair, which).all() + "</PRE>\n</BODY>\n</HTML>\n"
}

/// Joins the files of a submission into one text, each after a line with its name, as MOSS shows folders.
///
/// Returns the text, and the start of each file's own text in it, in bytes.
pub fn joined<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> (String, Vec<usize>) {
    let (mut text, mut starts) = (String::new(), Vec::new());
    for (name, contents) in files {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(text, ">>>> file: {name}");
        starts.push(text.len());
        text.push_str(contents);
    }
    (text, starts)
}

/// Returns the first half of a page; the title is HTML.
fn start(title: &str, attributes: &str) -> String {
    format!("{}<BODY{attributes}>\n", head(title))
}

fn head(title: &str) -> String {
    format!("<HTML>\n<HEAD>\n<TITLE>{title}</TITLE>\n</HEAD>\n")
}

/// Returns `name (87%)`.
fn titled(side: &Side) -> String {
    format!("{} ({}%)", label(&side.name), shown(side))
}

/// Returns the percentage to show, which is never 0, since scripts divide by it.
fn shown(side: &Side) -> u32 {
    side.percent.clamp(1, 100)
}

/// Makes a picture of a bar that is filled to `percent`.
fn bar(passage: usize, percent: u32, alternative: &str) -> String {
    let colour = COLOURS[passage % COLOURS.len()].replace('#', "%23");
    let rect = |width: u32, fill: &str| {
        format!("%3Crect width='{width}' height='10' stroke='black' fill='{fill}'/%3E")
    };
    let svg = "%3Csvg xmlns='http://www.w3.org/2000/svg' width='102' height='10'%3E";
    let (back, front) = (rect(102, "white"), rect(percent.min(100) + 2, &colour));
    format!(
        "<IMG SRC=\"data:image/svg+xml,{svg}{back}{front}%3C/svg%3E\" ALT=\"{alternative}\" BORDER=\"0\" \
         ALIGN=left>"
    )
}

/// Moves a range into the text, and to the boundaries of characters.
fn within(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(range.start);
    start..text.floor_char_boundary(range.end).max(start)
}

/// The ends of a text's lines, in bytes.
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Lines {
        Lines(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// Returns the first and the last line of a range, counted from 1.
    fn of(&self, range: &Range<usize>) -> (usize, usize) {
        let line = |at: usize| self.0.partition_point(|end| *end < at) + 1;
        let last = range.end.saturating_sub(1).max(range.start);
        (line(range.start), line(last))
    }
}

/// A text being written with its passages, as `<FONT>` elements side by side.
struct MarkedText<'a> {
    html: String,
    text: &'a str,
    ranges: Vec<Range<usize>>,
    number: usize,
    which: PairSide,
    /// Number of bytes of the text that are written.
    at: usize,
    /// Passages that have begun and may not have ended; the last one is on top.
    begun: Vec<usize>,
    /// The passage whose `<FONT>` is open, and true if it has text.
    open: Option<(usize, bool)>,
}

impl<'a> MarkedText<'a> {
    fn new(html: String, pair: &Pair<'a>, which: PairSide) -> MarkedText<'a> {
        let (number, side) = (pair.number, which.number());
        let text = pair.texts[side];
        let ranges = pair.passages.iter().map(|passage| within(text, &passage.ranges[side]));
        let ranges = ranges.collect();
        MarkedText { html, text, ranges, number, which, at: 0, begun: Vec::new(), open: None }
    }

    fn all(mut self) -> String {
        let mut order: Vec<usize> = (0..self.ranges.len()).collect();
        order.sort_by_key(|i| (self.ranges[*i].start, *i));
        for i in order {
            self.write_to(self.ranges[i].start);
            self.begin(i);
        }
        self.write_to(self.text.len());
        self.close();
        self.html
    }

    /// Writes the text up to byte `to`, each stretch in the colour of the passage on top.
    fn write_to(&mut self, to: usize) {
        while self.at < to {
            while self.begun.pop_if(|i| self.ranges[*i].end <= self.at).is_some() {}
            let top = self.begun.last().copied();
            if self.open.map(|(i, _)| i) != top {
                self.close();
                if let Some(i) = top {
                    self.font(i);
                }
            }
            let end = top.map_or(to, |i| self.ranges[i].end.min(to));
            self.html.push_str(&escaped(&self.text[self.at..end]));
            self.at = end;
            if let Some((_, has_text)) = &mut self.open {
                *has_text = true;
            }
        }
    }

    fn begin(&mut self, i: usize) {
        self.close();
        let _ = write!(self.html, "<A NAME=\"{i}\"></A>");
        self.font(i);
        let (side, bar) = (self.which.other().number(), bar(i, 100, "other"));
        let page = Page::Text(self.number, self.which.other());
        let _ = write!(self.html, "<A HREF=\"{page}#{i}\" TARGET=\"{side}\">{bar}</A>");
        self.begun.push(i);
    }

    fn font(&mut self, i: usize) {
        let _ = write!(self.html, "<FONT color = {}>", COLOURS[i % COLOURS.len()]);
        self.open = Some((i, false));
    }

    /// Closes the open `<FONT>`. markus-moss takes the last thing inside for text, so there has to be some.
    fn close(&mut self) {
        if let Some((_, has_text)) = self.open.take() {
            self.html.push_str(if has_text { "</FONT>" } else { "\n</FONT>" });
        }
    }
}

#[cfg(test)]
mod tests;
