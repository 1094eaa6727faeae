//! Metadata of a document, as the document states them: author, time, program.

use super::draft::Draft;
use super::package::Package;
use super::xml::each_value;
use crate::extracted::ReadFailure;

/// Maximum number of characters kept of a value.
const LONGEST: usize = 1000;

/// Reads the metadata of an Office package.
pub(super) fn office(package: &mut Package<'_>, draft: &mut Draft) -> Result<(), ReadFailure> {
    for name in ["docProps/core.xml", "docProps/app.xml"] {
        if let Some(part) = package.take(name)? {
            let _ = each_value(&part, |name, value| take(draft, name, value));
        }
    }
    Ok(())
}

/// Reads the metadata of an OpenDocument file.
pub(super) fn open_document(
    package: &mut Package<'_>,
    draft: &mut Draft,
) -> Result<(), ReadFailure> {
    let Some(part) = package.take("meta.xml")? else { return Ok(()) };
    let mut saved_by = None;
    let _ = each_value(&part, |name, value| match name {
        "creator" => saved_by = Some(value.to_owned()),
        _ => take(draft, name, value),
    });
    draft.metadata.last_author = saved_by.map(|name| cut(&name));
    Ok(())
}

/// Stores a value by the name of its element. The first value counts.
pub(super) fn take(draft: &mut Draft, name: &str, value: &str) {
    let metadata = &mut draft.metadata;
    let place = match name {
        "creator" | "initial-creator" | "author" => &mut metadata.author,
        "lastModifiedBy" | "operator" => &mut metadata.last_author,
        "created" | "creation-date" => &mut metadata.created,
        "Application" | "generator" => &mut metadata.program,
        _ => return,
    };
    place.get_or_insert_with(|| cut(value));
}

fn cut(value: &str) -> String {
    value.chars().take(LONGEST).collect()
}
