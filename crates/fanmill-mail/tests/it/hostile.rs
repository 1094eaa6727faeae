//! Messages made to hurt: each of up to 16 MiB, read in time that grows no faster than it, within every limit.

use std::time::Duration;

use fanmill_mail::{Limits, Remark, message, visible};

/// A generous bound, of processor time; the slowest of these takes about half a second.
const BOUND: Duration = Duration::from_secs(15);

/// The size of most messages here, in bytes.
const SIZE: usize = 4 << 20;

/// `piece`, as often as the size asks for.
fn filled(piece: &str) -> String {
    piece.repeat(SIZE / piece.len())
}

/// Pieces that have a number, as often as the size asks for.
fn numbered(piece: impl Fn(usize) -> String) -> String {
    let mut out = String::with_capacity(SIZE + 100);
    for i in 0.. {
        if out.len() >= SIZE {
            break;
        }
        out += &piece(i);
    }
    out
}

const MIXED: &str = "Content-Type: multipart/mixed; boundary=b\n\n";
const HTML: &str = "Content-Type: text/html\n\n";

/// Structure: parts, nesting, boundaries.
fn structures() -> Vec<(&'static str, String)> {
    let long = "x".repeat(1 << 20);
    let shared = "-".repeat(1000);
    let open =
        |i| format!("Content-Type: multipart/mixed; boundary=\"{shared}{i}\"\n\n--{shared}{i}\n");
    let nested: String = (0..32).map(open).collect();
    vec![
        ("messages in messages", filled("Content-Type: message/rfc822\n\n")),
        (
            "multiparts in multiparts",
            numbered(|i| format!("Content-Type: multipart/mixed; boundary=b{i}\n\n--b{i}\n")),
        ),
        (
            "alternatives in alternatives",
            numbered(|i| {
                format!(
                    "Content-Type: multipart/alternative; boundary=b{i}\n\n--b{i}\n\nx\n--b{i}\n"
                )
            }),
        ),
        (
            "boundaries that never come",
            MIXED.to_owned()
                + &numbered(|i| {
                    format!("--b\nContent-Type: multipart/mixed; boundary=x{i}\n\nx\n")
                }),
        ),
        ("empty parts", MIXED.to_owned() + &filled("--b\n\nx\n")),
        (
            "base64 parts",
            MIXED.to_owned() + &filled("--b\nContent-Transfer-Encoding: base64\n\nQUFB\n"),
        ),
        ("dashes", MIXED.to_owned() + "--b\n\n" + &filled("--")),
        ("lines of dashes", MIXED.to_owned() + "--b\n\n" + &filled("--\n")),
        (
            "a boundary of a megabyte",
            format!("Content-Type: multipart/mixed; boundary={long}\n\n--{long}\n\nx\n"),
        ),
        ("boundaries with long common starts", nested + &filled(&format!("--{shared}\n"))),
        (
            "a digest",
            "Content-Type: multipart/digest; boundary=b\n\n".to_owned()
                + &filled("--b\n\nSubject: x\n\ny\n"),
        ),
        (
            "alternatives without end",
            "Content-Type: multipart/alternative; boundary=b\n\n".to_owned()
                + &filled("--b\n\nsome words here\n"),
        ),
    ]
}

/// Headers.
fn headers() -> Vec<(&'static str, String)> {
    let pieces: Vec<String> = (0..200).map(|i| format!("; a{i}*1=b")).collect();
    vec![
        ("headers", numbered(|i| format!("X-{i}: y\n"))),
        ("a long header", format!("X: {}\n\nx", filled("y"))),
        ("a long subject", format!("Subject: {}\n\nx", filled("y "))),
        ("subjects", filled("Subject: x\n")),
        ("a folded header", format!("Subject: x\n{}\nx", filled(" y\n"))),
        ("a folded content type", format!("Content-Type: text/plain;\n{}\nx", filled(" a=b;\n"))),
        (
            "parameters",
            format!("Content-Type: text/plain{}\n\nx", numbered(|i| format!("; a{i}=b"))),
        ),
        (
            "pieces of parameters",
            format!("Content-Type: text/plain{}\n\nx", numbered(|i| format!("; a{i}*1=b"))),
        ),
        ("encoded words without end", format!("Subject: {}\n\nx", filled("=?aa?q?a "))),
        (
            "many of these",
            "Content-Type: multipart/digest; boundary=b\n\n".to_owned()
                + &filled(&format!("--b\n\nSubject: {}\n\n", "=?aa?q?a ".repeat(220))),
        ),
        (
            "many pieces of parameters",
            MIXED.to_owned()
                + &filled(&format!("--b\nContent-Type: text/plain{}\n\n", pieces.concat())),
        ),
        ("comments in a content type", format!("Content-Type: {}\n\nx", filled("("))),
        ("headers of one byte", filled("a:\n")),
        ("8-bit headers", format!("Subject: {}\n\nx", filled("é"))),
    ]
}

