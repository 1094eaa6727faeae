//! Documents of one address: the preferred one is compared with other documents, and the others go for it.
//!
//! They are found before texts are compared. So a document that goes for its address removes nothing by its text, and is
//! in the cluster of the document that is preferred for that address: it goes for the document that stays there. Of
//! documents with one address, the rule for which document stays prefers one, and of equals the first does. Documents
//! without an address are in no group.
//!
//! Cost: a sort of 44 bytes a document with an address, on disk beyond the budget, and 2 bits of memory a document. The
//! chance that two of a billion addresses have equal hashes by accident is 2e-21, and nobody can bring it about: the key
//! is not known before the last text and the last address are written ([`Secret`]).

use fanmill_text::Result;

use super::addresses::{Address, AddressCounts};
use super::context::Context;
use super::groups::{Groups, PairSorter};
use super::log::{Entry, Log};
use super::secret::Secret;
use crate::spill::column::Scratch;
use crate::spill::{Bits, Sorter};

/// A document with an address in the form in which it is sorted: the hash of its address, its rank in the order of
/// preference and its number, and the hash of its text.
type Item = (u128, (u64, u32), u128);

/// The documents that go for others with their address.
#[derive(Debug)]
pub(super) struct SameAddress {
    /// All of these documents.
    pub(super) removed: Bits,
    /// Those of them that have the text of the document that is preferred for their address.
    has_same_text: Bits,
    groups: Option<Groups>,
    /// Number of documents that go.
    pub(super) n: u64,
    /// Number of those that have another text than the preferred document.
    pub(super) n_with_other_text: u64,
}

impl SameAddress {
    /// Creates the result of a run that does not look at addresses.
    pub(super) fn none() -> SameAddress {
        let (removed, has_same_text) = <_>::default();
        SameAddress { removed, has_same_text, groups: None, n: 0, n_with_other_text: 0 }
    }

    /// Finds them among the documents of a log, if the settings ask for them.
    pub(super) fn from_log(
        run: &Context<'_>,
        log: &Log,
        secret: &Secret,
        n_documents: u32,
    ) -> Result<SameAddress> {
        if run.settings.by_address.is_none() {
            return Ok(SameAddress::none());
        }
        let mut grouping = Grouping::new(run);
        let (mut frames, mut document) = (log.frames()?, 0_u32);
        while let Some(frame) = frames.next()? {
            run.steps.check()?;
            for entry in frame.records() {
                if let Entry::Document { digest, rank, address, .. } = entry {
                    grouping.push(secret, &digest, &address, (rank, document))?;
                }
                document += 1;
            }
        }
        grouping.finish(n_documents)
    }

    /// Passes the documents that go for `document` by their address to `see`, ascending, each with whether it has the
    /// same text.
    pub(super) fn each(
        &self,
        document: u32,
        mut see: impl FnMut(u32, bool) -> Result<()>,
    ) -> Result<()> {
        let Some(groups) = &self.groups else { return Ok(()) };
        let mut scratch = Scratch::default();
        let others = groups.of(document, &mut scratch)?;
        others.iter().try_for_each(|&other| see(other, self.has_same_text.contains(other)))
    }

    /// Completes the counts of documents by their addresses.
    pub(super) fn counts(&self, counts: AddressCounts) -> AddressCounts {
        AddressCounts { removed: self.n, with_other_text: self.n_with_other_text, ..counts }
    }

    /// Iterates over the documents for which others go by their address, ascending.
    pub(super) fn preferred(&self) -> impl Iterator<Item = u32> + '_ {
        self.groups.iter().flat_map(Groups::heads)
    }
}

/// The documents with an address being grouped.
pub(super) struct Grouping<'a> {
    run: &'a Context<'a>,
    items: Sorter<Item>,
}

