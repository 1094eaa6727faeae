//! Names of the people in a course, as notices may have only ids.
//!
//! Source: LTI Names and Role Provisioning Services 2.0.

use std::collections::HashMap;

use axum::http::{HeaderMap, header};
use rusqlite::OptionalExtension;
use serde::Deserialize;

use crate::error::Answer;
use crate::fetched::Names;
use crate::lti::platforms::{self, Registered, SCOPE_NAMES};
use crate::lti::services;
use crate::outgoing::{AnswerLimits, SOON};
use crate::state::Server;

const KIND: &str = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json";

/// Maximum size of a page of the list, in bytes, and maximum number of pages.
const MOST_BYTES: u64 = 8 << 20;
const MOST_PAGES: usize = 50;

#[derive(Deserialize)]
struct Container {
    members: Vec<Member>,
}

#[derive(Deserialize)]
struct Member {
    user_id: String,
    name: Option<String>,
}

/// Returns the names of people, for those of these batches that have files with neither a name nor a place in the
/// archive.
pub(crate) async fn of_unpacked(server: &Server, batches: &[String]) -> Answer<Names> {
    let sql = "SELECT DISTINCT batch FROM assets WHERE name IS NULL AND folder IS NULL AND state IN ('wanted', 'fetched', 'replaced')";
    let nameless = server.read(move |c| {
        let mut statement = c.prepare(sql)?;
        let ids = statement.query_map([], |row| row.get(0))?;
        Ok(ids.collect::<Result<Vec<String>, _>>()?)
    });
    let mut names = Names::new();
    for batch in nameless.await?.into_iter().filter(|batch| batches.contains(batch)) {
        let listed = of_batch(server, &batch).await?;
        names.insert(batch, listed);
    }
    Ok(names)
}

/// Returns the names of the people in the course of a batch, by id; an empty map if the platform does not list them.
pub(super) async fn of_batch(server: &Server, batch: &str) -> Answer<HashMap<String, String>> {
    let batch = batch.to_owned();
    let place = server.read(move |c| {
        let sql = "SELECT activities.platform, memberships FROM activities JOIN contexts USING (platform, deployment, context) \
                   WHERE batch = ? AND memberships IS NOT NULL";
        let row = |row: &rusqlite::Row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
        let Some((platform, url)) = c.query_row(sql, [batch], row).optional()? else { return Ok(None) };
        Ok(Some((platforms::of_id(c, &platform)?, url)))
    });
    let Some((platform, url)) = place.await? else { return Ok(HashMap::new()) };
    asked(server, &platform, url).await
}

async fn asked(
    server: &Server,
    platform: &Registered,
    mut url: String,
) -> Answer<HashMap<String, String>> {
    let mut names = HashMap::new();
    for _ in 0..MOST_PAGES {
        let take = AnswerLimits { most: MOST_BYTES, time: SOON, file: None };
        let answer = services::get(server, platform, SCOPE_NAMES, (&url, KIND), take).await?;
        let unread = |_| platform.failed("its list of names cannot be read");
        let page: Container = serde_json::from_slice(answer.body()).map_err(unread)?;
        let named = page.members.into_iter().filter_map(|one| Some((one.user_id, one.name?)));
        names.extend(named.filter(|(_, name)| !name.trim().is_empty()));
        let Some(next) = next(answer.headers()) else { break };
        url = next;
    }
    Ok(names)
}

/// Returns the address of the next page, from `Link: <https://…>; rel="next"`.
fn next(headers: &HeaderMap) -> Option<String> {
    let lines = headers.get_all(header::LINK).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).find_map(|link| {
        let (place, rest) = link.trim().strip_prefix('<')?.split_once('>')?;
        rest.replace(['"', ' '], "")
            .split(';')
            .any(|part| part == "rel=next")
            .then(|| place.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_found_among_links() {
        let mut headers = HeaderMap::new();
        headers.insert(
            header::LINK,
            "<https://x.edu/a>; rel=\"current\", <https://x.edu/b?page=2>; rel=\"next\""
                .parse()
                .expect("a header"),
        );
        assert_eq!(next(&headers).as_deref(), Some("https://x.edu/b?page=2"));
        assert_eq!(next(&HeaderMap::new()), None);
    }
}