/// Encodings of bytes and characters.
fn encodings() -> Vec<(&'static str, String)> {
    let coded = |name: &str, body: String| format!("Content-Transfer-Encoding: {name}\n\n{body}");
    let named =
        |name: &str, body: String| format!("Content-Type: text/plain; charset={name}\n\n{body}");
    vec![
        ("base64", coded("base64", filled("QUFB"))),
        ("broken base64", coded("base64", filled("Q!"))),
        ("padding", coded("base64", filled("="))),
        ("equals signs", coded("quoted-printable", filled("="))),
        (
            "soft breaks that are none",
            coded("quoted-printable", filled(&format!("={}", " ".repeat(200)))),
        ),
        ("quoted bytes", coded("quoted-printable", filled("=E9"))),
        ("UTF-7", named("utf-7", filled("+AOk-"))),
        ("UTF-7 without end", named("utf-7", filled("+A"))),
        ("one word of UTF-7", named("utf-7", format!("+{}", filled("A")))),
        ("ISO-2022-JP", named("iso-2022-jp", filled("\x1B$B\x1B(B"))),
        ("GB 18030", named("gb18030", filled("\u{80}0"))),
        ("no charset", named("no-such", filled("é "))),
        ("NULs", filled("\0")),
        ("NULs behind headers", format!("\n{}", filled("\0a"))),
        ("line feeds", filled("\n")),
        ("carriage returns", format!("\n{}", filled("\r"))),
        (
            "messages encoded in messages",
            filled("Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n"),
        ),
    ]
}

/// HTML.
fn pages() -> Vec<(&'static str, String)> {
    let attributes = numbered(|i| format!(" a{i}"));
    let page = |body: String| HTML.to_owned() + &body;
    vec![
        ("tags", page(filled("<b>"))),
        ("blocks", page(filled("<div>"))),
        (
            "blocks, closed",
            page(format!("{}{}", "<div>".repeat(SIZE / 11), "</div>".repeat(SIZE / 11))),
        ),
        ("a tag of many attributes", page(format!("<a{attributes}>x"))),
        ("an end tag of many attributes", page(format!("</a{attributes}>x"))),
        (
            "a tag of many attributes behind an empty comment",
            page(format!("<!--><a{attributes}>x")),
        ),
        (
            "a tag of many attributes in a script's own script",
            page(format!("<script><!--<script></script><x a='</script><a{attributes}>x")),
        ),
        ("comments", page(filled("<!-- x -->"))),
        ("comments without end", page(filled("<!--"))),
        ("ends in the depth", page("<x>".repeat(510) + &filled("</i>"))),
        (
            "cells in the depth",
            page(format!("<table>{}{}", "<x>".repeat(500), filled("<td></td>"))),
        ),
        ("formatting in the depth", page(format!("<i>{}{}", "<x>".repeat(500), filled("</i><i>")))),
        ("paragraphs with open formatting", page(filled("<p><font color=white>"))),
        (
            "paragraphs with other formatting",
            page(numbered(|i| format!("<p><font color=#{:06x}>", i % 4096))),
        ),
        ("styles", page(filled("<p style='color:red;font-size:0;display:none'>"))),
        ("a style", page(format!("<p style='{}'>", filled("color:red;")))),
        ("a style sheet", page(format!("<style>{}", numbered(|i| format!(".a{i}{{color:red}}"))))),
        (
            "classes",
            page(
                "<style>.a{color:red}</style>".to_owned()
                    + &filled(&format!("<p class='{}'>", "a ".repeat(40))),
            ),
        ),
        ("references", page(filled("&ngE;"))),
        ("ampersands", page(filled("&"))),
        ("white space", page(format!("<pre>{}", filled(" \n<b>")))),
    ]
}

