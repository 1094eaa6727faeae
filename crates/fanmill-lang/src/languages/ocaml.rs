//! OCaml: The OCaml Manual, 5.2.

use crate::{Comment, Idioms, Import, Language, Numbers, Quote};

/// The table of OCaml. It knows quoted strings without a name, `{|…|}`, but not those with one.
pub(crate) const OCAML: Language = Language {
    name: "ocaml",
    extensions: &["ml", "mli", "mll", "mly"],
    interpreters: &["ocaml"],
    hints: &[
        ("let ", 2),
        (" -> ", 1),
        ("match ", 2),
        ("let rec ", 3),
        (";;", 3),
        ("|> ", 1),
        ("function", 2),
    ],
    version: 2,
    idioms: Idioms {
        common: "
            ^and ^else ^if ^let ^open ^then ^type ^| in ·->· ·in ·with
        ",
        typical: "
            :: List. ^match ^module ^|·_·-> function rec ref
        ",
        sure: "
            (** ;; Printf.printf Printf.sprintf ^let·()·= ^let·rec failwith print_endline
            print_int print_newline print_string
        ",
    },
    word_part: "'",
    keywords: &["
        and as asr assert begin class constraint do done downto else end exception external false
        for fun function functor if in include inherit initializer land lazy let lor lsl lsr lxor
        match method mod module mutable new nonrec object of open or private rec sig struct then
        to true try type val virtual when while with
    "],
    operators: &["[| |] [< [> >] ;; .. "],
    symbolic: "!$%&*+-/:<=>?@^|~.",
    comments: &[Comment::nested("(*", "*)")],
    quotes: &[Quote::lines("\"", "\""), Quote::lines("{|", "|}").raw(), Quote::character("'")],
    numbers: Numbers { final_point: crate::FinalPoint::Number, ..Numbers::STRICT },
    imports: &[Import::line("open"), Import::line("#use"), Import::line("#require")],
    sigils: "#",
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::OCAML;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &OCAML,
            r#"
open Printf
(* one (* two *) *)
let rec f' (x : 'a array) = [| 'c'; '\n'; '\'' |], 1. +. 2e3, {|raw "|}
let s = "a
b \"c\"" in x.(0) <- s |> g;; match y with Some _ -> !z | None -> ~-1
"#,
            "let rec ID ( ID : ' ID ID ) = [| STR ; STR ; STR |] , NUM +. NUM , STR
             let ID = STR in ID . ( NUM ) <- ID |> ID ;;
             match ID with ID ID -> ! ID | ID -> ~- NUM",
        );
    }
}
