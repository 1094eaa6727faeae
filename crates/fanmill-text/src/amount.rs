//! Sizes (`64MiB`, `1.5 GB`, `4096`) and shares (`0.6`, `60%`) as people write them.
//!
//! Settings are given as numbers or as text, in a config file, as arguments and in JSON. The functions here that read
//! them for serde accept both, so that every front end accepts the same: `#[serde(deserialize_with =
//! "crate::amount::bytes")]`.

use std::fmt;
use std::num::NonZeroU64;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use crate::error::{Error, Result};

/// Spellings of each unit in lower case, and its size in bytes.
const UNITS: [(&[&str], f64); 9] = [
    (&["", "b"], 1.0),
    (&["k", "kib"], 1024.0),
    (&["kb"], 1e3),
    (&["m", "mib"], 1024.0 * 1024.0),
    (&["mb"], 1e6),
    (&["g", "gib"], 1024.0 * 1024.0 * 1024.0),
    (&["gb"], 1e9),
    (&["t", "tib"], 1024.0 * 1024.0 * 1024.0 * 1024.0),
    (&["tb"], 1e12),
];

/// Parses a size into bytes.
///
/// # Errors
/// If it is not a number with or without a unit.
pub fn parse_bytes(text: &str) -> Result<u64> {
    let trimmed = text.trim();
    let digits = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(digits);
    let unit = unit.trim().to_ascii_lowercase();
    let Some((_, factor)) = UNITS.iter().find(|(names, _)| names.contains(&&*unit)) else {
        return Err(Error::setting(format!(
            "`{trimmed}` has the unknown unit `{unit}`; use KiB, MiB, GiB or TiB"
        )));
    };
    match number.parse::<f64>() {
        #[expect(clippy::cast_sign_loss, reason = "a number without a sign is not negative")]
        Ok(number) => Ok((number * factor) as u64),
        Err(_) => Err(Error::setting(format!("`{trimmed}` is not a size; write 64MiB"))),
    }
}

/// Parses a share into a fraction in `0..=1`.
///
/// # Errors
/// If it is not a number from 0 to 1, or from 0 to 100 before a `%`.
pub fn parse_share(text: &str) -> Result<f64> {
    let (number, whole) = match text.trim().strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 100.0),
        None => (text.trim(), 1.0),
    };
    let share = number.parse::<f64>().ok().and_then(|number| checked_share(number / whole));
    share.ok_or_else(|| {
        Error::setting(format!("`{text}` is not a score; scores go from 0 to 1: write 0.6, or 60%"))
    })
}

/// Checks that a setting of this name is a fraction in `0..=1`.
///
/// # Errors
/// If it is not one.
pub fn check_share(name: &str, share: f64) -> Result<f64> {
    checked_share(share).ok_or_else(|| {
        Error::setting(format!("{name}: {share} is not a score; scores go from 0 to 1"))
    })
}

fn checked_share(share: f64) -> Option<f64> {
    (0.0..=1.0).contains(&share).then_some(share)
}

/// Writes a size in the largest unit that divides it.
pub fn written(bytes: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units.into_iter().find(|&(bits, _)| bytes > 0 && bytes.is_multiple_of(1 << bits));
    unit.map_or_else(|| bytes.to_string(), |(bits, name)| format!("{}{name}", bytes >> bits))
}

/// Reads a size for serde: a number of bytes, or text such as `64MiB`.
///
/// # Errors
/// If it is neither, or too large for the setting.
pub fn bytes<'de, D: Deserializer<'de>, T: TryFrom<u64>>(
    deserializer: D,
) -> std::result::Result<T, D::Error> {
    let bytes = deserializer.deserialize_any(Size)?;
    T::try_from(bytes).map_err(|_| de::Error::custom(format_args!("{bytes} bytes are too many")))
}

/// Reads a share for serde: a number from 0 to 1, or text such as `60%`.
///
/// # Errors
/// If it is neither.
pub fn share<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<f64, D::Error> {
    let share = deserializer.deserialize_any(Share)?;
    share.ok_or_else(|| de::Error::custom("a score is missing; scores go from 0 to 1"))
}

/// Reads a share that may be missing; see [`share()`].
///
/// # Errors
/// If it is present and not a share.
pub fn optional_share<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Option<f64>, D::Error> {
    deserializer.deserialize_any(Share)
}

