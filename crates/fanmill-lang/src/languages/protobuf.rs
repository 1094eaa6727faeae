//! Protocol Buffers: the Protobuf Language Specification (proto3), "Lexical Elements".

use super::c::COMMENTS;
use crate::{Import, Language, Numbers, Quote};

/// The table of Protocol Buffers.
pub(crate) const PROTOBUF: Language = Language {
    name: "protobuf",
    aliases: &["proto"],
    extensions: &["proto"],
    version: 2,
    keywords: &["
        bool bytes double enum extend extensions false fixed32 fixed64 float import int32 int64
        oneof option optional package public repeated required reserved returns sfixed32 sfixed64
        sint32 sint64 string syntax true uint32 uint64
    "],
    comments: COMMENTS,
    quotes: &[Quote::line("\"", "\""), Quote::line("'", "'")],
    numbers: Numbers::STRICT,
    imports: &[
        Import::statement("import"),
        Import::statement("option"),
        Import::statement("package"),
        Import::statement("syntax").then("="),
    ],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::PROTOBUF;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &PROTOBUF,
            "syntax = \"proto3\"; package a.b; import \"c.proto\";\nmessage M { repeated N n = 1 [d = 'x']; /* c */ } // d",
            "ID ID { repeated ID ID = NUM [ ID = STR ] ; }",
        );
    }
}
