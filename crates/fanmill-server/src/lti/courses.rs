//! Courses of platforms, mapped to courses here, and the roles that people have in them.

use rusqlite::{OptionalExtension, Transaction, params};

use crate::access::User;
use crate::courses;
use crate::error::Answer;
use crate::lti::claims::{Activity, Context};
use crate::lti::platforms::Registered;
use crate::store::{audit, now};

/// Maximum length of a name, in bytes.
const NAME_BYTES: usize = 200;

/// A course of a platform. Deployments are separate, and may use the same ids.
#[derive(Debug, Clone)]
pub(super) struct PlatformCourse {
    pub(super) platform: Registered,
    pub(super) deployment: String,
    pub(super) context: Context,
}

impl PlatformCourse {
    fn named(&self) -> String {
        let Context { id, label, title } = &self.context;
        let named = [title, label].into_iter().flatten().find(|name| !name.trim().is_empty());
        shortened(named.unwrap_or(id).trim())
    }

    /// Returns the course here, or adds one without members.
    pub(super) fn course(&self, tx: &Transaction) -> Answer<String> {
        let (platform, deployment, context) =
            (&self.platform.id, &self.deployment, &self.context.id);
        let sql =
            "SELECT course FROM contexts WHERE platform = ? AND deployment = ? AND context = ?";
        let known = tx.query_row(sql, [platform, deployment, context], |row| row.get(0));
        if let Some(course) = known.optional()? {
            return Ok(course);
        }
        let course = courses::insert(tx, &self.named(), None)?;
        let sql =
            "INSERT INTO contexts (platform, deployment, context, course) VALUES (?, ?, ?, ?)";
        tx.execute(sql, [platform, deployment, context, &course])?;
        Ok(course)
    }

    /// Returns the course, with this teacher in it: as its owner, if it has none yet. An existing role is kept.
    pub(super) fn taught_by(&self, tx: &Transaction, user: &User) -> Answer<String> {
        let course = self.course(tx)?;
        let sql = "INSERT INTO members (course, user, role) SELECT ?1, ?2, CASE WHEN EXISTS \
                   (SELECT 1 FROM members WHERE course = ?1 AND role = 'owner') THEN 'teacher' ELSE 'owner' END \
                   ON CONFLICT DO NOTHING";
        if tx.execute(sql, [&course, &user.id])? > 0 {
            audit(tx, &user.id, "member by a learning platform", &course)?;
        }
        Ok(course)
    }

    /// Stores the address at which the platform lists the people of the course.
    pub(super) fn names_at(&self, tx: &Transaction, url: &str) -> Answer<()> {
        let sql = "UPDATE contexts SET memberships = ? WHERE platform = ? AND deployment = ? AND context = ?";
        tx.execute(sql, [url, &self.platform.id, &self.deployment, &self.context.id])?;
        Ok(())
    }

    /// Returns the batch of an assignment, if something was handed in for it.
    pub(super) fn known_batch(
        &self,
        tx: &Transaction,
        activity: &Activity,
    ) -> Answer<Option<String>> {
        let sql = "SELECT batch FROM activities WHERE platform = ? AND deployment = ? AND context = ? AND activity = ?";
        let of = [&self.platform.id, &self.deployment, &self.context.id, &activity.id];
        Ok(tx.query_row(sql, of, |row| row.get(0)).optional()?)
    }

    /// Returns the batch of an assignment, or adds one with this `id`.
    pub(super) fn batch(
        &self,
        tx: &Transaction,
        activity: &Activity,
        title: &str,
        id: String,
    ) -> Answer<String> {
        if let Some(known) = self.known_batch(tx, activity)? {
            return Ok(known);
        }
        let course = self.course(tx)?;
        let sql = "INSERT INTO batches (id, course, title, created, settings, n_files, bytes, state) \
                   VALUES (?, ?, ?, ?, '{\"group_by\":\"child\"}', 0, 0, 'collecting')";
        tx.execute(sql, params![id, course, shortened(title), now()])?;
        let sql = "INSERT INTO activities (batch, platform, deployment, context, activity) VALUES (?, ?, ?, ?, ?)";
        let of = [&id, &self.platform.id, &self.deployment, &self.context.id, &activity.id];
        tx.execute(sql, of)?;
        audit(tx, "platform", "batch of an assignment", &id)?;
        Ok(id)
    }
}

/// Cuts a name that is too long.
pub(super) fn shortened(name: &str) -> String {
    let end = (0..=NAME_BYTES.min(name.len())).rev().find(|at| name.is_char_boundary(*at));
    name[..end.unwrap_or(0)].to_owned()
}
