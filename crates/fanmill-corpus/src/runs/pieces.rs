//! Cuts of one document, and the source of each piece of them.
//!
//! Windows that go and overlap or touch form a run. Of a run, all words are cut out, or its whole sentences. A window
//! has one source, and neighbouring windows may have different ones, so a run is made of pieces: a piece goes on while
//! its source moves along with it; where it ends, the next window is the one that reaches furthest.
//!
//! Cost: O(1) a window.

use std::ops::Range;

use fanmill_text::Result;

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

/// The cuts of a document, made from its windows one after another.
pub(super) struct Cutting<'a> {
    current: &'a Current<'a>,
    at: Cut,
    /// The run that is open; empty if none is.
    run: Range<usize>,
    /// The last window, until the next one shows whether it is needed.
    waiting: Option<Going>,
    /// The end of the words that parts have.
    covered: usize,
    open: Option<Part>,
    /// The parts of a run that may be cut short.
    parts: Vec<Part>,
    cuts: Vec<Range<usize>>,
}

impl<'a> Cutting<'a> {
    /// Begins with a document of which no window goes.
    pub(super) fn new(current: &'a Current<'a>, at: Cut) -> Cutting<'a> {
        Cutting {
            current,
            at,
            run: 0..0,
            waiting: None,
            covered: 0,
            open: None,
            parts: Vec::new(),
            cuts: Vec::new(),
        }
    }

    /// Takes the next window that goes, and passes parts that are known by now to `take`. Windows and parts ascend.
    pub(super) fn push(
        &mut self,
        window: Going,
        take: &mut impl FnMut(Part) -> Result<()>,
    ) -> Result<()> {
        let (begin, end) = self.indices(&window);
        if self.run.is_empty() || begin > self.run.end {
            self.end_run(take)?;
            self.run = begin..end;
            self.covered = begin;
        }
        self.run.end = self.run.end.max(end);
        self.decide(Some(begin), take)?;
        self.waiting = Some(window);
        Ok(())
    }

    /// Passes the last parts to `take`, and returns what is cut out.
    pub(super) fn finish(
        mut self,
        take: &mut impl FnMut(Part) -> Result<()>,
    ) -> Result<Vec<Range<usize>>> {
        self.end_run(take)?;
        Ok(self.cuts)
    }

    fn indices(&self, window: &Going) -> (usize, usize) {
        (self.current.index(window.begin), self.current.index(window.end - 1) + 1)
    }

    /// Uses the window that waits, unless the next one in its run, which begins at index `next`, reaches further.
    fn decide(
        &mut self,
        next: Option<usize>,
        take: &mut impl FnMut(Part) -> Result<()>,
    ) -> Result<()> {
        let Some(window) = self.waiting.take() else { return Ok(()) };
        let (begin, end) = self.indices(&window);
        let n = end - begin;
        if end <= self.covered {
            return Ok(());
        }
        if let Some(part) = self.open.as_mut().filter(|part| goes_on(part, &window, begin, n)) {
            (part.end, self.covered) = (end, end);
            return Ok(());
        }
        // It is needed if the next one leaves words between.
        if next.is_some_and(|next| next <= self.covered) {
            return Ok(());
        }
        let part = Part {
            begin: self.covered.max(begin),
            end,
            window: begin,
            going: window,
            is_plain: is_plain(&window, n),
        };
        self.covered = end;
        self.pass(Some(part), take)
    }

    /// Ends the open part, and opens another one.
    fn pass(
        &mut self,
        next: Option<Part>,
        take: &mut impl FnMut(Part) -> Result<()>,
    ) -> Result<()> {
        let Some(part) = std::mem::replace(&mut self.open, next) else { return Ok(()) };
        match self.at {
            Cut::Word => take(part),
            Cut::Sentence => {
                self.parts.push(part);
                Ok(())
            }
        }
    }

    fn end_run(&mut self, take: &mut impl FnMut(Part) -> Result<()>) -> Result<()> {
        self.decide(None, take)?;
        self.pass(None, take)?;
        let run = std::mem::replace(&mut self.run, 0..0);
        let cut = match self.at {
            Cut::Word => run,
            Cut::Sentence => self.whole_sentences(run),
        };
        for part in self.parts.drain(..) {
            let (begin, end) = (part.begin.max(cut.start), part.end.min(cut.end));
            if begin < end {
                take(Part { begin, end, ..part })?;
            }
        }
        self.cuts.extend((!cut.is_empty()).then_some(cut));
        Ok(())
    }

    /// Returns the whole sentences of a run; nothing if there are none.
    fn whole_sentences(&self, run: Range<usize>) -> Range<usize> {
        let n = self.current.words.len();
        let is_boundary = |&i: &usize| i == 0 || i == n || begins_sentence(self.current.words[i]);
        let start = run.clone().find(is_boundary).unwrap_or(run.end);
        (start..=run.end).rfind(is_boundary).map_or(0..0, |end| start..end)
    }
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
