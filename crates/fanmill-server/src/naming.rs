//! The person whom a file of an upload belongs to, by its name.
//!
//! A person is found in the way a report names submissions: by the folder, file or archive that was handed in, as the
//! learning platform called it or by the person's name or id in it. Work inside another person's folder belongs to that
//! person.

use fanmill_source::{ExportLists, GroupBy};

/// Returns whether a submission of this name is the person's.
pub(crate) fn is_of(submission: &str, name: &str) -> bool {
    ExportLists::default().is_of(submission, name)
}

/// Returns the path of a file inside the folder around all files, if there is one.
pub(crate) fn inside<'f>(file: &'f str, wrapper: Option<&str>) -> &'f str {
    let rest = wrapper.and_then(|wrapper| file.strip_prefix(wrapper)?.strip_prefix('/'));
    rest.unwrap_or(file)
}

/// Returns the submission that a file of an archive belongs to. `wrapper` is a folder around all of them.
pub(crate) fn submission_of<'f>(file: &'f str, wrapper: Option<&str>) -> &'f str {
    inside(file, wrapper).split('/').next().unwrap_or(file)
}

/// Returns the folder that all files of an archive are in, if there is one.
pub(crate) fn wrapper(files: &[String]) -> Option<String> {
    let (first, _) = files.first()?.split_once('/')?;
    let is_around = |file: &String| file.split_once('/').is_some_and(|(folder, _)| folder == first);
    files.iter().all(is_around).then(|| first.to_owned())
}

/// The files of one upload, for a question about one person.
#[derive(Debug)]
pub(crate) struct UploadNames {
    /// A folder around all of them.
    pub(crate) wrapper: Option<String>,
    pub(crate) group_by: GroupBy,
    /// People that receipts and lists in the upload name.
    pub(crate) lists: ExportLists,
}

impl UploadNames {
    /// Returns whether a file is the person's.
    pub(crate) fn is_of(&self, file: &str, name: &str) -> bool {
        let own = submission_of(file, self.wrapper.as_deref());
        match self.group_by {
            GroupBy::Auto | GroupBy::Person | GroupBy::Child => self.lists.is_of(own, name),
            // Each file, or the whole upload, is a submission: a file is the person's if any part of its path names
            // them.
            _ => file.split('/').any(|part| self.lists.is_of(part, name)),
        }
    }

    /// Returns whether a file is a list that names the person among others.
    pub(crate) fn is_list_with(&self, file: &str, name: &str) -> bool {
        let own = submission_of(file, self.wrapper.as_deref());
        own == file_name(file) && ExportLists::may_name_people(own) && self.lists.names(name)
    }
}

/// Returns the last part of a path.
pub(crate) fn file_name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// Removes from a path in an upload what could lead out of it.
pub(crate) fn plain(name: &str) -> String {
    let parts = name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."));
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_in_another_persons_folder_is_that_persons() {
        let files = ["all/hana/a.py", "all/bob/hana/notes.py"].map(str::to_owned);
        let around = wrapper(&files);
        assert_eq!(around.as_deref(), Some("all"));
        let names =
            UploadNames { wrapper: around, group_by: GroupBy::Auto, lists: ExportLists::default() };
        let is_hers = |file: &str| names.is_of(file, "hana");
        assert!(is_hers(&files[0]) && !is_hers(&files[1]));
    }
}
