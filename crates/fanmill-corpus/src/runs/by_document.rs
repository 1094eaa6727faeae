//! Items in the order of documents, taken document by document beside others.

use std::iter::Peekable;

use fanmill_text::Result;

/// Items that ascend by document.
#[derive(Debug)]
pub(super) struct ByDocument<T, I: Iterator<Item = Result<T>>> {
    items: Peekable<I>,
    document: fn(&T) -> u32,
}

impl<T, I: Iterator<Item = Result<T>>> ByDocument<T, I> {
    pub(super) fn new(items: I, document: fn(&T) -> u32) -> ByDocument<T, I> {
        ByDocument { items: items.peekable(), document }
    }

    /// Returns the document of the next item.
    ///
    /// # Errors
    /// If the disk fails.
    pub(super) fn next(&mut self) -> Result<Option<u32>> {
        match self.items.peek() {
            Some(Ok(item)) => Ok(Some((self.document)(item))),
            Some(Err(_)) => self.items.next().transpose().map(|_| None),
            None => Ok(None),
        }
    }

    /// Returns the next item of a document; `None` if there is no other.
    ///
    /// # Errors
    /// If the disk fails.
    pub(super) fn next_of(&mut self, document: u32) -> Result<Option<T>> {
        if self.next()? == Some(document) { self.items.next().transpose() } else { Ok(None) }
    }

    /// Appends the items of a document, and drops those of earlier ones.
    ///
    /// # Errors
    /// If the disk fails.
    pub(super) fn take(&mut self, document: u32, own: &mut Vec<T>) -> Result<()> {
        while self.next()?.is_some_and(|next| next <= document) {
            let item = self.items.next().transpose()?;
            own.extend(item.filter(|item| (self.document)(item) == document));
        }
        Ok(())
    }
}
