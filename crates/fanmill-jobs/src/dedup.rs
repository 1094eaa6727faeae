//! `dedup`: which documents of a corpus are copies of others, and which one stays?

#[cfg(feature = "index")]
mod exported;
mod idle;
#[cfg(feature = "index")]
mod seen;

use std::fmt;
use std::path::PathBuf;

use fanmill_corpus::dedup::{
    self, ByAddress, DEFAULT_MEMORY, DEFAULT_RECALL, Decisions, FirstBy, Keep, Linkage, Measure,
    Mode, Search,
};
use fanmill_corpus::job::{DEFAULT_ALLOWED, Places, Reference, RunEnd, check_places};
use fanmill_corpus::passages;
use fanmill_corpus::reference_split::Scope;
use fanmill_corpus::runs::{self, Cut, MinLength};
use fanmill_corpus::{ShortTexts, WordKind, decontaminate};
use fanmill_disk::replace::{OnFailure, Work, Workplace, folder_of};
use fanmill_records::account;
use fanmill_records::format::{
    Dictionary, DocumentOptions, Format, Options, Purpose, Sample, survey,
};
use fanmill_sketch::Sketch;
use fanmill_sketch::lsh::acceptance::Filter;
use fanmill_sketch::lsh::verify::Threshold;
use fanmill_source::Extraction;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::setting::Task;
use fanmill_text::{Error, Result, Setting, amount};
use fanmill_urls::write::read_rules;
use serde::{Deserialize, Serialize};

use crate::remote;

#[cfg(feature = "index")]
pub use seen::IndexUse;

/// The settings of the job: how records are read, what counts as a duplicate, how it is found, and what is done with
/// it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "fields are named as their settings are")]
pub struct Settings {
    /// The field with the text; `None` for the first of the usual ones.
    pub text_field: Option<String>,
    /// The field with the document's name; `None` for the first of the usual ones.
    pub id_field: Option<String>,
    /// The format of all files; `None` to recognise each by name and content.
    pub input_format: Option<Format>,
    /// Maximum size of a record in bytes; larger ones are not compared, and stay. `None` for an eighth of the memory, at
    /// least 16 MiB and at most 256 MiB.
    #[serde(deserialize_with = "amount::optional_bytes")]
    pub max_record_bytes: Option<usize>,
    /// If set, the first record that cannot be read ends the job.
    pub strict: bool,
    /// Maximum share of a file's records that may fail, a fraction in `0..=1`; `None` for .5. With 1, a job may also find
    /// nothing to compare.
    #[serde(deserialize_with = "amount::optional_share")]
    pub allow_failed: Option<f64>,
    /// The field with the text in the reference; `None` for the same as in the corpus.
    pub against_text_field: Option<String>,
    /// The field with the document's name in the reference; `None` for the same as in the corpus.
    pub against_id_field: Option<String>,
    /// The format of all files of the reference; `None` for the same as that of the corpus.
    pub against_input_format: Option<Format>,
    /// If set, documents are compared with the reference alone, and not with each other.
    pub only_against: bool,
    /// Minimum resemblance (Jaccard) of duplicates, a fraction in `0..=1`; `None` for .8.
    #[serde(deserialize_with = "amount::optional_share")]
    pub min_score: Option<f64>,
    /// Instead of `min_score`: minimum share of a document that is contained in another one, which stays.
    #[serde(deserialize_with = "amount::optional_share")]
    pub containment: Option<f64>,
    /// Length of a shingle in words; `None` for 5.
    pub shingle: Option<usize>,
    /// If set, repeated shingles count as often as they occur.
    pub weighted: bool,
    /// If set, words are compared as they are spelled: accents, umlauts and other forms of letters count.
    pub exact_spelling: bool,
    /// The words that texts consist of; `None` for those of prose.
    pub words: Option<WordKind>,
    /// The way short texts are compared; `None` for slips, or with an index for the way its keys were made.
    pub short_texts: Option<ShortTexts>,
    /// The unit that is removed.
    pub unit: Unit,
    /// Minimum length in words of passages, `None` for 5; of repeated runs, `None` for 50; and of runs shared with test
    /// sets, `None` for 13.
    pub min_words: Option<u32>,
    /// Minimum length of repeated runs in bytes, instead of in words.
    pub min_bytes: Option<u16>,
    /// The places where repeated runs are cut out; `None` for between words.
    pub cut: Option<Cut>,
    /// Minimum number of words that must be left of a document from which runs were cut; `None` for 1.
    pub min_rest: Option<u32>,
    /// Minimum number of documents that have a passage; `None` for 2.
    pub min_documents: Option<u32>,
    /// Maximum number of documents that share a run with test sets for it to count; `None` for 10.
    pub max_documents: Option<u32>,
    /// The document of a cluster that stays; `None` for the first.
    pub keep: Option<Keep>,
    /// The value by which documents are grouped before their texts are compared: of each group, only the one that `keep`
    /// prefers is compared, and the others go for it. `None` for no groups.
    pub first_by: Option<FirstBy>,
    /// The field with the address of a record; `None` for `url`, and for the target in web archives.
    pub url_field: Option<String>,
    /// A file of rules that `urls` has learnt, by which addresses are the same; `None` for those of the URL standard alone.
    pub url_rules: Option<PathBuf>,
    /// The rule that joins pairs to clusters; `None` for centres.
    pub cluster: Option<Linkage>,
    /// If set, all pairs are found, instead of nearly all by sketches.
    pub exact: bool,
    /// The sketch that finds similar documents.
    pub sketch: Option<Sketch>,
    /// Minimum share of the pairs exactly at the threshold that must be found, a fraction in `0..=1`; `None` for .998.
    #[serde(deserialize_with = "amount::optional_share")]
    pub recall: Option<f64>,
    /// The kind of output.
    pub mode: Mode,
    /// If set, the pairs are written as well.
    pub pairs: bool,
    /// If set, each record that stays says how many documents it stays for.
    pub sizes: bool,
    /// Maximum number of records that are read of each file, to look before a long run; only without a corpus to be written.
    pub limit: Option<u64>,
    /// Level at which packed files are written: `.gz` and `.xz` 0 to 9, `.bz2` 1 to 9, `.zst` 1 to 19; `None` for 6, 6, 9
    /// and 3.
    pub compression_level: Option<u32>,
    /// The file of the dictionary that `.zst` files were packed with.
    pub zstd_dictionary: Option<PathBuf>,
    /// Extraction of text from documents, also from those attached to messages.
    #[serde(flatten)]
    pub documents: Extraction,
    /// Working memory, in bytes.
    #[serde(deserialize_with = "amount::bytes")]
    pub memory: usize,
}

