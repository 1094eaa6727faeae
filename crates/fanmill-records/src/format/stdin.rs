//! Standard input, which can be read only once: it is copied, and the copy is a shard.
//!
//! A line without an end, as a faulty program may write, would be copied until the disk is full. Records above their
//! limit are skipped and counted when the copy is read, so a line may be longer than that, but not without bound.
//!
//! Cost: O(n), with one search for a line feed in each block.

use std::io::{self, BufReader, Read};
use std::path::Path;

use fanmill_disk::replace::DiskFile;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};
use memchr::memrchr;

use super::fields::check_names;
use super::options::Options;
use super::shard::{Place, Shard};
use super::sniff::{Origin, Sniffed, sniff};
use super::stamp::Stamp;
use fanmill_disk::packing::Packing;

/// Number of bytes by which an input is recognised, even if they are packed.
const BEGINNING: u64 = 1 << 20;

/// Maximum length of a line, as a multiple of the largest record.
const RECORDS_IN_A_LINE: u64 = 16;

/// Copies an input that can be read only once into `file`, which is empty and at `path`. Its format is the one that
/// `options` name, or is recognised by its first bytes. An endless input that is of no format, or has an endless line,
/// is not copied until the disk is full.
///
/// # Errors
/// If it cannot be copied, its format is not known, a line is far longer than a record may be, or the run is cancelled.
pub fn spool_stdin(
    mut file: DiskFile,
    path: &Path,
    input: impl Read,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Shard> {
    check_names(options)?;
    progress.begin("copying", 0);
    let mut input = Counted { input: BufReader::with_capacity(1 << 16, input), progress };
    let failed = |error| Error::io("copy standard input to", path, error);
    io::copy(&mut input.by_ref().take(BEGINNING), &mut file).map_err(failed)?;
    progress.check()?;
    let begun = single(path, options)?;
    let mut input = LineLimit::new(input, &begun, options);
    io::copy(&mut input, &mut file).map_err(failed)?;
    progress.check()?;
    input.fault().map_or(Ok(()), |fault| Err(Error::input(fault)))?;
    let mut shard = single(path, options)?;
    shard.set_name(format!("stdin.{}{}", shard.format(), shard.packing().extension()).into());
    Ok(shard)
}

/// Returns one file as a shard without a name. A file that is one record is not accepted.
///
/// # Errors
/// If the file cannot be read, or its format is not known.
fn single(path: &Path, options: &Options) -> Result<Shard> {
    let found = sniff(path, options.given(), Origin::Named)?;
    if let Sniffed::Records(format, packing) = found
        && !format.is_loose()
    {
        return Ok(Shard::new(
            Place::File(path.to_owned()),
            format,
            packing,
            Stamp::from_path(path)?,
        ));
    }
    Err(Error::input("standard input is of no known format; name its format"))
}

/// A reader that counts the bytes it passes on, and ends once the run is to stop.
struct Counted<'a, R> {
    input: R,
    progress: &'a dyn Progress,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.progress.is_cancelled() {
            return Ok(0);
        }
        let n = self.input.read(buffer)?;
        self.progress.advance_by(n as u64);
        Ok(n)
    }
}

/// A reader that ends where a line is too long.
struct LineLimit<R> {
    input: R,
    /// The maximum length of a line in bytes; `None` where there are no lines.
    limit: Option<u64>,
    /// Number of bytes of the line that has begun.
    length: u64,
}

impl<R: Read> LineLimit<R> {
    /// Limits lines if the input consists of them; the lines of a packed input are not known here.
    fn new(input: R, shard: &Shard, options: &Options) -> LineLimit<R> {
        let limit = (options.record_bytes as u64).saturating_mul(RECORDS_IN_A_LINE);
        let limit =
            Some(limit).filter(|_| shard.format().has_lines() && shard.packing() == Packing::Plain);
        LineLimit { input, limit, length: 0 }
    }

    /// Returns the fault, once a line is too long.
    fn fault(&self) -> Option<String> {
        let limit = self.limit.filter(|limit| self.length > *limit)?;
        Some(format!(
            "standard input has a line of more than {limit} bytes; end records with line feeds, or give the input as \
             a file, of which records above the limit are skipped and counted"
        ))
    }
}

impl<R: Read> Read for LineLimit<R> {
    /// Reads as its input does, and ends where a line is too long.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.fault().is_some() {
            return Ok(0);
        }
        let n = self.input.read(buffer)?;
        self.length = match memrchr(b'\n', &buffer[..n]) {
            Some(end) => (n - end - 1) as u64,
            None => self.length.saturating_add(n as u64),
        };
        Ok(n)
    }
}
