//! What an interruption ends: work stops where it is, temporary files go, and it is said what stays.
//!
//! A thread of its own waits for the signals, so that nothing is done inside of a handler. The statuses are
//! those that a shell gives a program that a signal has ended.

/// Waits for Ctrl-C and for requests to end, from now on.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    // Without it, a signal ends the program as it would any other.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end(128 + signal);
        }
    });
}

#[cfg(not(unix))]
pub(crate) fn watch() {}

#[cfg(unix)]
#[expect(clippy::exit, reason = "the threads that work are stopped, and cannot end by themselves")]
fn end(status: i32) {
    use fanmill_report::printable;

    use crate::words::say;

    let kept = fanmill_source::replace::abandon();
    say(format_args!("\nfanmill: interrupted"));
    for folder in kept {
        let shown = folder.to_string_lossy();
        say(format_args!(
            "what was read is kept in `{}`: the same command resumes there; remove it if you do not want that",
            printable(&shown)
        ));
    }
    std::process::exit(status);
}
