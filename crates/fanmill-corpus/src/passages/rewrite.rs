//! The second reading: writes the texts without their repeated passages.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::ops::Range;

use fanmill_text::Result;

use super::Run;
use super::find::{FoundPassages, Place, Repeats};
use super::split::without;
use super::summary::{Removed, Repeated};
use crate::dedup::Mode;
use crate::job::{Starts, changed};
use crate::spill::series::CHUNK;
use crate::spill::sorter::Sorted;
use crate::table::{self, Table, numbers, texts};
use fanmill_records::RecordAction;
use fanmill_records::format::{Batch, Columns, OutputForm, Shard};

/// Bytes of passages at which rows are written to the table.
const ROW_BYTES: usize = 1 << 20;
/// Maximum number of characters of a passage that are shown.
const SHOWN_CHARS: usize = 200;

/// The passages to remove, and counts of those removed so far.
struct Rewriting<'a> {
    run: &'a Run<'a>,
    starts: Starts,
    found: &'a FoundPassages,
    /// Places of passages, in the order of the corpus.
    upcoming: Peekable<Sorted<Place>>,
    /// The documents in which the most frequent passages come first, and their places there.
    wanted: BTreeMap<u32, Vec<(u32, usize)>>,
    removed: Removed,
    shown: Vec<Repeated>,
    table: Option<Table>,
    rows: Vec<RemovedRow>,
    /// Bytes of the rows' texts.
    row_bytes: usize,
}

/// A row of the table.
struct RemovedRow {
    document: u32,
    id: String,
    text: String,
    kept: u32,
}

/// Writes the corpus without its repeated passages, and the table of the removed ones.
pub(super) fn write(
    run: &Run<'_>,
    found: &FoundPassages,
    repeats: Repeats,
) -> Result<(Removed, Vec<Repeated>)> {
    // The texts of the most frequent passages are picked up when their first documents are read.
    let mut wanted: BTreeMap<u32, Vec<(u32, usize)>> = BTreeMap::new();
    for (i, &(_, (document, place))) in repeats.most.iter().enumerate() {
        wanted.entry(document).or_default().push((place, i));
    }
    let shown =
        repeats.most.iter().map(|&(n, _)| Repeated { documents: n.into(), text: String::new() });
    let mut rewriting = Rewriting {
        run,
        starts: found.account.records.starts()?,
        found,
        upcoming: repeats.places.sorted()?.peekable(),
        wanted,
        removed: Removed { different: repeats.n_repeated, ..Removed::default() },
        shown: shown.collect(),
        table: None,
        rows: Vec::new(),
        row_bytes: 0,
    };
    if run.staging.has_output() {
        let file = run.staging.make_extra("removed.parquet")?;
        rewriting.table = Some(Table::create(file, rewriting.columns(&[]))?);
    }
    for (index, shard) in run.corpus.shards.iter().enumerate() {
        rewriting.write_shard(index, shard)?;
    }
    rewriting.flush()?;
    if let Some(table) = rewriting.table {
        table.finish()?;
    }
    Ok((rewriting.removed, rewriting.shown))
}

