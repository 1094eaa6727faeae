//! AArch64 assembly, as GNU `as` and Apple's assembler read it: "Using as", on AArch64 features; the Arm Architecture
//! Reference Manual for A-profile architecture.

use super::gas::{DIRECTIVES, GNU};
use crate::{Case, Comment, CommentPlace, Idioms, Language};

/// The table of AArch64 assembly. Mnemonics are keywords; registers and labels are identifiers. The `#` of an immediate
/// is blank, and `x@PAGE` is one word.
pub(crate) const AARCH64: Language = Language {
    name: "aarch64",
    aliases: &["arm64"],
    extensions: &["arm64", "asm", "s"],
    hints: &[
        ("[sp, ", 3),
        ("stp", 4),
        ("ldp", 4),
        ("x29, x30", 9),
        ("x29,x30", 9),
        (" w0,", 6),
        ("\tw0,", 6),
        (" x0,", 5),
        ("\tx0,", 5),
        (" x1,", 3),
        ("[x0", 6),
        ("[x1", 6),
        ("[x2", 6),
        (" {v", 3),
        ("xzr", 5),
        ("wzr", 5),
        ("adrp", 6),
        ("cbz", 1),
        ("cbnz", 1),
        ("ldr", 3),
        (", #", 1),
        ("svc", 2),
        ("b.ne", 4),
        ("b.eq", 4),
        (".global", 1),
    ],
    idioms: Idioms {
        common: "
            ^add ^b ^bl ^cmp ^mov ^str ^sub
        ",
        typical: "
            ,·# ^.global ^.text ^b.eq ^b.ge ^b.lt ^b.ne ^cbz ^ldr ^mul ^svc w0, w1, x0, x1,
        ",
        sure: "
            [x0 [x1 ^adrp ^cbnz ^csel ^ldp ^madd ^msub ^stp wzr x29, xzr
        ",
    },
    case: Case::Ignored,
    sigils: ".%@",
    word_inner: ".@",
    blanks: "#",
    keywords: &[
        DIRECTIVES,
        "
        .arch .cpu .ltorg .pool .req .unreq
        ",
        "
        adc adcs add addp adds addv adr adrp and ands asr asrv b b.al b.cc b.cs b.eq b.ge b.gt
        b.hi b.hs b.le b.lo b.ls b.lt b.mi b.ne b.pl b.vc b.vs beq bfi bfm bfxil bge bgt bic bics
        bl ble blr blt bne br brk cas cbnz cbz ccmn ccmp cinc cinv cls clz cmn cmp cneg csel cset
        csetm csinc csinv csneg dmb dsb dup eon eor eret extr fabs fadd faddp fccmp fcmp fcmpe
        fcsel fcvt fcvtzs fcvtzu fdiv fmadd fmax fmin fmov fmsub fmul fneg fnmul frinta frintz
        fsqrt fsub hlt hvc ins isb ld1 ld2 ld4 ldadd ldar ldaxr ldp ldpsw ldr ldrb ldrh ldrsb
        ldrsh ldrsw ldur ldurb ldurh ldursb ldursw ldxr lsl lslv lsr lsrv madd mneg mov movi movk
        movn movz mrs msr msub mul mvn neg negs ngc nop orn orr prfm rbit ret rev rev16 rev32 ror
        rorv sbc sbcs sbfiz sbfm sbfx scvtf sdiv sev smaddl smc smov smulh smull st1 st2 st4 stlr
        stlxr stp str strb strh stur sturb sturh stxr sub subs svc swp sxtb sxth sxtw tbnz tbz tst
        ubfiz ubfm ubfx ucvtf udiv umaddl umov umulh umull uxtb uxth uxtw wfe wfi yield
        ",
    ],
    operators: &["<< >> =="],
    comments: &[
        Comment::line("//"),
        Comment::line(";"),
        Comment::line("#").at(CommentPlace::LineStart),
        Comment::block("/*", "*/"),
    ],
    ..GNU
};

#[cfg(test)]
mod tests {
    use super::AARCH64;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &AARCH64,
            "
# it's one
main:   stp x29, x30, [sp, #-16]!       // frame
        adrp x0, msg@PAGE               ; the page
        add x0, x0, :lo12:msg
        fadd v0.4s, v1.4s, v2.4s
        B.NE .Lend                      /* or
        not */
        ret
msg:    .asciz \"a // b\"
",
            "ID : stp ID , ID , [ ID , NUM ] ! adrp ID , ID add ID , ID , : ID : ID
             fadd ID , ID , ID b.ne ID ret ID : .asciz STR",
        );
    }
}
