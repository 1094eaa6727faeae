//! Series: their looks, and their points, lines or bars in the plot.

use crate::outcome::{Figure, Scale, Series, Style};

use super::marker::Marker;
use super::plot::{Plot, spot};
use super::svg::{Colour, Pixel, Stroke, Svg};
use super::ticks::place;

/// Okabe & Ito's colours without yellow, which is hard to see on white. Black is for lines across.
const COLOURS: [Colour; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6e6e6e"];

/// Lengths of dashes and of the spaces between them, in pixels.
const DASHES: [(i32, i32); 3] = [(9, 5), (3, 4), (15, 4)];

/// The features that distinguish a series from the others.
struct Look {
    colour: Colour,
    marker: Marker,
    /// The stroke of its line.
    stroke: Stroke,
}

impl Look {
    fn new(series: &Series, index: usize) -> Look {
        let colour = COLOURS[index % COLOURS.len()];
        let is_dashed = series.style == Style::Dashed;
        let dashes = is_dashed.then(|| DASHES[index % DASHES.len()]);
        let marker = Marker::new(index, colour, is_dashed);
        Look { colour, marker, stroke: Stroke { colour, width: 2, dashes } }
    }
}

/// Draws a sample of the series at `index` for the legend, `wide` pixels wide.
pub(super) fn sample(series: &Series, index: usize, (x, y): Pixel, wide: i32, svg: &mut Svg) {
    let look = Look::new(series, index);
    match series.style {
        Style::Bars => {
            svg.rectangle((x + 8, y - 7), (x + wide - 8, y + 6), look.colour);
            return;
        }
        Style::Points => {}
        Style::Line | Style::Dashed => svg.line(&[(x, y), (x + wide, y)], look.stroke),
    }
    look.marker.draw(svg, (x + wide / 2, y));
}

/// Draws all series, in their order.
pub(super) fn draw(figure: &Figure, plot: &Plot, svg: &mut Svg) {
    let n_bars = figure.series.iter().filter(|series| series.style == Style::Bars).count();
    let width = 0.8 * narrowest(figure) / n_bars.max(1) as f64;
    let mut bar = 0;
    for (index, series) in figure.series.iter().enumerate() {
        let look = Look::new(series, index);
        let points = series.points.iter().filter_map(|&(x, y)| spot(figure, x, y));
        if series.style == Style::Bars {
            let left = width * (f64::from(bar) - n_bars as f64 / 2.0);
            let foot = if figure.y.scale == Scale::Linear { 0.0 } else { plot.y.from };
            for (x, y) in points {
                let corners = [(x + left, foot), (x + left + width, y)];
                let [from, to] = corners.map(|corner| plot.pixel(corner));
                svg.rectangle(from, to, look.colour);
            }
            bar += 1;
            continue;
        }
        // Neighbouring points on the same pixel are drawn once.
        let mut pixels: Vec<Pixel> = points.map(|point| plot.pixel(point)).collect();
        pixels.dedup();
        if series.style != Style::Points {
            svg.line(&pixels, look.stroke);
        }
        for at in marked(&pixels, series.style, index) {
            look.marker.draw(svg, at);
        }
    }
}

/// Returns the smallest distance between two bars of a series, in units of the axis; 1 if there are no two bars.
fn narrowest(figure: &Figure) -> f64 {
    let bars = figure.series.iter().filter(|series| series.style == Style::Bars);
    let mut at: Vec<f64> =
        bars.flat_map(|series| &series.points).filter_map(|&(x, _)| place(&figure.x, x)).collect();
    at.sort_by(f64::total_cmp);
    at.dedup();
    at.windows(2).map(|pair| pair[1] - pair[0]).min_by(f64::total_cmp).unwrap_or(1.0)
}

/// Returns the positions of markers: all points, if there are few or they are not joined; otherwise positions at
/// regular distances on the line, shifted from series to series.
fn marked(points: &[Pixel], style: Style, index: usize) -> Vec<Pixel> {
    const FEW: usize = 25;
    const EVERY: i32 = 95;
    if style == Style::Points || points.len() <= FEW {
        return points.to_vec();
    }
    let mut next = points[0].0 + 14 + 19 * (index % 5) as i32;
    let mut found = Vec::new();
    for pair in points.windows(2) {
        let [start, end] = [pair[0], pair[1]];
        while start.0 <= next && next < end.0 {
            let share = f64::from(next - start.0) / f64::from(end.0 - start.0);
            let rise = share * f64::from(end.1 - start.1);
            found.push((next, start.1 + rise.round() as i32));
            next += EVERY;
        }
    }
    found
}
