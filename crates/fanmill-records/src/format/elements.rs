//! Files of XML with many elements of one kind, each of which may be a record: dumps of MediaWiki, posts of Stack Exchange.
//!
//! Only the beginning and the end of each element are looked for, which such files never have inside of one. What is
//! between them, and elements that are no documents, stay as they are.
//!
//! Cost: O(n); an element is held whole, up to the limit of a record. A longer one passes as it is, and is not read.

use std::path::Path;
use std::sync::Arc;

use fanmill_text::{Error, Result};
use memchr::memmem;

use super::batch::{Content, Parser, Raw};
use super::blocks::Blocks;
use super::raw_out::{Files, RawOut};
use super::record_format::{Input, Sink, Source};
use super::{Options, OutputForm};
use crate::record::{RecordAction, Skipped};

/// Maximum length of what precedes the first element.
const LONGEST_HEAD: usize = 1 << 20;
/// Number of bytes of a file that are read at first.
const FIRST_BLOCK: usize = 1 << 14;
/// Reason for which the last element is bad.
const CUT_OFF: &str = "cut off: the file ends in it";

/// The reason why an element stays as it is.
pub(super) const UNCHANGEABLE: &str = "no text can be put back into a dump in XML";

/// The form of elements.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// The beginning of each.
    pub(super) begin: &'static [u8],
    /// The end of each, by which the end of one is found that is too long to be held.
    pub(super) close: &'static [u8],
    /// Returns the position behind the element that some bytes begin with.
    pub(super) end: fn(&[u8]) -> Option<usize>,
    /// Returns whether an element is a document.
    pub(super) is_document: fn(&[u8]) -> bool,
}

/// The elements of a file.
#[derive(Debug)]
pub(super) struct Elements {
    blocks: Blocks,
    form: Form,
    /// The beginning of the next batch.
    rest: Vec<u8>,
    /// Number of bytes before the first element, until these were given.
    head: usize,
    parser: Arc<dyn Parser>,
    batch_bytes: usize,
    record_bytes: usize,
    /// True within an element that is too long.
    is_passing: bool,
}

