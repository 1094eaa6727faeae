//! The facts that a store keeps about an original besides its name and fingerprints.

use serde::{Deserialize, Serialize};

/// The dates of an original, how often it was added, and whether copies of it are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Its role: whether copies of it are reported.
    pub role: Role,
    /// Its dates; `None` if none is known.
    pub seen: Option<DateRange>,
    /// Number of times it was added.
    pub count: u64,
}

/// The role of an original: whether copies of it are reported.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Copies are reported.
    #[default]
    Reported,
    /// Copies are not reported, although they may resemble an original that is.
    Wanted,
}

/// The earliest and the latest date of an original, in seconds since the beginning of 1970 (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateRange {
    /// The earliest date.
    pub first: i64,
    /// The latest date; not before `first`.
    pub last: i64,
}

/// Number of bytes that facts take in a segment.
pub(super) const BYTES: usize = 1 + 1 + 8 + 8 + 8;

impl Facts {
    /// Returns the facts of an original that was added once, with this date.
    pub fn new(role: Role, date: Option<i64>) -> Facts {
        Facts { role, seen: date.map(|date| DateRange { first: date, last: date }), count: 1 }
    }

    /// Returns the facts of an original that was added again, and whose facts were `before` until then.
    #[must_use]
    pub fn after(self, before: Facts) -> Facts {
        let seen = match (self.seen, before.seen) {
            (Some(now), Some(then)) => {
                Some(DateRange { first: now.first.min(then.first), last: now.last.max(then.last) })
            }
            (now, then) => now.or(then),
        };
        Facts { role: self.role, seen, count: self.count.saturating_add(before.count) }
    }

    /// Appends its bytes: whether it is wanted, whether it has dates, both dates, and the count.
    pub(super) fn encode(self, out: &mut Vec<u8>) {
        let DateRange { first, last } = self.seen.unwrap_or(DateRange { first: 0, last: 0 });
        out.push(u8::from(self.role == Role::Wanted));
        out.push(u8::from(self.seen.is_some()));
        for number in [first.cast_unsigned(), last.cast_unsigned(), self.count] {
            out.extend_from_slice(&number.to_le_bytes());
        }
    }

    /// Reads facts from their bytes; `None` if these are anything else.
    pub(super) fn decode(bytes: &[u8; BYTES]) -> Option<Facts> {
        let number =
            |at: usize| bytes[at..].first_chunk().map_or(0, |number| u64::from_le_bytes(*number));
        let [first, last] = [number(2), number(10)].map(u64::cast_signed);
        let seen = match bytes[1] {
            0 if first == 0 && last == 0 => None,
            1 if first <= last => Some(DateRange { first, last }),
            _ => return None,
        };
        let role = match bytes[0] {
            0 => Role::Reported,
            1 => Role::Wanted,
            _ => return None,
        };
        Some(Facts { role, seen, count: number(18) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_kept_from_the_first_to_the_last_and_additions_are_counted() {
        let of = |date| Facts::new(Role::Reported, date);
        let facts = of(Some(5)).after(of(Some(9)).after(of(None)));
        assert_eq!(
            facts,
            Facts { seen: Some(DateRange { first: 5, last: 9 }), count: 3, ..of(None) }
        );
        let wanted = Facts::new(Role::Wanted, None).after(facts);
        assert_eq!(wanted, Facts { role: Role::Wanted, count: 4, ..facts });
    }

    #[test]
    fn facts_are_read_back_and_nothing_else_is() {
        for facts in [
            Facts::new(Role::Reported, None),
            Facts::new(Role::Wanted, Some(-1)),
            Facts {
                seen: Some(DateRange { first: i64::MIN, last: i64::MAX }),
                ..Facts::new(Role::Reported, None)
            },
        ] {
            let mut bytes = Vec::new();
            facts.encode(&mut bytes);
            let mut bytes: [u8; BYTES] = bytes.try_into().expect("their length");
            assert_eq!(Facts::decode(&bytes), Some(facts));
            bytes[0] = 2;
            assert_eq!(Facts::decode(&bytes), None);
        }
    }
}
