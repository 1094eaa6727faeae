//! The words of a corpus, as hashes: rows of word characters, in lower case.
//!
//! A word is a maximal row of letters, digits, marks and underscores. That is `\w+` of the folded and lower-cased text,
//! as in Python's `re` and most tools for corpora, with these examples and exceptions:
//!
//! | text | words | why |
//! |---|---|---|
//! | `don't` `3.14` `half-time` | `don` `t` `3` `14` `half` `time` | as with `\w+` |
//! | `snake_case` | `snake_case` | likewise |
//! | `हिन्दी` | `हिन्दी` | a mark belongs to the character before it; Python splits words at marks |
//! | `汉字` `かな` `ไทย` | one word per character, marks included | no spaces between words |
//! | `pla[U+200B]giarism` `wоrds` `ﬁne` `½` | `plagiarism` `words` `fine` `1` `2` | [folded](super::fold()) first |
//!
//! [`Words`](super::Words) is more careful: it keeps `don't` together and joins words that a line's end has split. Here
//! that would do harm: the definition of a near-duplicate should fit in one line, agree with what others measured on
//! the same corpus, and take no time.
//!
//! Bytes that can belong to words are found 64 at a time, and rows of such bytes are words if they are ASCII. The words
//! of other rows are found in several ways (`mixed_row`). Most characters need no folding; a stretch with one that does
//! is folded by itself, up to the next sign on either side. Only one question is about the text as a whole: whether it
//! disguises Latin words in letters of one other script. If it does, it is read once more.
//!
//! Cost: O(n) time, and memory for the longest stretch that is folded. Measured by `fanmill-bench speed`.
//! Source: Unicode Standard Annex 15 and Technical Standard 39, as [`fold`](super::fold()) applies them.

use super::decoration::FEWEST;
use super::fold::{Folding, fold_respelled};
use super::hashed_word::HashedWord;
use super::letters::may_be_respelled;
use super::look_alike::{Disguises, DotlessI, ScriptCounts, has_suspects};
use super::marks::Marks;
use super::mixed_row::{ONES, Rows, eight};
use super::normal::normalize;
use super::word_class::{Class, class, lower};
use super::word_hash::{Fixed, WordHash};
use super::word_table::WordTable;
use fanmill_kernel as kernel;
use fanmill_kernel::{BLOCK, Form, Task};

pub use super::word_hash::WordKey;

/// Appends one 64-bit hash per word, in the order of the text.
///
/// Hashes are the same on every platform, and in every release for characters that Unicode 16 has.
/// Different words of up to eight bytes never have equal hashes, and case does not matter.
///
/// | text | words |
/// |---|---|
/// | `Don’t stop` | `don` `t` `stop` |
/// | `Größe_2` | `größe_2` |
/// | `漢字 ﬁne` | `漢` `字` `fine` |
pub fn word_hashes(text: &str, hashes: &mut Vec<u64>) {
    words_by(Fixed, text, hashes);
}

/// Hashes the same words, each in [one spelling](Folding::Spelling): `Größe_2` is `groesse_2`. For a text of ASCII the
/// hashes are those of [`word_hashes`].
pub fn spelled_word_hashes(text: &str, hashes: &mut Vec<u64>) {
    spelled_words_by(Fixed, text, hashes);
}

/// Appends the words of [`spelled_word_hashes`], each by its hash under a key.
pub fn keyed_spelled_word_hashes<const N: usize>(
    text: &str,
    key: &WordKey<N>,
    hashes: &mut Vec<[u64; N]>,
) {
    spelled_words_by(*key, text, hashes);
}

/// Appends the words of [`word_hashes`], each by its hash under a key: without the key nobody can make two words of one
/// hash, which takes no effort with [`word_hashes`].
pub fn keyed_word_hashes<const N: usize>(text: &str, key: &WordKey<N>, hashes: &mut Vec<[u64; N]>) {
    words_by(*key, text, hashes);
}

