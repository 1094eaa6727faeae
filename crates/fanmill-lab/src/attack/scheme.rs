//! The schemes that are compared: recipes of fingerprints, with a short name each.

use fanmill::Error;
use fanmill::sift::canonical::Canonical;
use fanmill::sift::family::{Family, MAX_LENGTH, Shape};
use fanmill::sift::profile::Profile;
use fanmill::sift::thousandths::Thousandths;
use fanmill::sift::tokens::CommonWords;

use super::table2;

/// Most schemes of one run.
pub const MOST_SCHEMES: usize = 24;

/// A scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheme {
    /// In tables and legends.
    pub name: String,
    /// The recipe.
    pub profile: Profile,
}

impl Scheme {
    /// Reads a name (`standard`, `mail`, `paper-slide`, …) or the whole text of a profile.
    ///
    /// # Errors
    /// If it is neither.
    pub fn read(text: &str) -> fanmill::Result<Scheme> {
        if let Some(named) = named().into_iter().find(|scheme| scheme.name == text) {
            return Ok(named);
        }
        if !text.contains('/') {
            let names: Vec<String> = named().into_iter().map(|scheme| scheme.name).collect();
            return Err(Error::setting(format!(
                "unknown scheme `{text}`; use {}, or a whole profile such as `{}`",
                names.join(", "),
                Profile::standard()
            )));
        }
        Ok(Scheme { name: text.to_owned(), profile: text.parse()? })
    }

    /// The standard profile with other numbers: tokens of a gram, and the chance of a token to be taken.
    ///
    /// # Errors
    /// If they are out of bounds.
    pub fn of(length: u32, probability: Thousandths) -> fanmill::Result<Scheme> {
        let (l, p) = (length, probability);
        if !(1..=MAX_LENGTH).contains(&l) {
            return Err(Error::setting(format!(
                "--length {l} is out of bounds; use 1 to {MAX_LENGTH} tokens, such as 6"
            )));
        }
        let shapes = [Shape::Sliding { l }, Shape::Skipping { l, p }, Shape::Spaced { l, p }];
        let families = shapes
            .into_iter()
            .map(|shape| Family::new(shape, 1))
            .collect::<fanmill::Result<_>>()?;
        let reduction = Profile::standard().reduction();
        let profile = Profile::new(Canonical::Words, CommonWords::Kept, families, reduction)?;
        Ok(Scheme { name: format!("l={l} p={p}"), profile })
    }
}

/// The schemes that are compared if nobody asks for others: the standard one, the paper's four columns,
/// and mail.
pub fn named() -> Vec<Scheme> {
    let pure = table2::HALVES[0].1;
    let paper =
        [("paper-slide", 0), ("paper-skip", 1), ("paper-slide-part", 2), ("paper-skip-part", 3)];
    let paper =
        paper.map(|(name, column)| (name, table2::profile(pure, table2::COLUMNS[column].1)));
    let mut schemes = vec![("standard", Profile::standard())];
    schemes.extend(paper);
    schemes.push(("mail", Profile::mail()));
    schemes.into_iter().map(|(name, profile)| Scheme { name: name.to_owned(), profile }).collect()
}

/// A grid of lengths and probabilities around the standard profile. An empty list stands for the
/// standard's own number.
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
    fn names_and_profiles_are_read() {
        for scheme in named() {
            assert_eq!(Scheme::read(&scheme.name).expect("its own name"), scheme);
        }
        let profile = "words@1/slide(l=4)/min(m=50)";
        assert_eq!(Scheme::read(profile).expect("a profile").profile.to_string(), profile);
        for wrong in ["", "standart", "words@1/slide(l=4)"] {
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
