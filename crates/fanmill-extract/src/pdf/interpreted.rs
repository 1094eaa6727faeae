//! Pages as glyphs, from the interpreter of the crate `hayro-interpret`. Only this module, `fonts`, `annotations` and `layers`
//! use that crate.

use std::collections::{HashMap, HashSet};

use fanmill_text::Setting;
use fanmill_text::message;
use hayro_interpret::font::{Glyph as Drawn, GlyphRun};
pub(super) use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::{self, Dict};
use hayro_interpret::hayro_syntax::page::Page as Source;
use hayro_interpret::hayro_syntax::xref::XRef;
use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError};
use hayro_interpret::kurbo::{Affine, BezPath, Point, Rect, Shape};
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps,
    InterpreterCache, InterpreterSettings, Paint, SoftMask, TransformExt, interpret_page,
};

use super::accents::compose_accents;
use super::annotations::{comments, fields, string};
use super::fonts::{Answer, Fonts, PageFonts, Reading};
use super::forms::Field;
use super::geometry::{Cover, TINY, cell, covers, place, positioned, rectangle};
use super::layers::all_layers_on;
use super::limits::{DEEPEST, MOST_AREAS, MOST_GLYPHS};
use super::page::{Glyph, Page, Sight, Text};
use super::scan::Scan;
use super::spans::{Ended, Letters, Span};
use crate::extracted::{Metadata, ReadFailure};

/// Part of a page that pictures take up if it was scanned.
const SCANNED: f64 = 0.5;

/// Maximum number of letters on such a page: a stamp, a page number, the name of the program that scanned it.
const STAMP: usize = 50;

/// A colour whose parts are all at least this cannot be distinguished from white.
const WHITE: u8 = 0xF5;

/// Opens a document without a password, or with the first line of `passwords` that is its password.
pub(super) fn open(bytes: &[u8], passwords: &str) -> Result<Pdf, ReadFailure> {
    let locked = LoadPdfError::Decryption(DecryptionError::PasswordProtected);
    let mut opened = Pdf::new(bytes.to_vec());
    for password in passwords.lines() {
        if !matches!(&opened, Err(error) if *error == locked) {
            break;
        }
        opened = Pdf::new_with_password(bytes.to_vec(), password);
    }
    opened.map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            let file = Setting("password-file");
            ReadFailure::skipped(if passwords.is_empty() {
                message![
                    "encrypted with a password; write it into a file, and give that with ",
                    file
                ]
            } else {
                message!["encrypted with a password, and no line of ", file, " is it"]
            })
        }
        LoadPdfError::Decryption(_) => ReadFailure::skipped(
            "encrypted in a way that is not supported; save it without encryption",
        ),
        LoadPdfError::Invalid => ReadFailure::failed(super::DAMAGED),
    })
}

/// Returns the metadata of a document, as the document states them.
pub(super) fn metadata(pdf: &Pdf) -> Metadata {
    let said = pdf.metadata();
    let text = |bytes: &Option<Box<[u8]>>| {
        let text = string(bytes.as_deref()?);
        let text = text.trim();
        (!text.is_empty()).then(|| text.chars().take(1000).collect())
    };
    let created = said.creation_date.map(|date| {
        let (hour, minute, second) = (date.hour, date.minute, date.second);
        format!(
            "{:04}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}",
            date.year, date.month, date.day
        )
    });
    Metadata {
        author: text(&said.author),
        created,
        program: text(&said.creator).or_else(|| text(&said.producer)),
        ..Metadata::default()
    }
}

