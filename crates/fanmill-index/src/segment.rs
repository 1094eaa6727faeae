//! A segment: documents that were added or merged together, in two files that never change.
//!
//! | `seg-N.fps` | `seg-N.txt` |
//! |---|---|
//! | fingerprints: a [table](crate::table) | texts: compressed [frames](crate::texts) |
//! | names: a table from the hash of a document's name to its number | |
//! | records of the documents, and the place of each | |
//! | tail: footer, the index of both tables' blocks | tail: footer, the start of each frame |
//!
//! An index that keeps fingerprints only does not have `seg-N.txt`. The tail is read when the index is opened, and the
//! rest when it is needed. `docs/format-index.md` describes all of it byte by byte.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use fanmill::fingerprint::Recipe;
use fanmill::index::Posting;
use fanmill::surroundings::{Detail, Surroundings};
use fanmill_disk::replace::{Access, NewFile};
use fanmill_disk::segments::pages::{
    Failure, FileEntry, PageFile, PageWriter, fill, footer, write_footer,
};
use fanmill_text::document::{Document, Role, Submission};
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Progress;
use fanmill_text::scheme::Scheme;
use fanmill_text::{Error, Result};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::block::Form;
use crate::keep::Keep;
use crate::record::Record;
use crate::records::{Places, Records, RecordsWriter};
use crate::table::{Counts, Entry, Table, TableWriter, WrittenTable};
use crate::texts::{LastFrame, Texts, TextsWriter};

/// Hashes that are written between two checks whether the run is cancelled.
const UNCHECKED: u32 = 1 << 12;
/// Records that are read at once if all are read.
const RECORDS: u32 = 512;
/// The first bytes of the file of fingerprints.
const MAGIC: &[u8] = b"fanmill segment 1\n";

/// A segment's entry in the manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SegmentEntry {
    pub(crate) id: u64,
    /// Number of its documents, including removed ones.
    pub(crate) documents: u32,
    pub(crate) fingerprints: FileEntry,
    /// `None` in an index that keeps fingerprints only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) texts: Option<FileEntry>,
    /// Numbers of the documents that were removed, ascending.
    pub(crate) removed: Vec<u32>,
}

impl SegmentEntry {
    /// Bytes of both files, without checksums.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.fingerprints.n_bytes + self.texts.as_ref().map_or(0, |texts| texts.n_bytes)
    }

    /// Marks a document as removed; returns false if it already is.
    pub(crate) fn remove(&mut self, document: u32) -> bool {
        let place = self.removed.binary_search(&document);
        if let Err(place) = place {
            self.removed.insert(place, document);
        }
        place.is_err()
    }

    /// Returns the names of its files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        let texts = self.texts.as_ref().map(|texts| texts.name.as_str());
        std::iter::once(self.fingerprints.name.as_str()).chain(texts)
    }
}

/// The beginning of the tail of the file of fingerprints.
#[derive(Debug, Serialize, Deserialize)]
struct Footer {
    /// One scheme for each kind of text that occurs, with the front ends that made the tokens.
    schemes: Vec<String>,
    documents: u32,
    fingerprints: Counts,
    names: Counts,
    /// True if the surroundings of fingerprints are stored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    surroundings: bool,
    /// True if all their bits are for the nearest tokens.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    near: bool,
    /// True if blocks of tables and groups of records are packed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    packed: bool,
    /// Offset of the places of the records.
    records: u64,
    /// BLAKE3 of everything before the tail.
    body: String,
}

impl Footer {
    fn form(&self) -> Form {
        if self.packed { Form::Packed } else { Form::Plain }
    }

    fn places(&self) -> Places {
        Places { at: self.records, n: self.documents, form: self.form() }
    }
}

/// The contents of a segment to be written. Each method may be called several times, and all of them at the same time.
pub(crate) trait Contents: Sync {
    /// Number of documents.
    fn n_documents(&self) -> u32;

