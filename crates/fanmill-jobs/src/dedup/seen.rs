//! Deduplication with an index: finds the documents of a corpus that are new, given those that earlier runs have kept.
//!
//! 1. The keys of each record are looked up in the index. The documents that have one of these keys are the *reference*.
//! 2. The corpus is compared with the reference and with itself, text by text, as with any other reference.
//! 3. The documents that stay are added to the index, with their keys.
//!
//! The result is that of one run over all corpora in the same order. In such a run, a document stays if it resembles
//! no earlier document that stays, and those are the documents of the index. This holds if the first document of a
//! cluster stays and clusters form around centres, so other rules are refused. Groups of 256 documents or more with
//! an equal key are the exception: one run does not compare all of their pairs.
//!
//! Inputs are read several times. If a file changes in between, the run ends with an error and the index stays as it was.
//!
//! Cost: that of a run over the corpus and its reference, and a look-up in the index for each key.

use fanmill_text::message::Message;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use fanmill_corpus::ShortTexts;
use fanmill_corpus::dedup::{self, DEFAULT_RECALL, Keep, Linkage, Mode, Search};
use fanmill_corpus::job::{Places, Reference, RunEnd, bookkeeping_of};
use fanmill_corpus::recipe::{Recipe, Scratch};
use fanmill_corpus::reference_split::Scope;
use fanmill_disk::replace::{Disk, OnFailure};
use fanmill_index::{DocumentState, Index, Keep as Kept, Writer};
use fanmill_records::format::{Batch, Columns, Format, Options, Purpose, Reader, Shard, survey};
use fanmill_text::document::{Document, Role, Submission};
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::setting::Task;
use fanmill_text::{Error, Result, Setting};
use rayon::prelude::*;
use serde::Serialize;

use super::exported::{Corpus, temporary};
use super::{Inputs, Settings};
use crate::keyed;

/// The path of the only file of each record, by which it counts as prose.
const PATH: &str = "text.txt";
/// Number of records whose keys are looked up together.
const TOGETHER: usize = 4096;

/// The part of the index in a run, and its state afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct IndexUse {
    /// Number of documents in it that share a key with a record, and were compared with the corpus.
    pub compared: u64,
    /// Number of documents that were added to it.
    pub added: u64,
    /// Number of documents that it has now.
    pub documents: u64,
    /// The number of its last change.
    pub generation: u64,
}

/// Finds the duplicates of a corpus among its own documents and those of an index. Adds the documents that stay to the
/// index.
///
/// # Errors
/// As for [`run`](super::run), and if the index keeps no texts, has keys of another kind, or another process writes it.
pub(super) fn run(
    (settings, inputs): (&Settings, &Inputs),
    folder: &Path,
    places: &Places,
    progress: &dyn Progress,
) -> Result<RunEnd<(dedup::Outcome, IndexUse)>> {
    refuse(settings, inputs)?;
    let (mut documents, options) = (settings.of_documents()?, settings.options()?);
    let mut writer = Writer::open(&Disk::default(), folder, None)?;
    if writer.index().keep() == Kept::Fingerprints {
        return Err(Error::setting(message![
            Setting("index"),
            (
                " needs the texts of what was seen, and `{}` keeps fingerprints only; begin another index",
                folder.display()
            )
        ]));
    }
    let recipe = Arc::new(recipe(&writer, &documents, settings.short_texts)?);
    documents.short_texts = recipe.short_texts();
    writer.make_keys(keyed::keyer(Arc::clone(&recipe)))?;

    let shards = survey(&inputs.paths, &options, Purpose::Read)?.shards;
    let met = met(writer.index(), &recipe, Records::new(&shards, &options, progress))?;
    let compared = met.len() as u64;
    let of_reference = Options { format: Some(Format::JSONL), ..Options::standard() };
    let mut workplace = temporary(places)?;
    let mut known = Corpus::create(&mut workplace, Path::new("seen.jsonl"), &of_reference)?;
    writer.index().documents_at(met, &mut |document| known.push(&document))?;
    let known = [known.finish()?];
    let reference = Reference::new(&known, &of_reference).with_rest(OnFailure::Goes);
    let corpus = (&*inputs.paths, &options);
    let ended =
        dedup::run_against(corpus, (reference, Scope::Everything), &documents, places, progress)?;
    let mut added = 0;
    // The index is changed only now that the output is complete.
    if let (Some(output), false) = (&places.output, settings.mode == Mode::Report) {
        let removed = removed(output, &shards)?;
        let staying = Records::new(&shards, &options, progress);
        added = add(&mut writer, staying, &removed, progress)
            .map_err(|error| not_added(folder, output, &error))?;
    }
    let stats = writer.index().stats();
    writer.close()?;
    let (documents, generation) = (stats.documents, stats.generation);
    let seen = IndexUse { compared, added, documents, generation };
    Ok(super::with(ended, |outcome| (outcome, seen)))
}

