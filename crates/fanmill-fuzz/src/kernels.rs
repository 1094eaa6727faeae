//! A target for kernels: for any bytes and instructions, they find what their naive twins find.

use fanmill::naive;
use fanmill::select::bytes as selected;
use fanmill::select::roc::Roc;
use fanmill_kernel::{ByteSets, ByteWindow, InstructionSet};
use fanmill_text::frontend::runs;

/// Maximum length of a text, in bytes: naive twins take quadratic time.
const MOST: usize = 1000;

/// Reads three numbers and a text, and finds the text's words, lexemes and fingerprints with each set of instructions.
///
/// # Panics
/// If a kernel finds something other than its naive twin.
pub fn kernels(bytes: &[u8]) {
    let Some((&[k, low, high, r], text)) = bytes.split_first_chunk() else { return };
    let text = &text[..text.len().min(MOST)];
    // Windows may be wider than the blocks that kernels process.
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
        lexemes(text);
    }
}

/// Checks the ends of lexemes and the starts of the next ones, from positions in any order.
fn lexemes(text: &[u8]) {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_joining = |byte: u8| b"+-*/<>=&|".contains(&byte);
    let is_white = |byte: u8| byte <= b' ';
    let sets = ByteSets::new(is_word, is_joining, is_white);
    let mut window = ByteWindow::new(text, &sets);
    let visible = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| is_white(**byte)).count()
    };
    for i in 0..text.len().min(200) {
        let at = visible(i * usize::from(text[i]) % (text.len() + 2));
        assert_eq!(window.visible(at), at, "what can be seen at {at}");
        let Some(&first) = text.get(at) else { continue };
        let is_same = |byte: &&u8| {
            is_word(first) && is_word(**byte) || is_joining(first) && is_joining(**byte)
        };
        let len = 1 + text[at + 1..].iter().take_while(is_same).count();
        assert_eq!(window.end_of_run(at), at + len, "the end of the lexeme at {at}");
        let (found, next) = window.lexeme(at);
        let is_long = found > 56 && len > 56;
        assert!(is_long || (found, next) == (len, visible(at + len)), "the lexeme at {at}");
    }
}

/// Returns random, repeated, ascending and constant texts, in several scripts.
pub fn seeds() -> Vec<Vec<u8>> {
    let head = |w: u16| [49, w.to_le_bytes()[0], w.to_le_bytes()[1], 3];
    let mixed = "The Größe don’t это слово ἀγορά 漢字 x2 snake_case\n".repeat(6);
    let scattered = |n: u32| (0..n).map(|i| (i.wrapping_mul(2_654_435_769) >> 24) as u8).collect();
    let texts = [(mixed.into_bytes(), 99), ((0..=255).collect(), 5), (vec![b'a'; 500], 200)];
    let long = [(scattered(900), 30), (scattered(700), 300)];
    let with = |(text, w): (Vec<u8>, u16)| [&head(w)[..], &text].concat();
    texts.into_iter().chain(long).map(with).collect()
}
