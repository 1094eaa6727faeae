//! Export and erasure of one person's work over HTTP, in courses that the asking account owns.

use std::fs::File;
use std::io::{self, Read};

use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::access::Caller;
use crate::erasure::{self, Erasure};
use crate::errand::{ErrandKind, UnreadBatch};
use crate::errands::ListedErrand;
use crate::error::{Answer, Refusal};
use crate::from_object::FromObject;
use crate::name::Name;
use crate::person::{self, Batch};
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::{errand, journal, lti, removal};

#[derive(Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Person {
    /// The person's name or id, as it appears in the name of what was handed in.
    #[param(inline)]
    name: Name,
}

/// The numbers of batches that an erasure has changed.
#[derive(Serialize, ToSchema)]
pub(crate) struct Erased {
    /// Number of batches that are compared again, without the person.
    compared_again: usize,
    /// Number of batches that were deleted because nobody else was in them.
    deleted: usize,
    /// Batches in which something of the person may be left, as an upload cannot be read.
    not_searched: Vec<UnreadBatch>,
    /// The number of the search of the disk that ends it: `GET /api/v1/people/erasures/{number}`.
    number: i64,
}

/// The refusal of an erasure that has found nothing where it could search.
#[derive(Serialize, ToSchema)]
pub(crate) struct NotErased {
    /// The reason, in one sentence.
    error: String,
    /// Batches in which something of the person may be, as an upload cannot be read.
    not_searched: Vec<UnreadBatch>,
}

/// The end of an erasure: a search of the disk.
#[derive(Serialize, ToSchema)]
pub(crate) struct DiskSearch {
    /// The finding, as the audit log has it; empty until it is done.
    finding: String,
    /// True if no name was found.
    is_clean: bool,
    /// False as long as files are still removed, or searched.
    is_done: bool,
}

async fn own_batches(server: &Server, owner: String) -> Answer<Vec<Batch>> {
    server.read(move |c| Ok(person::batches(c, Some(&owner))?)).await
}

pub(crate) async fn export(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Query(Person { name }): Query<Person>,
) -> Answer<Response> {
    let account = asker.someone()?.id.clone();
    let batches = own_batches(&server, account.clone()).await?;
    let data = server.0.config.data.clone();
    let name = String::from(name);
    let wanted = name.clone();
    let request =
        run_blocking(move || person::request(&data, ErrandKind::Export, &wanted, &batches)).await?;
    let folder = server.0.errands.run(&server.0.config, &account, request).await?;
    let opened = run_blocking(move || {
        let findings = errand::findings(folder.path())?;
        if findings.found.is_empty() && findings.unread.is_empty() {
            return Err(person::nothing(&name));
        }
        let file = File::open(errand::packed_in(folder.path()))?;
        Ok((file.metadata()?.len(), file))
    });
    let (n_bytes, file) = opened.await?;
    let headers = [
        (header::CONTENT_TYPE, "application/zip".to_owned()),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"person.zip\"".to_owned()),
        (header::CONTENT_LENGTH, n_bytes.to_string()),
    ];
    Ok((headers, streamed(file)).into_response())
}

/// Makes a body of an open file, which is read piece by piece.
fn streamed(file: File) -> Body {
    Body::from_stream(stream::try_unfold(file, |mut file| async {
        let read = run_blocking(move || {
            let mut piece = vec![0; 256 << 10];
            let n = file.read(&mut piece)?;
            piece.truncate(n);
            Ok((piece, file))
        });
        let (piece, file) = read.await.map_err(|refusal| io::Error::other(refusal.message))?;
        Ok::<_, io::Error>((!piece.is_empty()).then_some((piece, file)))
    }))
}

pub(crate) async fn erase(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Json(FromObject(Person { name })): Json<FromObject<Person>>,
) -> Answer<(StatusCode, Json<Erased>)> {
    let by = asker.someone()?.id.clone();
    // A task of its own goes on without the client.
    let erased = tokio::spawn(async move { erased(&server, by, name.into()).await });
    Ok((StatusCode::ACCEPTED, Json(erased.await.map_err(|_| Refusal::fault())??)))
}

async fn erased(server: &Server, by: String, name: String) -> Answer<Erased> {
    let own = own_batches(server, by.clone()).await?;
    let names = lti::names::of_unpacked(server, &person::all_ids(&own)).await?;
    // Nothing is packed while this lock is held, so each file is either in an archive or waits outside.
    let turn = server.0.rewriting.lock().await;
    let (data, wanted, searched) = (server.0.config.data.clone(), name.clone(), own.clone());
    let request =
        run_blocking(move || person::request(&data, ErrandKind::Find, &wanted, &searched)).await?;
    let folder = server.0.errands.run(&server.0.config, &by, request).await?;
    let (store, data) = (server.0.store.clone(), server.0.config.data.clone());
    let erased = run_blocking(move || {
        let findings = errand::findings(folder.path())?;
        let erasure = Erasure::new(&store, findings, &own, &name, &names)?;
        store.write(|tx| erasure.erase(tx, &data, &by))
    });
    let erased = erased.await?;
    drop(turn);
    removal::wake(server);
    let erasure::Erased { deleted, compared_again, unread: not_searched, search: number } = erased;
    Ok(Erased { compared_again, deleted, not_searched, number })
}

/// Shows how far an erasure is. Its number does not identify the person.
pub(crate) async fn erasure(
    State(server): State<Server>,
    Path(number): Path<i64>,
) -> Answer<Json<DiskSearch>> {
    let read = server
        .read(move |c| Ok((journal::is_waiting(c, number)?, removal::finding_of(c, number)?)));
    match read.await? {
        (true, _) => {
            Ok(Json(DiskSearch { finding: String::new(), is_clean: false, is_done: false }))
        }
        (false, Some((finding, is_clean))) => {
            Ok(Json(DiskSearch { finding, is_clean, is_done: true }))
        }
        (false, None) => Err(Refusal::missing()),
    }
}

/// Lists the asking account's exports and searches, with their progress.
pub(crate) async fn list(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
) -> Answer<Json<Vec<ListedErrand>>> {
    Ok(Json(server.0.errands.list(&asker.someone()?.id)))
}
