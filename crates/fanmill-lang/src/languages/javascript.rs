//! JavaScript: ECMA-262, 15th edition.

use crate::{Comment, CommentPlace, Idioms, Import, Language, Numbers, Quote};

/// The operators of JavaScript and TypeScript.
pub(crate) const OPERATORS: &str = "
    ++ -- << >> >>> <= >= == != === !== && || ?? ?. => ** += -= *= /= %= **= &= |= ^= <<= >>= >>>=
    &&= ||= ??= ...
";

/// Keywords of JavaScript and TypeScript.
pub(crate) const KEYWORDS: &str = "
    await break case catch class const continue debugger default delete do else export extends
    false finally for function if import in instanceof let new null return static super switch
    this throw true try typeof undefined var void while with yield
";

/// The table of JavaScript. JSX text is read as code.
pub(crate) const JAVASCRIPT: Language = Language {
    name: "javascript",
    aliases: &["js", "jsx"],
    extensions: &["cjs", "es6", "js", "jsx", "mjs"],
    file_names: &["jakefile"],
    interpreters: &["bun", "deno", "node", "nodejs"],
    version: 2,
    idioms: Idioms {
        common: "
            ); ^const ^else ^export ^for ^if ^import ^let ^return ^var ^while ^{ ^}
        ",
        typical: "
            !== === ^function async await function( function·( let·i null this. typeof undefined
            ·=>·
        ",
        sure: "
            =>·{ JSON. ^\"use·strict\" ^$( ^'use·strict' ^module.exports ^}); console.log(
            document. require(\" require('
        ",
    },
    word_start: "$",
    sigils: "#",
    keywords: &[KEYWORDS],
    operands: &["this super null true false undefined"],
    operators: &[OPERATORS],
    comments: &[Comment::line("//"), Comment::block("/*", "*/").at(CommentPlace::NotPath)],
    quotes: &[
        Quote::line("\"", "\""),
        Quote::line("'", "'"),
        Quote::template("`", "${", b'}'),
        Quote::pattern(),
    ],
    numbers: Numbers::C,
    imports: &[Import::either("import").unless(&["(", "."])],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::JAVASCRIPT;
    use crate::languages::expect;

    #[test]
    fn a_path_in_the_text_of_a_page_opens_no_comment() {
        expect(
            &JAVASCRIPT,
            "<p>see src/*.ts or lib/* and run</p>\nf(a/* b */, c); /*\nd */ e",
            "< ID > ID ID / * . ID ID ID / * ID ID < / ID >
             ID ( ID , ID ) ; ID",
        );
    }

    #[test]
    fn worked_example() {
        expect(
            &JAVASCRIPT,
            r#"
import { a,
  b } from "x"
import c from 'y';
const m = await import("z");
let r = /[/"]\/'/gi.test(s) ? x / y / 2 : `a ${ {k: `b${n}`}.k } \` c`;
f = (a, b) => a?.b ?? 1_0n; /* end */
"#,
            "const ID = await import ( STR ) ;
             let ID = STR . ID ( ID ) ? ID / ID / NUM : STR { ID : STR ID STR } . ID STR ;
             ID = ( ID , ID ) => ID ?. ID ?? NUM ;",
        );
    }

    #[test]
    fn templates_nest_to_a_bound() {
        let deep = "`${".repeat(100_000);
        let lexer = crate::Lexer::new(&JAVASCRIPT);
        let mut tokens = fanmill_text::token::Tokens::default();
        fanmill_text::frontend::FrontEnd::tokenize(&lexer, &deep, &mut tokens);
        assert!(tokens.len() > 64);
    }
}
