//! Erlang: the Erlang Reference Manual, OTP 27, "Data Types" and "Expressions".

use crate::{Comment, Idioms, Import, Language, Numbers, Quote};

/// The table of Erlang. Both atoms and variables are identifiers.
pub(crate) const ERLANG: Language = Language {
    name: "erlang",
    aliases: &["erl"],
    extensions: &["erl", "escript", "hrl"],
    interpreters: &["escript"],
    version: 2,
    idioms: Idioms {
        common: "
            ^after ^case ^end ^end, ^end; ^receive ·->
        ",
        typical: "
            :format( ^end. lists:
        ",
        sure: "
            ^-compile( ^-define( ^-export( ^-import( ^-module( ^-record( ^-spec io:format(
        ",
    },
    word_part: "@",
    sigils: "?",
    keywords: &["
        after and andalso band begin bnot bor bsl bsr bxor case catch cond div else end false fun
        if let not of or orelse receive rem true try when xor
    "],
    operators: &["-> <- => := == /= =< >= =:= =/= ++ -- || << >> :: <= ?= .."],
    comments: &[Comment::line("%")],
    quotes: &[
        Quote::lines("\"", "\""),
        Quote::lines("\"\"\"", "\"\"\"").raw(),
        Quote::line("'", "'").name(),
        Quote::glyph("$"),
    ],
    numbers: Numbers { marks: "#", ..Numbers::STRICT },
    imports: &[
        Import::line("module").after("-"),
        Import::line("export").after("-"),
        Import::line("export_type").after("-"),
        Import::line("import").after("-"),
        Import::line("include").after("-"),
        Import::line("include_lib").after("-"),
        Import::line("compile").after("-"),
        Import::line("author").after("-"),
    ],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::ERLANG;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &ERLANG,
            r#"
-module(a).
-export([f/1,
  g/2]).
-define(MAX, 16#ff). % it's
f([$a, $\n, $" | T]) when T =/= 'odd atom' -> #r{x = ?MAX, y = "s\"
t"}, 1.5e-3 - 1; f(X) -> X.
"#,
            "- ID ( ID , NUM ) .
             ID ( [ STR , STR , STR | ID ] ) when ID =/= ID -> # ID { ID = ID , ID = STR } , NUM - NUM ;
             ID ( ID ) -> ID .",
        );
    }
}
