//! A progress bar on standard error, if that is a terminal.

use std::sync::Mutex;

use fanmill_text::progress::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use crate::words::words;

/// Shows each step of a long job as a bar, and removes it when the step is done.
pub(crate) struct Bar {
    current: Mutex<Option<ProgressBar>>,
    is_shown: bool,
}

impl Bar {
    pub(crate) fn new(is_quiet: bool) -> Bar {
        Bar { current: Mutex::new(None), is_shown: !is_quiet && words().is_on_screen() }
    }

    /// Removes the bar, so that results do not mix with it.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.current.lock().expect("no thread panics with the lock").take() {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Bar {
    fn begin(&self, step: &'static str, total: u64) {
        self.finish();
        if !self.is_shown {
            return;
        }
        let template = match total {
            0 => "{msg:>14} {spinner:.green} {human_pos} ({per_sec:0})",
            _ => "{msg:>14} {bar:40.green} {human_pos}/{human_len} {eta}",
        };
        let style = ProgressStyle::with_template(template).expect("the templates are constant");
        let bar = ProgressBar::new(total).with_style(style).with_message(step);
        *self.current.lock().expect("no thread panics with the lock") = Some(bar);
    }

    fn advance_by(&self, n: u64) {
        if !self.is_shown {
            return;
        }
        if let Some(bar) = &*self.current.lock().expect("no thread panics with the lock") {
            bar.inc(n);
        }
    }
}
