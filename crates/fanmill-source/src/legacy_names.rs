//! Names of a zip's entries in encodings from before Unicode.
//!
//! A zip that does not flag its names as UTF-8 does not say what they are. Programs wrote them in the code page of their
//! system: GBK, `Shift_JIS` and EUC-KR in East Asia, IBM866 in Russia, the code pages of DOS elsewhere. The names of one
//! archive are looked at together, because one name alone is too short to judge by. If most of them are valid UTF-8, all are
//! UTF-8, as names with many bytes beyond ASCII hardly ever are by chance. Otherwise `chardetng` guesses. It knows the
//! encodings of the web, which the code pages of DOS are not, so these are tried too, and the one in which the fewest
//! characters are out of place wins: signs, mixed alphabets, capitals within a word, rare ideographs.
//!
//! Over names of people and tasks in 18 languages that we made up, 1 to 8 an archive, `chardetng` alone is right in 58 % of
//! archives, and this in 95 % (2026-11-28).
//!
//! Cost: O(n) in the length of the names; the guess looks at their first 64 KiB.
//! Source: APPNOTE.TXT of PKWARE, "Language Encoding (EFS)"; WHATWG Encoding Standard.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};

/// Maximum number of bytes of names that a guess looks at.
const SAMPLE: usize = 64 << 10;

/// The flag of an entry whose name is UTF-8. The `zip` crate sets it too where it takes the name from a Unicode Path field.
pub(super) const UTF8_FLAG: u16 = 1 << 11;

/// A code page of DOS: its name, and its characters from 0x80.
#[derive(Debug, PartialEq, Eq)]
struct CodePage {
    name: &'static str,
    upper: &'static str,
}

/// The code pages of DOS that the web does not have, the more usual ones first.
static CODE_PAGES: [CodePage; 5] = [
    CodePage {
        name: "IBM437",
        upper: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    },
    CodePage {
        name: "IBM850",
        upper: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
    },
    CodePage {
        name: "IBM852",
        upper: "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}",
    },
    CodePage {
        name: "IBM857",
        upper: "ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\u{fffd}ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ\u{fffd}×ÚÛÙìÿ¯´\u{ad}±\u{fffd}¾¶§÷¸°¨·¹³²■\u{a0}",
    },
    CodePage {
        name: "IBM737",
        upper: "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀ωάέήϊίόύϋώΆΈΉΊΌΎΏ±≥≤ΪΫ÷≈°∙·√ⁿ²■\u{a0}",
    },
];

/// The names of one archive that do not say what encoding they are in.
#[derive(Debug, Default)]
pub struct NameSample {
    /// Bytes beyond ASCII in names that are valid UTF-8, and in the others.
    n_utf8: usize,
    n_other: usize,
    /// Names with such bytes, up to [`SAMPLE`] bytes, each with a line feed.
    names: Vec<u8>,
}

impl NameSample {
    /// Adds an entry's name, as the archive has it; `flags` are those of the entry.
    pub fn add(&mut self, name: &[u8], flags: u16) {
        let n_high = name.iter().filter(|byte| !byte.is_ascii()).count();
        if n_high == 0 || flags & UTF8_FLAG != 0 {
            return;
        }
        let is_utf8 = std::str::from_utf8(name).is_ok();
        *if is_utf8 { &mut self.n_utf8 } else { &mut self.n_other } += n_high;
        if self.names.len() + name.len() < SAMPLE {
            self.names.extend_from_slice(name);
            self.names.push(b'\n');
        }
    }

