//! Lua: the Lua 5.4 Reference Manual.

use crate::{Comment, Fence, Idioms, Language, Numbers, Quote};

/// The table of Lua.
pub(crate) const LUA: Language = Language {
    name: "lua",
    extensions: &["lua", "rockspec", "wlua"],
    interpreters: &["lua", "luajit"],
    version: 2,
    idioms: Idioms {
        common: "
            ^else ^end ^end) ^for ^function ^if ^return ^while ·do ·then
        ",
        typical: "
            ^elseif ^local nil print( ~=
        ",
        sure: "
            ^local·function function( io.read( ipairs( pairs( setmetatable( string.format(
            table.insert( ·then·return
        ",
    },
    keywords: &["
        and break do else elseif end false for function goto if in local nil not or repeat return
        then true until while
    "],
    operators: &[".. ... == ~= <= >= // :: << >>"],
    comments: &[Comment::fenced("--[", Fence::Brackets), Comment::line("--")],
    quotes: &[
        Quote::line("\"", "\""),
        Quote::line("'", "'"),
        Quote::fenced("[", Fence::Brackets).or_operator(),
    ],
    numbers: Numbers { prefixes: &["."], ..Numbers::STRICT },
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::LUA;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &LUA,
            r#"
--[==[ block ]] '
]==] local t = {[1] = [[raw "
\]], x = [=[a]]b]=]} -- line '
--[ also a line
function t:f(...) return a[b[1]] .. 'it\'s' ~= 0x1p4 // .5 end
"#,
            "local ID = { [ NUM ] = STR , ID = STR }
             function ID : ID ( ... ) return ID [ ID [ NUM ] ] .. STR ~= NUM // NUM end",
        );
    }
}
