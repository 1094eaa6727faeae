//! Platforms, which an administrator registers, giving each the addresses of this server that it has to know.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use rusqlite::{Connection, Row, Transaction, params};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;
use utoipa::ToSchema;

use crate::access::Caller;
use crate::error::{Answer, Refusal};
use crate::from_object::FromObject;
use crate::journal::{self, Task};
use crate::made::Made;
use crate::name::Name;
use crate::outgoing;
use crate::secret;
use crate::state::Server;
use crate::store::{audit, now};

/// Paths where a platform begins a launch, ends it, and sends notices, and the path of this server's keys.
pub(crate) const LOGIN: &str = "/lti/login";
pub(crate) const LAUNCH: &str = "/lti/launch";
pub(crate) const NOTICES: &str = "/lti/notices";
pub(crate) const KEYS: &str = "/lti/keys.json";

/// Scopes that this server asks a platform for: notices, files, reports, names.
pub(crate) const SCOPE_NOTICES: &str = "https://purl.imsglobal.org/spec/lti/scope/noticehandlers";
pub(crate) const SCOPE_ASSETS: &str = "https://purl.imsglobal.org/spec/lti/scope/asset.readonly";
pub(crate) const SCOPE_REPORT: &str = "https://purl.imsglobal.org/spec/lti/scope/report";
pub(crate) const SCOPE_NAMES: &str =
    "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly";

/// Maximum length of a field that an administrator fills in, in characters, and maximum number of a platform's deployments.
const FIELD_CHARACTERS: usize = 1000;
const MOST_DEPLOYMENTS: usize = 100;

/// A learning platform as an administrator registers it.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Platform {
    /// The name that people know it by.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S")]
    pub name: String,
    /// Its issuer identifier.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S")]
    pub issuer: String,
    /// The client id of this server.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S")]
    pub client_id: String,
    /// The address where people log in to it.
    #[schema(pattern = "^https://")]
    pub login_url: String,
    /// The address where this server gets access to its services.
    #[schema(pattern = "^https://")]
    pub token_url: String,
    /// The address of its public keys.
    #[schema(pattern = "^https://")]
    pub keys_url: String,
    /// The ids of this server's deployments in it.
    #[schema(value_type = Vec<Name>, min_items = 1, max_items = 100)]
    pub deployments: Vec<String>,
}

/// All platforms, and the addresses that each of them has to know.
#[derive(Serialize, ToSchema)]
pub(crate) struct Platforms {
    platforms: Vec<ListedPlatform>,
    tool: Tool,
}

/// A learning platform and its id.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListedPlatform {
    client_id: String,
    deployments: Vec<String>,
    id: String,
    issuer: String,
    keys_url: String,
    login_url: String,
    name: String,
    token_url: String,
}

/// The addresses of this server that a platform has to know.
#[derive(Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "members of the interface")]
pub(crate) struct Tool {
    keys_url: String,
    launch_url: String,
    login_url: String,
}

/// A registered platform, by its id.
#[derive(Debug, Clone)]
pub(crate) struct Registered {
    pub(crate) id: String,
    pub(crate) platform: Platform,
}

impl Registered {
    const COLUMNS: &'static str =
        "id, name, issuer, client_id, login_url, token_url, keys_url, deployments";

    fn from_row(row: &Row) -> rusqlite::Result<Registered> {
        let deployments: String = row.get(7)?;
        Ok(Registered {
            id: row.get(0)?,
            platform: Platform {
                name: row.get(1)?,
                issuer: row.get(2)?,
                client_id: row.get(3)?,
                login_url: row.get(4)?,
                token_url: row.get(5)?,
                keys_url: row.get(6)?,
                deployments: serde_json::from_str(&deployments).unwrap_or_default(),
            },
        })
    }

    fn listed(self) -> ListedPlatform {
        let Registered { id, platform } = self;
        let Platform { name, issuer, client_id, login_url, token_url, keys_url, deployments } =
            platform;
        ListedPlatform { client_id, deployments, id, issuer, keys_url, login_url, name, token_url }
    }

    /// Returns the issuer under which identities of its people are kept. It is not the platform's own, which another
    /// registration may share.
    pub(crate) fn issuer_of_people(&self) -> String {
        format!("platform {}", self.id)
    }

    pub(crate) fn has(&self, deployment: &str) -> bool {
        self.platform.deployments.iter().any(|known| known == deployment)
    }

    /// Checks an address that the platform names. Only a platform on this machine may lead to other addresses here: a
    /// remote one could have services read out that listen on this machine.
    pub(crate) fn leads_to(&self, url: &str) -> Answer<Url> {
        let url = outgoing::check(url)?;
        if url.scheme() == "http" && self.platform.token_url.starts_with("https:") {
            return Err(self.failed("it leads to an address without TLS"));
        }
        Ok(url)
    }

    pub(crate) fn failed(&self, why: &str) -> Refusal {
        Refusal::bad_gateway(&self.platform.name, why)
    }
}

/// Returns the platform of an id.
pub(crate) fn of_id(c: &Connection, id: &str) -> Answer<Registered> {
    let sql = format!("SELECT {} FROM platforms WHERE id = ?", Registered::COLUMNS);
    Ok(c.query_row(&sql, [id], Registered::from_row)?)
}

