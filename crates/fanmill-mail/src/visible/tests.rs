//! Tests with pages written by hand, with hostile pages, and with arbitrary ones.

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

/// Attributes that hide an element.
const WAYS: &[&str] = &[
    "hidden",
    "style='display:none'",
    "style='DISPLAY : none !important'",
    "style='x:y;display:/**/none'",
    "style='visibility:hidden'",
    "style='font-size:0'",
    "style='font-size: 1px'",
    "style='font:bold .1em/2 x'",
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
    // Other notations of colours.
    "style='color:hsl(0, 0%, 100%)'",
    "style='color:hwb(0 99% 0%)'",
    "style='color:lab(100% 0 0)'",
    "style='color:oklch(1 0 0)'",
    "style='color:color(srgb 1 1 1)'",
    "style='color:canvas'",
    "style='-webkit-text-fill-color:transparent'",
    "style='color:lightgoldenrodyellow;background:lightgoldenrodyellow'",
    // Escapes and comments.
    "style='d\\69splay:none'",
    "style='display:\\6eone'",
    "style='display:no\\6E e'",
    "style='display/**/:/**/none/**/'",
    "style='color:w\\68ite'",
    // Custom properties.
    "style='--x:none;display:var(--x)'",
    "style='display:var(--x, none)'",
    "style='--a:0;--b:calc(var(--a) * 1px);font-size:var(--b)'",
    "style='--x:1 1 1;color:color(srgb var(--x))'",
    // Notations of numbers.
    "style='font-size:calc(1px - 1px)'",
    "style='opacity:0%'",
    "style='opacity:calc(1 - 1)'",
    "style='font-size:min(0px, 12px)'",
    // Values that shrink, cut, move or fade.
    "style='transform:scale(0)'",
    "style='transform:rotate(3deg) scaleX(0.01)'",
    "style='transform:matrix(0,0,0,0,0,0)'",
    "style='transform:rotateY(90deg)'",
    "style='transform:translateX(-9999px)'",
    "style='scale:0'",
    "style='zoom:0'",
    "style='zoom:1%'",
    "style='clip-path:circle(0)'",
    "style='clip-path:inset(50%)'",
    "style='clip-path:inset(100% 0 0 0)'",
    "style='clip-path:polygon(0 0, 0 0, 0 0)'",
    "style='-webkit-clip-path:ellipse(0 50%)'",
    "style='filter:opacity(0)'",
    "style='filter:blur(1px) opacity(5%)'",
    "style='content-visibility:hidden'",
    "style='position:fixed;right:5000px'",
    "style='position:absolute;inset:-5000px 0 0 0'",
    "style='margin:0 0 0 -5000px'",
    "style='overflow:clip;width:0'",
    // The strongest declaration counts.
    "style='display:none!important;display:block'",
    "style='display:none;display:nonsense(1) x'",
    "popover",
];