/// A reader of the pages of a document, one after the other.
pub(super) struct Reader<'a> {
    pdf: &'a Pdf,
    cache: InterpreterCache<'a>,
    settings: InterpreterSettings,
    fonts: Fonts<'a>,
    /// If the document has layers that are switched off, a table of references that switches all of them on.
    all_layers: Option<&'a XRef>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(pdf: &'a Pdf) -> Reader<'a> {
        let settings = InterpreterSettings::default();
        let fonts = Fonts::new(&settings);
        let cache = InterpreterCache::new();
        Reader { pdf, cache, settings, fonts, all_layers: all_layers_on(pdf) }
    }

    pub(super) fn n_pages(&self) -> usize {
        self.pdf.pages().len()
    }

    /// Returns the pictures of the page with this number, counted from 0, as one picture.
    pub(super) fn scan(&self, index: usize) -> Option<Scan> {
        let source = self.pdf.pages().get(index)?;
        let (width, height) = source.render_dimensions();
        let bounds = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
        let place = source.initial_transform(true).to_kurbo();
        let settings = self.settings.clone();
        let mut context = Context::new(place, bounds, &self.cache, self.pdf.xref(), settings);
        let mut scan = Scan::new(bounds)?;
        interpret_page(source, &mut context, &mut scan);
        Some(scan)
    }

    /// Returns the page with this number, counted from 0.
    pub(super) fn page(&mut self, index: usize, reading: Reading) -> Page {
        let Some(source) = self.pdf.pages().get(index) else { return Page::default() };
        let mut page = self.drawn(source, reading, self.pdf.xref());
        if let (Some(layers), Reading::Document) = (self.all_layers, reading) {
            let all = self.drawn(source, reading, layers);
            page.add_hidden(all.glyphs);
            page.is_cut |= all.is_cut;
        }
        page.comments = comments(source);
        page
    }

    /// Returns a page with the layers that a table of references switches on.
    fn drawn(&mut self, source: &'a Source<'a>, reading: Reading, layers: &'a XRef) -> Page {
        let (width, height) = source.render_dimensions();
        let bounds = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
        let place = source.initial_transform(true).to_kurbo();
        let settings = self.settings.clone();
        let mut context = Context::new(place, bounds, &self.cache, layers, settings);
        let mut canvas =
            Canvas::new(bounds, PageFonts::new(&mut self.fonts, source, reading), reading);
        run(source, &mut context, &mut canvas);
        canvas.draw(fields(source, place));
        let mut page = canvas.finish();
        page.is_cut |= self.fonts.is_cut;
        page
    }
}

fn run<'a>(source: &Source<'a>, context: &mut Context<'a>, canvas: &mut Canvas<'_, 'a>) {
    interpret_page(source, context, canvas);
}

/// The device that receives what is drawn on a page.
struct Canvas<'f, 'a> {
    fonts: PageFonts<'f, 'a>,
    bounds: Rect,
    page: Page,
    /// Pictures. Invisible text over a picture is the text recognised in it.
    pictures: Vec<Rect>,
    /// Areas that are not white, where white text is visible.
    shaded: Vec<Rect>,
    /// For each open clip, the area that it leaves together with those around it; each form has a clip.
    clips: Vec<Rect>,
    /// For each open group that is drawn as one, true if it may let through what is below.
    clear_groups: Vec<bool>,
    /// Opaque rectangles, in the order in which they are drawn.
    covers: Vec<Cover>,
    /// For each glyph, the number of covers at the time it was drawn.
    drawn_after: Vec<u32>,
    /// Glyphs by position, in cells of 2 points: a glyph drawn twice for boldness is read once.
    known: HashMap<(i32, i32), Vec<u32>>,
    /// Cells and quarter turns of glyphs without a character, which may be drawn twice, too.
    unmapped: HashSet<(i32, i32, u8)>,
    /// If [`Reading::Fonts`], what spans say is not read.
    reading: Reading,
    /// Number of open marks of content.
    n_marks: usize,
    span: Option<Span>,
}

impl<'f, 'a> Canvas<'f, 'a> {
    fn new(bounds: Rect, fonts: PageFonts<'f, 'a>, reading: Reading) -> Canvas<'f, 'a> {
        Canvas {
            fonts,
            bounds,
            page: Page::default(),
            pictures: Vec::new(),
            shaded: Vec::new(),
            clips: Vec::new(),
            clear_groups: Vec::new(),
            covers: Vec::new(),
            drawn_after: Vec::new(),
            known: HashMap::new(),
            unmapped: HashSet::new(),
            reading,
            n_marks: 0,
            span: None,
        }
    }

