//! The child's side of a comparison that runs in its own process.
//!
//! The child reads `job.json` in the batch's folder, compares, and leaves its report in the folder `new`. It reports
//! its progress, and at the end its outcome, in lines of JSON on standard output. It dies with its parent, runs at a low
//! priority, may not use more memory and processor time than it is allowed, and is sandboxed: it reads its batch and the
//! earlier work that it was given, writes to `new`, and has no sockets. Documents that need a process of their own are
//! read in a tighter sandbox.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use fanmill_extract::cage::{self, Locks, SandboxLimits};
use fanmill_jobs::compare::{self, Outcome};
use fanmill_text::progress::Progress;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::results;
use crate::summary::Summary;

/// The folder inside the batch's that a child writes to.
pub(crate) const OUTPUT: &str = "new";

/// The instructions to a child.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct JobRequest {
    pub(crate) settings: compare::Settings,
    pub(crate) inputs: compare::Inputs,
    /// Memory limit, in bytes.
    pub(crate) memory: u64,
    /// Processor time limit, in seconds.
    pub(crate) processor_seconds: u64,
    /// The process that waits for the child.
    pub(crate) parent: u32,
    /// The pages to write for a client of MOSS, if one asked for the comparison.
    #[serde(default)]
    pub(crate) moss: Option<results::MossPages>,
    /// True if the inputs are only read, so that somebody looks at how they were taken before they are compared.
    #[serde(default)]
    pub(crate) only_reads: bool,
}

/// The progress of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Step {
    /// Work done in the step, in the step's own units.
    pub(crate) done: u64,
    /// The name of the step.
    #[serde(rename = "step")]
    pub(crate) name: String,
    /// Total work of the step; 0 if it is not known.
    pub(crate) total: u64,
}

/// Does the job of the batch in `folder`, and writes its progress to `out`.
///
/// # Errors
/// If the limits cannot be set, or the comparison fails.
pub(crate) fn child(folder: &Path, out: impl Write + Send) -> anyhow::Result<()> {
    std::env::set_current_dir(folder).context("the batch has no folder")?;
    let mut work: JobRequest =
        serde_json::from_slice(&fs::read("job.json").context("the batch has no job")?)?;
    // Batches that were deleted in the meantime are no longer earlier work.
    work.inputs.archive.retain(|path| path.exists());
    confine(&work)?;
    let spoken = JsonLines::new(out);
    if work.only_reads {
        let read = compare::read_only(&work.inputs, &spoken).map_err(anyhow::Error::msg);
        let corpus = read.inspect_err(|error| spoken.fail(error))?;
        spoken.sum_up(&Summary::from_corpus(&work.inputs, &corpus));
        return Ok(());
    }
    let report = Path::new(OUTPUT).join("report");
    let written = compare::run(&work.settings, &work.inputs, Some(&report), &spoken)
        .map_err(|error| error.to_string())
        .and_then(|outcome| {
            write_beside(&work, &outcome, &report)?;
            spoken.sum_up(&Summary::from_outcome(&work.inputs, &outcome));
            Ok(())
        });
    written.map_err(anyhow::Error::msg).inspect_err(|error| spoken.fail(error))
}

/// Writes the pages for a client of MOSS into a report that one asked for; not into an anonymous one, since they would show
/// the names that it hides.
fn write_beside(work: &JobRequest, outcome: &Outcome, report: &Path) -> Result<(), String> {
    let Some(wanted) = work.moss.as_ref().filter(|_| !work.inputs.anonymous) else {
        return Ok(());
    };
    results::write(wanted, &outcome.comparison, &report.join(results::FOLDER))
        .map_err(|error| format!("the pages for MOSS could not be written: {error}"))
}

/// Confines this process to the batch's folder, which is the current one.
pub(crate) fn confine(work: &JobRequest) -> anyhow::Result<Locks> {
    let runnable = ["/proc/self/exe", "/lib", "/lib64", "/usr/lib", "/usr/lib64"];
    let mut readable = vec![PathBuf::from("."), PathBuf::from("/etc/ld.so.cache")];
    readable.extend(work.inputs.archive.iter().cloned());
    let room = SandboxLimits {
        readable,
        writable: vec![OUTPUT.into(), "/dev/null".into()],
        runnable: runnable.map(PathBuf::from).to_vec(),
        memory: work.memory,
        processor_seconds: work.processor_seconds,
    };
    #[cfg(unix)]
    let _ = rustix::process::nice(10);
    let locks = cage::confine(&room).map_err(anyhow::Error::msg)?;
    // If the parent died before we began to watch it, no signal comes.
    #[cfg(target_os = "linux")]
    {
        let parent = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get());
        let parent = parent.map(i32::unsigned_abs);
        anyhow::ensure!(parent == Some(work.parent), "the server is gone");
    }
    Ok(locks)
}

/// Writes progress as lines of JSON, at most five a second.
pub(crate) struct JsonLines<W>(Mutex<(Step, Instant, W)>);

impl<W: Write + Send> JsonLines<W> {
    pub(crate) fn new(out: W) -> JsonLines<W> {
        let step = Step { name: String::new(), done: 0, total: 0 };
        JsonLines(Mutex::new((step, Instant::now(), out)))
    }

    /// Writes the error that ends the work.
    pub(crate) fn fail(&self, error: &anyhow::Error) {
        self.end(&serde_json::json!({ "error": error.to_string() }));
    }

    /// Writes the outcome of the work.
    fn sum_up(&self, summary: &Summary) {
        self.end(&serde_json::json!({ "summary": summary }));
    }

    fn end(&self, line: &serde_json::Value) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(all.2, "{line}").and_then(|()| all.2.flush());
    }
}

impl<W: Write + Send> Progress for JsonLines<W> {
    fn begin(&self, step: &'static str, total: u64) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.0 = Step { name: step.to_owned(), done: 0, total };
        say(&mut all);
    }

    fn advance_by(&self, n: u64) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.0.done += n;
        if all.1.elapsed() > Duration::from_millis(200) {
            say(&mut all);
        }
    }
}

fn say<W: Write>(all: &mut (Step, Instant, W)) {
    all.1 = Instant::now();
    let line = serde_json::to_string(&all.0).unwrap_or_default();
    let _ = writeln!(all.2, "{line}").and_then(|()| all.2.flush());
}
