//! Writing and reading the records of a segment: many at once, if all are wanted.
//!
//! Records repeat folders, sites and licences, so 16 of them compress to two fifths of their bytes. More together would
//! save little, and one that is wanted alone would take longer.
//!
//! Each record is a few dozen bytes, and each read hashes whole pages. When they were read one by one, records took a
//! quarter of the time of a merge.

use std::io::{self, Write};

use fanmill::index::encoding::{put, take};
use fanmill_disk::segments::pages::{PageFile, PageWriter};
use fanmill_text::{Error, Result};

use crate::block::Form;
use crate::record::Record;

/// Bytes that are read at once; a longer record is read alone.
const TOGETHER: u64 = 64 << 10;

/// Number of records that are compressed together.
const GROUP: u32 = 16;
/// Default level of Zstandard.
const LEVEL: i32 = 3;
/// Maximum number of bytes that one byte can unpack to: Zstandard's shortest block has four bytes, and its longest 128 KiB
/// of content (RFC 8878, section 3.1.1.2).
const MOST_UNPACKED: usize = 1 << 15;

/// The places of a segment's records in its file. Version 5 has records in compressed groups, and earlier versions each
/// by itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places {
    /// Offset of the places, 8 bytes each: the start of each group, and finally the end of the last one.
    pub(crate) at: u64,
    /// Number of documents.
    pub(crate) n: u32,
    /// The form of the segment.
    pub(crate) form: Form,
}

impl Form {
    /// Returns the number of records in a group; the last group may have fewer.
    fn n_records(self) -> u32 {
        match self {
            Form::Plain => 1,
            Form::Packed => GROUP,
        }
    }
}

impl Places {
    /// Returns the number of groups.
    fn n_groups(self) -> u32 {
        self.n.div_ceil(self.form.n_records())
    }

    /// Returns the number of bytes that the places take.
    pub(crate) fn n_bytes(self) -> u64 {
        8 * (u64::from(self.n_groups()) + 1)
    }
}

/// Writes records.
pub(crate) struct RecordsWriter<'o, W> {
    out: &'o mut PageWriter<W>,
    form: Form,
    /// Number of records of the current group.
    n: u32,
    bytes: Vec<u8>,
    record: Vec<u8>,
    /// The start of each group.
    starts: Vec<u64>,
}

impl<'o, W: Write> RecordsWriter<'o, W> {
    pub(crate) fn new(form: Form, out: &'o mut PageWriter<W>) -> RecordsWriter<'o, W> {
        let (n, bytes, record, starts) = <_>::default();
        RecordsWriter { out, form, n, bytes, record, starts }
    }

    pub(crate) fn push(&mut self, record: &Record) -> io::Result<()> {
        self.n += 1;
        match self.form {
            Form::Plain => record.encode(&mut self.bytes),
            Form::Packed => {
                self.record.clear();
                record.encode(&mut self.record);
                put(self.record.len() as u64, &mut self.bytes);
                self.bytes.extend_from_slice(&self.record);
            }
        }
        if self.n < self.form.n_records() { Ok(()) } else { self.end_group() }
    }

    fn end_group(&mut self) -> io::Result<()> {
        self.starts.push(self.out.at());
        match self.form {
            Form::Plain => self.out.write(&self.bytes)?,
            Form::Packed => {
                let mut length = Vec::new();
                put(self.bytes.len() as u64, &mut length);
                self.out.write(&length)?;
                self.out.write(&zstd::bulk::compress(&self.bytes, LEVEL)?)?;
            }
        }
        self.bytes.clear();
        self.n = 0;
        Ok(())
    }

    /// Writes what is left, and the places; returns the offset of these.
    pub(crate) fn finish(mut self) -> io::Result<u64> {
        if self.n > 0 {
            self.end_group()?;
        }
        let at = self.out.at();
        for start in self.starts.iter().chain([&at]) {
            self.out.write(&start.to_le_bytes())?;
        }
        Ok(at)
    }
}

/// Reads records, fast if they are requested in order.
#[derive(Debug)]
pub(crate) struct Records<'a> {
    file: &'a PageFile,
    all: Places,
    /// Maximum number of groups that are read at once.
    ahead: u32,
    /// The group of the first place in `places`.
    first: u32,
    /// The places that were read, 8 bytes each.
    places: Vec<u8>,
    /// Offset of `bytes` in the file.
    start: u64,
    bytes: Vec<u8>,
    /// The group that was read last, and its bytes, which are unpacked.
    group: (u32, Vec<u8>),
}

