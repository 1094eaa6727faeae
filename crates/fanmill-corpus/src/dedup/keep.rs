//! Rules for which document of a cluster stays.

use std::fmt;
use std::str::FromStr;

use fanmill_text::{Error, Result};

use fanmill_records::Record;

/// A rule for which of several duplicates stays; of equals, the first in the corpus does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keep {
    /// `first`: the first in the order of the corpus.
    First,
    /// `longest`: the one with the most bytes of text.
    Longest,
    /// `newest:FIELD`: the latest date.
    Newest(String),
    /// `oldest:FIELD`: the earliest date.
    Oldest(String),
    /// `highest:FIELD`: the greatest number.
    Highest(String),
    /// `lowest:FIELD`: the least number.
    Lowest(String),
    /// `source:FIELD=A,B,…`: the one from the source that is named first; other sources come after all of these.
    Source(String, Vec<String>),
}

impl Keep {
    /// Returns the field whose value the rule needs.
    pub fn field(&self) -> Option<&str> {
        match self {
            Keep::First | Keep::Longest => None,
            Keep::Newest(field)
            | Keep::Oldest(field)
            | Keep::Highest(field)
            | Keep::Lowest(field)
            | Keep::Source(field, _) => Some(field),
        }
    }

    /// Refuses a rule that no document can follow, given their ranks: it would keep the first of each group, which was
    /// not asked for.
    pub(crate) fn check(&self, n_documents: u64, ranks: &[u64]) -> Result<()> {
        match self.needs() {
            Some(needs) if n_documents > 0 && ranks.iter().all(|&rank| rank == LAST) => {
                Err(Error::setting(format!(
                    "no document has {needs}, which the rule `{self}` needs; choose a rule that fits the \
                     documents, or none, to keep the first of each"
                )))
            }
            _ => Ok(()),
        }
    }

    /// Returns the rank of a document in the order of preference; the lowest stays. A document without a readable value
    /// comes last.
    ///
    /// The value is that of the record's first extra field.
    pub fn rank(&self, record: &Record<'_>) -> u64 {
        let value = record.extra.first().and_then(Option::as_deref);
        let number = |value: &str| value.trim().parse::<f64>().ok().filter(|n| !n.is_nan());
        let rank = match self {
            Keep::First => Some(0),
            Keep::Longest => Some(u64::MAX - 1 - record.text.len() as u64),
            Keep::Newest(_) => value.and_then(date).map(|date| !ascending(date)),
            Keep::Oldest(_) => value.and_then(date).map(ascending),
            Keep::Highest(_) => value.and_then(number).map(|n| !ascending(n)),
            Keep::Lowest(_) => value.and_then(number).map(ascending),
            Keep::Source(_, sources) => value
                .and_then(|value| sources.iter().position(|source| source == value.trim()))
                .map(|place| place as u64),
        };
        rank.map_or(LAST, |rank| rank.min(LAST - 1))
    }
}

impl Keep {
    /// Describes what a document must have for the rule to prefer it; `None` if nothing is needed.
    pub(crate) fn needs(&self) -> Option<String> {
        match self {
            Keep::First | Keep::Longest => None,
            Keep::Newest(field) | Keep::Oldest(field) => Some(format!("a date in field `{field}`")),
            Keep::Highest(field) | Keep::Lowest(field) => {
                Some(format!("a number in field `{field}`"))
            }
            Keep::Source(field, sources) => {
                Some(format!("one of `{}` in field `{field}`", sources.join("`, `")))
            }
        }
    }
}

/// The rank of documents without a value that the rule can use.
pub(crate) const LAST: u64 = u64::MAX;

