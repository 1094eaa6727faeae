//! Blocks of a table: some hashes with their postings, each block readable alone.
//!
//! There are two forms. Versions 1 to 4 of the files have plain blocks, those of [`fanmill::index::encoding`]. Packed
//! blocks take fewer bytes: hashes are shortened to 48 bits, numbers have as many bits as a block needs, and a hash with
//! one posting needs no lengths. The first hash of each block is in the table's index.
//!
//! | part of a packed block | encoding |
//! |---|---|
//! | number of hashes, 1 to [`PACKED`]; bits of a distance; bits of a document | 3 bytes |
//! | for each hash but the first: its distance to the one before, at least 1 | bits |
//! | for each hash: 1 if it has one posting, 0 if it has several | 1 bit |
//! | for each hash with one posting: the document | bits |
//! | for each hash with one posting: the position | varint |
//! | for each other hash: number of its documents, at least 1, and bytes of its postings | 2 varints |
//! | for each other hash: its postings | as in plain blocks |
//!
//! Bits begin with the lowest of each byte and are filled up with zeros. Numbers have as many bits as the largest needs.
//!
//! Hashes that are equal in 48 bits are one. A text of 20,000 fingerprints meets a false one in an index of a billion in
//! one of 14 searches, and passages are shown where the texts agree.

use fanmill::index::Posting;
use fanmill::index::encoding::{self, put, take};

/// Maximum number of hashes in a packed block.
const PACKED: usize = 64;
/// Bits of a hash in a packed block.
const BITS: u32 = 48;

/// A form of the blocks of tables, and of records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// That of versions 1 to 4.
    #[default]
    Plain,
    /// That of version 5.
    Packed,
}

/// The part of a block before its postings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    /// Hashes as they are stored, ascending, at least one.
    pub(crate) hashes: Vec<u64>,
    /// One for each hash, in the same order.
    pub(crate) places: Vec<PlacedPostings>,
    /// Bytes of the whole block.
    n_bytes: usize,
}

/// The place of a hash's postings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlacedPostings {
    /// Its only posting.
    One(Posting),
    /// The bytes of its postings in the block.
    Several(encoding::Place),
}

impl Form {
    /// Returns the maximum number of hashes in a block.
    pub(crate) fn capacity(self) -> usize {
        match self {
            Form::Plain => encoding::BLOCK,
            Form::Packed => PACKED,
        }
    }

    /// Returns the maximum size of a head in bytes.
    pub(crate) fn longest_head(self) -> usize {
        match self {
            Form::Plain => encoding::HEAD,
            Form::Packed => 3 + PACKED * (BITS as usize + 1 + 32) / 8 + PACKED * 20,
        }
    }

    /// Returns a hash as it is stored.
    pub(crate) fn stored(self, hash: u64) -> u64 {
        match self {
            Form::Plain => hash,
            Form::Packed => hash >> (u64::BITS - BITS),
        }
    }

    /// Returns the smallest hash that is stored like this.
    pub(crate) fn restored(self, stored: u64) -> u64 {
        match self {
            Form::Plain => stored,
            Form::Packed => stored << (u64::BITS - BITS),
        }
    }

    /// Appends a block of stored hashes, ascending, each with its postings, ascending.
    pub(crate) fn append(self, groups: &[(u64, &[Posting])], bytes: &mut Vec<u8>) {
        match self {
            Form::Plain => encoding::append(groups, bytes),
            Form::Packed => append_packed(groups, bytes),
        }
    }

    /// Reads the head of a block whose first hash is stored as `first`, from at most [`Form::longest_head`] bytes;
    /// `None` if they do not begin with one.
    pub(crate) fn head(self, first: u64, bytes: &[u8]) -> Option<Head> {
        match self {
            Form::Plain => {
                let head = encoding::Head::parse(bytes).ok()?;
                let places = head.places().iter().copied().map(PlacedPostings::Several).collect();
                let n_bytes = usize::try_from(head.n_bytes()).ok()?;
                let hashes = head.hashes().to_vec();
                (hashes.first() == Some(&first)).then_some(Head { hashes, places, n_bytes })
            }
            Form::Packed => packed_head(first, bytes),
        }
    }
}