fn words_by<H: WordHash>(hash: H, text: &str, hashes: &mut Vec<H::Value>) {
    let (start, table, none) = (hashes.len(), WordTable::get(), Disguises::default());
    let mut read = |disguises: Disguises| {
        hashes.truncate(start);
        let census = ScriptCounts::default();
        kernel::run(Reading(Rows { hash, text, hashes, table, disguises, census }))
    };
    let disguises = read(none).disguises_of_latin();
    if !disguises.is_empty() && has_latin(text) {
        read(disguises);
    }
}

fn spelled_words_by<H: WordHash>(hash: H, text: &str, hashes: &mut Vec<H::Value>) {
    // Most texts have no letter with two spellings, and most others only a few.
    let places: Vec<usize> = may_be_respelled(text).take(FEWEST).collect();
    if places.is_empty() {
        return words_by(hash, text, hashes);
    }
    if places.len() < FEWEST && !has_suspects(text) {
        return few_respelled(hash, text, &places, hashes);
    }
    match fold_respelled(text) {
        None => words_by(hash, text, hashes),
        Some(respelled) => folded_words(hash, &respelled, hashes),
    }
}

/// Appends the words of a text in which only the characters at these few places may have to be respelled. Whatever the
/// text is as a whole, each stretch between two blanks is folded by itself.
fn few_respelled<H: WordHash>(hash: H, text: &str, places: &[usize], hashes: &mut Vec<H::Value>) {
    let (bytes, mut done) = (text.as_bytes(), 0);
    let is_blank = u8::is_ascii_whitespace;
    for &place in places {
        if place < done {
            continue;
        }
        let start = bytes[done..place].iter().rposition(is_blank).map_or(done, |at| done + at + 1);
        let end = bytes[place..].iter().position(is_blank).map_or(text.len(), |at| place + at);
        words_by(hash, &text[done..start], hashes);
        match fold_respelled(&text[start..end]) {
            None => words_by(hash, &text[start..end], hashes),
            Some(respelled) => folded_words(hash, &respelled, hashes),
        }
        done = end;
    }
    words_by(hash, &text[done..], hashes);
}

/// Appends the words of a text that is already folded.
fn folded_words<H: WordHash>(hash: H, text: &str, hashes: &mut Vec<H::Value>) {
    let (table, mut word) = (WordTable::get(), HashedWord::new(hash));
    for c in text.chars() {
        let entry = table.folded(c);
        word.take(entry.class, entry.lower, entry.n_bits, hashes);
    }
    word.end(hashes);
}

/// Returns whether a word of the text is Latin, once it is folded.
fn has_latin(text: &str) -> bool {
    let table = WordTable::get();
    text.split(|c| table.entry(c).is_apart()).any(|stretch| {
        ScriptCounts::new(&normalize(stretch, &mut Marks::new()).0, DotlessI::Folded).has_latin()
    })
}

/// One reading of a text, as a task for kernels.
struct Reading<'a, H: WordHash>(Rows<'a, H>);

impl<H: WordHash> Task for Reading<'_, H> {
    type Output = ScriptCounts;

    #[inline(always)]
    fn run<F: Form>(mut self, form: F) -> ScriptCounts {
        let (blocks, rest) = self.0.text.as_bytes().as_chunks::<BLOCK>();
        let mut row = OpenRow { start: 0, is_open: 0 };
        // Characters beyond ASCII have to be looked up.
        let mask = |block: &[u8; BLOCK]| {
            let kinds = form.byte_kinds(block);
            kinds.word | kinds.beyond
        };
        for (i, block) in blocks.iter().enumerate() {
            self.block(mask(block), BLOCK * i, &mut row);
        }
        // At least one zero follows the rest, and ends its last row.
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        self.block(mask(&last), BLOCK * blocks.len(), &mut row);
        self.0.census
    }
}

/// A row that may continue in the next block.
struct OpenRow {
    start: usize,
    /// 1 if it continues, else 0.
    is_open: u64,
}

