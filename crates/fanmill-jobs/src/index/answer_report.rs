//! The report of a search: its sources are ranked, and passages that very many documents of an index contain are grey,
//! like boilerplate, where no source shares them.

use fanmill::base::Boilerplate;
use fanmill::report::{BoilerplateSpan, Pair, RankedSource, Report};
use fanmill_index::{Answer, Common, Source};
use fanmill_text::Result;

use super::Search;
use crate::page_language;

/// Returns the report of an answer, under the title and in the language of the search, with common passages marked.
///
/// # Errors
/// If the page has no words in this language.
pub(super) fn report(answer: &Answer, search: &Search) -> Result<Report> {
    let mut report = answer.comparison.report.clone();
    report.title.clone_from(&search.title);
    report.page_language = page_language::checked(search.language.as_deref())?;
    report.sources = ranked(answer, &report);
    let Some(text) = report.submissions.first_mut() else { return Ok(report) };
    let coverage = answer.coverage();
    for (number, file) in (0..).zip(&mut text.files) {
        let is_own = |common: &&Common| common.file == number;
        let common = answer.common.iter().filter(is_own).map(|common| (common.start, common.end));
        let covered = coverage.iter().filter(|own| own.file == number);
        let mut taken: Vec<(u32, u32)> = covered.map(|own| (own.start, own.end)).collect();
        taken.extend(file.boilerplate.iter().map(|grey| (grey.start, grey.end)));
        taken.sort_unstable();
        let rest = without(common, &taken).into_iter();
        let why = Boilerplate::Frequent;
        file.boilerplate.extend(rest.map(|(start, end)| BoilerplateSpan { start, end, why }));
        file.boilerplate.sort_unstable_by_key(|grey| grey.start);
    }
    Ok(report)
}

/// Returns the sources of an answer by their pairs in its report, with their variants.
fn ranked(answer: &Answer, report: &Report) -> Vec<RankedSource> {
    let pair_of = |source: &Source| {
        let is_own = |pair: &Pair| (pair.a, pair.b) == (0, source.submission);
        report.pairs.iter().position(is_own).map(|pair| pair as u32)
    };
    let heads = (0..).zip(&answer.sources).filter(|(_, source)| source.variant_of.is_none());
    let ranked = heads.filter_map(|(number, source)| {
        let is_variant = |other: &&Source| other.variant_of == Some(number);
        let variants = answer.sources.iter().filter(is_variant).filter_map(pair_of).collect();
        Some(RankedSource { pair: pair_of(source)?, added: source.added, variants })
    });
    ranked.collect()
}

/// Returns the parts of `stretches` that are in none of `taken`, ascending and disjoint. Both must ascend by start.
fn without(stretches: impl Iterator<Item = (u32, u32)>, taken: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let (mut rest, mut done) = (Vec::new(), 0);
    for (start, end) in stretches {
        let mut at = start.max(done);
        for &(from, to) in taken.iter().filter(|own| own.1 > start && own.0 < end) {
            if at < from.min(end) {
                rest.push((at, from.min(end)));
            }
            at = at.max(to);
        }
        if at < end {
            rest.push((at, end));
        }
        done = done.max(end);
    }
    rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spans() -> impl Strategy<Value = Vec<(u32, u32)>> {
        let span = (0..60_u32, 0..12_u32).prop_map(|(start, n)| (start, start + n));
        prop::collection::vec(span, 0..6).prop_map(|mut spans| {
            spans.sort_unstable();
            spans
        })
    }

    proptest! {
        #[test]
        fn each_byte_is_left_that_only_the_stretches_have(stretches in spans(), taken in spans()) {
            let rest = without(stretches.iter().copied(), &taken);
            prop_assert!(rest.iter().all(|own| own.0 < own.1));
            prop_assert!(rest.windows(2).all(|two| two[0].1 <= two[1].0));
            let is_in = |spans: &[(u32, u32)], byte| spans.iter().any(|own| own.0 <= byte && byte < own.1);
            for byte in 0..80 {
                let expected = is_in(&stretches, byte) && !is_in(&taken, byte);
                prop_assert_eq!(is_in(&rest, byte), expected, "byte {}", byte);
            }
        }
    }
}
