//! Layers that are switched off: what is on them is in the document, and no reader sees it.
//!
//! The interpreter draws no layer that is off, and looks up the layers in the table of references that it is given. A
//! page is drawn once more with the table of a document without layers, and what is new then is hidden.
//!
//! Source: ISO 32000-2 (PDF 2.0), §8.11.4, "Configuring optional content".

use std::collections::HashSet;
use std::sync::LazyLock;

use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name};
use hayro_interpret::hayro_syntax::xref::XRef;

use super::geometry::cell;
use super::page::{Glyph, Page, Sight};

/// A document without layers.
static PLAIN: LazyLock<Option<Pdf>> = LazyLock::new(|| {
    let plain = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
                 2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n\
                 trailer\n<< /Root 1 0 R /Size 3 >>\n%%EOF\n";
    Pdf::new(plain.as_bytes().to_vec()).ok()
});

/// Returns a table of references that switches all layers of a document on; `None` if none of them is off.
pub(super) fn all_layers_on(pdf: &Pdf) -> Option<&'static XRef> {
    let xref = pdf.xref();
    let catalog = xref.get::<Dict<'_>>(xref.root_id())?;
    let usual = catalog.get::<Dict<'_>>("OCProperties")?.get::<Dict<'_>>("D")?;
    let base_is_off = usual.get::<Name<'_>>("BaseState").is_some_and(|state| &*state == b"OFF");
    let some_are_off =
        usual.get::<Array<'_>>("OFF").is_some_and(|off| off.raw_iter().next().is_some());
    if base_is_off || some_are_off { PLAIN.as_ref().map(Pdf::xref) } else { None }
}

impl Page {
    /// Adds those glyphs of the same page with all layers that are not on it yet, as hidden ones.
    pub(super) fn add_hidden(&mut self, all: Vec<Glyph>) {
        let key = |glyph: &Glyph| {
            (glyph.text.clone(), cell(glyph.start), cell(glyph.across), glyph.turns)
        };
        let known: HashSet<_> = self.glyphs.iter().map(key).collect();
        let hidden = all.into_iter().filter(|glyph| !known.contains(&key(glyph)));
        self.glyphs.extend(hidden.map(|glyph| Glyph { sight: Sight::Invisible, ..glyph }));
    }
}
