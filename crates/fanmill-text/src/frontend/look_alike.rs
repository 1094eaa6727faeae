//! Letters of another script that pass for the word's own.
//!
//! Each word (a run of letters) is judged by the scripts of its letters ([`skeleton`]):
//!
//! | word | becomes | reported |
//! |---|---|---|
//! | one script, with letters unmistakably its own: `привет` | itself | no |
//! | Latin with letters that all pass for Latin: `pаypаl`, `ɑnd` | Latin | yes |
//! | Cyrillic or Greek with Latin letters that pass for its own: `cтудeнт` | its script | yes |
//! | a mixture that anyone can see: `PDFка`, IPA | passing letters become Latin | no |
//! | only letters that pass for Latin, all of one script: `оса` | by the document, below | if disguised |
//! | Greek in a word of less than 4 letters: `αx`, `Δx` | passing letters become Latin | no: a formula |
//!
//! Words of the fifth kind are Latin in disguise if the document has Latin words, and has fewer unmistakable words of
//! that script than words of this kind: in the 20 documents with Russian in the shared corpus (2026-11-20) they are 3 %
//! of the Russian words, and 5 % at most. They are reported if the document has no unmistakable word of that script,
//! and at least as many Latin words as words of this kind.
//!
//! The third row changes ASCII letters, because folding the Russian letters instead would leave `cтyдeнт` unlike
//! `студент`. A text of ASCII alone never changes.
//!
//! Cost: O(n), two passes over a text that is not ASCII, the second only if something changes.
//! Source: UTS #39 (confusable detection, mixed scripts); the rules for words are ours.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::marks::{Mark, Marks};
use super::offset_map::{OffsetMap, narrow};
use super::skeleton::{self, Class};
use crate::span::Span;

/// Replaces look-alike letters in a text that [`normal`](super::normal) has normalised, and
/// notes in `marks` those that look like a disguise, at their place in `text`.
///
/// Borrowed if nothing changes. Folding the result again changes nothing, and it is still normalised.
pub(super) fn unmask<'a>(
    text: &'a str,
    dotless: DotlessI,
    marks: &mut Marks,
) -> (Cow<'a, str>, OffsetMap) {
    if text.is_ascii() {
        return (Cow::Borrowed(text), OffsetMap::identity(text.len()));
    }
    // Nearly all texts in Latin letters end here.
    let census =
        if has_suspects(text) { ScriptCounts::new(text, dotless) } else { ScriptCounts::default() };
    let disguises = census.disguises();
    if !census.changes(disguises) {
        return (Cow::Borrowed(text), OffsetMap::identity(text.len()));
    }
    let (out, map) = rewrite(text, disguises, &census, marks);
    (Cow::Owned(out), map)
}

/// Folding of `ı` in words of Latin letters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum DotlessI {
    /// It becomes `i`, for which it passes.
    #[default]
    Folded,
    /// It stays: the text is Turkish or in a similar language, where it is another letter.
    Kept,
}

impl DotlessI {
    /// Decides by the text: only languages that have `ş` or `ğ` write `ı`, and they have one of these for at most three
    /// `ı` (Turkish, Azerbaijani, Tatar and Crimean Tatar; message catalogues of Debian 12).
    pub(super) fn from_text(text: &str) -> DotlessI {
        const FEWEST: usize = 8;
        // Nearly all texts end here, at the speed of memory.
        if !text.contains('ı') {
            return DotlessI::Folded;
        }
        let (mut n_dotless, mut n_signs) = (0, 0);
        for c in text.chars().filter(|c| !c.is_ascii()) {
            n_dotless += usize::from(c == 'ı');
            n_signs += usize::from(matches!(c, 'ş' | 'Ş' | 'ğ' | 'Ğ'));
        }
        if FEWEST * n_signs > n_dotless { DotlessI::Kept } else { DotlessI::Folded }
    }
}