/// Refuses settings that cannot be combined with an index.
fn refuse(settings: &Settings, inputs: &Inputs) -> Result<()> {
    let index = Setting("index");
    let cannot = |what: Message, why: &str| {
        Err(Error::setting(message![
            index,
            " cannot be used with ",
            what,
            ": {why}; leave out one of the two"
        ]))
    };
    // Only these rules give the result of one run over all corpora, as the head of the module explains.
    if let Some(keep) = settings.keep.as_ref().filter(|keep| **keep != Keep::First) {
        return cannot(
            message![Setting("keep"), " {keep}"],
            "what was seen before stays, and of new documents the first",
        );
    }
    if settings.cluster == Some(Linkage::Components) {
        return cannot(
            message![Setting("cluster"), " components"],
            "a chain would remove documents that resemble nothing that stays",
        );
    }
    let others = [
        (
            settings.containment.is_some(),
            "containment",
            "keys find documents that resemble each other as a whole",
        ),
        (
            settings.first_by.is_some(),
            "first-by",
            "the index has no addresses, and a later run would keep what an earlier one has removed by them",
        ),
        (settings.exact, "exact", "keys find nearly all pairs, and no others are looked for"),
        (!inputs.against.is_empty(), "against", "the index is what the corpus is compared with"),
    ];
    if let Some((_, name, why)) = others.into_iter().find(|(is_given, ..)| *is_given) {
        return cannot(Setting(name).into(), why);
    }
    if inputs.paths.iter().any(|path| path == Path::new("-")) {
        return cannot("standard input".into(), "the corpus is read more than once");
    }
    Ok(())
}

/// Returns the recipe of the index's keys, or that of the settings if it has none yet.
///
/// # Errors
/// If the index's keys would miss pairs that the settings ask for.
fn recipe(
    writer: &Writer,
    settings: &dedup::Settings,
    short_texts: Option<ShortTexts>,
) -> Result<Recipe> {
    let wanted = settings.recipe()?;
    let Some(scheme) = writer.index().key_scheme() else { return Ok(wanted) };
    let (known, wanted_scheme) =
        (Recipe::from_scheme(&scheme.parse()?)?, wanted.scheme().to_string());
    // Indexes of earlier versions have keys of shingles.
    if let Some(short_texts) = short_texts.filter(|own| *own != known.short_texts()) {
        return Err(Error::setting(message![
            ("the index has keys for "),
            Setting("short-texts"),
            (
                " {}, and {short_texts} is asked for; leave it out, or begin another index",
                known.short_texts()
            )
        ]));
    }
    let same_shingles = known.shingling() == wanted.shingling();
    let recall = match settings.search {
        Search::Sketches { recall, .. } => recall,
        Search::Exact => DEFAULT_RECALL,
    };
    let threshold = settings.measure.threshold().value();
    let finds_enough = known.filter().is_some_and(|filter| filter.probability(threshold) >= recall);
    if scheme == wanted_scheme || (same_shingles && finds_enough) {
        return Ok(known);
    }
    Err(Error::setting(message![
        "the index has keys of scheme `{scheme}`, which find too few of the pairs that are asked for (`{wanted_scheme}`); \
         raise ",
        Setting("min-score"),
        ", or begin another index"
    ]))
}

/// Returns the documents of an index that share a key with any record.
fn met(
    index: &Index,
    recipe: &Recipe,
    mut records: Records<'_>,
) -> Result<BTreeSet<fanmill_index::Place>> {
    let mut met = BTreeSet::new();
    loop {
        let some: Vec<Record> = records.by_ref().take(TOGETHER).collect::<Result<_>>()?;
        if some.is_empty() {
            return Ok(met);
        }
        let look_up = |scratch: &mut Scratch, record: &Record| {
            index.with_keys(&keyed::keys(recipe, &record.text, scratch))
        };
        let found: Vec<_> =
            some.par_iter().map_init(Scratch::default, look_up).collect::<Result<_>>()?;
        met.extend(found.into_iter().flatten());
    }
}

/// Lists the records that a finished run has removed or marked: number of the shard, and number from 1.
fn removed(output: &Path, shards: &[Shard]) -> Result<HashSet<(usize, u64)>> {
    let path = bookkeeping_of(output)?.join("removed.parquet");
    let options = Options {
        text: Some("shard".to_owned()),
        extra: vec!["record".to_owned()],
        ..Options::standard()
    };
    let table = survey(std::slice::from_ref(&path), &options, Purpose::Read)?.shards;
    let wrong = || Error::input(format!("`{}` is not as it was written", path.display()));
    let (mut removed, mut batch) = (HashSet::new(), Batch::new());
    for part in &table {
        let mut reader = part.reader(&options, Columns::Needed)?;
        while reader.next(&mut batch)? {
            for i in 0..batch.len() {
                let row = batch.record(i).map_err(|_| wrong())?;
                let shard = shards.iter().position(|shard| shard.name() == row.text);
                let number = row.extra.first().and_then(|number| number.as_deref()?.parse().ok());
                removed.insert(shard.zip(number).ok_or_else(wrong)?);
            }
        }
    }
    Ok(removed)
}

