//! Postings as bytes: blocks of a few hashes, each block readable alone.
//!
//! The files of `fanmill-index` are read a block at a time; this module only sees slices.
//!
//! | part of a block | encoding |
//! |---|---|
//! | number of hashes, 1 to [`BLOCK`] | varint |
//! | the first hash | 8 bytes, little-endian |
//! | each further hash | varint: its distance to the one before, at least 1 |
//! | for each hash: number of its documents, at least 1, and bytes of its postings | 2 varints |
//! | for each hash: its postings | 2 varints each, see below |
//!
//! Everything but the postings is the block's [`Head`], which gives the place of each hash's postings. So a look-up
//! reads the head, and only those postings that it wants.
//!
//! A posting is the distance of its document to the one before (for the first one: to 0), then its position, or, in the
//! same document, the distance to the position before, at least 1. A varint has seven bits per byte, the lowest first;
//! the highest bit is set if another byte follows. Varints are as short as they can be, and all blocks but the last are
//! full, so that equal postings are equal bytes.
//!
//! Why not larger blocks: with 1.7 million hashes of 2.9 million postings, blocks of 256 took 9.2 µs per look-up and
//! blocks of 32 took 3.2 (November 2026), for half a byte more of block index per hash.
//!
//! Any bytes can be read: bytes that are not a block give an error, never a panic, and take memory of at most eight
//! times their size.

use super::positional::{PositionalIndex, Posting};
use fanmill_text::error::{Error, Result};

/// Maximum number of hashes in a block.
pub const BLOCK: usize = 32;

/// Appends an index, block after block.
///
/// ```
/// use fanmill::fingerprint::Fingerprint;
/// use fanmill::index::{PositionalIndex, encoding};
///
/// let fingerprints = [Fingerprint { hash: 7, at: 0 }, Fingerprint { hash: 9, at: 4 }];
/// let index = PositionalIndex::build([(3, &fingerprints[..])])?;
/// let mut bytes = Vec::new();
/// encoding::encode(&index, &mut bytes);
/// assert_eq!(bytes, [2, 7, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 3, 0, 3, 4]);
/// assert_eq!(encoding::decode(&bytes)?, index);
/// # Ok::<(), fanmill_text::Error>(())
/// ```
pub fn encode(index: &PositionalIndex, bytes: &mut Vec<u8>) {
    let mut block: Vec<(u64, &[Posting])> = Vec::with_capacity(BLOCK);
    for group in index.iter() {
        if block.len() == BLOCK {
            append(&block, bytes);
            block.clear();
        }
        block.push(group);
    }
    if !block.is_empty() {
        append(&block, bytes);
    }
}

/// Reads an index from all blocks in `bytes`, one after another.
///
/// # Errors
/// If they are not what [`encode`] writes, or if there are 2^32 postings or more.
pub fn decode(mut bytes: &[u8]) -> Result<PositionalIndex> {
    let mut index = PositionalIndex::default();
    let (mut postings, mut last) = (Vec::new(), None);
    while !bytes.is_empty() {
        let (block, rest) = Block::parse(bytes)?;
        if block.hashes().len() < BLOCK && !rest.is_empty() {
            return Err(damaged("another block follows one that is not full"));
        }
        for (i, &hash) in block.hashes().iter().enumerate() {
            if last.is_some_and(|last| last >= hash) {
                return Err(damaged("hashes do not ascend"));
            }
            last = Some(hash);
            postings.clear();
            block.postings(i, &mut postings)?;
            postings.iter().try_for_each(|&posting| index.push(hash, posting))?;
        }
        bytes = rest;
    }
    Ok(index)
}

/// Appends one block: at most [`BLOCK`] hashes, ascending, each with its postings, ascending.
///
/// # Panics
/// In debug builds, if there are no hashes or more than [`BLOCK`], or if hashes or postings descend.
pub fn append(groups: &[(u64, &[Posting])], bytes: &mut Vec<u8>) {
    debug_assert!((1..=BLOCK).contains(&groups.len()));
    put(groups.len() as u64, bytes);
    let mut before = None;
    for &(hash, _) in groups {
        match before {
            None => bytes.extend(hash.to_le_bytes()),
            Some(before) => put(hash - before, bytes),
        }
        before = Some(hash);
    }
    // Lengths come before all postings, so that a look-up skips those of other hashes.
    let mut packed = Vec::new();
    for (_, postings) in groups {
        append_postings(postings, bytes, &mut packed);
    }
    bytes.extend(packed);
}