impl Head {
    /// Returns the place of a stored hash; `None` if the block does not have it.
    pub(crate) fn find(&self, stored: u64) -> Option<PlacedPostings> {
        self.hashes.binary_search(&stored).ok().map(|number| self.places[number])
    }

    /// Divides the bytes that begin with the block into the block and the rest; `None` if they end before.
    pub(crate) fn split<'b>(&self, bytes: &'b [u8]) -> Option<(&'b [u8], &'b [u8])> {
        bytes.split_at_checked(self.n_bytes)
    }
}

impl PlacedPostings {
    /// Appends all postings, ascending, from the bytes of the whole block; `None` if they are damaged.
    pub(crate) fn append_postings(self, block: &[u8], postings: &mut Vec<Posting>) -> Option<()> {
        match self {
            PlacedPostings::One(posting) => {
                postings.push(posting);
                Some(())
            }
            PlacedPostings::Several(encoding::Place { n_documents, start, n_bytes }) => {
                let own = block.get(start as usize..start.checked_add(n_bytes)? as usize)?;
                encoding::postings(n_documents, own, postings).ok()
            }
        }
    }
}

fn append_packed(groups: &[(u64, &[Posting])], bytes: &mut Vec<u8>) {
    debug_assert!((1..=PACKED).contains(&groups.len()), "a block has 1 to 64 hashes");
    let distances = || groups.windows(2).map(|two| two[1].0 - two[0].0);
    let ones = || groups.iter().filter_map(|(_, postings)| only(postings));
    let (of_distance, of_document) =
        (width(distances()), width(ones().map(|one| one.document.into())));
    bytes.extend([groups.len() as u8, of_distance as u8, of_document as u8]);
    let mut bits = BitWriter { bytes, waiting: 0, n_waiting: 0 };
    distances().for_each(|distance| bits.put(distance, of_distance));
    for (_, postings) in groups {
        bits.put(u64::from(only(postings).is_some()), 1);
    }
    ones().for_each(|one| bits.put(one.document.into(), of_document));
    bits.finish();
    ones().for_each(|one| put(one.at.into(), bytes));
    // Those of plain blocks, in which lengths come before all postings, too.
    let mut packed = Vec::new();
    for (_, postings) in groups.iter().filter(|(_, postings)| only(postings).is_none()) {
        encoding::append_postings(postings, bytes, &mut packed);
    }
    bytes.extend(packed);
}

fn packed_head(first: u64, bytes: &[u8]) -> Option<Head> {
    let &[n, of_distance, of_document, ref rest @ ..] = bytes else { return None };
    let (n, of_distance, of_document) = (usize::from(n), of_distance.into(), of_document.into());
    let is_right = (1..=PACKED).contains(&n) && of_distance <= BITS && of_document <= 32;
    let mut bits = BitReader { bytes: rest, at: 0 };
    let mut hashes = Vec::with_capacity(n);
    hashes.push(Some(first).filter(|_| is_right)?);
    for number in 1..n {
        let distance = bits.take(of_distance).filter(|&distance| distance > 0)?;
        let next = hashes[number - 1].checked_add(distance)?;
        hashes.push(Some(next).filter(|&next| next >> BITS == 0)?);
    }
    let mut places = Vec::with_capacity(n);
    for _ in 0..n {
        let one = PlacedPostings::One(Posting { document: 0, at: 0 });
        let several =
            PlacedPostings::Several(encoding::Place { n_documents: 0, start: 0, n_bytes: 0 });
        places.push(if bits.take(1)? == 1 { one } else { several });
    }
    for place in &mut places {
        if let PlacedPostings::One(posting) = place {
            posting.document = bits.take(of_document)? as u32;
        }
    }
    let mut rest = bits.finish()?;
    for place in &mut places {
        if let PlacedPostings::One(posting) = place {
            posting.at = u32::try_from(take(&mut rest).ok()?).ok()?;
        }
    }
    let mut n_packed = 0_u64;
    for place in &mut places {
        if let PlacedPostings::Several(own) = place {
            let (n_documents, n_bytes) = (take(&mut rest).ok()?, take(&mut rest).ok()?);
            // A posting has at least two bytes.
            let may_be = n_documents > 0 && n_documents <= n_bytes / 2;
            *own = encoding::Place { n_documents, start: n_packed, n_bytes };
            n_packed = n_packed.checked_add(n_bytes).filter(|_| may_be)?;
        }
    }
    let n_head = bytes.len() - rest.len();
    for place in &mut places {
        if let PlacedPostings::Several(own) = place {
            own.start += n_head as u64;
        }
    }
    let n_bytes = usize::try_from(n_packed).ok()?.checked_add(n_head)?;
    Some(Head { hashes, places, n_bytes })
}

