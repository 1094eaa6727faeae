//! Idioms: the pieces of text by which a program shows its language.

/// Pieces of text by which a program shows its language, as blank-separated words.
///
/// `^` at the beginning of an idiom means the beginning of a line, after blanks, and `·` for one or more blanks or
/// an end of the line. If an idiom begins or ends with a letter or digit, it is not found within a longer word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Idioms {
    /// Idioms that many languages have: they are evidence only together with others.
    pub common: &'static str,
    /// Idioms that few languages have, and hardly any prose.
    pub typical: &'static str,
    /// Idioms that hardly any other text has.
    pub sure: &'static str,
}

impl Idioms {
    /// An empty list, for a language that is never recognised.
    pub const NONE: Idioms = Idioms { common: "", typical: "", sure: "" };

    /// Returns each idiom with its weight, [`SURE`] at the most.
    pub(super) fn weighed(&self) -> impl Iterator<Item = (&'static str, u32)> + use<> {
        let groups = [(self.common, 1), (self.typical, 3), (self.sure, SURE)];
        groups
            .into_iter()
            .flat_map(|(group, weight)| group.split_whitespace().map(move |idiom| (idiom, weight)))
    }
}

/// Weight of an idiom that hardly any other text has.
pub(super) const SURE: u32 = 8;
