//! Files that are packed as they are written: in frames (of gzip, members) that are packed on all threads.
//!
//! The bytes are cut into frames of a fixed size; each can be unpacked without the others. So several are
//! packed at once, and the file is the same with any number of threads and any memory. Where the caller says where
//! members end (web archives, in which each record is one), they end there and nowhere else.
//!
//! Cost: memory for the frames that are packed together, at least one, unpacked and packed. Files are larger than a
//! single frame would be: by 1.3 % for Zstandard and .2 % for gzip (64 and 16 MB of mail, news and manuals, levels 3
//! and 6, November 2026); with frames of 1 MiB and 256 KiB, by 2.8 and 1 %. A thread takes some memory besides: 8 MB for
//! bzip2, 25 MiB for xz, whose dictionary is as large as its frames and not larger.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

use bzip2::write::BzEncoder;
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};
use flate2::Compression;
use flate2::write::GzEncoder;
use lz4_flex::frame::{BlockSize, FrameEncoder, FrameInfo};
use lzma_rust2::{XzOptions, XzWriter};
use rayon::prelude::*;
use zstd::bulk::Compressor;

use super::{BUFFER, Packing};
use crate::replace::DiskFile;

/// Default level of gzip files: the tool's own default.
const GZIP_LEVEL: u32 = 6;
/// Default level of bzip2 files: the tool's own default.
const BZIP2_LEVEL: u32 = 9;
/// Default level of xz files: the tool's own default.
const XZ_LEVEL: u32 = 6;
/// Default level of Zstandard files: the tool's own default.
const ZSTANDARD_LEVEL: u32 = 3;
/// Levels that gzip files may have.
const GZIP_LEVELS: RangeInclusive<u32> = 0..=9;
/// Levels that bzip2 files may have.
const BZIP2_LEVELS: RangeInclusive<u32> = 1..=9;
/// Levels that xz files may have.
const XZ_LEVELS: RangeInclusive<u32> = 0..=9;
/// Levels that LZ4 files may have: the one that our encoder knows.
const LZ4_LEVELS: RangeInclusive<u32> = 1..=1;
/// Levels that Zstandard files may have. Higher ones take much memory for each thread.
const ZSTANDARD_LEVELS: RangeInclusive<u32> = 1..=19;
/// Size in bytes of a Zstandard frame before it is packed: as large as the window of the usual level.
const ZSTANDARD_FRAME: usize = 2 << 20;
/// Size in bytes of a gzip member before it is packed; gzip's window has 32 KiB.
const GZIP_FRAME: usize = 1 << 20;
/// Size in bytes of a bzip2 stream before it is packed: as much as one block of the usual level can hold.
const BZIP2_FRAME: usize = 899_000;
/// Size in bytes of an xz stream before it is packed. Files are by 4 % larger than with the tool's 8 MiB (16 MB of the same
/// texts), and four times as many fit into memory.
const XZ_FRAME: usize = 2 << 20;
/// Size in bytes of a frame of LZ4 before it is packed: the largest block, as the tool makes them.
const LZ4_FRAME: usize = 4 << 20;

/// Options for packing files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PackOptions {
    /// The level, which must have passed [`Packing::check_level`]; `None` for the tool's default.
    pub level: Option<u32>,
    /// Bytes that are held to be packed together; one frame or member is always held.
    pub memory: usize,
}

/// A file that is packed as it is written.
pub struct PackWriter(Out);

enum Out {
    Plain(BufWriter<DiskFile>),
    Frames(Frames),
}

/// Frames on their way to the file.
struct Frames {
    file: DiskFile,
    packer: Packer,
    /// Size in bytes of a frame that the caller does not end.
    frame: usize,
    /// Bytes that are not packed yet: whole frames, then the beginning of one.
    bytes: Vec<u8>,
    /// End of each whole frame.
    ends: Vec<usize>,
    /// Number of bytes held from which on whole frames are packed.
    most: usize,
    /// True if there has been a frame.
    has_any: bool,
}