/// Returns the posting of a hash that has one.
fn only(postings: &[Posting]) -> Option<Posting> {
    match postings {
        [only] => Some(*only),
        _ => None,
    }
}

/// Returns the number of bits that the largest number needs; 0 for none.
fn width(numbers: impl Iterator<Item = u64>) -> u32 {
    u64::BITS - numbers.max().unwrap_or(0).leading_zeros()
}

/// Writes numbers of some bits each.
struct BitWriter<'b> {
    bytes: &'b mut Vec<u8>,
    waiting: u128,
    n_waiting: u32,
}

impl BitWriter<'_> {
    /// Appends a number of at most 64 bits.
    fn put(&mut self, number: u64, width: u32) {
        self.waiting |= u128::from(number) << self.n_waiting;
        self.n_waiting += width;
        while self.n_waiting >= u8::BITS {
            self.bytes.push(self.waiting as u8);
            self.waiting >>= u8::BITS;
            self.n_waiting -= u8::BITS;
        }
    }

    /// Fills the last byte with zeros.
    fn finish(self) {
        if self.n_waiting > 0 {
            self.bytes.push(self.waiting as u8);
        }
    }
}

/// Reads numbers of some bits each.
struct BitReader<'b> {
    bytes: &'b [u8],
    /// Number of bits that were read.
    at: usize,
}

impl<'b> BitReader<'b> {
    /// Takes a number of at most 56 bits; `None` if the bytes end before.
    fn take(&mut self, width: u32) -> Option<u64> {
        let (start, end) = (self.at / 8, self.at + width as usize);
        let own = &self.bytes[start..self.bytes.len().min(start + 8)];
        let mut word = [0; 8];
        word[..own.len()].copy_from_slice(own);
        let number = u64::from_le_bytes(word) >> (self.at % 8) & ((1 << width) - 1);
        self.at = end;
        (end <= 8 * self.bytes.len()).then_some(number)
    }

    /// Returns the bytes after the last bit; `None` if other bits than zeros fill the last byte.
    fn finish(mut self) -> Option<&'b [u8]> {
        let n_left = self.at.next_multiple_of(8) - self.at;
        let is_filled = self.take(n_left as u32)? == 0;
        is_filled.then(|| &self.bytes[self.at / 8..])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Groups = Vec<(u64, Vec<Posting>)>;

    /// Hashes of 48 bits, ascending, each with postings, ascending.
    fn groups() -> impl Strategy<Value = Groups> {
        let number = prop_oneof![0_u32..4, 0_u32..300, any::<u32>(), Just(u32::MAX)];
        let postings = prop::collection::btree_set((number.clone(), number), 1..4);
        let hash = prop_oneof![0_u64..99, 0_u64..1 << BITS, Just((1 << BITS) - 1)];
        prop::collection::btree_map(hash, postings, 1..=PACKED).prop_map(|groups| {
            let posting = |(document, at)| Posting { document, at };
            let group = |(hash, own): (u64, std::collections::BTreeSet<_>)| {
                (hash, own.into_iter().map(posting).collect())
            };
            groups.into_iter().map(group).collect()
        })
    }

