//! Memory that a lexer reuses for each document: the short spellings its readers know, and scratch space for tokens.

use std::sync::{Mutex, PoisonError};

use fanmill_text::span::Span;
use fanmill_text::token::Symbol;

use crate::seen::SpellingCache;

/// Number of tokens in a batch.
pub(crate) const BATCH: usize = 128;

/// Tokens that have been read but not handed over yet.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) symbols: [Symbol; BATCH],
    pub(crate) names: [Symbol; BATCH],
    pub(crate) spans: [Span; BATCH],
}

impl Batch {
    pub(crate) fn new() -> Batch {
        let nothing = [Symbol::BREAK; BATCH];
        Batch { symbols: nothing, names: nothing, spans: [Span::new(0, 0); BATCH] }
    }
}

/// The memory of one reader.
#[derive(Debug)]
pub(crate) struct ReaderMemory {
    pub(crate) seen: SpellingCache,
    pub(crate) batch: Batch,
    pub(crate) scratch: Vec<u8>,
}

/// The memory of all readers that used a lexer at the same time. The known spellings affect only the readers' speed.
#[allow(clippy::vec_box, reason = "they are large, and move in and out")]
#[derive(Debug, Default)]
pub(crate) struct MemoryPool(Mutex<Vec<Box<ReaderMemory>>>);

/// Maximum capacity of `scratch` that is kept, in bytes.
const KEPT: usize = 1 << 16;

impl MemoryPool {
    /// Calls `read` with memory that no other reader uses.
    pub(crate) fn within<R>(&self, read: impl FnOnce(&mut ReaderMemory) -> R) -> R {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut memory = free.unwrap_or_else(|| {
            Box::new(ReaderMemory {
                seen: SpellingCache::new(),
                batch: Batch::new(),
                scratch: Vec::new(),
            })
        });
        let result = read(&mut memory);
        memory.scratch.clear();
        memory.scratch.shrink_to(KEPT);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
        result
    }
}
