//! Pages and messages that are made to be read as something else than what one sees: one of the readings has what one sees.

use fanmill_mail::{Limits, Message, Remark, message};

/// What one sees.
const TEXT: &str = "Our summer clearance offers genuine replica watches from Geneva with free \
                    worldwide delivery within seven working days";

/// Pages that show `TEXT`, as Chromium draws them, and look as if they hid it.
const SHOWN: &[&str] = &[
    // Declarations that browsers pass over.
    "<p style='display:none x'>TEXT",
    "<p style='display:none !x'>TEXT",
    "<p style='display:none !important x'>TEXT",
    "<p style='visibility:hidden 1'>TEXT",
    "<p style='font-size:-1px'>TEXT",
    "<p style='font-size:0 0'>TEXT",
    "<p style='font:0'>TEXT",
    "<p style='opacity:0 0'>TEXT",
    "<p style='opacity:none'>TEXT",
    "<p style='transform:scale(0) x'>TEXT",
    "<p style='clip-path:circle(0) x'>TEXT",
    "<p style='overflow:hidden x;height:0'>TEXT",
    "<p style='overflow:hidden;height:-1px;max-height:none'>TEXT",
    "<p style='color:white red'>TEXT",
    "<p style='text-indent:-9999px x'>TEXT",
    "<p style='background:black x'>TEXT",
    "<!doctype html><p style='font-size:1'>TEXT",
    // What one program hides.
    "<p style='mso-hide:all'>TEXT",
    // Style sheets that are not in force, and rules that are none.
    "<style type='text/less'>*{display:none}</style><p>TEXT",
    "<style title=a>i{color:red}</style><style title=b>p{display:none}</style><p>TEXT",
    "<template><style>p{display:none}</style></template><p>TEXT",
    "<noscript><style>p{display:none}</style></noscript><p>TEXT",
    "<style>@namespace url(http://www.w3.org/2000/svg);p{display:none}</style><p>TEXT",
    "<style>@media screen or print{p{display:none}}</style><p>TEXT",
    "<style>@media all screen{p{display:none}}</style><p>TEXT",
    "<style>p,q:foo{display:none}</style><p>TEXT",
    "<style>p,q::foo{display:none}</style><p>TEXT",
    // The cascade.
    "<style>@layer a{#x{display:none}} p{display:block}</style><p id=x>TEXT",
    "<!doctype html><style>.a{display:none}</style><p class=A>TEXT",
    "<style>p:nth-child(2){display:none}</style><p>TEXT",
    "<style>table>tr{display:none}</style><table><tr><td>TEXT</table>",
    "<style>p{display:none}</style><p style='all:unset'>TEXT",
    "<style>p{font-size:0}</style><p style='font:inherit'>TEXT",
    "<div style='-webkit-text-fill-color:#000'><p style='color:#fff'>TEXT",
    "<style>p{color:#fff;animation:a 1ms forwards}@keyframes a{to{color:#000}}</style><p>TEXT",
    "<style>p{color:#fff}p::first-line{color:#000}</style><p>TEXT",
    // Tags.
    "<svg style='display:none'/><p>TEXT",
    "<svg style='display:none'><p>TEXT</p></svg>",
    "<svg><style><p>TEXT</p></style></svg>",
    "<table style='display:none'><p>TEXT</p><tr><td>x</table>",
    "<table style='display:none'>TEXT<tr><td>x</table>",
    "<form><div><form style='display:none'>TEXT</form></div></form>",
    "<head hidden><p>TEXT</p>",
    "<td hidden>TEXT",
    "<image hidden>TEXT",
    "<body text=white><body style='color:black'><p>TEXT",
    "<svg><text><![CDATA[TEXT]]></text></svg>",
    // Colours and sizes.
    "<div bgcolor=black>TEXT</div>",
    "<i background=x bgcolor=black>TEXT</i>",
    "<p style='background:rgba(0,0,0,.15)'>TEXT",
    "<p style='color:transparent;text-shadow:0 0 0 #000'>TEXT",
    "<p style='color:#fff;box-shadow:inset 0 0 0 99em #000'>TEXT",
    "<div style='filter:invert(1);color:#fff'>TEXT</div>",
    "<p style='background:#000;-webkit-background-clip:text;background-clip:text;color:transparent'>TEXT",
    "<div style='font-size:400px'><p style='font-size:.05em'>TEXT",
    "<p style='font-size:1px;zoom:16'>TEXT",
    "<html style='color-scheme:dark'><p style='color:#fff'>TEXT",
    "<div style='background:#000;height:0'>TEXT</div>",
    "<div style='background:#000;display:contents'>TEXT</div>",
    "<body style='font-size:0'><table><tr><td>TEXT</table>",
    "<!doctype html><body style='color:#fff'><div style='color:#000'><table><tr><td>TEXT</table></div>",
    // In no text of the page.
    "<style>p::before{content:attr(title)}</style><p title='TEXT'>",
    "<style>p::before{content:'TEXT'}</style><p>",
    "<style>p:after{content:'Our ' attr(title) '' '!'}</style><p title='TEXT'>",
    "<img src=x alt='TEXT'>",
    "<input size=999 value='TEXT'>",
    "<iframe srcdoc='<p>TEXT'></iframe>",
];

