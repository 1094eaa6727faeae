//! The job queue: rows with a lease, and a child process for each job that runs.
//!
//! A job is taken by writing the end of its lease, which is renewed while its child runs. If the server dies, its
//! children die with it, and the next start takes up the jobs again. A job whose child breaks off is started at most
//! three times. A single rename puts a report in its place, so that half a report is never seen: in the transaction that
//! deletes the job's row, and only if the row is still there. So nothing that was deleted meanwhile comes back.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::params;
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time;

use crate::error::{Answer, Refusal};
use crate::job::{OUTPUT, Step};
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::store::now;
use crate::summary::Summary;
use crate::{compared, instructions, secret};

/// Maximum number of times that a job is started.
const MAX_ATTEMPTS: i64 = 3;

/// Length of a job's lease, in seconds.
const LEASE: i64 = 60;

/// The way a child ended.
enum JobEnd {
    /// It made a report, and summed it up, in JSON.
    Done(Option<String>),
    Failed(String),
    /// It ended without an error message: it ran out of memory, or was killed. It is tried again.
    Broke,
    /// Someone cancelled it.
    Cancelled,
    /// The server is stopping; the job goes back into the queue.
    Parked,
}

impl JobEnd {
    fn name(&self) -> &'static str {
        match self {
            JobEnd::Done(_) => "done",
            JobEnd::Failed(_) => "failed",
            JobEnd::Broke => "broke",
            JobEnd::Cancelled => "cancelled",
            JobEnd::Parked => "parked",
        }
    }
}

/// A line that a child writes.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    /// The reason why it failed.
    Failure { error: String },
    /// Extent and findings of the comparison.
    Outcome { summary: Summary },
    /// The step that it is in.
    Step(#[expect(dead_code, reason = "the line itself is stored")] Step),
}

/// Runs queued jobs until `stop` is set, and then waits until all children are gone.
pub(crate) async fn run(server: Server, mut stop: watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    while !*stop.borrow() {
        // Space that is kept back on a full disk is for people who delete.
        while running.len() < server.0.config.jobs.running && !server.0.store.reserve().is_short() {
            // A batch that was cancelled and queued again waits until its first child is gone.
            let busy: Vec<String> = registered(&server).keys().cloned().collect();
            let each = server.0.config.account.running;
            let Ok(Some(job)) = server.write(move |tx| take(tx, &busy, each)).await else { break };
            let cancel = Arc::new(Notify::new());
            registered(&server).insert(job.batch.clone(), cancel.clone());
            running.spawn(one(server.clone(), job, cancel, stop.clone()));
        }
        tokio::select! {
            () = server.0.queued.notified() => {}
            _ = running.join_next(), if !running.is_empty() => {}
            () = time::sleep(Duration::from_secs(5)) => {}
            _ = stop.changed() => {}
        }
    }
    while running.join_next().await.is_some() {}
}

/// Takes back the leases of a server that is gone. A data folder is used by one server at a time.
pub(crate) fn take_back(tx: &rusqlite::Transaction) -> rusqlite::Result<()> {
    // A child cannot take the server down with it, so an end of the server does not count as an attempt.
    tx.execute(
        "UPDATE jobs SET attempts = attempts - 1 WHERE lease_until > 0 AND attempts > 0",
        [],
    )?;
    tx.execute("UPDATE jobs SET lease_until = 0", [])?;
    tx.execute(
        "UPDATE batches SET state = 'queued', progress = NULL WHERE id IN (SELECT batch FROM jobs)",
        [],
    )?;
    Ok(())
}

/// Puts a batch into the queue.
pub(crate) fn queue(tx: &rusqlite::Transaction, id: &str) -> Answer<()> {
    let sql = "INSERT INTO jobs (id, batch, queued) VALUES (?, ?, ?)";
    tx.execute(sql, params![secret::random::<16>(), id, now()])?;
    Ok(())
}

/// Puts a batch into the queue in place of the job that it may have. Nothing that the child of that job has done counts
/// any more.
pub(crate) fn compare_again(tx: &rusqlite::Transaction, id: &str) -> Answer<()> {
    tx.execute("DELETE FROM jobs WHERE batch = ?", [id])?;
    let sql = "UPDATE batches SET state = 'queued', progress = NULL, error = NULL, summary = NULL, finished = NULL, \
               report_bytes = 0 WHERE id = ?";
    if tx.execute(sql, params![id])? > 0 {
        queue(tx, id)?;
    }
    Ok(())
}

/// Asks a running job to stop, and waits until its child is gone, for about 10 seconds at most. Returns whether it is.
pub(crate) async fn stop(server: &Server, batch: &str) -> bool {
    for _ in 0..200 {
        let Some(cancel) = registered(server).get(batch).cloned() else { return true };
        cancel.notify_one();
        time::sleep(Duration::from_millis(50)).await;
    }
    false
}

fn registered(
    server: &Server,
) -> std::sync::MutexGuard<'_, std::collections::HashMap<String, Arc<Notify>>> {
    server.0.running.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A job that was taken from the queue.