/// Appends the postings of one hash, ascending, to `packed`, and their lengths to `lengths`: the number of documents, and
/// the bytes.
pub fn append_postings(postings: &[Posting], lengths: &mut Vec<u8>, packed: &mut Vec<u8>) {
    let start = packed.len();
    let mut before = Posting { document: 0, at: 0 };
    let mut n_documents = 0;
    for &posting in postings {
        let is_same = posting.document == before.document && n_documents > 0;
        put(u64::from(posting.document - before.document), packed);
        put(u64::from(if is_same { posting.at - before.at } else { posting.at }), packed);
        n_documents += u64::from(!is_same);
        before = posting;
    }
    put(n_documents, lengths);
    put((packed.len() - start) as u64, lengths);
}

/// Maximum size of a head in bytes: the number of its hashes, the first one, distances to the others, and two lengths
/// each.
pub const HEAD: usize = 1 + 8 + 10 * (BLOCK - 1) + 20 * BLOCK;

/// The part of a block before its postings.
#[derive(Debug, Clone)]
pub struct Head {
    hashes: Vec<u64>,
    /// One for each hash, in the same order.
    places: Vec<Place>,
    n_bytes: u64,
}

/// The place of a hash's postings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Number of documents that hold the hash, at least 1.
    pub n_documents: u64,
    /// First byte of its postings, counted from the beginning of the block.
    pub start: u64,
    /// Size of its postings in bytes.
    pub n_bytes: u64,
}

impl Head {
    /// Reads the head at the beginning of `bytes`: at most [`HEAD`] of them.
    ///
    /// # Errors
    /// If they do not begin with a block.
    pub fn parse(bytes: &[u8]) -> Result<Head> {
        let mut rest = bytes;
        let n = take(&mut rest)?;
        if n == 0 || n > BLOCK as u64 {
            return Err(damaged("a block does not have 1 to 32 hashes"));
        }
        let Some((first, mut rest)) = rest.split_first_chunk() else {
            return Err(damaged("it ends in a hash"));
        };
        let mut hashes = Vec::with_capacity(n as usize);
        hashes.push(u64::from_le_bytes(*first));
        for i in 1..n as usize {
            let distance = take(&mut rest)?;
            let next = hashes[i - 1].checked_add(distance).filter(|_| distance > 0);
            hashes.push(next.ok_or_else(|| damaged("hashes do not ascend"))?);
        }
        let mut places = Vec::with_capacity(hashes.len());
        let mut n_packed = 0_u64;
        for _ in &hashes {
            let (n_documents, n_bytes) = (take(&mut rest)?, take(&mut rest)?);
            // A posting has at least two bytes.
            if n_documents == 0 || n_documents > n_bytes / 2 {
                return Err(damaged("a hash cannot have so many postings"));
            }
            places.push(Place { n_documents, start: n_packed, n_bytes });
            let end = n_packed.checked_add(n_bytes);
            n_packed = end.ok_or_else(|| damaged("a hash cannot have so many postings"))?;
        }
        let n_head = (bytes.len() - rest.len()) as u64;
        let end = n_packed.checked_add(n_head);
        let n_bytes = end.ok_or_else(|| damaged("a hash cannot have so many postings"))?;
        for place in &mut places {
            place.start += n_head;
        }
        Ok(Head { hashes, places, n_bytes })
    }

    /// Returns its hashes, ascending, at least one.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Returns the place of each hash's postings, in the order of the hashes.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Returns the place of a hash's postings; `None` if the block does not have the hash.
    pub fn find(&self, hash: u64) -> Option<Place> {
        self.hashes.binary_search(&hash).ok().map(|i| self.places[i])
    }

    /// Returns the size of the whole block in bytes.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }
}

/// Appends the postings of a hash, ascending, from the bytes at its [`Place`]; appends none on an error.
///
/// # Errors
/// If the bytes are not what [`encode`] writes, or the postings are not of `n_documents` documents.
pub fn postings(n_documents: u64, mut bytes: &[u8], postings: &mut Vec<Posting>) -> Result<()> {
    let start = postings.len();
    let found = first_postings(&mut bytes, n_documents, postings);
    let found = found.and_then(|n_found| match () {
        () if n_found < n_documents => Err(damaged("postings are missing")),
        () if !bytes.is_empty() => Err(damaged("bytes follow the postings of a hash")),
        () => Ok(()),
    });
    if found.is_err() {
        postings.truncate(start);
    }
    found
}

