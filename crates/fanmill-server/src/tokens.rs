//! Tokens, with which programs act for an account.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use rusqlite::params;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::Caller;
use crate::error::{Answer, Refusal};
use crate::from_object::FromObject;
use crate::name::Name;
use crate::secret;
use crate::state::Server;
use crate::store::{now, rfc3339};

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewToken {
    /// A name for it, for its owner.
    label: Name,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Token {
    #[schema(format = DateTime)]
    created: String,
    id: String,
    label: String,
    /// The time when it was last used.
    #[schema(required, format = DateTime)]
    used: Option<String>,
}

/// A newly made token.
#[derive(Serialize, ToSchema)]
pub(crate) struct MadeToken {
    id: String,
    /// The secret that programs send as `Authorization: Bearer TOKEN`; it is not shown again.
    token: String,
}

pub(crate) async fn list(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
) -> Answer<Json<Vec<Token>>> {
    let id = asker.someone()?.id.clone();
    let rows = server.read(move |c| {
        let sql = "SELECT id, label, created, used FROM tokens WHERE user = ? ORDER BY created";
        let mut statement = c.prepare(sql)?;
        let rows = statement.query_map([id], |row| {
            Ok(Token {
                id: row.get(0)?,
                label: row.get(1)?,
                created: rfc3339(row.get(2)?),
                used: row.get::<_, Option<i64>>(3)?.map(rfc3339),
            })
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    });
    Ok(Json(rows.await?))
}

pub(crate) async fn add(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Json(FromObject(NewToken { label })): Json<FromObject<NewToken>>,
) -> Answer<(StatusCode, Json<MadeToken>)> {
    let user = asker.someone()?.id.clone();
    let (id, token) = (secret::random::<16>(), secret::random::<32>());
    let body = MadeToken { id: id.clone(), token: token.clone() };
    let sql = "INSERT INTO tokens (id, user, hash, label, created) VALUES (?, ?, ?, ?, ?)";
    let hash = secret::hash(&token);
    server
        .write(move |tx| Ok(tx.execute(sql, params![id, user, hash, String::from(label), now()])?))
        .await?;
    Ok((StatusCode::CREATED, Json(body)))
}

pub(crate) async fn remove(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    let user = asker.someone()?.id.clone();
    let sql = "DELETE FROM tokens WHERE id = ? AND user = ?";
    match server.write(move |tx| Ok(tx.execute(sql, [id, user])?)).await? {
        0 => Err(Refusal::missing()),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}
