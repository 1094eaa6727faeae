//! Clusters: texts one after another, packed together.
//!
//! A cluster begins with a byte that says how it is packed, and how wide its offsets are. The offsets follow, packed
//! too, and then the texts. Only the texts that are wanted are held, and nothing is unpacked behind the last of them.

use std::io::{self, Read};

use fanmill_disk::packing::{Packing, Unpacked};

use crate::Fault;
use crate::read_at::{ReadAt, Section, bytes_at};
use crate::zim::header::{u32_at, u64_at};

/// Bit of the first byte that says that offsets have 8 bytes.
const IS_EXTENDED: u8 = 0x10;
/// Number of bytes read of the list of offsets at once, so that memory grows with what is there.
const OFFSETS_AT_ONCE: u64 = 1 << 16;

/// The reason why a text cannot be read that is not within its cluster.
const BEHIND_END: &str = "its cluster ends before its last text";

/// The place of a cluster in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClusterSpan {
    pub(super) start: u64,
    /// The beginning of the next cluster, or the end of all.
    pub(super) end: u64,
}

/// Limits on unpacking a cluster, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClusterLimits {
    pub(super) unpacked: u64,
    pub(super) blob: u64,
}

/// A reason why a cluster, or what is left of it, cannot be read.
#[derive(Debug)]
pub(super) enum ClusterFault {
    /// It unpacks to more than the limit.
    TooLarge(u64),
    Fault(Fault),
}

impl From<Fault> for ClusterFault {
    fn from(fault: Fault) -> ClusterFault {
        ClusterFault::Fault(fault)
    }
}

/// A text of a cluster.
#[derive(Debug)]
pub(super) enum Blob {
    Unpacked(Vec<u8>),
    /// Its place in the file, where nothing is packed: it is read when it is needed.
    At(u64, usize),
    /// The reason why it cannot be read.
    Bad(String),
}

impl Blob {
    /// Returns the bytes, or the reason why there are none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn into_bytes(self, input: &dyn ReadAt) -> Result<Result<Vec<u8>, String>, Fault> {
        Ok(match self {
            Blob::Unpacked(bytes) => Ok(bytes),
            Blob::At(at, n) => Ok(bytes_at(input, at, n, "a text")?),
            Blob::Bad(reason) => Err(reason),
        })
    }
}

/// The bytes of a cluster, from its list of offsets on.
enum Content<'a> {
    Plain(Section<'a>),
    Packed(Unpacked<Section<'a>>),
}

impl Content<'_> {
    fn read_up_to(&mut self, n: u64, bytes: &mut Vec<u8>) -> Result<(), Fault> {
        let before = bytes.len();
        match self {
            Content::Plain(section) => {
                let left = section.end.saturating_sub(section.at);
                let n = usize::try_from(n.min(left)).unwrap_or(usize::MAX);
                bytes.extend(bytes_at(section.input, section.at, n, "a cluster")?);
                section.at += n as u64;
            }
            Content::Packed(unpacked) => {
                unpacked.take(n).read_to_end(bytes).map_err(Fault::from_unpacking)?;
            }
        }
        if ((bytes.len() - before) as u64) < n {
            return Err(Fault::damage(BEHIND_END));
        }
        Ok(())
    }

    /// Returns the next text, of `n` bytes.
    fn blob(&mut self, n: u64, limit: u64) -> Result<Blob, Fault> {
        let fits = usize::try_from(n).ok().filter(|_| n <= limit);
        match (self, fits) {
            (own, None) => {
                own.skip(n)?;
                Ok(Blob::Bad(format!("it has {n} bytes, and the limit of an article is {limit}")))
            }
            (Content::Plain(section), Some(n)) => {
                let at = section.at;
                section.at = at.saturating_add(n as u64);
                if section.at > section.end {
                    return Ok(Blob::Bad(BEHIND_END.to_owned()));
                }
                Ok(Blob::At(at, n))
            }
            (own, Some(_)) => {
                let mut bytes = Vec::new();
                own.read_up_to(n, &mut bytes)?;
                Ok(Blob::Unpacked(bytes))
            }
        }
    }

    fn skip(&mut self, n: u64) -> Result<(), Fault> {
        let skipped = match self {
            Content::Plain(section) => {
                section.at = section.at.saturating_add(n);
                n
            }
            Content::Packed(unpacked) => {
                io::copy(&mut unpacked.take(n), &mut io::sink()).map_err(Fault::from_unpacking)?
            }
        };
        if skipped == n { Ok(()) } else { Err(Fault::damage(BEHIND_END)) }
    }
}

