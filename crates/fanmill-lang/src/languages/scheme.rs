//! Scheme: R7RS.

use super::common_lisp::{COMMENTS, NUMBERS};
use crate::{Idioms, Import, Language, Quote};

/// Keywords of Scheme and Racket.
pub(crate) const KEYWORDS: &str = "
    #f #false #t #true and begin case case-lambda cond define define-record-type define-syntax
    define-values delay delay-force do dynamic-wind else guard if lambda let let* let*-values
    let-syntax let-values letrec letrec* letrec-syntax named-lambda not or parameterize quasiquote
    quote set! syntax-rules unless unquote when
";

/// The table of Scheme. A datum comment's `#;` is an operator, and the datum is code.
pub(crate) const SCHEME: Language = Language {
    name: "scheme",
    extensions: &["sc", "scm", "sld", "sls", "ss"],
    interpreters: &["chibi-scheme", "guile"],
    hints: &[("(define", 6), ("(lambda", 3), ("(let", 2), (";;", 1)],
    idioms: Idioms {
        common: "
            (and (if (list (not (or )))
        ",
        typical: "
            #f #t (car (cdr (cond (cons (else (lambda (let·(( ^;;
        ",
        sure: "
            (define (display (newline) call/cc define-syntax let-syntax null? pair? set! zero?
        ",
    },
    word_start: "!$%&*+-/:<=>?@^~.",
    sigils: "#",
    keywords: &[KEYWORDS],
    operators: &["#( ,@ #; => ... #u8("],
    comments: COMMENTS,
    quotes: &[
        Quote::lines("\"", "\""),
        Quote::glyph("#\\"),
        Quote::line("|", "|").name().or_operator(),
    ],
    numbers: NUMBERS,
    imports: &[
        Import::bracketed("import"),
        Import::bracketed("require"),
        Import::bracketed("load"),
        Import::bracketed("use-modules"),
    ],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::SCHEME;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &SCHEME,
            r#"
(import (scheme base) (only (srfi 1) fold))
#| a #| b |# c |#
(define (list->x l . rest) ; note
  (let loop ((i -1)) (if (eq? i #t) #\space #(1 .5 #xFF "s\"")))
  #;(hidden) '(a `(b ,@c)))
"#,
            "( define ( ID ID ID ID )
               ( let ID ( ( ID NUM ) ) ( if ( ID ID #t ) STR #( NUM NUM NUM STR ) ) )
               #; ( ID ) ' ( ID ` ( ID ,@ ID ) ) )",
        );
    }
}
