//! Profiles: complete recipes for fingerprints, each with a canonical text.
//!
//! | profile | for | recipe |
//! |---|---|---|
//! | [`standard`](Profile::standard) | prose that someone disguised | words; sliding grams of 8, skipping and spaced grams of 4, scored separately |
//! | [`short`](Profile::short) | answers, abstracts, posts | shorter grams, and about as many values from each text |
//! | [`mail`](Profile::mail) | mail that was made to look different | words, spelled by the letters that they look like |
//! | `standard-1`, `short-1`, `mail-1` | stores made earlier | grams of 6 words, or of 16 and 30 letters |
//! | [`paper`](Profile::paper) | the paper's own experiments | one family of grams of 10 words |
//!
//! The text of a profile, with the hash and the key's id, is the [scheme](fanmill_text::scheme) that every file
//! of fingerprints carries:
//! `sift:bare-words@2/slide(l=8)+skip(l=4,p=0.2)+space(l=4,p=0.2)+whole(n=200)/mod(s=6)/siphash13/key=…`.
//! Fingerprints of different schemes are never compared, and a wrong key is an error.

use std::fmt;
use std::str::FromStr;

use super::canonical::Canonical;
use super::family::{Family, Shape};
use super::key::KeyId;
use super::reduce::Reduction;
use super::thousandths::Thousandths;
use super::tokens::CommonWords;
use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};

use fanmill_text::error::{Error, Result};
use fanmill_text::scheme::Scheme;

/// Maximum number of families in a profile.
pub const MAX_FAMILIES: usize = 8;
/// The domain of sifted values in a scheme, and the hash that makes them.
const DOMAIN: &str = "sift";
const HASH: &str = "siphash13";
const EXAMPLE: &str = "sift:words@1/slide(l=6)/mod(s=30)/siphash13/key=9fb0c7b57afce0ba";

/// The profiles `short` and `mail` of earlier stores. The one of letters also recognises mail in which every letter is
/// separate.
const SHORT_1: &str = "words@1/slide(l=6)+skip(l=6,p=0.2)+space(l=6,p=0.2)+whole(n=200)/pow2(n=32)";
const MAIL_1: &str =
    "mail-letters@1/slide(l=30)+skip(l=16,p=0.3)+space(l=16,p=0.3)+whole(n=400)/pow2(n=10)";

/// A recipe; see the [module](self).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Profile {
    canonical: Canonical,
    common: CommonWords,
    families: Vec<Family>,
    reduction: Reduction,
}

impl Profile {
    /// Creates a profile of one to [`MAX_FAMILIES`] distinct families, all with the same reduction.
    ///
    /// # Errors
    /// If there are none, too many or two equal ones, if the reduction's number is out of bounds, or if
    /// common words are to be removed from a form without words.
    pub fn new(
        canonical: Canonical,
        common: CommonWords,
        families: Vec<Family>,
        reduction: Reduction,
    ) -> Result<Profile> {
        let mut different = families.clone();
        different.sort_unstable_by_key(Family::to_string);
        different.dedup();
        if different.len() != families.len() || !(1..=MAX_FAMILIES).contains(&families.len()) {
            return Err(Error::setting(format!(
                "a profile of {} families of grams is not possible; use 1 to {MAX_FAMILIES} different ones",
                families.len()
            )));
        }
        if common == CommonWords::Removed && !canonical.has_words() {
            return Err(Error::setting(format!(
                "`{canonical}` has no words to remove; use words, or keep common words"
            )));
        }
        Ok(Profile { canonical, common, families, reduction: reduction.check()? })
    }

    /// Returns the standard profile: words without accents; one sixth of the sliding grams of 8 words and of the
    /// skipping and spaced grams of 4; texts of up to 200 words are also taken as a whole.
    ///
    /// Sliding grams of a few words are often idioms, and match by chance. Skipping and spaced ones of the same length
    /// span whole sentences, so they can be short and survive many changes. `design/disguise.md` has the measurements.
    ///
    /// # Panics
    /// Never: a test parses its text.
    pub fn standard() -> Profile {
        let text = "bare-words@2/slide(l=8)+skip(l=4,p=0.2)+space(l=4,p=0.2)+whole(n=200)/mod(s=6)";
        text.parse().expect("a profile that tests read")
    }

