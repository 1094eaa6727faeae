//! Fetches files that were handed in on a platform, each into a file of its own beside the batch's archive.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::http::StatusCode;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use futures_util::stream::{self, StreamExt};
use rusqlite::{Connection, params};

use crate::batches::enough_room;
use crate::error::{Answer, Refusal};
use crate::fetched::FOLDER;
use crate::lti::platforms::{self, Registered, SCOPE_ASSETS};
use crate::lti::{retry, services};
use crate::outgoing::AnswerLimits;
use crate::packed;
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::store::now;

/// Number of files fetched at the same time, and number of files looked at in one round.
const AT_ONCE: usize = 4;
const ROUND: i64 = 100;

/// Maximum time for one file.
const SLOWLY: Duration = Duration::from_mins(10);

/// Longest delay of a busy assignment's comparison, as a multiple of the silence that is waited for.
const MOST_SILENCES: i64 = 10;

/// A file to be fetched.
struct AssetToFetch {
    id: String,
    batch: String,
    platform: Registered,
    url: String,
    checksum: Option<String>,
    attempts: i64,
    /// Size of the batch so far, in bytes.
    n_bytes: i64,
}

/// Returns the folder of a batch's fetched files.
pub(super) fn folder(server: &Server, batch: &str) -> PathBuf {
    server.folder(batch).join(FOLDER)
}

/// Fetches the files that are due.
pub(super) async fn fetch(server: &Server) -> Answer<()> {
    let wanted = server.read(wanted).await?;
    stream::iter(wanted)
        .map(|wanted| one(server, wanted))
        .buffer_unordered(AT_ONCE)
        .fold(Ok(()), |all, one| async { all.and(one) })
        .await
}

fn wanted(c: &Connection) -> Answer<Vec<AssetToFetch>> {
    let sql = "SELECT assets.id, assets.batch, platform, url, checksum, attempts, bytes FROM assets \
               JOIN activities ON activities.batch = assets.batch JOIN batches ON batches.id = assets.batch \
               WHERE assets.state = 'wanted' AND again <= ? ORDER BY noticed, assets.rowid LIMIT ?";
    let mut statement = c.prepare(sql)?;
    let mut rows = statement.query(params![now(), ROUND])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(AssetToFetch {
            id: row.get(0)?,
            batch: row.get(1)?,
            platform: platforms::of_id(c, &row.get::<_, String>(2)?)?,
            url: row.get(3)?,
            checksum: row.get(4)?,
            attempts: row.get(5)?,
            n_bytes: row.get(6)?,
        });
    }
    Ok(all)
}

async fn one(server: &Server, wanted: AssetToFetch) -> Answer<()> {
    let path = folder(server, &wanted.batch).join(&wanted.id);
    let fetched = fetched(server, &wanted, &path).await;
    if let Err(refusal) = &fetched {
        let _ = fs::remove_file(&path);
        let why = refusal.message.clone();
        let fields = [("refused", why.into()), ("batch", wanted.batch.clone().into())];
        server.0.config.log.say("fetch", fields);
    }
    let quiet = server.0.config.quiet_seconds;
    let is_there = server.write(move |tx| {
        let n = match fetched {
            Ok(n_bytes) => {
                let sql = "UPDATE batches SET bytes = bytes + ? WHERE id = ?";
                tx.execute(sql, params![n_bytes.cast_signed(), wanted.batch])?;
                let sql = "UPDATE assets SET state = 'fetched' WHERE id = ? AND state = 'wanted'";
                tx.execute(sql, [&wanted.id])?
            }
            Err(refusal) => failed(tx, &wanted, &refusal)?,
        };
        let sql = "UPDATE activities SET due = min(?1, coalesce(since, ?2) + ?3) WHERE batch = ?4";
        let latest = MOST_SILENCES * quiet;
        tx.execute(sql, params![now() + quiet, now(), latest, wanted.batch])?;
        Ok(n > 0)
    });
    // The row was deleted or replaced in the meantime.
    if !is_there.await? {
        let _ = fs::remove_file(path);
    }
    Ok(())
}

/// Records that a file could not be fetched, for now or for good.
fn failed(c: &Connection, wanted: &AssetToFetch, refusal: &Refusal) -> Answer<usize> {
    let is_large = refusal.status == StatusCode::PAYLOAD_TOO_LARGE;
    let again = retry::again_at(wanted.attempts).filter(|_| !is_large);
    if let Some(again) = again {
        let sql = "UPDATE assets SET attempts = attempts + 1, again = ? WHERE id = ?";
        return Ok(c.execute(sql, params![again, wanted.id])?);
    }
    let code = if is_large { "ASSET_TOO_LARGE" } else { "DOWNLOAD_FAILED" };
    let sql = "UPDATE assets SET state = 'failed', fault = ?, attempts = 0, again = 0 WHERE id = ?";
    Ok(c.execute(sql, [code, &wanted.id])?)
}

/// Fetches a file and returns its size in bytes.
async fn fetched(server: &Server, wanted: &AssetToFetch, path: &Path) -> Answer<u64> {
    enough_room(server)?;
    let limits = &server.0.config.uploads;
    let left = limits.batch_bytes.saturating_sub(wanted.n_bytes.unsigned_abs());
    let most = limits.file_bytes.min(left);
    fs::create_dir_all(folder(server, &wanted.batch))?;
    let take = AnswerLimits { most, time: SLOWLY, file: Some(path.to_owned()) };
    let place = (&*wanted.url, "*/*");
    let answer = services::get(server, &wanted.platform, SCOPE_ASSETS, place, take).await?;
    if !answer.status().is_success() {
        let why = format!("it answered {} for a file", answer.status().as_u16());
        return Err(wanted.platform.failed(&why));
    }
    let (path, checksum) = (path.to_owned(), wanted.checksum.clone());
    let (found, n_bytes) = run_blocking(move || {
        Ok((BASE64_STANDARD.encode(packed::sha256(&path)?), fs::metadata(&path)?.len()))
    })
    .await?;
    if checksum.is_some_and(|said| said.trim_end_matches('=') != found.trim_end_matches('=')) {
        return Err(wanted.platform.failed("it sent another file than the one that was handed in"));
    }
    Ok(n_bytes)
}
