//! Reports as they are served: to members with marks, and by links to everyone who has one.

use axum::extract::{Form, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use fanmill_moss::pages::Page;
use rusqlite::{OptionalExtension, params};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::access::{Asker, Client, cookie};
use crate::error::{Answer, Refusal};
use crate::state::Server;
use crate::store::{audit, now, rfc3339};
use crate::{accounts, rates, results, secret};

/// What a report's page may load. The page's own policy is as strict, but forbids to save marks.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     worker-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What the pages for clients of MOSS may load: the frames of a pair, and bars that are part of them.
const RESULT_POLICY: &str = "default-src 'none'; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'self'";

/// Links that are none, from one address, in the window of [`rates`].
const MAX_UNKNOWN: i64 = 100;

const PASSWORD_PAGE: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>A shared report</title>\
     <main><h1>A shared report</h1><form method=post><p><label>Password <input type=password name=password \
     autofocus required></label> <button>Open</button></form></main></html>";

#[derive(Deserialize)]
pub(crate) struct NewLink {
    days: Option<i64>,
    password: Option<String>,
    #[serde(default)]
    anonymous: bool,
}

#[derive(Deserialize)]
pub(crate) struct Password {
    password: String,
}

/// The media type of a file that reports have; nothing else is looked for on the disk.
fn media_type(name: &str) -> Option<&'static str> {
    let numbers = |stem: &str| {
        !stem.is_empty() && stem.len() < 40 && stem.bytes().all(|b| b.is_ascii_digit() || b == b'-')
    };
    let script = "text/javascript; charset=utf-8";
    match name.split('/').collect::<Vec<_>>()[..] {
        ["index.html"] => Some("text/html; charset=utf-8"),
        ["report.json"] => Some("application/json"),
        ["pairs.csv" | "clusters.csv"] => Some("text/csv; charset=utf-8"),
        ["app", "app.js"] | ["data", "overview.js"] => Some(script),
        ["app", "app.css"] => Some("text/css; charset=utf-8"),
        ["data", "pairs" | "texts", file] if file.strip_suffix(".js").is_some_and(numbers) => {
            Some(script)
        }
        _ => None,
    }
}

async fn file(server: &Server, batch: &str, name: &str) -> Answer<Response> {
    let name = if name.is_empty() { "index.html" } else { name };
    let media_type = media_type(name).ok_or_else(Refusal::missing)?;
    let path = server.folder(batch).join("report").join(name);
    let bytes = crate::state::aside(move || Ok(std::fs::read(path)?)).await?;
    let headers = [(header::CONTENT_TYPE, media_type), (header::CONTENT_SECURITY_POLICY, POLICY)];
    Ok((headers, bytes).into_response())
}

pub(crate) async fn index(
    state: State<Server>,
    asker: Extension<Asker>,
    Path(id): Path<String>,
) -> Answer<Response> {
    part(state, asker, Path((id, String::new()))).await
}

