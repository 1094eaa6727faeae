//! C#: ECMA-334, 7th edition, and the raw strings of C# 11.

use super::c::{COMMENTS, OPERATORS};
use crate::{Escape, Fence, Idioms, Import, Language, Quote};

/// The table of C#. LINQ's words are keywords.
pub(crate) const CSHARP: Language = Language {
    name: "csharp",
    aliases: &["c#", "cs"],
    extensions: &["cake", "cs", "csx"],
    version: 2,
    idioms: Idioms {
        common: "
            ); ^catch ^else ^for ^foreach ^if ^int ^private ^protected ^public ^return ^static
            ^try ^var ^while ^{ ^}
        ",
        typical: "
            List< ^namespace ^private·readonly ^public·async ^public·class ^public·override
            ^public·string ^string ^throw·new get; set; string[] ·=>·
        ",
        sure: "
            #region Console.Read Console.Write DateTime. ^using·System static·void·Main( {·get;
        ",
    },
    sigils: "#@",
    keywords: &["
        #define #elif #else #endif #error #if #undef abstract as base bool break byte case catch
        char checked class const continue decimal default delegate do double else enum event
        explicit extern false finally fixed float for foreach goto if implicit in int interface
        internal is lock long namespace new null object operator out override params private
        protected public readonly ref return sbyte sealed short sizeof stackalloc static string
        struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual
        void volatile while
    "],
    operators: &[OPERATORS, ">>> >>>= => ?? ??= ?. :: .."],
    comments: COMMENTS,
    quotes: &[
        Quote::line("\"", "\""),
        Quote::line("'", "'"),
        Quote::line("$\"", "\""),
        Quote::lines("@\"", "\"").escape(Escape::Doubled),
        Quote::lines("$@\"", "\"").escape(Escape::Doubled),
        Quote::lines("@$\"", "\"").escape(Escape::Doubled),
        Quote::fenced("\"\"\"", Fence::Quotes),
        Quote::fenced("$\"\"\"", Fence::Quotes),
        Quote::fenced("$$\"\"\"", Fence::Quotes),
    ],
    imports: &[
        Import::statement("using").unless(&["(", "var "]).outermost(),
        Import::statement("global").then("using"),
        Import::line("#region"),
        Import::line("#endregion"),
        Import::line("#pragma"),
        Import::line("#nullable"),
    ],
    qualifiers: &[("this", ".")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::CSHARP;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &CSHARP,
            r#"
using System; using L = System.Collections.Generic.List<int>;
#region Anything "here
class @class<T> where T : new() {
    void F() { using (var r = G(@"C:\dir\", $"{x}", $@"a""b")) { x ??= r?.y; } }
    string s = """"raw """ text"""" + '\'' /* c */; // d
}
"#,
            "class ID < ID > ID ID : new ( ) {
               void ID ( ) { using ( ID ID = ID ( STR , STR , STR ) ) { ID ??= ID ?. ID ; } }
               string ID = STR + STR ;
             }",
        );
    }
}
