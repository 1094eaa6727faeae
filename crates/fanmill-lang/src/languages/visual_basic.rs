//! Visual Basic: The Visual Basic Language Specification, 11.0; also for classic Visual Basic and VBA.

use crate::{Case, Comment, CommentPlace, Escape, Idioms, Import, Language, Numbers, Quote};

/// The table of Visual Basic. Type suffixes (`x$`) and date literals are read as operators.
pub(crate) const VISUAL_BASIC: Language = Language {
    name: "visualbasic",
    aliases: &["vb", "vba", "vbnet"],
    extensions: &["bas", "cls", "ctl", "frm", "vb", "vba", "vbs"],
    hints: &[
        ("attribute vb_name", 9),
        ("end sub", 4),
        ("end function", 4),
        ("public sub", 3),
        ("dim ", 2),
    ],
    version: 2,
    idioms: Idioms {
        common: "
            ^case ^do ^else ^elseif ^exit ^for ^if ^loop ^private ^public ^set ·then
        ",
        typical: "
            ^end·function ^end·if ^function ^imports ^module ^next ^select·case ^sub ^wend
        ",
        sure: "
            ^dim ^end·class ^end·module ^end·select ^end·sub ^imports·system ^option·explicit
            ^private·sub ^public·sub byval console.writeline msgbox ·as·boolean ·as·double
            ·as·integer ·as·string
        ",
    },
    case: Case::Ignored,
    sigils: "#",
    keywords: &["
        #const #else #elseif #end #if addhandler addressof and andalso as boolean byref byte byval
        call case catch char class const continue date decimal declare default delegate dim
        directcast do double each else elseif end enum erase error event exit false finally for
        friend function get gettype gosub goto handles if implements in inherits integer interface
        is isnot let lib like long loop me mod module mustinherit mustoverride mybase myclass
        namespace new next not nothing object of on operator option optional or orelse overloads
        overridable overrides paramarray partial private property protected public raiseevent
        readonly redim resume return sbyte select set shadows shared short single static step stop
        string structure sub synclock then throw to true try trycast typeof uinteger ulong until
        ushort using variant wend when while with withevents writeonly xor
    "],
    operators: &["<> <= >= := += -= *= /= \\= ^= &= << >>"],
    comments: &[
        Comment::line("'"),
        Comment::line("rem").at(CommentPlace::Word),
        // `_` at the end of a line continues it on the next one.
        Comment::line("_").at(CommentPlace::Word),
    ],
    quotes: &[
        Quote::line("\"", "\"").escape(Escape::Doubled),
        Quote::line("$\"", "\"").escape(Escape::Doubled),
        Quote::line("[", "]").raw().name().or_operator(),
    ],
    numbers: Numbers { prefixes: &[".", "&h", "&o", "&b"], ..Numbers::STRICT },
    imports: &[
        Import::line("imports"),
        Import::line("option"),
        Import::line("attribute"),
        Import::line("#region"),
        Import::line("#end").then("region"),
    ],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::VISUAL_BASIC;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &VISUAL_BASIC,
            r#"
Option Explicit On
Imports System.IO
Rem a note
DIM s As String = "say ""hi""" ' comment
If x <> &HFF And remark = .5 Then _
    Call [Stop](s)
End If : rem more
"#,
            "dim ID as string = STR if ID <> NUM and ID = NUM then call ID ( ID ) end if :",
        );
    }
}
