//! CSS and its supersets SCSS and Less: the CSS Syntax Module, Level 3.

use crate::{Comment, CommentPlace, Language, Numbers, Quote, Words};

/// The table of CSS. Names of properties are kept; selectors and values are classes.
pub(crate) const CSS: Language = Language {
    name: "css",
    aliases: &["less", "scss"],
    extensions: &["css", "less", "pcss", "scss"],
    words: Words::Keys(":"),
    word_start: "-",
    sigils: "@#.$%",
    keywords: &["
        @charset @container @each @else @extend @font-face @for @function @if @import @include
        @keyframes @layer @media @mixin @namespace @page @property @return @supports @use @while
        and from not only or to
    "],
    operators: &["::"],
    comments: &[Comment::block("/*", "*/"), Comment::line("//").at(CommentPlace::Word)],
    quotes: &[
        Quote::line("\"", "\""),
        Quote::line("'", "'"),
        Quote::line("(", ")").prefixed(&["url", "url-prefix"]).unless("\"'").or_operator(),
    ],
    numbers: Numbers { prefixes: &[".", "-", "+"], ..Numbers::STRICT },
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::CSS;
    use crate::languages::expect;

    #[test]
    fn an_unquoted_address_is_one_string() {
        expect(
            &CSS,
            "a { b: url(data:image/svg+xml;/*'x) c; d: url( \"e)\" ) f }\ng { h: url(i\n}",
            "ID { b : STR ID ; d : ID ( STR ) ID } ID { h : ID ( ID }",
        );
    }

    #[test]
    fn worked_example() {
        expect(
            &CSS,
            r#"
@media (min-width: 10.5em) { /* it's */
  #main .nav > a::after { content: "\"}"; margin: -5px .5em; --x: url(http://a/b); } // scss
}
"#,
            "@media ( min-width : NUM ) {
               ID ID > a :: ID { content : STR ; margin : NUM NUM ; --x : STR ; } }",
        );
    }
}