    fn finish(mut self) -> Page {
        self.end_span();
        let is_over = |areas: &[Rect], glyph: &Glyph| {
            let (x, y) = place(glyph);
            areas.iter().any(|area| area.inflate(1.0, 1.0).contains(Point::new(x, y)))
        };
        let mut is_recognised = false;
        for (glyph, &drawn_after) in self.page.glyphs.iter_mut().zip(&self.drawn_after) {
            let later = &self.covers[drawn_after as usize..];
            if glyph.sight == Sight::Seen && later.iter().any(|cover| cover.hides(glyph)) {
                glyph.sight = Sight::Covered;
            }
            // Text recognised in a scan is drawn invisibly over its picture.
            if glyph.sight == Sight::Invisible && is_over(&self.pictures, glyph) {
                glyph.sight = Sight::Seen;
                is_recognised = true;
            }
        }
        compose_accents(&mut self.page.glyphs);
        let seen = self.page.glyphs.iter();
        let n_seen = seen.filter(|glyph| glyph.sight == Sight::Seen && !glyph.text.is_blank());
        self.page.is_scan =
            !is_recognised && n_seen.count() + self.page.n_unmapped <= STAMP && self.is_pictured();
        self.page
    }

    /// Returns whether pictures take up most of the page.
    fn is_pictured(&self) -> bool {
        const STEPS: u32 = 20;
        let at = |step: u32| (f64::from(step) + 0.5) / f64::from(STEPS);
        let points = (0..STEPS * STEPS).map(|n| {
            let (x, y) = (at(n % STEPS), at(n / STEPS));
            Point::new(x * self.bounds.width(), y * self.bounds.height())
        });
        let is_in = |point: &Point| self.pictures.iter().any(|picture| picture.contains(*point));
        points.filter(is_in).count() as f64 > SCANNED * f64::from(STEPS * STEPS)
    }

    /// Draws fields on top of all else, as long as there is room for all of a value.
    fn draw(&mut self, fields: impl Iterator<Item = Field>) {
        for field in fields {
            if self.page.glyphs.len() + field.value.len() > MOST_GLYPHS {
                self.page.is_cut = true;
                return;
            }
            self.page.glyphs.extend(field.glyphs());
            self.drawn_after.resize(self.page.glyphs.len(), self.covers.len() as u32);
        }
    }

    /// Records an area that hides what was drawn before it. A picture of most of the page is a scan, and the text
    /// recognised in it lies below.
    fn cover(&mut self, area: Rect, is_picture: bool) {
        let area = self.clips.last().map_or(area, |clip| clip.intersect(area));
        let is_scan = is_picture && area.area() > 0.5 * self.bounds.area();
        let is_shown = area.area() > 0.0 && !self.clear_groups.contains(&true);
        if is_shown && !is_scan && self.covers.len() < MOST_AREAS {
            self.covers.push(Cover(area));
        }
    }

    /// Returns whether there is an area that is not white where a glyph starts.
    fn is_shaded(&self, at: Point) -> bool {
        self.shaded.iter().rev().any(|area| area.contains(at))
    }

    fn shade(&mut self, area: Rect, paint: Option<&Paint<'_>>) {
        let is_white = paint.is_some_and(is_white);
        if is_white {
            // White on top of a shaded area removes all of it.
            self.shaded.retain(|below| !covers(area, *below));
        } else if self.shaded.len() < MOST_AREAS {
            self.shaded.push(area);
        }
    }

