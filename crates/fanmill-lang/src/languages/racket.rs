//! Racket: The Racket Reference, 8.

use super::scheme::{KEYWORDS, SCHEME};
use crate::{Idioms, Import, Language, OpenerContext, Quote, Terminator};

/// The table of Racket.
pub(crate) const RACKET: Language = Language {
    name: "racket",
    aliases: &["rkt"],
    extensions: &["rkt", "rktd", "rktl"],
    interpreters: &["racket"],
    hints: &[],
    idioms: Idioms {
        common: "
            (and (if (list (not (or )))
        ",
        typical: "
            #f #t (cond (cons (define (lambda (let·(( [else ^;;
        ",
        sure: "
            #lang (check-expect (first (require (rest empty? racket/base struct-out
        ",
    },
    keywords: &[
        KEYWORDS,
        "
        class class* contract-out define-struct define-syntax-rule define/contract define/public
        field for for* for*/list for/and for/first for/fold for/hash for/list for/or for/sum
        for/vector init let/cc local match match-define match-lambda module module+ new override
        provide public send struct super syntax-case syntax-parse this with-handlers with-syntax
    ",
    ],
    quotes: &[
        Quote::lines("\"", "\""),
        Quote::lines("#\"", "\""),
        Quote::lines("#rx\"", "\""),
        Quote::lines("#px\"", "\""),
        Quote::lines("#rx#\"", "\""),
        Quote::lines("#px#\"", "\""),
        Quote::glyph("#\\"),
        Quote::here_document("#<<", Terminator::Line).after(OpenerContext::Anything),
        Quote::line("|", "|").name().or_operator(),
    ],
    imports: &[Import::line("#lang"), Import::bracketed("require"), Import::bracketed("provide")],
    ..SCHEME
};

#[cfg(test)]
mod tests {
    use super::RACKET;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &RACKET,
            r#"
#lang racket/base
(require racket/list (for-syntax "x.rkt"))
(define [f #:key k] #;(no) (regexp-match #px"\\d\"" #"bytes" #<<END
text ( "
END
  #\a #f)) #| end |#
"#,
            "( define [ ID ID ID ] #; ( ID ) ( ID STR STR STR STR STR #f ) )",
        );
    }
}
