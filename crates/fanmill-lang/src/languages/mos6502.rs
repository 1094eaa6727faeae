//! 6502 assembly, as ca65, DASM, ACME and others read it: the MCS6500 Family Programming Manual; the ca65 Users Guide.

use crate::{Case, Comment, Idioms, Import, Language, Numbers, Quote};

/// The table of 6502 assembly. Mnemonics are keywords; the registers in operands and labels are identifiers. `#`, which
/// opens an immediate, is an operator: `lda #$10` and `lda $10` differ.
pub(crate) const MOS6502: Language = Language {
    name: "mos6502",
    aliases: &["6502", "6510", "65c02", "ca65"],
    extensions: &["65s", "a65", "asm", "inc", "s", "s65"],
    hints: &[
        ("lda ", 5),
        ("lda\t", 5),
        ("sta ", 5),
        ("sta\t", 5),
        ("ldx ", 4),
        ("ldy ", 4),
        ("jsr ", 3),
        ("rts", 3),
        ("inx", 3),
        ("iny", 3),
        ("dex", 3),
        ("bne ", 1),
        ("#$", 4),
        (",x", 1),
        (",y", 1),
        (".org", 1),
        ("*=", 2),
        ("* =", 2),
    ],
    idioms: Idioms {
        common: "
            ^adc ^and ^bcc ^bcs ^clc ^cmp ^inc ^jmp ^pha ^pla ^sbc ^sec
        ",
        typical: "
            #$ ,x ,y ^.byte ^.org ^beq ^bne ^dex ^dey ^inx ^iny ^org
        ",
        sure: "
            ^jsr ^lda ^ldx ^ldy ^rts ^sta ^stx ^sty ^tax ^txa lda·#
        ",
    },
    case: Case::Ignored,
    word_start: "@",
    sigils: ".!",
    keywords: &[
        "
        adc and asl bcc bcs beq bit bmi bne bpl bra brk bvc bvs clc cld cli clv cmp cpx cpy dec
        dex dey eor inc inx iny jmp jsr lda ldx ldy lsr nop ora pha php phx phy pla plp plx ply
        rol ror rti rts sbc sec sed sei sta stp stx sty stz tax tay trb tsb tsx txa txs tya wai
        ",
        "
        !addr !align !binary !byte !cpu !fill !for !if !ifdef !macro !pet !scr !set !source !text
        !to !word !zone .a16 .a8 .addr .align .asciiz .assert .autoimport .bank .binary .bss .byt
        .byte .code .const .data .db .dbyt .dcb .define .ds .dsb .dw .else .elseif .end .endif
        .endmacro .endproc .endrepeat .endscope .enum .eq .equ .export .exportzp .feature .fill
        .for .global .i16 .i8 .if .ifdef .ifndef .import .importzp .incbin .include .inesbat
        .ineschr .inesmap .inesmir .inesprg .label .local .macro .org .pc .print .proc .repeat
        .res .reserve .rodata .rs .rsset .scope .segment .setcpu .text .var .word .zeropage dcb
        dfb dfs ds equ hex org processor seg subroutine
        ",
    ],
    operators: &["<< >> == != <= >= && ||"],
    comments: &[Comment::line(";"), Comment::line("//"), Comment::block("/*", "*/")],
    quotes: &[Quote::line("\"", "\"").raw(), Quote::character("'")],
    numbers: Numbers { prefixes: &["$", "%", "-"], ..Numbers::STRICT },
    imports: &[Import::line(".include"), Import::line("processor")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::MOS6502;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &MOS6502,
            "
        * = $0801               ; it's the start
start:  LDA #$0F                // dark
        sta $D020,x
        ldx #%1010
        lda #<text
        cmp #'a'
@loop:  dex                     /* again
        and again */
        bne @loop
        rts
text    .byte \"a ; b\", 0
        !byte 3
",
            "* = NUM ID : lda # NUM sta NUM , ID ldx # NUM lda # < ID cmp # STR
             ID : dex bne ID rts ID .byte STR , NUM !byte NUM",
        );
    }
}