/// Packer of whole frames.
enum Packer {
    Gzip(Compression),
    Bzip2(bzip2::Compression),
    Xz(XzOptions),
    Lz4(FrameInfo),
    /// The level, and idle compressors: making one takes longer than packing a page.
    Zstandard(i32, Mutex<Vec<Compressor<'static>>>),
}

impl Packing {
    /// Checks that a file can be packed at a level.
    ///
    /// # Errors
    /// If the packing does not have this level.
    pub fn check_level(self, level: u32) -> Result<()> {
        let levels = match self {
            Packing::Plain => return Ok(()),
            Packing::Gzip => GZIP_LEVELS,
            Packing::Bzip2 => BZIP2_LEVELS,
            Packing::Xz => XZ_LEVELS,
            Packing::Lz4 => LZ4_LEVELS,
            Packing::Zstandard => ZSTANDARD_LEVELS,
        };
        if levels.contains(&level) {
            return Ok(());
        }
        let (first, last) = (levels.start(), levels.end());
        if first == last {
            return Err(Error::setting(message![
                Setting("compression-level"),
                " {level} is not a level of {self}, which is written at level {first} alone; leave it out"
            ]));
        }
        Err(Error::setting(message![
            Setting("compression-level"),
            " {level} is not a level of {self}, which has {first} to {last}; choose one of these"
        ]))
    }

    /// Returns a writer that packs what is written to a file.
    pub fn pack(self, file: DiskFile, packs: PackOptions) -> PackWriter {
        let Some((packer, frame)) = self.packer(packs.level) else {
            return PackWriter(Out::Plain(BufWriter::with_capacity(BUFFER, file)));
        };
        // Enough for every thread to pack a frame, if memory allows.
        let most = frame.saturating_mul(rayon::current_num_threads()).min(packs.memory);
        let (bytes, ends) = (Vec::new(), Vec::new());
        PackWriter(Out::Frames(Frames { file, packer, frame, bytes, ends, most, has_any: false }))
    }

    /// Returns the packer of frames, and their size in bytes; `None` if nothing is packed.
    fn packer(self, level: Option<u32>) -> Option<(Packer, usize)> {
        Some(match self {
            Packing::Plain => return None,
            Packing::Gzip => {
                (Packer::Gzip(Compression::new(level.unwrap_or(GZIP_LEVEL))), GZIP_FRAME)
            }
            Packing::Bzip2 => {
                let level = bzip2::Compression::new(level.unwrap_or(BZIP2_LEVEL));
                (Packer::Bzip2(level), BZIP2_FRAME)
            }
            Packing::Xz => {
                let mut options = XzOptions::with_preset(level.unwrap_or(XZ_LEVEL));
                let dictionary = &mut options.lzma_options.dict_size;
                *dictionary = (*dictionary).min(XZ_FRAME as u32);
                (Packer::Xz(options), XZ_FRAME)
            }
            Packing::Lz4 => {
                let info = FrameInfo::new().block_size(BlockSize::Max4MB).content_checksum(true);
                (Packer::Lz4(info), LZ4_FRAME)
            }
            Packing::Zstandard => {
                // Levels are small numbers.
                let level = level.unwrap_or(ZSTANDARD_LEVEL).cast_signed();
                (Packer::Zstandard(level, Mutex::default()), ZSTANDARD_FRAME)
            }
        })
    }
}

impl PackWriter {
    /// Writes bytes without ending a frame within them.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_whole(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.0 {
            Out::Plain(file) => file.write_all(bytes),
            Out::Frames(frames) => {
                frames.bytes.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// Ends the member or frame, unless it is empty, so that what follows can be unpacked without
    /// what came before.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn next_member(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Out::Plain(_) => Ok(()),
            Out::Frames(frames) if frames.n_open() == 0 => Ok(()),
            Out::Frames(frames) => frames.end_frame(),
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn close(self) -> io::Result<()> {
        self.into_file().map(drop)
    }

    /// Ends the file and makes sure that it is on the disk.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self) -> io::Result<()> {
        self.into_file()?.sync()
    }

    fn into_file(self) -> io::Result<DiskFile> {
        match self.0 {
            Out::Plain(file) => file.into_inner().map_err(io::IntoInnerError::into_error),
            Out::Frames(frames) => frames.into_file(),
        }
    }
}

impl Write for PackWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Out::Plain(file) => file.write(bytes),
            Out::Frames(frames) => frames.write(bytes),
        }
    }

    /// Flushes plain bytes; frames that are held are packed when there are enough of them, or the file ends.
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Out::Plain(file) => file.flush(),
            Out::Frames(frames) => frames.file.flush(),
        }
    }
}

