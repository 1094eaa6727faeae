//! Sessions of people who are logged in: begun with a password or a one-time secret, and their end.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::{Caller, Client, User, unknown};
use crate::accounts::{insert_user, moss_id, redeem, used_up, user_of};
use crate::error::{Answer, Refusal};
use crate::from_object::FromObject;
use crate::name::Name;
use crate::passwords::{self, LoginAttempt, hashed, is_password};
use crate::state::Server;
use crate::store::{audit, now};
use crate::{rates, secret};

/// A password that is set by a one-time link.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Setup {
    /// The end of the link's address.
    secret: String,
    /// The name of the first administrator, whose account is added by the link.
    name: Option<Name>,
    #[schema(min_length = 10, max_length = 1000)]
    password: String,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct Login {
    name: String,
    password: String,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PasswordChange {
    old: String,
    #[schema(min_length = 10, max_length = 1000)]
    new: String,
}

/// A person who is logged in.
#[derive(Serialize, ToSchema)]
pub(crate) struct Session {
    /// The value of `X-CSRF-Token` in requests that change something; programs with a token of their own have none.
    #[schema(required)]
    csrf: Option<String>,
    /// True if nobody can log in yet.
    needs_setup: bool,
    user: Me,
    ways: Ways,
}

/// The account that asks.
#[derive(Serialize, ToSchema)]
pub(crate) struct Me {
    has_password: bool,
    id: String,
    /// The id for clients of MOSS, if the server accepts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    moss_id: Option<String>,
    /// The port for clients of MOSS.
    #[serde(skip_serializing_if = "Option::is_none")]
    moss_port: Option<u16>,
    name: String,
    /// `administrator`, `teacher` or `reader`.
    role: String,
}

/// The ways in which people log in.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ways {
    /// True if people can log in with a password.
    password: bool,
    /// The name of another service that people can log in with.
    #[schema(required)]
    service: Option<String>,
}

