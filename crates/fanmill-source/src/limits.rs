//! Limits on what a run reads, and the budget that counts against them.
//!
//! Inputs cannot be trusted: a 46 MB zip can promise 4.5 PB, and a header can say anything. So nothing here believes a
//! declared size. Bytes are counted as they come out of the decoder, for the entry, for its archive and for every
//! archive around that, and each of these is a [`Layer`] with its own cap. An entry over its cap stops alone; an archive
//! over its cap stops, and what was read of it is kept. Memory is counted apart from work: [`Budget::hold`] counts the
//! bytes that the run keeps, a layer those that went by.
//!
//! Cost: one addition per layer for each block read.
//! Source: Fifield, "A better zip bomb", WOOT 2019, for what overlap does to declared sizes.

use fanmill_text::message::Message;
use std::cell::{Cell, RefCell};
use std::io::{self, Read};

use fanmill_text::message;
use fanmill_text::{Setting, amount};
use serde::{Deserialize, Serialize};

/// Bytes below which a ratio says nothing: a page of spaces packs 500 to 1.
const RATIO_FLOOR: u64 = 10 << 20;

/// Bytes that may come out of entries and inner archives that turn out to be over a limit, before the archive around
/// them is given up: four bombs do not cost their neighbours the comparison, and a thousand do not cost a minute each.
const WASTE: u64 = 4 * RATIO_FLOOR;

/// Maximum depth of archives: each level of nesting is a level of recursion here, so the user's depth is capped at
/// this.
const DEEPEST: u32 = 64;

/// Limits on what one run may read. Every value is usable; 0 lets nothing through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Maximum size of one document in bytes; a larger one is skipped.
    #[serde(rename = "max-file-bytes", deserialize_with = "amount::bytes")]
    pub file_bytes: u64,
    /// Maximum number of bytes that the run holds at a time: its documents, and packed archives being read. Also the
    /// most that one archive may unpack to.
    #[serde(rename = "max-total-bytes", deserialize_with = "amount::bytes")]
    pub total_bytes: u64,
    /// Maximum number of files, folders and archive entries looked at.
    #[serde(rename = "max-entries")]
    pub entries: u64,
    /// Maximum depth of archives inside archives, at most 64: 1 reads an archive but none in it.
    #[serde(rename = "max-depth")]
    pub depth: u32,
    /// Maximum number of unpacked bytes for each packed one, of an entry and of an archive, above 10 MiB.
    #[serde(rename = "max-ratio")]
    pub ratio: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::standard()
    }
}

impl Limits {
    /// Names of all limits, as settings.
    pub const NAMES: [&'static str; 5] =
        ["max-file-bytes", "max-total-bytes", "max-entries", "max-depth", "max-ratio"];

    /// Returns the standard limits: 64 MiB a file, 1 GiB and 100 000 entries a run, 8 levels, 200 to 1.
    pub fn standard() -> Limits {
        Limits {
            file_bytes: 64 << 20,
            total_bytes: 1 << 30,
            entries: 100_000,
            depth: 8,
            ratio: 200,
        }
    }

    /// Returns the depth in force: the user's, but at most the 64 that the stack is good for.
    pub(super) fn levels(&self) -> u32 {
        self.depth.min(DEEPEST)
    }
}

/// The part of its [`Limits`] that a run has used; one for new, archive and base submissions together.
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    held: Cell<u64>,
    entries: Cell<u64>,
    layers: RefCell<Vec<Count>>,
}

/// Bytes that have come out of one archive or entry so far.
#[derive(Debug)]
struct Count {
    scope: Scope,
    packed: u64,
    unpacked: u64,
    /// Bytes that came out but were over a limit further in, which `unpacked` leaves out.
    wasted: u64,
    cap: u64,
}

/// The thing that a layer counts, for the wording of its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Archive,
    Entry,
}

impl Budget {
    /// Creates an unused budget.
    pub fn new(limits: Limits) -> Budget {
        Budget { limits, held: Cell::new(0), entries: Cell::new(0), layers: RefCell::default() }
    }

