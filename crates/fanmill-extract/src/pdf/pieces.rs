//! Pieces of lines, made of adjacent glyphs.
//!
//! A piece consists of glyphs drawn one after the other on one baseline, without a wide gap: nearly always it is the
//! line of a paragraph or the cell of a table. The gaps between glyphs determine where words end.

use super::direction;
use super::page::{Glyph, Sight, Text};

/// Gaps wider than this fraction of the font size end a word. Letters that are spaced out have gaps of up to .1.
const WORD_GAP: f64 = 0.13;

/// Gaps wider than this fraction of the font size end a piece.
const PIECE_GAP: f64 = 1.0;

/// Baselines that differ by less than this fraction of the font size are the same.
const SAME_LINE: f64 = 0.1;

/// Maximum number of glyphs of a line whose gaps are filled.
const MOST_WOVEN: usize = 5000;

/// Text on one baseline.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) across: f64,
    pub(super) size: f64,
    pub(super) turns: u8,
    pub(super) sight: Sight,
}

impl Piece {
    /// Returns the upper and lower edge of its letters.
    pub(super) fn extent(&self) -> (f64, f64) {
        (self.across - 0.7 * self.size, self.across + 0.2 * self.size)
    }

    pub(super) fn width(&self) -> f64 {
        self.end - self.start
    }
}

/// Joins adjacent glyphs into pieces.
pub(super) fn pieces(glyphs: &[Glyph]) -> Vec<Piece> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    for glyph in glyphs {
        match runs.last_mut() {
            Some(run) if continues(run.last, glyph) => run.push(glyph),
            _ => runs.push(Run::new(glyph)),
        }
    }
    woven(runs).iter_mut().filter_map(piece).collect()
}

/// Glyphs drawn one after the other on one baseline.
#[derive(Debug)]
struct Run<'g> {
    glyphs: Vec<&'g Glyph>,
    last: &'g Glyph,
    start: f64,
    end: f64,
    /// If set, it was woven of several.
    is_woven: bool,
}

