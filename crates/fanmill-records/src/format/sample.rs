//! Samples: the format and field of shards, and the beginnings of their first texts, for a look before a long run.

use fanmill_text::Result;
use serde::Serialize;

use super::batch::Batch;
use super::shard::Shard;
use super::{Columns, Options, TEXT_FIELDS};

/// Number of texts of a sample.
const TEXTS: usize = 3;
/// Number of words shown of a text, and the most characters of them.
const WORDS: usize = 12;
const CHARACTERS: usize = 100;

/// The format and field of a shard, and its first texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// The name of the shard.
    pub shard: String,
    /// The format of its files.
    pub format: String,
    /// The field of its texts; `None` where the text is not a field, or none could be read.
    pub text_field: Option<String>,
    /// The first words of its first texts.
    pub texts: Vec<String>,
}

impl Sample {
    /// Takes a sample of a shard.
    ///
    /// # Errors
    /// If it cannot be read, or lacks what `options` ask for.
    pub fn read(shard: &Shard, options: &Options) -> Result<Sample> {
        let texts = first_texts(shard, options, TEXTS)?;
        let text_field = match (&options.text, shard.format().has_text_field()) {
            (_, false) => None,
            (Some(given), true) => Some(given.clone()),
            (None, true) if texts.is_empty() => None,
            (None, true) => TEXT_FIELDS
                .into_iter()
                .find(|name| has_field(shard, options, name))
                .map(str::to_owned),
        };
        let (shard, format) = (shard.name().to_owned(), shard.format().to_string());
        let texts = texts.iter().map(|text| begin(text)).collect();
        Ok(Sample { shard, format, text_field, texts })
    }
}

/// Returns whether the first record of a shard has a field of this name for its text.
fn has_field(shard: &Shard, options: &Options, name: &str) -> bool {
    let options = Options { text: Some(name.to_owned()), ..options.clone() };
    first_texts(shard, &options, 1).is_ok_and(|texts| !texts.is_empty())
}

/// Returns the texts of the first records that can be read, among the first few.
fn first_texts(shard: &Shard, options: &Options, n: usize) -> Result<Vec<String>> {
    let options = Options { limit: Some(n as u64), ..options.clone() };
    let mut reader = shard.reader(&options, Columns::Needed)?;
    let (mut batch, mut texts) = (Batch::new(), Vec::new());
    while reader.next(&mut batch)? {
        let records = (0..batch.len()).filter_map(|i| batch.record(i).ok());
        texts.extend(records.map(|record| record.text.into_owned()));
    }
    Ok(texts)
}

/// Returns the first words of a text.
fn begin(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(WORDS).collect();
    words.join(" ").chars().take(CHARACTERS).collect()
}
