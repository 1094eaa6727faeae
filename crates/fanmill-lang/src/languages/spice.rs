//! SPICE netlists: the Ngspice User's Manual.

use crate::{Case, Comment, CommentPlace, Language, Numbers, Quote, Words};

/// The table of SPICE. The first word of a line has the symbol of its first letter: `R1` is a resistor. The first line,
/// which the manual calls a title, is read as an element.
pub(crate) const SPICE: Language = Language {
    name: "spice",
    extensions: &["cir", "ckt", "net", "sp", "spi", "spice"],
    case: Case::Ignored,
    words: Words::Initial,
    sigils: ".",
    keywords: &["
        .ac .dc .disto .else .elseif .end .endc .endif .endl .ends .four .func .global .ic .if
        .include .lib .meas .measure .model .nodeset .noise .op .option .options .param .plot
        .print .probe .pz .save .sens .step .subckt .temp .tf .tran .width ac dc exp njf nmos npn
        pjf pmos pnp pulse pwl sffm sin
    "],
    operators: &["** <= >= == != && ||"],
    comments: &[
        Comment::line("*").at(CommentPlace::Column(1)),
        Comment::line(";"),
        Comment::line("$").at(CommentPlace::Word),
    ],
    quotes: &[Quote::line("\"", "\"").raw()],
    numbers: Numbers { prefixes: &[".", "-"], ..Numbers::STRICT },
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::SPICE;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &SPICE,
            "* title\nR1 in 0 10k ; load\nc2 out 0 1.5u $ cap\nVin in 0 DC -5 AC 1\n.TRAN 1n {2*t}\n.end",
            "r ID NUM NUM c ID NUM NUM v ID NUM dc NUM ac NUM .tran NUM { NUM * ID } .end",
        );
    }
}
