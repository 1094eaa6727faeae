//! Verilog and `SystemVerilog`: IEEE 1800-2017.

use super::c::COMMENTS;
use crate::{Idioms, Import, Language, Numbers, Quote};

/// The table of Verilog. Macros and system tasks are words with their `` ` `` or `$`.
pub(crate) const VERILOG: Language = Language {
    name: "verilog",
    aliases: &["systemverilog"],
    extensions: &["sv", "svh", "v", "vh"],
    hints: &[("endmodule", 6), ("module ", 3), ("always", 3), ("wire", 1), ("reg ", 1)],
    idioms: Idioms {
        common: "
            ^begin ^case ^else ^end ^for ^if ^module begin ·<=·
        ",
        typical: "
            ^always ^assign ^initial ^input ^output ^reg ^wire
        ",
        sure: "
            $display( $finish 1'b0 1'b1 ^endcase ^endmodule negedge posedge
        ",
    },
    word_part: "$",
    sigils: "`$",
    keywords: &["
        `default_nettype `define `else `elsif `endif `ifdef `ifndef `undef always always_comb
        always_ff always_latch and assert assign assume automatic begin bit break buf bufif0
        bufif1 byte case casex casez class clocking const constraint continue cover covergroup
        coverpoint cross deassign default defparam disable dist do edge else end endcase endclass
        endclocking endfunction endgenerate endgroup endinterface endmodule endpackage
        endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event
        export extends extern final for force foreach forever fork function generate genvar if iff
        import initial inout input inside int integer interface join join_any join_none local
        localparam logic longint macromodule modport module nand negedge new nor not notif0 notif1
        null or output package packed parameter posedge primitive priority program property
        protected pull0 pull1 pulldown pullup pure rand randc real realtime ref reg release repeat
        return sequence shortint signed solve specify specparam static string struct super supply0
        supply1 table task this throughout time timeprecision timeunit tri tri0 tri1 triand trior
        type typedef union unique unsigned var vectored virtual void wait wand while wire with
        within wor xnor xor
    "],
    operators: &["
        ++ -- ** << >> <<< >>> <= >= == != === !== ==? !=? && || ~& ~| ~^ ^~ -> ->> => *> :: +: -:
        += -= *= /= %= &= |= ^= <<= >>= <<<= >>>= |-> |=> ## '{ &&&
    "],
    comments: COMMENTS,
    quotes: &[Quote::line("\"", "\"")],
    numbers: Numbers {
        prefixes: &[
            "'", "'h", "'H", "'o", "'O", "'b", "'B", "'d", "'D", "'sh", "'sb", "'so", "'sd",
        ],
        marks: "'",
        ..Numbers::STRICT
    },
    imports: &[
        Import::line("`include"),
        Import::line("`timescale"),
        Import::line("`default_nettype"),
        Import::statement("import"),
    ],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::VERILOG;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &VERILOG,
            r#"
`timescale 1ns/1ps
`include "defs.vh"
module m #(parameter N = 8) (input wire [N-1:0] a, output reg q); // c
  always @(posedge clk) q <= #1 (a === 8'hFx) ? `MAX : 4'b10_10 + 'hff;
  initial $display("a=%d \"q\"", a); /* end */
endmodule
"#,
            "module ID # ( parameter ID = NUM ) ( input wire [ ID - NUM : NUM ] ID , output reg ID ) ;
               always @ ( posedge ID ) ID <= # NUM ( ID === NUM ) ? ID : NUM + NUM ;
               initial ID ( STR , ID ) ;
             endmodule",
        );
    }
}
