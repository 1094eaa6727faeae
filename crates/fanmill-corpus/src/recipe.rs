//! Recipes turn a text into the keys by which near-duplicates are found, and into the set that is compared.
//!
//! ```text
//! text → words → shingles ┬→ sketch → keys    equal in near-duplicates: these pairs are candidates
//!                         └→ set              what two candidates have in common, counted
//! ```
//!
//! One [`Recipe`] serves every job, and every other program that should get the same answer: equal recipes (by their
//! [scheme](Recipe::scheme)) give equal keys on every machine and at any time. Keys come from shingles whose hashes
//! never change: the order of these hashes decides which documents become candidates, and must not differ from run to
//! run. Documents are compared by shingles of words hashed under a key of the caller's own, so that an author cannot
//! make different words count as common ones.
//!
//! | text, shingles of 2 words | shingles | set |
//! |---|---|---|
//! | `Ask me, ask me` | ask me · me ask · ask me | 2 members |
//! | `Ask me, ask me`, weighted | ask me¹ · ask me² · me ask¹ | 3 members |
//! | `Ask` | ask: a text shorter than a shingle is one shingle | 1 member |
//! | `…` | none | 0 members, and no keys |
//!
//! No shingle crosses a [separator](SEPARATOR), as between the messages of a conversation.
//!
//! The words are those of a [`WordKind`]. A recipe may treat [short texts](crate::ShortTexts) in another way: their members
//! are words with their places.
//!
//! Two texts, one in capitals and one word longer, agree in a key, and in most of their shingles:
//!
//! ```
//! use fanmill_text::frontend::runs::WordKey;
//! use fanmill_sketch::lsh::verify::{self, Threshold};
//! use fanmill_sketch::Sketch;
//! use fanmill_corpus::recipe::{Recipe, Scratch, Shingling};
//!
//! let texts = ["the cat sat on the mat and slept", "THE CAT SAT ON THE MAT AND SLEPT WELL"];
//! let recipe = Recipe::new(Shingling { words: 2, is_weighted: false })?
//!     .with_keys(Sketch::standard(), Threshold::new(0.8)?, 0.998)?;
//! let mut scratch = Scratch::default();
//! let keys = texts.map(|text| recipe.keys(text, &mut scratch).keys.to_vec());
//! assert!(keys[0].iter().zip(&keys[1]).any(|(a, b)| a == b), "a key of some band");
//!
//! let secret = WordKey::new(&[7; 32]); // in production, use 32 bytes that no author knows
//! let [a, b] = texts.map(|text| recipe.set(text, &secret, &mut scratch).to_vec());
//! assert_eq!((a.len(), b.len(), verify::common(&a, &b)), (7, 8, 7));
//! # Ok::<(), fanmill_text::Error>(())
//! ```
//!
//! Cost: about 5 ns a byte of text for keys of 128 registers (22,552 texts of 92.6 MB in 0.45 s on one thread, November
//! 2026). With one [`Scratch`] for each thread, nothing is allocated for a text that is no longer than earlier ones,
//! unless shingles are weighted.

mod keys;

use std::collections::BTreeMap;

use fanmill_sketch::lsh::acceptance::Filter;
use fanmill_sketch::lsh::bands::Bands;
use fanmill_sketch::lsh::verify::Threshold;
use fanmill_sketch::shingle::{self, ShortDocuments};
use fanmill_sketch::{Sketch, Sketcher};
use fanmill_text::frontend::SEPARATOR;
use fanmill_text::frontend::runs::WordKey;
use fanmill_text::scheme::{Grammar, POSITIVE, Scheme};
use fanmill_text::{Error, Result};

use self::keys::Keys;
use crate::short::{self, ShortTexts};
use crate::word_kind::WordKind;

/// The domain of key schemes, followed by the names of steps without parameters.
pub(crate) const DOMAIN: &str = "corpus";
const WEIGHTED: &str = "weighted";
const SLIPS: &str = "slips";
const RAREST: &str = "rarest";
const SHINGLE: Grammar = Grammar { what: "number of words in a shingle", forms: "k=5" };
const EXAMPLE: &str = "corpus:runs@3/k=5/fss(t=128)/bands(b=25,r=5,needed=1)";

