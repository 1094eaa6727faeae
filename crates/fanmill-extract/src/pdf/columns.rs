//! Reading order of the pieces of a page: columns one after the other, and lines from top to bottom.
//!
//! White space that reaches down over several lines separates columns if there is text on both sides that fills its
//! side. The rows of a table do not fill their sides and are read across. The same test is then made above and below
//! such a band, and in each column.
//!
//! Cost: O(n log n + rows · width) for a page of n pieces, at each of at most [`DEEPEST`] levels.

use super::direction;
use super::pieces::{Piece, joint};

/// Maximum nesting of columns inside bands inside columns.
const DEEPEST: usize = 6;

/// Minimum number of lines of a column.
const SHORTEST_COLUMN: usize = 4;

/// Width of a step across the page, in points.
const STEP: f64 = 2.0;

/// Maximum number of steps across the page: wider pages are cut here.
const MOST_STEPS: usize = 1024;

/// A line in reading order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) across: f64,
    pub(super) size: f64,
    /// If set, it begins a block: a column, or the text after a gap.
    pub(super) is_apart: bool,
}

/// Returns the lines of a page in reading order.
pub(super) fn lines(pieces: &[Piece]) -> Vec<Line> {
    let mut lines = Vec::new();
    for turns in 0..4 {
        let turned = pieces.iter().filter(|piece| piece.turns == turns).cloned().collect();
        let rows = rows(turned);
        read(&rows, 0, &mut lines);
    }
    lines
}

/// Pieces on one line across the whole page, from left to right.
#[derive(Debug)]
struct Row {
    pieces: Vec<Piece>,
    top: f64,
    bottom: f64,
    size: f64,
}

/// Groups pieces by line, from top to bottom.
fn rows(mut pieces: Vec<Piece>) -> Vec<Row> {
    pieces.sort_by(|a, b| a.across.total_cmp(&b.across).then(a.start.total_cmp(&b.start)));
    let mut rows: Vec<Row> = Vec::new();
    for piece in pieces {
        let (top, bottom) = piece.extent();
        let fits = |row: &Row| {
            let shared = row.bottom.min(bottom) - row.top.max(top);
            shared > 0.5 * (bottom - top).min(row.bottom - row.top)
        };
        // A raised or lowered piece may come before or after the line that it belongs to.
        match rows.iter_mut().rev().take(4).find(|row| fits(row)) {
            Some(row) => {
                if piece.size > row.size {
                    (row.top, row.bottom, row.size) = (top, bottom, piece.size);
                }
                row.pieces.push(piece);
            }
            None => rows.push(Row { top, bottom, size: piece.size, pieces: vec![piece] }),
        }
    }
    for row in &mut rows {
        row.pieces.sort_by(|a, b| a.start.total_cmp(&b.start));
    }
    rows.sort_by(|a, b| a.bottom.total_cmp(&b.bottom));
    rows
}

/// Writes rows in reading order.
fn read(rows: &[Row], depth: usize, lines: &mut Vec<Line>) {
    let band = (depth < DEEPEST).then(|| widest_band(rows)).flatten();
    let Some(Band { from, to, at }) = band else {
        return rows.iter().for_each(|row| write(row, lines));
    };
    read(&rows[..from], depth + 1, lines);
    for is_right in [false, true] {
        let side = side(&rows[from..to], at, is_right);
        let first = lines.len();
        read(&side, depth + 1, lines);
        if let Some(line) = lines.get_mut(first) {
            line.is_apart = true;
        }
    }
    let first = lines.len();
    read(&rows[to..], depth + 1, lines);
    if let Some(line) = lines.get_mut(first) {
        line.is_apart = true;
    }
}

/// Returns the pieces on one side of a cut, as rows of their own.
fn side(rows: &[Row], at: f64, is_right: bool) -> Vec<Row> {
    let on_side = |piece: &&Piece| (piece.start >= at) == is_right;
    self::rows(rows.iter().flat_map(|row| &row.pieces).filter(on_side).cloned().collect())
}

/// Rows with white space between two columns.
#[derive(Debug)]
struct Band {
    from: usize,
    to: usize,
    /// Position at which the page is cut.
    at: f64,
}

