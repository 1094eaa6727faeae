//! Sifting whole documents: text in, one fingerprint per family out.
//!
//! Families are scored separately and the best score counts. Each family is weak against some kind of
//! change, and mixing their values would average the strong ones with the weak.
//!
//! Cost: measured by `fanmill-bench sift`; see `design/disguise.md`.
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries",
//! 2005, §2.
//! Departs from it: families apart; the paper's conclusion proposes a mixture.

use std::ops::Range;

use super::family::GramFormer;
use super::key::{Key, KeyId};
use super::profile::Profile;
use super::reduce::{FamilyFingerprint, Reducer};
use super::similarity::Overlap;
use super::tokens::{KeyedTokens, Reader};
use fanmill_text::error::{Error, Result};
use fanmill_text::frontend::Text;
use fanmill_text::message;
use fanmill_text::scheme::Scheme;
use fanmill_text::setting::Task;
use fanmill_text::span::Span;

/// Makes fingerprints of documents by one profile, under one key.
#[derive(Debug, Clone)]
pub struct Sifter {
    profile: Profile,
    key: KeyId,
    reader: Reader,
    formers: Vec<GramFormer>,
}

/// A document's fingerprints, in the order of the profile's families.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sifted {
    /// One for each family.
    pub families: Vec<FamilyFingerprint>,
}

/// The similarity of two documents, family by family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Likeness {
    /// One for each family.
    pub families: Vec<Overlap>,
}

impl Sifter {
    /// Creates a sifter. It keeps subkeys, and not the key itself.
    pub fn new(profile: &Profile, key: &Key) -> Sifter {
        let formers =
            profile.families().iter().map(|&family| GramFormer::new(family, key)).collect();
        let reader = Reader::new(profile.canonical(), profile.common_words(), key);
        Sifter { profile: profile.clone(), key: key.id(), reader, formers }
    }

    /// Creates a sifter for the documents of a store, which has this profile and a key of this id.
    ///
    /// # Errors
    /// If `key` has another id: nothing would match, which must not look like an answer.
    pub fn for_store(profile: &Profile, id: KeyId, key: &Key) -> Result<Sifter> {
        if key.id() == id {
            return Ok(Sifter::new(profile, key));
        }
        Err(Error::input(message![
            (
                "this store was made with key {id}, and the key given is {}; use the right key, or make a new \
             store from the originals with ",
                key.id()
            ),
            Task("sift-rekey")
        ]))
    }

    /// Returns the profile.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the key's id.
    pub fn key(&self) -> KeyId {
        self.key
    }

    /// Returns the scheme of its fingerprints; only those of the same scheme may be compared.
    pub fn scheme(&self) -> Scheme {
        self.profile.scheme(self.key)
    }

    /// Decodes and folds a document, for [`read`](Sifter::read) and [`sift`](Sifter::sift).
    pub fn text<'a>(&self, bytes: &'a [u8]) -> Text<'a> {
        Text::folded(bytes, self.profile.canonical().folding())
    }

    /// Appends the tokens of a folded text ([`text`](Sifter::text)).
    pub fn read(&self, text: &str, tokens: &mut KeyedTokens) {
        self.reader.read(text, tokens);
    }

    /// Returns the fingerprints of a folded text ([`text`](Sifter::text)).
    pub fn sift(&self, text: &str) -> Sifted {
        let mut tokens = KeyedTokens::default();
        self.read(text, &mut tokens);
        self.sift_tokens(&tokens.values)
    }

    /// Returns the fingerprints of a document, from the token values that [`read`](Sifter::read) gives.
    pub fn sift_tokens(&self, tokens: &[u64]) -> Sifted {
        let reduce = |former: &GramFormer| {
            if former.family().is_whole() {
                let mut values = Vec::new();
                former.values(tokens, |value| values.push(value));
                return self.profile.reduction().keep_all(values);
            }
            let mut reducer = Reducer::new(self.profile.reduction());
            former.values(tokens, |value| reducer.push(value));
            reducer.finish()
        };
        Sifted { families: self.formers.iter().map(reduce).collect() }
    }

    /// Returns the sources of the values shared with another document: for each family, the spans of those grams of
    /// `tokens` whose values `other` has, joined where they overlap or touch, ascending.
    ///
    /// A span reaches from a gram's first token to its last. It may contain changes, as it should.
    pub fn evidence(&self, tokens: &KeyedTokens, other: &Sifted) -> Vec<Vec<Span>> {
        let found = |(former, kept): (&GramFormer, &FamilyFingerprint)| {
            let mut reaches: Vec<Range<usize>> = Vec::new();
            former.form(&tokens.values, |gram| {
                if kept.values.binary_search(&former.value(&gram)).is_ok() {
                    reaches.push(gram.reach);
                }
            });
            let span = |reach: Range<usize>| {
                Span::new(tokens.spans[reach.start].start, tokens.spans[reach.end - 1].end)
            };
            join(reaches).into_iter().map(span).collect()
        };
        self.formers.iter().zip(&other.families).map(found).collect()
    }
}