impl<'g> Run<'g> {
    fn new(glyph: &'g Glyph) -> Run<'g> {
        let (start, end) = (glyph.start, glyph.end);
        Run { glyphs: vec![glyph], last: glyph, start, end, is_woven: false }
    }

    fn push(&mut self, glyph: &'g Glyph) {
        self.glyphs.push(glyph);
        self.last = glyph;
        self.start = self.start.min(glyph.start);
        self.end = self.end.max(glyph.end);
    }

    fn sort(&mut self) {
        self.glyphs.sort_by(|a, b| a.start.total_cmp(&b.start));
    }
}

/// Joins runs that lie within each other's gaps: a line whose letters come from two fonts is drawn with gaps for those
/// of the second.
fn woven(mut runs: Vec<Run<'_>>) -> Vec<Run<'_>> {
    let line = |run: &Run<'_>| (run.last.turns, run.last.sight);
    let order = |a: &Run<'_>, b: &Run<'_>| {
        let across = a.last.across.total_cmp(&b.last.across);
        line(a).cmp(&line(b)).then(across).then(a.start.total_cmp(&b.start))
    };
    runs.sort_by(order);
    // Runs whose baselines are the same, but for a rounding, by their positions.
    for line in runs.chunk_by_mut(|a, b| line(a) == line(b) && is_same_line(a.last, b.last)) {
        line.sort_by(|a, b| a.start.total_cmp(&b.start));
    }
    let mut woven: Vec<Run<'_>> = Vec::with_capacity(runs.len());
    // Places of the letters of the last run, ascending.
    let mut taken = Places::default();
    for run in runs {
        match woven.last_mut() {
            Some(before) if line(before) == line(&run) && fills(before, &taken, &run) => {
                taken.add(&run);
                before.is_woven = true;
                before.start = before.start.min(run.start);
                before.end = before.end.max(run.end);
                before.last = run.last;
                before.glyphs.extend(run.glyphs);
            }
            _ => {
                taken = Places::default();
                taken.add(&run);
                woven.push(run);
            }
        }
    }
    woven
}

/// Places of letters on a line, ascending.
#[derive(Debug, Default)]
struct Places(Vec<(f64, f64)>);

impl Places {
    fn add(&mut self, run: &Run<'_>) {
        let letters = run.glyphs.iter().filter(|glyph| !glyph.text.is_blank());
        self.0.extend(letters.map(|letter| (letter.start, letter.end)));
        // Nearly sorted, which takes one pass.
        self.0.sort_by(|a, b| a.0.total_cmp(&b.0));
    }

    /// Returns whether letters leave more than half of the place of a glyph free.
    fn is_free(&self, glyph: &Glyph) -> bool {
        let width = glyph.end - glyph.start;
        // The two letters before and the two after may reach into it.
        let at = self.0.partition_point(|&(start, _)| start < glyph.start);
        let near = &self.0[at.saturating_sub(2)..self.0.len().min(at + 2)];
        near.iter().all(|&(start, end)| end.min(glyph.end) - start.max(glyph.start) <= 0.4 * width)
    }
}

/// Returns whether a run begins within another one, whose letters are at the places `taken`, and most of its glyphs lie
/// in the gaps of that.
fn fills(before: &Run<'_>, taken: &Places, run: &Run<'_>) -> bool {
    let size = before.last.size.max(run.last.size);
    let is_within =
        is_same_line(before.last, run.last) && run.start <= before.end - WORD_GAP * size;
    let letters = || run.glyphs.iter().filter(|glyph| !glyph.text.is_blank());
    is_within
        && before.glyphs.len() <= MOST_WOVEN
        && letters().filter(|glyph| taken.is_free(glyph)).count() * 5 >= letters().count() * 4
}

fn is_same_line(a: &Glyph, b: &Glyph) -> bool {
    (a.across - b.across).abs() <= SAME_LINE * a.size.max(b.size)
}

/// Returns whether a glyph is beside the one drawn before it, on either side.
fn continues(last: &Glyph, next: &Glyph) -> bool {
    let size = last.size.max(next.size);
    let gap = (next.start - last.end).max(last.start - next.end);
    last.turns == next.turns
        && last.sight == next.sight
        && is_same_line(last, next)
        && last.size.min(next.size) >= 0.6 * size
        && gap <= PIECE_GAP * size
        && gap >= -1.5 * size
}

/// Joins the glyphs of a run into a piece; `None` if they are all blank.
fn piece(run: &mut Run<'_>) -> Option<Piece> {
    let is_rtl = run.glyphs.iter().any(|glyph| glyph.text.chars().any(direction::is_rtl));
    let back = |two: &[&Glyph]| two[1].start < two[0].start - 0.3 * two[0].size;
    // Glyphs that are not drawn from left to right are sorted by their positions.
    if is_rtl || run.is_woven || run.glyphs.windows(2).any(back) {
        run.sort();
    }
    let mut text = String::new();
    let mut last: Option<&Glyph> = None;
    for &glyph in &run.glyphs {
        let is_gap = last.is_some_and(|last| is_word_gap(last, glyph));
        if is_gap && !text.ends_with(' ') {
            text.push(' ');
        }
        if glyph.text.is_blank() {
            if !text.is_empty() && !text.ends_with(' ') {
                text.push(' ');
            }
        } else {
            push(&glyph.text, &mut text);
        }
        last = Some(glyph);
    }
    let seen = || run.glyphs.iter().filter(|glyph| !glyph.text.is_blank());
    let whole = seen().next().map(|first| Piece {
        start: seen().map(|glyph| glyph.start).fold(f64::INFINITY, f64::min),
        end: seen().map(|glyph| glyph.end).fold(f64::NEG_INFINITY, f64::max),
        across: first.across,
        size: seen().map(|glyph| glyph.size).fold(0.0, f64::max),
        turns: first.turns,
        sight: first.sight,
        text: text.trim_end().to_owned(),
    });
    whole.filter(|piece| !piece.text.is_empty())
}

/// Returns whether a gap between two glyphs separates words.
fn is_word_gap(last: &Glyph, next: &Glyph) -> bool {
    let ideographs = [last, next].map(|glyph| glyph.text.chars().all(is_ideograph));
    // Chinese and Japanese have no gaps between words, and their letters may have any width.
    let part = if ideographs == [true, true] { 0.6 } else { WORD_GAP };
    next.start - last.end > part * last.size.min(next.size)
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Appends characters, and replaces ligatures by the letters that they join.
fn push(glyph: &Text, out: &mut String) {
    let turned = match glyph {
        Text::One(_) => None,
        Text::Many(text) => Some(Text::Many(direction::looks(text).into())),
    };
    for c in turned.as_ref().unwrap_or(glyph).chars() {
        match c {
            '\u{FB00}' => out.push_str("ff"),
            '\u{FB01}' => out.push_str("fi"),
            '\u{FB02}' => out.push_str("fl"),
            '\u{FB03}' => out.push_str("ffi"),
            '\u{FB04}' => out.push_str("ffl"),
            '\u{FB05}' | '\u{FB06}' => out.push_str("st"),
            c if c.is_whitespace() => {
                if !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
}

/// Returns the text between a piece and the one before it on its line: a space or nothing.
pub(super) fn joint(last: &Piece, next: &Piece) -> &'static str {
    let size = last.size.min(next.size);
    let is_wide = |text: Option<char>| text.is_some_and(is_ideograph);
    let ideographs = is_wide(last.text.chars().next_back()) && is_wide(next.text.chars().next());
    let part = if ideographs { 0.6 } else { WORD_GAP };
    if next.start - last.end > part * size || next.start < last.start { " " } else { "" }
}
