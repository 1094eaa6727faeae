//! Drawing of figures as SVG.
//!
//! Nothing covers data: the legend is below the title, and the names of lines are in the margins. Series differ in
//! colour and marker, and dashed ones in their dashes. The colours are those of Okabe & Ito, which people with any kind
//! of colour vision can distinguish. Equal figures give equal bytes. Texts may come from anyone: they are made
//! printable first, and escaped as XML.
//!
//! Cost: O(n) in the points; neighbours that fall on the same pixel are drawn once.

#![expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "pixels, and things that are seen, are few and not below zero"
)]

mod lettering;
mod svg;
mod marker;
mod ticks;
mod plot;
mod series;

use fanmill_report::printable;

use crate::outcome::{Figure, Place, Style};
use lettering::{LABEL, SMALL, TITLE, fitted, width_of, wrapped};
use plot::{Plot, spot};
use svg::{Anchor, Level, Stroke, Svg, TextPlacement};
use ticks::{Extent, place};
pub use ticks::{number, thousands};

/// Width and height of a figure, in pixels.
const SIZE: (i32, i32) = (900, 560);

/// Margin on the left and right, in pixels.
const MARGIN: i32 = 18;

/// Space below the plot, in pixels: for two lines of names or one of numbers, and the axis's label.
const BELOW: i32 = 64;

const AXIS: Stroke = Stroke::solid("#666", 1);
const TICK_LINE: Stroke = Stroke::solid("#dbdbdb", 1);
const FINE_LINE: Stroke = Stroke::solid("#f2f2f2", 1);
const ACROSS: Stroke = Stroke { dashes: Some((2, 3)), ..Stroke::solid("#404040", 1) };

/// Returns the figure as SVG, 900 by 560 pixels.
pub fn svg(figure: &Figure) -> String {
    let mut svg = Svg::new(SIZE);
    draw(&printed(figure), &mut svg);
    svg.finish()
}

/// Returns the figure with all its texts on one line each, and printable.
fn printed(figure: &Figure) -> Figure {
    let mut figure = figure.clone();
    let axes = [&mut figure.x, &mut figure.y];
    let of_axes = axes
        .into_iter()
        .flat_map(|axis| std::iter::once(&mut axis.label).chain(axis.names.iter_mut()));
    let of_series = figure.series.iter_mut().map(|series| &mut series.name);
    let of_lines = figure.lines.iter_mut().map(|line| &mut line.name);
    for text in of_axes.chain(of_series).chain(of_lines).chain([&mut figure.title]) {
        *text = printable(text).into_owned();
    }
    figure
}

fn draw(figure: &Figure, svg: &mut Svg) {
    let is_barred = figure.series.iter().any(|series| series.style == Style::Bars);
    let x = Extent::new(&figure.x, numbers(figure, Side::X), false);
    let y = Extent::new(&figure.y, numbers(figure, Side::Y), is_barred);
    let (width, height) = SIZE;
    let mut top = 14;
    for line in wrapped(&figure.title, TITLE, width - 2 * MARGIN, 2) {
        svg.text(&line, (MARGIN, top), TextPlacement::across(TITLE, Anchor::Start, Level::Below));
        top += 25;
    }
    top = legend(figure, svg, top + 5);
    let uprights = uprights(figure, &x);
    // The names of vertical lines need up to two rows above the plot.
    top += if uprights.is_empty() { 6 } else { 2 * 18 };
    let left = MARGIN + left_of_axis(figure, &y);
    let right = width - MARGIN.max(margin_for_levels(figure));
    let plot = Plot { x, y, left, right, top, bottom: height - BELOW };
    debug_assert!(top < plot.bottom - 100, "enough is left for data");
    mesh(figure, &plot, svg);
    series::draw(figure, &plot, svg);
    upright_lines(&uprights, &plot, svg);
    level_lines(figure, &plot, svg);
}

/// One of the two axes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    X,
    Y,
}

/// Returns all numbers that must be on the axis.
fn numbers(figure: &Figure, side: Side) -> impl Iterator<Item = f64> + '_ {
    let points = figure.series.iter().flat_map(|series| &series.points);
    let lines = figure.lines.iter().filter_map(move |line| match (line.at, side) {
        (Place::X(at), Side::X) | (Place::Y(at), Side::Y) => Some(at),
        _ => None,
    });
    // A point without a position on the other axis is not shown.
    let shown = points.filter(|&&(x, y)| spot(figure, x, y).is_some());
    shown.map(move |&(x, y)| if side == Side::X { x } else { y }).chain(lines)
}

