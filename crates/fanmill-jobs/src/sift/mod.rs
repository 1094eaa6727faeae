//! `sift`: recognises texts that were changed on purpose, under a secret key.
//!
//! There is a module for each operation: [`add`] adds originals to a store, [`check`] looks texts up and [`header`]
//! adds the answer to a message, [`remove`] and [`expire`] remove originals, [`campaign`] groups messages, [`rekey`]
//! makes a store's fingerprints again, and [`upgrade`] makes a new store from an old one; [`list()`] and [`destroy()`]
//! are functions. Keys are those of [`key_file`](crate::key_file), [`disk`](fanmill_sift::disk) is the store, and
//! [`texts`] reads texts from any input.

pub mod dates;
mod kinds;
pub mod texts;
pub mod reading;
mod places;
mod remade;
pub mod add;
pub mod campaign;
pub mod explain;
pub mod check;
pub mod header;
pub mod rekey;
pub mod upgrade;
pub mod remove;
pub mod expire;
mod destroy;

use fanmill_sift::sifter::{Sifted, Sifter};
use rayon::prelude::*;

use texts::Text;

pub use destroy::destroy;
pub use fanmill_sift::disk::read_without_key as list;

/// Fingerprints the texts of a batch as originals, in its order: as most programs show them.
///
/// Other readings are checked but never become originals: the plain text of many messages only says that the
/// reader's program should show HTML, and would make all such messages copies of each other.
fn sift_all(sifter: &Sifter, batch: &[Text]) -> Vec<Sifted> {
    batch.par_iter().map(|text| sift(sifter, text.original())).collect()
}

/// Returns the fingerprints of one reading of a text.
fn sift(sifter: &Sifter, bytes: &[u8]) -> Sifted {
    sifter.sift(sifter.text(bytes).as_str())
}
