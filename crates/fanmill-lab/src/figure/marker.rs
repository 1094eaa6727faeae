//! Markers: shapes that distinguish series where colours do not.

use super::svg::{Colour, Pixel, Stroke, Svg};

/// A shape in a colour; open shapes are white inside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marker {
    shape: usize,
    colour: Colour,
    is_open: bool,
}

/// The corners of the shapes other than disc and cross, in pixels from the middle; up is negative.
const SHAPES: [&[Pixel]; 5] = [
    &[(-4, -4), (4, -4), (4, 4), (-4, 4)],
    &[(0, -6), (5, 4), (-5, 4)],
    &[(0, -6), (6, 0), (0, 6), (-6, 0)],
    &[(0, 6), (5, -4), (-5, -4)],
    &[(-2, -6), (2, -6), (2, 6), (-2, 6)],
];

impl Marker {
    /// Returns the marker of the series at `index`.
    pub(super) fn new(index: usize, colour: Colour, is_open: bool) -> Marker {
        Marker { shape: index % (SHAPES.len() + 2), colour, is_open }
    }

    /// Draws it, centred on a pixel.
    pub(super) fn draw(self, svg: &mut Svg, (x, y): Pixel) {
        let outline = Stroke::solid(self.colour, 2);
        let inside = if self.is_open { "#fff" } else { self.colour };
        match self.shape {
            0 => svg.disc((x, y), 4, inside, outline),
            1 => {
                svg.line(&[(x - 4, y - 4), (x + 4, y + 4)], outline);
                svg.line(&[(x - 4, y + 4), (x + 4, y - 4)], outline);
            }
            shape => {
                let corners = SHAPES[shape - 2].iter().map(|&(dx, dy)| (x + dx, y + dy));
                svg.polygon(&corners.collect::<Vec<_>>(), inside, outline);
            }
        }
    }
}
