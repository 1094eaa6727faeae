//! Overlaps of given paths: what is read twice would be compared with itself.
//!
//! Cost: O(n log n) in the number of given paths.

use std::path::{Path, PathBuf};

use crate::files::Files;
use fanmill_text::document::Role;
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};

/// One given path.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Given<'p> {
    /// Absolute path without links.
    real: PathBuf,
    role: Role,
    /// The path as it was given.
    path: &'p Path,
}

/// Checks that no given path is or contains another one, all roles together.
///
/// A base path below a new or archived path is allowed: these base paths are returned, absolute and without links, to
/// be left out there ([`LeftOut`](crate::LeftOut)). A path that does not exist overlaps with nothing;
/// [`read`](crate::read()) reports it.
///
/// # Errors
/// If two paths overlap otherwise. The text names both and the way out.
pub fn overlaps(files: &Files, given: &[(&[PathBuf], Role)]) -> Result<Vec<PathBuf>> {
    let mut all: Vec<Given> = Vec::new();
    for &(paths, role) in given {
        all.extend(
            paths
                .iter()
                .filter_map(|path| Some(Given { real: files.real(path).ok()?, role, path })),
        );
    }
    // Sorted by parts, a path is directly followed by everything that it contains.
    all.sort();
    let mut above: Vec<&Given> = Vec::new();
    let mut base_below = Vec::new();
    for inner in &all {
        while above.last().is_some_and(|outer| !inner.real.starts_with(&outer.real)) {
            above.pop();
        }
        for outer in &above {
            let is_below = inner.real != outer.real;
            if !(is_below && inner.role == Role::Base && outer.role != Role::Base) {
                return Err(refusal(outer, inner));
            }
        }
        if !above.is_empty() {
            base_below.push(inner.real.clone());
        }
        above.push(inner);
    }
    Ok(base_below)
}

fn refusal(outer: &Given, inner: &Given) -> Error {
    let shown = |given: &Given| match given.role {
        Role::New => message![("`{}`", given.path.display())],
        role @ (Role::Archive | Role::Base) => {
            message![("`{}` (", given.path.display()), Setting(role.name()), ")"]
        }
    };
    let (a, b) = (shown(outer), shown(inner));
    let relation = if inner.real == outer.real {
        message![a, " and ", b, " are the same"]
    } else {
        message![b, " lies in ", a]
    };
    // Nothing in a base ever counts as copied, so a base must not contain what is compared.
    let base = message![
        "so none of it would count as copied; give as ",
        Setting("base"),
        " only what was handed out"
    ];
    let rest = match (outer.role, inner.role) {
        (Role::Base, Role::Base) | (Role::Archive, Role::Archive) => message!["give one of them"],
        (Role::Base, _) | (_, Role::Base) => base,
        (Role::Archive, Role::New) | (Role::New, Role::Archive) => {
            message![
                "so it would be compared with itself; move the earlier work out, or leave one out"
            ]
        }
        _ => message!["so it would be compared with itself; give one of them"],
    };
    let joint = if rest.starts_with("so") { ", " } else { "; " };
    Error::input(message![relation, joint, rest])
}