/// Draws the legend in rows from `top` on; returns the first free row below it.
fn legend(figure: &Figure, svg: &mut Svg, top: i32) -> i32 {
    const SAMPLE: i32 = 34;
    const ROW: i32 = 21;
    const ROWS: i32 = 5;
    const NAME: TextPlacement = TextPlacement::across(SMALL, Anchor::Start, Level::Centred);
    if figure.series.len() < 2 && figure.series.iter().all(|series| series.name.is_empty()) {
        return top;
    }
    let (mut x, mut y) = (MARGIN, top + ROW / 2);
    for (index, series) in figure.series.iter().enumerate() {
        let name = fitted(&series.name, SMALL, 300);
        let wide = SAMPLE + 8 + width_of(&name, SMALL) + 22;
        if x > MARGIN && x + wide > SIZE.0 {
            (x, y) = (MARGIN, y + ROW);
        }
        if y > top + ROWS * ROW {
            let more = format!("and {} more", figure.series.len() - index);
            svg.text(&more, (x, y - ROW / 2), NAME);
            break;
        }
        series::sample(series, index, (x, y), SAMPLE, svg);
        svg.text(&name, (x + SAMPLE + 8, y), NAME);
        x += wide;
    }
    y + ROW / 2 + 8
}

/// Returns the space to the left of the vertical axis, for its label and numbers.
fn left_of_axis(figure: &Figure, y: &Extent) -> i32 {
    let widest = y.ticks.iter().map(|(_, label)| width_of(label, SMALL)).max().unwrap_or(0);
    let label = if figure.y.label.is_empty() { 10 } else { 36 };
    (widest + label).clamp(50, 280)
}

/// Maximum width of a line of a horizontal line's name, in pixels.
const LEVEL_NAME: i32 = 150;

/// Returns the space to the right of the plot, for the names of horizontal lines.
fn margin_for_levels(figure: &Figure) -> i32 {
    let names = figure.lines.iter().filter(|line| matches!(line.at, Place::Y(_)));
    let widest = |name: &str| {
        wrapped(name, SMALL, LEVEL_NAME, 3).iter().map(|line| width_of(line, SMALL)).max()
    };
    names.filter_map(|line| widest(&line.name)).max().map_or(0, |widest| widest + 20)
}

/// Returns the vertical lines, by position.
fn uprights<'f>(figure: &'f Figure, x: &Extent) -> Vec<(f64, &'f str)> {
    let mut uprights: Vec<(f64, &str)> = figure
        .lines
        .iter()
        .filter_map(|line| match line.at {
            Place::X(at) => Some((place(&figure.x, at)?, line.name.as_str())),
            Place::Y(_) => None,
        })
        .filter(|(at, _)| (x.from..=x.to).contains(at))
        .collect();
    uprights.sort_by(|a, b| a.0.total_cmp(&b.0));
    uprights
}

