//! The instructions to a batch's child, `job.json`, as they are read and written by the server.

use std::io;
use std::path::Path;

use crate::job::JobRequest;

const FILE: &str = "job.json";

/// Reads the instructions of a batch; `None` if it has none yet, or none any more.
pub(crate) fn read(folder: &Path) -> io::Result<Option<JobRequest>> {
    match std::fs::read(folder.join(FILE)) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes the instructions of a batch, in one step.
pub(crate) fn save(folder: &Path, work: &JobRequest) -> io::Result<()> {
    let new = folder.join("job.json.new");
    std::fs::write(&new, serde_json::to_vec(work)?)?;
    std::fs::rename(new, folder.join(FILE))
}

/// Makes this process the parent of a batch's next child. Another server may have written the instructions.
pub(crate) fn adopt(folder: &Path) -> io::Result<()> {
    let mut work = read(folder)?.ok_or(io::ErrorKind::NotFound)?;
    work.parent = std::process::id();
    save(folder, &work)
}
