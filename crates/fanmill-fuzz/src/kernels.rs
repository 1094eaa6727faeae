//! A target for kernels: whatever the bytes and the instructions, they find what their naive twins find.

use fanmill::frontend::runs;
use fanmill::kernel::{Block, ByteWindow, InstructionSet};
use fanmill::naive;
use fanmill::select::bytes as selected;
use fanmill::select::roc::Roc;

/// Most bytes of a text: naive twins take quadratic time.
const MOST: usize = 1000;

/// Three numbers, then a text: its words, the ends of its words, and its fingerprints, by each set of instructions.
///
/// # Panics
/// If a kernel finds anything else than its naive twin.
pub fn kernels(bytes: &[u8]) {
    let Some((&[k, low, high, r], text)) = bytes.split_first_chunk() else { return };
    let text = &text[..text.len().min(MOST)];
    // Windows may be wider than the blocks that kernels work in.
    let w = 1 + usize::from(u16::from_le_bytes([low, high])) % 3000;
    let k = 1 + usize::from(k) % 80;
    let roc = Roc::new(k, w, 1 + usize::from(r) % 6);
    let (by_roc, winnowed) =
        (naive::roc_of_bytes(text, roc), naive::winnowing_of_bytes(text, k, w));
    let string = String::from_utf8_lossy(text);
    let mut words = Vec::new();
    naive::words(&string, &mut words);
    for set in InstructionSet::available() {
        set.choose().expect("it is available");
        let (mut found, mut hashes) = (Vec::new(), Vec::new());
        selected::roc(text, roc, &mut found);
        assert_eq!(found, by_roc, "ROC, {set}");
        found.clear();
        selected::winnow(text, k, w, &mut found);
        assert_eq!(found, winnowed, "winnowing, {set}");
        runs::word_hashes(&string, &mut hashes);
        assert_eq!(hashes, words, "words, {set}");
        ends(text);
    }
}

/// Where words and white space end, from places in any order.
fn ends(text: &[u8]) {
    let (mut window, mut block) = (ByteWindow::new(text), Block::default());
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let end = |from: usize, is: &dyn Fn(&u8) -> bool| {
        let n = text.get(from..).unwrap_or_default().iter().take_while(|byte| is(byte)).count();
        from + n
    };
    for i in 0..text.len().min(200) {
        let from = i * usize::from(text[i]) % (text.len() + 2);
        assert_eq!(window.end_of_word(&mut block, from), end(from, &is_word), "a word at {from}");
        let white = window.end_of_white(&mut block, from);
        assert_eq!(white, end(from, &|byte| *byte <= b' '), "white space at {from}");
    }
}

/// Random, repeated, ascending and constant texts, in several scripts.
pub fn seeds() -> Vec<Vec<u8>> {
    let head = |w: u16| [49, w.to_le_bytes()[0], w.to_le_bytes()[1], 3];
    let mixed = "The Größe don’t это слово ἀγορά 漢字 x2 snake_case\n".repeat(6);
    let scattered = |n: u32| (0..n).map(|i| (i.wrapping_mul(2_654_435_769) >> 24) as u8).collect();
    let texts = [(mixed.into_bytes(), 99), ((0..=255).collect(), 5), (vec![b'a'; 500], 200)];
    let long = [(scattered(900), 30), (scattered(700), 300)];
    let with = |(text, w): (Vec<u8>, u16)| [&head(w)[..], &text].concat();
    texts.into_iter().chain(long).map(with).collect()
}