/// Maps a float to an integer with the same order.
fn ascending(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// Parses a date to seconds since 1970: ISO 8601 with or without time and zone (UTC if without), the format of mail, or
/// a plain number of seconds.
fn date(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Some(seconds).filter(|seconds| !seconds.is_nan());
    }
    let at_utc = |date: jiff::civil::DateTime| {
        date.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
    };
    let timestamp = text.parse::<jiff::Timestamp>().ok();
    let timestamp = timestamp
        .or_else(|| text.parse::<jiff::civil::DateTime>().ok().and_then(at_utc))
        .or_else(|| jiff::fmt::rfc2822::parse(text).ok().map(|zoned| zoned.timestamp()));
    timestamp.map(jiff::Timestamp::as_millisecond).map(|milliseconds| milliseconds as f64 / 1e3)
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Keep::First => f.write_str("first"),
            Keep::Longest => f.write_str("longest"),
            Keep::Newest(field) => write!(f, "newest:{field}"),
            Keep::Oldest(field) => write!(f, "oldest:{field}"),
            Keep::Highest(field) => write!(f, "highest:{field}"),
            Keep::Lowest(field) => write!(f, "lowest:{field}"),
            Keep::Source(field, sources) => write!(f, "source:{field}={}", sources.join(",")),
        }
    }
}

impl FromStr for Keep {
    type Err = Error;

    fn from_str(text: &str) -> Result<Keep> {
        let unknown = || {
            Error::setting(format!(
                "`{text}` is not one of first, longest, newest:FIELD, oldest:FIELD, highest:FIELD, lowest:FIELD, \
                 source:FIELD=A,B,C"
            ))
        };
        let (rule, field) = text.split_once(':').map_or((text, None), |(r, f)| (r, Some(f)));
        let field = field.filter(|field| !field.is_empty());
        match (rule, field.map(str::to_owned)) {
            ("first", None) => Ok(Keep::First),
            ("longest", None) => Ok(Keep::Longest),
            ("newest", Some(field)) => Ok(Keep::Newest(field)),
            ("oldest", Some(field)) => Ok(Keep::Oldest(field)),
            ("highest", Some(field)) => Ok(Keep::Highest(field)),
            ("lowest", Some(field)) => Ok(Keep::Lowest(field)),
            ("source", Some(rest)) => {
                let (field, sources) = rest.split_once('=').ok_or_else(unknown)?;
                if field.is_empty() {
                    return Err(unknown());
                }
                let sources = sources.split(',').map(|source| source.trim().to_owned()).collect();
                Ok(Keep::Source(field.to_owned(), sources))
            }
            _ => Err(unknown()),
        }
    }
}

fanmill_text::serde_as_text!(Keep);

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    /// Returns documents in the order in which they would stay.
    fn order(keep: &str, values: &[Option<&str>]) -> Vec<usize> {
        let keep: Keep = keep.parse().expect(keep);
        let rank = |i: &usize| {
            let extra = vec![values[*i].map(Cow::Borrowed)];
            keep.rank(&Record { text: Cow::Borrowed("x"), id: None, extra, flaw: None })
        };
        let mut places: Vec<usize> = (0..values.len()).collect();
        places.sort_by_key(rank);
        places
    }

    #[test]
    fn dates_of_all_kinds_are_ordered() {
        let dates = [
            Some("2024-03-01"),
            Some("2024-03-01T10:00:00+02:00"),
            Some("no date"),
            Some("Fri, 1 Mar 2024 09:30:00 +0000"),
            Some("1709251200.5"),
            None,
            Some("2025-01-01 00:00:00"),
        ];
        assert_eq!(order("oldest:date", &dates), [0, 4, 1, 3, 6, 2, 5]);
        assert_eq!(order("newest:date", &dates), [6, 3, 1, 4, 0, 2, 5]);
    }

    #[test]
    fn numbers_are_ordered_and_sources_ranked() {
        let numbers = [Some("-1.5"), Some("0"), Some("-0"), None, Some("NaN"), Some("3e2")];
        assert_eq!(order("lowest:score", &numbers), [0, 1, 2, 5, 3, 4]);
        assert_eq!(order("highest:score", &numbers), [5, 1, 2, 0, 3, 4]);
        let sources = [Some("blog"), None, Some("wiki"), Some("news")];
        assert_eq!(order("source:from=wiki,news", &sources), [2, 3, 0, 1]);
    }

    #[test]
    fn rules_read_as_they_are_written() {
        for rule in ["first", "longest", "newest:a.b", "highest:q", "source:s=a,b"] {
            assert_eq!(rule.parse::<Keep>().expect(rule).to_string(), rule);
        }
        for wrong in ["", "last", "newest", "newest:", "first:x", "source:s", "source:=a"] {
            assert!(wrong.parse::<Keep>().is_err(), "{wrong}");
        }
    }
}
