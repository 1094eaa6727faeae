//! `runs.parquet`: a row for each piece of text that goes, and where it occurs earlier.
//!
//! | column | is |
//! |---|---|
//! | `id`, `shard`, `record` | the document; records are counted from 1 |
//! | `begin`, `end` | the piece in bytes of the text, from the first byte of a word to behind the last of another |
//! | `words` | its number of words |
//! | `source_id`, `source_shard`, `source_record`, `source_begin`, `source_end` | the text that it equals, which occurs earlier |
//! | `words_left` | words that are left of the document |
//! | `is_removed` | true if the document goes, since too few are left |

use fanmill_text::Result;

use super::context::Run;
use super::items::{Piece, Row, SourceBytes};
use crate::job::Starts;
use crate::spill::column::Scratch;
use crate::spill::series::CHUNK;
use crate::spill::{Bits, Column, Series, Sorter};
use crate::table::{Columns, Table, flags, numbers, texts};

/// Name of the table's file.
pub(super) const NAME: &str = "runs.parquet";

/// Everything the table is made of; the same piece has the same number everywhere.
pub(super) struct Rows<'a> {
    pub(super) starts: Starts,
    /// The documents that have names, ranked.
    pub(super) members: Bits,
    pub(super) ids: Column<u8>,
    pub(super) pieces: &'a Series<Piece>,
    pub(super) bytes: Series<Row>,
    pub(super) sources: Sorter<SourceBytes>,
}

/// Writes the table.
pub(super) fn write(run: &Run<'_>, all: Rows<'_>) -> Result<()> {
    let Rows { starts, members, ids, pieces, bytes, sources } = all;
    let names = Names { run, starts, members, ids };
    let mut table = Table::create(run.staging.make_extra(NAME)?, names.columns(&[])?)?;
    let mut chunk = Vec::with_capacity(CHUNK);
    for ((piece, row), source) in pieces.iter().zip(bytes.iter()).zip(sources.sorted()?) {
        chunk.push((piece?, row?, source?));
        if chunk.len() == CHUNK {
            table.append(names.columns(&chunk)?)?;
            chunk.clear();
        }
    }
    table.append(names.columns(&chunk)?)?;
    table.finish()
}

/// Names and places of documents.
struct Names<'a> {
    run: &'a Run<'a>,
    starts: Starts,
    members: Bits,
    ids: Column<u8>,
}

impl Names<'_> {
    fn columns(&self, rows: &[(Piece, Row, SourceBytes)]) -> Result<Columns> {
        let mut columns = self.places("", rows.iter().map(|(piece, ..)| piece.document))?;
        let number = |of: fn(&(Piece, Row, SourceBytes)) -> u32| {
            numbers(rows.iter().map(|row| u64::from(of(row))))
        };
        columns.extend([
            ("begin".to_owned(), number(|(_, row, _)| row.begin)),
            ("end".to_owned(), number(|(_, row, _)| row.end)),
            ("words".to_owned(), number(|(piece, ..)| piece.end - piece.begin)),
        ]);
        columns.extend(self.places("source_", rows.iter().map(|(piece, ..)| piece.source))?);
        columns.extend([
            ("source_begin".to_owned(), number(|(.., source)| source.begin)),
            ("source_end".to_owned(), number(|(.., source)| source.end)),
            ("words_left".to_owned(), number(|(_, row, _)| row.words_left)),
            ("is_removed".to_owned(), flags(rows.iter().map(|(_, row, _)| row.is_removed != 0))),
        ]);
        Ok(columns)
    }

    /// Returns columns with the name, shard and record of documents.
    fn places(&self, prefix: &str, documents: impl Iterator<Item = u32>) -> Result<Columns> {
        let (mut ids, mut shards, mut records) = (Vec::new(), Vec::new(), Vec::new());
        let mut scratch = Scratch::default();
        for document in documents {
            let (shard, number) = self.starts.place(document);
            let (shard, record) = (self.run.corpus.shards[shard].name(), u64::from(number) + 1);
            let id = self.ids.get(self.members.rank(document), &mut scratch)?;
            ids.push(match id {
                [] => format!("{shard}:{record}"),
                id => String::from_utf8_lossy(id).into_owned(),
            });
            shards.push(shard);
            records.push(record);
        }
        Ok(vec![
            (format!("{prefix}id"), texts(ids)),
            (format!("{prefix}shard"), texts(shards)),
            (format!("{prefix}record"), numbers(records)),
        ])
    }
}