/// The unit that is removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Whole documents that are near-duplicates.
    #[default]
    Document,
    /// Paragraphs that an earlier document has word for word.
    Paragraph,
    /// Lines that an earlier document has word for word.
    Line,
    /// Runs of words that occur earlier, anywhere.
    Run,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Document => "document",
            Unit::Paragraph => "paragraph",
            Unit::Line => "line",
            Unit::Run => "run",
        })
    }
}

/// The findings of the job.
#[derive(Debug)]
pub enum Outcome {
    /// Near-duplicates among documents.
    Documents(Box<dedup::Outcome>),
    /// Near-duplicates among documents and those of an index, and the changes to the index.
    #[cfg(feature = "index")]
    Seen(Box<dedup::Outcome>, IndexUse),
    /// Paragraphs or lines that several documents contain.
    Passages(Box<passages::Summary>),
    /// Runs of words that occur earlier in the corpus.
    Runs(Box<runs::Summary>),
    /// Documents that share a run of words with test sets.
    Contamination(Box<decontaminate::Summary>),
}

impl Outcome {
    /// Returns the numbers of inputs of the corpus that were compared, degraded, skipped or failed.
    pub fn inputs(&self) -> account::Inputs {
        match self {
            Outcome::Documents(outcome) => outcome.summary.inputs,
            #[cfg(feature = "index")]
            Outcome::Seen(outcome, _) => outcome.summary.inputs,
            Outcome::Passages(summary) => summary.inputs,
            Outcome::Runs(summary) => summary.inputs,
            Outcome::Contamination(summary) => summary.inputs,
        }
    }
}

