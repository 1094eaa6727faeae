//! One person's work, over HTTP: in the courses whose owner asks, and no others.

use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::access::Asker;
use crate::aside::aside;
use crate::error::Answer;
use crate::person::{self, Batch};
use crate::state::Server;
use crate::{batches, jobs, removal};

#[derive(Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Person {
    /// The name or the id in the name of what was handed in.
    name: String,
}

/// What became of batches.
#[derive(Serialize, ToSchema)]
pub(crate) struct Erased {
    /// How many are compared again, without the person.
    compared_again: usize,
    /// How many had nobody else in them.
    deleted: usize,
}

async fn own_batches(server: &Server, owner: String) -> Answer<Vec<Batch>> {
    server.read(move |c| Ok(person::batches(c, Some(&owner))?)).await
}

pub(crate) async fn export(
    State(server): State<Server>,
    Extension(asker): Extension<Asker>,
    Query(Person { name }): Query<Person>,
) -> Answer<Response> {
    let batches = own_batches(&server, asker.someone()?.id.clone()).await?;
    let data = server.0.config.data.clone();
    let zip = aside(move || {
        let found = person::find_all(&data, &batches, &name)?;
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
    Extension(asker): Extension<Asker>,
    Json(Person { name }): Json<Person>,
) -> Answer<(StatusCode, Json<Erased>)> {
    let by = asker.someone()?.id.clone();
    let own = own_batches(&server, by.clone()).await?;
    let data = server.0.config.data.clone();
    let (at, of) = (data.clone(), name.clone());
    let found = aside(move || person::find_all(&at, &own, &of)).await?;
    let all = server.read(|c| Ok(person::batches(c, None)?)).await?;
    let (at, with, every) = (data.clone(), person::ids(&found), all.clone());
    let touched = aside(move || person::compared_with(&at, &every, &with)).await?;
    for id in person::ids(&found).iter().chain(&touched) {
        batches::halt(&server, id).await?;
        jobs::stop(&server, id).await;
    }
    let names = person::names(&found);
    let _turn = server.0.rewriting.lock().await;
    let erased = aside(move || person::erase(&data, &found, &all, name.trim())).await?;
    let counts = Erased { deleted: erased.0.len(), compared_again: erased.1.len() };
    let empty = erased.0.clone();
    server.write(move |tx| person::erase_rows(tx, &by, &erased, &names)).await?;
    removal::erase(&server, &empty).await?;
    server.0.queued.notify_one();
    Ok((StatusCode::ACCEPTED, Json(counts)))
}
