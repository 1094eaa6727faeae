//! Dart: ECMA-408 and the Dart Programming Language Specification, 2.13.

use super::c::OPERATORS;
use crate::{Comment, Import, Language, Numbers, Quote};

/// The table of Dart.
pub(crate) const DART: Language = Language {
    name: "dart",
    extensions: &["dart"],
    interpreters: &["dart"],
    word_start: "$",
    keywords: &["
        abstract as assert async await base bool break case catch class const continue covariant
        default deferred do double dynamic else enum export extends extension external factory
        false final finally for get if implements import in int interface is late library mixin
        new null on operator part required rethrow return sealed set show static super switch sync
        this throw true try typedef var void when while with yield
    "],
    operators: &[OPERATORS, "=> ?? ??= ?. .. ?.. ~/ ~/= >>> >>>="],
    comments: &[Comment::line("//"), Comment::nested("/*", "*/")],
    quotes: &[
        Quote::template("\"", "${", b'}').on_one_line(),
        Quote::template("'", "${", b'}').on_one_line(),
        Quote::template("\"\"\"", "${", b'}'),
        Quote::template("'''", "${", b'}'),
        Quote::line("\"", "\"").raw().prefixed(&["r"]),
        Quote::line("'", "'").raw().prefixed(&["r"]),
    ],
    numbers: Numbers { prefixes: &["."], ..Numbers::STRICT },
    imports: &[
        Import::statement("import"),
        Import::statement("export"),
        Import::statement("library"),
        Import::statement("part"),
    ],
    qualifiers: &[("this", ".")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::DART;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &DART,
            r#"
library a; import 'dart:io' show File;
/* one /* two */ */
int f({required String? x}) => // note
    'a $x ${m['k'] ?? "no"}' + r'\' + """q "x" """ + '''it's''';
var n = 7 ~/ 2 .. g(1.5e3, 0xFF);
"#,
            "int ID ( { required ID ? ID } ) =>
               STR ID [ STR ] ?? STR STR + STR + STR + STR ;
             var ID = NUM ~/ NUM .. ID ( NUM , NUM ) ;",
        );
    }
}
