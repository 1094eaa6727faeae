//! Word documents.
//!
//! The text is that of the runs (`w:t`, `m:t` of equations) in their paragraphs. Runs in deletions, and in text that a
//! tracked change moved away, are set apart, and so are runs that cannot be seen: those with `w:vanish`, with tiny
//! letters, or with white letters outside of tables and boxes, whose background is not known here. The run, its style
//! or that of its paragraph may declare this. Of alternative contents the choices are read; the fallback, which repeats
//! them, is not.
//!
//! Source: ECMA-376-1, §17 (WordprocessingML); ECMA-376-3, §7.5 for alternative contents.

use std::borrow::Cow;

use super::draft::{Draft, LineTarget};
use super::embedded;
use super::look::{Look, Styles};
use super::package::Package;
use super::relations;
use super::xml::{self, Element, Ending, Handler, each_element};
use crate::extracted::{Flag, ReadFailure, SetApartReason};

/// Maximum number of revision ids kept.
const REVISIONS: usize = 10_000;

/// Reads the body, `part`, and the parts that it refers to.
pub(super) fn read(
    package: &mut Package<'_>,
    main: &str,
    part: &str,
    draft: &mut Draft,
) -> Result<(), ReadFailure> {
    let relations = relations::of(package, main)?;
    let first = |package: &mut Package<'_>, kind: &str| {
        let found = relations.iter().find(|relation| relation.kind == kind);
        found.map_or(Ok(None), |relation| package.take(&relation.target))
    };
    let styles = first(package, "styles")?.map_or_else(Styles::default, |part| styles(&part));
    if let Some(settings) = first(package, "settings")? {
        let _ = each_element(&settings, |element| {
            let ids = &mut draft.metadata.revision_ids;
            if element.name() == "rsid"
                && ids.len() < REVISIONS
                && let Some(value) = element.get("val")
            {
                ids.extend(u32::from_str_radix(&value, 16));
            }
        });
    }
    runs(part, &styles, LineTarget::Body, draft);
    // Diagrams are parts of their own, so their text comes after the body.
    for relation in relations.iter().filter(|relation| relation.kind == "diagramdata") {
        if let Some(part) = package.take(&relation.target)? {
            runs(&part, &styles, LineTarget::Body, draft);
        }
    }
    embedded::read(package, &relations, LineTarget::Body, draft);
    for kind in ["footnotes", "endnotes", "comments"] {
        if let Some(part) = first(package, kind)? {
            runs(&part, &styles, LineTarget::Notes, draft);
        }
    }
    Ok(())
}

fn runs(part: &str, styles: &Styles, stream: LineTarget, draft: &mut Draft) {
    if xml::read(part, &mut Body::new(styles, stream, draft)) == Ending::Damaged {
        draft.flag(Flag::Damaged);
    }
}

/// Reads the looks of a document's styles.
fn styles(part: &str) -> Styles {
    let mut styles = Styles::default();
    let mut name = None;
    let (mut look, mut based_on) = (Look::default(), None);
    let ending = each_element(part, |element| match element.name() {
        "style" => {
            if let Some(name) = name.take() {
                styles.insert(name, std::mem::take(&mut look), based_on.take());
            }
            name = element.get("styleId").map(Cow::into_owned);
            let is_default =
                element.get("default").is_some_and(|value| matches!(&*value, "1" | "true"));
            if is_default && element.get("type").as_deref() == Some("paragraph") {
                styles.default.clone_from(&name);
            }
        }
        "basedOn" => based_on = element.get("val").map(Cow::into_owned),
        _ if name.is_some() => take_look(element, &mut look),
        _ => {}
    });
    let _ = ending;
    if let Some(name) = name {
        styles.insert(name, look, based_on);
    }
    styles
}

/// Applies an element of the properties of a run or paragraph to a look.
fn take_look(element: &Element<'_>, look: &mut Look) {
    match element.name() {
        "vanish" => look.hidden = Some(element.is_on()),
        "color" => look.colour(&element.get("val").unwrap_or_default()),
        "sz" => {
            let half_points = element.get("val").and_then(|value| value.parse::<f64>().ok());
            look.size(half_points.unwrap_or(24.0) / 2.0);
        }
        "shd" => look.background(&element.get("fill").unwrap_or_default()),
        "highlight" => look.shaded = Some(element.is_on()),
        _ => {}
    }
}

/// The reader of the runs of a part.
struct Body<'r> {
    styles: &'r Styles,
    stream: LineTarget,
    draft: &'r mut Draft,
    /// Number of open elements, counted from the outermost one that is left out.
    n_left_out: usize,
    n_deleted: usize,
    n_moved: usize,
    n_comments: usize,
    n_tables: usize,
    n_boxes: usize,
    n_paragraph_properties: usize,
    n_run_properties: usize,
    n_texts: usize,
    has_background: bool,
    /// The looks of the open paragraphs and runs, innermost last.
    paragraphs: Vec<Look>,
    runs: Vec<Look>,
}

