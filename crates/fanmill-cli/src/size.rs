//! Sizes (`64MiB`, `1.5 GB`, `4096`) and scores (`0.6`, `60%`) as people write them.

use anyhow::bail;

/// Parses a size, given for `flag`, into bytes.
pub(crate) fn parse(flag: &str, text: &str) -> anyhow::Result<u64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor: f64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kib" => 1024.0,
        "kb" => 1e3,
        "m" | "mib" => 1024.0 * 1024.0,
        "mb" => 1e6,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "gb" => 1e9,
        "t" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "tb" => 1e12,
        _ => bail!(fanmill::Error::setting(format!(
            "{flag} `{text}` has the unknown unit `{}`; use KiB, MiB, GiB or TiB",
            unit.trim()
        ))),
    };
    match number.parse::<f64>() {
        #[expect(clippy::cast_sign_loss, reason = "a number without a sign is not negative")]
        Ok(number) => Ok((number * factor) as u64),
        Err(_) => {
            bail!(fanmill::Error::setting(format!("{flag} `{text}` is not a size; write 64MiB")))
        }
    }
}

/// Parses a score, given for `flag`, into a fraction in `0..=1`.
pub(crate) fn score(flag: &str, text: &str) -> anyhow::Result<f64> {
    let (number, whole) = match text.trim().strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 100.0),
        None => (text.trim(), 1.0),
    };
    match number.parse::<f64>().map(|number| number / whole) {
        Ok(score) if (0.0..=1.0).contains(&score) => Ok(score),
        _ => bail!(fanmill::Error::setting(format!(
            "{flag} `{text}` is not a score; scores go from 0 to 1: write 0.6, or 60%"
        ))),
    }
}

#[cfg(test)]
mod tests {
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
        for (text, bytes) in sizes {
            assert_eq!(parse("--max-file-bytes", text).expect(text), bytes);
        }
        for wrong in ["", "x", "12 parsecs", "1.2.3", "-5"] {
            assert!(parse("--max-file-bytes", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_score_is_a_fraction_or_a_percentage() {
        for (text, expected) in
            [("0.5", 0.5), ("50%", 0.5), (" 50 % ", 0.5), ("1", 1.0), ("0%", 0.0)]
        {
            let score = score("--fail-above", text).expect(text);
            assert!((score - expected).abs() < 1e-12, "{text}: {score}");
        }
        for wrong in ["", "%", "60", "101%", "-1%", "NaN", "NaN%", "half", "1.5"] {
            assert!(score("--fail-above", wrong).is_err(), "{wrong}");
        }
    }
}
