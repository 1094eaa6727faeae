//! Settings that are shares of something.

use fanmill::{Error, Result};

/// A setting's value, if it is a fraction in `0..=1`.
///
/// # Errors
/// If it is not.
pub(crate) fn checked(name: &str, value: f64) -> Result<f64> {
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(Error::setting(format!("{name}: {value} is not a score; scores go from 0 to 1")))
}