impl<H: WordHash> Reading<'_, H> {
    /// Takes the rows that end in the block at `base`.
    #[inline(always)]
    fn block(&mut self, mask: u64, base: usize, row: &mut OpenRow) {
        let (hash, bytes) = (self.0.hash, self.0.text.as_bytes());
        let before = mask << 1 | row.is_open;
        let (mut starts, mut ends) = (mask & !before, before & !mask);
        // Words are gathered here first, which costs less than adding each to the list of all words.
        let (mut found, mut n_found) = ([hash.start(); BLOCK], 0);
        let mut start = row.start;
        if row.is_open == 0 {
            start = base + starts.trailing_zeros() as usize;
            starts &= starts.wrapping_sub(1);
        }
        while ends != 0 {
            let end = base + ends.trailing_zeros() as usize;
            ends &= ends - 1;
            if let Some(word) = ascii_word(hash, bytes, start, end) {
                // There are at most half as many words as bytes; the remainder shows this to the compiler.
                found[n_found % BLOCK] = word;
                n_found += 1;
            } else {
                self.0.hashes.extend_from_slice(&found[..n_found]);
                n_found = 0;
                self.0.row(start, end);
            }
            start = base + starts.trailing_zeros() as usize;
            starts &= starts.wrapping_sub(1);
        }
        self.0.hashes.extend_from_slice(&found[..n_found]);
        *row = OpenRow { start, is_open: mask >> (BLOCK - 1) };
    }
}

/// Returns the hash of a row that is one word of ASCII; `None` if it has other characters.
#[inline(always)]
fn ascii_word<H: WordHash>(hash: H, bytes: &[u8], start: usize, end: usize) -> Option<H::Value> {
    let (mut at, mut value) = (start, hash.start());
    while end - at > 8 {
        let block = eight(bytes, at);
        if block & (ONES << 7) != 0 {
            return None;
        }
        value = hash.add(value, block | (ONES * 0x20));
        at += 8;
    }
    let used = u64::MAX >> (64 - 8 * (end - at));
    let block = eight(bytes, at) & used;
    let is_ascii = block & (ONES << 7) == 0;
    is_ascii.then(|| hash.end(hash.add(value, block | used & (ONES * 0x20))))
}

/// Passes the words of [`word_hashes`] to `found` as they are compared, in the order of the text; those of
/// [`spelled_word_hashes`], if texts are folded by [`Folding::Spelling`].
///
/// It reads one character at a time, and takes ten times as long as hashing the words.
pub fn each_word(text: &str, folding: Folding, mut found: impl FnMut(&str)) {
    let (mut word, mut is_single) = (String::new(), false);
    for c in folding.of(text).text.chars() {
        let class = if c == '_' { Class::Letter } else { class(c) };
        let goes_on = match class {
            Class::Letter | Class::Digit => !is_single,
            Class::Mark => true,
            Class::Single | Class::Other => false,
        };
        if !goes_on {
            if !word.is_empty() {
                found(&word);
            }
            word.clear();
        }
        is_single = class == Class::Single || is_single && class == Class::Mark;
        if class != Class::Other && !(class == Class::Mark && word.is_empty()) {
            word.push(lower(c));
        }
    }
    if !word.is_empty() {
        found(&word);
    }
}

/// The naive twin: benchmarks time it beside the fast form, and tests compare the two.
pub mod naive {
    use super::{Fixed, Folding, WordHash, each_word, hash};

    /// Folds the whole text, and then reads it one character at a time.
    pub fn words(text: &str, hashes: &mut Vec<u64>) {
        words_by(Fixed, Folding::Disguises, text, hashes);
    }

    pub(in crate::frontend) fn words_by<H: WordHash>(
        by: H,
        folding: Folding,
        text: &str,
        hashes: &mut Vec<H::Value>,
    ) {
        each_word(text, folding, |word| hashes.push(hash(by, word.as_bytes())));
    }
}