impl<'a> Records<'a> {
    /// Prepares to read the records of a file. Requesting one reads up to `ahead` of them, but at least one group.
    pub(crate) fn new(file: &'a PageFile, all: Places, ahead: u32) -> Records<'a> {
        let (first, places, start, bytes, group) = <_>::default();
        let ahead = ahead.div_ceil(all.form.n_records());
        Records { file, all, ahead, first, places, start, bytes, group }
    }

    /// Returns the record of a document.
    ///
    /// # Errors
    /// If it does not exist, is damaged, or cannot be read.
    pub(crate) fn get(&mut self, document: u32) -> Result<Record> {
        if document >= self.all.n {
            return Err(self.wrong());
        }
        let group = document / self.all.form.n_records();
        if self.group.0 != group || self.group.1.is_empty() {
            self.group = (group, self.read(group)?);
        }
        let number = document % self.all.form.n_records();
        let record = match self.all.form {
            Form::Plain => Record::decode(&self.group.1),
            Form::Packed => nth(&self.group.1, number),
        };
        record.ok_or_else(|| self.wrong())
    }

    fn wrong(&self) -> Error {
        self.file.damaged("a document's record cannot be read")
    }

    /// Returns the unpacked bytes of a group.
    fn read(&mut self, group: u32) -> Result<Vec<u8>> {
        let bytes = self.read_ahead(group, self.ahead);
        if bytes.is_ok() {
            return bytes;
        }
        // The damage may be in what was read ahead, so this group is read alone.
        self.places.clear();
        self.bytes.clear();
        self.read_ahead(group, 1)
    }

    fn read_ahead(&mut self, group: u32, ahead: u32) -> Result<Vec<u8>> {
        if self.place(group).zip(self.place(group + 1)).is_none() {
            let n = ahead.min(self.all.n_groups() - group);
            let at = self.all.at + 8 * u64::from(group);
            self.file.read(at, 8 * (u64::from(n) + 1), &mut self.places)?;
            self.first = group;
        }
        let range = self.place(group).zip(self.place(group + 1));
        let is_sound = |&(start, end): &(u64, u64)| start <= end && end <= self.all.at;
        let (start, end) = range.filter(is_sound).ok_or_else(|| self.wrong())?;
        if start < self.start || end > self.start + self.bytes.len() as u64 {
            // Read to the end of the last group whose place is known, if that is not too far.
            let known = self.places.last_chunk().map_or(end, |last| u64::from_le_bytes(*last));
            let until = known.min(self.all.at).min(start.saturating_add(TOGETHER)).max(end);
            self.start = start;
            self.file.read(start, until - start, &mut self.bytes)?;
        }
        let (start, end) = ((start - self.start) as usize, (end - self.start) as usize);
        let bytes = &self.bytes[start..end];
        match self.all.form {
            Form::Plain => Ok(bytes.to_vec()),
            Form::Packed => unpacked(bytes).ok_or_else(|| self.wrong()),
        }
    }

    /// Returns the start of a group, if its place has been read.
    fn place(&self, group: u32) -> Option<u64> {
        let i = group.checked_sub(self.first)? as usize;
        self.places.chunks_exact(8).nth(i)?.first_chunk().map(|place| u64::from_le_bytes(*place))
    }
}

/// Decodes a record of an unpacked group.
fn nth(mut group: &[u8], number: u32) -> Option<Record> {
    let mut next = || {
        let n_bytes = usize::try_from(take(&mut group).ok()?).ok()?;
        group.split_off(..n_bytes)
    };
    for _ in 0..number {
        next()?;
    }
    Record::decode(next()?)
}

/// Unpacks a group: the number of its bytes, then what they are compressed to.
fn unpacked(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let n_bytes = usize::try_from(take(&mut bytes).ok()?).ok()?;
    let may_be = n_bytes <= bytes.len().saturating_mul(MOST_UNPACKED);
    let unpacked = zstd::bulk::decompress(bytes, Some(n_bytes).filter(|_| may_be)?).ok()?;
    (unpacked.len() == n_bytes).then_some(unpacked)
}

#[cfg(test)]
mod tests {
    use fanmill_disk::replace::{Access, Disk, NewFile};
    use fanmill_disk::segments::pages::{FileEntry, PageWriter, write_file};
    use fanmill_text::document::Publication;
    use proptest::prelude::*;

    use super::*;
    use crate::record::FileRecord;