/// The naive twin: benchmarks time it beside the fast form, and tests compare the two.
pub mod naive {
    use super::{GramFormer, Sifted, Sifter};

    /// The naive twin of [`Sifter::sift_tokens`]: forms all grams one by one, then reduces them naively.
    pub fn sift(sifter: &Sifter, tokens: &[u64]) -> Sifted {
        let reduction = sifter.profile.reduction();
        let each = |former: &GramFormer| {
            let mut grams = Vec::new();
            former.form(tokens, |gram| grams.push(former.value(&gram)));
            if former.family().is_whole() {
                reduction.keep_all(grams)
            } else {
                reduction.naive(&grams)
            }
        };
        Sifted { families: sifter.formers.iter().map(each).collect() }
    }
}

/// Returns the union of ranges in any order, as ascending ranges that neither overlap nor touch.
fn join(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

impl Sifted {
    /// Returns the number of values in all families together.
    pub fn len(&self) -> usize {
        self.families.iter().map(|kept| kept.values.len()).sum()
    }

    /// Returns whether nothing was kept: the text is too short, and resembles nothing.
    pub fn is_empty(&self) -> bool {
        self.families.iter().all(|kept| kept.values.is_empty())
    }

    /// Compares two documents of the same scheme.
    ///
    /// # Panics
    /// If they have different numbers of families, so that their schemes differ.
    pub fn likeness(&self, other: &Sifted) -> Likeness {
        assert_eq!(self.families.len(), other.families.len(), "of one scheme");
        let pairs = self.families.iter().zip(&other.families);
        Likeness { families: pairs.map(|(a, b)| Overlap::new(a, b)).collect() }
    }
}

impl Likeness {
    /// Returns the family with the largest S3 (the first one on a tie), and that S3; `None` if neither document has any
    /// value.
    pub fn best(&self) -> Option<(usize, f64)> {
        let s3 =
            self.families.iter().enumerate().filter_map(|(i, overlap)| Some((i, overlap.s3()?)));
        s3.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// Returns the number of common values in all families. A single one can be chance, however large the S3: in a
    /// short text it is a large share.
    pub fn n_common(&self) -> usize {
        self.families.iter().map(|overlap| overlap.n_common).sum()
    }

    /// Returns the largest S3 of all families; `None` if neither document has any value.
    pub fn s3(&self) -> Option<f64> {
        self.best().map(|best| best.1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::key;
    use fanmill_kernel::hash::mix::SplitMix;

    /// Generates sentences of random words, the same ones for the same seed.
    fn text(seed: u64, n_words: usize) -> String {
        let mut random = SplitMix::new(seed);
        let mut word = || format!("{:x} ", random.draw() % 5000);
        (0..n_words).map(|_| word()).collect()
    }

    fn sifter(profile: &Profile, number: u64) -> Sifter {
        Sifter::new(profile, &key::of_test(number))
    }

    #[test]
    fn a_document_is_similar_to_itself_and_not_to_others() {
        for profile in
            [Profile::standard(), Profile::with_length(10).expect("a length"), Profile::mail()]
        {
            let sifter = sifter(&profile, 1);
            let (a, b) = (sifter.sift(&text(1, 2000)), sifter.sift(&text(2, 2000)));
            assert_eq!(a.likeness(&a).s3(), Some(1.0), "{profile}");
            assert_eq!(a.likeness(&b).s3(), Some(0.0), "{profile}");
            for (family, kept) in profile.families().iter().zip(&a.families) {
                assert_eq!(kept.values.is_empty(), family.is_whole(), "{profile}: {family}");
            }
        }
    }

    const DIGESTS: [u64; 4] = [
        11_612_885_034_581_061_619,
        15_035_916_951_191_966_005,
        18_234_679_334_217_195_787,
        12_787_804_001_299_403_935,
    ];

    const NEW: [u64; 3] =
        [16_025_708_717_100_700_026, 6_791_825_692_267_401_422, 11_685_854_751_859_119_514];

    /// A stored fingerprint must mean the same in every release, and on every platform.
    #[test]
    fn values_never_change() {
        let digest = |profile: &Profile| {
            let sifted = sifter(profile, 4).sift(&text(1, 3000));
            let values = sifted.families.iter().flat_map(|kept| &kept.values);
            values.fold(0, |digest, value| fanmill_kernel::hash::mix::mix(digest ^ value))
        };
        let paper = "paper-words@1/skip(l=10,p=0.3,b=2)/min(m=100)".parse().expect("a profile");
        let variable = "letters@1/skip(add=0.2,stop=0.03)/min(m=4sqrt)".parse().expect("a profile");
        let [standard, mail] =
            ["standard-1", "mail-1"].map(|name| Profile::named(name).expect("a name"));
        let digests = [standard, mail, paper, variable].map(|p| digest(&p));
        assert_eq!(digests, DIGESTS);
        let digests = [Profile::standard(), Profile::short(), Profile::mail()].map(|p| digest(&p));
        assert_eq!(digests, NEW);
    }

    /// Few of a text's n grams are kept, and there may be millions of texts: no fingerprint keeps memory for n.
    #[test]
    fn fingerprints_take_no_more_memory_than_their_values() {
        let profiles = [Profile::standard(), Profile::short(), Profile::mail()];
        let others = ["words@1/slide(l=4)/min(m=0.2n)", "words@1/slide(l=4)+whole(n=90)/min(m=9)"];
        let others = others.map(|text| text.parse().expect(text));
        for profile in profiles.iter().chain(&others) {
            for n_words in [0, 5, 60, 80, 3000] {
                for kept in sifter(profile, 1).sift(&text(1, n_words)).families {
                    let n = kept.values.len();
                    assert_eq!(kept.values.capacity(), n, "{profile}: {n_words} words");
                }
            }
        }
    }

    #[test]
    fn empty_texts_are_similar_to_nothing() {
        let sifter = sifter(&Profile::standard(), 1);
        let (empty, long) = (sifter.sift(" ... "), sifter.sift(&text(1, 2000)));
        assert!(empty.is_empty() && empty.likeness(&empty).s3().is_none());
        assert_eq!(empty.likeness(&long).s3(), Some(0.0));
    }

    #[test]
    fn short_texts_are_recognised_as_a_whole() {
        for profile in [Profile::standard(), Profile::short(), Profile::mail()] {
            let sifter = sifter(&profile, 1);
            let sift = |text: &str| sifter.sift(text);
            let (a, b, c) = (sift("some words"), sift("Some  words!"), sift("some other words"));
            assert_eq!((a.len(), a.likeness(&b).s3()), (1, Some(1.0)), "{profile}");
            assert_eq!(a.likeness(&c).s3(), Some(0.0), "{profile}");
        }
    }

    #[test]
    fn the_best_family_counts() {
        let overlap = |n_common, a| Overlap { n_common, a, b: 10 };
        let likeness = |families: &[Overlap]| Likeness { families: families.to_vec() };
        assert_eq!(
            likeness(&[overlap(1, 10), overlap(3, 10), overlap(3, 10)]).best(),
            Some((1, 0.3))
        );
        assert_eq!(likeness(&[Overlap::default(), overlap(0, 5)]).best(), Some((1, 0.0)));
        assert_eq!(likeness(&[Overlap::default()]).best(), None);
    }

    /// The evidence shows where a passage was copied into another text.
    #[test]
    fn evidence_covers_the_copy_and_little_else() {
        let (copied, before, after) = (text(1, 800), text(2, 400), text(3, 400));
        let suspect = format!("{before}{copied}{after}");
        let sifter = sifter(&Profile::standard(), 1);
        let mut tokens = KeyedTokens::default();
        sifter.read(&suspect, &mut tokens);
        let copy = Span::new(before.len() as u32, (before.len() + copied.len()) as u32);
        let evidence = sifter.evidence(&tokens, &sifter.sift(&copied));
        assert!(evidence[3].is_empty(), "neither is short");
        for spans in &evidence[..3] {
            let covered: u32 = spans.iter().map(|span| span.len()).sum();
            assert!(spans.iter().all(|span| span.start >= copy.start && span.end <= copy.end));
            assert!(covered * 10 > copy.len(), "{covered} of {}", copy.len());
        }
    }

    #[test]
    fn ranges_are_joined() {
        assert_eq!(join(vec![5..7, 0..2, 1..4, 7..8]), [0..4, 5..8]);
        assert!(join(vec![]).is_empty());
    }

    proptest! {
        #[test]
        fn fast_equals_naive(tokens in prop::collection::vec(0_u64..50, 0..300), number in 0_u64..5) {
            for profile in [Profile::standard(), Profile::mail()] {
                let sifter = sifter(&profile, number);
                prop_assert_eq!(sifter.sift_tokens(&tokens), naive::sift(&sifter, &tokens));
            }
        }

        #[test]
        fn any_text_is_sifted(text: String) {
            for profile in [Profile::standard(), Profile::mail()] {
                let sifter = sifter(&profile, 1);
                let mut tokens = KeyedTokens::default();
                sifter.read(&text, &mut tokens);
                prop_assert_eq!(sifter.sift_tokens(&tokens.values), sifter.sift(&text));
            }
        }
    }
}
