//! Decontamination of texts in memory.

use std::ops::Range;

use fanmill_text::Result;
use fanmill_text::progress::Progress;
use fanmill_text::scheme::Scheme;
use rayon::prelude::*;

use super::find::GramCounts;
use super::grams::Grams;
use super::hits::{ContaminationCheck, Hit, Room};
use super::items::Items;
use super::shared::{Shared, is_too_short};
use super::{Settings, summary};
use crate::dedup;
use crate::job::Steps;

/// Texts that are processed together; a run can be cancelled between two parts.
const PART: usize = 1 << 10;

/// Findings about texts and items.
#[derive(Debug)]
#[non_exhaustive]
pub struct Contamination {
    /// For each text, whether it shares a run that counts with an item.
    pub texts: Vec<bool>,
    /// The runs, by text and then by item.
    pub runs: Vec<FoundRun>,
    /// The items that have words.
    pub items: Vec<FoundItem>,
    /// The recipe by which texts became runs of words.
    pub scheme: Scheme,
    /// The guarantee for the result, in words.
    pub promise: String,
}

/// A run of words that a text shares with an item. Places are in bytes, from white space to white space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundRun {
    /// The number of the text.
    pub text: usize,
    /// The number of the item.
    pub item: usize,
    /// Its length in words.
    pub n_words: u32,
    /// Its place in the text.
    pub place: Range<usize>,
    /// Its place in the item.
    pub item_place: Range<usize>,
    /// Its beginning, as it is in the text.
    pub shown: String,
}

/// An item that has words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundItem {
    /// Its number.
    pub item: usize,
    /// Its length in words.
    pub n_words: usize,
    /// Number of texts that share a run with it that counts.
    pub n_documents: u32,
    /// Length of the longest of these runs, in words; 0 if there is none.
    pub longest: u32,
    /// Number of its windows that do not count because too many texts have them.
    pub n_common: u32,
    /// True if it counts only where it is a whole line of a text, or all of it.
    pub is_too_short: bool,
}

/// Finds the texts that share a run of words with items, with the result that [`run`](super::run) gives for them.
///
/// The settings' mode, strictness and memory have no effect here. Memory holds the texts and items, and about 60 bytes
/// for each word of the items.
///
/// ```
/// use fanmill_corpus::decontaminate::{self, Settings};
/// use fanmill_text::progress::Silent;
///
/// let texts = ["as everybody knows: which fish is red and swims in a bowl at night?", "no fish"];
/// let items = ["Which fish is red, and swims in a bowl at night?"];
/// let found = decontaminate::in_memory(texts, items, &Settings::standard(), &Silent)?;
/// assert_eq!(found.texts, [true, false]);
/// assert_eq!((found.runs[0].n_words, found.items[0].n_documents), (11, 1));
/// # Ok::<(), fanmill_text::Error>(())
/// ```
///
/// # Errors
/// If settings contradict each other; if there are 2^32 - 1 texts, items, or words of items or more; if the run is
/// cancelled.
pub fn in_memory<T: AsRef<str> + Sync>(
    texts: impl IntoIterator<Item = T>,
    items: impl IntoIterator<Item = T>,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Contamination> {
    let settings = &Settings { memory: usize::MAX, ..*settings };
    settings.check_values()?;
    let (mut all, mut of_items) = (Vec::new(), Vec::new());
    dedup::collect(items, &mut of_items, progress)?;
    dedup::collect(texts, &mut all, progress)?;
    let steps = Steps::new(progress);
    steps.begin("reading", all.len() as u64)?;
    let mut items = Items::new(settings, vec![String::new()])?;
    for (number, item) in (0..).zip(&of_items) {
        steps.check()?;
        items.push(item.as_ref(), Some(""), (0, number));
        items.check(settings.memory)?;
    }
    let grams = Grams::new(&items, settings.min_words);
    let counts = count(&all, &items, &grams, settings, &steps)?;
    let look = ContaminationCheck { items: &items, grams: &grams, counts: &counts };
    steps.begin("comparing", all.len() as u64)?;
    found(&all, look, settings, &steps)
}

/// Counts the texts that have each gram.
fn count<T: AsRef<str> + Sync>(
    texts: &[T],
    items: &Items,
    grams: &Grams,
    settings: &Settings,
    steps: &Steps<'_>,
) -> Result<GramCounts> {
    let mut counts = GramCounts::new(grams, settings);
    let mut first = 0;
    for part in texts.chunks(PART) {
        steps.check()?;
        let is_hit = part.par_iter().map_init(Room::default, |(scratch, met), text| {
            grams.of_text(text.as_ref(), items, scratch, met);
            counts.count(met);
            !met.is_empty()
        });
        let is_hit: Vec<bool> = is_hit.collect();
        let hits = (first..).zip(is_hit).filter(|(_, is_hit)| *is_hit);
        hits.for_each(|(document, _)| counts.add_hit(document));
        first += part.len() as u32;
        steps.advance(part.len() as u64);
    }
    Ok(counts)
}

/// Lists what texts and items share.
fn found<T: AsRef<str> + Sync>(
    texts: &[T],
    look: ContaminationCheck<'_>,
    settings: &Settings,
    steps: &Steps<'_>,
) -> Result<Contamination> {
    let (mut shared, mut is_contaminated, mut runs) =
        (Shared::new(look), vec![false; texts.len()], Vec::new());
    let row = |item: u32| look.items.place(item as usize).1 as usize - 1;
    for documents in look.counts.hits(0, texts.len()).chunks(PART) {
        steps.check()?;
        let hits = documents.par_iter().map_init(Room::default, |room, &document| {
            let text = texts[document as usize].as_ref();
            look.grams.of_text(text, look.items, &mut room.0, &mut room.1);
            look.hit(document, "", text, room)
        });
        let hits: Vec<Option<Hit>> = hits.collect();
        for hit in hits.into_iter().flatten() {
            shared.note(&hit);
            let text = hit.document as usize;
            is_contaminated[text] = true;
            runs.extend(hit.runs.into_iter().map(|own| FoundRun {
                text,
                item: row(own.run.item),
                n_words: own.run.n_words,
                place: own.place,
                item_place: own.item_place,
                shown: own.text,
            }));
        }
    }
    let items = (0..).zip(&shared.of_items).map(|(item, own)| FoundItem {
        item: row(item),
        n_words: look.items.range(item as usize).len(),
        n_documents: own.n_documents,
        longest: own.longest,
        n_common: own.n_common,
        is_too_short: is_too_short(look.items, item as usize, settings.min_words),
    });
    Ok(Contamination {
        texts: is_contaminated,
        runs,
        items: items.collect(),
        scheme: summary::scheme(settings),
        promise: summary::promise(settings),
    })
}