    /// Returns the families of `standard-1`, the standard of earlier stores, with grams of `l` words, 1 to
    /// [`MAX_LENGTH`](super::family::MAX_LENGTH). Longer grams match less often by chance, and survive fewer changes. 8
    /// to 10 words suit a collection as large as the Web.
    ///
    /// # Errors
    /// If `l` is out of bounds.
    pub fn with_length(l: u32) -> Result<Profile> {
        let p = Thousandths(200);
        let shapes = [
            Shape::Sliding { l },
            Shape::Skipping { l, p },
            Shape::Spaced { l, p },
            Shape::Whole { n: 200 },
        ];
        let families = shapes.map(|shape| Family::new(shape, 1));
        Ok(Profile {
            canonical: Canonical::EarlierWords,
            common: CommonWords::Kept,
            families: families.into_iter().collect::<Result<_>>()?,
            reduction: Reduction::Modulus { s: 30 },
        })
    }

    /// Returns the profile for short texts: up to 32 values of each family, however long the text is; sliding grams of
    /// 6 words, skipping and spaced ones of 3.
    ///
    /// It is for texts of up to a few pages and of similar length: a sixth of a paragraph would be little. On the other
    /// hand, a paragraph copied into a book is not found.
    ///
    /// # Panics
    /// Never: a test parses its text.
    pub fn short() -> Profile {
        let text =
            "bare-words@2/slide(l=6)+skip(l=3,p=0.2)+space(l=3,p=0.2)+whole(n=200)/pow2(n=32)";
        text.parse().expect("a profile that tests read")
    }

    /// Returns the profile for mail: words spelled by the letters that they look like, and at most twenty values of
    /// each family, so that a million messages fit in memory. Messages of up to 100 words are also taken as a whole.
    ///
    /// # Panics
    /// Never: a test parses its text.
    pub fn mail() -> Profile {
        let text =
            "mail-words@1/slide(l=3)+skip(l=3,p=0.2)+space(l=3,p=0.2)+whole(n=100)/pow2(n=20)";
        text.parse().expect("a profile that tests read")
    }

    /// Returns the profile with this name, or with this text.
    ///
    /// # Errors
    /// If it is neither.
    pub fn named(name: &str) -> Result<Profile> {
        match name {
            "standard" => Ok(Profile::standard()),
            "short" => Ok(Profile::short()),
            "mail" => Ok(Profile::mail()),
            "standard-1" => Profile::with_length(6),
            "short-1" => SHORT_1.parse(),
            "mail-1" => MAIL_1.parse(),
            "standard-2" => Ok(Profile::standard().unspelled()),
            "short-2" => Ok(Profile::short().unspelled()),
            text if text.contains('/') => text.parse(),
            unknown => Err(Error::setting(format!(
                "unknown profile `{unknown}`; use standard, short, mail, those of earlier stores (standard-1, short-1, mail-1, standard-2, short-2), or a profile's text such as `{}`",
                Profile::standard()
            ))),
        }
    }

    /// Returns the profile as it was before each word had one spelling.
    fn unspelled(self) -> Profile {
        Profile { canonical: Canonical::EarlierBareWords, ..self }
    }

    /// Creates a profile of the paper's kind: one family, over the paper's words.
    ///
    /// # Errors
    /// If the reduction's number is out of bounds.
    pub fn paper(family: Family, reduction: Reduction) -> Result<Profile> {
        Profile::new(Canonical::PaperWords, CommonWords::Kept, vec![family], reduction)
    }

    /// Returns the canonical form of texts.
    pub fn canonical(&self) -> Canonical {
        self.canonical
    }

    /// Returns how common words are treated.
    pub fn common_words(&self) -> CommonWords {
        self.common
    }

    /// Returns the families of grams, in the order in which fingerprints hold them; at least one.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// Returns the reduction, which chooses the grams kept of each family.
    pub fn reduction(&self) -> Reduction {
        self.reduction
    }

    /// Returns the scheme of values made by this profile under a key.
    ///
    /// # Panics
    /// Never: a profile's text is a part of a scheme, which tests read back.
    pub fn scheme(&self, key: KeyId) -> Scheme {
        let text = format!("{DOMAIN}:{self}/{HASH}/key={key}");
        text.parse().expect("a profile's text is a part of a scheme")
    }

    /// Parses a scheme into a profile and the id of the key.
    ///
    /// # Errors
    /// If this release does not know such a scheme.
    pub fn from_scheme(scheme: &Scheme) -> Result<(Profile, KeyId)> {
        if scheme.domain() != DOMAIN {
            return Err(Error::input(format!(
                "scheme `{scheme}` is of `{}`; that of sifted texts starts with `{DOMAIN}:`",
                scheme.domain()
            )));
        }
        let [families, reduction, hash, key] = scheme.steps_of(EXAMPLE)?;
        let unknown = || Error::input(format!("scheme `{scheme}` is not one like `{EXAMPLE}`"));
        let [form] = scheme.front_ends() else { return Err(unknown()) };
        let key = key.strip_prefix("key=").filter(|_| hash == HASH).ok_or_else(unknown)?;
        Ok((format!("{form}/{families}/{reduction}").parse()?, key.parse()?))
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let common = match self.common {
            CommonWords::Kept => "",
            CommonWords::Removed => ",rare",
        };
        let families: Vec<String> = self.families.iter().map(Family::to_string).collect();
        write!(f, "{}{common}/{}/{}", self.canonical, families.join("+"), self.reduction)
    }
}

