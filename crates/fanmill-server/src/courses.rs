//! Courses and their members.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use rusqlite::{OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::Caller;
use crate::error::{Answer, Refusal};
use crate::from_object::FromObject;
use crate::journal::Task;
use crate::made::Made;
use crate::name::Name;
use crate::state::Server;
use crate::store::{audit, now};
use crate::{journal, removal, secret};

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewCourse {
    name: Name,
}

/// A course, as one of its members sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Course {
    id: String,
    /// Days from its upload after which a batch is deleted, earlier work too.
    kept_days: i64,
    /// Number of batches that are earlier work.
    n_archived: i64,
    n_batches: i64,
    name: String,
    /// The role of the asking account in it: `owner`, `teacher` or `reader`.
    role: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Member {
    name: String,
    /// `owner`, `teacher` or `reader`.
    role: String,
    user_id: String,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct Membership {
    /// The name of an account.
    name: Name,
    role: MemberRole,
}

/// The role of an account in a course; `none` removes a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum MemberRole {
    Owner,
    Teacher,
    Reader,
    None,
}

impl MemberRole {
    /// Returns its name in the database, where a removed member has none.
    fn name(self) -> Option<&'static str> {
        match self {
            MemberRole::Owner => Some("owner"),
            MemberRole::Teacher => Some("teacher"),
            MemberRole::Reader => Some("reader"),
            MemberRole::None => None,
        }
    }
}

pub(crate) async fn list(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
) -> Answer<Json<Vec<Course>>> {
    let (user, kept_days) = (asker.someone()?.id.clone(), server.0.config.keep.batches);
    let rows = server.read(move |c| {
        let mut statement = c.prepare(
            "SELECT courses.id, name, role, count(batches.id), coalesce(sum(archived), 0) FROM members \
             JOIN courses ON courses.id = members.course LEFT JOIN batches ON batches.course = courses.id \
             WHERE user = ? GROUP BY courses.id ORDER BY name",
        )?;
        let rows = statement.query_map([user], |row| {
            Ok(Course {
                id: row.get(0)?,
                kept_days,
                name: row.get(1)?,
                role: row.get(2)?,
                n_batches: row.get(3)?,
                n_archived: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    });
    Ok(Json(rows.await?))
}

pub(crate) async fn add(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Json(FromObject(NewCourse { name })): Json<FromObject<NewCourse>>,
) -> Answer<(StatusCode, Json<Made>)> {
    let user = asker.someone()?.id.clone();
    let id = server.write(move |tx| insert(tx, &name, Some(&user))).await?;
    Ok((StatusCode::CREATED, Json(Made { id })))
}

/// Adds a course. One that comes from a learning platform has no owner at first.
pub(crate) fn insert(tx: &Transaction, name: &str, owner: Option<&str>) -> Answer<String> {
    let id = secret::random::<16>();
    let course = "INSERT INTO courses (id, name, created) VALUES (?, ?, ?)";
    tx.execute(course, params![id, name, now()])?;
    if let Some(owner) = owner {
        let member = "INSERT INTO members (course, user, role) VALUES (?, ?, 'owner')";
        tx.execute(member, [&*id, owner])?;
    }
    audit(tx, owner.unwrap_or("platform"), "course added", &id)?;
    Ok(id)
}

pub(crate) async fn remove(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    let by = asker.someone()?.id.clone();
    let removed = server.write(move |tx| {
        let mut statement = tx.prepare("SELECT id FROM batches WHERE course = ?")?;
        let ids = statement.query_map([&id], |row| row.get::<_, String>(0))?;
        for batch in ids.collect::<Result<Vec<_>, _>>()? {
            journal::add(tx, Task::RemoveFolder, &batch)?;
            removal::remove_dependents(tx, &batch)?;
        }
        tx.execute("DELETE FROM courses WHERE id = ?", [&id])?;
        journal::add_forgetting(tx)?;
        Ok(audit(tx, &by, "course deleted", &id)?)
    });
    removed.await?;
    removal::wake(&server);
    Ok(StatusCode::ACCEPTED)
}

pub(crate) async fn members(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> Answer<Json<Vec<Member>>> {
    let rows = server.read(move |c| {
        let sql = "SELECT users.id, name, members.role FROM members JOIN users ON users.id = user \
                   WHERE course = ? ORDER BY name";
        let mut statement = c.prepare(sql)?;
        let rows = statement.query_map([id], |row| {
            Ok(Member { user_id: row.get(0)?, name: row.get(1)?, role: row.get(2)? })
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    });
    Ok(Json(rows.await?))
}

pub(crate) async fn set_member(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Path(course): Path<String>,
    Json(FromObject(Membership { name, role })): Json<FromObject<Membership>>,
) -> Answer<StatusCode> {
    let by = asker.someone()?.id.clone();
    let changed = server.write(move |tx| {
        let sql = "SELECT id FROM users WHERE name = ? AND active";
        let user: Option<String> = tx.query_row(sql, [&*name], |row| row.get(0)).optional()?;
        let nobody = || Refusal::bad(format!("nobody is called `{}`; ask the administrator for an account", &*name));
        let user = user.ok_or_else(nobody)?;
        // True if this account is the course's only owner.
        let sql = "SELECT EXISTS (SELECT 1 FROM members WHERE course = ?1 AND user = ?2 AND role = 'owner') \
                   AND NOT EXISTS (SELECT 1 FROM members WHERE course = ?1 AND user <> ?2 AND role = 'owner')";
        if role != MemberRole::Owner && tx.query_row(sql, [&course, &user], |row| row.get(0))? {
            let message = "the last owner of a course stays its owner; make another one first";
            return Err(Refusal::new(StatusCode::CONFLICT, message));
        }
        match role.name() {
            None => tx.execute("DELETE FROM members WHERE course = ? AND user = ?", [&course, &user])?,
            Some(role) => tx.execute(
                "INSERT INTO members (course, user, role) VALUES (?1, ?2, ?3) \
                 ON CONFLICT (course, user) DO UPDATE SET role = ?3",
                params![course, user, role],
            )?,
        };
        Ok(audit(tx, &by, "membership changed", &course)?)
    });
    changed.await?;
    Ok(StatusCode::NO_CONTENT)
}
