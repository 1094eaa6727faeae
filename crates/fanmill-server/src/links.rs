//! Links, which show a report for a while to everyone who has one; and results for clients of MOSS, which are links,
//! too.

use axum::extract::{Form, Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use fanmill_moss::pages;
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::{Caller, Client, cookie};
use crate::error::{Answer, Refusal};
use crate::from_object::FromObject;
use crate::passwords::{hashed, is_password, place_of};
use crate::state::Server;
use crate::store::{audit, now, rfc3339};
use crate::{journal, page, passwords, rates, removal, reports, results, secret};

/// The content policy of pages for clients of MOSS: they load the frames of a pair, and bars embedded in the page.
const RESULT_POLICY: &str = "default-src 'none'; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'self'";

/// Maximum number of unknown links tried from one address, in the window of [`rates`].
const MAX_UNKNOWN: i64 = 100;

/// Maximum lifetime of a link, in days.
const MOST_DAYS: i64 = 365;

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewLink {
    /// Lifetime in days, 1 to 365; without it, the server's setting applies.
    #[schema(minimum = 1, maximum = 365)]
    days: Option<i64>,
    /// Time of expiry, as RFC 3339 writes it, in place of `days`.
    #[schema(format = DateTime)]
    expires: Option<String>,
    /// The link's password.
    #[schema(min_length = 10, max_length = 1000)]
    password: Option<String>,
    /// If set, it shows only reports with pseudonyms, and nothing once the batch was compared with names.
    #[serde(default)]
    anonymous: bool,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Link {
    anonymous: bool,
    #[schema(format = DateTime)]
    created: String,
    #[schema(format = DateTime)]
    expires: String,
    has_password: bool,
    id: String,
    /// Number of times that its report was opened.
    views: i64,
}

/// A newly made link.
#[derive(Serialize, ToSchema)]
pub(crate) struct MadeLink {
    id: String,
    /// The address to give away; it is not shown again.
    url: String,
}

#[derive(Deserialize)]
pub(crate) struct Password {
    password: String,
}

pub(crate) async fn list(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> Answer<Json<Vec<Link>>> {
    let rows = server.read(move |c| {
        let sql = "SELECT id, created, expires, password IS NOT NULL, anonymous, views FROM links \
                   WHERE batch = ? ORDER BY created";
        let mut statement = c.prepare(sql)?;
        let rows = statement.query_map([id], |row| {
            Ok(Link {
                id: row.get(0)?,
                created: rfc3339(row.get(1)?),
                expires: rfc3339(row.get(2)?),
                has_password: row.get(3)?,
                anonymous: row.get(4)?,
                views: row.get(5)?,
            })
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    });
    Ok(Json(rows.await?))
}

pub(crate) async fn add(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Extension(client): Extension<Client>,
    Path(batch): Path<String>,
    Json(FromObject(new)): Json<FromObject<NewLink>>,
) -> Answer<(StatusCode, Json<MadeLink>)> {
    let by = asker.someone()?.id.clone();
    let expires = expiry(&new, server.0.config.keep.links)?;
    let password = match new.password {
        Some(password) => Some(hashed(&server, client, password).await?),
        None => None,
    };
    let (id, secret) = (secret::random::<16>(), secret::random::<16>());
    let body = MadeLink { id: id.clone(), url: format!("{}/s/{secret}/", server.0.address) };
    let made = server.write(move |tx| {
        let sql = "SELECT anonymous FROM batches WHERE id = ?";
        let is_anonymous: bool = tx.query_row(sql, [&batch], |row| row.get(0))?;
        // A report with names must not appear behind a link that promises pseudonyms.
        if new.anonymous && !is_anonymous {
            let message = "the report has names in it; run the batch again with anonymous first";
            return Err(Refusal::new(StatusCode::CONFLICT, message));
        }
        tx.execute(
            "INSERT INTO links (id, batch, hash, created, expires, password, anonymous) VALUES (?, ?, ?, ?, ?, ?, ?)",
            params![id, batch, secret::hash(&secret), now(), expires, password, new.anonymous],
        )?;
        Ok(audit(tx, &by, "link made", &id)?)
    });
    made.await?;
    Ok((StatusCode::CREATED, Json(body)))
}

/// Returns when a new link expires, in seconds since 1970.
fn expiry(new: &NewLink, usual_days: i64) -> Answer<i64> {
    if let Some(at) = &new.expires {
        let time: jiff::Timestamp = at.parse().map_err(|_| {
            Refusal::bad(format!("`{at}` is no time; write it as 2026-12-24T18:00:00Z"))
        })?;
        let latest = now() + MOST_DAYS * 86_400;
        if !(now() + 1..=latest).contains(&time.as_second()) {
            let message = format!("a link expires within {MOST_DAYS} days, not at `{at}`");
            return Err(Refusal::bad(message));
        }
        return Ok(time.as_second());
    }
    let days = new.days.unwrap_or(usual_days);
    if !(1..=MOST_DAYS).contains(&days) {
        return Err(Refusal::bad(format!("a link lasts 1 to {MOST_DAYS} days, not {days}")));
    }
    Ok(now() + days * 86_400)
}

pub(crate) async fn remove(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    let by = asker.someone()?.id.clone();
    let removed = server.write(move |tx| {
        tx.execute("DELETE FROM links WHERE id = ?", [&id])?;
        journal::add_forgetting(tx)?;
        Ok(audit(tx, &by, "link revoked", &id)?)
    });
    removed.await?;
    removal::wake(&server);
    Ok(StatusCode::NO_CONTENT)
}

/// The title of the page that asks for a link's password.
const SHARED: &str = "A shared report";

/// A link that works at this moment.
struct OpenLink {
    id: String,
    batch: String,
    password: Option<String>,
}

async fn shared(server: &Server, client: Client, secret: &str) -> Answer<OpenLink> {
    let from = format!("links {}", place_of(client));
    // Secrets of results are short enough to be guessed by somebody who may try for long. Of others, a wrong one must not
    // close the right ones to everybody who shares the address.
    let is_short = secret.len() < 32;
    let what = "addresses at which there is nothing";
    if is_short {
        rates::limited(server, &from, MAX_UNKNOWN, what).await?;
    }
    let hash = secret::hash(secret);
    // A link with pseudonyms shows nothing after the batch was run again with names.
    let sql = "SELECT links.id, batch, links.password FROM links JOIN batches ON batches.id = batch \
               WHERE hash = ? AND expires > ? AND state = 'done' AND links.anonymous <= batches.anonymous";
    let link = |row: &rusqlite::Row| {
        Ok(OpenLink { id: row.get(0)?, batch: row.get(1)?, password: row.get(2)? })
    };
    let found =
        server.read(move |c| Ok(c.query_row(sql, params![hash, now()], link).optional()?)).await?;
    if found.is_none() {
        rates::limited(server, &from, MAX_UNKNOWN, what).await?;
        rates::note(server, from).await?;
    }
    found.ok_or_else(Refusal::missing)
}

/// Returns the value of the cookie that a browser keeps once the password was right.
fn pass(secret: &str, password: &str) -> String {
    secret::hash(&format!("pass {secret} {password}"))
}

pub(crate) async fn index(
    state: State<Server>,
    Path(secret): Path<String>,
    request: Request,
) -> Response {
    let shown = part(state, Path((secret, String::new())), request).await;
    shown.unwrap_or_else(|refusal| not_shown(&refusal))
}

/// Returns a page for someone whose link does not work, or who has guessed too often.
fn not_shown(refusal: &Refusal) -> Response {
    if refusal.status != StatusCode::NOT_FOUND {
        return page::refused("The report is not shown", refusal).response(refusal);
    }
    let why = "It has expired, was revoked, or is not complete. Ask whoever gave it to you for another one.";
    page::Page::new("This link does not work").says(why).response(refusal)
}

pub(crate) async fn part(
    State(server): State<Server>,
    Path((secret, name)): Path<(String, String)>,
    request: Request,
) -> Answer<Response> {
    let client = request.extensions().get().copied().unwrap_or(Client(None));
    let link = shared(&server, client, &secret).await?;
    let shown = cookie(request.headers(), "fanmill_link").unwrap_or_default();
    if let Some(password) = &link.password
        && !secret::is_equal(&shown, &pass(&secret, password))
    {
        if !name.is_empty() {
            return Err(Refusal::missing());
        }
        return Ok(page::Page::new(SHARED).asks_for_password().shown());
    }
    if name.is_empty() {
        let sql = "UPDATE links SET views = views + 1 WHERE id = ?";
        server.write(move |tx| Ok(tx.execute(sql, [link.id])?)).await?;
    }
    match &*name {
        "" | "index.html" => reports::for_visitor(&server, &link.batch).await,
        _ => reports::file(&server, &link.batch, &name).await,
    }
}

pub(crate) async fn open(
    State(server): State<Server>,
    Extension(client): Extension<Client>,
    Path(secret): Path<String>,
    Form(form): Form<Password>,
) -> Response {
    match opened(&server, client, &secret, form).await {
        Err(refusal) if refusal.status == StatusCode::UNAUTHORIZED => page::Page::new(SHARED)
            .says("The password is wrong. Look at small and capital letters, and try again.")
            .asks_for_password()
            .response(&refusal),
        opened => opened.unwrap_or_else(|refusal| not_shown(&refusal)),
    }
}

async fn opened(server: &Server, client: Client, secret: &str, form: Password) -> Answer<Response> {
    let link = shared(server, client, secret).await?;
    let Some(password) = link.password else { return Err(Refusal::missing()) };
    let counted = passwords::attempt_link(server, &link.id, client).await?;
    if !is_password(server, client, form.password, Some(password.clone())).await? {
        return Err(Refusal::new(StatusCode::UNAUTHORIZED, "the password is wrong"));
    }
    for who in counted {
        rates::take_back(server, who).await?;
    }
    let pass = pass(secret, &password);
    let cookie = format!(
        "fanmill_link={pass}; HttpOnly; SameSite=Lax; Path=/s/{secret}/{}",
        server.secure()
    );
    let headers = [
        (header::SET_COOKIE, HeaderValue::from_str(&cookie).map_err(|_| Refusal::missing())?),
        (
            header::LOCATION,
            HeaderValue::from_str(&format!("/s/{secret}/")).map_err(|_| Refusal::missing())?,
        ),
    ];
    Ok((StatusCode::SEE_OTHER, headers).into_response())
}

/// Returns the secret of the link behind a result's address: `/results/3/1234567890123` is `/s/3-1234567890123/`, too.
pub(crate) fn secret_of_result(first: &str, rest: &str) -> String {
    format!("{first}-{rest}")
}

pub(crate) async fn result(
    state: State<Server>,
    client: Extension<Client>,
    Path((first, rest)): Path<(String, String)>,
) -> Answer<Response> {
    result_page(state, client, Path((first, rest, String::new()))).await
}

/// Returns a page in the form that clients of MOSS read.
pub(crate) async fn result_page(
    State(server): State<Server>,
    Extension(client): Extension<Client>,
    Path((first, rest, name)): Path<(String, String, String)>,
) -> Answer<Response> {
    let page = pages::Page::named(&name).ok_or_else(Refusal::missing)?;
    let link = shared(&server, client, &secret_of_result(&first, &rest)).await?;
    let name = match page {
        pages::Page::Index => "index.html".to_owned(),
        page => page.to_string(),
    };
    if page == pages::Page::Index {
        let sql = "UPDATE links SET views = views + 1 WHERE id = ?";
        server.write(move |tx| Ok(tx.execute(sql, [link.id])?)).await?;
    }
    reports::check(&server, &link.batch).await?;
    let path = server.folder(&link.batch).join("report").join(results::FOLDER).join(name);
    let bytes = crate::run_blocking::run_blocking(move || Ok(std::fs::read(path)?)).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, RESULT_POLICY),
    ];
    Ok((headers, bytes).into_response())
}