impl Serialize for Profile {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Profile {
    /// Reads a name, or a profile written out.
    fn deserialize<D: Deserializer<'de>>(
        deserializer: D,
    ) -> std::result::Result<Profile, D::Error> {
        let name = String::deserialize(deserializer)?;
        Profile::named(&name).map_err(de::Error::custom)
    }
}

impl FromStr for Profile {
    type Err = Error;

    /// Parses what [`Display`](fmt::Display) writes, and nothing else.
    fn from_str(text: &str) -> Result<Profile> {
        let parts: Vec<&str> = text.split('/').collect();
        let [canonical, families, reduction] = parts[..] else {
            return Err(Error::setting(format!(
                "`{text}` is not a profile; use a form, families and a reduction, such as `{}`",
                Profile::standard()
            )));
        };
        let (canonical, common) = match canonical.strip_suffix(",rare") {
            Some(canonical) => (canonical, CommonWords::Removed),
            None => (canonical, CommonWords::Kept),
        };
        let families = families.split('+').map(str::parse).collect::<Result<_>>()?;
        Profile::new(canonical.parse()?, common, families, reduction.parse()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key;

    #[test]
    fn schemes_are_read_back() {
        let family = "skip(l=10,p=0.3,b=2)".parse().expect("a family");
        let paper = Profile::paper(family, Reduction::Modulus { s: 10 }).expect("a profile");
        let rare = "words@1,rare/slide(l=4)/min(m=100)".parse().expect("a profile");
        let id = key::of_test(1).id();
        let standard = [
            Profile::standard(),
            Profile::with_length(10).expect("a length"),
            Profile::short(),
            Profile::mail(),
        ];
        for profile in standard.into_iter().chain([paper, rare]) {
            let scheme = profile.scheme(id);
            assert_eq!(Profile::from_scheme(&scheme).expect("its own scheme"), (profile, id));
        }
    }

    #[test]
    fn earlier_stores_have_the_profiles_that_they_had() {
        let of = |name| Profile::named(name).expect("a name").scheme(key::of_test(4).id());
        assert_eq!(
            of("standard-1").to_string(),
            "sift:words@1/slide(l=6)+skip(l=6,p=0.2)+space(l=6,p=0.2)+whole(n=200)/mod(s=30)/siphash13/key=9fb0c7b57afce0ba"
        );
    }

    #[test]
    fn names_stand_for_profiles() {
        assert_eq!(Profile::named("mail").expect("a name"), Profile::mail());
        for name in ["standard", "short", "mail"] {
            let [now, before] = [name.to_owned(), format!("{name}-1")];
            let [now, before] = [now, before].map(|name| Profile::named(&name).expect("a name"));
            assert_ne!(now, before, "{name}");
        }
        for name in ["standard", "short"] {
            let before = Profile::named(&format!("{name}-2")).expect("a name").to_string();
            let now = Profile::named(name).expect("a name").to_string();
            assert_eq!(before.replace("@1", "@2"), now, "{name}");
        }
        let text = Profile::short().to_string();
        assert_eq!(Profile::named(&text).expect("a text"), Profile::short());
        assert!(Profile::named("letters").is_err());
    }

    #[test]
    fn anything_else_is_none() {
        for wrong in [
            "",
            "words@1",
            "words@1/slide(l=6)",
            "words@1//mod(s=1)",
            "words@1/slide(l=6)/mod(s=0)",
            "words@1/slide(l=6)+slide(l=6)/mod(s=1)",
            "letters@1,rare/slide(l=6)/mod(s=1)",
            "words@1/slide(l=6)/mod(s=1)/mod(s=1)",
            "words/slide(l=6)/mod(s=1)",
        ] {
            assert!(wrong.parse::<Profile>().is_err(), "{wrong}");
        }
        let scheme = Profile::standard().scheme(key::of_test(1).id()).to_string();
        for wrong in [
            &scheme.replace("sift", "code"),
            &scheme.replace("siphash13", "siphash24"),
            &scheme.replace("words@2", "letters@1+words@2"),
            &scheme[..scheme.len() - 1],
            "code:java@1/k=11,t=24/roc(r=2)/xxh3@2",
        ] {
            let wrong: Scheme = wrong.parse().expect("a scheme");
            assert!(Profile::from_scheme(&wrong).is_err(), "{wrong}");
        }
    }
}
