//! AWK: IEEE 1003.1-2017 (POSIX), awk, "Lexical Conventions".

use crate::{Comment, Idioms, Language, Numbers, Quote};

/// The table of AWK.
pub(crate) const AWK: Language = Language {
    name: "awk",
    aliases: &["gawk"],
    extensions: &["awk"],
    interpreters: &["awk", "gawk", "mawk", "nawk"],
    idioms: Idioms {
        common: "
            $1 $2 ^else ^for ^function ^if ^print ^printf ^}
        ",
        typical: "
            $0 NF NR length( split( substr(
        ",
        sure: "
            FILENAME FNR FS·= OFS RSTART ^BEGIN{ ^BEGIN·{ ^END{ ^END·{ gsub( print·$
        ",
    },
    blanks: "\\",
    keywords: &["
        BEGIN BEGINFILE END ENDFILE break case continue default delete do else exit for func
        function getline if in next nextfile print printf return switch while
    "],
    operators: &["++ -- += -= *= /= %= ^= ** **= == != <= >= && || !~ >> |&"],
    comments: &[Comment::line("#")],
    quotes: &[Quote::line("\"", "\""), Quote::pattern()],
    numbers: Numbers::C,
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::AWK;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &AWK,
            "BEGIN { FS = \"\\\"\" } # it's\n$1 ~ /[/\"]\\/#/ && NR > .5 { n[$2] += $3 / 2 / NF; print n > \"f\" }",
            "BEGIN { ID = STR } $ NUM ~ STR && ID > NUM { ID [ $ NUM ] += $ NUM / NUM / ID ; print ID > STR }",
        );
    }
}
