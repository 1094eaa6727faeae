//! LaTeX: the `TeXbook`.

use fanmill_text::frontend::Kind;

use crate::{Comment, Import, Language, Numbers, Words};

/// The table of LaTeX: words of prose, and commands by their names. Punctuation and braces are
/// blank, so that a text matches its plain version.
pub(crate) const LATEX: Language = Language {
    name: "latex",
    aliases: &["tex"],
    extensions: &["bib", "cls", "dtx", "latex", "ltx", "sty", "tex"],
    hints: &[
        ("\\documentclass", 6),
        ("\\begin{", 6),
        ("\\newcommand", 4),
        ("\\providesclass", 4),
        ("\\section", 4),
    ],
    version: 3,
    has_cells: true,
    kind: Kind::Words,
    words: Words::Spelled,
    word_inner: "'",
    sigils: "\\",
    blanks: "{}[]().,;:!?\"`'~-_",
    operators: &["\\\\ \\% \\& \\$ \\# \\_ \\{ \\} \\[ \\] \\( \\)"],
    comments: &[Comment::line("%")],
    numbers: Numbers::STRICT,
    imports: &[
        Import::line("\\usepackage"),
        Import::line("\\documentclass"),
        Import::line("\\RequirePackage"),
    ],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::LATEX;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &LATEX,
            "\\documentclass[a4paper]{article}\n\\usepackage{x} % note\n\\begin{document}\n\
             It's 50\\% of {\\em all} ``words'' -- $x_1^2$.\\\\ % it's\n\\end{document}",
            "\\begin document it's 50 \\% of \\em all words $ x 1 ^ 2 $ \\\\ \\end document",
        );
    }
}
