//! Export and erasure of one person's work over HTTP, in courses that the asking account owns.

use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::access::Caller;
use crate::erasure::Erasure;
use crate::error::Answer;
use crate::person::{self, Batch};
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::{lti, removal};

#[derive(Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Person {
    /// The person's name or id, as it appears in the name of what was handed in.
    name: String,
}

/// The numbers of batches that an erasure has changed.
#[derive(Serialize, ToSchema)]
pub(crate) struct Erased {
    /// Number of batches that are compared again, without the person.
    compared_again: usize,
    /// Number of batches that were deleted because nobody else was in them.
    deleted: usize,
}

async fn own_batches(server: &Server, owner: String) -> Answer<Vec<Batch>> {
    server.read(move |c| Ok(person::batches(c, Some(&owner))?)).await
}

pub(crate) async fn export(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Query(Person { name }): Query<Person>,
) -> Answer<Response> {
    let batches = own_batches(&server, asker.someone()?.id.clone()).await?;
    let data = server.0.config.data.clone();
    let zip = run_blocking(move || {
        let found = person::find_some(&data, &batches, &name)?;
        person::export(&found, name.trim())
    });
    let headers = [
        (header::CONTENT_TYPE, "application/zip"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"person.zip\""),
    ];
    Ok((headers, zip.await?).into_response())
}

pub(crate) async fn erase(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Json(Person { name }): Json<Person>,
) -> Answer<(StatusCode, Json<Erased>)> {
    let by = asker.someone()?.id.clone();
    let own = own_batches(&server, by.clone()).await?;
    let names = lti::names::of_unpacked(&server, &person::all_ids(&own)).await?;
    // Nothing is packed while this lock is held, so each file is either in an archive or waits outside.
    let _turn = server.0.rewriting.lock().await;
    let (store, data) = (server.0.store.clone(), server.0.config.data.clone());
    let erased = run_blocking(move || {
        let erasure = Erasure::new(&store, &data, &own, &name, &names)?;
        store.write(|tx| erasure.erase(tx, &data, &by))
    });
    let erased = erased.await?;
    let counts = Erased { deleted: erased.deleted, compared_again: erased.compared_again };
    removal::wake(&server);
    Ok((StatusCode::ACCEPTED, Json(counts)))
}
