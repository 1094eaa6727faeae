//! Notices, by which a platform reports that something was handed in.
//!
//! Each notice is signed. The files it lists are recorded and fetched later, as the platform waits for the answer.
//! Source: Platform Notification Service 1.0, 4; LTI Asset Processor 1.0, `LtiAssetProcessorSubmissionNotice`.

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use rusqlite::{Transaction, params};
use serde::Deserialize;
use serde_json::Value;

use crate::access::Client;
use crate::error::{Answer, Refusal};
use crate::from_object::FromObject;
use crate::lti::claims::{Activity, Asset, Notice, Person};
use crate::lti::courses::{PlatformCourse, shortened};
use crate::lti::platforms::{self, Registered};
use crate::passwords::place_of;
use crate::signed::{self, Expected};
use crate::state::Server;
use crate::store::now;
use crate::{rates, secret};

/// Maximum number of notices in a request, and of files in a notice.
const MOST_NOTICES: usize = 100;
const MOST_ASSETS: usize = 1000;

/// Maximum number of invalid notices from one address, in the window of [`rates`].
const MAX_WRONG: i64 = 100;

#[derive(Deserialize)]
pub(crate) struct Notices {
    notices: Vec<Sealed>,
}

#[derive(Deserialize)]
struct Sealed {
    jwt: String,
}

pub(crate) async fn receive(
    State(server): State<Server>,
    Extension(client): Extension<Client>,
    Json(FromObject(Notices { notices })): Json<FromObject<Notices>>,
) -> Answer<StatusCode> {
    let from = format!("notices {}", place_of(client));
    rates::limited(&server, &from, MAX_WRONG, "notices that are none").await?;
    if notices.len() > MOST_NOTICES {
        return Err(Refusal::bad(format!("at most {MOST_NOTICES} notices at once")));
    }
    let (mut n_heard, mut refused) = (0, None);
    for Sealed { jwt } in notices {
        match heard(&server, &jwt).await {
            Ok(()) => n_heard += 1,
            Err(refusal) => {
                server.0.config.log.say("notice", [("refused", refusal.message.clone().into())]);
                rates::note(&server, from.clone()).await?;
                refused = Some(refusal);
            }
        }
    }
    // A refusal would make the platform send all of them again, also those that were accepted.
    match refused {
        Some(refusal) if n_heard == 0 => Err(refusal),
        _ => Ok(StatusCode::ACCEPTED),
    }
}

async fn heard(server: &Server, jwt: &str) -> Answer<()> {
    let (issuer, clients) = signed::claimed(jwt)?;
    let platform = server.read(move |c| platforms::called(c, &issuer, &clients)).await?;
    let given = &platform.platform;
    let expected =
        Expected { issuer: &given.issuer, client: &given.client_id, keys: &given.keys_url };
    let notice: Notice = signed::checked(&server.0.outgoing, jwt, expected).await?;
    if !platform.has(&notice.deployment) {
        return Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "a notice of a deployment that is not registered",
        ));
    }
    if notice.happened.kind != "LtiAssetProcessorSubmissionNotice" {
        return Ok(());
    }
    let context = notice.context.clone().ok_or_else(|| lacks("the course"))?;
    let handed_in = HandedIn::new(&platform, notice.clone())?;
    let place = PlatformCourse { platform, deployment: notice.deployment, context };
    let most = server.0.config.uploads.files.cast_signed();
    let new = secret::random::<16>();
    let id = server.write(move |tx| handed_in.write(tx, &place, new, most)).await?;
    std::fs::create_dir_all(server.folder(&id))?;
    Ok(())
}

fn lacks(what: &str) -> Refusal {
    Refusal::bad(format!("the notice lacks {what}"))
}

/// A submission that was handed in.
struct HandedIn {
    activity: Activity,
    submission: String,
    person: Person,
    assets: Vec<Asset>,
    report_url: String,
    /// Time of the event, in milliseconds since 1970.
    at: i64,
}

