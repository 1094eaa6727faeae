//! The texts of a segment: all bytes one after the other, in compressed frames that can be read independently.
//!
//! A frame is [`FRAME`] bytes of text, compressed by zstd; the last one of a run of frames may be shorter. The start of
//! each frame is in the file's tail, so that any bytes can be read by unpacking the frames that contain them. Texts
//! that are copied from another file in packed form ([`TextsWriter::copy`]) are runs of their own.
//!
//! Frames are not larger because a source of 4 kB needs one frame, and the rest of it is unpacked for nothing. Other
//! sizes are not benchmarked yet.

use std::io::{self, Write};
use std::mem;
use std::path::Path;

use fanmill_disk::segments::pages::{
    Failure, FileEntry, PageFile, PageWriter, footer, write_footer,
};
use fanmill_text::Result;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use zstd::bulk::Compressor;

/// Bytes of text in a frame.
const FRAME: usize = 64 << 10;
/// The default level of zstd.
const LEVEL: i32 = 3;
/// The first bytes of the file.
const MAGIC: &[u8] = b"fanmill texts 1\n";

/// The beginning of the tail.
#[derive(Debug, Serialize, Deserialize)]
struct Footer {
    /// Bytes of all texts.
    n_bytes: u64,
    /// Bytes of each run of frames; empty if there is only one run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    runs: Vec<u64>,
    /// BLAKE3 of everything before the tail.
    body: String,
}

/// Frames that are packed in parallel.
const TOGETHER: usize = 32;

/// Writes texts.
pub(crate) struct TextsWriter<W> {
    out: PageWriter<W>,
    /// Bytes of the frames that are not packed yet.
    unpacked: Vec<u8>,
    starts: Vec<u64>,
    /// Bytes of each run that has ended.
    runs: Vec<u64>,
    /// Bytes of the current run.
    n_in_run: u64,
    n_bytes: u64,
}

impl<W: Write> TextsWriter<W> {
    pub(crate) fn new(name: &str, out: W) -> io::Result<TextsWriter<W>> {
        let mut out = PageWriter::new(name, out);
        out.write(MAGIC)?;
        let (unpacked, starts, runs) = <_>::default();
        Ok(TextsWriter { out, unpacked, starts, runs, n_in_run: 0, n_bytes: 0 })
    }

    /// Adds bytes; returns their start among all texts.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) -> io::Result<u64> {
        let start = self.n_bytes;
        self.n_bytes += bytes.len() as u64;
        self.n_in_run += bytes.len() as u64;
        while !bytes.is_empty() {
            let room = TOGETHER * FRAME - self.unpacked.len();
            let (now, later) = bytes.split_at(bytes.len().min(room));
            self.unpacked.extend_from_slice(now);
            bytes = later;
            if now.len() == room {
                self.pack()?;
            }
        }
        Ok(start)
    }

    /// Packs and writes the bytes that are not packed yet, as frames that are all full except the last.
    fn pack(&mut self) -> io::Result<()> {
        let frames = self.unpacked.par_chunks(FRAME);
        let pack = |packer: &mut io::Result<Compressor<'_>>, frame: &[u8]| match packer {
            Ok(packer) => packer.compress(frame),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        };
        let packed = frames.map_init(|| Compressor::new(LEVEL), pack);
        for packed in packed.collect::<Vec<io::Result<Vec<u8>>>>() {
            self.starts.push(self.out.at());
            self.out.write(&packed?)?;
        }
        self.unpacked.clear();
        Ok(())
    }

    /// Adds all texts of a file in packed form; returns their start among all texts.
    ///
    /// # Errors
    /// If the file is damaged, or one of the two files cannot be read or written.
    pub(crate) fn copy(&mut self, texts: &Texts) -> std::result::Result<u64, Failure> {
        self.end_run()?;
        let start = self.n_bytes;
        let mut packed = Vec::new();
        for frame in texts.starts.windows(2) {
            self.starts.push(self.out.at());
            texts.file.read(frame[0], frame[1] - frame[0], &mut packed)?;
            self.out.write(&packed)?;
        }
        self.runs.extend(texts.runs.iter().map(|run| run.end - run.start));
        self.n_bytes += texts.n_bytes;
        Ok(start)
    }

    fn end_run(&mut self) -> io::Result<()> {
        self.pack()?;
        let run = mem::take(&mut self.n_in_run);
        self.runs.extend((run > 0).then_some(run));
        Ok(())
    }

    pub(crate) fn finish(mut self, name: &str) -> io::Result<FileEntry> {
        self.end_run()?;
        let body = self.out.begin_tail();
        let runs = if self.runs.len() > 1 { self.runs } else { Vec::new() };
        write_footer(&Footer { n_bytes: self.n_bytes, runs, body }, &mut self.out)?;
        for start in &self.starts {
            self.out.write(&start.to_le_bytes())?;
        }
        self.out.finish(name)
    }
}