/// Pages that show `ab` and hide `xy`.
const PAGES: &[&str] = &[
    "a<font color=white>xy</font>b",
    "a<font color='#FFFFFF'>x<i>y</font></i>b",
    "a<font color=fefefe>xy</font>b",
    "<body bgcolor=black text='#CCCCCC'>a<font color='#010101'>xy</font>b",
    "a<font color=blue>b</font><table bgcolor=yellow></table><body text=red bgcolor=red>xy",
    "<style><!-- .h, p.q { display: none } --></style>a<b class='g H'>xy</b>b",
    "<style>#i {color:white}</style>a<b id=I>xy</b>b",
    "<style>@media x { p {a:b} } b { visibility:hidden }</style>a<b>xy</b>b",
    "<style>@media screen { b { display:none } }</style>a<b>xy</b>b",
    "<style>@media all { @media (min-width:1px) { b { display:none } } }</style>a<b>xy</b>b",
    "<style>i b{display:none}</style>a<i><u><b>xy</b></u></i>b",
    "<style>i > b{display:none}</style>a<i><b>xy</b></i>b",
    "<style>body > b{display:none}</style>a<b>xy</b>b",
    "<style>html b{display:none}</style>a<b>xy</b>b",
    "<style>b[title]{display:none}</style>a<b title>xy</b>b",
    "<style>[title=\"t\"]{display:none}</style>a<b title=t>xy</b>b",
    "<style>[class*=ide]{display:none}</style>a<b class=hidest>xy</b>b",
    "<style>b:not(.c){display:none}</style>a<b>xy</b>b<b class=c></b>",
    "<style>:is(b, u){display:none}</style>a<b>xy</b>b",
    "<style>.\\68 { d\\69splay: none }</style>a<b class=h>xy</b>b",
    "<style>:root{--c:white} b{color:var(--c)}</style>a<b>xy</b>b",
    "<style>* b{display:none} b{display:inline}</style>a<i><b style='display:none'>xy</b></i>b",
    "<style>#i{display:none} b.c{display:block}</style>a<b id=i class=c>xy</b>b",
    "<style>b{display:none!important}</style>a<b style='display:block'>xy</b>b",
    "<style>body{color:white}</style><font color=black>a</font>xy<font color=black>b",
    // A style sheet after its elements.
    "a<b>xy</b>b<style>b{display:none}</style>",
    "a<details><i>xy</i></details>b",
    "a<dialog>xy</dialog>b",
    "a<i style='opacity:.3'><i style='opacity:.3'>xy</i></i>b",
    "a<i style='font-size:20%'><i style='font-size:20%'>xy</i></i>b",
    "<style>/* { */ b{font-size:0}",
];

#[test]
fn hidden_text_is_left_out_and_counted() {
    for way in WAYS {
        let read = read(&format!("a<span {way}>x <b>y</b></span>b"));
        assert_eq!((&*read.text, read.n_hidden), ("ab", 2), "{way}");
    }
    for &page in PAGES {
        let read = read(page);
        let expected = match page {
            page if page.starts_with("<style>/*") => ("", 19),
            _ => ("ab", 2),
        };
        assert_eq!((&*read.text.replace('\n', ""), read.n_hidden), expected, "{page}");
    }
}

/// Text that depends on the reader's screen or program is read in both ways.
#[test]
fn where_it_is_not_known_both_are_read() {
    let cases: [(&str, &str, &[&str]); 18] = [
        ("a<b>x</b>", "ax", &[]),
        ("<style>@media (max-width:600px){b{display:none}}</style>a<b>x</b>", "ax", &["a"]),
        (
            "<style>.m{display:none} @media (max-width:600px){.m{display:inline} .d{display:none}}</style>\
             <b class=d>desk</b><b class=m>phone</b>",
            "desk",
            &["phone", "deskphone"],
        ),
        ("<style>u + b{display:none}</style>a<u></u><b>x</b>", "ax", &["a"]),
        ("<style>b:last-child{display:none}</style>a<b>x</b>", "ax", &["a"]),
        ("<style>@supports (display:grid){b{display:none}}</style>a<b>x</b>", "ax", &["a"]),
        ("a<details>x</details>", "a", &["a\n\nx"]),
        ("a<b style='position:absolute;left:-999px'>x</b>", "a", &["ax"]),
        (
            "<style>@media (max-width:600px){b{display:none}}</style>a<b>x</b><i style='zoom:0'>y</i>",
            "ax",
            &["a", "axy", "ay"],
        ),
        ("<style>@layer x{b{display:none}}</style>a<b>x</b>", "ax", &["a"]),
        ("<style>b:first-child{display:none}</style>a<b>x</b>", "ax", &["a"]),
        ("<style>p{b{display:none}}</style><b>y</b><p>a<b>x</b>", "y\n\nax", &["y\n\na"]),
        ("a<b style='mso-hide:all'>x</b>", "ax", &["a"]),
        ("a<b style='mask:url(x)'>x</b>", "ax", &["a"]),
        ("a<b style='color:white;text-shadow:0 0 black'>x</b>", "ax", &["a"]),
        ("a<b style='float:left'>x</b><p style='float:left'>y", "ax\n\ny", &["axy"]),
        ("a<i style='display:block'>x</i>", "a\nx", &["ax"]),
        ("a<b hidden>x</b>", "a", &["ax"]),
    ];
    for (page, first, others) in cases {
        let read = read(page);
        let found: Vec<&str> = read.others.iter().map(|text| &**text).collect();
        assert_eq!((&*read.text, &found[..]), (first, others), "{page}");
    }
}

