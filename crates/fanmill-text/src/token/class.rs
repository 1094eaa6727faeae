//! Classes of tokens as their readers see them, whatever they are compared by.

/// The class of a token as its reader sees it: pages colour by it, nothing is compared by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// An operator, a bracket, a key, a word of markup: compared by its spelling.
    Spelled,
    /// A name that the author chose.
    Identifier,
    /// A numeric literal.
    Number,
    /// A string, character or pattern literal.
    String,
    /// A reserved word.
    Keyword,
    /// A word or a character of prose.
    Word,
}

impl Class {
    /// All classes, in their order.
    pub const ALL: [Class; 6] = [
        Class::Spelled,
        Class::Identifier,
        Class::Number,
        Class::String,
        Class::Keyword,
        Class::Word,
    ];

    /// Returns its name in the page's data.
    pub fn name(self) -> &'static str {
        match self {
            Class::Spelled => "spelled",
            Class::Identifier => "identifier",
            Class::Number => "number",
            Class::String => "string",
            Class::Keyword => "keyword",
            Class::Word => "word",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Class;

    #[test]
    fn each_stands_at_its_own_number() {
        assert!(Class::ALL.iter().enumerate().all(|(i, &class)| class as usize == i));
    }
}