/// Appends postings until they are of `most` documents, or `bytes` ends between two postings. Returns their number of
/// documents. For a popular hash this reads only the beginning.
///
/// # Errors
/// If the bytes are not what [`encode`] writes; the postings appended by then are right.
pub fn first_postings(bytes: &mut &[u8], most: u64, postings: &mut Vec<Posting>) -> Result<u64> {
    let (mut before, mut n_documents): (Option<Posting>, u64) = (None, 0);
    while !bytes.is_empty() {
        let mut rest = *bytes;
        let (distance, at) = (take(&mut rest)?, take(&mut rest)?);
        let next = next(before, distance, at);
        let posting = next.ok_or_else(|| damaged("postings do not ascend"))?;
        if before.is_none_or(|before| before.document != posting.document) {
            if n_documents == most {
                break;
            }
            n_documents += 1;
        }
        *bytes = rest;
        postings.push(posting);
        before = Some(posting);
    }
    Ok(n_documents)
}

/// A block whose head has been read. Its postings are read when they are asked for.
#[derive(Debug, Clone)]
pub struct Block<'a> {
    head: Head,
    bytes: &'a [u8],
}

impl<'a> Block<'a> {
    /// Reads the block at the beginning of `bytes`; also returns the bytes after it.
    ///
    /// # Errors
    /// If they do not begin with a block.
    pub fn parse(bytes: &'a [u8]) -> Result<(Block<'a>, &'a [u8])> {
        let head = Head::parse(bytes)?;
        let split = usize::try_from(head.n_bytes).ok().and_then(|n| bytes.split_at_checked(n));
        let (bytes, rest) = split.ok_or_else(|| damaged("it ends in postings"))?;
        Ok((Block { head, bytes }, rest))
    }

    /// Returns its hashes, ascending, at least one.
    pub fn hashes(&self) -> &[u64] {
        &self.head.hashes
    }

    /// Appends the postings of a hash, ascending; appends none if the block does not have it, or on an error.
    ///
    /// # Errors
    /// If their bytes are not what [`encode`] writes.
    pub fn find(&self, hash: u64, postings: &mut Vec<Posting>) -> Result<()> {
        self.head.find(hash).map_or(Ok(()), |place| self.append_postings(place, postings))
    }

    /// Appends the postings of hash number `i` of the block, ascending; appends none on an error.
    ///
    /// # Errors
    /// If their bytes are not what [`encode`] writes.
    ///
    /// # Panics
    /// If there is no hash of this number.
    pub fn postings(&self, i: usize, postings: &mut Vec<Posting>) -> Result<()> {
        self.append_postings(self.head.places[i], postings)
    }

    fn append_postings(&self, place: Place, found: &mut Vec<Posting>) -> Result<()> {
        let own = &self.bytes[place.start as usize..(place.start + place.n_bytes) as usize];
        postings(place.n_documents, own, found)
    }
}

/// Returns the posting at these distances from the one before, if it follows that one.
fn next(before: Option<Posting>, distance: u64, at: u64) -> Option<Posting> {
    let (distance, at) = (u32::try_from(distance).ok()?, u32::try_from(at).ok()?);
    let Some(before) = before else { return Some(Posting { document: distance, at }) };
    let document = before.document.checked_add(distance)?;
    let at = match distance {
        0 => before.at.checked_add(at).filter(|_| at > 0)?,
        _ => at,
    };
    Some(Posting { document, at })
}