    fn take(&mut self, drawn: &Drawn<'a>, transform: Affine, sight: Option<Sight>, vertical: bool) {
        let n_in_span = self.span.as_ref().map_or(0, Span::len);
        if self.page.glyphs.len() + self.unmapped.len() + n_in_span >= MOST_GLYPHS {
            self.page.is_cut = true;
            return;
        }
        let Answer { text, is_same } = self.fonts.characters(drawn);
        // A glyph without a character has a place, too.
        let text = text.unwrap_or_else(|| Text::from_characters(""));
        let Some(mut glyph) = positioned(drawn, transform, vertical, text) else { return };
        let (x, y) = place(&glyph);
        let margin = glyph.size.min(50.0);
        glyph.sight = if !self.bounds.inflate(margin, margin).contains(Point::new(x, y)) {
            Sight::OffPage
        } else if let Some(sight) = sight {
            sight
        } else if glyph.size < TINY && !matches!(drawn, Drawn::Type3(_)) {
            Sight::Tiny
        } else {
            Sight::Seen
        };
        if glyph.sight == Sight::White && self.is_shaded(Point::new(x, y)) {
            glyph.sight = Sight::Seen;
        }
        match &mut self.span {
            Some(span) => span.push(glyph, is_same),
            None => self.add(glyph, Letters::from_one(is_same)),
        }
    }

    /// Ends the span that says its text, if one is open.
    fn end_span(&mut self) {
        match self.span.take().map(Span::end) {
            None => {}
            Some(Ended::Drawn(glyphs)) => {
                for (glyph, is_same) in glyphs {
                    self.add(glyph, Letters::from_one(is_same));
                }
            }
            Some(Ended::Said(Some(whole), _, letters)) => self.add(whole, letters),
            Some(Ended::Said(None, sight, letters)) => self.count(sight, letters),
        }
    }

    /// Counts letters that are seen.
    fn count(&mut self, sight: Sight, letters: Letters) {
        if sight == Sight::Seen {
            self.page.n_same += letters.n_same;
            self.page.n_other += letters.n_other;
        }
    }

    /// Adds a glyph that is new, and counts its letters.
    fn add(&mut self, glyph: Glyph, letters: Letters) {
        if glyph.text == Text::from_characters("") {
            let place = (cell(glyph.start), cell(glyph.across), glyph.turns);
            if glyph.sight == Sight::Seen && self.unmapped.insert(place) {
                self.page.n_unmapped += 1;
            }
            return;
        }
        let now = self.covers.len() as u32;
        // A glyph that is drawn again is on top again: earlier covers no longer hide it.
        if let Some(index) = self.known(&glyph) {
            self.drawn_after[index as usize] = now;
        } else {
            self.count(glyph.sight, letters);
            self.page.glyphs.push(glyph);
            self.drawn_after.push(now);
        }
    }

    /// Returns the index of the same glyph at the same place, or remembers this one.
    fn known(&mut self, glyph: &Glyph) -> Option<u32> {
        let (start, across) = (cell(glyph.start), cell(glyph.across));
        for i in -1..=1 {
            for j in -1..=1 {
                let near = (start.saturating_add(i), across.saturating_add(j));
                let Some(there) = self.known.get(&near) else { continue };
                let is_same = |&index: &u32| {
                    let other = &self.page.glyphs[index as usize];
                    let near = 0.12 * glyph.size;
                    other.text == glyph.text
                        && other.turns == glyph.turns
                        && (other.start - glyph.start).abs() < near
                        && (other.across - glyph.across).abs() < near
                };
                if let Some(index) = there.iter().copied().find(is_same) {
                    return Some(index);
                }
            }
        }
        let there = self.known.entry((start, across)).or_default();
        if there.len() < 16 {
            there.push(self.page.glyphs.len() as u32);
        }
        None
    }
}

fn is_white(paint: &Paint<'_>) -> bool {
    match paint {
        Paint::Color(colour) => {
            let [red, green, blue, alpha] = colour.to_rgba().to_rgba8();
            [red, green, blue].iter().all(|&part| part >= WHITE) && alpha > 0
        }
        Paint::Pattern(_) => false,
    }
}