/// The way words become shingles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shingling {
    /// Words in a shingle, at least 1. A text that has fewer words, but not zero, forms one shingle.
    pub words: usize,
    /// If set, a shingle counts as often as it occurs.
    pub is_weighted: bool,
}

/// The way texts become sets of shingles, and these become keys; see the [module](self).
#[derive(Debug)]
pub struct Recipe {
    shingling: Shingling,
    words: WordKind,
    short_texts: ShortTexts,
    keys: Option<Keys>,
}

/// Buffers that a thread reuses for each document.
#[derive(Debug, Default)]
pub struct Scratch {
    words: Vec<u64>,
    keyed: Vec<[u64; 1]>,
    shingles: Vec<u64>,
    row: Vec<u64>,
    keys: Vec<u64>,
    /// The ends of the text's parts, in words; empty if it is one part.
    ends: Vec<usize>,
    /// True if the text is short, and compared word by word.
    is_short: bool,
}

/// The keys of a text, for the search for candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keyed<'a> {
    /// Number of words in the text.
    pub n_words: usize,
    /// The keys of the text; empty for a text without words, or if the recipe does not make keys.
    ///
    /// If the recipe has several [bands](Recipe::bands), this is one row with a key for each. Otherwise the keys are
    /// independent of each other: any number of them, different and ascending.
    pub keys: &'a [u64],
}

impl Scratch {
    /// Clears all buffers.
    fn clear(&mut self) {
        let parts = [&mut self.words, &mut self.shingles, &mut self.row, &mut self.keys];
        parts.into_iter().for_each(Vec::clear);
        self.keyed.clear();
        self.ends.clear();
        self.is_short = false;
    }

    /// Returns the number of words in the text whose keys were made last.
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Returns whether the text whose keys were made last is short, and compared word by word.
    pub(crate) fn is_short(&self) -> bool {
        self.is_short
    }

    /// Returns the bytes of memory that it holds.
    pub fn n_bytes(&self) -> usize {
        let parts = [&self.words, &self.shingles, &self.row, &self.keys];
        let n_numbers: usize = parts.iter().map(|part| part.capacity()).sum();
        (n_numbers + self.keyed.capacity()) * size_of::<u64>()
    }
}

/// Bytes of scratch space above which it is freed after use: few records are so long.
const LARGE: usize = 8 << 20;

/// The buffers with which a thread makes keys and sets of records.
#[derive(Debug, Default)]
pub(crate) struct RecordScratch {
    /// Holds a text without its escapes.
    pub(crate) text: Vec<u8>,
    pub(crate) scratch: Scratch,
}

impl RecordScratch {
    /// Frees the memory that a long record has taken.
    pub(crate) fn give_up_if_large(&mut self) {
        if self.text.capacity() + self.scratch.n_bytes() > LARGE {
            *self = RecordScratch::default();
        }
    }
}

impl Recipe {
    /// Makes a recipe for sets of shingles without keys: exact searches do not need any.
    ///
    /// # Errors
    /// If a shingle is to have no words.
    pub fn new(shingling: Shingling) -> Result<Recipe> {
        if shingling.words == 0 {
            return Err(Error::setting("a shingle of 0 words holds nothing; use 3 to 10"));
        }
        let (words, short_texts) = (WordKind::Prose, ShortTexts::Shingles);
        Ok(Recipe { shingling, words, short_texts, keys: None })
    }

    /// Sets the words that texts consist of, instead of those of prose.
    #[must_use]
    pub fn with_words(self, words: WordKind) -> Recipe {
        Recipe { words, ..self }
    }

    /// Sets the way short texts are compared. Signs count in programs and formulas, so these have no slips.
    #[must_use]
    pub fn with_short_texts(self, short_texts: ShortTexts) -> Recipe {
        let short_texts = match self.words {
            WordKind::Prose | WordKind::ExactSpelling => short_texts,
            WordKind::Code | WordKind::Maths | WordKind::Spelling => ShortTexts::Shingles,
        };
        Recipe { short_texts, ..self }
    }