    /// Returns the limits that it counts against.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the number of bytes that can still be held.
    pub(super) fn room(&self) -> u64 {
        self.limits.total_bytes.saturating_sub(self.held.get())
    }

    pub(super) fn hold(&self, bytes: u64) {
        self.held.set(self.held.get() + bytes);
    }

    pub(super) fn release(&self, bytes: u64) {
        self.held.set(self.held.get() - bytes);
    }

    /// Returns the number of entries that can still be looked at.
    pub(super) fn entries_left(&self) -> u64 {
        self.limits.entries - self.entries.get()
    }

    /// Counts an entry; returns false if none is left to count.
    pub(super) fn count_entry(&self) -> bool {
        let left = self.entries_left() > 0;
        self.entries.set(self.entries.get() + u64::from(left));
        left
    }

    /// Starts counting what comes out of `packed` bytes, until the layer is dropped.
    pub(super) fn layer(&self, scope: Scope, packed: u64) -> Layer<'_> {
        let by_ratio = packed.saturating_mul(self.limits.ratio).max(RATIO_FLOOR);
        let cap = by_ratio.min(self.limits.total_bytes);
        let mut layers = self.layers.borrow_mut();
        layers.push(Count { scope, packed, unpacked: 0, wasted: 0, cap });
        Layer { budget: self, level: layers.len() - 1 }
    }

    /// Describes the outermost layer that is over its limit; `None` while all are within.
    pub(super) fn over(&self) -> Option<Message> {
        let layers = self.layers.borrow();
        layers.iter().find(|count| count.is_over()).map(|count| count.words(&self.limits))
    }

    /// Counts bytes that came out of the innermost layer, and so out of each one around it.
    fn charge(&self, bytes: u64) -> io::Result<()> {
        let mut within = true;
        for count in self.layers.borrow_mut().iter_mut() {
            count.unpacked = count.unpacked.saturating_add(bytes);
            within &= !count.is_over();
        }
        if within { Ok(()) } else { Err(io::Error::other("over a limit")) }
    }
}

impl Count {
    fn is_over(&self) -> bool {
        self.unpacked > self.cap || self.wasted > WASTE
    }

    fn words(&self, limits: &Limits) -> Message {
        let what = match self.scope {
            Scope::Archive => "the archive unpacks",
            Scope::Entry => "it unpacks",
        };
        if self.wasted > WASTE {
            let (waste, ratio) = (size(self.wasted), limits.ratio);
            let max_ratio = Setting("max-ratio");
            return message!["{waste} of it are over the limit of {ratio} to 1; raise ", max_ratio];
        }
        if self.cap == limits.total_bytes {
            let limit = size(limits.total_bytes);
            let max_total = Setting("max-total-bytes");
            return message!["{what} to more than the limit of {limit} a run; raise ", max_total];
        }
        let (packed, ratio) = (size(self.packed), limits.ratio);
        message![
            (
                "{what} to {} or more, from {packed}: over the limit of {ratio} to 1 above {}; \
             raise ",
                size(self.cap),
                size(RATIO_FLOOR)
            ),
            Setting("max-ratio")
        ]
    }
}

/// The count of one archive or entry, removed from the budget's stack when dropped.
#[derive(Debug)]
pub(super) struct Layer<'b> {
    budget: &'b Budget,
    level: usize,
}

impl Layer<'_> {
    /// Returns whether this layer or one around it is over its limit, so that reading on is useless.
    pub(super) fn must_stop(&self) -> bool {
        self.budget.layers.borrow()[..=self.level].iter().any(Count::is_over)
    }
}

impl Drop for Layer<'_> {
    fn drop(&mut self) {
        let mut layers = self.budget.layers.borrow_mut();
        let refused = layers.get(self.level).filter(|count| count.is_over());
        let bytes = refused.map_or(0, |count| count.unpacked);
        layers.truncate(self.level);
        for count in layers.iter_mut() {
            count.unpacked = count.unpacked.saturating_sub(bytes);
            count.wasted = count.wasted.saturating_add(bytes);
        }
    }
}

