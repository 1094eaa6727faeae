//! The queue: rows with a lease, and a child process for each that runs.
//!
//! A job is taken by writing how long it is leased, which is renewed while its child runs. If the server dies,
//! its children die with it, and the next start takes the jobs again. A job whose child breaks off is begun three
//! times at most. A report takes its place by one renaming before the job's row goes, so that half a report is never seen.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rusqlite::{OptionalExtension, params};
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time;

use crate::error::{Answer, Refusal};
use crate::job::Step;
use crate::state::Server;
use crate::store::now;

/// How often a job is begun.
const MAX_ATTEMPTS: i64 = 3;

/// How long a job is leased, in seconds.
const LEASE: i64 = 60;

/// How a child ended.
enum End {
    Done,
    Failed(String),
    /// Without a word: it ran out of memory, or was killed. It is tried again.
    Broke,
    /// Somebody asked for it.
    Cancelled,
    /// The server ends; the job goes back into the queue.
    Parked,
}

/// The line of a child that failed; its other lines are steps.
#[derive(Deserialize)]
struct Failure {
    error: String,
}

/// Runs what is queued until `stop` says so, and then waits until all children are gone.
pub(crate) async fn run(server: Server, mut stop: watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    while !*stop.borrow() {
        while running.len() < server.0.config.jobs {
            let Ok(Some(batch)) = server.write(take).await else { break };
            let cancel = Arc::new(Notify::new());
            registered(&server).insert(batch.clone(), cancel.clone());
            running.spawn(one(server.clone(), batch, cancel, stop.clone()));
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

/// Takes back the leases of a server that is gone. There is one server for a data folder.
pub(crate) fn take_back(tx: &rusqlite::Transaction) -> rusqlite::Result<()> {
    // A child cannot take the server with it, so that its end does not count as an attempt.
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

/// Asks a running job to stop, and waits until its child is gone.
pub(crate) async fn stop(server: &Server, batch: &str) {
    for _ in 0..200 {
        let Some(cancel) = registered(server).get(batch).cloned() else { return };
        cancel.notify_one();
        time::sleep(Duration::from_millis(50)).await;
    }
}

fn registered(
    server: &Server,
) -> std::sync::MutexGuard<'_, std::collections::HashMap<String, Arc<Notify>>> {
    server.0.running.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn take(tx: &rusqlite::Transaction) -> Answer<Option<String>> {
    let given_up = "UPDATE batches SET state = 'failed', progress = NULL, finished = ?1, error = 'the comparison \
         ran out of memory or broke off three times; compare less at once' \
         WHERE id IN (SELECT batch FROM jobs WHERE lease_until < ?1 AND attempts >= ?2)";
    tx.execute(given_up, params![now(), MAX_ATTEMPTS])?;
    let gone = "DELETE FROM jobs WHERE lease_until < ? AND attempts >= ?";
    tx.execute(gone, params![now(), MAX_ATTEMPTS])?;
    let next = "SELECT batch FROM jobs WHERE lease_until < ? ORDER BY queued, rowid LIMIT 1";
    let batch: Option<String> = tx.query_row(next, [now()], |row| row.get(0)).optional()?;
    if let Some(batch) = &batch {
        let leased = "UPDATE jobs SET lease_until = ?, attempts = attempts + 1 WHERE batch = ?";
        tx.execute(leased, params![now() + LEASE, batch])?;
        tx.execute("UPDATE batches SET state = 'running', error = NULL WHERE id = ?", [batch])?;
    }
    Ok(batch)
}

async fn one(server: Server, batch: String, cancel: Arc<Notify>, stop: watch::Receiver<bool>) {
    let end = match start(&server, &batch) {
        Ok(child) => watched(&server, &batch, child, &cancel, stop).await,
        Err(error) => Ok(End::Failed(format!("the comparison could not be started: {error}"))),
    };
    let end = end.unwrap_or_else(|error| End::Failed(error.to_string()));
    server.0.n_jobs.fetch_add(1, Ordering::Relaxed);
    let id = batch.clone();
    let _ = server.write(move |tx| ended(tx, &id, &end)).await;
    registered(&server).remove(&batch);
    server.0.queued.notify_one();
}

fn start(server: &Server, batch: &str) -> io::Result<Child> {
    let folder = server.folder(batch);
    let _ = std::fs::remove_dir_all(folder.join("report.new"));
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

/// Listens to a child until it ends, or ends it.
async fn watched(
    server: &Server,
    batch: &str,
    mut child: Child,
    cancel: &Notify,
    mut stop: watch::Receiver<bool>,
) -> io::Result<End> {
    let out = child.stdout.take().ok_or_else(|| io::Error::other("the child has no output"))?;
    // A child that is beside itself does not fill the memory.
    let mut lines = BufReader::new(out.take(64 << 20)).lines();
    let mut renew = time::interval(Duration::from_secs(10));
    let mut error = None;
    let end = loop {
        tokio::select! {
            line = lines.next_line() => match line? {
                Some(line) => match serde_json::from_str::<Failure>(&line) {
                    Ok(failure) => error = Some(failure.error),
                    Err(_) if serde_json::from_str::<Step>(&line).is_ok() => {
                        progressed(server, batch, line).await;
                    }
                    Err(_) => {}
                },
                None => break None,
            },
            _ = renew.tick() => leased(server, batch).await,
            () = cancel.notified() => break Some(End::Cancelled),
            _ = stop.changed() => break Some(End::Parked),
        }
    };
    if let Some(end) = end {
        child.kill().await?;
        return Ok(end);
    }
    let status = child.wait().await?;
    if status.success() {
        put_in_place(&server.folder(batch))?;
        return Ok(End::Done);
    }
    Ok(error.map_or(End::Broke, End::Failed))
}

async fn progressed(server: &Server, batch: &str, line: String) {
    let id = batch.to_owned();
    let sql = "UPDATE batches SET progress = ? WHERE id = ?";
    let _ = server.write(move |tx| Ok(tx.execute(sql, params![line, id])?)).await;
}

async fn leased(server: &Server, batch: &str) {
    let id = batch.to_owned();
    let sql = "UPDATE jobs SET lease_until = ? WHERE batch = ?";
    let _ = server.write(move |tx| Ok(tx.execute(sql, params![now() + LEASE, id])?)).await;
}

/// The new report takes the place of the old one, in one step.
fn put_in_place(folder: &Path) -> io::Result<()> {
    let (new, place) = (folder.join("report.new"), folder.join("report"));
    if !place.exists() {
        return std::fs::rename(new, place);
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, &new, CWD, &place, RenameFlags::EXCHANGE).is_ok() {
            return std::fs::remove_dir_all(new);
        }
    }
    std::fs::remove_dir_all(&place)?;
    std::fs::rename(new, place)
}

fn ended(tx: &rusqlite::Transaction, batch: &str, end: &End) -> Result<(), Refusal> {
    let (state, error) = match end {
        End::Done => ("done", None),
        End::Failed(why) => ("failed", Some(why)),
        End::Cancelled => ("cancelled", None),
        End::Parked | End::Broke => {
            // That the server ends is not the job's fault.
            let n_back = i64::from(matches!(end, End::Parked));
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
        "UPDATE batches SET state = ?, error = ?, progress = NULL, finished = ? WHERE id = ?",
        params![state, error, now(), batch],
    )?;
    Ok(())
}