/// Reads a number of 1 or more for serde.
///
/// # Errors
/// If it is not one, or too large for the setting.
pub fn positive<'de, D: Deserializer<'de>, T: TryFrom<u64>>(
    deserializer: D,
) -> std::result::Result<T, D::Error> {
    let number = NonZeroU64::deserialize(deserializer)
        .map_err(|error| de::Error::custom(format_args!("{error}; give a number from 1 up")))?;
    T::try_from(number.get()).map_err(|_| de::Error::custom(format_args!("{number} is too many")))
}

/// Reads a size that may be missing; see [`bytes()`].
///
/// # Errors
/// If it is present and not a size, or too large for the setting.
pub fn optional_bytes<'de, D: Deserializer<'de>, T: TryFrom<u64>>(
    deserializer: D,
) -> std::result::Result<Option<T>, D::Error> {
    #[derive(Deserialize)]
    #[serde(bound = "T: TryFrom<u64>")]
    struct Present<T>(#[serde(deserialize_with = "bytes")] T);

    Ok(Option::<Present<T>>::deserialize(deserializer)?.map(|Present(bytes)| bytes))
}

struct Size;

impl Visitor<'_> for Size {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a size: a number of bytes, or text such as \"64MiB\"")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> std::result::Result<u64, E> {
        Ok(number)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> std::result::Result<u64, E> {
        u64::try_from(number).map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<u64, E> {
        parse_bytes(text).map_err(E::custom)
    }
}

struct Share;

impl Visitor<'_> for Share {
    type Value = Option<f64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a score: a number from 0 to 1, or text such as \"60%\"")
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> std::result::Result<Option<f64>, E> {
        let wrong = || E::custom(format_args!("{number} is not a score; scores go from 0 to 1"));
        checked_share(number).map(Some).ok_or_else(wrong)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> std::result::Result<Option<f64>, E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> std::result::Result<Option<f64>, E> {
        self.visit_f64(number as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<Option<f64>, E> {
        parse_share(text).map(Some).map_err(E::custom)
    }

    fn visit_unit<E: de::Error>(self) -> std::result::Result<Option<f64>, E> {
        Ok(None)
    }

    fn visit_none<E: de::Error>(self) -> std::result::Result<Option<f64>, E> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[test]
    fn units_are_understood() {
        let sizes = [
            ("4096", 4096),
            ("64MiB", 64 << 20),
            ("1.5 GB", 1_500_000_000),
            ("2k", 2048),
            ("1TiB", 1 << 40),
            ("1tb", 1_000_000_000_000),
            ("0", 0),
        ];
        for (text, expected) in sizes {
            assert_eq!(parse_bytes(text).expect(text), expected);
            assert_eq!(parse_bytes(&written(expected)).expect("ours"), expected);
        }
        for wrong in ["", "x", "12 parsecs", "1.2.3", "-5"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(written(64 << 20), "64MiB");
    }

    #[test]
    fn a_share_is_a_fraction_or_a_percentage() {
        for (text, expected) in
            [("0.5", 0.5), ("50%", 0.5), (" 50 % ", 0.5), ("1", 1.0), ("0%", 0.0)]
        {
            let share = parse_share(text).expect(text);
            assert!((share - expected).abs() < 1e-12, "{text}: {share}");
        }
        for wrong in ["", "%", "60", "101%", "-1%", "NaN", "NaN%", "half", "1.5"] {
            assert!(parse_share(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_and_text_are_read_alike() {
        #[derive(Debug, PartialEq, Deserialize)]
        struct Both {
            #[serde(deserialize_with = "bytes")]
            size: usize,
            #[serde(deserialize_with = "share")]
            share: f64,
            #[serde(deserialize_with = "optional_share")]
            other: Option<f64>,
        }
        let read = |text: &str| serde_json::from_str::<Both>(text);
        let expected = Both { size: 2048, share: 0.5, other: None };
        assert_eq!(
            read(r#"{"size": "2KiB", "share": "50%", "other": null}"#).expect("text"),
            expected
        );
        assert_eq!(
            read(r#"{"size": 2048, "share": 0.5, "other": null}"#).expect("numbers"),
            expected
        );
        for wrong in [
            r#"{"size": -1, "share": 0.5, "other": null}"#,
            r#"{"size": 1, "share": 60, "other": null}"#,
            r#"{"size": 1, "share": 1, "other": "half"}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
