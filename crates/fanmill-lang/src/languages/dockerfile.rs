//! Dockerfiles: the Dockerfile reference, "Format".

use crate::{Case, Comment, CommentPlace, Language, Numbers, Quote, Terminator};

/// The table of Dockerfiles. Instructions are keywords; the commands after them are classes.
pub(crate) const DOCKERFILE: Language = Language {
    name: "dockerfile",
    aliases: &["docker"],
    extensions: &["containerfile", "dockerfile"],
    file_names: &["containerfile", "dockerfile"],
    case: Case::Ignored,
    sigils: "$",
    word_part: "-./",
    escapes: "\\",
    keywords: &["
        add arg as cmd copy entrypoint env expose from healthcheck label maintainer onbuild run
        shell stopsignal user volume workdir
    "],
    operators: &["&& || -- >> 2>&1"],
    comments: &[Comment::line("#").at(CommentPlace::LineStart)],
    quotes: &[
        Quote::line("\"", "\""),
        Quote::line("'", "'").raw(),
        Quote::here_document("<<", Terminator::Line),
    ],
    numbers: Numbers::STRICT,
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::DOCKERFILE;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &DOCKERFILE,
            "# it's\nFROM rust:1.85-slim AS b\nRUN apt-get update && \\\n  make \"a # b\" $X\nRUN <<EOF\nit's\nEOF\nCMD [\"x\"]",
            "from ID : NUM - ID as ID run ID ID && ID STR ID run STR STR cmd [ STR ]",
        );
    }
}