#[test]
fn text_is_in_the_order_that_one_sees() {
    let cases = [
        ("buy <bdo dir=rtl>argaiv</bdo> now", "buy viagra now"),
        ("<bdo dir=rtl>arg<b>ai</b>v</bdo>", "viagra"),
        ("<bdo dir=rtl>olleh</bdo><bdo dir=RTL>dlrow</bdo>", "helloworld"),
        ("<span style='unicode-bidi:bidi-override;direction:rtl'>argaiv</span>", "viagra"),
        (
            "<style>.r{unicode-bidi:isolate-override}</style><p dir=rtl><b class=r>argaiv</b>",
            "viagra",
        ),
        (
            "<div style='direction:rtl;unicode-bidi:bidi-override'>eno<br>owt</div>three",
            "one\ntwo\nthree",
        ),
        ("<pre style='direction:rtl;unicode-bidi:bidi-override'>eno\nowt</pre>", "one\ntwo"),
        ("<div style='direction:rtl;unicode-bidi:bidi-override'><p>one</p></div>", "one"),
        ("<bdo dir=rtl>cba<bdo dir=ltr>def</bdo></bdo>", "abcdef"),
        ("<bdo dir=rtl><span dir=ltr>def</span></bdo>", "def"),
        ("<bdo dir=ltr>abc</bdo><p dir=rtl>abc", "abc\n\nabc"),
        ("<bdo dir=rtl>שלום</bdo>", "שלום"),
    ];
    for (page, expected) in cases {
        assert_eq!(text(page), expected, "{page}");
    }
}

#[test]
fn rules_over_the_limits_are_counted() {
    let rule = |i| format!(".a{i}{{color:red}}");
    let many = (0..20_010).map(rule).collect::<Vec<_>>().concat();
    let cut = read(&format!("<style>{many}</style>x"));
    assert_eq!((&*cut.text, cut.n_rules_cut), ("x", 10));
    let list = "b,".repeat(100_000);
    assert_eq!(read(&format!("<style>{list}b{{color:red}}</style>x")).n_rules_cut, 80_001);
    let long = "b ".repeat(500_000);
    assert_eq!(read(&format!("<style>{long}{{color:red}}</style>x")).n_rules_cut, 1);
    let crowd = "<b class=a>".repeat(10_000);
    let same = ".a{color:red}".repeat(10_000);
    assert_eq!(read(&format!("<style>{same}</style>{crowd}x")).n_rules_cut, 1);
    // Doubtful rules are looked at, too, though they are not followed at first.
    let doubtful = "@media (width<9cm){.a{color:red}}".repeat(10_000);
    assert_eq!(read(&format!("<style>{doubtful}</style>{crowd}x")).n_rules_cut, 1);
    let list = |n: usize| format!("{}b", "b,".repeat(n - 1));
    let page = |n: usize, inner: &str| {
        read(&format!("<style>{}{{{}}}</style>x", list(n), inner.repeat(n))).n_rules_cut
    };
    assert_eq!(page(100, "i{top:0}"), 0);
    // There are 160,000 selectors with a size of 3: there is room for 66,666, and for 20,000 rules.
    assert_eq!(page(400, "i{top:0}"), 140_000);
    let many = format!("<style>b:is({}){{top:0}}</style>x", list(2_000));
    assert_eq!(read(&many).n_rules_cut, 1);
}

