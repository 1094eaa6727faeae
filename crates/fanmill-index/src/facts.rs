//! Groups and times of all documents, for searches that are restricted to some of them.
//!
//! They are read once for an open index, when a search first needs them, and kept in 8 bytes a document.

use std::collections::HashMap;

use fanmill_text::Result;

use crate::segment::Segment;

/// Groups and days of all documents.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The number of each group, counted from 1.
    pub(crate) numbers: HashMap<String, u32>,
    /// For each segment and document, the number of its group, and its day; 0 if it does not have one.
    pub(crate) documents: Vec<Vec<(u32, u32)>>,
}

impl Facts {
    pub(crate) fn read(segments: &[Segment]) -> Result<Facts> {
        let mut facts = Facts::default();
        for segment in segments {
            let mut own = Vec::with_capacity(segment.entry.documents as usize);
            let mut records = segment.records();
            for document in 0..segment.entry.documents {
                let record = records.get(document)?;
                let group = record.label.map_or(0, |label| {
                    let next = facts.numbers.len() as u32 + 1;
                    *facts.numbers.entry(label).or_insert(next)
                });
                own.push((group, record.submitted.and_then(|time| day(&time)).unwrap_or(0)));
            }
            facts.documents.push(own);
        }
        Ok(facts)
    }
}

/// Parses the day at the beginning of a time in ISO 8601, as a number that is greater for later days.
pub(crate) fn day(time: &str) -> Option<u32> {
    let date = time.as_bytes().first_chunk::<10>()?;
    let number = |digits: &[u8]| -> Option<u32> {
        digits.iter().try_fold(0, |number, digit| {
            digit.is_ascii_digit().then(|| 10 * number + u32::from(digit - b'0'))
        })
    };
    let (year, month, day) = (number(&date[..4])?, number(&date[5..7])?, number(&date[8..])?);
    let is_day =
        date[4] == b'-' && date[7] == b'-' && (1..=12).contains(&month) && (1..=31).contains(&day);
    is_day.then_some(10_000 * year + 100 * month + day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_what_a_time_begins_with() {
        for (text, expected) in [
            ("2026-03-01", Some(20_260_301)),
            ("2026-03-01T17:42:00+01:00", Some(20_260_301)),
            ("0000-01-01", Some(101)),
            ("2026-13-01", None),
            ("2026-00-01", None),
            ("2026-3-1", None),
            ("1 March 2026", None),
            ("2026/03/01", None),
            ("", None),
            ("٢٠٢٦-٠٣-٠١", None),
        ] {
            assert_eq!(day(text), expected, "{text}");
        }
    }
}
