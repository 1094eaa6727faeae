//! Counts in words, in the singular or the plural: `1 copy`, `2 copies`.

/// Returns a count in words: `1 copy`, `2 copies`.
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", plural(n, one, many))
}

/// Returns the singular for one thing, and the plural for any other number of them.
pub fn plural<'w>(n: u64, one: &'w str, many: &'w str) -> &'w str {
    if n == 1 { one } else { many }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_takes_the_singular() {
        let texts = [0, 1, 2].map(|n| counted(n, "copy", "copies"));
        assert_eq!(texts, ["0 copies", "1 copy", "2 copies"]);
    }
}
