//! Hand-in times as learning platforms write them, brought to one form.
//!
//! | written | read as |
//! |---|---|
//! | `Sunday, 1 March 2026, 5:42 PM` (Moodle) | `2026-03-01T17:42:00` |
//! | `Sunday, March 1, 2026, 17:42` (Moodle, American) | `2026-03-01T17:42:00` |
//! | `2026-03-01 17:42:05 UTC` (Canvas) | `2026-03-01T17:42:05Z` |
//! | `2026-03-01 17:42:05 +0100` | `2026-03-01T17:42:05+01:00` |
//! | `2026-03-01T17:42:00Z`, `2026-03-01` (ISO 8601) | the same |
//!
//! Names of days and months are English, written in full or as three letters. A time without a zone stays without one:
//! within a class all come from one clock. A date that two countries read in two ways (`01/03/26`) is not read at all.
//!
//! Cost: O(n) in the length of the text.
//! Source: Moodle's language pack `langconfig` (`strftimedaydatetime`, `strftimedatetime`); the
//! Canvas API's and gradebook's dates; RFC 3339.

use jiff::civil::{Date, Time};

/// The accepted forms, for the message about any other.
pub(super) const ACCEPTED: &str =
    "`2026-03-01 17:42`, `2026-03-01T17:42:00Z` or `Sunday, 1 March 2026, 5:42 PM`";

const DAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Returns the time in ISO 8601, or `None` if it has none of the forms above.
pub(super) fn read(text: &str) -> Option<String> {
    let text = text.trim();
    if text.starts_with(|c: char| c.is_ascii_digit()) && text.get(4..5) == Some("-") {
        let (date, rest) = text.split_at_checked(10)?;
        let rest = rest.strip_prefix(['T', 't', ' ']).unwrap_or(rest);
        let date: Date = date.parse().ok()?;
        return written(date, &words(rest));
    }
    let words = words(text);
    let mut words = words.as_slice();
    if let [day, rest @ ..] = words
        && number_of(day, &DAYS).is_some()
    {
        words = rest;
    }
    let (day, month, year, rest) = match words {
        [first, second, year, rest @ ..] => match number_of(second, &MONTHS) {
            Some(month) => (first, month, year, rest),
            None => (second, number_of(first, &MONTHS)?, year, rest),
        },
        _ => return None,
    };
    if year.len() != 4 {
        return None;
    }
    let month = i8::try_from(month + 1).ok()?;
    let date = Date::new(year.parse().ok()?, month, day.parse().ok()?).ok()?;
    written(date, rest)
}

/// Splits a text into lowercase words, dropping what separates them: commas, `at`, spaces of any kind.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| c.is_whitespace() || c == ',');
    let parts = parts.filter(|part| !part.is_empty() && !part.eq_ignore_ascii_case("at"));
    parts.map(str::to_ascii_lowercase).collect()
}

/// Returns the position of a name, whole or cut to three letters, among `names`.
fn number_of(word: &str, names: &[&str]) -> Option<usize> {
    let word = word.strip_suffix('.').unwrap_or(word);
    names.iter().position(|&name| word == name || word == &name[..3])
}

/// Formats a date with what follows it: nothing, or a time and perhaps a zone.
fn written(date: Date, rest: &[String]) -> Option<String> {
    let [first, rest @ ..] = rest else { return Some(date.to_string()) };
    // A zone and `am` or `pm` may be attached to the time or follow it.
    let (mut clock, mut zone) = split_zone(first);
    let mut half = None;
    for word in rest {
        match word.as_str() {
            "am" | "pm" | "a.m." | "p.m." if half.is_none() && zone.is_none() => {
                half = Some(&**word);
            }
            _ if zone.is_none() => zone = Some(word),
            _ => return None,
        }
    }
    if let Some(cut) = clock.len().checked_sub(2)
        && half.is_none()
        && let (rest, own @ ("am" | "pm")) = clock.split_at_checked(cut)?
    {
        (clock, half) = (rest, Some(own));
    }
    let time = time(clock, half)?;
    let zone = zone.map_or(Some(String::new()), offset)?;
    Some(format!("{date}T{time}{zone}"))
}

/// Splits `17:42z` into `17:42` and `z`; likewise with `+01:00`.
fn split_zone(word: &str) -> (&str, Option<&str>) {
    match word.find(['z', '+', '-']) {
        Some(at) => (&word[..at], Some(&word[at..])),
        None => (word, None),
    }
}

