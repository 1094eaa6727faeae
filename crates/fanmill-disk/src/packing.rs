//! Packed files and streams, read and written: gzip, bzip2, xz, LZ4's frames and Zstandard, with any number of members.
//!
//! Reading is streaming, so memory is a window and a buffer: 32 KiB for gzip, eight streams for bzip2 (they are
//! unpacked at once if they are short, else 4 MB), at most 8 MiB for LZ4; for
//! xz and Zstandard as much as the file asks for, up to a limit ([`UnpackOptions`]). What asks for more is refused
//! before it is unpacked, and said to be sound ([`Obstacle`]). A file that is cut off in the middle of a member or frame
//! is an error, not a short file. Zstandard is a feature, since its library is C; bzip2, xz and LZ4 are another, since
//! only records need them. Without these, such files give an error that says so. Writing ([`packed`]) packs several
//! members or frames at once; only records need it.

mod obstacle;
mod input;
#[cfg(feature = "zstandard")]
mod frame;
mod members;
#[cfg(feature = "packings")]
mod streams;
#[cfg(feature = "packings")]
pub mod packed;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use members::Members;
pub use obstacle::Obstacle;
#[cfg(feature = "packings")]
use streams::Streams;

/// Size in bytes of the buffer between a file and its decoder or encoder.
const BUFFER: usize = 1 << 17;

/// First bytes of a frame of LZ4.
const LZ4_MAGIC: &[u8] = b"\x04\x22\x4d\x18";
/// First bytes of a block of bzip2, and of the end of a stream.
const BZIP2_BLOCKS: [&[u8]; 2] = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];

/// Compression format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Not packed.
    Plain,
    /// `.gz`
    Gzip,
    /// `.bz2`
    Bzip2,
    /// `.xz`
    Xz,
    /// `.lz4`
    Lz4,
    /// `.zst`
    Zstandard,
}

impl Packing {
    /// All packings but none at all.
    pub const ALL: [Packing; 5] =
        [Packing::Gzip, Packing::Bzip2, Packing::Xz, Packing::Lz4, Packing::Zstandard];

    /// Returns the packing that a name ends in, and the name without it.
    pub fn from_name(name: &str) -> (Packing, &str) {
        for packing in Packing::ALL {
            let end = packing.extension();
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
    pub fn from_head(head: &[u8]) -> Packing {
        match head {
            [0x1f, 0x8b, 8, ..] => Packing::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
                if BZIP2_BLOCKS.iter().any(|magic| rest.starts_with(magic)) =>
            {
                Packing::Bzip2
            }
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Packing::Xz,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstandard,
            head if head.starts_with(LZ4_MAGIC) => Packing::Lz4,
            _ => of_skipped(head),
        }
    }

    /// Returns the extension of packed files: `.gz`, `.zst` or nothing.
    pub fn extension(self) -> &'static str {
        match self {
            Packing::Plain => "",
            Packing::Gzip => ".gz",
            Packing::Bzip2 => ".bz2",
            Packing::Xz => ".xz",
            Packing::Lz4 => ".lz4",
            Packing::Zstandard => ".zst",
        }
    }

    /// Returns a reader that unpacks `input` within the standard limits. Faults are reported when it is read.
    pub fn unpack<R: Read>(self, input: R) -> Unpacked<R> {
        self.unpack_with(input, UnpackOptions::standard())
    }

    /// Returns a reader that unpacks `input` as the options allow. Faults are reported when it is read.
    pub fn unpack_with<R: Read>(self, input: R, options: UnpackOptions) -> Unpacked<R> {
        Unpacked(match self {
            Packing::Plain => Decoder::Plain(input),
            #[cfg(feature = "packings")]
            Packing::Bzip2 => Decoder::Streams(Box::new(Streams::new(input, options))),
            _ => Decoder::Members(Box::new(Members::new(self, input, options))),
        })
    }
}

/// Returns the packing of a file that may begin with frames that decoders skip.
fn of_skipped(head: &[u8]) -> Packing {
    if !matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]) {
        return Packing::Plain;
    }
    // Both LZ4 and Zstandard have such frames; some archives of the latter begin with one.
    let mut rest = head;
    while let Some(n) = skippable(rest) {
        let Some((_, after)) = usize::try_from(n).ok().and_then(|n| rest[8..].split_at_checked(n))
        else {
            break;
        };
        rest = after;
    }
    if rest.starts_with(LZ4_MAGIC) { Packing::Lz4 } else { Packing::Zstandard }
}

/// Returns the length of the frame that begins here, behind its head, if decoders skip it.
fn skippable(head: &[u8]) -> Option<u64> {
    match *head {
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, ..] => {
            Some(u64::from(u32::from_le_bytes([a, b, c, d])))
        }
        _ => None,
    }
}

/// Options for unpacking files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackOptions {
    /// Size in bytes of the largest window (of xz, dictionary) that a file may ask for.
    pub window: u64,
    /// The dictionary that Zstandard frames may have been packed with.
    pub dictionary: Option<Arc<[u8]>>,
}

impl UnpackOptions {
    /// Returns the standard options: windows of at most 128 MiB, as large as the tools' own highest levels make them.
    pub fn standard() -> UnpackOptions {
        UnpackOptions { window: 128 << 20, dictionary: None }
    }
}

impl fmt::Display for Packing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Packing::Plain => "plain",
            Packing::Gzip => "gzip",
            Packing::Bzip2 => "bzip2",
            Packing::Xz => "xz",
            Packing::Lz4 => "LZ4",
            Packing::Zstandard => "Zstandard",
        })
    }
}

/// The unpacked bytes of a packed input.
pub struct Unpacked<R: Read>(Decoder<R>);

enum Decoder<R: Read> {
    Plain(R),
    Members(Box<Members<R>>),
    #[cfg(feature = "packings")]
    Streams(Box<Streams<R>>),
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
            Decoder::Members(members) => members.read(buffer),
            #[cfg(feature = "packings")]
            Decoder::Streams(streams) => streams.read(buffer),
        }
    }
}

impl<R: Read> fmt::Debug for Unpacked<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacked").finish_non_exhaustive()
    }
}
