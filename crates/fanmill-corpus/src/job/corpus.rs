//! The corpus as a sequence of documents, numbered through all shards and walked batch by batch. The reference that it
//! is compared with comes first in the same sequence, and is only read.

use std::ops::Range;
use std::path::PathBuf;

use fanmill_disk::packing::Packing;
use fanmill_disk::replace::OnFailure;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, Setting};
use serde::Serialize;

use super::places::{CaseClashes, Places};
use super::staging::{FoundShard, Site, Staging};
use super::steps::Steps;
use super::walk::walk;
use fanmill_records::account::{CountedList, Notice};
use fanmill_records::format::{
    self, Batch, Columns, Format, Options, OutputForm, Purpose, Reader, Shard, Survey,
};

/// The shards of a run, and the options for reading them.
#[derive(Debug)]
pub(crate) struct Corpus<'a> {
    /// All shards, those of the reference first.
    pub(crate) shards: &'a [Shard],
    /// Number of shards of the reference.
    pub(crate) n_references: usize,
    /// Options for reading the shards of the corpus.
    pub(crate) options: &'a Options,
    /// Options for reading the shards of the reference.
    pub(crate) reference_options: &'a Options,
}

/// A collection that a corpus is compared with; it is read, and never written.
#[derive(Debug, Clone, Copy)]
pub struct Reference<'a> {
    /// Files and folders; they must not be part of the corpus.
    pub paths: &'a [PathBuf],
    /// Options for reading them.
    pub options: &'a Options,
    /// Fate of the work of an interrupted run.
    rest: OnFailure,
}

impl<'a> Reference<'a> {
    /// Describes files that will still be there when the run is repeated, so that it can resume.
    pub fn new(paths: &'a [PathBuf], options: &'a Options) -> Reference<'a> {
        Reference { paths, options, rest: OnFailure::Stays }
    }

    /// Changes the fate of interrupted work: it should be removed if the files were made for this run only.
    #[must_use]
    pub fn with_rest(self, rest: OnFailure) -> Reference<'a> {
        Reference { rest, ..self }
    }

    pub(crate) fn rest(&self) -> OnFailure {
        self.rest
    }
}

/// The places where a job works, and the settings by which a later run recognises its work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) name: &'static str,
    pub(crate) places: &'a Places,
    pub(crate) reference: Option<Reference<'a>>,
    /// Fate of the job's folder if the job ends early.
    pub(crate) rest: OnFailure,
    /// The form in which the corpus is written; `None` if only tables are.
    pub(crate) writes: Option<OutputForm>,
    /// The user's settings as text.
    pub(crate) settings: &'a str,
}

/// The inputs of a job, opened, and the folder it works in.
#[derive(Debug)]
pub(crate) struct Work {
    /// All shards, those of the reference first.
    pub(crate) shards: Vec<Shard>,
    /// Number of shards of the reference.
    pub(crate) n_references: usize,
    /// Files beside the shards of the corpus that are not part of it.
    pub(crate) left_out: CountedList<Notice>,
    /// Files beside the shards of the reference that are not part of it.
    pub(crate) reference_left_out: CountedList<Notice>,
    pub(crate) staging: Staging,
    pub(crate) identity: Identity,
}

/// Bytes of a record from which on its limit depends on the memory, unless the user has given one.
const LEAST_LIMIT: usize = 16 << 20;

/// The conditions for a run to resume another one: the program, the settings, and every file's name, size and time are
/// unchanged. Standard input cannot be identified, so no run can resume another that read it.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// Equal if what was read need not be read again.
    pub(crate) of_reading: String,
    /// Equal if the output would be the same, too; this also covers files that are copied without being read.
    pub(crate) of_output: String,
}

