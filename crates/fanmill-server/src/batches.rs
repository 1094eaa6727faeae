//! Batches: uploading, comparing, watching and cancelling them.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::{Multipart, Path, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::{Extension, Json};
use fanmill_jobs::compare::Inputs;
use futures_util::stream::{self, Stream};
use rusqlite::{Row, Transaction, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::access::Caller;
use crate::error::{Answer, Refusal};
use crate::from_object::FromObject;
use crate::job::Step;
use crate::made::Made;
use crate::pace::BufferedBytes;
use crate::permits::Permit;
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::store::{audit, now, rfc3339};
use crate::summary::Summary;
use crate::upload::{Part, Upload, Uploaded};
use crate::work::{Plan, Settings, unreadable};
use crate::{compared, earlier, instructions, jobs, quota, reserve, results, secret, work};

#[derive(Deserialize, ToSchema)]
pub(crate) struct Rerun {
    /// If true, the files are only read, and the batch is `proposed`.
    #[serde(default)]
    look_first: bool,
    #[serde(default)]
    #[schema(value_type = Option<Settings>)]
    settings: Value,
}

/// A file, or an archive of files.
#[derive(ToSchema)]
#[schema(value_type = String, content_media_type = "application/octet-stream")]
#[expect(dead_code, reason = "forms are read as they come; this describes them")]
pub(crate) struct FormFile(Vec<u8>);

/// The form that uploads a batch.
#[derive(ToSchema)]
#[expect(dead_code, reason = "forms are read as they come; this describes them")]
pub(crate) struct BatchForm {
    /// If true, the files are only read, and the batch is `proposed`: somebody looks at how they were taken, and has
    /// them compared.
    #[schema(required = false)]
    look_first: bool,
    #[schema(required = false)]
    settings: Settings,
    submissions: Vec<FormFile>,
    /// The files that all students were given.
    #[schema(required = false)]
    base: Vec<FormFile>,
    /// At most 10000 bytes.
    #[schema(required = false)]
    title: String,
}

/// A batch as the API shows it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Batch {
    /// Size of everything that was uploaded.
    pub(crate) bytes: i64,
    /// The id of its course.
    pub(crate) course: String,
    #[schema(format = DateTime)]
    created: String,
    /// The reason why it could not be compared.
    #[schema(required)]
    error: Option<String>,
    #[schema(required, format = DateTime)]
    finished: Option<String>,
    pub(crate) id: String,
    /// True if it is earlier work of its course.
    is_archived: bool,
    n_files: i64,
    #[schema(required)]
    progress: Option<Step>,
    /// The path of its report, once that is complete.
    #[schema(required)]
    report: Option<String>,
    /// Size of its report.
    report_bytes: i64,
    #[schema(required, value_type = Option<Settings>)]
    pub(crate) settings: Option<Value>,
    /// `collecting`, `queued`, `running`, `proposed`, `done`, `failed` or `cancelled`.
    pub(crate) state: String,
    /// Extent and findings of the comparison, or of reading alone while the batch is `proposed`. `null` until then, and
    /// in batches that an older release has compared.
    #[schema(required)]
    summary: Option<Summary>,
    pub(crate) title: String,
}

/// The fields that change while a batch is compared.
#[derive(PartialEq, Serialize, ToSchema)]
pub(crate) struct BatchEvent {
    /// The reason why it could not be compared.
    #[schema(required)]
    error: Option<String>,
    #[schema(required)]
    progress: Option<Step>,
    /// As in `Batch`.
    state: String,
}

/// Returns whether a batch in this state is being compared or waits for it.
fn is_in_work(state: &str) -> bool {
    state == "queued" || state == "running"
}

const COLUMNS: &str = "id, course, title, state, created, finished, settings, n_files, bytes, progress, error, archived, summary, report_bytes";

fn parsed<T: DeserializeOwned>(text: Option<String>) -> Option<T> {
    text.and_then(|text| serde_json::from_str(&text).ok())
}

fn shown(row: &Row) -> rusqlite::Result<Batch> {
    let (id, state): (String, String) = (row.get(0)?, row.get(3)?);
    let report = (state == "done").then(|| format!("/batches/{id}/report/"));
    Ok(Batch {
        id,
        course: row.get(1)?,
        title: row.get(2)?,
        state,
        created: rfc3339(row.get(4)?),
        finished: row.get::<_, Option<i64>>(5)?.map(rfc3339),
        settings: parsed(row.get(6)?),
        n_files: row.get(7)?,
        bytes: row.get(8)?,
        progress: parsed(row.get(9)?),
        error: row.get(10)?,
        is_archived: row.get(11)?,
        summary: parsed(row.get(12)?),
        report_bytes: row.get(13)?,
        report,
    })
}

