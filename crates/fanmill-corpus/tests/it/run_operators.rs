//! Repeated runs by operators over single texts, as a program uses them that sorts windows itself.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use fanmill_corpus::dedup::Keep;
use fanmill_corpus::runs::{Cut, Edit, MinLength, Settings, TextOperator, TextWindow};

use crate::runs::MOST_ROUNDS;

/// The windows of each text that go: those with an equal one that begins earlier and does not overlap.
fn going(windows: &[Vec<TextWindow>]) -> Vec<Vec<Range<u32>>> {
    let mut first: HashMap<(u64, u32), (usize, TextWindow)> = HashMap::new();
    let of_text = |(text, own): (usize, &Vec<TextWindow>)| {
        let goes = own.iter().filter(|window| {
            let (place, known) = *first.entry(window.hash).or_insert((text, **window));
            place != text || window.begin >= known.end
        });
        goes.map(|window| window.begin..window.end).collect()
    };
    windows.iter().enumerate().map(of_text).collect()
}

/// Cuts texts as a program does that finds equal windows itself.
pub(crate) fn by_operators(texts: &[&str], settings: &Settings) -> Vec<Edit> {
    let operator = TextOperator::new(settings, &[9; 32]).expect("settings");
    let of = |text: usize, cuts: &[Range<u32>], before: Option<&[Range<u32>]>| {
        let mut windows = Vec::new();
        operator.windows(texts[text], cuts, before, |own| windows.push(own)).expect("its cuts");
        windows
    };
    let mut cuts: Vec<Vec<Range<u32>>> = vec![Vec::new(); texts.len()];
    let mut before: Option<Vec<Vec<Range<u32>>>> = None;
    for round in 1..=MOST_ROUNDS {
        let windows: Vec<Vec<TextWindow>> =
            (0..texts.len()).map(|text| of(text, &cuts[text], None)).collect();
        let goes = going(&windows);
        // Of windows that were compared before, none goes that has no equal one across a new join.
        if let (Some(before), MinLength::Words(_), Cut::Word) =
            (&before, settings.length, settings.cut)
        {
            let new = (0..texts.len()).flat_map(|text| of(text, &cuts[text], Some(&before[text])));
            let new: BTreeSet<(u64, u32)> = new.map(|window| window.hash).collect();
            let some = windows.iter().map(|own| {
                own.iter().copied().filter(|window| new.contains(&window.hash)).collect()
            });
            assert_eq!(goes, going(&some.collect::<Vec<_>>()));
        }
        let mut now: Vec<Vec<Range<u32>>> = (0..texts.len())
            .map(|text| operator.cut(texts[text], &cuts[text], &goes[text]).expect("its windows"))
            .collect();
        if now == cuts {
            break;
        }
        if round == MOST_ROUNDS {
            for text in 0..texts.len() {
                if now[text] != cuts[text] {
                    now[text] = operator.whole(texts[text]).into_iter().collect();
                }
            }
        }
        before = Some(std::mem::replace(&mut cuts, now));
    }
    let edit = |text: usize| match operator.rest(texts[text], &cuts[text]).expect("its cuts").text {
        _ if cuts[text].is_empty() => Edit::Stays,
        Some(rest) => Edit::Cut(rest),
        None => Edit::Goes,
    };
    (0..texts.len()).map(edit).collect()
}

#[test]
fn operators_refuse_what_is_not_of_a_text() {
    let operator = TextOperator::new(&Settings::standard(), &[9; 32]).expect("settings");
    let text = "one two three";
    let ranges = |pairs: &[(u32, u32)]| -> Vec<Range<u32>> {
        pairs.iter().map(|&(begin, end)| begin..end).collect()
    };
    for cuts in [&[(0, 4)][..], &[(2, 1)], &[(0, 0)], &[(0, 1), (1, 2)], &[(1, 2), (0, 1)]] {
        let cuts = ranges(cuts);
        assert!(operator.rest(text, &cuts).is_err(), "{cuts:?}");
        assert!(operator.windows(text, &cuts, None, |_| ()).is_err(), "{cuts:?}");
        assert!(operator.cut(text, &cuts, &[]).is_err(), "{cuts:?}");
    }
    for windows in [&[(0, 4)][..], &[(1, 1)], &[(3, 2)], &[(1, 2), (0, 1)], &[(0, u32::MAX)]] {
        assert!(operator.cut(text, &[], &ranges(windows)).is_err(), "{windows:?}");
    }
    let first = ranges(&[(0, 1)]);
    assert!(operator.cut(text, &first, &ranges(&[(0, 2)])).is_err(), "its first word is cut");
    let cut = operator.cut(text, &first, &ranges(&[(1, 2)])).expect("its words");
    assert_eq!(cut, ranges(&[(0, 2)]));
    let longest = Settings::standard().with(|s| s.keep = Keep::Longest);
    assert!(TextOperator::new(&longest, &[9; 32]).is_err());
}
