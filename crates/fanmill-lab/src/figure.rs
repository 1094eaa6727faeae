//! A figure as a picture: SVG, and PNG of the same.
//!
//! Nothing that is written covers data: the legend stands below the title, the names of lines in the
//! margins. Series differ in colour, in marker, and dashed ones in their dashes; the colours are those
//! of Okabe & Ito, which people with any kind of colour vision tell apart. The same figure gives the
//! same bytes. Texts may come from anybody: they are made printable first, and escaped as XML.
//!
//! Cost: O(n) in the points; neighbours that fall on the same pixel are drawn once.

#![expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "pixels, and things that are seen, are few and not below zero"
)]

mod marker;
mod ticks;

use std::sync::Once;

use fanmill_report::printable;
use plotters::backend::SVGBackend;
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{PathElement, Rectangle, Text};
use plotters::series::{DashedLineSeries, LineSeries};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    BLACK, Color, FontStyle, IntoFont, RGBColor, ShapeStyle, TextStyle, WHITE, register_font,
};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;

use crate::outcome::{Figure, Place, Scale, Series, Style};
use marker::Marker;
use ticks::{Extent, place};
pub use ticks::{number, thousands};

/// Width and height of a figure, in pixels.
const SIZE: (u32, u32) = (900, 560);

/// Pixels of the PNG for each of the SVG, so that it can be printed.
const ZOOM: f32 = 2.0;

/// Of text, in pixels.
const TITLE: f64 = 19.0;
const LABEL: f64 = 15.0;
const SMALL: f64 = 13.5;

/// Left and right of everything, in pixels.
const MARGIN: i32 = 18;

/// The viewer of an SVG may have a wider font than ours: texts are taken to be so much wider.
const SLACK: f64 = 1.12;

/// Okabe & Ito's colours without yellow, which white paper swallows; black is for lines across.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(110, 110, 110),
];

/// Length of dashes and of the spaces between, in pixels.
const DASHES: [(i32, i32); 3] = [(9, 5), (3, 4), (15, 4)];

type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Coordinates = Cartesian2d<Extent, Extent>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Coordinates>;

/// The figure as SVG, 900 by 560 pixels.
///
/// # Panics
/// Never: a string takes all that is drawn.
pub fn svg(figure: &Figure) -> String {
    static FONT: Once = Once::new();
    FONT.call_once(|| {
        let font = epaint_default_fonts::UBUNTU_LIGHT;
        assert!(register_font("sans-serif", FontStyle::Normal, font).is_ok(), "it is a font");
    });
    let mut out = String::new();
    let root = SVGBackend::with_string(&mut out, SIZE).into_drawing_area();
    draw(&printed(figure), &root).expect("a string takes all, and the font is built in");
    drop(root);
    out
}

/// The figure as PNG, twice as large.
///
/// # Panics
/// Never: what [`svg`] writes can be drawn.
pub fn png(figure: &Figure) -> Vec<u8> {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    let family = fonts.faces().next().and_then(|face| face.families.first()).map(|f| f.0.clone());
    fonts.set_sans_serif_family(family.expect("our font has a name"));
    let tree = usvg::Tree::from_str(&svg(figure), &options).expect("our own SVG is well formed");
    let (width, height) = ((SIZE.0 as f32 * ZOOM) as u32, (SIZE.1 as f32 * ZOOM) as u32);
    let mut pixels = Pixmap::new(width, height).expect("neither is 0");
    resvg::render(&tree, Transform::from_scale(ZOOM, ZOOM), &mut pixels.as_mut());
    pixels.encode_png().expect("memory takes all")
}

/// The figure with all its texts on one line each, and without effect.
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

