//! Removal of batches, and of reports that show their texts.
//!
//! A deletion is one transaction: rows, and tasks in the journal for the rest. From then on nothing that was deleted is
//! shown. The worker carries the tasks out, apart from the request, which ends with its client: it stops the batch's
//! comparison, removes files, and has reports made again that were compared with what is gone.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::Extension;
use axum::extract::{Path as At, State};
use axum::http::StatusCode;
use rusqlite::{Connection, OptionalExtension, Transaction};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::sync::watch;
use tokio::time;

use crate::access::Caller;
use crate::errands::ErrandFolder;
use crate::error::{Answer, Refusal};
use crate::fetched::{self, FOLDER};
use crate::job::OUTPUT;
use crate::journal::{Entry, Task};
use crate::remains::{self, LEAST, Remains};
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::store::{Store, audit};
use crate::{compared, earlier, errand, errands, instructions, jobs, journal, person};

/// Time after which the worker looks for tasks that were put off, if nobody wakes it.
const PAUSE: Duration = Duration::from_secs(1);

/// The account of errands for tasks.
const JOURNAL: &str = "journal";

/// Names that files have only while they are written.
const INCOMING: [&str; 2] = ["incoming", "first"];

pub(crate) async fn remove(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    At(id): At<String>,
) -> Answer<StatusCode> {
    let by = asker.someone()?.id.clone();
    server.write(move |tx| delete(tx, &by, &id)).await?;
    wake(&server);
    Ok(StatusCode::ACCEPTED)
}

/// Wakes the worker, and the queue, in which batches may wait for it.
pub(crate) fn wake(server: &Server) {
    server.0.journaled.notify_one();
    server.0.queued.notify_one();
}

/// Deletes a batch: its rows now, and everything else by the journal.
pub(crate) fn delete(tx: &Transaction, by: &str, id: &str) -> Answer<()> {
    tx.execute("DELETE FROM batches WHERE id = ?", [id])?;
    audit(tx, by, "batch deleted", id)?;
    journal::add(tx, Task::RemoveFolder, id)?;
    remove_dependents(tx, id)?;
    Ok(journal::add_forgetting(tx)?)
}

/// Takes away the reports that show texts of a batch, as they were compared with it as earlier work. Their batches are
/// compared again. Returns their number.
pub(crate) fn remove_dependents(tx: &Transaction, id: &str) -> Answer<usize> {
    let others = compared::with(tx, id)?;
    for other in &others {
        remove_report(tx, other)?;
    }
    Ok(others.len())
}

/// Takes away the report of a batch, which is compared again.
fn remove_report(tx: &Transaction, id: &str) -> Answer<()> {
    journal::add(tx, Task::RemoveReport, id)?;
    jobs::compare_again(tx, id)
}

/// Carries out the tasks of the journal until `ending` is set. What is left is done after the next start.
pub(crate) async fn run(server: Server, mut ending: watch::Receiver<bool>) {
    while !*ending.borrow() {
        all(&server, &ending).await;
        tokio::select! {
            () = server.0.journaled.notified() => {}
            () = time::sleep(PAUSE) => {}
            _ = ending.changed() => {}
        }
    }
}

/// Carries out the tasks that are due.
async fn all(server: &Server, ending: &watch::Receiver<bool>) {
    let mut after = 0;
    while !*ending.borrow() {
        let Ok(Some(entry)) = server.read(move |c| Ok(journal::next(c, after)?)).await else {
            return;
        };
        after = entry.number;
        let mut ending = ending.clone();
        let done = tokio::select! {
            done = one(server, &entry) => done,
            // A search of the disk may take minutes; it is done after the next start.
            _ = ending.changed(), if entry.task == Task::SearchDisk => return,
        };
        let refused = done.as_ref().err().map(|refusal| refusal.message.clone());
        let fields = [
            ("task", entry.task.name().into()),
            ("batch", Some(entry.batch.clone()).filter(|batch| !batch.is_empty()).into()),
            ("refused", refused.into()),
        ];
        server.0.config.log.say("journal", fields);
        // If this cannot be recorded, the task is done once more.
        let _ = server.write(move |tx| Ok(close(tx, &entry, done.ok().as_ref())?)).await;
        server.0.store.reserve().make();
        server.0.queued.notify_one();
    }
}

