//! The secret key, and the subkeys derived from it.
//!
//! A [`Key`] is 256 bits from a good random source. Nothing is ever hashed with it directly: each purpose has a subkey
//! of its own, by BLAKE3's key derivation, so that learning about one subkey reveals nothing about any other. Values
//! that are stored are SipHash-1-3 under such a subkey (`Prf`). Values that only decide something internally (`Mixer`)
//! are cheaper and never leave the process.
//!
//! [`Key::to_file`] is the only way for a key to leave this module. There is no `Display`, `Debug` shows
//! the [`KeyId`], errors describe the shape of a key file and never its contents, and memory is wiped
//! when a key is dropped. Code that reads key files must refuse one that other users can read, and code
//! that writes them must create them so.
//!
//! Source: Aumasson & Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012;
//! O'Connor, Aumasson, Neves & Wilcox-O'Hearn, "BLAKE3: one function, fast everywhere", 2020, §6.2.

use std::fmt;
use std::str::FromStr;

use siphasher::sip::SipHasher13;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use fanmill_kernel as kernel;
use fanmill_kernel::{Decision, Lanes};
use fanmill_text::error::{Error, Result};
use fanmill_text::message;
use fanmill_text::setting::Task;

/// Length of a key in bytes.
pub const KEY_BYTES: usize = 32;
/// The start of a key file. Its version covers everything that is derived from a key.
const HEADER: &str = "fanmill-sift-key-1";
/// The start of every derivation's context. Changing it changes all stored values.
const CONTEXT: &str = "fanmill 2026-11 sift v1";

/// A secret key; see the [module](self).
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Key([u8; KEY_BYTES]);

impl Key {
    /// Creates a key from `entropy`, which must come from the operating system's random source.
    ///
    /// # Errors
    /// If all bytes are equal, as from a random source that does not work.
    pub fn new(entropy: [u8; KEY_BYTES]) -> Result<Key> {
        let key = Key(entropy);
        if key.0.iter().all(|&byte| byte == key.0[0]) {
            return Err(Error::input(message![
                "a key of equal bytes is not random; make one with ",
                Task("sift-keygen")
            ]));
        }
        Ok(key)
    }

    /// Parses a key file: one line with a header and 64 hexadecimal digits.
    ///
    /// # Errors
    /// If it is anything else. The error does not show what was read.
    pub fn from_file(text: &[u8]) -> Result<Key> {
        let wrong = || {
            Error::input(message![
                (
                    "this is not a key file: it should be one line, `{HEADER}` and {} hexadecimal digits; \
                 make one with ",
                    2 * KEY_BYTES
                ),
                Task("sift-keygen")
            ])
        };
        let line = text.strip_prefix(HEADER.as_bytes()).ok_or_else(wrong)?;
        let digits = line.trim_ascii_end().strip_prefix(b" ").ok_or_else(wrong)?;
        if digits.len() != 2 * KEY_BYTES {
            return Err(wrong());
        }
        let mut bytes = Zeroizing::new([0_u8; KEY_BYTES]);
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = nibble(pair[0]).ok_or_else(wrong)? << 4 | nibble(pair[1]).ok_or_else(wrong)?;
        }
        Key::new(*bytes)
    }

    /// Returns the contents of a key file, which [`from_file`](Key::from_file) parses. Nobody else must be able to read
    /// that file.
    pub fn to_file(&self) -> Zeroizing<String> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        // Allocated in full at once: growing would leave a copy behind in freed memory.
        let mut text = Zeroizing::new(String::with_capacity(HEADER.len() + 2 * KEY_BYTES + 2));
        text.push_str(HEADER);
        text.push(' ');
        for byte in &self.0 {
            text.push(char::from(DIGITS[usize::from(byte >> 4)]));
            text.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
        text.push('\n');
        text
    }

    /// Returns the identifier of this key. It is safe to show and to store: the key cannot be derived from it.
    pub fn id(&self) -> KeyId {
        let bytes = self.derive("key id");
        let mut id = [0; 8];
        id.copy_from_slice(&bytes[..8]);
        KeyId(id)
    }

    /// Returns the subkey for stored values of one kind.
    pub(crate) fn prf(&self, purpose: &str) -> Prf {
        let words = self.words(purpose);
        Prf { k0: words[0], k1: words[1] }
    }

    /// Returns the subkey for internal decisions of one kind.
    pub(crate) fn mixer(&self, purpose: &str) -> Mixer {
        let words = self.words(purpose);
        Mixer { mask: words[2], factor: words[3] | 1 }
    }

    /// Returns the function for the values of an index of texts that is not to be read without the key.
    pub fn sealer(&self) -> Sealer {
        Sealer { values: self.prf("index values"), contents: self.prf("index contents") }
    }

    fn derive(&self, purpose: &str) -> Zeroizing<[u8; KEY_BYTES]> {
        Zeroizing::new(blake3::derive_key(&format!("{CONTEXT} {purpose}"), &self.0))
    }

    fn words(&self, purpose: &str) -> Zeroizing<[u64; 4]> {
        let bytes = self.derive(purpose);
        let mut words = Zeroizing::new([0; 4]);
        for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            // Little-endian.
            *word = chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        }
        words
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.id())
    }
}

