//! The language tables, one file each. To add a language, copy `example.rs`.

mod a8086;
mod aarch64;
mod ada;
mod arm;
mod avr;
mod awk;
mod c;
mod clojure;
mod cobol;
mod common_lisp;
mod cpp;
mod csharp;
mod css;
mod d;
mod dart;
mod data;
mod dockerfile;
mod elixir;
mod erlang;
#[cfg(test)]
mod example;
mod fortran;
mod fsharp;
mod gas;
mod generic;
mod go;
mod graphql;
mod groovy;
mod haskell;
mod hcl;
mod html;
mod java;
mod javascript;
mod julia;
mod kotlin;
mod latex;
mod lua;
mod makefile;
mod markdown;
mod matlab;
mod mips;
mod modula2;
mod mos6502;
mod nim;
mod objective_c;
mod ocaml;
mod pascal;
mod perl;
mod php;
mod plsql;
mod powershell;
mod prolog;
mod protobuf;
mod python;
mod r;
mod racket;
mod riscv;
mod ruby;
mod rust;
mod scala;
mod scheme;
mod scratch;
mod shell;
mod sml;
mod solidity;
mod spice;
mod sql;
mod swift;
mod tcl;
mod typescript;
mod verilog;
mod vhdl;
mod visual_basic;
mod zig;

use crate::table::language::Language;

/// The tables of all languages, in the order of their names.
pub const ALL: &[Language] = &[
    a8086::A8086,
    aarch64::AARCH64,
    ada::ADA,
    arm::ARM,
    avr::AVR,
    awk::AWK,
    c::C,
    clojure::CLOJURE,
    cobol::COBOL,
    cpp::CPP,
    csharp::CSHARP,
    css::CSS,
    d::D,
    dart::DART,
    dockerfile::DOCKERFILE,
    elixir::ELIXIR,
    erlang::ERLANG,
    fortran::FORTRAN,
    fortran::FORTRAN_FIXED,
    fsharp::FSHARP,
    gas::GAS,
    generic::GENERIC,
    go::GO,
    graphql::GRAPHQL,
    groovy::GROOVY,
    haskell::HASKELL,
    hcl::HCL,
    html::HTML,
    java::JAVA,
    javascript::JAVASCRIPT,
    data::JSON,
    julia::JULIA,
    kotlin::KOTLIN,
    latex::LATEX,
    common_lisp::COMMON_LISP,
    lua::LUA,
    makefile::MAKEFILE,
    markdown::MARKDOWN,
    matlab::MATLAB,
    mips::MIPS,
    modula2::MODULA2,
    mos6502::MOS6502,
    nim::NIM,
    objective_c::OBJECTIVE_C,
    ocaml::OCAML,
    pascal::PASCAL,
    perl::PERL,
    php::PHP,
    plsql::PLSQL,
    powershell::POWERSHELL,
    prolog::PROLOG,
    protobuf::PROTOBUF,
    python::PYTHON,
    r::R,
    racket::RACKET,
    riscv::RISCV,
    ruby::RUBY,
    rust::RUST,
    scala::SCALA,
    scheme::SCHEME,
    scratch::SCRATCH,
    shell::SHELL,
    sml::SML,
    solidity::SOLIDITY,
    spice::SPICE,
    sql::SQL,
    swift::SWIFT,
    tcl::TCL,
    data::TOML,
    typescript::TYPESCRIPT,
    verilog::VERILOG,
    vhdl::VHDL,
    visual_basic::VISUAL_BASIC,
    html::XML,
    data::YAML,
    zig::ZIG,
];

