//! The file of a store of version 1, which is read but not made any more: each addition rewrote all of it. Version 2 is
//! a folder of segments, in `fanmill-jobs`.
//!
//! | bytes | contents |
//! |---|---|
//! | 8 | `fanmsift` |
//! | 4 | version, 1 |
//! | 4, then that many | length and text of the scheme, with the key's id |
//! | 8 | number of documents |
//! | 8 | XXH3 of everything before |
//! | for each document 4, then that many | length and text of its name |
//! | – for each family 1, 4, then 8 each | the rule's code; number of values; the values, ascending |
//! | 8 | XXH3 of everything after the first checksum |
//!
//! Numbers are little-endian. Postings are not stored: they are rebuilt when a store is opened, in linear time, so no
//! file can contradict itself. The file does not contain the key, only its id. Any bytes can be read: if they are not a
//! store, the result is an error.
//!
//! Cost: O(n) time. Memory beyond the store itself: one document.

use std::fmt;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use xxhash_rust::xxh3::Xxh3;

use super::encoding;
use super::key::{Key, KeyId};
use super::profile::Profile;
use super::records::{self, Records};
use super::sifter::{Sifted, Sifter};
use fanmill_text::error::Error;
use fanmill_text::message;
use fanmill_text::setting::Task;

const MAGIC: &[u8; 8] = b"fanmsift";
const VERSION: u32 = 1;

/// The header of a store; no key is needed to read it.
#[derive(Debug)]
struct Header {
    profile: Profile,
    key: KeyId,
    n_documents: u64,
}

/// The data that was read, or the reason why it could not be.
pub type ReadResult<T> = std::result::Result<T, Failure>;

/// Reason why a store was not read.
#[derive(Debug)]
pub enum Failure {
    /// Its bytes could not be read.
    Io(io::Error),
    /// The bytes are not a store, or are damaged, of a later version, or of another key.
    Store(Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Io(error) => error.fmt(f),
            Failure::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Store(error)
    }
}

/// Writes all documents, as releases before version 2 did.
///
/// # Errors
/// If `out` fails.
pub fn write(records: &Records, out: impl Write) -> io::Result<()> {
    let mut out = Checksummed::new(BufWriter::new(out));
    let scheme = records.profile().scheme(records.key()).to_string();
    out.put(MAGIC)?;
    out.put(&VERSION.to_le_bytes())?;
    out.put(&(scheme.len() as u32).to_le_bytes())?;
    out.put(scheme.as_bytes())?;
    out.put(&(records.len() as u64).to_le_bytes())?;
    out.seal()?;
    let mut bytes = Vec::new();
    for document in 0..records.len() as u32 {
        let name = records.name(document);
        out.put(&(name.len() as u32).to_le_bytes())?;
        out.put(name.as_bytes())?;
        bytes.clear();
        encoding::encode(&records.sifted(document), &mut bytes);
        out.put(&bytes)?;
    }
    out.seal()?;
    out.bytes.flush()
}

/// A reader or writer with a checksum of all bytes since the last checksum.
struct Checksummed<B> {
    bytes: B,
    sum: Xxh3,
}

impl<B> Checksummed<B> {
    fn new(bytes: B) -> Checksummed<B> {
        Checksummed { bytes, sum: Xxh3::new() }
    }

    /// Returns the checksum of all bytes since the last checksum, and starts the next one.
    fn sum(&mut self) -> [u8; 8] {
        let sum = self.sum.digest().to_le_bytes();
        self.sum.reset();
        sum
    }
}

impl<W: Write> Checksummed<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.bytes.write_all(bytes)
    }

    fn seal(&mut self) -> io::Result<()> {
        let sum = self.sum();
        self.bytes.write_all(&sum)
    }
}

/// Reads a store that was made with this key.
///
/// # Errors
/// If it is not a store, is damaged, of a later version or of another key, or cannot be read.
pub fn read(bytes: impl Read, key: &Key) -> ReadResult<Records> {
    let mut bytes = Checksummed::new(BufReader::new(bytes));
    let header = bytes.header()?;
    Sifter::for_store(&header.profile, header.key, key)?;
    bytes.body(&header)
}

/// Reads a store made with any key. [`Records::sifter`] prevents comparing its values with those of another
/// key.
///
/// # Errors
/// As for [`read`], except for the key.
pub fn read_without_key(bytes: impl Read) -> ReadResult<Records> {
    let mut bytes = Checksummed::new(BufReader::new(bytes));
    let header = bytes.header()?;
    bytes.body(&header)
}

