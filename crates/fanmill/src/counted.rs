//! Numbers of things, in words: one of them is not several.

/// `1 copy`, `2 copies`.
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", plural(n, one, many))
}

/// The word, or the words, for so many of a thing.
pub fn plural<'w>(n: u64, one: &'w str, many: &'w str) -> &'w str {
    if n == 1 { one } else { many }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_several() {
        let texts = [0, 1, 2].map(|n| counted(n, "copy", "copies"));
        assert_eq!(texts, ["0 copies", "1 copy", "2 copies"]);
    }
}
