//! x86 and x86-64 assembly as GNU `as` reads it, in AT&T and in Intel syntax: "Using as", on 80386 features.

use crate::{Case, Comment, Idioms, Import, Language, Numbers, Quote};

/// Directives that GNU `as` has for every processor.
pub(super) const DIRECTIVES: &str = "
        .2byte .4byte .8byte .align .altmacro .ascii .asciz .balign .bss .byte .comm .data .double
        .dword .else .elseif .end .endfunc .endif .endm .endr .equ .err .exitm .extern .file .fill
        .float .fpu .func .global .globl .half .hidden .hword .ident .if .ifdef .ifndef .incbin
        .include .int .irp .irpc .lcomm .loc .local .long .macro .octa .org .p2align .popsection
        .previous .purgem .pushsection .quad .rept .section .set .short .single .size .skip .space
        .string .string16 .string8 .struct .subsection .text .type .value .weak .word .zero
";

/// Literals and inclusions, the same for all processors that GNU `as` assembles for.
pub(super) const GNU: Language = Language {
    quotes: &[Quote::line("\"", "\""), Quote::character("'")],
    numbers: Numbers { prefixes: &["-"], ..Numbers::STRICT },
    imports: &[Import::line(".include")],
    ..Language::EMPTY
};

/// The table of GNU assembly for x86. Mnemonics and directives are keywords; registers and labels are identifiers. The
/// `$` of an immediate, and `;`, which separates statements, are blank. `x@PLT` is one word.
pub(crate) const GAS: Language = Language {
    name: "gas",
    aliases: &["att", "x86-64"],
    extensions: &["asm", "s"],
    hints: &[
        ("%eax", 6),
        ("%ebp", 3),
        ("%esp", 4),
        ("%ax", 3),
        ("%al", 2),
        ("%rax", 8),
        ("%rbp", 4),
        ("%rsp", 4),
        ("%rdi", 4),
        ("%edi", 3),
        ("(%r", 4),
        ("movl", 3),
        ("movq", 2),
        ("pushq", 3),
        ("pushl", 3),
        (".globl", 2),
        (".global", 2),
        (".intel_syntax", 30),
        (".att_syntax", 30),
        (".cfi_startproc", 2),
        (" ptr [r", 3),
        (".text", 1),
        (".string", 1),
    ],
    idioms: Idioms {
        common: "
            ^add ^call ^cmp ^dec ^inc ^je ^jmp ^mov ^pop ^push ^ret ^sub
        ",
        typical: "
            ^.data ^.section ^.string ^.text ^jne ^lea ^movb ^popl ^popq ^pushl ^xorl
        ",
        sure: "
            %al %eax %ebp %ebx %edi %esp %rax %rbp %rbx %rdi %rsi %rsp ^.globl ^addl ^addq ^cmpl
            ^cmpq ^leaq ^movl ^movq ^pushq ^subq
        ",
    },
    case: Case::Ignored,
    sigils: ".%@",
    word_part: "$",
    word_inner: "@",
    blanks: "$;",
    keywords: &[
        DIRECTIVES,
        "
        .arch .att_syntax .code16 .code32 .code64 .intel_syntax
        ",
        "
        aaa aad aam aas adc adcb adcl adcq adcw add addb addl addpd addps addq addsd addss addw
        and andb andl andpd andps andq andw bound bsf bsfl bsfq bsfw bsr bsrl bsrq bsrw bswap bt
        btc btcl btcq btcw btl btq btr btrl btrq btrw bts btsl btsq btsw btw byte call calll callq
        callw cbtw cbw cdq cdqe clc cld cli cltd cltq cmc cmova cmovae cmovael cmovaeq cmoval
        cmovaq cmovb cmovbe cmovbel cmovbeq cmovbl cmovbq cmovc cmovcl cmovcq cmove cmovel cmoveq
        cmovg cmovge cmovgel cmovgeq cmovgl cmovgq cmovl cmovle cmovlel cmovleq cmovll cmovlq
        cmovna cmovnae cmovnael cmovnaeq cmovnal cmovnaq cmovnb cmovnbe cmovnbel cmovnbeq cmovnbl
        cmovnbq cmovnc cmovncl cmovncq cmovne cmovnel cmovneq cmovng cmovnge cmovngel cmovngeq
        cmovngl cmovngq cmovnl cmovnle cmovnlel cmovnleq cmovnll cmovnlq cmovno cmovnol cmovnoq
        cmovnp cmovnpl cmovnpq cmovns cmovnsl cmovnsq cmovnz cmovnzl cmovnzq cmovo cmovol cmovoq
        cmovp cmovpe cmovpel cmovpeq cmovpl cmovpo cmovpol cmovpoq cmovpq cmovs cmovsl cmovsq
        cmovz cmovzl cmovzq cmp cmpb cmpl cmpq cmps cmpsb cmpsd cmpsl cmpsq cmpsw cmpw cmpxchg
        cmpxchgb cmpxchgl cmpxchgq cmpxchgw comisd comiss cpuid cqo cqto cvtsd2ss cvtsi2sd
        cvtsi2sdl cvtsi2sdq cvtsi2ss cvtsi2ssl cvtsi2ssq cvtss2sd cvttsd2si cvttsd2siq cvttss2si
        cwd cwde cwtd cwtl daa das dec decb decl decq decw div divb divl divpd divps divq divsd
        divss divw dword endbr32 endbr64 enter enterl enterq enterw fabs fadd faddp fchs fcom
        fcomi fcomip fcomp fdiv fdivp fild fildl finit fist fistp fistpl flat fld fld1 fldl flds
        fldz fmul fmulp fsqrt fst fstp fstpl fstps fsub fsubp fucomip fxch hlt idiv idivb idivl
        idivq idivw imul imulb imull imulq imulw in inb inc incb incl incq incw inl inq ins insb
        insl insq insw int int3 into inw iret iretq ja jae jb jbe jc jcxz je jecxz jg jge jl jle
        jmp jmpl jmpq jmpw jna jnae jnb jnbe jnc jne jng jnge jnl jnle jno jnp jns jnz jo jp jpe
        jpo jrcxz js jz lahf lds lea leal leaq leave leavel leaveq leavew leaw les lfence lock
        lods lodsb lodsd lodsl lodsq lodsw loop loope loopne loopnz loopz maxsd maxss mfence minsd
        minss mov movabs movabsq movapd movaps movb movd movdqa movdqu movhlps movl movlhps movq
        movs movsb movsbl movsbq movsbw movsd movsl movslq movsq movss movsw movswl movswq movsx
        movsxd movupd movups movw movzbl movzbq movzbw movzwl movzwq movzx mul mulb mull mulpd
        mulps mulq mulsd mulss mulw neg negb negl negq negw nop not notb notl notq notw offset or
        orb orl orq orw out outb outl outq outs outsb outsl outsq outsw outw paddd paddq pand
        pause pop popa popf popfl popfq popl popq popw por pshufd psubd ptr punpckldq push pusha
        pushf pushfl pushfq pushl pushq pushw pxor qword rcl rclb rcll rclq rclw rcr rcrb rcrl
        rcrq rcrw rdtsc rdtscp rep repe repne repnz repz ret retl retq retw rol rolb roll rolq
        rolw ror rorb rorl rorq rorw sahf sal salb sall salq salw sar sarb sarl sarq sarw sbb sbbb
        sbbl sbbq sbbw scas scasb scasd scasl scasq scasw seta setae setb setbe setc sete setg
        setge setl setle setna setnae setnb setnbe setnc setne setng setnge setnl setnle setno
        setnp setns setnz seto setp setpe setpo sets setz sfence shl shlb shll shlq shlw shr shrb
        shrl shrq shrw sqrtsd sqrtss stc std sti stos stosb stosd stosl stosq stosw sub subb subl
        subpd subps subq subsd subss subw syscall sysenter sysexit sysret test testb testl testq
        testw ucomisd ucomiss ud2 unpcklps vaddsd vmovsd vmovss vmulsd word xadd xaddb xaddl xaddq
        xaddw xchg xchgb xchgl xchgq xchgw xlat xmmword xor xorb xorl xorpd xorps xorq xorw
        ",
    ],
    comments: &[Comment::line("#"), Comment::line("//"), Comment::block("/*", "*/")],
    ..GNU
};

#[cfg(test)]
mod tests {
    use super::GAS;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &GAS,
            "
        .globl  main            # it's \"here\"
        .type   main, @function
main:   PUSHQ %rbp; movq $-4, 8(%rsp)   /* one
        and two */
        movl    $fmt, -8(%rbp,%rax,4)
        movl    %gs:x@ntpoff, %eax      // y@z
        call    puts@PLT
.L2:    jne     1f
// mov
fmt:    .string \"# of %d \\\"@\\\"\\n\"
        .byte   'a', '#'
",
            ".globl ID .type ID , ID ID : pushq ID movq NUM , NUM ( ID )
             movl ID , NUM ( ID , ID , NUM ) movl ID : ID , ID call ID
             ID : jne NUM ID : .string STR .byte STR , STR",
        );
    }

    #[test]
    fn intel_syntax_is_read_too() {
        expect(
            &GAS,
            ".intel_syntax noprefix\n mov eax, DWORD PTR [rbp-4] # n\n lea rdi, [rip+.LC0]\n",
            ".intel_syntax ID mov ID , dword ptr [ ID - NUM ] lea ID , [ ID + ID ]",
        );
    }
}
