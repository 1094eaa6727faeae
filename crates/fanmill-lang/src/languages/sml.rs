//! Standard ML: The Definition of Standard ML (Revised).

use crate::{Comment, Idioms, Import, Language, Numbers, Quote};

/// The table of Standard ML.
pub(crate) const SML: Language = Language {
    name: "sml",
    aliases: &["ml", "standardml"],
    extensions: &["fun", "ml", "sig", "sml"],
    hints: &[
        ("fun ", 2),
        ("val ", 2),
        ("datatype ", 4),
        ("structure ", 3),
        (" fn ", 2),
        ("=> ", 1),
    ],
    version: 2,
    idioms: Idioms {
        common: "
            ^case ^else ^end ^fun ^if ^in ^let ^open ^val ^| ·=>· ·of·
        ",
        typical: "
            ^and ^exception ^fn ^local ^raise ^type fn· handle nil
        ",
        sure: "
            =·struct Int.toString List.map ^datatype ^functor ^signature ^structure ^val·rec
            andalso orelse
        ",
    },
    word_start: "'",
    keywords: &["
        abstype and andalso as case datatype do else end eqtype exception false fn fun functor
        handle if in include infix infixr let local nil nonfix of op open orelse raise rec ref
        sharing sig signature struct structure then true type val where while with withtype
    "],
    operators: &["..."],
    symbolic: "!%&$#+-/:<=>?@\\~`^|*",
    comments: &[Comment::nested("(*", "*)")],
    quotes: &[Quote::line("\"", "\""), Quote::line("#\"", "\"")],
    numbers: Numbers { exponents: "eE", ..Numbers::STRICT },
    imports: &[Import::either("open"), Import::either("use").then("\"")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::SML;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &SML,
            r#"
open List
(* outer (* inner *) "still *)
fun f' (x : 'a list) = #1 x :: [#"c", ~1.5E3, 0xFF] @ !r
val s = "a\
   \b \"c\"" ^ Int.toString (fn y => y)
"#,
            "fun ID ( ID : ID ID ) = # NUM ID :: [ STR , ~ NUM , NUM ] @ ! ID
             val ID = STR ^ ID . ID ( fn ID => ID )",
        );
    }
}
