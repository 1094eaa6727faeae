//! Removal of batches, and of reports that show their texts.

use std::path::PathBuf;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use crate::access::Caller;
use crate::batches::halt;
use crate::error::Answer;
use crate::job::OUTPUT;
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::store::audit;
use crate::{jobs, person};

pub(crate) async fn remove(
    State(server): State<Server>,
    Extension(asker): Extension<Caller>,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    let by = asker.someone()?.id.clone();
    delete(&server, by, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a batch: its rows, its files, and traces of them in the database.
pub(crate) async fn delete(server: &Server, by: String, id: String) -> Answer<()> {
    let batch = id.clone();
    let rows = server.write(move |tx| {
        tx.execute("DELETE FROM batches WHERE id = ?", [&batch])?;
        Ok(audit(tx, &by, "batch deleted", &batch)?)
    });
    rows.await?;
    let others = forget_earlier(server, &id).await?;
    erase(server, &[id]).await?;
    for other in others {
        server.write(move |tx| person::compare_again(tx, &other)).await?;
    }
    server.0.queued.notify_one();
    Ok(())
}

/// Deletes the reports that show texts of this batch, as they were compared with it as earlier work. Returns their
/// batches, which are to be compared again without it.
async fn forget_earlier(server: &Server, id: &str) -> Answer<Vec<String>> {
    let all = server.read(|c| Ok(person::batches(c, None)?)).await?;
    let (data, with) = (server.0.config.data.clone(), vec![id.to_owned()]);
    let others = run_blocking(move || person::compared_with(&data, &all, &with)).await?;
    for other in &others {
        halt(server, other).await?;
        jobs::stop(server, other).await;
        let folder = server.folder(other);
        for gone in ["report", OUTPUT].map(|name| folder.join(name)) {
            if gone.exists() {
                std::fs::remove_dir_all(gone)?;
            }
        }
    }
    Ok(others)
}

/// Removes the files of batches whose rows are gone.
pub(crate) async fn erase(server: &Server, ids: &[String]) -> Answer<()> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for id in ids {
        jobs::stop(server, id).await;
        folders.push(server.folder(id));
    }
    let store = server.0.store.clone();
    run_blocking(move || {
        for folder in folders.into_iter().filter(|folder| folder.exists()) {
            std::fs::remove_dir_all(folder)?;
        }
        Ok(store.forget()?)
    })
    .await
}
