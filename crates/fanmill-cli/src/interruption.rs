//! Interruptions: work stops at once, temporary files are removed, and a message says what is kept.
//!
//! A thread waits for the signals, so that nothing is done inside a handler. The exit statuses are those that a shell
//! reports for a program ended by a signal. A second signal ends the program at once, even during the clean-up. A signal
//! that was ignored when the program started (`nohup`, `trap ''`) stays ignored.

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

    use fanmill_disk::replace;
    use fanmill_report::printable;
    use fanmill_text::readable::readable;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use crate::words::say;

    /// Time limit for the last message: perhaps nobody reads standard error any more.
    const LAST_WORDS: Duration = Duration::from_millis(500);

    /// Handles Ctrl-C, requests to end and the closing of the terminal from now on.
    ///
    /// The threads are started before signals are caught: where no thread can be started, a signal ends the program as
    /// it would any other.
    pub(crate) fn watch() {
        let (caught, signals) = mpsc::channel::<Signals>();
        let (first, is_first) = mpsc::channel();
        let cleaner = thread::Builder::new().spawn(move || {
            let Ok(signal) = is_first.recv() else { return };
            // Clean up first: writing the message may block.
            say_last(replace::abandon());
            exit(signal);
        });
        let listener = thread::Builder::new().spawn(move || {
            let Ok(mut signals) = signals.recv() else { return };
            let mut signals = signals.forever();
            if let Some(signal) = signals.next() {
                let _ = first.send(signal);
            }
            if let Some(second) = signals.next() {
                exit(second);
            }
        });
        if cleaner.is_err() || listener.is_err() {
            return;
        }
        let watched = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
        if let Ok(signals) = Signals::new(watched) {
            let _ = caught.send(signals);
        }
    }

    fn say_last(kept: Vec<PathBuf>) {
        let (done, is_done) = mpsc::channel::<()>();
        // If this thread cannot be started, `done` is dropped with it, and there is no message.
        let _ = thread::Builder::new().spawn(move || {
            say(format_args!("\nfanmill: interrupted"));
            for folder in kept {
                let shown = readable(folder.as_os_str());
                say(format_args!(
                    "what was read is kept in `{}`: the same command resumes there; remove it if you do not \
                     want that",
                    printable(&shown)
                ));
            }
            drop(done);
        });
        // Nothing is ever sent: this returns when the message is written, or the time is up.
        let _ = is_done.recv_timeout(LAST_WORDS);
    }

    #[expect(clippy::exit, reason = "the working threads cannot be asked to end")]
    fn exit(signal: i32) {
        std::process::exit(128 + signal);
    }

    /// Returns whether the program was started with a signal ignored.
    #[cfg(target_os = "linux")]
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }

    /// Returns whether a signal is to be left alone. Without `unsafe`, we cannot find out here which signals are
    /// ignored, so the one that is ignored most often, by `nohup`, is not caught.
    #[cfg(not(target_os = "linux"))]
    fn is_ignored(signal: i32) -> bool {
        signal == SIGHUP
    }
}
