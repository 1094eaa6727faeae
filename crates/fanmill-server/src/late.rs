//! Late submissions, which join a batch: its marks, links and settings stay.

use std::fs;
use std::path::PathBuf;

use axum::extract::{Multipart, Path as At, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use fanmill_jobs::compare::Inputs;
use fanmill_source::GroupBy;
use rusqlite::{Transaction, params};
use utoipa::ToSchema;

use crate::access::Caller;
use crate::batches::{self, Batch, FormFile, NewFolder};
use crate::errand::{self, ErrandKind, ErrandRequest, SearchedBatch};
use crate::errands::ErrandFolder;
use crate::error::{Answer, Refusal};
use crate::joining::Joined;
use crate::pace::BufferedBytes;
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::store::audit;
use crate::upload::{SUBMISSIONS, Uploaded, list_name};
use crate::work::Plan;
use crate::{earlier, instructions, journal};

/// The form that uploads late submissions.
#[derive(ToSchema)]
#[expect(dead_code, reason = "forms are read as they come; this describes them")]
pub(crate) struct LateForm {
    /// If true, the files are only read, and the batch is `proposed`.
    #[schema(required = false)]
    look_first: bool,
    submissions: Vec<FormFile>,
}

/// Adds late submissions to a batch, and queues its comparison.
pub(crate) async fn add(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Extension(held): Extension<BufferedBytes>,
    At(id): At<String>,
    form: Multipart,
) -> Answer<(StatusCode, Json<Joined>)> {
    let by = asker.someone()?.id.clone();
    let _turn = batches::begin_upload(&server, &by).await?;
    let batch = batches::one(&server, id).await?;
    batches::check_idle(&batch)?;
    let (folder, form) =
        batches::received(&server, &by, form, &held, batch.bytes.unsigned_abs()).await?;
    let (look_first, n_files) = (form.look_first, form.upload.n_files);
    let upload = form.upload;
    let later = run_blocking(move || upload.finish()).await?;
    if later.submissions.is_empty() {
        return Err(Refusal::bad("no file is in `submissions`; choose some"));
    }
    // Nobody's work is erased from the archive while it is written anew.
    let rewriting = server.0.rewriting.lock().await;
    let former = instructions::read(&server.folder(&batch.id))?.ok_or_else(Refusal::missing)?;
    let request = ErrandRequest {
        kind: ErrandKind::Join,
        name: String::new(),
        batches: vec![
            searched(&batch.id, &former.inputs.paths, former.inputs.group_by),
            searched(&folder.id, &later.submissions, former.inputs.group_by),
        ],
        unread: Vec::new(),
        memory: 0,
        processor_seconds: 0,
        parent: std::process::id(),
    };
    let made = server.0.errands.run(&server.0.config, &by, request).await?;
    let joined = errand::joined(made.path())?;
    let late = Late { batch, folder, later, made, inputs: former.inputs, n_files, look_first };
    let at = server.clone();
    let late = server.write(move |tx| late.put_in_place(tx, &at, &by).map(|()| late)).await?;
    late.folder.discard().await;
    drop(rewriting);
    server.0.queued.notify_one();
    Ok((StatusCode::ACCEPTED, Json(joined)))
}

fn searched(id: &str, uploads: &[PathBuf], group_by: GroupBy) -> SearchedBatch {
    SearchedBatch { id: id.to_owned(), title: String::new(), uploads: uploads.to_vec(), group_by }
}

/// Late submissions of a batch, in an archive with the others.
struct Late {
    batch: Batch,
    /// The folder that they were received into.
    folder: NewFolder,
    later: Uploaded,
    /// The folder of the errand that has written the archive.
    made: ErrandFolder,
    /// The inputs of the comparison before.
    inputs: Inputs,
    n_files: u64,
    look_first: bool,
}

impl Late {
    /// Puts the archive and the lists in place, and queues the comparison.
    fn put_in_place(&self, tx: &Transaction, server: &Server, by: &str) -> Answer<()> {
        let id = &self.batch.id;
        // Somebody may have been erased from the batch since the archive was read.
        if journal::has_task(tx, id)? {
            return Err(Refusal::busy("something is being erased from the batch; try again"));
        }
        let settings = self.batch.settings.clone().unwrap_or_default();
        let plan =
            Plan { title: &self.batch.title, settings: &settings, look_first: self.look_first };
        let former = &self.inputs.paths;
        let lists = self.later.submissions.iter().filter(|upload| errand::is_list(upload));
        let renamed: Vec<(&PathBuf, PathBuf)> = lists
            .zip(former.len()..)
            .map(|(list, number)| (list, PathBuf::from(list_name(SUBMISSIONS, number))))
            .collect();
        let submissions = former.iter().chain(renamed.iter().map(|(_, name)| name)).cloned();
        let uploaded =
            Uploaded { submissions: submissions.collect(), base: self.inputs.base.clone() };
        let all = [&uploaded.submissions[..], &uploaded.base].concat();
        batches::queue_again(tx, server, &self.batch, &plan, uploaded, None)?;
        let folder = server.folder(id);
        for (list, name) in renamed {
            fs::rename(server.folder(&self.folder.id).join(list), folder.join(name))?;
        }
        for upload in former.iter().filter(|upload| !errand::is_list(upload)) {
            let place = folder.join(upload);
            fs::rename(errand::rewritten_in(self.made.path(), upload), &place)?;
            earlier::relink(&folder, &place)?;
        }
        let mut n_bytes = 0;
        for upload in all {
            n_bytes += fs::metadata(folder.join(upload))?.len();
        }
        let sql = "UPDATE batches SET n_files = n_files + ?, bytes = ? WHERE id = ?";
        tx.execute(sql, params![self.n_files.cast_signed(), n_bytes.cast_signed(), id])?;
        Ok(audit(tx, by, "late submissions added", id)?)
    }
}
