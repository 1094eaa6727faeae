//! Runs a job in its own folder and reads what it has written.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_select::concat::concat_batches;
use fanmill_corpus::dedup::{self, ByAddress, Keep, Outcome, Settings};
use fanmill_corpus::job::{Places, bookkeeping_of};
use fanmill_corpus::passages::{self, Unit};
use fanmill_records::format::Options;
use fanmill_text::Result;
use fanmill_text::progress::Silent;
use flate2::read::MultiGzDecoder;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::corpus::{Doc, Shards};
use crate::naive::Removed;

/// The least memory that a job takes.
pub(crate) const LITTLE: usize = dedup::LEAST_MEMORY;

/// Standard settings with little memory.
pub(crate) fn settings() -> Settings {
    Settings::standard().with(|s| {
        s.memory = LITTLE;
        // Random corpora may have more bad records than others, or no text.
        s.allowed_failures = 1.0;
    })
}

/// The settings with a rule that applies to some document: jobs refuse other rules.
pub(crate) fn followed(settings: Settings, records: &[Option<&Doc>]) -> Settings {
    let mut documents = records.iter().flatten();
    let can_follow = match &settings.keep {
        Keep::First | Keep::Longest => true,
        Keep::Source(_, sources) => {
            documents.any(|doc| doc.source.is_some_and(|own| sources.iter().any(|s| s == own)))
        }
        _ => documents.any(|doc| doc.score.is_some()),
    };
    if can_follow { settings } else { settings.with(|s| s.keep = Keep::First) }
}

/// Settings of passages that remove repeated lines of 5 words and more.
pub(crate) fn by_line() -> passages::Settings {
    passages::Settings::for_unit(Unit::Line).with(|s| {
        s.min_words = 5;
        s.memory = LITTLE;
        s.allowed_failures = 1.0;
    })
}

/// Options for a job with these settings that reads a few records at once.
pub(crate) fn options(keep: &Keep) -> Options {
    let extra = keep.field().map(str::to_owned).into_iter().collect();
    Options { extra, batch_bytes: 1 << 10, ..Options::standard() }
}

/// A place for the output.
pub(crate) fn to(output: &Path) -> Places {
    Places { output: Some(output.to_owned()), ..Places::default() }
}

/// Runs `dedup` without reporting progress.
pub(crate) fn dedup(paths: &[PathBuf], settings: &Settings, output: &Path) -> Result<Outcome> {
    let mut options = options(&settings.keep);
    options.extra.extend(settings.by_address.iter().flat_map(ByAddress::fields));
    let ended = dedup::run(paths, &options, settings, &to(output), &Silent)?;
    Ok(ended.now().expect("it had not been done"))
}

/// A table that a job has written.
pub(crate) struct Table(RecordBatch);

impl Table {
    pub(crate) fn read(path: &Path) -> Table {
        let file = File::open(path).expect("the table is there");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        let schema = reader.schema().clone();
        let rows = reader.build().expect("readable").map(|rows| rows.expect("readable"));
        Table(concat_batches(&schema, &rows.collect::<Vec<_>>()).expect("of one schema"))
    }

    fn column(&self, name: &str) -> &dyn Array {
        self.0.column_by_name(name).unwrap_or_else(|| panic!("no column {name}"))
    }

    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        let column = self.column(name).as_string::<i32>();
        column.iter().map(|text| text.expect("no nulls").to_owned()).collect()
    }

    pub(crate) fn numbers(&self, name: &str) -> Vec<u64> {
        self.column(name).as_primitive::<UInt64Type>().values().to_vec()
    }

    pub(crate) fn floats(&self, name: &str) -> Vec<f64> {
        self.column(name).as_primitive::<Float64Type>().values().to_vec()
    }

    pub(crate) fn optional_floats(&self, name: &str) -> Vec<Option<f64>> {
        self.column(name).as_primitive::<Float64Type>().iter().collect()
    }

    pub(crate) fn optional_flags(&self, name: &str) -> Vec<Option<bool>> {
        self.column(name).as_boolean().iter().collect()
    }

    pub(crate) fn flags(&self, name: &str) -> Vec<bool> {
        let column = self.column(name).as_boolean();
        column.iter().map(|flag| flag.expect("no nulls")).collect()
    }

    /// The numbers of documents among all records.
    pub(crate) fn documents(&self, shards: &Shards, prefix: &str) -> Vec<usize> {
        let names = self.texts(&format!("{prefix}shard"));
        let records = self.numbers(&format!("{prefix}record"));
        let places = names.iter().zip(records);
        places.map(|(name, record)| shards.start(name) + record as usize - 1).collect()
    }
}

/// `removed.parquet` of an output.
pub(crate) fn removed(shards: &Shards, output: &Path) -> Vec<Removed> {
    let table = Table::read(&beside(output).join("removed.parquet"));
    let (documents, kept) = (table.documents(shards, ""), table.documents(shards, "kept_"));
    let (resemblance, containment) = (table.floats("resemblance"), table.floats("containment"));
    let is_copy = table.flags("is_copy");
    (0..documents.len())
        .map(|i| Removed {
            document: documents[i],
            kept: kept[i],
            resemblance: resemblance[i],
            containment: containment[i],
            is_copy: is_copy[i],
        })
        .collect()
}

/// `pairs.parquet` of an output: both documents and their resemblance.
pub(crate) fn pairs(shards: &Shards, output: &Path) -> Vec<(usize, usize, f64)> {
    let table = Table::read(&beside(output).join("pairs.parquet"));
    let (a, b) = (table.documents(shards, ""), table.documents(shards, "other_"));
    let both = a.into_iter().zip(b).zip(table.floats("resemblance"));
    both.map(|((a, b), resemblance)| (a, b, resemblance)).collect()
}

/// The text of a file, unpacked.
pub(crate) fn text(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        MultiGzDecoder::new(&*bytes).read_to_string(&mut text).expect("packed text");
        return text;
    }
    String::from_utf8(bytes).expect("a text")
}

/// Both shards of an output.
pub(crate) fn written(output: &Path) -> [String; 2] {
    [text(&output.join("a.jsonl")), text(&output.join("b.jsonl.gz"))]
}

/// The folder of the tables of an output.
pub(crate) fn beside(output: &Path) -> PathBuf {
    bookkeeping_of(output).expect("a name")
}

/// All files of an output and of its tables with their bytes; `summary.json` without what differs between runs.
pub(crate) fn files(output: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let all = [output.to_owned(), beside(output), beside(output).join("failed")];
    let entries = all.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten());
    let paths = entries.map(|entry| entry.expect("an entry").path());
    for path in paths.filter(|path| path.is_file()) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut bytes = fs::read(&path).expect("a file");
        if name == "summary.json" {
            let mut summary: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
            summary["run"].take();
            bytes = summary.to_string().into_bytes();
        }
        files.push((name, bytes));
    }
    files.sort();
    files
}
