//! MIPS assembly, as accepted by SPIM and MARS: Larus, "Assemblers, Linkers, and the SPIM Simulator".

use crate::{Case, Comment, Idioms, Language, Numbers, Quote};

/// The table of MIPS assembly. Mnemonics are keywords; registers and labels are identifiers.
pub(crate) const MIPS: Language = Language {
    name: "mips",
    aliases: &["mipsasm"],
    extensions: &["asm", "mips", "s"],
    hints: &[
        ("syscall", 4),
        ("$t0", 3),
        ("$sp", 3),
        ("$ra", 3),
        (".globl", 2),
        ("li ", 1),
        ("lw ", 2),
        ("jal ", 2),
    ],
    idioms: Idioms {
        common: "
            ^add ^and ^j ^la ^li ^lw ^move ^or ^sub ^sw
        ",
        typical: "
            ^.asciiz ^.data ^.globl ^.text ^.word ^addi ^addiu ^beq ^beqz ^bne ^jal ^sll ^slt
        ",
        sure: "
            $a0 $ra $s0 $sp $t0 $t1 $v0 $zero ^jr·$ra ^syscall
        ",
    },
    case: Case::Ignored,
    sigils: ".$",
    keywords: &["
        .align .ascii .asciiz .byte .data .double .end .end_macro .ent .eqv .extern .float .frame
        .globl .half .kdata .ktext .macro .set .space .text .word abs abs.d abs.s add add.d add.s
        addi addiu addu and andi b bal beq beqz bge bgeu bgez bgezal bgt bgtu bgtz ble bleu blez
        blt bltu bltz bltzal bne bnez break c.eq.d c.eq.s c.le.d c.le.s c.lt.d c.lt.s clo clz
        cvt.d.s cvt.d.w cvt.s.d cvt.s.w cvt.w.d cvt.w.s div div.d div.s divu eret j jal jalr jr
        l.d l.s la lb lbu ld ldc1 lh lhu li ll lui lw lwc1 lwl lwr mfc0 mfc1 mfhi mflo mov.d mov.s
        move movn movz mtc0 mtc1 mthi mtlo mul mul.d mul.s mult multu neg neg.d neg.s negu nop nor
        not or ori rem remu rol ror s.d s.s sb sc sd sdc1 seq sge sgeu sgt sgtu sh sle sleu sll
        sllv slt slti sltiu sltu sne sqrt.d sqrt.s sra srav srl srlv sub sub.d sub.s subi subu sw
        swc1 swl swr syscall teq tge tlt tne trap ulh ulhu ulw ush usw xor xori
    "],
    word_inner: ".",
    comments: &[Comment::line("#"), Comment::line(";")],
    quotes: &[Quote::line("\"", "\""), Quote::line("'", "'")],
    numbers: Numbers { prefixes: &["-"], ..Numbers::STRICT },
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::MIPS;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &MIPS,
            "
        .data
msg:    .asciiz \"hi # \\\"you\\\"\\n\"  # text
        .text
main:   LI $v0, 4
        lw  $t1, -4($sp)
        add.d $f0, $f2, $f4
        beq $t1, 0x1F, main
        syscall
",
            ".data ID : .asciiz STR .text ID : li ID , NUM lw ID , NUM ( ID )
             add.d ID , ID , ID beq ID , NUM , ID syscall",
        );
    }
}
