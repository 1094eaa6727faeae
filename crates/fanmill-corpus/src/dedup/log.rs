//! The log of a run: records what reading has found, batch by batch, so that a killed run can resume.
//!
//! A frame holds the results for a batch of records. Frames are in the order of the corpus, each with its length and a
//! checksum. Reading ends at the first frame that is not whole, and writing continues there. The first frame identifies
//! the format of the log and the run (`Log::open`): a log of another format, or with other inputs or settings, is begun
//! anew.
//!
//! | bytes | of a frame |
//! |---|---|
//! | 4 | length of the payload |
//! | 8 | XXH3 of the payload |
//! | … | payload: shard (4), whether it is done (1), records before (8), records (4), then each record |
//!
//! Numbers are little-endian. A record is `0`, digest (32), address, then as varints bytes, words, rank, length of
//! the id and number of keys, then id and keys (8 each); or, if it is bad, `1`, offset (8, all ones without one) and reason
//! (for each part its kind (1), its length (8) and its text, and finally `0`). A document whose text is null begins
//! with `2`, one with replaced bytes with `3`, and one that could be read only in part with `5`. What was skipped
//! between records is `4`, offset (8), length of the reason (4) and the reason; it is not counted among the records. So
//! a document of a few words, which has one key, takes 47 bytes and its id; with fields of fixed sizes and 25 keys it
//! took 261. An address is `0` without one, `1` if it is unusable, and otherwise `2` and the hash (32) of its canonical form.

use fanmill_text::message::Message;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fanmill::index::encoding::{put, take as take_varint};
use fanmill_disk::replace::DiskFile;
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};
use xxhash_rust::xxh3::xxh3_64;

use super::addresses::Address;
use fanmill_records::{BadRecord, Flaw, Skipped};

/// Version of the log's format. It goes up whenever the layout of a frame changes, or what it contains for the same
/// record.
const FORMAT: u32 = 6;
/// Bytes before a payload.
const HEAD: usize = 12;
/// Greatest length of a payload in bytes. A longer one is damage, since a batch holds a few megabytes.
const LONGEST: u32 = 1 << 30;

/// The BLAKE3 hash of a text, which is collision-resistant.
pub(super) type Digest = [u8; 32];

/// Returns the digest of a text.
pub(super) fn digest(text: &str) -> Digest {
    *blake3::hash(text.as_bytes()).as_bytes()
}

/// The part of a record that the log keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry<'a> {
    /// A document.
    Document {
        /// Digest of its text.
        digest: Digest,
        /// Its address, if documents are grouped by addresses.
        address: Address,
        /// Bytes of its text.
        n_bytes: u64,
        /// Words of its text.
        n_words: u32,
        /// Its rank in the order of preference.
        rank: u64,
        /// Its name; empty if it does not have one of its own.
        id: &'a str,
        /// The keys that it may share with candidates.
        keys: Keys<'a>,
        /// The defect of its text, if there is one.
        flaw: Option<Flaw>,
    },
    /// A record that could not be read.
    Bad {
        /// The byte offset of the record.
        offset: Option<u64>,
        /// The reason.
        reason: Message,
    },
    /// Content that was skipped between records.
    Skipped {
        /// Its byte offset.
        offset: u64,
        /// The reason.
        reason: &'a str,
    },
}

/// First bytes of entries.
const DOCUMENT: u8 = 0;
const BAD: u8 = 1;
const NULL: u8 = 2;
const REPLACED: u8 = 3;
const SKIPPED: u8 = 4;
const OTHER: u8 = 5;

/// First bytes of addresses.
const MISSING: u8 = 0;
const UNUSABLE: u8 = 1;
const CANONICAL: u8 = 2;

/// A document as reading has sketched it; see [`Entry::Document`].
#[derive(Debug, Clone, Default)]
pub(super) struct Sketched<'a> {
    pub(super) digest: Digest,
    pub(super) address: Address,
    pub(super) n_bytes: u64,
    pub(super) n_words: u32,
    pub(super) rank: u64,
    pub(super) id: &'a str,
    pub(super) keys: &'a [u64],
    pub(super) flaw: Option<Flaw>,
}

