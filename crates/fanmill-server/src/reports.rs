//! Reports as they are served: their page, their data, and the marks of their reviewers.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use rusqlite::{OptionalExtension, params};
use serde_json::{Map, Value, json};

use crate::access::{Caller, User};
use crate::error::{Answer, Refusal};
use crate::from_object::FromObject;
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::{journal, secret};

/// The content policy of a report's page. The policy within the page is as strict, but does not allow saving marks.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     worker-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns the media type of a file, if reports have a file of this name. Nothing else is looked for on the disk.
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

/// Refuses a report that is being taken away, as it shows texts that were deleted.
pub(crate) async fn check(server: &Server, batch: &str) -> Answer<()> {
    let batch = batch.to_owned();
    if server.read(move |c| Ok(journal::has_task(c, &batch)?)).await? {
        let message = "texts that this report shows were deleted; the batch is compared again";
        return Err(Refusal::new(StatusCode::CONFLICT, message));
    }
    Ok(())
}

pub(crate) async fn file(server: &Server, batch: &str, name: &str) -> Answer<Response> {
    let name = if name.is_empty() { "index.html" } else { name };
    let media_type = media_type(name).ok_or_else(Refusal::missing)?;
    check(server, batch).await?;
    let path = server.folder(batch).join("report").join(name);
    let bytes = run_blocking(move || Ok(std::fs::read(path)?)).await?;
    let headers = [(header::CONTENT_TYPE, media_type), (header::CONTENT_SECURITY_POLICY, POLICY)];
    Ok((headers, bytes).into_response())
}

pub(crate) async fn index(
    state: State<Server>,
    asker: Extension<Caller>,
    Path(id): Path<String>,
) -> Answer<Response> {
    part(state, asker, Path((id, String::new()))).await
}

pub(crate) async fn part(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Path((id, name)): Path<(String, String)>,
) -> Answer<Response> {
    if !matches!(&*name, "" | "index.html") {
        return file(&server, &id, &name).await;
    }
    check(&server, &id).await?;
    let csrf = asker.session.as_deref().map(secret::csrf).unwrap_or_default();
    let Surroundings { above, may_mark } =
        surroundings(&server, id.clone(), asker.someone()?).await?;
    let settings = format!(
        "<meta name=\"fanmill-server\" content=\"{}\">\n\
         <meta name=\"fanmill-reviewer\" content=\"{}\">\n<meta name=\"fanmill-csrf\" content=\"{csrf}\">\n\
         <meta name=\"fanmill-above\" content=\"{}\">",
        if may_mark { "marks" } else { "marks readonly" },
        attribute(&asker.someone()?.name),
        attribute(&above.to_string()),
    );
    with_settings(&server, &id, &settings).await
}

/// Returns the page of a report for a visitor, who marks nothing.
pub(crate) async fn for_visitor(server: &Server, batch: &str) -> Answer<Response> {
    check(server, batch).await?;
    with_settings(server, batch, "<meta name=\"fanmill-server\" content=\"readonly\">").await
}

/// Returns the page of a report with elements in its head that say what this server offers.
async fn with_settings(server: &Server, batch: &str, settings: &str) -> Answer<Response> {
    let path = server.folder(batch).join("report/index.html");
    let read = run_blocking(move || Ok(std::fs::read_to_string(path)?)).await?;
    let charset = "<meta charset=\"utf-8\">";
    let page = read.replacen(charset, &format!("{charset}\n{settings}"), 1).replacen(
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

/// The place of a report in the service, for somebody who sees it.
struct Surroundings {
    /// The pages above it, outermost first: names and paths.
    above: Value,
    may_mark: bool,
}

async fn surroundings(server: &Server, batch: String, user: &User) -> Answer<Surroundings> {
    let sql = "SELECT courses.id, courses.name, batches.title, members.role FROM batches \
               JOIN courses ON courses.id = batches.course JOIN members ON members.course = courses.id \
               WHERE batches.id = ? AND members.user = ?";
    let (user, address) = (user.id.clone(), server.0.address.clone());
    let read = server.read(move |c| {
        let row = |row: &rusqlite::Row| {
            let [course, name, title, role]: [String; 4] =
                [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?];
            Ok(Surroundings {
                above: json!([
                    [name, address.outer(&format!("/courses/{course}"))],
                    [title, address.outer(&format!("/batches/{batch}"))]
                ]),
                may_mark: role != "reader",
            })
        };
        Ok(c.query_row(sql, [&batch, &user], row)?)
    });
    read.await
}

/// Escapes a text for the value of an attribute.
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
    Json(FromObject(marks)): Json<FromObject<Map<String, Value>>>,
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
        // `*` overwrites whatever is there; otherwise the latest version must have been read.
        if known != "*" && known != format!("\"{version}\"") {
            return Err(Refusal::new(
                StatusCode::PRECONDITION_FAILED,
                "somebody else has changed the marks; read them again",
            ));
        }
        let sql = "INSERT INTO marks (batch, version, content) VALUES (?1, ?2, ?3) \
                   ON CONFLICT (batch) DO UPDATE SET version = ?2, content = ?3";
        tx.execute(sql, params![id, version + 1, Value::Object(marks).to_string()])?;
        Ok(version + 1)
    });
    let headers = [(header::ETAG, format!("\"{}\"", saved.await?))];
    Ok((StatusCode::NO_CONTENT, headers).into_response())
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
