//! Tests with messages written by hand, and with arbitrary ones.

use proptest::prelude::*;

use super::*;

mod wrapped;

fn seen(raw: &str) -> Message {
    read(raw.as_bytes(), &Limits::standard())
}

fn remarks(raw: &str) -> Vec<Remark> {
    seen(raw).remarks
}

#[test]
fn a_message_is_its_subject_and_its_text() {
    let message =
        seen("From x\nSubject: =?utf-8?q?A_?=\n =?utf-8?q?b?=\nTo: you\r\n\r\none\r\ntwo\r\n\r\n");
    assert_eq!((&*message.subject, &*message.text), ("A b", "A b\n\none\ntwo"));
    assert_eq!((message.n_parts, message.remarks), (1, vec![]));
    assert_eq!(seen("just text").text, "just text");
    assert_eq!(seen("Subject: a\n\n\u{a0} b \u{a0}\n").remarks, []);
    assert_eq!(seen("\n\u{202E}olleh\u{202C}").text, "hello");
    assert_eq!(seen("").text, "");
    assert_eq!(seen("Subject: x\n").text, "x");
}

/// Invisible characters in a subject do not make it longer than the whole text, which would put another reading first.
#[test]
fn a_subject_is_as_one_sees_it() {
    let noise = "=01".repeat(400);
    let parts = "--b\n\ndecoy of some words\n--b\nContent-Type: text/html\n\n<p>real\n--b--\n";
    let kind = "Content-Type: multipart/alternative; boundary=b";
    for (subject, seen_as) in [
        (format!("=?utf-8?q?a{noise}b?="), "ab"),
        ("=?utf-8?q?=E2=80=AEba=E2=80=AC?= \u{1} c".to_owned(), "ab c"),
    ] {
        let message = seen(&format!("Subject: {subject}\n{kind}\n\n{parts}"));
        assert_eq!(message.subject, seen_as);
        assert_eq!(message.text, format!("{seen_as}\n\nreal"));
    }
}

/// An image without a subtype is a file to some programs, and an invalid type, which means plain text, to others.
#[test]
fn types_without_a_second_half_are_read_in_both_ways() {
    for main in ["image", "application", "video"] {
        let message = seen(&format!("Subject: s\nContent-Type: {main}\n\nwords"));
        assert_eq!(
            (&*message.text, &message.others[..]),
            ("s\n\nwords", &["s".to_owned()][..]),
            "{main}"
        );
    }
    let parts = "--b\n\none\n--b\nContent-Type: image\n\nnoise\n--b--\n";
    let mixed = seen(&format!("Content-Type: multipart/mixed; boundary=b\n\n{parts}"));
    assert_eq!((&*mixed.text, &mixed.others[..]), ("one", &["one\n\nnoise".to_owned()][..]));
    assert_eq!(seen("Content-Type: text\n\nwords").text, "words");
}

#[test]
fn parts_are_read_in_their_order() {
    let raw = "\
Content-Type: multipart/mixed; boundary=\"a\"

no part
--a
one
--a
Content-Type: image/png
Content-Transfer-Encoding: base64

AAAA
--ab
--a
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

t=E9=
x
--a
Content-Type: message/rfc822

Subject: inner
Content-Type: multipart/digest; boundary=b

--b

Subject: digest

four
--a
Content-Type: text/css

no text
--a--
no part
";
    // Text before the first part and after the last one is not shown, and `--ab` is not a boundary.
    let message = seen(raw);
    assert_eq!(message.text, "one\n\ntéx\n\ninner\n\ndigest\n\nfour");
    assert_eq!((&*message.subject, message.n_parts), ("", 9));
    assert_eq!(message.others, ["one\n\ntéx\n\ninner\n\ndigest\n\nfour\n\nno text"]);
    assert_eq!(message.remarks, [Remark::NotText(1)]);
}

/// Reads a message of two alternatives, plain text and HTML.
fn alternatives(plain: &str, html: &str) -> Message {
    seen(&format!(
        "Subject: s\nContent-Type: multipart/alternative; boundary=b\n\n\
         --b\n\n{plain}\n--b\nContent-Type: text/html\n\n{html}\n--b--\n"
    ))
}