/// Keys in the form of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Keys<'a>(&'a [u8]);

impl<'a> Keys<'a> {
    pub(super) fn iter(self) -> impl Iterator<Item = u64> + 'a {
        self.0.chunks_exact(8).map(|key| u64::from_le_bytes(key.try_into().expect("8 bytes")))
    }
}

/// A frame being composed.
#[derive(Debug, Default)]
pub(super) struct Draft {
    bytes: Vec<u8>,
    n_records: u32,
}

impl Draft {
    /// Returns whether nothing has been added.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Forgets everything that was added.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.n_records = 0;
    }

    /// Appends the entries of another draft.
    pub(super) fn append(&mut self, other: &Draft) {
        self.n_records += other.n_records;
        self.bytes.extend_from_slice(&other.bytes);
    }

    /// Adds a document.
    pub(super) fn document(&mut self, document: &Sketched<'_>) {
        self.n_records += 1;
        match &document.flaw {
            None => self.bytes.push(DOCUMENT),
            Some(Flaw::Null) => self.bytes.push(NULL),
            Some(Flaw::Replaced) => self.bytes.push(REPLACED),
            Some(Flaw::Other(reason)) => {
                self.bytes.push(OTHER);
                reason.write(&mut self.bytes);
            }
        }
        self.bytes.extend(document.digest);
        self.address(&document.address);
        let Sketched { n_bytes, n_words, rank, id, keys, .. } = *document;
        for number in [n_bytes, n_words.into(), rank, id.len() as u64, keys.len() as u64] {
            put(number, &mut self.bytes);
        }
        self.bytes.extend(id.as_bytes());
        for key in keys {
            self.bytes.extend(key.to_le_bytes());
        }
    }

    /// Adds a record that could not be read.
    pub(super) fn bad(&mut self, bad: &BadRecord) {
        self.n_records += 1;
        self.bytes.push(BAD);
        self.bytes.extend(bad.offset.unwrap_or(u64::MAX).to_le_bytes());
        bad.reason.write(&mut self.bytes);
    }

    /// Adds content that was skipped.
    pub(super) fn skipped(&mut self, skipped: &Skipped) {
        self.bytes.push(SKIPPED);
        self.bytes.extend(skipped.offset.to_le_bytes());
        self.text(&skipped.reason);
    }

    fn address(&mut self, address: &Address) {
        match address {
            Address::Missing => self.bytes.push(MISSING),
            Address::Unusable => self.bytes.push(UNUSABLE),
            Address::Canonical(digest) => {
                self.bytes.push(CANONICAL);
                self.bytes.extend(digest);
            }
        }
    }

    fn text(&mut self, text: &str) {
        self.bytes.extend((text.len() as u32).to_le_bytes());
        self.bytes.extend(text.as_bytes());
    }
}

/// A frame read from the log.
#[derive(Debug)]
pub(super) struct Frame {
    /// The index of its shard.
    pub(super) shard: u32,
    /// True if it is the last frame of its shard.
    pub(super) is_last: bool,
    /// Number of the shard's records before it.
    pub(super) first: u64,
    /// Number of its records.
    pub(super) n_records: u32,
    payload: Vec<u8>,
}

/// Bytes of a payload before its records.
const FRAME_HEAD: usize = 17;

impl Frame {
    /// Iterates over its records and what was skipped between them, in order.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let mut rest = &self.payload[FRAME_HEAD..];
        std::iter::from_fn(move || entry(&mut rest))
    }

    /// Iterates over its records alone, in order.
    pub(super) fn records(&self) -> impl Iterator<Item = Entry<'_>> {
        let records = self.entries().filter(|entry| !matches!(entry, Entry::Skipped { .. }));
        records.take(self.n_records as usize)
    }

    /// Returns whether its payload matches its head: it holds only valid entries, and as many records as stated.
    pub(super) fn is_sound(&self) -> bool {
        let (mut rest, mut n_records) = (&self.payload[FRAME_HEAD..], 0);
        while !rest.is_empty() {
            match entry(&mut rest) {
                None => return false,
                Some(Entry::Skipped { .. }) => {}
                Some(_) => n_records += 1,
            }
        }
        n_records == self.n_records
    }

    fn parse(payload: Vec<u8>) -> Option<Frame> {
        let rest = &mut payload.as_slice();
        let (shard, is_last) = (number(rest)?, take(rest, 1)?[0] == 1);
        let first = u64::from_le_bytes(take(rest, 8)?.try_into().ok()?);
        let n_records = number(rest)?;
        Some(Frame { shard, is_last, first, n_records, payload })
    }
}

