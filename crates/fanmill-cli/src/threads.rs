//! The threads of a command.

use anyhow::Context;

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