/// Pages in which words stand as one sees them: `A` and `B` are the halves of a word, ` ` is where words part.
const PARTED: &[(&str, &str, &str)] = &[
    // What is before them, a word, and what is between two of them.
    ("<style>div{display:inline}</style>", "A<div>B</div>", " "),
    ("<style>b{margin-right:.3em}</style>", "<b>AB</b>", ""),
    ("<style>b{padding:0 4px}</style>", "<b>AB</b>", ""),
    ("<style>span{display:block}</style>", "<span>AB</span>", ""),
    ("<p style='word-spacing:-.3em'>", "A B", "&emsp;"),
    ("<style>div{float:left}</style>", "<div>A</div><div>B</div>", "&nbsp;"),
    ("<p>", "A<wbr>B", " "),
    ("<p>", "&#x1;A&#1;B", " "),
    ("<p>", "A\u{1}B", " "),
    ("<p>", "A\u{7F}B", " "),
    ("<p>", "A\u{9F}B", " "),
    ("<p>", "A\u{2028}B", " "),
    ("<p>", "A\u{619}B", " "),
    ("<p>", "A\0B", " "),
];

/// What hides noise inside of each word; what is before the page, and around the noise.
const NOISE: &[(&str, &str)] = &[
    ("", "<i style='display:none'>Z</i>"),
    ("", "<i style='display:none;display:foo'>Z</i>"),
    ("", "<rp>Z</rp>"),
    ("", "<canvas width=0>Z</canvas>"),
    ("", "<video width=0>Z</video>"),
    ("", "<audio>Z</audio>"),
    ("", "<meter style='width:0'>Z</meter>"),
    ("", "<i style='display:table-column'>Z</i>"),
    ("", "<i style='position:absolute;mask:linear-gradient(#0000,#0000)'>Z</i>"),
    ("", "<i style='position:absolute;-webkit-mask-image:linear-gradient(#0000,#0000)'>Z</i>"),
    ("", "<i style='position:absolute;rotate:y 90deg'>Z</i>"),
    ("", "<i style='position:absolute;bottom:9999px'>Z</i>"),
    // What takes no place, and parts no words.
    ("", "<dialog>Z</dialog>"),
    ("", "<dialog><p>Z</p></dialog>"),
    ("", "<div popover>Z</div>"),
    ("", "<input type=hidden value=Z>"),
    ("", "<div style='position:absolute;left:-9999px'><p>Z</p></div>"),
    ("", "<svg width=0 height=0><text>Z</text></svg>"),
    ("", "<svg style='width:0'><text>Z</text></svg>"),
    // What is shown only if something else is not, and colours that are not calculated.
    ("", "<object data=x>Z</object>"),
    ("", "<i style='color:color-mix(in srgb,white,white)'>Z</i>"),
    ("", "<i style='color:rgb(from white r g b)'>Z</i>"),
    ("", "<i style='background:linear-gradient(red,red);color:red'>Z</i>"),
    ("", "<i style='background-image:linear-gradient(red,red);color:red'>Z</i>"),
    // Off the page, in each unit and by each property.
    ("", "<i style='position:absolute;left:-9999pt'>Z</i>"),
    ("", "<i style='position:absolute;left:-999em'>Z</i>"),
    ("", "<i style='position:absolute;left:-99rem'>Z</i>"),
    ("", "<i style='position:absolute;left:-200vw'>Z</i>"),
    ("", "<i style='position:absolute;left:-50vw'>Z</i>"),
    ("", "<i style='position:absolute;left:-200%'>Z</i>"),
    ("", "<i style='position:absolute;left:calc(-100vw - 999px)'>Z</i>"),
    ("", "<i style='position:absolute;left:9999px'>Z</i>"),
    ("", "<i style='position:absolute;top:-999em'>Z</i>"),
    ("", "<i style='position:absolute;inset-inline-start:-9999px'>Z</i>"),
    ("", "<i style='position:absolute;inset-inline:-9999px auto'>Z</i>"),
    ("", "<i style='position:absolute;inset-block-end:9999px'>Z</i>"),
    ("", "<i style='position:fixed;inset:-999em auto auto -999em'>Z</i>"),
    ("", "<i style='float:left;margin-left:-999em'>Z</i>"),
    ("", "<i style='float:left;margin-inline-start:-9999px'>Z</i>"),
    ("", "<i style='float:left;margin-inline:-9999px 0'>Z</i>"),
    ("", "<i style='position:absolute;transform:translate(-999em)'>Z</i>"),
    ("", "<i style='position:absolute;transform:translateX(-9999pt)'>Z</i>"),
    ("", "<i style='position:absolute;translate:-999em'>Z</i>"),
    ("", "<i style='display:inline-block;width:.01em;height:.01em;overflow:hidden'>Z</i>"),
    ("", "<i background=x style='color:#fff;position:absolute'>Z</i>"),
    ("", "<i hidden style='display:revert'>Z</i>"),
    ("", "<i style='visibility:hidden;visibility:foo;position:absolute'>Z</i>"),
    ("", "<i style='mso-hide:all'>Z</i>"),
    ("", "<i style='zoom:.05'>Z</i>"),
    ("", "<i style='color:rgba(255,255,255,.9)'>Z</i>"),
    ("", "<svg width=0 height=0><defs><text>Z</text></defs></svg>"),
    ("<style>p{i{display:none}}</style>", "<i>Z</i>"),
    ("<style>p{& > i{display:none}}</style>", "<i>Z</i>"),
    ("<style>p{@media all{i{display:none}}}</style>", "<i>Z</i>"),
    ("<style>@media screen{p{color:red;i{display:none}}}</style>", "<i>Z</i>"),
    ("<link rel=stylesheet href='data:text/css,i{display:none}'>", "<i>Z</i>"),
    ("<link rel=stylesheet href='data:text/css;base64,aXtkaXNwbGF5Om5vbmV9'>", "<i>Z</i>"),
    ("<style>@import url('data:text/css,i{display:none}');</style>", "<i>Z</i>"),
    ("<style>@import 'data:text/css,i%7Bdisplay:none}';</style>", "<i>Z</i>"),
    ("<style>@layer a{i{display:none}}</style>", "<i>Z</i>"),
    ("<style title=a>i{display:none}</style>", "<i>Z</i>"),
    ("<style>i:nth-child(n){display:none}</style>", "<i>Z</i>"),
    ("DEEP", "<i style='display:none'>Z</i>"),
    ("", "<i style='display:none' MANY>Z</i>"),
];

