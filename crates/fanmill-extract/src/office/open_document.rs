//! OpenDocument texts, slides and sheets.
//!
//! One part, `content.xml`, contains the styles and then the body. Only `text:p` and `text:h` contain text. White space
//! in them only separates words, and `text:s` is a space that is shown.
//!
//! Source: OASIS OpenDocument 1.3, part 3, §5 and §6 (text), §9 (tables), §10 (drawings), §16 (styles).
//! Departs from it: a repeated cell or row is written [`REPEATED`] times at most; only positions count all repetitions.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::draft::{Draft, LineTarget};
use super::embedded;
use super::limits::MOST_REFERENCES;
use super::look::{Look, Styles};
use super::metadata;
use super::package::Package;
use super::xml::{self, Element, Ending, Handler};
use crate::extracted::{Flag, Format, Location, ReadFailure, SetApartReason};

/// Maximum number of times that a repeated cell or row is written.
const REPEATED: u32 = 100;

/// Maximum number of spaces that one element may represent.
const SPACES: usize = 64;

/// Reads the document.
pub(super) fn read(
    package: &mut Package<'_>,
    draft: &mut Draft,
) -> Result<Option<Format>, ReadFailure> {
    let manifest = package.take("META-INF/manifest.xml")?.unwrap_or_default();
    let mut is_encrypted = false;
    let _ =
        xml::each_element(&manifest, |element| is_encrypted |= element.name() == "encryption-data");
    if is_encrypted {
        return Err(ReadFailure::skipped("encrypted; save it without a password"));
    }
    if package.names().any(|name| name.starts_with("basic/") && name.ends_with("script-lb.xml")) {
        draft.flag(Flag::Macros);
    }
    metadata::open_document(package, draft)?;
    let styles = package.take("styles.xml")?;
    let content = package.take("content.xml")?.unwrap_or_default();
    let mut body = Content::new(draft);
    if let Some(styles) = styles {
        // Its headers and footers are outside of any body, so they are not read.
        let _ = xml::read(&styles, &mut body);
    }
    let ending = xml::read(&content, &mut body);
    let format = body.format;
    if ending == Ending::Damaged {
        draft.flag(Flag::Damaged);
    }
    objects(package, draft);
    Ok(format)
}

/// Reads documents inside the document: each is a folder with parts of its own, or a file of another program.
fn objects(package: &mut Package<'_>, draft: &mut Draft) {
    let names: Vec<String> = package.names().map(str::to_owned).collect();
    for name in names {
        let folder = name.strip_suffix("/content.xml").filter(|folder| !folder.contains('/'));
        let is_file =
            name.strip_prefix("object ").is_some_and(|number| number.parse::<u32>().is_ok());
        if let Some(folder) = folder {
            // Formulas and diagrams are folders, too, and a text may have hundreds.
            if draft.is_full() || !object(package, folder, draft) {
                draft.flag(Flag::Embedded);
            }
        } else if is_file {
            embedded::file(package, &name, false, LineTarget::Body, draft);
        }
    }
}

/// Reads the text or the sheets of a document in a folder; a diagram and a formula have neither. Returns whether it can be
/// read.
fn object(package: &mut Package<'_>, folder: &str, draft: &mut Draft) -> bool {
    let mut part = |name: &str| package.take(&format!("{folder}/{name}"));
    let (Ok(styles), Ok(Some(content))) = (part("styles.xml"), part("content.xml")) else {
        return false;
    };
    let mut body = Content::new(draft);
    if let Some(styles) = styles {
        let _ = xml::read(&styles, &mut body);
    }
    xml::read(&content, &mut body) != Ending::Damaged
}

/// The reader of the styles and of the body that uses them.
struct Content<'b> {
    draft: &'b mut Draft,
    /// If set, the body has begun. Its first element determines the format.
    has_begun: bool,
    format: Option<Format>,
    styles: Styles,
    /// The style that is being read.
    style: Option<(String, Look, Option<String>)>,
    pages: Pages,
    n_left_out: usize,
    n_deleted: usize,
    n_comments: usize,
    n_notes: usize,
    n_tables: usize,
    n_boxes: usize,
    /// For each open section, true if it or one around it is hidden.
    sections: Vec<bool>,
    /// The looks of the open paragraphs and spans, combined with those around them.
    looks: Vec<Look>,
    slide: u32,
    n_speaker_notes: usize,
    sheet: Sheet,
}

