//! UTF-16 and UTF-32: units of two and four bytes.
//!
//! A lone surrogate or a cut unit at the end is one U+FFFD, with its bytes. UTF-32 is not in
//! the WHATWG standard, but editors and databases write it.
//!
//! Source: The Unicode Standard, "Unicode Encoding Forms" and "Unicode Encoding Schemes".

use super::decoded::Builder;

/// Byte order of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The least significant byte comes first.
    Little,
    /// The most significant byte comes first.
    Big,
}

impl Order {
    /// Returns the name of UTF-16 in this order.
    pub(super) fn utf16_name(self) -> &'static str {
        match self {
            Order::Little => "UTF-16LE",
            Order::Big => "UTF-16BE",
        }
    }

    fn unit16(self, pair: [u8; 2]) -> u16 {
        match self {
            Order::Little => u16::from_le_bytes(pair),
            Order::Big => u16::from_be_bytes(pair),
        }
    }

    fn unit32(self, four: [u8; 4]) -> u32 {
        match self {
            Order::Little => u32::from_le_bytes(four),
            Order::Big => u32::from_be_bytes(four),
        }
    }
}

/// Decodes UTF-16 after `skip` bytes of mark.
pub(super) fn utf16(bytes: &[u8], skip: usize, order: Order) -> Builder {
    let mut builder = Builder::new(bytes.len());
    builder.skip(skip);
    let (pairs, rest) = bytes[skip..].as_chunks::<2>();
    for c in char::decode_utf16(pairs.iter().map(|&pair| order.unit16(pair))) {
        match c {
            Ok(c) => builder.push(c, 2 * c.len_utf16()),
            Err(_) => builder.replace(2),
        }
    }
    if !rest.is_empty() {
        builder.replace(rest.len());
    }
    builder
}

/// Decodes UTF-32 after `skip` bytes of mark.
pub(super) fn utf32(bytes: &[u8], skip: usize, order: Order) -> Builder {
    let mut builder = Builder::new(bytes.len() / 2);
    builder.skip(skip);
    let (fours, rest) = bytes[skip..].as_chunks::<4>();
    for &four in fours {
        match char::from_u32(order.unit32(four)) {
            Some(c) => builder.push(c, 4),
            None => builder.replace(4),
        }
    }
    if !rest.is_empty() {
        builder.replace(rest.len());
    }
    builder
}

/// Number of bytes of a document that are looked at for the pattern of UTF-16. Even.
const SAMPLE: usize = 64 << 10;

/// Returns the order of UTF-16 without a byte order mark, if the zero bytes show that it is UTF-16.
///
/// `valid` says that the bytes are valid UTF-8 as well. Then nearly all high bytes must be control characters, as in
/// alphabets (Cyrillic is 04) and in no 8-bit text. Chinese and the like, whose high bytes are letters in UTF-8, are
/// found only if the bytes are not valid UTF-8, and not if they are those of 8-bit text with some NULs among them.
pub(super) fn utf16_order(bytes: &[u8], valid: bool) -> Option<Order> {
    let (pairs, _) = bytes[..bytes.len().min(SAMPLE)].as_chunks::<2>();
    [Order::Little, Order::Big]
        .into_iter()
        .find(|&order| UnitCounts::from_pairs(pairs, order).is_utf16(valid))
}

/// Statistics of the two-byte units of a sample, read in one order. All fields count units.
#[derive(Debug, Default)]
struct UnitCounts {
    units: usize,
    /// Units whose high byte is zero, as in ASCII and Latin-1.
    zero_high: usize,
    /// Units whose low byte is zero: rare in UTF-16, and the rule in the other order.
    zero_low: usize,
    /// Units whose high byte is below the space, as in all alphabets up to Tibetan.
    control_high: usize,
    /// Units whose low byte alone would be a control character other than white space.
    control_low: usize,
    /// Units with a byte that 8-bit text does not use: NUL, or such a control character. In Chinese, Japanese and
    /// Korean that is one unit in 11 or more, as low bytes have any value.
    not_8_bit: usize,
    /// Units of two printable ASCII bytes: at most one in four of Chinese, and nearly all of English.
    ascii_pairs: usize,
    /// Units in a block that texts are written in, or that are half of a surrogate pair.
    plausible: usize,
}