/// A rule may generate the same text at each element.
#[test]
fn texts_that_styles_write_have_a_limit() {
    let texts = |n: usize, text: &str| {
        let written =
            format!("<style>b::before{{content:{}}}</style>", format!("'{text}' ").repeat(n));
        read(&(written + &"<b>".repeat(1_000)))
    };
    assert_eq!(texts(1, "a few words ").n_rules_cut, 0);
    assert_eq!(texts(16, "w ").n_rules_cut, 0);
    assert_eq!(texts(20, "w ").n_rules_cut, 4);
    let cut = texts(1, &"word ".repeat(1_000));
    assert!((900..1_000).contains(&cut.n_rules_cut), "{}", cut.n_rules_cut);
    assert!(cut.others.iter().all(|text| text.len() < 100_000));
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
        "<style>u + .b{background:navy} .w{color:white}</style><p class=b><b class=w>x",
        "<p style='left:-5000px'>x",
        "<div style='font-size:0'><font size=2>x</font></div>",
        "<style>.a{display:none} p.a{display:block}</style><p class=a>x",
        "<style>p{display:none !important} p{display:block}</style><p style='display:block!important'>x",
        "<style>p:bad!, p{display:none}</style><p>x",
        "<style>.a > .b{display:none} [title=y], p::before, p:hover{display:none}</style><div class=a><i><p class=b title=z>x",
        "<style>@media print{p{display:none}} @media (max-width:1px){p{display:none}} @import 'a.css'; @font-face{x:y} @page{p{display:none}}</style><p>x",
        "<style media=print>p{display:none}</style><p>x",
        "<style>:root{--a:none}</style><p style='--a:block;display:var(--a)'>x",
        "<p style='transform:scale(1) rotate(90deg);clip-path:inset(10%);filter:blur(1px);zoom:.5;opacity:.5'>x",
        "<details open><summary></summary>x</details>",
        "<details><summary>x</summary></details>",
        "<dialog open>x</dialog>",
        "<p style='content-visibility:auto;color:hsl(0 50% 50%);font:100 12px x'>x",
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
        // Formatting stays open when a paragraph ends.
        ("<p><font color=white>h<p>h</font>x", "x"),
        // The end tag of a plain element closes nothing outside its block.
        ("<span hidden><div>h</span>h</div></span>x", "x"),
        // No end tag closes anything outside its cell.
        ("<table hidden><tr><td>h</div></p></span></b>h</table>x", "x"),
        ("<b>1<b>2<b>3<b>4</b></b></b><i hidden>h</i></b>x", "1234x"),
        // Elements that are not displayed do not end lines.
        ("via<div hidden>h<br></div>gra", "viagra"),
    ];
    for (page, expected) in cases {
        assert_eq!(text(page), expected, "{page}");
    }
}

#[test]
fn beyond_the_depth_what_is_inside_counts_as_a_neighbour() {
    let deep = "<x>".repeat(600);
    let read = super::read(&format!("<p hidden>h{deep}h</p>y{deep}<i hidden>h</i>z"));
    assert_eq!((&*read.text.replace('\n', ""), read.n_hidden, read.n_deep), ("yz", 3, 178));
    let crowd: String = (0..600).fold(String::new(), |all, i| all + " a" + &i.to_string());
    let crowded = super::read(&format!("<p style='display:none' {crowd}{}>x", " ".repeat(2000)));
    assert_eq!((&*crowded.text, crowded.n_tags_cut, crowded.n_hidden), ("", 1, 1));
}

proptest! {
    #[test]
    fn no_page_makes_it_panic(parts in prop::collection::vec(prop::sample::select(&["<p>", "</p>", "<pre>", "<table>", "</table>", "<tr>", "<td>", "</td>", "<b>", "</b>", "<font color=white>", "</font>", "<span hidden>", "</span>", "<div style='", "<style>", "</style>", "p{", "}", "p b,", "@media (x){", "*>", "[a=", "]", ":not(", ":nth-child(2n+", "--a:", "var(--a)", "calc(1/", "hsl(1e39 ", "!important", "\\", "/*", "*/", "<bdo dir=rtl>", "<details>", "<summary>", "unicode-bidi:bidi-override;direction:rtl;", "transform:scale(", "clip-path:polygon(", "color:", "#fff", "rgb(1,", "font:0", ";", "<!--", "-->", "<body bgcolor=", "'", ">", "x", " ", "\n", "é"][..]), 0..40)) {
        let page = parts.concat();
        let read = read(&page);
        prop_assert!(read.text.len() + read.n_hidden <= 2 * page.len());
        prop_assert!(!read.others.contains(&read.text) && read.others.len() <= 6);
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
