//! Tcl: the Tcl(n) manual page, 8.6, the "dodekalogue".

use crate::{Comment, CommentPlace, Idioms, Import, Language, Numbers, Quote};

/// The table of Tcl. `#` opens a comment where a command may begin.
pub(crate) const TCL: Language = Language {
    name: "tcl",
    extensions: &["exp", "itcl", "tcl", "tk"],
    interpreters: &["expect", "tclsh", "wish"],
    idioms: Idioms {
        common: "
            ^else ^for ^foreach ^if ^return ^set ^while ^}
        ",
        typical: "
            $argv ^append ^catch ^global ^if·{ ^lappend ^puts ^variable ^while·{ }·else·{
        ",
        sure: "
            [expr [lindex [llength [string· ^incr ^namespace·eval ^package·require ^proc ^upvar
        ",
    },
    sigils: "$",
    escapes: "\\",
    keywords: &["
        after append array break catch continue default dict else elseif error eval expr for
        foreach format global if incr lappend lindex list llength namespace proc puts rename
        return set split string switch then throw trap try unset uplevel upvar variable while
    "],
    operators: &["== != <= >= && || ** << >> ::"],
    comments: &[Comment::line("#").at(CommentPlace::Command)],
    quotes: &[Quote::lines("\"", "\"")],
    numbers: Numbers { prefixes: &["."], ..Numbers::STRICT },
    imports: &[Import::either("package"), Import::either("source")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::TCL;
    use crate::languages::expect;

    #[test]
    fn an_escaped_quote_opens_nothing() {
        expect(&TCL, "puts \\\" ; f \\{ \"a\"\ng", "puts \" ; ID { STR ID");
    }

    #[test]
    fn worked_example() {
        expect(
            &TCL,
            r##"
package require Tk
# note "
proc f {x {y 2.5}} { # inner
    set z "a $x [f 1]\" b" ;# after
    if {$x == "#" && ${odd}} { puts #notcomment ; foreach i $list { incr n } }
}
"##,
            "proc ID { ID { ID NUM } } {
               set ID STR ;
               if { ID == STR && $ { ID } } { puts # ID ; foreach ID ID { incr ID } } }",
        );
    }
}
