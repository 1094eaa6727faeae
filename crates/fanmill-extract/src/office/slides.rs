//! PowerPoint slides in the order in which they are shown, each with its speaker's notes.
//!
//! Source: ECMA-376-1, §19 (PresentationML) and §21.1 (text of DrawingML).

use std::borrow::Cow;

use super::draft::{Draft, LineTarget};
use super::embedded;
use super::limits::MOST_REFERENCES;
use super::look::Look;
use super::package::Package;
use super::relations;
use super::xml::{self, Element, Ending, Handler, each_element};
use crate::extracted::{Flag, Location, ReadFailure, SetApartReason};

/// Reads the slides that a presentation, `part`, lists.
pub(super) fn read(
    package: &mut Package<'_>,
    main: &str,
    part: &str,
    draft: &mut Draft,
) -> Result<(), ReadFailure> {
    let relations = relations::of(package, main)?;
    let mut ids = Vec::new();
    let _ = each_element(part, |element| {
        if element.name() == "sldId" && ids.len() < MOST_REFERENCES {
            ids.extend(element.relation().map(Cow::into_owned));
        }
    });
    let targets: std::collections::HashMap<&str, &str> =
        relations.iter().map(|relation| (&*relation.id, &*relation.target)).collect();
    for (number, id) in (1..).zip(&ids) {
        let Some(&name) = targets.get(&**id) else { continue };
        let Some(part) = package.take(name)? else { continue };
        texts(&part, Location::Slide(number), draft);
        // Notes, diagrams and comments are parts of their own.
        let parts = relations::of(package, name)?;
        for relation in &parts {
            let at = match &*relation.kind {
                "notesslide" => Location::SpeakerNotes(number),
                "diagramdata" | "comments" => Location::Slide(number),
                _ => continue,
            };
            if let Some(part) = package.take(&relation.target)? {
                texts(&part, at, draft);
            }
        }
        embedded::read(package, &parts, LineTarget::In(Location::Slide(number)), draft);
    }
    Ok(())
}

fn texts(part: &str, at: Location, draft: &mut Draft) {
    let mut slide = Slide {
        at,
        draft,
        n_left_out: 0,
        n_texts: 0,
        why: None,
        is_comment: false,
        run: Look::default(),
    };
    if xml::read(part, &mut slide) == Ending::Damaged {
        draft.flag(Flag::Damaged);
    }
}

/// The reader of the paragraphs of a slide, of its notes, of a diagram or of comments.
struct Slide<'t> {
    at: Location,
    draft: &'t mut Draft,
    n_left_out: usize,
    n_texts: usize,
    /// The reason why all of the part is set apart, if it is.
    why: Option<SetApartReason>,
    is_comment: bool,
    run: Look,
}

impl Slide<'_> {
    fn push(&mut self, text: &str) {
        match self.why.or(self.run.aside()) {
            None => self.draft.push(text),
            Some(kind) => self.draft.aside(kind, self.at, text),
        }
    }
}

/// Returns whether an element has no text of the slide: it repeats another one, or is the number of the slide.
fn is_left_out(element: &Element<'_>) -> bool {
    match element.name() {
        "Fallback" => true,
        "fld" => element.get("type").is_some_and(|kind| kind == "slidenum"),
        _ => false,
    }
}

impl Handler for Slide<'_> {
    fn open(&mut self, element: &Element<'_>) {
        if self.n_left_out > 0 || is_left_out(element) {
            self.n_left_out += 1;
            return;
        }
        match element.name() {
            "sld" if element.get("show").is_some_and(|value| matches!(&*value, "0" | "false")) => {
                self.why = Some(SetApartReason::Hidden);
            }
            "cmLst" => self.why = Some(SetApartReason::Comment),
            "p" => self.draft.open_line(),
            "r" => self.run = Look::default(),
            "rPr" => {
                // The size is in hundredths of a point.
                if let Some(size) = element.number("sz") {
                    self.run.size(f64::from(size) / 100.0);
                }
            }
            "br" => self.push("\n"),
            "tab" => self.push("\t"),
            "t" => self.n_texts += 1,
            // The text of a comment is not in paragraphs.
            "text" if self.why == Some(SetApartReason::Comment) => {
                self.is_comment = true;
                self.draft.end_aside();
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        if self.n_left_out > 0 {
            self.n_left_out -= 1;
            return;
        }
        match name {
            "p" => self.draft.close_line(LineTarget::In(self.at)),
            "r" => self.run = Look::default(),
            "t" => self.n_texts = self.n_texts.saturating_sub(1),
            "text" => self.is_comment = false,
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.n_left_out == 0 && (self.n_texts > 0 || self.is_comment) {
            self.push(text);
        }
    }
}
