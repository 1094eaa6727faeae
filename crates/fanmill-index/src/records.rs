//! Reading the records of a segment: many at once, if all are wanted.
//!
//! Each record is a few dozen bytes, and each read hashes whole pages. When they were read one by one, records took a
//! quarter of the time of a merge.

use fanmill_disk::segments::pages::PageFile;
use fanmill_text::Result;

use crate::record::Record;

/// Bytes that are read at once; a longer record is read alone.
const TOGETHER: u64 = 64 << 10;

/// The places of a segment's records in its file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places {
    /// Offset of the places, 8 bytes each: the start of each record, and finally the end of the last one.
    pub(crate) at: u64,
    /// Number of documents.
    pub(crate) n: u32,
}

/// Reads records, fast if they are requested in order.
#[derive(Debug)]
pub(crate) struct Records<'a> {
    file: &'a PageFile,
    all: Places,
    /// Maximum number of records that are read at once.
    ahead: u32,
    /// The document of the first place in `places`.
    first: u32,
    /// The places that were read, 8 bytes each.
    places: Vec<u8>,
    /// Offset of `bytes` in the file.
    start: u64,
    bytes: Vec<u8>,
}

impl<'a> Records<'a> {
    /// Prepares to read the records of a file. Requesting one reads up to `ahead` of them, but at least one.
    pub(crate) fn new(file: &'a PageFile, all: Places, ahead: u32) -> Records<'a> {
        let (first, places, start, bytes) = <_>::default();
        Records { file, all, ahead, first, places, start, bytes }
    }

    /// Returns the record of a document.
    ///
    /// # Errors
    /// If it does not exist, is damaged, or cannot be read.
    pub(crate) fn get(&mut self, document: u32) -> Result<Record> {
        let record = self.read(document, self.ahead);
        if record.is_ok() {
            return record;
        }
        // The damage may be in what was read ahead, so this record is read alone.
        self.places.clear();
        self.bytes.clear();
        self.read(document, 1)
    }

    fn read(&mut self, document: u32, ahead: u32) -> Result<Record> {
        let wrong = || self.file.damaged("a document's record cannot be read");
        if document >= self.all.n {
            return Err(wrong());
        }
        if self.place(document).zip(self.place(document + 1)).is_none() {
            let n = ahead.min(self.all.n - document);
            let at = self.all.at + 8 * u64::from(document);
            self.file.read(at, 8 * (u64::from(n) + 1), &mut self.places)?;
            self.first = document;
        }
        let range = self.place(document).zip(self.place(document + 1));
        let is_sound = |&(start, end): &(u64, u64)| start <= end && end <= self.all.at;
        let (start, end) = range.filter(is_sound).ok_or_else(wrong)?;
        if start < self.start || end > self.start + self.bytes.len() as u64 {
            // Read to the end of the last record whose place is known, if that is not too far.
            let known = self.places.last_chunk().map_or(end, |last| u64::from_le_bytes(*last));
            let until = known.min(self.all.at).min(start.saturating_add(TOGETHER)).max(end);
            self.start = start;
            self.file.read(start, until - start, &mut self.bytes)?;
        }
        let (start, end) = ((start - self.start) as usize, (end - self.start) as usize);
        Record::decode(&self.bytes[start..end]).ok_or_else(wrong)
    }

    /// Returns the start of a document's record, if its place has been read.
    fn place(&self, document: u32) -> Option<u64> {
        let i = document.checked_sub(self.first)? as usize;
        self.places.chunks_exact(8).nth(i)?.first_chunk().map(|place| u64::from_le_bytes(*place))
    }
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
    fn written(files: &mut NewFile, all: &[Record]) -> (FileEntry, Vec<u64>) {
        let mut places = Vec::new();
        let entry = write_file(files, "own", Access::Usual, |out| {
            let (mut out, mut bytes) = (PageWriter::new("own", out), Vec::new());
            out.write(b"what comes before")?;
            for record in all {
                places.push(out.at());
                bytes.clear();
                record.encode(&mut bytes);
                out.write(&bytes)?;
            }
            places.push(out.at());
            for place in &places {
                out.write(&place.to_le_bytes())?;
            }
            out.begin_tail();
            Ok(out.finish("own")?)
        });
        (entry.unwrap(), places)
    }

    #[test]
    fn what_is_damaged_is_lost_alone() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = NewFile::begin(&Disk::default(), folder.path(), "own", "records").unwrap();
        let all: Vec<Record> = (0..10).map(|id| record(id, 9000)).collect();
        let (entry, places) = written(&mut files, &all);
        // The page in the middle of record 5 does not have bytes of other records.
        let path = files.workplace().join("own");
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[(places[5] as usize + 4500) / 4088 * 4096 + 7] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let (file, _) = PageFile::open(files.workplace(), &entry).unwrap();
        for ahead in [1, 2, 10] {
            let mut records = Records::new(&file, Places { at: places[10], n: 10 }, ahead);
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
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut files = NewFile::begin(&Disk::default(), folder.path(), "own", "records").unwrap();
            let all: Vec<Record> = (0..).zip(&sizes).map(|(id, &n)| record(id, n)).collect();
            let (entry, places) = written(&mut files, &all);
            let (file, _) = PageFile::open(files.workplace(), &entry).unwrap();
            let n = all.len() as u32;
            let mut records = Records::new(&file, Places { at: places[all.len()], n }, ahead);
            let asked = asked.iter().map(|i| i.index(all.len()));
            for i in (0..all.len()).chain(asked) {
                prop_assert_eq!(&records.get(i as u32).unwrap(), &all[i]);
            }
            prop_assert!(records.get(n).is_err());
            drop(file);
            files.clear().unwrap();
        }
    }
}
