//! The width of the screen that results and messages are written to, if they go to a screen.

use std::io::{self, IsTerminal};

use fanmill_report::fit::LineWidth;
use terminal_size::{Height, Width, terminal_size_of};

/// Minimum width: a narrower screen is treated as if it had this one.
const NARROWEST: usize = 40;

/// The width of a screen that does not report one, as in some containers and on serial lines.
const USUAL: usize = 80;

/// Returns the width available on standard output.
pub(crate) fn of_results() -> LineWidth {
    room(&crate::results::stdout())
}

/// Returns the width available on standard error.
pub(crate) fn of_words(out: &io::StderrLock<'_>) -> LineWidth {
    room(out)
}

#[cfg(unix)]
fn room(out: &(impl IsTerminal + std::os::fd::AsFd)) -> LineWidth {
    width(out.is_terminal(), terminal_size_of(out))
}

#[cfg(windows)]
fn room(out: &(impl IsTerminal + std::os::windows::io::AsHandle)) -> LineWidth {
    width(out.is_terminal(), terminal_size_of(out))
}

fn width(is_screen: bool, size: Option<(Width, Height)>) -> LineWidth {
    match size {
        None if is_screen => LineWidth::Columns(USUAL),
        None => LineWidth::Any,
        Some((Width(columns), _)) => LineWidth::Columns(usize::from(columns).max(NARROWEST)),
    }
}
