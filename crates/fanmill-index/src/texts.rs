//! The texts of a segment: all bytes one after the other, in compressed frames that can be read alone.
//!
//! A frame is [`FRAME`] bytes of text (the last one: what is left), compressed by zstd. Where each begins is in the
//! file's tail, so that any bytes can be had by reading the frames that they are in.
//!
//! Why not larger frames: a source of 4 kB needs one, and the rest of it is unpacked for nothing. Other sizes are not
//! benchmarked yet.

use std::io::{self, Write};
use std::path::Path;

use fanmill::Result;
use fanmill_source::segments::pages::{FileEntry, PageFile, PageWriter, footer, write_footer};
use serde::{Deserialize, Serialize};

/// Bytes of text in a frame.
const FRAME: usize = 64 << 10;
/// The default of zstd.
const LEVEL: i32 = 3;
/// The first bytes of the file.
const MAGIC: &[u8] = b"fanmill texts 1\n";

/// The beginning of the tail.
#[derive(Debug, Serialize, Deserialize)]
struct Footer {
    /// Bytes of all texts.
    n_bytes: u64,
    /// BLAKE3 of everything before the tail.
    body: String,
}

/// Writes texts.
pub(crate) struct TextsWriter<W> {
    out: PageWriter<W>,
    frame: Vec<u8>,
    packer: zstd::bulk::Compressor<'static>,
    starts: Vec<u64>,
    n_bytes: u64,
}

impl<W: Write> TextsWriter<W> {
    pub(crate) fn new(name: &str, out: W) -> io::Result<TextsWriter<W>> {
        let mut out = PageWriter::new(name, out);
        out.write(MAGIC)?;
        let packer = zstd::bulk::Compressor::new(LEVEL)?;
        let frame = Vec::with_capacity(FRAME);
        Ok(TextsWriter { out, frame, packer, starts: Vec::new(), n_bytes: 0 })
    }

    /// Adds bytes; returns where they begin among all.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) -> io::Result<u64> {
        let start = self.n_bytes;
        self.n_bytes += bytes.len() as u64;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(FRAME - self.frame.len()));
            self.frame.extend_from_slice(now);
            bytes = later;
            if self.frame.len() == FRAME {
                self.end_frame()?;
            }
        }
        Ok(start)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.starts.push(self.out.at());
        let packed = self.packer.compress(&self.frame)?;
        self.frame.clear();
        self.out.write(&packed)
    }

    pub(crate) fn finish(mut self, name: &str) -> io::Result<FileEntry> {
        if !self.frame.is_empty() {
            self.end_frame()?;
        }
        let body = self.out.begin_tail();
        write_footer(&Footer { n_bytes: self.n_bytes, body }, &mut self.out)?;
        for start in &self.starts {
            self.out.write(&start.to_le_bytes())?;
        }
        self.out.finish(name)
    }
}

/// Texts that can be read.
#[derive(Debug)]
pub(crate) struct Texts {
    file: PageFile,
    /// Where each frame begins, and the end of the last one.
    starts: Vec<u64>,
    n_bytes: u64,
    body: String,
}

/// The frame that was unpacked last, so that neighbours are unpacked once.
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
        let fits = starts.len() as u64 == footer.n_bytes.div_ceil(FRAME as u64) + 1;
        if !fits || !starts.windows(2).all(|two| two[0] < two[1]) {
            return Err(wrong());
        }
        Ok(Texts { file, starts, n_bytes: footer.n_bytes, body: footer.body })
    }

    /// Appends `n` bytes from byte `start` on to `out`.
    ///
    /// # Errors
    /// If there are not so many, the file is damaged, or it cannot be read.
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
            let frame = self.frame((at / FRAME as u64) as usize, last)?;
            let inside = (at % FRAME as u64) as usize;
            let n = (frame.len() - inside).min((end - at) as usize);
            out.extend_from_slice(&frame[inside..inside + n]);
            at += n as u64;
        }
        Ok(())
    }

    fn frame<'a>(&self, number: usize, last: &'a mut LastFrame) -> Result<&'a [u8]> {
        if last.0.as_ref().is_none_or(|(unpacked, _)| *unpacked != number) {
            let (start, end) = (self.starts[number], self.starts[number + 1]);
            let mut packed = Vec::new();
            self.file.read(start, end - start, &mut packed)?;
            let before = number as u64 * FRAME as u64;
            let expected = (self.n_bytes - before).min(FRAME as u64) as usize;
            let frame = zstd::bulk::decompress(&packed, expected);
            let frame = frame.ok().filter(|frame| frame.len() == expected);
            let frame = frame.ok_or_else(|| self.file.damaged("a text cannot be unpacked"))?;
            last.0 = Some((number, frame));
        }
        Ok(last.0.as_ref().map_or(&[], |(_, frame)| frame))
    }

    /// Bytes of all texts.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Reads the whole file.
    pub(crate) fn verify(&self) -> Result<()> {
        if self.file.body_hash()? != self.body {
            return Err(self
                .file
                .damaged("its contents have another hash than its last part says"));
        }
        Ok(())
    }
}
