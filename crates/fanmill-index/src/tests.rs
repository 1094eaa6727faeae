//! Tests of an index as its users know it: documents that were added are found, whatever happens on the way.

mod by_fingerprint;
mod answers;
mod damage;
mod faults;
mod format;
mod keyed;
mod libraries;
mod merging;
mod promise;
mod upgrade;

use std::path::Path;

use fanmill_disk::replace::Disk;
use fanmill_text::document::{Corpus, Submission};
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Silent;

use crate::{Index, Search, Writer};

/// Returns documents of one file each, in prose.
fn documents<N: Into<String>>(texts: impl IntoIterator<Item = (N, String)>) -> Vec<Submission> {
    Corpus::from_texts(texts).expect("different names").submissions
}

/// Returns `n` words that only texts with this seed have.
fn words(seed: u64, n: usize) -> String {
    let word = |i: usize| {
        let number = fanmill_kernel::hash::mix::mix(seed << 32 | i as u64);
        let letters = (0..6).map(|j| char::from(b'a' + (number >> (8 * j)) as u8 % 26));
        letters.collect::<String>()
    };
    (0..n).map(word).collect::<Vec<_>>().join(" ")
}

fn add(folder: &Path, texts: &[(&str, String)]) {
    let mut writer = Writer::open(&Disk::default(), folder, None).expect("an index");
    let documents = documents(texts.iter().map(|(name, text)| (*name, text.clone())));
    writer.add(documents, &Registry::prose(), &Silent).expect("room");
    writer.close().expect("own folder");
}

/// The name of a text's source, with the bytes of its passages in both.
type Place = (String, Vec<[(u32, u32); 2]>);
type Places = Vec<Place>;

fn search_with(index: &Index, text: &str, search: &Search) -> fanmill_text::Result<Places> {
    let text = documents([("query", text.to_owned())]).remove(0);
    let answer = index.search(text, &Registry::prose(), search, &Silent)?;
    let places = answer.sources.into_iter().map(|source| {
        let matches = source.pair.passages.iter().flat_map(|passage| &passage.matches);
        let places = matches.map(|m| [(m.a.start, m.a.end), (m.b.start, m.b.end)]);
        (source.record.name, places.collect())
    });
    Ok(places.collect())
}

fn search(index: &Index, text: &str) -> Places {
    search_with(index, text, &Search::default()).expect("a sound index")
}

fn names(places: &[Place]) -> Vec<&str> {
    places.iter().map(|(name, _)| name.as_str()).collect()
}