/// Returns the value of a hexadecimal digit.
fn nibble(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// Identifier of a key: 64 bits, shown as 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId([u8; 8]);

impl KeyId {
    /// Returns the bytes that file formats store.
    pub fn to_bytes(self) -> [u8; 8] {
        self.0
    }

    /// Creates an id from the bytes that a file format has stored.
    pub fn from_bytes(bytes: [u8; 8]) -> KeyId {
        KeyId(bytes)
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", u64::from_be_bytes(self.0))
    }
}

impl FromStr for KeyId {
    type Err = Error;

    fn from_str(text: &str) -> Result<KeyId> {
        let value = u64::from_str_radix(text, 16).ok().map(|value| KeyId(value.to_be_bytes()));
        value.filter(|id| id.to_string() == text).ok_or_else(|| {
            Error::input(format!(
                "`{text}` is not a key id; use 16 hexadecimal digits in lower case"
            ))
        })
    }
}

/// A keyed function whose values may be stored: SipHash-1-3.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct Prf {
    k0: u64,
    k1: u64,
}

/// A keyed function for what an index stores of texts: hashes of grams and of contents.
#[derive(Debug, Clone)]
pub struct Sealer {
    values: Prf,
    contents: Prf,
}

impl Sealer {
    /// Returns the value of the hash of a gram.
    #[inline]
    pub fn value(&self, hash: u64) -> u64 {
        self.values.bytes(&hash.to_le_bytes())
    }

    /// Returns the value of a hash of contents.
    pub fn contents(&self, hash: [u8; 16]) -> [u8; 16] {
        let halves = [0, 1].map(|half| {
            let mut bytes = [half; 17];
            bytes[..16].copy_from_slice(&hash);
            self.contents.bytes(&bytes)
        });
        let value = u128::from(halves[0]) << 64 | u128::from(halves[1]);
        value.to_le_bytes()
    }
}

/// Maximum number of tokens of a gram that is hashed from the stack.
const ON_STACK: usize = 32;

impl Prf {
    #[inline]
    pub(crate) fn bytes(&self, bytes: &[u8]) -> u64 {
        SipHasher13::new_with_keys(self.k0, self.k1).hash(bytes)
    }

    /// Returns the value of a gram: the hash of its tokens' values, little-endian. It depends on their number.
    #[inline]
    pub(crate) fn gram(&self, tokens: &[u64]) -> u64 {
        if tokens.len() <= ON_STACK {
            let mut bytes = [0_u8; 8 * ON_STACK];
            for (chunk, token) in bytes.chunks_exact_mut(8).zip(tokens) {
                chunk.copy_from_slice(&token.to_le_bytes());
            }
            self.bytes(&bytes[..8 * tokens.len()])
        } else {
            let bytes: Vec<u8> = tokens.iter().flat_map(|token| token.to_le_bytes()).collect();
            self.bytes(&bytes)
        }
    }

    /// Returns the values of eight grams of the same length, each in a lane.
    #[inline]
    pub(crate) fn grams(&self, tokens: &[Lanes]) -> Lanes {
        let last = (8 * tokens.len() as u64) << 56;
        kernel::sip_hashes([self.k0, self.k1], tokens, &[last; kernel::LANES])
    }

    /// Returns the values of at most eight words.
    pub(crate) fn short(&self, words: &[Block]) -> Lanes {
        let mut last = [0; kernel::LANES];
        last.iter_mut().zip(words).for_each(|(last, word)| *last = word.0);
        kernel::sip_hashes([self.k0, self.k1], &[], &last)
    }
}

