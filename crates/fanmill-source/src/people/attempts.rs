//! Attempts of one person: which inputs an export says are earlier ones.
//!
//! Where names have a time or number for each attempt, that decides. Canvas writes `a-1.py` for a second `a.py`, which a
//! person may also have called so: an earlier file counts as an attempt only if the later one has half of its lines, so
//! that nobody hides a file behind another one.
//!
//! Cost: O(n) in the length of the files that may be attempts of each other.

use std::collections::HashSet;

use super::export::Platform;
use super::input::Input;

/// Returns, for each input of a person, whether it is of an earlier attempt.
pub(super) fn earlier(inputs: &[Input], platform: Option<Platform>) -> Vec<bool> {
    if platform == Some(Platform::Canvas) {
        return inputs
            .iter()
            .map(|input| inputs.iter().any(|other| is_replaced(input, other)))
            .collect();
    }
    // An attempt without any text, such as an empty one after the deadline, replaces nothing.
    let with_text = inputs.iter().filter(|input| !input.finished.submission.documents.is_empty());
    let newest = with_text.filter_map(|input| input.attempt.as_ref()).max();
    inputs.iter().map(|input| input.attempt.is_some() && input.attempt.as_ref() < newest).collect()
}

/// Returns whether a file of a Canvas export was replaced by another one.
fn is_replaced(earlier: &Input, later: &Input) -> bool {
    let parts = |input: &Input| -> Option<(String, u64)> {
        let file = input.file.as_deref()?;
        let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
        let (own, number) = match stem.rsplit_once('-') {
            Some((own, number)) if !own.is_empty() && number.len() <= 4 => {
                (own, number.parse().ok())
            }
            _ => (stem, None),
        };
        let own = number.map_or(stem, |_| own);
        Some((format!("{own}.{extension}"), number.unwrap_or(0)))
    };
    let (Some((name, number)), Some((later_name, later_number))) = (parts(earlier), parts(later))
    else {
        return false;
    };
    name == later_name && number < later_number && has_half_of(later, earlier)
}

/// Returns whether a file has half of the lines of another one.
fn has_half_of(later: &Input, earlier: &Input) -> bool {
    fn lines(input: &Input) -> impl Iterator<Item = &[u8]> {
        let documents = input.finished.submission.documents.iter();
        let lines = documents.flat_map(|document| document.bytes.split(|&byte| byte == b'\n'));
        lines.map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
    }
    let later: HashSet<&[u8]> = lines(later).collect();
    let all = lines(earlier).count();
    all > 0 && 2 * lines(earlier).filter(|&line| later.contains(line)).count() >= all
}
