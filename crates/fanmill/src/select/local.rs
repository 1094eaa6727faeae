//! The loop that ROC and the winnowing of bytes share: keys in blocks, minima of windows, and the robust rule.
//!
//! A *local* rule chooses a gram from each window by what is in the window: the one with the smallest key, rightmost on a
//! tie. The robust rule keeps the choice before while it is in the window and has the same content.
//!
//! Cost: that of [`window_minima`], and a hash of content about twice for each selected gram.

use std::ops::Range;

use crate::kernel::window_minima;

/// Keys per block, at least: they, and what they are made of, stay in the first-level cache.
pub(super) const BLOCK: usize = 2048;

/// A rule that chooses a gram from each window by the window alone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Local {
    /// Grams in a window.
    pub(super) w: usize,
    /// Keys in a window: `w`, or more if the place of the smallest one counts modulo `w`.
    pub(super) n_keys: usize,
}

impl Local {
    /// Takes the content and position of each selected gram, ascending, where `n` keys are `keys`.
    ///
    /// `keys(at, all)` appends those of the range `at`; it is asked for each once, in order. `content(i)` is the hash of
    /// the gram at `i`.
    #[inline(always)]
    pub(super) fn select(
        self,
        n: usize,
        mut keys: impl FnMut(Range<usize>, &mut Vec<u32>),
        content: impl Fn(usize) -> u64,
        take: impl FnMut(u64, usize),
    ) {
        let mut robust = Robust { content, take, previous: None, choice: None };
        // The keys of the windows from `first` on, as far as they are known.
        let (mut known, mut first) = (Vec::new(), 0);
        let block = BLOCK.max(self.n_keys);
        for start in (0..n).step_by(block) {
            keys(start..n.min(start + block), &mut known);
            let n_windows = (known.len() + 1).saturating_sub(self.n_keys);
            let mut before: Option<(usize, usize)> = None;
            let changed = |window: usize, at: usize| {
                if let Some((start, at)) = before.replace((window, at)) {
                    self.choose(first + start..first + window, first + at, &mut robust);
                }
            };
            window_minima(&known, self.n_keys, Some, changed);
            if let Some((start, at)) = before {
                self.choose(first + start..first + n_windows, first + at, &mut robust);
            }
            known.drain(..n_windows);
            first += n_windows;
        }
    }

    /// Takes windows whose smallest key is the one at `at`.
    #[inline(always)]
    fn choose<C: Fn(usize) -> u64, T: FnMut(u64, usize)>(
        self,
        windows: Range<usize>,
        at: usize,
        robust: &mut Robust<C, T>,
    ) {
        let mut start = windows.start;
        // One round, unless there are more keys than grams in a window.
        while start < windows.end {
            let choice = start + (at - start) % self.w;
            let end = windows.end.min(choice + 1);
            robust.visit(start..end, choice);
            start = end;
        }
    }
}

/// Keeps the previous choice while it is in the window and as good as the window's own.
struct Robust<C, T> {
    content: C,
    take: T,
    /// Position and content of the gram that was selected last.
    previous: Option<(usize, u64)>,
    /// The choice of the window before.
    choice: Option<usize>,
}

impl<C: Fn(usize) -> u64, T: FnMut(u64, usize)> Robust<C, T> {
    /// Takes the next windows, whose own choice is `choice`.
    #[inline(always)]
    fn visit(&mut self, windows: Range<usize>, choice: usize) {
        let previous = self.previous.filter(|&(at, _)| at >= windows.start);
        if previous.is_some_and(|(at, _)| at == choice) {
            return;
        }
        let same = previous.filter(|_| self.choice == Some(choice));
        self.choice = Some(choice);
        // A choice that was made before, and is not selected, is equal to what is.
        let own = same.map_or_else(|| (self.content)(choice), |(_, kept)| kept);
        let is_kept = previous.is_some_and(|(at, kept)| kept == own && at + 1 >= windows.end);
        if !is_kept {
            self.previous = Some((choice, own));
            (self.take)(own, choice);
        }
    }
}
