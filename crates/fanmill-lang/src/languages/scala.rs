//! Scala: the Scala Language Specification, 2.13, with the words of Scala 3.

use super::c::OPERATORS;
use crate::{Comment, Idioms, Import, Language, Numbers, Quote};

/// Interpolators of the standard library.
const INTERPOLATORS: &[&str] = &["f", "raw", "s"];

/// The table of Scala.
pub(crate) const SCALA: Language = Language {
    name: "scala",
    extensions: &["sbt", "sc", "scala"],
    interpreters: &["scala"],
    hints: &[("object ", 3), ("def ", 2), ("val ", 2), ("import ", 2)],
    version: 2,
    idioms: Idioms {
        common: "
            ^case ^class ^def ^else ^for ^if ^import ^object ^package ^val ^var ^} ·=>·
        ",
        typical: "
            :·Boolean :·Int :·String =·{ Int] List( Option[ Seq[ String] ^trait println(
        ",
        sure: "
            :·Unit ^case·class ^import·scala. ^override·def ^private·def ^sealed·trait def·main(
            extends·App implicit match·{
        ",
    },
    word_part: "$",
    keywords: &["
        Boolean Byte Char Double Float Int Long Short String Unit abstract case catch class def do
        else enum export extends false final finally for forSome given if implicit import lazy
        macro match new null object override package private protected return sealed super then
        this throw trait true try type val var while with yield
    "],
    operators: &[OPERATORS, "=> <- <: >: :: ::: ++= ??? =>> ?=> :+ +: ~>"],
    comments: &[Comment::line("//"), Comment::nested("/*", "*/")],
    quotes: &[
        Quote::line("\"", "\""),
        Quote::lines("\"\"\"", "\"\"\"").raw(),
        Quote::template("\"", "${", b'}').on_one_line().prefixed(INTERPOLATORS),
        Quote::template("\"\"\"", "${", b'}').raw().prefixed(INTERPOLATORS),
        Quote::character("'"),
        Quote::line("`", "`").raw().name(),
    ],
    numbers: Numbers { prefixes: &["."], ..Numbers::STRICT },
    imports: &[Import::either("import"), Import::either("package").unless(&["object"])],
    qualifiers: &[("this", ".")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::SCALA;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &SCALA,
            r#"
package a.b
import c.{d, e => f}
/* one /* two */ */
object O { def `odd name`[A <: B](x: Int): String = x match { // note
    case 1 => s"a $x ${m("k")}" + """raw \ "q""""
    case _ => 'c' + '\'' + 'sym.name * 1.5e3f :: Nil } }
"#,
            "object ID { def ID [ ID <: ID ] ( ID : Int ) : String = ID match {
               case NUM => STR ID ( STR ) STR + STR
               case ID => STR + STR + ' ID . ID * NUM :: ID } }",
        );
    }
}