/// Parses `5:42`, `17:42` or `17:42:05.3`, in the half of the day if one is given; precise to the second.
fn time(clock: &str, half: Option<&str>) -> Option<Time> {
    let whole = clock.split_once('.').map_or(clock, |(whole, _)| whole);
    let number = |part: &str| {
        let is_number = (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        if is_number { part.parse::<i8>().ok() } else { None }
    };
    let parts: Vec<i8> = whole.split(':').map(number).collect::<Option<_>>()?;
    let (hour, minute, second) = match parts[..] {
        [hour, minute] => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    let hour = match half {
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(half) => hour % 12 + if half.starts_with('p') { 12 } else { 0 },
    };
    Time::new(hour, minute, second, 0).ok()
}

/// Returns `Z` or `+01:00` for any of the ways of writing a zone that mean one offset.
fn offset(zone: &str) -> Option<String> {
    if matches!(zone, "z" | "utc" | "gmt") {
        return Some("Z".to_owned());
    }
    let digits: String = zone.get(1..)?.chars().filter(|&c| c != ':').collect();
    let is_number = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !zone.starts_with(['+', '-']) || !is_number {
        return None;
    }
    let (hours, minutes) = digits.split_at(2);
    let in_a_day = hours.parse::<u8>().ok()? < 24 && minutes.parse::<u8>().ok()? < 60;
    in_a_day.then(|| format!("{}{hours}:{minutes}", &zone[..1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_of_learning_platforms_are_read() {
        let cases = [
            ("Sunday, 1 March 2026, 5:42 PM", "2026-03-01T17:42:00"),
            ("Sunday, 1 March 2026, 5:42\u{202F}pm", "2026-03-01T17:42:00"),
            ("Sunday, 1 March 2026, 17:42", "2026-03-01T17:42:00"),
            ("Sunday, March 1, 2026, 5:42 PM", "2026-03-01T17:42:00"),
            ("1 March 2026, 12:05 AM", "2026-03-01T00:05:00"),
            ("1 March 2026, 12:05 PM", "2026-03-01T12:05:00"),
            ("Sun, 01 Mar 2026 17:42:05 +0100", "2026-03-01T17:42:05+01:00"),
            ("Mar 1, 2026 at 5:42pm", "2026-03-01T17:42:00"),
            ("Tuesday, 31 March 2026", "2026-03-31"),
            ("2026-03-01 17:42:05 UTC", "2026-03-01T17:42:05Z"),
            ("2026-03-01 17:42:05 -0700", "2026-03-01T17:42:05-07:00"),
            ("2026-03-01T17:42:05.123Z", "2026-03-01T17:42:05Z"),
            ("2026-03-01T17:42:05+01:00", "2026-03-01T17:42:05+01:00"),
            ("2026-03-01T17:42", "2026-03-01T17:42:00"),
            (" 2026-03-01 ", "2026-03-01"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
            assert_eq!(read(expected).as_deref(), Some(expected), "what is written is read again");
        }
    }

    #[test]
    fn what_is_no_time_or_two_is_not_read() {
        for text in [
            "",
            "soon",
            "-",
            "01/03/2026",
            "1 March",
            "Mar 1 at 5:42pm",
            "31 February 2026",
            "2026-13-01",
            "2026-03-01 25:00",
            "1 March 2026, 13:42 PM",
            "1 March 26, 5:42 PM",
            "2026-03-01 17:42 CET",
            "2026-03-01 17:42 +2500",
            "1 2 2026",
            "2026-03-01 17:42 x y",
            "Sonntag, 1. März 2026, 17:42",
            "2026-03-01é",
            "12:00 1 March 2026",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(\\PC|[0-9:+,. -]|2026-03-01|March|pm){0,20}") {
            let _ = read(&text);
        }

        /// Every minute of a century reads the same in each platform's form.
        #[test]
        fn all_forms_of_a_minute_agree(
            day in 0..36_000_i32, hour in 0..24_i8, minute in 0..60_i8,
        ) {
            let start = Date::new(2000, 1, 1).unwrap();
            let date = start.checked_add(jiff::Span::new().days(day)).unwrap();
            let (year, month, number) = (date.year(), date.month(), date.day());
            let name = MONTHS[usize::from(month.unsigned_abs()) - 1];
            let (half, twelve) = (if hour < 12 { "AM" } else { "PM" }, (hour + 11) % 12 + 1);
            let expected = format!("{date}T{hour:02}:{minute:02}:00");
            for text in [
                format!("Sunday, {number} {name} {year}, {twelve}:{minute:02} {half}"),
                format!("{name} {number}, {year}, {hour}:{minute:02}"),
                format!("{date} {hour:02}:{minute:02}"),
            ] {
                prop_assert_eq!(read(&text), Some(expected.clone()), "{}", text);
            }
        }
    }
}