/// The refusal if nobody is logged in, with the ways to log in.
#[derive(Serialize, ToSchema)]
pub(crate) struct LoggedOut {
    error: String,
    /// True if nobody can log in yet.
    needs_setup: bool,
    ways: Ways,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct MossId {
    moss_id: String,
}

/// Returns whether nobody can log in yet.
fn needs_setup(connection: &Connection) -> Answer<bool> {
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM able)";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

pub(crate) async fn me(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
) -> Answer<Response> {
    let ways = ways(&server);
    let needs_setup = server.read(needs_setup).await?;
    let Some(user) = asker.user else {
        let body = LoggedOut { error: unknown().message, needs_setup, ways };
        return Ok((StatusCode::UNAUTHORIZED, Json(body)).into_response());
    };
    let csrf = asker.session.as_deref().map(secret::csrf);
    let User { id, name, role } = user;
    let own = id.clone();
    let sql = "SELECT moss_id, password IS NOT NULL FROM users WHERE id = ?";
    let (moss_id, has_password): (String, bool) = server
        .read(move |c| Ok(c.query_row(sql, [own], |row| Ok((row.get(0)?, row.get(1)?)))?))
        .await?;
    let moss_port = server.0.config.moss.map(|address| address.port());
    let moss_id = moss_port.map(|_| moss_id);
    let user = Me { has_password, id, moss_id, moss_port, name, role };
    Ok(Json(Session { csrf, needs_setup: false, user, ways }).into_response())
}

/// Returns the ways in which people log in.
fn ways(server: &Server) -> Ways {
    let service = server.0.config.provider.as_ref().map(|provider| provider.name.clone());
    Ways { password: server.0.config.passwords, service }
}

/// Gives the account another id for clients of MOSS. The previous id stops working.
pub(crate) async fn new_moss_id(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
) -> Answer<Json<MossId>> {
    let by = asker.someone()?.id.clone();
    let id = moss_id();
    let body = MossId { moss_id: id.clone() };
    let made = server.write(move |tx| {
        tx.execute("UPDATE users SET moss_id = ? WHERE id = ?", [&id, &by])?;
        Ok(audit(tx, &by, "MOSS id changed", &by)?)
    });
    made.await?;
    Ok(Json(body))
}

pub(crate) async fn setup(
    State(server): State<Server>,
    Extension(client): Extension<Client>,
    Json(FromObject(setup)): Json<FromObject<Setup>>,
) -> Answer<Response> {
    by_password(&server)?;
    let hash = secret::hash(&setup.secret);
    let kept = hash.clone();
    // The secret is checked before the password is hashed, which takes long, and used up only afterwards.
    let known = "SELECT EXISTS (SELECT 1 FROM secrets WHERE hash = ? AND expires > ?)";
    let is_known: bool = server
        .read(move |c| Ok(c.query_row(known, params![kept, now()], |row| row.get(0))?))
        .await?;
    if !is_known {
        return Err(used_up());
    }
    let password = hashed(&server, client, setup.password).await?;
    let user = server
        .write(move |tx| {
            let id = match redeem(tx, &hash)? {
                Some(id) => id,
                None => {
                    insert_user(tx, setup.name.as_deref().unwrap_or_default(), "administrator")?
                }
            };
            tx.execute("UPDATE users SET password = ? WHERE id = ?", [&password, &id])?;
            // Whoever has got in by the old password keeps no way in.
            for table in ["sessions", "browsers", "tokens"] {
                tx.execute(&format!("DELETE FROM {table} WHERE user = ?"), [&id])?;
            }
            audit(tx, &id, "password set by a one-time link", &id)?;
            user_of(tx, &id)
        })
        .await?;
    welcome(&server, &HeaderMap::new(), user).await
}

pub(crate) async fn login(
    State(server): State<Server>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Json(FromObject(login)): Json<FromObject<Login>>,
) -> Answer<Response> {
    by_password(&server)?;
    let attempt = LoginAttempt::begin(&server, client, &headers, &login.name).await?;
    let name = login.name;
    let sql = "SELECT id, password FROM users WHERE name = ? AND active AND password IS NOT NULL";
    let known: Option<(String, String)> = server
        .read(move |c| {
            Ok(c.query_row(sql, [name], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
        })
        .await?;
    // An unknown name takes as much time as a wrong password.
    let (id, hash) = known.map_or((None, None), |(id, hash)| (Some(id), Some(hash)));
    let is_right = is_password(&server, client, login.password, hash).await?;
    let wrong = || Refusal::new(StatusCode::UNAUTHORIZED, "the name or the password is wrong");
    let id = id.filter(|_| is_right).ok_or_else(wrong)?;
    let user = server
        .write(move |tx| {
            attempt.succeed(tx)?;
            user_of(tx, &id)
        })
        .await?;
    welcome(&server, &headers, user).await
}

/// Refuses passwords on a server where people log in only with another service.
fn by_password(server: &Server) -> Answer<()> {
    if server.0.config.passwords {
        return Ok(());
    }
    Err(Refusal::new(
        StatusCode::FORBIDDEN,
        "this server takes no passwords; log in by the other service",
    ))
}

/// Begins a session. Returns its secret and its cookie.
pub(crate) async fn begin(server: &Server, user: &User) -> Answer<(String, HeaderValue)> {
    let session = secret::random::<32>();
    let (hash, id) = (secret::hash(&session), user.id.clone());
    let lasts = server.0.config.keep.sessions * 86_400;
    let sql = "INSERT INTO sessions (hash, user, expires) VALUES (?, ?, ?)";
    server.write(move |tx| Ok(tx.execute(sql, params![hash, id, now() + lasts])?)).await?;
    let cookie = format!(
        "fanmill_session={session}; HttpOnly; SameSite=Lax; Path=/; Max-Age={lasts}{}",
        server.secure()
    );
    let cookie =
        HeaderValue::from_str(&cookie).map_err(|_| Refusal::bad("no cookie could be made"))?;
    Ok((session, cookie))
}

/// Answers a person who has just logged in by a password.
async fn welcome(server: &Server, headers: &HeaderMap, user: User) -> Answer<Response> {
    let (session, cookie) = begin(server, &user).await?;
    let browser = passwords::remember_browser(server, headers, &user.id).await?;
    let csrf = Some(secret::csrf(&session));
    let User { id, name, role } = user;
    let user = Me { has_password: true, id, moss_id: None, moss_port: None, name, role };
    let body = Session { csrf, needs_setup: false, user, ways: ways(server) };
    let mut response = Json(body).into_response();
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    response.headers_mut().append(header::SET_COOKIE, browser);
    Ok(response)
}

pub(crate) async fn logout(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
) -> Answer<Response> {
    let hash = asker.session.as_deref().map(secret::hash);
    server.write(move |tx| Ok(tx.execute("DELETE FROM sessions WHERE hash = ?", [hash])?)).await?;
    let gone =
        HeaderValue::from_static("fanmill_session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0");
    let headers = HeaderMap::from_iter([(header::SET_COOKIE, gone)]);
    Ok((StatusCode::NO_CONTENT, headers).into_response())
}

pub(crate) async fn change_password(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Extension(client): Extension<Client>,
    Json(FromObject(change)): Json<FromObject<PasswordChange>>,
) -> Answer<StatusCode> {
    by_password(&server)?;
    let user = asker.someone()?.clone();
    // Others who guess at the name do not lock out somebody who is logged in.
    let who = format!("change {}", user.id);
    passwords::attempt(&server, &who).await?;
    let id = user.id.clone();
    let sql = "SELECT password FROM users WHERE id = ?";
    let hash = server.read(move |c| Ok(c.query_row(sql, [id], |row| row.get(0))?)).await?;
    if !is_password(&server, client, change.old, hash).await? {
        return Err(Refusal::new(StatusCode::FORBIDDEN, "the old password is wrong"));
    }
    let password = hashed(&server, client, change.new).await?;
    let own = asker.session.as_deref().map(secret::hash);
    server
        .write(move |tx| {
            rates::forget(tx, &who)?;
            tx.execute("UPDATE users SET password = ? WHERE id = ?", [&password, &user.id])?;
            let others = "DELETE FROM sessions WHERE user = ? AND hash IS NOT ?";
            tx.execute(others, params![user.id, own])?;
            Ok(audit(tx, &user.id, "password changed", &user.id)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
