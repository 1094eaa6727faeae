//! Short spellings that occurred before, with their symbols and names.
//!
//! A program repeats its words. Words of up to 16 bytes are looked up as they are written, in a table that replaces
//! folding, hashing and the look-up of keywords. A word whose slot has been taken by another one is read anew.
//!
//! Cost: about twenty instructions for a word that is found; 128 kB of memory; a program's own words use a
//! part.

use fanmill_text::token::Symbol;

/// The symbol and name of a spelling.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WordSymbols {
    pub(crate) symbol: Symbol,
    pub(crate) name: Symbol,
}

/// A spelling of at most 16 bytes, padded with zeros, and its slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShortSpelling {
    halves: [u64; 2],
    slot: usize,
}

/// Maximum length of a short spelling, in bytes.
pub(crate) const SHORT: usize = 16;
/// Number of slots in the table.
const SLOTS: usize = 4096;

/// For each length of a spelling, a mask of those of the first eight bytes that belong to it. `HIGH` masks the last
/// eight of 16 bytes. The two are separate tables, so that no compiler loads both halves into one vector, from which it
/// would have to extract them again.
const LOW: [u64; SHORT + 1] = masks(0);
/// For each length of a spelling, a mask of those of the last eight of 16 bytes that belong to it.
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

impl ShortSpelling {
    /// Returns the spelling from `start` to `end` in a text, if it is short. It must not end with a zero byte. Equal
    /// spellings of different kinds have different slots: words of each language of a page, and literals.
    #[inline(always)]
    pub(crate) fn new(text: &[u8], start: usize, end: usize, kind: usize) -> Option<ShortSpelling> {
        let rest = &text[start..];
        match rest.first_chunk::<{ SHORT + 1 }>() {
            Some(first) => ShortSpelling::from_first(first, end - start, kind),
            None => ShortSpelling::from_first(&last(rest), end - start, kind),
        }
    }

    /// Returns the spelling of the first `len` of these bytes, if it is short.
    #[inline(always)]
    pub(crate) fn from_first(
        bytes: &[u8; SHORT + 1],
        len: usize,
        kind: usize,
    ) -> Option<ShortSpelling> {
        if len > SHORT {
            return None;
        }
        let (eights, _) = bytes.as_chunks::<8>();
        let [low, high] = [eights[0], eights[1]].map(u64::from_le_bytes);
        let halves = [low & LOW[len], high & HIGH[len]];
        let mixed = (halves[0] ^ halves[1].rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The highest bits depend on all others.
        let slot = (mixed >> (64 - SLOTS.ilog2())) as usize ^ (kind % SLOTS);
        Some(ShortSpelling { halves, slot })
    }

    /// Returns the hash of the spelling in lower case.
    #[inline]
    pub(crate) fn folded(&self) -> Symbol {
        let [low, high] = self.halves;
        let n_unused = if high == 0 { 64 + low.leading_zeros() } else { high.leading_zeros() };
        let bytes = u128::from(lower(high)) << 64 | u128::from(lower(low));
        Symbol::spelled(&bytes.to_le_bytes()[..SHORT - n_unused as usize / 8])
    }
}

/// Returns eight bytes with ASCII letters in lower case.
#[inline]
fn lower(bytes: u64) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    // Seven bits plus a number below 128 do not carry into the next byte.
    let at_least = |least: u8| (bytes & !HIGH) + ONES * u64::from(128 - least);
    let upper = at_least(b'A') & !at_least(b'Z' + 1) & !bytes & HIGH;
    bytes | upper >> 2
}

/// Returns the last bytes of a text, with zeros after them.
#[cold]
fn last(rest: &[u8]) -> [u8; SHORT + 1] {
    let mut bytes = [0; SHORT + 1];
    bytes[..rest.len()].copy_from_slice(rest);
    bytes
}

/// The spellings seen before; see the [module](self).
#[derive(Debug, Clone)]
pub(crate) struct SpellingCache(Box<[([u64; 2], WordSymbols); SLOTS]>);

impl SpellingCache {
    /// The kind of literals. It is above the kinds of words, which are the numbers of tables.
    pub(crate) const LITERALS: usize = SLOTS / 2;

    /// Creates an empty table.
    pub(crate) fn new() -> SpellingCache {
        // No spelling consists of zeros alone.
        let nothing = WordSymbols { symbol: Symbol::BREAK, name: Symbol::BREAK };
        let slots = vec![([0; 2], nothing); SLOTS].into_boxed_slice();
        SpellingCache(slots.try_into().expect("there are as many"))
    }

    /// Returns the symbol and name of a spelling, if it is still in the table.
    #[inline(always)]
    pub(crate) fn get(&self, short: &ShortSpelling) -> Option<WordSymbols> {
        let (halves, spelled) = &self.0[short.slot % SLOTS];
        let is_other = (halves[0] ^ short.halves[0]) | (halves[1] ^ short.halves[1]);
        (is_other == 0).then_some(*spelled)
    }

    /// Remembers the symbol and name of a spelling.
    pub(crate) fn put(&mut self, short: &ShortSpelling, spelled: WordSymbols) {
        self.0[short.slot % SLOTS] = (short.halves, spelled);
    }
}
