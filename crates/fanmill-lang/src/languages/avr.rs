//! AVR assembly, as Microchip's assembler and GNU `as` read it: the AVR Instruction Set Manual; "Using as", on AVR
//! features.

use super::gas::DIRECTIVES;
use crate::{Case, Comment, CommentPlace, Idioms, Import, Language, Numbers, Quote};

/// The table of AVR assembly. Mnemonics are keywords; registers and labels are identifiers.
pub(crate) const AVR: Language = Language {
    name: "avr",
    aliases: &["avrasm"],
    extensions: &["asm", "avr", "inc", "s"],
    hints: &[
        ("ldi ", 5),
        ("ldi\t", 5),
        ("rjmp", 6),
        ("rcall", 4),
        ("out ", 2),
        ("out\t", 2),
        ("sbi ", 2),
        ("sbis ", 3),
        ("r16", 4),
        ("r24", 2),
        ("ddrb", 4),
        ("portb", 4),
        ("def.inc", 6),
        ("ramend", 5),
        (".cseg", 6),
        (".def", 2),
        ("brne", 3),
        ("breq", 2),
        ("<avr/io.h>", 9),
        ("sbiw", 3),
    ],
    idioms: Idioms {
        common: "
            ^add ^and ^call ^cp ^dec ^inc ^ld ^mov ^pop ^push ^ret ^sub
        ",
        typical: "
            ^.include ^.org ^breq ^brne ^cbi ^cpi ^in ^lds ^out ^sbi ^sts
        ",
        sure: "
            ^.cseg ^.def ^ldi ^rcall ^reti ^rjmp ^sbis ^sbiw ^subi r16 r17 ramend
        ",
    },
    case: Case::Ignored,
    sigils: ".",
    keywords: &[
        DIRECTIVES,
        "
        .cseg .db .dd .def .device .dq .dseg .dw .endmacro .eseg .exit .list .listmac .nolist .undef
        ",
        "
        adc add adiw and andi asr bclr bld brbc brbs brcc brcs break breq brge brhc brhs brid brie
        brlo brlt brmi brne brpl brsh brtc brts brvc brvs bset bst byte2 call cbi cbr clc clh cli
        cln clr cls clt clv clz com cp cpc cpi cpse dec eicall eijmp elpm eor fmul fmuls fmulsu
        hi8 high icall ijmp in inc jmp ld ldd ldi lds lo8 low lpm lsl lsr mov movw mul muls mulsu
        neg nop or ori out pm pop push rcall ret reti rjmp rol ror sbc sbci sbi sbic sbis sbiw sbr
        sbrc sbrs sec seh sei sen ser ses set sev sez sleep spm st std sts sub subi swap tst wdr
        ",
    ],
    operators: &["<< >> == != <= >= && ||"],
    comments: &[
        Comment::line(";"),
        Comment::line("//"),
        Comment::line("#").at(CommentPlace::LineStart),
        Comment::block("/*", "*/"),
    ],
    quotes: &[Quote::line("\"", "\""), Quote::line("'", "'")],
    numbers: Numbers { prefixes: &["$", "-"], ..Numbers::STRICT },
    imports: &[Import::line(".include"), Import::line(".device")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::AVR;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &AVR,
            "
#include <avr/io.h>
.include \"m328pdef.inc\"
        .def temp = r16         ; it's scratch
reset:  LDI temp, $FF           // all
        out DDRB, temp
        ld r0, -Y
        st X+, r0
        ldi ZL, low(text << 1)
        sbrs r16, 0b11          /* skip
        one */
        rjmp reset
text:   .db \"a ; b\", 0
",
            ".def ID = ID ID : ldi ID , NUM out ID , ID ld ID , - ID st ID + , ID
             ldi ID , low ( ID << NUM ) sbrs ID , NUM rjmp ID ID : .db STR , NUM",
        );
    }
}
