//! What the child of a batch is told: the settings that a teacher chose, and the files.

use std::path::Path;

use fanmill_source::GroupBy;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::error::{Answer, Refusal};
use crate::job::Work;
use crate::state::Server;
use crate::upload::Uploaded;
use crate::{earlier, results};

/// What a teacher may set: the names of `compare`'s flags.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// A language for all files, in place of the one that each name says.
    lang: Option<String>,
    /// The noise threshold, in tokens.
    noise: Option<u32>,
    /// The guarantee threshold, in tokens.
    guarantee: Option<u32>,
    /// Treat as boilerplate whatever appears in more submissions: a number of them, or a share such as `30%`.
    max_docs: Option<Value>,
    /// Leave out quotations.
    quotes: bool,
    /// What counts as one submission: `auto`, `child`, `file` or `root`.
    #[schema(value_type = Option<String>)]
    group_by: Option<Value>,
    /// Show pseudonyms in place of names.
    pub(crate) anonymous: bool,
    /// Compare with earlier work of the course, too.
    use_archive: bool,
}

pub(crate) fn unreadable(error: &serde_json::Error) -> Refusal {
    Refusal::bad(format!("the settings cannot be read: {error}"))
}

/// Writes what the child is told.
pub(crate) fn write(
    server: &Server,
    id: &str,
    title: &str,
    settings: &Value,
    uploaded: Uploaded,
    archive: &[String],
    moss: Option<results::Wanted>,
) -> Answer<Settings> {
    let given = if settings.is_null() { json!({}) } else { settings.clone() };
    let given: Settings = serde_json::from_value(given).map_err(|error| unreadable(&error))?;
    let mut work = Work {
        parent: std::process::id(),
        memory: server.0.config.jobs.memory,
        processor_seconds: server.0.config.jobs.processor_seconds,
        moss,
        ..Work::default()
    };
    work.settings = serde_json::from_value(json!({
        "noise": given.noise,
        "guarantee": given.guarantee,
        "max-docs": given.max_docs,
        "quotes": given.quotes,
    }))
    .map_err(|error| unreadable(&error))?;
    work.settings.config().map_err(|error| Refusal::bad(error.to_string()))?;
    if let Some(group_by) = &given.group_by {
        work.inputs.group_by =
            serde_json::from_value(group_by.clone()).map_err(|error| unreadable(&error))?;
    }
    work.inputs.paths = uploaded.submissions;
    work.inputs.base = uploaded.base;
    if given.use_archive && !archive.is_empty() {
        work.inputs.archive = earlier::paths(server, archive)?;
        // Several paths would each be one submission.
        if work.inputs.group_by == GroupBy::Auto {
            work.inputs.group_by = GroupBy::Child;
        }
    }
    work.inputs.lang.clone_from(&given.lang);
    work.inputs.anonymous = given.anonymous;
    work.inputs.title = Some(title.to_owned()).filter(|title| !title.is_empty());
    save(&server.folder(id), &work)?;
    Ok(given)
}

fn save(folder: &Path, work: &Work) -> Answer<()> {
    let bytes = serde_json::to_vec(work).map_err(|error| unreadable(&error))?;
    let new = folder.join("job.json.new");
    std::fs::write(&new, bytes)?;
    Ok(std::fs::rename(new, folder.join("job.json"))?)
}

/// What the child of a batch is told.
pub(crate) fn read(folder: &Path) -> Answer<Work> {
    let bytes = std::fs::read(folder.join("job.json"))?;
    serde_json::from_slice(&bytes).map_err(|error| unreadable(&error))
}

/// A new server is another parent for the jobs that are left.
fn adopt(folder: &Path) -> Answer<()> {
    let mut work = read(folder)?;
    work.parent = std::process::id();
    save(folder, &work)
}

/// Adopts all batches that are queued, when the server starts.
pub(crate) fn adopt_all(server: &Server) -> Answer<()> {
    let queued = server.0.store.read(|c| -> Answer<Vec<String>> {
        let mut statement = c.prepare("SELECT batch FROM jobs")?;
        let ids = statement.query_map([], |row| row.get(0))?;
        Ok(ids.collect::<Result<Vec<_>, _>>()?)
    })?;
    for id in queued {
        // Without it the job fails, and says so.
        let _ = adopt(&server.folder(&id));
    }
    Ok(())
}
