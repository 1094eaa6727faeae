//! Rust: The Rust Reference, 1.85, "Lexical structure".

use super::c::OPERATORS;
use crate::{Comment, Fence, Idioms, Import, Language, Numbers, Quote};

/// The table of Rust.
pub(crate) const RUST: Language = Language {
    name: "rust",
    aliases: &["rs"],
    extensions: &["rs"],
    version: 2,
    idioms: Idioms {
        common: "
            ); ^else ^enum ^for ^if ^let ^match ^mod ^pub ^return ^struct ^use ^while ^} ·->·
            ·=>·
        ",
        typical: "
            ::new( Ok( Option< Self Some( String Vec< ^const ^fn ^impl i32 u32 u64 u8
        ",
        sure: "
            #[ #[derive( &mut &self &str .unwrap() ^impl< ^let·mut ^pub·fn ^pub·struct
            ^use·crate:: ^use·std:: assert_eq!( println!( usize vec![
        ",
    },
    keywords: &["
        Self as async await bool box break char const continue crate dyn else enum extern f32 f64
        false fn for gen i128 i16 i32 i64 i8 if impl in isize let loop match mod move mut pub ref
        return self static str struct super trait true try type u128 u16 u32 u64 u8 unsafe use
        usize where while yield
    "],
    operators: &[OPERATORS, "=> :: .. ..="],
    comments: &[Comment::line("//"), Comment::nested("/*", "*/")],
    quotes: &[
        Quote::lines("\"", "\"").prefixes(&["b", "c"]),
        Quote::lines("\"", "\"").raw().prefixed(&["br", "cr", "r"]),
        Quote::fenced("#", Fence::Hashes).prefixed(&["br", "cr", "r"]),
        Quote::character("'").prefixes(&["b"]),
    ],
    numbers: Numbers::STRICT,
    imports: &[Import::statement("use"), Import::statement("extern").then("crate")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::RUST;
    use crate::languages::expect;

    #[test]
    fn code_in_an_import_is_kept() {
        let long = format!("use {{{}}};", "a, ".repeat(3000));
        let lexer = crate::Lexer::new(&RUST);
        let mut tokens = fanmill_text::token::Tokens::default();
        fanmill_text::frontend::FrontEnd::tokenize(&lexer, &long, &mut tokens);
        assert!(tokens.len() > 3000, "{}", tokens.len());
        expect(&RUST, "use a::{b; f(1)}; g()", "ID ( NUM ) } ; ID ( )");
    }

    #[test]
    fn worked_example() {
        expect(
            &RUST,
            r###"
use std::{fmt, io::{self}};
/* one /* two */ " */ //! doc
fn f<'a>(x: &'a str) -> char { // '
    let r#type = br##"a "# b"## == b"\"" ;
    let t = (1.max(2), 0..=9, x.0.1, 1_0.5e-3f64, '\'', '\u{1F600}', 'é', b'x', r"\");
    'outer: loop { break 'outer }
}
"###,
            "fn ID < ' ID > ( ID : & ' ID str ) -> char {
               let ID # type = STR == STR ;
               let ID = ( NUM . ID ( NUM ) , NUM ..= NUM , ID . NUM , NUM , STR , STR , STR , STR , STR ) ;
               ' ID : loop { break ' ID }
             }",
        );
    }
}
