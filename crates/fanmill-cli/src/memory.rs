//! The memory limit of jobs that hold what they compare: `--memory`.
//!
//! Such a job cannot do its work with less. So a thread looks at the memory of the process a hundred times a second, and
//! above the limit it ends the run as an interruption does: nothing is half written, and a message says the way out.
//! The system has to say how much memory a process has, which Linux does.

use anyhow::Context;
use fanmill_text::Error;
use fanmill_text::amount;

/// Memory that the program may take besides, in bytes.
#[cfg(target_os = "linux")]
const OF_PROGRAM: u64 = 64 << 20;
/// Smallest limit, in bytes: with less, threads have no room to work in.
const LEAST: u64 = 32 << 20;

/// Ends the run from now on if it takes more memory than this, and 64 MiB for the program. Returns the bytes.
///
/// `way_out` says what to do with less memory.
///
/// # Errors
/// If this is not a size, or below 32 MiB; or if the system does not say how much memory a process has.
pub(crate) fn limit(wanted: Option<&str>, way_out: &'static str) -> anyhow::Result<Option<usize>> {
    let Some(text) = wanted else { return Ok(None) };
    let bytes = amount::parse_bytes(text).with_context(|| format!("--memory {text}"))?;
    if bytes < LEAST {
        anyhow::bail!(Error::setting(format!(
            "--memory {text} is below the limit of {} MiB; raise it",
            LEAST >> 20
        )));
    }
    watch(bytes, way_out)?;
    Ok(Some(usize::try_from(bytes).unwrap_or(usize::MAX)))
}

#[cfg(not(target_os = "linux"))]
fn watch(_: u64, _: &'static str) -> anyhow::Result<()> {
    anyhow::bail!(Error::setting(
        "--memory cannot be kept: this system does not say how much memory a process has; leave it out"
    ))
}

#[cfg(target_os = "linux")]
fn watch(bytes: u64, way_out: &'static str) -> anyhow::Result<()> {
    use std::thread;
    use std::time::Duration;

    resident()?;
    let watch = move || {
        let most = bytes.saturating_add(OF_PROGRAM);
        loop {
            match resident() {
                Ok(taken) if taken > most => end(taken, bytes, way_out),
                _ => thread::sleep(Duration::from_millis(10)),
            }
        }
    };
    thread::Builder::new().spawn(watch).context("could not start a thread")?;
    Ok(())
}

/// Ends the process with a message.
#[cfg(target_os = "linux")]
#[expect(clippy::exit, reason = "the working threads may be anywhere")]
fn end(taken: u64, bytes: u64, way_out: &str) -> ! {
    use crate::exit::Exit;
    use crate::words::say;

    // Writing the message may block, so files come first.
    let _ = fanmill_disk::replace::abandon();
    say(format_args!(
        "\nfanmill: the run has taken {} MiB of memory, above --memory, {} MiB, and {} MiB for the program; raise it, or \
         {way_out}",
        taken >> 20,
        bytes >> 20,
        OF_PROGRAM >> 20,
    ));
    std::process::exit(Exit::Usage as i32)
}

/// Returns the memory of this process, in bytes.
#[cfg(target_os = "linux")]
fn resident() -> anyhow::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.map(|kib| kib << 10).ok_or_else(|| {
        anyhow::Error::new(Error::setting(
            "--memory cannot be kept: `/proc/self/status` does not say how much memory the program has; leave it out",
        ))
    })
}
