//! Protocol Buffers: the Protobuf Language Specification (proto3), "Lexical Elements".

use super::c::COMMENTS;
use crate::{Import, Language, Numbers, Quote};

/// The table of Protocol Buffers.
pub(crate) const PROTOBUF: Language = Language {
    name: "protobuf",
    aliases: &["proto"],
    extensions: &["proto"],
    keywords: &["
        bool bytes double enum extend extensions false fixed32 fixed64 float group import int32
        int64 map max message oneof option optional package public repeated required reserved
        returns rpc service sfixed32 sfixed64 sint32 sint64 stream string syntax to true uint32
        uint64 weak
    "],
    comments: COMMENTS,
    quotes: &[Quote::line("\"", "\""), Quote::line("'", "'")],
    numbers: Numbers::STRICT,
    imports: &[
        Import::statement("import"),
        Import::statement("option"),
        Import::statement("package"),
        Import::statement("syntax"),
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
            "message ID { repeated ID ID = NUM [ ID = STR ] ; }",
        );
    }
}
