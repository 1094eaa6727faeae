//! GraphQL: the GraphQL Specification, October 2021.

use crate::{Comment, Language, Numbers, Quote};

/// The table of GraphQL. The comma is blank, as the specification says.
pub(crate) const GRAPHQL: Language = Language {
    name: "graphql",
    aliases: &["gql"],
    extensions: &["gql", "graphql", "graphqls"],
    sigils: "$@",
    blanks: ",",
    keywords: &["
        Boolean Float ID Int String directive enum extend false fragment implements input
        interface mutation null on query scalar schema subscription true type union
    "],
    operators: &["..."],
    comments: &[Comment::line("#")],
    quotes: &[Quote::line("\"", "\""), Quote::lines("\"\"\"", "\"\"\"")],
    numbers: Numbers { prefixes: &["-"], ..Numbers::STRICT },
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::GRAPHQL;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &GRAPHQL,
            "query q($n: Int = -1) { # it's\n  hero(x: $n, s: \"\"\"a \"b\" \"\"\") { ...F @skip(if: true) } }",
            "query ID ( ID : Int = NUM ) { ID ( ID : ID ID : STR ) { ... ID ID ( ID : true ) } }",
        );
    }
}
