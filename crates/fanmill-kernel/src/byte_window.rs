//! A window on a text that knows where lexemes begin and end, and moves along with the reader.
//!
//! A lexeme is a run of bytes of words, a run of joining bytes, or any other byte that is not white. The reader defines
//! these sets of bytes ([`ByteSets`]). The end of a lexeme and the beginning of the next are found by a look at the
//! bits of 64 bytes, instead of by loops over bytes whose ends no processor foresees. White bytes are never looked at
//! one by one.
//!
//! Cost: some 50 instructions per 64 bytes with AVX2, 300 without, and about fifteen per lexeme.

use super::form::BYTE_SETS;
use super::{BLOCK, ByteSets, Form, Task, run};

/// Number of blocks in a window.
const BLOCKS: usize = 64;

/// Size of a window's bits in bytes.
const BYTES: usize = BLOCK * BLOCKS / 8;

/// The lexemes of a part of a text, which moves along with its reader.
#[derive(Debug, Clone)]
pub struct ByteWindow<'t> {
    bytes: &'t [u8],
    sets: &'t ByteSets,
    /// The first byte of the window; a place that is far off until the window is placed.
    start: usize,
    /// Bits of the bytes that begin lexemes. The first byte of the window always seems to begin one, although it may
    /// continue one.
    starts: [u8; BYTES],
    /// Bits of the bytes that continue the lexeme of the byte before.
    joined: [u8; BYTES],
}

/// A place farther off than any byte of a text.
const FAR: usize = usize::MAX / 2;

impl<'t> ByteWindow<'t> {
    /// Creates a window on a text.
    pub fn new(bytes: &'t [u8], sets: &'t ByteSets) -> ByteWindow<'t> {
        ByteWindow { bytes, sets, start: FAR, starts: [0; BYTES], joined: [0; BYTES] }
    }

    /// Continues with other sets.
    pub fn turn_to(&mut self, sets: &'t ByteSets) {
        if !std::ptr::eq(self.sets, sets) {
            self.sets = sets;
            self.start = FAR;
        }
    }

    /// Returns the first byte from `from` on that is not white; otherwise the end of the text, or
    /// `from` if that is beyond it.
    pub fn visible(&mut self, from: usize) -> usize {
        let mut at = from;
        while at < self.bytes.len() {
            let (joined, starts, n_bits) = self.bits(at);
            let n = (joined | starts).trailing_zeros();
            if n < n_bits {
                return at + n as usize;
            }
            at += n_bits as usize;
        }
        from.max(self.bytes.len())
    }

    /// Returns the remaining length of the lexeme at `at`, and the place where the next one begins, which may be the
    /// end of the text. `at` must be a byte that is not white. A length above 56 may be too small.
    #[inline(always)]
    pub fn lexeme(&mut self, at: usize) -> (usize, usize) {
        let from = at.wrapping_sub(self.start);
        if let Some((joined, starts)) = self.eights(from) {
            // The bits of the bytes after this one, at least 56. The bits above them are 0: nothing is joined, nothing
            // starts.
            let (joined, starts) = (joined >> (from % 8 + 1), starts >> (from % 8 + 1));
            if starts != 0 {
                let n = (!joined).trailing_zeros() as usize;
                return (1 + n, at + 1 + starts.trailing_zeros() as usize);
            }
        }
        self.far_lexeme(at)
    }

    /// Does the work of [`Self::lexeme`] where the next lexeme is farther off, or out of the window. A long lexeme is
    /// not followed to its end: readers that take a piece of it each time would take quadratic time.
    #[inline(never)]
    fn far_lexeme(&mut self, at: usize) -> (usize, usize) {
        let mut end = at + 1;
        if end < self.bytes.len() {
            let (joined, _, n_bits) = self.bits(end);
            end += n_bits.min((!joined).trailing_zeros()) as usize;
        }
        (end - at, self.visible(end))
    }

    /// Returns the end of the lexeme at `at`, which must be a byte of the text.
    #[inline]
    pub fn end_of_run(&mut self, at: usize) -> usize {
        let mut end = at + 1;
        while end < self.bytes.len() {
            let (joined, _, n_bits) = self.bits(end);
            let n = (!joined).trailing_zeros();
            if n < n_bits {
                return end + n as usize;
            }
            end += n_bits as usize;
        }
        end
    }

    /// Returns the bits of a byte and of those after it, and their number. The window has at least one of them.
    #[inline]
    fn bits(&mut self, at: usize) -> (u64, u64, u32) {
        let from = at.wrapping_sub(self.start);
        // The first byte of a window does not know the one before it.
        let is_known = from > 0 || at == 0;
        if from / 8 + 8 > BYTES || !is_known {
            self.move_to(at);
        }
        let from = at - self.start;
        let (joined, starts) = self.eights(from).expect("the window has it");
        let n_used = from as u32 % 8;
        (joined >> n_used, starts >> n_used, 64 - n_used)
    }

    /// Returns eight bytes of bits; the first has the bit of a byte, counted from the start of the window.
    #[inline(always)]
    fn eights(&self, from: usize) -> Option<(u64, u64)> {
        let eight = |bits: &[u8; BYTES]| {
            bits.get(from / 8..)?.first_chunk().map(|eight| u64::from_le_bytes(*eight))
        };
        Some((eight(&self.joined)?, eight(&self.starts)?))
    }

    /// Moves the window to a byte, which becomes its first byte only if it is the first of the text.
    #[inline(never)]
    fn move_to(&mut self, at: usize) {
        self.start = at.saturating_sub(1) / BLOCK * BLOCK;
        let bytes = &self.bytes[self.start..];
        let (joined, starts) = (&mut self.joined, &mut self.starts);
        run(Lexemes { bytes, sets: self.sets, joined, starts });
    }
}