impl fmt::Debug for PackWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packed").finish_non_exhaustive()
    }
}

impl Frames {
    /// Returns the number of bytes of the frame that has begun.
    fn n_open(&self) -> usize {
        self.bytes.len() - self.ends.last().copied().unwrap_or(0)
    }

    /// Takes as many bytes as the frame has room for; returns their number.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A member that was not cut may be longer than a frame; it ends here.
        if self.n_open() >= self.frame {
            self.end_frame()?;
        }
        let n = bytes.len().min(self.frame - self.n_open());
        self.bytes.extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.ends.push(self.bytes.len());
        if self.bytes.len() >= self.most { self.pack() } else { Ok(()) }
    }

    /// Packs the whole frames, and writes them in their order.
    fn pack(&mut self) -> io::Result<()> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let places: Vec<(usize, usize)> = starts.zip(self.ends.iter().copied()).collect();
        let packed: Vec<Vec<u8>> = places
            .into_par_iter()
            .map(|(start, end)| self.packer.pack(&self.bytes[start..end]))
            .collect::<io::Result<_>>()?;
        self.has_any |= !packed.is_empty();
        packed.iter().try_for_each(|frame| self.file.write_all(frame))?;
        self.bytes.drain(..self.ends.last().copied().unwrap_or(0));
        self.ends.clear();
        Ok(())
    }

    fn into_file(mut self) -> io::Result<DiskFile> {
        // An empty file is one empty frame.
        if self.n_open() > 0 || !self.has_any && self.ends.is_empty() {
            self.ends.push(self.bytes.len());
        }
        self.pack()?;
        Ok(self.file)
    }
}

impl Packer {
    /// Packs a whole frame.
    fn pack(&self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Packer::Gzip(level) => {
                let mut encoder = GzEncoder::new(Vec::new(), *level);
                encoder.write_all(bytes)?;
                encoder.finish()
            }
            Packer::Bzip2(level) => {
                let mut encoder = BzEncoder::new(Vec::new(), *level);
                encoder.write_all(bytes)?;
                encoder.finish()
            }
            Packer::Xz(options) => {
                let mut encoder = XzWriter::new(Vec::new(), options.clone())?;
                encoder.write_all(bytes)?;
                encoder.finish()
            }
            Packer::Lz4(info) => {
                let mut encoder = FrameEncoder::with_frame_info(info.clone(), Vec::new());
                encoder.write_all(bytes)?;
                Ok(encoder.finish()?)
            }
            Packer::Zstandard(level, idle) => {
                let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
                let idle_one = lock().pop();
                let mut compressor = idle_one.map_or_else(|| Compressor::new(*level), Ok)?;
                let packed = compressor.compress(bytes)?;
                lock().push(compressor);
                Ok(packed)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read;

    use proptest::prelude::*;

    use super::*;
    use crate::replace::Disk;

    const ALL: [Packing; 6] = [
        Packing::Plain,
        Packing::Gzip,
        Packing::Bzip2,
        Packing::Xz,
        Packing::Lz4,
        Packing::Zstandard,
    ];

    /// Returns the bytes of a file that `write` writes to.
    fn file(
        packing: Packing,
        packs: PackOptions,
        write: impl Fn(&mut PackWriter) -> io::Result<()>,
    ) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let mut out = packing.pack(Disk::default().make_file(&path).expect("a file"), packs);
        write(&mut out).expect("written");
        out.finish().expect("finished");
        fs::read(path).expect("a file")
    }

    /// Unpacks each frame of a packed file.
    fn frames(packing: Packing, bytes: &[u8]) -> Vec<Vec<u8>> {
        let unpacked = |bytes: &[u8]| {
            let mut all = Vec::new();
            packing.unpack(bytes).read_to_end(&mut all).expect("whole");
            all
        };
        let magic: &[u8] = match packing {
            Packing::Plain => return vec![bytes.to_vec()],
            Packing::Gzip => &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0],
            Packing::Bzip2 => b"BZh9",
            Packing::Xz => b"\xfd7zXZ\0",
            Packing::Lz4 => super::super::LZ4_MAGIC,
            Packing::Zstandard => b"\x28\xb5\x2f\xfd",
        };
        let starts: Vec<usize> = memmem(bytes, magic).chain([bytes.len()]).collect();
        starts.windows(2).map(|ends| unpacked(&bytes[ends[0]..ends[1]])).collect()
    }

