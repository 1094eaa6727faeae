//! Documents of indexes as a corpus: what `dedup` compares another corpus with.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use fanmill::document::Submission;
use fanmill::{Error, Result, Setting};
use fanmill_corpus::job::Places;
use fanmill_index::Index;
use fanmill_source::records::format::{Format, Options};
use serde_json::{Map, Value};
use tempfile::TempDir;

use crate::keyed::text_of;

/// Fields that are read where nobody says which ones.
const FIELDS: [&str; 2] = ["text", "id"];

/// Makes a folder for temporary files: where the user wants them, or beside the output.
///
/// # Errors
/// If it cannot be made.
pub(super) fn temporary(places: &Places) -> Result<TempDir> {
    let parent = places.output.as_deref().and_then(Path::parent);
    let beside = parent.filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
    let at = places.temp.as_deref().unwrap_or(beside);
    let made = tempfile::Builder::new().prefix(".fanmill-seen-").tempdir_in(at);
    made.map_err(|error| Error::io("make a temporary folder in", at, error))
}

/// Replaces indexes among the paths of a reference by files of their documents in `folder`, which are read by `options`.
///
/// # Errors
/// If an index is damaged or keeps no texts, the reference is to be read as another format than JSONL, or the disk
/// refuses.
pub(super) fn replace_indexes(
    paths: &mut [PathBuf],
    options: &Options,
    folder: &mut dyn FnMut() -> Result<PathBuf>,
) -> Result<()> {
    for (number, path) in (1..).zip(paths) {
        if !Index::is_at(path) {
            continue;
        }
        if let Some(format) = options.format.filter(|format| *format != Format::Jsonl) {
            return Err(Error::setting(format!(
                "`{}` is an index, which cannot be read as {format}; leave {} out",
                path.display(),
                Setting("against-input-format")
            )));
        }
        let index = Index::open(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Of two indexes of one name, each has a file of its own.
        let own = folder()?.join(number.to_string());
        std::fs::create_dir(&own).map_err(|error| Error::io("make", &own, error))?;
        let file = own.join(format!("{name}.jsonl"));
        let mut corpus = Corpus::create(&file, options)?;
        index.submissions().try_for_each(|document| corpus.push(&document?))?;
        corpus.finish()?;
        *path = file;
    }
    Ok(())
}

/// A file of documents, a JSON object on each line.
pub(super) struct Corpus<'a> {
    out: BufWriter<File>,
    path: &'a Path,
    fields: [String; 2],
}

impl<'a> Corpus<'a> {
    /// Begins a file; the fields are those that `options` look for.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn create(path: &'a Path, options: &Options) -> Result<Corpus<'a>> {
        let file = File::create(path).map_err(|error| Error::io("write", path, error))?;
        let [text, id] = FIELDS.map(str::to_owned);
        let fields = [options.text.clone().unwrap_or(text), options.id.clone().unwrap_or(id)];
        Ok(Corpus { out: BufWriter::new(file), path, fields })
    }

    /// Adds a document.
    ///
    /// # Errors
    /// If the disk refuses.
    pub(super) fn push(&mut self, document: &Submission) -> Result<()> {
        let [text, id] = &self.fields;
        let mut line = Map::new();
        line.insert(id.clone(), Value::from(document.name.clone()));
        line.insert(text.clone(), Value::from(text_of(document)));
        let failed = |error| Error::io("write", self.path, error);
        serde_json::to_writer(&mut self.out, &line).map_err(|error| failed(error.into()))?;
        self.out.write_all(b"\n").map_err(failed)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If the disk refuses.
    pub(super) fn finish(mut self) -> Result<()> {
        self.out.flush().map_err(|error| Error::io("write", self.path, error))
    }
}