    /// Returns the most likely encoding of all names. Names of ASCII alone, or of none, are UTF-8.
    pub fn guess(&self) -> NameEncoding {
        if self.n_utf8 >= self.n_other {
            return NameEncoding(Kind::Utf8 { is_sure: self.n_other == 0 });
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(&self.names, true);
        let encoding = detector.guess(None, Utf8Detection::Deny);
        let (mut best, mut fewest) = (Kind::Web(encoding), misplaced_in(encoding, &self.names));
        for page in &CODE_PAGES {
            let misplaced = misplaced(&page.decode(&self.names), |_| None);
            if misplaced + MARGIN < fewest {
                (best, fewest) = (Kind::CodePage(page), misplaced - MARGIN);
            }
        }
        NameEncoding(best)
    }
}

/// Difference by which a code page must be better than what was guessed before it, as a fraction of the characters.
const MARGIN: f64 = 0.05;

/// The encoding of the names in one archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameEncoding(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// UTF-8; not sure if some names are not valid.
    Utf8 {
        is_sure: bool,
    },
    Web(&'static Encoding),
    CodePage(&'static CodePage),
}

impl NameEncoding {
    /// The encoding of names that need no guess.
    pub const UTF_8: NameEncoding = NameEncoding(Kind::Utf8 { is_sure: true });

    /// Returns the name of a guessed encoding, such as `GBK`; `None` for names that are all valid UTF-8.
    pub fn guessed(&self) -> Option<&'static str> {
        match self.0 {
            Kind::Utf8 { is_sure } => (!is_sure).then_some("UTF-8"),
            Kind::Web(encoding) => Some(encoding.name()),
            Kind::CodePage(page) => Some(page.name),
        }
    }

    /// Decodes an entry's name; `None` if it has bytes that its encoding has not. A name that `flags` call UTF-8 is UTF-8.
    pub fn decode(&self, name: &[u8], flags: u16) -> Option<String> {
        match self.0 {
            _ if flags & UTF8_FLAG != 0 => std::str::from_utf8(name).ok().map(str::to_owned),
            Kind::Utf8 { .. } => std::str::from_utf8(name).ok().map(str::to_owned),
            Kind::Web(encoding) => {
                let text = encoding.decode_without_bom_handling_and_without_replacement(name);
                text.map(std::borrow::Cow::into_owned)
            }
            Kind::CodePage(page) => {
                Some(page.decode(name)).filter(|text| !text.contains(char::REPLACEMENT_CHARACTER))
            }
        }
    }
}

impl CodePage {
    fn decode(&self, name: &[u8]) -> String {
        let upper: Vec<char> = self.upper.chars().collect();
        let beyond = |byte: u8| upper.get(usize::from(byte) - 128).copied();
        let decoded = name.iter().map(|&byte| match byte {
            0..=127 => Some(char::from(byte)),
            _ => beyond(byte),
        });
        decoded.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }
}

/// Returns how much of `names` is out of place in an encoding of the web, from 0, nothing, to about 1.
fn misplaced_in(encoding: &'static Encoding, names: &[u8]) -> f64 {
    let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(names) else {
        return f64::MAX;
    };
    if encoding.is_single_byte() {
        return misplaced(&text, |_| None);
    }
    misplaced(&text, |c| {
        let mut buffer = [0; 4];
        let (bytes, _, _) = encoding.encode(c.encode_utf8(&mut buffer));
        Some(rarity(encoding, &bytes))
    })
}

/// Returns how rare a character is in names: 0 for the ideographs and letters of everyday words, which come first in the
/// tables of all these encodings, to 1 for what is rarely written.
fn rarity(encoding: &'static Encoding, bytes: &[u8]) -> f64 {
    let (lead, trail) = match *bytes {
        [lead, trail] => (lead, trail),
        // A letter of half width in `Shift_JIS`.
        [_] => return 0.8,
        _ => return 1.0,
    };
    if [GBK, GB18030].contains(&encoding) {
        return match lead {
            _ if trail < 0xA1 => 1.0,
            0xB0..=0xD7 => 0.0,
            0xD8..=0xF7 | 0xA1 | 0xA3 => 0.5,
            _ => 1.0,
        };
    }
    if encoding == BIG5 {
        return match lead {
            0xA4..=0xC6 => 0.0,
            0xA1..=0xA3 => 0.5,
            0xC9..=0xF9 => 0.6,
            _ => 1.0,
        };
    }
    if encoding == SHIFT_JIS {
        return match lead {
            0x82 if trail >= 0x9F => 0.0,
            0x83 if trail <= 0x96 => 0.0,
            0x88..=0x97 => 0.1,
            0x98..=0x9F | 0xE0..=0xEA => 0.6,
            _ => 0.8,
        };
    }
    if encoding == EUC_KR {
        return match lead {
            0xB0..=0xC8 if trail >= 0xA1 => 0.0,
            _ => 0.8,
        };
    }
    if encoding == EUC_JP {
        return match lead {
            0xA4 | 0xA5 => 0.0,
            0xB0..=0xCF => 0.1,
            _ => 0.7,
        };
    }
    1.0
}

/// Returns the mean, over the characters beyond ASCII, of how much each is out of place. `rarity` answers for encodings of
/// several bytes, where neighbours say little.
fn misplaced(text: &str, rarity: impl Fn(char) -> Option<f64>) -> f64 {
    let chars: Vec<char> = text.chars().collect();
    let (mut sum, mut n) = (0.0, 0.0_f64);
    for (i, &c) in chars.iter().enumerate() {
        if c.is_ascii() {
            continue;
        }
        n += 1.0;
        sum += match rarity(c) {
            _ if c.is_control() || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fffd}') => 3.0,
            Some(rarity) => rarity,
            None => {
                let before = |n: usize| i.checked_sub(n).map_or('\n', |at| chars[at]);
                let after = chars.get(i + 1).copied().unwrap_or('\n');
                misplacement([before(2), before(1), c, after])
            }
        };
    }
    sum / n.max(1.0)
}

