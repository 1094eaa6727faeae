//! Hourly removal of what has expired.

use std::time::Duration;

use rusqlite::Transaction;
use tokio::time;

use crate::error::Answer;
use crate::passwords::BROWSER_LASTS;
use crate::removal;
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::store::now;

/// Age of a folder without a row from which it is removed: an upload may still be written to a younger one.
const MIN_AGE: Duration = Duration::from_hours(24);

/// Removes what has expired, now and every hour.
pub(crate) async fn run(server: Server) {
    let mut hourly = time::interval(Duration::from_hours(1));
    loop {
        hourly.tick().await;
        let oldest = now() - server.0.config.keep.batches * 86_400;
        // After a failure, the sweep is repeated in an hour.
        let _ = server.write(move |tx| once(tx, oldest)).await;
        let (store, data) = (server.0.store.clone(), server.0.config.data.clone());
        let _ = run_blocking(move || removal::remove_orphans(&store, &data, MIN_AGE)).await;
        server.0.store.reserve().make();
        removal::wake(&server);
    }
}

fn once(tx: &Transaction, oldest: i64) -> Answer<()> {
    for table in ["links", "sessions", "secrets", "nonces", "entries"] {
        tx.execute(&format!("DELETE FROM {table} WHERE expires < ?"), [now()])?;
    }
    tx.execute("DELETE FROM attempts WHERE at < ?", [now() - 86_400])?;
    tx.execute("DELETE FROM browsers WHERE used < ?", [now() - BROWSER_LASTS])?;
    let mut statement = tx.prepare("SELECT id FROM batches WHERE created < ?")?;
    let ids = statement.query_map([oldest], |row| row.get::<_, String>(0))?;
    for id in ids.collect::<Result<Vec<_>, _>>()? {
        removal::delete(tx, "retention", &id)?;
    }
    Ok(())
}
