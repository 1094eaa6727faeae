//! Grouping of trails into submissions, and the names by which patterns may call the files in these.
//!
//! Cost: O(n) in the length of a trail.

use crate::group::Options;
use crate::label::Trail;

/// The rule by which trails become submissions.
#[derive(Debug, Clone)]
pub(super) enum Grouping {
    /// By their head, prefixed with the given path's name if there are several.
    Head(Option<String>),
    /// Each trail is a submission of its own, prefixed likewise.
    Each(Option<String>),
    /// All trails are one submission, of this name.
    Whole(String),
}

impl Grouping {
    /// Returns the shortest start of the whole trail that is an excluded file or folder.
    pub(super) fn excluded<'t>(
        &self,
        options: &Options,
        trail: &Trail,
        full: &'t str,
    ) -> Option<&'t str> {
        if options.exclude.is_empty() {
            return None;
        }
        let ends = full.match_indices('/').map(|(end, _)| end).chain([full.len()]);
        // An archive's name ends before its `!/`.
        let mut pieces = ends.map(|end| full[..end].strip_suffix('!').unwrap_or(&full[..end]));
        pieces.find(|piece| options.excludes(&self.names(trail, piece).each_ref().map(|n| &**n)))
    }

    /// Returns the names by which a pattern may call the `piece` that the whole trail starts with: its path in the
    /// submission, and that path behind the submission's name.
    pub(super) fn names(&self, trail: &Trail, piece: &str) -> [String; 2] {
        let inside = trail.in_submission(piece);
        let behind = |prefix: &Option<String>, name: String| match prefix {
            Some(prefix) => format!("{prefix}/{name}"),
            None => name,
        };
        let full = match (self, inside) {
            (Grouping::Head(prefix), Some(inside)) => {
                behind(prefix, format!("{}/{inside}", trail.head))
            }
            (Grouping::Head(prefix) | Grouping::Each(prefix), _) => {
                behind(prefix, piece.to_owned())
            }
            (Grouping::Whole(name), _) => format!("{name}/{piece}"),
        };
        let inside = match self {
            Grouping::Head(_) => inside.unwrap_or(piece),
            Grouping::Each(_) | Grouping::Whole(_) => piece,
        };
        [inside.to_owned(), full]
    }
}
