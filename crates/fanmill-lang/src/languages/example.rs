//! An invented language, to copy when you add one.
//!
//! In the first line, name the source of the lexical grammar, as the other tables do: the standard
//! or manual, and its section if you have it open. Then:
//!
//! 1. Copy this file to `languages/<name>.rs` and change the table.
//! 2. Name it in `languages/mod.rs`, in the order of names, in `mod` and in `ALL`.
//! 3. Write the worked example *by hand*, from the language's tricky points: quotes in comments,
//!    comment openers in strings, escapes, unexpected forms of numbers.
//! 4. Run `cargo test -p fanmill-lang`. The conformance test finds the table by itself.
//!
//! If you later change the tokens of some text, raise `version`: stored fingerprints contain it.

use crate::{Case, Comment, CommentPlace, Escape, Idioms, Import, Language, Numbers, Quote};

/// The table of Toy, a language with a bit of everything.
pub(crate) const TOY: Language = Language {
    // Names, all in lower case. `hints` matter only if another language claims the same extension: the language whose
    // marks weigh more in the first 8 KiB of a text then wins.
    name: "toy",
    aliases: &["toylang"],
    extensions: &["toy"],
    interpreters: &["toy"],
    hints: &[("so be it", 5)],

    // By its idioms a program is recognised that is called `a.txt`. `^` is the beginning of a line, and `·` a blank.
    // `common` idioms are those of many languages; those of `sure` prove the language.
    idioms: Idioms { common: "^end ^if", typical: "^borrow ·then·so", sure: "so·be·it" },

    // Words. Keywords are the words that carry structure: reserved words, built-in types, `true` and the
    // like. Library functions are identifiers: they are as easy to replace as variables.
    // Write keywords as blank-separated groups, sorted; similar languages can share a group.
    case: Case::Ignored,
    word_part: "-", // `odd-name` is one word, and so is `a-b`.
    sigils: "$",    // `$x` is one word; `$` alone is an operator.
    keywords: &["be begin else end if number so then true yes"],

    // Operators of two or more characters. Do not list operators of one character: every character that has no other
    // role is one.
    operators: &[":= <= >= .."],

    // Comments and literals, in any order: if two openers match, the longer one is tried first.
    comments: &[
        Comment::line("!!"),
        Comment::nested("{*", "*}"),
        Comment::line("*").at(CommentPlace::Column(1)),
    ],
    quotes: &[
        // "…" ends with its line, and \" is a quote inside.
        Quote::line("\"", "\""),
        // '…' may span lines, and '' is a quote inside.
        Quote::lines("'", "'").escape(Escape::Doubled),
        // r"…" has no escapes; a bare r is a word.
        Quote::line("\"", "\"").raw().prefixed(&["r"]),
        // `…` is a name, not a string.
        Quote::line("`", "`").raw().name(),
    ],
    // Numbers are read generously; state only special forms. Here, `&FF` is a number.
    numbers: Numbers { prefixes: &["&"], ..Numbers::STRICT },

    // Statements that every program has, so that they are not evidence.
    imports: &[Import::line("borrow")],

    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::TOY;
    use crate::conformance::check_language;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        // `ID`, `NUM` and `STR` are the classes; every other token is its own spelling.
        expect(
            &TOY,
            "
borrow bricks (red,
  blue)
* a 'comment
IF $x >= &FF .. 2 THEN {* one {* two *} \" *}
  `odd` := odd-name + \"a \\\" !! b\" + 'it''s
two lines' + r\"\\\" !! so
END
",
            "if ID >= NUM .. NUM then ID := ID + STR + STR + STR end",
        );
    }

    #[test]
    fn conforms() {
        check_language(&TOY);
    }
}
