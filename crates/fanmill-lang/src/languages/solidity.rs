//! Solidity: the Solidity documentation, 0.8, "Language Grammar".

use super::c::{COMMENTS, OPERATORS};
use crate::{Idioms, Import, Language, Numbers, Quote};

/// The table of Solidity.
pub(crate) const SOLIDITY: Language = Language {
    name: "solidity",
    aliases: &["sol"],
    extensions: &["sol"],
    version: 2,
    idioms: Idioms {
        common: "
            ); ^else ^emit ^for ^function ^if ^return ^}
        ",
        typical: "
            ^constructor( ^event ^modifier ^require( ^struct address external public view
        ",
        sure: "
            ^contract ^pragma·solidity mapping( msg.sender msg.value uint256
        ",
    },
    word_start: "$",
    keywords: &["
        abstract address anonymous as assembly assert bool break bytes bytes32 calldata case catch
        constant constructor continue contract default delete do else emit enum event external
        false fixed for function if immutable import indexed int int256 interface internal is let
        library mapping memory modifier new override payable pragma private public pure require
        return returns storage string struct super switch this throw true try type uint uint256
        uint8 unchecked unicode using var view virtual while
    "],
    operators: &[OPERATORS, "=> ** :="],
    comments: COMMENTS,
    quotes: &[
        Quote::line("\"", "\"").prefixes(&["hex", "unicode"]),
        Quote::line("'", "'").prefixes(&["hex", "unicode"]),
    ],
    numbers: Numbers { prefixes: &["."], ..Numbers::STRICT },
    imports: &[Import::statement("import"), Import::statement("pragma")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::SOLIDITY;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &SOLIDITY,
            "pragma solidity ^0.8.0; import \"./A.sol\";\ncontract C is A { mapping(address => uint) m; // c\n bytes b = hex'00ff' ** 1e18; }",
            "contract ID is ID { mapping ( address => uint ) ID ; bytes ID = STR ** NUM ; }",
        );
    }
}
