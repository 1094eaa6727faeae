//! Attempts of one person: which inputs an export says are earlier ones.
//!
//! A time or number in the names decides, if there is one. Canvas writes `a-1.py` for a second `a.py`, which a person may
//! also have called so: an earlier file counts as an attempt only if the unnumbered one is there and the later one has half
//! of its lines, in their order and outside of comments and long strings, so that nobody hides a file behind another one.
//!
//! Cost: O(n log n) in the number of inputs, and in the length of files that may be attempts of each other.
//! Source: the longest series by patience sorting, Schensted, "Longest Increasing and Decreasing Subsequences", 1961.

use std::collections::{BTreeMap, HashMap, HashSet};

use fanmill_text::frontend::{decode, lines_of_code};

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

/// Returns whether a file has half of the lines of another one in their order, besides comments: of lines that both have
/// once, the longest series that ascends in both counts.
fn has_half_of(later: &Input, earlier: &Input) -> bool {
    let (later, earlier) = (text(later), text(earlier));
    let mut places: HashMap<&str, Option<usize>> = HashMap::new();
    for (at, line) in lines_of_code(&later).enumerate() {
        // A line that comes again is no place.
        places.entry(line).and_modify(|place| *place = None).or_insert(Some(at));
    }
    let mut seen: HashSet<&str> = HashSet::new();
    let all: Vec<&str> = lines_of_code(&earlier).filter(|line| seen.insert(line)).collect();
    // The last place of the best series of each length, ascending.
    let mut series: Vec<usize> = Vec::new();
    for at in all.iter().filter_map(|line| *places.get(line)?) {
        match series.partition_point(|&last| last < at) {
            longest if longest == series.len() => series.push(at),
            shorter => series[shorter] = at,
        }
    }
    !all.is_empty() && 2 * series.len() >= all.len()
}

/// Returns the text of a file.
fn text(input: &Input) -> String {
    let documents = input.finished.submission.documents.iter();
    documents.map(|document| decode(&document.bytes).text.into_owned() + "\n").collect()
}