    /// Makes a record with a path of `n_bytes` bytes.
    fn record(id: u64, n_bytes: usize) -> Record {
        Record {
            id,
            name: format!("document {id}"),
            author: None,
            label: id.is_multiple_of(3).then(|| "autumn".to_owned()),
            submitted: None,
            publication: Publication {
                url: id.is_multiple_of(5).then(|| format!("https://a.example/{id}")),
                ..Publication::default()
            },
            tokens: id * 7,
            files: vec![FileRecord { path: "p".repeat(n_bytes), bytes: 12 }],
            content: [id as u8; 16],
            start: id * 12,
        }
    }

    /// Writes a file with these records; returns it, and their places in it.
    fn written(files: &mut NewFile, all: &[Record], form: Form) -> (FileEntry, Places) {
        let mut places = Places { at: 0, n: all.len() as u32, form };
        let entry = write_file(files, "own", Access::Usual, |out| {
            let mut out = PageWriter::new("own", out);
            out.write(b"what comes before")?;
            let mut records = RecordsWriter::new(form, &mut out);
            all.iter().try_for_each(|record| records.push(record))?;
            places.at = records.finish()?;
            assert_eq!(out.at(), places.at + places.n_bytes());
            out.begin_tail();
            Ok(out.finish("own")?)
        });
        (entry.unwrap(), places)
    }

    /// Names of archives are up to 64 KiB long, and nothing keeps them from being one letter.
    #[test]
    fn records_that_compress_to_nearly_nothing_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = NewFile::begin(&Disk::default(), folder.path(), "own", "records").unwrap();
        for n_bytes in [0xffff, 4 << 20] {
            let all: Vec<Record> = (0..GROUP).map(|_| record(7, n_bytes)).collect();
            let (entry, places) = written(&mut files, &all, Form::Packed);
            let (file, _) = PageFile::open(files.workplace(), &entry).unwrap();
            let mut records = Records::new(&file, places, 1);
            assert!((0..).zip(&all).all(|(i, own)| records.get(i).unwrap() == *own));
            drop(file);
            files.discard(|_| true).unwrap();
        }
        files.clear().unwrap();
    }

    #[test]
    fn what_is_damaged_is_lost_alone() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = NewFile::begin(&Disk::default(), folder.path(), "own", "records").unwrap();
        let all: Vec<Record> = (0..10).map(|id| record(id, 9000)).collect();
        let (entry, places) = written(&mut files, &all, Form::Plain);
        // Records are of nearly one length. The page in the middle of number 5 does not have bytes of others.
        let path = files.workplace().join("own");
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[(places.at as usize * 11 / 20) / 4088 * 4096 + 7] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let (file, _) = PageFile::open(files.workplace(), &entry).unwrap();
        for ahead in [1, 2, 10] {
            let mut records = Records::new(&file, places, ahead);
            for (i, expected) in (0..).zip(&all) {
                assert_eq!(records.get(i).ok().as_ref(), Some(expected).filter(|_| i != 5));
            }
        }
        drop(file);
        files.clear().unwrap();
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(64)))]

        #[test]
        fn records_are_the_same_in_any_order(
            sizes in prop::collection::vec(
                prop_oneof![8 => 1..99_usize, 1 => 3000..9000_usize, 1 => 60_000..70_000_usize], 1..40,
            ),
            asked in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
            ahead in 1..50_u32,
            form in prop_oneof![Just(Form::Plain), Just(Form::Packed)],
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut files = NewFile::begin(&Disk::default(), folder.path(), "own", "records").unwrap();
            let all: Vec<Record> = (0..).zip(&sizes).map(|(id, &n)| record(id, n)).collect();
            let (entry, places) = written(&mut files, &all, form);
            let (file, _) = PageFile::open(files.workplace(), &entry).unwrap();
            let n = all.len() as u32;
            let mut records = Records::new(&file, places, ahead);
            let asked = asked.iter().map(|i| i.index(all.len()));
            for i in (0..all.len()).chain(asked) {
                prop_assert_eq!(&records.get(i as u32).unwrap(), &all[i]);
            }
            prop_assert!(records.get(n).is_err());
            drop(file);
            files.clear().unwrap();
        }

        #[test]
        fn any_bytes_are_unpacked_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..99), n in 0_u64..1 << 40) {
            let _ = unpacked(&bytes);
            let mut group = Vec::new();
            put(n, &mut group);
            group.extend(zstd::bulk::compress(&bytes, LEVEL).unwrap());
            prop_assert_eq!(unpacked(&group).is_some(), n == bytes.len() as u64);
        }
    }
}
