//! Fortran: ISO/IEC 1539-1:2018; free form, and fixed form with its comments in column 1.

use crate::{Case, Comment, CommentPlace, Escape, Idioms, Import, Language, Numbers, Quote};

/// Free-form Fortran. `&`, which joins lines, is blank.
pub(crate) const FORTRAN: Language = Language {
    name: "fortran",
    aliases: &["f90"],
    extensions: &["f03", "f08", "f15", "f18", "f90", "f95"],
    version: 2,
    idioms: Idioms {
        common: "
            ^call ^close( ^do ^else ^end ^if ^integer ^logical ^open( ^real ^return ^stop ^type
            ^use
        ",
        typical: "
            )·then .and. .eq. .gt. .lt. .ne. ^allocatable ^allocate( ^character( ^contains
            ^dimension ^end·if ^integer, ^program ^real( ^real, ·::·
        ",
        sure: "
            ^double·precision ^enddo ^end·do ^end·program ^end·subroutine ^implicit·none
            ^print·*, ^subroutine intent( read(*, write(*,
        ",
    },
    case: Case::Ignored,
    blanks: "&",
    keywords: &["
        abstract allocatable allocate assign associate asynchronous backspace call case character
        class close codimension common complex concurrent contains contiguous continue critical
        cycle deallocate dimension do double elemental else elseif elsewhere end endassociate
        enddo endfile endforall endfunction endif endinterface endmodule endprogram endselect
        endsubroutine endtype endwhere entry enum enumerator equivalence exit external final
        forall function goto if implicit import impure in include inout inquire integer intent
        interface intrinsic logical module none nullify open operator optional out parameter
        pointer precision print private procedure program public pure read real recursive return
        rewind save select stop submodule subroutine then type use volatile where while write
    "],
    operators: &["
        ** // == /= >= <= => :: (/ /)
        .and. .or. .not. .eq. .ne. .lt. .le. .gt. .ge. .eqv. .neqv. .true. .false.
    "],
    comments: &[Comment::line("!")],
    quotes: &[
        Quote::line("\"", "\"").escape(Escape::Doubled).prefixes(&["b", "o", "z"]),
        Quote::line("'", "'").escape(Escape::Doubled).prefixes(&["b", "o", "z"]),
    ],
    numbers: Numbers { exponents: "eEdDqQ", ..Numbers::C },
    imports: &[Import::line("use"), Import::line("implicit").then("none"), Import::line("include")],
    ..Language::EMPTY
};

/// Fixed-form Fortran: `c`, `C` and `*` in column 1 open comments.
pub(crate) const FORTRAN_FIXED: Language = Language {
    name: "fortran77",
    aliases: &["f77"],
    extensions: &["f", "f77", "for", "fpp", "ftn"],
    idioms: Idioms::NONE,
    comments: &[
        Comment::line("!"),
        Comment::line("c").at(CommentPlace::Column(1)),
        Comment::line("*").at(CommentPlace::Column(1)),
    ],
    ..FORTRAN
};

#[cfg(test)]
mod tests {
    use super::{FORTRAN, FORTRAN_FIXED};
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &FORTRAN,
            "
program main
  use, intrinsic :: iso_fortran_env ! numbers
  IMPLICIT NONE
  real(kind=8) :: x = 1.0d0, y(3) = (/ 1., .5, 2.E-3_dp /)
c = 'it''s' // &
    & Z'FF'
if (x.gt.1.and..not.(i == 2)) call f(\"!\")
",
            "program ID
             real ( ID = NUM ) :: ID = NUM , ID ( NUM ) = (/ NUM , NUM , NUM /)
             ID = STR // STR
             if ( ID .gt. NUM .and. .not. ( ID == NUM ) ) call ID ( STR )",
        );
    }

    #[test]
    fn fixed_form_has_comments_in_column_1() {
        expect(
            &FORTRAN_FIXED,
            "C     note 'one\n* two\n      x = y * 2\n      call c(1.e5)\nc",
            "ID = ID * NUM call ID ( NUM )",
        );
    }
}