/// Unmasks one stretch, made of whole words, of a longer text that as a whole disguises its words in `disguises`. Adds
/// the counts of the stretch to `census`.
pub(super) fn unmask_stretch<'a>(
    text: &'a str,
    disguises: Disguises,
    census: &mut ScriptCounts,
) -> Cow<'a, str> {
    if !has_suspects(text) {
        return Cow::Borrowed(text);
    }
    let own = ScriptCounts::new(text, DotlessI::Folded);
    census.add(&own);
    if !own.changes(disguises) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(rewrite(text, disguises, &own, &mut Marks::new()).0)
}

/// Returns whether some letter may be in disguise, or shows that others are not.
pub(super) fn has_suspects(text: &str) -> bool {
    text.chars().filter(|c| !c.is_ascii()).any(is_suspect)
}

/// Returns the ASCII letter that a Latin letter without diacritics passes for, and becomes in a word of Latin letters.
pub(super) fn latin(c: char) -> Option<char> {
    let is_bare = skeleton::class(c) == Class::EXTENDED && skeleton::base(c) == c;
    skeleton::ascii(c).filter(|_| is_bare)
}

/// Returns whether `c` is a Latin letter that passes for another one.
pub(super) fn is_phonetic(c: char) -> bool {
    skeleton::class(c).has(Class::EXTENDED)
}

/// Returns whether `c` may be a letter in disguise, or shows that others are not.
fn is_suspect(c: char) -> bool {
    skeleton::class(c).has(PASSING.or(OWN))
}

/// Returns whether `c` can be part of a word in this module.
pub(super) fn is_letter(c: char) -> bool {
    !skeleton::class(c).is_none()
}

/// Rewrites the disguised words.
fn rewrite(
    text: &str,
    disguises: Disguises,
    census: &ScriptCounts,
    marks: &mut Marks,
) -> (String, OffsetMap) {
    let mut out =
        Rewriter { text, out: String::with_capacity(text.len()), map: OffsetMap::new(), marks };
    for word in words(text) {
        match word.verdict(text, census.dotless) {
            Verdict::Keep | Verdict::Own(_) => {}
            Verdict::Latin { reported } => out.rewrite(&word, Target::Latin, reported),
            Verdict::Script(script) => out.rewrite(&word, Target::Script(script), true),
            Verdict::Doubtful(script) => {
                if disguises.has(script) {
                    let letter = word.letters == 1 && script == Script::Greek;
                    out.rewrite(&word, Target::Latin, !letter && census.is_reported(script));
                }
            }
        }
    }
    out.copy_to(text.len());
    (out.out, out.map)
}

/// A script in which Latin letters are disguised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Cyrillic = 0,
    Greek = 1,
    Other = 2,
}

impl Script {
    const ALL: [Script; 3] = [Script::Cyrillic, Script::Greek, Script::Other];

    /// Returns the classes of its letters that pass for Latin, and of those that do not.
    const fn classes(self) -> (Class, Class) {
        match self {
            Script::Cyrillic => (Class::CYRILLIC, Class::CYRILLIC_OWN),
            Script::Greek => (Class::GREEK, Class::GREEK_OWN),
            Script::Other => (Class::OTHER, Class::OTHER_OWN),
        }
    }

    /// Returns the script of a set of classes, if they are all of one script.
    fn only(set: Class) -> Option<Script> {
        Script::ALL.into_iter().find(|script| {
            let (passing, own) = script.classes();
            set.without(passing.or(own)).is_none()
        })
    }

    /// Returns the letter of this script that the ASCII letter `c` passes for.
    fn letter(self, c: char) -> Option<char> {
        match self {
            Script::Cyrillic => skeleton::cyrillic(c),
            Script::Greek => skeleton::greek(c),
            Script::Other => None,
        }
    }
}

/// The judgement on a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Keep,
    /// The word is unmistakably of one script.
    Own(Script),
    /// Letters that pass for Latin become Latin.
    Latin {
        reported: bool,
    },
    /// Latin letters become those of the script.
    Script(Script),
    /// Only letters that pass for Latin, all of one script: the document decides.
    Doubtful(Script),
}

