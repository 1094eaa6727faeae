//! Accounts, which administrators add and remove, and the one-time secrets by which their owners log in first.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::access::{Caller, User};
use crate::error::{Answer, Refusal};
use crate::from_object::FromObject;
use crate::name::Name;
use crate::state::Server;
use crate::store::{audit, now};
use crate::{journal, secret};

/// Lifetime of a one-time link, in seconds: three days.
pub(crate) const ONE_TIME: i64 = 3 * 86_400;

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewUser {
    name: Name,
    role: AccountRole,
}

/// The role of an account.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum AccountRole {
    Administrator,
    Teacher,
    Reader,
}

impl AccountRole {
    const ALL: [AccountRole; 3] =
        [AccountRole::Administrator, AccountRole::Teacher, AccountRole::Reader];

    /// Returns its name in the interface and in the database.
    fn name(self) -> &'static str {
        match self {
            AccountRole::Administrator => "administrator",
            AccountRole::Teacher => "teacher",
            AccountRole::Reader => "reader",
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Account {
    active: bool,
    id: String,
    /// True if its owner can log in.
    is_set_up: bool,
    /// The mail address known to the service that its owner logs in with.
    #[schema(required)]
    mail: Option<String>,
    name: String,
    /// `administrator`, `teacher` or `reader`.
    role: String,
}

/// A newly added account.
#[derive(Serialize, ToSchema)]
pub(crate) struct Invited {
    id: String,
    /// The address where its owner sets a password, once, within three days.
    link: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct OneTimeLink {
    /// The address where a password is set, once, within three days.
    link: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Heir {
    /// The name of the account that becomes owner of this account's courses.
    #[param(value_type = String, required = false)]
    owner: Option<String>,
}

/// Returns a random user id of nine or ten digits, as MOSS has them: 100,000,000 to 9,999,999,999.
pub(crate) fn moss_id() -> String {
    (100_000_000 + secret::number_below(9_900_000_000)).to_string()
}

pub(crate) async fn users(State(server): State<Server>) -> Answer<Json<Vec<Account>>> {
    let rows = server.read(|c| {
        let mut statement = c.prepare(
            "SELECT id, name, role, active, id IN able, (SELECT min(mail) FROM identities WHERE user = users.id) \
             FROM users ORDER BY name",
        )?;
        let rows = statement.query_map([], |row| {
            Ok(Account {
                id: row.get(0)?,
                name: row.get(1)?,
                role: row.get(2)?,
                active: row.get(3)?,
                is_set_up: row.get(4)?,
                mail: row.get(5)?,
            })
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    });
    Ok(Json(rows.await?))
}

pub(crate) async fn add_user(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Json(FromObject(new)): Json<FromObject<NewUser>>,
) -> Answer<(StatusCode, Json<Invited>)> {
    let by = asker.someone()?.id.clone();
    let made = server.write(move |tx| {
        let id = insert_user(tx, &new.name, new.role.name())?;
        audit(tx, &by, "account added", &id)?;
        let secret = one_time(tx, Some(&id))?;
        Ok((id, secret))
    });
    let (id, secret) = made.await?;
    let link = format!("{}/setup/{secret}", server.0.address);
    Ok((StatusCode::CREATED, Json(Invited { id, link })))
}

pub(crate) async fn reset_user(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Path(id): Path<String>,
) -> Answer<Json<OneTimeLink>> {
    let by = asker.someone()?.id.clone();
    let secret = server.write(move |tx| {
        user_of(tx, &id)?;
        audit(tx, &by, "account reset", &id)?;
        one_time(tx, Some(&id))
    });
    Ok(Json(OneTimeLink { link: format!("{}/setup/{}", server.0.address, secret.await?) }))
}

pub(crate) async fn remove_user(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
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
                      AND id IN able AND id <> ?)";
        let is_last = !tx.query_row(others, [&id], |row| row.get::<_, bool>(0))?;
        if user.role == "administrator" && is_last {
            return Err(conflict("the last administrator who can log in stays; make another one first"));
        }
        // Afterwards its courses have another owner each, and the count below is 0.
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
        journal::add_forgetting(tx)?;
        Ok(audit(tx, &by, "account removed", &id)?)
    });
    removed.await?;
    server.0.journaled.notify_one();
    Ok(StatusCode::NO_CONTENT)
}

/// Counts the courses that have no other owner.
const LEFT_ALONE: &str = "SELECT count(*) FROM members AS own WHERE user = ? AND role = 'owner' AND NOT EXISTS \
     (SELECT 1 FROM members AS other WHERE other.course = own.course AND other.role = 'owner' AND other.user <> own.user)";

/// Makes the account called `heir` an owner of the courses that `from` owns.
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

/// Adds an account that cannot log in yet, and returns its id.
pub(crate) fn insert_user(tx: &Transaction, name: &str, role: &str) -> Answer<String> {
    let name = &*Name::new(name).map_err(Refusal::bad)?;
    if !AccountRole::ALL.iter().any(|known| known.name() == role) {
        return Err(Refusal::bad(format!("no role `{role}`; administrator, teacher or reader")));
    }
    if is_taken(tx, name)? {
        return Err(Refusal::new(StatusCode::CONFLICT, format!("the name `{name}` is taken")));
    }
    let id = secret::random::<16>();
    tx.execute(
        "INSERT INTO users (id, name, role, moss_id, created) VALUES (?, ?, ?, ?, ?)",
        params![id, name, role, moss_id(), now()],
    )?;
    Ok(id)
}

/// Returns whether an account has this name.
pub(crate) fn is_taken(tx: &Transaction, name: &str) -> Answer<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM users WHERE name = ?)";
    Ok(tx.query_row(sql, [name], |row| row.get(0))?)
}

/// Uses up a one-time secret. Returns the account that it is for, or `None` if it is for a new administrator.
pub(crate) fn redeem(tx: &Transaction, secret_hash: &str) -> Answer<Option<String>> {
    let sql = "DELETE FROM secrets WHERE hash = ? AND expires > ? RETURNING user";
    let owner = tx.query_row(sql, params![secret_hash, now()], |row| row.get(0)).optional()?;
    owner.ok_or_else(used_up)
}

pub(crate) fn used_up() -> Refusal {
    let message = "the link was used, or is too old; ask for a new one";
    Refusal::new(StatusCode::UNAUTHORIZED, message)
}

/// Makes a new one-time secret. Earlier ones of the same account stop working.
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
