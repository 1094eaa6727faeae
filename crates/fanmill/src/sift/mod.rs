//! Text sifting: recognising copies that somebody has disguised, by fingerprints under a secret key.
//!
//! A sliding window is defeated by one change in every window. Grams that pass over tokens as a secret
//! key decides are not: nobody without the key knows which changes matter, and an attacker is left with
//! making many.
//!
//! ```text
//! key → canonical → tokens → formation (sliding, skipping, spaced; partition) → reduce → similarity
//! ```
//!
//! | step | the paper's word | here |
//! |---|---|---|
//! | what any change at no cost leaves | preprocessing, canonical form | [`canonical`] |
//! | keyed values of words or letters | token hashes | [`tokens`] |
//! | groups of tokens in order, not always neighbours | clusters; cluster formation | grams: [`sliding`], [`skipping`], [`spaced`], [`whole`], [`partition`] |
//! | their keyed hashes, and which of them are kept | cluster hashes, sifting | [`reduce`] |
//! | S1, S2, S3 | the same | [`similarity`] |
//! | a threshold | what it takes to be called a copy | [`verdict`] |
//!
//! A [`Profile`](profile::Profile) is a whole recipe, a [`Sifter`](sifter::Sifter) makes fingerprints by one
//! under a [`Key`](key::Key), a [`Store`](store::Store) holds those of many documents.
//!
//! ```
//! use fanmill::sift::key::Key;
//! use fanmill::sift::profile::Profile;
//! use fanmill::sift::sifter::Sifter;
//!
//! # let entropy = std::array::from_fn(|i| i as u8);
//! let key = Key::new(entropy)?; // 32 bytes from the operating system's random source
//! let sifter = Sifter::new(&Profile::standard(), &key);
//! let original: String = (0..900).map(|i| format!("word{} ", i * i % 1009)).collect();
//! let disguised = original.replace("7 ", "7 very ");
//! let likeness = sifter.sift(&original).likeness(&sifter.sift(&disguised));
//! assert!(likeness.s3() > Some(0.3));
//! # Ok::<(), fanmill::Error>(())
//! ```

pub mod key;
pub mod thousandths;
pub mod canonical;
pub mod tokens;
pub mod formation;
pub mod sliding;
mod repeats;
pub mod skipping;
pub mod spaced;
pub mod whole;
pub mod partition;
pub mod family;
pub mod reduce;
pub mod similarity;
pub mod profile;
pub mod sifter;
pub mod records;
mod postings;
pub mod store;
pub mod store_file;
pub mod verdict;
