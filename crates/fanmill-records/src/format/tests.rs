//! Tests of what holds for every format, from files to files.

use std::fs;
use std::path::Path;

use fanmill_disk::replace::{Disk, DiskFile};

use super::*;
use crate::record::{BadRecord, Flaw, Record, RecordAction, Skipped};
use fanmill_disk::packing::Packing;
use fanmill_disk::packing::packed::PackOptions;

mod arrow;
mod columns;
mod flaws;
mod jsonl;
mod library;
mod loose;
mod mailbox;
mod nested;
mod pages;
mod table;
mod warc;

/// Makes the files of an output below a folder.
#[derive(Debug)]
struct Below<'a>(&'a Path);

impl Files for Below<'_> {
    fn make(&self, name: &Path) -> fanmill_text::Result<DiskFile> {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        Disk::default()
            .make_file(&path)
            .map_err(|error| fanmill_text::Error::io("make", path, error))
    }

    fn sync_all(&self) -> fanmill_text::Result<()> {
        Ok(())
    }
}

/// Finds the shards of the given paths.
fn shards(paths: &[std::path::PathBuf], options: &Options) -> fanmill_text::Result<Vec<Shard>> {
    survey(paths, options, Purpose::WriteAnywhere).map(|survey| survey.shards)
}

/// The records of a shard in order, including bad ones.
type Read = Vec<std::result::Result<Record<'static>, BadRecord>>;

fn owned(record: Record<'_>) -> Record<'static> {
    Record {
        text: record.text.into_owned().into(),
        id: record.id.map(|id| id.into_owned().into()),
        extra: record.extra.into_iter().map(|v| v.map(|v| v.into_owned().into())).collect(),
        flaw: record.flaw,
    }
}

fn read(shard: &Shard, options: &Options) -> fanmill_text::Result<Read> {
    let mut reader = shard.reader(options, Columns::Needed)?;
    let (mut batch, mut all) = (Batch::new(), Vec::new());
    while reader.next(&mut batch)? {
        assert_eq!(batch.first_number(), all.len() as u64);
        all.extend((0..batch.len()).map(|i| batch.record(i).map(owned)));
    }
    Ok(all)
}

/// Writes a shard to `out`; `action` is asked for each good record.
fn write(
    shard: &Shard,
    out: &Path,
    options: &Options,
    writes: OutputForm,
    action: &dyn Fn(u64, &Record<'_>) -> RecordAction<'static>,
) -> fanmill_text::Result<()> {
    let mut reader = shard.reader(options, Columns::All)?;
    let out = Below(out);
    let mut writer = shard.writer(&out, options, writes)?;
    let mut batch = Batch::new();
    while reader.next(&mut batch)? {
        let of = |i: usize| match batch.record(i) {
            Ok(record) => action(batch.first_number() + i as u64, &record),
            Err(_) => RecordAction::Remove,
        };
        let actions: Vec<RecordAction<'_>> = (0..batch.len()).map(of).collect();
        writer.write(&batch, &actions)?;
    }
    writer.finish()
}

/// Makes a folder with one file in it, and finds the shard that it is.
fn one(name: &str, content: &[u8], options: &Options) -> (tempfile::TempDir, Shard) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("written");
    let mut found = shards(&[path], options).expect("a shard");
    assert_eq!(found.len(), 1);
    (folder, found.remove(0))
}

/// Returns what is written when every good record stays.
fn kept(shard: &Shard, options: &Options) -> Vec<u8> {
    let out = tempfile::tempdir().expect("a folder");
    write(shard, out.path(), options, OutputForm::Records, &|_, _| RecordAction::Keep)
        .expect("written");
    fs::read(out.path().join(shard.name())).expect("a file")
}

fn packed(packing: Packing, bytes: &[u8]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    let file = Disk::default().make_file(&path).expect("a file");
    let mut out = packing.pack(file, PackOptions::default());
    std::io::Write::write_all(&mut out, bytes).expect("written");
    out.finish().expect("finished");
    fs::read(path).expect("a file")
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    let mut input = Packing::from_head(bytes).unpack(bytes);
    std::io::Read::read_to_end(&mut input, &mut all).expect("whole");
    all
}

/// Returns all notices of what is no record.
fn skipped(shard: &Shard, options: &Options) -> Vec<Skipped> {
    let mut reader = shard.reader(options, Columns::Needed).expect("a reader");
    let (mut skipped, mut batch) = (Vec::new(), Batch::new());
    while reader.next(&mut batch).expect("readable") {
        skipped.extend_from_slice(batch.skipped().1);
    }
    skipped
}

/// Returns options for small batches, so that records lie across their ends.
fn small(batch_bytes: usize, record_bytes: usize) -> Options {
    Options { record_bytes, batch_bytes, ..Options::standard() }
}
