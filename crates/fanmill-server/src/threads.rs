//! Threads of the database's own, so that it answers however much else there is to do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::error::{Answer, Refusal};

type Work = Box<dyn FnOnce() + Send>;

/// Threads that do one piece of work after another. They end when this is dropped.
#[derive(Debug)]
pub(crate) struct Threads(Sender<Work>);

impl Threads {
    /// Starts `n` threads.
    pub(crate) fn start(n: usize) -> Threads {
        let (sender, receiver) = channel::<Work>();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..n {
            let receiver = receiver.clone();
            thread::spawn(move || {
                while let Some(work) = next(&receiver) {
                    // A fault of one request is not one of those that follow.
                    let _ = catch_unwind(AssertUnwindSafe(work));
                }
            });
        }
        Threads(sender)
    }

    /// Does work on one of the threads, and waits for it.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let (done, is_done) = tokio::sync::oneshot::channel();
        let work = Box::new(move || {
            let _ = done.send(work());
        });
        self.0.send(work).map_err(|_| Refusal::fault())?;
        is_done.await.map_err(|_| Refusal::fault())?
    }
}

fn next(receiver: &Mutex<Receiver<Work>>) -> Option<Work> {
    receiver.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_ends_its_own_request_alone() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let threads = Threads::start(1);
        let fault = runtime.block_on(threads.run(|| -> Answer<()> { panic!("a fault") }));
        assert!(fault.is_err());
        assert_eq!(runtime.block_on(threads.run(|| Ok(7))).ok(), Some(7));
    }
}