/// Returns the hash of a word's bytes in lower case: eight at a time, little-endian, the last ones padded with zeros,
/// which no word has. An underscore counts as `0x7F`, so that one OR with `0x20` gives the counted value of any ASCII
/// byte of a word.
fn hash<H: WordHash>(by: H, word: &[u8]) -> H::Value {
    let value = word.chunks(8).fold(by.start(), |value, chunk| {
        let mut block = [0; 8];
        for (to, &byte) in block.iter_mut().zip(chunk) {
            *to = if byte.is_ascii() { byte | 0x20 } else { byte };
        }
        by.add(value, u64::from_le_bytes(block))
    });
    by.end(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::naive::words as naive;
    use super::*;
    use fanmill_kernel::InstructionSet;

    /// Checks that the words of `text` have the hashes of `words`.
    fn check(text: &str, words: &[&str]) {
        let mut hashes = Vec::new();
        word_hashes(text, &mut hashes);
        let expected: Vec<u64> = words.iter().map(|word| hash(Fixed, word.as_bytes())).collect();
        assert_eq!(hashes, expected, "{text}: {words:?}");
    }

    #[test]
    fn words_of_many_scripts() {
        for (text, words) in [
            ("", &[][..]),
            ("🦀 — … \u{301}", &[]),
            ("Don't stop, it's 3.14!", &["don", "t", "stop", "it", "s", "3", "14"]),
            ("“Don’t” — snake_CASE _x_ e.g.", &["don", "t", "snake_case", "_x_", "e", "g"]),
            ("exam-\n  ple half-time", &["exam", "ple", "half", "time"]),
            ("Größe über NAÏVE ﬁne ½", &["größe", "über", "naïve", "fine", "1", "2"]),
            (
                "Gro\u{308}ße pla\u{200B}gi\u{AD}arism co\u{AD}\ny",
                &["größe", "plagiarism", "co", "y"],
            ),
            ("the quiсk fох оf Ὀδυσσεύς", &["the", "quick", "fox", "of", "ὀδυσσεύσ"]),
            ("Съешь ещё этих оса", &["съешь", "ещё", "этих", "оса"]),
            ("漢字とカナ１２", &["漢", "字", "と", "カ", "ナ", "12"]),
            ("ไทยดี", &["ไ", "ท", "ย", "ดี"]),
            ("한국어 문장", &["한국어", "문장"]),
            ("हिन्दी में", &["हिन्दी", "में"]),
            ("Python编程3.0版_", &["python", "编", "程", "3", "0", "版", "_"]),
            ("an_unusually_LONG_identifier_9", &["an_unusually_long_identifier_9"]),
        ] {
            check(text, words);
        }
    }

    /// A stored sketch must mean the same in every release.
    #[test]
    fn hashes_never_change() {
        let mut hashes = Vec::new();
        word_hashes("Rose _8 über_größen and counterrevolutionaries", &mut hashes);
        assert_eq!(hashes, HASHES);
    }

    const HASHES: [u64; 5] = [
        16_783_160_363_884_009_686,
        16_448_197_896_124_178_335,
        5_137_871_587_721_238_566,
        3_772_941_001_400_463_991,
        2_275_224_528_670_544_038,
    ];

    #[test]
    fn different_words_have_different_hashes() {
        let letters = || b'a'..=b'z';
        let short = letters().flat_map(|a| letters().map(move |b| vec![a, b, b'x']));
        let long = (0..40).flat_map(|at| {
            letters().map(move |c| {
                let mut word = vec![b'0'; 40];
                word[at] = c;
                word
            })
        });
        let zeros = (1..60).map(|n| vec![b'0'; n]);
        let words: Vec<Vec<u8>> = short.chain(long).chain(zeros).collect();
        let mut hashes: Vec<u64> = words.iter().map(|word| hash(Fixed, word)).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), words.len());
    }

    #[test]
    fn hostile_texts_take_no_time() {
        for text in [
            "a".repeat(3_000_000),
            "é".repeat(1_000_000),
            "\u{301}".repeat(1_000_000),
            "a\u{301}".repeat(500_000),
            "а’".repeat(500_000),
            "\u{200B}".repeat(500_000) + &"\u{AD}".repeat(500_000),
            "aé".repeat(500_000) + "ﬁ",
            "оa".repeat(500_000),
            "_ﷺ".repeat(300_000),
        ] {
            word_hashes(&text, &mut Vec::new());
        }
    }

    /// Generates characters that folding treats in each of its ways, and plain ones.
    fn texts() -> impl Strategy<Value = String> {
        let chosen = "aeocpxABEKZ019_'.- \n\u{AD}\u{200B}\u{301}\u{308}\u{323}\u{E38}\u{94D}\u{338}\u{3099}\
            éßıİſﬁ½²µ“’—…\u{A0}´¸¨™＝ｱﾞＡ，аеосрхіжшыЖАВСαονλπςΣΑΒΕΩᎪօꓐԱ漢字かカーไทยดี한국\u{1100}\u{1161}हिक्षعربيע🦀𝐩";
        let c = prop_oneof![
            3 => prop::sample::select(chosen.chars().collect::<Vec<_>>()),
            2 => prop::sample::select("abcXYZ  \n_09".chars().collect::<Vec<_>>()),
            1 => prop::sample::select("аеорсухАВЕКМНОРСТХ ".chars().collect::<Vec<_>>()),
            1 => any::<char>(),
        ];
        prop_oneof![
            prop::collection::vec(c, 0..150).prop_map(|chars| chars.into_iter().collect()),
            "([a-zA-Z]{1,20}[ ’“é.]{1,3}){0,20}",
            "([а-я]{1,6}|[аеос]{1,4}|[a-z]{1,4}| ){0,20}",
            // Words of one script, with some of another: each script is treated in its own way.
            "([А-Яа-яЁё]{1,9}|[Ͱ-Ͽ]{1,9}|[À-ÿ]{1,5}|[a-zà-ý]{1,9}|[ا-ي]{1,9}|[ñßÿŸıɑ]{1,3}|[ ’.]){0,20}",
            "([一-鿿]{1,9}|[ก-๛]{1,9}|[あ-ヿ]{1,6}|[가-힣]{1,9}|[क-ॿ]{1,9}|[ａ-ｚ０-９]{1,4}|[ ，]){0,20}",
            any::<String>(),
        ]
    }

    /// Generates texts of letters that have several spellings.
    fn spellings() -> impl Strategy<Value = String> {
        prop_oneof![
            "([a-zäöüßéàçøåşğı]{1,9}|[А-ёӓїй\u{301}]{1,6}|[aоӓе]{1,4}|[Ͱ-Ͼἀ-ῼ]{1,6}|[ .]){0,30}",
            "([ء-ۿ\u{64B}-\u{652}]{1,6}|[א-ת\u{5B0}-\u{5BC}]{1,5}|[क-ह\u{93C}\u{94D}ँं]{1,6}|[漢語发發髮]{1,3}|[ .]){0,30}",
            "([a-z]{1,6}[áèîõüåṭḥñ\u{323}\u{301}]{1,3}[a-z ]{1,2}){12,30}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(1000)))]

        #[test]
        fn fast_equals_naive(text in texts()) {
            let mut slow = vec![7];
            naive(&text, &mut slow);
            for set in InstructionSet::available() {
                set.choose().expect("available");
                let mut fast = vec![7];
                word_hashes(&text, &mut fast);
                prop_assert_eq!(&fast, &slow, "{}", set);
            }
            let key = WordKey::<2>::new(&[3; 32]);
            let (mut fast, mut slow) = (vec![[7; 2]], vec![[7; 2]]);
            keyed_word_hashes(&text, &key, &mut fast);
            naive::words_by(key, Folding::Disguises, &text, &mut slow);
            prop_assert_eq!(fast, slow);
        }

        #[test]
        fn fast_spelled_words_equal_naive_ones(text in prop_oneof![texts(), spellings()]) {
            let (mut fast, mut slow) = (vec![7], vec![7]);
            spelled_word_hashes(&text, &mut fast);
            naive::words_by(Fixed, Folding::Spelling, &text, &mut slow);
            prop_assert_eq!(fast, slow);
        }
    }
}