impl Default for Settings {
    /// Returns settings for documents that resemble each other by .8 or more: the first one stays, the others are
    /// removed.
    fn default() -> Settings {
        Settings {
            text_field: None,
            id_field: None,
            input_format: None,
            max_record_bytes: None,
            strict: false,
            allow_failed: None,
            against_text_field: None,
            against_id_field: None,
            against_input_format: None,
            only_against: false,
            min_score: None,
            containment: None,
            shingle: None,
            weighted: false,
            exact_spelling: false,
            words: None,
            short_texts: None,
            unit: Unit::Document,
            min_words: None,
            min_bytes: None,
            cut: None,
            min_rest: None,
            min_documents: None,
            max_documents: None,
            keep: None,
            first_by: None,
            url_field: None,
            url_rules: None,
            cluster: None,
            exact: false,
            sketch: None,
            recall: None,
            mode: Mode::Remove,
            pairs: false,
            sizes: false,
            limit: None,
            compression_level: None,
            zstd_dictionary: None,
            documents: Extraction::default(),
            memory: DEFAULT_MEMORY,
        }
    }
}

impl Settings {
    fn of_documents(&self) -> Result<dedup::Settings> {
        let mut settings = dedup::Settings::standard();
        match (self.containment, self.min_score) {
            (Some(share), _) => settings.measure = Measure::Containment(Threshold::new(share)?),
            (None, Some(share)) => settings.measure = Measure::Resemblance(Threshold::new(share)?),
            (None, None) => {}
        }
        settings.search = if self.exact {
            Search::Exact
        } else {
            let sketch = self.sketch.unwrap_or_else(Sketch::standard);
            Search::Sketches { sketch, recall: self.recall.unwrap_or(DEFAULT_RECALL) }
        };
        settings.words = self.shingle.unwrap_or(settings.words);
        settings.is_weighted = self.weighted;
        settings.word_kind = match self.words {
            None if self.exact_spelling => WordKind::ExactSpelling,
            kind => kind.unwrap_or(WordKind::Prose),
        };
        settings.short_texts = self.short_texts.unwrap_or(settings.short_texts);
        settings.linkage = self.cluster.unwrap_or(settings.linkage);
        settings.keep = self.keep.clone().unwrap_or(settings.keep);
        settings.by_address = self.by_address()?;
        settings.mode = self.mode;
        settings.has_pairs = self.pairs;
        settings.has_sizes = self.sizes;
        settings.is_strict = self.strict;
        settings.allowed_failures = self.allow_failed.unwrap_or(DEFAULT_ALLOWED);
        settings.memory = self.memory;
        Ok(settings)
    }

    fn of_passages(&self, unit: passages::Unit) -> passages::Settings {
        passages::Settings::for_unit(unit).with(|settings| {
            settings.min_words = self.min_words.unwrap_or(settings.min_words);
            settings.min_documents = self.min_documents.unwrap_or(settings.min_documents);
            settings.mode = self.mode;
            settings.is_strict = self.strict;
            settings.allowed_failures = self.allow_failed.unwrap_or(DEFAULT_ALLOWED);
            settings.memory = self.memory;
        })
    }

    fn of_runs(&self) -> runs::Settings {
        runs::Settings::standard().with(|settings| {
            settings.length = match (self.min_words, self.min_bytes) {
                (Some(n), _) => MinLength::Words(n),
                (None, Some(n)) => MinLength::Bytes(n),
                (None, None) => settings.length,
            };
            settings.cut = self.cut.unwrap_or(settings.cut);
            settings.min_rest = self.min_rest.unwrap_or(settings.min_rest);
            settings.keep = self.keep.clone().unwrap_or(Keep::First);
            settings.mode = self.mode;
            settings.is_strict = self.strict;
            settings.allowed_failures = self.allow_failed.unwrap_or(DEFAULT_ALLOWED);
            settings.memory = self.memory;
        })
    }

    fn of_decontamination(&self) -> decontaminate::Settings {
        decontaminate::Settings::standard().with(|settings| {
            settings.min_words = self.min_words.unwrap_or(settings.min_words);
            settings.max_documents = self.max_documents.unwrap_or(settings.max_documents);
            settings.mode = self.mode;
            settings.is_strict = self.strict;
            settings.allowed_failures = self.allow_failed.unwrap_or(DEFAULT_ALLOWED);
            settings.memory = self.memory;
        })
    }

    /// Returns the place of addresses and the rules for them, if documents are grouped by these.
    fn by_address(&self) -> Result<Option<ByAddress>> {
        let Some(FirstBy::Url) = self.first_by else { return Ok(None) };
        let rules = self.url_rules.as_deref().map(read_rules).transpose()?;
        Ok(Some(ByAddress::new(self.url_field.clone(), rules)))
    }

    fn scope(&self) -> Scope {
        if self.only_against { Scope::ReferenceOnly } else { Scope::Everything }
    }

