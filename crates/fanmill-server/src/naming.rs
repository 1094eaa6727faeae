//! The person whom a file of an upload belongs to, by its name.
//!
//! A person is found in the way a report names submissions: by the folder, file or archive that was handed in, as the
//! learning platform called it or by the person's name or id in it. Work inside another person's folder belongs to that
//! person.

use fanmill_source::{ExportLists, GroupBy, litter, person_of};

/// The folder in which macOS mirrors all folders and files of a zip: `__MACOSX/ada/._a.py` goes with `ada/a.py`.
const MIRROR: &str = "__MACOSX/";

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
    let Some(mirrored) = file.strip_prefix(MIRROR) else {
        return inside(file, wrapper).split('/').next().unwrap_or(file);
    };
    let own = submission_of(mirrored, wrapper);
    own.strip_prefix("._").unwrap_or(own)
}

/// Returns the place of a file in another archive: `place` is that of a file of the same name outside the mirror.
pub(crate) fn placed(file: &str, place: impl Fn(&str) -> String) -> String {
    match file.strip_prefix(MIRROR) {
        Some(mirrored) => format!("{MIRROR}{}", place(mirrored)),
        None => place(file),
    }
}

/// Returns whether tools have left this file beside all submissions, so that it is nobody's: `.DS_Store`, or the mirror.
fn is_litter(file: &str) -> bool {
    file.split('/').next().is_some_and(|first| litter(first).is_some())
}

/// Returns the submission of a file that somebody has handed in.
pub(crate) fn handed_in<'f>(file: &'f str, wrapper: Option<&str>) -> Option<&'f str> {
    let own = submission_of(file, wrapper);
    (!is_litter(file) && !is_litter(own)).then_some(own)
}

/// Returns the folder that all files of an archive are in, but for what tools have left beside it. A folder that a
/// learning platform has made for a person is no such one, even if nobody else is left.
pub(crate) fn wrapper(files: &[String]) -> Option<String> {
    let mut files = files.iter().filter(|file| !is_litter(file)).map(|file| file.split_once('/'));
    let (first, _) = files.next()??;
    let is_around = files.all(|file| file.is_some_and(|(folder, _)| folder == first));
    (is_around && !is_from_platform(first)).then(|| first.to_owned())
}

/// Returns whether a learning platform has made the name, with a person's in it.
pub(crate) fn is_from_platform(name: &str) -> bool {
    !name.contains('.') && person_of(name) != name
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

    #[test]
    fn what_macos_adds_to_a_zip_goes_with_what_it_mirrors() {
        let names = |files: &[&str]| {
            let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
            let lists = ExportLists::default();
            UploadNames { wrapper: wrapper(&files), group_by: GroupBy::Auto, lists }
        };
        let around = ["hw/ada/A.java", "__MACOSX/hw/ada/._A.java", "hw/bo/B.java", ".DS_Store"];
        let around = names(&around);
        assert_eq!(around.wrapper.as_deref(), Some("hw"));
        let own = ["hw/ada/A.java", "__MACOSX/hw/ada/._A.java", "__MACOSX/hw/._ada"];
        assert!(own.iter().all(|file| around.is_of(file, "ada")));
        let others = ["hw/bo/B.java", "__MACOSX/hw/bo/._B.java", "__MACOSX/._hw", ".DS_Store"];
        assert!(!others.iter().any(|file| around.is_of(file, "ada")));
        let folder = "Hana Ito_4711_assignsubmission_file";
        let bare = names(&[&format!("{folder}/A.java"), &format!("__MACOSX/{folder}/._A.java")]);
        for file in [format!("__MACOSX/{folder}/._A.java"), format!("__MACOSX/._{folder}")] {
            assert!(bare.is_of(&file, "Hana Ito") && bare.is_of(&file, "4711"), "{file}");
        }
        // Remains in a folder of somebody's own are theirs, whatever they are.
        assert_eq!(names(&["ada/A.java", "bo/.git/config"]).wrapper, None);
        assert_eq!(handed_in("bo/.git/config", None), Some("bo"));
        for file in ["__MACOSX/hw/bo/._B.java", "__MACOSX/._hw", ".DS_Store", "hw/.DS_Store"] {
            assert_eq!(handed_in(file, Some("hw")), None, "{file}");
        }
        let place = |file: &str| format!("all/{file}");
        assert_eq!(placed("__MACOSX/a/._b", place), "__MACOSX/all/a/._b");
        assert_eq!(placed("a/b", place), "all/a/b");
    }
}