/// Finds the shards at `paths`, and opens the folder in which the job works. Standard input, which can be read only
/// once, is copied into that folder. The folder is made only after the inputs have been found. Returns `None` if the
/// whole output is already there, because the same run was killed after it had put it in place.
///
/// `check` may refuse a shard before anything is written.
pub(crate) fn open(
    paths: &[PathBuf],
    options: &Options,
    job: Job<'_>,
    progress: &dyn Progress,
    check: impl Fn(&Shard) -> Result<()>,
) -> Result<Option<Work>> {
    let reference = survey_reference(paths, job)?;
    if let [only] = paths
        && only.as_os_str() == "-"
    {
        return open_stdin(options, job, reference, progress, check);
    }
    let places = job.places;
    let writes = job.writes.filter(|_| places.output.is_some());
    let purpose = match places.clashes {
        _ if writes.is_none() => Purpose::Read,
        CaseClashes::Allowed => Purpose::Write,
        CaseClashes::Refused => Purpose::WriteAnywhere,
    };
    let survey = format::survey(paths, options, purpose)?;
    let shards = &survey.shards;
    check_fields(shards, options)?;
    check_level(shards, options)?;
    shards.iter().try_for_each(check)?;
    if let Some(writes) = writes {
        shards.iter().try_for_each(|shard| shard.check_output(writes))?;
    }
    if purpose == Purpose::WriteAnywhere {
        format::check_clashes(shards)?;
    }
    let identity = Identity::new(job, options, shards, &reference.shards);
    let recorded = shards.iter().map(FoundShard::new).collect();
    let staging = Staging::open(site(job, job.rest, &identity), recorded)?;
    Ok(staging.map(|staging| Work::new(reference, survey, staging, identity)))
}

impl Work {
    fn new(reference: Survey, survey: Survey, staging: Staging, identity: Identity) -> Work {
        let Survey { mut shards, left_out: reference_left_out } = reference;
        let n_references = shards.len();
        shards.extend(survey.shards);
        let left_out = survey.left_out;
        Work { shards, n_references, left_out, reference_left_out, staging, identity }
    }
}

/// Finds the shards of the reference, if there is one.
fn survey_reference(paths: &[PathBuf], job: Job<'_>) -> Result<Survey> {
    let Some(reference) = job.reference else {
        return Ok(Survey { shards: Vec::new(), left_out: CountedList::default() });
    };
    let with = Setting("against");
    if reference.paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(Error::setting(message![
            with,
            " cannot be standard input, which may be the corpus itself; write it to a file first"
        ]));
    }
    let survey = format::survey(reference.paths, reference.options, Purpose::Read)?;
    if !matches!(paths, [only] if only.as_os_str() == "-") {
        format::check_apart(paths, reference.paths)?;
    }
    Ok(survey)
}

/// Opens standard input. The work on it is removed if the run ends early, since it cannot be read again.
fn open_stdin(
    options: &Options,
    job: Job<'_>,
    reference: Survey,
    progress: &dyn Progress,
    check: impl Fn(&Shard) -> Result<()>,
) -> Result<Option<Work>> {
    let identity = Identity::random()?;
    let recorded = vec![FoundShard::default()];
    let site = site(job, OnFailure::Goes, &identity);
    let Some(staging) = Staging::open(site, recorded)? else { return Ok(None) };
    let (file, path) = staging.make_own("stdin")?;
    let shard = format::spool_stdin(file, &path, std::io::stdin().lock(), options, progress)?;
    check_fields(std::slice::from_ref(&shard), options)?;
    check_level(std::slice::from_ref(&shard), options)?;
    check(&shard)?;
    let survey = Survey { shards: vec![shard], left_out: CountedList::default() };
    Ok(Some(Work::new(reference, survey, staging, identity)))
}

fn site<'a>(job: Job<'a>, rest: OnFailure, identity: &'a Identity) -> Site<'a> {
    let Places { output, temp, disk, .. } = job.places;
    let work = fanmill_disk::replace::Work { job: job.name, run: &identity.of_reading };
    Site {
        output: output.as_deref(),
        writes_corpus: job.writes.is_some(),
        temp: temp.as_deref(),
        disk,
        work,
        rest,
        whole: &identity.of_output,
    }
}