/// At most seven bytes, little-endian, with their number in the highest byte: everything that is hashed of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block(pub(crate) u64);

impl From<u32> for Block {
    /// Makes a block of the number's four bytes.
    fn from(number: u32) -> Block {
        Block(u64::from(number) | 4 << 56)
    }
}

impl Block {
    /// Makes a block of these bytes; `None` if there are more than seven.
    #[inline]
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Block> {
        let mut block = [0; 8];
        let len = bytes.len();
        block[..7].get_mut(..len)?.copy_from_slice(bytes);
        block[7] = len as u8;
        Some(Block(u64::from_le_bytes(block)))
    }
}

/// A keyed function for decisions that stay internal: one wide multiplication.
///
/// Its inputs are values of a [`Prf`], and its outputs are never stored, so nobody can learn its two secrets from them.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct Mixer {
    mask: u64,
    factor: u64,
}

impl Mixer {
    #[inline]
    pub(crate) fn mix(&self, x: u64) -> u64 {
        let wide = u128::from(x ^ self.mask) * u128::from(self.factor);
        (wide >> 64) as u64 ^ wide as u64
    }

    /// Returns the test whether [`mix`](Mixer::mix) of a value is at most `most`.
    pub(crate) fn decision(&self, most: u64) -> Decision {
        Decision { mask: self.mask, factor: self.factor, most }
    }

    /// Assigns `x` to one of `n` classes of about equal size.
    #[inline]
    pub(crate) fn class(&self, x: u64, n: u32) -> u32 {
        ((u128::from(self.mix(x)) * u128::from(n)) >> 64) as u32
    }
}

macro_rules! hide {
    ($($secret:ty),*) => {$(
        impl fmt::Debug for $secret {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($secret), "(secret)"))
            }
        }
    )*};
}
hide!(Prf, Mixer);

