//! Prolog: ISO/IEC 13211-1:1995.

use super::c::COMMENTS as C_COMMENTS;
use crate::{Comment, Idioms, Import, Language, Numbers, Quote};

/// The table of Prolog. Both atoms and variables are identifiers.
pub(crate) const PROLOG: Language = Language {
    name: "prolog",
    extensions: &["pl", "plt", "pro", "prolog"],
    interpreters: &["gprolog", "swipl"],
    hints: &[(":- ", 4), (":-\n", 4), ("?- ", 2), (").\n", 3), ("!,", 2), ("\n%", 1)],
    idioms: Idioms {
        common: "
            ), ). _, ·is·
        ",
        typical: "
            !, !. =.. ?- [H|T] \\+ \\= append( member( nl, nl. write( |T]
        ",
        sure: "
            :- =:= =\\= assertz( findall( retract(
        ",
    },
    keywords: &["
        catch discontiguous dynamic fail false findall forall is mod module not once rem repeat
        throw true xor
    "],
    symbolic: "+-*/\\^<>=~:.?@#&$",
    comments: &[Comment::line("%"), C_COMMENTS[1]],
    quotes: &[
        Quote::lines("\"", "\""),
        Quote::lines("`", "`"),
        Quote::line("'", "'").name(),
        Quote::glyph("0'"),
    ],
    numbers: Numbers { marks: "'", ..Numbers::STRICT },
    imports: &[
        Import::line("use_module").after(":-"),
        Import::line("module").after(":-"),
        Import::line("ensure_loaded").after(":-"),
        Import::line("set_prolog_flag").after(":-"),
    ],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::PROLOG;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &PROLOG,
            r#"
:- use_module(library(lists)).
% note 'x
len([], 0). /* end */
len([_|T], N) :- \+ T = 'odd atom\'s', len(T, M), N is M + 1.5e3, X =.. "s", C = 0'a, !.
"#,
            "ID ( [ ] , NUM ) .
             ID ( [ ID | ID ] , ID ) :- \\+ ID = ID , ID ( ID , ID ) , ID is ID + NUM , ID =.. STR ,
             ID = STR , ! .",
        );
    }
}