/// Headers and a body that show `TEXT`.
const MESSAGES: &[&str] = &[
    "garbage line\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nBASE64",
    "X Spam: 1\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nBASE64",
    "X-A: b\nTEXT\nX-B: c\n",
    "Content-Type: text/html charset=utf-8\n\nTAGS",
    "Content-Type: text/html, charset=utf-8\n\nTAGS",
    "Content-Type: \"text/html\"\n\nTAGS",
    "Content-Type: html\n\nTAGS",
    "Content-Type: html\n\nTEXT",
    "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nhello\n--b--x\nTEXT\n--b--\n",
    "Content-Type: text/plain\nContent-Transfer-Encoding: x-uuencode\n\nUUENCODED",
    "Content-Type: text/html\nContent-Transfer-Encoding: base64, x\n\nBASE64",
    "Content-Type: text/html\nContent-Transfer-Encoding: (x) base64\n\nBASE64",
    "Content-Type: text/html\nContent-Transfer-Encoding: base64 (x)\n\nBASE64",
    "Content-Type: text/html\nContent-Transfer-Encoding: 7bit\nContent-Transfer-Encoding: base64\n\nBASE64",
    "Content-Type: text/html\nContent-Transfer-Encoding: base64\nContent-Transfer-Encoding: 7bit\n\nBASE64",
    "Content-Type: application/x-a\nContent-Type: text/plain\n\nTEXT",
    "Content-Type: text/plain\nContent-Type: application/x-a\n\nTEXT",
    "Content-Type: multipart/mixed; boundary=aa; boundary=ac\n\n--ac\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nBASE64\n--ac--\n",
    "Content-Type: multipart/mixed; boundary=aa\nContent-Type: multipart/mixed; boundary=ac\n\n--ac\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nBASE64\n--ac--\n",
    "Content-Type: multipart/mixed; boundary*0=\"a\"; boundary*1=\"c\"\n\n--ac\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nBASE64\n--ac--\n",
    "Content-Type: multipart/mixed; boundary=ac (x)\n\n--ac\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nBASE64\n--ac--\n",
    "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\nBASE64",
    "Content-Type: multipart/alternative; boundary=b\n\n--b\n\ndecoy\n--b\nContent-Type: text/calendar\n\nBEGIN:VEVENT\nDESCRIPTION:FOLDED\nEND:VEVENT\n--b--\n",
    "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/css\n\nTEXT\n--b--\n",
    "Content-Type: text/xml\n\nTEXT",
    "Content-Type: text/javascript\n\nTEXT",
    "Content-Type: message/delivery-status\n\nTEXT",
    "Content-Type: multipart/alternative; boundary=b\n\n--b\n\ndecoy\n--b\nContent-Type: message/delivery-status\n\nTEXT\n--b--\n",
    "Content-Type: text/plain; charset=no-such\n\nTEXT",
    "\n<div>TAGS",
    "\n<title>x</title>TAGS",
    "\n<div TEXT",
];

