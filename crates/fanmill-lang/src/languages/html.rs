//! HTML, XML, and the templates that look like them: the HTML Living Standard.
//!
//! In an HTML page, the text between tags is prose, and is compared as prose. In XML and in templates of programs it is
//! data, and its words are tokens like all others.

use super::css::CSS;
use super::javascript::JAVASCRIPT;
use crate::{Case, Comment, Island, Language, Numbers, OpenerContext, Quote, Words};

/// The inside of a tag, between `<` and `>`: names keep their spelling, values are strings.
const TAG: Language = Language {
    case: Case::Ignored,
    words: Words::Spelled,
    word_start: ":@",
    word_part: "-.",
    quotes: &[
        Quote::lines("\"", "\"").raw().after(OpenerContext::Equals).or_operator(),
        Quote::lines("'", "'").raw().after(OpenerContext::Equals).or_operator(),
    ],
    numbers: Numbers::STRICT,
    ..Language::EMPTY
};

/// The inside of `<!…>` and `<?…>`: strings need no attribute name before them.
const DECLARATION: Language = Language {
    quotes: &[
        Quote::lines("\"", "\"").raw().or_operator(),
        Quote::lines("'", "'").raw().or_operator(),
    ],
    ..TAG
};

/// The table of XML and of templates. Words of the text are tokens; scripts and styles are read in their own languages.
pub(crate) const XML: Language = Language {
    name: "xml",
    aliases: &["svelte", "vue"],
    extensions: &["astro", "svelte", "svg", "vue", "wxml", "xaml", "xml", "xsl", "xslt"],
    case: Case::Ignored,
    words: Words::Spelled,
    word_inner: "'",
    operators: &["</"],
    comments: &[Comment::block("<!--", "-->")],
    numbers: Numbers::STRICT,
    islands: &[
        Island::searched("<script", "</script", &JAVASCRIPT),
        Island::searched("<style", "</style", &CSS),
        Island::tag("<", ">", &TAG),
        Island::tag("</", ">", &TAG),
        Island::tag("<!", ">", &DECLARATION),
        Island::tag("<?", ">", &DECLARATION),
    ],
    ..Language::EMPTY
};

/// The table of HTML: tags, scripts and styles.
pub(crate) const HTML: Language = Language {
    name: "html",
    aliases: &[],
    extensions: &["htm", "html", "mustache", "xhtml"],
    version: 2,
    is_page: true,
    ..XML
};

#[cfg(test)]
mod tests {
    use super::{HTML, XML};
    use crate::languages::expect;

    #[test]
    fn a_quote_that_is_no_value_hides_nothing() {
        expect(
            &XML,
            "<a href=x\"y>b</a> <i \"c\">d</i>",
            "< a href = x \" y > b </ a > < i \" c \" > d </ i >",
        );
        expect(&XML, "<a href=\"x>b</a>\nc", "< a href = \" x > b </ a > c");
        expect(&XML, "<!DOCTYPE html PUBLIC \"a>b\">", "<! doctype html public STR >");
    }

    #[test]
    fn the_tags_of_an_article_are_not_compared_but_its_scripts_are() {
        let sentence =
            "The ferry left at nine, as on each other day of that long and windless summer.";
        let page = |text: &str| {
            format!(
                "<ul><li>Home</li></ul><p class='a'>{text}</p><script>let x = 1;</script><p>{text}</p>"
            )
        };
        let tags = "< ul > < li > </ li > </ ul > < p class = STR > </ p > \
            <script > let ID = NUM ; </ script > < p > </ p >";
        expect(&HTML, &page("Ferry"), tags);
        expect(&HTML, &page(sentence), "<script > let ID = NUM ;");
    }

    #[test]
    fn worked_example() {
        let page = r#"<!DOCTYPE html>
<!-- it's a note -->
<P class="a > b" data-x='1'>It's 5 < 6, "Joe &amp; Ann".<br/></P>
<script>let s = '</p>' + "x"; // it's</script>
<STYLE>a { color: "red" }</STYLE>
"#;
        expect(
            &HTML,
            page,
            "<! doctype html > < p class = STR data-x = STR > < < br / > </ p >
             <script > let ID = STR + STR ; </ script >
             <style > ID { color : STR } </ style >",
        );
        expect(
            &XML,
            page,
            "<! doctype html > < p class = STR data-x = STR > it's 5 < 6 , \" joe & amp ; ann \" . < br / > </ p >
             <script > let ID = STR + STR ; </ script >
             <style > ID { color : STR } </ style >",
        );
    }
}
