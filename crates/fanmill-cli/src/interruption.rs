//! What happens on an interruption: work stops where it is, temporary files are removed, and the user is told what
//! is kept.
//!
//! A thread of its own waits for the signals, so that nothing is done inside a handler. The exit statuses are those
//! that a shell reports for a program ended by a signal. A second signal ends the program at once, whatever the
//! first one is still doing. A signal that was ignored when the program began (`nohup`, `trap ''`) stays ignored.

#[cfg(not(unix))]
pub(crate) fn watch() {}

#[cfg(unix)]
pub(crate) use of_signals::watch;

#[cfg(unix)]
mod of_signals {
    use std::path::PathBuf;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use fanmill_report::printable;
    use fanmill_source::replace;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use crate::words::say;

    /// How long the last words may take: perhaps nobody reads standard error any more.
    const LAST_WORDS: Duration = Duration::from_millis(500);

    /// Waits for Ctrl-C, requests to end and the closing of the terminal, from now on.
    pub(crate) fn watch() {
        let watched = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
        // Without it, a signal ends the program as it would any other.
        let Ok(mut signals) = Signals::new(watched) else { return };
        thread::spawn(move || {
            let mut signals = signals.forever();
            let Some(first) = signals.next() else { return };
            thread::spawn(move || {
                // Clean up first: saying something may take for ever.
                say_last(replace::abandon());
                exit(first);
            });
            if let Some(second) = signals.next() {
                exit(second);
            }
        });
    }

    fn say_last(kept: Vec<PathBuf>) {
        let (done, is_done) = mpsc::channel::<()>();
        thread::spawn(move || {
            say(format_args!("\nfanmill: interrupted"));
            for folder in kept {
                let shown = folder.to_string_lossy();
                say(format_args!(
                    "what was read is kept in `{}`: the same command resumes there; remove it if you do not \
                     want that",
                    printable(&shown)
                ));
            }
            drop(done);
        });
        // Nothing is ever sent: this returns when the words are out, or the time is up.
        let _ = is_done.recv_timeout(LAST_WORDS);
    }

    #[expect(
        clippy::exit,
        reason = "the threads that work are stopped, and cannot end by themselves"
    )]
    fn exit(signal: i32) {
        std::process::exit(128 + signal);
    }

    /// Whether the program was started with a signal ignored.
    #[cfg(target_os = "linux")]
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }

    /// Without `unsafe` there is no way to ask here, so the signal that is ignored most, by `nohup`, is not watched.
    #[cfg(not(target_os = "linux"))]
    fn is_ignored(signal: i32) -> bool {
        signal == SIGHUP
    }
}