fn draw(figure: &Figure, root: &Area) -> Drawn {
    root.fill(&WHITE)?;
    let x = Extent::of(&figure.x, numbers(figure, Side::X), false);
    let is_barred = figure.series.iter().any(|series| series.style == Style::Bars);
    let y = Extent::of(&figure.y, numbers(figure, Side::Y), is_barred);
    let (width, height) = (SIZE.0 as i32, SIZE.1 as i32);

    let mut top = 14;
    for line in wrapped(&figure.title, TITLE, width - 2 * MARGIN, 2) {
        root.draw(&Text::new(line, (MARGIN, top), style(TITLE, HPos::Left, VPos::Top)))?;
        top += 25;
    }
    top = legend(figure, root, top + 5)?;
    let uprights = uprights(figure, &x);
    let has_uprights = !uprights.is_empty();
    let right = MARGIN.max(margin_for_levels(figure));
    let left = left_of_axis(figure, &y);
    let below = 54;

    // Uprights may need up to two rows above the plot; where they stand is known only with it.
    let above = if has_uprights { 2 * 18 } else { 6 };
    let mut chart = ChartBuilder::on(root)
        .margin_top(top + above)
        .margin_right(right)
        .margin_left(MARGIN)
        .margin_bottom(10)
        .x_label_area_size(below)
        .y_label_area_size(left)
        .build_cartesian_2d(x.clone(), y.clone())?;
    debug_assert!(top + above + below < height - 100, "enough is left for data");
    mesh(figure, &x, &y, &mut chart)?;
    names_below(figure, &chart, root)?;
    series(figure, &y, &mut chart)?;
    lines(figure, &x, &y, &uprights, &mut chart, root)
}

/// Which of two axes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    X,
    Y,
}

/// All that has to be on the axis.
fn numbers(figure: &Figure, side: Side) -> impl Iterator<Item = f64> + '_ {
    let points = figure.series.iter().flat_map(|series| &series.points);
    let lines = figure.lines.iter().filter_map(move |line| match (line.at, side) {
        (Place::X(at), Side::X) | (Place::Y(at), Side::Y) => Some(at),
        _ => None,
    });
    // A point that has no place on the other axis is not shown.
    let shown = points.filter(|&&(x, y)| spot(figure, x, y).is_some());
    shown.map(move |&(x, y)| if side == Side::X { x } else { y }).chain(lines)
}

/// Where a point is, in places of both axes.
fn spot(figure: &Figure, x: f64, y: f64) -> Option<(f64, f64)> {
    Some((place(&figure.x, x)?, place(&figure.y, y)?))
}

fn style(size: f64, h: HPos, v: VPos) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&BLACK.mix(0.87)).pos(Pos::new(h, v))
}

/// Columns of pixels that a text takes, with slack.
fn width_of(text: &str, size: f64) -> i32 {
    let font = ("sans-serif", size).into_font();
    let width = font.box_size(text).map_or(0, |(width, _)| width);
    (f64::from(width) * SLACK).ceil() as i32
}

/// A text in at most `width` pixels: whole, or its beginning with an ellipsis.
fn fitted(text: &str, size: f64, width: i32) -> String {
    // No letter is narrower than a fifth of its height: the rest could never fit.
    let most = (f64::from(width.max(0)) / (0.2 * size)) as usize + 1;
    let mut kept: Vec<char> = text.chars().take(most).collect();
    let is_whole = kept.len() == text.chars().count();
    if is_whole && width_of(text, size) <= width {
        return text.to_owned();
    }
    loop {
        let shown: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
        if kept.is_empty() || width_of(&shown, size) <= width {
            return shown;
        }
        kept.pop();
    }
}

/// A text in at most `n_lines` lines of at most `width` pixels, broken between words and before
/// brackets.
fn wrapped(text: &str, size: f64, width: i32, n_lines: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut pieces = pieces(text).peekable();
    while lines.len() + 1 < n_lines && pieces.peek().is_some() {
        let mut line = String::new();
        while let Some(piece) = pieces.peek() {
            let longer = format!("{line}{piece}");
            if !line.is_empty() && width_of(longer.trim(), size) > width {
                break;
            }
            line = longer;
            pieces.next();
        }
        lines.push(fitted(line.trim(), size, width));
    }
    let rest: String = pieces.collect();
    if !rest.is_empty() {
        lines.push(fitted(rest.trim(), size, width));
    }
    lines
}

/// A text in pieces that each may begin a line.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(' ').flat_map(|word| {
        let (head, tail) = word.split_at(word.find('(').unwrap_or(0));
        [head, tail].into_iter().filter(|piece| !piece.is_empty())
    })
}