/// Refuses names of fields that none of the inputs can have: they would have no effect.
fn check_fields(shards: &[Shard], options: &Options) -> Result<()> {
    let all = |has_not: fn(Format) -> bool| {
        !shards.is_empty() && shards.iter().all(|shard| has_not(shard.format()))
    };
    let has_no_fields = all(|format| !format.has_fields());
    let named = [
        ("the text", &options.text, all(|format| !format.has_text_field())),
        ("the name", &options.id, has_no_fields),
    ];
    for (what, field, is_idle) in named {
        if let (Some(field), true) = (field, is_idle) {
            return Err(Error::setting(format!(
                "`{field}` as the field of {what} has no effect: the inputs are files of text or web archives, \
                 which have no such field; leave it out"
            )));
        }
    }
    match options.extra.first() {
        Some(field) if has_no_fields => Err(Error::setting(format!(
            "no document has a field `{field}`: the inputs are files of text, which have no fields; choose a \
             rule that needs none"
        ))),
        _ => Ok(()),
    }
}

/// Refuses a compression level that the packing does not have, or that nothing would be written with.
fn check_level(shards: &[Shard], options: &Options) -> Result<()> {
    if options.compression_level.is_some()
        && shards
            .iter()
            .all(|shard| shard.packing() == Packing::Plain && !shard.format().is_loose())
    {
        return Err(Error::setting(message![
            Setting("compression-level"),
            " has no effect: no input is packed, and so no output is; leave it out"
        ]));
    }
    shards.iter().try_for_each(|shard| shard.check_level(options))
}

/// Writes settings as the text that identifies a run when it resumes: the names and values that serde gives them.
pub(crate) fn identifying(settings: &impl Serialize) -> String {
    serde_json::to_string(settings).expect("settings are numbers, words and lists of these")
}

impl Identity {
    fn new(job: Job<'_>, options: &Options, shards: &[Shard], reference: &[Shard]) -> Identity {
        // Batches, pages and windows depend on the memory, which makes no difference to the result; so does the limit of a
        // record, from the least that it is by itself.
        let plain = |options: &Options| Options {
            batch_bytes: 0,
            page_bytes: 0,
            window_bytes: 0,
            record_bytes: options.record_bytes.min(LEAST_LIMIT),
            ..options.clone()
        };
        let (version, settings, options) =
            (env!("CARGO_PKG_VERSION"), job.settings, identifying(&plain(options)));
        let mut hasher = blake3::Hasher::new();
        hasher.update(format!("fanmill {version} {} {settings} {options}", job.name).as_bytes());
        for shard in shards {
            hasher.update(shard.identity().as_bytes());
        }
        if let Some(Reference { options, .. }) = job.reference {
            hasher.update(format!("reference {}", identifying(&plain(options))).as_bytes());
        }
        for shard in reference {
            hasher.update(shard.identity().as_bytes());
        }
        let of_reading = hasher.finalize().to_hex().to_string();
        for shard in shards {
            hasher.update(shard.beside().as_bytes());
        }
        Identity { of_reading, of_output: hasher.finalize().to_hex().to_string() }
    }

    /// Returns an identity that no other run can have.
    fn random() -> Result<Identity> {
        let own = blake3::hash(&random()?).to_hex().to_string();
        Ok(Identity { of_reading: own.clone(), of_output: own })
    }
}

/// Returns unpredictable bytes.
pub(crate) fn random() -> Result<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        let error = std::io::Error::other(error.to_string());
        Error::io("get random numbers from", "the operating system", error)
    })?;
    Ok(bytes)
}

/// Returns the first 128 bits of BLAKE3 under a key.
pub(crate) fn keyed_hash(key: &[u8; 32], bytes: &[u8]) -> u128 {
    first_of(blake3::keyed_hash(key, bytes))
}