    /// Passes the records of all documents to `take`, in order; their places among the texts are filled in later.
    fn records(&self, take: &mut dyn FnMut(Record) -> WriteResult) -> WriteResult;

    /// Passes the texts of all documents to `take`, in order.
    fn texts(&self, take: &mut dyn FnMut(Text<'_>) -> WriteResult) -> WriteResult;

    /// Returns the detail in which the surroundings of fingerprints are known.
    fn surroundings(&self) -> Option<Detail>;

    /// Passes all hashes to `take`, ascending, each with its postings, ascending, and the surroundings of these, if
    /// they are known.
    fn fingerprints(&self, take: TakePostings<'_>) -> WriteResult;
}

/// A function that takes a hash, its postings, and the surroundings of each, if they are known.
pub(crate) type TakePostings<'a> =
    &'a mut dyn FnMut(u64, &[Posting], &[Surroundings]) -> WriteResult;

/// Success, or the reason why something was not written.
pub(crate) type WriteResult = std::result::Result<(), Failure>;

/// Texts that go into a segment.
pub(crate) enum Text<'a> {
    /// The texts of one document's files, one after the other.
    Of(&'a [u8]),
    /// The texts of this many documents, to be copied in packed form; each begins at the place in its record.
    Packed(u32, &'a Texts),
}

/// Writes both files of a segment at the same time.
///
/// # Errors
/// If they cannot be written, their contents cannot be read, or the run is cancelled.
pub(crate) fn write(
    files: &mut NewFile,
    id: u64,
    schemes: Vec<String>,
    keep: Keep,
    form: Form,
    contents: &dyn Contents,
    progress: &dyn Progress,
) -> Result<SegmentEntry> {
    let documents = contents.n_documents();
    progress.begin("writing", u64::from(documents));
    let (name, name_of_texts) = (format!("seg-{id}.fps"), format!("seg-{id}.txt"));
    let mut texts_file = match keep {
        Keep::Everything => Some(files.make(&name_of_texts, Access::Usual)?),
        Keep::Fingerprints => None,
    };
    let mut file = files.make(&name, Access::Usual)?;
    let (fingerprints, texts) = fill(&mut file, |out| {
        let mut out = PageWriter::new(&name, out);
        let write_texts = || {
            let file = texts_file.as_mut();
            let write =
                |file| fill(file, |out| write_texts(&name_of_texts, out, contents, progress));
            file.map(write).transpose()
        };
        let (texts, tables) =
            rayon::join(write_texts, || write_tables(&mut out, form, contents, progress));
        // Records contain the start of each text, so they are written when the texts are done.
        let (texts, starts) = texts?.unzip();
        write_records(&mut out, schemes, &starts.unwrap_or_default(), &tables?, contents)?;
        Ok((out.finish(&name)?, texts))
    })?;
    texts_file.into_iter().chain([file]).try_for_each(|file| files.keep(file))?;
    Ok(SegmentEntry { id, documents, fingerprints, texts, removed: Vec::new() })
}

/// The start of each document's text.
#[derive(Debug, Default)]
struct Starts {
    /// The start of each document's text; for copied documents, that of all texts copied together.
    starts: Vec<u64>,
    /// Ranges of documents whose texts were copied.
    copied: Vec<Range<u32>>,
}

impl Starts {
    /// Returns the start of a document's text, given its start `before` it was copied, if it was; 0 if there are no
    /// texts.
    fn of(&self, document: u32, before: u64) -> u64 {
        let start = self.starts.get(document as usize).copied().unwrap_or_default();
        let is_copied = self.copied.iter().any(|copied| copied.contains(&document));
        start + if is_copied { before } else { 0 }
    }
}

/// Writes all texts.
fn write_texts<W: Write>(
    name: &str,
    out: W,
    contents: &dyn Contents,
    progress: &dyn Progress,
) -> std::result::Result<(FileEntry, Starts), Failure> {
    let (mut texts, mut starts) = (TextsWriter::new(name, out)?, Starts::default());
    contents.texts(&mut |text| {
        progress.check()?;
        match text {
            Text::Of(bytes) => {
                starts.starts.push(texts.push(bytes)?);
                progress.advance();
            }
            Text::Packed(n, packed) => {
                let (first, begin) = (starts.starts.len() as u32, texts.copy(packed)?);
                starts.starts.extend(std::iter::repeat_n(begin, n as usize));
                starts.copied.push(first..first + n);
                progress.advance_by(n.into());
            }
        }
        Ok(())
    })?;
    Ok((texts.finish(name)?, starts))
}

/// The tables of a segment, written except for their indexes.
struct Tables {
    form: Form,
    fingerprints: WrittenTable,
    names: WrittenTable,
}

/// Writes the fingerprints and the names.
fn write_tables<W: Write>(
    out: &mut PageWriter<W>,
    form: Form,
    contents: &dyn Contents,
    progress: &dyn Progress,
) -> std::result::Result<Tables, Failure> {
    out.write(MAGIC)?;
    let mut fingerprints = TableWriter::new(form);
    let mut n_left = UNCHECKED;
    contents.fingerprints(&mut |hash, postings, around| {
        n_left -= 1;
        if n_left == 0 {
            progress.check()?;
            n_left = UNCHECKED;
        }
        Ok(fingerprints.push(hash, postings, around, out)?)
    })?;
    let fingerprints = fingerprints.finish(out)?;

    // Records are written later, but they contain the names, so they are read twice.
    let mut hashes = Vec::with_capacity(contents.n_documents() as usize);
    contents.records(&mut |record| {
        hashes.push((name_hash(&record.name), hashes.len() as u32));
        Ok(())
    })?;
    hashes.sort_unstable();
    let mut names = TableWriter::new(form);
    for same in hashes.chunk_by(|x, y| x.0 == y.0) {
        let postings = same.iter().map(|&(_, document)| Posting { document, at: 0 });
        names.push(same[0].0, &postings.collect::<Vec<_>>(), &[], out)?;
    }
    let names = names.finish(out)?;
    Ok(Tables { form, fingerprints, names })
}

/// Writes the records and the tail.
fn write_records<W: Write>(
    out: &mut PageWriter<W>,
    schemes: Vec<String>,
    starts: &Starts,
    Tables { form, fingerprints, names }: &Tables,
    contents: &dyn Contents,
) -> WriteResult {
    let documents = contents.n_documents();
    let (mut written, mut n_written) = (RecordsWriter::new(*form, out), 0);
    contents.records(&mut |record| {
        let start = starts.of(n_written, record.start);
        n_written += 1;
        Ok(written.push(&Record { start, ..record })?)
    })?;
    // The footer locates the places, and these locate the records.
    let records = written.finish()?;

    let body = out.begin_tail();
    let (fingerprints_counts, names_counts) = (fingerprints.counts, names.counts);
    let footer = Footer {
        schemes,
        documents,
        fingerprints: fingerprints_counts,
        names: names_counts,
        surroundings: contents.surroundings().is_some(),
        near: contents.surroundings() == Some(Detail::Near),
        packed: *form == Form::Packed,
        records,
        body,
    };
    write_footer(&footer, out)?;
    fingerprints.write_index(out)?;
    names.write_index(out)?;
    Ok(())
}

fn name_hash(name: &str) -> u64 {
    xxh3_64(name.as_bytes())
}

/// A segment, open for reading by any number of threads.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) entry: SegmentEntry,
    pub(crate) schemes: Vec<Scheme>,
    file: PageFile,
    footer: Footer,
    pub(crate) fingerprints: Table,
    names: Table,
    /// `None` in an index that keeps fingerprints only.
    pub(crate) texts: Option<Texts>,
}

impl Segment {
    /// Opens the files of a segment.
    ///
    /// # Errors
    /// If one cannot be opened, is damaged, or is not the one that the manifest names.
    pub(crate) fn open(folder: &Path, entry: &SegmentEntry) -> Result<Segment> {
        let (file, tail) = PageFile::open(folder, &entry.fingerprints)?;
        let texts = entry.texts.as_ref().map(|texts| Texts::open(folder, texts)).transpose()?;
        let wrong = || file.damaged("its last part cannot be read");
        let (footer, mut rest): (Footer, _) = footer(&tail).ok_or_else(wrong)?;
        let (form, around) = (footer.form(), footer.surroundings);
        let fingerprints =
            Table::read(footer.fingerprints, form, around, &mut rest).ok_or_else(wrong)?;
        let names = Table::read(footer.names, form, false, &mut rest).ok_or_else(wrong)?;
        let places = footer.places();
        let removed = &entry.removed;
        let fits = footer.documents == entry.documents
            && rest.is_empty()
            && places.at.checked_add(places.n_bytes()) == Some(file.n_body())
            && removed.is_sorted_by(|x, y| x < y)
            && removed.last().is_none_or(|&last| last < footer.documents);
        if !fits {
            return Err(wrong());
        }
        let schemes = footer.schemes.iter().map(|scheme| scheme.parse());
        let schemes: Vec<Scheme> = schemes.collect::<Result<_>>()?;
        let entry = entry.clone();
        Ok(Segment { entry, schemes, file, footer, fingerprints, names, texts })
    }

    /// Returns the recipes of its fingerprints, one for each kind of text.
    pub(crate) fn recipes(&self) -> Result<Vec<Recipe>> {
        self.schemes.iter().map(Recipe::from_scheme).collect()
    }

    /// Returns whether `registry` has the versions of the front ends that read its documents.
    pub(crate) fn is_current(&self, registry: &Registry) -> bool {
        self.schemes.iter().flat_map(Scheme::front_ends).all(|version| {
            registry.find(&version.name).is_ok_and(|own| own.version() == version.number)
        })
    }

    /// Returns the numbers of its documents that were not removed, ascending.
    pub(crate) fn live(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.entry.documents).filter(|&document| self.is_live(document))
    }

    pub(crate) fn n_live(&self) -> u64 {
        u64::from(self.entry.documents) - self.entry.removed.len() as u64
    }

    pub(crate) fn is_live(&self, document: u32) -> bool {
        self.entry.removed.binary_search(&document).is_err()
    }

    /// Finds a fingerprint by [`Table::find`], in documents that are `wanted` and were not removed.
    pub(crate) fn find(
        &self,
        hash: u64,
        most: u64,
        wanted: impl Fn(u32) -> bool,
        found: &mut Vec<Posting>,
    ) -> Result<u64> {
        let wanted = |document| self.is_live(document) && wanted(document);
        self.fingerprints.find(&self.file, hash, most, wanted, found)
    }

    /// Returns the form of its tables and records.
    pub(crate) fn form(&self) -> Form {
        self.footer.form()
    }

    /// Returns the detail in which it stores the surroundings of fingerprints, by which rare runs are found.
    pub(crate) fn surroundings(&self) -> Option<Detail> {
        let detail = if self.footer.near { Detail::Near } else { Detail::Far };
        self.footer.surroundings.then_some(detail)
    }

    /// Finds a fingerprint by [`Table::find_around`], in documents that were not removed.
    pub(crate) fn find_around(
        &self,
        hash: u64,
        found: &mut Vec<(Posting, Surroundings)>,
    ) -> Result<()> {
        self.fingerprints.find_around(&self.file, hash, found)?;
        found.retain(|(posting, _)| self.is_live(posting.document));
        Ok(())
    }

    /// Returns a cursor over all fingerprints, in order.
    pub(crate) fn cursor(&self) -> crate::table::Cursor<'_> {
        self.fingerprints.cursor(&self.file)
    }

    /// Returns the document with this name, unless it was removed.
    pub(crate) fn find_name(&self, name: &str) -> Result<Option<(u32, Record)>> {
        let mut found = Vec::new();
        let wanted = |document| self.is_live(document);
        self.names.find(&self.file, name_hash(name), u64::MAX, wanted, &mut found)?;
        for Posting { document, .. } in found {
            let record = self.record(document)?;
            if record.name == name {
                return Ok(Some((document, record)));
            }
        }
        Ok(None)
    }

    pub(crate) fn record(&self, document: u32) -> Result<Record> {
        self.records_ahead(1).get(document)
    }

    /// Returns all records, to be read one after another.
    pub(crate) fn records(&self) -> Records<'_> {
        self.records_ahead(RECORDS)
    }