/// Texts open for reading.
#[derive(Debug)]
pub(crate) struct Texts {
    file: PageFile,
    /// The start of each frame, and the end of the last one.
    starts: Vec<u64>,
    runs: Vec<Run>,
    n_bytes: u64,
    body: String,
}

/// A run of frames, which are full except for the last.
#[derive(Debug)]
struct Run {
    /// The start of its text among all texts.
    start: u64,
    end: u64,
    /// The number of its first frame.
    first: usize,
}

impl Run {
    /// Makes runs of the given lengths in bytes, one after the other; `None` if one is empty, or a sum overflows.
    fn from_lengths(lengths: &[u64]) -> Option<Vec<Run>> {
        let (mut start, mut first) = (0_u64, 0_usize);
        let run = |&n_bytes: &u64| {
            let end = start.checked_add(n_bytes).filter(|_| n_bytes > 0)?;
            let n_frames = usize::try_from(n_bytes.div_ceil(FRAME as u64)).ok()?;
            let next = first.checked_add(n_frames)?;
            let (start, first) = (mem::replace(&mut start, end), mem::replace(&mut first, next));
            Some(Run { start, end, first })
        };
        lengths.iter().map(run).collect()
    }

    fn n_frames(&self) -> usize {
        (self.end - self.start).div_ceil(FRAME as u64) as usize
    }
}

/// The frame that was unpacked last, kept so that neighbouring texts unpack it once.
#[derive(Debug, Default)]
pub(crate) struct LastFrame(Option<(usize, Vec<u8>)>);

impl Texts {
    pub(crate) fn open(folder: &Path, entry: &FileEntry) -> Result<Texts> {
        let (file, tail) = PageFile::open(folder, entry)?;
        let wrong = || file.damaged("its last part cannot be read");
        let (footer, starts): (Footer, _) = footer(&tail).ok_or_else(wrong)?;
        let number =
            |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let mut starts: Vec<u64> = starts.chunks_exact(8).map(number).collect();
        starts.push(file.n_body());
        let only = [footer.n_bytes];
        let lengths = if footer.runs.is_empty() { &only[..] } else { &footer.runs };
        let lengths = if footer.n_bytes == 0 { &[] } else { lengths };
        let runs = Run::from_lengths(lengths).ok_or_else(wrong)?;
        let ends = runs.last().map_or((0, 0), |last| (last.end, last.first + last.n_frames()));
        let fits = ends == (footer.n_bytes, starts.len() - 1);
        if !fits || !starts.windows(2).all(|two| two[0] < two[1]) {
            return Err(wrong());
        }
        Ok(Texts { file, starts, runs, n_bytes: footer.n_bytes, body: footer.body })
    }

    /// Appends `n` bytes to `out`, from byte `start` on.
    ///
    /// # Errors
    /// If there are not that many bytes, the file is damaged, or it cannot be read.
    pub(crate) fn read(
        &self,
        start: u64,
        n: u64,
        last: &mut LastFrame,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let end = start.checked_add(n).filter(|&end| end <= self.n_bytes);
        let end = end.ok_or_else(|| self.file.damaged("a text is not in it"))?;
        let mut at = start;
        while at < end {
            let run = &self.runs[self.runs.partition_point(|run| run.end <= at)];
            let (number, inside) =
                ((at - run.start) / FRAME as u64, (at - run.start) % FRAME as u64);
            let (number, inside) = (number as usize, inside as usize);
            let frame = self.frame(run, number, last)?;
            let n = (frame.len() - inside).min((end - at) as usize);
            out.extend_from_slice(&frame[inside..inside + n]);
            at += n as u64;
        }
        Ok(())
    }

