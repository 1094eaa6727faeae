//! A segment: originals that were added together, in a file that never changes.
//!
//! | part of `seg-N.sift` | encoding |
//! |---|---|
//! | `fanmsift segment 2` and a line feed | |
//! | originals | for each: length of the name, 4 bytes, and the name; its [facts](super::facts); its [fingerprints](crate::encoding) |
//! | offset of each original, and the end of the last one | 8 bytes each |
//! | names | for each original the XXH3 of its name, 8 bytes, and its number, 4 bytes; ascending |
//! | tail: length of the footer, and the footer | 8 bytes; JSON |
//!
//! The file consists of [pages] with checksums. Its tail is read when it is opened. Looking up a name reads a few pages
//! of names and one original; checking texts reads everything.
//!
//! Cost: 20 bytes of memory for each original that is written, and one original.

use std::io::{self, Write};
use std::path::Path;

use crate::encoding;
use crate::profile::Profile;
use crate::records::FillLevel;
use crate::sifter::Sifted;
use fanmill_disk::replace::{Access, NewFile};
use fanmill_disk::segments::pages::{
    self, Failure, FileEntry, PageFile, PageWriter, footer, write_footer,
};
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::facts::{self, Facts};

/// The first bytes of a segment. They begin like those of all files of a store, which are never read as texts.
const MAGIC: &[u8] = b"fanmsift segment 2\n";
/// Size of an entry of the names, in bytes.
const OF_A_NAME: u64 = 12;
/// Number of bytes that are read at a time.
const TOGETHER: u64 = 1 << 20;
/// Number of look-ups after which all names of a segment are read into memory.
const LOOK_UPS: u32 = 100;

/// The manifest's entry for a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SegmentEntry {
    /// Number of originals in it, removed ones included.
    pub(super) originals: u32,
    pub(super) file: FileEntry,
    /// Numbers of the originals that were removed or replaced, ascending.
    pub(super) removed: Vec<u32>,
}

/// The footer, which is in the tail.
#[derive(Debug, Serialize, Deserialize)]
struct Footer {
    originals: u32,
    /// Number of values of all originals.
    values: u64,
    /// Size of all names, in bytes.
    name_bytes: u64,
    /// Offset of the places of the originals.
    places: u64,
    /// BLAKE3 hash of everything before the tail.
    body: String,
}

/// An original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    /// Its name in the store.
    pub name: String,
    /// Its dates and role.
    pub facts: Facts,
    /// Its fingerprints.
    pub sifted: Sifted,
}

impl Original {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.name.len() as u32).to_le_bytes());
        out.extend_from_slice(self.name.as_bytes());
        self.facts.encode(out);
        encoding::encode(&self.sifted, out);
    }

    fn decode(profile: &Profile, bytes: &[u8]) -> Option<Original> {
        let (n, rest) = bytes.split_first_chunk()?;
        let (name, rest) = rest.split_at_checked(u32::from_le_bytes(*n) as usize)?;
        let (facts, rest) = rest.split_first_chunk::<{ facts::BYTES }>()?;
        Some(Original {
            name: str::from_utf8(name).ok()?.to_owned(),
            facts: Facts::decode(facts)?,
            sifted: encoding::decode(profile, rest)?,
        })
    }
}

/// A segment that is being written.
#[expect(missing_debug_implementations, reason = "its output is any `Write`")]
pub struct SegmentWriter<'w> {
    out: PageWriter<&'w mut dyn Write>,
    places: Vec<u64>,
    names: Vec<(u64, u32)>,
    n_values: u64,
    name_bytes: u64,
    bytes: Vec<u8>,
}

impl SegmentWriter<'_> {
    /// Adds an original.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, original: &Original) -> io::Result<()> {
        self.places.push(self.out.at());
        self.names.push((hash(&original.name), self.names.len() as u32));
        self.n_values += original.sifted.len() as u64;
        self.name_bytes += original.name.len() as u64;
        self.bytes.clear();
        original.encode(&mut self.bytes);
        self.out.write(&self.bytes)
    }

    fn finish(mut self, name: &str) -> io::Result<SegmentEntry> {
        let places = self.out.at();
        self.places.push(places);
        for place in &self.places {
            self.out.write(&place.to_le_bytes())?;
        }
        self.names.sort_unstable();
        for (hash, number) in &self.names {
            self.out.write(&hash.to_le_bytes())?;
            self.out.write(&number.to_le_bytes())?;
        }
        let body = self.out.begin_tail();
        let originals = self.names.len() as u32;
        let (values, name_bytes) = (self.n_values, self.name_bytes);
        write_footer(&Footer { originals, values, name_bytes, places, body }, &mut self.out)?;
        Ok(SegmentEntry { originals, file: self.out.finish(name)?, removed: Vec::new() })
    }
}