/// Returns the longest run of rows in two columns.
fn widest_band(rows: &[Row]) -> Option<Band> {
    let pieces = || rows.iter().flat_map(|row| &row.pieces);
    let left = pieces().map(|piece| piece.start).fold(f64::INFINITY, f64::min);
    let right = pieces().map(|piece| piece.end).fold(f64::NEG_INFINITY, f64::max);
    let n_steps = steps_in(right - left).min(MOST_STEPS);
    if rows.len() < SHORTEST_COLUMN || n_steps < 2 {
        return None;
    }
    let grid: Vec<Vec<bool>> = rows.iter().map(|row| covered(row, left, n_steps)).collect();
    let mut best: Option<(usize, Band)> = None;
    for step in 1..n_steps {
        let at = left + step as f64 * STEP;
        let mut from = 0;
        while from < rows.len() {
            let to = grid[from..].iter().position(|row| row[step]).map_or(rows.len(), |n| from + n);
            if to - from >= SHORTEST_COLUMN {
                let weight = are_columns(&rows[from..to], at);
                if weight > best.as_ref().map_or(0, |(weight, _)| *weight) {
                    best = Some((weight, Band { from, to, at }));
                }
            }
            from = to + 1;
        }
    }
    best.map(|(_, band)| band)
}

/// Returns the number of steps that a distance reaches into.
#[expect(clippy::cast_sign_loss, reason = "a distance to the left is none")]
fn steps_in(points: f64) -> usize {
    (points / STEP).ceil().max(0.0) as usize
}

/// Returns for each step whether the row has text there, or so close that the gap may be one between words.
fn covered(row: &Row, left: f64, n_steps: usize) -> Vec<bool> {
    let mut steps = vec![false; n_steps];
    let margin = 0.4 * row.size;
    for piece in &row.pieces {
        let from = steps_in(piece.start - margin - left);
        let to = steps_in(piece.end + margin - left);
        for step in steps.iter_mut().take(to.min(n_steps)).skip(from) {
            *step = true;
        }
    }
    steps
}

/// Returns the number of lines of the shorter of two columns; 0 if the rows are not in two columns.
fn are_columns(rows: &[Row], at: f64) -> usize {
    let mut sides = [ColumnStats::new(), ColumnStats::new()];
    let mut n_level = 0;
    for row in rows {
        let (mut has_left, mut has_right) = (false, false);
        for side in [false, true] {
            let mut on_side = row.pieces.iter().filter(|piece| (piece.start >= at) == side);
            let Some(first) = on_side.next() else { continue };
            let (mut end, mut filled) = (first.end, first.width());
            for piece in on_side {
                end = end.max(piece.end);
                filled += piece.width();
            }
            sides[usize::from(side)].add(first.start, end, filled, row.size);
            *(if side { &mut has_right } else { &mut has_left }) = true;
        }
        n_level += usize::from(has_left && has_right);
    }
    let n = sides[0].filled.len().min(sides[1].filled.len());
    // Cells of a table are level with each other, and shorter than lines of prose.
    let is_level = n_level * 5 >= n * 4;
    let full = if is_level { 0.7 } else { 0.5 };
    let fits = n >= SHORTEST_COLUMN && sides.iter().all(|side| side.is_column(full));
    if fits { n } else { 0 }
}

/// Measurements of one side of a cut.
#[derive(Debug)]
struct ColumnStats {
    start: f64,
    end: f64,
    size: f64,
    filled: Vec<f64>,
}

impl ColumnStats {
    fn new() -> ColumnStats {
        ColumnStats { start: f64::INFINITY, end: f64::NEG_INFINITY, size: 0.0, filled: Vec::new() }
    }

    fn add(&mut self, start: f64, end: f64, filled: f64, size: f64) {
        self.start = self.start.min(start);
        self.end = self.end.max(end);
        self.size = self.size.max(size);
        self.filled.push(filled);
    }

    /// Returns whether the median line fills the fraction `full` of the width, and the column is wide enough for prose.
    fn is_column(&self, full: f64) -> bool {
        let width = self.end - self.start;
        let mut filled = self.filled.clone();
        filled.sort_by(f64::total_cmp);
        filled.get(filled.len() / 2).is_some_and(|median| *median >= full * width)
            && width >= 9.0 * self.size
    }
}

/// Writes one row as a line.
fn write(row: &Row, lines: &mut Vec<Line>) {
    let mut text = String::new();
    let mut last: Option<&Piece> = None;
    for piece in &row.pieces {
        if let Some(last) = last
            && !text.ends_with(' ')
        {
            text.push_str(joint(last, piece));
        }
        text.push_str(&piece.text);
        last = Some(piece);
    }
    let (Some(first), Some(last)) = (row.pieces.first(), last) else { return };
    let across = row.bottom - 0.2 * row.size;
    let is_apart = lines.last().is_none_or(|above| {
        across < above.across || across - above.across > 1.6 * above.size.max(row.size)
    });
    let (start, end, size) = (first.start, last.end, row.size);
    lines.push(Line { text: direction::read(text), start, end, across, size, is_apart });
}