/// Checks a worked example, for the tests of the tables.
#[cfg(test)]
fn expect(language: &Language, text: &str, expected: &str) {
    crate::conformance::expect_tokens(&crate::Lexer::new(language), text, expected);
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use fanmill_text::frontend::FrontEnd;
    use fanmill_text::token::{Symbol, Tokens};
    use proptest::prelude::*;

    use super::ALL;
    use crate::conformance::{check_language, check_tokens};
    use crate::lexer::Lexer;
    use crate::table::language::Language;

    #[test]
    fn every_table_conforms() {
        for language in ALL {
            check_language(language);
        }
    }

    #[test]
    fn names_are_sorted_and_no_alias_is_another_name() {
        let names: Vec<&str> = ALL.iter().map(|language| language.name).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
        let all: Vec<&str> =
            ALL.iter().flat_map(|l| l.aliases.iter().copied().chain([l.name])).collect();
        let twice = all.iter().enumerate().find(|(i, name)| all[..*i].contains(name));
        assert_eq!(twice, None);
    }

    /// Words with a special meaning in some places, which a program may use as names in others.
    ///
    /// Languages whose keywords are all reserved do not appear here.
    const CONTEXTUAL: &[(&str, &str)] = &[
        ("cpp", "final override"),
        (
            "csharp",
            "ascending async await descending dynamic from get group init into join let nameof \
             orderby partial record required select set var when where yield",
        ),
        (
            "dart",
            "abstract as async base covariant deferred dynamic export extension external factory \
             get implements import interface late library mixin on operator part required sealed \
             set show static sync typedef when",
        ),
        ("erlang", "maybe"),
        (
            "fortran",
            "bind block data deferred extends format generic kind len namelist nopass only pass \
             pause protected result sequence target to value",
        ),
        ("fsharp", "async bool byte char decimal float int list obj option seq string task unit"),
        ("groovy", "as it trait var"),
        ("haskell", "as family forall hiding mdo otherwise proc qualified rec"),
        ("java", "permits record sealed var yield"),
        ("javascript", "async get of set"),
        ("julia", "abstract mutable outer primitive type"),
        (
            "kotlin",
            "abstract actual annotation by catch companion const constructor crossinline data \
             enum expect external final finally get import infix init inline inner internal \
             lateinit noinline open operator out override private protected public reified sealed \
             set suspend tailrec value vararg where",
        ),
        ("lua", "self"),
        ("matlab", "enumeration events methods properties"),
        ("objectivec", "atomic copy nonatomic nonnull nullable readonly readwrite strong weak"),
        ("ocaml", "bool char effect float int list option ref string unit"),
        (
            "pascal",
            "absolute abstract external forward overload override private protected public \
             published read result self virtual write",
        ),
        (
            "plsql",
            "agent body comment definition delay form increment name object pipe record \
             release result space statement type use validate views",
        ),
        ("protobuf", "group map max message rpc service stream to weak"),
        ("python", "case match"),
        ("ruby", "extend include lambda loop private proc protected public raise"),
        ("rust", "macro_rules union"),
        ("scala", "end extension inline opaque using"),
        ("sml", "bool char int real string unit"),
        ("solidity", "error fallback receive revert"),
        (
            "sql",
            "action boolean date datetime identity immediate isolation language level local next \
             no offset open serial session start temporary text time timestamp unknown uuid view \
             work year zone",
        ),
        (
            "swift",
            "actor async didSet final get indirect lazy mutating nonisolated open optional \
             override required set some unowned weak willSet",
        ),
        (
            "typescript",
            "abstract any as asserts bigint boolean declare infer is keyof module namespace never \
             number object override readonly satisfies string symbol type unique unknown",
        ),
        ("visualbasic", "async await explicit preserve"),
    ];

    /// Someone who names variables `record`, `get` and `value` must not make a copy look different.
    #[test]
    fn contextual_keywords_are_identifiers() {
        let sample = "
            aa = bb + 1; cc = aa
            aa(bb, cc) ; bb.cc(aa) ; aa[bb] = cc(2)
            if (aa < bb) { cc = aa / bb / 3; return aa }
            f(aa bb cc, aa : bb , \"text\" ) ; x(aa (bb), cc)
        ";
        for (name, words) in CONTEXTUAL {
            let lexer = crate::front_end(name).expect("a table");
            let symbols = |text: &str| {
                let mut tokens = Tokens::default();
                lexer.tokenize(text, &mut tokens);
                tokens.symbols
            };
            let words: Vec<&str> = words.split_ascii_whitespace().collect();
            for (i, word) in words.iter().enumerate() {
                // Two of them side by side must not have a special meaning either.
                let other = words[(i + 1) % words.len()];
                let renamed = sample.replace("aa", word).replace("bb", other).replace("cc", word);
                assert_eq!(symbols(&renamed), symbols(sample), "{name}: {word} and {other}");
            }
        }
    }

    /// Short texts whose extension two languages claim, with the language that should win.
    #[test]
    fn likeness_tells_rivals_apart() {
        let cases = [
            ("c", "cpp", "#include <stdio.h>\nint main(void) { printf(\"x\"); }"),
            ("cpp", "c", "#include <iostream>\nclass A { public: std::string s; };"),
            (
                "objectivec",
                "matlab",
                "#import <A.h>\n@implementation B\n- (void)f { [self g]; }\n@end",
            ),
            ("matlab", "objectivec", "% area\nfunction y = f(x)\n  y = x .* 2;\nend\ndisp(f(2))"),
            ("perl", "prolog", "use strict;\nmy $x = 1;\nsub f { print $x }"),
            ("prolog", "perl", "len([], 0).\nlen([_|T], N) :- len(T, M), N is M + 1."),
            ("ocaml", "sml", "let rec f x = match x with [] -> 0 | _ :: t -> 1 + f t;;"),
            ("sml", "ocaml", "datatype t = A | B\nfun f (x : int) = case x of 0 => A | _ => B"),
            ("visualbasic", "latex", "Attribute VB_Name = \"A\"\nPublic Sub F()\nEnd Sub"),
            ("latex", "visualbasic", "\\ProvidesClass{a}\n\\newcommand{\\x}{y}"),
            ("plsql", "sql", "DECLARE n PLS_INTEGER; BEGIN DBMS_OUTPUT.PUT_LINE(n); END;\n/"),
            ("sql", "plsql", "CREATE TABLE t (id INT AUTO_INCREMENT); INSERT INTO t VALUES (1);"),
            (
                "mips",
                "a8086",
                ".data\n.text\n.globl main\nmain: li $v0, 10\n lw $t0, 4($sp)\n syscall",
            ),
            ("a8086", "mips", ".model small\nmov ax, @data\nint 21h\nmain endp"),
            (
                "gas",
                "a8086",
                "\t.text\n\t.globl f\nf:\tmovl $1, %eax\n\tint $0x80\n\tmov (%esp), %ax\n\tret",
            ),
            ("a8086", "gas", "section .text\nglobal f\nf: mov eax, 1\n int 0x80\n xor ax, ax\n"),
            ("arm", "a8086", "f: mov r1, r0\n ldrb r2, [r1], #1\n bx lr"),
            ("arm", "aarch64", "f: push {r4, lr}\n ldr r4, [sp, #8]\n cmp r4, #0\n pop {r4, pc}"),
            ("aarch64", "arm", "f: stp x29, x30, [sp, #-16]!\n ldr w0, [x1, #4]\n svc #0\n ret"),
            (
                "riscv",
                "mips",
                "f: addi sp, sp, -8\n sw ra, 4(sp)\n lw a0, 0(sp)\n li a7, 1\n ecall",
            ),
            ("mips", "riscv", "f: addi $sp, $sp, -8\n sw $ra, 4($sp)\n li $v0, 1\n syscall"),
            ("avr", "mos6502", "ldi r16, 0xFF\n out DDRB, r16\nl: rjmp l\n brne l"),
            ("mos6502", "a8086", "f: lda #$10\n sta $0200,x\n inc $20\n bne f\n rts"),
            ("a8086", "mos6502", "mov ax, 4c00h\n int 21h\n inc bx\n jmp f"),
            ("lisp", "cpp", "(defun f (x) (let ((y 1)) (+ x y)))"),
            ("scheme", "scala", "(define (f x) (lambda (y) y))"),
            ("scala", "scheme", "object A { def f(x: Int) = { val y = x; y } }"),
        ];
        for (own, rival, text) in cases {
            let likeness = |name| crate::front_end(name).expect("a table").likeness(text);
            assert!(likeness(own) > likeness(rival), "{own} against {rival}: {text}");
        }
    }

    #[test]
    fn languages_that_share_an_extension_have_hints() {
        let claims = |l: &Language| l.extensions.to_vec();
        for (i, ours) in ALL.iter().enumerate() {
            for theirs in &ALL[i + 1..] {
                let shared = claims(ours).into_iter().find(|e| theirs.extensions.contains(e));
                let is_told = !ours.hints.is_empty() && !theirs.hints.is_empty();
                assert!(
                    shared.is_none() || is_told,
                    "{} and {}: {shared:?}",
                    ours.name,
                    theirs.name
                );
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_has_tokens_in_every_language(text in any::<String>(), i in 0..ALL.len()) {
            check_tokens(&Lexer::new(&ALL[i]), &text);
        }
    }

    #[test]
    fn no_two_spellings_have_one_symbol() {
        let single = (b'!'..=b'~').map(|byte| char::from(byte).to_string());
        let words = ALL.iter().flat_map(|l| l.keywords().chain(l.operators()));
        let mut spellings: HashMap<Symbol, String> = HashMap::new();
        for spelling in words.map(str::to_owned).chain(single) {
            let symbol = Symbol::spelled(spelling.as_bytes());
            assert!(
                ![Symbol::BREAK, Symbol::IDENTIFIER, Symbol::NUMBER, Symbol::STRING]
                    .contains(&symbol)
            );
            let other = spellings.insert(symbol, spelling.clone());
            assert!(other.as_ref().is_none_or(|o| *o == spelling), "{spelling} and {other:?}");
        }
    }
}
