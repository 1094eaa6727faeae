//! COBOL: ISO/IEC 1989:2014; fixed and free form.

use crate::{Case, Comment, CommentPlace, Escape, Idioms, Language, Numbers, Quote};

/// The table of COBOL. Sequence numbers in columns 1 to 6 are read as numbers.
pub(crate) const COBOL: Language = Language {
    name: "cobol",
    extensions: &["cbl", "cob", "cobol", "cpy"],
    idioms: Idioms {
        common: "
            ^add ^close ^else ^exit ^if ^move ^read ^select ^subtract ^until ^write
        ",
        typical: "
            ^01 ^05 ^10 ^77 ^accept ^compute ^display ^fd ^open·input ^perform
        ",
        sure: "
            ^end-if ^end-perform ^end-read ^evaluate·true ^program-id ^stop·run data·division
            environment·division identification·division pic·9 pic·s9 pic·x pic·z
            procedure·division working-storage
        ",
    },
    case: Case::Ignored,
    word_part: "-",
    keywords: &["
        accept access add advancing after all alphabetic also alternate and are area ascending
        assign at author before binary block by call cancel close comp comp-3 computational
        compute configuration contains continue control copy corresponding count data date
        declaratives delete delimited delimiter depending descending display divide division down
        dynamic else end end-add end-call end-compute end-divide end-evaluate end-if end-multiply
        end-perform end-read end-return end-search end-start end-string end-subtract end-unstring
        end-write environment equal error evaluate exit external fd file file-control filler first
        for from function giving global go goback greater high-values identification if in index
        indexed initial initialize input input-output inspect into invalid is just justified key
        label leading left length less line linkage local-storage lock low-values merge mode move
        multiply negative next no not numeric object occurs of off on open or order organization
        other output overflow packed-decimal page perform pic picture pointer positive procedure
        proceed program program-id quote random read record redefines reference relative release
        remainder renames replacing return returning reverse rewind rewrite right rounded run
        search section select sentence separate sequential set sign size sort source space spaces
        special-names standard start status stop string subtract sum symbolic sync table tally
        than then through thru time times to trailing type unstring until up upon usage using
        value values varying when with working-storage write zero zeroes zeros
    "],
    operators: &["** >= <= <>"],
    comments: &[
        Comment::line("*>"),
        Comment::line("*").at(CommentPlace::Column(7)),
        Comment::line("/").at(CommentPlace::Column(7)),
        Comment::line("*").at(CommentPlace::Column(1)),
    ],
    quotes: &[
        Quote::line("\"", "\"").escape(Escape::Doubled),
        Quote::line("'", "'").escape(Escape::Doubled),
    ],
    numbers: Numbers::STRICT,
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::COBOL;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &COBOL,
            "      * it's a note\n       IDENTIFICATION DIVISION.\n       77 Total-X PIC 9(3) VALUE 1.5. *> inline\n           \
             MULTIPLY a * b GIVING c DISPLAY \"say \"\"hi\"\"\" 'x'.",
            "identification division . NUM ID pic NUM ( NUM ) value NUM .
             multiply ID * ID giving ID display STR STR .",
        );
    }
}
