//! Streams of a bzip2 file, unpacked several at a time.
//!
//! Dumps of MediaWiki are many short streams one after another. Each begins at a byte with 10 known bytes, so a file is
//! cut there, and some pieces are unpacked together. A piece counts if it is one stream from its first byte to its
//! last: then the next piece begins where a reader of one stream after another would be. From the first piece on that
//! is not (these bytes came by chance, it is damaged, padded, or longer than [`MOST`]), the rest is read in that way, as
//! [`Members`] does. So the bytes and the errors are the same at any number of threads.
//!
//! Memory: at most [`TOGETHER`] pieces, packed ([`PACKED`] bytes in all) and unpacked.

use std::collections::VecDeque;
use std::io::{self, Chain, Cursor, Read};

use bzip2::bufread::BzDecoder;
use rayon::prelude::*;

use super::members::Members;
use super::{BZIP2_BLOCKS, Packing, UnpackOptions};

/// Maximum number of pieces that are unpacked together.
const TOGETHER: usize = 8;
/// Size in bytes of packed pieces that are looked at together; a longer one is not unpacked beside others.
const PACKED: usize = 8 << 20;
/// Maximum size in bytes of a piece once it is unpacked. A hundred pages of a dump are one or two megabytes.
const MOST: u64 = 32 << 20;
/// Bytes of a file that are read at once.
const STEP: usize = 1 << 18;
/// Number of bytes that a stream begins with.
const HEAD: usize = 10;

/// The unpacked bytes of a bzip2 file.
pub(super) enum Streams<R: Read> {
    /// Reads pieces together.
    Together(Pieces<R>),
    /// Reads one stream after another.
    InOrder(Box<Members<Chain<Cursor<Vec<u8>>, R>>>),
    /// Never seen by a reader: the state while it changes.
    Changing,
}

/// Pieces that are unpacked together.
pub(super) struct Pieces<R: Read> {
    input: R,
    options: UnpackOptions,
    has_ended: bool,
    /// Packed bytes that were read and not unpacked.
    packed: Vec<u8>,
    ready: VecDeque<Cursor<Vec<u8>>>,
    /// True if the next piece is not one stream.
    is_in_order: bool,
}

impl<R: Read> Streams<R> {
    pub(super) fn new(input: R, options: UnpackOptions) -> Streams<R> {
        let (packed, ready) = (Vec::new(), VecDeque::new());
        let is_in_order = false;
        Streams::Together(Pieces { input, options, has_ended: false, packed, ready, is_in_order })
    }

    fn go_on_in_order(&mut self) {
        if let Streams::Together(pieces) = std::mem::replace(self, Streams::Changing) {
            let input = Cursor::new(pieces.packed).chain(pieces.input);
            let members = Members::new(Packing::Bzip2, input, pieces.options);
            *self = Streams::InOrder(Box::new(members));
        }
    }
}

impl<R: Read> Read for Streams<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self {
                Streams::InOrder(members) => return members.read(buffer),
                Streams::Together(pieces) => {
                    if buffer.is_empty() {
                        return Ok(0);
                    }
                    let n = pieces.read_ready(buffer);
                    if n > 0 || pieces.is_done() {
                        return Ok(n);
                    }
                    if pieces.is_in_order {
                        self.go_on_in_order();
                    } else {
                        pieces.unpack()?;
                    }
                }
                Streams::Changing => return Err(io::Error::other("it is damaged further up")),
            }
        }
    }
}

impl<R: Read> Pieces<R> {
    /// Copies bytes that are unpacked.
    fn read_ready(&mut self, buffer: &mut [u8]) -> usize {
        while let Some(first) = self.ready.front_mut() {
            match first.read(buffer) {
                Ok(n) if n > 0 => return n,
                _ => drop(self.ready.pop_front()),
            }
        }
        0
    }

    fn is_done(&self) -> bool {
        self.has_ended && self.packed.is_empty() && !self.is_in_order
    }

    /// Reads and unpacks the next pieces, up to the first that is not one stream.
    fn unpack(&mut self) -> io::Result<()> {
        let begins = self.fill()?;
        let is_last = self.has_ended && begins.len() <= TOGETHER;
        let ends = begins[1..].iter().copied().chain(is_last.then_some(self.packed.len()));
        let pieces: Vec<&[u8]> =
            begins.iter().zip(ends).map(|(&begin, end)| &self.packed[begin..end]).collect();
        // One alone is not worth a copy; and what does not begin like a stream is for the other reader to name.
        if begins[0] != 0 || pieces.len() < 2 {
            self.is_in_order = true;
            return Ok(());
        }
        let unpacked: Vec<Option<Vec<u8>>> = pieces.par_iter().map(|piece| whole(piece)).collect();
        let n_whole = unpacked.iter().take_while(|one| one.is_some()).count();
        self.is_in_order = n_whole < unpacked.len();
        let done: usize = pieces[..n_whole].iter().map(|piece| piece.len()).sum();
        self.ready.extend(unpacked.into_iter().map_while(|one| one.map(Cursor::new)));
        self.packed.drain(..done);
        Ok(())
    }

