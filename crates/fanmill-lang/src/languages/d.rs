//! D: the D Language Specification, "Lexical".

use super::c::OPERATORS;
use crate::{Comment, Import, Language, Numbers, Quote};

/// The table of D.
pub(crate) const D: Language = Language {
    name: "d",
    aliases: &["dlang"],
    extensions: &["d", "di"],
    interpreters: &["rdmd"],
    hints: &[("import std", 6), ("module ", 3), ("void main", 3), ("writeln", 3)],
    keywords: &["
        abstract alias align asm assert auto bool break byte case cast catch char class const
        continue dchar debug default delegate delete deprecated do double else enum export extern
        false final finally float for foreach foreach_reverse function goto if immutable import in
        inout int interface invariant is lazy long macro mixin module new nothrow null out
        override package pragma private protected public pure real ref return scope shared short
        static string struct super switch synchronized template this throw true try typeid typeof
        ubyte uint ulong union unittest ushort version void wchar while with
    "],
    operators: &[OPERATORS, "=> .. ^^ ^^= ~= >>> >>>= !in !is"],
    comments: &[Comment::line("//"), Comment::block("/*", "*/"), Comment::nested("/+", "+/")],
    quotes: &[
        Quote::lines("\"", "\""),
        Quote::lines("\"", "\"").raw().prefixed(&["r", "x"]),
        Quote::lines("`", "`").raw(),
        Quote::line("'", "'"),
        Quote::lines("\"(", ")\"").raw().prefixed(&["q"]),
        Quote::lines("\"[", "]\"").raw().prefixed(&["q"]),
        Quote::lines("\"{", "}\"").raw().prefixed(&["q"]),
    ],
    numbers: Numbers { prefixes: &["."], ..Numbers::STRICT },
    imports: &[Import::statement("import"), Import::statement("module")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::D;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &D,
            "module a; import std.stdio;\n/+ one /+ two +/ +/ auto s = r\"\\\" ~ `\"` ~ q\"(a \" b)\" ~ '\\''; x ^^= a[1..$]; // c",
            "auto ID = STR ~ STR ~ STR ~ STR ; ID ^^= ID [ NUM .. $ ] ;",
        );
    }
}
