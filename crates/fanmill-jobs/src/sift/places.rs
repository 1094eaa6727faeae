//! Look-up of a text in a store by its fingerprints, as a store holds no texts.

use std::hash::{DefaultHasher, Hash, Hasher};

use fanmill_sift::records::{Records, StoredIdx};
use fanmill_sift::sifter::Sifted;

/// A hash of each document's values, ascending, with the document's number.
#[derive(Debug)]
pub(super) struct Places(Vec<(u64, StoredIdx)>);

impl Places {
    pub(super) fn from_records(records: &Records) -> Places {
        let place = |document| (digest(&records.sifted(document)), document);
        let mut places: Vec<(u64, StoredIdx)> = (0..records.len() as u32).map(place).collect();
        places.sort_unstable();
        Places(places)
    }

    /// Returns the documents with the same values as a text, ascending.
    pub(super) fn equal<'s>(
        &'s self,
        records: &'s Records,
        sifted: &'s Sifted,
    ) -> impl Iterator<Item = StoredIdx> + 's {
        let digest = digest(sifted);
        let start = self.0.partition_point(|place| place.0 < digest);
        let alike = self.0[start..].iter().take_while(move |place| place.0 == digest);
        let is_equal = |place: &StoredIdx| values(&records.sifted(*place)).eq(values(sifted));
        alike.map(|place| place.1).filter(is_equal)
    }

    /// Returns the document that a text is; if several are equal, the one of this name, or else the first.
    pub(super) fn of_text(
        &self,
        records: &Records,
        name: &str,
        sifted: &Sifted,
    ) -> Option<StoredIdx> {
        let named = self.equal(records, sifted).find(|&place| records.name(place) == name);
        named.or_else(|| self.equal(records, sifted).next())
    }
}

fn digest(sifted: &Sifted) -> u64 {
    let mut hasher = DefaultHasher::new();
    values(sifted).for_each(|values| values.hash(&mut hasher));
    hasher.finish()
}

/// Returns the values of each family.
fn values(sifted: &Sifted) -> impl Iterator<Item = &[u64]> {
    sifted.families.iter().map(|kept| &*kept.values)
}
