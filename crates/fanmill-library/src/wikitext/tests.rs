//! Wikitext and its text.

use std::time::Duration;

use proptest::prelude::*;

use super::*;

fn german() -> LinkNames {
    let mut names = LinkNames::standard();
    names.add("Datei");
    names.add("Kategorie");
    names
}

#[test]
fn markup_becomes_text() {
    let cases = [
        ("'''Barley''' is a ''grain''.", "Barley is a grain."),
        ("it''''s''' and '''''both'''''", "it's and both"),
        ("[[Barley]] and [[rye|other grain]]s", "Barley and other grains"),
        ("[[:Category:Grain]], [[Help:Text|]]", "Category:Grain, Help:Text"),
        ("a[[File:x.jpg|thumb|A [[grain]] of rye]]b[[Category:X]]c", "abc"),
        ("[[Datei:x.jpg|mini]]a[[kategorie:X|*]]", "a"),
        ("[[de:Gerste]][[zh-min-nan:X]]a", "a"),
        (
            "[https://a.example words here], [https://a.example], https://b.example",
            "words here, , https://b.example",
        ),
        ("{{Infobox|a={{b|c}}|d}}Text{{cite}}.", "Text."),
        ("{{{1|x}}}a{{{{b}}}}c", "ac"),
        ("a\n{| class=x\n|-\n| cell {{t|}}\n{|\n| in\n|}\n|}\nb", "a\n\nb"),
        ("a<ref>no {{x}}</ref>b<ref name=x />c<REF>y</Ref>d", "abcd"),
        ("a<!-- {{ -->b<!-- never", "ab"),
        ("<nowiki>[[x]] {{y}} &lt;</nowiki>", "[[x]] {{y}} <"),
        ("{{a|<nowiki>}}</nowiki>}}b", "b"),
        ("a\n== Yield ==\nb\n=== More === <!-- c -->\nd", "a\n\nYield\n\nb\n\nMore\n\nd"),
        ("== [[Barley|Grain]] ==", "Grain"),
        ("a = b == c", "a = b == c"),
        ("* one\n** two\n# three\n; term: words\n----\nx", "one\ntwo\nthree\nterm: words\n\nx"),
        ("a&nbsp;b &amp; c &nosuch; &#946; &", "a b & c &nosuch; β &"),
        ("zh-{a}-b }-", "zhab }-"),
        ("a<br/>b<span class=x>c</span> 1 < 2 <unknown>", "a\nbc 1 < 2 <unknown>"),
        ("__NOTOC__a__b__", "a__b__"),
        ("never {{ closed [[ either", "never {{ closed  either"),
        ("a [[b\n\nc]] d", "a b\n\nc]] d"),
        ("x }} y ]] z |} |", "x }} y ]] z |} |"),
        ("<syntaxhighlight lang=c>int x[[1]];\n</syntaxhighlight>b", "int x[[1]];\n\nb"),
        ("<ref>unclosed", "unclosed"),
        ("\n\n\na \n\n\n\nb\n", "a\n\nb"),
        ("", ""),
    ];
    for (source, expected) in cases {
        assert_eq!(text(source, &german()), expected, "{source}");
    }
}

/// Sources of a megabyte that are slow for whatever looks back, or goes down.
#[test]
fn sources_made_to_hurt_take_linear_time() {
    let n = 100_000;
    let sources = [
        "{{".repeat(n),
        "}}".repeat(n),
        "{{".repeat(n) + &"}}".repeat(n),
        "{|\n".repeat(n) + &"{{".repeat(n) + &"\n|}".repeat(n),
        "[[a|".repeat(n) + &"]]".repeat(n),
        "[[".repeat(n),
        "<ref>".repeat(n),
        "<!--".repeat(n),
        "<nowiki>".repeat(n) + &"<pre>".repeat(n),
        "== ".repeat(n),
        "==\n".repeat(n),
        "[https://".repeat(n),
        "&".repeat(4 * n),
        "'".repeat(4 * n),
        "<b ".repeat(n),
        "{{{".repeat(n) + &"}}".repeat(n),
        ("{{".to_owned() + &"\n{|".repeat(30)).repeat(n / 60) + &"}}".repeat(n),
    ];
    for source in sources {
        let (_, effort) = fanmill_effort::of(|| text(&source, &german()));
        let start = &source[..12];
        assert!(effort < Duration::from_secs(4), "{start}: {effort:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(2000)))]
    #[test]
    fn no_source_makes_it_panic(parts in prop::collection::vec(prop::sample::select(&["{{", "}}", "{|", "|}", "{{{", "}}}", "[[", "]]", "[", "]", "|", "\n", "=", "==", "''", "'", "<ref>", "</ref>", "<nowiki>", "</nowiki>", "<!--", "-->", "<br>", "<", ">", "&amp;", "&", ";", "__TOC__", "_", "https://", "File:", ":", "*", "-{", "}-", "é", "a", " "][..]), 0..40)) {
        let source = parts.concat();
        let found = text(&source, &german());
        prop_assert!(found.len() <= 2 * source.len());
    }

    #[test]
    fn plain_words_are_themselves(words in prop::collection::vec("[a-zé]{1,6}", 0..10)) {
        let source = words.join(" ");
        prop_assert_eq!(text(&source, &german()), source);
    }
}
