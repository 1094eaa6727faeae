//! Dart: ECMA-408 and the Dart Programming Language Specification, 2.13.

use super::c::OPERATORS;
use crate::{Comment, Idioms, Import, Language, Numbers, Quote};

/// Texts after a word that show that it is a name, and does not begin a directive.
const NAMED: &[&str] = &["(", ".", "["];

/// The table of Dart.
pub(crate) const DART: Language = Language {
    name: "dart",
    extensions: &["dart"],
    interpreters: &["dart"],
    version: 2,
    idioms: Idioms {
        common: "
            ); ^class ^else ^for ^if ^import ^return ^var ^void ^}
        ",
        typical: "
            @override List< String? ^const ^final ^late
        ",
        sure: "
            =>·print( Widget ^import·'dart: ^import·'package: ^required setState( void·main()
        ",
    },
    word_start: "$",
    keywords: &["
        assert await bool break case catch class const continue default do double else enum
        extends false final finally for if in int is new null rethrow return super switch this
        throw true try var void while with yield
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
        Import::statement("import").unless(NAMED),
        Import::statement("export").unless(NAMED),
        Import::statement("library").unless(NAMED),
        Import::statement("part").unless(NAMED),
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
            "int ID ( { ID ID ? ID } ) =>
               STR ID [ STR ] ?? STR STR + STR + STR + STR ;
             var ID = NUM ~/ NUM .. ID ( NUM , NUM ) ;",
        );
    }
}
