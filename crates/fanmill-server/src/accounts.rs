//! Who somebody is: passwords, sessions, tokens, one-time secrets.

use std::net::IpAddr;

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::access::{Asker, Client, User};
use crate::error::{Answer, Refusal};
use crate::state::{Server, aside};
use crate::store::{audit, now, rfc3339};
use crate::{rates, secret};

/// How long a one-time link works, in seconds: three days.
pub(crate) const ONE_TIME: i64 = 3 * 86_400;

/// Wrong passwords for a name, or a link, in the window of [`rates`]; and for all names from one address.
const MAX_WRONG: i64 = 10;
const MAX_WRONG_FROM: i64 = 50;

#[derive(Deserialize)]
pub(crate) struct Setup {
    secret: String,
    name: Option<String>,
    password: String,
}

#[derive(Deserialize)]
pub(crate) struct Login {
    name: String,
    password: String,
}

#[derive(Deserialize)]
pub(crate) struct Change {
    old: String,
    new: String,
}

#[derive(Deserialize)]
pub(crate) struct Labelled {
    label: String,
}

#[derive(Deserialize)]
pub(crate) struct NewUser {
    name: String,
    role: String,
}

/// Who becomes owner of the courses of an account that is removed, by name.
#[derive(Deserialize)]
pub(crate) struct Heir {
    owner: Option<String>,
}

/// Whether nobody can log in yet.
fn needs_setup(connection: &Connection) -> Answer<bool> {
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM users WHERE password IS NOT NULL)";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

pub(crate) async fn me(
    State(server): State<Server>,
    Extension(asker): Extension<Asker>,
) -> Answer<Response> {
    let needs_setup = server.read(needs_setup).await?;
    let Some(user) = asker.user else {
        let body = json!({ "error": "nobody is logged in", "needs_setup": needs_setup });
        return Ok((StatusCode::UNAUTHORIZED, Json(body)).into_response());
    };
    let csrf = asker.session.as_deref().map(secret::csrf);
    let mut shown = json!({ "id": user.id, "name": user.name, "role": user.role });
    if let Some(address) = server.0.config.moss {
        let sql = "SELECT moss_id FROM users WHERE id = ?";
        let id: String =
            server.read(move |c| Ok(c.query_row(sql, [user.id], |row| row.get(0))?)).await?;
        shown["moss_id"] = id.into();
        shown["moss_port"] = address.port().into();
    }
    Ok(Json(json!({ "user": shown, "csrf": csrf, "needs_setup": false })).into_response())
}

/// Another id for clients of MOSS; the one before is nobody's any more.
pub(crate) async fn new_moss_id(
    State(server): State<Server>,
    Extension(asker): Extension<Asker>,
) -> Answer<Json<Value>> {
    let by = asker.someone()?.id.clone();
    let id = moss_id();
    let body = json!({ "moss_id": id });
    let made = server.write(move |tx| {
        tx.execute("UPDATE users SET moss_id = ? WHERE id = ?", [&id, &by])?;
        Ok(audit(tx, &by, "MOSS id changed", &by)?)
    });
    made.await?;
    Ok(Json(body))
}

/// Nine digits and more, as MOSS's are: 100,000,000 to 9,999,999,999.
fn moss_id() -> String {
    (100_000_000 + secret::number_below(9_900_000_000)).to_string()
}

pub(crate) async fn setup(
    State(server): State<Server>,
    Json(setup): Json<Setup>,
) -> Answer<Response> {
    let wrong = || {
        Refusal::new(
            StatusCode::UNAUTHORIZED,
            "the link was used, or is too old; ask for a new one",
        )
    };
    let hash = secret::hash(&setup.secret);
    let kept = hash.clone();
    let known = "SELECT user FROM secrets WHERE hash = ? AND expires > ?";
    let known: Option<Option<String>> = server
        .read(move |c| Ok(c.query_row(known, params![kept, now()], |row| row.get(0)).optional()?))
        .await?;
    let owner = known.ok_or_else(wrong)?;
    let password = hashed(&server, setup.password).await?;
    let user = server
        .write(move |tx| {
            if tx.execute("DELETE FROM secrets WHERE hash = ?", [hash])? == 0 {
                return Err(wrong());
            }
            let id = match owner {
                Some(id) => id,
                None => {
                    insert_user(tx, setup.name.as_deref().unwrap_or_default(), "administrator")?
                }
            };
            tx.execute("UPDATE users SET password = ? WHERE id = ?", [&password, &id])?;
            tx.execute("DELETE FROM sessions WHERE user = ?", [&id])?;
            audit(tx, &id, "password set by a one-time link", &id)?;
            user_of(tx, &id)
        })
        .await?;
    welcome(&server, user).await
}

