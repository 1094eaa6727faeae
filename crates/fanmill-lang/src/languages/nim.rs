//! Nim: the Nim Manual, 2.0, "Lexical Analysis".

use crate::{Comment, Import, Language, Numbers, Quote};

/// The table of Nim.
pub(crate) const NIM: Language = Language {
    name: "nim",
    extensions: &["nim", "nimble", "nims"],
    interpreters: &["nim"],
    keywords: &["
        addr and array as asm bind block bool break case cast char concept const continue
        converter defer discard distinct div do elif else end enum except export false finally
        float for from func if import in include int interface is isnot iterator let macro method
        mixin mod nil not notin object of or out proc ptr raise ref result return seq shl shr
        static string template true try tuple type using var void when while xor yield
    "],
    symbolic: "=+-*/<>@$~&%|!?^.:\\",
    comments: &[Comment::line("#"), Comment::nested("#[", "]#"), Comment::nested("##[", "]##")],
    quotes: &[
        Quote::line("\"", "\""),
        Quote::lines("\"\"\"", "\"\"\"").raw(),
        Quote::line("\"", "\"").raw().prefixed(&["r"]),
        Quote::character("'"),
        Quote::line("`", "`").raw().name(),
    ],
    numbers: Numbers { marks: "'", ..Numbers::STRICT },
    imports: &[Import::either("import"), Import::either("from"), Import::either("include")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::NIM;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &NIM,
            "import os, strutils\n#[ one #[ two ]# ]# proc f(x: int): string = # it's\n  r\"\\\" & \"\"\"a \"b\"\"\"\" & $'\\'' & $1'i8 .. 2",
            "proc ID ( ID : int ) : string = STR & STR & $ STR & $ NUM .. NUM",
        );
    }
}