/// The reader's position in a sheet.
#[derive(Debug, Default)]
struct Sheet {
    is_hidden: bool,
    row: u32,
    column: u32,
    n_rows: u32,
    n_columns: u32,
    /// The text of the open cell.
    text: String,
    /// The cells of the open row: the first column, the number of cells with the same text, and the text.
    cells: Vec<(u32, u32, String)>,
}

/// The pages that paragraphs are on, and the colours of these.
#[derive(Debug, Default)]
struct Pages {
    /// Name of the layout that is being read.
    layout: String,
    /// Names of layouts with a background that is not white.
    coloured: HashSet<String>,
    /// Layouts of kinds of pages, and kinds of pages that paragraph styles begin, by name.
    layouts: HashMap<String, String>,
    begun: HashMap<String, String>,
    /// True if the page of the last paragraph is coloured.
    is_coloured: bool,
    /// True after the first paragraph.
    has_begun: bool,
}

impl Pages {
    /// The kind of page that a document begins with if no style says otherwise.
    const USUAL: &'static str = "Standard";

    /// Handles an element of the styles.
    fn style(&mut self, element: &Element<'_>) {
        let of = |name: &str| element.get(name).map(Cow::into_owned);
        if self.layouts.len().max(self.begun.len()).max(self.coloured.len()) >= MOST_REFERENCES {
            return;
        }
        match element.name() {
            "page-layout" => self.layout = of("name").unwrap_or_default(),
            "page-layout-properties" => {
                let mut look = Look::default();
                look.background(&of("background-color").unwrap_or_else(|| "none".to_owned()));
                if look.shaded == Some(true) {
                    self.coloured.insert(self.layout.clone());
                }
            }
            "master-page" => {
                self.layouts.extend(of("name").zip(of("page-layout-name")));
            }
            "style" => {
                let kind = of("master-page-name").filter(|name| !name.is_empty());
                self.begun.extend(of("name").zip(kind));
            }
            _ => {}
        }
    }

    /// Handles the start of a paragraph, with which another kind of page may begin.
    fn paragraph(&mut self, element: &Element<'_>) {
        let kind = element.get("style-name").and_then(|name| self.begun.get(&*name));
        let usual = (!self.has_begun).then_some(Pages::USUAL);
        if let Some(kind) = kind.map(String::as_str).or(usual) {
            self.is_coloured =
                self.layouts.get(kind).is_some_and(|layout| self.coloured.contains(layout));
        }
        self.has_begun = true;
    }
}

