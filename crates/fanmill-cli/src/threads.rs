//! The threads of a command, and its memory limit.

use anyhow::Context;

use crate::args::MachineArgs;
use crate::memory;

/// Maximum number of threads: more than machines have cores, while starting a hundred thousand takes minutes.
const MOST_THREADS: usize = 1024;

/// Starts as many threads as requested, or one per core.
pub(crate) fn pool(wanted: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    let n_threads = wanted.unwrap_or(0);
    if n_threads > MOST_THREADS {
        anyhow::bail!(fanmill_text::Error::setting(format!(
            "--threads {n_threads} is above the limit of {MOST_THREADS}; lower it, or leave it out to \
             use all cores"
        )));
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(n_threads)
        .build()
        .context("could not start threads")
}

/// Starts the threads of a job, and limits its memory. Returns the limit in bytes, too, if there is one.
///
/// `way_out` says what to do with less memory.
pub(crate) fn within(
    machine: &MachineArgs,
    way_out: &'static str,
) -> anyhow::Result<(rayon::ThreadPool, Option<usize>)> {
    let threads = pool(machine.threads)?;
    Ok((threads, memory::limit(machine.memory.as_deref(), way_out)?))
}