    /// Reads until there are enough pieces; returns where they begin, at least one place.
    fn fill(&mut self) -> io::Result<Vec<usize>> {
        let (mut begins, mut looked_at) = (Vec::new(), 0);
        loop {
            let end = (self.packed.len() + 1).saturating_sub(HEAD).max(looked_at);
            let found = (looked_at..end).filter(|&at| begins_stream(&self.packed[at..]));
            begins.extend(found.take(TOGETHER + 1 - begins.len()));
            looked_at = end;
            if begins.len() > TOGETHER || self.has_ended || self.packed.len() >= PACKED {
                break;
            }
            let n = (&mut self.input).take(STEP as u64).read_to_end(&mut self.packed)?;
            self.has_ended = n < STEP;
        }
        // A piece at the end of what may be looked at goes on behind it.
        if begins.is_empty() {
            begins.push(usize::from(!self.packed.is_empty()));
        }
        Ok(begins)
    }
}

fn begins_stream(bytes: &[u8]) -> bool {
    matches!(bytes, [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
        if BZIP2_BLOCKS.iter().any(|magic| rest.starts_with(magic)))
}

/// Unpacks a piece; `None` if it is not one stream, or is too long.
fn whole(piece: &[u8]) -> Option<Vec<u8>> {
    let (mut stream, mut out) = (BzDecoder::new(piece), Vec::new());
    (&mut stream).take(MOST + 1).read_to_end(&mut out).ok()?;
    let is_whole = out.len() as u64 <= MOST && stream.into_inner().is_empty();
    is_whole.then_some(out)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use bzip2::Compression;
    use bzip2::write::BzEncoder;
    use proptest::prelude::*;

    use super::*;

    fn stream(text: &[u8]) -> Vec<u8> {
        let mut out = BzEncoder::new(Vec::new(), Compression::new(1));
        out.write_all(text).expect("memory");
        out.finish().expect("memory")
    }

    /// Returns what a reader gives before it ends or fails, and the words of its fault.
    fn read(mut reader: impl Read) -> (Vec<u8>, Option<String>) {
        let mut out = Vec::new();
        let fault = reader.read_to_end(&mut out).err().map(|error| error.to_string());
        (out, fault)
    }

    /// A reader that gives a few bytes at once.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = buffer.len().min(1000);
            self.0.read(&mut buffer[..n])
        }
    }

    fn assert_same(bytes: &[u8]) {
        let options = UnpackOptions::standard;
        let expected = read(Members::new(Packing::Bzip2, bytes, options()));
        assert_eq!(read(Streams::new(bytes, options())), expected);
        assert_eq!(read(Streams::new(Slow(bytes), options())), expected);
    }

    proptest! {
        #[test]
        fn streams_are_read_as_one_after_another(
            texts in prop::collection::vec((any::<u8>(), 0_usize..40, 0_usize..3), 0..24),
            damage in prop::option::of((any::<prop::sample::Index>(), any::<u8>())),
            cut in prop::option::of(any::<prop::sample::Index>()),
        ) {
            let mut bytes = Vec::new();
            for (seed, n, n_zeros) in texts {
                let text: Vec<u8> = (0..n as u32).map(|i| (i.wrapping_mul(u32::from(seed)) >> 3) as u8).collect();
                bytes.extend(stream(&text));
                // Few files are padded.
                bytes.extend(vec![0; n_zeros / 2]);
            }
            if let Some((place, byte)) = damage.filter(|_| !bytes.is_empty()) {
                let n = bytes.len();
                bytes[place.index(n)] = byte;
            }
            if let Some(place) = cut.filter(|_| !bytes.is_empty()) {
                bytes.truncate(place.index(bytes.len()));
            }
            assert_same(&bytes);
        }
    }

    #[test]
    fn bytes_like_the_beginning_of_a_stream_are_no_beginning() {
        // A stream is cut in two by what looks like the beginning of another one.
        let mut inside = stream(b"a text that is long enough for some bytes");
        let middle = inside.len() / 2;
        inside.splice(middle..middle, *b"BZh91AY&SY");
        let mut bytes = stream(b"first");
        bytes.extend(&inside);
        bytes.extend(stream(b"last"));
        assert_same(&bytes);
        assert_same(b"BZh91AY&SY");
        assert_same(b"no stream at all");
        assert_same(&[stream(b"one"), b"other bytes".to_vec(), stream(b"two")].concat());
    }

    #[test]
    fn many_and_long_streams_are_read() {
        let texts: Vec<Vec<u8>> =
            (0..40_u8).map(|i| vec![i; 40_000 * usize::from(i % 3)]).collect();
        let bytes: Vec<u8> = texts.iter().flat_map(|text| stream(text)).collect();
        assert_same(&bytes);
        let mut streams = Streams::new(&*bytes, UnpackOptions::standard());
        assert_eq!(read(&mut streams).0, texts.concat());
        assert!(matches!(streams, Streams::Together(_)), "all were read together");
        // One stream that unpacks to more than the limit, between others.
        let long = stream(&vec![7; MOST as usize + 1]);
        let bytes = [stream(b"one"), stream(b"two"), long, stream(b"three")].concat();
        let (out, fault) = read(Streams::new(&*bytes, UnpackOptions::standard()));
        assert_eq!((out.len() as u64, fault), (3 + 3 + MOST + 1 + 5, None));
        assert!(out.ends_with(b"\x07three"));
    }
}
