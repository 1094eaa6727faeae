//! The plot area of a figure: maps points to pixels.

use crate::outcome::Figure;

use super::svg::Pixel;
use super::ticks::{Extent, place};

/// The plot's frame and axes.
#[derive(Debug, Clone)]
pub(super) struct Plot {
    pub(super) x: Extent,
    pub(super) y: Extent,
    /// The frame, in pixels.
    pub(super) left: i32,
    pub(super) right: i32,
    pub(super) top: i32,
    pub(super) bottom: i32,
}

impl Plot {
    /// Returns the column of a position on the horizontal axis; at the edge if it is outside.
    pub(super) fn column(&self, at: f64) -> i32 {
        self.left + (self.x.share(at) * f64::from(self.right - self.left)).round() as i32
    }

    /// Returns the row of a position on the vertical axis; at the edge if it is outside.
    pub(super) fn row(&self, at: f64) -> i32 {
        self.bottom - (self.y.share(at) * f64::from(self.bottom - self.top)).round() as i32
    }

    /// Returns the pixel of two positions.
    pub(super) fn pixel(&self, (x, y): (f64, f64)) -> Pixel {
        (self.column(x), self.row(y))
    }
}

/// Returns the positions of a point on both axes; `None` if it has no position on one of them.
pub(super) fn spot(figure: &Figure, x: f64, y: f64) -> Option<(f64, f64)> {
    Some((place(&figure.x, x)?, place(&figure.y, y)?))
}