const LATIN: Class = Class::LATIN.or(Class::EXTENDED);
const PASSING: Class = Class::EXTENDED.or(Class::CYRILLIC).or(Class::GREEK).or(Class::OTHER);
const OWN: Class = Class::CYRILLIC_OWN.or(Class::GREEK_OWN).or(Class::OTHER_OWN);
const GREEK: Class = Class::GREEK.or(Class::GREEK_OWN);

/// Number of letters below which Greek in a word is taken for a formula, and phonetic letters for a transcription.
const WORD: usize = 4;

/// A run of letters, marks included.
#[derive(Debug, Clone, Copy)]
struct Word {
    start: usize,
    end: usize,
    classes: Class,
    letters: usize,
}

impl Word {
    fn verdict(&self, text: &str, dotless: DotlessI) -> Verdict {
        if dotless == DotlessI::Kept && self.passes_by_dotless_i(text) {
            return Verdict::Keep;
        }
        let set = self.classes.without(Class::MARK);
        let foreign = set.without(LATIN);
        if !set.has(PASSING) {
            return match Script::only(foreign) {
                Some(script) if !foreign.is_none() && !set.has(LATIN) => Verdict::Own(script),
                Some(script) if !foreign.is_none() => self.mixed(text, set, script),
                _ => Verdict::Keep,
            };
        }
        // From here on, some letter passes for another one.
        if foreign.is_none() {
            return Verdict::Latin {
                reported: self.letters >= WORD && self.has_phonetic_letter(text),
            };
        }
        match Script::only(foreign) {
            _ if foreign.has(OWN) && foreign.has(PASSING) && Script::only(set).is_some() => {
                Script::only(set).map_or(Verdict::Keep, Verdict::Own)
            }
            Some(script) if !set.has(LATIN) && !foreign.has(OWN) => Verdict::Doubtful(script),
            _ if !foreign.has(OWN) => {
                let formula = foreign.without(GREEK).is_none() && self.letters < WORD;
                Verdict::Latin { reported: !formula }
            }
            _ => Script::only(Class::without(set, PASSING).without(LATIN))
                .map_or(Verdict::Keep, |script| self.mixed(text, set, script)),
        }
    }

    /// Returns whether all its letters are Latin, and `ı` alone passes for another one.
    fn passes_by_dotless_i(&self, text: &str) -> bool {
        let is_plain = |c: char| !skeleton::class(c).has(Class::EXTENDED) || c == 'ı';
        self.classes.without(LATIN.or(Class::MARK)).is_none() && self.chars(text).all(is_plain)
    }

    /// Judges a word with letters that are unmistakably of `script`, and others.
    fn mixed(&self, text: &str, set: Class, script: Script) -> Verdict {
        let formula = script == Script::Greek && self.letters < WORD;
        if !formula
            && self.is_plain(text)
            && self.chars(text).all(|c| in_script(c, script).is_some())
        {
            return Verdict::Script(script);
        }
        if set.has(Class::LATIN) && set.has(PASSING) {
            Verdict::Latin { reported: false }
        } else {
            Verdict::Keep
        }
    }

    /// Returns whether no Latin letter has a diacritic, except those that Cyrillic has as well: a word with `µ` and `å`
    /// or the like is text in another encoding, misread.
    fn is_plain(&self, text: &str) -> bool {
        let word = &text[self.start..self.end];
        word.chars()
            .all(|c| c.is_ascii() || "ëËïÏ".contains(c) || skeleton::class(c) != Class::LATIN)
    }

