//! Zig: the Zig Language Reference, 0.13, "Grammar".

use super::c::OPERATORS;
use crate::{Comment, Language, Numbers, Quote};

/// The table of Zig.
pub(crate) const ZIG: Language = Language {
    name: "zig",
    extensions: &["zig", "zon"],
    sigils: "@",
    keywords: &["
        addrspace align allowzero and anyframe anytype asm async await bool break callconv catch
        comptime comptime_float comptime_int const continue defer else enum errdefer error export
        extern f32 f64 false fn for i16 i32 i64 i8 if inline isize linksection noalias noinline
        noreturn null opaque or orelse packed pub resume return struct suspend switch test
        threadlocal true try type u16 u32 u64 u8 undefined union unreachable usingnamespace usize
        var void volatile while
    "],
    operators: &[OPERATORS, "=> .. ** +% -% *% +%= -%= *%= .* .? .{ [*]"],
    comments: &[Comment::line("//")],
    quotes: &[
        Quote::line("\"", "\""),
        Quote::line("'", "'"),
        Quote::line("@\"", "\"").name(),
        Quote::rest_of_line("\\\\"),
    ],
    numbers: Numbers::STRICT,
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::ZIG;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &ZIG,
            r#"
const @"odd name" = @import("std"); // it's
pub fn f(x: ?[]const u8) !void {
    const s =
        \\raw "text'
        \\more
    ;
    for (0..10) |i| { _ = x.? ++ "\"" +% '\'' orelse 0x1F_FF; }
}
"#,
            "const ID = ID ( STR ) ;
             pub fn ID ( ID : ? [ ] const u8 ) ! void {
               const ID = STR STR ;
               for ( NUM .. NUM ) | ID | { ID = ID .? ++ STR +% STR orelse NUM ; }
             }",
        );
    }
}