impl HandedIn {
    fn new(platform: &Registered, notice: Notice) -> Answer<HandedIn> {
        let assets = notice.assets.ok_or_else(|| lacks("the files"))?.assets;
        if assets.len() > MOST_ASSETS {
            return Err(Refusal::bad(format!("at most {MOST_ASSETS} files of one submission")));
        }
        let report_url = notice.report.ok_or_else(|| lacks("where reports go"))?.url;
        for url in assets.iter().map(|asset| &asset.url).chain([&report_url]) {
            platform.leads_to(url)?;
        }
        let said = notice.happened.timestamp.and_then(|at| at.parse::<jiff::Timestamp>().ok());
        Ok(HandedIn {
            activity: notice.activity.ok_or_else(|| lacks("the assignment"))?,
            submission: notice.submission.ok_or_else(|| lacks("the submission"))?.id,
            person: notice.person.ok_or_else(|| lacks("who handed it in"))?,
            assets,
            report_url,
            at: said.unwrap_or_else(jiff::Timestamp::now).as_millisecond(),
        })
    }

    /// Records the files that are to be fetched. Returns the batch.
    fn write(
        &self,
        tx: &Transaction,
        place: &PlatformCourse,
        new: String,
        most: i64,
    ) -> Answer<String> {
        let named = self.assets.iter().find_map(|asset| asset.title.as_deref());
        let title = self.activity.title.as_deref().or(named).unwrap_or("Assignment");
        let batch = place.batch(tx, &self.activity, title, new)?;
        for asset in &self.assets {
            // A file that is listed again is fetched again only if that failed before.
            let sql = "INSERT INTO assets (id, batch, asset, submission, person, name, file, url, checksum, report_url, noticed) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (batch, asset) DO UPDATE SET \
                       url = ?8, report_url = ?10, fault = NULL, attempts = 0, again = 0, reported = NULL, \
                       state = CASE state WHEN 'failed' THEN 'wanted' ELSE state END";
            tx.execute(
                sql,
                params![
                    secret::random::<16>(),
                    batch,
                    asset.id,
                    self.submission,
                    self.person.id,
                    self.person.name,
                    file_name(asset),
                    asset.url,
                    asset.sha256_checksum,
                    self.report_url,
                    self.at
                ],
            )?;
        }
        self.replace(tx, &batch)?;
        let sql = "SELECT count(*) FROM assets WHERE batch = ?";
        if tx.query_row(sql, [&batch], |row| row.get::<_, i64>(0))? > most {
            let message = format!("the assignment has more than {most} files");
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        let sql = "UPDATE activities SET since = coalesce(since, ?1), due = coalesce(due, ?1) WHERE batch = ?2";
        tx.execute(sql, params![now(), batch])?;
        Ok(batch)
    }

    /// Marks files as replaced: of each person, only the last submission counts, in whatever order notices come.
    fn replace(&self, tx: &Transaction, batch: &str) -> Answer<()> {
        let sql = "UPDATE assets SET state = 'replaced' WHERE batch = ?1 AND person = ?2 AND submission <> \
                   (SELECT submission FROM assets WHERE batch = ?1 AND person = ?2 ORDER BY noticed DESC, rowid DESC LIMIT 1)";
        tx.execute(sql, [batch, &self.person.id])?;
        Ok(())
    }
}

/// Returns the names that files of a notice get, if it is one of something handed in.
pub(crate) fn names_of_files(platform: &Registered, claims: Value) -> Option<Vec<String>> {
    let notice = serde_json::from_value(claims).ok()?;
    let handed_in = HandedIn::new(platform, notice).ok()?;
    Some(handed_in.assets.iter().map(file_name).collect())
}

/// Returns a file's name in the batch. Text that was typed has no name, and gets one by its content type.
fn file_name(asset: &Asset) -> String {
    let kind = asset.content_type.as_deref().unwrap_or_default();
    let typed = match kind.split(';').next().unwrap_or_default().trim() {
        "text/html" => "text.html",
        _ => "text.txt",
    };
    let name = asset.filename.as_deref().unwrap_or(typed);
    let name: String = name
        .chars()
        .map(|c| if c == '/' || c == '\\' || c.is_control() { '_' } else { c })
        .collect();
    let name = name.trim_matches(['.', ' ']);
    if name.is_empty() { typed.to_owned() } else { shortened(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_names_that_are_no_paths() {
        let named = |name: Option<&str>, kind: &str| {
            file_name(&Asset {
                id: String::new(),
                url: String::new(),
                filename: name.map(str::to_owned),
                content_type: Some(kind.to_owned()),
                sha256_checksum: None,
                title: None,
            })
        };
        assert_eq!(named(Some("../a/b.py"), ""), "_a_b.py");
        assert_eq!(named(None, "text/html; charset=utf-8"), "text.html");
        assert_eq!(named(Some(".."), "text/plain"), "text.txt");
        assert_eq!(named(Some("C:\\x.c"), ""), "C:_x.c");
    }
}