/// Returns the first 128 bits of BLAKE3 under a key, of the little-endian bytes of numbers.
pub(crate) fn keyed_hash_of(key: &[u8; 32], numbers: &[u64]) -> u128 {
    let mut hasher = blake3::Hasher::new_keyed(key);
    let mut bytes = [0; 1 << 12];
    for part in numbers.chunks(bytes.len() / size_of::<u64>()) {
        let (bytes, _) = bytes.as_chunks_mut();
        for (to, number) in bytes.iter_mut().zip(part) {
            *to = number.to_le_bytes();
        }
        hasher.update(bytes[..part.len()].as_flattened());
    }
    first_of(hasher.finalize())
}

fn first_of(hash: blake3::Hash) -> u128 {
    let (first, _) = hash.as_bytes().split_first_chunk().expect("32 bytes are more than 16");
    u128::from_le_bytes(*first)
}

/// Number of records in each shard, counted while shards are read one after another.
///
/// The total is stored, too: from ten thousand shards on, adding the counts up for every batch took longer than all the
/// rest.
#[derive(Debug, Default)]
pub(crate) struct Numbering {
    n_records: Vec<u64>,
    total: u64,
}

impl Numbering {
    /// Begins with `n_shards` shards, none of them read yet.
    pub(crate) fn new(n_shards: usize) -> Numbering {
        Numbering { n_records: vec![0; n_shards], total: 0 }
    }

    /// Counts the next `n` records of the shard that is being read, and returns the document number of the first.
    /// Numbers beyond 32 bits are refused by [`Numbering::starts`] before they are used.
    pub(crate) fn add(&mut self, shard: usize, n: u64) -> u32 {
        let first = self.total as u32;
        self.n_records[shard] += n;
        self.total += n;
        first
    }

    /// Returns the number of records of a shard so far.
    pub(crate) fn of(&self, shard: usize) -> u64 {
        self.n_records[shard]
    }

    /// Returns the number of records of all shards so far.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Returns the document ranges of all shards, once all have been read.
    pub(crate) fn starts(&self) -> Result<Starts> {
        Starts::new(&self.n_records)
    }
}

/// The first document of each shard, and finally the end of the last shard.
#[derive(Debug, Clone, Default)]
pub(crate) struct Starts(Vec<u32>);

impl Starts {
    /// Computes them from the number of records of each shard, bad ones included.
    pub(crate) fn new(n_records: &[u64]) -> Result<Starts> {
        let mut starts = vec![0];
        let mut end = 0;
        for n in n_records {
            end += n;
            let start = u32::try_from(end).ok().filter(|&end| end < u32::MAX).ok_or_else(|| {
                Error::input(format!(
                    "the corpus has more than {} records, which is the limit; split it",
                    u32::MAX - 1
                ))
            })?;
            starts.push(start);
        }
        Ok(Starts(starts))
    }

    /// Returns the number of all documents.
    pub(crate) fn n_documents(&self) -> u32 {
        self.0.last().copied().unwrap_or(0)
    }

    /// Returns the number of documents in the first `n_shards` shards.
    pub(crate) fn n_of_first(&self, n_shards: usize) -> u32 {
        self.0[n_shards]
    }

    /// Returns the documents of a shard.
    pub(crate) fn of(&self, shard: usize) -> Range<u32> {
        self.0[shard]..self.0[shard + 1]
    }

    /// Returns the shard of a document, and the document's number in it, counted from 0.
    pub(crate) fn place(&self, document: u32) -> (usize, u32) {
        let shard = self.0.partition_point(|&start| start <= document) - 1;
        (shard, document - self.0[shard])
    }
}