/// Returns a key for tests: a different one for each number.
#[cfg(test)]
pub(crate) fn of_test(number: u64) -> Key {
    let mut numbers = fanmill_kernel::hash::mix::SplitMix::new(number);
    Key::new(std::array::from_fn(|_| numbers.draw() as u8)).expect("not all equal")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn key_files_are_read_back() {
        let key = of_test(1);
        let file = key.to_file();
        assert_eq!(Key::from_file(file.as_bytes()).expect("its own file").id(), key.id());
        let unix = file.trim_end();
        for text in [
            unix.to_owned(),
            format!("{unix}\r\n"),
            unix.to_uppercase().replace(&HEADER.to_uppercase(), HEADER),
        ] {
            assert_eq!(Key::from_file(text.as_bytes()).expect("the same key").0, key.0);
        }
    }

    #[test]
    fn other_text_is_refused_and_not_repeated_in_the_error() {
        let file = of_test(1).to_file();
        let secret = &file[HEADER.len() + 1..HEADER.len() + 20];
        let (short, long) = (&file[..file.len() - 2], format!("{}0", file.trim_end()));
        let letter = file.replace(&file[30..31], "g");
        for text in [short, &long, &letter, secret, "", HEADER, &file[HEADER.len() + 1..]] {
            let error = Key::from_file(text.as_bytes()).expect_err("no key file");
            assert!(error.is_input() && !format!("{error} {error:?}").contains(secret), "{error}");
        }
        assert!(Key::from_file(&[0xff; 80]).is_err());
        assert!(Key::new([0; 32]).is_err() && Key::new([7; 32]).is_err());
    }

    #[test]
    fn no_secret_is_shown() {
        let key = of_test(2);
        assert_eq!(format!("{key:?}"), format!("Key({})", key.id()));
        assert_eq!(format!("{:?} {:?}", key.prf("a"), key.mixer("b")), "Prf(secret) Mixer(secret)");
        assert!(!key.to_file().contains(&key.id().to_string()));
    }

    #[test]
    fn ids_are_read_back() {
        let id = of_test(3).id();
        assert_eq!(id.to_string().parse::<KeyId>().expect("its own text"), id);
        assert_eq!(KeyId::from_bytes(id.to_bytes()), id);
        for wrong in ["", "0", "+123456789abcdef", "00000000000000000", "ABCDEF0123456789"] {
            assert!(wrong.parse::<KeyId>().is_err(), "{wrong}");
        }
    }

    /// Stored values must mean the same in every release.
    #[test]
    fn values_never_change() {
        let key = of_test(4);
        let values = (key.id().to_string(), key.prf("test").gram(&[1, 2, 3]));
        assert_eq!((values.0.as_str(), values.1), ("9fb0c7b57afce0ba", 12_296_070_735_261_704_683));
    }

    #[test]
    fn purposes_and_keys_give_different_values() {
        let values = |key: &Key, purpose| [key.prf(purpose).gram(&[7]), key.mixer(purpose).mix(7)];
        let (a, b) = (of_test(5), of_test(6));
        let all = [values(&a, "x"), values(&a, "y"), values(&b, "x"), values(&b, "y")].concat();
        let distinct: std::collections::BTreeSet<u64> = all.iter().copied().collect();
        assert_eq!(distinct.len(), all.len());
    }

    /// The naive twin: the reference algorithm, word by word. (The authors' test vectors are for 2-4
    /// rounds, not 1-3.)
    fn naive_sip13(k0: u64, k1: u64, words: &[u64]) -> u64 {
        let mut v = [
            k0 ^ 0x736f_6d65_7073_6575,
            k1 ^ 0x646f_7261_6e64_6f6d,
            k0 ^ 0x6c79_6765_6e65_7261,
            k1 ^ 0x7465_6462_7974_6573,
        ];
        let round = |v: &mut [u64; 4]| {
            for (a, b, turn) in [(0, 1, 13), (2, 3, 16)] {
                v[a] = v[a].wrapping_add(v[b]);
                v[b] = v[b].rotate_left(turn) ^ v[a];
            }
            v[0] = v[0].rotate_left(32);
            for (a, b, turn) in [(2, 1, 17), (0, 3, 21)] {
                v[a] = v[a].wrapping_add(v[b]);
                v[b] = v[b].rotate_left(turn) ^ v[a];
            }
            v[2] = v[2].rotate_left(32);
        };
        for &word in words.iter().chain([&((8 * words.len() as u64) << 56)]) {
            v[3] ^= word;
            round(&mut v);
            v[0] ^= word;
        }
        v[2] ^= 0xff;
        (0..3).for_each(|_| round(&mut v));
        v[0] ^ v[1] ^ v[2] ^ v[3]
    }

    proptest! {
        #[test]
        fn grams_hash_by_siphash(k0: u64, k1: u64, tokens in prop::collection::vec(any::<u64>(), 0..40)) {
            prop_assert_eq!(Prf { k0, k1 }.gram(&tokens), naive_sip13(k0, k1, &tokens));
        }

        #[test]
        fn eight_grams_hash_as_one_by_one(k0: u64, k1: u64, tokens in prop::collection::vec(any::<Lanes>(), 0..40)) {
            let prf = Prf { k0, k1 };
            let gram = |lane: usize| -> Vec<u64> { tokens.iter().map(|token| token[lane]).collect() };
            let naive: Lanes = std::array::from_fn(|lane| prf.gram(&gram(lane)));
            prop_assert_eq!(prf.grams(&tokens), naive);
        }

        #[test]
        fn short_words_hash_by_their_bytes(k0: u64, k1: u64, words in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..8), 0..9)) {
            let prf = Prf { k0, k1 };
            let blocks: Vec<Block> = words.iter().map(|word| Block::from_bytes(word).expect("short")).collect();
            let found = prf.short(&blocks);
            for (word, value) in words.iter().zip(found) {
                prop_assert_eq!(value, prf.bytes(word));
            }
            prop_assert!(Block::from_bytes(&[0; 8]).is_none());
            let number = k0 as u32;
            prop_assert_eq!(Block::from_bytes(&number.to_le_bytes()), Some(number.into()));
        }

        #[test]
        fn no_file_panics(bytes: Vec<u8>) {
            prop_assert!(Key::from_file(&bytes).is_err());
        }
    }

    /// Every class gets its share.
    #[test]
    fn classes_are_of_equal_size() {
        let (prf, mixer) = (of_test(7).prf("tokens"), of_test(7).mixer("classes"));
        let mut counts = [0_u32; 5];
        for i in 0..50_000 {
            counts[mixer.class(prf.gram(&[i]), 5) as usize] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 400), "{counts:?}");
    }
}