fn take<'a>(rest: &mut &'a [u8], n: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(n)?;
    *rest = left;
    Some(taken)
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    take(rest, 4).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("4 bytes")))
}

fn long(rest: &mut &[u8]) -> Option<u64> {
    take(rest, 8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("8 bytes")))
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    take_varint(rest).ok()
}

fn text<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let len = number(rest)?;
    text_of(rest, len.into())
}

/// Takes a text of `len` bytes.
fn text_of<'a>(rest: &mut &'a [u8], len: u64) -> Option<&'a str> {
    std::str::from_utf8(take(rest, usize::try_from(len).ok()?)?).ok()
}

fn address(rest: &mut &[u8]) -> Option<Address> {
    match take(rest, 1)?[0] {
        MISSING => Some(Address::Missing),
        UNUSABLE => Some(Address::Unusable),
        CANONICAL => Some(Address::Canonical(take(rest, 32)?.try_into().expect("32 bytes"))),
        _ => None,
    }
}

fn entry<'a>(rest: &mut &'a [u8]) -> Option<Entry<'a>> {
    let flaw = match take(rest, 1)?[0] {
        DOCUMENT => None,
        NULL => Some(Flaw::Null),
        REPLACED => Some(Flaw::Replaced),
        OTHER => Some(Flaw::Other(Message::read(rest)?)),
        kind @ (BAD | SKIPPED) => {
            let offset = long(rest)?;
            if kind == SKIPPED {
                return Some(Entry::Skipped { offset, reason: text(rest)? });
            }
            let offset = (offset != u64::MAX).then_some(offset);
            return Some(Entry::Bad { offset, reason: Message::read(rest)? });
        }
        _ => return None,
    };
    let digest = take(rest, 32)?.try_into().expect("32 bytes");
    let address = address(rest)?;
    let (n_bytes, n_words) = (varint(rest)?, u32::try_from(varint(rest)?).ok()?);
    let (rank, len, n_keys) = (varint(rest)?, varint(rest)?, varint(rest)?);
    let id = text_of(rest, len)?;
    let keys = Keys(take(rest, usize::try_from(n_keys).ok()?.checked_mul(8)?)?);
    Some(Entry::Document { digest, address, n_bytes, n_words, rank, id, keys, flaw })
}

/// The log, open for writing at its end.
#[derive(Debug)]
pub(super) struct Log {
    file: DiskFile,
    path: PathBuf,
    /// The offset of the first frame of records, after the one that identifies the run.
    start: u64,
    end: u64,
}

impl Log {
    /// Opens the log of the run with this `identity`, or begins it if the file is empty or holds the log of another
    /// run.
    pub(super) fn open((file, path): (DiskFile, PathBuf), identity: &str) -> Result<Log> {
        let mut log = Log { file, path, start: 0, end: 0 };
        let words = format!("fanmill dedup, log format {FORMAT}\n{identity}");
        match log.read_frame_at(0)? {
            Some((payload, end)) if payload == words.as_bytes() => log.end = end,
            _ => {
                log.cut(0)?;
                log.append_payload(words.as_bytes())?;
            }
        }
        log.start = log.end;
        Ok(log)
    }