pub(crate) async fn list(
    State(server): State<Server>,
    Path(course): Path<String>,
) -> Answer<Json<Vec<Batch>>> {
    let rows = server.read(move |c| {
        let sql = format!(
            "SELECT {COLUMNS} FROM batches WHERE course = ? ORDER BY created DESC, rowid DESC"
        );
        let mut statement = c.prepare(&sql)?;
        let rows = statement.query_map([course], shown)?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    });
    Ok(Json(rows.await?))
}

pub(crate) async fn show(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> Answer<Json<Batch>> {
    Ok(Json(one(&server, id).await?))
}

pub(crate) async fn one(server: &Server, id: String) -> Answer<Batch> {
    let sql = format!("SELECT {COLUMNS} FROM batches WHERE id = ?");
    server.read(move |c| Ok(c.query_row(&sql, [id], shown)?)).await
}

/// The folder of a new batch, which is removed again unless the batch is added: also if the client goes away, and the
/// request with it.
pub(crate) struct NewFolder {
    server: Server,
    pub(crate) id: String,
    is_kept: bool,
}

impl NewFolder {
    pub(crate) fn make(server: &Server) -> Answer<NewFolder> {
        let id = secret::random::<16>();
        std::fs::create_dir_all(server.folder(&id))?;
        Ok(NewFolder { server: server.clone(), id, is_kept: false })
    }

    fn keep(mut self) {
        self.is_kept = true;
    }

    /// Removes it before the answer is given.
    pub(crate) async fn discard(mut self) {
        self.is_kept = true;
        let folder = self.server.folder(&self.id);
        let _ = run_blocking(move || Ok(std::fs::remove_dir_all(folder)?)).await;
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if !self.is_kept {
            let folder = self.server.folder(&self.id);
            // It may be dropped on any thread. If the server ends before, the next start removes it.
            std::thread::spawn(move || std::fs::remove_dir_all(folder));
        }
    }
}

pub(crate) async fn add(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Extension(held): Extension<BufferedBytes>,
    Path(course): Path<String>,
    form: Multipart,
) -> Answer<(StatusCode, Json<Made>)> {
    let by = asker.someone()?.id.clone();
    let _turn = begin_upload(&server, &by).await?;
    let (folder, form) = received(&server, &by, form, &held, 0).await?;
    let (id, upload) = (folder.id.clone(), form.upload);
    let Form { title, settings, look_first, .. } = form;
    let new = New { id: id.clone(), course, by, title, settings, look_first };
    // A task of its own goes on without the client, so that the folder is kept if and only if the row is.
    let added = tokio::spawn(async move {
        let added = enqueue(&folder.server, new, upload, None).await;
        if added.is_ok() {
            folder.keep();
        } else {
            folder.discard().await;
        }
        added
    });
    added.await.map_err(|_| Refusal::fault())??;
    Ok((StatusCode::CREATED, Json(Made { id })))
}

/// Refuses uploads while the disk is nearly full.
pub(crate) fn enough_room(server: &Server) -> Answer<()> {
    let min = server.0.config.uploads.free_bytes.max(reserve::LEAST_FREE);
    match free_bytes(server)? {
        Some(free) if free < min => Err(Refusal::new(
            StatusCode::INSUFFICIENT_STORAGE,
            format!(
                "{free} bytes are free on the server, and {min} must stay free; delete batches"
            ),
        )),
        _ => Ok(()),
    }
}

/// Returns the bytes that are free on the disk of the data folder, where the system says so.
pub(crate) fn free_bytes(server: &Server) -> Answer<Option<u64>> {
    Ok(reserve::free_bytes(&server.0.config.data)?)
}

/// Takes a place among the uploads that are received, if there is room for one more and the account may have it.
pub(crate) async fn begin_upload(server: &Server, by: &str) -> Answer<Permit> {
    let busy = || {
        Refusal::busy(
            "the server receives too many uploads, or too many of this account; try again",
        )
    };
    let turn = server.0.uploading.take(by).ok_or_else(busy)?;
    enough_room(server)?;
    quota::check_upload(server, by).await?;
    Ok(turn)
}

/// Receives a form of an account into a new folder, within what it may still store. `n_bytes` are in the batch already.
pub(crate) async fn received(
    server: &Server,
    by: &str,
    form: Multipart,
    held: &BufferedBytes,
    n_bytes: u64,
) -> Answer<(NewFolder, Form)> {
    let mut limits = server.0.config.limits();
    limits.batch = limits.batch.saturating_sub(n_bytes);
    limits.left = quota::bytes_left(server, by).await?;
    let folder = NewFolder::make(server)?;
    let upload = Upload::new(&server.folder(&folder.id), limits);
    match read_form(upload, form, held).await {
        Ok(form) => Ok((folder, form)),
        Err(refusal) => {
            folder.discard().await;
            Err(refusal)
        }
    }
}

/// A form that was read. Its files are in the upload.
pub(crate) struct Form {
    pub(crate) title: String,
    pub(crate) settings: Value,
    pub(crate) look_first: bool,
    pub(crate) upload: Upload,
}

/// Reads a form.
pub(crate) async fn read_form(
    mut upload: Upload,
    mut form: Multipart,
    held: &BufferedBytes,
) -> Answer<Form> {
    let malformed = |_| Refusal::bad("the form is cut short, or is not multipart/form-data");
    let (mut title, mut settings, mut look_first) =
        (String::new(), "{}".to_owned(), "false".to_owned());
    while let Some(mut field) = form.next_field().await.map_err(malformed)? {
        held.read();
        let part = match field.name() {
            Some("submissions") => Part::Submissions,
            Some("base") => Part::Base,
            Some(name @ ("title" | "settings" | "look_first")) => {
                let place = match name {
                    "title" => &mut title,
                    "settings" => &mut settings,
                    _ => &mut look_first,
                };
                // These are held in memory, so their size is limited.
                let mut text = Vec::new();
                while let Some(piece) = field.chunk().await.map_err(malformed)? {
                    held.read();
                    text.extend(piece);
                    if text.len() > 10_000 {
                        return Err(Refusal::bad("title and settings have at most 10000 bytes"));
                    }
                }
                *place =
                    String::from_utf8(text).map_err(|_| Refusal::bad("the form is not UTF-8"))?;
                continue;
            }
            other => {
                let name = other.unwrap_or_default();
                return Err(Refusal::bad(format!("the form has no field `{name}`")));
            }
        };
        upload.begin(part, field.file_name().unwrap_or_default())?;
        while let Some(piece) = field.chunk().await.map_err(malformed)? {
            held.read();
            upload.bytes(&piece)?;
        }
        // A file is copied into an archive here.
        tokio::task::block_in_place(|| upload.end())?;
    }
    let settings: Value = serde_json::from_str(&settings).map_err(|error| unreadable(&error))?;
    let look_first = look_first.parse().map_err(|_| {
        Refusal::bad(format!("`look_first` is `true` or `false`, not `{look_first}`"))
    })?;
    Ok(Form { title, settings, look_first, upload })
}

/// A newly uploaded batch.
pub(crate) struct New {
    pub(crate) id: String,
    pub(crate) course: String,
    /// The account that owns it.
    pub(crate) by: String,
    pub(crate) title: String,
    pub(crate) settings: Value,
    pub(crate) look_first: bool,
}

/// Adds the batch of a finished upload, and queues its comparison.
pub(crate) async fn enqueue(
    server: &Server,
    new: New,
    upload: Upload,
    moss: Option<results::MossPages>,
) -> Answer<()> {
    let (n_files, n_bytes) = (upload.n_files.cast_signed(), upload.n_bytes.cast_signed());
    let uploaded = run_blocking(move || upload.finish()).await?;
    if uploaded.submissions.is_empty() {
        return Err(Refusal::bad("no file is in `submissions`; choose some"));
    }
    let at = server.clone();
    let queued = server.write(move |tx| {
        let New { id, course, by, title, settings, look_first } = new;
        // In the transaction, so that nothing of this is deleted before the batch is known to be compared with it.
        let archive = earlier::batches(tx, &course, &id)?;
        let plan = Plan { title: &title, settings: &settings, look_first };
        let (parsed, earlier) = work::write(&at, &id, &plan, uploaded, &archive, moss)?;
        tx.execute(
            "INSERT INTO batches (id, course, title, created, settings, n_files, bytes, state, anonymous, by_user) \
             VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?)",
            params![id, course, title, now(), settings.to_string(), n_files, n_bytes, parsed.anonymous, by],
        )?;
        compared::add(tx, &id, &earlier)?;
        jobs::queue(tx, &id)?;
        Ok(audit(tx, &by, "batch uploaded", &id)?)
    });
    queued.await?;
    server.0.queued.notify_one();
    Ok(())
}

pub(crate) async fn run(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Path(id): Path<String>,
    Json(FromObject(Rerun { settings, look_first })): Json<FromObject<Rerun>>,
) -> Answer<StatusCode> {
    let by = asker.someone()?.id.clone();
    quota::check_queue(&server, &by).await?;
    again(&server, by, id, settings, Again::Same { look_first }).await?;
    Ok(StatusCode::ACCEPTED)
}

/// The files that are compared again.
#[derive(Debug)]
pub(crate) enum Again {
    /// Those of the run before.
    Same {
        /// True if they are only read.
        look_first: bool,
    },
    /// Those in another upload.
    Uploaded(Uploaded),
}

pub(crate) fn in_work() -> Refusal {
    Refusal::new(StatusCode::CONFLICT, "the batch is being compared; cancel that first")
}

/// Refuses to change a batch that is being compared, or has no files yet.
pub(crate) fn check_idle(batch: &Batch) -> Answer<()> {
    match &*batch.state {
        "queued" | "running" => Err(in_work()),
        "collecting" => {
            let message = "nothing that was handed in has been fetched yet; wait a few minutes";
            Err(Refusal::new(StatusCode::CONFLICT, message))
        }
        _ => Ok(()),
    }
}

/// Queues a batch's comparison with these settings, unless one is queued or running.
pub(crate) async fn again(
    server: &Server,
    by: String,
    id: String,
    settings: Value,
    files: Again,
) -> Answer<()> {
    let batch = one(server, id.clone()).await?;
    let (uploaded, moss, look_first) = match files {
        Again::Uploaded(_) if is_in_work(&batch.state) => return Err(in_work()),
        Again::Uploaded(uploaded) => (uploaded, None, false),
        Again::Same { look_first } => {
            check_idle(&batch)?;
            let before = instructions::read(&server.folder(&id))?.ok_or_else(Refusal::missing)?;
            let Inputs { paths, base, .. } = before.inputs;
            (Uploaded { submissions: paths, base }, before.moss, look_first)
        }
    };
    // Somebody has looked, which counted as a comparison.
    let what = match (&*batch.state, look_first) {
        ("proposed", false) => "batch compared",
        _ => "batch run again",
    };
    let at = server.clone();
    let queued = server.write(move |tx| {
        let plan = Plan { title: &batch.title, settings: &settings, look_first };
        queue_again(tx, &at, &batch, &plan, uploaded, moss)?;
        Ok(audit(tx, &by, what, &id)?)
    });
    queued.await?;
    server.0.queued.notify_one();
    Ok(())
}

/// Queues a batch's comparison in a transaction.
pub(crate) fn queue_again(
    tx: &Transaction,
    server: &Server,
    batch: &Batch,
    plan: &Plan<'_>,
    uploaded: Uploaded,
    moss: Option<results::MossPages>,
) -> Answer<()> {
    // The state is checked again here, as another request may have queued the batch since it was read.
    let sql = "UPDATE batches SET state = 'queued', settings = ?, error = NULL, summary = NULL \
               WHERE id = ? AND state NOT IN ('queued', 'running')";
    let id = &batch.id;
    if tx.execute(sql, params![plan.settings.to_string(), id])? == 0 {
        return Err(in_work());
    }
    let archive = earlier::batches(tx, &batch.course, id)?;
    let (parsed, earlier) = work::write(server, id, plan, uploaded, &archive, moss)?;
    let sql = "UPDATE batches SET anonymous = ? WHERE id = ?";
    tx.execute(sql, params![parsed.anonymous, id])?;
    compared::add(tx, id, &earlier)?;
    jobs::queue(tx, id)
}

pub(crate) async fn cancel(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    halt(&server, &id).await?;
    jobs::stop(&server, &id).await;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes a batch out of the queue. Nothing that its child process has done counts any more.
pub(crate) async fn halt(server: &Server, id: &str) -> Answer<()> {
    let batch = id.to_owned();
    let cancelled = server.write(move |tx| {
        if tx.execute("DELETE FROM jobs WHERE batch = ?", [&batch])? > 0 {
            let sql = "UPDATE batches SET state = 'cancelled', progress = NULL, finished = ? WHERE id = ?";
            tx.execute(sql, params![now(), batch])?;
        }
        Ok(())
    });
    cancelled.await
}

/// Streams state and progress at each change, until the job ends.
pub(crate) async fn events(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let start = Some((server, id, None));
    let events = stream::unfold(start, |at| async move {
        let (server, id, last) = at?;
        loop {
            let batch = one(&server, id.clone()).await.ok()?;
            let Batch { error, progress, state, .. } = batch;
            let now = Some(BatchEvent { error, progress, state });
            if now != last {
                let event = Event::default().data(serde_json::to_string(&now).ok()?);
                let goes_on = now.as_ref().is_some_and(|now| is_in_work(&now.state));
                return Some((Ok(event), goes_on.then_some((server, id, now))));
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}