    fn records_ahead(&self, ahead: u32) -> Records<'_> {
        Records::new(&self.file, self.footer.places(), ahead)
    }

    /// Appends the bytes of a document's files, one after the other.
    pub(crate) fn text(
        &self,
        record: &Record,
        last: &mut LastFrame,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        self.texts()?.read(record.start, record.n_bytes(), last, out)
    }

    fn texts(&self) -> Result<&Texts> {
        self.texts.as_ref().ok_or_else(|| {
            Error::input(
                "the index keeps fingerprints and no texts, which this needs; begin another index that keeps them",
            )
        })
    }

    /// Returns a document as it was added, as earlier work. It is not known whether it was a folder or a file then.
    pub(crate) fn submission(&self, record: &Record, last: &mut LastFrame) -> Result<Submission> {
        let mut start = record.start;
        let mut documents = Vec::with_capacity(record.files.len());
        for file in &record.files {
            let mut bytes = Vec::new();
            self.texts()?.read(start, file.bytes, last, &mut bytes)?;
            start += file.bytes;
            documents.push(Document::new(file.path.clone(), bytes));
        }
        Ok(Submission {
            author: record.author.clone(),
            label: record.label.clone(),
            submitted: record.submitted.clone(),
            publication: record.publication.clone(),
            ..Submission::new(record.name.clone(), Role::Archive, documents)
        })
    }

    /// Reads everything, and checks that it fits together.
    ///
    /// # Errors
    /// If it does not; the error names the file.
    pub(crate) fn verify(&self, progress: &dyn Progress) -> Result<()> {
        if self.file.body_hash()? != self.footer.body {
            return Err(self
                .file
                .damaged("its contents have another hash than its last part says"));
        }
        progress.check()?;
        self.texts.as_ref().map_or(Ok(()), Texts::verify)?;
        for table in [&self.fingerprints, &self.names] {
            progress.check()?;
            self.verify_table(table)?;
        }
        let (mut last, mut bytes, mut records) = (LastFrame::default(), Vec::new(), self.records());
        for document in 0..self.entry.documents {
            progress.check()?;
            let record = records.get(document)?;
            let mut is_same = true;
            // Without texts, contents cannot be hashed again.
            if self.texts.is_some() {
                bytes.clear();
                self.text(&record, &mut last, &mut bytes)?;
                is_same = record.content_of(std::iter::once(&*bytes)) == record.content;
            }
            let is_named = !self.is_live(document)
                || self.find_name(&record.name)?.is_some_and(|(found, _)| found == document);
            if !is_same || !is_named {
                let error = format!("document `{}` is not as it was added", record.name);
                return Err(self.file.damaged(&error));
            }
            progress.advance();
        }
        Ok(())
    }

    fn verify_table(&self, table: &Table) -> Result<()> {
        let (mut n_hashes, mut n_postings) = (0, 0);
        let mut cursor = table.cursor(&self.file);
        while let Some(Entry { postings, .. }) = cursor.peek()? {
            n_hashes += 1;
            n_postings += postings.len() as u64;
            if postings.last().is_some_and(|last| last.document >= self.entry.documents) {
                return Err(self.file.damaged("a posting is of a document that there is not"));
            }
            cursor.advance();
        }
        if (n_hashes, n_postings) != (table.counts.hashes, table.counts.postings) {
            return Err(self.file.damaged("it has other counts than its last part says"));
        }
        Ok(())
    }
}