/// Messages of which it is not known what they show: their answer is not "no".
const UNKNOWN: &[&str] = &[
    "Content-Type: text/html\n\n<img src=x>",
    "Content-Type: text/html\n\n<p hidden>x",
    "Content-Type: text/html\n\n<!-- x",
    "Content-Type: text/html\n\n<p style='position:absolute;left:-9999px'>x",
    "Content-Type: text/plain; charset=x-ebcdic\n\nx",
    "Content-Type: text/plain\nContent-Transfer-Encoding: x-odd\n\nx",
    "Content-Type: multipart/mixed; boundary=b\n\nx",
    "Content-Type: text/html\n\nDEEPx",
    "Content-Type: text/html\n\n<b MANY>x",
];

/// The letters in groups of 40, as base64 lines are cut.
fn filled(template: &str) -> String {
    let words: Vec<&str> = TEXT.split(' ').collect();
    let tags: Vec<String> = words.iter().map(|word| format!("<b>{word}</b>")).collect();
    let crowd = (0..520).fold(String::new(), |all, i| format!("{all} a{i}"));
    template
        .replace("TEXT", TEXT)
        .replace("TAGS", &tags.join(" "))
        .replace("FOLDED", &TEXT.replace("clear", "clear\r\n ").replace("work", "work\n\t"))
        .replace("BASE64", BASE64)
        .replace("UUENCODED", UUENCODED)
        .replace("DEEP", &"<div>".repeat(520))
        .replace("MANY", &crowd)
}

/// `TEXT` behind `<p>`, in base64.
const BASE64: &str = "\
PHA+T3VyIHN1bW1lciBjbGVhcmFuY2Ugb2ZmZXJzIGdlbnVpbmUgcmVwbGljYSB3YXRjaGVzIGZy
b20gR2VuZXZhIHdpdGggZnJlZSB3b3JsZHdpZGUgZGVsaXZlcnkgd2l0aGluIHNldmVuIHdvcmtp
bmcgZGF5cw==
";

