//! Links that are open, and what is left of them when they are closed.

use super::LinkNames;

/// Maximum number of links that are open at once: the words of a closed one are moved once for each of them.
pub(super) const DEEPEST: usize = 8;

/// A link that is open.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenLink {
    /// The beginning of its target in the text.
    pub(super) start: usize,
    /// The end of its target in the text, if words of its own follow.
    pub(super) pipe: Option<usize>,
}

/// Closes a link: leaves its words in the text, or nothing.
pub(super) fn close(link: OpenLink, text: &mut String, names: &LinkNames) {
    let end = link.pipe.unwrap_or(text.len());
    let target = &text[link.start..end];
    let kind = target.split_once(':').map(|(kind, _)| kind);
    // A colon before all says that the link is meant as words.
    if kind.is_some_and(|kind| names.drops(kind)) {
        return text.truncate(link.start);
    }
    let is_blank = link.pipe.is_some() && text[end..].trim().is_empty();
    match link.pipe {
        Some(pipe) if !is_blank => drop(text.drain(link.start..pipe)),
        _ => {
            text.truncate(end);
            if text[link.start..].starts_with(':') {
                text.remove(link.start);
            }
        }
    }
}

/// Parses a link to another site at a `[`: its words, by their place, and the position behind it.
pub(super) fn external(source: &str, at: usize) -> Option<(std::ops::Range<usize>, usize)> {
    const LONGEST: usize = 4096;
    let rest = &source.as_bytes()[at + 1..];
    let rest = &rest[..rest.len().min(LONGEST)];
    let is_address = ["http://", "https://", "//", "ftp://", "mailto:"]
        .iter()
        .any(|scheme| rest.starts_with(scheme.as_bytes()));
    if !is_address {
        return None;
    }
    let end =
        rest.iter().position(|byte| matches!(byte, b']' | b'\n')).filter(|&n| rest[n] == b']')?;
    let words = rest[..end].iter().position(|byte| *byte == b' ').map_or(end, |n| n + 1);
    Some((at + 1 + words..at + 1 + end, at + 2 + end))
}
