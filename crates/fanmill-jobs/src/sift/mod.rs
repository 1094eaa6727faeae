//! `sift`: texts that were changed on purpose, recognised under a key.
//!
//! One module for each thing that is done: [`add`] puts originals into a store, [`check`] asks about texts,
//! [`campaign`] groups messages, [`rekey`] makes a store's fingerprints again; [`list()`] and [`destroy()`] are
//! short. The key has a file of its own ([`key_file`]), and texts are what [`texts`] makes of
//! everything that can be given.

mod kinds;
pub mod texts;
pub mod key_file;
mod library;
mod places;
mod spool;
pub mod add;
pub mod campaign;
pub mod explain;
pub mod check;
pub mod rekey;
mod destroy;

use fanmill::Result;
use fanmill::frontend;
use fanmill::sift::profile::Profile;
use fanmill::sift::sifter::{Sifted, Sifter};
use fanmill::sift::similarity::Overlap;
use rayon::prelude::*;
use serde::de::{Deserialize, Deserializer, Error as _};

use texts::Text;

pub use destroy::destroy;
pub use library::read_without_key as list;

/// A text as an original: one of its readings.
#[derive(Debug)]
struct Original {
    /// Which.
    reading: usize,
    sifted: Sifted,
}

/// A reading says what an earlier one says if it shares at least this share of its values with that one, in some
/// family: then whatever is recognised by the one is recognised by the other
/// ([`Threshold::standard`](fanmill::sift::verdict::Threshold::standard)).
const SAME: f64 = 0.12;
/// What is between a text's name and the number of its reading, as if that lay inside of it.
const READING: &str = "!/reading ";

impl Original {
    /// Its name, of a text that has this one.
    fn name(&self, text: &str) -> String {
        match self.reading {
            0 => text.to_owned(),
            n => reading_name(text, n),
        }
    }

    /// Whether a reading says the same, or nothing.
    fn says(&self, other: &Sifted) -> bool {
        let families = other.likeness(&self.sifted).families;
        let share = families.into_iter().filter_map(Overlap::s2).reduce(f64::max);
        share.is_none_or(|share| share >= SAME)
    }
}

/// The name of another reading of a text, from 1.
fn reading_name(text: &str, reading: usize) -> String {
    format!("{text}{READING}{}", reading + 1)
}

/// The name of the text that an original is a reading of.
fn text_of(original: &str) -> &str {
    original.split_once(READING).map_or(original, |parts| parts.0)
}

/// What the texts of a batch are as originals, in its order: what most people see of each first, and then each
/// reading that says something that none before it says.
fn sift_all(sifter: &Sifter, batch: &[Text]) -> Vec<Vec<Original>> {
    let originals = |text: &Text| {
        let mut originals: Vec<Original> = Vec::new();
        for (reading, bytes) in text.readings().enumerate() {
            let sifted = sift(sifter, bytes);
            if reading == 0 || !originals.iter().any(|original| original.says(&sifted)) {
                originals.push(Original { reading, sifted });
            }
        }
        originals
    };
    batch.par_iter().map(originals).collect()
}

/// The fingerprints of one reading of a text.
fn sift(sifter: &Sifter, bytes: &[u8]) -> Sifted {
    sifter.sift(frontend::Text::new(bytes).as_str())
}

/// Reads a profile's name or text.
fn named_profile<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Option<Profile>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    let profile: Result<Option<Profile>> = text.as_deref().map(Profile::named).transpose();
    profile.map_err(D::Error::custom)
}
