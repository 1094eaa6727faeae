//! One input of a person: a file, folder or archive at the top of what was given.
//!
//! Cost: O(n) in the length of a path.

use super::export::Platform;
use crate::draft::Finished;

/// The folder in which Sakai keeps what a person attached.
pub(super) const SAKAI_ATTACHED: &str = "Submission attachment(s)/";

/// One file, folder or archive of a person.
#[derive(Debug)]
pub(super) struct Input {
    /// Key of the attempt, ascending by time; `None` if neither names nor paths say which it is.
    pub(super) attempt: Option<String>,
    /// The time of handing in, where names or added files have it.
    pub(super) submitted: Option<String>,
    /// The file's own name; `None` for a folder.
    pub(super) file: Option<String>,
    pub(super) is_receipt: bool,
    pub(super) finished: Finished,
}

/// Splits the name of a submission into what comes before the input's own name, with its `/`, and that name.
pub(super) fn split(name: &str) -> (&str, &str) {
    name.split_at(name.rfind('/').map_or(0, |slash| slash + 1))
}

impl Input {
    /// Returns the path in the person's submission of what has this path in the input; `is_one_of_many` if there are
    /// other inputs.
    pub(super) fn path(
        &self,
        path: &str,
        platform: Option<Platform>,
        is_one_of_many: bool,
    ) -> String {
        let (_, own) = split(&self.finished.submission.name);
        match &self.file {
            Some(file) if path == own => file.clone(),
            Some(file) if is_one_of_many => format!("{file}!/{path}"),
            _ if platform == Some(Platform::Sakai) => {
                path.strip_prefix(SAKAI_ATTACHED).unwrap_or(path).to_owned()
            }
            _ => path.to_owned(),
        }
    }
}