    /// Adds keys of a sketch, in bands that find pairs of the `threshold`'s resemblance with a probability of `recall`,
    /// if bands can be chosen for that sketch.
    ///
    /// # Errors
    /// If no bands of the sketch reach the wanted recall.
    pub fn with_keys(self, sketch: Sketch, threshold: Threshold, recall: f64) -> Result<Recipe> {
        let keys = Some(Keys::new(sketch, threshold.value(), recall)?);
        Ok(Recipe { keys, ..self })
    }

    /// Sets the threshold that pairs must reach, which a recipe read from its scheme does not know.
    #[must_use]
    pub fn compared_by(self, threshold: Threshold) -> Recipe {
        Recipe { keys: self.keys.map(|keys| keys.compared_by(threshold.value())), ..self }
    }

    /// Returns the way words become shingles.
    pub fn shingling(&self) -> Shingling {
        self.shingling
    }

    /// Returns the way short texts are compared.
    pub fn short_texts(&self) -> ShortTexts {
        self.short_texts
    }

    /// Returns the bands that keys are for; `None` if the recipe does not make keys.
    pub fn bands(&self) -> Option<Bands> {
        self.keys.as_ref().map(|keys| keys.bands)
    }

    /// Returns the sketch that keys are made from.
    pub fn sketch(&self) -> Option<Sketch> {
        self.keys.as_ref().map(|keys| keys.sketcher.sketch())
    }

    /// Returns the filter whose curve tells which pairs become candidates; `None` if the keys do not have a curve.
    pub fn filter(&self) -> Option<Filter> {
        match self.sketch()? {
            Sketch::Bytes(bytes) => Some(Filter::bytes(bytes)),
            Sketch::BottomT { .. } | Sketch::ModM { .. } => None,
            _ => self.bands().map(Bands::filter),
        }
    }

