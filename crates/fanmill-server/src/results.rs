//! Results in the form that clients of MOSS read: pages that a comparison writes beside its report.
//!
//! They are written once, by the child that compares, from the same passages as the report. A submission of several
//! files is shown as one text, its files one after another.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use fanmill::pipeline::Comparison;
use fanmill::report::{Match, Pair, Report};
use fanmill_moss::pages::{self, ListedPair, Page, PairSide, Passage, Side, percent};
use fanmill_report::{Compared, ShownText, Texts};
use serde::{Deserialize, Serialize};

/// The folder of the pages, in the report's.
pub(crate) const FOLDER: &str = "moss";

/// The content of the pages, and the names to show.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct MossPages {
    /// The address of the result, without a slash at its end.
    pub(crate) address: String,
    /// The address of the full report.
    pub(crate) report: String,
    /// The time of the client's request, as people read it.
    pub(crate) date: String,
    /// The settings, written as options of the client.
    pub(crate) options: String,
    /// The user's comment.
    pub(crate) comment: String,
    /// Maximum number of listed pairs.
    pub(crate) show: usize,
    /// The client's names of submissions, where they differ from the report's.
    pub(crate) names: BTreeMap<String, String>,
}

/// A submission as one text.
struct Text {
    text: String,
    /// Offset of each file in it, in bytes.
    starts: Vec<usize>,
}

/// Writes all pages into a folder.
pub(crate) fn write(wanted: &MossPages, comparison: &Comparison, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let registry = fanmill_lang::registry();
    let texts = Compared { comparison, registry: &registry };
    let report = &comparison.report;
    let mut pairs: Vec<&Pair> =
        report.pairs.iter().filter(|pair| !pair.passages.is_empty()).collect();
    // MOSS's order; ties keep the report's.
    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.matched));
    pairs.truncate(wanted.show);
    let listed: Vec<ListedPair> = pairs.iter().map(|pair| listed(wanted, report, pair)).collect();
    let notes: Vec<String> = report
        .notices
        .iter()
        .map(|notice| format!("{}/{}: {}", notice.submission, notice.path, notice.reason))
        .collect();
    let index = pages::Index {
        address: &wanted.address,
        date: &wanted.date,
        options: &wanted.options,
        comment: &wanted.comment,
        listed: &listed,
        notes: &notes,
        report: Some(&wanted.report),
    };
    fs::write(folder.join("index.html"), pages::index(&index))?;
    for (number, (pair, listed)) in pairs.into_iter().zip(&listed).enumerate() {
        let both = [pair.a, pair.b].map(|id| text(report, &texts, id));
        let passages = passages(pair, &texts, &both);
        let shown = pages::Pair {
            number,
            listed,
            texts: [&both[0].text, &both[1].text],
            passages: &passages,
        };
        let page = |page: Page, html: String| fs::write(folder.join(page.to_string()), html);
        page(Page::Frames(number), pages::frames(&shown))?;
        page(Page::Top(number), pages::top(&shown))?;
        for which in [PairSide::First, PairSide::Second] {
            page(Page::Text(number, which), pages::text(&shown, which))?;
        }
    }
    Ok(())
}

fn listed(wanted: &MossPages, report: &Report, pair: &Pair) -> ListedPair {
    let side = |id: u32, share: f64| {
        let name = &report.submissions[id as usize].name;
        Side { name: wanted.names.get(name).unwrap_or(name).clone(), percent: percent(share) }
    };
    ListedPair {
        first: side(pair.a, pair.containment_a),
        second: side(pair.b, pair.containment_b),
        lines_matched: lines_matched(pair),
    }
}

/// Counts the lines of the first submission that matches lie on.
fn lines_matched(pair: &Pair) -> u64 {
    let matches = pair.passages.iter().flat_map(|passage| &passage.matches);
    let mut lines: Vec<(u32, u32, u32)> =
        matches.map(|one| (one.a.file, one.a.first_line, one.a.last_line)).collect();
    lines.sort_unstable();
    let (mut n, mut behind) = (0, (0, 0));
    for (file, first, last) in lines {
        let first = if behind.0 == file { first.max(behind.1) } else { first };
        n += u64::from((last + 1).saturating_sub(first));
        behind = (file, if behind.0 == file { behind.1.max(last + 1) } else { last + 1 });
    }
    n
}

/// Returns the text of a submission: its only file, or all of them, each after its name.
fn text(report: &Report, texts: &Compared<'_>, id: u32) -> Text {
    let files = &report.submissions[id as usize].files;
    let read = |file: usize| {
        let decoded = texts.text(id, file as u32);
        decoded.map_or_else(String::new, |decoded| decoded.text.into_owned())
    };
    if files.len() == 1 {
        return Text { text: read(0), starts: vec![0] };
    }
    let contents: Vec<String> = (0..files.len()).map(read).collect();
    let named = files.iter().map(|file| &*file.path).zip(contents.iter().map(|text| &**text));
    let (text, starts) = pages::joined(named);
    Text { text, starts }
}

/// Returns the passages of a pair, largest first. A passage that continues in another file is shown only in its first
/// file.
fn passages<'a>(pair: &'a Pair, texts: &Compared<'_>, both: &[Text; 2]) -> Vec<Passage> {
    let ids = [pair.a, pair.b];
    let mut passages: Vec<Passage> = Vec::new();
    for passage in &pair.passages {
        let Some(first) = passage.matches.first() else { continue };
        let [a, b] = [0, 1].map(|which| {
            let place = |one: &'a Match| if which == 0 { &one.a } else { &one.b };
            let file = place(first).file;
            let own = || passage.matches.iter().map(place).filter(|place| place.file == file);
            let start = own().map(|place| place.start).min().unwrap_or(0);
            let end = own().map(|place| place.end).max().unwrap_or(0);
            let begin = both[which].starts.get(file as usize).copied().unwrap_or(0);
            match texts.text(ids[which], file) {
                Some(decoded) => {
                    let shown = ShownText::from_decoded(&decoded);
                    let start = shown.at_from(0, start);
                    begin + start..begin + shown.at_from(start, end)
                }
                None => begin..begin,
            }
        });
        passages.push(Passage { ranges: [a, b], tokens: passage.tokens });
    }
    passages.sort_by_key(|passage| std::cmp::Reverse(passage.tokens));
    passages
}

#[cfg(test)]
mod tests {
    use fanmill::report::{ListedFor, Place};

    use super::*;

    #[test]
    fn lines_are_counted_once() {
        let place = |file, first_line, last_line| Place {
            file,
            start: 0,
            end: 1,
            first_line,
            last_line,
            pages: None,
        };
        let one = |file, first, last| Match {
            tokens: 20,
            a: place(file, first, last),
            b: place(0, 1, 1),
        };
        // In the first file lines 3 to 8, which overlap, and in the second lines 1 to 2.
        let matches = vec![one(0, 3, 7), one(0, 7, 8), one(1, 1, 2), one(0, 4, 5)];
        let passage = fanmill::report::Passage { tokens: 80, moved: false, matches };
        let pair = Pair {
            a: 0,
            b: 1,
            expected: None,
            score: 0.5,
            containment_a: 0.5,
            containment_b: 0.5,
            resemblance: 0.3,
            rare: 9,
            longest: 20,
            rare_run: 26,
            listed_for: ListedFor::Score,
            matched: 80,
            truncated: false,
            own_earlier: false,
            passages: vec![passage],
            metadata: Vec::new(),
        };
        assert_eq!(lines_matched(&pair), 6 + 2);
    }
}
