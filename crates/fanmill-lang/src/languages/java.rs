//! Java: The Java Language Specification, SE 21.

use super::c::{COMMENTS, OPERATORS};
use crate::{Idioms, Import, Language, Quote};

/// The table of Java.
pub(crate) const JAVA: Language = Language {
    name: "java",
    extensions: &["java", "jsh"],
    version: 2,
    idioms: Idioms {
        common: "
            ); ^else ^final ^for ^if ^import ^int ^package ^private ^protected ^public ^return
            ^static ^while ^}
        ",
        typical: "
            .length ArrayList< String[] ^String ^boolean ^double ^private·int ^public·String
            ^public·int ^public·void ^throw·new final·int ·extends· ·implements· ·throws·
        ",
        sure: "
            @Override System.in System.out.print ^import·java. ^import·javax. ^public·class
            static·void·main(
        ",
    },
    word_start: "$",
    keywords: &["
        abstract assert boolean break byte case catch char class const continue default do double
        else enum extends false final finally float for goto if implements import instanceof int
        interface long native new null package private protected public return short static
        strictfp super switch synchronized this throw throws transient true try void volatile
        while
    "],
    operators: &[OPERATORS, ">>> >>>= :: @interface"],
    comments: COMMENTS,
    quotes: &[Quote::line("\"", "\""), Quote::line("'", "'"), Quote::lines("\"\"\"", "\"\"\"")],
    imports: &[Import::statement("import"), Import::statement("package")],
    qualifiers: &[("this", ".")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::JAVA;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &JAVA,
            r#"
package a.b;
import java.util.*; import static a.B.c;
/** Doc. */
@Override public int f$(List<? extends T> naïve) {
    return naïve.stream().map(Foo::bar).count() >>> 0x1F_FFL; // "no
}
String s = """
    "quoted" \""" text
    """ + '\u0041' + '\'' + 1e-9d;
"#,
            "@ ID public int ID ( ID < ? extends ID > ID ) {
               return ID . ID ( ) . ID ( ID :: ID ) . ID ( ) >>> NUM ;
             }
             ID ID = STR + STR + STR + NUM ;",
        );
    }

    #[test]
    fn a_stray_quote_hides_no_more_than_its_line() {
        expect(&JAVA, "x = \"oops;\ny = \"\"\"oops;\nz;", "ID = STR ID = STR ID ;");
    }
}