impl<'a> Grouping<'a> {
    pub(super) fn new(run: &'a Context<'a>) -> Grouping<'a> {
        Grouping { run, items: Sorter::new(run.spill, run.settings.memory / 2) }
    }

    /// Adds a document by its text and address, with its rank in the order of preference and its number.
    pub(super) fn push(
        &mut self,
        secret: &Secret,
        text: &[u8; 32],
        address: &Address,
        place: (u64, u32),
    ) -> Result<()> {
        match address {
            Address::Canonical(digest) => {
                self.items.push((secret.of_digest(digest), place, secret.of_digest(text)))
            }
            Address::Missing | Address::Unusable => Ok(()),
        }
    }

    /// Finds the groups; documents are numbered below `n_documents`.
    pub(super) fn finish(self, n_documents: u32) -> Result<SameAddress> {
        let Grouping { run, items } = self;
        let (spill, memory) = (run.spill, run.settings.memory / 2);
        let none = || Bits::new(n_documents as usize);
        let mut found =
            SameAddress { removed: none(), has_same_text: none(), ..SameAddress::none() };
        let mut pairs = PairSorter::new(spill, memory / 4);
        let mut preferred: Option<Item> = None;
        // Documents of one address are neighbours, and the preferred one comes first.
        for item in items.sorted()? {
            run.steps.check()?;
            let item = item?;
            let Some((_, (_, head), text)) = preferred.filter(|head| head.0 == item.0) else {
                preferred = Some(item);
                continue;
            };
            let (_, (_, document), own_text) = item;
            found.removed.insert(document);
            found.n += 1;
            if own_text == text {
                found.has_same_text.insert(document);
            } else {
                found.n_with_other_text += 1;
            }
            pairs.push((head, document))?;
        }
        found.groups = Some(Groups::gather(pairs, n_documents, (spill, memory / 16))?);
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use fanmill_text::progress::Silent;
    use proptest::prelude::*;

    use super::super::secret::Secrets;
    use super::super::settings::Settings;
    use super::*;
    use crate::job::Steps;
    use crate::reference_split::ReferenceSplit;

    /// A document: the number of its address (of which 0 is none, and 1 unusable), its rank, and the number of its text.
    type Doc = (u8, u64, u8);

    /// Pairs of a document that is preferred and one that goes for it, with whether they have the same text.
    type Gone = Vec<(u32, u32, bool)>;

    fn naive(documents: &[Doc]) -> Gone {
        let mut groups: BTreeMap<u8, Vec<(u64, u32, u8)>> = BTreeMap::new();
        for (number, &(address, rank, text)) in (0..).zip(documents) {
            groups.entry(address).or_default().push((rank, number, text));
        }
        let mut gone = Gone::new();
        for group in groups.range(2..).map(|(_, group)| group) {
            let head = group.iter().min().expect("groups are not empty");
            let others = group.iter().filter(|one| one.1 != head.1);
            gone.extend(others.map(|other| (head.1, other.1, head.2 == other.2)));
        }
        gone.sort_unstable();
        gone
    }

    fn found(documents: &[Doc], memory: usize, spill: &Path) -> SameAddress {
        let settings = Settings::standard().with(|settings| settings.memory = memory);
        let (recipe, steps) = (settings.recipe().expect("a recipe"), Steps::new(&Silent));
        let (settings, recipe, steps) = (&settings, &recipe, &steps);
        let context = Context { settings, recipe, steps, sides: ReferenceSplit::default(), spill };
        let (mut grouping, secret) = (Grouping::new(&context), Secrets::default().secret());
        for (number, &(address, rank, text)) in (0..).zip(documents) {
            let address = match address {
                0 => Address::Missing,
                1 => Address::Unusable,
                _ => Address::Canonical([address; 32]),
            };
            grouping.push(&secret, &[text; 32], &address, (rank, number)).expect("pushed");
        }
        grouping.finish(documents.len() as u32).expect("found")
    }

    proptest! {
        #[test]
        fn groups_are_the_naive_ones_with_any_memory(
            documents in prop::collection::vec((0_u8..9, 0_u64..3, 0_u8..3), 0..200),
            memory in prop::sample::select(vec![1 << 8, 1 << 12, 1 << 20]),
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let expected = naive(&documents);
            let found = found(&documents, memory, folder.path());
            let mut gone = Gone::new();
            for head in found.preferred() {
                let each = found.each(head, |other, same| {
                    gone.push((head, other, same));
                    Ok(())
                });
                each.expect("read");
            }
            prop_assert_eq!(&gone, &expected);
            let mut removed: Vec<u32> = expected.iter().map(|&(_, other, _)| other).collect();
            removed.sort_unstable();
            prop_assert_eq!(found.removed.iter().collect::<Vec<_>>(), removed);
            let other_texts = expected.iter().filter(|(.., same)| !same).count() as u64;
            prop_assert_eq!((found.n, found.n_with_other_text), (expected.len() as u64, other_texts));
        }
    }
}
