//! VHDL: IEEE 1076-2008.

use crate::{Case, Comment, Escape, Idioms, Import, Language, Numbers, OpenerContext, Quote};

/// The table of VHDL. Directly after a name, `'` begins an attribute.
pub(crate) const VHDL: Language = Language {
    name: "vhdl",
    extensions: &["vhd", "vhdl", "vho", "vht"],
    idioms: Idioms {
        common: "
            ^begin ^case ^else ^elsif ^end ^if ^when ·:=· ·<=·
        ",
        typical: "
            ^component ^constant ^end·if; ^entity ^port( ^port·( ^process( ^process·( ^signal
            ·downto·
        ",
        sure: "
            ^architecture ^end·architecture ^end·process ^library·ieee ^use·ieee port·map
            rising_edge( std_logic std_logic_vector(
        ",
    },
    case: Case::Ignored,
    keywords: &["
        abs access after alias all and architecture array assert attribute begin bit bit_vector
        block body boolean buffer bus case component configuration constant context default
        disconnect downto else elsif end entity exit false file for force function generate
        generic group guarded if impure in inertial inout integer is label library linkage literal
        loop map mod nand natural new next nor not null of on open or others out package parameter
        port positive postponed procedure process property protected pure range record register
        reject release rem report return rol ror select sequence severity shared signal signed sla
        sll sra srl std_logic std_logic_vector string subtype then to transport true type
        unaffected units unsigned until use variable wait when while with xnor xor
    "],
    operators: &["=> ** := /= >= <= <> ?? ?= ?/= ?< ?> ?<= ?>= << >>"],
    comments: &[Comment::line("--"), Comment::block("/*", "*/")],
    quotes: &[
        Quote::line("\"", "\"")
            .escape(Escape::Doubled)
            .prefixes(&["b", "o", "x", "d", "sb", "so", "sx", "ub", "uo", "ux"]),
        Quote::character("'").raw().after(OpenerContext::Gap),
        Quote::line("\\", "\\").escape(Escape::Doubled).name().or_operator(),
    ],
    numbers: Numbers { marks: "#", ..Numbers::STRICT },
    imports: &[Import::statement("library"), Import::statement("use")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::VHDL;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &VHDL,
            r#"
library IEEE; use IEEE.std_logic_1164.all;
ENTITY e IS PORT (clk : in std_logic); end; -- "x
architecture a of e is signal \odd name\ : bit := '1'; begin
  q <= X"FF_00" when clk'event and clk = '1' else (others => '0') after 16#A#E1 ns; /* y */
end a;
"#,
            "entity ID is port ( ID : in std_logic ) ; end ;
             architecture ID of ID is signal ID : bit := STR ; begin
               ID <= STR when ID ' ID and ID = STR else ( others => STR ) after NUM ID ;
             end ID ;",
        );
    }
}
