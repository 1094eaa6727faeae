//! The part of a figure that data are in: where a point of it is in pixels.

use crate::outcome::Figure;

use super::svg::Pixel;
use super::ticks::{Extent, place};

/// A frame with two axes.
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
    /// The column of a place on the horizontal axis; at the edge if it is not shown.
    pub(super) fn column(&self, at: f64) -> i32 {
        self.left + (self.x.share(at) * f64::from(self.right - self.left)).round() as i32
    }

    /// The row of a place on the vertical axis; at the edge if it is not shown.
    pub(super) fn row(&self, at: f64) -> i32 {
        self.bottom - (self.y.share(at) * f64::from(self.bottom - self.top)).round() as i32
    }

    /// The pixel of two places.
    pub(super) fn pixel(&self, (x, y): (f64, f64)) -> Pixel {
        (self.column(x), self.row(y))
    }
}

/// The places of a point on both axes; `None` if one axis has none for it.
pub(super) fn spot(figure: &Figure, x: f64, y: f64) -> Option<(f64, f64)> {
    Some((place(&figure.x, x)?, place(&figure.y, y)?))
}