#[test]
fn the_alternative_that_is_shown_is_read() {
    let words = "alpha beta gamma delta epsilon zeta theta iota kappa lambda omicron sigma";
    let same = alternatives(words, &format!("<p>{words}"));
    assert_eq!((same.text, same.remarks), (format!("s\n\n{words}"), vec![]));
    let other = words.to_uppercase().replace('A', "o");
    let decoy = alternatives(&other, &format!("<p>{words}"));
    assert_eq!(decoy.text, format!("s\n\n{words}"));
    assert_eq!(decoy.remarks, [Remark::AlternativesDiffer]);
    let picture = alternatives(words, "<img src=x>");
    assert_eq!(picture.text, format!("s\n\n{words}"));
    assert_eq!(picture.remarks, [Remark::EmptyAlternative, Remark::EmptyHtml(1)]);
    assert_eq!(alternatives("", "x").text, "s\n\nx");
    assert_eq!(alternatives("", "").text, "s");
    let no_subject = seen(
        "Content-Type: multipart/alternative; boundary=b\n\n--b\n\none\n--b\n\n two\n\n--b\n\
         Content-Type: text/calendar\n\nthree\n--b",
    );
    assert_eq!(
        (&*no_subject.text, &no_subject.others[..]),
        ("two", &["one", "three"].map(str::to_owned)[..])
    );
    assert_eq!(no_subject.remarks, [Remark::UnusualAlternative(1)]);
}

/// The plain text or the page that is shown stays in the first reading, whatever comes after it, and each alternative
/// is in some reading.
#[test]
fn no_type_hides_what_another_says() {
    let types = [
        "text/x-foo",
        "text/rtf",
        "text/markdown",
        "text/enriched",
        "text/x-watch-html",
        "text/x-amp-html",
        "text/calendar",
        "TEXT/X-FOO; charset=utf-8",
        "image/png",
        "x/y",
    ];
    let shown = [("text/html", "<p>real <b>words</b>"), ("text/plain", "real words")];
    for (own, body) in shown {
        for other in types {
            let parts = format!(
                "--b\nContent-Type: {own}\n\n{body}\n--b\nContent-Type: {other}\n\ndecoy text\n--b--\n"
            );
            let alternative = format!("Content-Type: multipart/alternative; boundary=b\n\n{parts}");
            let around = |kind: &str| {
                format!("Content-Type: multipart/{kind}; boundary=o\n\n--o\n{alternative}\n--o--\n")
            };
            // The alternatives are the whole message, or inside another multipart or message.
            let cases = [
                alternative.clone(),
                around("mixed"),
                around("related"),
                around("alternative"),
                around("signed; protocol=x"),
                format!("Content-Type: message/rfc822\n\n{alternative}"),
            ];
            for raw in cases {
                let message = seen(&raw);
                assert_eq!(message.text, "real words", "{raw}");
                let others: &[&str] = match other {
                    "image/png" | "x/y" => &[],
                    _ => &["decoy text"],
                };
                assert_eq!(message.others, others, "{raw}");
                let expected: &[Remark] = match other {
                    "image/png" => &[Remark::NotText(1)],
                    "x/y" => &[],
                    _ => &[Remark::UnusualAlternative(1)],
                };
                assert_eq!(message.remarks, expected, "{raw}");
                assert_eq!(message.attachments.len(), usize::from(other == "x/y"), "{raw}");
            }
        }
    }
}

#[test]
fn a_message_is_read_as_each_program_shows_it() {
    let both = alternatives("plain", "page");
    assert_eq!((&*both.text, both.others), ("s\n\npage", vec!["s\n\nplain".to_owned()]));
    let same = alternatives("one two", "<p>one<p>two");
    assert_eq!(same.others, [""; 0]);
    // Declared as plain text, and shown as plain text or as the page that it is.
    let page = seen("\n<html><!-- plain text sees me -->page");
    assert_eq!(
        (&*page.text, &page.others[..]),
        ("page", &["<html><!-- plain text sees me -->page".to_owned()][..])
    );
    let part = |i| format!("--b\n\nnumber{i}\n");
    let many = (0..20).map(part).collect::<Vec<_>>().concat();
    let many = seen(&format!("Content-Type: multipart/alternative; boundary=b\n\n{many}"));
    assert_eq!((&*many.text, many.others.len()), ("number19", 11));
    assert_eq!(many.remarks, [Remark::TooManyAlternatives(8)]);
    assert!(many.remarks[0].is_loss());
}

/// If it is unclear what a page hides, it is read in each way, like alternatives.
#[test]
fn a_page_may_have_several_readings() {
    let page = "<style>@media (max-width:9cm){.d{display:none}} i{display:none}</style>\
                <p class=d>desk<details>more</details><i>hidden</i>";
    let message = alternatives("plain", page);
    assert_eq!(message.text, "s\n\ndesk");
    assert_eq!(
        message.others,
        ["s\n\nplain", "s", "s\n\ndesk\n\nmore", "s\n\nmore", "s\n\ndesk\n\nmore\n\nhidden"]
    );
    assert_eq!(message.remarks, [Remark::Hidden(10)]);
}

