//! The shell: IEEE 1003.1-2017 (POSIX) Shell & Utilities, with the quotes of bash.

use crate::{
    Comment, CommentPlace, Idioms, Import, Language, Numbers, OpenerContext, Quote, Terminator,
};

/// The table of the POSIX shell, bash, ksh and zsh. Names of commands are identifiers.
pub(crate) const SHELL: Language = Language {
    name: "shell",
    aliases: &["bash", "ksh", "sh", "zsh"],
    extensions: &["ash", "bash", "bats", "dash", "ebuild", "ksh", "sh", "zsh"],
    file_names: &[".bash_profile", ".bashrc", ".profile", ".zshrc", "apkbuild", "pkgbuild"],
    interpreters: &["ash", "bash", "dash", "ksh", "sh", "zsh"],
    idioms: Idioms {
        common: "
            $1 ^case ^cat ^do ^else ^exit ^for ^grep ^if ^read ^return ^then ^while
        ",
        typical: "
            \"$ $( $2 ${ ;; ;·do ^cd ^done ^echo ^export ^local ^printf ^shift
        ",
        sure: "
            $# -eq ;·then ^elif·[ ^esac ^fi ^if·[ ^set·-e ^while·[ ^while·read
        ",
    },
    sigils: "$",
    escapes: "\\",
    keywords: &["
        break case continue declare do done elif else esac eval exec exit export fi for function
        if in let local read readonly return select set shift test then time trap typeset unset
        until while
    "],
    operators: &["&& || ;; ;& >> <<< >& <& &> &>> >| == != =~ += ++ -- <= >= $# $? $! $$ $@ $* $-"],
    comments: &[Comment::line("#").at(CommentPlace::Word)],
    quotes: &[
        Quote::template("\"", "$(", b')'),
        Quote::lines("'", "'").raw(),
        Quote::lines("$'", "'"),
        Quote::here_document("<<", Terminator::Line).after(OpenerContext::Anything),
    ],
    numbers: Numbers::STRICT,
    imports: &[Import::either("source")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::SHELL;
    use crate::languages::expect;

    #[test]
    fn an_escaped_quote_opens_nothing() {
        expect(&SHELL, "echo \\\" a\nb \\' c \\\\ \"d\"", "ID \" ID ID ' ID STR");
        expect(
            &SHELL,
            "x=${x//\\\"/}; y=\"$(f \\\" \\))\" z",
            "ID = $ { ID / / \" / } ; ID = STR ID \" ) STR ID",
        );
        expect(&SHELL, "a \\# b \\\nc \\$d \\<<e\nf", "ID # ID ID $ ID < < ID ID");
    }

    #[test]
    fn worked_example() {
        expect(
            &SHELL,
            r#"#!/bin/sh
source ./lib.sh
f() { # it's
  x="a $(g "b" '$(') c\"" y='raw \' z=$'it\'s' n=${#x} m=${x#y} o=$#
  if [ "$x" != 2 ]; then cat <<-'EOF' >>out && exit $?
	text " ' $(
	EOF
  fi; h <<<"$x" || while :; do :; done # end
}
"#,
            "ID ( ) {
               ID = STR ID STR STR STR ID = STR ID = STR ID = $ { # ID } ID = $ { ID # ID } ID = $#
               if [ STR != NUM ] ; then ID STR >> ID && exit $? STR
               fi ; ID <<< STR || while : ; do : ; done
             }",
        );
    }
}
