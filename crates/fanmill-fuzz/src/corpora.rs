//! Targets for readers of whole files: record formats, archives, manifests.

use std::fs;
use std::path::Path;

use fanmill_corpus::dedup::log::{framed, n_sound};
use fanmill_disk::replace::{Disk, DiskFile};
use fanmill_records::RecordAction;
use fanmill_records::format::{Batch, Columns, Files, Options, OutputForm, Purpose, Shard, survey};
use fanmill_source::{self, Budget, Limits};
use fanmill_text::document::{Corpus, Role};
use fanmill_text::{Error, Result};

/// Maximum record size in bytes, so low that the limit is reached too.
const RECORD_BYTES: usize = 1 << 12;
/// Batch size in bytes, so small that records cross the ends of batches.
const BATCH_BYTES: usize = 1 << 8;

/// Reads JSON lines.
pub fn jsonl(bytes: &[u8]) {
    records("records.jsonl", bytes);
}

/// Reads a table of rows with quotes.
pub fn csv(bytes: &[u8]) {
    records("records.csv", bytes);
}

/// Reads a web archive.
pub fn warc(bytes: &[u8]) {
    records("records.warc", bytes);
}

/// Reads a mailbox as records.
pub fn mailbox(bytes: &[u8]) {
    records("records.mbox", bytes);
}

/// Reads a table of columns.
pub fn parquet(bytes: &[u8]) {
    records("records.parquet", bytes);
}

/// Reads a file or a stream of batches of rows.
pub fn ipc(bytes: &[u8]) {
    records("records.arrow", bytes);
}

/// Reads the log of a run: the bytes as frames, and the bytes as the content of a frame with the right checksum.
///
/// # Panics
/// If sound frames are not sound by themselves, or hide the frames after them.
pub fn log(bytes: &[u8]) {
    let end = n_sound(bytes);
    assert_eq!(n_sound(&bytes[..end]), end, "sound frames stay so without the rest");
    let framed = framed(bytes);
    let whole = n_sound(&framed);
    assert!(whole == 0 || whole == framed.len(), "a frame is sound as a whole");
    assert_eq!(n_sound(&[&framed[..whole], bytes].concat()), whole + end, "frames stand alone");
}

/// Reads a shard to its end and writes it again.
///
/// # Panics
/// If all records can be read and are kept, but the shard comes out changed.
pub(crate) fn records(name: &str, bytes: &[u8]) {
    super::scratch::with_file(name, bytes, |folder| {
        let options =
            Options { record_bytes: RECORD_BYTES, batch_bytes: BATCH_BYTES, ..Options::standard() };
        let found = survey(&[folder.join(name)], &options, Purpose::Read);
        let shards = found.iter().flat_map(|found| &found.shards);
        // XML that is no dump is a text of its own, for another reader.
        for shard in shards.filter(|shard| !shard.format().is_loose()) {
            let out = folder.join("out");
            fs::create_dir_all(&out).expect("a folder for the output");
            let Some(n_bad) = copy(shard, &out, &options) else { continue };
            let is_encoded = name.ends_with("parquet") || name.ends_with("arrow");
            if n_bad == 0 && !is_encoded {
                let written = fs::read(out.join(shard.name())).expect("the output is there");
                assert_eq!(written, bytes, "records that are kept come out as they were");
            }
        }
    });
}

/// Copies a shard record by record. Returns the number of bad records, or `None` if the shard cannot be read.
fn copy(shard: &Shard, out: &Path, options: &Options) -> Option<usize> {
    let out = Below(out);
    let mut reader = shard.reader(options, Columns::All).ok()?;
    let mut writer = shard.writer(&out, options, OutputForm::Records).ok()?;
    let (mut batch, mut room, mut n_bad) = (Batch::new(), Vec::new(), 0);
    while reader.next(&mut batch).ok()? {
        let mut actions = Vec::with_capacity(batch.len());
        for i in 0..batch.len() {
            let is_bad = batch.record_in(i, &mut room).is_err();
            n_bad += usize::from(is_bad);
            actions.push(if is_bad { RecordAction::Remove } else { RecordAction::Keep });
        }
        writer.write(&batch, &actions).ok()?;
    }
    writer.finish().ok()?;
    Some(n_bad)
}

/// Output files, each created below a folder.
#[derive(Debug)]
struct Below<'a>(&'a Path);

impl Files for Below<'_> {
    fn make(&self, name: &Path) -> Result<DiskFile> {
        let path = self.0.join(name);
        fs::remove_file(&path).ok();
        Disk::default().make_file(&path).map_err(|error| Error::io("make", path, error))
    }

    fn sync_all(&self) -> Result<()> {
        Ok(())
    }
}

/// Reads an archive, whose first bytes determine its kind.
pub fn archive(bytes: &[u8]) {
    let name = match bytes {
        [b'P', b'K', ..] => "hand-in.zip",
        [0x1f, 0x8b, ..] => "hand-in.tar.gz",
        [0x28, 0xb5, ..] => "hand-in.tar.zst",
        _ => "hand-in.tar",
    };
    read_source(name, bytes);
}

/// Reads a manifest: a list of submissions that names files.
pub fn manifest(bytes: &[u8]) {
    read_source("manifest.csv", bytes);
}

/// Reads one file as a comparison would.
///
/// # Panics
/// If more bytes are kept than the limits allow.
fn read_source(name: &str, bytes: &[u8]) {
    super::scratch::with_file(name, bytes, |folder| {
        let limits = Limits { file_bytes: 1 << 20, total_bytes: 1 << 22, ..Limits::standard() };
        let total = limits.total_bytes;
        let budget = Budget::new(limits);
        let mut corpus = Corpus::default();
        let paths = [folder.join(name)];
        if fanmill_source::read(
            &paths,
            Role::New,
            &fanmill_source::Options::everything(),
            &budget,
            &mut corpus,
            &fanmill_text::progress::Silent,
        )
        .is_err()
        {
            return;
        }
        let documents = corpus.submissions.iter().flat_map(|submission| &submission.documents);
        let held: usize = documents.map(|document| document.bytes.len()).sum();
        assert!(held as u64 <= total, "{held} bytes are held of {total} allowed");
    });
}
