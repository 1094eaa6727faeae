//! C++: ISO/IEC 14882:2020.

use super::c::{C, DIRECTIVES, KEYWORDS, OPERATORS};
use crate::{Fence, Idioms, Import, Language, Quote};

/// The table of C++ and of its dialects for graphics cards.
pub(crate) const CPP: Language = Language {
    name: "cpp",
    aliases: &["c++", "cc", "cuda", "opencl"],
    extensions: &[
        "c++", "cc", "cl", "cpp", "cppm", "cu", "cuh", "cxx", "h", "h++", "hh", "hpp", "hxx",
        "inl", "ino", "ipp", "ixx", "tcc", "tpp",
    ],
    hints: &[
        ("std::", 4),
        ("class ", 2),
        ("template", 3),
        ("namespace ", 4),
        ("public:", 4),
        ("#include <iostream>", 4),
        ("::", 2),
        ("nullptr", 2),
    ],
    version: 2,
    idioms: Idioms {
        common: "
            ); ^#define ^#endif ^#ifdef ^#ifndef ^case ^char ^class ^const ^else ^for ^if ^int
            ^long ^return ^static ^void ^while ^{ ^}
        ",
        typical: "
            -> :: NULL ^#include ^namespace ^virtual auto& const· int·main( nullptr override
            printf( push_back( sizeof( string strlen( this-> vector<
        ",
        sure: "
            ^#include·<iostream> ^private: ^protected: ^public: ^template ^using·namespace
            cin·>> cout·<< endl; std::
        ",
    },
    keywords: &[
        KEYWORDS,
        DIRECTIVES,
        "
        NULL alignas alignof and and_eq asm bitand bitor catch char16_t char32_t char8_t class
        co_await co_return co_yield compl concept const_cast consteval constexpr constinit
        decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not
        not_eq operator or or_eq private protected public reinterpret_cast requires static_cast
        template this thread_local throw try typeid typename using virtual wchar_t xor xor_eq
    ",
    ],
    operators: &[OPERATORS, "## :: .* ->* <=>"],
    quotes: &[
        Quote::line("\"", "\"").prefixes(&["L", "U", "u", "u8"]),
        Quote::line("'", "'").prefixes(&["L", "U", "u", "u8"]),
        Quote::fenced("\"", Fence::Tagged).prefixed(&["LR", "R", "UR", "u8R", "uR"]),
    ],
    imports: &[
        Import::line("#include").header(),
        Import::line("include").after("#").header(),
        Import::statement("using").then("namespace"),
    ],
    qualifiers: &[("this", "->"), ("std", "::")],
    ..C
};

#[cfg(test)]
mod tests {
    use super::CPP;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &CPP,
            r#"
#include <vector>
using namespace std;
using Row = std::vector<int>;
auto s = R"x(a )" " // no comment
)x" "b"; long n = 1'000'000; char c = '"';
bool b = (x <=> y) == 0 && !(p->*q);
"#,
            "using ID = ID < int > ;
             auto ID = STR STR ; long ID = NUM ; char ID = STR ;
             bool ID = ( ID <=> ID ) == NUM && ! ( ID ->* ID ) ;",
        );
    }

    #[test]
    fn qualification_is_free() {
        let with = "std::sort(this->v.begin(), this -> v.end());";
        let without = "sort(v.begin(), v.end());";
        for text in [with, without] {
            expect(&CPP, text, "ID ( ID . ID ( ) , ID . ID ( ) ) ;");
        }
    }
}