impl<'b> Content<'b> {
    fn new(draft: &'b mut Draft) -> Content<'b> {
        Content {
            draft,
            has_begun: false,
            format: None,
            styles: Styles::default(),
            style: None,
            pages: Pages::default(),
            n_left_out: 0,
            n_deleted: 0,
            n_comments: 0,
            n_notes: 0,
            n_tables: 0,
            n_boxes: 0,
            sections: Vec::new(),
            looks: Vec::new(),
            slide: 0,
            n_speaker_notes: 0,
            sheet: Sheet::default(),
        }
    }

    fn stream(&self) -> LineTarget {
        match self.format {
            Some(Format::Odp) if self.n_speaker_notes > 0 => {
                LineTarget::In(Location::SpeakerNotes(self.slide))
            }
            Some(Format::Odp) => LineTarget::In(Location::Slide(self.slide)),
            _ if self.n_notes > 0 => LineTarget::Notes,
            _ if self.n_tables > 0 => LineTarget::Table,
            _ => LineTarget::Body,
        }
    }

    fn is_sheet(&self) -> bool {
        self.format == Some(Format::Ods)
    }

    /// Returns the place of the text that is being read.
    fn here(&self) -> Location {
        if self.is_sheet() {
            let sheet = (self.draft.sheets.len() as u32).saturating_sub(1);
            return Location::Cell { sheet, row: self.sheet.row, column: self.sheet.column };
        }
        self.draft.here(self.stream())
    }

    fn why_aside(&self) -> Option<SetApartReason> {
        if self.n_deleted > 0 {
            return Some(SetApartReason::Deleted);
        }
        if self.n_comments > 0 {
            return Some(SetApartReason::Comment);
        }
        if self.sections.last() == Some(&true) || self.sheet.is_hidden {
            return Some(SetApartReason::Hidden);
        }
        let look = self.looks.last().copied().unwrap_or_default();
        // The background of cells, boxes and slides is not known here.
        let is_on_unknown = self.n_tables > 0
            || self.n_boxes > 0
            || self.format != Some(Format::Odt)
            || self.pages.is_coloured;
        look.aside().filter(|why| *why != SetApartReason::White || !is_on_unknown)
    }

    fn push(&mut self, text: &str) {
        match self.why_aside() {
            Some(kind) => {
                let at = self.here();
                self.draft.aside(kind, at, text);
            }
            None if self.is_sheet() => {
                if !self.draft.is_full() {
                    self.sheet.text.push_str(text);
                }
            }
            None => self.draft.push_flowing(text),
        }
    }

    fn styled(&self, element: &Element<'_>) -> Look {
        element.get("style-name").map(|name| self.styles.look(&name)).unwrap_or_default()
    }

    fn open_look(&mut self, element: &Element<'_>) {
        let outer = self.looks.last().copied().unwrap_or_default();
        self.looks.push(self.styled(element).over(outer));
    }

    /// Returns the counter of open elements with a name, if they matter.
    fn counter(&mut self, name: &str) -> Option<&mut usize> {
        Some(match name {
            "deletion" => &mut self.n_deleted,
            "annotation" => &mut self.n_comments,
            "note" => &mut self.n_notes,
            "notes" => &mut self.n_speaker_notes,
            "text-box" | "custom-shape" => &mut self.n_boxes,
            "table" => &mut self.n_tables,
            _ => return None,
        })
    }

    /// Handles an element of the styles.
    fn style(&mut self, element: &Element<'_>) {
        if matches!(element.name(), "style" | "default-style" | "body") {
            if let Some((name, look, based_on)) = self.style.take() {
                self.styles.insert(name, look, based_on);
            }
            let of = |name: &str| element.get(name).map(Cow::into_owned);
            self.style = of("name").map(|name| (name, Look::default(), of("parent-style-name")));
        }
        self.pages.style(element);
        let Some((_, look, _)) = &mut self.style else { return };
        if !matches!(
            element.name(),
            "text-properties" | "paragraph-properties" | "section-properties"
        ) {
            return;
        }
        if let Some(display) = element.get("display") {
            look.hidden = Some(display == "none");
        }
        if let Some(colour) = element.get("color") {
            look.colour(&colour);
        }
        if let Some(colour) = element.get("background-color") {
            look.background(&colour);
        }
        let size = element.get("font-size");
        if let Some(points) = size.and_then(|size| size.strip_suffix("pt")?.parse::<f64>().ok()) {
            look.size(points);
        }
    }

    /// Handles an element of a sheet.
    fn open_in_sheet(&mut self, element: &Element<'_>) {
        let repeated = |name: &str| element.number(name).unwrap_or(1).max(1);
        match element.name() {
            "table" => {
                self.draft.sheets.push(element.get("name").unwrap_or_default().into_owned());
                self.sheet = Sheet {
                    is_hidden: self.styled(element).hidden == Some(true),
                    ..Sheet::default()
                };
            }
            "table-row" => {
                let sheet = &mut self.sheet;
                sheet.row = sheet.row.saturating_add(sheet.n_rows.max(1));
                sheet.n_rows = repeated("number-rows-repeated");
                (sheet.column, sheet.n_columns) = (0, 1);
            }
            "table-cell" | "covered-table-cell" => {
                let sheet = &mut self.sheet;
                sheet.column = sheet.column.saturating_add(sheet.n_columns.max(1));
                sheet.n_columns = repeated("number-columns-repeated");
                sheet.text.clear();
            }
            _ => {}
        }
    }

    fn close_in_sheet(&mut self, name: &str) {
        let sheet = &mut self.sheet;
        match name {
            "p" | "h" if !sheet.text.is_empty() => sheet.text.push(' '),
            "table-cell" | "covered-table-cell" if !sheet.text.trim().is_empty() => {
                sheet.cells.push((sheet.column, sheet.n_columns.min(REPEATED), sheet.text.clone()));
                sheet.text.clear();
            }
            "table-row" => {
                let number = (self.draft.sheets.len() as u32).saturating_sub(1);
                let n_rows = if sheet.cells.is_empty() { 0 } else { sheet.n_rows.min(REPEATED) };
                for row in (0..n_rows).map(|next| sheet.row.saturating_add(next)) {
                    for (first, n_columns, text) in &sheet.cells {
                        for column in (0..*n_columns).map(|next| first.saturating_add(next)) {
                            self.draft.cell(Location::Cell { sheet: number, row, column }, text);
                        }
                    }
                    self.draft.end_row();
                }
                sheet.cells.clear();
            }
            _ => {}
        }
    }

    /// Handles an element of the body.
    fn open_in_body(&mut self, element: &Element<'_>) {
        match element.name() {
            "p" | "h" => {
                self.draft.end_aside();
                if !self.is_sheet() {
                    self.draft.open_line();
                }
                self.open_look(element);
                self.pages.paragraph(element);
            }
            "span" => self.open_look(element),
            "section" => {
                let is_hidden = element.get("display").is_some_and(|display| display == "none");
                let is_outer = self.sections.last() == Some(&true);
                let is_hidden = is_hidden || self.styled(element).hidden == Some(true);
                self.sections.push(is_outer || is_hidden);
            }
            "page" => self.slide += 1,
            "tab" | "line-break" => self.push(" "),
            "s" => {
                let n = element.number("c").unwrap_or(1).clamp(1, SPACES as u32) as usize;
                let spaces = " ".repeat(n);
                match self.why_aside() {
                    None if !self.is_sheet() => self.draft.push(&spaces),
                    _ => self.push(&spaces),
                }
            }
            _ => {}
        }
    }
}

/// Returns whether an element has no text of the document.
fn is_left_out(name: &str) -> bool {
    matches!(
        name,
        "note-citation"
            | "change-info"
            | "ruby-text"
            | "page-number"
            | "forms"
            | "creator"
            | "date"
    )
}

impl Handler for Content<'_> {
    fn open(&mut self, element: &Element<'_>) {
        let name = element.name();
        if self.n_left_out > 0 || is_left_out(name) {
            self.n_left_out += 1;
            return;
        }
        if self.format.is_none() {
            self.format = match name {
                "text" if self.has_begun => Some(Format::Odt),
                "presentation" | "drawing" if self.has_begun => Some(Format::Odp),
                "spreadsheet" if self.has_begun => Some(Format::Ods),
                _ => None,
            };
            self.has_begun |= name == "body";
            return self.style(element);
        }
        self.open_in_body(element);
        if self.is_sheet() {
            self.open_in_sheet(element);
        }
        if let Some(n_open) = self.counter(name) {
            *n_open += 1;
        }
    }

    fn close(&mut self, name: &str) {
        if self.n_left_out > 0 {
            self.n_left_out -= 1;
            return;
        }
        if self.format.is_none() {
            return;
        }
        if let Some(n_open) = self.counter(name) {
            *n_open = n_open.saturating_sub(1);
        }
        if self.is_sheet() {
            self.close_in_sheet(name);
        }
        match name {
            "p" | "h" => {
                self.looks.pop();
                if !self.is_sheet() {
                    let stream = self.stream();
                    self.draft.close_line(stream);
                }
            }
            "span" => drop(self.looks.pop()),
            "section" => drop(self.sections.pop()),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.n_left_out == 0 && !self.looks.is_empty() {
            self.push(text);
        }
    }
}
