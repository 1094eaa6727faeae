//! Modula-2: ISO/IEC 10514-1:1996; Wirth, Programming in Modula-2, 4th edition.

use crate::{Comment, Idioms, Import, Language, Numbers, Quote};

/// The table of Modula-2.
pub(crate) const MODULA2: Language = Language {
    name: "modula2",
    aliases: &["modula-2"],
    extensions: &["def", "m2", "mi", "mod"],
    idioms: Idioms {
        common: "
            DO THEN ^BEGIN ^CONST ^ELSE ^END ^FOR ^FROM ^IF ^IMPORT ^VAR ^WHILE ·:=·
        ",
        typical: "
            ARRAY CARDINAL ELSIF INTEGER ^END; ^MODULE ^PROCEDURE
        ",
        sure: "
            WriteCard WriteInt WriteLn WriteString ^DEFINITION·MODULE ^IMPLEMENTATION·MODULE
        ",
    },
    keywords: &["
        AND ARRAY BEGIN BITSET BOOLEAN BY CARDINAL CASE CHAR CONST DEFINITION DIV DO ELSE ELSIF
        END EXCEPT EXIT EXPORT FALSE FINALLY FOR FORWARD FROM IF IMPLEMENTATION IMPORT IN INTEGER
        LONGINT LONGREAL LOOP MOD MODULE NIL NOT OF OR PACKEDSET POINTER PROC PROCEDURE QUALIFIED
        REAL RECORD REM REPEAT RETRY RETURN SET THEN TO TRUE TYPE UNTIL VAR WHILE WITH
    "],
    operators: &[":= <> <= >= .."],
    comments: &[Comment::nested("(*", "*)"), Comment::block("<*", "*>")],
    quotes: &[Quote::line("\"", "\"").raw(), Quote::line("'", "'").raw()],
    numbers: Numbers::STRICT,
    imports: &[Import::statement("IMPORT"), Import::statement("FROM")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::MODULA2;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &MODULA2,
            r#"
MODULE Demo;
FROM InOut IMPORT WriteString, WriteLn;
IMPORT Math;
VAR a : ARRAY [1..0FFH] OF REAL; (* one (* two *) *)
BEGIN if := 15C; WriteString("it's \"); WriteString('"') END Demo.
"#,
            "MODULE ID ; VAR ID : ARRAY [ NUM .. NUM ] OF REAL ;
             BEGIN ID := NUM ; ID ( STR ) ; ID ( STR ) END ID .",
        );
    }
}
