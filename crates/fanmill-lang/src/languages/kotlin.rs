//! Kotlin: the Kotlin language specification, 1.9.

use super::c::OPERATORS;
use crate::{Comment, Idioms, Import, Language, Numbers, Quote};

/// The table of Kotlin.
pub(crate) const KOTLIN: Language = Language {
    name: "kotlin",
    aliases: &["kt"],
    extensions: &["kt", "kts"],
    version: 2,
    idioms: Idioms {
        common: "
            ^class ^else ^for ^if ^import ^package ^return ^val ^var ^when ^while ^}
        ",
        typical: "
            :·Boolean :·Int :·String ?. ^fun ^private·val println( ·->·
        ",
        sure: "
            ?: ^data·class ^fun·main( ^override·fun ^private·fun arrayListOf( emptyList()
            fun·main( listOf( mutableListOf( readLine() val·
        ",
    },
    keywords: &["
        Boolean Byte Char Double Float Int Long Short String Unit as break class continue do else
        false for fun if in interface is null object package return super this throw true try
        typealias typeof val var when while
    "],
    operators: &[OPERATORS, "=== !== ?. ?: :: .. ..< !! as?"],
    comments: &[Comment::line("//"), Comment::nested("/*", "*/")],
    quotes: &[
        Quote::template("\"", "${", b'}').on_one_line(),
        Quote::template("\"\"\"", "${", b'}').raw(),
        Quote::line("'", "'"),
        Quote::line("`", "`").raw().name(),
    ],
    numbers: Numbers { prefixes: &["."], ..Numbers::STRICT },
    imports: &[Import::either("import").unless(&["(", ".", "["]), Import::either("package")],
    qualifiers: &[("this", ".")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::KOTLIN;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &KOTLIN,
            r#"
package a.b
import c.d.*
/* one /* two */ */
fun `odd name`(m: Map<String, Int>?): Int { // note
    val s = "x $m ${m["k"] ?: "no"}" + """raw \ "q" ${1}"""" + '\''
    return m!!.size ..< 1_0L
}
"#,
            "fun ID ( ID : ID < String , Int > ? ) : Int {
               val ID = STR ID [ STR ] ?: STR STR + STR NUM STR + STR
               return ID !! . ID ..< NUM
             }",
        );
    }
}
