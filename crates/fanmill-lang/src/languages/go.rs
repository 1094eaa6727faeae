//! Go: The Go Programming Language Specification, 1.23, "Lexical elements".

use super::c::{COMMENTS, OPERATORS};
use crate::{Idioms, Import, Language, Numbers, Quote};

/// The table of Go.
pub(crate) const GO: Language = Language {
    name: "go",
    aliases: &["golang"],
    extensions: &["go"],
    idioms: Idioms {
        common: "
            ^case ^const ^else ^for ^if ^return ^type ^var ^} nil range ·:=·
        ",
        typical: "
            []byte []int []string ^defer ^func ^package interface·{ make( ·struct·{
        ",
        sure: "
            ^func·( ^func·main() ^go·func ^import·( ^package·main err·!=·nil fmt. interface{}
            map[string]
        ",
    },
    keywords: &["
        any bool break byte case chan complex128 complex64 const continue default defer else error
        fallthrough false float32 float64 for func go goto if import int int16 int32 int64 int8
        interface iota map nil package range return rune select string struct switch true type
        uint uint16 uint32 uint64 uint8 uintptr var
    "],
    operators: &[OPERATORS, ":= <- &^ &^="],
    comments: COMMENTS,
    quotes: &[Quote::line("\"", "\""), Quote::line("'", "'"), Quote::lines("`", "`").raw()],
    numbers: Numbers::C,
    imports: &[Import::either("import"), Import::either("package")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::GO;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &GO,
            r#"
package main
import (
    "fmt" // note
    m "math"
)
func f(c <-chan int) { x := `raw "
\` + "s\"" + string('\''); y &^= 0x1p-2; z := []float64{1., .5, 1e+9i} /* end */ }
"#,
            "func ID ( ID <- chan int ) { ID := STR + STR + string ( STR ) ; ID &^= NUM ;
             ID := [ ] float64 { NUM , NUM , NUM } }",
        );
    }
}
