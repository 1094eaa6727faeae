//! Folding for matching: texts that read the same get the same letters.
//!
//! There are two steps, each with its own reasons: [`normal`] gives one spelling to what Unicode can spell in several
//! ways, and drops characters that show nothing; [`look_alike`] removes disguises made of other scripts' letters. Case
//! is not folded, because it matters to code. The front ends for prose fold it in words.
//!
//! Folding is idempotent, gives canonically equivalent texts the same result, and leaves ASCII
//! as it is.
//!
//! Cost: one pass over ASCII, at the speed of memory; O(n) for the rest.

use std::borrow::Cow;

use super::decoration::Diacritics;
use super::letters::respell;
use super::look_alike::{DotlessI, unmask};
use super::marks::{Mark, Marks};
use super::normal::normalize;
use super::offset_map::{OffsetMap, narrow};
use crate::span::Span;

/// A folded text, and the way back to the text that was folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded<'a> {
    /// The text for matching; borrowed when folding changed nothing.
    pub text: Cow<'a, str>,
    /// Maps from `text` back, step by step: apply the first map first. Empty if nothing changed.
    pub maps: Vec<OffsetMap>,
    /// Marks that were noted, at their places in the text that was folded.
    pub marks: Marks,
}

impl Folded<'_> {
    /// Moves ascending spans of [`Folded::text`] to the text that was folded.
    pub fn map_back(&self, spans: &mut [Span]) {
        for map in &self.maps {
            map.map_spans(spans);
        }
    }
}

/// Extent of folding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Folding {
    /// Removes disguises: look-alikes, invisible characters, Unicode forms.
    Disguises,
    /// Gives each word one spelling, too, whichever marks and forms of letters it was written with.
    Spelling,
}

/// Folds `text` as for code.
pub fn fold(text: &str) -> Folded<'_> {
    fold_by(text, |_| DotlessI::Folded)
}

impl Folding {
    /// Folds `text`.
    pub fn of(self, text: &str) -> Folded<'_> {
        match self {
            Folding::Disguises => fold(text),
            Folding::Spelling => fold_prose(text),
        }
    }
}

/// Folds `text` for comparing prose: each word has [one spelling](super::letters), too.
pub(super) fn fold_prose(text: &str) -> Folded<'_> {
    let Folded { text, mut maps, mut marks } = fold_by(text, DotlessI::from_text);
    if text.is_ascii() {
        return Folded { text, maps, marks };
    }
    let mut decoration = Marks::new();
    let (letters, to_folded) = respell(&text, Diacritics::from_text(&text), &mut decoration);
    let Cow::Owned(letters) = letters else { return Folded { text, maps, marks } };
    for map in &maps {
        decoration.map_back(map);
    }
    marks.append(&decoration);
    maps.insert(0, to_folded);
    Folded { text: Cow::Owned(letters), maps, marks }
}

/// Folds `text` for comparing prose; `None` if the result is that of [`fold`].
pub(super) fn fold_respelled(text: &str) -> Option<String> {
    let mut keeps_dotless = false;
    let folded = fold_by(text, |text| {
        let dotless = DotlessI::from_text(text);
        keeps_dotless = dotless == DotlessI::Kept;
        dotless
    });
    let letters = respell(&folded.text, Diacritics::from_text(&folded.text), &mut Marks::new()).0;
    match letters {
        Cow::Owned(letters) => Some(letters),
        Cow::Borrowed(_) => keeps_dotless.then(|| folded.text.into_owned()),
    }
}

/// Folds `text`; `dotless` decides about `ı` from the normalised text.
fn fold_by(text: &str, dotless: impl FnOnce(&str) -> DotlessI) -> Folded<'_> {
    let mut marks = Marks::new();
    note_controls(text.as_bytes(), &mut marks);
    if text.is_ascii() {
        return Folded { text: Cow::Borrowed(text), maps: Vec::new(), marks };
    }
    let (normal, to_text) = normalize(text, &mut marks);
    let mut disguises = Marks::new();
    let (unmasked, to_normal) = unmask(&normal, dotless(&normal), &mut disguises);
    disguises.map_back(&to_text);
    marks.append(&disguises);
    let unmasked = match unmasked {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text),
    };
    Folded {
        text: unmasked.map_or(normal, Cow::Owned),
        maps: [to_normal, to_text].into_iter().filter(|map| !map.is_identity()).collect(),
        marks,
    }
}

