//! The promise of a run: the guarantee for its result, in words.

use super::search::FoundPairs;
use super::settings::{LEAST_CONTAINED, Linkage, Measure, Search, Settings};
use crate::recipe::Recipe;
use crate::short::ShortTexts;
use fanmill_text::Setting;
use fanmill_text::message;
use fanmill_text::message::Message;

/// Returns the promise of a run.
pub(super) fn promise(settings: &Settings, recipe: &Recipe, pairs: &FoundPairs) -> Message {
    let threshold = settings.measure.threshold().value();
    let short = match recipe.short_texts() {
        ShortTexts::Slips => "; documents of a few words differ by slips alone",
        ShortTexts::Shingles => "",
    };
    let counted = match (settings.measure, settings.linkage) {
        (Measure::Containment(_), Linkage::Centres) => format!(
            "at least {threshold} of each duplicate's shingles are in the document that stays in its place"
        ),
        (Measure::Resemblance(_), Linkage::Centres) => format!(
            "each duplicate resembles the document that stays in its place by at least {threshold}"
        ),
        (_, Linkage::Components) => format!(
            "each duplicate is linked to the document that stays in its place by a chain of pairs of at \
             least {threshold}"
        ),
    };
    let first = match settings.by_address {
        Some(_) => {
            "of documents with one address, the others go for the preferred one without a comparison; of the rest, "
        }
        None => "",
    };
    let exactly = "counted on all shingles; no document is a duplicate for being short or empty";
    message!["{first}{counted}, {exactly}{short}; ", found(settings, recipe, pairs)]
}

/// States which of the pairs that count are found.
fn found(settings: &Settings, recipe: &Recipe, pairs: &FoundPairs) -> Message {
    let threshold = settings.measure.threshold().value();
    let all = match settings.search {
        _ if settings.measure.is_containment() => {
            format!(
                "all such pairs are found whose smaller document has {LEAST_CONTAINED} shingles or more"
            )
        }
        Search::Exact => "all such pairs are found".to_owned(),
        Search::Sketches { .. } => match recipe.filter() {
            Some(filter) => format!(
                "of pairs at {threshold}, {:.2} % are expected to be found, and more of those above",
                100.0 * filter.probability(threshold)
            ),
            None => "all pairs are found whose samples have a shingle in common".to_owned(),
        },
    };
    let FoundPairs { n_large_buckets, n_unseen, .. } = pairs;
    if *n_large_buckets == 0 {
        return all.into();
    }
    message![
        "{all}, but in {n_large_buckets} groups of many documents with an equal key up to {n_unseen} pairs were \
         not looked at; ",
        Setting("exact"),
        " finds all"
    ]
}