impl Corpus<'_> {
    /// Returns whether a shard belongs to the reference.
    pub(crate) fn is_reference(&self, index: usize) -> bool {
        index < self.n_references
    }

    /// Opens a reader at the beginning of a shard.
    pub(crate) fn reader(&self, index: usize, columns: Columns) -> Result<Reader> {
        self.shards[index].reader(self.options_of(index), columns)
    }

    fn options_of(&self, index: usize) -> &Options {
        if self.is_reference(index) { self.reference_options } else { self.options }
    }

    /// [Walks](Corpus::walk) a shard that was read before; `make` and `take` also get the number of each batch's first
    /// document.
    ///
    /// # Errors
    /// If the number of records has changed, because something has written to the shard.
    pub(crate) fn walk_again<T: Send>(
        &self,
        starts: &Starts,
        index: usize,
        columns: Columns,
        steps: &Steps<'_>,
        make: impl FnMut(u32, &Batch) -> Result<T> + Send,
        take: impl FnMut(u32, &Batch, T) -> Result<()> + Send,
    ) -> Result<()> {
        self.walk_reader_again(starts, (index, self.reader(index, columns)?), steps, make, take)
    }

    /// Does what [`Corpus::walk_again`] does, with the given reader of the shard.
    ///
    /// # Errors
    /// As for [`Corpus::walk_again`].
    pub(crate) fn walk_reader_again<T: Send>(
        &self,
        starts: &Starts,
        (index, reader): (usize, Reader),
        steps: &Steps<'_>,
        mut make: impl FnMut(u32, &Batch) -> Result<T> + Send,
        mut take: impl FnMut(u32, &Batch, T) -> Result<()> + Send,
    ) -> Result<()> {
        let shard = &self.shards[index];
        let Range { start, end } = starts.of(index);
        let mut at = start;
        let make = |batch: &Batch| {
            let first = at;
            let n = u32::try_from(batch.len()).unwrap_or(u32::MAX);
            at = at.checked_add(n).filter(|&at| at <= end).ok_or_else(|| changed(shard))?;
            Ok((first, make(first, batch)?))
        };
        let bytes = self.batch_bytes(index);
        walk(reader, bytes, steps, make, |batch, (first, made)| take(first, batch, made))?;
        if at == end { Ok(()) } else { Err(changed(shard)) }
    }

    /// Walks the batches of a shard in order: `make` makes something of each, and may use all threads; `take` gets the
    /// result. While one batch is taken, the next is worked on, and those after it are read.
    pub(crate) fn walk<T: Send>(
        &self,
        index: usize,
        columns: Columns,
        steps: &Steps<'_>,
        make: impl FnMut(&Batch) -> Result<T> + Send,
        take: impl FnMut(&Batch, T) -> Result<()> + Send,
    ) -> Result<()> {
        walk(self.reader(index, columns)?, self.batch_bytes(index), steps, make, take)
    }

    fn batch_bytes(&self, index: usize) -> usize {
        self.options_of(index).batch_bytes
    }
}

/// Returns the error for a shard that has changed since it was first read.
pub(crate) fn changed(shard: &Shard) -> Error {
    format::changed(shard.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Summing over all shards for each one would take 10^11 additions here, which is minutes.
    #[test]
    fn records_are_counted_without_adding_up_the_shards_before() {
        let n_shards = 300_000;
        let mut numbering = Numbering::new(n_shards);
        for shard in 0..n_shards {
            let n = shard as u64 % 3;
            assert_eq!(u64::from(numbering.add(shard, n)), numbering.total() - n);
            assert_eq!(numbering.of(shard), n);
        }
        let starts = numbering.starts().expect("small");
        assert_eq!(
            (starts.n_documents(), starts.of(8), starts.place(300)),
            (300_000, 7..9, (301, 0))
        );
    }

    #[test]
    fn documents_are_numbered_through() {
        let starts = Starts::new(&[3, 0, 2]).expect("small");
        assert_eq!((starts.n_documents(), starts.of(1), starts.of(2)), (5, 3..3, 3..5));
        let places: Vec<_> = (0..5).map(|document| starts.place(document)).collect();
        assert_eq!(places, [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1)]);
        assert!(Starts::new(&[u64::from(u32::MAX)]).is_err());
    }
}
