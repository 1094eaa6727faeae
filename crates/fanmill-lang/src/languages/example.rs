//! An invented language, to copy when you add one.
//!
//! Give the source of the lexical grammar in the first line, as the other tables do: the standard
//! or manual; and its section, if you have it open. Then:
//!
//! 1. Copy this file to `languages/<name>.rs` and change the table.
//! 2. Name it in `languages/mod.rs`, in the order of names, in `mod` and in `ALL`.
//! 3. Write the worked example *by hand*, from the language's tricky points: quotes in comments,
//!    comment openers in strings, escapes, the numbers nobody expects.
//! 4. Run `cargo test -p fanmill-lang`. The conformance test finds the table by itself.
//!
//! Raise `version` when you later change what the same text gives: stored fingerprints carry it.

use crate::{Case, Comment, Escape, Import, Language, Numbers, Place, Quote};

/// The table of Toy, a language with a bit of everything.
pub(crate) const TOY: Language = Language {
    // Names, all in lower case. `hints` matter only if another language claims an extension too:
    // then the one whose marks weigh more in the first 8 KiB of a text takes it.
    name: "toy",
    aliases: &["toylang"],
    extensions: &["toy"],
    interpreters: &["toy"],
    hints: &[("so be it", 5)],

    // Words. Keywords are what carries structure: reserved words, built-in types, `true` and the
    // like. Library functions are identifiers: a plagiarist replaces them as easily as variables.
    // Write them as blank-separated groups, sorted; a group may be shared with a relative.
    case: Case::Ignored,
    word_part: "-", // `odd-name` is one word, and `a-b` no subtraction.
    sigils: "$",    // `$x` is one word, and `$` alone an operator.
    keywords: &["be begin else end if number so then true yes"],

    // Operators of two characters and more. Everything else that nothing claims is an operator
    // of one character: do not list those.
    operators: &[":= <= >= .."],

    // Comments and literals, in any order: where two openers match, the longer is tried first.
    comments: &[
        Comment::line("!!"),
        Comment::nested("{*", "*}"),
        Comment::line("*").at(Place::Column(1)),
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
    // Numbers are read generously; say only what is special. Here, `&FF` is one.
    numbers: Numbers { prefixes: &["&"], ..Numbers::STRICT },

    // What every program has is no evidence.
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
        // `ID`, `NUM` and `STR` are the classes; everything else is its own spelling.
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