impl<'r> Body<'r> {
    fn new(styles: &'r Styles, stream: LineTarget, draft: &'r mut Draft) -> Body<'r> {
        Body {
            styles,
            stream,
            draft,
            n_left_out: 0,
            n_deleted: 0,
            n_moved: 0,
            n_comments: 0,
            n_tables: 0,
            n_boxes: 0,
            n_paragraph_properties: 0,
            n_run_properties: 0,
            n_texts: 0,
            has_background: false,
            paragraphs: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Returns the part of the text that the open line belongs to.
    fn stream(&self) -> LineTarget {
        match self.stream {
            LineTarget::Body if self.n_tables > 0 => LineTarget::Table,
            stream => stream,
        }
    }

    /// Returns the reason why the text of the open run is set apart, if it is.
    fn why_aside(&self) -> Option<SetApartReason> {
        if self.n_deleted > 0 {
            return Some(SetApartReason::Deleted);
        }
        if self.n_moved > 0 {
            return Some(SetApartReason::Moved);
        }
        let paragraph = self.paragraphs.last().copied().unwrap_or_default();
        let look = self.runs.last().copied().unwrap_or_default().over(paragraph);
        let is_on_unknown = self.n_tables > 0 || self.n_boxes > 0 || self.has_background;
        match look.aside() {
            Some(SetApartReason::White) if is_on_unknown => None,
            None if self.n_comments > 0 => Some(SetApartReason::Comment),
            why => why,
        }
    }

    fn push(&mut self, text: &str) {
        match self.why_aside() {
            None => self.draft.push(text),
            Some(kind) => {
                let at = self.draft.here(self.stream());
                self.draft.aside(kind, at, text);
            }
        }
    }

    /// Returns the counter of open elements with a name, if they matter.
    fn counter(&mut self, name: &str) -> Option<&mut usize> {
        Some(match name {
            "del" => &mut self.n_deleted,
            "moveFrom" => &mut self.n_moved,
            "comment" => &mut self.n_comments,
            "tbl" => &mut self.n_tables,
            "txbxContent" => &mut self.n_boxes,
            "pPr" => &mut self.n_paragraph_properties,
            "rPr" => &mut self.n_run_properties,
            "t" | "delText" => &mut self.n_texts,
            _ => return None,
        })
    }

    /// Handles an element of the properties of a paragraph or run.
    fn property(&mut self, element: &Element<'_>) {
        let style = || element.get("val").map(|name| self.styles.look(&name)).unwrap_or_default();
        // The mark at the end of a paragraph has properties of its own.
        let is_of_run = self.n_run_properties > 0 && self.n_paragraph_properties == 0;
        let is_of_paragraph = self.n_paragraph_properties > 0 && self.n_run_properties == 0;
        match (element.name(), self.runs.last_mut(), self.paragraphs.last_mut()) {
            ("rStyle", Some(run), _) if is_of_run => *run = run.over(style()),
            (_, Some(run), _) if is_of_run => take_look(element, run),
            ("pStyle", _, Some(paragraph)) if is_of_paragraph => {
                *paragraph = Look { shaded: paragraph.shaded, ..Look::default() }.over(style());
            }
            ("shd", _, Some(paragraph)) if is_of_paragraph => take_look(element, paragraph),
            _ => {}
        }
    }
}

/// Returns whether an element has no text of the document: instructions, earlier formatting, phonetic text, separators
/// of notes.
fn is_left_out(element: &Element<'_>) -> bool {
    match element.name() {
        "Fallback" | "instrText" | "delInstrText" | "rt" | "rPrChange" | "pPrChange" | "sectPr"
        | "tabs" | "sdtPr" | "tblPr" | "trPr" | "tcPr" | "numPr" => true,
        "footnote" | "endnote" => element.get("type").is_some_and(|kind| kind != "normal"),
        _ => false,
    }
}

impl Handler for Body<'_> {
    fn open(&mut self, element: &Element<'_>) {
        if self.n_left_out > 0 || is_left_out(element) {
            self.n_left_out += 1;
            return;
        }
        let name = element.name();
        if self.n_run_properties > 0 || self.n_paragraph_properties > 0 {
            self.property(element);
        } else if self.runs.is_empty() {
            self.has_background |= name == "background";
        } else {
            match name {
                "tab" | "ptab" => self.push("\t"),
                "br" | "cr" => self.push("\n"),
                "noBreakHyphen" => self.push("-"),
                _ => {}
            }
        }
        match name {
            "p" => {
                self.draft.open_line();
                self.paragraphs.push(self.styles.usual());
            }
            "r" => self.runs.push(Look::default()),
            _ => {}
        }
        if let Some(n_open) = self.counter(name) {
            *n_open += 1;
        }
        // `delText` usually is inside `del`, but it is deleted text anywhere.
        self.n_deleted += usize::from(name == "delText");
    }

    fn close(&mut self, name: &str) {
        if self.n_left_out > 0 {
            self.n_left_out -= 1;
            return;
        }
        if let Some(n_open) = self.counter(name) {
            *n_open = n_open.saturating_sub(1);
        }
        match name {
            "p" => {
                self.paragraphs.pop();
                let stream = self.stream();
                self.draft.close_line(stream);
            }
            "r" => drop(self.runs.pop()),
            "delText" => self.n_deleted = self.n_deleted.saturating_sub(1),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.n_left_out == 0 && self.n_texts > 0 {
            self.push(text);
        }
    }
}