#[derive(Debug, Clone)]
struct Job {
    id: String,
    batch: String,
}

/// Leases the job that has waited longest, except for jobs of busy batches, of batches that have a task in the journal or
/// are compared with one that has, and of accounts that have `each` jobs running. Gives up jobs that were started too often.
fn take(tx: &rusqlite::Transaction, busy: &[String], each: Option<u64>) -> Answer<Option<Job>> {
    let given_up = "UPDATE batches SET state = 'failed', progress = NULL, finished = ?1, error = 'the comparison \
         ran out of memory or broke off three times; compare less at once' \
         WHERE id IN (SELECT batch FROM jobs WHERE lease_until < ?1 AND attempts >= ?2)";
    tx.execute(given_up, params![now(), MAX_ATTEMPTS])?;
    let gone = "DELETE FROM jobs WHERE lease_until < ? AND attempts >= ?";
    tx.execute(gone, params![now(), MAX_ATTEMPTS])?;
    let next = "SELECT jobs.id, batch FROM jobs JOIN batches ON batches.id = batch WHERE lease_until < ?1 \
         AND NOT EXISTS (SELECT 1 FROM journal WHERE journal.batch = jobs.batch) AND NOT EXISTS \
         (SELECT 1 FROM compared_with JOIN journal ON journal.batch = earlier WHERE compared_with.batch = jobs.batch) \
         AND (SELECT count(*) FROM jobs AS other JOIN batches AS own ON own.id = other.batch \
              WHERE other.lease_until >= ?1 AND own.by_user = batches.by_user) < ?2 ORDER BY queued, jobs.rowid";
    let mut statement = tx.prepare(next)?;
    let each = each.map_or(i64::MAX, |each| i64::try_from(each).unwrap_or(i64::MAX));
    let mut waiting = statement
        .query_map(params![now(), each], |row| Ok(Job { id: row.get(0)?, batch: row.get(1)? }))?;
    let free =
        |job: &rusqlite::Result<Job>| job.as_ref().is_ok_and(|job| !busy.contains(&job.batch));
    let Some(job) = waiting.find(free).transpose()? else { return Ok(None) };
    let leased = "UPDATE jobs SET lease_until = ?, attempts = attempts + 1 WHERE id = ?";
    tx.execute(leased, params![now() + LEASE, job.id])?;
    tx.execute("UPDATE batches SET state = 'running', error = NULL WHERE id = ?", [&job.batch])?;
    Ok(Some(job))
}

async fn one(server: Server, job: Job, cancel: Arc<Notify>, stop: watch::Receiver<bool>) {
    let begun = Instant::now();
    let batch = &job.batch;
    let end = if is_wanted(&server, &job).await {
        match start(&server, batch) {
            Ok(child) => watched(&server, &job, child, &cancel, stop).await,
            Err(error) => {
                Ok(JobEnd::Failed(format!("the comparison could not be started: {error}")))
            }
        }
    } else {
        Ok(JobEnd::Cancelled)
    };
    let end = end.unwrap_or_else(|error| JobEnd::Failed(error.to_string()));
    server.0.meter.job(end.name(), begun.elapsed());
    let ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let fields = [("batch", batch.clone().into()), ("end", end.name().into()), ("ms", ms.into())];
    server.0.config.log.say("job", fields);
    let (of, folder) = (job.clone(), server.folder(batch));
    let report = folder.join(OUTPUT).join("report");
    let n_bytes = run_blocking(move || Ok(size_of(&report))).await.unwrap_or_default();
    let _ = server.write(move |tx| ended(tx, &of, end, &folder, n_bytes)).await;
    // It has the report that was replaced, or what a child that broke off has written.
    let output = server.folder(batch).join(OUTPUT);
    let _ = run_blocking(move || Ok(std::fs::remove_dir_all(output)?)).await;
    registered(&server).remove(batch);
    server.0.queued.notify_one();
}

/// Returns whether the job still exists. It may have been cancelled, or its batch deleted, after it was taken and
/// before we began to listen for that.
async fn is_wanted(server: &Server, job: &Job) -> bool {
    let id = job.id.clone();
    let sql = "SELECT EXISTS (SELECT 1 FROM jobs WHERE id = ?)";
    server.read(move |c| Ok(c.query_row(sql, [id], |row| row.get(0))?)).await.unwrap_or(false)
}

fn start(server: &Server, batch: &str) -> io::Result<Child> {
    let folder = server.folder(batch);
    instructions::adopt(&folder)?;
    let _ = std::fs::remove_dir_all(folder.join(OUTPUT));
    std::fs::create_dir(folder.join(OUTPUT))?;
    Command::new(&server.0.config.program)
        .arg("__job")
        .arg(&folder)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
}

