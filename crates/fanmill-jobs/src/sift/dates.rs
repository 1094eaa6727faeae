//! Dates of messages, in settings, and as they are shown. All are seconds since the beginning of 1970 (UTC).

use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::tz::TimeZone;

/// Reads the date in a message's header; `None` if it is not a date.
pub(super) fn of_header(text: &str) -> Option<i64> {
    let parser = DateTimeParser::new().relaxed_weekday(true);
    parser.parse_timestamp(text.trim()).ok().map(Timestamp::as_second)
}

/// Reads a date given by the setting of this name: `2026-03-01`, which is its first second, or `2026-03-01T17:42:00Z`.
///
/// # Errors
/// If it is neither.
pub(super) fn of_setting(name: &'static str, text: &str) -> Result<i64> {
    // A date with a time but without a zone is neither: it parses as a day.
    let is_day = text.len() == "2026-03-01".len();
    let day = |date: Date| date.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
    let date =
        if is_day { text.parse().ok().and_then(day) } else { text.parse::<Timestamp>().ok() };
    date.map(Timestamp::as_second).ok_or_else(|| {
        Error::setting(message![
            "`{text}` is not a date for ",
            Setting(name),
            "; give one such as `2026-03-01` or `2026-03-01T17:42:00Z`"
        ])
    })
}

/// Writes a date in ISO 8601; `None` if the calendar does not have it.
pub fn shown(date: i64) -> Option<String> {
    Timestamp::from_second(date).ok().map(|date| date.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_messages_are_read_as_senders_write_them() {
        for (text, expected) in [
            ("Sun, 1 Mar 2026 17:42:05 +0000", Some("2026-03-01T17:42:05Z")),
            (" Sun,  1 Mar 2026 18:42:05 +0100 (CET)", Some("2026-03-01T17:42:05Z")),
            ("Mon, 01 Mar 2026 17:42:05 GMT", Some("2026-03-01T17:42:05Z")),
            ("1 Mar 26 17:42 EST", Some("2026-03-01T22:42:00Z")),
            ("yesterday", None),
            ("", None),
            ("Sun, 99 Mar 2026 17:42:05 +0000", None),
        ] {
            assert_eq!(of_header(text).and_then(shown).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn dates_of_settings_are_days_or_moments() {
        let of = |text: &str| of_setting("before", text);
        let [day, moment] =
            ["2026-03-01", "2026-03-01T00:00:00Z"].map(|text| of(text).expect(text));
        assert_eq!(day, moment);
        assert_eq!(shown(day).as_deref(), Some("2026-03-01T00:00:00Z"));
        for wrong in ["", "01/03/2026", "2026-13-01", "2026-03-01T17:42:00"] {
            let error = of(wrong).expect_err(wrong).to_string();
            assert!(error.contains("give one such as `2026-03-01`"), "{error}");
        }
    }
}
