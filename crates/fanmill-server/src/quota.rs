//! Limits on what one account may have, and on how much may wait.

use axum::http::StatusCode;
use rusqlite::params;

use crate::error::{Answer, Refusal};
use crate::state::Server;
use crate::store::now;

const DAY: i64 = 86_400;

/// Returns how many more bytes an account may store; `None` if there is no limit.
pub(crate) async fn bytes_left(server: &Server, account: &str) -> Answer<Option<u64>> {
    let Some(most) = server.0.config.account.bytes else { return Ok(None) };
    let account = account.to_owned();
    let sql = "SELECT coalesce(sum(bytes + report_bytes), 0) FROM batches WHERE by_user = ?";
    let kept: i64 =
        server.read(move |c| Ok(c.query_row(sql, [account], |row| row.get(0))?)).await?;
    Ok(Some(most.saturating_sub(kept.unsigned_abs())))
}

/// Refuses an upload if its account stores too much, or if its comparison would be refused.
pub(crate) async fn check_upload(server: &Server, account: &str) -> Answer<()> {
    if bytes_left(server, account).await? == Some(0) {
        let most = server.0.config.account.bytes.unwrap_or_default();
        let message = format!(
            "the account keeps {most} bytes, as many as it may; delete batches that are no longer needed"
        );
        return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    check_queue(server, account).await
}

/// Refuses a comparison if too many wait, or if the account has reached its number for 24 hours. Deleted ones count:
/// the audit log remembers them.
pub(crate) async fn check_queue(server: &Server, account: &str) -> Answer<()> {
    let account = account.to_owned();
    let sql = "SELECT (SELECT count(*) FROM jobs WHERE lease_until = 0), count(*), coalesce(min(at), 0) FROM audit \
               WHERE who = ? AND at > ? AND what IN ('batch uploaded', 'batch run again', 'late submissions added')";
    let (waiting, n, first): (i64, i64, i64) = server
        .read(move |c| {
            let row = |row: &rusqlite::Row| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            Ok(c.query_row(sql, params![account, now() - DAY], row)?)
        })
        .await?;
    if waiting.unsigned_abs() >= server.0.config.jobs.waiting {
        return Err(Refusal::busy(format!("{waiting} comparisons wait already; try again later")));
    }
    let most = server.0.config.account.batches_a_day;
    if most.is_some_and(|most| n.unsigned_abs() >= most) {
        let message = format!("{n} comparisons in 24 hours, as many as the account may have");
        let mut refusal = Refusal::new(StatusCode::TOO_MANY_REQUESTS, message);
        refusal.retry_after = Some((first + DAY - now()).max(1).unsigned_abs());
        return Err(refusal);
    }
    Ok(())
}
