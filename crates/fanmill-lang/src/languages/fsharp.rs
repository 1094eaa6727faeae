//! F#: The F# Language Specification, 4.1.

use crate::{Comment, Escape, Import, Language, Numbers, Quote};

/// The table of F#.
pub(crate) const FSHARP: Language = Language {
    name: "fsharp",
    aliases: &["f#", "fs"],
    extensions: &["fs", "fsi", "fsscript", "fsx"],
    word_part: "'",
    sigils: "#",
    keywords: &["
        #else #endif #if abstract and as assert async base begin bool byte char class decimal
        default delegate do done double downcast downto elif else end exception extern false
        finally fixed float for fun function global if in inherit inline int interface internal
        lazy let list match member module mutable namespace new not null obj of open option or
        override private public rec return select seq sig static string struct task then to true
        try type unit upcast use val void when while with yield
    "],
    operators: &["[< >] [| |] {| |} ;; .."],
    symbolic: "!%&*+-/<=>?@^|~:",
    comments: &[Comment::line("//"), Comment::nested("(*", "*)").unless(")")],
    quotes: &[
        Quote::lines("\"", "\""),
        Quote::lines("$\"", "\""),
        Quote::lines("@\"", "\"").escape(Escape::Doubled),
        Quote::lines("$@\"", "\"").escape(Escape::Doubled),
        Quote::lines("\"\"\"", "\"\"\"").raw(),
        Quote::lines("$\"\"\"", "\"\"\"").raw(),
        Quote::line("``", "``").raw().name(),
        Quote::character("'"),
    ],
    numbers: Numbers::STRICT,
    imports: &[
        Import::line("open"),
        Import::line("#r"),
        Import::line("#load"),
        Import::line("#nowarn"),
    ],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::FSHARP;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &FSHARP,
            r#"
open System.IO
(* a (* b *) *) // c
[<Literal>]
let inline ``a b`` (x' : 'T) = (*) 2 [| 'c'; '\''; 1.5f |]
let s = @"C:\" + """a "b" """ + $"{x'}" |> sprintf "%d"
"#,
            "[< ID >] let inline ID ( ID : ' ID ) = ( * ) NUM [| STR ; STR ; NUM |]
             let ID = STR + STR + STR |> ID STR",
        );
    }
}
