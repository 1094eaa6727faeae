//! Hourly removal of what has expired.

use std::time::Duration;

use tokio::time;

use crate::error::Answer;
use crate::removal;
use crate::state::Server;
use crate::store::now;

/// Removes what has expired, now and every hour.
pub(crate) async fn run(server: Server) {
    let mut hourly = time::interval(Duration::from_hours(1));
    loop {
        hourly.tick().await;
        // After a failure, the sweep is repeated in an hour.
        let _ = once(&server).await;
    }
}

async fn once(server: &Server) -> Answer<()> {
    let oldest = now() - server.0.config.keep.batches * 86_400;
    let old = server.write(move |tx| {
        tx.execute("DELETE FROM links WHERE expires < ?", [now()])?;
        tx.execute("DELETE FROM sessions WHERE expires < ?", [now()])?;
        tx.execute("DELETE FROM secrets WHERE expires < ?", [now()])?;
        tx.execute("DELETE FROM nonces WHERE expires < ?", [now()])?;
        tx.execute("DELETE FROM entries WHERE expires < ?", [now()])?;
        tx.execute("DELETE FROM attempts WHERE at < ?", [now() - 86_400])?;
        let mut statement = tx.prepare("SELECT id FROM batches WHERE created < ?")?;
        let ids = statement.query_map([oldest], |row| row.get::<_, String>(0))?;
        Ok(ids.collect::<Result<Vec<_>, _>>()?)
    });
    for id in old.await? {
        removal::delete(server, "retention".to_owned(), id).await?;
    }
    orphans(server).await
}

/// Removes folders without a row that are more than a day old. Interrupted uploads and deletions leave them behind.
async fn orphans(server: &Server) -> Answer<()> {
    let day = Duration::from_hours(24);
    for entry in std::fs::read_dir(server.0.config.data.join("batches"))?.flatten() {
        let Some(id) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
        let sql = "SELECT EXISTS (SELECT 1 FROM batches WHERE id = ?)";
        let is_known: bool =
            server.read(move |c| Ok(c.query_row(sql, [id], |row| row.get(0))?)).await?;
        if !is_known && age > day {
            std::fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}
