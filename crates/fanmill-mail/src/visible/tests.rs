//! Pages made by hand, pages made to hurt, and any pages.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

fn text(page: &str) -> String {
    read(page).text
}

#[test]
fn pages_have_the_text_that_one_sees() {
    let cases = [
        ("v<!-- x -->ia<b></b>gra", "viagra"),
        ("v<x>i</x><nosuch a=b/>agra", "viagra"),
        ("V<![if !x]>ia<![endif]><!--[if mso]>no<![endif]-->gra", "Viagra"),
        ("one<br>two<p>three<div>four</div>five", "one\ntwo\n\nthree\nfour\nfive"),
        ("<table><tr><td>1<td>2<tr><td>3</table>4", "1 2\n3\n\n4"),
        ("<title>no</title><style>p{}</style>x<script>'<p>no'</script>y", "xy"),
        ("x<noscript>on</noscript><template>off</template>", "xon"),
        ("<img alt='no'>x<a href=\"no\">y", "xy"),
        ("<pre>\n  a\n   b\n</pre>c&nbsp;&amp;&lt;", "  a\n   b\n\nc\u{a0}&<"),
        ("<textarea> <b>x</b></textarea>", " <b>x</b>"),
        ("<p>cut off <a href=\"", "cut off"),
        ("", ""),
    ];
    for (page, expected) in cases {
        assert_eq!(text(page), expected, "{page}");
    }
}

#[test]
fn hidden_text_is_left_out_and_counted() {
    let ways = [
        "hidden",
        "style='display:none'",
        "style='DISPLAY : none !important'",
        "style='x:y;display:/**/none'",
        "style='visibility:hidden'",
        "style='font-size:0'",
        "style='font-size: 1px'",
        "style='font:bold .1em/2 x'",
        "style='mso-hide:all'",
        "style='opacity:0.0'",
        "style='height:0;overflow:hidden'",
        "style='max-height:0px; overflow:hidden'",
        "style='color:white'",
        "style='color:#fefefe'",
        "style='color:rgb(250, 255, 255)'",
        "style='color:rgba(0,0,0,0)'",
        "style='color:transparent'",
        "style='color:red;background:#F00 repeat'",
        "style='background-color:black'",
        "style='text-indent:-9999px'",
        "style='position:absolute;left:-5000px'",
        "style='clip:rect(0,0,0,0)'",
    ];
    for way in ways {
        let read = read(&format!("a<span {way}>x <b>y</b></span>b"));
        assert_eq!((&*read.text, read.n_hidden), ("ab", 2), "{way}");
    }
    for page in [
        "a<font color=white>xy</font>b",
        "a<font color='#FFFFFF'>x<i>y</font></i>b",
        "a<font color=fefefe>xy</font>b",
        "<body bgcolor=black text='#CCCCCC'>a<font color='#010101'>xy</font>b",
        "a<font color=blue>b</font><table bgcolor=yellow></table><body text=red bgcolor=red>xy",
        "<style><!-- .h, p.q { display: none } --></style>a<b class='g H'>xy</b>b",
        "<style>#i {color:white}</style>a<b id=I>xy</b>b",
        "<style>@media x { p {a:b} } b { visibility:hidden }</style>a<b>xy</b>b",
        "<style>/* { */ b{font-size:0}",
    ] {
        let read = read(page);
        let expected = match page {
            page if page.starts_with("<style>/*") => ("", 19),
            _ => ("ab", 2),
        };
        assert_eq!((&*read.text, read.n_hidden), expected, "{page}");
    }
}

#[test]
fn what_is_never_closed_hides_the_rest() {
    for page in ["a<!-- bc", "a<title>bcdefg", "a<script>bcdefg", "a<style>bcdefg"] {
        let read = read(page);
        assert_eq!((&*read.text, read.n_hidden), ("a", 6), "{page}");
    }
}

#[test]
fn text_that_can_be_seen_is_not_hidden() {
    for page in [
        "<p style='display:block'>x",
        "<p style='visibility:hidden'><b style='visibility:visible'>x",
        "<p style='font-size:0'><b style='font-size:12px'>x",
        "<p style='font-size:1em'>x",
        "<p style='font-size:90%'>x",
        "<font size=1>x",
        "<p style='width:0'>x",
        "<p style='color:white;background:url(dark.gif)'>x",
        "<table background=dark.gif><tr><td><font color=white>x",
        "<table><td bgcolor=navy><font color=white>x",
        "<body bgcolor=black text=white>x",
        "<font color=white><a href=y>x</a></font>",
        "<font color=white><table><tr><td>x</table></font>",
        "<style>.d .b{background:navy} .w{color:white}</style><p class=b><b class=w>x",
        "<style>@media print{b{display:none}}</style><b>x",
        "<style>a:hover{display:none}</style><a>x",
        "<p style='display:none'>h<p>x",
        "<p><font color=white></font>x",
        "<li hidden>h<li>x",
        "<tr><td hidden>x",
        "<table><tr><td><font color=white></table>x",
        "<table><tr hidden><td>h<tr><td>x",
        "<table bgcolor=black><tr><td bgcolor=red></td></tr><table>x",
        "<table hidden><caption><table>h</table>h</table>x",
        "<div hidden>h<span>h</div>x",
        "<div hidden></span>h</div>x",
    ] {
        assert_eq!(text(page), "x", "{page}");
    }
}