    /// Returns the base letters of the word, without marks.
    fn chars<'a>(&self, text: &'a str) -> impl Iterator<Item = char> + use<'a> {
        text[self.start..self.end]
            .chars()
            .filter(|&c| skeleton::class(c) != Class::MARK)
            .map(skeleton::base)
    }

    /// Returns whether the word has a Latin look-alike other than the Turkish `ı`, and all its other letters are ASCII,
    /// which they are not in a phonetic transcription.
    fn has_phonetic_letter(&self, text: &str) -> bool {
        let ascii_or_passing = |c: char| c.is_ascii() || skeleton::ascii(c).is_some();
        self.chars(text).all(ascii_or_passing)
            && self.chars(text).any(|c| !c.is_ascii() && c != 'ı')
    }
}

/// Returns the base letter `c` in `script`: itself, or the letter that it passes for.
fn in_script(c: char, script: Script) -> Option<char> {
    let (passing, own) = script.classes();
    if skeleton::class(c).has(passing.or(own)) {
        return Some(c);
    }
    script.letter(skeleton::ascii(c).unwrap_or(c))
}

/// Returns the words of `text`.
fn words(text: &str) -> impl Iterator<Item = Word> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            while bytes.get(at).is_some_and(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic()) {
                at += 1;
            }
            if at == bytes.len() {
                return None;
            }
            let word = word_at(text, at);
            at = word.end.max(at + text[at..].chars().next().map_or(1, char::len_utf8));
            if word.end > word.start && !word.classes.is_none() {
                return Some(word);
            }
        }
    })
}

/// Returns the word that starts at `start`, or nothing.
fn word_at(text: &str, start: usize) -> Word {
    let bytes = text.as_bytes();
    let mut word = Word { start, end: start, classes: Class::NONE, letters: 0 };
    while let Some(byte) = bytes.get(word.end) {
        if byte.is_ascii() {
            if !byte.is_ascii_alphabetic() {
                break;
            }
            word.classes = word.classes.or(Class::LATIN);
            word.letters += 1;
            word.end += 1;
            continue;
        }
        let Some(c) = text[word.end..].chars().next() else { break };
        let class = skeleton::class(c);
        if class.is_none() {
            break;
        }
        word.classes = word.classes.or(class);
        word.letters += usize::from(class != Class::MARK);
        word.end += c.len_utf8();
    }
    word
}

/// Counts of a document's words. They are counted by what they become, so that folding a folded document finds the same
/// numbers, or nothing left to decide.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ScriptCounts {
    latin: usize,
    own: [usize; 3],
    doubtful: [usize; 3],
    /// Number of words that change whatever the document is.
    rewritten: usize,
    /// Folding of `ı`.
    dotless: DotlessI,
}

impl ScriptCounts {
    pub(super) fn new(text: &str, dotless: DotlessI) -> ScriptCounts {
        let mut census = ScriptCounts { dotless, ..ScriptCounts::default() };
        for word in words(text) {
            match word.verdict(text, dotless) {
                Verdict::Own(script) => census.own[script as usize] += 1,
                Verdict::Doubtful(script) => census.doubtful[script as usize] += 1,
                Verdict::Script(script) => {
                    census.own[script as usize] += 1;
                    census.rewritten += 1;
                }
                Verdict::Latin { .. } => {
                    census.latin += 1;
                    census.rewritten += 1;
                }
                Verdict::Keep => census.latin += usize::from(word.classes.has(Class::LATIN)),
            }
        }
        census
    }

    /// Counts a word whose letters are of these alphabets, if these alone show that it stays as it is, or that it is
    /// Latin and each letter becomes its [`latin`] one. Otherwise returns `false`. Latin words are not counted.
    #[inline]
    pub(super) fn counts(&mut self, letters: Class, disguises: Disguises) -> bool {
        if letters.without(LATIN).is_none() {
            return true;
        }
        let Some(script) = Script::only(letters) else { return false };
        if letters.has(OWN) {
            self.own[script as usize] += 1;
            return true;
        }
        self.doubtful[script as usize] += usize::from(!disguises.has(script));
        !disguises.has(script)
    }

