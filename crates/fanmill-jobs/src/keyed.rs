//! The keys by which near-duplicates of a text are found in an index: those of the sketches of `dedup`.

use std::sync::Arc;

use fanmill_corpus::recipe::{Recipe, Scratch};
use fanmill_index::{Keyer, Writer};
use fanmill_text::Result;
use fanmill_text::document::Submission;
use fanmill_text::scheme::Scheme;

/// If an index has keys, makes them for the documents that are added to it.
///
/// # Errors
/// If they are of a scheme that this release does not make.
pub(crate) fn go_on(writer: &mut Writer) -> Result<()> {
    let Some(scheme) = writer.index().key_scheme() else { return Ok(()) };
    let recipe = Recipe::of_scheme(&scheme.parse::<Scheme>()?)?;
    writer.make_keys(keyer(Arc::new(recipe)))
}

/// Makes keys by a recipe.
pub(crate) fn keyer(recipe: Arc<Recipe>) -> Keyer {
    let scheme = recipe.scheme().to_string();
    Keyer::new(scheme, move |document: &Submission| {
        keys(&recipe, &text_of(document), &mut Scratch::default())
    })
}

/// The keys of a text: one of each band, and one that equal texts have, words or none.
pub(crate) fn keys(recipe: &Recipe, text: &str, scratch: &mut Scratch) -> Vec<u64> {
    let has_bands = recipe.bands().is_some_and(|bands| bands.bands() > 1);
    let of_band = |(band, &key): (usize, &u64)| {
        // Equal keys of two bands have nothing to do with each other.
        if has_bands { key.wrapping_add((band as u64) << 56) } else { key }
    };
    let mut keys: Vec<u64> =
        recipe.keys(text, scratch).keys.iter().enumerate().map(of_band).collect();
    let hash = blake3::hash(text.as_bytes());
    keys.push(hash.as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)));
    keys
}

/// The text of a document: of its files one after the other.
pub(crate) fn text_of(document: &Submission) -> String {
    let texts = document.documents.iter().map(|file| String::from_utf8_lossy(&file.bytes));
    texts.collect::<Vec<_>>().join("\n")
}
