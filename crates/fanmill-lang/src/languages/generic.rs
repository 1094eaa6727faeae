//! Code in a language without a table: the features that most languages share, read cautiously.
//!
//! Without a grammar, a wrong guess must do little harm: a string that does not end on its line is not a string, `#`
//! opens a comment only where a word could begin, and `/*` only if `*/` follows somewhere.

use crate::{Comment, CommentPlace, Language, Numbers, Quote};

/// The table for unknown languages. It claims no files.
pub(crate) const GENERIC: Language = Language {
    name: "generic",
    keywords: &["
        begin bool break case catch char class const continue def default do double elif else
        elsif end enum false final finally float for foreach fun function if in int interface let
        loop match nil not null or private proc public repeat return static string struct switch
        then this throw true try type until var void when while with
    "],
    operators: &["++ -- << >> <= >= == != && || += -= *= /= -> => :: := .. ... ** <>"],
    comments: &[
        Comment::line("//"),
        Comment::line("#").at(CommentPlace::Word),
        Comment::block("/*", "*/"),
    ],
    quotes: &[
        Quote::line("\"", "\"").or_operator(),
        Quote::line("'", "'").or_operator(),
        Quote::line("`", "`").or_operator(),
    ],
    numbers: Numbers::STRICT,
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::GENERIC;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &GENERIC,
            "# note\nlet x' = \"a\\\"b\" /* c */ + a#b; // d\nif f 'x /* y\nz end",
            "let ID ' = STR + ID # ID ; if ID ' ID / * ID ID end",
        );
    }
}
