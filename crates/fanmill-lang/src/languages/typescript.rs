//! TypeScript: the TypeScript Handbook, on top of ECMA-262.

use super::javascript::{JAVASCRIPT, KEYWORDS};
use crate::{Idioms, Language};

/// The table of TypeScript.
pub(crate) const TYPESCRIPT: Language = Language {
    name: "typescript",
    aliases: &["ts", "tsx"],
    extensions: &["cts", "mts", "ts", "tsx"],
    file_names: &[],
    interpreters: &["ts-node", "tsx"],
    hints: &[("import ", 2), ("export ", 2), ("const ", 2), (": string", 2), ("interface ", 2)],
    version: 2,
    idioms: Idioms {
        common: "
            ); ^const ^else ^export ^for ^if ^import ^let ^return ^{ ^}
        ",
        typical: "
            !== === ^interface ^private ^type await null readonly this. undefined ·=>·
        ",
        sure: "
            :·boolean :·number :·string :·void Promise< ^export·interface ^export·type
            ^import·type any[] number[] string[]
        ",
    },
    keywords: &[
        KEYWORDS,
        "
        enum implements interface private protected public
    ",
    ],
    ..JAVASCRIPT
};

#[cfg(test)]
mod tests {
    use super::TYPESCRIPT;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &TYPESCRIPT,
            r#"
import type { A } from "./a";
export class C<T extends A> { // note
  private readonly x?: number = 1_0.5e3;
  f = (y: string): y is "a" | 'b' => /"/.test(y) && `${this.x! / 2}` !== null;
}
"#,
            "export class ID < ID extends ID > {
               private ID ID ? : ID = NUM ;
               ID = ( ID : ID ) : ID ID STR | STR => STR . ID ( ID )
                 && STR this . ID ! / NUM STR !== null ;
             }",
        );
    }
}
