//! The pictures of a page as one grey picture, for programs that recognise letters in it.
//!
//! Scanners store a page as one picture, as strips, or as a background with a mask of its letters; they may be turned or
//! upside down. All are drawn where the page has them.
//!
//! Cost: O(pixels drawn). Memory: a byte for each pixel of the page, and one decoded picture.
//! Source: the format PGM of Netpbm, 2003.

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

    /// Draws a picture of this size where `transform` puts it. `look` returns the grey at a point of the picture, from 0 to
    /// 1 on either side, and how much of what is below it hides, from 0 to 255.
    fn draw(
        &mut self,
        (width, height): (u32, u32),
        transform: Affine,
        look: impl Fn(Point) -> Option<(u8, u8)>,
    ) {
        let size = Affine::scale_non_uniform(f64::from(width), f64::from(height));
        let transform = Affine::scale(self.dots_per_point) * transform * size;
        let area = transform.transform_rect_bbox(Rect::new(0.0, 0.0, 1.0, 1.0));
        let back = transform.inverse();
        if !back.as_coeffs().iter().all(|number| number.is_finite()) {
            return;
        }
        for y in pixel(area.y0)..self.height.min(pixel(area.y1) + 1) {
            for x in pixel(area.x0)..self.width.min(pixel(area.x1) + 1) {
                // Four points of a pixel, so that thin strokes are not lost.
                let (mut grey, mut cover) = (0, 0);
                for (right, down) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                    let from = back * Point::new(x as f64 + right, y as f64 + down);
                    let is_inside = (0.0..1.0).contains(&from.x) && (0.0..1.0).contains(&from.y);
                    if let Some((own, own_cover)) = is_inside.then(|| look(from)).flatten() {
                        grey += u32::from(own) * u32::from(own_cover);
                        cover += u32::from(own_cover);
                    }
                }
                let below = &mut self.pixels[y * self.width + x];
                *below = ((grey + u32::from(*below) * (4 * 255 - cover)) / (4 * 255)) as u8;
            }
        }
    }
}

/// Returns the index of the pixel of a picture at a point of it, from 0 to 1 on either side.
fn index(at: Point, width: u32, height: u32) -> usize {
    let (x, y) = (pixel(at.x * f64::from(width)), pixel(at.y * f64::from(height)));
    y * width as usize + x
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
                    // A mask may be finer than the picture that it is of.
                    let cover = |at: Point| match &alpha {
                        Some(LumaData { data, width, height, .. }) => {
                            data.get(index(at, *width, *height)).copied()
                        }
                        None => Some(255),
                    };
                    let (width, height) = size;
                    match &image {
                        ImageData::Luma(luma) => self.draw(size, transform, |at| {
                            Some((*luma.data.get(index(at, width, height))?, cover(at)?))
                        }),
                        ImageData::Rgb(rgb) => self.draw(size, transform, |at| {
                            let first = 3 * index(at, width, height);
                            let parts = rgb.data.get(first..first + 3)?.try_into().ok()?;
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
                        Some((colour, *mask.data.get(index(at, mask.width, mask.height))?))
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