/// Reads some texts of a cluster, by their numbers, ascending; each as far as it can be read.
///
/// # Errors
/// If nothing of it can be read, or it unpacks to more than the limit.
pub(super) fn read(
    input: &dyn ReadAt,
    place: ClusterSpan,
    wanted: &[u32],
    limits: ClusterLimits,
) -> Result<Vec<Blob>, ClusterFault> {
    let Some(last) = wanted.last() else { return Ok(Vec::new()) };
    let (mut content, width) = open(input, place)?;
    let offsets = offsets(&mut content, width, *last, limits)?;
    let mut at = u64::try_from(offsets.list.len()).unwrap_or(u64::MAX);
    let mut blobs = Vec::with_capacity(wanted.len());
    for &number in wanted {
        let Some((start, end)) = offsets.of(number) else {
            let n = offsets.n_blobs;
            blobs.push(Blob::Bad(format!("it is text {number} of a cluster that has {n}")));
            continue;
        };
        if start < at || end < start {
            blobs.push(Blob::Bad(format!(
                "its place in its cluster is {start} to {end}, behind {at}"
            )));
            continue;
        }
        let n = end - start;
        // What is not held counts too, as it has to be unpacked.
        if matches!(content, Content::Packed(_)) && end > limits.unpacked {
            return Err(ClusterFault::TooLarge(limits.unpacked));
        }
        content.skip(start - at)?;
        blobs.push(content.blob(n, limits.blob)?);
        at = end;
    }
    Ok(blobs)
}

/// Begins to read a cluster; returns the width of its offsets, too.
fn open(input: &dyn ReadAt, place: ClusterSpan) -> Result<(Content<'_>, usize), Fault> {
    if place.start >= place.end {
        return Err(Fault::damage("it has no bytes of its own"));
    }
    let info = bytes_at(input, place.start, 1, "a cluster")?[0];
    let width = if info & IS_EXTENDED == 0 { 4 } else { 8 };
    let section = Section { input, at: place.start + 1, end: place.end };
    let packing = match info & 0xF {
        0 | 1 => return Ok((Content::Plain(section), width)),
        2 => return Err(Fault::damage("it is packed by zlib, as no program has done for years")),
        3 => Packing::Bzip2,
        4 => Packing::Xz,
        5 => Packing::Zstandard,
        other => {
            return Err(Fault::Damage(format!("it is packed in way {other}, which is not known")));
        }
    };
    Ok((Content::Packed(packing.unpack(section)), width))
}

/// The offsets of a cluster's texts, as far as they are needed.
struct Offsets {
    list: Vec<u8>,
    width: usize,
    n_blobs: u64,
}

impl Offsets {
    fn get(&self, number: usize) -> Option<u64> {
        let at = number.checked_mul(self.width)?;
        let bytes = self.list.get(at..at.checked_add(self.width)?)?;
        Some(if self.width == 8 { u64_at(bytes, 0) } else { u64::from(u32_at(bytes, 0)) })
    }

    /// Returns the beginning and the end of a text, counted from the first offset.
    fn of(&self, number: u32) -> Option<(u64, u64)> {
        Some((self.get(number as usize)?, self.get(number as usize + 1)?))
    }
}

fn offsets(
    content: &mut Content<'_>,
    width: usize,
    last: u32,
    limits: ClusterLimits,
) -> Result<Offsets, ClusterFault> {
    let mut list = Vec::new();
    content.read_up_to(width as u64, &mut list)?;
    let mut offsets = Offsets { list, width, n_blobs: 0 };
    let length = offsets.get(0).unwrap_or_default();
    if length < width as u64 || !length.is_multiple_of(width as u64) {
        return Err(Fault::Damage(format!("its list of offsets has {length} bytes")).into());
    }
    if length > limits.unpacked {
        return Err(ClusterFault::TooLarge(limits.unpacked));
    }
    offsets.n_blobs = length / width as u64 - 1;
    if u64::from(last) > 0 && offsets.n_blobs == 0 {
        return Err(Fault::damage("it has no texts").into());
    }
    while (offsets.list.len() as u64) < length {
        let left = length - offsets.list.len() as u64;
        content.read_up_to(left.min(OFFSETS_AT_ONCE), &mut offsets.list)?;
    }
    Ok(offsets)
}