/// Draws the legend in rows from `top` on; returns where the next thing can stand.
fn legend(
    figure: &Figure,
    root: &Area,
    top: i32,
) -> Result<i32, DrawingAreaErrorKind<std::io::Error>> {
    const SAMPLE: i32 = 34;
    const ROW: i32 = 21;
    const ROWS: i32 = 5;
    if figure.series.len() < 2 && figure.series.iter().all(|series| series.name.is_empty()) {
        return Ok(top);
    }
    let (mut x, mut y) = (MARGIN, top + ROW / 2);
    for (index, series) in figure.series.iter().enumerate() {
        let name = fitted(&series.name, SMALL, 300);
        let wide = SAMPLE + 8 + width_of(&name, SMALL) + 22;
        if x > MARGIN && x + wide > SIZE.0 as i32 {
            (x, y) = (MARGIN, y + ROW);
        }
        if y > top + ROWS * ROW {
            let more = format!("and {} more", figure.series.len() - index);
            root.draw(&Text::new(more, (x, y - ROW / 2), style(SMALL, HPos::Left, VPos::Center)))?;
            break;
        }
        sample(series, index, (x, y), SAMPLE, root)?;
        let at = (x + SAMPLE + 8, y);
        root.draw(&Text::new(name, at, style(SMALL, HPos::Left, VPos::Center)))?;
        x += wide;
    }
    Ok(y + ROW / 2 + 8)
}

/// How a series looks, in the legend.
fn sample(series: &Series, index: usize, (x, y): (i32, i32), wide: i32, root: &Area) -> Drawn {
    let look = Look::of(series, index);
    let ends = [(x, y), (x + wide, y)];
    match series.style {
        Style::Bars => {
            let corners = [(x + 8, y - 7), (x + wide - 8, y + 6)];
            root.draw(&Rectangle::new(corners, look.colour.filled()))?;
            return Ok(());
        }
        Style::Points => {}
        Style::Line => root.draw(&PathElement::new(ends, look.stroke()))?,
        Style::Dashed => {
            let (dash, space) = look.dashes;
            for start in (0..wide).step_by((dash + space) as usize) {
                let ends = [(x + start, y), (x + (start + dash).min(wide), y)];
                root.draw(&PathElement::new(ends, look.stroke()))?;
            }
        }
    }
    look.marker.draw_on(root, (x + wide / 2, y))
}

/// What tells a series from the others.
struct Look {
    colour: RGBColor,
    marker: Marker,
    dashes: (i32, i32),
}

impl Look {
    fn of(series: &Series, index: usize) -> Look {
        let colour = COLOURS[index % COLOURS.len()];
        let is_open = series.style == Style::Dashed;
        let dashes = DASHES[index % DASHES.len()];
        Look { colour, marker: Marker::new(index, colour, is_open), dashes }
    }

    fn stroke(&self) -> ShapeStyle {
        self.colour.stroke_width(2)
    }
}

/// Room left of the vertical axis for its label and the numbers.
fn left_of_axis(figure: &Figure, y: &Extent) -> i32 {
    let widest = y.ticks.iter().map(|(_, label)| width_of(label, SMALL)).max().unwrap_or(0);
    let label = if figure.y.label.is_empty() { 10 } else { 36 };
    (widest + label).clamp(50, 280)
}

/// Room right of the plot for the names of level lines.
fn margin_for_levels(figure: &Figure) -> i32 {
    let names = figure.lines.iter().filter(|line| matches!(line.at, Place::Y(_)));
    let widest = |name: &str| {
        wrapped(name, SMALL, LEVEL_NAME, 3).iter().map(|line| width_of(line, SMALL)).max()
    };
    names.filter_map(|line| widest(&line.name)).max().map_or(0, |widest| widest + 20)
}

/// Pixels for a line of the name of a level line.
const LEVEL_NAME: i32 = 150;

/// Upright lines, by their place.
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

