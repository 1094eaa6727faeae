//! Short spellings that a document has had before, with what they are.
//!
//! A program repeats its words. Those of up to 16 bytes are looked up as they are written, in a table that takes the
//! place of folding, hashing and the look-up of keywords. A word whose place has been taken by another one is read anew.
//!
//! Cost: about twenty instructions for a word that is found, 128 kB of memory, of which a program's own words take a part.

use fanmill_text::token::Symbol;

/// What a spelling is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spelled {
    pub(crate) symbol: Symbol,
    pub(crate) name: Symbol,
}

/// A spelling of at most 16 bytes, filled up with zeros, and its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Short {
    halves: [u64; 2],
    slot: usize,
}

/// Most bytes of a short spelling.
pub(crate) const SHORT: usize = 16;
/// Places in the table.
const SLOTS: usize = 4096;

/// For each length, which of the first and of the last eight bytes of 16 belong to a spelling. Not side by side, so that
/// no compiler puts both halves into one vector, out of which they would have to be taken again.
const LOW: [u64; SHORT + 1] = masks(0);
const HIGH: [u64; SHORT + 1] = masks(64);

const fn masks(from: u32) -> [u64; SHORT + 1] {
    let mut masks = [0; SHORT + 1];
    let mut len = 1;
    while len <= SHORT {
        masks[len] = (u128::MAX >> (128 - 8 * len) >> from) as u64;
        len += 1;
    }
    masks
}

impl Short {
    /// The spelling from `start` to `end` in a text, if it is short. It must not end with a zero byte. Spellings of
    /// different kinds never meet, though they be equal: words of each language of a page, and literals.
    #[inline(always)]
    pub(crate) fn of(text: &[u8], start: usize, end: usize, kind: usize) -> Option<Short> {
        let rest = &text[start..];
        match rest.first_chunk::<{ SHORT + 1 }>() {
            Some(first) => Short::of_first(first, end - start, kind),
            None => Short::of_first(&last(rest), end - start, kind),
        }
    }

    /// The same for the first `len` of these bytes.
    #[inline(always)]
    pub(crate) fn of_first(bytes: &[u8; SHORT + 1], len: usize, kind: usize) -> Option<Short> {
        if len > SHORT {
            return None;
        }
        let (eights, _) = bytes.as_chunks::<8>();
        let [low, high] = [eights[0], eights[1]].map(u64::from_le_bytes);
        let halves = [low & LOW[len], high & HIGH[len]];
        let mixed = (halves[0] ^ halves[1].rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The highest bits depend on all others.
        let slot = (mixed >> (64 - SLOTS.ilog2())) as usize ^ (kind % SLOTS);
        Some(Short { halves, slot })
    }

    /// The hash of the spelling in lower case.
    #[inline]
    pub(crate) fn folded(&self) -> Symbol {
        let [low, high] = self.halves;
        let n_unused = if high == 0 { 64 + low.leading_zeros() } else { high.leading_zeros() };
        let bytes = u128::from(lower(high)) << 64 | u128::from(lower(low));
        Symbol::spelled(&bytes.to_le_bytes()[..SHORT - n_unused as usize / 8])
    }
}

/// Eight bytes with ASCII letters in lower case.
#[inline]
fn lower(bytes: u64) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    // Seven bits and a number below 128 do not reach the next byte.
    let at_least = |least: u8| (bytes & !HIGH) + ONES * u64::from(128 - least);
    let upper = at_least(b'A') & !at_least(b'Z' + 1) & !bytes & HIGH;
    bytes | upper >> 2
}

/// The last bytes of a text, with zeros after them.
#[cold]
fn last(rest: &[u8]) -> [u8; SHORT + 1] {
    let mut bytes = [0; SHORT + 1];
    bytes[..rest.len()].copy_from_slice(rest);
    bytes
}

/// The spellings seen before; see the [module](self).
#[derive(Debug, Clone)]
pub(crate) struct Seen(Box<[([u64; 2], Spelled); SLOTS]>);

impl Seen {
    /// The kind of literals, above those of words, which are the numbers of tables.
    pub(crate) const LITERALS: usize = SLOTS / 2;

    /// An empty table.
    pub(crate) fn new() -> Seen {
        // Nothing is spelled with zeros alone.
        let nothing = Spelled { symbol: Symbol::BREAK, name: Symbol::BREAK };
        let slots = vec![([0; 2], nothing); SLOTS].into_boxed_slice();
        Seen(slots.try_into().expect("there are as many"))
    }

    /// What the spelling is, if it is still known.
    #[inline(always)]
    pub(crate) fn get(&self, short: &Short) -> Option<Spelled> {
        let (halves, spelled) = &self.0[short.slot % SLOTS];
        let is_other = (halves[0] ^ short.halves[0]) | (halves[1] ^ short.halves[1]);
        (is_other == 0).then_some(*spelled)
    }

    /// Remembers what a spelling is.
    pub(crate) fn put(&mut self, short: &Short, spelled: Spelled) {
        self.0[short.slot % SLOTS] = (short.halves, spelled);
    }
}