/// HTML in which two counts multiply: rules and elements, selectors and the rules inside of them.
fn products() -> Vec<(&'static str, String)> {
    let page = |body: String| HTML.to_owned() + &body;
    let elements = "<b>".repeat(650_000);
    vec![
        (
            "a long text that a rule writes at each element",
            page(format!(
                "<style>b::before{{content:'{}'}}</style>{}",
                "word ".repeat(20_000),
                "<b>".repeat(5_000)
            )),
        ),
        (
            "many texts that a rule writes at each element",
            page(format!(
                "<style>b::before{{content:{}}}</style>{}",
                "'' 'x' ".repeat(200_000),
                "<b>".repeat(2_000)
            )),
        ),
        (
            "an attribute that many rules write",
            page(format!(
                "<style>{}</style><b title='{}'>x",
                "b::before{content:attr(title)attr(title)}".repeat(20_000),
                "word ".repeat(20_000)
            )),
        ),
        (
            "rules inside of a rule of many selectors",
            page(format!("<style>{}a{{{}}}", "a,".repeat(19_999), "b{top:0}".repeat(400))),
        ),
        (
            "selectors inside of a rule of many selectors",
            page(format!(
                "<style>{}a{{{}b{{{}}}}}",
                "a,".repeat(19_999),
                "b,".repeat(500_000),
                "c{d{top:0}}".repeat(300_000)
            )),
        ),
        (
            "a long selector around many rules",
            page(format!("<style>a{}{{{}}}", ".a".repeat(900), "b{top:0}".repeat(400_000))),
        ),
        (
            "doubtful rules for each element",
            page(format!(
                "<style>@media (max-width:9cm){{{}b{{top:0}}}}</style>{elements}",
                "b,".repeat(19_999)
            )),
        ),
    ]
}

/// The same of names and the elements around, of values and what is compared with them; and what is kept for nothing.
fn more_products() -> Vec<(&'static str, String)> {
    let page = |body: String| HTML.to_owned() + &body;
    vec![
        (
            "names looked up from the depth",
            page(format!(
                "<style>i{{display:{}}}</style>{}{}",
                "var(--q,)".repeat(900),
                "<b style='--a:b'>".repeat(500),
                "<i></i>".repeat(4_000)
            )),
        ),
        (
            "a name that stands for a long value",
            page(format!(
                "<style>:root{{--a:'{}'}} i{{color:var(--a)}}</style>{}",
                "x".repeat(1_000_000),
                "<i></i>".repeat(100_000)
            )),
        ),
        ("links without an end", page(format!("x{}", "<link".repeat(800_000)))),
        ("rules for nothing", page(format!("<style>{}</style>x", "b{}".repeat(1_300_000)))),
        (
            "rules for nothing inside of a rule",
            page(format!("<style>a{{{}", "b{}".repeat(1_300_000))),
        ),
        (
            "a long list in a selector",
            page(format!("<style>:not({}b){{top:0}}", "a,".repeat(1_000_000))),
        ),
        (
            "a long value that attributes are compared with",
            page(format!(
                "<style>[title='{}' i]{{top:0}}</style>{}",
                "x".repeat(1_000_000),
                "<b title=x>".repeat(200_000)
            )),
        ),
    ]
}

/// The cost of one count for each of the other would take minutes and gigabytes.
#[test]
fn hostile_products_are_read_in_time_and_lose_nothing_silently() {
    for (name, raw) in [products(), more_products()].concat() {
        let (message, time) =
            fanmill_effort::of(|| message::read(raw.as_bytes(), &Limits::standard()));
        assert!(time < BOUND / 2, "{name}: {time:?}");
        let bytes = message.text.len() + message.others.iter().map(String::len).sum::<usize>();
        assert!(bytes <= 8 * raw.len() + (1 << 20), "{name}: {bytes} bytes");
        let is_whole = ["links without an end", "rules for nothing"].contains(&name);
        assert_eq!(message.remarks.iter().any(Remark::is_loss), !is_whole, "{name}");
    }
}