    /// Returns a frame of a run, unpacked.
    fn frame<'a>(&self, run: &Run, number: usize, last: &'a mut LastFrame) -> Result<&'a [u8]> {
        let left = run.end - run.start - number as u64 * FRAME as u64;
        let number = run.first + number;
        if last.0.as_ref().is_none_or(|(unpacked, _)| *unpacked != number) {
            let (start, end) = (self.starts[number], self.starts[number + 1]);
            let mut packed = Vec::new();
            self.file.read(start, end - start, &mut packed)?;
            let expected = left.min(FRAME as u64) as usize;
            let frame = zstd::bulk::decompress(&packed, expected);
            let frame = frame.ok().filter(|frame| frame.len() == expected);
            let frame = frame.ok_or_else(|| self.file.damaged("a text cannot be unpacked"))?;
            last.0 = Some((number, frame));
        }
        Ok(last.0.as_ref().map_or(&[], |(_, frame)| frame))
    }

    /// Returns the bytes of all texts.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Reads the whole file, and checks its hash.
    pub(crate) fn verify(&self) -> Result<()> {
        if self.file.body_hash()? != self.body {
            return Err(self
                .file
                .damaged("its contents have another hash than its last part says"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use fanmill_disk::replace::{Access, Disk, NewFile};
    use fanmill_disk::segments::pages::write_file;
    use proptest::prelude::*;

    use super::*;

    /// Writes a file of texts from pieces, which may be copies of files `before`; returns its texts.
    fn written(file: &mut NewFile, number: usize, pieces: &[Piece], before: &[Texts]) -> Texts {
        let name = format!("{number}.txt");
        let entry = write_file(file, &name, Access::Usual, |out| {
            let mut writer = TextsWriter::new(&name, out)?;
            for piece in pieces {
                match piece {
                    Piece::Bytes(byte, n) => drop(writer.push(&vec![*byte; *n])?),
                    Piece::Copy(which) => {
                        if let Some(texts) = before.get(*which) {
                            writer.copy(texts)?;
                        }
                    }
                }
            }
            Ok(writer.finish(&name)?)
        });
        Texts::open(file.workplace(), &entry.unwrap()).unwrap()
    }

    /// The naive twin: joins the bytes of all pieces.
    fn joined(pieces: &[Piece], before: &[Vec<u8>]) -> Vec<u8> {
        let piece = |piece: &Piece| match piece {
            Piece::Bytes(byte, n) => vec![*byte; *n],
            Piece::Copy(which) => before.get(*which).cloned().unwrap_or_default(),
        };
        pieces.iter().flat_map(piece).collect()
    }

    #[derive(Debug, Clone)]
    enum Piece {
        Bytes(u8, usize),
        Copy(usize),
    }

    fn piece() -> impl Strategy<Value = Piece> {
        let n = prop_oneof![0..9_usize, FRAME - 2..FRAME + 3, 0..3 * FRAME];
        prop_oneof![
            3 => (any::<u8>(), n).prop_map(|(byte, n)| Piece::Bytes(byte, n)),
            1 => (0..3_usize).prop_map(Piece::Copy),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(64)))]

        #[test]
        fn any_bytes_are_read_from_texts_that_were_pushed_or_copied(
            files in prop::collection::vec(prop::collection::vec(piece(), 0..6), 1..4),
            places in prop::collection::vec((any::<prop::sample::Index>(), 0..2 * FRAME), 8),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut file = NewFile::begin(&Disk::default(), folder.path(), "texts", "texts").unwrap();
            let (mut before, mut expected) = (Vec::new(), Vec::new());
            for (number, pieces) in files.iter().enumerate() {
                let texts = written(&mut file, number, pieces, &before);
                expected.push(joined(pieces, &expected));
                let all = &expected[number];
                prop_assert_eq!(texts.n_bytes(), all.len() as u64);
                let mut last = LastFrame::default();
                for (start, n) in &places {
                    let start = start.index(all.len() + 1);
                    let end = (start + n).min(all.len());
                    let mut out = Vec::new();
                    texts.read(start as u64, (end - start) as u64, &mut last, &mut out).unwrap();
                    prop_assert!(out == all[start..end]);
                }
                texts.verify().unwrap();
                before.push(texts);
            }
        }
    }
}
