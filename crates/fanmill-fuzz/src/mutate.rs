//! Mutations of seeds: a small, deterministic stand-in for a fuzzer.
//!
//! A mutation flips, cuts, doubles, swaps or inserts a piece; three of them in a row reach states that one does not. It
//! is not guided by coverage, which is left to the real fuzzer.

use fanmill_kernel::hash::mix::SplitMix;

/// Pieces of text with a meaning for readers.
const PIECES: &[&[u8]] = &[
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\"",
    b"\\",
    b"\\u",
    b"\\ud800",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"\n",
    b"\r\n",
    b"\r\n\r\n",
    b"\t",
    b"<",
    b">",
    b"</",
    b"&#x",
    b";",
    b":",
    b"=",
    b"--",
    b"From ",
    b"WARC/1.0\r\n",
    b"Content-Length: 99999999999\r\n",
    b"4294967295",
    b"-1",
    b"1e999",
    b"/*",
    b"*/",
    b"${",
    b"'",
    b"(",
    b")",
    b"\xf0\x9f\x8c\xbe",
];

/// Maximum length of a mutated input, in bytes.
const LONGEST: usize = 1 << 16;

/// Returns the mutation of `seed` with this number.
pub fn mutation(seed: &[u8], number: u64) -> Vec<u8> {
    let mut random = SplitMix::new(number);
    let mut bytes = seed.to_vec();
    let n_steps = 1 + random.draw() % 3;
    for _ in 0..n_steps {
        step(&mut bytes, &mut random);
    }
    bytes.truncate(LONGEST);
    bytes
}

fn step(bytes: &mut Vec<u8>, random: &mut SplitMix) {
    let at = (random.draw() % (bytes.len() as u64 + 1)) as usize;
    let end = bytes.len().min(at + (random.draw() % 64) as usize);
    match random.draw() % 6 {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let doubled = bytes[at..end].repeat(1 + (random.draw() % 8) as usize);
            bytes.splice(at..at, doubled);
        }
        3 => {
            let piece = PIECES[(random.draw() % PIECES.len() as u64) as usize];
            bytes.splice(at..at, piece.iter().copied());
        }
        4 => bytes[at..end].reverse(),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << (random.draw() % 8);
            }
        }
    }
}
