//! Fences: closing texts that the opener determines.
//!
//! A document may name any number of closing texts that do not occur in it, and each search for one runs to the
//! document's end. Each text is therefore searched for only once, and after a few failures the reader stops searching.

use memchr::memmem;

use super::delimited::mirror;
use crate::cursor::Cursor;
use crate::table::fences::Fence;

impl Cursor<'_> {
    /// Returns the closing text of a fence whose variable part begins at `from`, and where the body starts.
    pub(crate) fn fence(&self, fence: Fence, from: usize) -> Option<(Vec<u8>, usize)> {
        /// Rust allows 255 hashes; the bound keeps a document full of openers linear.
        const LONGEST: usize = 255;
        let rest = self.bytes.get(from..)?;
        let rest = &rest[..rest.len().min(LONGEST)];
        let run = |byte: u8| rest.iter().take_while(|b| **b == byte).count();
        match fence {
            Fence::Tagged => {
                let bracket = rest.iter().position(|b| b"([{ )\\\n\"".contains(b))?;
                let close = mirror(rest[bracket]).filter(|_| b"([{".contains(&rest[bracket]))?;
                let quote = &self.bytes[from - 1..from];
                Some(([&[close], &rest[..bracket], quote].concat(), from + bracket + 1))
            }
            Fence::Hashes => {
                let hashes = run(b'#') + 1;
                let close = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
                (rest.get(hashes - 1) == Some(&b'"')).then_some((close, from + hashes))
            }
            Fence::Brackets => {
                let equals = run(b'=');
                let close = [b"]".as_slice(), &rest[..equals], b"]"].concat();
                (rest.get(equals) == Some(&b'[')).then_some((close, from + equals + 1))
            }
            Fence::Quotes => {
                let quotes = run(b'"');
                Some((vec![b'"'; quotes + 3], from + quotes))
            }
        }
    }

    /// Returns the end of the first `close` at or after `from`. A missing text is searched for only once, and at most
    /// [`MOST_ABSENT`](Cursor::MOST_ABSENT) searches in a document may fail.
    pub(crate) fn find_once(&mut self, close: &[u8], from: usize) -> Option<usize> {
        if self.is_absent(close) {
            return None;
        }
        let found = memmem::find(self.bytes.get(from..)?, close);
        if found.is_none() {
            self.absent.push(close.to_vec());
        }
        found.map(|i| from + i + close.len())
    }

    /// Returns whether a search for this closing text is known to fail, or too many searches have failed.
    pub(crate) fn is_absent(&self, close: &[u8]) -> bool {
        self.absent.len() >= Self::MOST_ABSENT || self.absent.iter().any(|text| text == close)
    }
}
