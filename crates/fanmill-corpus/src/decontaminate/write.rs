//! The second reading: removes or marks records with a shared run that counts, and writes the tables of the reasons.
//!
//! `removed.parquet` has a row for each run, in the order of the corpus:
//!
//! | column | is |
//! |---|---|
//! | `id`, `shard`, `record` | the record of the corpus; records are counted from 1 |
//! | `item_id`, `item_shard`, `item_record` | the item of the test sets |
//! | `words` | the length of the run |
//! | `begin`, `end` | its place in the record's text, in bytes |
//! | `item_begin`, `item_end` | its place in the item's text, in bytes |
//! | `text` | its beginning, as it is in the record |
//!
//! `items.parquet` has a row for each item with words:
//!
//! | column | is |
//! |---|---|
//! | `id`, `shard`, `record` | the item |
//! | `words` | its length |
//! | `documents` | number of records that share a run with it that counts |
//! | `longest` | the longest of these runs, in words; 0 if there is none |
//! | `common_runs` | number of its windows that do not count because too many records have them |
//! | `is_too_short` | true if it counts only where it is a whole line of a record, or all of it |

use std::ops::Range;

use fanmill_text::Result;

use super::Run;
use super::hits::{ContaminationCheck, Hit, Row};
use super::shared::{Shared, is_too_short};
use crate::dedup::Mode;
use crate::job::{Account, Starts};
use crate::spill::series::CHUNK;
use crate::table::{self, Table, flags, numbers, texts};
use fanmill_records::RecordAction;
use fanmill_records::format::{Batch, Columns, OutputForm, Shard};

/// Bytes of texts at which rows are written to the table.
const ROW_BYTES: usize = 1 << 20;

/// Returns the form in which the corpus is written; `None` if it is not.
pub(super) fn form(mode: Mode) -> Option<OutputForm> {
    match mode {
        Mode::Mark => Some(OutputForm::Marks),
        Mode::Remove => Some(OutputForm::Records),
        Mode::Report => None,
    }
}

/// Writes the corpus and the tables.
pub(super) fn write(
    run: &Run<'_>,
    account: &Account,
    look: ContaminationCheck<'_>,
) -> Result<Shared> {
    let (starts, shared) = (account.records.starts()?, Shared::new(look));
    let mut writing =
        Writing { run, look, account, starts, shared, table: None, rows: Vec::new(), row_bytes: 0 };
    if run.staging.has_output() {
        let file = run.staging.make_extra("removed.parquet")?;
        writing.table = Some(Table::create(file, writing.columns(&[]))?);
    }
    for (index, shard) in run.corpus.shards.iter().enumerate().skip(run.corpus.n_references) {
        writing.write_shard(index, shard)?;
    }
    writing.flush()?;
    if let Some(table) = writing.table.take() {
        table.finish()?;
        writing.write_items()?;
    }
    Ok(writing.shared)
}

struct Writing<'a> {
    run: &'a Run<'a>,
    look: ContaminationCheck<'a>,
    account: &'a Account,
    starts: Starts,
    shared: Shared,
    table: Option<Table>,
    /// Rows, each with the record's number and name.
    rows: Vec<(u32, String, Row)>,
    /// Bytes of the rows' texts.
    row_bytes: usize,
}

