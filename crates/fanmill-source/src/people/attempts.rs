//! Attempts of one person: which inputs an export says are earlier ones.
//!
//! A time or number in the names decides, if there is one. Canvas writes `a-1.py` for a second `a.py`, which a person may
//! also have called so: an earlier file counts as an attempt only if the unnumbered one is there and the later one has half
//! of its lines, so that nobody hides a file behind another one.
//!
//! Cost: O(n log n) in the number of inputs, O(n) in the length of files that may be attempts of each other.

use std::collections::{BTreeMap, HashSet};

use super::export::Platform;
use super::input::Input;

/// Returns, for each input of a person, whether it is of an earlier attempt.
pub(super) fn earlier(inputs: &[Input], platform: Option<Platform>) -> Vec<bool> {
    if platform == Some(Platform::Canvas) {
        return replaced(inputs);
    }
    // An attempt without any text, such as an empty one after the deadline, replaces nothing.
    let with_text = inputs.iter().filter(|input| !input.finished.submission.documents.is_empty());
    let newest = with_text.filter_map(|input| input.attempt.as_ref()).max();
    inputs.iter().map(|input| input.attempt.is_some() && input.attempt.as_ref() < newest).collect()
}

/// Returns, for each file of a Canvas export, whether a later one replaced it.
fn replaced(inputs: &[Input]) -> Vec<bool> {
    let mut series: BTreeMap<(&str, &str), Vec<(u64, usize)>> = BTreeMap::new();
    for (place, input) in inputs.iter().enumerate() {
        let Some(file) = &input.file else { continue };
        let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
        let (own, number) = numbered(stem).unwrap_or((stem, 0));
        series.entry((own, extension)).or_default().push((number, place));
    }
    let mut replaced = vec![false; inputs.len()];
    for mut files in series.into_values() {
        files.sort_unstable();
        let [(0, _), .., (_, last)] = files[..] else { continue };
        for &(_, place) in &files[..files.len() - 1] {
            replaced[place] = has_half_of(&inputs[last], &inputs[place]);
        }
    }
    replaced
}

/// Splits `store-2` into `store` and 2.
fn numbered(stem: &str) -> Option<(&str, u64)> {
    let (own, number) = stem.rsplit_once('-')?;
    let number = number.parse().ok().filter(|&number| number > 0)?;
    (!own.is_empty()).then_some((own, number))
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
