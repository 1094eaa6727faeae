//! Places on a page: glyphs on their lines, and the rectangles that hide them.

use hayro_interpret::font::Glyph as Drawn;
use hayro_interpret::kurbo::{Affine, BezPath, PathEl, Point, Rect, Shape};

use super::page::{Glyph, Sight, Text};

/// Units per em of a glyph's outline.
const EM: f64 = 1000.0;

/// Size in points below which text cannot be read.
pub(super) const TINY: f64 = 3.0;

/// An opaque rectangle.
#[derive(Debug)]
pub(super) struct Cover(pub(super) Rect);

impl Cover {
    /// Returns whether all of a glyph is below it: the box from its baseline to two thirds of its size.
    pub(super) fn hides(&self, glyph: &Glyph) -> bool {
        let corner = |end: f64, rise: f64| {
            let corner =
                Glyph { text: Text::One(' '), start: end, across: glyph.across - rise, ..*glyph };
            let (x, y) = place(&corner);
            Point::new(x, y)
        };
        let rise = 0.66 * glyph.size;
        [(glyph.start, 0.0), (glyph.end, 0.0), (glyph.start, rise), (glyph.end, rise)]
            .into_iter()
            .all(|(end, rise)| self.0.inflate(0.5, 0.5).contains(corner(end, rise)))
    }
}

/// Returns the rectangle that a path draws, or one without area if it does not draw an upright, filled rectangle.
pub(super) fn rectangle(path: &BezPath, transform: Affine) -> Rect {
    let [a, b, c, d, ..] = transform.as_coeffs();
    let bounds = path.bounding_box();
    let is_upright = (b.abs() < 1e-6 && c.abs() < 1e-6) || (a.abs() < 1e-6 && d.abs() < 1e-6);
    // A second part may be a hole.
    let is_one = path.elements().iter().filter(|el| matches!(el, PathEl::MoveTo(_))).count() == 1;
    let is_filled = is_one && path.area().abs() >= 0.98 * bounds.area();
    if is_upright && is_filled { transform.transform_rect_bbox(bounds) } else { Rect::ZERO }
}

/// Returns the position of a glyph on the page; the inverse of [`along`].
pub(super) fn place(glyph: &Glyph) -> (f64, f64) {
    let (along, across) = (glyph.start, glyph.across);
    match glyph.turns {
        0 => (along, across),
        1 => (-across, along),
        2 => (-along, -across),
        _ => (across, -along),
    }
}

/// Returns the coordinates of a point of the page along and across lines that are turned clockwise from left-to-right
/// by this number of quarter turns.
fn along(point: Point, turns: u8) -> (f64, f64) {
    match turns {
        0 => (point.x, point.y),
        1 => (point.y, -point.x),
        2 => (-point.x, -point.y),
        _ => (-point.y, point.x),
    }
}

/// Puts a glyph on its line; `None` if its numbers are not valid positions.
pub(super) fn positioned(
    drawn: &Drawn<'_>,
    transform: Affine,
    vertical: bool,
    text: Text,
) -> Option<Glyph> {
    let advance = match drawn {
        Drawn::Outline(glyph) => glyph.advance_width(),
        Drawn::Type3(glyph) => glyph.advance_width(),
    };
    let advance = f64::from(advance.unwrap_or(500.0));
    let origin = transform * Point::ZERO;
    let right = transform * Point::new(EM, 0.0) - origin;
    let up = transform * Point::new(0.0, EM) - origin;
    let mut size = up.hypot();
    let turns = match (right.x.abs() >= right.y.abs(), right.x >= 0.0, right.y >= 0.0) {
        (true, true, _) => 0,
        (true, false, _) => 2,
        (false, _, true) => 1,
        (false, _, false) => 3,
    };
    // Glyphs drawn as pictures may use any unit; their width is a better measure.
    if matches!(drawn, Drawn::Type3(_)) && size < TINY {
        size = (right.hypot() * advance / EM * 2.0).max(size);
    }
    let (turns, start, end, across) = if vertical {
        let turns = (turns + 1) % 4;
        let middle = transform * Point::new(advance / 2.0, 0.0);
        let (end, across) = along(middle, turns);
        (turns, end - size, end, across)
    } else {
        let (start, across) = along(origin, turns);
        let (end, _) = along(transform * Point::new(advance, 0.0), turns);
        (turns, start.min(end), end.max(start), across)
    };
    let is_sound = [start, end, across, size].iter().all(|number| number.abs() < 1e6) && size > 0.0;
    is_sound.then_some(Glyph { text, start, end, across, size, turns, sight: Sight::Seen })
}

/// Returns whether an area has all of another one.
pub(super) fn covers(area: Rect, other: Rect) -> bool {
    area.x0 <= other.x0 && area.y0 <= other.y0 && area.x1 >= other.x1 && area.y1 >= other.y1
}

/// Returns the number of the 2 points that a coordinate lies in.
pub(super) fn cell(at: f64) -> i32 {
    (at / 2.0).round() as i32
}
