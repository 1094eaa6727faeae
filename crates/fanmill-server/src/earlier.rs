//! Earlier work of a course: batches that later ones may be compared with.

use std::path::{Path, PathBuf};

use axum::Extension;
use axum::extract::{Path as At, State};
use axum::http::StatusCode;
use rusqlite::Connection;

use crate::access::Caller;
use crate::error::Answer;
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::store::audit;

/// The folder inside a batch's that holds its uploads as earlier work.
pub(crate) const EARLIER: &str = "earlier";

/// Lists the uploads of batches that are earlier work, named after the batches' titles; relative to another batch's
/// folder.
pub(crate) fn paths(server: &Server, batches: &[String]) -> Answer<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for batch in batches {
        let folder = server.folder(batch).join(EARLIER);
        for entry in std::fs::read_dir(&folder)? {
            paths.push(Path::new("..").join(batch).join(EARLIER).join(entry?.file_name()));
        }
    }
    paths.sort();
    Ok(paths)
}

/// Lists the batches of a course that are earlier work, except `but`.
pub(crate) fn batches(c: &Connection, course: &str, but: &str) -> rusqlite::Result<Vec<String>> {
    let sql =
        "SELECT id FROM batches WHERE course = ? AND archived = 1 AND id <> ? ORDER BY created";
    let mut statement = c.prepare(sql)?;
    let rows = statement.query_map([course, but], |row| row.get(0))?;
    rows.collect()
}

/// Makes a batch earlier work of its course, with which later batches may be compared.
pub(crate) async fn archive(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    At(id): At<String>,
) -> Answer<StatusCode> {
    let by = asker.someone()?.id.clone();
    let (batch, sql) = (id.clone(), "SELECT title FROM batches WHERE id = ?");
    let title: String =
        server.read(move |c| Ok(c.query_row(sql, [batch], |row| row.get(0))?)).await?;
    let (folder, title) = (server.folder(&id), named_by(&title, &id));
    run_blocking(move || link_uploads(&folder, &title)).await?;
    let kept = server.write(move |tx| {
        tx.execute("UPDATE batches SET archived = 1 WHERE id = ?", [&id])?;
        Ok(audit(tx, &by, "batch made earlier work", &id)?)
    });
    kept.await?;
    Ok(StatusCode::ACCEPTED)
}

/// Makes a file name from a title, or from the id if no character of the title can be used.
fn named_by(title: &str, id: &str) -> String {
    let is_plain = |c: &char| c.is_alphanumeric() || " -_.()".contains(*c);
    let name: String = title.chars().filter(is_plain).take(60).collect();
    let name = name.trim_matches(['.', ' ']);
    if name.is_empty() { id.chars().take(8).collect() } else { name.to_owned() }
}

/// Gives the uploads of a batch a second name, inside the batch's folder.
fn link_uploads(folder: &Path, title: &str) -> Answer<()> {
    let earlier = folder.join(EARLIER);
    std::fs::create_dir_all(&earlier)?;
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let Some(ending) = ending(&name) else { continue };
        let place = earlier.join(format!("{title}{ending}"));
        if !place.exists() {
            std::fs::hard_link(folder.join(&name), place)?;
        }
    }
    Ok(())
}

/// Returns what the name of an upload has after `submissions`, which its second name has, too: `.zip`, `-list-1.csv`.
fn ending(upload: &str) -> Option<&str> {
    upload.strip_prefix("submissions")
}

/// Moves the second name of an upload to the file that was rewritten.
pub(crate) fn relink(folder: &Path, upload: &Path) -> Answer<()> {
    let Ok(entries) = std::fs::read_dir(folder.join(EARLIER)) else { return Ok(()) };
    let name = upload.file_name().unwrap_or_default().to_string_lossy();
    let Some(ending) = ending(&name) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(ending) {
            std::fs::remove_file(&path)?;
            std::fs::hard_link(upload, path)?;
        }
    }
    Ok(())
}
