//! Markers: what tells series apart where colours do not.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::{Circle, Cross, EmptyElement, PathElement, Polygon};
use plotters::style::{Color, RGBColor, ShapeStyle, WHITE};

use super::{Chart, Drawn};

/// A shape in a colour; open ones are white inside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marker {
    shape: usize,
    colour: RGBColor,
    is_open: bool,
}

/// Corners of the shapes after the circle, in pixels around their middle; upwards is negative.
const SHAPES: [&[(i32, i32)]; 5] = [
    &[(-4, -4), (4, -4), (4, 4), (-4, 4)],
    &[(0, -6), (5, 4), (-5, 4)],
    &[(0, -6), (6, 0), (0, 6), (-6, 0)],
    &[(0, 6), (5, -4), (-5, -4)],
    &[(-2, -6), (2, -6), (2, 6), (-2, 6)],
];

impl Marker {
    /// The marker of the series at `index`.
    pub(super) fn new(index: usize, colour: RGBColor, is_open: bool) -> Marker {
        Marker { shape: index % (SHAPES.len() + 2), colour, is_open }
    }

    /// Draws it around a pixel.
    pub(super) fn draw_on(
        self,
        area: &DrawingArea<SVGBackend<'_>, Shift>,
        (x, y): (i32, i32),
    ) -> Drawn {
        let stroke = self.colour.stroke_width(2);
        let inside = ShapeStyle::from(&if self.is_open { WHITE } else { self.colour }).filled();
        match self.shape {
            0 => {
                area.draw(&Circle::new((x, y), 4, inside))?;
                area.draw(&Circle::new((x, y), 4, stroke))
            }
            1 => area.draw(&Cross::new((x, y), 4, stroke)),
            shape => {
                let corners = SHAPES[shape - 2].iter().map(|&(dx, dy)| (x + dx, y + dy));
                let corners: Vec<(i32, i32)> = corners.collect();
                area.draw(&Polygon::new(corners.clone(), inside))?;
                let outline: Vec<_> = corners.iter().chain(&corners[..1]).copied().collect();
                area.draw(&PathElement::new(outline, stroke))
            }
        }
    }

    /// Draws it around a point of a chart.
    pub(super) fn draw_in(self, chart: &mut Chart, at: (f64, f64)) -> Drawn {
        let stroke = self.colour.stroke_width(2);
        let inside = ShapeStyle::from(&if self.is_open { WHITE } else { self.colour }).filled();
        let middle = EmptyElement::at(at);
        match self.shape {
            0 => {
                let disc = middle + Circle::new((0, 0), 4, inside) + Circle::new((0, 0), 4, stroke);
                chart.draw_series([disc])?;
            }
            1 => {
                chart.draw_series([middle + Cross::new((0, 0), 4, stroke)])?;
            }
            shape => {
                let corners = SHAPES[shape - 2].to_vec();
                let outline: Vec<_> = corners.iter().chain(&corners[..1]).copied().collect();
                let filled = Polygon::new(corners, inside);
                chart.draw_series([middle + filled + PathElement::new(outline, stroke)])?;
            }
        }
        Ok(())
    }
}