    fn record_bytes(&self) -> usize {
        let by_memory = (self.memory / 8).clamp(16 << 20, 256 << 20);
        self.max_record_bytes.unwrap_or(by_memory)
    }

    fn options(&self) -> Result<Options> {
        let dictionary = self.zstd_dictionary.as_deref().map(Dictionary::read).transpose()?;
        Ok(Options {
            text: self.text_field.clone(),
            id: self.id_field.clone(),
            extra: self.extra_fields(),
            format: self.input_format,
            record_bytes: self.record_bytes(),
            batch_bytes: dedup::batch_bytes(self.memory),
            page_bytes: dedup::page_bytes(self.memory),
            limit: self.limit,
            window_bytes: dedup::window_bytes(self.memory),
            compression_level: self.compression_level,
            dictionary,
            documents: DocumentOptions::open(&self.documents)?,
        })
    }

    /// Returns the fields that decide which document stays, and then those with its address.
    fn extra_fields(&self) -> Vec<String> {
        let of_rule = self.keep.iter().filter_map(Keep::field).map(str::to_owned);
        let by_address = self.first_by.map(|_| ByAddress::new(self.url_field.clone(), None));
        of_rule.chain(by_address.iter().flat_map(ByAddress::fields)).collect()
    }

    /// Returns the options for reading the reference. It needs no fields for rules that prefer a document.
    fn options_of_reference(&self) -> Result<Options> {
        let own = self.options()?;
        Ok(Options {
            text: self.against_text_field.clone().or_else(|| own.text.clone()),
            id: self.against_id_field.clone().or_else(|| own.id.clone()),
            format: self.against_input_format.or(own.format),
            extra: Vec::new(),
            ..own
        })
    }
}

/// The inputs of the job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Inputs {
    /// The corpus: files and folders.
    pub paths: Vec<PathBuf>,
    /// The reference, which is only read: documents of the corpus that resemble one of its documents are duplicates.
    pub against: Vec<PathBuf>,
    /// Test sets: documents of the corpus that share a run of words with one of their items are removed, and no others.
    pub decontaminate: Vec<PathBuf>,
    /// The index of all documents seen so far: documents of the corpus that resemble one of them are duplicates, and
    /// those that stay are added to it.
    #[cfg(feature = "index")]
    pub index: Option<PathBuf>,
}

impl Inputs {
    /// Returns inputs with a corpus only.
    pub fn from_paths(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Inputs {
        Inputs { paths: paths.into_iter().map(Into::into).collect(), ..Inputs::default() }
    }
}

/// Finds the duplicates of a corpus, among its own documents and in the reference if there is one, or what it shares
/// with test sets. Writes the corpus without these, or what else the settings ask for.
///
/// # Errors
/// If settings contradict each other or a setting would have no effect; if the output exists already, an input cannot
/// be read, or the output cannot be written; or if the job is cancelled. There is no output then, and what has been
/// read of the documents is kept beside its place, so that the next run can resume.
pub fn run(
    settings: &Settings,
    inputs: &Inputs,
    places: &Places,
    progress: &dyn Progress,
) -> Result<RunEnd<Outcome>> {
    idle::refuse(settings, inputs)?;
    let mut inputs = inputs.clone();
    let lists = &mut [&mut inputs.paths, &mut inputs.against, &mut inputs.decontaminate];
    // What is fetched stays if the run fails, for the next one, which resumes.
    let open = |objects: &str| {
        // Whatever can be refused is refused before hours of fetching.
        settings.options()?;
        settings.by_address()?;
        check_places(places, settings.mode != Mode::Report)?;
        fetching(places, objects)
    };
    let fetched = remote::replace(lists, open, progress)?;
    let ended = run_here(settings, &inputs, places, progress)?;
    fetched.map_or(Ok(()), Workplace::clear)?;
    Ok(ended)
}

/// Makes the folder for what is fetched, or takes over that of a run that fetched the same `objects`: where the user
/// wants temporary files, or beside the output, with its name.
fn fetching(places: &Places, objects: &str) -> Result<Workplace> {
    let Some(output) = &places.output else {
        return Workplace::temporary(&places.disk, places.temp.as_deref());
    };
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".fetched");
    let path = places.temp.as_deref().unwrap_or(folder_of(output)).join(name);
    let work = Work { job: "fetching", run: objects };
    Workplace::open(&places.disk, &path, work, OnFailure::Stays)
}

