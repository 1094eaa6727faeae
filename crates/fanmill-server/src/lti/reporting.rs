//! Reports to the platform, for each file, how many pairs its submission is in, and nothing about other people's.
//!
//! A report is a number of pairs and not a score. Whoever opens it there sees the passages.
//! Source: LTI Asset Processor 1.0, asset report service, as Canvas documents it.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use axum::http::{Request, StatusCode};
use futures_util::stream::{self, StreamExt};
use rusqlite::{Connection, params};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::Answer;
use crate::lti::linking::REPORT_TYPE;
use crate::lti::platforms::{self, Registered, SCOPE_REPORT};
use crate::lti::{retry, services};
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::store::now;

/// Number of reports sent at the same time, and number of reports looked at in one round.
const AT_ONCE: usize = 4;
const ROUND: i64 = 200;

/// A file whose report is due.
struct Due {
    id: String,
    asset: String,
    batch: String,
    platform: Registered,
    url: String,
    folder: Option<String>,
    /// The reason why there is no report, as a code of the standard.
    fault: Option<String>,
    attempts: i64,
    /// The time when the reported comparison ended.
    finished: i64,
    is_anonymous: bool,
}

/// The parts of a report that are read here.
#[derive(Deserialize)]
struct Report {
    submissions: Vec<Named>,
    pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct Pair {
    a: usize,
    b: usize,
}

/// Number of pairs that each submission is in.
type Counts = HashMap<String, usize>;

/// Sends the reports that are due.
pub(super) async fn report(server: &Server) -> Answer<()> {
    let due = server.read(due).await?;
    let mut counts: HashMap<String, Arc<Counts>> = HashMap::new();
    let mut counted = Vec::new();
    for one in due {
        if !counts.contains_key(&one.batch) {
            let path = server.folder(&one.batch).join("report/report.json");
            counts
                .insert(one.batch.clone(), run_blocking(move || Ok(Arc::new(pairs(&path)))).await?);
        }
        let of_batch = counts[&one.batch].clone();
        counted.push((one, of_batch));
    }
    stream::iter(counted)
        .map(|(due, counts)| one(server, due, counts))
        .buffer_unordered(AT_ONCE)
        .fold(Ok(()), |all, one| async { all.and(one) })
        .await
}

fn due(c: &Connection) -> Answer<Vec<Due>> {
    let sql = "SELECT assets.id, asset, assets.batch, platform, report_url, folder, \
               CASE assets.state WHEN 'failed' THEN fault ELSE CASE batches.state WHEN 'failed' THEN 'COMPARISON_FAILED' END END, \
               attempts, coalesce(finished, 0), anonymous \
               FROM assets JOIN activities ON activities.batch = assets.batch JOIN batches ON batches.id = assets.batch \
               WHERE again <= ? AND (assets.state = 'failed' AND reported IS NULL OR \
               assets.state = 'kept' AND batches.state IN ('done', 'failed') AND reported IS NOT finished) \
               ORDER BY assets.rowid LIMIT ?";
    let mut statement = c.prepare(sql)?;
    let mut rows = statement.query(params![now(), ROUND])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(Due {
            id: row.get(0)?,
            asset: row.get(1)?,
            batch: row.get(2)?,
            platform: platforms::of_id(c, &row.get::<_, String>(3)?)?,
            url: row.get(4)?,
            folder: row.get(5)?,
            fault: row.get(6)?,
            attempts: row.get(7)?,
            finished: row.get(8)?,
            is_anonymous: row.get(9)?,
        });
    }
    Ok(all)
}

/// Counts the pairs that each submission of a report is in. A report that cannot be read has none.
fn pairs(path: &Path) -> Counts {
    let read = std::fs::read(path).unwrap_or_default();
    let Ok(report) = serde_json::from_slice::<Report>(&read) else { return HashMap::new() };
    let mut counts = HashMap::new();
    for index in report.pairs.iter().flat_map(|pair| [pair.a, pair.b]) {
        if let Some(Named { name }) = report.submissions.get(index) {
            *counts.entry(name.clone()).or_default() += 1;
        }
    }
    counts
}

async fn one(server: &Server, due: Due, counts: Arc<Counts>) -> Answer<()> {
    let body = body(&due, &counts);
    let sent = services::send(server, &due.platform, SCOPE_REPORT, Request::post(&due.url), &body);
    let answered = sent.await.and_then(|answer| match answer.status() {
        // The platform has a later report already.
        StatusCode::CONFLICT => Ok(()),
        status if status.is_success() => Ok(()),
        status => {
            Err(due.platform.failed(&format!("it answered {} for a report", status.as_u16())))
        }
    });
    let again = match answered {
        Ok(()) => None,
        Err(refusal) => {
            let fields = [("refused", refusal.message.into()), ("batch", due.batch.clone().into())];
            server.0.config.log.say("report", fields);
            retry::again_at(due.attempts)
        }
    };
    let (id, finished) = (due.id, due.finished);
    let saved = server.write(move |tx| {
        if let Some(again) = again {
            let sql = "UPDATE assets SET attempts = attempts + 1, again = ? WHERE id = ?";
            return Ok(tx.execute(sql, params![again, id])?);
        }
        let sql = "UPDATE assets SET reported = ?, attempts = 0, again = 0 WHERE id = ?";
        Ok(tx.execute(sql, params![finished, id])?)
    });
    saved.await?;
    Ok(())
}

fn body(due: &Due, counts: &Counts) -> Value {
    let mut body = json!({
        "assetId": due.asset,
        "type": REPORT_TYPE,
        "timestamp": jiff::Timestamp::now().to_string(),
        "title": "Shared passages",
        "priority": 0,
    });
    if let Some(fault) = &due.fault {
        body["processingProgress"] = "Failed".into();
        body["errorCode"] = fault.as_str().into();
        return body;
    }
    let n = due.folder.as_ref().and_then(|folder| counts.get(folder)).copied().unwrap_or(0);
    body["processingProgress"] = "Processed".into();
    body["result"] = match n {
        // The report has pseudonyms, so this person's submission cannot be found in it.
        _ if due.is_anonymous => "compared".into(),
        0 => "no pair".into(),
        1 => "1 pair".into(),
        n => format!("{n} pairs").into(),
    };
    body
}