/// Adds the records that stay. Returns how many are new to the index.
fn add(
    writer: &mut Writer,
    records: Records<'_>,
    removed: &HashSet<(usize, u64)>,
    progress: &dyn Progress,
) -> Result<u64> {
    let folder = writer.index().folder();
    let known = Index::open_if_any(folder)?;
    let mut names = Names::default();
    let staying = records.filter(|record| {
        !record.as_ref().is_ok_and(|record| removed.contains(&(record.shard, record.number)))
    });
    let texts = staying.map(|record| names.document(record?, known.as_ref()));
    Ok(writer.add_each(texts, &fanmill_lang::registry(), progress)?.added)
}

fn not_added(index: &Path, output: &Path, error: &Error) -> Error {
    Error::input(message![
        (
            "the corpus is written to `{}`, but it could not be added to the index `{}`: ",
            output.display(),
            index.display()
        ),
        error,
        "; ",
        Task("index-add"),
        " with the files in there does so"
    ])
}

/// Unique names for documents.
#[derive(Default)]
struct Names {
    used: HashSet<String>,
}

impl Names {
    /// Makes the document of a record, which is called by its shard and its name. A document of the same name and
    /// another text is not replaced, as it was seen; the new one's name then ends with the beginning of the text's
    /// hash.
    fn document(&mut self, record: Record, known: Option<&Index>) -> Result<Submission> {
        let hash = blake3::hash(record.text.as_bytes()).to_hex();
        let documents = vec![Document::new(PATH, record.text)];
        let mut document = Submission::new(record.name.clone(), Role::Archive, documents);
        let numbered = |n: u64| format!("{} ({}, {n})", record.name, &hash[..16]);
        let hashed = format!("{} ({})", record.name, &hash[..8]);
        for name in [record.name.clone(), hashed].into_iter().chain((1..).map(numbered)) {
            document.name = name;
            let standing =
                known.map_or(Ok(DocumentState::New), |known| known.standing(&document))?;
            if standing != DocumentState::Other && self.used.insert(document.name.clone()) {
                break;
            }
        }
        Ok(document)
    }
}

/// A record of the corpus.
struct Record {
    /// Number of its shard.
    shard: usize,
    /// Its number in the shard, from 1.
    number: u64,
    name: String,
    text: String,
}

/// An iterator over the records of a corpus that can be read.
struct Records<'a> {
    shards: &'a [Shard],
    options: &'a Options,
    progress: &'a dyn Progress,
    next_shard: usize,
    reader: Option<Reader>,
    batch: Batch,
    ready: VecDeque<Record>,
}

impl<'a> Records<'a> {
    fn new(shards: &'a [Shard], options: &'a Options, progress: &'a dyn Progress) -> Records<'a> {
        let (batch, ready) = (Batch::new(), VecDeque::new());
        Records { shards, options, progress, next_shard: 0, reader: None, batch, ready }
    }

    fn read(&mut self) -> Result<Option<Record>> {
        loop {
            if let Some(record) = self.ready.pop_front() {
                return Ok(Some(record));
            }
            self.progress.check()?;
            let Some(reader) = &mut self.reader else {
                let Some(shard) = self.shards.get(self.next_shard) else { return Ok(None) };
                self.reader = Some(shard.reader(self.options, Columns::Needed)?);
                self.next_shard += 1;
                continue;
            };
            if reader.next(&mut self.batch)? {
                self.take_batch();
            } else {
                self.reader = None;
            }
        }
    }

    /// Takes the records of a batch that can be read. The others are counted by the run.
    fn take_batch(&mut self) {
        let number = self.next_shard - 1;
        let shard = &self.shards[number];
        for (i, record_number) in (0..self.batch.len()).zip(self.batch.first_number() + 1..) {
            let Ok(record) = self.batch.record(i) else { continue };
            let own = record.name().map_or_else(|| record_number.to_string(), str::to_owned);
            let is_loose = shard.format().is_loose();
            let name = if is_loose { own } else { format!("{}/{own}", shard.name()) };
            let text = record.text.into_owned();
            if !text.is_empty() {
                self.ready.push_back(Record { shard: number, number: record_number, name, text });
            }
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Result<Record>> {
        self.read().transpose()
    }
}