impl Writing<'_> {
    fn write_shard(&mut self, index: usize, shard: &Shard) -> Result<()> {
        let (run, look, starts) = (self.run, self.look, self.starts.clone());
        let mode = run.settings.mode;
        let hits = |first: u32, batch: &Batch| look.hits(shard, batch, first);
        // A report does not write shards, but it still counts and lists the shared runs.
        if mode == Mode::Report {
            let (columns, take) = (Columns::Needed, |_: u32, _: &Batch, hits| self.note(hits));
            return run.corpus.walk_again(&starts, index, columns, &run.steps, hits, take);
        }
        let other = match mode {
            Mode::Mark => RecordAction::Mark(None),
            Mode::Remove | Mode::Report => RecordAction::Keep,
        };
        let writes = form(mode).unwrap_or(OutputForm::Records);
        let mut writer = shard.writer(&run.staging, run.corpus.options, writes)?;
        let write = |first: u32, batch: &Batch, hits: Vec<Hit>| {
            let mut actions = vec![other.clone(); batch.len()];
            for hit in &hits {
                actions[(hit.document - first) as usize] = match mode {
                    Mode::Mark => RecordAction::Mark(Some(look.mark(hit.mark))),
                    Mode::Remove | Mode::Report => RecordAction::Remove,
                };
            }
            self.account.bad.leave_out(shard, first, &mut actions);
            writer.write(batch, &actions)?;
            drop(actions);
            self.note(hits)
        };
        run.corpus.walk_again(&starts, index, Columns::All, &run.steps, hits, write)?;
        writer.finish()?;
        run.staging.finish_shards(index + 1 - run.corpus.n_references)
    }

    /// Counts the shared runs, and adds them to the table.
    fn note(&mut self, hits: Vec<Hit>) -> Result<()> {
        for hit in hits {
            self.shared.note(&hit);
            for row in hit.runs {
                if self.table.is_some() {
                    self.row_bytes += row.text.len() + hit.id.len();
                    self.rows.push((hit.document, hit.id.clone(), row));
                    if self.rows.len() >= CHUNK || self.row_bytes >= ROW_BYTES {
                        self.flush()?;
                    }
                }
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        self.row_bytes = 0;
        let columns = self.columns(&rows);
        self.table.as_mut().map_or(Ok(()), |table| table.append(columns))
    }

    fn columns(&self, rows: &[(u32, String, Row)]) -> table::Columns {
        let place = |document: u32| {
            let (shard, number) = self.starts.place(document);
            (self.run.corpus.shards[shard].name(), u64::from(number) + 1)
        };
        // A record without a name is called by its shard and number.
        let id = |(document, id, _): &(u32, String, Row)| match id.as_str() {
            "" => format!("{}:{}", place(*document).0, place(*document).1),
            id => id.to_owned(),
        };
        let item = |row: &(u32, String, Row)| row.2.run.item as usize;
        let bytes = |of: fn(&Row) -> usize| numbers(rows.iter().map(move |row| of(&row.2) as u64));
        vec![
            ("id".to_owned(), texts(rows.iter().map(id))),
            ("shard".to_owned(), texts(rows.iter().map(|row| place(row.0).0))),
            ("record".to_owned(), numbers(rows.iter().map(|row| place(row.0).1))),
            ("item_id".to_owned(), texts(rows.iter().map(|row| self.look.items.name(item(row))))),
            (
                "item_shard".to_owned(),
                texts(rows.iter().map(|row| self.look.items.place(item(row)).0)),
            ),
            (
                "item_record".to_owned(),
                numbers(rows.iter().map(|row| self.look.items.place(item(row)).1)),
            ),
            ("words".to_owned(), numbers(rows.iter().map(|row| row.2.run.n_words.into()))),
            ("begin".to_owned(), bytes(|row| row.place.start)),
            ("end".to_owned(), bytes(|row| row.place.end)),
            ("item_begin".to_owned(), bytes(|row| row.item_place.start)),
            ("item_end".to_owned(), bytes(|row| row.item_place.end)),
            ("text".to_owned(), texts(rows.iter().map(|row| &row.2.text))),
        ]
    }

    /// Writes the table of items.
    fn write_items(&self) -> Result<()> {
        let columns = |of: Range<usize>| -> table::Columns {
            let (items, shared) = (self.look.items, &self.shared.of_items);
            let min_words = self.run.settings.min_words;
            vec![
                ("id".to_owned(), texts(of.clone().map(|item| items.name(item)))),
                ("shard".to_owned(), texts(of.clone().map(|item| items.place(item).0))),
                ("record".to_owned(), numbers(of.clone().map(|item| items.place(item).1))),
                (
                    "words".to_owned(),
                    numbers(of.clone().map(|item| items.range(item).len() as u64)),
                ),
                (
                    "documents".to_owned(),
                    numbers(of.clone().map(|item| shared[item].n_documents.into())),
                ),
                ("longest".to_owned(), numbers(of.clone().map(|item| shared[item].longest.into()))),
                (
                    "common_runs".to_owned(),
                    numbers(of.clone().map(|item| shared[item].n_common.into())),
                ),
                (
                    "is_too_short".to_owned(),
                    flags(of.map(|item| is_too_short(items, item, min_words))),
                ),
            ]
        };
        let mut table =
            Table::create(self.run.staging.make_extra("items.parquet")?, columns(0..0))?;
        for start in (0..self.look.items.len()).step_by(CHUNK) {
            table.append(columns(start..self.look.items.len().min(start + CHUNK)))?;
        }
        table.finish()
    }
}