#[test]
fn hidden_text_ends_where_browsers_end_it() {
    let cases = [
        // Formatting stays open over the ends of paragraphs.
        ("<p><font color=white>h<p>h</font>x", "x"),
        // The end of a plain element does not reach out of a block.
        ("<span hidden><div>h</span>h</div></span>x", "x"),
        // Nor any end out of a cell.
        ("<table hidden><tr><td>h</div></p></span></b>h</table>x", "x"),
        ("<b>1<b>2<b>3<b>4</b></b></b><i hidden>h</i></b>x", "1234x"),
        // What is not displayed ends no line.
        ("via<div hidden>h<br></div>gra", "viagra"),
    ];
    for (page, expected) in cases {
        assert_eq!(text(page), expected, "{page}");
    }
}

#[test]
fn beyond_the_depth_all_text_is_visible() {
    let page = format!("<p hidden>h{}x</p>y", "<x>".repeat(600));
    let read = read(&page);
    assert_eq!((&*read.text, read.n_hidden, read.n_deep), ("x\n\ny", 1, 89));
    let crowd: String = (0..600).fold(String::new(), |all, i| all + " a" + &i.to_string());
    let crowded = super::read(&format!("<p style='display:none' {crowd}{}>x", " ".repeat(2000)));
    assert_eq!((&*crowded.text, crowded.n_crowded), ("x", 1));
}

/// Each page of some megabytes, made to be slow for what builds trees or looks back.
#[test]
fn pages_made_to_hurt_take_linear_time() {
    let attributes: String = (0..200_000).fold(String::new(), |all, i| all + " a" + &i.to_string());
    let deep = "<x>".repeat(500);
    let pages = [
        "<div>".repeat(100_000) + &"</div>".repeat(100_000),
        "<b>".repeat(1_000_000),
        format!("{deep}{}", "</i>".repeat(1_000_000)),
        format!("{deep}{}", "<td></td>".repeat(300_000)),
        format!("<table>{deep}{}", "<td></td>".repeat(300_000)),
        format!("{deep}{}", "<li></li>".repeat(300_000)),
        format!("<i>{deep}{}", "</i><i>".repeat(300_000)),
        "<p><font color=white><p><font color=red>".repeat(50_000),
        "<".repeat(3_000_000),
        "&".repeat(3_000_000),
        format!("<a{attributes}>x"),
        "<!--".repeat(700_000),
        "<script><!--<script>".repeat(150_000),
        format!("<style>{}", "a{color:red}".repeat(200_000)),
        format!("<style>{}{{color:red}}", "a,".repeat(1_000_000)),
        format!("<p style='{}'>", "color:red;".repeat(300_000)),
        format!("<style>.a{{x:y}}.b{{color:red}}</style>{}", "<p class='b c d'>".repeat(200_000)),
        "<pre>\n \n".repeat(300_000),
    ];
    for page in pages {
        let start = Instant::now();
        let _ = text(&page);
        let start_of_page = &page[..20];
        assert!(start.elapsed() < Duration::from_secs(10), "{start_of_page}");
    }
}

proptest! {
    #[test]
    fn no_page_makes_it_panic(parts in prop::collection::vec(prop::sample::select(&["<p>", "</p>", "<pre>", "<table>", "</table>", "<tr>", "<td>", "</td>", "<b>", "</b>", "<font color=white>", "</font>", "<span hidden>", "</span>", "<div style='", "<style>", "</style>", "p{", "}", "color:", "#fff", "rgb(1,", "font:0", ";", "<!--", "-->", "<body bgcolor=", "'", ">", "x", " ", "\n", "é"][..]), 0..40)) {
        let page = parts.concat();
        let read = read(&page);
        prop_assert!(read.text.len() + read.n_hidden <= 2 * page.len());
    }

    #[test]
    fn plain_words_are_themselves(words in prop::collection::vec("[a-zé]{1,6}", 0..10)) {
        prop_assert_eq!(text(&words.join(" \n ")), words.join(" "));
    }

    #[test]
    fn comments_and_tags_leave_no_trace(
        letters in prop::collection::vec("[a-z]", 1..10),
        marks in prop::collection::vec(prop::sample::select(&["<!-- x -->", "<b>", "</b>", "<i></i>", "<q1>", "</q1>", "<font size=7>", "<span style='font-size:0'>x</span>"][..]), 10),
    ) {
        let page: String = letters.iter().zip(&marks).map(|(letter, mark)| letter.clone() + mark).collect();
        prop_assert_eq!(text(&page), letters.concat());
    }
}
