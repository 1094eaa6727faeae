//! The schemes that are compared: profiles with short names.

use fanmill_sift::family::{Family, Shape};
use fanmill_sift::profile::Profile;
use fanmill_sift::reduce::Reduction;
use fanmill_sift::thousandths::Thousandths;
use fanmill_text::Error;

use super::table2;

/// Maximum number of schemes in a run.
pub const MOST_SCHEMES: usize = 24;

/// A profile with a short name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheme {
    /// Its name in tables and legends.
    pub name: String,
    /// The profile.
    pub profile: Profile,
}

impl Scheme {
    /// Parses a name (`standard`, `short`, `mail`, `paper-slide`, …) or the whole text of a profile.
    ///
    /// # Errors
    /// If it is neither.
    pub fn read(text: &str) -> fanmill_text::Result<Scheme> {
        if let Some(found) = paper().into_iter().find(|scheme| scheme.name == text) {
            return Ok(found);
        }
        if text.starts_with("paper") && !text.contains('/') {
            let names: Vec<String> = paper().into_iter().map(|scheme| scheme.name).collect();
            return Err(Error::setting(format!(
                "unknown scheme `{text}`; the paper's are {}",
                names.join(", ")
            )));
        }
        Ok(Scheme { name: text.to_owned(), profile: Profile::named(text)? })
    }

    /// Returns the profile with the given numbers in place of its own: tokens per gram, the probability of taking a
    /// token, and the reduction. Variable grams and whole texts stay as they are.
    ///
    /// # Errors
    /// If they are out of bounds.
    fn varied(&self, varied: ProfileOverrides) -> fanmill_text::Result<Scheme> {
        let other = |family: &Family| {
            let length = |l| varied.length.unwrap_or(l);
            let chance = |p| varied.probability.unwrap_or(p);
            let shape = match family.shape() {
                Shape::Sliding { l } => Shape::Sliding { l: length(l) },
                Shape::Skipping { l, p } => Shape::Skipping { l: length(l), p: chance(p) },
                Shape::Spaced { l, p } => Shape::Spaced { l: length(l), p: chance(p) },
                shape @ (Shape::Variable { .. } | Shape::Whole { .. }) => shape,
            };
            Family::new(shape, family.parts())
        };
        let profile = &self.profile;
        let families = profile.families().iter().map(other).collect::<fanmill_text::Result<_>>()?;
        let reduction = varied.reduction.unwrap_or(profile.reduction());
        let (form, common) = (profile.canonical(), profile.common_words());
        let profile = Profile::new(form, common, families, reduction)?;
        let names = [
            varied.length.map(|l| format!("l={l}")),
            varied.probability.map(|p| format!("p={p}")),
            varied.reduction.map(|reduction| reduction.to_string()),
        ];
        let names = [Some(self.name.clone())].into_iter().chain(names).flatten();
        let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
        Ok(Scheme { name: names.join(" "), profile })
    }
}

/// Numbers that replace those of a profile.
#[derive(Debug, Clone, Copy)]
struct ProfileOverrides {
    length: Option<u32>,
    probability: Option<Thousandths>,
    reduction: Option<Reduction>,
}

/// Returns the default schemes: the standard one, the paper's four columns, and mail.
pub fn named() -> Vec<Scheme> {
    let of = |name: &str, profile| Scheme { name: name.to_owned(), profile };
    let mut schemes = vec![of("standard", Profile::standard())];
    schemes.extend(paper());
    schemes.push(of("mail", Profile::mail()));
    schemes
}

/// Returns the paper's four columns, with pure hashing.
fn paper() -> Vec<Scheme> {
    let names = ["paper-slide", "paper-skip", "paper-slide-part", "paper-skip-part"];
    let (_, reduction) = table2::HALVES[0];
    let scheme = |(name, (_, family)): (&str, &(&str, &str))| Scheme {
        name: name.to_owned(),
        profile: table2::profile(reduction, family),
    };
    names.into_iter().zip(&table2::COLUMNS).map(scheme).collect()
}

/// Returns each scheme with each length, each probability and each reduction; an empty list keeps the scheme's own.
/// Without schemes, the standard profile is varied.
///
/// # Errors
/// If a number is out of bounds.
pub fn grid(
    schemes: &[Scheme],
    lengths: &[u32],
    probabilities: &[Thousandths],
    reductions: &[Reduction],
) -> fanmill_text::Result<Vec<Scheme>> {
    let standard = [Scheme { name: String::new(), profile: Profile::standard() }];
    let schemes = if schemes.is_empty() { &standard } else { schemes };
    let mut grid = Vec::new();
    for scheme in schemes {
        for length in each(lengths) {
            for probability in each(probabilities) {
                for reduction in each(reductions) {
                    grid.push(scheme.varied(ProfileOverrides {
                        length,
                        probability,
                        reduction,
                    })?);
                }
            }
        }
    }
    Ok(grid)
}

/// Returns each element of a list, or `None` once if the list is empty.
fn each<T: Copy>(list: &[T]) -> Vec<Option<T>> {
    if list.is_empty() { vec![None] } else { list.iter().copied().map(Some).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_profiles_are_parsed() {
        for scheme in named() {
            assert_eq!(Scheme::read(&scheme.name).expect("its own name"), scheme);
        }
        let profile = "words@1/slide(l=4)/min(m=50)";
        assert_eq!(Scheme::read(profile).expect("a profile").profile.to_string(), profile);
        for wrong in ["", "standart", "paper", "words@1/slide(l=4)"] {
            assert!(Scheme::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_grid_varies_each_scheme() {
        let names = |schemes: &[Scheme]| -> Vec<String> {
            schemes.iter().map(|scheme| scheme.name.clone()).collect()
        };
        let [p2, p3] = [200, 300].map(Thousandths);
        let schemes = grid(&[], &[4, 6], &[p2, p3], &[]).expect("in bounds");
        assert_eq!(names(&schemes), ["l=4 p=0.2", "l=4 p=0.3", "l=6 p=0.2", "l=6 p=0.3"]);
        let some = ["short", "mail"].map(|name| Scheme::read(name).expect("a name"));
        let reduction = "min(m=9)".parse().expect("a reduction");
        let schemes = grid(&some, &[5], &[], &[reduction]).expect("in bounds");
        assert_eq!(names(&schemes), ["short l=5 min(m=9)", "mail l=5 min(m=9)"]);
        let text = schemes[1].profile.to_string();
        assert!(text.contains("slide(l=5)+") && text.ends_with("/min(m=9)"), "{text}");
        assert_eq!(grid(&some, &[], &[], &[]).expect("in bounds"), some);
        assert!(grid(&[], &[0], &[], &[]).is_err() && grid(&[], &[65], &[], &[]).is_err());
        assert!(grid(&[], &[], &[Thousandths(0)], &[]).is_err());
    }
}
