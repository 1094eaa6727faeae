//! Minima of windows, and the robust rule, for ROC and the winnowing of bytes.
//!
//! A *local* rule chooses a gram from each window by the contents of the window alone: the one with the smallest key,
//! rightmost on a tie. The robust rule keeps the previous choice while it is in the window and has the same content.
//!
//! Cost: that of [`window_places`], and a hash of content for each choice.

use std::mem;
use std::ops::Range;

use fanmill_kernel::{PlaceScratch, window_places};

/// Minimum number of keys per block: the keys, and the hashes they are made of, stay in the first-level cache.
pub(super) const BLOCK: usize = 4096;

/// A rule that chooses a gram from each window by the window alone.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalRule {
    /// Number of grams in a window.
    pub(super) w: usize,
    /// Number of keys in a window: `w`, or more if the place of the smallest one counts modulo `w`.
    pub(super) n_keys: usize,
}

/// Number of choices whose contents are hashed together: one after the other, without a branch between them that may be
/// guessed wrong, they take half of the time.
const TOGETHER: usize = 256;

/// Takes the grams that windows choose, in order, unless the choice before is as good.
pub(super) struct Chooser<C, T> {
    rule: LocalRule,
    /// The hash of the gram at a place.
    content: C,
    /// Takes content and position of each selected gram.
    take: T,
    /// Windows with the same choice, and that choice, which have not been decided on.
    waiting: Vec<(Range<usize>, usize)>,
    /// The contents of these choices.
    contents: Vec<u64>,
    /// Position and content of the gram that was selected last.
    previous: Option<(usize, u64)>,
    keys: Vec<u32>,
    room: PlaceScratch,
}

impl<C: Fn(usize) -> u64, T: FnMut(u64, usize)> Chooser<C, T> {
    /// Creates a chooser that gives `take` the content and position of each selected gram, ascending. `content(i)` is
    /// the hash of the gram at `i`.
    pub(super) fn new(rule: LocalRule, content: C, take: T) -> Chooser<C, T> {
        Chooser {
            rule,
            content,
            take,
            waiting: Vec::with_capacity(TOGETHER),
            contents: Vec::with_capacity(TOGETHER),
            previous: None,
            keys: Vec::new(),
            room: PlaceScratch::default(),
        }
    }

    pub(super) fn rule(&self) -> LocalRule {
        self.rule
    }

    /// Takes the choices of the next windows, from all of their keys.
    ///
    /// `keys(at, all)` writes the keys of the range `at`; it is asked for each key once, in order.
    #[inline(always)]
    pub(super) fn search(
        &mut self,
        windows: Range<usize>,
        mut keys: impl FnMut(Range<usize>, &mut [u32]),
    ) {
        let n_keys = self.rule.n_keys;
        let (block, end) = (BLOCK.max(n_keys), windows.end + n_keys - 1);
        let (mut known, mut room) = (mem::take(&mut self.keys), mem::take(&mut self.room));
        // Number of keys before `start` that are in windows which are not complete, and the first of these windows.
        let (mut n_before, mut first) = (0, windows.start);
        for start in (windows.start..end).step_by(block) {
            let at = start..end.min(start + block);
            known.resize(n_before + at.len(), 0);
            keys(at, &mut known[n_before..]);
            let n_windows = (known.len() + 1).saturating_sub(n_keys);
            window_places(&known, n_keys, &mut room, |windows, at| {
                self.visit(first + windows.start..first + windows.end, first + at);
            });
            known.copy_within(n_windows.., 0);
            n_before = known.len() - n_windows;
            first += n_windows;
        }
        (self.keys, self.room) = (known, room);
    }

    /// Takes the next windows, whose smallest key is at `at`.
    #[inline(always)]
    pub(super) fn visit(&mut self, windows: Range<usize>, at: usize) {
        let w = self.rule.w;
        let mut start = windows.start;
        // This takes one round, unless there are more keys than grams in a window.
        while start < windows.end {
            let distance = at - start;
            let choice = if distance < w { at } else { start + distance % w };
            let end = windows.end.min(choice + 1);
            self.waiting.push((start..end, choice));
            start = end;
        }
        if self.waiting.len() >= TOGETHER {
            self.decide();
        }
    }

    /// Decides on the choices of all windows that were visited. Must be called at the end, too.
    #[inline(never)]
    pub(super) fn decide(&mut self) {
        self.contents.clear();
        self.contents.extend(self.waiting.iter().map(|&(_, choice)| (self.content)(choice)));
        for ((windows, choice), &own) in self.waiting.drain(..).zip(&self.contents) {
            // The contents come first because they are rarely equal; no processor foresees whether the choice before is
            // still in the window.
            let is_kept = self.previous.is_some_and(|(at, kept)| {
                kept == own && (at == choice || at >= windows.start && at + 1 >= windows.end)
            });
            if !is_kept {
                self.previous = Some((choice, own));
                (self.take)(own, choice);
            }
        }
    }
}
