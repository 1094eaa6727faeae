//! Markdown and its like: `CommonMark` 0.31.

use fanmill_text::frontend::Kind;

use crate::{Comment, Language, Numbers, Words};

/// The table of Markdown: words of prose. Marks and punctuation are blank, so that a text matches
/// its plain version; code blocks are words too.
pub(crate) const MARKDOWN: Language = Language {
    name: "markdown",
    aliases: &["md"],
    extensions: &["markdown", "md", "mdown", "mdx", "qmd", "rmd"],
    version: 3,
    has_cells: true,
    kind: Kind::Words,
    words: Words::Spelled,
    word_inner: "'",
    blanks: "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    comments: &[Comment::block("<!--", "-->")],
    numbers: Numbers::STRICT,
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::MARKDOWN;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &MARKDOWN,
            "# A *Title*\n\n<!-- no -->\n- It's [a _link_](x.html), `code` & 1.5 Ärger.\n",
            "a title it's a link x html code 1.5 Ärger",
        );
    }
}
