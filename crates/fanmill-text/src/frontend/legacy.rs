//! Encodings from before Unicode: guessed, and decoded with exact spans.
//!
//! A single-byte encoding is a table of 256 characters. A multi-byte one goes through `encoding_rs` byte by byte,
//! because its decoder reports only at the end of a call how much it has made of how much. Stretches of ASCII that mean
//! themselves are copied whole.
//!
//! Cost: O(n); Russian in windows-1251 at 130 MB/s, Chinese in GBK at 62 MB/s (2026-11-20, one core of an EPYC).
//! Source: WHATWG Encoding Standard, "Legacy single-byte encodings" and what follows it.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Decoder, DecoderResult, Encoding, ISO_2022_JP, UTF_8};

use super::decoded::Builder;

/// Maximum number of bytes that the detector is given, from the first one that is not ASCII, so that its cost is
/// bounded.
const GUESS_BYTES: usize = 128 << 10;

/// Returns the most likely encoding of bytes that are not UTF-8.
pub(super) fn guess(bytes: &[u8]) -> &'static Encoding {
    // Case and spaces before the first letter beyond ASCII matter to the detector.
    let start = Encoding::ascii_valid_up_to(bytes).saturating_sub(32);
    let sample = &bytes[start..bytes.len().min(start + GUESS_BYTES)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, sample.len() == bytes.len() - start);
    detector.guess(None, Utf8Detection::Deny)
}

/// Decodes `bytes`; each bad sequence is one U+FFFD.
pub(super) fn decode(bytes: &[u8], encoding: &'static Encoding) -> Builder {
    debug_assert!(encoding != UTF_8, "UTF-8 is not decoded here");
    if encoding.is_single_byte() {
        single_byte(bytes, encoding)
    } else {
        multi_byte(bytes, encoding)
    }
}

fn single_byte(bytes: &[u8], encoding: &'static Encoding) -> Builder {
    let table: Vec<Option<char>> = (0..=u8::MAX)
        .map(|byte| {
            let text =
                encoding.decode_without_bom_handling_and_without_replacement(&[byte])?.into_owned();
            text.chars().next()
        })
        .collect();
    let mut builder = Builder::new(bytes.len() * 2);
    let mut at = 0;
    while at < bytes.len() {
        at += copy_ascii(&bytes[at..], &mut builder);
        while let Some(&byte) = bytes.get(at).filter(|byte| !byte.is_ascii()) {
            match table[usize::from(byte)] {
                Some(c) => builder.push(c, 1),
                None => builder.replace(1),
            }
            at += 1;
        }
    }
    builder
}

/// Copies the ASCII at the start of `bytes`, and returns its length.
fn copy_ascii(bytes: &[u8], builder: &mut Builder) -> usize {
    let len = Encoding::ascii_valid_up_to(bytes);
    if let Ok(text) = std::str::from_utf8(&bytes[..len]) {
        builder.copy(text);
    }
    len
}

fn multi_byte(bytes: &[u8], encoding: &'static Encoding) -> Builder {
    let mut steps = Steps {
        decoder: encoding.new_decoder_without_bom_handling(),
        builder: Builder::new(bytes.len() * 3 / 2),
        unread: 0,
    };
    let stateful = encoding == ISO_2022_JP;
    let mut at = 0;
    while at < bytes.len() {
        // Between two characters, ASCII means itself.
        if !stateful && steps.builder.position() == at && !steps.pending() {
            at += copy_ascii(&bytes[at..], &mut steps.builder);
        }
        if let Some(&byte) = bytes.get(at) {
            at += 1;
            steps.feed(&[byte], at, false);
            if stateful && is_escape(&bytes[steps.builder.position()..at]) {
                steps.builder.skip(3);
            }
        }
    }
    steps.feed(&[], bytes.len(), true);
    let rest = bytes.len() - steps.builder.position();
    steps.builder.skip(rest);
    steps.builder
}

/// Returns whether these bytes are exactly one escape sequence of ISO-2022-JP.
fn is_escape(bytes: &[u8]) -> bool {
    matches!(bytes, [0x1B, b'(', b'B' | b'J' | b'I'] | [0x1B, b'$', b'@' | b'B'])
}

