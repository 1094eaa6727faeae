//! RTF as Outlook compresses it.
//!
//! A run of up to 17 bytes that occurred among the last 4,096 bytes is written as its place and length. The window
//! begins with the words that most RTF begins with. The checksum is not looked at, since damaged text is worth reading.
//!
//! Cost: O(n) in the bytes written, at most 8 for each byte read.
//! Source: [MS-OXRTFCP], §2.1.3.

/// Bytes of the window.
const WINDOW: usize = 4096;

/// Bytes before the contents: two sizes, the kind, a checksum.
const HEADER: usize = 16;

/// The beginning of the window.
const BEGINNING: &[u8; 207] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \
\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \
\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/// Returns the RTF, up to `most` bytes, and whether it is whole; `None` if the bytes are no such RTF.
pub(crate) fn unpack(bytes: &[u8], most: usize) -> Option<(Vec<u8>, bool)> {
    let (header, contents) = bytes.split_at_checked(HEADER)?;
    let number = |at: usize| header[at..].first_chunk().map(|four| u32::from_le_bytes(*four));
    let raw = usize::try_from(number(4)?).unwrap_or(usize::MAX);
    match &header[8..12] {
        b"LZFu" => Some(decompressed(contents, most)),
        b"MELA" => {
            let kept = contents.len().min(raw).min(most);
            Some((contents[..kept].to_vec(), kept == raw))
        }
        _ => None,
    }
}

fn decompressed(contents: &[u8], most: usize) -> (Vec<u8>, bool) {
    let mut window = [0; WINDOW];
    window[..BEGINNING.len()].copy_from_slice(BEGINNING);
    let (mut at, mut out, mut rest) = (BEGINNING.len(), Vec::new(), contents);
    let mut push = |byte: u8, window: &mut [u8; WINDOW], at: &mut usize| {
        window[*at] = byte;
        *at = (*at + 1) % WINDOW;
        out.push(byte);
        out.len() < most
    };
    let mut is_whole = false;
    // A byte says of the next eight items, from its lowest bit, whether they are references or bytes.
    'all: while let Some((&kinds, after)) = rest.split_first().filter(|_| most > 0) {
        rest = after;
        for item in 0..8 {
            if kinds >> item & 1 == 0 {
                let Some((&byte, after)) = rest.split_first() else { break 'all };
                rest = after;
                if !push(byte, &mut window, &mut at) {
                    break 'all;
                }
                continue;
            }
            let Some((two, after)) = rest.split_first_chunk() else { break 'all };
            rest = after;
            let reference = usize::from(u16::from_be_bytes(*two));
            let (from, length) = (reference >> 4, (reference & 0xF) + 2);
            // A reference to the place that is written next ends the text.
            if from == at {
                is_whole = true;
                break 'all;
            }
            for step in 0..length {
                // A run may go on into the bytes that it writes itself.
                let byte = window[(from + step) % WINDOW];
                if !push(byte, &mut window, &mut at) {
                    break 'all;
                }
            }
        }
    }
    (out, is_whole)
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Packs bytes, none of them by reference.
    pub(crate) fn packed(rtf: &[u8]) -> Vec<u8> {
        let mut contents = Vec::new();
        let end = u16::try_from((BEGINNING.len() + rtf.len()) % WINDOW).expect("small") << 4;
        let mut chunks = rtf.chunks_exact(8);
        for eight in &mut chunks {
            contents.push(0);
            contents.extend_from_slice(eight);
        }
        let rest = chunks.remainder();
        contents.push(1 << rest.len());
        contents.extend_from_slice(rest);
        contents.extend_from_slice(&end.to_be_bytes());
        headed(*b"LZFu", rtf.len(), &contents)
    }

    fn headed(kind: [u8; 4], raw: usize, contents: &[u8]) -> Vec<u8> {
        let size = |n: usize| u32::try_from(n).expect("small").to_le_bytes();
        let sizes = [size(contents.len() + 12), size(raw), kind, [0; 4]];
        [sizes.concat(), contents.to_vec()].concat()
    }

    #[test]
    fn references_reach_into_the_beginning_and_into_themselves() {
        // `{\rtf1\ansi` from the beginning, `ab`, then ten bytes from the `a` on.
        let written = BEGINNING.len() + 11;
        let reference = |from: usize, length: usize| {
            u16::try_from(from << 4 | (length - 2)).expect("12 bits").to_be_bytes()
        };
        let mut contents = vec![0b1_1001];
        contents.extend_from_slice(&reference(0, 11));
        contents.extend_from_slice(b"ab");
        contents.extend_from_slice(&reference(written, 10));
        contents.extend_from_slice(&reference(written + 12, 2));
        let bytes = headed(*b"LZFu", 23, &contents);
        assert_eq!(unpack(&bytes, 99), Some((b"{\\rtf1\\ansiabababababab".to_vec(), true)));
        assert_eq!(unpack(&bytes, 12), Some((b"{\\rtf1\\ansia".to_vec(), false)));
        assert_eq!(unpack(&bytes, 0), Some((Vec::new(), false)));
    }

    #[test]
    fn what_is_stored_is_returned_as_it_is() {
        assert_eq!(unpack(&headed(*b"MELA", 3, b"abcd"), 9), Some((b"abc".to_vec(), true)));
        assert_eq!(unpack(&headed(*b"MELA", 9, b"abcd"), 9), Some((b"abcd".to_vec(), false)));
        assert_eq!(unpack(&headed(*b"none", 3, b"abc"), 9), None);
        assert_eq!(unpack(b"LZFu", 9), None);
    }

    proptest! {
        #[test]
        fn what_was_packed_comes_back(rtf in prop::collection::vec(any::<u8>(), 0..9000)) {
            prop_assert_eq!(unpack(&packed(&rtf), usize::MAX), Some((rtf, true)));
        }

        #[test]
        fn any_bytes_unpack_to_at_most_nine_times_as_many(contents in prop::collection::vec(any::<u8>(), 0..300)) {
            let bytes = headed(*b"LZFu", 9, &contents);
            let (out, _) = unpack(&bytes, usize::MAX).expect("a header");
            prop_assert!(out.len() <= 9 * contents.len());
            prop_assert!(unpack(&bytes, 10).expect("a header").0.len() <= 10);
        }
    }
}
