//! C: ISO/IEC 9899:2018, with the words of C23.

use crate::{Comment, Idioms, Import, Language, Numbers, Quote};

/// `//` and `/* */`, the comments of C and most of its descendants.
pub(crate) const COMMENTS: &[Comment] = &[Comment::line("//"), Comment::block("/*", "*/")];

/// The operators of C, which most of its descendants share.
pub(crate) const OPERATORS: &str =
    "++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^= <<= >>= -> ... ";

/// The words of C that C++ shares.
pub(crate) const KEYWORDS: &str = "
    auto bool break case char const continue default do double else enum extern false float for
    goto if inline int long nullptr register return short signed sizeof static static_assert
    struct switch true typedef typeof union unsigned void volatile while
";

/// Preprocessing directives. `#include` is an import.
pub(crate) const DIRECTIVES: &str = "
    #define #elif #else #endif #error #if #ifdef #ifndef #line #pragma #undef #warning
";

/// The table of C.
pub(crate) const C: Language = Language {
    name: "c",
    extensions: &["c", "h"],
    hints: &[("#include", 2), (".h>", 2), ("typedef struct", 3), ("malloc(", 2), ("printf(", 1)],
    idioms: Idioms {
        common: "
            ); ^#define ^#endif ^#ifdef ^#ifndef ^case ^char ^else ^float ^for ^if ^int ^long
            ^return ^static ^unsigned ^void ^while ^{ ^}
        ",
        typical: "
            -> .h\" NULL ^#include ^printf( ^scanf( ^struct ^typedef char·* int·main( printf(
            sizeof( strcmp( strlen( uint32_t uint8_t
        ",
        sure: "
            .h> ^typedef·struct fprintf( free( malloc( memcpy( scanf(\"
        ",
    },
    sigils: "#",
    blanks: "\\",
    word_start: "$",
    keywords: &[
        KEYWORDS,
        DIRECTIVES,
        "NULL _Atomic _Bool _Generic _Noreturn _Static_assert restrict",
    ],
    operators: &[OPERATORS, "##"],
    comments: COMMENTS,
    quotes: &[
        Quote::line("\"", "\"").prefixes(&["L", "U", "u", "u8"]),
        Quote::line("'", "'").prefixes(&["L", "U", "u", "u8"]),
    ],
    numbers: Numbers { marks: "'", ..Numbers::C },
    imports: &[Import::line("#include").header(), Import::line("include").after("#").header()],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::C;
    use crate::languages::expect;

    #[test]
    fn nothing_opens_in_the_name_of_a_header() {
        expect(
            &C,
            "#include </*x>\n# include\t<a//b'> /* c */\n#include <d\ne; */ f;",
            "ID ; * / ID ;",
        );
    }

    #[test]
    fn worked_example() {
        expect(
            &C,
            r#"
#include <stdio.h> /* twice
*/
 #  include "mine.h"
#define MAX(a, b) \
    ((a) > (b) ? (a) : (b)) // to the end
static const char *s = L"a \"b\" \
 c" u8"d"; char c = '\'';
double x = .5e-3f + 1. + 0x1FULL; p->q ... y;
"#,
            "#define ID ( ID , ID ) ( ( ID ) > ( ID ) ? ( ID ) : ( ID ) )
             static const char * ID = STR STR ; char ID = STR ;
             double ID = NUM + NUM + NUM ; ID -> ID ... ID ;",
        );
    }
}
