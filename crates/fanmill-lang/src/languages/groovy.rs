//! Groovy: the Groovy Language Documentation, 4.0, "Syntax".

use super::c::{COMMENTS, OPERATORS};
use crate::{Import, Language, Numbers, OpenerContext, Quote};

/// The table of Groovy and Gradle.
pub(crate) const GROOVY: Language = Language {
    name: "groovy",
    aliases: &["gradle"],
    extensions: &["gradle", "groovy", "gvy"],
    file_names: &["jenkinsfile"],
    interpreters: &["groovy"],
    version: 2,
    word_start: "$",
    keywords: &["
        abstract assert boolean break byte case catch char class const continue def default do
        double else enum extends false final finally float for goto if implements import in
        instanceof int interface long native new null package private protected public return
        short static strictfp super switch synchronized this throw throws transient true try void
        volatile while
    "],
    operands: &["false null super this true"],
    operators: &[OPERATORS, ">>> >>>= => ?. ?: *. .& .@ =~ ==~ <=> .. ..< ** :: ?= === !=="],
    comments: COMMENTS,
    quotes: &[
        Quote::template("\"", "${", b'}').on_one_line(),
        Quote::template("\"\"\"", "${", b'}'),
        Quote::line("'", "'"),
        Quote::lines("'''", "'''"),
        Quote::pattern().after(OpenerContext::OperatorOrCommand),
    ],
    numbers: Numbers::STRICT,
    imports: &[Import::either("import"), Import::either("package")],
    qualifiers: &[("this", ".")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::GROOVY;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &GROOVY,
            "import a.b\ndef f = { it ==~ /a\\/\"b/ ? \"x ${m['k']}\" : '''it's''' } // c\nx?.y / 2 / z",
            "def ID = { ID ==~ STR ? STR ID [ STR ] STR : STR } ID ?. ID / NUM / ID",
        );
    }
}