    /// Makes the keys of a text, for [`CandidateJoin::push`](crate::candidates::CandidateJoin::push).
    pub fn keys<'s>(&self, text: &str, scratch: &'s mut Scratch) -> Keyed<'s> {
        self.read(text, scratch);
        if let Some(recipe) = &self.keys
            && !scratch.shingles.is_empty()
        {
            recipe.sketch_into(scratch);
        }
        Keyed { n_words: scratch.words.len(), keys: &scratch.keys }
    }

    /// Makes the keys of a text, if all texts are given to one search. A text of a single shingle is not sketched if
    /// texts of several shingles cannot reach the threshold with it, and neither is a short one of which no word may
    /// differ: that shingle, or the whole of it, is then its only key, for
    /// [`CandidateJoin::push_shingle`](crate::candidates::CandidateJoin::push_shingle).
    pub fn keys_or_shingle<'s>(&self, text: &str, scratch: &'s mut Scratch) -> Keyed<'s> {
        self.read(text, scratch);
        if let Some(recipe) = &self.keys
            && let Some((&first, others)) = scratch.shingles.split_first()
        {
            if scratch.is_short {
                let max = |threshold| short::max_changes(scratch.words.len(), threshold);
                if recipe.bands.bands() > 1 && recipe.threshold.map(max) == Some(0) {
                    scratch.keys.push(short::key_of_all(&scratch.shingles));
                } else {
                    recipe.sketch_into(scratch);
                }
            } else if recipe.are_shingles_apart && others.iter().all(|&other| other == first) {
                scratch.keys.push(first);
            } else {
                recipe.sketch_into(scratch);
            }
        }
        Keyed { n_words: scratch.words.len(), keys: &scratch.keys }
    }

    /// Makes the row of a text with a sketcher, from the public hashes of its shingles; `None` for a text without
    /// words.
    pub fn row<'s>(
        &self,
        text: &str,
        sketcher: &Sketcher,
        scratch: &'s mut Scratch,
    ) -> Option<&'s [u64]> {
        scratch.clear();
        self.word_hashes(text, scratch);
        if scratch.words.is_empty() {
            return None;
        }
        self.shingles_of_words(text, scratch);
        sketcher.append(&scratch.shingles, &mut scratch.row);
        Some(&scratch.row)
    }

    /// Finds the words of a text, and its shingles if keys are made of them.
    fn read(&self, text: &str, scratch: &mut Scratch) {
        scratch.clear();
        self.word_hashes(text, scratch);
        if self.keys.is_some() && !scratch.words.is_empty() {
            self.shingles_of_words(text, scratch);
        }
    }

    /// Makes the shingles of the words that were found.
    fn shingles_of_words(&self, text: &str, scratch: &mut Scratch) {
        scratch.is_short = self.is_short(text, scratch.words.len());
        let Scratch { words, ends, shingles, is_short, .. } = scratch;
        self.shingles((words, ends), *is_short, shingles);
    }

    /// Returns whether a text is compared word by word.
    fn is_short(&self, text: &str, n_words: usize) -> bool {
        self.short_texts == ShortTexts::Slips
            && short::is_short(text, n_words, self.shingling.words)
    }

    /// Finds the hashes of a text's words, and the ends of its parts.
    fn word_hashes(&self, text: &str, Scratch { words, ends, .. }: &mut Scratch) {
        each_part(text, words, ends, |part, hashes| {
            self.words.hashes(part, self.shingling.words, hashes);
        });
    }

    /// Makes the set of a text: its different shingles of words under `key`, ascending; empty for a text without words.
    ///
    /// Sets under one key can be compared by [`fanmill_sketch::lsh::verify`], and by
    /// [`exact`](crate::exact) joins.
    pub fn set<'s>(&self, text: &str, key: &WordKey<1>, scratch: &'s mut Scratch) -> &'s [u64] {
        let n = self.fill_set(text, key, scratch);
        &scratch.shingles[..n]
    }

    /// Makes the set of a text, and, if it is compared word by word, its words, with a blank between two.
    pub(crate) fn set_and_words<'s>(
        &self,
        text: &str,
        key: &WordKey<1>,
        scratch: &'s mut Scratch,
    ) -> (&'s [u64], Option<String>) {
        let n = self.fill_set(text, key, scratch);
        let words = scratch.is_short.then(|| self.words_of(text));
        (&scratch.shingles[..n], words)
    }

    /// Returns the words of a text that is compared word by word, with a blank between two, for
    /// [`are_copies`](crate::are_copies); `None` for any other.
    pub fn short_words(&self, text: &str, scratch: &mut Scratch) -> Option<String> {
        scratch.clear();
        self.word_hashes(text, scratch);
        let n_words = scratch.words.len();
        (n_words > 0 && self.is_short(text, n_words)).then(|| self.words_of(text))
    }

    fn words_of(&self, text: &str) -> String {
        let parts = text.split(SEPARATOR);
        let words: Vec<String> =
            parts.flat_map(|part| self.words.words(part, self.shingling.words)).collect();
        words.join(" ")
    }

    /// Makes the set of a text; returns its size.
    fn fill_set(&self, text: &str, key: &WordKey<1>, scratch: &mut Scratch) -> usize {
        scratch.clear();
        let Scratch { keyed, ends, shingles, is_short, .. } = scratch;
        each_part(text, keyed, ends, |part, hashes| {
            self.words.keyed_hashes(part, self.shingling.words, key, hashes);
        });
        *is_short = !keyed.is_empty() && self.is_short(text, keyed.len());
        self.shingles((keyed.as_flattened(), ends), *is_short, shingles);
        shingle::normalise_in(&mut scratch.shingles, &mut scratch.row)
    }

    /// Fills an empty vector with the shingles of words, of which none crosses the end of a part: in document order and
    /// with repetitions, or, if they are weighted, with each occurrence as a separate member; of a short text, with its
    /// words at their places.
    fn shingles(&self, (words, ends): (&[u64], &[usize]), is_short: bool, shingles: &mut Vec<u64>) {
        let n_words = self.shingling.words;
        let whole = [words.len()];
        let ends = if ends.is_empty() { &whole[..] } else { ends };
        let starts = [0].into_iter().chain(ends.iter().copied());
        let parts = starts.zip(ends).map(|(start, &end)| &words[start..end]);
        if is_short {
            short::append_places(words, shingles);
        } else if self.shingling.is_weighted {
            let mut counts = BTreeMap::new();
            for (shingle, n) in
                parts.flat_map(|part| shingle::counts(part, n_words, ShortDocuments::Whole))
            {
                *counts.entry(shingle).or_insert(0) += n;
            }
            *shingles = shingle::labelled(&counts.into_iter().collect::<Vec<_>>());
        } else {
            parts.for_each(|part| shingle::bag(part, n_words, ShortDocuments::Whole, shingles));
        }
    }
}

