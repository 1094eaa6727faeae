//! Which text of a store a text is, by its fingerprints: a store has no texts to compare with.

use std::collections::BTreeMap;

use fanmill::sift::sifter::Sifted;
use fanmill::sift::store::{Store, StoredIdx};

/// Where a store has fingerprints.
#[derive(Debug)]
pub(crate) struct Places(BTreeMap<Vec<Vec<u64>>, Vec<StoredIdx>>);

impl Places {
    pub(crate) fn of(store: &Store) -> Places {
        let mut places: BTreeMap<_, Vec<StoredIdx>> = BTreeMap::new();
        for document in 0..store.len() as u32 {
            places.entry(values(&store.sifted(document))).or_default().push(document);
        }
        Places(places)
    }

    /// Where a text is, by its name if several are equal.
    pub(crate) fn of_text(&self, store: &Store, name: &str, sifted: &Sifted) -> Option<StoredIdx> {
        let places = self.0.get(&values(sifted))?;
        let named = places.iter().find(|&&place| store.name(place) == name);
        named.or(places.first()).copied()
    }

    /// Puts a text's new fingerprints where its old ones are: those of its own name, and others that were
    /// equal and have none yet.
    pub(crate) fn fill(
        &self,
        store: &Store,
        name: &str,
        old: &Sifted,
        new: &Sifted,
        found: &mut [Option<Sifted>],
    ) {
        for &place in self.0.get(&values(old)).into_iter().flatten() {
            let slot = &mut found[place as usize];
            if slot.is_none() || store.name(place) == name {
                *slot = Some(new.clone());
            }
        }
    }
}

fn values(sifted: &Sifted) -> Vec<Vec<u64>> {
    sifted.families.iter().map(|kept| kept.values.clone()).collect()
}
