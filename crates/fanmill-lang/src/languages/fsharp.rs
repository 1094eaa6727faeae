//! F#: The F# Language Specification, 4.1.

use crate::{Comment, Escape, Idioms, Import, Language, Numbers, Quote};

/// The table of F#.
pub(crate) const FSHARP: Language = Language {
    name: "fsharp",
    aliases: &["f#", "fs"],
    extensions: &["fs", "fsi", "fsscript", "fsx"],
    version: 2,
    idioms: Idioms {
        common: "
            ^and ^else ^for ^if ^let ^match ^open ^then ^type ^with ^| ·->·
        ",
        typical: "
            List. Seq. Some ^let·rec ^member ^module fun· |> ·:>·
        ",
        sure: "
            <-· List.map ^[< ^let·inline ^let·mutable ^open·System printfn printf· sprintf
        ",
    },
    word_part: "'",
    sigils: "#",
    keywords: &["
        #else #endif #if abstract and as assert base begin class default delegate do done double
        downcast downto elif else end exception extern false finally fixed for fun function global
        if in inherit inline interface internal lazy let match member module mutable namespace new
        not null of open or override private public rec return select sig static struct then to
        true try type upcast use val void when while with yield
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
