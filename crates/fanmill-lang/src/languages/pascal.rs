//! Pascal: ISO 7185, with the words of Delphi and Free Pascal.

use crate::{Case, Comment, Escape, Idioms, Import, Language, Numbers, Quote};

/// The table of Pascal. Its comments do not nest.
pub(crate) const PASCAL: Language = Language {
    name: "pascal",
    aliases: &["delphi"],
    extensions: &["dpr", "lpr", "p", "pas", "pp"],
    version: 2,
    idioms: Idioms {
        common: "
            ^begin ^const ^else ^end ^for ^if ^type ^until ^var ^while begin ·:=· ·do ·then
        ",
        typical: "
            :boolean; :integer; :·boolean; :·integer; :·real; ^end; ^function ^procedure
            ^program ^repeat ^unit array[ array·[ downto ·div· ·mod·
        ",
        sure: "
            :·string; ^end. ^implementation ^uses readln( readln; write(' writeln( writeln;
        ",
    },
    case: Case::Ignored,
    keywords: &["
        and array as asm begin boolean byte case char class const constructor destructor
        dispinterface div do double downto else end except exit exports false file finalization
        finally for function generic goto if implementation in inherited initialization inline
        int64 integer interface is label library longint mod nil not object of on operator or out
        packed procedure program property raise real record repeat resourcestring set shl shr
        single string then threadvar to true try type unit until uses var while with word xor
    "],
    operators: &[":= <> <= >= .. ** += -= *= /= ><"],
    comments: &[Comment::line("//"), Comment::block("{", "}"), Comment::block("(*", "*)")],
    quotes: &[Quote::line("'", "'").escape(Escape::Doubled)],
    numbers: Numbers { prefixes: &["$", "#", "#$", "&", "%"], ..Numbers::STRICT },
    imports: &[Import::statement("program"), Import::statement("uses")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::PASCAL;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &PASCAL,
            "
Program Demo(output);
Uses crt,
  sysutils;
VAR a : array[1..10] of Real; { one (* still }
Begin (* two { *)
  a[1] := $FF * 1.5e-3; // three
  s := 'it''s' + #13#$0A;
End.
",
            "var ID : array [ NUM .. NUM ] of real ;
             begin ID [ NUM ] := NUM * NUM ; ID := STR + NUM NUM ; end .",
        );
    }
}