/// Watches a child until it ends, or ends it.
async fn watched(
    server: &Server,
    job: &Job,
    mut child: Child,
    cancel: &Notify,
    mut stop: watch::Receiver<bool>,
) -> io::Result<JobEnd> {
    let out = child.stdout.take().ok_or_else(|| io::Error::other("the child has no output"))?;
    // Cap the output of a runaway child.
    let mut lines = BufReader::new(out.take(64 << 20)).lines();
    let mut renew = time::interval(Duration::from_secs(10));
    let (mut failure, mut outcome) = (None, None);
    let end = loop {
        tokio::select! {
            line = lines.next_line() => match line? {
                Some(line) => match serde_json::from_str(&line) {
                    Ok(Line::Failure { error }) => failure = Some(error),
                    Ok(Line::Outcome { summary }) => outcome = serde_json::to_string(&summary).ok(),
                    Ok(Line::Step(_)) => progressed(server, job, line).await,
                    Err(_) => {}
                },
                None => break None,
            },
            // A request that cancels it may end before it notifies us.
            _ = renew.tick() => if !leased(server, job).await { break Some(JobEnd::Cancelled) },
            () = cancel.notified() => break Some(JobEnd::Cancelled),
            _ = stop.changed() => break Some(JobEnd::Parked),
        }
    };
    if let Some(end) = end {
        child.kill().await?;
        return Ok(end);
    }
    let status = child.wait().await?;
    if status.success() {
        return Ok(JobEnd::Done(outcome));
    }
    Ok(failure.map_or(JobEnd::Broke, JobEnd::Failed))
}

async fn progressed(server: &Server, job: &Job, line: String) {
    let id = job.id.clone();
    let sql = "UPDATE batches SET progress = ? WHERE id = (SELECT batch FROM jobs WHERE id = ?)";
    let _ = server.write(move |tx| Ok(tx.execute(sql, params![line, id])?)).await;
}

/// Renews the lease of a job. Returns false if the job no longer exists.
async fn leased(server: &Server, job: &Job) -> bool {
    let id = job.id.clone();
    let sql = "UPDATE jobs SET lease_until = ? WHERE id = ?";
    let renewed = server.write(move |tx| Ok(tx.execute(sql, params![now() + LEASE, id])?)).await;
    renewed.map_or(true, |n| n > 0)
}

/// Replaces the old report by the new one; in one step where Linux can exchange two folders. The old one then has the
/// place of the new one.
pub(crate) fn put_in_place(folder: &Path) -> io::Result<()> {
    let (new, place) = (folder.join(OUTPUT).join("report"), folder.join("report"));
    if !place.exists() {
        return std::fs::rename(new, place);
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, &new, CWD, &place, RenameFlags::EXCHANGE).is_ok() {
            return Ok(());
        }
    }
    std::fs::remove_dir_all(&place)?;
    std::fs::rename(new, place)
}

/// Returns the size of the files in a folder, in bytes; 0 if there is none.
fn size_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => size_of(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

/// Records how a job ended, and puts its report in place, unless it was cancelled at that moment and no longer exists.
fn ended(
    tx: &rusqlite::Transaction,
    job: &Job,
    mut end: JobEnd,
    folder: &Path,
    n_bytes: u64,
) -> Result<(), Refusal> {
    let sql = "SELECT EXISTS (SELECT 1 FROM jobs WHERE id = ?)";
    if !tx.query_row(sql, [&job.id], |row| row.get(0))? {
        return Ok(());
    }
    let batch = &job.batch;
    let mut is_proposal = false;
    if matches!(end, JobEnd::Done(_)) {
        // If the instructions cannot be read, it may show what it was compared with before, too.
        let work = instructions::read(folder).ok().flatten();
        is_proposal = work.as_ref().is_some_and(|work| work.only_reads);
        match if is_proposal { Ok(()) } else { put_in_place(folder) } {
            Ok(()) => {
                if let Some(work) = work.filter(|_| !is_proposal) {
                    compared::set(tx, batch, &compared::earlier_of(&work))?;
                }
            }
            Err(error) => end = JobEnd::Failed(error.to_string()),
        }
    }
    let (state, error, summary) = match &end {
        JobEnd::Done(summary) if is_proposal => ("proposed", None, summary.as_ref()),
        JobEnd::Done(summary) => ("done", None, summary.as_ref()),
        JobEnd::Failed(why) => ("failed", Some(why), None),
        JobEnd::Cancelled => ("cancelled", None, None),
        JobEnd::Parked | JobEnd::Broke => {
            // An attempt that the server itself ended does not count.
            let n_back = i64::from(matches!(end, JobEnd::Parked));
            let back = "UPDATE jobs SET lease_until = 0, attempts = attempts - ? WHERE batch = ?";
            tx.execute(back, params![n_back, batch])?;
            tx.execute(
                "UPDATE batches SET state = 'queued', progress = NULL WHERE id = ?",
                [batch],
            )?;
            return Ok(());
        }
    };
    tx.execute("DELETE FROM jobs WHERE batch = ?", [batch])?;
    tx.execute(
        "UPDATE batches SET state = ?, error = ?, summary = ?, progress = NULL, finished = ? WHERE id = ?",
        params![state, error, summary, now(), batch],
    )?;
    if state == "done" {
        let sql = "UPDATE batches SET report_bytes = ? WHERE id = ?";
        tx.execute(sql, params![n_bytes.cast_signed(), batch])?;
    }
    Ok(())
}