/// `TEXT` as `uuencode` writes it.
const UUENCODED: &str = r"begin 644 a
M3W5R('-U;6UE<B!C;&5A<F%N8V4@;V9F97)S(&=E;G5I;F4@<F5P;&EC82!W
M871C:&5S(&9R;VT@1V5N979A('=I=&@@9G)E92!W;W)L9'=I9&4@9&5L:79E
<<GD@=VET:&EN('-E=F5N('=O<FMI;F<@9&%Y<P``
`
end
";

fn readings(message: &Message) -> impl Iterator<Item = String> {
    let all = std::iter::once(&message.text).chain(&message.others);
    all.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Whether a reading has `TEXT`, word for word.
fn is_found(message: &Message) -> bool {
    readings(message).any(|text| text.contains(TEXT))
}

fn of_page(page: &str) -> Message {
    message::read(format!("Content-Type: text/html\n\n{page}").as_bytes(), &Limits::standard())
}

fn of_message(raw: &str) -> Message {
    message::read(format!("Subject: hi\n{raw}").as_bytes(), &Limits::standard())
}

/// All that fail at once, since a change to one often mends or breaks another.
#[track_caller]
fn all_pass<T: std::fmt::Display>(cases: impl Iterator<Item = T>, passes: impl Fn(&str) -> bool) {
    let failed: Vec<String> =
        cases.map(|case| case.to_string()).filter(|case| !passes(case)).collect();
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn shown_text_is_in_a_reading() {
    all_pass(SHOWN.iter(), |page| is_found(&of_page(&filled(page))));
}

#[test]
fn words_end_where_one_sees_them_end() {
    let page = |(start, word, gap): &(&str, &str, &str)| {
        let one = |text: &str| {
            let (a, b) = text.split_at(text.len() / 2);
            word.chars()
                .map(|c| match c {
                    'A' => a.to_owned(),
                    'B' => b.to_owned(),
                    c => c.to_string(),
                })
                .collect::<String>()
        };
        let words: Vec<String> = TEXT.split(' ').map(one).collect();
        format!("{start}{}", words.join(gap))
    };
    all_pass(PARTED.iter().map(page), |page| is_found(&of_page(page)));
}

#[test]
fn noise_inside_of_words_is_left_out_of_a_reading() {
    let page = |(start, noise): &(&str, &str)| {
        let one = |(i, word): (usize, &str)| {
            let (a, b) = word.split_at(2);
            format!("{a}{}{b}", noise.replace('Z', &format!("z{}q", i * 7919 % 1000)))
        };
        let words: Vec<String> = TEXT.split(' ').enumerate().map(one).collect();
        filled(&format!("{start}<p>{}", words.join(" ")))
    };
    all_pass(NOISE.iter().map(page), |page| is_found(&of_page(page)));
}

#[test]
fn broken_messages_are_read_in_each_way() {
    all_pass(MESSAGES.iter(), |raw| is_found(&of_message(&filled(raw))));
    let raw = filled("Subject: hi\nContent-Type: text/html\n\nTAGS").replace('\n', "\r");
    assert!(is_found(&message::read(raw.as_bytes(), &Limits::standard())));
}

#[test]
fn what_is_not_known_is_a_loss() {
    all_pass(UNKNOWN.iter(), |raw| of_message(&filled(raw)).remarks.iter().any(Remark::is_loss));
}

/// The other direction: ordinary pages and messages have one reading, and nothing is missing from it.
#[test]
fn ordinary_mail_has_one_reading() {
    let ordinary = [
        "Content-Type: text/plain; charset=utf-8\n\nTEXT",
        "\nTEXT",
        "Content-Type: text/html\n\n<!doctype html><html><head><title>x</title></head><body bgcolor=#ffffff><p>TEXT</p>\
         <div style='margin:0 auto;padding:4px'>TEXT</div><table><tr><td>TEXT<td>a</table></body></html>",
        "Content-Type: text/html\n\n<style>p{color:#333;margin:1em} a{display:block}</style><p>TEXT</p><a href=x>TEXT</a> <a href=y>b</a>",
        "Content-Type: text/html\n\n<img src=x alt=logo><p>TEXT",
        "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<div><br></div>\n--b\nContent-Type: image/png\n\nx\n--b--\n",
    ];
    all_pass(ordinary.iter(), |raw| {
        let message = of_message(&filled(raw));
        message.others.is_empty() && !message.remarks.iter().any(Remark::is_loss)
    });
}