    fn packed(groups: &Groups) -> Vec<u8> {
        let mut bytes = Vec::new();
        let groups: Vec<_> = groups.iter().map(|(hash, postings)| (*hash, &**postings)).collect();
        Form::Packed.append(&groups, &mut bytes);
        bytes
    }

    fn read(form: Form, first: u64, bytes: &[u8]) -> Option<Groups> {
        let head = form.head(first, bytes)?;
        let (block, _) = head.split(bytes)?;
        let mut groups = Vec::new();
        for (&hash, place) in head.hashes.iter().zip(&head.places) {
            let mut postings = Vec::new();
            place.append_postings(block, &mut postings)?;
            groups.push((hash, postings));
        }
        Some(groups)
    }

    /// Stored bytes must be readable in every later release.
    #[test]
    fn bytes_never_change() {
        let posting = |document, at| Posting { document, at };
        let groups = vec![
            (7, vec![posting(5, 130)]),
            (10, vec![posting(1, 2), posting(1, 4)]),
            (11, vec![posting(9, 0)]),
        ];
        // Distances 3 and 1 in two bits, then 1, 0 and 1 in one, then documents 5 and 9 in four.
        let bits = (3_u16 | 1 << 2 | 0b101 << 4 | 5 << 7 | 9 << 11).to_le_bytes();
        let bytes = [&[3, 2, 4][..], &bits, &[0x82, 1, 0], &[1, 4], &[1, 2, 0, 2]].concat();
        assert_eq!(packed(&groups), bytes);
    }

    proptest! {
        /// A plain block is the naive twin.
        #[test]
        fn packed_blocks_hold_what_plain_ones_do(groups in groups(), rest in prop::collection::vec(any::<u8>(), 0..9)) {
            let mut bytes = packed(&groups);
            let n = bytes.len();
            let found = read(Form::Packed, groups[0].0, &bytes);
            prop_assert_eq!(found.as_ref(), Some(&groups));
            bytes.extend(&rest);
            let head = Form::Packed.head(groups[0].0, &bytes[..bytes.len().min(Form::Packed.longest_head())]);
            prop_assert_eq!(head.expect("own bytes").split(&bytes), Some((&bytes[..n], &*rest)));
            for plain in groups.chunks(Form::Plain.capacity()) {
                let mut bytes = Vec::new();
                let own: Vec<_> = plain.iter().map(|(hash, postings)| (*hash, &**postings)).collect();
                Form::Plain.append(&own, &mut bytes);
                let found = read(Form::Plain, plain[0].0, &bytes);
                prop_assert_eq!(found.as_deref(), Some(plain));
            }
        }

        #[test]
        fn any_bytes_can_be_read(first in any::<u64>(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(Form::Packed, first, &bytes);
        }

        #[test]
        fn damaged_bytes_can_be_read(
            groups in groups(), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..3),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut bytes = packed(&groups);
            prop_assert_eq!(read(Form::Packed, groups[0].0, &bytes[..cut.index(bytes.len())]), None);
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            let _ = read(Form::Packed, groups[0].0, &bytes);
        }

        #[test]
        fn a_hash_is_stored_by_its_first_bits(hash in any::<u64>(), other in any::<u64>()) {
            let form = Form::Packed;
            prop_assert!(form.restored(form.stored(hash)) <= hash);
            prop_assert_eq!(form.stored(form.restored(form.stored(hash))), form.stored(hash));
            prop_assert!(hash > other || form.stored(hash) <= form.stored(other));
        }
    }
}
