//! Swift: The Swift Programming Language, 6, "Lexical Structure".

use super::c::OPERATORS;
use crate::{Comment, Fence, Idioms, Import, Language, Numbers, Quote};

/// The table of Swift.
pub(crate) const SWIFT: Language = Language {
    name: "swift",
    extensions: &["swift"],
    interpreters: &["swift"],
    version: 2,
    idioms: Idioms {
        common: "
            ^case ^class ^else ^for ^if ^import ^let ^return ^struct ^switch ^var ^} self.
        ",
        typical: "
            .count :·Bool :·Double :·Int :·String ^extension ^func ^init( ^private·let
            ^private·var nil ·->·
        ",
        sure: "
            ^@IBOutlet ^guard ^if·let ^import·Foundation ^import·SwiftUI ^import·UIKit
            ^override·func ^private·func fatalError( func·
        ",
    },
    sigils: "#@",
    keywords: &["
        #available #else #elseif #endif #if #selector Any Bool Double Float Int Self String as
        associatedtype await break case catch class continue default defer deinit do else enum
        extension fallthrough false fileprivate for func guard if import in init inout internal is
        let nil operator precedencegroup private protocol public repeat rethrows return self
        static struct subscript super switch throw throws true try typealias var where while
    "],
    operators: &[OPERATORS, "=== !== ?? ?. ... ..< &+ &- &* -> ~= ~>"],
    comments: &[Comment::line("//"), Comment::nested("/*", "*/")],
    quotes: &[
        Quote::template("\"", "\\(", b')').on_one_line(),
        Quote::template("\"\"\"", "\\(", b')'),
        Quote::fenced("#", Fence::Hashes),
        Quote::line("`", "`").raw().name().or_operator(),
    ],
    numbers: Numbers::STRICT,
    imports: &[Import::line("import"), Import::line("@testable")],
    qualifiers: &[("self", ".")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::SWIFT;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &SWIFT,
            r###"
import Foundation
@testable import A
#if DEBUG
/* one /* two */ */ func f(_ x: [String: Int]?) -> Int { // note
    let s = "a \(x!["k"] ?? (1 + 2)) \" b" + ##"raw "# \(y)"## + """
        lines "q" \(s)
        """
    return 0x1F ..< 1_0.5e3
}
#endif
"###,
            "#if ID func ID ( ID ID : [ String : Int ] ? ) -> Int {
               let ID = STR ID ! [ STR ] ?? ( NUM + NUM ) STR + STR + STR ID STR
               return NUM ..< NUM
             } #endif",
        );
    }
}