/// Reads each in its time, and prints that: `cargo test --release -p fanmill-mail --test it -- --nocapture`.
#[expect(clippy::print_stdout, reason = "a test may say what it measured")]
fn all_are_read(cases: Vec<(&'static str, String)>) {
    for (name, raw) in cases {
        let (message, time) =
            fanmill_effort::of(|| message::read(raw.as_bytes(), &Limits::standard()));
        println!(
            "{name}: {} bytes, {} parts, {time:?}, {:?}",
            raw.len(),
            message.n_parts,
            message.remarks
        );
        assert!(time < BOUND, "{name}: {time:?}");
        assert!(message.text.len() <= Limits::standard().text_bytes, "{name}");
        assert!(message.n_parts <= Limits::standard().parts, "{name}");
    }
}

#[test]
fn hostile_structures_are_read_in_time() {
    all_are_read(structures());
}

#[test]
fn hostile_headers_are_read_in_time() {
    all_are_read(headers());
}

#[test]
fn hostile_encodings_are_read_in_time() {
    all_are_read(encodings());
}

#[test]
fn hostile_pages_are_read_in_time() {
    all_are_read(pages());
}

/// Names of styles each of which stands for the next one, twice.
fn doubling() -> String {
    let name = |i| format!("--a{i}:var(--a{0})var(--a{0});", i + 1);
    (0..100).map(name).collect::<Vec<_>>().concat()
}

/// Pages of some megabytes, made to be slow for what builds trees or looks back.
fn slow_markup() -> Vec<String> {
    let attributes: String = (0..200_000).fold(String::new(), |all, i| all + " a" + &i.to_string());
    let deep = "<x>".repeat(500);
    vec![
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
        "<pre>\n \n".repeat(300_000),
    ]
}

/// The same for what matches styles.
fn slow_styles() -> Vec<String> {
    let deep = "<x>".repeat(500);
    vec![
        format!("<style>{}", "a{color:red}".repeat(200_000)),
        format!("<style>{}{{color:red}}", "a,".repeat(1_000_000)),
        format!("<p style='{}'>", "color:red;".repeat(300_000)),
        format!("<style>.a{{x:y}}.b{{color:red}}</style>{}", "<p class='b c d'>".repeat(200_000)),
        format!(
            "<style>{}</style>{}",
            ".a{color:red}".repeat(20_000),
            "<p class=a>".repeat(200_000)
        ),
        format!("<style>{}{{color:red}}</style><b>x", "a > b ".repeat(200_000)),
        format!("<style>{}a{{color:red}}", "@media (a){".repeat(300_000)),
        format!("<style>{}", "@media screen and (".repeat(200_000)),
        format!("<style>a{{color:{}", "calc(".repeat(700_000)),
        format!("<style>a{{color:{}", "'".repeat(3_000_000)),
        format!("<style>a{{content:\"{}", "x".repeat(3_000_000)),
        format!("<style>{}", "{[(".repeat(1_000_000)),
        format!("<style>{}", "a{b{".repeat(700_000)),
        format!(
            "<style>:root{{{}}} b{{display:var(--a0)}}</style>{}",
            doubling(),
            "<b>".repeat(200_000)
        ),
        format!(
            "<style>{}{{color:red}}</style>{deep}{}",
            "x ".repeat(30),
            "<i></i>".repeat(100_000)
        ),
        format!(
            "<style>[title*=b]{{color:red}}</style>{}",
            format!("<b title={}>", "a".repeat(10_000)).repeat(300)
        ),
        format!(
            "<style>{}</style>{}",
            "@media (a){b{color:red}}".repeat(10_000),
            "<b>".repeat(50_000)
        ),
        format!(
            "<style>:not({}b){{color:red}}</style>{}",
            "a,".repeat(100_000),
            "<b>".repeat(200_000)
        ),
        "<b style='--a:b'>".repeat(100_000),
    ]
}

#[test]
fn pages_made_to_hurt_take_linear_time() {
    for page in [slow_markup(), slow_styles()].concat() {
        let (_, time) = fanmill_effort::of(|| visible::read(&page));
        assert!(time < BOUND, "{}: {time:?}", &page[..20]);
    }
}

#[test]
fn what_is_too_much_is_named() {
    let remarks = |raw: &str| message::read(raw.as_bytes(), &Limits::standard()).remarks;
    let nested = "Content-Type: message/rfc822\n\n".repeat(100);
    assert_eq!(remarks(&nested), [Remark::TooDeep(1)]);
    let parts = MIXED.to_owned() + &"--b\n\nx\n".repeat(2000);
    assert_eq!(remarks(&parts), [Remark::TooManyParts(7003)]);
}

/// A stack of 256 KiB is a tenth of what a thread has by default.
#[test]
fn no_message_needs_a_deep_stack() {
    let cases = [structures(), pages()].concat();
    let read = move || {
        for (_, raw) in cases {
            let start = &raw.as_bytes()[..raw.len().min(1 << 20)];
            let _ = message::read(start, &Limits::standard());
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(read).expect("a thread");
    thread.join().expect("no overflow and no panic");
}
