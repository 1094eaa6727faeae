//! How wide the screen is that results or words go to, if it is one.

use std::io;

use fanmill_report::fit::Room;
use terminal_size::{Height, Width, terminal_size_of};

/// A narrower screen is written to as if it were so wide.
const NARROWEST: usize = 40;

/// What a screen has that does not tell its width.
const USUAL: usize = 80;

/// The room on standard output.
pub(crate) fn of_results() -> Room {
    room(terminal_size_of(crate::results::stdout()))
}

/// The room on standard error.
pub(crate) fn of_words(out: &io::StderrLock<'_>) -> Room {
    room(terminal_size_of(out))
}

fn room(size: Option<(Width, Height)>) -> Room {
    match size {
        None => Room::Any,
        Some((Width(0), _)) => Room::Columns(USUAL),
        Some((Width(columns), _)) => Room::Columns(usize::from(columns).max(NARROWEST)),
    }
}