pub(crate) async fn part(
    State(server): State<Server>,
    Extension(asker): Extension<Asker>,
    Path((id, name)): Path<(String, String)>,
) -> Answer<Response> {
    if !matches!(&*name, "" | "index.html") {
        return file(&server, &id, &name).await;
    }
    let path = server.folder(&id).join("report/index.html");
    let page = crate::state::aside(move || Ok(std::fs::read_to_string(path)?)).await?;
    let csrf = asker.session.as_deref().map(secret::csrf).unwrap_or_default();
    let meta = format!(
        "<meta charset=\"utf-8\">\n<meta name=\"fanmill-server\" content=\"marks\">\n\
         <meta name=\"fanmill-reviewer\" content=\"{}\">\n<meta name=\"fanmill-csrf\" content=\"{csrf}\">",
        attribute(&asker.someone()?.name)
    );
    let page = page.replacen("<meta charset=\"utf-8\">", &meta, 1).replacen(
        "base-uri 'none'",
        "connect-src 'self'; base-uri 'none'",
        1,
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    Ok((headers, page).into_response())
}

/// A text as the value of an attribute.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

pub(crate) async fn marks(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> Answer<Response> {
    let sql = "SELECT version, content FROM marks WHERE batch = ?";
    let kept: Option<(i64, String)> = server
        .read(move |c| {
            Ok(c.query_row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
        })
        .await?;
    let (version, content) = kept.unwrap_or((0, r#"{"marks":[]}"#.to_owned()));
    let headers = [
        (header::ETAG, format!("\"{version}\"")),
        (header::CONTENT_TYPE, "application/json".to_owned()),
    ];
    Ok((headers, content).into_response())
}

pub(crate) async fn set_marks(
    State(server): State<Server>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(marks): Json<Value>,
) -> Answer<Response> {
    let known =
        headers.get(header::IF_MATCH).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let known = known.ok_or_else(|| {
        Refusal::new(
            StatusCode::PRECONDITION_FAILED,
            "marks are saved with If-Match; read them first",
        )
    })?;
    let saved = server.write(move |tx| {
        let sql = "SELECT coalesce((SELECT version FROM marks WHERE batch = ?), 0)";
        let version: i64 = tx.query_row(sql, [&id], |row| row.get(0))?;
        if known != "*" && known != format!("\"{version}\"") {
            return Err(Refusal::new(
                StatusCode::PRECONDITION_FAILED,
                "somebody else has changed the marks; read them again",
            ));
        }
        let sql = "INSERT INTO marks (batch, version, content) VALUES (?1, ?2, ?3) \
                   ON CONFLICT (batch) DO UPDATE SET version = ?2, content = ?3";
        tx.execute(sql, params![id, version + 1, marks.to_string()])?;
        Ok(version + 1)
    });
    let headers = [(header::ETAG, format!("\"{}\"", saved.await?))];
    Ok((StatusCode::NO_CONTENT, headers).into_response())
}

pub(crate) async fn links(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> Answer<Json<Vec<Value>>> {
    let rows = server.read(move |c| {
        let sql = "SELECT id, created, expires, password IS NOT NULL, anonymous, views FROM links \
                   WHERE batch = ? ORDER BY created";
        let mut statement = c.prepare(sql)?;
        let rows = statement.query_map([id], |row| {
            Ok(json!({
                "id": row.get::<_, String>(0)?,
                "created": rfc3339(row.get(1)?),
                "expires": rfc3339(row.get(2)?),
                "has_password": row.get::<_, bool>(3)?,
                "anonymous": row.get::<_, bool>(4)?,
                "views": row.get::<_, i64>(5)?,
            }))
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    });
    Ok(Json(rows.await?))
}

pub(crate) async fn add_link(
    State(server): State<Server>,
    Extension(asker): Extension<Asker>,
    Path(batch): Path<String>,
    Json(new): Json<NewLink>,
) -> Answer<(StatusCode, Json<Value>)> {
    let by = asker.someone()?.id.clone();
    let days = new.days.unwrap_or(server.0.config.keep.links);
    if !(1..=365).contains(&days) {
        return Err(Refusal::bad(format!("a link lasts 1 to 365 days, not {days}")));
    }
    let password = match new.password.filter(|password| !password.is_empty()) {
        Some(password) => Some(accounts::hashed(&server, password).await?),
        None => None,
    };
    let (id, secret) = (secret::random::<16>(), secret::random::<16>());
    let body = json!({ "id": id, "url": format!("{}/s/{secret}/", server.0.address) });
    let made = server.write(move |tx| {
        let sql = "SELECT anonymous FROM batches WHERE id = ?";
        let is_anonymous: bool = tx.query_row(sql, [&batch], |row| row.get(0))?;
        if new.anonymous && !is_anonymous {
            let message = "the report has names in it; run the batch again with anonymous first";
            return Err(Refusal::new(StatusCode::CONFLICT, message));
        }
        tx.execute(
            "INSERT INTO links (id, batch, hash, created, expires, password, anonymous) VALUES (?, ?, ?, ?, ?, ?, ?)",
            params![id, batch, secret::hash(&secret), now(), now() + days * 86_400, password, new.anonymous],
        )?;
        Ok(audit(tx, &by, "link made", &id)?)
    });
    made.await?;
    Ok((StatusCode::CREATED, Json(body)))
}

pub(crate) async fn remove_link(
    State(server): State<Server>,
    Extension(asker): Extension<Asker>,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    let by = asker.someone()?.id.clone();
    let removed = server.write(move |tx| {
        tx.execute("DELETE FROM links WHERE id = ?", [&id])?;
        Ok(audit(tx, &by, "link revoked", &id)?)
    });
    removed.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A link that works now.
struct Shared {
    id: String,
    batch: String,
    password: Option<String>,
}

async fn shared(server: &Server, client: Client, secret: &str) -> Answer<Shared> {
    let from = format!("links {}", accounts::place_of(client));
    rates::limited(server, &from, MAX_UNKNOWN, "addresses at which there is nothing").await?;
    let hash = secret::hash(secret);
    // A link with pseudonyms shows nothing after the batch was run again with names.
    let sql = "SELECT links.id, batch, links.password FROM links JOIN batches ON batches.id = batch \
               WHERE hash = ? AND expires > ? AND state = 'done' AND links.anonymous <= batches.anonymous";
    let link = |row: &rusqlite::Row| {
        Ok(Shared { id: row.get(0)?, batch: row.get(1)?, password: row.get(2)? })
    };
    let found =
        server.read(move |c| Ok(c.query_row(sql, params![hash, now()], link).optional()?)).await?;
    if found.is_none() {
        rates::note(server, from).await?;
    }
    found.ok_or_else(Refusal::missing)
}

/// What a browser keeps once the password was right.
fn pass(secret: &str, password: &str) -> String {
    secret::hash(&format!("pass {secret} {password}"))
}

pub(crate) async fn shared_index(
    state: State<Server>,
    Path(secret): Path<String>,
    request: Request,
) -> Answer<Response> {
    shared_part(state, Path((secret, String::new())), request).await
}

pub(crate) async fn shared_part(
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
        return Ok(axum::response::Html(PASSWORD_PAGE).into_response());
    }
    if name.is_empty() {
        let sql = "UPDATE links SET views = views + 1 WHERE id = ?";
        server.write(move |tx| Ok(tx.execute(sql, [link.id])?)).await?;
    }
    file(&server, &link.batch, &name).await
}

pub(crate) async fn open_shared(
    State(server): State<Server>,
    Extension(client): Extension<Client>,
    Path(secret): Path<String>,
    Form(form): Form<Password>,
) -> Answer<Response> {
    let link = shared(&server, client, &secret).await?;
    let Some(password) = link.password else { return Err(Refusal::missing()) };
    let who = format!("link {}", link.id);
    accounts::limited(&server, &who).await?;
    if !accounts::is_password(&server, form.password, Some(password.clone())).await? {
        accounts::wrong(&server, who).await?;
        return Err(Refusal::new(StatusCode::UNAUTHORIZED, "the password is wrong"));
    }
    let pass = pass(&secret, &password);
    let cookie = format!("fanmill_link={pass}; HttpOnly; SameSite=Lax; Path=/s/{secret}/");
    let headers = [
        (header::SET_COOKIE, HeaderValue::from_str(&cookie).map_err(|_| Refusal::missing())?),
        (
            header::LOCATION,
            HeaderValue::from_str(&format!("/s/{secret}/")).map_err(|_| Refusal::missing())?,
        ),
    ];
    Ok((StatusCode::SEE_OTHER, headers).into_response())
}

/// The secret of the link that a result's address is: `/results/3/1234567890123` is `/s/3-1234567890123/`, too.
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

/// A page as clients of MOSS read it.
pub(crate) async fn result_page(
    State(server): State<Server>,
    Extension(client): Extension<Client>,
    Path((first, rest, name)): Path<(String, String, String)>,
) -> Answer<Response> {
    let page = Page::named(&name).ok_or_else(Refusal::missing)?;
    let link = shared(&server, client, &secret_of_result(&first, &rest)).await?;
    let name = match page {
        Page::Index => "index.html".to_owned(),
        page => page.to_string(),
    };
    if page == Page::Index {
        let sql = "UPDATE links SET views = views + 1 WHERE id = ?";
        server.write(move |tx| Ok(tx.execute(sql, [link.id])?)).await?;
    }
    let path = server.folder(&link.batch).join("report").join(results::FOLDER).join(name);
    let bytes = crate::state::aside(move || Ok(std::fs::read(path)?)).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, RESULT_POLICY),
    ];
    Ok((headers, bytes).into_response())
}

#[cfg(test)]
mod tests {
    use super::media_type;

    #[test]
    fn only_files_of_reports_have_a_type() {
        for name in ["index.html", "data/pairs/0001.js", "data/texts/0-0.js", "app/app.css"] {
            assert!(media_type(name).is_some(), "{name}");
        }
        for name in [
            "../job.json",
            "data/texts/../../x.js",
            "/etc/passwd",
            "data//overview.js",
            "",
            "job.json",
        ] {
            assert!(media_type(name).is_none(), "{name}");
        }
    }
}