/// Returns the only platform with this issuer and one of these client ids, or with this issuer, if there are no client
/// ids.
pub(crate) fn called(c: &Connection, issuer: &str, clients: &[String]) -> Answer<Registered> {
    let sql = format!("SELECT {} FROM platforms WHERE issuer = ?", Registered::COLUMNS);
    let mut statement = c.prepare(&sql)?;
    let all =
        statement.query_map([issuer], Registered::from_row)?.collect::<Result<Vec<_>, _>>()?;
    let is_meant =
        |one: &&Registered| clients.is_empty() || clients.contains(&one.platform.client_id);
    let mut meant = all.iter().filter(is_meant);
    match (meant.next(), meant.next()) {
        (Some(one), None) => Ok(one.clone()),
        _ => Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "this server does not know the learning platform; ask its administrator to register it",
        )),
    }
}

/// Lists all platforms, by name.
pub(crate) fn all(c: &Connection) -> Answer<Vec<Registered>> {
    let sql = format!("SELECT {} FROM platforms ORDER BY name", Registered::COLUMNS);
    let mut statement = c.prepare(&sql)?;
    Ok(statement.query_map([], Registered::from_row)?.collect::<Result<Vec<_>, _>>()?)
}

/// Registers a platform, or changes one that is registered with the same issuer and client id. Returns its id.
pub(crate) fn register(tx: &Transaction, by: &str, platform: &Platform) -> Answer<String> {
    check(platform)?;
    let Platform { name, issuer, client_id, login_url, token_url, keys_url, .. } = platform;
    let sql = "SELECT EXISTS (SELECT 1 FROM platforms WHERE name = ? AND NOT (issuer = ? AND client_id = ?))";
    if tx.query_row(sql, [name, issuer, client_id], |row| row.get(0))? {
        let message = format!("another platform is called `{name}`; choose another name");
        return Err(Refusal::new(StatusCode::CONFLICT, message));
    }
    let deployments = json!(platform.deployments).to_string();
    let sql = "INSERT INTO platforms (id, name, issuer, client_id, login_url, token_url, keys_url, deployments, created) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (issuer, client_id) DO UPDATE SET \
               name = ?2, login_url = ?5, token_url = ?6, keys_url = ?7, deployments = ?8 RETURNING id";
    let id = secret::random::<16>();
    let values =
        params![id, name, issuer, client_id, login_url, token_url, keys_url, deployments, now()];
    let id: String = tx.query_row(sql, values, |row| row.get(0))?;
    audit(tx, by, "platform registered", &id)?;
    Ok(id)
}

/// Removes a platform. Its courses and batches stay, but batches that still collect files are cancelled, and its people
/// can no longer come from it.
pub(crate) fn forget(tx: &Transaction, by: &str, id: &str) -> Answer<()> {
    let people = of_id(tx, id)?.issuer_of_people();
    let sql = "UPDATE batches SET state = 'cancelled' WHERE state = 'collecting' AND id IN \
               (SELECT batch FROM activities WHERE platform = ?)";
    tx.execute(sql, [id])?;
    // The rows of files that were fetched and not packed go with the platform's.
    let mut statement = tx.prepare("SELECT batch FROM activities WHERE platform = ?")?;
    for batch in statement.query_map([id], |row| row.get::<_, String>(0))? {
        journal::add(tx, Task::RemoveFetched, &batch?)?;
    }
    tx.execute("DELETE FROM platforms WHERE id = ?", [id])?;
    tx.execute("DELETE FROM identities WHERE issuer = ?", [people])?;
    journal::add_forgetting(tx)?;
    Ok(audit(tx, by, "platform removed", id)?)
}

fn check(platform: &Platform) -> Answer<()> {
    for url in [&platform.login_url, &platform.token_url, &platform.keys_url] {
        outgoing::check(url)?;
    }
    let all = &platform.deployments;
    if let Some(why) = all.iter().find_map(|id| Name::new(id).err()) {
        return Err(Refusal::bad(format!("a deployment's id: {why}")));
    }
    let fields = [&platform.name, &platform.issuer, &platform.client_id];
    let is_bad =
        |field: &String| field.trim().is_empty() || field.chars().count() > FIELD_CHARACTERS;
    if fields.into_iter().any(is_bad) {
        let message = format!("name, issuer and client id have 1 to {FIELD_CHARACTERS} characters");
        return Err(Refusal::bad(message));
    }
    if all.is_empty() || all.len() > MOST_DEPLOYMENTS {
        let message =
            format!("a platform has 1 to {MOST_DEPLOYMENTS} deployments, not {}", all.len());
        return Err(Refusal::bad(message));
    }
    Ok(())
}

pub(crate) async fn list(State(server): State<Server>) -> Answer<Json<Platforms>> {
    let platforms = server.read(all).await?.into_iter().map(Registered::listed).collect();
    let at = |path: &str| format!("{}{path}", server.0.address);
    let tool = Tool { keys_url: at(KEYS), launch_url: at(LAUNCH), login_url: at(LOGIN) };
    Ok(Json(Platforms { platforms, tool }))
}

pub(crate) async fn add(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Json(FromObject(platform)): Json<FromObject<Platform>>,
) -> Answer<(StatusCode, Json<Made>)> {
    let by = asker.someone()?.id.clone();
    let id = server.write(move |tx| register(tx, &by, &platform)).await?;
    Ok((StatusCode::CREATED, Json(Made { id })))
}

pub(crate) async fn remove(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    let by = asker.someone()?.id.clone();
    server.write(move |tx| forget(tx, &by, &id)).await?;
    server.0.journaled.notify_one();
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the keys with which platforms verify this server's statements.
pub(crate) async fn keys(State(server): State<Server>) -> Answer<Json<Value>> {
    Ok(Json(server.own_key().await?.published()))
}
