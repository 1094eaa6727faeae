//! Makefiles: the GNU Make Manual, 4.4.

use crate::{Comment, Language, Numbers, Quote};

/// The table of makefiles. Recipes are read like everything else.
pub(crate) const MAKEFILE: Language = Language {
    name: "makefile",
    aliases: &["make"],
    extensions: &["mak", "make", "mk"],
    file_names: &["gnumakefile", "makefile", "makefile.am", "makefile.in"],
    interpreters: &["make"],
    sigils: ".",
    word_part: "-",
    escapes: "\\",
    keywords: &["
        .DEFAULT .PHONY .PRECIOUS .SECONDARY .SILENT .SUFFIXES define else endef endif export
        ifdef ifeq ifndef ifneq include override private undefine unexport vpath
    "],
    operators: &[":= ::= += ?= != :: && || $@ $< $^ $? $* $+ $$"],
    comments: &[Comment::line("#")],
    quotes: &[Quote::line("\"", "\"").or_operator(), Quote::line("'", "'").raw().or_operator()],
    numbers: Numbers::STRICT,
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::MAKEFILE;
    use crate::languages::expect;

    #[test]
    fn an_escaped_quote_or_hash_opens_nothing() {
        expect(&MAKEFILE, "a:\n\techo \\\" b \" c\n\td \\# e", "ID : ID \" ID \" ID ID # ID");
    }

    #[test]
    fn worked_example() {
        expect(
            &MAKEFILE,
            ".PHONY: all\nCFLAGS += -O2 \\\n  -g # it's\nall: a.o\n\t$(CC) -o $@ $^ 'a b' && echo don't",
            ".PHONY : ID ID += - ID - ID ID : ID ID $ ( ID ) - ID $@ $^ STR && ID ID ' ID",
        );
    }
}