/// Writes segment `id`. Returns its entry, and what `fill` returns.
///
/// # Errors
/// If it cannot be written, or `fill` fails.
pub(super) fn write<T>(
    file: &mut NewFile,
    id: u64,
    access: Access,
    fill: impl FnOnce(&mut SegmentWriter<'_>) -> std::result::Result<T, Failure>,
) -> Result<(SegmentEntry, T)> {
    let name = file_name(id);
    pages::write_file(file, &name, access, |out| {
        let out = PageWriter::new(&name, out as &mut dyn Write);
        let (n_values, name_bytes) = (0, 0);
        let (places, names, bytes) = (Vec::new(), Vec::new(), Vec::new());
        let mut writer = SegmentWriter { out, places, names, n_values, name_bytes, bytes };
        writer.out.write(MAGIC)?;
        let filled = fill(&mut writer)?;
        Ok((writer.finish(&name)?, filled))
    })
}

fn file_name(id: u64) -> String {
    format!("seg-{id}.sift")
}

/// Returns whether this is the name of a segment.
pub(super) fn is_segment(name: &str) -> bool {
    let number = name.strip_prefix("seg-").and_then(|rest| rest.strip_suffix(".sift"));
    number.is_some_and(|number| number.parse::<u64>().is_ok())
}

fn hash(name: &str) -> u64 {
    xxh3_64(name.as_bytes())
}

/// A segment, open for reading.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) entry: SegmentEntry,
    file: PageFile,
    footer: Footer,
    /// Number of names looked up so far.
    n_look_ups: u32,
    /// All names, once there have been many look-ups.
    names: Option<Vec<(u64, u32)>>,
}

impl Segment {
    /// Opens the file of a segment.
    ///
    /// # Errors
    /// If it cannot be opened, is damaged, or is not the one that the manifest names.
    pub(super) fn open(folder: &Path, entry: &SegmentEntry) -> Result<Segment> {
        let (file, tail) = PageFile::open(folder, &entry.file)?;
        let wrong = || file.damaged("its last part cannot be read");
        let (footer, rest): (Footer, _) = footer(&tail).ok_or_else(wrong)?;
        let n = u64::from(footer.originals);
        let fits = rest.is_empty()
            && footer.originals == entry.originals
            && footer.places.checked_add(8 * (n + 1) + OF_A_NAME * n) == Some(file.n_body())
            && entry.removed.is_sorted_by(|x, y| x < y)
            && entry.removed.last().is_none_or(|&last| last < footer.originals);
        if !fits {
            return Err(wrong());
        }
        Ok(Segment { entry: entry.clone(), file, footer, n_look_ups: 0, names: None })
    }

    /// Returns the number of originals that were not removed.
    pub(super) fn n_live(&self) -> u64 {
        u64::from(self.entry.originals) - self.entry.removed.len() as u64
    }

    /// Returns how full it is, removed originals included.
    pub(super) fn filling(&self) -> FillLevel {
        FillLevel::new(self.footer.originals.into(), self.footer.values, self.footer.name_bytes)
    }

    fn is_live(&self, number: u32) -> bool {
        self.entry.removed.binary_search(&number).is_err()
    }