/// Runs the job like [`run`], with inputs that are all on this machine.
fn run_here(
    settings: &Settings,
    inputs: &Inputs,
    places: &Places,
    progress: &dyn Progress,
) -> Result<RunEnd<Outcome>> {
    #[cfg(feature = "index")]
    if let Some(index) = &inputs.index {
        let ended = seen::run((settings, inputs), index, places, progress)?;
        return Ok(with(ended, |(outcome, seen)| Outcome::Seen(Box::new(outcome), seen)));
    }
    #[cfg(feature = "index")]
    if exported::has_indexes(inputs) {
        let (mut inputs, mut workplace) = (inputs.clone(), exported::temporary(places)?);
        exported::replace_indexes(&mut inputs, &settings.options_of_reference()?, &mut workplace)?;
        return run_on_files(settings, &inputs, OnFailure::Goes, places, progress);
    }
    run_on_files(settings, inputs, OnFailure::Stays, places, progress)
}

/// Runs the job like [`run`], with references that are files. `rest` says what becomes of interrupted work.
fn run_on_files(
    settings: &Settings,
    inputs: &Inputs,
    rest: OnFailure,
    places: &Places,
    progress: &dyn Progress,
) -> Result<RunEnd<Outcome>> {
    let (paths, options) = (&*inputs.paths, settings.options()?);
    // With test sets, nothing else is removed; `idle` has refused settings that ask for more.
    if !inputs.decontaminate.is_empty() {
        let of_tests = settings.options_of_reference()?;
        let tests = Reference::new(&inputs.decontaminate, &of_tests);
        let settings = settings.of_decontamination();
        let ended = decontaminate::run((paths, &options), tests, &settings, places, progress)?;
        return Ok(with(ended, |summary| Outcome::Contamination(Box::new(summary))));
    }
    let unit = match settings.unit {
        Unit::Document => {
            let ended = if inputs.against.is_empty() {
                dedup::run(paths, &options, &settings.of_documents()?, places, progress)?
            } else {
                run_against(settings, inputs, rest, places, progress)?
            };
            return Ok(with(ended, |outcome| Outcome::Documents(Box::new(outcome))));
        }
        Unit::Run => {
            let ended = runs::run(paths, &options, &settings.of_runs(), places, progress)?;
            return Ok(with(ended, |summary| Outcome::Runs(Box::new(summary))));
        }
        Unit::Paragraph => passages::Unit::Paragraph,
        Unit::Line => passages::Unit::Line,
    };
    let settings = settings.of_passages(unit);
    let ended = passages::run(paths, &options, &settings, places, progress)?;
    Ok(with(ended, |summary| Outcome::Passages(Box::new(summary))))
}

fn run_against(
    settings: &Settings,
    inputs: &Inputs,
    rest: OnFailure,
    places: &Places,
    progress: &dyn Progress,
) -> Result<RunEnd<dedup::Outcome>> {
    let (options, of_reference) = (settings.options()?, settings.options_of_reference()?);
    let reference = Reference::new(&inputs.against, &of_reference).with_rest(rest);
    let scope = settings.scope();
    let documents = settings.of_documents()?;
    let corpus = (&*inputs.paths, &options);
    dedup::run_against(corpus, (reference, scope), &documents, places, progress)
}

fn with<T, U>(ended: RunEnd<T>, outcome: impl FnOnce(T) -> U) -> RunEnd<U> {
    match ended {
        RunEnd::Now(own) => RunEnd::Now(outcome(own)),
        RunEnd::Before => RunEnd::Before,
    }
}

/// Finds the duplicates among texts in memory, and in a reference if there is one: the same as [`run`] finds among
/// them. The addresses of the texts are only needed to group by them. Settings about files and output have no effect
/// here.
///
/// # Errors
/// If settings contradict each other or one would have no effect; if documents are to be kept by a field, which texts
/// do not have; or if the job is cancelled.
pub fn in_memory<T: AsRef<str> + Sync>(
    settings: &Settings,
    (texts, addresses): (impl IntoIterator<Item = T>, Option<&[Option<&str>]>),
    reference: Option<impl IntoIterator<Item = T>>,
    progress: &dyn Progress,
) -> Result<Decisions> {
    refuse_in_memory(settings, reference.is_some(), Unit::Document)?;
    let of_documents = settings.of_documents()?;
    if let Some(addresses) = addresses {
        let reference = reference.into_iter().flatten();
        return dedup::in_memory_by_address(
            (texts, addresses),
            reference,
            &of_documents,
            None,
            progress,
        );
    }
    match reference {
        None => dedup::in_memory(texts, &of_documents, None, progress),
        Some(reference) => {
            let reference = (reference, settings.scope());
            dedup::in_memory_against(texts, reference, &of_documents, None, progress)
        }
    }
}