/// A decoder that is fed byte by byte.
struct Steps {
    decoder: Decoder,
    builder: Builder,
    /// Number of bytes after a bad sequence that the decoder holds back for the next call.
    unread: usize,
}

impl Steps {
    /// Returns whether the decoder holds back bytes.
    fn pending(&self) -> bool {
        self.unread > 0
    }

    /// Feeds `input`, at most one byte, which ends at `end`. All bytes before `end` that have not been used belong to
    /// the next character.
    fn feed(&mut self, mut input: &[u8], end: usize, last: bool) {
        let mut out = [0u8; 32];
        loop {
            let (result, read, written) =
                self.decoder.decode_to_utf8_without_replacement(input, &mut out, last);
            input = &input[read..];
            self.unread = match result {
                DecoderResult::Malformed(_, after) => usize::from(after),
                DecoderResult::InputEmpty | DecoderResult::OutputFull => 0,
            };
            let fresh = end - input.len() - self.unread - self.builder.position();
            let text = std::str::from_utf8(&out[..written]).unwrap_or_default();
            match result {
                DecoderResult::Malformed(len, _) => self.bad(text, fresh, usize::from(len)),
                _ if text.is_empty() => {}
                _ => self.builder.push_str(text, fresh),
            }
            if matches!(result, DecoderResult::InputEmpty) {
                return;
            }
        }
    }