#[test]
fn the_sample_has_readings() {
    let message = seen(SAMPLE);
    let words: Vec<&str> = message.text.split_whitespace().collect();
    assert_eq!(words, ["aé", "b", "one", "two", "three", "five", "six"]);
    assert!(message.others.contains(&"aé b\n\nseven".to_owned()), "{:?}", message.others);
}

#[test]
fn a_decoy_takes_no_room_from_what_is_shown() {
    let raw = "Content-Type: multipart/alternative; boundary=b\n\n--b\n\ndecoy decoy\n--b\n\nshown\n--b--";
    let message = read(raw.as_bytes(), &Limits { text_bytes: 11, ..Limits::standard() });
    assert_eq!((&*message.text, message.remarks), ("shown", vec![]));
}

#[test]
fn what_is_broken_is_read_all_the_same() {
    let cases = [
        // A boundary that never occurs.
        ("Content-Type: multipart/mixed; boundary=b\n\ntext", "text", vec![Remark::NoParts(1)]),
        ("Content-Type: multipart/mixed\n\ntext", "text", vec![Remark::NoParts(1)]),
        // An inner multipart that is never closed, or whose boundary is that of the outer one.
        (
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n--b\n\ntwo\n",
            "one\n\ntwo",
            vec![],
        ),
        (
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b--\n--b\n\ntwo\n",
            "one\n\ntwo",
            vec![],
        ),
        // Headers that run into the text.
        ("Content-Type: text/plain\nHello there\n\nx", "Hello there\n\nx", vec![]),
        // A page without a type.
        ("\n <HTML><p>v<b></b>w", "vw", vec![Remark::PlainHtml(1)]),
        ("\n<htmlx> y", "<htmlx> y", vec![]),
        // A type that is not one.
        ("Content-Type: ???\n\nx", "x", vec![]),
        (
            "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogYQoKYg==",
            "a\n\nb",
            vec![],
        ),
    ];
    for (raw, text, remarks) in cases {
        let message = seen(raw);
        assert_eq!((&*message.text, message.remarks), (text, remarks), "{raw}");
    }
}

#[test]
fn each_limit_is_named_where_it_cuts() {
    let limited = |raw: &str, limits: Limits| {
        let message = read(raw.as_bytes(), &limits);
        (message.text, message.remarks)
    };
    let standard = Limits::standard;
    let mixed = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo";
    assert_eq!(
        limited("\nabcdef", Limits { message_bytes: 4, ..standard() }),
        ("abc".to_owned(), vec![Remark::MessageCut(3)])
    );
    assert_eq!(
        limited(mixed, Limits { parts: 2, ..standard() }),
        ("one".to_owned(), vec![Remark::TooManyParts(4)])
    );
    assert_eq!(
        limited(mixed, Limits { depth: 0, ..standard() }),
        (String::new(), vec![Remark::TooDeep(1)])
    );
    assert_eq!(
        limited("Content-Type: message/rfc822\n\nx", Limits { depth: 0, ..standard() }),
        (String::new(), vec![Remark::TooDeep(1)])
    );
    assert_eq!(
        limited("Subject: abcdef\n\nx", Limits { header_bytes: 4, ..standard() }),
        ("abc\n\nx".to_owned(), vec![Remark::HeaderCut(3)])
    );
    assert_eq!(
        limited("Content-Type: text/html\n\n<p>aé", Limits { html_bytes: 5, ..standard() }),
        ("a".to_owned(), vec![Remark::HtmlCut(2)])
    );
    assert_eq!(
        limited("Subject: ab\n\ncdé", Limits { text_bytes: 7, ..standard() }),
        ("ab\n\ncd".to_owned(), vec![Remark::TextCut(2)])
    );
}

#[test]
fn broken_codes_are_remarked() {
    assert_eq!(remarks("Content-Transfer-Encoding: base64\n\n!aGk="), [Remark::BrokenBase64(1)]);
    assert_eq!(
        remarks("Content-Transfer-Encoding: x-odd\n\nx"),
        [Remark::UnknownTransfer("x-odd".to_owned())]
    );
    assert_eq!(
        remarks("Content-Type: text/plain; charset=no-such\n\nx"),
        [Remark::UnknownCharset("no-such".to_owned())]
    );
}

