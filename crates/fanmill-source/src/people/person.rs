//! The person that the name of a submission shows, whatever wrote it.
//!
//! Source: see `export.rs`.

use super::export::ExportName;

/// Extensions of archives, which are not part of a name.
const ARCHIVES: [&str; 6] = [".tar.gz", ".tar.zst", ".zip", ".tar", ".tgz", ".7z"];

/// Extensions of files that people hand in. Anything else behind a dot may be a part of a name.
const FILES: [&str; 64] = [
    "adb", "asm", "bas", "bash", "bib", "c", "cc", "clj", "cob", "cpp", "cs", "css", "csv", "cxx",
    "dart", "doc", "docx", "epub", "erl", "ex", "f90", "for", "fs", "go", "h", "hpp", "hs", "htm",
    "html", "ipynb", "java", "jl", "js", "json", "kt", "lhs", "lisp", "lua", "mat", "md", "ml",
    "mlx", "mm", "nb", "odt", "pas", "pdf", "php", "pl", "ppt", "pptx", "py", "qmd", "rb", "rmd",
    "rs", "rtf", "sb3", "scala", "sh", "sql", "tex", "ts", "txt",
];

/// Returns the person that a submission of this name is from: as an export of a learning platform has it, or else the
/// name without the extension of an archive or of a file.
pub fn person(name: &str) -> String {
    if let Some(own) = ExportName::read(name) {
        return own.shown();
    }
    let ending = ARCHIVES.iter().find_map(|ending| cut(name, ending));
    // `ada.py` and `ada` are the same person; `ada.lee` and `ada.kim` are not, and `.profile` is nobody.
    let of_file = || {
        let (stem, extension) = name.rsplit_once('.')?;
        let is_usual = FILES.contains(&&*extension.to_ascii_lowercase());
        (is_usual && !stem.is_empty()).then_some(stem)
    };
    ending.or_else(of_file).unwrap_or(name).to_owned()
}

/// Returns whether a name or an id that somebody gives means the person that a submission of this name is from.
pub(super) fn is_of_person(submission: &str, given: &str) -> bool {
    let person = person(submission);
    // `lindqvistada (12345)`: a name and an id.
    let parts = person.strip_suffix(')').and_then(|rest| rest.split_once(" ("));
    let by_export = ExportName::read(submission)
        .is_some_and(|own| [own.person, own.id].contains(&given) || own.shown_with_id() == given);
    submission == given
        || person == given
        || by_export
        || parts.is_some_and(|(own, id)| own == given || id == given)
}

fn cut<'n>(name: &'n str, ending: &str) -> Option<&'n str> {
    let (stem, own) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
    (own.eq_ignore_ascii_case(ending) && !stem.is_empty()).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_and_people_name_the_same_person_in_many_ways() {
        for (name, expected) in [
            ("Ada Lindqvist_1011840_assignsubmission_file", "Ada Lindqvist"),
            ("Ada Lindqvist_1013377_assignsubmission_onlinetext", "Ada Lindqvist"),
            ("lindqvistada_12345_678901_inventory.py", "lindqvistada (12345)"),
            ("lindqvistada_LATE_12345_678955_store.py", "lindqvistada (12345)"),
            ("ada", "ada"),
            ("ada.zip", "ada"),
            ("ada.TAR.GZ", "ada"),
            ("ada.py", "ada"),
            ("ada.l", "ada.l"),
            ("ada.lee", "ada.lee"),
            ("ada lindqvist v. 2", "ada lindqvist v. 2"),
            (".zip", ".zip"),
            (".profile", ".profile"),
            ("_assignsubmission_file", "_assignsubmission_file"),
            ("ada_1_2_x.py", "ada_1_2_x"),
        ] {
            assert_eq!(person(name), expected, "{name}");
        }
    }

    #[test]
    fn a_person_is_meant_by_name_login_or_number() {
        for (submission, given) in [
            ("hana", "hana"),
            ("hana.py", "hana"),
            ("Ada Lindqvist_1011840_assignsubmission_file", "Ada Lindqvist"),
            ("Ada Lindqvist_1011840_assignsubmission_file", "1011840"),
            ("Ada Lindqvist (1011840)", "Ada Lindqvist"),
            ("lindqvistada_12345_678901_inventory.py", "12345"),
            ("lindqvistada_LATE_12345_678955_store.py", "lindqvistada"),
            ("12345-678910 - Ada Lindqvist - Mar 4, 2026 1230 PM", "Ada Lindqvist"),
        ] {
            assert!(is_of_person(submission, given), "{submission}");
        }
        for (submission, given) in
            [("hanar", "hana"), ("bob", "hana"), ("x_12345_678901_a.py", "678901")]
        {
            assert!(!is_of_person(submission, given), "{submission}");
        }
    }
}
