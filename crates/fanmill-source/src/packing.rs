//! Packed files and streams, both ways: gzip of any number of members, Zstandard of any number of frames.
//!
//! Streaming, so memory is a window and a buffer: 32 KiB for gzip; for Zstandard what the file
//! asks for, at most 128 MiB (files made with `--long` beyond that are refused by the decoder).
//! A file that is cut off in the middle of a member or frame is an error, not a short file.
//! Zstandard is a feature, since its library is C; without it, such files are an error that says so.

use std::fmt;
use std::io::{self, BufReader, BufWriter, Read, Write};

use crate::replace::DiskFile;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

/// Level of gzip files that are written: the tool's own default.
const GZIP_LEVEL: u32 = 6;
/// Level of Zstandard files that are written: the tool's own default.
#[cfg(feature = "zstandard")]
const ZSTANDARD_LEVEL: i32 = 3;
/// Bytes between a file and its decoder or encoder.
const BUFFER: usize = 1 << 17;

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// `.gz`
    Gzip,
    /// `.zst`
    Zstandard,
}

impl Packing {
    /// The packing that a name ends in, and the name without it.
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

    /// The packing that a file begins like.
    pub fn of_head(head: &[u8]) -> Packing {
        match head {
            [0x1f, 0x8b, 8, ..] => Packing::Gzip,
            // The second: a frame that decoders skip, as some archives begin with.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                Packing::Zstandard
            }
            _ => Packing::Plain,
        }
    }

    /// What a name ends in: `.gz`, or nothing.
    pub fn extension(self) -> &'static str {
        match self {
            Packing::Plain => "",
            Packing::Gzip => ".gz",
            Packing::Zstandard => ".zst",
        }
    }

    /// Reads what is packed.
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

    /// Packs what is written.
    ///
    /// # Errors
    /// If the encoder cannot be made: no memory, or Zstandard without its feature.
    pub fn pack(self, file: DiskFile) -> io::Result<Packed> {
        Packed::new(self, BufWriter::with_capacity(BUFFER, file))
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

/// The bytes of a packed input, unpacked.
pub struct Unpacked<R: Read>(Decoder<R>);

enum Decoder<R: Read> {
    Plain(R),
    Gzip(Box<MultiGzDecoder<BufReader<R>>>),
    #[cfg(feature = "zstandard")]
    Zstandard(zstd::stream::read::Decoder<'static, BufReader<R>>),
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

/// A file that is packed as it is written.
pub struct Packed {
    packing: Packing,
    /// Whether the member has any bytes.
    is_begun: bool,
    /// `None` only between two members, and after an error there.
    encoder: Option<Encoder>,
}

enum Encoder {
    Plain(BufWriter<DiskFile>),
    Gzip(Box<GzEncoder<BufWriter<DiskFile>>>),
    #[cfg(feature = "zstandard")]
    Zstandard(zstd::stream::write::Encoder<'static, BufWriter<DiskFile>>),
}

impl Packed {
    fn new(packing: Packing, file: BufWriter<DiskFile>) -> io::Result<Packed> {
        let encoder = match packing {
            Packing::Plain => Encoder::Plain(file),
            Packing::Gzip => {
                Encoder::Gzip(Box::new(GzEncoder::new(file, Compression::new(GZIP_LEVEL))))
            }
            #[cfg(feature = "zstandard")]
            Packing::Zstandard => {
                Encoder::Zstandard(zstd::stream::write::Encoder::new(file, ZSTANDARD_LEVEL)?)
            }
            #[cfg(not(feature = "zstandard"))]
            Packing::Zstandard => return Err(no_zstandard()),
        };
        Ok(Packed { packing, is_begun: false, encoder: Some(encoder) })
    }

    /// Ends the member or frame, unless it is empty, so that what follows can be unpacked without
    /// what came before.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn next_member(&mut self) -> io::Result<()> {
        if self.packing != Packing::Plain && self.is_begun {
            let file = self.take()?;
            *self = Packed::new(self.packing, file)?;
        }
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn close(mut self) -> io::Result<()> {
        self.take()?.flush()
    }

    /// Ends the file and makes sure that it is on the disk.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        let file = self.take()?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync()
    }

    fn take(&mut self) -> io::Result<BufWriter<DiskFile>> {
        match self.encoder.take().ok_or_else(broken)? {
            Encoder::Plain(file) => Ok(file),
            Encoder::Gzip(encoder) => encoder.finish(),
            #[cfg(feature = "zstandard")]
            Encoder::Zstandard(encoder) => encoder.finish(),
        }
    }
}

#[cfg(not(feature = "zstandard"))]
fn no_zstandard() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "Zstandard, which this build does not read")
}

/// What writing after a failed write is answered with.
fn broken() -> io::Error {
    io::Error::other("an earlier write failed")
}

impl Write for Packed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_begun |= !bytes.is_empty();
        match self.encoder.as_mut().ok_or_else(broken)? {
            Encoder::Plain(file) => file.write(bytes),
            Encoder::Gzip(encoder) => encoder.write(bytes),
            #[cfg(feature = "zstandard")]
            Encoder::Zstandard(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.encoder.as_mut().ok_or_else(broken)? {
            Encoder::Plain(file) => file.flush(),
            Encoder::Gzip(encoder) => encoder.flush(),
            #[cfg(feature = "zstandard")]
            Encoder::Zstandard(encoder) => encoder.flush(),
        }
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packed").field("packing", &self.packing).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::replace::Disk;
    use proptest::prelude::*;

    use super::*;

    const ALL: [Packing; 3] = [Packing::Plain, Packing::Gzip, Packing::Zstandard];

    /// The bytes of a file with these members.
    fn packed(packing: Packing, members: &[&[u8]]) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let mut out =
            packing.pack(Disk::default().make_file(&path).expect("a file")).expect("an encoder");
        for (i, member) in members.iter().enumerate() {
            if i > 0 {
                out.next_member().expect("a member");
            }
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
        fn what_is_packed_comes_back(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            for packing in ALL {
                prop_assert_eq!(&unpacked(packing, &packed(packing, &[&bytes])).expect("whole"), &bytes);
            }
        }

        #[test]
        fn no_bytes_make_a_decoder_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for (packing, magic) in [(Packing::Gzip, &b"\x1f\x8b\x08\0"[..]), (Packing::Zstandard, b"\x28\xb5\x2f\xfd")] {
                let _ = unpacked(packing, &[magic, &bytes].concat());
            }
        }
    }
}
