//! Packed files and streams, read and written: gzip with any number of members, Zstandard with any number of frames.
//!
//! Reading is streaming, so memory is a window and a buffer: 32 KiB for gzip; for Zstandard as much as the file asks
//! for, at most 128 MiB (the decoder refuses files made with `--long` beyond that). A file that is cut off in the
//! middle of a member or frame is an error, not a short file. Zstandard is a feature, since its library is C; without
//! it, such files give an error that says so. Writing ([`packed`]) packs several members or frames at once; only
//! records need it.

#[cfg(feature = "zstandard")]
pub mod packed;

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};

use flate2::read::MultiGzDecoder;

/// Size in bytes of the buffer between a file and its decoder or encoder.
const BUFFER: usize = 1 << 17;

/// Compression format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Not packed.
    Plain,
    /// `.gz`
    Gzip,
    /// `.zst`
    Zstandard,
}

impl Packing {
    /// Returns the packing that a name ends in, and the name without it.
    pub fn of_name(name: &str) -> (Packing, &str) {
        let ends = [(Packing::Gzip, ".gz"), (Packing::Zstandard, ".zst")];
        for (packing, end) in ends {
            if let Some((stem, found)) = name.split_at_checked(name.len().saturating_sub(end.len()))
                && found.eq_ignore_ascii_case(end)
                && !stem.is_empty()
            {
                return (packing, stem);
            }
        }
        (Packing::Plain, name)
    }

    /// Returns the packing that the first bytes of a file show.
    pub fn of_head(head: &[u8]) -> Packing {
        match head {
            [0x1f, 0x8b, 8, ..] => Packing::Gzip,
            // The second is a frame that decoders skip; some archives begin with one.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                Packing::Zstandard
            }
            _ => Packing::Plain,
        }
    }

    /// Returns the extension of packed files: `.gz`, `.zst` or nothing.
    pub fn extension(self) -> &'static str {
        match self {
            Packing::Plain => "",
            Packing::Gzip => ".gz",
            Packing::Zstandard => ".zst",
        }
    }

    /// Returns a reader that unpacks `input`.
    ///
    /// # Errors
    /// If the decoder cannot be made: no memory, or Zstandard without its feature.
    pub fn unpack<R: Read>(self, input: R) -> io::Result<Unpacked<R>> {
        let buffered = |input| BufReader::with_capacity(BUFFER, input);
        Ok(Unpacked(match self {
            Packing::Plain => Decoder::Plain(input),
            Packing::Gzip => Decoder::Gzip(Box::new(MultiGzDecoder::new(buffered(input)))),
            #[cfg(feature = "zstandard")]
            Packing::Zstandard => {
                Decoder::Zstandard(zstd::stream::read::Decoder::with_buffer(buffered(input))?)
            }
            #[cfg(not(feature = "zstandard"))]
            Packing::Zstandard => return Err(no_zstandard()),
        }))
    }
}

impl fmt::Display for Packing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Packing::Plain => "plain",
            Packing::Gzip => "gzip",
            Packing::Zstandard => "Zstandard",
        })
    }
}

/// The unpacked bytes of a packed input.
pub struct Unpacked<R: Read>(Decoder<R>);

enum Decoder<R: Read> {
    Plain(R),
    Gzip(Box<MultiGzDecoder<BufReader<R>>>),
    #[cfg(feature = "zstandard")]
    Zstandard(zstd::stream::read::Decoder<'static, BufReader<R>>),
}

impl Unpacked<File> {
    /// Appends up to `n` bytes, fewer only at the end; returns their number.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged; what came before the fault is then appended.
    pub fn append(&mut self, n: u64, bytes: &mut Vec<u8>) -> io::Result<usize> {
        match &mut self.0 {
            // A file reads into memory that need not be cleared before.
            Decoder::Plain(file) => file.take(n).read_to_end(bytes),
            _ => self.take(n).read_to_end(bytes),
        }
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Decoder::Plain(input) => input.read(buffer),
            Decoder::Gzip(input) => input.read(buffer),
            #[cfg(feature = "zstandard")]
            Decoder::Zstandard(input) => input.read(buffer),
        }
    }
}

impl<R: Read> fmt::Debug for Unpacked<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacked").finish_non_exhaustive()
    }
}

#[cfg(not(feature = "zstandard"))]
fn no_zstandard() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "Zstandard, which this build does not read")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use proptest::prelude::*;

    use super::packed::PackOptions;
    use crate::replace::Disk;

    use super::*;

    const ALL: [Packing; 3] = [Packing::Plain, Packing::Gzip, Packing::Zstandard];

    /// Returns the bytes of a file with these members.
    fn packed(packing: Packing, members: &[&[u8]]) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let file = Disk::default().make_file(&path).expect("a file");
        let mut out = packing.pack(file, PackOptions::default());
        for member in members {
            out.next_member().expect("a member");
            out.write_all(member).expect("written");
        }
        out.finish().expect("finished");
        fs::read(path).expect("a file")
    }

    fn unpacked(packing: Packing, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut all = Vec::new();
        packing.unpack(bytes)?.read_to_end(&mut all)?;
        Ok(all)
    }

    #[test]
    fn members_follow_each_other() {
        for packing in ALL {
            let bytes = packed(packing, &[b"one, ", b"", b"two"]);
            assert_eq!(Packing::of_head(&bytes), packing);
            assert_eq!(unpacked(packing, &bytes).expect("whole"), b"one, two");
        }
    }

    #[test]
    fn a_file_that_is_cut_off_is_an_error() {
        let text: Vec<u8> =
            (0_u32..5000).map(|i| (i.wrapping_mul(2_654_435_761) >> 25) as u8).collect();
        for packing in [Packing::Gzip, Packing::Zstandard] {
            let bytes = packed(packing, &[&text]);
            for end in [1, 5, bytes.len() / 2, bytes.len() - 1] {
                assert!(unpacked(packing, &bytes[..end]).is_err(), "{packing} {end}");
            }
        }
    }

    #[test]
    fn names_tell_the_packing() {
        assert_eq!(Packing::of_name("a.jsonl.GZ"), (Packing::Gzip, "a.jsonl"));
        assert_eq!(Packing::of_name("a.zst"), (Packing::Zstandard, "a"));
        assert_eq!(Packing::of_name(".gz"), (Packing::Plain, ".gz"));
        assert_eq!(Packing::of_name("né"), (Packing::Plain, "né"));
    }

    proptest! {
        #[test]
        fn no_bytes_make_a_decoder_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for (packing, magic) in [(Packing::Gzip, &b"\x1f\x8b\x08\0"[..]), (Packing::Zstandard, b"\x28\xb5\x2f\xfd")] {
                let _ = unpacked(packing, &[magic, &bytes].concat());
            }
        }
    }
}