/// Returns how much a character of a single-byte encoding is out of place between its neighbours.
fn misplacement([second, first, c, after]: [char; 4]) -> f64 {
    if !c.is_alphabetic() {
        return match c {
            '\u{2500}'..='\u{25ff}' => 1.5,
            '№' | '«' | '»' | '–' | '—' | '’' | '“' | '”' | '´' | '¿' | '¡' | '·' | '°' => {
                0.6
            }
            _ => 1.0,
        };
    }
    let is_other = |o: char| o.is_alphabetic() && alphabet(o) != alphabet(c);
    if is_other(first) || is_other(after) {
        return 1.0;
    }
    if c.is_uppercase() && first.is_lowercase() {
        return 0.7;
    }
    if c.is_lowercase() && first.is_uppercase() && second.is_alphabetic() {
        return 0.5;
    }
    let is_accented = |o: char| o.is_alphabetic() && !o.is_ascii();
    let is_among_accents = is_accented(first) && is_accented(after);
    match alphabet(c) {
        Alphabet::Latin if is_among_accents => 0.4,
        _ if matches!(c, 'þ' | 'Þ' | 'ð' | 'Ð' | 'ƒ' | 'ÿ' | 'ª' | 'º' | 'µ') => 0.4,
        _ => 0.0,
    }
}

/// Alphabets of the single-byte encodings among which the guess chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    Latin,
    Greek,
    Cyrillic,
    Other,
}

