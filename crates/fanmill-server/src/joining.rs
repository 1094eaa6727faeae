//! Late submissions: the names of an upload that joins another, as the files are called in the archive of both.
//!
//! Both may have a folder around all submissions. A submission that was handed in again takes the place of the former
//! one, with all of its files.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::naming::{handed_in, inside, is_from_platform, placed, submission_of, wrapper};

/// The submissions that late files belong to, by their names in the upload.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Joined {
    /// Those that are new in the batch.
    pub(crate) added: Vec<String>,
    /// Those that were handed in again, and have replaced the former ones.
    pub(crate) replaced: Vec<String>,
}

/// An upload that joins another.
#[derive(Debug)]
pub(crate) struct Joining {
    /// The folder around the submissions of the former upload.
    around: Option<String>,
    /// The folder around those of the later one.
    around_later: Option<String>,
    former: BTreeSet<String>,
    later: BTreeSet<String>,
}

impl Joining {
    /// Compares the names of the files in both uploads.
    pub(crate) fn new(former: &[String], later: &[String]) -> Joining {
        let around = wrapper(former);
        let submissions = |files: &[String], around: Option<&str>| -> BTreeSet<String> {
            files.iter().filter_map(|file| handed_in(file, around)).map(str::to_owned).collect()
        };
        let former_submissions = submissions(former, around.as_deref());
        let around_former = around.as_deref();
        let mut own = former.iter().filter(|file| handed_in(file, around_former).is_some());
        let are_files = own.all(|file| !inside(file, around_former).contains('/'));
        let around_later = wrapper(later).filter(|folder| {
            let inner = submissions(later, Some(folder));
            if around.as_ref() == Some(folder) || !inner.is_disjoint(&former_submissions) {
                return true;
            }
            if former_submissions.contains(folder) {
                return false;
            }
            are_files
                || inner.iter().all(|one| is_from_platform(one))
                || holds_only_folders(later, folder)
        });
        let later = submissions(later, around_later.as_deref());
        Joining { around, around_later, former: former_submissions, later }
    }

    /// Returns whether a file of the former upload stays: its submission was not handed in again.
    pub(crate) fn stays(&self, file: &str) -> bool {
        !self.later.contains(submission_of(file, self.around.as_deref()))
    }

    /// Returns the name of a file of the later upload in the archive of both.
    pub(crate) fn place(&self, file: &str) -> String {
        placed(file, |file| {
            let own = inside(file, self.around_later.as_deref());
            self.around.as_ref().map_or_else(|| own.to_owned(), |around| format!("{around}/{own}"))
        })
    }

    /// Lists the submissions that the former upload does not have.
    pub(crate) fn added(&self) -> Vec<String> {
        self.later.difference(&self.former).cloned().collect()
    }

    /// Lists the submissions that were handed in again.
    pub(crate) fn replaced(&self) -> Vec<String> {
        self.later.intersection(&self.former).cloned().collect()
    }
}

/// Returns whether a folder holds several folders and nothing else, as one with a folder for each person does.
fn holds_only_folders(files: &[String], folder: &str) -> bool {
    let mut folders = BTreeSet::new();
    for file in files {
        match inside(file, Some(folder)).split_once('/') {
            Some((inner, _)) => folders.insert(inner),
            None => return false,
        };
    }
    folders.len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(former: &[&str], later: &[&str]) -> (Vec<String>, Vec<String>, Vec<String>) {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let joining = Joining::new(&owned(former), &owned(later));
        let stays = former.iter().filter(|file| joining.stays(file)).map(|&file| file.to_owned());
        let all = stays.chain(later.iter().map(|file| joining.place(file))).collect();
        (all, joining.added(), joining.replaced())
    }

    #[test]
    fn late_people_come_beside_the_others() {
        let class = ["hw/ada/a.py", "hw/ben/a.py"];
        for later in [
            &["late/cyd/a.py", "late/dan/a.py"][..],
            &["cyd/a.py", "dan/a.py"],
            &["hw/cyd/a.py", "hw/dan/a.py"],
        ] {
            let (all, added, replaced) = joined(&class, later);
            assert_eq!(all, ["hw/ada/a.py", "hw/ben/a.py", "hw/cyd/a.py", "hw/dan/a.py"]);
            assert_eq!((added, replaced), (vec!["cyd".to_owned(), "dan".to_owned()], vec![]));
        }
        // A folder of one person is that person's, also with folders in it.
        let (all, added, _) = joined(&class, &["cyd/a.py", "cyd/notes/b.py"]);
        assert_eq!(all[2..], ["hw/cyd/a.py", "hw/cyd/notes/b.py"]);
        assert_eq!(added, ["cyd"]);
        let moodle = "Cyd Ek_17_assignsubmission_file_";
        let (all, added, _) =
            joined(&class, &[&*format!("{moodle}/src/a.py"), &format!("{moodle}/test/b.py")]);
        assert_eq!(all[2], format!("hw/{moodle}/src/a.py"));
        assert_eq!(added, [moodle]);
    }

    #[test]
    fn work_that_is_handed_in_again_replaces_the_former() {
        let (all, added, replaced) =
            joined(&["ada/a.py", "ada/old.py", "ben/a.py"], &["late/ada/a.py", "late/cyd/a.py"]);
        assert_eq!(all, ["ben/a.py", "ada/a.py", "cyd/a.py"]);
        assert_eq!((added, replaced), (vec!["cyd".to_owned()], vec!["ada".to_owned()]));
    }

    #[test]
    fn single_files_stay_single_files() {
        let (all, added, _) = joined(&["ada.py", "ben.py"], &["late/cyd.py", "late/dan.py"]);
        assert_eq!(all, ["ada.py", "ben.py", "cyd.py", "dan.py"]);
        assert_eq!(added, ["cyd.py", "dan.py"]);
    }
}
