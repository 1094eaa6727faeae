//! References between the parts of an Office package.

use super::limits::MOST_REFERENCES;
use super::package::Package;
use super::xml::each_element;
use crate::extracted::ReadFailure;

/// A reference from one part to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Relation {
    pub(super) id: String,
    /// The last part of its type, in lower case: `footnotes`. It is the same in strict and transitional documents.
    pub(super) kind: String,
    /// The name of the part.
    pub(super) target: String,
}

/// Returns the part that contains the document, by the relations of the package; `None` if the zip is not an Office
/// package.
pub(super) fn main_part(package: &mut Package<'_>) -> Result<Option<String>, ReadFailure> {
    let relations = of(package, "")?;
    let main = relations.into_iter().find(|relation| relation.kind == "officedocument");
    Ok(main.map(|relation| relation.target))
}

/// Returns the relations of a part to others inside the package, in order.
pub(super) fn of(package: &mut Package<'_>, part: &str) -> Result<Vec<Relation>, ReadFailure> {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    let mut relations = Vec::new();
    let Some(table) = package.take(&format!("{folder}/_rels/{name}.rels"))? else {
        return Ok(relations);
    };
    // Relations before a fault are used: reading the parts themselves shows whether they are damaged.
    let _ = each_element(&table, |element| {
        if relations.len() == MOST_REFERENCES
            || element.name() != "Relationship"
            || element.get("TargetMode").as_deref() == Some("External")
        {
            return;
        }
        if let (Some(id), Some(kind), Some(target)) =
            (element.get("Id"), element.get("Type"), element.get("Target"))
        {
            relations.push(Relation {
                id: id.into_owned(),
                kind: kind.rsplit('/').next().unwrap_or_default().to_lowercase(),
                target: resolved(folder, &target),
            });
        }
    });
    Ok(relations)
}

/// Returns the name of the part that `target` refers to from a folder.
pub(super) fn resolved(folder: &str, target: &str) -> String {
    let from = if target.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = Vec::new();
    for part in from.split('/').chain(target.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}