fn mesh(figure: &Figure, x: &Extent, y: &Extent, chart: &mut Chart) -> Drawn {
    let label = |extent: &Extent, at: f64| {
        let tick =
            extent.ticks.iter().find(|(tick, _)| (tick - at).abs() < 1e-12 * at.abs().max(1.0));
        tick.map(|(_, label)| label.clone()).unwrap_or_default()
    };
    let wide = left_of_axis(figure, y) - 36;
    let x_label = |at: &f64| if figure.x.names.is_empty() { label(x, *at) } else { String::new() };
    let y_label = |at: &f64| fitted(&label(y, *at), SMALL, wide.max(40));
    let mut mesh = chart.configure_mesh();
    mesh.axis_style(BLACK.mix(0.6))
        .bold_line_style(BLACK.mix(0.14))
        .light_line_style(BLACK.mix(0.05))
        .label_style(style(SMALL, HPos::Center, VPos::Center))
        .axis_desc_style(("sans-serif", LABEL).into_font().color(&BLACK.mix(0.87)))
        .x_label_formatter(&x_label)
        .y_label_formatter(&y_label)
        .x_desc(figure.x.label.as_str())
        .y_desc(figure.y.label.as_str());
    if !figure.x.names.is_empty() {
        mesh.disable_x_mesh();
    }
    if !figure.y.names.is_empty() {
        mesh.disable_y_mesh();
    }
    mesh.draw()
}

/// The names of a horizontal axis, in two lines where one is too short.
fn names_below(figure: &Figure, chart: &Chart, root: &Area) -> Drawn {
    let names = &figure.x.names;
    if names.is_empty() {
        return Ok(());
    }
    let (across, down) = chart.plotting_area().get_pixel_range();
    let slot = (across.end - across.start) / names.len() as i32;
    for (i, name) in names.iter().enumerate() {
        let middle = across.start + slot * i as i32 + slot / 2;
        for (row, line) in (0..).zip(wrapped(name, SMALL, slot - 6, 2)) {
            let at = (middle, down.end + 7 + 15 * row);
            root.draw(&Text::new(line, at, style(SMALL, HPos::Center, VPos::Top)))?;
        }
    }
    Ok(())
}

/// Lines across, with their names in the margins.
fn lines(
    figure: &Figure,
    x: &Extent,
    y: &Extent,
    uprights: &[(f64, &str)],
    chart: &mut Chart,
    root: &Area,
) -> Drawn {
    let stroke = BLACK.mix(0.75).stroke_width(1);
    let mut free = [i32::MIN; 2];
    for &(at, name) in uprights {
        chart.draw_series(DashedLineSeries::new([(at, y.from), (at, y.to)], 2, 3, stroke))?;
        let (middle, top) = chart.backend_coord(&(at, y.to));
        let name = fitted(name, SMALL, 260);
        let half = width_of(&name, SMALL) / 2;
        let middle = middle.clamp(half + 4, SIZE.0 as i32 - half - 4);
        // The lower row if it is free there, else the one above it.
        let row = usize::from(free[0] > middle - half);
        free[row] = middle + half + 12;
        let at = (middle, top - 5 - 17 * row as i32);
        root.draw(&Text::new(name, at, style(SMALL, HPos::Center, VPos::Bottom)))?;
    }
    let mut levels: Vec<(f64, &str)> = figure
        .lines
        .iter()
        .filter_map(|line| match line.at {
            Place::Y(at) => Some((place(&figure.y, at)?, line.name.as_str())),
            Place::X(_) => None,
        })
        .collect();
    levels.sort_by(|a, b| b.0.total_cmp(&a.0));
    for &(at, _) in &levels {
        chart.draw_series(DashedLineSeries::new([(x.from, at), (x.to, at)], 2, 3, stroke))?;
    }
    let names: Vec<(i32, Vec<String>)> = levels
        .iter()
        .map(|&(at, name)| {
            (chart.backend_coord(&(x.to, at)).1, wrapped(name, SMALL, LEVEL_NAME, 3))
        })
        .collect();
    let (across, down) = chart.plotting_area().get_pixel_range();
    let heights: Vec<i32> = names.iter().map(|(_, lines)| 16 * lines.len() as i32 + 3).collect();
    let middles: Vec<i32> = names.iter().map(|&(middle, _)| middle).collect();
    let tops = apart(&middles, &heights, down.start - 8, down.end + 8);
    for ((_, lines), top) in names.iter().zip(tops) {
        for (row, line) in (0..).zip(lines) {
            let at = (across.end + 12, top + 16 * row + 8);
            root.draw(&Text::new(line.as_str(), at, style(SMALL, HPos::Left, VPos::Center)))?;
        }
    }
    Ok(())
}