    /// Finds the original of this name. Returns its number, too.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub(super) fn find(
        &mut self,
        profile: &Profile,
        name: &str,
    ) -> Result<Option<(u32, Original)>> {
        self.n_look_ups = self.n_look_ups.saturating_add(1);
        if self.names.is_none() && self.n_look_ups > LOOK_UPS {
            let mut bytes = Vec::new();
            let at = self.names_start();
            self.file.read(at, self.file.n_body() - at, &mut bytes)?;
            self.names = Some(bytes.chunks_exact(OF_A_NAME as usize).map(of_a_name).collect());
        }
        let wanted = hash(name);
        // Several names may have the same hash, and removed originals keep their entries.
        let mut at = self.first_name(wanted)?;
        while at < self.entry.originals {
            let (hash, number) = self.name(at)?;
            if hash != wanted {
                break;
            }
            if number >= self.entry.originals {
                return Err(self.file.damaged("a name is of an original that there is not"));
            }
            if self.is_live(number) {
                let original = self.original(profile, number)?;
                if original.name == name {
                    return Ok(Some((number, original)));
                }
            }
            at += 1;
        }
        Ok(None)
    }

    /// Returns the place of the first name with this hash or a higher one.
    fn first_name(&self, wanted: u64) -> Result<u32> {
        let (mut start, mut end) = (0, self.entry.originals);
        while start < end {
            let middle = start + (end - start) / 2;
            if self.name(middle)?.0 < wanted { start = middle + 1 } else { end = middle }
        }
        Ok(start)
    }

    fn names_start(&self) -> u64 {
        self.footer.places + 8 * (u64::from(self.footer.originals) + 1)
    }

    /// Returns the hash at a place among the names, and the number of its original.
    fn name(&self, at: u32) -> Result<(u64, u32)> {
        if let Some(names) = &self.names {
            return Ok(names[at as usize]);
        }
        let mut bytes = Vec::new();
        let place = self.names_start() + OF_A_NAME * u64::from(at);
        self.file.read(place, OF_A_NAME, &mut bytes)?;
        Ok(of_a_name(&bytes))
    }

    fn original(&self, profile: &Profile, number: u32) -> Result<Original> {
        let mut bytes = Vec::new();
        self.file.read(self.footer.places + 8 * u64::from(number), 16, &mut bytes)?;
        let (start, end) = (u64_at(&bytes, 0), u64_at(&bytes, 8));
        let n = end.checked_sub(start).filter(|_| end <= self.footer.places);
        self.file.read(start, n.ok_or_else(|| self.wrong())?, &mut bytes)?;
        Original::decode(profile, &bytes).ok_or_else(|| self.wrong())
    }

    /// Passes all originals that were not removed to `take`, in their order, with their numbers. At the end, everything
    /// that was read must have the hash in the tail.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read, the job is cancelled, or `take` fails.
    pub(super) fn each<E: From<Error>>(
        &self,
        profile: &Profile,
        progress: &dyn Progress,
        mut take: impl FnMut(u32, Original) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let n_body = self.file.n_body();
        let mut rest = Vec::new();
        self.file.read(self.footer.places, n_body - self.footer.places, &mut rest)?;
        let n_places = 8 * (self.entry.originals as usize + 1);
        let places: Vec<u64> = rest[..n_places].chunks_exact(8).map(|b| u64_at(b, 0)).collect();
        let is_right = places[0] == MAGIC.len() as u64
            && places.is_sorted()
            && places.last() == Some(&self.footer.places);
        if !is_right {
            return Err(self.wrong().into());
        }
        let (mut hasher, mut bytes, mut number) = (blake3::Hasher::new(), Vec::new(), 0);
        self.file.read(0, places[0], &mut bytes)?;
        hasher.update(&bytes);
        while number < self.entry.originals as usize {
            progress.check()?;
            let start = places[number];
            // As many originals as fit, and at least one.
            let end = places.partition_point(|&place| place <= start + TOGETHER) - 1;
            let end = end.max(number + 1);
            self.file.read(start, places[end] - start, &mut bytes)?;
            hasher.update(&bytes);
            for number in number..end {
                let [from, to] = [number, number + 1].map(|at| (places[at] - start) as usize);
                let original = Original::decode(profile, &bytes[from..to]);
                let original = original.ok_or_else(|| self.wrong())?;
                if self.is_live(number as u32) {
                    take(number as u32, original)?;
                }
            }
            number = end;
        }
        hasher.update(&rest);
        if hasher.finalize().to_hex().as_str() != self.footer.body {
            return Err(self
                .file
                .damaged("its contents have another hash than its last part says")
                .into());
        }
        Ok(())
    }

    fn wrong(&self) -> Error {
        self.file.damaged("an original cannot be read")
    }
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |number| u64::from_le_bytes(*number))
}

fn of_a_name(bytes: &[u8]) -> (u64, u32) {
    let number = bytes[8..].first_chunk().map_or(0, |number| u32::from_le_bytes(*number));
    (u64_at(bytes, 0), number)
}
