//! Schemes: the recipes of stored values, each a line of text kept beside them.
//!
//! Fingerprints, sketches and sifted values mean something only together with the recipe that made them. A scheme is
//! that recipe in one line, in the same form for all of them:
//!
//! ```text
//! code:java@1+python@1/k=11,t=24/roc(r=2)/xxh3@2
//! corpus:runs@3/k=5/fss(t=128)/bands(b=25,r=5,needed=1)
//! sift:words@1/slide(l=6)+whole(n=200)/mod(s=30)/siphash13/key=9fb0c7b57afce0ba
//! ```
//!
//! First comes the kind of values, then the front ends that made the tokens, with their versions, then the steps in the
//! order in which they are taken; the last step is the hash or the key's id. This module knows the form, and [takes
//! steps apart](Grammar). The type that wrote a step knows the names and parameters: `roc(r=2)` is read by a
//! selector, `fss(t=128)` by a sketch. Values are compared only if their schemes are equal, so a version is raised
//! whenever the same text would give other values.

mod step;

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::error::{Error, Result};

pub use step::{Grammar, POSITIVE, Parameter, Step};

/// Maximum length of a scheme's text in bytes: 68 front ends with their versions take less than 1,000.
pub const LONGEST: usize = 4096;

/// The version of a front end that made tokens: `java@1`, or with an option, `words@1,rare`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrontEndVersion {
    /// The front end's name.
    pub name: String,
    /// The version's number, raised whenever the same text would give other tokens.
    pub number: u32,
    /// The option that changed the tokens, if any.
    pub option: Option<String>,
}

impl FrontEndVersion {
    /// Creates the version of a front end without an option.
    pub fn new(name: impl Into<String>, number: u32) -> FrontEndVersion {
        FrontEndVersion { name: name.into(), number, option: None }
    }
}

/// The recipe of stored values; see the [module](self).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scheme {
    domain: String,
    front_ends: Vec<FrontEndVersion>,
    steps: Vec<String>,
}

impl Scheme {
    /// Creates a scheme for values of `domain` (`code`, `corpus`, `sift`, …). Front ends are sorted, each kept once.
    pub fn new<S: ToString>(
        domain: impl Into<String>,
        front_ends: impl IntoIterator<Item = FrontEndVersion>,
        steps: impl IntoIterator<Item = S>,
    ) -> Scheme {
        let mut front_ends: Vec<FrontEndVersion> = front_ends.into_iter().collect();
        front_ends.sort_unstable();
        front_ends.dedup();
        let steps = steps.into_iter().map(|step| step.to_string()).collect();
        Scheme { domain: domain.into(), front_ends, steps }
    }

    /// Returns the kind of values: `code`, `corpus`, `sift`, ….
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// Returns the front ends that made tokens; empty if no text was read.
    pub fn front_ends(&self) -> &[FrontEndVersion] {
        &self.front_ends
    }

    /// Returns the steps, first to last.
    pub fn steps(&self) -> &[String] {
        &self.steps
    }

    /// Returns the steps if there are exactly `N`.
    ///
    /// # Errors
    /// If there are more or fewer; the message shows `example` as the right form.
    pub fn steps_of<const N: usize>(&self, example: &str) -> Result<[&str; N]> {
        let steps: Vec<&str> = self.steps.iter().map(String::as_str).collect();
        steps.try_into().map_err(|_| {
            let n = self.steps.len();
            Error::input(format!("scheme `{self}` has {n} steps, not {N}, as in `{example}`"))
        })
    }
}

impl fmt::Display for FrontEndVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name, self.number)?;
        self.option.iter().try_for_each(|option| write!(f, ",{option}"))
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.domain)?;
        for (i, front_end) in self.front_ends.iter().enumerate() {
            write!(f, "{}{front_end}", if i > 0 { "+" } else { "" })?;
        }
        self.steps.iter().try_for_each(|step| write!(f, "/{step}"))
    }
}

impl FromStr for FrontEndVersion {
    type Err = Error;

    fn from_str(text: &str) -> Result<FrontEndVersion> {
        let (version, option) = match text.split_once(',') {
            Some((version, option)) => (version, Some(option)),
            None => (text, None),
        };
        let parts = version.split_once('@').filter(|(name, _)| is_word(name));
        let option = option.map(str::to_owned);
        parts
            .and_then(|(name, number)| Some((name, plain_number(number)?)))
            .filter(|_| option.as_deref().is_none_or(is_word))
            .map(|(name, number)| FrontEndVersion { name: name.to_owned(), number, option })
            .ok_or_else(|| {
                Error::input(format!(
                    "`{text}` is not a front end with a version, such as `java@1`"
                ))
            })
    }
}

impl FromStr for Scheme {
    type Err = Error;

