//! Work without the interpreter's lock, in threads that can be interrupted.
//!
//! The thread that Python called waits, and checks 20 times a second whether Ctrl-C was pressed. Another thread does
//! the work, with its pool. An interruption asks the work to stop. If it does not stop within a tenth of a second,
//! because a single text takes longer, it is abandoned: it owns all that it uses, and ends when it checks the next
//! time. So Python continues within 200 ms.
//!
//! Each job has a pool of its own. A shared one would be a trap: after a `fork`, as in `multiprocessing`, its threads
//! no longer exist, and the child would wait for them for ever. Starting a pool takes about 50 µs for each thread.

use std::io;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, Setting};
use pyo3::prelude::*;

use crate::faults;

/// Time between two checks for Ctrl-C.
const PAUSE: Duration = Duration::from_millis(50);
/// Time to wait for work that was asked to stop.
const PATIENCE: Duration = Duration::from_millis(100);
/// Maximum number of threads.
const MOST_THREADS: usize = 1024;

/// The threads that a job works in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Threads {
    /// The number that was asked for; `None` for one for each core.
    given: Option<usize>,
    /// The number beyond which threads would have nothing to do.
    most: usize,
}

impl Threads {
    /// Takes the number that was asked for, but not more than the work has parts, if that is known.
    pub(crate) fn new(given: Option<usize>, n_parts: Option<usize>) -> Threads {
        Threads { given, most: n_parts.unwrap_or(MOST_THREADS).max(1) }
    }

    fn pool(self) -> Result<rayon::ThreadPool> {
        if let Some(n) = self.given.filter(|&n| n == 0 || n > MOST_THREADS) {
            return Err(Error::setting(message![
                Setting("threads"),
                " is {n}, and must be from 1 to {MOST_THREADS}; leave it out to use all cores"
            ]));
        }
        let wanted = self.given.unwrap_or_else(cores);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(wanted.min(self.most)).build();
        pool.map_err(|error| Error::system("could not start threads", io::Error::other(error)))
    }
}

/// The progress of the work, and whether it should stop.
#[derive(Debug, Default)]
struct State {
    step: Mutex<&'static str>,
    total: AtomicU64,
    done: AtomicU64,
    is_cancelled: AtomicBool,
}

impl Progress for State {
    fn begin(&self, step: &'static str, total: u64) {
        let mut current = self.step.lock().expect("no thread panics with the lock");
        self.total.store(total, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        *current = step;
    }

    fn advance_by(&self, n: u64) {
        self.done.fetch_add(n, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

/// Runs a job. `watcher` is a callable of Python that receives the step, the work done in it, and the total, which is 0
/// if it is not known.
///
/// # Errors
/// The job's own, as an exception; `KeyboardInterrupt`, or whatever else a signal handler raises; a panic of the job.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    threads: Threads,
    watcher: Option<&Bound<'_, PyAny>>,
    job: impl FnOnce(&dyn Progress) -> Result<T> + Send + 'static,
) -> PyResult<T> {
    let pool = threads.pool().map_err(|error| faults::exception(py, &error))?;
    let state = Arc::new(State::default());
    let (done, is_done) = mpsc::sync_channel(1);
    let of_job = Arc::clone(&state);
    let work = move || {
        let ended = catch_unwind(AssertUnwindSafe(|| pool.install(|| job(&*of_job))));
        // After an interruption, nobody waits any more.
        let _ = done.send(ended);
    };
    let started = thread::Builder::new().name("fanmill".to_owned()).spawn(work);
    started.map_err(|error| {
        faults::exception(py, &Error::system("could not start a thread", error))
    })?;
    // A receiver can be used by one thread at a time, which the lock of Python guarantees here.
    let is_done = Mutex::new(is_done);
    let wait =
        |time| py.detach(|| is_done.lock().expect("used by this thread alone").recv_timeout(time));
    loop {
        match wait(PAUSE) {
            Ok(Ok(ended)) => return ended.map_err(|error| faults::exception(py, &error)),
            Ok(Err(panic)) => return Err(faults::of_panic(py, &*panic)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(faults::of_panic(py, &"the thread of a job has vanished"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let asked = py.check_signals().and_then(|()| tell(watcher, &state));
        if let Err(interruption) = asked {
            state.is_cancelled.store(true, Ordering::Relaxed);
            let _ = wait(PATIENCE);
            return Err(interruption);
        }
    }
}

/// Reports the progress to the watcher.
fn tell(watcher: Option<&Bound<'_, PyAny>>, state: &State) -> PyResult<()> {
    let Some(watcher) = watcher else { return Ok(()) };
    let (step, done, total) = {
        let step = *state.step.lock().expect("no thread panics with the lock");
        (step, state.done.load(Ordering::Relaxed), state.total.load(Ordering::Relaxed))
    };
    watcher.call1((step, done, total)).map(drop)
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Panics in a job, for a test of what becomes of that.
#[cfg(debug_assertions)]
#[pyfunction]
pub(crate) fn panic_in_a_job(py: Python<'_>) -> PyResult<()> {
    run(py, Threads::new(Some(2), None), None, |_| {
        rayon::join(|| Ok(()), || panic!("on purpose")).0
    })
}
