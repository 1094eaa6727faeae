//! Cuts of one document, and the source of each piece of them.
//!
//! Windows that go and overlap or touch form a run. Of a run, all words are cut out, or its whole sentences. A window
//! has one source, and neighbouring windows may have different ones, so a run is made of pieces: a piece goes on while
//! its source moves along with it; where it ends, the next window is the one that reaches furthest.
//!
//! Cost: O(1) a window.

use std::ops::Range;

use super::current::Current;
use super::items::Going;
use super::settings::Cut;
use super::words::begins_sentence;

/// Words that go, and the window of the source that they equal a part of. Numbers are indices into what is left of the
/// document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) begin: usize,
    pub(super) end: usize,
    /// Begin of the window that the source belongs to.
    pub(super) window: usize,
    pub(super) going: Going,
    /// True if the source holds no cut of an earlier round.
    pub(super) is_plain: bool,
}

/// Appends what is cut out of a document, and the parts it consists of; both ascend. The windows must ascend.
pub(super) fn cut(
    current: &Current<'_>,
    going: &[Going],
    at: Cut,
    cuts: &mut Vec<Range<usize>>,
    parts: &mut Vec<Part>,
) {
    let place = |window: &Going| current.index(window.begin)..current.index(window.end - 1) + 1;
    let mut from = 0;
    while from < going.len() {
        let mut run = place(&going[from]);
        let mut to = from + 1;
        while to < going.len() && place(&going[to]).start <= run.end {
            run.end = run.end.max(place(&going[to]).end);
            to += 1;
        }
        if let Some(run) = shrunk(current, run, at) {
            split(current, &going[from..to], &run, parts);
            cuts.push(run);
        }
        from = to;
    }
}

/// Returns the part of a run that is cut out.
fn shrunk(current: &Current<'_>, run: Range<usize>, at: Cut) -> Option<Range<usize>> {
    if at == Cut::Word {
        return Some(run);
    }
    let n = current.words.len();
    let is_boundary = |&i: &usize| i == 0 || i == n || begins_sentence(current.words[i]);
    let start = (run.start..=run.end).find(is_boundary)?;
    let end = (start..=run.end).rfind(is_boundary)?;
    (start < end).then_some(start..end)
}

/// Appends the parts of a run that goes, from its windows.
fn split(current: &Current<'_>, going: &[Going], run: &Range<usize>, parts: &mut Vec<Part>) {
    let mut covered = run.start;
    let mut open: Option<Part> = None;
    for (i, window) in going.iter().enumerate() {
        let (begin, end) = (current.index(window.begin), current.index(window.end - 1) + 1);
        let (n, end) = (end - begin, end.min(run.end));
        if end <= covered {
            continue;
        }
        if let Some(part) = open.as_mut().filter(|part| goes_on(part, window, begin, n)) {
            (part.end, covered) = (end, end);
            continue;
        }
        // Another one reaches further, unless it leaves words between.
        if going.get(i + 1).is_some_and(|next| current.index(next.begin) <= covered) {
            continue;
        }
        parts.extend(open.replace(Part {
            begin: covered.max(begin),
            end,
            window: begin,
            going: *window,
            is_plain: is_plain(window, n),
        }));
        covered = end;
    }
    parts.extend(open);
}

/// Returns whether the source of a window, which begins at index `begin` and has `n` words, lies behind that of a part
/// as the window lies behind the part's.
fn goes_on(part: &Part, window: &Going, begin: usize, n: usize) -> bool {
    let known = &part.going;
    let moved = (begin - part.window) as u32;
    known.source == window.source
        && known.source_begin.checked_add(moved) == Some(window.source_begin)
        // A source that holds a cut of an earlier round is not moved along.
        && part.is_plain
        && is_plain(window, n)
        && begin <= part.end
}

/// Returns whether the source of a window of `n` words holds no cut of an earlier round.
fn is_plain(window: &Going, n: usize) -> bool {
    (window.source_end - window.source_begin) as usize == n
}
