//! Names of people who handed something in, taken from the names that learning platforms give to their exports.
//!
//! | exported | person |
//! |---|---|
//! | `Ada Lindqvist_1011840_assignsubmission_file` (Moodle) | `Ada Lindqvist` |
//! | `lindqvistada_12345_678901_inventory.py`, `lindqvistada_LATE_12345_678901_inventory.py` (Canvas) | `lindqvistada (12345)` |
//! | anything else | the name without the extension of an archive or of a file |
//!
//! Moodle's number belongs to one submission to one assignment, so only the name stays the same. Canvas's first number
//! belongs to the person.
//!
//! Source: the archives of an assignment as Moodle 4.5 and Canvas write them.

/// Extensions of archives, which are not part of a name.
const ARCHIVES: [&str; 6] = [".tar.gz", ".tar.zst", ".zip", ".tar", ".tgz", ".7z"];

/// Returns the person that a submission of this name is from.
pub fn person(name: &str) -> String {
    if let Some(person) = moodle(name).or_else(|| canvas(name)) {
        return person;
    }
    let ending = ARCHIVES.iter().find_map(|ending| cut(name, ending));
    // `ada.py` and `ada` are the same person; `ada.l` and `ada.k` are not, and `.profile` is nobody.
    let of_file = || {
        let (stem, extension) = name.rsplit_once('.')?;
        let is_usual = (2..=5).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_usual && !stem.is_empty()).then_some(stem)
    };
    ending.or_else(of_file).unwrap_or(name).to_owned()
}

fn cut<'n>(name: &'n str, ending: &str) -> Option<&'n str> {
    let (stem, own) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
    (own.eq_ignore_ascii_case(ending) && !stem.is_empty()).then_some(stem)
}

fn moodle(name: &str) -> Option<String> {
    let (before, _) =
        name.split_once("_assignsubmission_").or_else(|| name.split_once("_assignfeedback_"))?;
    let (person, number) = before.rsplit_once('_')?;
    (is_number(number, 1) && !person.trim().is_empty()).then(|| person.trim().to_owned())
}

fn canvas(name: &str) -> Option<String> {
    let (person, rest) = name.split_once('_')?;
    let rest = rest.strip_prefix("LATE_").unwrap_or(rest);
    let mut parts = rest.splitn(3, '_');
    let (user, submission, file) = (parts.next()?, parts.next()?, parts.next()?);
    let is_canvas = person.starts_with(char::is_alphabetic)
        && is_number(user, 3)
        && is_number(submission, 3)
        && !file.is_empty();
    is_canvas.then(|| format!("{person} ({user})"))
}

fn is_number(text: &str, least: usize) -> bool {
    text.len() >= least && text.bytes().all(|byte| byte.is_ascii_digit())
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
            ("ada lindqvist v. 2", "ada lindqvist v. 2"),
            (".zip", ".zip"),
            (".profile", ".profile"),
            ("_assignsubmission_file", "_assignsubmission_file"),
            ("ada_1_2_x.py", "ada_1_2_x"),
        ] {
            assert_eq!(person(name), expected, "{name}");
        }
    }
}