/// A decoder whose output is counted against every layer.
#[derive(Debug)]
pub(super) struct Metered<'b, R> {
    inner: R,
    budget: &'b Budget,
}

impl<'b, R: Read> Metered<'b, R> {
    pub(super) fn new(inner: R, budget: &'b Budget) -> Metered<'b, R> {
        Metered { inner, budget }
    }
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.budget.charge(n as u64)?;
        Ok(n)
    }
}

/// Formats a number of bytes for people: `512 bytes`, `64 MiB`, `1.5 GiB`.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") };
    }
    let power = (bytes.ilog2() as usize / 10).min(UNITS.len());
    let value = bytes as f64 / (1_u64 << (10 * power)) as f64;
    let text = format!("{value:.1}");
    format!("{} {}", text.strip_suffix(".0").unwrap_or(&text), UNITS[power - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(total_bytes: u64) -> Limits {
        Limits { total_bytes, ..Limits::standard() }
    }

    #[test]
    fn sizes_read_as_people_write_them() {
        let texts = [0, 1, 1023, 1024, 1536, 64 << 20, 1 << 30, 3 << 40, u64::MAX].map(size);
        let expected =
            ["0 bytes", "1 byte", "1023 bytes", "1 KiB", "1.5 KiB", "64 MiB", "1 GiB", "3 TiB"];
        assert_eq!(texts[..8], expected);
        assert_eq!(texts[8], "16777216 TiB");
    }

    #[test]
    fn an_inner_layer_is_over_without_the_outer_one() {
        let budget = Budget::new(Limits::standard());
        let outer = budget.layer(Scope::Archive, 1 << 20);
        {
            let inner = budget.layer(Scope::Entry, 10);
            let bomb = io::repeat(0).take(RATIO_FLOOR + 1);
            assert!(io::copy(&mut Metered::new(bomb, &budget), &mut io::sink()).is_err());
            assert!(inner.must_stop());
            assert!(!outer.must_stop());
            assert_eq!(
                budget.over().as_deref(),
                Some(
                    "it unpacks to 10 MiB or more, from 10 bytes: over the limit of 200 to 1 above \
                     10 MiB; raise the setting `max-ratio`"
                )
            );
        }
        assert_eq!(budget.over(), None);
        assert!(!outer.must_stop());
    }

    #[test]
    fn waste_is_borne_a_few_times() {
        let budget = Budget::new(Limits::standard());
        let outer = budget.layer(Scope::Archive, 10);
        let mut bombs = 0;
        while !outer.must_stop() {
            let _inner = budget.layer(Scope::Entry, 10);
            let bomb = io::repeat(0).take(RATIO_FLOOR + 1);
            assert!(io::copy(&mut Metered::new(bomb, &budget), &mut io::sink()).is_err());
            bombs += 1;
        }
        assert_eq!(bombs, 4);
        assert!(
            budget.over().is_some_and(|reason| reason.contains("raise the setting `max-ratio`"))
        );
    }

    #[test]
    fn what_an_inner_archive_unpacks_counts_for_the_outer_one() {
        let budget = Budget::new(limits(1000));
        let outer = budget.layer(Scope::Archive, 1000);
        for _ in 0..2 {
            let _inner = budget.layer(Scope::Archive, 1000);
            let _ = io::copy(&mut Metered::new(io::repeat(0).take(600), &budget), &mut io::sink());
        }
        assert!(outer.must_stop());
        assert!(budget.over().is_some_and(|reason| reason.contains("limit of 1000 bytes a run")));
    }

    #[test]
    fn entries_run_out_and_bytes_come_back() {
        let budget = Budget::new(Limits { entries: 2, ..limits(100) });
        assert_eq!([(); 3].map(|()| budget.count_entry()), [true, true, false]);
        budget.hold(150);
        assert_eq!(budget.room(), 0);
        budget.release(60);
        assert_eq!(budget.room(), 10);
    }
}
