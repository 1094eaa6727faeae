//! Repeated runs by a suffix array: every window of words whose words occur earlier, and do not overlap it.
//!
//! Words are written with a blank behind each, and a line feed behind each text, so that suffixes with equal beginnings
//! of whole words are neighbours. Of neighbours with an equal window the first one in the corpus stays.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use fanmill_text::frontend::each_verbatim_word;
use fanmill_text::frontend::runs::WordKey;
use libsais::SuffixArrayConstruction;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::child::ResourceUsage;
use crate::stopwatch::{peak_memory, processor, reset_peak_memory};

/// The words of a corpus, numbered through.
#[derive(Default)]
struct Words {
    /// All words, with a blank behind each and a line feed behind each text.
    bytes: Vec<u8>,
    /// The place of each word in these bytes.
    starts: Vec<u32>,
    /// The place of each word in its own text.
    places: Vec<Range<u32>>,
    /// The words of each document.
    documents: Vec<Range<usize>>,
}

impl Words {
    /// Reads records of one JSON object a line.
    fn read(path: &Path) -> Result<Words> {
        let (key, mut words) = (WordKey::new(&[0; 32]), Words::default());
        for line in BufReader::new(File::open(path)?).lines() {
            let value: serde_json::Value = serde_json::from_str(&line?)?;
            let text = value["text"].as_str().context("a record without text")?;
            let first = words.starts.len();
            each_verbatim_word(text, &key, |_, at| {
                words.starts.push(words.bytes.len() as u32);
                words.bytes.extend_from_slice(text[at.clone()].as_bytes());
                words.bytes.push(b' ');
                words.places.push(at.start as u32..at.end as u32);
            });
            words.bytes.push(b'\n');
            words.documents.push(first..words.starts.len());
        }
        ensure!(i32::try_from(words.bytes.len()).is_ok(), "the corpus is above 2 GiB");
        Ok(words)
    }

    /// Returns for each word whether it is in a window of `n` words that goes.
    fn repeated(&self, n: usize) -> Result<Vec<bool>> {
        let failed = |error| anyhow!("no suffix array: {error:?}");
        let array = SuffixArrayConstruction::for_text(&self.bytes).in_owned_buffer32();
        let array = array.single_threaded().run().map_err(failed)?;
        let array = array.plcp_construction().single_threaded().run().map_err(failed)?;
        // The word that starts at each byte, and the length in bytes of the window that begins there.
        let mut word_at = vec![u32::MAX; self.bytes.len()];
        for (word, &start) in (0..).zip(&self.starts) {
            word_at[start as usize] = word;
        }
        let mut document_of = vec![0_u32; self.starts.len()];
        for (number, words) in (0..).zip(&self.documents) {
            document_of[words.clone()].fill(number);
        }
        let length = |word: usize| {
            let words = &self.documents[document_of[word] as usize];
            let end = word + n;
            (end <= words.end).then(|| self.end_of(end) - self.starts[word])
        };
        let mut goes = vec![false; self.starts.len()];
        let mut take = |group: &mut Vec<usize>| {
            let first = group.iter().copied().min().unwrap_or_default();
            for word in group.drain(..) {
                if document_of[word] != document_of[first] || first + n <= word {
                    goes[word..word + n].fill(true);
                }
            }
        };
        // Words with equal windows, the length of these, and what the next suffix has in common with the last one of them.
        let (mut group, mut group_length, mut common) = (Vec::new(), 0, u32::MAX);
        for at in array.suffix_array() {
            let at = at.cast_unsigned() as usize;
            common = common.min(array.plcp()[at].cast_unsigned());
            let word = word_at[at];
            if word == u32::MAX {
                continue;
            }
            if common < group_length {
                take(&mut group);
            }
            if let Some(length) = length(word as usize) {
                (group_length, common) = (length, u32::MAX);
                group.push(word as usize);
            }
        }
        take(&mut group);
        Ok(goes)
    }

    /// Returns the place behind the blank of the word before this one.
    fn end_of(&self, end: usize) -> u32 {
        let word = end - 1;
        let len = self.places[word].end - self.places[word].start;
        self.starts[word] + len + 1
    }
}

/// Compares what a run has cut with what a suffix array finds, and says what both cost.
pub(super) fn compare(input: &Path, output: &Path, n: usize, runs: ResourceUsage) -> Result<()> {
    let words = Words::read(input)?;
    reset_peak_memory();
    let before = processor();
    let repeated = words.repeated(n)?;
    let seconds = processor() - before;
    let peak = peak_memory().unwrap_or_default();
    println!(
        "a suffix array: {seconds:.2} s of processor time, {:.2} times as much as the run, {} MB at most",
        seconds / runs.seconds(),
        peak / 1_000_000
    );
    let cut = cut(&words, &output.join("runs.parquet"))?;
    let count = |of: &dyn Fn(bool, bool) -> bool| {
        repeated.iter().zip(&cut).filter(|(found, cut)| of(**found, **cut)).count()
    };
    println!(
        "{} words, in repeated windows by the suffix array {}, cut {}; not cut although found {}; cut where texts \
         were joined {}",
        cut.len(),
        count(&|found, _| found),
        count(&|_, cut| cut),
        count(&|found, cut| found && !cut),
        count(&|found, cut| !found && cut)
    );
    let left = Words::read(&output.join("corpus.jsonl"))?;
    let again = left.repeated(n)?.into_iter().filter(|goes| *goes).count();
    println!("words that the suffix array finds in the output: {again}");
    ensure!(count(&|found, cut| found && !cut) == 0 && again == 0, "something was missed");
    Ok(())
}

/// Prints the number of words of a corpus, and of those in repeated windows of `n` words.
pub(super) fn print_repeated(corpus: &Path, n: usize) -> Result<()> {
    let repeated = Words::read(corpus)?.repeated(n)?;
    let n_repeated = repeated.iter().filter(|goes| **goes).count();
    println!("{} words, {n_repeated} in repeated windows", repeated.len());
    Ok(())
}

/// Returns for each word whether it is cut, by the table of a run. Checks that each piece equals its source.
fn cut(words: &Words, table: &Path) -> Result<Vec<bool>> {
    let mut cut = vec![false; words.starts.len()];
    let inside = |document: u64, from: u64, to: u64| {
        let all = words.documents[document as usize - 1].clone();
        let places = &words.places[all.clone()];
        let start = places.partition_point(|place| u64::from(place.start) < from);
        let end = places.partition_point(|place| u64::from(place.start) < to);
        all.start + start..all.start + end
    };
    let bytes = |range: Range<usize>| {
        &words.bytes[words.starts[range.start] as usize..words.end_of(range.end) as usize]
    };
    for rows in ParquetRecordBatchReaderBuilder::try_new(File::open(table)?)?.build()? {
        let rows = rows?;
        let column = |name: &str| -> Result<Vec<u64>> {
            let column = rows.column_by_name(name).with_context(|| format!("no column {name}"))?;
            Ok(column.as_primitive::<UInt64Type>().values().to_vec())
        };
        let (records, begins, ends) = (column("record")?, column("begin")?, column("end")?);
        let sources = column("source_record")?;
        let (source_begins, source_ends) = (column("source_begin")?, column("source_end")?);
        for i in 0..records.len() {
            let own = inside(records[i], begins[i], ends[i]);
            let source = inside(sources[i], source_begins[i], source_ends[i]);
            ensure!(bytes(own.clone()) == bytes(source), "a piece differs from its source");
            cut[own].fill(true);
        }
    }
    Ok(cut)
}
