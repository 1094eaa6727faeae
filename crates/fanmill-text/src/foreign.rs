//! Calls into readers that others wrote and that may panic on damaged files.
//!
//! A build that aborts on a panic, as the one for browsers does, ends here all the same.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Number of calls that this thread is in.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Runs a reader of foreign bytes; returns `None` if it panics. The panic's text, which speaks of the reader's own
/// source and not of the file, is not shown.
///
/// Everything that the reader changes must stay usable after a panic. A reader that only returns something changes nothing.
pub fn caught<T>(read: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let shown = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if DEPTH.get() == 0 {
                shown(panic);
            }
        }));
    });
    DEPTH.set(DEPTH.get() + 1);
    let done = panic::catch_unwind(AssertUnwindSafe(read));
    DEPTH.set(DEPTH.get() - 1);
    done.ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn only_panics_of_readers_are_silent() {
        let n_shown = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&n_shown);
        panic::set_hook(Box::new(move |_| {
            count.fetch_add(1, Ordering::Relaxed);
        }));
        assert_eq!(caught(|| 3), Some(3));
        assert_eq!(caught(|| caught(|| panic!("inside")).is_none()), Some(true));
        assert!(caught(|| panic!("by a reader")).is_none());
        assert_eq!(n_shown.load(Ordering::Relaxed), 0);
        assert!(panic::catch_unwind(|| panic!("by ourselves")).is_err());
        assert_eq!(n_shown.load(Ordering::Relaxed), 1);
    }
}
