//! Memory that a lexer uses again for each document: what its readers know of short spellings, and room for tokens.

use std::sync::{Mutex, PoisonError};

use crate::seen::Seen;
use crate::usual::Batch;

/// The memory of one reader.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) seen: Seen,
    pub(crate) batch: Batch,
    pub(crate) scratch: Vec<u8>,
}

/// The memory of all readers that a lexer has had at the same time. What they know changes nothing but how fast they are.
#[allow(clippy::vec_box, reason = "rooms are large, and move in and out")]
#[derive(Debug, Default)]
pub(crate) struct Rooms(Mutex<Vec<Box<Room>>>);

/// Most bytes of `scratch` that are kept.
const KEPT: usize = 1 << 16;

impl Rooms {
    /// Does something in a room that nobody else is in.
    pub(crate) fn within<R>(&self, read: impl FnOnce(&mut Room) -> R) -> R {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut room = free.unwrap_or_else(|| {
            Box::new(Room { seen: Seen::new(), batch: Batch::new(), scratch: Vec::new() })
        });
        let result = read(&mut room);
        room.scratch.clear();
        room.scratch.shrink_to(KEPT);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(room);
        result
    }
}