impl Rewriting<'_> {
    fn write_shard(&mut self, index: usize, shard: &Shard) -> Result<()> {
        let (run, starts) = (self.run, self.starts.clone());
        if run.settings.mode != Mode::Remove {
            let make = |first: u32, batch: &Batch| self.actions(shard, batch, first).map(drop);
            let (columns, take) = (Columns::Needed, |_: u32, _: &Batch, ()| Ok(()));
            return run.corpus.walk_again(&starts, index, columns, &run.steps, make, take);
        }
        let mut writer = shard.writer(&run.staging, run.corpus.options, OutputForm::Records)?;
        let make = |first: u32, batch: &Batch| {
            let mut actions = self.actions(shard, batch, first)?;
            self.found.account.bad.leave_out(shard, first, &mut actions);
            Ok(actions)
        };
        let write =
            |_: u32, batch: &Batch, actions: Vec<RecordAction<'_>>| writer.write(batch, &actions);
        run.corpus.walk_again(&starts, index, Columns::All, &run.steps, make, write)?;
        writer.finish()?;
        run.staging.finish_shards(index + 1)
    }

    /// Returns the actions for the records of a batch, which begins with the document `first`.
    fn actions(
        &mut self,
        shard: &Shard,
        batch: &Batch,
        first: u32,
    ) -> Result<Vec<RecordAction<'static>>> {
        let mut actions = vec![RecordAction::Keep; batch.len()];
        for (i, document) in (first..).take(batch.len()).enumerate() {
            let places = self.places(document)?;
            let wanted = self.wanted.remove(&document);
            if places.is_empty() && wanted.is_none() {
                continue;
            }
            // The document was readable and had the passage there, so anything else means that the shard has changed.
            let record = batch.record(i).map_err(|_| changed(shard))?;
            let parts = self.run.settings.unit.split(&record.text);
            let known = places.iter().map(|place| place.0);
            let known = known.chain(wanted.iter().flatten().map(|wanted| wanted.0));
            if known.max().is_some_and(|last| last as usize >= parts.len()) {
                return Err(changed(shard));
            }
            let is_same = |&(place, _, witness): &(u32, u32, u64)| {
                self.found.is_same(&record.text[parts[place as usize].clone()], witness)
            };
            if !places.iter().all(is_same) {
                return Err(changed(shard));
            }
            for (place, shown) in wanted.into_iter().flatten() {
                let text = &record.text[parts[place as usize].clone()];
                self.shown[shown].text = text.chars().take(SHOWN_CHARS).collect();
            }
            // The first document that has a passage keeps it.
            let going = places.into_iter().filter(|&(_, kept, _)| kept != document);
            let going: Vec<(u32, u32)> = going.map(|(place, kept, _)| (place, kept)).collect();
            if !going.is_empty() {
                let id = record.name().unwrap_or_default();
                actions[i] = self.remove(document, id, &record.text, &parts, &going)?;
            }
        }
        Ok(actions)
    }

    /// Returns the places in a document whose passages are removed, or kept for other documents. Each comes with the
    /// document that keeps the passage, and with the part of its hash that shows that it is still the same.
    fn places(&mut self, document: u32) -> Result<Vec<(u32, u32, u64)>> {
        let mut places = Vec::new();
        let is_here = |next: &Result<Place>| next.as_ref().map_or(true, |p| p.0 == document);
        while let Some(next) = self.upcoming.next_if(is_here) {
            places.push(next?.1);
        }
        Ok(places)
    }

    fn remove(
        &mut self,
        document: u32,
        id: &str,
        text: &str,
        parts: &[Range<usize>],
        places: &[(u32, u32)],
    ) -> Result<RecordAction<'static>> {
        let gone: Vec<Range<usize>> =
            places.iter().map(|&(place, _)| parts[place as usize].clone()).collect();
        self.removed.passages += gone.len() as u64;
        self.removed.documents += 1;
        self.removed.bytes += gone.iter().map(|part| part.len() as u64).sum::<u64>();
        if self.table.is_some() {
            let rows = gone.iter().zip(places).map(|(part, &(_, kept))| RemovedRow {
                document,
                id: id.to_owned(),
                text: text[part.clone()].to_owned(),
                kept,
            });
            self.rows.extend(rows);
            self.row_bytes += gone.iter().map(Range::len).sum::<usize>();
            if self.rows.len() >= CHUNK || self.row_bytes >= ROW_BYTES {
                self.flush()?;
            }
        }
        // A document is removed if nothing of it is left.
        let left = without(text, &gone);
        self.removed.emptied += u64::from(left.is_none());
        Ok(left.map_or(RecordAction::Remove, |left| RecordAction::Text(Cow::Owned(left))))
    }

    fn flush(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        self.row_bytes = 0;
        let columns = self.columns(&rows);
        self.table.as_mut().map_or(Ok(()), |table| table.append(columns))
    }

    fn columns(&self, rows: &[RemovedRow]) -> table::Columns {
        let place = |document: u32| {
            let (shard, number) = self.starts.place(document);
            (self.run.corpus.shards[shard].name(), u64::from(number) + 1)
        };
        let id = |row: &RemovedRow| match row.id.as_str() {
            "" => format!("{}:{}", place(row.document).0, place(row.document).1),
            id => id.to_owned(),
        };
        vec![
            ("id".to_owned(), texts(rows.iter().map(id))),
            ("shard".to_owned(), texts(rows.iter().map(|row| place(row.document).0))),
            ("record".to_owned(), numbers(rows.iter().map(|row| place(row.document).1))),
            ("text".to_owned(), texts(rows.iter().map(|row| &row.text))),
            ("kept_shard".to_owned(), texts(rows.iter().map(|row| place(row.kept).0))),
            ("kept_record".to_owned(), numbers(rows.iter().map(|row| place(row.kept).1))),
        ]
    }
}