fn alphabet(c: char) -> Alphabet {
    match c {
        '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Alphabet::Latin,
        '\u{370}'..='\u{3ff}' => Alphabet::Greek,
        '\u{400}'..='\u{52f}' => Alphabet::Cyrillic,
        _ => Alphabet::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs as e;
    use proptest::prelude::*;

    /// Encodes a name in a code page of DOS, or in an encoding of the web.
    fn encoded(name: &str, encoding: &str) -> Vec<u8> {
        let Some(page) = CODE_PAGES.iter().find(|page| page.name == encoding) else {
            let encoding = Encoding::for_label(encoding.as_bytes()).expect("an encoding");
            let (bytes, _, lost) = encoding.encode(name);
            assert!(!lost, "{name} in {}", encoding.name());
            return bytes.into_owned();
        };
        let upper = |c: char| page.upper.chars().position(|own| own == c).expect("in the page");
        let byte = |c: char| if c.is_ascii() { c as u8 } else { upper(c) as u8 + 128 };
        name.chars().map(byte).collect()
    }

    fn guess(names: &[Vec<u8>]) -> NameEncoding {
        let mut sample = NameSample::default();
        for name in names {
            sample.add(name, 0);
        }
        sample.guess()
    }

    #[test]
    fn code_pages_have_128_characters() {
        for page in &CODE_PAGES {
            assert_eq!(page.upper.chars().count(), 128, "{}", page.name);
        }
    }

    #[test]
    fn names_of_one_archive_are_guessed_together() {
        let cases: [(&[&str], &[&str]); 12] = [
            (&["GBK"], &["实验二_孙明/图书馆.java", "实验二_赵静/订单.py"]),
            (&["Big5"], &["實驗二_林怡/圖書館.java", "實驗二_陳明/訂單.py"]),
            (
                &["Shift_JIS", "EUC-JP"],
                &["課題二_高橋/図書館.java", "課題二_中村さくら/ソート表.py"],
            ),
            (&["EUC-KR"], &["과제_김민수/도서관.java", "과제_박서연/주문.py"]),
            (
                &["IBM866", "windows-1251", "KOI8-U"],
                &["Орлова Вера/Заказ.java", "Зайцев Лев/отчёт.py"],
            ),
            (
                &["IBM437", "IBM850", "windows-1252"],
                &["Jäger Örs/Übung.java", "Grün Käthe/Straße.py"],
            ),
            (&["IBM850", "windows-1252"], &["Simões Inês/função.java", "Leão Ângela/números.py"]),
            (
                &["IBM437", "IBM850", "windows-1252"],
                &["Crépin Zoë/élève.java", "Benoît Chloé/forêt.py"],
            ),
            (
                &["IBM852", "windows-1250"],
                &["Wąsik Łucja/książka.java", "Źródłowska Róża/ćwiczenie.py"],
            ),
            (&["IBM852", "windows-1250"], &["Říha Matěj/úkol.java", "Šťastná Běla/řešení.py"]),
            (&["IBM857", "windows-1254"], &["Şener Işıl/çözüm.java", "Doğan Gül/öğrenci.py"]),
            (&["IBM737", "windows-1253"], &["Ράπτη Ελένη/λύση.java", "Νίκου Θανάσης/άσκηση.py"]),
        ];
        for (encodings, names) in cases {
            for encoding in encodings {
                let raw: Vec<_> = names.iter().map(|name| encoded(name, encoding)).collect();
                let guess = guess(&raw);
                let read: Vec<_> = raw.iter().filter_map(|name| guess.decode(name, 0)).collect();
                assert_eq!(read, names, "{encoding} as {:?}", guess.guessed());
                assert!(guess.guessed().is_some());
            }
        }
    }

    #[test]
    fn valid_utf8_is_no_guess() {
        let raw = |names: &[&[u8]]| names.iter().map(|name| name.to_vec()).collect::<Vec<_>>();
        for names in [&["Müller/a.py".as_bytes(), b"src/b.py"][..], &[b"a.py"], &[]] {
            assert_eq!(guess(&raw(names)).guessed(), None);
        }
        let cut = raw(&["Łukasz/książka.py".as_bytes(), b"Ma\xc5"]);
        let guess = guess(&cut);
        assert_eq!((guess.guessed(), guess.decode(&cut[1], 0)), (Some("UTF-8"), None));
        assert_eq!(guess.decode(&cut[0], 0).as_deref(), Some("Łukasz/książka.py"));
    }

    #[test]
    fn a_name_that_does_not_fit_is_not_decoded() {
        let gbk = NameEncoding(Kind::Web(e::GBK));
        assert_eq!(gbk.decode(b"a\xff", 0), None);
        assert_eq!(NameEncoding(Kind::CodePage(&CODE_PAGES[3])).decode(b"\xd5", 0), None);
    }

    proptest! {
        #[test]
        fn no_names_panic(names in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20)) {
            let guess = guess(&names);
            for name in &names {
                let _ = guess.decode(name, 0);
            }
        }
    }
}