impl Elements {
    /// Reads up to the first element; `parser` makes a parser of what precedes it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn open(
        mut blocks: Blocks,
        form: Form,
        options: &Options,
        parser: impl FnOnce(&[u8]) -> Arc<dyn Parser>,
    ) -> Result<Elements> {
        let (mut rest, mut want) = (Vec::new(), FIRST_BLOCK);
        let head = loop {
            blocks.fill(&mut rest, want)?;
            match memmem::find(&rest, form.begin) {
                Some(n) => break n,
                None if blocks.ended || want >= LONGEST_HEAD => break rest.len().min(LONGEST_HEAD),
                None => want *= 2,
            }
        };
        let parser = parser(&rest[..head]);
        Ok(Elements {
            blocks,
            form,
            rest,
            head,
            parser,
            batch_bytes: options.batch_bytes.max(1),
            record_bytes: options.record_bytes,
            is_passing: false,
        })
    }

    /// Fills an empty stretch; returns false at the end of the file.
    pub(super) fn next(&mut self, raw: &mut Raw) -> Result<bool> {
        raw.parser = Some(Arc::clone(&self.parser));
        std::mem::swap(&mut raw.bytes, &mut self.rest);
        let mut want = self.batch_bytes.max(2 * self.form.begin.len());
        self.blocks.fill(&mut raw.bytes, want)?;
        let mut at = std::mem::take(&mut self.head);
        raw.header = at;
        while at < raw.bytes.len() {
            if self.is_passing {
                at = self.pass(raw, at);
                if self.is_passing {
                    break;
                }
            }
            let Some(n) = memmem::find(&raw.bytes[at..], self.form.begin) else {
                at = self.seam(raw, at, self.form.begin);
                break;
            };
            let start = at + n;
            if let Some(n) = (self.form.end)(&raw.bytes[start..]) {
                self.push(raw, start, start + n);
                at = start + n;
            } else if self.blocks.ended {
                raw.push(
                    start,
                    raw.bytes.len(),
                    raw.bytes.len(),
                    self.offset(raw, start),
                    Some(CUT_OFF.to_owned()),
                );
                at = raw.bytes.len();
            } else if raw.bytes.len() - start > self.record_bytes {
                raw.skipped.push(Skipped::too_long(self.offset(raw, start), self.record_bytes));
                self.is_passing = true;
                at = start + self.form.begin.len();
            } else if start > 0 {
                // What was found goes first, so that a batch does not grow.
                at = start;
                break;
            } else {
                at = start;
                want = 2 * want.max(raw.bytes.len());
                self.blocks.fill(&mut raw.bytes, want)?;
            }
        }
        self.rest.clear();
        self.rest.extend_from_slice(&raw.bytes[at..]);
        raw.bytes.truncate(at);
        Ok(!raw.bytes.is_empty() || !raw.items.is_empty())
    }

    /// Adds an element, if it is a document.
    fn push(&self, raw: &mut Raw, start: usize, end: usize) {
        if !(self.form.is_document)(&raw.bytes[start..end]) {
            return;
        }
        let offset = self.offset(raw, start);
        if end - start > self.record_bytes {
            raw.skipped.push(Skipped::too_long(offset, self.record_bytes));
        } else {
            // The rest of its line goes with it.
            let behind = &raw.bytes[end..];
            let n = match behind {
                [b'\r', b'\n', ..] => 2,
                [b'\n', ..] => 1,
                _ => 0,
            };
            raw.push(start, end, end + n, offset, None);
        }
    }

    /// Passes over the rest of an element that is too long.
    fn pass(&mut self, raw: &Raw, at: usize) -> usize {
        let close = self.form.close;
        match memmem::find(&raw.bytes[at..], close) {
            Some(n) => {
                self.is_passing = false;
                at + n + close.len()
            }
            None => self.seam(raw, at, close),
        }
    }

    /// Returns the end of what needs not be looked at again for a mark that was not found.
    fn seam(&self, raw: &Raw, at: usize, mark: &[u8]) -> usize {
        let n = raw.bytes.len();
        if self.blocks.ended { n } else { n.saturating_sub(mark.len() - 1).max(at) }
    }

    /// Returns the offset in the file of a byte of the stretch.
    fn offset(&self, raw: &Raw, at: usize) -> u64 {
        self.blocks.offset - (raw.bytes.len() - at) as u64
    }
}

impl Source for Elements {
    fn next(&mut self, content: &mut Content) -> Result<bool> {
        Elements::next(self, content.raw())
    }
}

/// Begins to write the elements that stay.
///
/// # Errors
/// If marks are asked for, or the file cannot be made.
pub(super) fn create<'a>(
    input: Input<'_>,
    (files, path): (&'a dyn Files, &Path),
    options: &Options,
    writes: OutputForm,
) -> Result<Box<dyn Sink + 'a>> {
    check_output(input, writes)?;
    let packing = (input.packing, options.packs());
    Ok(Box::new(RawOut::create(files, path, packing, writes)?))
}

/// Checks that no marks are asked for.
///
/// # Errors
/// If they are.
pub(super) fn check_output(input: Input<'_>, writes: OutputForm) -> Result<()> {
    if writes.has_marks() {
        return Err(Error::setting(format!(
            "the records of `{}` cannot be marked, as a dump in XML has no place for a mark; remove duplicates \
             from it, or ask for a report only",
            input.path.display()
        )));
    }
    Ok(())
}

/// Appends an element that stays.
///
/// # Errors
/// If it should get a mark or another text.
pub(super) fn edit(
    element: &[u8],
    action: &RecordAction<'_>,
    out: &mut Vec<u8>,
) -> std::result::Result<(), String> {
    match action {
        RecordAction::Remove => Ok(()),
        RecordAction::Keep => {
            out.extend_from_slice(element);
            Ok(())
        }
        _ => Err(UNCHANGEABLE.to_owned()),
    }
}
