//! A part of a text with the kinds of its bytes, which moves along with whoever reads the text.
//!
//! Where a word ends, or a stretch of white space, is a look at the bits of 64 bytes, instead of a loop over bytes
//! whose end no processor foresees.
//!
//! Cost: 8 to 160 instructions for 64 bytes, by the instructions that the processor has, and about ten for each question.

use super::{BLOCK, ByteKinds, Form, Task, run};

/// Blocks in a window.
const BLOCKS: usize = 32;

/// The kinds of some bytes of a text: a part of it that moves along with its reader.
#[derive(Debug, Clone)]
pub struct ByteWindow<'t> {
    bytes: &'t [u8],
    /// The first byte of the window; before it has been anywhere, one that is far off.
    start: usize,
    kinds: [ByteKinds; BLOCKS],
}

/// The kinds of 64 bytes of a text, for a reader to hold on to. At first those of no bytes.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    start: usize,
    kinds: ByteKinds,
}

impl Default for Block {
    fn default() -> Block {
        Block { start: FAR, kinds: ByteKinds::default() }
    }
}

/// Farther off than any byte of a text.
const FAR: usize = usize::MAX / 2;

impl<'t> ByteWindow<'t> {
    /// A window on a text.
    pub fn new(bytes: &'t [u8]) -> ByteWindow<'t> {
        ByteWindow { bytes, start: FAR, kinds: [ByteKinds::default(); BLOCKS] }
    }

    /// Where the ASCII letters, digits and underscores that begin at `from` end: at `from` if there are none. `block` is
    /// the one that the reader was in, and becomes the one that it is in.
    #[inline(always)]
    pub fn end_of_word(&mut self, block: &mut Block, from: usize) -> usize {
        self.end_of(block, from, |kinds| kinds.word)
    }

    /// Where the spaces and control characters, line ends among them, that begin at `from` end.
    #[inline(always)]
    pub fn end_of_white(&mut self, block: &mut Block, from: usize) -> usize {
        self.end_of(block, from, |kinds| kinds.white)
    }

    /// The first byte from `from` on that is not of a kind, or the end of the text.
    #[inline(always)]
    fn end_of(
        &mut self,
        block: &mut Block,
        from: usize,
        kind: impl Fn(&ByteKinds) -> u64,
    ) -> usize {
        let mut at = from;
        loop {
            let first = at.wrapping_sub(block.start);
            if first >= BLOCK {
                *block = self.block(at);
                continue;
            }
            // After a shift, the highest bits are of no kind, so that a run never seems longer than the block.
            let n = (!(kind(&block.kinds) >> first)).trailing_zeros() as usize;
            at += n;
            if first + n < BLOCK {
                return at;
            }
        }
    }

    /// The block of a byte.
    #[inline(never)]
    fn block(&mut self, at: usize) -> Block {
        let start = at / BLOCK * BLOCK;
        if start.wrapping_sub(self.start) >= BLOCK * BLOCKS && start < self.bytes.len() {
            self.start = start;
            run(Kinds { bytes: &self.bytes[start..], kinds: &mut self.kinds });
        }
        // Bytes after the text are of no kind.
        let kinds = self.kinds.get(start.wrapping_sub(self.start) / BLOCK);
        Block { start, kinds: kinds.copied().unwrap_or_default() }
    }
}

/// Finds the kinds of bytes, 64 at a time.
struct Kinds<'a> {
    bytes: &'a [u8],
    kinds: &'a mut [ByteKinds; BLOCKS],
}

impl Task for Kinds<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Form>(self, form: F) {
        let (blocks, rest) = self.bytes.as_chunks::<BLOCK>();
        let n = blocks.len().min(BLOCKS);
        for (kinds, block) in self.kinds.iter_mut().zip(blocks) {
            *kinds = form.byte_kinds(block);
        }
        if let Some((last, after)) = self.kinds[n..].split_first_mut() {
            let mut block = [0; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            let (kinds, inside) = (form.byte_kinds(&block), (1 << rest.len()) - 1);
            let ByteKinds { word, white, beyond } = kinds;
            *last = ByteKinds { word, white: white & inside, beyond };
            after.fill(ByteKinds::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::InstructionSet;

    fn naive(bytes: &[u8], from: usize, is: impl Fn(u8) -> bool) -> usize {
        (from..bytes.len()).find(|&at| !is(bytes[at])).unwrap_or(bytes.len().max(from))
    }

    fn texts() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300),
            prop::collection::vec(prop::sample::select(b"ab_9 \n\xC3.".to_vec()), 0..300),
            // Runs that are longer than blocks and windows.
            prop::collection::vec((prop::sample::select(b"a_ \n.".to_vec()), 1_usize..3000), 0..6)
                .prop_map(|runs| runs.into_iter().flat_map(|(byte, n)| vec![byte; n]).collect()),
        ]
    }

    proptest! {
        #[test]
        fn ends_are_those_of_loops_in_any_order(text in texts(), starts in prop::collection::vec(any::<prop::sample::Index>(), 1..20)) {
            for set in InstructionSet::available() {
                set.choose().expect("available");
                let (mut window, mut block) = (ByteWindow::new(&text), Block::default());
                for start in &starts {
                    let from = start.index(text.len() + 2);
                    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
                    prop_assert_eq!(window.end_of_word(&mut block, from), naive(&text, from, is_word));
                    prop_assert_eq!(window.end_of_white(&mut block, from), naive(&text, from, |byte| byte <= b' '));
                }
            }
        }
    }
}