    /// Returns the frames, from the first.
    pub(super) fn frames(&self) -> Result<Frames<'_>> {
        let mut file = self.file.file();
        let failed = |error| Error::io("read", &self.path, error);
        file.seek(SeekFrom::Start(self.start)).map_err(failed)?;
        Ok(Frames {
            reader: BufReader::with_capacity(1 << 18, file),
            path: &self.path,
            at: self.start,
        })
    }

    /// Returns the frames from the first one of a shard on, through a file handle of their own, so that several threads
    /// may read. The search begins at `from`, which must be the start of a frame at or before that one: the first of
    /// the log, or [`Frames::end`] before anything is read.
    pub(super) fn frames_of(
        &self,
        shard: u32,
        from: Option<u64>,
    ) -> Result<Frames<'_, BufReader<File>>> {
        let failed = |error| Error::io("read", &self.path, error);
        let mut file = File::open(&self.path).map_err(failed)?;
        let at = file.seek(SeekFrom::Start(from.unwrap_or(self.start))).map_err(failed)?;
        let mut frames = Frames { reader: BufReader::new(file), path: &self.path, at };
        frames.pass(shard)?;
        Ok(frames)
    }

    /// Continues writing at `end`, up to which a walk over [`Log::frames`] has found the log to be sound.
    pub(super) fn cut(&mut self, end: u64) -> Result<()> {
        let failed = |error| Error::io("write", &self.path, error);
        self.file.cut(end).map_err(failed)?;
        self.file.file().seek(SeekFrom::Start(end)).map_err(failed)?;
        self.end = end;
        Ok(())
    }

    /// Appends a frame, and returns it as it will be read.
    ///
    /// # Panics
    /// Never: what is written here can be read.
    pub(super) fn append(
        &mut self,
        shard: u32,
        is_last: bool,
        first: u64,
        draft: &Draft,
    ) -> Result<Frame> {
        let mut payload = Vec::with_capacity(FRAME_HEAD + draft.bytes.len());
        payload.extend(shard.to_le_bytes());
        payload.push(u8::from(is_last));
        payload.extend(first.to_le_bytes());
        payload.extend(draft.n_records.to_le_bytes());
        payload.extend(&draft.bytes);
        self.append_payload(&payload)?;
        Ok(Frame::parse(payload).expect("what was made here can be read"))
    }

    fn append_payload(&mut self, payload: &[u8]) -> Result<()> {
        if payload.len() > LONGEST as usize {
            return Err(Error::setting(message![
                (
                    "what is kept of a batch of records takes {} bytes, and the limit is {LONGEST}; lower ",
                    payload.len()
                ),
                Setting("max-record-bytes"),
                ", or use another ",
                Setting("sketch")
            ]));
        }
        let head = head(payload);
        let written = self.file.write_all(&head).and_then(|()| self.file.write_all(payload));
        written.map_err(|error| Error::io("write", &self.path, error))?;
        self.end += (HEAD + payload.len()) as u64;
        Ok(())
    }

    fn read_frame_at(&self, at: u64) -> Result<Option<(Vec<u8>, u64)>> {
        let mut file = self.file.file();
        file.seek(SeekFrom::Start(at)).map_err(|error| Error::io("read", &self.path, error))?;
        let payload = read_payload(&mut BufReader::new(file), &self.path)?;
        Ok(payload.map(|payload| {
            let end = at + (HEAD + payload.len()) as u64;
            (payload, end)
        }))
    }
}

/// Returns the head of a payload.
fn head(payload: &[u8]) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..4].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    head[4..].copy_from_slice(&xxh3_64(payload).to_le_bytes());
    head
}

/// Returns a payload of up to 1 GiB in the form that it has in a log.
#[must_use]
pub fn framed(payload: &[u8]) -> Vec<u8> {
    [&head(payload), payload].concat()
}

/// Returns the number of bytes of `frames` up to the first frame that is not sound: the part that a resumed run takes
/// from a log, after the frame that identifies the run.
#[must_use]
pub fn n_sound(frames: &[u8]) -> usize {
    let mut frames = Frames { reader: frames, path: Path::new(""), at: 0 };
    let mut end = 0;
    // Reading from memory cannot fail.
    while let Ok(Some(frame)) = frames.next()
        && frame.is_sound()
    {
        end = frames.end();
    }
    end as usize
}