/// Finds the bytes that begin and that continue lexemes, 64 at a time.
struct Lexemes<'a> {
    bytes: &'a [u8],
    sets: &'a ByteSets,
    joined: &'a mut [u8; BYTES],
    starts: &'a mut [u8; BYTES],
}

impl Task for Lexemes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Form>(self, form: F) {
        let (blocks, rest) = self.bytes.as_chunks::<BLOCK>();
        let (joined, _) = self.joined.as_chunks_mut::<8>();
        let (starts, _) = self.starts.as_chunks_mut::<8>();
        let mut bits = joined.iter_mut().zip(starts);
        let mut before = [0; BYTE_SETS];
        let mut find = |block: &[u8; BLOCK], inside: u64| {
            let sets @ [word, joining, white] = form.byte_sets(block, self.sets);
            let after = |i: usize| sets[i] << 1 | before[i] >> 63;
            let joined = word & after(0) | joining & after(1);
            before = sets;
            (joined & inside, !(joined | white) & inside)
        };
        for (block, (joined, starts)) in blocks.iter().zip(&mut bits) {
            let (goes_on, begins) = find(block, u64::MAX);
            (*joined, *starts) = (goes_on.to_le_bytes(), begins.to_le_bytes());
        }
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        let last = find(&block, (1 << rest.len()) - 1);
        // Nothing begins or continues after the text.
        let ends = std::iter::once(last).chain(std::iter::repeat((0, 0)));
        for ((goes_on, begins), (joined, starts)) in ends.zip(bits) {
            (*joined, *starts) = (goes_on.to_le_bytes(), begins.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::InstructionSet;

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    enum Kind {
        Word,
        Joining,
        White,
        Other,
    }

    fn kind(byte: u8) -> Kind {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' => Kind::Word,
            b'+' | b'=' | b'/' => Kind::Joining,
            0..=b' ' | b'\\' | 0x7F => Kind::White,
            _ => Kind::Other,
        }
    }

    fn sets() -> ByteSets {
        let is = |wanted| move |byte| kind(byte) == wanted;
        ByteSets::new(is(Kind::Word), is(Kind::Joining), is(Kind::White))
    }

    fn visible(bytes: &[u8], from: usize) -> usize {
        (from..bytes.len())
            .find(|&at| kind(bytes[at]) != Kind::White)
            .unwrap_or(bytes.len().max(from))
    }

    fn end_of_run(bytes: &[u8], at: usize) -> usize {
        let is_one = matches!(kind(bytes[at]), Kind::Other | Kind::White);
        let goes_on = |&end: &usize| is_one || kind(bytes[end]) != kind(bytes[at]);
        (at + 1..bytes.len()).find(goes_on).unwrap_or(bytes.len())
    }

    fn texts() -> impl Strategy<Value = Vec<u8>> {
        let bytes = || prop::sample::select(b"ab_9$+=/ \n\\(.\xC3".to_vec());
        prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300),
            prop::collection::vec(bytes(), 0..300),
            // Runs that are longer than blocks and windows.
            prop::collection::vec((bytes(), 1_usize..6000), 0..6)
                .prop_map(|runs| runs.into_iter().flat_map(|(byte, n)| vec![byte; n]).collect()),
        ]
    }

    proptest! {
        #[test]
        fn lexemes_are_those_of_loops_in_any_order(text in texts(), starts in prop::collection::vec(any::<prop::sample::Index>(), 1..20)) {
            let sets = sets();
            for set in InstructionSet::available() {
                set.choose().expect("available");
                let mut window = ByteWindow::new(&text, &sets);
                for start in &starts {
                    let from = start.index(text.len() + 2);
                    let at = window.visible(from);
                    prop_assert_eq!(at, visible(&text, from));
                    if at < text.len() {
                        let end = end_of_run(&text, at);
                        prop_assert_eq!(window.end_of_run(at), end);
                        let (len, next) = window.lexeme(at);
                        prop_assert!(len == end - at || len > 56 && end - at > 56);
                        prop_assert!(next == visible(&text, end) || len > 56);
                    }
                }
            }
        }

        #[test]
        fn a_text_is_read_from_lexeme_to_lexeme(text in texts()) {
            let sets = sets();
            let mut window = ByteWindow::new(&text, &sets);
            let mut at = window.visible(0);
            while at < text.len() {
                let end = end_of_run(&text, at);
                let next = visible(&text, end);
                let (len, found) = window.lexeme(at);
                prop_assert!((len, found) == (end - at, next) || len > 56 && end - at > 56);
                at = next;
            }
        }
    }

    #[test]
    fn other_sets_are_used_from_then_on() {
        let (ours, all_words) = (sets(), ByteSets::new(|byte| byte < 0x80, |_| false, |_| false));
        let mut window = ByteWindow::new(b"a b", &ours);
        assert_eq!(window.lexeme(0), (1, 2));
        window.turn_to(&all_words);
        assert_eq!(window.lexeme(0), (3, 3));
    }
}
