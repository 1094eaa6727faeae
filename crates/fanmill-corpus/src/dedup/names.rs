//! Names of documents in clusters, fetched from the log once these documents are known.

use fanmill_text::Result;

use super::context::Run;
use super::log::{Entry, Log};
use crate::job::Starts;
use crate::spill::column::Scratch;
use crate::spill::{Bits, Column};

/// The names of some documents.
#[derive(Debug)]
pub(super) struct Names {
    members: Bits,
    column: Column<u8>,
}

impl Names {
    /// Fetches the names of `members`. A document without a name is called by its shard and number.
    pub(super) fn read(run: &Run<'_>, log: &Log, starts: &Starts, members: Bits) -> Result<Names> {
        let mut column = Column::new(run.staging.spill(), run.settings.memory / 4);
        let (mut frames, mut document) = (log.frames()?, 0);
        while let Some(frame) = frames.next()? {
            for entry in frame.records() {
                if members.contains(document) {
                    match entry {
                        Entry::Document { id: "", .. }
                        | Entry::Bad { .. }
                        | Entry::Skipped { .. } => {
                            let (shard, number) = starts.place(document);
                            let name = run.corpus.shards[shard].name();
                            column.push(format!("{name}:{}", number + 1).as_bytes())?
                        }
                        Entry::Document { id, .. } => column.push(id.as_bytes())?,
                    };
                }
                document += 1;
            }
        }
        Ok(Names { members: members.ranked(), column })
    }

    /// Returns the name of a member.
    pub(super) fn get(&self, document: u32) -> Result<String> {
        let mut scratch = Scratch::default();
        let bytes = self.column.get(self.members.rank(document), &mut scratch)?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }
}
