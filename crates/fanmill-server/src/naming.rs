//! The person whom a file of an upload belongs to, by its name.
//!
//! A person is found in the way a report names submissions: by the folder, file or archive that was handed in, as the
//! learning platform called it or by the person's name or id in it. Work inside another person's folder belongs to that
//! person.

use fanmill_source::{GroupBy, person_of};

/// Returns whether a submission of this name is the person's.
pub(crate) fn is_of(submission: &str, name: &str) -> bool {
    let person = person_of(submission);
    // Canvas: `lindqvistada (12345)`, a name and an id.
    let parts = person.strip_suffix(')').and_then(|rest| rest.split_once(" ("));
    submission == name || person == name || parts.is_some_and(|(own, id)| own == name || id == name)
}

/// Returns the submission that a file of an archive belongs to. `wrapper` is a folder around all of them.
pub(crate) fn submission_of<'f>(file: &'f str, wrapper: Option<&str>) -> &'f str {
    let rest = wrapper.and_then(|wrapper| file.strip_prefix(wrapper)?.strip_prefix('/'));
    rest.unwrap_or(file).split('/').next().unwrap_or(file)
}

/// Returns the folder that all files of an archive are in, if there is one.
pub(crate) fn wrapper(files: &[String]) -> Option<String> {
    let (first, _) = files.first()?.split_once('/')?;
    let is_around = |file: &String| file.split_once('/').is_some_and(|(folder, _)| folder == first);
    files.iter().all(is_around).then(|| first.to_owned())
}

/// Returns whether a file is the person's.
pub(crate) fn is_file_of(file: &str, wrapper: Option<&str>, group_by: GroupBy, name: &str) -> bool {
    match group_by {
        GroupBy::Auto | GroupBy::Child => is_of(submission_of(file, wrapper), name),
        // Each file, or the whole upload, is a submission: a file is the person's if any part of its path names them.
        _ => file.split('/').any(|part| is_of(part, name)),
    }
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
    fn a_person_is_found_by_folder_name_and_id() {
        for (submission, name) in [
            ("hana", "hana"),
            ("hana.py", "hana"),
            ("Ada Lindqvist_1011840_assignsubmission_file", "Ada Lindqvist"),
            ("lindqvistada_12345_678901_inventory.py", "12345"),
            ("lindqvistada_LATE_12345_678955_store.py", "lindqvistada"),
        ] {
            assert!(is_of(submission, name), "{submission}");
        }
        for (submission, name) in
            [("hanar", "hana"), ("bob", "hana"), ("x_12345_678901_a.py", "678901")]
        {
            assert!(!is_of(submission, name), "{submission}");
        }
        let files = ["all/hana/a.py", "all/bob/hana/notes.py"].map(str::to_owned);
        let around = wrapper(&files);
        assert_eq!(around.as_deref(), Some("all"));
        let is_hers = |file: &str| is_file_of(file, around.as_deref(), GroupBy::Auto, "hana");
        assert!(is_hers(&files[0]) && !is_hers(&files[1]));
    }
}