/// Draws the axes with their labels, ticks and grid lines; an axis of names has no grid lines.
fn mesh(figure: &Figure, plot: &Plot, svg: &mut Svg) {
    let &Plot { left, right, top, bottom, .. } = plot;
    let (is_named_x, is_named_y) = (!figure.x.names.is_empty(), !figure.y.names.is_empty());
    let ticks = |extent: &Extent| -> Vec<f64> { extent.ticks.iter().map(|&(at, _)| at).collect() };
    for (at, stroke) in [(&plot.x.minor, FINE_LINE), (&ticks(&plot.x), TICK_LINE)] {
        for column in at.iter().map(|&at| plot.column(at)).filter(|_| !is_named_x) {
            svg.line(&[(column, top), (column, bottom)], stroke);
        }
    }
    for (at, stroke) in [(&plot.y.minor, FINE_LINE), (&ticks(&plot.y), TICK_LINE)] {
        for row in at.iter().map(|&at| plot.row(at)).filter(|_| !is_named_y) {
            svg.line(&[(left, row), (right, row)], stroke);
        }
    }
    svg.line(&[(left, top), (left, bottom), (right, bottom)], AXIS);
    let wide = (left - MARGIN - 36).max(40);
    for (at, label) in &plot.y.ticks {
        let row = plot.row(*at);
        svg.line(&[(left - 5, row), (left, row)], AXIS);
        let setting = TextPlacement::across(SMALL, Anchor::End, Level::Centred);
        svg.text(&fitted(label, SMALL, wide), (left - 9, row), setting);
    }
    // A name may take two lines; a number takes one.
    let slot = if is_named_x { (right - left) / figure.x.names.len() as i32 - 6 } else { i32::MAX };
    for (at, label) in &plot.x.ticks {
        let column = plot.column(*at);
        svg.line(&[(column, bottom), (column, bottom + 5)], AXIS);
        for (row, line) in (0..).zip(wrapped(label, SMALL, slot, 2)) {
            let setting = TextPlacement::across(SMALL, Anchor::Middle, Level::Below);
            svg.text(&line, (column, bottom + 8 + 15 * row), setting);
        }
    }
    let label = TextPlacement::across(LABEL, Anchor::Middle, Level::Above);
    svg.text(&figure.x.label, (i32::midpoint(left, right), SIZE.1 - 12), label);
    let label = TextPlacement { level: Level::Below, is_upright: true, ..label };
    svg.text(&figure.y.label, (MARGIN, i32::midpoint(top, bottom)), label);
}

/// Draws the vertical lines, with their names above the plot.
fn upright_lines(uprights: &[(f64, &str)], plot: &Plot, svg: &mut Svg) {
    let mut free = [i32::MIN; 2];
    for &(at, name) in uprights {
        let column = plot.column(at);
        svg.line(&[(column, plot.bottom), (column, plot.top)], ACROSS);
        let name = fitted(name, SMALL, 260);
        let half = width_of(&name, SMALL) / 2;
        let middle = column.clamp(half + 4, SIZE.0 - half - 4);
        // The lower row is used if it is free there, otherwise the one above it.
        let row = usize::from(free[0] > middle - half);
        free[row] = middle + half + 12;
        let at = (middle, plot.top - 6 - 17 * row as i32);
        svg.text(&name, at, TextPlacement::across(SMALL, Anchor::Middle, Level::Above));
    }
}

/// Draws the horizontal lines, with their names to the right of the plot.
fn level_lines(figure: &Figure, plot: &Plot, svg: &mut Svg) {
    let mut levels: Vec<(f64, &str)> = figure
        .lines
        .iter()
        .filter_map(|line| match line.at {
            Place::Y(at) => Some((place(&figure.y, at)?, line.name.as_str())),
            Place::X(_) => None,
        })
        .collect();
    levels.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rows: Vec<i32> = levels.iter().map(|&(at, _)| plot.row(at)).collect();
    let names: Vec<Vec<String>> =
        levels.iter().map(|&(_, name)| wrapped(name, SMALL, LEVEL_NAME, 3)).collect();
    let heights: Vec<i32> = names.iter().map(|lines| 16 * lines.len() as i32 + 3).collect();
    for &row in &rows {
        svg.line(&[(plot.left, row), (plot.right, row)], ACROSS);
    }
    for (lines, top) in names.iter().zip(apart(&rows, &heights, plot.top - 8, plot.bottom + 8)) {
        for (row, line) in (0..).zip(lines) {
            let at = (plot.right + 12, top + 16 * row + 8);
            svg.text(line, at, TextPlacement::across(SMALL, Anchor::Start, Level::Centred));
        }
    }
}

/// Returns the tops of boxes with these heights, each as near to its middle as possible without overlap. Middles are
/// ascending; boxes are pushed down where they meet, and up again from the floor.
fn apart(middles: &[i32], heights: &[i32], ceiling: i32, floor: i32) -> Vec<i32> {
    let mut tops: Vec<i32> =
        middles.iter().zip(heights).map(|(middle, h)| middle - h / 2).collect();
    // From the top: a box must not reach above the ceiling or over the box before it.
    let mut free = ceiling;
    for (top, height) in tops.iter_mut().zip(heights) {
        *top = (*top).max(free);
        free = *top + height;
    }
    // From the bottom: a box must not reach below the floor or over the box after it.
    let mut limit = floor;
    for (top, height) in tops.iter_mut().zip(heights).rev() {
        *top = (*top).min(limit - height);
        limit = *top;
    }
    tops
}

#[cfg(test)]
mod tests;
