//! ARM assembly for 32 bits, as GNU `as` and Arm's own assembler read it: "Using as", on ARM features; the Arm
//! Architecture Reference Manual, Armv7-A and Armv7-R edition.

use super::gas::{DIRECTIVES, GNU};
use crate::{Case, Comment, CommentPlace, Idioms, Import, Language};

/// The table of ARM assembly. Mnemonics are keywords, the usual ones with each condition too; registers and labels are
/// identifiers. The `#` of an immediate is blank.
pub(crate) const ARM: Language = Language {
    name: "arm",
    aliases: &["armasm", "thumb"],
    extensions: &["arm", "asm", "s"],
    hints: &[
        ("ldr", 4),
        ("bx lr", 9),
        ("bx\tlr", 9),
        ("lr}", 5),
        ("pc}", 5),
        ("[r0", 3),
        ("[r1", 3),
        ("[r3", 3),
        ("[sp", 1),
        (" r0,", 3),
        ("\tr0,", 3),
        (" r1,", 2),
        ("\tr1,", 2),
        (", #", 2),
        ("swi ", 3),
        ("svc ", 2),
        ("bl ", 1),
        ("bl\t", 1),
        ("stmfd", 5),
        (".syntax unified", 9),
        (".thumb", 5),
        ("readonly", 3),
        ("export", 2),
        ("@ ", 1),
        (".global", 1),
    ],
    idioms: Idioms {
        common: "
            ^add ^and ^b ^cmp ^mov ^mul ^orr ^str ^sub
        ",
        typical: "
            ,·# [sp ^.asciz ^.data ^.global ^.text ^.word ^beq ^bge ^bgt ^bl ^ble ^blt ^bne ^svc
            ^swi r0, r1,
        ",
        sure: "
            [r0 [r1 [r2 ^bx·lr ^ldmfd ^ldr ^ldrb ^mov·pc ^pop·{ ^push·{ ^stmfd ^strb lr} pc}
        ",
    },
    case: Case::Ignored,
    sigils: ".%",
    blanks: "#",
    keywords: &[
        DIRECTIVES,
        "
        .arm .code .cpu .ltorg .pool .req .syntax .thumb .thumb_func .unreq
        ",
        "
        adc adccc adccs adceq adcge adcgt adchi adchs adcle adclo adcls adclt adcmi adcne adcpl
        adcs adcvc adcvs add addcc addcs addeq addge addgt addhi addhs addle addlo addls addlt
        addmi addne addpl adds addvc addvs adr adrl and andcc andcs andeq andge andgt andhi andhs
        andle andlo andls andlt andmi andne andpl ands andvc andvs asr asrs b bcc bcs beq bfc bfi
        bge bgt bhi bhs bic biccc biccs biceq bicge bicgt bichi bichs bicle biclo bicls biclt
        bicmi bicne bicpl bics bicvc bicvs bkpt bl blcc blcs ble bleq blge blgt blhi blhs blle
        bllo blls bllt blmi blne blo blpl bls blt blvc blvs blx blxcc blxcs blxeq blxge blxgt
        blxhi blxhs blxle blxlo blxls blxlt blxmi blxne blxpl blxvc blxvs bmi bne bpl bvc bvs bx
        bxcc bxcs bxeq bxge bxgt bxhi bxhs bxle bxlo bxls bxlt bxmi bxne bxpl bxvc bxvs cbnz cbz
        clrex clz cmn cmncc cmncs cmneq cmnge cmngt cmnhi cmnhs cmnle cmnlo cmnls cmnlt cmnmi
        cmnne cmnpl cmnvc cmnvs cmp cmpcc cmpcs cmpeq cmpge cmpgt cmphi cmphs cmple cmplo cmpls
        cmplt cmpmi cmpne cmppl cmpvc cmpvs cps cpsid cpsie dmb dsb eor eorcc eorcs eoreq eorge
        eorgt eorhi eorhs eorle eorlo eorls eorlt eormi eorne eorpl eors eorvc eorvs isb it ite
        itet itt itte ittee ittt ldm ldmda ldmdb ldmea ldmfd ldmia ldmib ldr ldrb ldrbcc ldrbcs
        ldrbeq ldrbge ldrbgt ldrbhi ldrbhs ldrble ldrblo ldrbls ldrblt ldrbmi ldrbne ldrbpl ldrbvc
        ldrbvs ldrcc ldrcs ldrd ldreq ldrex ldrge ldrgt ldrh ldrhi ldrhs ldrle ldrlo ldrls ldrlt
        ldrmi ldrne ldrpl ldrsb ldrsh ldrt ldrvc ldrvs lsl lsls lsr lsrs mcr mla mlas mls mov
        movcc movcs moveq movge movgt movhi movhs movle movlo movls movlt movmi movne movpl movs
        movt movvc movvs movw mrc mrs msr mul mulcc mulcs muleq mulge mulgt mulhi mulhs mulle
        mullo mulls mullt mulmi mulne mulpl muls mulvc mulvs mvn mvncc mvncs mvneq mvnge mvngt
        mvnhi mvnhs mvnle mvnlo mvnls mvnlt mvnmi mvnne mvnpl mvns mvnvc mvnvs nop orn orr orrcc
        orrcs orreq orrge orrgt orrhi orrhs orrle orrlo orrls orrlt orrmi orrne orrpl orrs orrvc
        orrvs pld pop popeq popne push rbit rev rev16 ror rors rrx rsb rsbcc rsbcs rsbeq rsbge
        rsbgt rsbhi rsbhs rsble rsblo rsbls rsblt rsbmi rsbne rsbpl rsbs rsbvc rsbvs rsc rscs sbc
        sbccc sbccs sbceq sbcge sbcgt sbchi sbchs sbcle sbclo sbcls sbclt sbcmi sbcne sbcpl sbcs
        sbcvc sbcvs sbfx sdiv sev smlal smull ssat stm stmda stmdb stmea stmfd stmia stmib str
        strb strbcc strbcs strbeq strbge strbgt strbhi strbhs strble strblo strbls strblt strbmi
        strbne strbpl strbvc strbvs strcc strcs strd streq strex strge strgt strh strhi strhs
        strle strlo strls strlt strmi strne strpl strt strvc strvs sub subcc subcs subeq subge
        subgt subhi subhs suble sublo subls sublt submi subne subpl subs subvc subvs svc swi swieq
        swine swp swpb sxtb sxth tbb tbh teq teqcc teqcs teqeq teqge teqgt teqhi teqhs teqle teqlo
        teqls teqlt teqmi teqne teqpl teqvc teqvs tst tstcc tstcs tsteq tstge tstgt tsthi tsths
        tstle tstlo tstls tstlt tstmi tstne tstpl tstvc tstvs uadd8 ubfx udiv umlal umull usat
        uxtb uxth vabs vadd vcmp vcvt vdiv vdup vld1 vldm vldr vmov vmrs vmul vneg vpop vpush
        vsqrt vst1 vstm vstr vsub wfe wfi
        ",
        "
        align area arm assert code code16 code32 data dcb dcd dcdu dcfd dcfs dcq dcw else end
        endfunc endif endp entry equ export extern fill frame function get global if import incbin
        include keep ltorg macro mend mexit noinit preserve8 proc readonly readwrite require
        require8 space thumb weak
        ",
    ],
    operators: &["<< >> =="],
    comments: &[
        Comment::line("@"),
        Comment::line(";"),
        Comment::line("//"),
        Comment::line("#").at(CommentPlace::LineStart),
        Comment::block("/*", "*/"),
    ],
    imports: &[Import::line(".include"), Import::line("include"), Import::line("get")],
    ..GNU
};

#[cfg(test)]
mod tests {
    use super::ARM;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &ARM,
            "
@ it's a sum
        .global sum
        .type   sum, %function
sum:    STMFD sp!, {r4-r6, lr}  @ keep #4
        ldr r0, =msg            // the text
        ldrb r1, [r0, #-4]!     ; the next
        addeq r2, r2, #N
        moveq r3, #0x1F         /* end
        of it */
        bx lr
# line
msg:    .asciz \"a @ b # c\"
        AREA text, CODE, READONLY
",
            ".global ID .type ID , ID ID : stmfd ID ! , { ID - ID , ID }
             ldr ID , = ID ldrb ID , [ ID , NUM ] ! addeq ID , ID , ID moveq ID , NUM
             bx ID ID : .asciz STR area ID , code , readonly",
        );
    }
}