/// Tops of things with these heights, each as near to its middle as can be without overlap: ascending
/// middles, pushed down where they meet, and up again from the floor.
fn apart(middles: &[i32], heights: &[i32], ceiling: i32, floor: i32) -> Vec<i32> {
    let mut tops: Vec<i32> =
        middles.iter().zip(heights).map(|(middle, h)| middle - h / 2).collect();
    let mut free = ceiling;
    for (top, height) in tops.iter_mut().zip(heights) {
        *top = (*top).max(free);
        free = *top + height;
    }
    let mut limit = floor;
    for (top, height) in tops.iter_mut().zip(heights).rev() {
        *top = (*top).min(limit - height);
        limit = *top;
    }
    tops
}

fn series(figure: &Figure, y: &Extent, chart: &mut Chart) -> Drawn {
    let n_bars = figure.series.iter().filter(|series| series.style == Style::Bars).count();
    let width = 0.8 * narrowest(figure) / n_bars.max(1) as f64;
    let mut bar = 0;
    for (index, series) in figure.series.iter().enumerate() {
        let look = Look::of(series, index);
        let points = series.points.iter().filter_map(|&(x, y)| spot(figure, x, y));
        match series.style {
            Style::Bars => {
                let left = width * (f64::from(bar) - n_bars as f64 / 2.0);
                let foot = if figure.y.scale == Scale::Linear { 0.0 } else { y.from };
                let bars = points.map(|(x, y)| {
                    Rectangle::new([(x + left, foot), (x + left + width, y)], look.colour.filled())
                });
                chart.draw_series(bars)?;
                bar += 1;
                continue;
            }
            Style::Points => {}
            Style::Line => {
                let shown = thinned(points.clone(), chart);
                chart.draw_series(LineSeries::new(shown, look.stroke()))?;
            }
            Style::Dashed => {
                let shown = thinned(points.clone(), chart);
                let (dash, space) = look.dashes;
                chart.draw_series(DashedLineSeries::new(shown, dash, space, look.stroke()))?;
            }
        }
        let shown = thinned(points, chart);
        for at in marked(&shown, series.style, index, chart) {
            look.marker.draw_in(chart, at)?;
        }
    }
    Ok(())
}

/// The least distance between two bars of one series, in places; 1 if there are no two.
fn narrowest(figure: &Figure) -> f64 {
    let bars = figure.series.iter().filter(|series| series.style == Style::Bars);
    let mut at: Vec<f64> =
        bars.flat_map(|series| &series.points).filter_map(|&(x, _)| place(&figure.x, x)).collect();
    at.sort_by(f64::total_cmp);
    at.dedup();
    at.windows(2).map(|pair| pair[1] - pair[0]).min_by(f64::total_cmp).unwrap_or(1.0)
}

/// The points without those that fall on the pixel of the one before.
fn thinned(points: impl Iterator<Item = (f64, f64)>, chart: &Chart) -> Vec<(f64, f64)> {
    let mut last = None;
    points
        .filter(|point| {
            let pixel = Some(chart.backend_coord(point));
            let is_new = pixel != last;
            last = pixel;
            is_new
        })
        .collect()
}

/// Where markers stand: at all points if they are few or stand alone; else on the line, one every so
/// many pixels, at other places for each series.
fn marked(points: &[(f64, f64)], style: Style, index: usize, chart: &Chart) -> Vec<(f64, f64)> {
    const FEW: usize = 25;
    const EVERY: i32 = 95;
    if style == Style::Points || points.len() <= FEW {
        return points.to_vec();
    }
    let pixel = |point: (f64, f64)| chart.backend_coord(&point).0;
    let mut next = pixel(points[0]) + 14 + 19 * (index as i32 % 5);
    let mut found = Vec::new();
    for pair in points.windows(2) {
        let (start, end) = (pixel(pair[0]), pixel(pair[1]));
        while start <= next && next < end {
            let share = f64::from(next - start) / f64::from(end - start);
            let between = |a: f64, b: f64| a + share * (b - a);
            found.push((between(pair[0].0, pair[1].0), between(pair[0].1, pair[1].1)));
            next += EVERY;
        }
    }
    found
}

#[cfg(test)]
mod tests;