/// Records that a task is done, with what it found on the disk, or that it has failed.
fn close(tx: &Transaction, entry: &Entry, done: Option<&Option<Remains>>) -> rusqlite::Result<()> {
    let Some(remains) = done else { return journal::put_off(tx, entry) };
    if let Some(remains) = remains {
        audit(tx, "server", &finding(remains), &search_id(entry.number, remains.is_clean()))?;
    }
    if entry.task == Task::ErasePerson {
        // The errand has looked through what it wrote.
        audit(
            tx,
            "server",
            "uploads searched, and nothing left of a person who was erased",
            &entry.batch,
        )?;
    }
    journal::finish(tx, entry)
}

/// Writes what a search of the disk has found.
fn finding(remains: &Remains) -> String {
    let list = |parts: &BTreeSet<PathBuf>| {
        parts.iter().map(|part| part.display().to_string()).collect::<Vec<_>>().join(", ")
    };
    let Remains { n_files, parts, unread, n_short } = remains;
    let found = if parts.is_empty() {
        "nothing found".to_owned()
    } else {
        format!("the name is still in {}", list(parts))
    };
    let unread =
        if unread.is_empty() { String::new() } else { format!("; not readable: {}", list(unread)) };
    let short = if *n_short > 0 {
        format!("; names of fewer than {LEAST} bytes were not searched for")
    } else {
        String::new()
    };
    format!("disk searched, {n_files} files, for a person who was erased: {found}{unread}{short}")
}

/// Returns the id that a search of the disk has in the audit log.
fn search_id(number: i64, is_clean: bool) -> String {
    format!("erasure {number}{}", if is_clean { "" } else { ", incomplete" })
}

