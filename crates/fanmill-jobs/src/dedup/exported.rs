//! Documents of indexes, exported as a corpus that `dedup` compares another corpus with.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use fanmill_corpus::job::Places;
use fanmill_disk::replace::{DiskFile, Workplace, folder_of};
use fanmill_index::Index;
use fanmill_records::format::{Format, Options};
use fanmill_text::document::Submission;
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};
use serde_json::{Map, Value};

use super::Inputs;
use crate::keyed::text_of;

/// Fields that are read if none are named.
const FIELDS: [&str; 2] = ["text", "id"];

/// Makes a folder for temporary files: where the user wants them, or beside the output.
///
/// # Errors
/// If it cannot be made.
pub(super) fn temporary(places: &Places) -> Result<Workplace> {
    let beside_output = places.output.as_deref().map(folder_of);
    Workplace::temporary(&places.disk, places.temp.as_deref().or(beside_output))
}

/// Returns whether a corpus is compared with an index.
pub(super) fn has_indexes(inputs: &Inputs) -> bool {
    inputs.against.iter().chain(&inputs.decontaminate).any(|path| Index::is_at(path))
}

/// Replaces indexes among the references by files of their documents in `workplace`. References are read with
/// `options`.
///
/// # Errors
/// If an index is damaged or keeps no texts, references are to be read in another format than JSONL, or writing fails.
pub(super) fn replace_indexes(
    inputs: &mut Inputs,
    options: &Options,
    workplace: &mut Workplace,
) -> Result<()> {
    let paths = inputs.against.iter_mut().chain(&mut inputs.decontaminate);
    for (number, path) in (1..).zip(paths.filter(|path| Index::is_at(path))) {
        if let Some(format) = options.format.filter(|format| *format != Format::JSONL) {
            return Err(Error::setting(message![
                ("`{}` is an index, which cannot be read as {format}; leave ", path.display()),
                Setting("against-input-format"),
                " out"
            ]));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Each has a folder of its own, as two indexes may have the same name.
        let name = Path::new(&number.to_string()).join(format!("{name}.jsonl"));
        let mut corpus = Corpus::create(workplace, &name, options)?;
        Index::open(path)?.submissions().try_for_each(|document| corpus.push(&document?))?;
        *path = corpus.finish()?;
    }
    Ok(())
}

/// A file of documents, with a JSON object on each line.
pub(super) struct Corpus {
    out: BufWriter<DiskFile>,
    path: PathBuf,
    fields: [String; 2],
}

impl Corpus {
    /// Begins a file in a workplace, with the fields that `options` name.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn create(
        workplace: &mut Workplace,
        name: &Path,
        options: &Options,
    ) -> Result<Corpus> {
        let out = BufWriter::new(workplace.make_file(name)?);
        let [text, id] = FIELDS.map(str::to_owned);
        let fields = [options.text.clone().unwrap_or(text), options.id.clone().unwrap_or(id)];
        Ok(Corpus { out, path: workplace.path().join(name), fields })
    }

    /// Adds a document.
    ///
    /// # Errors
    /// If writing fails.
    pub(super) fn push(&mut self, document: &Submission) -> Result<()> {
        let [text, id] = &self.fields;
        let mut line = Map::new();
        line.insert(id.clone(), Value::from(document.name.clone()));
        line.insert(text.clone(), Value::from(text_of(document)));
        let failed = |error| Error::io("write", &self.path, error);
        serde_json::to_writer(&mut self.out, &line).map_err(|error| failed(error.into()))?;
        self.out.write_all(b"\n").map_err(failed)
    }

    /// Completes the file, and returns its path.
    ///
    /// # Errors
    /// If writing fails.
    pub(super) fn finish(mut self) -> Result<PathBuf> {
        self.out.flush().map_err(|error| Error::io("write", &self.path, error))?;
        Ok(self.path)
    }
}