impl<R: BufRead> Checksummed<R> {
    fn header(&mut self) -> ReadResult<Header> {
        let mut magic = Vec::new();
        self.read_into(MAGIC.len(), &mut magic)?;
        if magic != MAGIC {
            let task = Task("sift-add");
            let text = message!["this is not a store of fingerprints; make one with ", task];
            return Err(Error::input(text).into());
        }
        let version = self.u32()?;
        if version != VERSION {
            return Err(Error::input(format!(
                "this store is a file of version {version}, and this release reads files of version {VERSION}; use \
                 the release that made it, or make it again from the originals"
            ))
            .into());
        }
        let mut scheme = Vec::new();
        self.text(&mut scheme)?;
        let n_documents = little_endian(&self.array::<8>()?);
        self.unseal()?;
        let scheme = str::from_utf8(&scheme).map_err(|_| damaged())?;
        let (profile, key) = Profile::from_scheme(&scheme.parse()?)?;
        Ok(Header { profile, key, n_documents })
    }

    /// Reads everything after the header.
    fn body(mut self, header: &Header) -> ReadResult<Records> {
        let mut records = Records::from_profile(&header.profile, header.key);
        let mut buffer = Vec::new();
        for _ in 0..header.n_documents {
            self.document(&mut records, &mut buffer)?;
        }
        self.unseal()?;
        if !self.bytes.fill_buf().map_err(Failure::Io)?.is_empty() {
            return Err(damaged().into());
        }
        Ok(records)
    }

    fn document(&mut self, records: &mut Records, buffer: &mut Vec<u8>) -> ReadResult<()> {
        self.text(buffer)?;
        let name = str::from_utf8(buffer).map_err(|_| damaged())?.to_owned();
        let reduction = records.profile().reduction();
        let n_families = records.n_families();
        let mut families = Vec::with_capacity(n_families);
        for _ in 0..n_families {
            let [code] = self.array()?;
            let n_bytes = (self.u32()? as usize).checked_mul(8).ok_or_else(damaged)?;
            self.exactly(n_bytes, buffer)?;
            let values: Vec<u64> = buffer.chunks_exact(8).map(little_endian).collect();
            families.push(records::kept(reduction, code, values).ok_or_else(damaged)?);
        }
        Ok(records.push(&name, &Sifted { families }).map(drop)?)
    }

    /// Reads `n` bytes, or as many as there are. Allocates only as bytes arrive, so that a false length
    /// cannot exhaust memory.
    fn read_into(&mut self, n: usize, buffer: &mut Vec<u8>) -> ReadResult<()> {
        buffer.clear();
        (&mut self.bytes).take(n as u64).read_to_end(buffer).map_err(Failure::Io)?;
        self.sum.update(buffer);
        Ok(())
    }

    fn exactly(&mut self, n: usize, buffer: &mut Vec<u8>) -> ReadResult<()> {
        self.read_into(n, buffer)?;
        if buffer.len() == n { Ok(()) } else { Err(damaged().into()) }
    }

