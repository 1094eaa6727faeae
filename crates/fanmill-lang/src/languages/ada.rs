//! Ada: ISO/IEC 8652:2012 (the Ada Reference Manual).

use crate::{Case, Comment, Escape, Idioms, Import, Language, Numbers, OpenerContext, Quote};

/// The table of Ada. Directly after a name, `'` begins an attribute.
pub(crate) const ADA: Language = Language {
    name: "ada",
    extensions: &["ada", "adb", "ads", "gpr"],
    idioms: Idioms {
        common: "
            ^begin ^else ^end ^for ^if ^loop ^return ^type ^when ·:=· ·is
        ",
        typical: "
            'first 'last 'range ^elsif ^end·if; ^end·loop; ^function ^package ^procedure in·out
            range·<>
        ",
        sure: "
            ^use·ada. ^with·ada. integer_text_io new_line; put_line
        ",
    },
    case: Case::Ignored,
    keywords: &["
        abort abs abstract accept access aliased all and array at begin body boolean case
        character constant declare delay delta digits do else elsif end entry exception exit false
        float for function generic goto if in integer interface is limited loop mod natural new
        not null of or others out overriding package positive pragma private procedure protected
        raise range record rem renames requeue return reverse select separate some string subtype
        synchronized tagged task terminate then true type until use when while with xor
    "],
    operands: &["all"],
    operators: &[":= => <> .. ** /= >= <= << >>"],
    comments: &[Comment::line("--")],
    quotes: &[
        Quote::line("\"", "\"").escape(Escape::Doubled),
        Quote::character("'").raw().after(OpenerContext::Gap),
    ],
    numbers: Numbers { marks: "#", ..Numbers::STRICT },
    imports: &[
        Import::statement("with").after_statement().unless(&["function", "package", "procedure"]),
        Import::statement("use").after_statement(),
    ],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::ADA;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &ADA,
            r#"
with Ada.Text_IO; use Ada.Text_IO;
Procedure Demo is -- "comment
   C : Character := '''; X : Integer := 16#FF#E1 + 1_000;
   type T is new U with private;
begin
   for I in A'Range loop Put(Character'('a') & "say ""hi""" & '\'); end loop;
   Y := P.all'Access ** 2.5E-3;
end Demo;
"#,
            "procedure ID is
               ID : character := STR ; ID : integer := NUM + NUM ;
               type ID is new ID with private ;
             begin
               for ID in ID ' range loop ID ( character ' ( STR ) & STR & STR ) ; end loop ;
               ID := ID . all ' access ** NUM ;
             end ID ;",
        );
    }
}