    /// Takes `fresh` bytes that contain a bad sequence of `len` bytes; `text` is decoded from bytes held back before
    /// it, if there were any.
    fn bad(&mut self, text: &str, fresh: usize, len: usize) {
        let before = if text.is_empty() { 0 } else { fresh.saturating_sub(len) };
        if before > 0 {
            self.builder.push_str(text, before);
        }
        // A sequence that was cut short by the end is reported again, without bytes of its own.
        if fresh > before {
            self.builder.replace(fresh - before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::offset_map::narrow;
    use crate::span::Span;
    use encoding_rs as e;
    use proptest::prelude::*;

    const ALL: [&Encoding; 30] = [
        e::BIG5,
        e::EUC_JP,
        e::EUC_KR,
        e::GB18030,
        e::GBK,
        e::IBM866,
        e::ISO_2022_JP,
        e::ISO_8859_2,
        e::ISO_8859_3,
        e::ISO_8859_4,
        e::ISO_8859_5,
        e::ISO_8859_6,
        e::ISO_8859_7,
        e::ISO_8859_8,
        e::ISO_8859_10,
        e::ISO_8859_13,
        e::ISO_8859_15,
        e::KOI8_R,
        e::KOI8_U,
        e::MACINTOSH,
        e::SHIFT_JIS,
        e::WINDOWS_1250,
        e::WINDOWS_1251,
        e::WINDOWS_1252,
        e::WINDOWS_1253,
        e::WINDOWS_1254,
        e::WINDOWS_1255,
        e::WINDOWS_1256,
        e::WINDOWS_1258,
        e::WINDOWS_874,
    ];

    /// Returns the characters of `text` that `encoding` can write and that come back the same.
    fn writable(text: &str, encoding: &'static Encoding) -> String {
        text.chars()
            .filter(|c| {
                let mut buffer = [0; 4];
                let one = &*c.encode_utf8(&mut buffer);
                let (bytes, _, lost) = encoding.encode(one);
                !lost && encoding.decode_without_bom_handling(&bytes).0 == one
            })
            .collect()
    }

    fn spans(text: &str, map: &crate::frontend::OffsetMap) -> Vec<Span> {
        text.char_indices()
            .map(|(at, c)| map.map_span(Span::new(narrow(at), narrow(at + c.len_utf8()))))
            .collect()
    }

    fn chars() -> impl Strategy<Value = String> {
        let c = prop_oneof![
            4 => prop::char::range(' ', '~'),
            3 => prop::char::range('\u{A0}', '\u{17F}'),
            3 => prop::char::range('\u{386}', '\u{45F}'),
            3 => prop::char::range('\u{5D0}', '\u{64A}'),
            3 => prop::char::range('\u{E01}', '\u{E5B}'),
            3 => prop::char::range('\u{3041}', '\u{30FE}'),
            6 => prop::char::range('\u{4E00}', '\u{9FA5}'),
            3 => prop::char::range('\u{AC00}', '\u{D7A3}'),
        ];
        prop::collection::vec(c, 0..60).prop_map(|chars| chars.into_iter().collect())
    }

    #[test]
    fn guesses_natural_text() {
        let samples: [(&Encoding, &str); 12] = [
            (
                e::WINDOWS_1252,
                "Où est la bibliothèque ? Elle a été déplacée près de la forêt, là-bas, à côté du café.",
            ),
            (e::WINDOWS_1251, "Съешь же ещё этих мягких французских булок, да выпей чаю."),
            (e::KOI8_U, "Съешь же ещё этих мягких французских булок, да выпей чаю."),
            (e::IBM866, "Съешь же ещё этих мягких французских булок, да выпей чаю."),
            (
                e::SHIFT_JIS,
                "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
            ),
            (
                e::EUC_JP,
                "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
            ),
            (e::GBK, "天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。这是一个中文句子。"),
            (e::BIG5, "天地玄黃，宇宙洪荒。日月盈昃，辰宿列張。這是一個中文句子。"),
            (e::EUC_KR, "다람쥐 헌 쳇바퀴에 타고파. 모든 인간은 태어날 때부터 자유롭다."),
            (e::WINDOWS_1253, "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια."),
            (e::WINDOWS_1255, "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם."),
            (e::WINDOWS_874, "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์"),
        ];
        for (encoding, text) in samples {
            // The sample must be one that its encoding can write.
            let (bytes, _, lost) = encoding.encode(text);
            assert!(!lost, "{}", encoding.name());
            assert_eq!(guess(&bytes).name(), encoding.name());
            let decoded = crate::frontend::decode(&bytes);
            assert_eq!((&*decoded.text, decoded.encoding), (text, encoding.name()));
        }
    }

    proptest! {
        #[test]
        fn each_character_has_exactly_its_bytes(text in chars()) {
            for encoding in ALL {
                let text = writable(&text, encoding);
                let (bytes, _, _) = encoding.encode(&text);
                let (got, map) = decode(&bytes, encoding).into_parts();
                prop_assert_eq!(&got, &text, "{}", encoding.name());
                prop_assert_eq!(map.in_len(), bytes.len());
                if encoding == e::ISO_2022_JP {
                    continue; // Escapes come between; the next test checks them.
                }
                for (span, c) in spans(&got, &map).into_iter().zip(text.chars()) {
                    let own = encoding.encode(c.encode_utf8(&mut [0; 4])).0.into_owned();
                    prop_assert_eq!(&bytes[span.range()], &own[..], "{} {}", encoding.name(), c);
                }
            }
        }

        #[test]
        fn escapes_belong_to_no_character(text in chars()) {
            let text = writable(&text, ISO_2022_JP);
            let (bytes, _, _) = ISO_2022_JP.encode(&text);
            let (got, map) = decode(&bytes, ISO_2022_JP).into_parts();
            for (span, c) in spans(&got, &map).into_iter().zip(text.chars()) {
                prop_assert_eq!(span.len(), if c.is_ascii() || "¥‾".contains(c) { 1 } else { 2 });
                prop_assert!(!bytes[span.range()].contains(&0x1B));
            }
        }

        #[test]
        fn bad_bytes_are_those_of_the_library(bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(&[0x1B, b'$', b'(', b'B', b'0', b'9', 0x81, 0x8F, 0xA4][..])], 0..40)) {
            for encoding in ALL {
                let (got, map) = decode(&bytes, encoding).into_parts();
                // Consecutive bad bytes may count as one sequence: only the number of replacements may differ.
                let (want, _) = encoding.decode_without_bom_handling(&bytes);
                prop_assert_eq!(got.replace('\u{FFFD}', ""), want.replace('\u{FFFD}', ""), "{}", encoding.name());
                prop_assert_eq!(got.contains('\u{FFFD}'), want.contains('\u{FFFD}'));
                prop_assert_eq!(map.in_len(), bytes.len());
                for pair in spans(&got, &map).windows(2) {
                    prop_assert!(pair[0].start <= pair[1].start && pair[0].end <= pair[1].end && pair[0].end <= narrow(bytes.len()));
                }
            }
        }
    }
}
