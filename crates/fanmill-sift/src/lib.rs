//! Text sifting: recognising copies that someone has disguised, by fingerprints under a secret key.
//!
//! A sliding window is defeated by one change in every window. Grams that skip tokens as a secret key decides are not
//! defeated so easily: without the key, an attacker does not know which changes matter, and has to make many.
//!
//! ```text
//! key → canonical → tokens → formation (sliding, skipping, spaced; partition) → reduce → similarity
//! ```
//!
//! | step | the paper's word | here |
//! |---|---|---|
//! | undoing changes that cost nothing | preprocessing, canonical form | [`canonical`] |
//! | keyed hashes of words or letters | token hashes | [`tokens`] |
//! | groups of tokens in document order, not always adjacent | clusters; cluster formation | grams: [`sliding`], [`skipping`], [`spaced`], [`whole`], [`partition`] |
//! | keyed hashes of grams, and the choice of those kept | cluster hashes, sifting | [`reduce`] |
//! | S1, S2, S3 | S1, S2, S3 | [`similarity`] |
//! | deciding by a threshold | left to the application | [`verdict`] |
//!
//! A [`Profile`](profile::Profile) is a complete recipe. A [`Sifter`](sifter::Sifter) makes fingerprints by
//! a profile under a [`Key`](key::Key), and a [`Store`](store::Store) holds those of many documents. `disk` (a feature) keeps one in files, and [`leaders`]
//! groups variants of one message.
//!
//! ```
//! use fanmill_sift::key::Key;
//! use fanmill_sift::profile::Profile;
//! use fanmill_sift::sifter::Sifter;
//!
//! # let entropy = std::array::from_fn(|i| i as u8);
//! let key = Key::new(entropy)?; // 32 bytes from the operating system's random source
//! let sifter = Sifter::new(&Profile::standard(), &key);
//! let original: String = (0..900).map(|i| format!("word{} ", i * i % 1009)).collect();
//! let disguised = original.replace("7 ", "7 very ");
//! let likeness = sifter.sift(&original).likeness(&sifter.sift(&disguised));
//! assert!(likeness.s3() > Some(0.3));
//! # Ok::<(), fanmill_text::Error>(())
//! ```

#![forbid(unsafe_code)]

pub mod key;
pub mod thousandths;
pub mod canonical;
pub mod tokens;
pub mod formation;
pub mod sliding;
mod repeats;
pub mod skipping;
mod side_by_side;
pub mod spaced;
pub mod whole;
pub mod partition;
mod batch;
pub mod family;
pub mod reduce;
pub mod similarity;
pub mod profile;
pub mod sifter;
pub mod records;
pub mod encoding;
mod postings;
pub mod store;
pub mod store_file;
pub mod verdict;
pub mod leaders;
#[cfg(feature = "disk")]
pub mod disk;
