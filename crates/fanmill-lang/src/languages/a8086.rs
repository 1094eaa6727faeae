//! 8086 assembly as in MASM, TASM, NASM and emu8086: the 8086 Family User's Manual; the MASM Programmer's Guide.

use crate::{Case, Comment, Idioms, Language, Numbers, Quote};

/// The table of 8086 assembly. Mnemonics and directives are keywords; registers and labels are
/// identifiers.
pub(crate) const A8086: Language = Language {
    name: "a8086",
    aliases: &["8086", "asm", "masm", "nasm", "x86"],
    extensions: &["a86", "asm", "inc", "nasm", "s"],
    hints: &[
        ("mov ", 3),
        ("int 21h", 9),
        ("segment", 3),
        ("assume", 4),
        (" ax", 2),
        (" eax,", 5),
        ("\teax,", 5),
        (" rax,", 5),
        ("\trax,", 5),
        (" rsp,", 4),
        ("\trsp,", 4),
        (" esp,", 4),
        ("\tesp,", 4),
        ("mov\t", 3),
        (" rel ", 3),
        (" ptr ", 2),
        ("endp", 3),
        ("section .", 2),
        ("global ", 2),
        ("%include", 4),
        ("%define", 4),
        ("%macro", 5),
        ("%ifdef", 4),
        ("bits ", 2),
        ("resb", 3),
    ],
    idioms: Idioms {
        common: "
            ^add ^and ^call ^cmp ^dec ^inc ^je ^jmp ^mul ^or ^pop ^push ^ret ^sub ^test ·ptr·
        ",
        typical: "
            ^.code ^.data ^endp ^int ^jne ^jnz ^jz ^lea ^mov ^xor ·db· ·dw· ·endp ·equ· ·proc
        ",
        sure: "
            ^.model ^global·_start ^int·0x80 ^int·21h ^mov·ah, ^mov·ax, ^mov·eax, ^mov·rax,
            ^section·.data ^section·.text offset ·ends ·segment
        ",
    },
    case: Case::Ignored,
    word_start: "@?",
    sigils: ".%$",
    keywords: &["
        %define %else %endif %endmacro %if %ifdef %include %macro .code .const .data .data? .else
        .elseif .endif .endw .exit .if .model .repeat .stack .startup .until .while aaa aad aam
        aas adc add and assume bits bss byte call cbw cdq clc cld cli cmc cmova cmp cmps cmpsb
        cmpsw comment cwd daa das db dd dec define div dq dt dup dw dword else end endif endm endp
        ends equ esc extern extrn far global hlt idiv if imul in inc include int into invoke iret
        ja jae jb jbe jc jcxz je jg jge jl jle jmp jna jnae jnb jnbe jnc jne jng jnge jnl jnle jno
        jnp jns jnz jo jp jpe jpo js jz label lahf lds lea les local lock lods lodsb lodsd lodsw
        loop loope loopne loopnz loopz macro mov movs movsb movsd movsw movsx movzx mul name near
        neg nop not offset or org out page pop popa popf popfd proc proto ptr public push pusha
        pushf pushfd qword rcl rcr rep repe repne repnz repz resb resd resq resw ret retf retn rol
        ror sahf sal sar sbb scas scasb scasw section seg segment shl short shr stc std sti stos
        stosb stosd stosw sub syscall test times title use16 use32 wait word xchg xlat xlatb xor
    "],
    comments: &[Comment::line(";")],
    quotes: &[Quote::line("\"", "\"").raw(), Quote::line("'", "'").raw()],
    numbers: Numbers::STRICT,
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::A8086;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &A8086,
            "
.MODEL small
msg DB 'it\"s$', 0Dh, 0Ah ; text '
main PROC
@@next: MOV ax, [bx+si+10h]
        int 21h
        jnz short @@next
main ENDP
        section .text
",
            ".model ID ID db STR , NUM , NUM ID proc ID : mov ID , [ ID + ID + NUM ]
             int NUM jnz short ID ID endp section ID",
        );
    }
}
