//! Scratch and App Inventor: the scripts of a project as the reader of office documents writes them (`office/scratch.rs` and `app_inventor.rs` of
//! `fanmill-extract`), a line for each block.

use crate::{Comment, Language, Numbers, Quote, Words};

/// The table of Scratch and App Inventor. Opcodes, before a colon, keep their spelling; names are in backticks. Headings are comments.
pub(crate) const SCRATCH: Language = Language {
    name: "scratch",
    aliases: &["appinventor"],
    extensions: &["aia", "sb2", "sb3", "sprite2", "sprite3"],
    words: Words::Keys(":"),
    blanks: ":",
    comments: &[Comment::line("#")],
    quotes: &[Quote::line("\"", "\""), Quote::line("`", "`").raw().name()],
    numbers: Numbers { prefixes: &["-", "."], ..Numbers::STRICT },
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::SCRATCH;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &SCRATCH,
            "
# sprite Cat: \"1\"

event_whenflagclicked:
control_forever:
  control_if: (operator_gt: `my score: 2` -5.5)
    looks_sayforsecs: \"Say `it` \\\" 2\" 2
  else:
    procedures_call: `jump %s` (argument_reporter_string_number: `high`)
",
            "event_whenflagclicked control_forever control_if ( operator_gt ID NUM )
             looks_sayforsecs STR NUM else procedures_call ID ( argument_reporter_string_number ID )",
        );
    }
}