/// Returns whether a text has several parts.
fn has_parts(text: &str) -> bool {
    text.as_bytes().contains(&(SEPARATOR as u8))
}

impl Recipe {
    /// Returns the scheme to store with keys: `corpus:runs@3/k=5/fss(t=128)/bands(b=25,r=5,needed=1)`. Recipes with the
    /// same scheme make equal keys.
    pub fn scheme(&self) -> Scheme {
        let mut steps = vec![format!("k={}", self.shingling.words)];
        if self.shingling.is_weighted {
            steps.push(WEIGHTED.to_owned());
        }
        if self.short_texts == ShortTexts::Slips {
            steps.push(SLIPS.to_owned());
        }
        match &self.keys {
            None => steps.push(RAREST.to_owned()),
            Some(keys) => {
                steps.extend([keys.sketcher.sketch().to_string(), keys.bands.to_string()]);
            }
        }
        Scheme::new(DOMAIN, [self.words.front_end()], steps)
    }

    /// Reads a recipe from its scheme.
    ///
    /// # Errors
    /// If it is a scheme for other values, or for keys that this release does not make.
    pub fn from_scheme(scheme: &Scheme) -> Result<Recipe> {
        let unknown = || Error::input(format!("scheme `{scheme}` is not one like `{EXAMPLE}`"));
        let steps: Vec<&str> = scheme.steps().iter().map(String::as_str).collect();
        let (first, rest) = steps.split_first().ok_or_else(unknown)?;
        let (is_weighted, rest) = match rest {
            [WEIGHTED, rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let (short_texts, rest) = match rest {
            [SLIPS, rest @ ..] => (ShortTexts::Slips, rest),
            rest => (ShortTexts::Shingles, rest),
        };
        let words = SHINGLE.step(first).number("k", POSITIVE)? as usize;
        let kind = WordKind::ALL.into_iter().find(|kind| scheme.front_ends() == [kind.front_end()]);
        let kind = kind.ok_or_else(unknown)?;
        let mut recipe = Recipe::new(Shingling { words, is_weighted })?
            .with_words(kind)
            .with_short_texts(short_texts);
        recipe.keys = match rest {
            [RAREST] => None,
            [sketch, bands] => {
                Some(Keys::given(sketch.parse()?, bands.parse()?)?.ok_or_else(unknown)?)
            }
            _ => return Err(unknown()),
        };
        if recipe.scheme() == *scheme { Ok(recipe) } else { Err(unknown()) }
    }
}

/// Appends the words of all parts of a text, and the end of each if there are several.
fn each_part<T: Copy>(
    text: &str,
    words: &mut Vec<T>,
    ends: &mut Vec<usize>,
    hashes: impl Fn(&str, &mut Vec<T>),
) {
    if !has_parts(text) {
        return hashes(text, words);
    }
    let mut own = Vec::new();
    for part in text.split(SEPARATOR) {
        own.clear();
        hashes(part, &mut own);
        words.extend_from_slice(&own);
        ends.push(words.len());
    }
}

#[cfg(test)]
mod tests {
    use fanmill_text::scheme::FrontEndVersion;

    use super::*;

    fn recipe(words: usize, is_weighted: bool) -> Recipe {
        Recipe::new(Shingling { words, is_weighted }).expect("some words")
    }

    #[test]
    fn copies_in_another_spelling_resemble_each_other_by_1_unless_spelling_is_exact() {
        let secret = WordKey::new(&[5; 32]);
        let mut scratch = Scratch::default();
        for (text, copy) in [
            ("große Bäume grüßen schöne Vögel", "grosse Baeume gruessen schoene Voegel"),
            ("漢語 學校 電腦", "汉语 学校 电脑"),
            ("كَتَبَ الولد إلى أخيه", "كتب الولد الى اخيه"),
            ("ещё мёд", "еще мед"),
        ] {
            let set = |recipe: &Recipe, text: &str, scratch: &mut Scratch| {
                recipe.set(text, &secret, scratch).to_vec()
            };
            let [new, exact] = [WordKind::Prose, WordKind::ExactSpelling]
                .map(|words| recipe(2, false).with_words(words));
            assert_eq!(set(&new, text, &mut scratch), set(&new, copy, &mut scratch), "{text}");
            assert_ne!(set(&exact, text, &mut scratch), set(&exact, copy, &mut scratch), "{text}");
            let known: Scheme = exact
                .scheme()
                .to_string()
                .replace("rarest", "fss(t=128)/bands(b=25,r=5,needed=1)")
                .parse()
                .expect("a scheme");
            assert_eq!(known.front_ends(), [FrontEndVersion::new("runs", 1)]);
            assert_eq!(Recipe::from_scheme(&known).expect("known").words, WordKind::ExactSpelling);
        }
    }

    #[test]
    fn keys_are_made_of_the_row() {
        let threshold = Threshold::new(0.8).expect("a fraction");
        let keyed = recipe(2, false).with_keys(Sketch::standard(), threshold, 0.99).expect("bands");
        let sketcher = Sketch::standard().sketcher().expect("seeds");
        let mut scratch = Scratch::default();
        let mut expected = Vec::new();
        let row = keyed.row("Ask me, ask me", &sketcher, &mut scratch).expect("words");
        keyed.bands().expect("keyed").keys(row, &mut expected);
        assert_eq!(keyed.keys("Ask me, ask me", &mut scratch).keys, expected);
        assert_eq!(keyed.row("…", &sketcher, &mut scratch), None);
    }

    #[test]
    fn sets_count_what_the_table_says() {
        let mut scratch = Scratch::default();
        let key = WordKey::new(&[1; 32]);
        let mut size =
            |text: &str, is_weighted| recipe(2, is_weighted).set(text, &key, &mut scratch).len();
        assert_eq!([size("Ask me, ask me", false), size("Ask me, ask me", true)], [2, 3]);
        assert_eq!([size("Ask", false), size("…", false), size("", true)], [1, 0, 0]);
    }

    #[test]
    fn no_shingle_crosses_a_separator() {
        let (key, mut scratch) = (WordKey::new(&[1; 32]), Scratch::default());
        let mut set =
            |text: &str, is_weighted| recipe(2, is_weighted).set(text, &key, &mut scratch).to_vec();
        for is_weighted in [false, true] {
            let parts = set("Ask me\n\u{1E}ask you\n\u{1E}so", is_weighted);
            let mut each = ["ask me", "ask you", "so"].map(|part| set(part, is_weighted)).concat();
            each.sort_unstable();
            assert_eq!(parts, each);
            assert_eq!(parts, set("ask you\u{1E}\u{1E}so\u{1E}ask me", is_weighted), "any order");
            assert_eq!(set("ask me ask you so", is_weighted).len(), 4);
        }
        assert_eq!(set("a b\u{1E}a b", true).len(), 2);
    }

    #[test]
    fn a_scratch_remembers_nothing_of_the_text_before() {
        let threshold = Threshold::new(0.8).expect("a fraction");
        for sketch in
            ["fss(t=128)", "classic(k=6,s=14,r=2)", "bottom(t=32)", "mod(m=2)", "bytes(s=11,r=3)"]
        {
            let sketch = sketch.parse().expect(sketch);
            let recipe = recipe(3, false).with_keys(sketch, threshold, 0.99).expect("bands");
            let bands = recipe.bands().expect("keys").bands();
            let mut scratch = Scratch::default();
            for text in ["one two three four five six seven", "", "—", "one", "ONE two. three four"]
            {
                let found = recipe.keys(text, &mut scratch);
                let (n_words, keys) = (found.n_words, found.keys.to_vec());
                assert_eq!(
                    recipe.keys(text, &mut Scratch::default()),
                    Keyed { n_words, keys: &keys }
                );
                assert!(bands == 1 || keys.is_empty() || keys.len() == bands, "{sketch}: {text}");
                assert!(n_words > 0 || keys.is_empty(), "{sketch}: {text}");
            }
        }
    }

    #[test]
    fn a_text_of_one_shingle_has_that_as_its_key() {
        let with_keys = |sketch: &str, threshold: f64| {
            let (sketch, threshold) = (sketch.parse().expect(sketch), Threshold::new(threshold));
            let keys = recipe(2, false).with_keys(sketch, threshold.expect("a fraction"), 0.99);
            keys.expect("bands")
        };
        let mut scratch = Scratch::default();
        let mut n_keys = |recipe: &Recipe, text: &str| {
            let (n_all, n) = (recipe.keys(text, &mut scratch).keys.len(), &mut scratch);
            (n_all, recipe.keys_or_shingle(text, n).keys.len())
        };
        let usual = with_keys("fss(t=128)", 0.8);
        let n_bands = usual.bands().expect("keys").bands();
        for single in ["one", "One two!", "one one one one"] {
            assert_eq!(n_keys(&usual, single), (n_bands, 1), "{single}");
        }
        assert_eq!(n_keys(&usual, "one two one"), (n_bands, n_bands));
        assert_eq!(n_keys(&usual, "…"), (0, 0));
        // `one two` shares half of its shingles with `one two one`.
        let half = with_keys("fss(t=128)", 0.5);
        let n_bands = half.bands().expect("keys").bands();
        assert_eq!(n_keys(&half, "one two"), (n_bands, n_bands));
        assert_eq!(n_keys(&with_keys("bottom(t=32)", 0.8), "one"), (1, 1));
    }

    #[test]
    fn a_recipe_that_cannot_be_followed_is_refused() {
        assert!(
            Recipe::new(Shingling { words: 0, is_weighted: false }).is_err_and(|e| e.is_setting())
        );
        let all = Threshold::new(1.0).expect("a fraction");
        assert!(
            recipe(5, false)
                .with_keys(Sketch::standard(), all, 0.99)
                .is_err_and(|e| e.is_setting())
        );
    }

    #[test]
    fn the_text_names_everything() {
        assert_eq!(recipe(5, true).scheme().to_string(), "corpus:runs@3/k=5/weighted/rarest");
        let threshold = Threshold::new(0.8).expect("a fraction");
        let with_keys =
            recipe(5, false).with_keys(Sketch::standard(), threshold, 0.998).expect("bands");
        let text = with_keys.scheme().to_string();
        assert!(text.starts_with("corpus:runs@3/k=5/fss(t=128)/"), "{text}");
        let of = |sketch: &str| {
            let sketch = sketch.parse().expect(sketch);
            recipe(5, false).with_keys(sketch, threshold, 0.998).expect("bands")
        };
        let others = ["perm(t=64)", "classic(k=6,s=14,r=2)", "bytes(s=11,r=3)", "bottom(t=32)"];
        let recipes = [recipe(5, true), recipe(9, false), with_keys];
        for recipe in recipes.into_iter().chain(others.map(of)) {
            let scheme = recipe.scheme();
            let read = Recipe::from_scheme(&scheme.to_string().parse().expect("a scheme"));
            assert_eq!(read.expect("its own").scheme(), scheme);
        }
        // Other domains and versions, steps that are not canonical or missing, and bands that do not fit the sketch.
        for wrong in [
            "code:java@1/k=11,t=24/roc(r=2)/xxh3@2",
            "corpus:runs@4/k=5/rarest",
            "corpus:runs@3/k=0/rarest",
            "corpus:runs@3/k=05/rarest",
            "corpus:runs@3/k=5/fss(t=128)",
            "corpus:runs@3/k=5/rarest/bands(b=1,r=1,needed=1)",
            "corpus:runs@3/k=5/fss(t=128)/bands(b=1,r=1,needed=2)",
            "corpus:runs@3/k=5/fss(t=128)/bands(b=2,r=1,needed=2)",
            "corpus:runs@3/k=5/fss(t=128)/bands(b=26,r=5,needed=1)",
            "corpus:runs@3/k=5/perm(t=128)/bands(b=129,r=1,needed=1)",
            "corpus:runs@3/k=5/classic(k=6,s=14,r=2)/bands(b=7,r=14,needed=2)",
            "corpus:runs@3/k=5/bytes(s=11,r=3)/bands(b=5,r=1,needed=3)",
            "corpus:runs@3/k=5/bottom(t=32)/bands(b=2,r=1,needed=1)",
        ] {
            let wrong: Scheme = wrong.parse().expect("a scheme");
            assert!(Recipe::from_scheme(&wrong).is_err_and(|e| !e.is_io()), "{wrong}");
        }
    }
}