impl UnitCounts {
    fn from_pairs(pairs: &[[u8; 2]], order: Order) -> UnitCounts {
        let mut census = UnitCounts { units: pairs.len(), ..UnitCounts::default() };
        for &pair in pairs {
            let unit = order.unit16(pair);
            let [high, low] = unit.to_be_bytes();
            census.zero_high += usize::from(high == 0);
            census.zero_low += usize::from(low == 0);
            census.control_high += usize::from(high < 0x20);
            let is_control = low < 0x20 && !matches!(low, b'\t'..=b'\r');
            census.control_low += usize::from(high == 0 && is_control);
            census.not_8_bit += usize::from(high == 0 || is_control);
            census.ascii_pairs += usize::from([high, low].iter().all(|b| matches!(b, b' '..=b'~')));
            census.plausible += usize::from(matches!(unit,
                0x09..=0x0D | 0x20..=0x10FF | 0x1E00..=0x1FFF | 0x2010..=0x2026 | 0x20AC
                | 0x3000..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xDFFF | 0xFF00..=0xFFEF));
        }
        census
    }

    fn is_utf16(&self, valid: bool) -> bool {
        let enough = self.units >= 4 && self.zero_high > 0;
        let one_sided = 50 * self.zero_low <= self.zero_high && self.control_low == 0;
        let plausible = 10 * self.plausible >= 9 * self.units;
        let alphabetic = 10 * self.control_high >= 7 * self.units;
        let ideographic = 2 * self.ascii_pairs <= self.units && 16 * self.not_8_bit >= self.units;
        enough && one_sided && plausible && (alphabetic || !valid && ideographic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(text: &str, order: Order) -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| match order {
                Order::Little => unit.to_le_bytes(),
                Order::Big => unit.to_be_bytes(),
            })
            .collect()
    }

    #[test]
    fn finds_utf_16_without_a_mark() {
        let texts = [
            "int main(void) {\r\n  return 0;\r\n}\r\n",
            "Съешь же ещё этих мягких французских булок, да выпей чаю. Ещё раз: съешь, да выпей.",
            "Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία και άλλα πολλά πράγματα.",
            "天地玄黃，宇宙洪荒。\n日月盈昃，辰宿列張。\n寒來暑往，秋收冬藏。\n",
            "いろはにほへと ちりぬるを。\nわかよたれそ つねならむ。\n色は匂へど、散りぬるを。\n",
            "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.\n",
        ];
        for text in texts {
            for order in [Order::Little, Order::Big] {
                let bytes = encode(text, order);
                let valid = std::str::from_utf8(&bytes).is_ok();
                assert_eq!(utf16_order(&bytes, valid), Some(order), "{text}");
                assert_eq!(utf16(&bytes, 0, order).into_parts().0, text);
            }
        }
    }

    /// One zero byte must not turn a text into Chinese, which would hide it from every comparison.
    #[test]
    fn text_of_eight_bits_with_nuls_is_not_utf_16() {
        let english = b"Incomprehensibilities notwithstanding, representatives na\xEFvely ";
        let (russian, _, _) = encoding_rs::KOI8_R.encode("Съешьжеещёэтихмягкихфранцузскихбулок ");
        for text in [&english[..], &russian] {
            for at in 0..text.len() {
                // From one NUL in the whole text to one in each of its lines.
                for n_hidden in 1..=4 {
                    let mut bytes = Vec::new();
                    for line in 0..4 {
                        bytes.extend_from_slice(&text[..at]);
                        bytes.extend((line < n_hidden).then_some(0));
                        bytes.extend_from_slice(&text[at..]);
                    }
                    assert_eq!(utf16_order(&bytes, false), None, "{at}, {n_hidden}");
                }
            }
        }
    }

    #[test]
    fn lone_surrogates_and_cut_units_are_replaced() {
        let bytes = [0x41, 0x00, 0x3D, 0xD8, 0x42, 0x00, 0x43];
        let (text, map) = utf16(&bytes, 0, Order::Little).into_parts();
        assert_eq!(text, "A\u{FFFD}B\u{FFFD}");
        assert_eq!(map.in_len(), bytes.len());
        let (text, _) = utf32(&[0, 0, 0, 65, 0, 0x11, 0, 0, 7], 0, Order::Big).into_parts();
        assert_eq!(text, "A\u{FFFD}\u{FFFD}");
    }
}