/// Finds the repeated runs among texts in memory: the same as [`run`] finds among them. Settings about files and output
/// have no effect here.
///
/// # Errors
/// As for [`in_memory`]; and if there is a reference, which has no effect on runs.
pub fn runs_in_memory<T: AsRef<str> + Sync>(
    settings: &Settings,
    texts: impl IntoIterator<Item = T>,
    reference: Option<&[T]>,
    progress: &dyn Progress,
) -> Result<runs::Edits> {
    refuse_in_memory(settings, reference.is_some(), Unit::Run)?;
    runs::in_memory(texts, &settings.of_runs(), None, progress)
}

/// Makes the operators by which another program finds repeated runs: the same as [`run`] finds.
///
/// # Errors
/// As for [`runs_in_memory`]; and if `keep` is not the order of the documents.
pub fn run_operator(settings: &Settings, key: &[u8; 32]) -> Result<runs::TextOperator> {
    refuse_in_memory(settings, false, Unit::Run)?;
    runs::TextOperator::new(&settings.of_runs(), key)
}

/// Finds the texts in memory that share a run of words with items: the same as [`run`] finds among them. Settings about
/// files and output have no effect here.
///
/// # Errors
/// If settings contradict each other or one would have no effect; if there are too many items; or if the job is
/// cancelled.
pub fn decontaminate_in_memory<T: AsRef<str> + Sync>(
    settings: &Settings,
    texts: impl IntoIterator<Item = T>,
    items: impl IntoIterator<Item = T>,
    progress: &dyn Progress,
) -> Result<decontaminate::Contamination> {
    // There are items instead of paths; `refuse` only asks whether there are any.
    let inputs = Inputs { decontaminate: vec![PathBuf::new()], ..Inputs::default() };
    idle::refuse(settings, &inputs)?;
    decontaminate::in_memory(texts, items, &settings.of_decontamination(), progress)
}

/// Refuses settings that have no effect on texts in memory, and units that are not `found` in them.
fn refuse_in_memory(settings: &Settings, has_reference: bool, found: Unit) -> Result<()> {
    if settings.unit != found {
        return Err(Error::setting(message![
            Setting("unit"),
            (" {} is for files, and these are texts in memory; use ", settings.unit),
            ("{} or {}, or write them to a file for ", Unit::Document, Unit::Run),
            Task("dedup")
        ]));
    }
    // There are texts instead of paths; `refuse` only asks whether there are any.
    let against = if has_reference { vec![PathBuf::new()] } else { Vec::new() };
    idle::refuse(settings, &Inputs { against, ..Inputs::default() })
}

/// Number of files of which a sample is taken.
const SAMPLES: usize = 5;

/// Returns how the first files of the corpus are read, and how many there are; none of standard input and of addresses.
///
/// # Errors
/// If a path cannot be read, or a file lacks what the settings ask for.
pub fn samples(settings: &Settings, inputs: &Inputs) -> Result<(Vec<Sample>, usize)> {
    let options = settings.options()?;
    // Standard input can be read only once, and what is elsewhere is not here yet.
    let is_later = |path: &PathBuf| path.as_os_str() == "-" || remote::is_address(path);
    if inputs.paths.iter().any(is_later) {
        return Ok((Vec::new(), 0));
    }
    let shards = survey(&inputs.paths, &options, Purpose::Read)?.shards;
    let samples = shards.iter().take(SAMPLES).map(|shard| Sample::read(shard, &options));
    Ok((samples.collect::<Result<_>>()?, shards.len()))
}

/// Returns the filter with which a job with these settings finds pairs; its curve shows which ones.
///
/// # Errors
/// If settings contradict each other, or the job finds pairs without a filter.
pub fn filter(settings: &Settings) -> Result<Filter> {
    idle::refuse(settings, &Inputs::default())?;
    if settings.unit != Unit::Document {
        return Err(Error::setting("repeated passages are found by their words, not by a filter"));
    }
    dedup::filter(&settings.of_documents()?)
}
