//! RISC-V assembly, as GNU `as`, RARS and Venus read it: "Using as", on RISC-V features; the RISC-V Instruction Set
//! Manual, volume I.

use super::gas::{DIRECTIVES, GNU};
use crate::{Case, Comment, Idioms, Language, Quote};

/// The table of RISC-V assembly. Mnemonics are keywords; registers and labels are identifiers. `;` separates statements.
pub(crate) const RISCV: Language = Language {
    name: "riscv",
    aliases: &["risc-v", "rv32", "rv64"],
    extensions: &["asm", "riscv", "rv", "s"],
    hints: &[
        ("ecall", 8),
        (" a0", 4),
        ("\ta0", 4),
        (",a0", 4),
        (" a7", 4),
        ("\ta7", 4),
        (" t0,", 2),
        (" s0,", 2),
        ("(sp)", 3),
        ("(s0)", 2),
        (" ra,", 2),
        ("\tra,", 2),
        ("addi sp", 4),
        ("addi\tsp", 4),
        ("addi ", 2),
        ("mv ", 1),
        ("jalr", 1),
        ("auipc", 6),
        (".globl", 2),
        ("li ", 1),
        ("lw ", 1),
        ("x0", 1),
        ("%hi(", 3),
        ("%pcrel_hi(", 9),
    ],
    idioms: Idioms {
        common: "
            ^add ^and ^j ^la ^li ^lw ^or ^ret ^sub ^sw
        ",
        typical: "
            ^.data ^.global ^.globl ^.text ^.word ^addi ^beq ^beqz ^bge ^blt ^bne ^call ^jal
            ^slli ra, s0, t0, t1,
        ",
        sure: "
            (sp) ^auipc ^ecall ^ld ^lui ^mv ^sd a0, a1, a7,
        ",
    },
    case: Case::Ignored,
    sigils: ".%@",
    word_inner: ".@",
    blanks: ";",
    keywords: &[
        DIRECTIVES,
        "
        .asciiz .attribute .end_macro .eqv .option
        ",
        "
        add addi addiw addw amoadd.d amoadd.w amoand.d amoand.w amomax.d amomax.w amomaxu.d
        amomaxu.w amomin.d amomin.w amominu.d amominu.w amoor.d amoor.w amoswap.d amoswap.w
        amoxor.d amoxor.w and andi auipc beq beqz bge bgeu bgez bgt bgtu bgtz ble bleu blez blt
        bltu bltz bne bnez call csrc csrci csrr csrrc csrrci csrrs csrrsi csrrw csrrwi csrs csrsi
        csrw csrwi div divu divuw divw ebreak ecall eret fabs.d fabs.s fadd.d fadd.s fclass.d
        fclass.s fcvt.d.l fcvt.d.lu fcvt.d.s fcvt.d.w fcvt.d.wu fcvt.l.d fcvt.l.s fcvt.lu.d
        fcvt.lu.s fcvt.s.d fcvt.s.l fcvt.s.lu fcvt.s.w fcvt.s.wu fcvt.w.d fcvt.w.s fcvt.wu.d
        fcvt.wu.s fdiv.d fdiv.s fence fence.i feq.d feq.s fld fle.d fle.s flt.d flt.s flw fmadd.d
        fmadd.s fmax.d fmax.s fmin.d fmin.s fmsub.d fmsub.s fmul.d fmul.s fmv.d fmv.d.x fmv.s
        fmv.s.x fmv.w.x fmv.x.d fmv.x.s fmv.x.w fneg.d fneg.s fnmadd.d fnmadd.s fnmsub.d fnmsub.s
        frcsr fscsr fsd fsgnj.d fsgnj.s fsgnjn.d fsgnjn.s fsgnjx.d fsgnjx.s fsqrt.d fsqrt.s fsub.d
        fsub.s fsw j jal jalr jr la lb lbu ld lh lhu li lla lr.d lr.w lui lw lwu mret mul mulh
        mulhsu mulhu mulw mv neg negw nop not or ori rdcycle rdinstret rdtime rem remu remuw remw
        ret sb sbreak sc.d sc.w scall sd seqz sext.b sext.h sext.w sgtz sh sll slli slliw sllw slt
        slti sltiu sltu sltz snez sra srai sraiw sraw sret srl srli srliw srlw sub subw sw tail
        uret wfi xor xori zext.b zext.h zext.w
        ",
    ],
    comments: &[Comment::line("#"), Comment::line("//"), Comment::block("/*", "*/")],
    quotes: &[Quote::line("\"", "\""), Quote::line("'", "'")],
    ..GNU
};

#[cfg(test)]
mod tests {
    use super::RISCV;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &RISCV,
            "
        .globl main             # it's one
main:   addi sp, sp, -16; sw ra, 12(sp)
        lui a0, %hi(msg)        // high
        ADDI a0, a0, %lo(msg)
        amoadd.w t0, t1, (a0)
        fcvt.s.w fa0, a0        /* as
        float */
        ecall
msg:    .string \"# of \\\"x\\\"\"
",
            ".globl ID ID : addi ID , ID , NUM sw ID , NUM ( ID )
             lui ID , ID ( ID ) addi ID , ID , ID ( ID ) amoadd.w ID , ID , ( ID )
             fcvt.s.w ID , ID ecall ID : .string STR",
        );
    }
}
