//! The pictures of a page as one grey picture, for programs that recognise letters in it.
//!
//! Scanners store a page as one picture, as strips, or as a background with a mask of its letters; they may be turned or
//! upside down. All are drawn where the page has them.
//!
//! Cost: O(pixels drawn). Memory: a byte for each pixel of the page, and one decoded picture.
//! Source: the format PGM of Netpbm, version 2003.

use hayro_interpret::font::GlyphRun;
use hayro_interpret::kurbo::{Affine, BezPath, Point, Rect};
use hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageData, ImageDrawProps, LumaData,
    Paint, SoftMask,
};

use super::limits::{DOTS_PER_POINT, MOST_PIXELS};

const WHITE: u8 = 255;

/// A picture of a page: rows of grey pixels from the top, 255 for white.
#[derive(Debug)]
pub(super) struct Scan {
    width: usize,
    height: usize,
    dots_per_point: f64,
    pixels: Vec<u8>,
}

impl Scan {
    /// Creates a white page; `None` if it has no area.
    pub(super) fn new(bounds: Rect) -> Option<Scan> {
        let largest = (MOST_PIXELS / bounds.area()).sqrt();
        let dots_per_point = DOTS_PER_POINT.min(largest);
        let [width, height] =
            [bounds.width(), bounds.height()].map(|points| pixel(points * dots_per_point));
        let is_sound = dots_per_point.is_finite() && width > 0 && height > 0;
        is_sound.then(|| Scan {
            width,
            height,
            dots_per_point,
            pixels: vec![WHITE; width * height],
        })
    }

    /// Returns it in the format PGM.
    pub(super) fn into_pgm(self) -> Vec<u8> {
        let mut out = format!("P5\n{} {}\n255\n", self.width, self.height).into_bytes();
        out.extend(self.pixels);
        out
    }

    /// Draws a picture of this many pixels where `transform` puts them; `grey` returns the colour of a pixel, and how
    /// much of what is below it hides, from 0 to 255.
    fn draw(
        &mut self,
        (width, height): (u32, u32),
        transform: Affine,
        grey: impl Fn(usize) -> Option<(u8, u8)>,
    ) {
        let transform = Affine::scale(self.dots_per_point) * transform;
        let area =
            transform.transform_rect_bbox(Rect::new(0.0, 0.0, f64::from(width), f64::from(height)));
        let back = transform.inverse();
        if !back.as_coeffs().iter().all(|number| number.is_finite()) {
            return;
        }
        let rows = pixel(area.y0)..self.height.min(pixel(area.y1) + 1);
        for y in rows {
            for x in pixel(area.x0)..self.width.min(pixel(area.x1) + 1) {
                let from = back * Point::new(x as f64 + 0.5, y as f64 + 0.5);
                let is_inside = (0.0..f64::from(width)).contains(&from.x)
                    && (0.0..f64::from(height)).contains(&from.y);
                let Some((grey, cover)) = is_inside
                    .then(|| pixel(from.y) * width as usize + pixel(from.x))
                    .and_then(&grey)
                else {
                    continue;
                };
                let below = &mut self.pixels[y * self.width + x];
                let [grey, cover, old] = [grey, cover, *below].map(u32::from);
                *below = ((grey * cover + old * (255 - cover)) / 255) as u8;
            }
        }
    }
}

/// Returns the pixel that a coordinate lies in; 0 for one to the left of the page.
#[expect(clippy::cast_sign_loss, reason = "a distance to the left is none")]
fn pixel(at: f64) -> usize {
    at.max(0.0) as usize
}

/// Returns the grey of a colour by its parts of red, green and blue.
fn grey([red, green, blue]: [u8; 3]) -> u8 {
    let [red, green, blue] = [red, green, blue].map(u32::from);
    ((299 * red + 587 * green + 114 * blue) / 1000) as u8
}

/// Returns the transform of the pixels of a decoded picture, which may have others than its dictionary says.
fn of_pixels(transform: Affine, (x, y): (f32, f32)) -> Affine {
    transform * Affine::scale_non_uniform(f64::from(x), f64::from(y))
}

impl<'a> Device<'a> for Scan {
    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        match image {
            Image::Raster(raster) => raster.with_rgba(
                |image, alpha| {
                    let size = (image.width(), image.height());
                    let transform = of_pixels(props.transform, image.scale_factors());
                    let cover = |at: usize| match &alpha {
                        Some(LumaData { data, width, height, .. }) if (*width, *height) == size => {
                            data.get(at).copied()
                        }
                        _ => Some(255),
                    };
                    match &image {
                        ImageData::Luma(luma) => {
                            self.draw(size, transform, |at| Some((*luma.data.get(at)?, cover(at)?)))
                        }
                        ImageData::Rgb(rgb) => self.draw(size, transform, |at| {
                            let parts = rgb.data.get(3 * at..3 * at + 3)?.try_into().ok()?;
                            Some((grey(parts), cover(at)?))
                        }),
                    }
                },
                None,
            ),
            Image::Stencil(stencil) => stencil.with_stencil(
                |mask, paint| {
                    let colour = match paint {
                        Paint::Color(colour) => {
                            let [red, green, blue, _] = colour.to_rgba().to_rgba8();
                            grey([red, green, blue])
                        }
                        Paint::Pattern(_) => 0,
                    };
                    let transform = of_pixels(props.transform, mask.scale_factors);
                    self.draw((mask.width, mask.height), transform, |at| {
                        Some((colour, *mask.data.get(at)?))
                    });
                },
                None,
            ),
        }
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {}

    fn push_clip_path(&mut self, _: &ClipPath) {}

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}

    fn draw_glyph_run(&mut self, _: &GlyphRun<'_, 'a>, _: DrawProps<'a>, _: &DrawMode) {}

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}
