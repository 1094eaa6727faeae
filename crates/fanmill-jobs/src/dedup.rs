//! `dedup`: which documents of a corpus are copies of others, and which one stays?

mod idle;

use std::path::PathBuf;

use fanmill::lsh::acceptance::Filter;
use fanmill::lsh::verify::Threshold;
use fanmill::progress::Progress;
use fanmill::sketch::Sketch;
use fanmill::{Error, Result};
use fanmill_corpus::dedup::{self, DEFAULT_RECALL, Keep, Linkage, Measure, Mode, Search};
use fanmill_corpus::job::{Ended, Places};
use fanmill_corpus::passages;
use fanmill_source::records::format::{Format, Options};
use serde::{Deserialize, Serialize};

use crate::as_text;

/// Shorter passages are left alone unless the user says otherwise, in words.
const MIN_WORDS: u32 = 5;
/// What fewer documents have is left alone unless the user says otherwise.
const MIN_DOCUMENTS: u32 = 2;

/// How records are read, what a duplicate is, how it is found, and what becomes of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "fields are named as their settings are")]
pub struct Settings {
    /// The field with the text; else the first of the usual ones.
    pub text_field: Option<String>,
    /// The field with the document's name; else the first of the usual ones.
    pub id_field: Option<String>,
    /// What all files are, instead of by name and content.
    #[serde(with = "as_text")]
    pub input_format: Option<Format>,
    /// Larger records, in bytes, are not read.
    pub max_record_bytes: usize,
    /// Whether the first record that cannot be read ends the job.
    pub strict: bool,
    /// Resemblance from which on two documents are duplicates, a fraction in `0..=1`; else .8.
    pub threshold: Option<f64>,
    /// Instead, the part of a document that is in another one, which stays.
    pub containment: Option<f64>,
    /// Words in a shingle; else 5.
    pub shingle: Option<usize>,
    /// Whether a shingle counts as often as it occurs.
    pub weighted: bool,
    /// What is removed.
    pub unit: Unit,
    /// Shorter passages, in words, are left alone; else 5.
    pub min_words: Option<u32>,
    /// Passages of fewer documents are left alone; else 2.
    pub min_documents: Option<u32>,
    /// Which document of a cluster stays; else the first.
    #[serde(with = "as_text")]
    pub keep: Option<Keep>,
    /// How pairs become clusters; else around centres.
    pub cluster: Option<Linkage>,
    /// Whether all pairs are found, instead of nearly all by sketches.
    pub exact: bool,
    /// What is kept of a document to find its likes.
    #[serde(with = "as_text")]
    pub sketch: Option<Sketch>,
    /// The part of the pairs at the threshold that is to be found, a fraction in `0..=1`; else .998.
    pub recall: Option<f64>,
    /// What is written.
    pub mode: Mode,
    /// Whether the pairs are written, too.
    pub pairs: bool,
    /// Bytes of memory to work with.
    pub memory: usize,
}

/// What is removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Whole documents that are near-duplicates.
    #[default]
    Document,
    /// Paragraphs that an earlier document has, word by word.
    Paragraph,
    /// Lines that an earlier document has, word by word.
    Line,
}

/// What a job has found.
#[derive(Debug)]
pub enum Outcome {
    /// Near-duplicates among documents.
    Documents(Box<dedup::Outcome>),
    /// Paragraphs or lines that several documents have.
    Passages(Box<passages::Summary>),
}

impl Default for Settings {
    /// Documents that resemble each other by .8 or more; the first one stays, the others are removed.
    fn default() -> Settings {
        Settings {
            text_field: None,
            id_field: None,
            input_format: None,
            max_record_bytes: 16 << 20,
            strict: false,
            threshold: None,
            containment: None,
            shingle: None,
            weighted: false,
            unit: Unit::Document,
            min_words: None,
            min_documents: None,
            keep: None,
            cluster: None,
            exact: false,
            sketch: None,
            recall: None,
            mode: Mode::Remove,
            pairs: false,
            memory: 2 << 30,
        }
    }
}

impl Settings {
    fn of_documents(&self) -> Result<dedup::Settings> {
        let standard = dedup::Settings::standard();
        let measure = match (self.containment, self.threshold) {
            (Some(share), _) => Measure::Containment(Threshold::new(share)?),
            (None, Some(share)) => Measure::Resemblance(Threshold::new(share)?),
            (None, None) => standard.measure,
        };
        let search = if self.exact {
            Search::Exact
        } else {
            let sketch = self.sketch.unwrap_or_else(Sketch::standard);
            Search::Sketches { sketch, recall: self.recall.unwrap_or(DEFAULT_RECALL) }
        };
        Ok(dedup::Settings {
            measure,
            search,
            words: self.shingle.unwrap_or(standard.words),
            is_weighted: self.weighted,
            linkage: self.cluster.unwrap_or(standard.linkage),
            keep: self.keep.clone().unwrap_or(standard.keep),
            mode: self.mode,
            has_pairs: self.pairs,
            is_strict: self.strict,
            memory: self.memory,
        })
    }

    fn of_passages(&self, unit: passages::Unit) -> passages::Settings {
        passages::Settings {
            unit,
            min_words: self.min_words.unwrap_or(MIN_WORDS),
            min_documents: self.min_documents.unwrap_or(MIN_DOCUMENTS),
            mode: self.mode,
            is_strict: self.strict,
            memory: self.memory,
        }
    }

    fn options(&self) -> Options {
        Options {
            text: self.text_field.clone(),
            id: self.id_field.clone(),
            extra: self.keep.iter().filter_map(Keep::field).map(str::to_owned).collect(),
            format: self.input_format,
            record_bytes: self.max_record_bytes,
            batch_bytes: dedup::batch_bytes(self.memory),
            page_bytes: dedup::page_bytes(self.memory),
        }
    }
}

/// Finds the duplicates of a corpus, and writes it to its place without them, or as the settings say.
///
/// # Errors
/// If settings contradict each other or a setting would change nothing; if the output is there already, an input
/// cannot be read, or the output not be written; or if the job is cancelled. The output is then not there, and what
/// was read of documents is kept beside its place, for the next run.
pub fn run(
    settings: &Settings,
    paths: &[PathBuf],
    places: &Places,
    progress: &dyn Progress,
) -> Result<Ended<Outcome>> {
    idle::refuse(settings)?;
    let options = settings.options();
    let unit = match settings.unit {
        Unit::Document => {
            let settings = settings.of_documents()?;
            return Ok(match dedup::run(paths, &options, &settings, places, progress)? {
                Ended::Now(outcome) => Ended::Now(Outcome::Documents(Box::new(outcome))),
                Ended::Before => Ended::Before,
            });
        }
        Unit::Paragraph => passages::Unit::Paragraph,
        Unit::Line => passages::Unit::Line,
    };
    let settings = settings.of_passages(unit);
    Ok(match passages::run(paths, &options, &settings, places, progress)? {
        Ended::Now(summary) => Ended::Now(Outcome::Passages(Box::new(summary))),
        Ended::Before => Ended::Before,
    })
}

/// The filter by which a job with these settings would find pairs; its curve says which.
///
/// # Errors
/// If settings contradict each other, or pairs are found without a filter.
pub fn filter(settings: &Settings) -> Result<Filter> {
    idle::refuse(settings)?;
    if settings.unit != Unit::Document {
        return Err(Error::setting(
            "repeated passages are found by their words, and not by a filter",
        ));
    }
    dedup::filter(&settings.of_documents()?)
}