    fn array<const N: usize>(&mut self) -> ReadResult<[u8; N]> {
        let mut array = [0; N];
        self.bytes.read_exact(&mut array).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Failure::Store(damaged()),
            _ => Failure::Io(error),
        })?;
        self.sum.update(&array);
        Ok(array)
    }

    fn u32(&mut self) -> ReadResult<u32> {
        Ok(little_endian(&self.array::<4>()?) as u32)
    }

    /// Reads a length, then that many bytes.
    fn text(&mut self, buffer: &mut Vec<u8>) -> ReadResult<()> {
        let length = self.u32()? as usize;
        self.exactly(length, buffer)
    }

    /// Reads and verifies the checksum of everything since the last one.
    fn unseal(&mut self) -> ReadResult<()> {
        let sum = self.sum();
        let is_right = self.array::<8>()? == sum;
        self.sum.reset();
        if is_right { Ok(()) } else { Err(damaged().into()) }
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

fn damaged() -> Error {
    Error::input(
        "this store of fingerprints is damaged; restore it, or make it again from the originals",
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use xxhash_rust::xxh3::xxh3_64;

    use super::*;
    use crate::key;
    use crate::store::tests::{PROFILES, documents, store};
    use crate::store::{Limits, Store};

    fn bytes_of(records: &Records) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(records, &mut bytes).expect("memory");
        bytes
    }

    /// Corrects the checksums of a store that a test has changed, so that the reader gets past them.
    fn resealed(mut bytes: Vec<u8>, header: usize) -> Vec<u8> {
        let end = bytes.len() - 8;
        let sums = [xxh3_64(&bytes[..header]), xxh3_64(&bytes[header + 8..end])];
        bytes[header..header + 8].copy_from_slice(&sums[0].to_le_bytes());
        bytes[end..].copy_from_slice(&sums[1].to_le_bytes());
        bytes
    }

    fn header_length(store: &Store) -> usize {
        8 + 4 + 4 + store.profile().scheme(store.key()).to_string().len() + 8
    }

    #[test]
    fn stores_are_read_back() {
        for profile in PROFILES {
            let (sifter, written) = store(profile, 1, 500);
            let bytes = bytes_of(written.records());
            let read = read(&*bytes, &key::of_test(1)).expect("its own bytes");
            assert_eq!(bytes_of(&read), bytes, "{profile}");
            let read = Store::from_records(read);
            assert_eq!((read.key(), read.len()), (written.key(), 500));
            for document in documents(1, 5) {
                let sifted = sifter.sift_tokens(&document);
                let limits = Limits::standard();
                assert_eq!(
                    read.check(&sifted, &limits),
                    written.check(&sifted, &limits),
                    "{profile}"
                );
            }
        }
    }

    /// A disk with room for this many bytes.
    struct Disk(usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let n = bytes.len().min(self.0);
            self.0 -= n;
            if n == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(n) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_disk_that_fills_up_anywhere_is_an_error() {
        let (_, store) = store(PROFILES[0], 1, 20);
        let length = bytes_of(store.records()).len();
        for room in (0..length).step_by(7).chain([length - 1]) {
            let error = write(store.records(), Disk(room)).expect_err("no room");
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{room} of {length} bytes");
        }
        assert!(write(store.records(), Disk(length)).is_ok());
    }

    /// A failing disk is not reported as a damaged store.
    #[test]
    fn a_failing_reader_is_an_io_error() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("unreadable sector"))
            }
        }
        let (_, store) = store(PROFILES[0], 1, 20);
        let bytes = bytes_of(store.records());
        for n in (0..bytes.len()).step_by(7) {
            let failure = read(bytes[..n].chain(Broken), &key::of_test(1)).expect_err("it fails");
            assert!(matches!(failure, Failure::Io(_)), "after {n} bytes: {failure}");
        }
    }

    #[test]
    fn another_key_and_another_version_are_errors() {
        let (_, store) = store(PROFILES[0], 1, 5);
        let mut bytes = bytes_of(store.records());
        let error = read(&*bytes, &key::of_test(2)).expect_err("another key").to_string();
        assert!(error.contains("was made with key"), "{error}");
        bytes[8] = 2;
        let error = read(&*bytes, &key::of_test(1)).expect_err("another version").to_string();
        assert!(error.contains("version 2"), "{error}");
    }

    #[test]
    fn every_bit_counts() {
        let (_, store) = store(PROFILES[1], 1, 4);
        let bytes = bytes_of(store.records());
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&*flipped, &key::of_test(1)).is_err(), "bit {bit}");
        }
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end], &key::of_test(1)).is_err(), "{end} bytes");
        }
    }

    proptest! {
        /// Changes bytes and corrects the checksums.
        #[test]
        fn no_bytes_panic(
            profile in prop::sample::select(&PROFILES[..]), at in any::<prop::sample::Index>(),
            byte: u8, cut in 0_usize..9,
        ) {
            let (_, store) = store(profile, 1, 3);
            let length = header_length(&store);
            let mut bytes = bytes_of(store.records());
            let at = at.index(bytes.len());
            bytes[at] = byte;
            bytes.truncate(bytes.len() - cut);
            let bytes = resealed(bytes, length);
            if let Ok(records) = read(&*bytes, &key::of_test(1)) {
                let store = Store::from_records(records);
                let limits = Limits::standard();
                (0..store.len() as u32).for_each(|i| drop(store.check(&store.sifted(i), &limits)));
            }
        }

        #[test]
        fn random_bytes_are_not_a_store(bytes: Vec<u8>) {
            prop_assert!(read(&*bytes, &key::of_test(1)).is_err());
            prop_assert!(read(&*[&MAGIC[..], &bytes].concat(), &key::of_test(1)).is_err());
        }
    }
}