/// Pieces that form almost valid messages.
const PIECES: [&str; 30] = [
    "Content-Type: multipart/mixed; boundary=b\n",
    "Content-Type: multipart/alternative; boundary=c\r\n",
    "Content-Type: multipart/digest; boundary=\"b c\"\n",
    "Content-Type: message/rfc822\n",
    "Content-Type: text/html; charset=koi8-r\n",
    "Content-Type: text/plain; charset*=utf-8'en'%41\n",
    "Content-Type: image/png\n",
    "Content-Type: ",
    "Content-Transfer-Encoding: base64\n",
    "Content-Transfer-Encoding: quoted-printable\n",
    "Subject: =?utf-8?q?a=C3=A9?= b\n",
    "Subject: =?big5?b?pKSk5Q==\n",
    " folded\n",
    "--b\n",
    "--b--\n",
    "--c\n",
    "--c--",
    "--b c\r\n",
    "\n",
    "\r\n",
    "\n\n",
    "pKSk5Q==",
    "=C3=A9=\n",
    "<p hidden>x</p>",
    "<!--",
    "text ",
    "é",
    "\0",
    ":",
    "+AGE-",
];

/// A message that uses a little of everything.
const SAMPLE: &str = "\
Subject: =?utf-8?q?a=C3=A9?= b
Content-Type: multipart/alternative; boundary=\"b\"

--b
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

plain =E9 text=
--b
Content-Type: text/html; charset=utf-8

<html><style>:root{--x:none} @media (max-width:600px){.d > b:not(.e){display:var(--x)!important}}
[title~='a' i], u + .f:nth-child(2n+1){color:hsl(calc(1deg * 2) 10% 90% / .5);clip-path:inset(50%)}</style>
<body bgcolor=#fff><p class='d f' style='font:bold 12px/2 x;transform:scale(1) rotate(3deg)'>one <b>two</b>
<details><summary>three</summary>four</details><bdo dir=rtl>evif</bdo><table><tr><td>six</table>
--b
Content-Type: text/x-foo
Content-Transfer-Encoding: base64

c2V2ZW4=
--b--
";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(1000)))]
    #[test]
    fn no_change_of_a_message_makes_it_panic(
        changes in prop::collection::vec((0..SAMPLE.len(), any::<u8>(), 0..4_usize), 0..12),
    ) {
        let mut raw = SAMPLE.as_bytes().to_vec();
        for (at, byte, cut) in changes {
            let at = at.min(raw.len() - 1);
            raw[at] = byte;
            raw.drain(at + 1..(at + 1 + cut * cut).min(raw.len()));
        }
        let message = read(&raw, &Limits::standard());
        prop_assert!(message.others.len() < MAX_READINGS && message.remarks.is_sorted());
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300), is_html: bool) {
        let head: &[u8] = if is_html { b"Content-Type: text/html\n\n<style>" } else { b"" };
        let message = read(&[head, &bytes].concat(), &Limits::standard());
        prop_assert!(message.text.len() <= 4 * bytes.len());
    }

    #[test]
    fn any_message_is_read_within_the_limits(
        parts in prop::collection::vec((prop::sample::select(&PIECES[..]), prop::collection::vec(any::<u8>(), 0..2)), 0..40),
        text_bytes in 0..60_usize,
        depth in 0..5_usize,
    ) {
        let mut raw = Vec::new();
        for (piece, bytes) in parts {
            raw.extend_from_slice(piece.as_bytes());
            raw.extend_from_slice(if bytes.len() == 1 { &bytes } else { b"" });
        }
        let limits = Limits { text_bytes, depth, parts: 9, header_bytes: 50, ..Limits::standard() };
        let message = read(&raw, &limits);
        prop_assert!(message.text.len() <= text_bytes);
        let others: usize = message.others.iter().map(String::len).sum();
        prop_assert!(others <= text_bytes && message.others.len() < MAX_READINGS);
        prop_assert!(!message.others.contains(&message.text));
        prop_assert!(message.n_parts <= 9);
        prop_assert!(!message.text.starts_with('\n') && !message.text.ends_with('\n'));
        prop_assert!(message.remarks.is_sorted());
    }

    #[test]
    fn parts_come_back(texts in prop::collection::vec("[a-z]{1,8}( [a-z]{1,8}){0,3}", 1..8)) {
        let parts: Vec<String> = texts.iter().map(|text| format!("--b\n\n{text}\n")).collect();
        let raw = format!("Content-Type: multipart/mixed; boundary=b\n\n{}--b--\n", parts.concat());
        prop_assert_eq!(seen(&raw).text, texts.join("\n\n"));
    }
}