    /// Returns all places of `what` in `bytes`.
    fn memmem<'a>(bytes: &'a [u8], what: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
        (0..bytes.len()).filter(move |&at| bytes[at..].starts_with(what))
    }

    /// Returns text that packs well, and is not the same everywhere.
    fn text(n_bytes: usize) -> Vec<u8> {
        let word = |i: u32| ((i / 3).wrapping_mul(2_654_435_761) >> 20).to_le_bytes();
        (0..).flat_map(word).take(n_bytes).collect()
    }

    #[test]
    fn frames_have_one_size_at_any_number_of_threads_and_with_any_memory() {
        for packing in Packing::ALL {
            let (_, frame) = packing.packer(None).expect("packed");
            let text = text(frame + 1);
            let bytes = |n_threads: usize, memory| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build();
                pool.expect("threads").install(|| {
                    file(packing, PackOptions { level: None, memory }, |out| {
                        text.chunks(300_000).try_for_each(|part| out.write_all(part))
                    })
                })
            };
            let expected = bytes(1, 0);
            assert_eq!(frames(packing, &expected), text.chunks(frame).collect::<Vec<_>>());
            for (n_threads, memory) in [(1, 1 << 30), (3, 0), (3, 1 << 30)] {
                assert_eq!(bytes(n_threads, memory), expected, "{packing} {n_threads} {memory}");
            }
        }
    }

    #[test]
    fn members_end_where_the_caller_says() {
        for packing in Packing::ALL {
            let (_, frame) = packing.packer(None).expect("packed");
            let text = text(frame + 1);
            let members = [&text[..], b"", b"two", &text[..10]];
            let bytes = file(packing, PackOptions::default(), |out| {
                members.iter().try_for_each(|member| {
                    out.next_member()?;
                    out.write_whole(member)
                })
            });
            assert_eq!(frames(packing, &bytes), [&text[..], b"two", &text[..10]]);
            // Bytes that may be cut begin a frame of their own behind bytes that may not.
            let mixed = file(packing, PackOptions::default(), |out| {
                out.write_whole(&text)?;
                out.write_all(b"more")
            });
            assert_eq!(frames(packing, &mixed), [&text[..], b"more"]);
        }
    }

    #[test]
    fn an_empty_file_is_one_frame() {
        for packing in ALL {
            let bytes = file(packing, PackOptions::default(), |_| Ok(()));
            assert_eq!(bytes.is_empty(), packing == Packing::Plain);
            assert_eq!(frames(packing, &bytes).concat(), b"");
        }
    }

    #[test]
    fn levels_are_checked_and_used() {
        let text: Vec<u8> =
            (0..40_000_u32).flat_map(|i| format!("{} ", i * i % 10_007).into_bytes()).collect();
        let ranges = [
            (Packing::Gzip, 0, 9),
            (Packing::Bzip2, 1, 9),
            (Packing::Xz, 0, 9),
            (Packing::Zstandard, 1, 19),
        ];
        for (packing, lowest, highest) in ranges {
            let sizes = [lowest, highest].map(|level| {
                packing.check_level(level).expect("a level");
                let packs = PackOptions { level: Some(level), memory: 0 };
                file(packing, packs, |out| out.write_all(&text)).len()
            });
            assert!(sizes[0] > sizes[1], "{packing}: {sizes:?}");
            let error = packing.check_level(highest + 1).expect_err("too high");
            assert!(error.is_setting() && error.to_string().contains("has"), "{error}");
        }
        Packing::Lz4.check_level(1).expect("its only level");
        let error = Packing::Lz4.check_level(2).expect_err("no level").to_string();
        assert!(error.contains("leave") && error.contains('1'), "{error}");
        Packing::Plain.check_level(99).expect("nothing is packed");
    }

    proptest! {
        #[test]
        fn what_is_packed_comes_back(parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..900), 0..5)) {
            for packing in ALL {
                let bytes = file(packing, PackOptions::default(), |out| parts.iter().try_for_each(|part| out.write_all(part)));
                let mut all = Vec::new();
                packing.unpack(&*bytes).read_to_end(&mut all).expect("whole");
                prop_assert_eq!(all, parts.concat());
            }
        }
    }
}
