//! Python: The Python Language Reference, 3.13.

use crate::{Comment, Docstrings, Idioms, Import, Language, Numbers, Quote};

/// Prefixes of strings, which come before the quotes.
const PREFIXES: &[&str] = &[
    "b", "B", "f", "F", "r", "R", "t", "u", "U", "br", "bR", "Br", "BR", "rb", "rB", "Rb", "RB",
    "fr", "fR", "Fr", "FR", "rf", "rF", "Rf", "RF",
];

/// The table of Python.
pub(crate) const PYTHON: Language = Language {
    name: "python",
    aliases: &["py"],
    extensions: &["py", "py3", "pyi", "pyw", "pyx", "sage"],
    file_names: &["sconscript", "sconstruct", "snakefile", "wscript"],
    interpreters: &["pypy", "python"],
    version: 2,
    idioms: Idioms {
        common: "
            ): ^@ ^class ^for ^from ^if ^import ^print( ^raise ^return ^while ^with len( ·=·[]
        ",
        typical: "
            .append( .format( False None True ^def ^elif ^else: ^from·. ^pass ^yield input(
            not·in self.
        ",
        sure: "
            ^async·def ^except ^if·__name__ ^import·numpy ^try: ^with·open( int(input( in·range(
            is·None is·not·None print(f\" self):
        ",
    },
    blanks: "\\",
    keywords: &["
        False None True and as assert async await break class continue def del elif else except
        finally for from global if import in is lambda nonlocal not or pass raise return self try
        while with yield
    "],
    operators: &["** // << >> <= >= == != -> := += -= *= /= //= %= @= &= |= ^= >>= <<= **= ..."],
    comments: &[Comment::line("#")],
    quotes: &[
        Quote::line("\"", "\"").prefixes(PREFIXES),
        Quote::line("'", "'").prefixes(PREFIXES),
        Quote::lines("\"\"\"", "\"\"\"").prefixes(PREFIXES),
        Quote::lines("'''", "'''").prefixes(PREFIXES),
    ],
    numbers: Numbers::C,
    imports: &[Import::either("from"), Import::either("import")],
    docstrings: Docstrings::Comment,
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::PYTHON;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &PYTHON,
            r#"
import os, sys; import re
from a.b import (c,
    d)  # still the import
def f(x: int = 1_000) -> str:
    """Doc
    "string".
    """
    s = rb'\'' "a" f"{x!r}" '''b
    c''' # comment
    raise E(
        "alone on its line"
    ) from None
    return x // 2 if x is not None else .5j
"#,
            "def ID ( ID : ID = NUM ) -> ID :
               ID = STR STR STR STR
               raise ID ( STR ) from None
               return ID // NUM if ID is not None else NUM",
        );
    }
}