/// Appends a number as a varint.
pub fn put(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a varint from the front of `bytes`.
///
/// # Errors
/// If it is missing, or longer than necessary.
pub fn take(bytes: &mut &[u8]) -> Result<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let Some((&byte, rest)) = bytes.split_first() else {
            return Err(damaged("it ends in a number"));
        };
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        // The tenth byte has one bit, and the last byte is not 0, because a shorter number would do.
        if bits << shift >> shift != bits || byte == 0 && shift > 0 {
            return Err(damaged("a number is too long"));
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(damaged("a number is too long"))
}

fn damaged(how: &str) -> Error {
    Error::input(format!("a block of an index is damaged: {how}; build the index again"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fingerprint::Fingerprint;

    fn index(postings: &[(u64, u32, u32)]) -> PositionalIndex {
        let one =
            |&(hash, document, at): &(u64, u32, u32)| (document, vec![Fingerprint { hash, at }]);
        let documents: Vec<(u32, Vec<Fingerprint>)> = postings.iter().map(one).collect();
        let documents = documents.iter().map(|(document, all)| (*document, &**all));
        PositionalIndex::build(documents).expect("few postings")
    }

    fn encoded(index: &PositionalIndex) -> Vec<u8> {
        let mut bytes = Vec::new();
        encode(index, &mut bytes);
        bytes
    }

    fn numbers() -> impl Strategy<Value = u32> {
        prop_oneof![0_u32..4, 0_u32..300, any::<u32>(), Just(u32::MAX)]
    }

    fn hashes() -> impl Strategy<Value = u64> {
        prop_oneof![0_u64..60, any::<u64>(), Just(u64::MAX)]
    }

    /// Stored bytes must be readable in every later release.
    #[test]
    fn bytes_never_change() {
        let index = index(&[(7, 1, 130), (7, 1, 131), (7, 300, 2), (1 << 40, 0, 0)]);
        let bytes = [
            [2, 7, 0, 0, 0, 0, 0, 0, 0].as_slice(),
            &[0xf9, 0xff, 0xff, 0xff, 0xff, 0x1f],
            &[2, 8, 1, 2],
            &[1, 0x82, 1, 0, 1, 0xab, 2, 2],
            &[0, 0],
        ];
        assert_eq!(encoded(&index), bytes.concat());
    }

    /// An index has one form: hashes are not spread over more blocks than necessary, and no postings remain from bytes
    /// that cannot be read.
    #[test]
    fn short_blocks_and_damaged_postings_are_refused_whole() {
        let posting = [Posting { document: 1, at: 2 }];
        let mut bytes = Vec::new();
        append(&[(7, &posting)], &mut bytes);
        append(&[(9, &posting)], &mut bytes);
        let error = decode(&bytes).expect_err("two short blocks").to_string();
        assert!(error.contains("follows one that is not full"), "{error}");
        let both: [(u64, &[Posting]); 2] = [(7, &posting), (9, &posting)];
        bytes.clear();
        append(&both, &mut bytes);
        assert_eq!(decode(&bytes).expect("one block"), index(&[(7, 1, 2), (9, 1, 2)]));

        // Two postings of hash 7; the second repeats the first.
        let damaged = [1, 7, 0, 0, 0, 0, 0, 0, 0, 1, 4, 1, 2, 0, 0];
        let (block, _) = Block::parse(&damaged).expect("its lengths are right");
        let mut found = posting.to_vec();
        assert!(block.find(7, &mut found).is_err());
        assert_eq!(found, posting);
    }

    #[test]
    fn a_number_has_one_form() {
        for (bytes, number) in [
            (&[0][..], Some(0)),
            (&[0x80, 1], Some(128)),
            (&[0x80, 0], None),
            (&[0x80], None),
            (&[0xff; 9], None),
            (&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], Some(u64::MAX)),
            (&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2], None),
            (&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0], None),
        ] {
            assert_eq!(take(&mut &*bytes).ok(), number, "{bytes:x?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            postings in prop::collection::vec((hashes(), numbers(), numbers()), 0..400),
        ) {
            let index = index(&postings);
            let bytes = encoded(&index);
            prop_assert_eq!(&decode(&bytes).expect("own bytes"), &index);
            let mut rest = &*bytes;
            while !rest.is_empty() {
                let (block, after) = Block::parse(rest).expect("own bytes");
                let head = Head::parse(&rest[..rest.len().min(HEAD)]).expect("its first bytes are enough");
                prop_assert_eq!(head.n_bytes(), (rest.len() - after.len()) as u64);
                for &hash in block.hashes() {
                    let mut found = Vec::new();
                    block.find(hash, &mut found).expect("own bytes");
                    prop_assert_eq!(&*found, index.postings(hash));
                    let place = head.find(hash).expect("one of its hashes");
                    let documents = found.chunk_by(|x, y| x.document == y.document);
                    prop_assert_eq!(place.n_documents, documents.clone().count() as u64);
                    let first: Vec<Posting> = documents.take(2).flatten().copied().collect();
                    let mut own = &rest[place.start as usize..(place.start + place.n_bytes) as usize];
                    found.clear();
                    first_postings(&mut own, 2, &mut found).expect("own bytes");
                    prop_assert_eq!(found, first);
                }
                rest = after;
            }
        }

        /// Whatever can be read is written as the same bytes, so nothing is read as something else.
        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(index) = decode(&bytes) {
                prop_assert_eq!(encoded(&index), bytes);
            }
        }

        /// Bytes that are a change or two away from what is written are read as themselves, or not at all.
        #[test]
        fn damaged_bytes_can_be_read(
            postings in prop::collection::vec((hashes(), numbers(), numbers()), 1..100),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..3),
            cut in prop::option::of(any::<prop::sample::Index>()),
        ) {
            let mut bytes = encoded(&index(&postings));
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            let n = cut.map_or(bytes.len(), |cut| cut.index(bytes.len()));
            if let Ok(index) = decode(&bytes[..n]) {
                prop_assert_eq!(&encoded(&index), &bytes[..n]);
            }
        }
    }
}