pub(crate) async fn login(
    State(server): State<Server>,
    Extension(client): Extension<Client>,
    Json(login): Json<Login>,
) -> Answer<Response> {
    let who = format!("login {}", secret::hash(&login.name));
    let from = place_of(client);
    limited(&server, &who).await?;
    limited_to(&server, &from, MAX_WRONG_FROM).await?;
    let name = login.name;
    let sql = "SELECT id, password FROM users WHERE name = ? AND active AND password IS NOT NULL";
    let known: Option<(String, String)> = server
        .read(move |c| {
            Ok(c.query_row(sql, [name], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
        })
        .await?;
    // A name that nobody has costs as much time as a wrong password.
    let (id, hash) = known.map_or((None, None), |(id, hash)| (Some(id), Some(hash)));
    let is_right = is_password(&server, login.password, hash).await?;
    let Some(id) = id.filter(|_| is_right) else {
        wrong(&server, who).await?;
        wrong(&server, from).await?;
        return Err(Refusal::new(StatusCode::UNAUTHORIZED, "the name or the password is wrong"));
    };
    let user = server
        .write(move |tx| {
            tx.execute("DELETE FROM attempts WHERE who = ?", [who])?;
            user_of(tx, &id)
        })
        .await?;
    welcome(&server, user).await
}

/// The address that a request comes from, hashed; of IPv6 the network, all of which one machine may have.
pub(crate) fn place_of(Client(client): Client) -> String {
    let network = match client {
        Some(IpAddr::V6(ip)) => format!("{:x}", ip.to_bits() >> 64),
        Some(IpAddr::V4(ip)) => ip.to_string(),
        None => String::new(),
    };
    format!("from {}", secret::hash(&network))
}

/// Refuses those who were wrong too often.
pub(crate) async fn limited(server: &Server, who: &str) -> Answer<()> {
    limited_to(server, who, MAX_WRONG).await
}

async fn limited_to(server: &Server, who: &str, most: i64) -> Answer<()> {
    rates::limited(server, who, most, "wrong passwords").await
}

pub(crate) async fn wrong(server: &Server, who: String) -> Answer<()> {
    rates::note(server, who).await
}

/// Begins a session.
async fn welcome(server: &Server, user: User) -> Answer<Response> {
    let session = secret::random::<32>();
    let (hash, id) = (secret::hash(&session), user.id.clone());
    let lasts = server.0.config.keep.sessions * 86_400;
    let sql = "INSERT INTO sessions (hash, user, expires) VALUES (?, ?, ?)";
    server.write(move |tx| Ok(tx.execute(sql, params![hash, id, now() + lasts])?)).await?;
    let secure = if server.0.address.starts_with("https:") { "; Secure" } else { "" };
    let cookie = format!(
        "fanmill_session={session}; HttpOnly; SameSite=Lax; Path=/; Max-Age={lasts}{secure}"
    );
    let body = json!({
        "user": { "id": user.id, "name": user.name, "role": user.role },
        "csrf": secret::csrf(&session),
        "needs_setup": false,
    });
    let mut response = Json(body).into_response();
    let cookie =
        HeaderValue::from_str(&cookie).map_err(|_| Refusal::bad("no cookie could be made"))?;
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

pub(crate) async fn logout(
    State(server): State<Server>,
    Extension(asker): Extension<Asker>,
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
    Extension(asker): Extension<Asker>,
    Json(change): Json<Change>,
) -> Answer<StatusCode> {
    let user = asker.someone()?.clone();
    let who = format!("login {}", secret::hash(&user.name));
    limited(&server, &who).await?;
    let id = user.id.clone();
    let sql = "SELECT password FROM users WHERE id = ?";
    let hash = server.read(move |c| Ok(c.query_row(sql, [id], |row| row.get(0))?)).await?;
    if !is_password(&server, change.old, hash).await? {
        wrong(&server, who).await?;
        return Err(Refusal::new(StatusCode::FORBIDDEN, "the old password is wrong"));
    }
    let password = hashed(&server, change.new).await?;
    let own = asker.session.as_deref().map(secret::hash);
    server
        .write(move |tx| {
            tx.execute("UPDATE users SET password = ? WHERE id = ?", [&password, &user.id])?;
            let others = "DELETE FROM sessions WHERE user = ? AND hash IS NOT ?";
            tx.execute(others, params![user.id, own])?;
            Ok(audit(tx, &user.id, "password changed", &user.id)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn tokens(
    State(server): State<Server>,
    Extension(asker): Extension<Asker>,
) -> Answer<Json<Vec<Value>>> {
    let id = asker.someone()?.id.clone();
    let rows = server.read(move |c| {
        let sql = "SELECT id, label, created, used FROM tokens WHERE user = ? ORDER BY created";
        let mut statement = c.prepare(sql)?;
        let rows = statement.query_map([id], |row| {
            Ok(json!({
                "id": row.get::<_, String>(0)?,
                "label": row.get::<_, String>(1)?,
                "created": rfc3339(row.get(2)?),
                "used": row.get::<_, Option<i64>>(3)?.map(rfc3339),
            }))
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    });
    Ok(Json(rows.await?))
}

pub(crate) async fn add_token(
    State(server): State<Server>,
    Extension(asker): Extension<Asker>,
    Json(Labelled { label }): Json<Labelled>,
) -> Answer<(StatusCode, Json<Value>)> {
    let user = asker.someone()?.id.clone();
    let (id, token) = (secret::random::<16>(), secret::random::<32>());
    let body = json!({ "id": id, "token": token });
    let sql = "INSERT INTO tokens (id, user, hash, label, created) VALUES (?, ?, ?, ?, ?)";
    let hash = secret::hash(&token);
    server.write(move |tx| Ok(tx.execute(sql, params![id, user, hash, label, now()])?)).await?;
    Ok((StatusCode::CREATED, Json(body)))
}

pub(crate) async fn remove_token(
    State(server): State<Server>,
    Extension(asker): Extension<Asker>,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    let user = asker.someone()?.id.clone();
    let sql = "DELETE FROM tokens WHERE id = ? AND user = ?";
    match server.write(move |tx| Ok(tx.execute(sql, [id, user])?)).await? {
        0 => Err(Refusal::missing()),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

pub(crate) async fn users(State(server): State<Server>) -> Answer<Json<Vec<Value>>> {
    let rows = server.read(|c| {
        let mut statement = c.prepare("SELECT id, name, role, active FROM users ORDER BY name")?;
        let rows = statement.query_map([], |row| {
            Ok(json!({
                "id": row.get::<_, String>(0)?,
                "name": row.get::<_, String>(1)?,
                "role": row.get::<_, String>(2)?,
                "active": row.get::<_, bool>(3)?,
            }))
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    });
    Ok(Json(rows.await?))
}

pub(crate) async fn add_user(
    State(server): State<Server>,
    Extension(asker): Extension<Asker>,
    Json(new): Json<NewUser>,
) -> Answer<(StatusCode, Json<Value>)> {
    let by = asker.someone()?.id.clone();
    let made = server.write(move |tx| {
        let id = insert_user(tx, &new.name, &new.role)?;
        audit(tx, &by, "account added", &id)?;
        let secret = one_time(tx, Some(&id))?;
        Ok((id, secret))
    });
    let (id, secret) = made.await?;
    let link = format!("{}/setup/{secret}", server.0.address);
    Ok((StatusCode::CREATED, Json(json!({ "id": id, "link": link }))))
}

pub(crate) async fn reset_user(
    State(server): State<Server>,
    Extension(asker): Extension<Asker>,
    Path(id): Path<String>,
) -> Answer<Json<Value>> {
    let by = asker.someone()?.id.clone();
    let secret = server.write(move |tx| {
        user_of(tx, &id)?;
        audit(tx, &by, "account reset", &id)?;
        one_time(tx, Some(&id))
    });
    Ok(Json(json!({ "link": format!("{}/setup/{}", server.0.address, secret.await?) })))
}

pub(crate) async fn remove_user(
    State(server): State<Server>,
    Extension(asker): Extension<Asker>,
    Path(id): Path<String>,
    Query(heir): Query<Heir>,
) -> Answer<StatusCode> {
    let by = asker.someone()?.id.clone();
    if by == id {
        return Err(conflict("nobody removes their own account"));
    }
    let removed = server.write(move |tx| {
        let user = user_of(tx, &id)?;
        let others = "SELECT EXISTS (SELECT 1 FROM users WHERE role = 'administrator' AND active \
                      AND password IS NOT NULL AND id <> ?)";
        let is_last = !tx.query_row(others, [&id], |row| row.get::<_, bool>(0))?;
        if user.role == "administrator" && is_last {
            return Err(conflict("the last administrator who can log in stays; make another one first"));
        }
        if let Some(heir) = &heir.owner {
            hand_over(tx, &id, heir)?;
        }
        let owned: i64 = tx.query_row(LEFT_ALONE, [&id], |row| row.get(0))?;
        if owned > 0 {
            let courses = if owned == 1 { "course" } else { "courses" };
            return Err(conflict(format!(
                "the account is the only owner of {owned} {courses}; name another owner of them, or let it delete them first"
            )));
        }
        tx.execute("DELETE FROM users WHERE id = ?", [&id])?;
        Ok(audit(tx, &by, "account removed", &id)?)
    });
    removed.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Courses that have no other owner.
const LEFT_ALONE: &str = "SELECT count(*) FROM members AS own WHERE user = ? AND role = 'owner' AND NOT EXISTS \
     (SELECT 1 FROM members AS other WHERE other.course = own.course AND other.role = 'owner' AND other.user <> own.user)";

/// Makes somebody owner of what an account owns.
fn hand_over(tx: &Transaction, from: &str, heir: &str) -> Answer<()> {
    let sql = "SELECT id FROM users WHERE name = ? AND active AND role <> 'reader' AND id <> ?";
    let found: Option<String> = tx.query_row(sql, [heir, from], |row| row.get(0)).optional()?;
    let nobody = || Refusal::bad(format!("no teacher or administrator is called `{heir}`"));
    let heir = found.ok_or_else(nobody)?;
    let sql = "INSERT INTO members (course, user, role) SELECT course, ?1, 'owner' FROM members \
               WHERE user = ?2 AND role = 'owner' ON CONFLICT (course, user) DO UPDATE SET role = 'owner'";
    tx.execute(sql, [&heir, from])?;
    Ok(())
}

fn conflict(message: impl Into<String>) -> Refusal {
    Refusal::new(StatusCode::CONFLICT, message)
}

/// Adds an account that cannot log in yet; its id.
pub(crate) fn insert_user(tx: &Transaction, name: &str, role: &str) -> Answer<String> {
    let name = name.trim();
    if name.is_empty() || name.len() > 200 || name.chars().any(char::is_control) {
        return Err(Refusal::bad("a name has 1 to 200 bytes and no control characters"));
    }
    if !["administrator", "teacher", "reader"].contains(&role) {
        return Err(Refusal::bad(format!("no role `{role}`; administrator, teacher or reader")));
    }
    if tx
        .query_row("SELECT EXISTS (SELECT 1 FROM users WHERE name = ?)", [name], |row| row.get(0))?
    {
        return Err(Refusal::new(StatusCode::CONFLICT, format!("the name `{name}` is taken")));
    }
    let id = secret::random::<16>();
    tx.execute(
        "INSERT INTO users (id, name, role, moss_id, created) VALUES (?, ?, ?, ?, ?)",
        params![id, name, role, moss_id(), now()],
    )?;
    Ok(id)
}

/// A new one-time secret; earlier ones of the same account no longer work.
pub(crate) fn one_time(tx: &Transaction, user: Option<&str>) -> Answer<String> {
    let secret = secret::random::<16>();
    tx.execute("DELETE FROM secrets WHERE user IS ?", [user])?;
    tx.execute(
        "INSERT INTO secrets (hash, user, expires) VALUES (?, ?, ?)",
        params![secret::hash(&secret), user, now() + ONE_TIME],
    )?;
    Ok(secret)
}

pub(crate) fn user_of(connection: &Connection, id: &str) -> Answer<User> {
    let sql = "SELECT id, name, role FROM users WHERE id = ? AND active";
    let user =
        |row: &rusqlite::Row| Ok(User { id: row.get(0)?, name: row.get(1)?, role: row.get(2)? });
    Ok(connection.query_row(sql, [id], user)?)
}

/// The hash of a new password (argon2id).
pub(crate) async fn hashed(server: &Server, password: String) -> Answer<String> {
    if !(10..=1000).contains(&password.len()) {
        return Err(Refusal::bad("a password has 10 to 1000 bytes; choose a longer one"));
    }
    let _turn = server.0.hashing.acquire().await;
    aside(move || {
        let mut salt = [0_u8; 16];
        let failed = |_| Refusal::bad("the password could not be kept");
        getrandom::fill(&mut salt).map_err(|_| Refusal::bad("no random numbers"))?;
        let salt = SaltString::encode_b64(&salt).map_err(failed)?;
        Ok(Argon2::default().hash_password(password.as_bytes(), &salt).map_err(failed)?.to_string())
    })
    .await
}

/// Whether this is the password. Without a hash it takes as long, and is not.
pub(crate) async fn is_password(
    server: &Server,
    password: String,
    hash: Option<String>,
) -> Answer<bool> {
    if password.len() > 1000 {
        return Ok(false);
    }
    let Some(hash) = hash else {
        hashed(server, "a password that nobody has".to_owned()).await?;
        return Ok(false);
    };
    let _turn = server.0.hashing.acquire().await;
    aside(move || {
        let parsed = PasswordHash::new(&hash);
        let verify = |hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok();
        Ok(parsed.is_ok_and(verify))
    })
    .await
}
