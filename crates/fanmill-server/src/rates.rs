//! Rate limits: how often someone may try something in a quarter of an hour.

use axum::http::StatusCode;
use rusqlite::{Transaction, params};

use crate::error::{Answer, Refusal};
use crate::state::Server;
use crate::store::now;

/// Seconds for which an attempt counts.
const WINDOW: i64 = 900;

/// Refuses anyone who has made as many attempts as allowed: `most` of `what`.
pub(crate) async fn limited(server: &Server, who: &str, most: i64, what: &str) -> Answer<()> {
    let who = who.to_owned();
    let sql = "SELECT count(*), coalesce(min(at), 0) FROM attempts WHERE who = ? AND at > ?";
    let since = now() - WINDOW;
    let (n, first): (i64, i64) = server
        .read(move |c| {
            Ok(c.query_row(sql, params![who, since], |row| Ok((row.get(0)?, row.get(1)?)))?)
        })
        .await?;
    if n < most {
        return Ok(());
    }
    let mut refusal = Refusal::new(
        StatusCode::TOO_MANY_REQUESTS,
        format!("{most} {what} in {} minutes; wait, and try again", WINDOW / 60),
    );
    refusal.retry_after = Some((first + WINDOW - now()).max(1).unsigned_abs());
    Err(refusal)
}

/// Notes an attempt before it is made, so that simultaneous ones are counted, too. Refuses it as [`limited`] does.
pub(crate) async fn attempt(server: &Server, who: &str, most: i64, what: &str) -> Answer<()> {
    let (id, since) = (who.to_owned(), now() - WINDOW);
    let noted = server.write(move |tx| {
        let sql = "INSERT INTO attempts (who, at) SELECT ?1, ?2 WHERE \
                   (SELECT count(*) FROM attempts WHERE who = ?1 AND at > ?3) < ?4";
        Ok(tx.execute(sql, params![id, now(), since, most])? > 0)
    });
    if noted.await? { Ok(()) } else { limited(server, who, most, what).await }
}

/// Notes an attempt of somebody at `subject`, and refuses it as [`limited`] does. However many attempts are made at one
/// subject, they count once.
pub(crate) async fn attempt_once(
    server: &Server,
    who: &str,
    subject: &str,
    most: i64,
    what: &str,
) -> Answer<()> {
    let (all, one, since) = (who.to_owned(), at(who, subject), now() - WINDOW);
    let noted = server.write(move |tx| {
        let sql = "SELECT EXISTS (SELECT 1 FROM attempts WHERE who = ? AND at > ?)";
        if tx.query_row(sql, params![one, since], |row| row.get(0))? {
            return Ok(true);
        }
        let sql = "INSERT INTO attempts (who, at) SELECT ?1, ?2 WHERE \
                   (SELECT count(*) FROM attempts WHERE who = ?1 AND at > ?3) < ?4";
        let is_noted = tx.execute(sql, params![all, now(), since, most])? > 0;
        if is_noted {
            let sql = "INSERT INTO attempts (who, at) VALUES (?, ?)";
            tx.execute(sql, params![one, now()])?;
        }
        Ok(is_noted)
    });
    if noted.await? { Ok(()) } else { limited(server, who, most, what).await }
}

fn at(who: &str, subject: &str) -> String {
    format!("{who} at {subject}")
}

/// Takes back the attempts of somebody at `subject`.
pub(crate) fn take_back_once(tx: &Transaction, who: &str, subject: &str) -> rusqlite::Result<()> {
    if tx.execute("DELETE FROM attempts WHERE who = ?", [at(who, subject)])? > 0 {
        let sql =
            "DELETE FROM attempts WHERE rowid = (SELECT max(rowid) FROM attempts WHERE who = ?)";
        tx.execute(sql, [who])?;
    }
    Ok(())
}

/// Takes back all attempts of somebody.
pub(crate) fn forget(tx: &Transaction, who: &str) -> rusqlite::Result<()> {
    tx.execute("DELETE FROM attempts WHERE who = ?", [who])?;
    Ok(())
}

/// Takes back the last attempt, which turned out not to be a guess.
pub(crate) async fn take_back(server: &Server, who: String) -> Answer<()> {
    let sql = "DELETE FROM attempts WHERE rowid = (SELECT max(rowid) FROM attempts WHERE who = ?)";
    server.write(move |tx| Ok(tx.execute(sql, [who])?)).await?;
    Ok(())
}

/// Notes an attempt.
pub(crate) async fn note(server: &Server, who: String) -> Answer<()> {
    let sql = "INSERT INTO attempts (who, at) VALUES (?, ?)";
    server.write(move |tx| Ok(tx.execute(sql, params![who, now()])?)).await?;
    Ok(())
}