/// Notes ASCII control characters that are not white space.
fn note_controls(bytes: &[u8], marks: &mut Marks) {
    const BLOCK: usize = 4096;
    for (i, block) in bytes.chunks(BLOCK).enumerate() {
        // Without branches, so that a block without controls is passed at the speed of memory.
        if !block.iter().fold(false, |any, &byte| any | is_control(byte)) {
            continue;
        }
        for (j, _) in block.iter().enumerate().filter(|(_, byte)| is_control(**byte)) {
            let at = i * BLOCK + j;
            marks.add(Mark::Control, Span::new(narrow(at), narrow(at + 1)));
        }
    }
}

fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 14..=31 | 127)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    fn texts() -> impl Strategy<Value = String> {
        let c = prop_oneof![
            4 => prop::char::range(' ', '~'),
            4 => prop::sample::select("аеорсухАВЕКМНОРСТХжшпёйіІ".chars().collect::<Vec<_>>()),
            3 => prop::sample::select("αονιρυκχλπβΔάόΑΒΕ".chars().collect::<Vec<_>>()),
            3 => prop::sample::select("aeopcyxkABEvuiyrt  ".chars().collect::<Vec<_>>()),
            2 => prop::sample::select("ıɑɡᴀᎪօꓐԺéþ中あ한".chars().collect::<Vec<_>>()),
            2 => prop::char::range('\u{300}', '\u{345}'),
            1 => prop::char::range('\u{2000}', '\u{206F}'),
            1 => any::<char>(),
        ];
        prop::collection::vec(c, 0..40).prop_map(|chars| chars.into_iter().collect())
    }

    /// Checks that a text folds to the plain text, and that the mark is noted.
    fn evades(text: &str, plain: &str, mark: Mark) {
        let folded = fold(text);
        assert_eq!(folded.text, plain);
        assert!(folded.marks.count(mark) > 0, "{text}: {:?}", folded.marks);
        for span in &folded.marks.get(mark).first {
            assert!(text.get(span.range()).is_some_and(|marked| marked.chars().count() == 1));
        }
    }

    #[test]
    fn disguises_come_off_and_are_reported() {
        evades("pla\u{200B}giar\u{200D}ism wh\u{2060}ile", "plagiarism while", Mark::Invisible);
        evades("r\u{AD}e\u{AD}turn", "return", Mark::Invisible);
        evades("a\u{3164}b\u{E0041}c", "abc", Mark::Invisible);
        evades(
            "if (admin \u{202E}\u{2066}// check\u{2069} \u{2066})",
            "if (admin // check )",
            Mark::Bidi,
        );
        evades("let \u{3164} = 1", "let  = 1", Mark::Invisible);
        evades("pla\u{200E}giarism", "plagiarism", Mark::Bidi);
        evades("the quiсk brоwn fох", "the quick brown fox", Mark::LookAlike);
        evades("wоrds and Ιmages ѕо on", "words and Images so on", Mark::LookAlike);
        evades("Іf the оre is а соре then", "If the ore is a cope then", Mark::LookAlike);
        evades("ᎪᏒᎬ here", "ARE here", Mark::LookAlike);
        evades("plɑɡiɑrism", "plagiarism", Mark::LookAlike);
        evades("это cтудeнт пишeт", "это студент пишет", Mark::LookAlike);
        evades("for ｗｈｉｌｅ（ｘ）", "for while(x)", Mark::Compatibility);
        evades("𝐩𝐥𝐚𝐠𝐢𝐚𝐫𝐢𝐬𝐦 𝔦𝔫𝔱", "plagiarism int", Mark::Compatibility);
        evades("ⓒⓞⓟⓨ", "copy", Mark::Compatibility);
    }

    #[test]
    fn honest_texts_are_not_reported() {
        for text in [
            "Съешь же ещё этих мягких французских булок, а он — с утра о том и не знал. Оса ест сор.",
            "Мы читаем PDF и HTML на Windows; в IT-отделе есть USB-кабель. А у неё нет.",
            "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Ο άνθρωπος και η γυναίκα, για να μάθω το e-mail.",
            "می\u{200C}خواهم کتاب‌ها را بخوانم. \u{200F}(نه)",
            "क्\u{200D}ष हिन्दी में लिखा हुआ वाक्य है।",
            "天地玄黄，宇宙洪荒。日月盈昃，ＡＢＣ電器。",
            "日本語とＰｙｔｈｏｎのプログラム。「こんにちは」",
            "👩\u{200D}👩\u{200D}👧 ❤\u{FE0F} 1\u{FE0F}\u{20E3} 🏴\u{E0067}\u{E0062}\u{E007F} ©\u{FE0F}",
            "Gro\u{308}ße, U\u{308}bermut und Wa\u{308}rme: „schön“ – Straßen\u{AD}bahn",
            "Let α and β be such that αx + ρgh = Δx ≤ σ² and 𝑓(𝑥) = ½·µm, H₂O™ №5 ℃ Ⅳ",
            "Iğdır'ın ılık sıcağı çok sık yazıldı",
            "/ˈɪnɡlɪʃ/ and [plˈeɪdʒəɹˌɪzəm]; það er þorn; naïve façade — “quoted”…\u{A0}!",
            "ภาษา\u{200B}ไทย ភាសា\u{200B}ខ្មែរ",
            "Tiếng Việt: đường phố rất đông người",
            "\u{FEFF}first\n\u{FEFF}second",
            "getName\u{200B}(int\u{200B} x) a \u{200B}\u{200B}b \u{200E}end\u{200B}",
            "¿ÍÀÏµåÄ«µå¸¦ °à±ÏÒµÉúµÄÈ«Ìå",
            "Հայերեն լեզու և օր",
        ] {
            let folded = fold(text);
            assert!(folded.marks.is_empty(), "{text}: {:?}", folded.marks);
        }
    }

    #[test]
    fn honest_scripts_stay_what_they_are() {
        for text in [
            "Съешь же ещё этих мягких французских булок, а он с утра о том и не знал.",
            "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
            "天地玄黄 日本語 한국어 العربية हिन्दी ภาษาไทย Größe þorn",
        ] {
            assert!(
                matches!(fold(text).text, Cow::Borrowed(_)),
                "{text} became {}",
                fold(text).text
            );
        }
    }

    #[test]
    fn decomposed_umlauts_equal_composed_ones() {
        assert_eq!(fold("Gro\u{308}ße").text, fold("Größe").text);
        assert_eq!(fold("plаgiarism").text, "plagiarism");
    }

    #[test]
    fn ascii_is_untouched_and_its_controls_are_counted() {
        let text = "int x;\r\n\tx\0 = \x07\x7F\x0C;";
        let folded = fold(text);
        assert!(matches!(folded.text, Cow::Borrowed(same) if same == text));
        assert_eq!(folded.marks.count(Mark::Control), 3);
        assert_eq!(folded.marks.get(Mark::Control).first[0], Span::new(10, 11));
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(text in texts()) {
            let once = fold(&text).text.into_owned();
            prop_assert_eq!(&fold(&once).text, &once);
            prop_assert_eq!(once.nfkc().collect::<String>(), once);
        }

        #[test]
        fn equivalent_texts_fold_equal(text in texts()) {
            let nfc: String = text.nfc().collect();
            let nfd: String = text.nfd().collect();
            prop_assert_eq!(fold(&nfc).text, fold(&nfd).text);
        }

        #[test]
        fn the_way_back_ascends_within_bounds(text in texts()) {
            let folded = fold(&text);
            let mut spans: Vec<Span> = folded.text.char_indices()
                .map(|(at, c)| Span::new(narrow(at), narrow(at + c.len_utf8())))
                .collect();
            folded.map_back(&mut spans);
            for span in &spans {
                prop_assert!(!span.is_empty() && text.get(span.range()).is_some(), "{:?}", span);
            }
            for pair in spans.windows(2) {
                prop_assert!(pair[0].start <= pair[1].start && pair[0].end <= pair[1].end);
            }
        }
    }
}