/// The frames of a log, up to the first that is not whole.
#[derive(Debug)]
pub(super) struct Frames<'a, R = BufReader<&'a File>> {
    reader: R,
    path: &'a Path,
    at: u64,
}

impl<R: Read> Frames<'_, R> {
    /// Reads the next frame.
    pub(super) fn next(&mut self) -> Result<Option<Frame>> {
        let Some(payload) = read_payload(&mut self.reader, self.path)? else { return Ok(None) };
        let len = (HEAD + payload.len()) as u64;
        let frame = Frame::parse(payload);
        self.at += if frame.is_some() { len } else { 0 };
        Ok(frame)
    }

    /// Returns the offset at which the frames read so far end.
    pub(super) fn end(&self) -> u64 {
        self.at
    }
}

impl Frames<'_, BufReader<File>> {
    /// Skips the frames of shards before this one, without reading their payloads.
    fn pass(&mut self, shard: u32) -> Result<()> {
        let failed = |error| Error::io("read", self.path, error);
        let mut head = [0; HEAD + 4];
        while fill(&mut self.reader, &mut head, self.path)? {
            let (len, of) = (number(&mut &head[..]), number(&mut &head[HEAD..]));
            let (Some(len), Some(of)) = (len, of) else { break };
            if of >= shard {
                break;
            }
            // Skip the rest of the payload, whose first four bytes, the shard, have been read.
            self.reader.seek_relative(i64::from(len) - 4).map_err(failed)?;
            self.at += HEAD as u64 + u64::from(len);
        }
        self.reader.seek(SeekFrom::Start(self.at)).map(drop).map_err(failed)
    }
}

/// Reads the next payload; `None` at the end, or if it is not whole.
fn read_payload(reader: &mut impl Read, path: &Path) -> Result<Option<Vec<u8>>> {
    let mut head = [0; HEAD];
    if !fill(reader, &mut head, path)? {
        return Ok(None);
    }
    let rest = &mut head.as_slice();
    let (Some(len), Some(checksum)) = (number(rest), long(rest)) else { return Ok(None) };
    if len > LONGEST {
        return Ok(None);
    }
    let mut payload = Vec::new();
    let read = reader.take(len.into()).read_to_end(&mut payload);
    read.map_err(|error| Error::io("read", path, error))?;
    let is_whole = payload.len() == len as usize && xxh3_64(&payload) == checksum;
    Ok(is_whole.then_some(payload))
}

