//! Table cells made from words and numbers.

use crate::figure::thousands;
use crate::outcome::Cell;

/// Returns a cell of text.
pub fn text(words: &(impl ToString + ?Sized)) -> Cell {
    Cell::Text(words.to_string())
}

/// Returns a number shown with this many decimals.
pub fn number(value: f64, decimals: u8) -> Cell {
    Cell::Number { value, decimals }
}

/// Returns a number of any size, with three digits and, if it has many zeros, a power of ten.
pub fn any_size(value: f64) -> Cell {
    Cell::Text(in_three_digits(value))
}

/// Formats a number with three digits or as a whole number: `0.0258`, `3.34e-6`, `4,180`, `1.21e10`.
pub(crate) fn in_three_digits(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        x if (1e-3..1.0).contains(&x) => format!("{value:.4}"),
        x if (1.0..100.0).contains(&x) => format!("{value:.2}"),
        x if (100.0..1e6).contains(&x) => thousands(&format!("{value:.0}")),
        _ => format!("{value:.2e}"),
    }
}

/// Formats a count with commas between thousands: `50,000`.
pub(crate) fn thousands_apart(n: u64) -> String {
    thousands(&n.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_sizes_are_short() {
        for (value, expected) in [
            (0.0, "0"),
            (0.025_84, "0.0258"),
            (3.337e-6, "3.34e-6"),
            (4180.4, "4,180"),
            (1.21e10, "1.21e10"),
            (7.1204, "7.12"),
        ] {
            assert_eq!(in_three_digits(value), expected);
        }
        assert_eq!(
            [0, 999, 50_000, 1_000_000].map(thousands_apart),
            ["0", "999", "50,000", "1,000,000"]
        );
    }
}