    /// Adds the counts of another part of the text.
    pub(super) fn add(&mut self, other: &ScriptCounts) {
        self.latin += other.latin;
        self.rewritten += other.rewritten;
        for script in Script::ALL {
            self.own[script as usize] += other.own[script as usize];
            self.doubtful[script as usize] += other.doubtful[script as usize];
        }
    }

    /// Returns whether a word changes if the text disguises its words in `disguises`.
    fn changes(&self, disguises: Disguises) -> bool {
        let is_disguised = |script| disguises.has(script) && self.doubtful[script as usize] > 0;
        self.rewritten > 0 || Script::ALL.into_iter().any(is_disguised)
    }

    /// Returns the scripts in which the text disguises Latin words.
    pub(super) fn disguises(&self) -> Disguises {
        if self.latin > 0 { self.disguises_of_latin() } else { Disguises::default() }
    }

    /// Returns whether some word is Latin.
    pub(super) fn has_latin(&self) -> bool {
        self.latin > 0
    }

    /// Returns the scripts in which the text disguises Latin words, assuming that it has other Latin words.
    pub(super) fn disguises_of_latin(&self) -> Disguises {
        Disguises(
            Script::ALL.map(|script| self.doubtful[script as usize] > self.own[script as usize]),
        )
    }

    fn is_reported(&self, script: Script) -> bool {
        self.own[script as usize] == 0 && self.latin >= self.doubtful[script as usize]
    }
}

/// The scripts in which a text disguises Latin words, where its words alone do not show it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Disguises([bool; 3]);

impl Disguises {
    /// Returns whether it is empty.
    pub(super) fn is_empty(self) -> bool {
        self == Disguises::default()
    }

    fn has(self, script: Script) -> bool {
        self.0[script as usize]
    }
}

/// The alphabet into which the letters of a word are changed.
#[derive(Debug, Clone, Copy)]
enum Target {
    Latin,
    Script(Script),
}

impl Target {
    /// Returns the letter that the base letter `c` becomes.
    fn letter(self, c: char) -> char {
        match self {
            Target::Latin => skeleton::ascii(c),
            Target::Script(script) => in_script(c, script),
        }
        .unwrap_or(c)
    }
}

struct Rewriter<'a, 'm> {
    text: &'a str,
    out: String,
    map: OffsetMap,
    marks: &'m mut Marks,
}

impl Rewriter<'_, '_> {
    fn copy_to(&mut self, at: usize) {
        let from = self.map.in_len();
        self.out.push_str(&self.text[from..at]);
        self.map.copy(at - from);
    }

    /// Replaces the letters of `word`, each together with its marks.
    fn rewrite(&mut self, word: &Word, target: Target, reported: bool) {
        let mut at = word.start;
        while at < word.end {
            let rest = &self.text[at..word.end];
            let end = at + letter_len(rest);
            let Some(c) = rest.chars().next() else { return };
            let base = skeleton::base(c);
            let other = target.letter(base);
            if other != base {
                self.copy_to(at);
                self.replace(at, end, other);
                // The Turkish letter is folded, but honest.
                if reported && c != 'ı' {
                    self.marks.add(Mark::LookAlike, Span::new(narrow(at), narrow(end)));
                }
            }
            at = end;
        }
    }

    /// Writes the letter at `start..end` with the base `base`.
    fn replace(&mut self, start: usize, end: usize, base: char) {
        let before = self.out.len();
        let cluster = &self.text[start..end];
        self.out.extend(std::iter::once(base).chain(cluster.nfd().skip(1)).nfc());
        self.map.unit(self.out.len() - before, end - start);
    }
}

/// Returns the length of the first letter of `text` with its marks, in bytes. At most 32 marks count, so that no unit
/// is large.
fn letter_len(text: &str) -> usize {
    let marks = text.chars().skip(1).take(32).take_while(|&c| skeleton::class(c) == Class::MARK);
    text.chars().take(1).chain(marks).map(char::len_utf8).sum()
}