/// Fills the buffer; returns false if the file ends first.
fn fill(reader: &mut impl Read, buffer: &mut [u8], path: &Path) -> Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(Error::io("read", path, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens the log at a path; makes the file if it does not exist.
    fn open(path: &Path, identity: &str) -> Log {
        let disk = fanmill_disk::replace::Disk::default();
        let file = if path.exists() { disk.open_file(path) } else { disk.make_file(path) };
        Log::open((file.expect("a file"), path.to_owned()), identity).expect("opened")
    }

    fn write(log: &mut Log, shard: u32) {
        let mut draft = Draft::default();
        let (digest, id, keys) = ([7; 32], "naïve", &[1, u64::MAX][..]);
        let flaw = Some(Flaw::Replaced);
        let address = Address::Canonical([8; 32]);
        draft.document(&Sketched {
            digest,
            address,
            n_bytes: 1,
            n_words: 3,
            rank: 9,
            id,
            keys,
            flaw,
        });
        draft.skipped(&Skipped { offset: 9, reason: "an image".to_owned() });
        draft.bad(&BadRecord { number: 1, offset: Some(4), reason: "no `text`".into() });
        draft.document(&Sketched::default());
        log.append(shard, shard == 1, 10, &draft).expect("written");
    }

    #[test]
    fn frames_of_a_shard_are_found_without_those_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut log = open(&folder.path().join("log"), "this run");
        for shard in [0, 0, 1, 3] {
            write(&mut log, shard);
        }
        let (mut from, all) = (None, log.end);
        let mut found = Vec::new();
        for shard in 0..5 {
            let mut frames = log.frames_of(shard, from).expect("readable");
            from = Some(frames.end());
            let first = frames.next().expect("readable").map(|frame| frame.shard);
            let again = log.frames_of(shard, None).expect("readable");
            assert_eq!(Some(again.end()), from, "however far the way is");
            found.push(first);
        }
        assert_eq!(found, [Some(0), Some(1), Some(3), Some(3), None]);
        assert_eq!(from, Some(all));
    }

    fn shards(log: &Log) -> (Vec<u32>, u64) {
        let mut frames = log.frames().expect("readable");
        let mut found = Vec::new();
        while let Some(frame) = frames.next().expect("readable") {
            assert_eq!((frame.first, frame.n_records, frame.is_last), (10, 3, frame.shard == 1));
            let entries: Vec<Entry<'_>> = frame.entries().collect();
            assert_eq!(entries[1], Entry::Skipped { offset: 9, reason: "an image" });
            assert_eq!(entries[2], Entry::Bad { offset: Some(4), reason: "no `text`".into() });
            assert_eq!((entries.len(), frame.records().count()), (4, 3));
            let Entry::Document { digest, address, n_words, rank, id, keys, flaw, .. } =
                &entries[0]
            else {
                panic!("a document comes first")
            };
            assert_eq!((*digest, *n_words, *rank, *id), ([7; 32], 3, 9, "naïve"));
            assert_eq!(*flaw, Some(Flaw::Replaced));
            assert_eq!(*address, Address::Canonical([8; 32]));
            assert_eq!(keys.iter().collect::<Vec<_>>(), [1, u64::MAX]);
            found.push(frame.shard);
        }
        (found, frames.end())
    }

    #[test]
    fn a_log_is_read_as_far_as_it_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        let mut log = open(&path, "run");
        write(&mut log, 0);
        let (_, after_first) = shards(&log);
        log.cut(after_first).expect("cut");
        write(&mut log, 1);
        let whole = std::fs::read(&path).expect("readable");
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).expect("written");
            let mut log = open(&path, "run");
            let (found, end) = shards(&log);
            assert_eq!(found, if (cut as u64) < after_first { vec![] } else { vec![0] }, "{cut}");
            log.cut(end).expect("cut");
            write(&mut log, 1);
            assert_eq!(shards(&log).0.last(), Some(&1));
        }
        let mut flipped = whole.clone();
        flipped[after_first as usize + 40] ^= 1;
        std::fs::write(&path, &flipped).expect("written");
        assert_eq!(shards(&open(&path, "run")).0, [0]);
        assert!(shards(&open(&path, "other")).0.is_empty());
    }

    /// A log states its format in the first frame; before formats were numbered, it did not.
    #[test]
    fn a_log_of_another_format_starts_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        write(&mut open(&path, "run"), 0);
        let whole = std::fs::read(&path).expect("readable");
        let words = format!("fanmill dedup, log format {FORMAT}\nrun");
        let frames = &whole[HEAD + words.len()..];
        for (words, is_known) in
            [(&*words, true), ("run", false), ("fanmill dedup, log format 1\nrun", false)]
        {
            std::fs::write(&path, [&framed(words.as_bytes()), frames].concat()).expect("written");
            assert_eq!(shards(&open(&path, "run")).0.len(), usize::from(is_known), "{words}");
        }
    }

    #[test]
    fn a_frame_that_is_not_what_its_head_says_is_not_sound() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        let mut log = open(&path, "run");
        write(&mut log, 0);
        write(&mut log, 1);
        let whole = std::fs::read(&path).expect("readable");
        let frames = &whole[log.start as usize..];
        assert_eq!(n_sound(frames), frames.len());
        let payload = &frames[HEAD..frames.len() / 2];
        let changes: [fn(&mut Vec<u8>); 3] =
            [|p| p[13] += 1, |p| p.push(0), |p| p.truncate(p.len() - 1)];
        for change in changes {
            let mut other = payload.to_vec();
            change(&mut other);
            let found = n_sound(&[&framed(payload)[..], &framed(&other), frames].concat());
            assert_eq!(found, HEAD + payload.len());
        }
    }
}