/// Returns whether nothing is visible through a paint.
fn is_opaque(paint: &Paint<'_>) -> bool {
    match paint {
        Paint::Color(colour) => colour.to_rgba().to_rgba8()[3] == u8::MAX,
        Paint::Pattern(_) => false,
    }
}

/// Returns whether a picture has no transparent parts.
fn is_whole(image: &Image<'_, '_>) -> bool {
    match image {
        Image::Stencil(_) => false,
        Image::Raster(raster) => {
            let entries = raster.stream().dict();
            !["SMask", "Mask", "SMaskInData"].iter().any(|mask| entries.contains_key(mask))
        }
    }
}

/// Returns whether a paint leaves nothing on the page.
fn is_clear(paint: &Paint<'_>) -> bool {
    match paint {
        Paint::Color(colour) => colour.to_rgba().to_rgba8()[3] == 0,
        Paint::Pattern(_) => false,
    }
}

impl<'a> Device<'a> for Canvas<'_, 'a> {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        if matches!(mode, DrawMode::Fill(_) | DrawMode::FillAndStroke(..))
            && !is_clear(&props.paint)
        {
            let area = props.transform.transform_rect_bbox(path.bounding_box());
            self.shade(area, Some(&props.paint));
            let is_plain = props.blend_mode == BlendMode::Normal && props.soft_mask.is_none();
            if is_plain && is_opaque(&props.paint) {
                self.cover(rectangle(path, props.transform), false);
            }
        }
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        let around = self.clips.last().copied().unwrap_or(Rect::new(-1e6, -1e6, 1e6, 1e6));
        self.clips.push(rectangle(&clip.path, Affine::IDENTITY).intersect(around));
        self.page.is_cut |= self.clips.len() > DEEPEST;
    }

    fn push_transparency_group(
        &mut self,
        opacity: f32,
        mask: Option<SoftMask<'a>>,
        blend_mode: BlendMode,
    ) {
        let is_clear = opacity < 1.0 || mask.is_some() || blend_mode != BlendMode::Normal;
        self.clear_groups.push(is_clear);
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        let sight = if matches!(mode, DrawMode::Invisible) || is_clear(&props.paint) {
            Some(Sight::Invisible)
        } else {
            is_white(&props.paint).then_some(Sight::White)
        };
        let vertical =
            !matches!(run.writing_mode(), hayro_interpret::hayro_cmap::WritingMode::Horizontal);
        for glyph in run.glyphs() {
            self.take(glyph, props.transform * glyph.transform(), sight, vertical);
        }
    }

    fn begin_marked_content(&mut self, _: &[u8], properties: Option<&Dict<'_>>) {
        let said = properties.and_then(|said| said.get::<object::String<'_>>("ActualText"));
        if let Some(said) = said
            && self.span.is_none()
            && self.reading == Reading::Document
        {
            self.span = Some(Span::new(string(said.as_bytes()), self.n_marks));
        }
        self.n_marks += 1;
    }

    fn end_marked_content(&mut self) {
        self.n_marks = self.n_marks.saturating_sub(1);
        if self.span.as_ref().is_some_and(|span| span.depth == self.n_marks) {
            self.end_span();
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        self.page.n_pictures += 1;
        let unit = Rect::new(0.0, 0.0, f64::from(image.width()), f64::from(image.height()));
        let area = props.transform.transform_rect_bbox(unit);
        if self.pictures.len() < MOST_AREAS {
            self.pictures.push(area);
        }
        self.shade(area, None);
        let is_plain = props.blend_mode == BlendMode::Normal && props.soft_mask.is_none();
        if is_plain && is_whole(&image) {
            let corners = [(0.0, 0.0), (unit.x1, 0.0), (unit.x1, unit.y1), (0.0, unit.y1)];
            let mut path = BezPath::new();
            path.move_to(corners[0]);
            corners[1..].iter().for_each(|corner| path.line_to(*corner));
            path.close_path();
            self.cover(rectangle(&path, props.transform), true);
        }
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn pop_transparency_group(&mut self) {
        self.clear_groups.pop();
    }
}