    /// Reads what [`Display`](fmt::Display) writes, and nothing else.
    fn from_str(text: &str) -> Result<Scheme> {
        let wrong = |what: &str| {
            let text = shown(text);
            Error::input(format!(
                "`{text}` is not a scheme: {what}; one looks like `code:java@1/k=11,t=24/roc(r=2)/xxh3@2`"
            ))
        };
        if text.len() > LONGEST {
            return Err(wrong(&format!("it has {} bytes, and the limit is {LONGEST}", text.len())));
        }
        let (domain, rest) = text.split_once(':').ok_or_else(|| wrong("it has no `:`"))?;
        if !is_word(domain) {
            return Err(wrong("nothing stands before the `:`"));
        }
        let mut parts = rest.split('/');
        let front_ends = parts.next().filter(|names| !names.is_empty());
        let front_ends: Vec<FrontEndVersion> = match front_ends {
            Some(names) => names.split('+').map(str::parse).collect::<Result<_>>()?,
            None => Vec::new(),
        };
        let steps: Vec<String> = parts.map(str::to_owned).collect();
        if steps.is_empty() || !steps.iter().all(|step| is_step(step)) {
            return Err(wrong("its steps are not words and numbers between `/`"));
        }
        // `new` sorts the front ends and removes duplicates, so a difference shows that the text did not have them in
        // order.
        let scheme = Scheme::new(domain, front_ends.iter().cloned(), steps);
        if scheme.front_ends != front_ends {
            return Err(wrong("its front ends are not in order, each once"));
        }
        Ok(scheme)
    }
}

impl Serialize for Scheme {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Parses a number without a sign or leading zeros.
fn plain_number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}

/// Returns the part of a text that messages show.
fn shown(text: &str) -> &str {
    text.char_indices().nth(80).map_or(text, |(end, _)| &text[..end])
}

fn is_word(text: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(is_inner)
}

fn is_step(text: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || "-_=,.()@+".contains(c);
    !text.is_empty() && text.chars().all(is_inner)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_parts_of_a_scheme() {
        let text = "code:java@1+python@2/k=11,t=24/roc(r=2)/xxh3@2";
        let scheme: Scheme = text.parse().expect("a scheme");
        assert_eq!(scheme.domain(), "code");
        assert_eq!(
            scheme.front_ends(),
            [FrontEndVersion::new("java", 1), FrontEndVersion::new("python", 2)]
        );
        assert_eq!(scheme.steps_of("").expect("three"), ["k=11,t=24", "roc(r=2)", "xxh3@2"]);
        assert_eq!(scheme.to_string(), text);
        let error = scheme.steps_of::<1>("sift:words@1/mod(s=30)").expect_err("three");
        assert_eq!(
            error.to_string(),
            format!("scheme `{text}` has 3 steps, not 1, as in `sift:words@1/mod(s=30)`")
        );
    }

    #[test]
    fn front_ends_are_put_in_order() {
        let versions =
            [("python", 1), ("java", 1), ("java", 1)].map(|(n, v)| FrontEndVersion::new(n, v));
        assert_eq!(Scheme::new("code", versions, ["all"]).to_string(), "code:java@1+python@1/all");
        assert_eq!(Scheme::new("code", [], ["all"]).to_string(), "code:/all");
    }

    #[test]
    fn anything_else_is_refused() {
        for wrong in [
            "",
            "code",
            "code:",
            "code:java@1",
            "code:java@1/",
            "code:java@1//all",
            ":java@1/all",
            "Code:java@1/all",
            "code:java/all",
            "code:java@/all",
            "code:java@01/all",
            "code:java@+1/all",
            "code:java@-1/all",
            "code:java@1,/all",
            "code:java@1,rare,rare/all",
            "code:python@1+java@1/all",
            "code:java@1+java@1/all",
            "code:java@1/a b",
            "code:java@1/é",
        ] {
            assert!(wrong.parse::<Scheme>().is_err(), "{wrong}");
        }
        let long = format!("code:java@1/{}", "a".repeat(LONGEST));
        let error = long.parse::<Scheme>().expect_err("long").to_string();
        assert!(error.contains("the limit is 4096") && error.len() < 300, "{error}");
    }

    proptest! {
        #[test]
        fn what_is_read_is_written_the_same(
            text in "[a-z]{1,6}:([a-z]{1,4}@[0-9]{1,2}(,[a-z]{1,3})?\\+?){0,3}(/[a-z0-9=,.()@+-]{0,8}){0,4}",
        ) {
            if let Ok(scheme) = text.parse::<Scheme>() {
                prop_assert_eq!(scheme.to_string(), text);
            }
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in any::<String>()) {
            if let Ok(scheme) = text.parse::<Scheme>() {
                prop_assert_eq!(scheme.to_string(), text);
            }
        }
    }
}
