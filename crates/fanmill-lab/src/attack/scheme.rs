//! The schemes that are compared: profiles with short names.

use fanmill::Error;
use fanmill::sift::family::{Family, Shape};
use fanmill::sift::profile::Profile;
use fanmill::sift::thousandths::Thousandths;

use super::table2;

/// Maximum number of schemes in a run.
pub const MOST_SCHEMES: usize = 24;

/// A scheme.
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
    pub fn read(text: &str) -> fanmill::Result<Scheme> {
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

    /// The standard profile with other numbers: tokens per gram, and the probability of taking a token.
    ///
    /// # Errors
    /// If they are out of bounds.
    pub fn of(length: u32, probability: Thousandths) -> fanmill::Result<Scheme> {
        let (l, p) = (length, probability);
        let standard = Profile::standard();
        let family = |family: &Family| match family.shape() {
            Shape::Sliding { .. } => Family::new(Shape::Sliding { l }, 1),
            Shape::Skipping { .. } => Family::new(Shape::Skipping { l, p }, 1),
            Shape::Spaced { .. } => Family::new(Shape::Spaced { l, p }, 1),
            Shape::Variable { .. } | Shape::Whole { .. } => Ok(*family),
        };
        let families = standard.families().iter().map(family).collect::<fanmill::Result<_>>()?;
        let (form, common) = (standard.canonical(), standard.common_words());
        let profile = Profile::new(form, common, families, standard.reduction())?;
        Ok(Scheme { name: format!("l={l} p={p}"), profile })
    }
}

/// The default schemes: the standard one, the paper's four columns, and mail.
pub fn named() -> Vec<Scheme> {
    let of = |name: &str, profile| Scheme { name: name.to_owned(), profile };
    let mut schemes = vec![of("standard", Profile::standard())];
    schemes.extend(paper());
    schemes.push(of("mail", Profile::mail()));
    schemes
}

/// The paper's four columns, with pure hashing.
fn paper() -> Vec<Scheme> {
    let names = ["paper-slide", "paper-skip", "paper-slide-part", "paper-skip-part"];
    let (_, reduction) = table2::HALVES[0];
    let scheme = |(name, (_, family)): (&str, &(&str, &str))| Scheme {
        name: name.to_owned(),
        profile: table2::profile(reduction, family),
    };
    names.into_iter().zip(&table2::COLUMNS).map(scheme).collect()
}

/// A grid of lengths and probabilities around the standard profile. For an empty list, the standard's own
/// number is used.
///
/// # Errors
/// If a number is out of bounds.
pub fn grid(lengths: &[u32], probabilities: &[Thousandths]) -> fanmill::Result<Vec<Scheme>> {
    let lengths = if lengths.is_empty() { &[6][..] } else { lengths };
    let probabilities =
        if probabilities.is_empty() { &[Thousandths(200)][..] } else { probabilities };
    let pairs = lengths.iter().flat_map(|&l| probabilities.iter().map(move |&p| (l, p)));
    pairs.map(|(l, p)| Scheme::of(l, p)).collect()
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
    fn a_grid_has_the_standard_profile_in_its_middle() {
        let schemes = grid(&[4, 6], &[Thousandths(200), Thousandths(300)]).expect("in bounds");
        let names: Vec<&str> = schemes.iter().map(|scheme| &*scheme.name).collect();
        assert_eq!(names, ["l=4 p=0.2", "l=4 p=0.3", "l=6 p=0.2", "l=6 p=0.3"]);
        assert_eq!(schemes[2].profile, Profile::standard());
        assert_eq!(grid(&[], &[]).expect("in bounds")[0].profile, Profile::standard());
        assert!(grid(&[0], &[]).is_err() && grid(&[65], &[]).is_err());
        assert!(grid(&[], &[Thousandths(0)]).is_err());
    }
}
