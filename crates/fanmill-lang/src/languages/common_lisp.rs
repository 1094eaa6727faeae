//! Common Lisp: ANSI X3.226 (the `HyperSpec`). The table suits Emacs Lisp well enough.

use crate::{Case, Comment, Idioms, Import, Language, Numbers, Quote};

/// Radix numbers and signs of the Lisps.
pub(crate) const NUMBERS: Numbers =
    Numbers { prefixes: &[".", "+", "-", "#x", "#b", "#o", "#e", "#i"], marks: "/", ..Numbers::C };

/// `;` and nested `#| |#`.
pub(crate) const COMMENTS: &[Comment] = &[Comment::line(";"), Comment::nested("#|", "|#")];

/// The table of Common Lisp.
pub(crate) const COMMON_LISP: Language = Language {
    name: "lisp",
    aliases: &["commonlisp", "elisp"],
    extensions: &["asd", "cl", "el", "lisp", "lsp"],
    interpreters: &["clisp", "sbcl"],
    hints: &[("(defun", 9), ("(defvar", 4), ("(setq", 4), ("(let", 2), (";;", 1)],
    idioms: Idioms {
        common: "
            (and (if (list (not (or )))
        ",
        typical: "
            (car (cdr (cond (cons (dolist (dotimes (let·(( (loop (push (unless (when ^;;
        ",
        sure: "
            (defmacro (defparameter (defstruct (defun (defvar (format·t (incf (mapcar (setf
            (setq
        ",
    },
    case: Case::Ignored,
    word_start: "!$%&*+-/:<=>?@^~.",
    keywords: &["
        and block case catch cond declare defclass defconstant defgeneric defmacro defmethod
        defpackage defparameter defstruct defun defvar destructuring-bind do do* dolist dotimes
        ecase etypecase eval-when flet function go handler-case if labels lambda let let* loop
        macrolet multiple-value-bind nil not or otherwise prog prog1 prog2 progn quote return
        return-from setf setq t tagbody the throw typecase unless unwind-protect values when
        with-open-file
    "],
    operators: &["#' ,@ #("],
    comments: COMMENTS,
    quotes: &[
        Quote::lines("\"", "\""),
        Quote::glyph("#\\"),
        Quote::line("|", "|").name().or_operator(),
    ],
    numbers: NUMBERS,
    imports: &[
        Import::bracketed("in-package"),
        Import::bracketed("require"),
        Import::bracketed("use-package"),
        Import::bracketed("provide"),
    ],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::COMMON_LISP;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &COMMON_LISP,
            r#"
(in-package :my-app)
#| block #| nested |# |#
(DEFUN list-sum (xs &optional (z -1.5e3)) ; comment
  (if (eql x #\( ) '(a . b) `(1+ ,@xs #xFF #'car |odd one| "two
lines \"")))
"#,
            "( defun ID ( ID ID ( ID NUM ) )
               ( if ( ID ID STR ) ' ( ID ID ID ) ` ( NUM ID ,@ ID NUM #' ID ID STR ) ) )",
        );
    }
}