/// Returns what the search of the disk with this number has found, if it is done, and whether that is nothing.
pub(crate) fn finding_of(c: &Connection, number: i64) -> rusqlite::Result<Option<(String, bool)>> {
    let sql = "SELECT what, id = ?1 FROM audit WHERE id IN (?1, ?2)";
    let ids = [search_id(number, true), search_id(number, false)];
    c.query_row(sql, ids, |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// Carries out a task. Returns what a search of the disk has found.
async fn one(server: &Server, entry: &Entry) -> Answer<Option<Remains>> {
    if entry.task == Task::SearchDisk {
        return searched(server, entry).await.map(Some);
    }
    // Archives are rewritten by one task at a time. Others are not kept waiting for it.
    let busy = |_| Refusal::busy("another archive is being rewritten");
    let _turn = match entry.task {
        Task::ErasePerson | Task::RemoveFetched => {
            Some(server.0.rewriting.try_lock().map_err(busy)?)
        }
        _ => None,
    };
    if !entry.batch.is_empty() && !jobs::stop(server, &entry.batch).await {
        return Err(Refusal::busy("the comparison does not end"));
    }
    let (store, data, entry) =
        (server.0.store.clone(), server.0.config.data.clone(), entry.clone());
    let person = entry.person.as_deref().filter(|_| entry.task == Task::ErasePerson);
    let rewritten = match person {
        Some(person) => {
            let request = person::rewriting(&data, person, &entry.batch)?;
            Some(server.0.errands.run(&server.0.config, JOURNAL, request).await?)
        }
        None => None,
    };
    run_blocking(move || carry_out(&store, &data, &entry, rewritten)).await?;
    Ok(None)
}

/// Searches the disk in a child process, which ends with the server.
async fn searched(server: &Server, entry: &Entry) -> Answer<Remains> {
    let command = remains::command(&server.0.config.program, &server.0.config.data);
    let mut child = Command::from(command).kill_on_drop(true).spawn()?;
    let mut input = child.stdin.take().ok_or_else(Refusal::fault)?;
    input.write_all(&serde_json::to_vec(&entry.names()).map_err(io::Error::from)?).await?;
    drop(input);
    Ok(remains::outcome(&child.wait_with_output().await?.stdout)?)
}

/// Carries out a task. The batch that it concerns must not be compared meanwhile. To erase a person, an errand must have
/// written its uploads anew. The disk is searched by a child process.
fn carry_out(
    store: &Store,
    data: &Path,
    entry: &Entry,
    rewritten: Option<ErrandFolder>,
) -> Answer<()> {
    let folder = data.join("batches").join(&entry.batch);
    match entry.task {
        Task::RemoveFolder => remove_folder(&folder)?,
        Task::RemoveReport => remove_reports(store, &folder)?,
        Task::ErasePerson => {
            let rewritten = rewritten.ok_or_else(Refusal::fault)?;
            replace_uploads(&folder, rewritten.path())?;
            remove_reports(store, &folder)?;
        }
        Task::RemoveFetched => remove_fetched(store, &folder, &entry.batch)?,
        Task::ForgetRows => store.forget()?,
        Task::SearchDisk => {}
    }
    Ok(())
}

/// Carries out all tasks, while no server runs.
pub(crate) fn carry_out_all(store: &Store, program: &Path, data: &Path) -> Answer<()> {
    while let Some(entry) = store.read(|c| journal::next(c, 0))? {
        let person = entry.person.as_deref().filter(|_| entry.task == Task::ErasePerson);
        let rewritten = match person {
            Some(person) => {
                let request = person::rewriting(data, person, &entry.batch)?;
                Some(errands::carry_out(data, &request)?)
            }
            None => None,
        };
        carry_out(store, data, &entry, rewritten)?;
        let remains = match entry.task {
            Task::SearchDisk => Some(remains::by_child(program, data, &entry.names())?),
            _ => None,
        };
        store.write(|tx| close(tx, &entry, Some(&remains)))?;
    }
    Ok(())
}

/// Puts the uploads of a batch that an errand has written anew in place.
fn replace_uploads(folder: &Path, rewritten: &Path) -> Answer<()> {
    let Some(work) = instructions::read(folder)? else { return Ok(()) };
    for upload in &work.inputs.paths {
        let place = folder.join(upload);
        fs::rename(errand::rewritten_in(rewritten, upload), &place)?;
        earlier::relink(folder, &place)?;
    }
    Ok(())
}

/// Removes a folder with everything in it, if it is there.
fn remove_folder(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    // Otherwise the names could be there again after a power failure, and no longer in the journal.
    match folder.parent() {
        Some(parent) if cfg!(unix) && parent.exists() => File::open(parent)?.sync_all(),
        _ => Ok(()),
    }
}

/// Removes the report of a batch, whole or not, and its instructions to compare with batches that are gone.
fn remove_reports(store: &Store, folder: &Path) -> Answer<()> {
    for name in ["report", OUTPUT] {
        remove_folder(&folder.join(name))?;
    }
    let Some(mut work) = instructions::read(folder)? else { return Ok(()) };
    let known: Vec<String> = store.read(|c| {
        let mut statement = c.prepare("SELECT id FROM batches")?;
        let ids = statement.query_map([], |row| row.get(0))?;
        ids.collect::<Result<_, _>>()
    })?;
    let n_before = work.inputs.archive.len();
    work.inputs.archive.retain(|path| {
        compared::batch_of(path).is_some_and(|id| known.iter().any(|one| one == id))
    });
    if work.inputs.archive.len() < n_before {
        instructions::save(folder, &work)?;
    }
    Ok(())
}

/// Removes the files fetched for a batch that no row waits for.
fn remove_fetched(store: &Store, folder: &Path, batch: &str) -> Answer<()> {
    let Ok(entries) = fs::read_dir(folder.join(FOLDER)) else { return Ok(()) };
    let waiting = store.read(|c| fetched::waiting(c, batch))?;
    for entry in entries {
        let entry = entry?;
        if !waiting.iter().any(|id| entry.file_name() == **id) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Has the journal remove the folders of batches that were never added, if they are as old as that.
pub(crate) fn remove_orphans(store: &Store, data: &Path, min_age: Duration) -> Answer<()> {
    for entry in fs::read_dir(data.join("batches"))? {
        let entry = entry?;
        let Ok(id) = entry.file_name().into_string() else { continue };
        let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
        if age >= min_age && !is_known(store, &id)? {
            store.write(|tx| journal::add(tx, Task::RemoveFolder, &id))?;
        }
    }
    Ok(())
}

/// Returns whether a batch has a row.
fn is_known(store: &Store, id: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM batches WHERE id = ?)";
    store.read(|c| c.query_row(sql, [id], |row| row.get(0)))
}

/// Removes what an interruption has left, before the first request: folders of batches that were never added, halves
/// of files, and reports that were not completed or were replaced.
pub(crate) fn tidy(store: &Store, data: &Path) -> Answer<()> {
    store.write(journal::make_due)?;
    store.write(|tx| compared::learn(tx, data))?;
    remove_orphans(store, data, Duration::ZERO)?;
    for entry in fs::read_dir(data.join("batches"))? {
        let entry = entry?;
        let Ok(id) = entry.file_name().into_string() else { continue };
        if is_known(store, &id)? {
            tidy_folder(store, &entry.path(), &id)?;
        }
    }
    Ok(())
}

fn tidy_folder(store: &Store, folder: &Path, id: &str) -> Answer<()> {
    for inner in fs::read_dir(folder)?.flatten() {
        let name = inner.file_name().to_string_lossy().into_owned();
        if name == OUTPUT {
            remove_folder(&inner.path())?;
        } else if INCOMING.contains(&&*name) || Path::new(&name).extension() == Some("new".as_ref())
        {
            fs::remove_file(inner.path())?;
        } else if name == FOLDER {
            remove_fetched(store, folder, id)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a server's folder with a batch `a`, a batch `b` whose report shows texts of `a`, and a folder without a row.
    fn with_batches(data: &Path) -> Store {
        for folder in ["a/report", "b/report", "b/new", "never-added"] {
            fs::create_dir_all(data.join("batches").join(folder)).expect("a folder");
        }
        let job = r#"{"settings":{},"inputs":{"paths":[],"archive":["../a/earlier/x.tar"]},"memory":0,"processor_seconds":0,"parent":0}"#;
        fs::write(data.join("batches/b/job.json"), job).expect("written");
        for half in ["b/job.json.new", "b/incoming", "b/report/report.json", "a/submissions.tar"] {
            fs::write(data.join("batches").join(half), "x").expect("written");
        }
        let store = Store::open(data).expect("opens");
        let rows = "INSERT INTO courses VALUES ('c', 'Programming', 1); INSERT INTO batches \
            (id, course, title, created, settings, n_files, bytes, state) VALUES \
            ('a', 'c', '', 1, '{}', 1, 1, 'done'), ('b', 'c', '', 1, '{}', 1, 1, 'done')";
        store.write(|tx| tx.execute_batch(rows)).expect("rows");
        store.write(|tx| compared::learn(tx, data)).expect("learnt");
        store
    }

    #[test]
    fn a_deletion_that_ends_at_any_step_is_completed_by_the_next_start() {
        for n_steps in 0.. {
            let data = tempfile::tempdir().expect("folder");
            let store = with_batches(data.path());
            store.write(|tx| delete(tx, "anna", "a")).expect("deleted");
            assert!(store.read(|c| journal::has_task(c, "b")).expect("read"), "b is not shown");
            // The last of these steps is done and not recorded, as if the server ended in between.
            let mut after = 0;
            for step in 0..n_steps {
                let next = store.read(|c| journal::next(c, after)).expect("read");
                let Some(entry) = next else { return assert!(n_steps > 3, "{n_steps} steps") };
                carry_out(&store, data.path(), &entry, None).expect("done");
                if step + 1 < n_steps {
                    store.write(|tx| close(tx, &entry, Some(&None))).expect("recorded");
                }
                after = entry.number;
            }
            drop(store);
            let store = Store::open(data.path()).expect("opens");
            tidy(&store, data.path()).expect("tidied");
            carry_out_all(&store, Path::new(""), data.path()).expect("done");
            assert_eq!(store.read(journal::count).expect("read"), 0);
            let names = |folder: &str| {
                let entries = fs::read_dir(data.path().join(folder)).expect("a folder").flatten();
                let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
                names.sort();
                names
            };
            assert_eq!(
                (names("batches"), names("batches/b")),
                (vec!["b".into()], vec!["job.json".into()])
            );
            let left =
                instructions::read(&data.path().join("batches/b")).expect("read").expect("there");
            assert!(left.inputs.archive.is_empty(), "it is compared with nothing that is gone");
            let sql = "SELECT state, (SELECT count(*) FROM jobs) FROM batches WHERE id = 'b'";
            let row = |row: &rusqlite::Row| Ok((row.get(0)?, row.get(1)?));
            let queued: (String, u32) = store.read(|c| c.query_row(sql, [], row)).expect("a row");
            assert_eq!(queued, ("queued".to_owned(), 1));
        }
    }

    #[test]
    fn a_task_that_fails_is_put_off_and_holds_up_no_other() {
        let data = tempfile::tempdir().expect("folder");
        let store = with_batches(data.path());
        // A file where a folder is expected cannot be removed as one.
        fs::remove_dir_all(data.path().join("batches/a")).expect("removed");
        fs::write(data.path().join("batches/a"), "x").expect("written");
        store.write(|tx| delete(tx, "anna", "a")).expect("deleted");
        let first = store.read(|c| journal::next(c, 0)).expect("read").expect("a task");
        assert!(carry_out(&store, data.path(), &first, None).is_err());
        store.write(|tx| close(tx, &first, None)).expect("recorded");
        let next = store.read(|c| journal::next(c, first.number)).expect("read").expect("another");
        assert_eq!((next.task, &*next.batch), (Task::RemoveReport, "b"));
        assert!(store.read(|c| journal::has_task(c, "a")).expect("read"), "it is kept for later");
        store.write(journal::make_due).expect("due");
        let again = store.read(|c| journal::next(c, 0)).expect("read").expect("a task");
        assert_eq!(again.number, first.number);
    }
}
