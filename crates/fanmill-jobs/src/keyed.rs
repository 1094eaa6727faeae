//! The keys by which an index finds near-duplicates of a text: those of the sketches of `dedup`.

use std::sync::Arc;

use fanmill_corpus::recipe::{Recipe, Scratch};
use fanmill_index::{Keyer, Writer};
use fanmill_text::Result;
use fanmill_text::document::Submission;
use fanmill_text::scheme::Scheme;

/// Makes keys for the documents that are added to an index, if it has keys.
///
/// # Errors
/// If their scheme is one that this release cannot make.
pub(crate) fn go_on(writer: &mut Writer) -> Result<()> {
    let Some(scheme) = writer.index().key_scheme() else { return Ok(()) };
    let recipe = Recipe::from_scheme(&scheme.parse::<Scheme>()?)?;
    writer.make_keys(keyer(Arc::new(recipe)))
}

/// Returns a keyer that makes keys by a recipe.
pub(crate) fn keyer(recipe: Arc<Recipe>) -> Keyer {
    let scheme = recipe.scheme().to_string();
    Keyer::new(scheme, move |document: &Submission| {
        keys(&recipe, &text_of(document), &mut Scratch::default())
    })
}

/// Returns the keys of a text: one for each band, and one that equal texts share even if they have no words.
pub(crate) fn keys(recipe: &Recipe, text: &str, scratch: &mut Scratch) -> Vec<u64> {
    let has_bands = recipe.bands().is_some_and(|bands| bands.bands() > 1);
    let of_band = |(band, &key): (usize, &u64)| {
        // Equal keys of two bands are unrelated, so the band is added.
        if has_bands { key.wrapping_add((band as u64) << 56) } else { key }
    };
    let mut keys: Vec<u64> =
        recipe.keys(text, scratch).keys.iter().enumerate().map(of_band).collect();
    let hash = blake3::hash(text.as_bytes());
    keys.push(hash.as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)));
    keys
}

/// Returns the text of a document: the texts of its files, one after the other.
pub(crate) fn text_of(document: &Submission) -> String {
    let texts = document.documents.iter().map(|file| String::from_utf8_lossy(&file.bytes));
    texts.collect::<Vec<_>>().join("\n")
}
