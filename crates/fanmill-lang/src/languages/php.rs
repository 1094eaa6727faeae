//! PHP: the PHP language specification, "Lexical Structure", with the words of PHP 8.

use super::c::OPERATORS;
use crate::{Case, Comment, Idioms, Import, Island, Language, Numbers, Quote, Terminator, Words};

/// The code between `<?php` and `?>`.
const CODE: Language = Language {
    case: Case::Ignored,
    sigils: "$",
    keywords: &["
        abstract and array as bool break callable case catch class clone const continue declare
        default die do echo else elseif empty enddeclare endfor endforeach endif endswitch
        endwhile enum eval exit extends false final finally float fn for foreach function global
        goto if implements include include_once instanceof insteadof int interface isset iterable
        list match mixed namespace new null object or parent print private protected public
        readonly require require_once return self static string switch throw trait true try unset
        use var void while xor yield
    "],
    operators: &[OPERATORS, "=> :: ?-> ?? ??= === !== <=> ** **= .= <>"],
    comments: &[Comment::line("//"), Comment::line("#").unless("["), Comment::block("/*", "*/")],
    quotes: &[
        Quote::template("\"", "{$", b'}'),
        Quote::lines("'", "'"),
        Quote::lines("`", "`"),
        Quote::here_document("<<<", Terminator::Start),
    ],
    numbers: Numbers::C,
    imports: &[
        Import::statement("namespace"),
        Import::statement("use").unless(&["("]),
        Import::statement("include"),
        Import::statement("include_once"),
        Import::statement("require"),
        Import::statement("require_once"),
    ],
    ..Language::EMPTY
};

/// The table of PHP: a page of words with islands of code.
pub(crate) const PHP: Language = Language {
    name: "php",
    extensions: &["php", "php3", "php4", "php5", "php7", "phps", "phtml"],
    interpreters: &["php"],
    idioms: Idioms {
        common: "
            ); ^echo ^else ^for ^foreach ^function ^if ^return ^while ^}
        ",
        typical: "
            $this-> ?> ^$ ^namespace ^private·function ^use array( isset(
        ",
        sure: "
            $_GET $_POST $_SESSION <?php ^protected·function ^public·function mysqli_
        ",
    },
    words: Words::Spelled,
    islands: &[Island::read("<?php", "?>", &CODE), Island::read("<?=", "?>", &CODE)],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::PHP;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &PHP,
            r#"
<p>It's</p> <?= $x // so ?> b
<?php
namespace A; use B\{C, D};
#[Attr] # note '
function f(?int $x): array { /* two */
    $s = "a {$x['k']} \" $y" . 'it\'s ?>' . <<<EOT
      text "$x" '
      EOT . 'z';
    return fn($a) => $a?->b ?? 0x1F <=> 1_0.5e3; }
"#,
            "< p > it ' s < / p > <?= ID ?> b <?php
             # [ ID ]
             function ID ( ? int ID ) : array {
               ID = STR ID [ STR ] STR . STR . STR STR . STR ;
               return fn ( ID ) => ID ?-> ID ?? NUM <=> NUM ; }",
        );
    }
}
