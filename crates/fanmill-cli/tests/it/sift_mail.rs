//! Mail that is made to be read as something other than what its reader sees.

use std::fs::{self, Permissions};
use std::io::{Cursor, Write};
use std::os::unix::fs::PermissionsExt;

use crate::place::{Place, example, examples};
use crate::run::Done;
use crate::sift_values::as_version_1;

const KEY: &str =
    "fanmill-sift-key-1 00112233445566778899aabbccddeeff0123456789abcdef0f1e2d3c4b5a6978\n";

/// A place with a key, and a store with one original.
pub(crate) fn place() -> Place {
    let place = Place::new().with("a.key", KEY).with("original.txt", original());
    fs::set_permissions(place.path("a.key"), Permissions::from_mode(0o600)).expect("our own file");
    let done = place.fanmill("sift add --key a.key store.sift original.txt").run();
    assert_eq!(done.code, Some(0), "{done}");
    place
}

pub(crate) fn original() -> String {
    let folder = examples().join("sift/originals");
    let text = fs::read_dir(folder).expect("the example").next().expect("a text");
    fs::read_to_string(text.expect("a file").path()).expect("UTF-8")
}

/// Words that are unrelated to the original.
pub(crate) fn decoy() -> String {
    let word = |i: u32| format!("w{} ", i.wrapping_mul(2_654_435_761) >> 12);
    (0..300).map(word).collect::<Vec<_>>().concat()
}

fn check(place: &Place, mail: &str) -> Done {
    place.write("suspect.eml", format!("Received: x\nSubject: hello\n{mail}"));
    place.fanmill("sift check --key a.key --strict --fail-on-copy store.sift suspect.eml").run()
}

/// The alternative that a mail program shows is found, whatever comes before or after it.
#[test]
fn no_alternative_hides_another_one() {
    let place = place();
    let page = format!("<p>{}", original().replace("\n\n", "<p>"));
    let shown = [("text/plain", original()), ("text/html", page)];
    let types = [
        "text/x-foo",
        "text/rtf",
        "text/markdown",
        "text/enriched",
        "text/x-watch-html",
        "text/plain",
        "text/html",
        "text/calendar",
        "image/png",
    ];
    for (own, body) in shown {
        for other in types {
            let copy = format!("--b\nContent-Type: {own}\n\n{body}\n");
            let decoy = format!("--b\nContent-Type: {other}\n\n{}\n", decoy());
            for parts in [format!("{copy}{decoy}"), format!("{decoy}{copy}")] {
                let mail =
                    format!("Content-Type: multipart/alternative; boundary=b\n\n{parts}--b--\n");
                let done = check(&place, &mail);
                assert_eq!(done.code, Some(1), "{own} beside {other}: {done}");
                assert!(done.stdout.starts_with("yes"), "{own} beside {other}: {done}");
            }
        }
    }
}

/// Text that might be visible is found, and where it is unknown what a reader sees, the answer is not "no".
#[test]
fn hidden_text_is_found_or_no_answer() {
    let place = place();
    let html = |body: &str| check(&place, &format!("Content-Type: text/html\n\n{body}"));
    for hidden in ["display:none", "color:#fff", "position:absolute;left:-9999px", "opacity:0"] {
        let found = html(&format!("<p>{}<p style='{hidden}'>{}", decoy(), original()));
        assert_eq!(found.code, Some(1), "{hidden}: {found}");
        assert!(
            found.stdout.contains("(found in what another mail program shows of it)"),
            "{found}"
        );
    }
    for (body, remark) in [
        (
            "<img src=x>",
            "HTML with pictures, frames, scripts or hidden text, but without visible text: 1 part",
        ),
        (
            "<p hidden>x",
            "HTML with pictures, frames, scripts or hidden text, but without visible text: 1 part",
        ),
        (
            &*format!("{}x", "<div>".repeat(520)),
            "nested too deeply to know what is hidden: 8 elements",
        ),
    ] {
        let unknown = html(body);
        assert_eq!(unknown.code, Some(4), "{unknown}");
        assert!(unknown.stdout.starts_with("part"), "{unknown}");
        assert!(unknown.stdout.contains(remark), "{unknown}");
    }
    assert_eq!(html("<p>x").code, Some(0));
}

/// Too many originals to compare all: the answer says so, and is not "no".
#[test]
fn alternatives_over_the_limit_are_no_answer() {
    let place = place();
    let decoy = |i: u32| format!("--b\n\n{}{i}\n", decoy());
    let before: String = (0..10).map(decoy).collect();
    let behind: String = (10..30).map(decoy).collect();
    let mail = format!(
        "Content-Type: multipart/alternative; boundary=b\n\n{before}--b\n\n{}\n{behind}--b--\n",
        original()
    );
    let done = check(&place, &mail);
    assert!(done.stdout.starts_with("part"), "{done}");
    assert!(done.stdout.contains("over the limit of readings: 19 alternatives left out"), "{done}");
    assert_eq!(done.code, Some(4), "{done}");
}

/// Messages as people and shops send them, with every kind of part that mail programs make.
fn ordinary_mail(place: &Place) {
    let page = newsletter();
    let text = example("sift/originals/orchard.txt");
    let head = "From: Ada <a@example.org>\r\nTo: b@example.org\r\nSubject: =?utf-8?q?Caf=C3=A9?= news\r\nMIME-Version: 1.0\r\n";
    let mail = |name: &str, rest: String| place.write(format!("m/{name}"), format!("{head}{rest}"));
    mail("plain", format!("\r\n{}", text.replace('\n', "\r\n")));
    mail("page", format!("Content-Type: text/html; charset=utf-8\n\n{page}"));
    let part = |kind: &str, body: &str| format!("--b\nContent-Type: {kind}\n\n{body}\n");
    let both = part("text/plain", &text) + &part("text/html", &page) + "--b--\n";
    mail("both", format!("Content-Type: multipart/alternative; boundary=b\n\n{both}"));
    mail(
        "attached",
        format!(
            "Content-Type: multipart/mixed; boundary=m\n\n--m\n\
             Content-Type: multipart/alternative; boundary=b\n\n{both}\n--m\n\
             Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\nJVBERi0=\n--m\n\
             Content-Type: text/x-diff; name=a.diff\n\n--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n--m\n\
             Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n--m--\n"
        ),
    );
    mail(
        "invited",
        format!(
            "Content-Type: multipart/alternative; boundary=b\n\n{}{}{}--b--\n",
            part("text/plain", &text),
            part("text/html", &page),
            part("text/calendar; method=REQUEST", "BEGIN:VCALENDAR\nSUMMARY:lunch\nEND:VCALENDAR"),
        ),
    );
    mail(
        "quoted",
        format!(
            "Content-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n{}",
            "<p class=3D\"x\">caf=E9 cr=E8me br=FBl=E9e, d=E9j=E0 vu<br>=\n and again</p>\n"
                .repeat(9)
        ),
    );
    mail("forwarded", format!("Content-Type: message/rfc822\n\nSubject: inner\n\n{text}"));
    mail("broken", format!("\n<html><body><p>{}</body></html>", text.replace("\n\n", "<p>")));
    place.write("m/inbox", example("sift/inbox.mbox"));
}

/// A page of tables, with a style sheet for phones and dark themes, and a hidden line of preview.
fn newsletter() -> String {
    let text = example("sift/originals/lighthouse.txt");
    let rows: Vec<String> = text
        .split("\n\n")
        .map(|paragraph| format!("<tr><td class=\"cell\" style=\"padding:8px;font-size:14px\"><p>{paragraph}</p></td></tr>"))
        .collect();
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><title>News</title><style type=\"text/css\">\n\
         body {{ margin: 0; background-color: #f4f4f4; color: #333; }} #outlook a {{ padding: 0; }}\n\
         .ReadMsgBody, .ExternalClass {{ width: 100%; }} .ExternalClass * {{ line-height: 100%; }}\n\
         a[x-apple-data-detectors] {{ color: inherit !important; font-size: inherit !important; }}\n\
         u + .body .gwfw {{ display: block; }} .cell a:hover {{ color: #fff; }} td > p {{ margin: 0 0 1em; }}\n\
         .phone {{ display: none; mso-hide: all; max-height: 0; overflow: hidden; }}\n\
         @media only screen and (max-width: 600px) {{ .cell {{ width: 100% !important; font-size: 16px !important; }} \
         .phone {{ display: block !important; max-height: none !important; }} .desk {{ display: none !important; }} }}\n\
         @media (prefers-color-scheme: dark) {{ body, .cell {{ background: #111 !important; color: #eee !important; }} }}\n\
         </style><!--[if mso]><style>td {{ font-family: Arial; }}</style><![endif]--></head>\n\
         <body class=\"body\" bgcolor=\"#f4f4f4\"><div style=\"display:none;font-size:1px;color:#f4f4f4;line-height:1px;\
         max-height:0;opacity:0;overflow:hidden\">A short look at lighthouses &zwnj;&nbsp;&zwnj;</div>\n\
         <table width=\"600\" align=\"center\" style=\"background:#ffffff\"><tr><td bgcolor=\"#003366\">\
         <font color=\"#ffffff\" size=\"5\"><b>Harbour&nbsp;News</b></font></td></tr>{}\n\
         <tr class=\"desk\"><td>Read this at your desk.</td></tr><tr class=\"phone\"><td>Read this on the way.</td></tr>\n\
         <tr><td style=\"font-size:11px;color:#999999\"><a href=\"https://example.org/u?x=1\" style=\"color:#999\">\
         Unsubscribe</a> &copy; 2026</td></tr></table><img src=\"x.gif\" width=1 height=1 alt=\"\"></body></html>",
        rows.concat()
    )
}

/// For mail without hidden text, values are those of earlier releases: a store finds what these have added.
#[test]
fn values_of_ordinary_mail_never_change() {
    let digests = ["standard-1", "mail-1"].map(|profile| {
        let place = place();
        ordinary_mail(&place);
        let add = format!("sift add --key a.key --quiet --strict --profile {profile} m.sift m");
        let done = place.fanmill(&add).run();
        assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{done}");
        let store = as_version_1(&place.path("m.sift"));
        store[store.len() - 8..]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<Vec<_>>()
            .concat()
    });
    assert_eq!(digests, ["4137bef6d652b0cc", "8c4a03f0576c4380"]);
}

/// A Word document of some paragraphs; one that is `cut` breaks off behind them.
pub(crate) fn word(paragraphs: &[&str], is_cut: bool) -> Vec<u8> {
    let paragraphs: Vec<String> =
        paragraphs.iter().map(|text| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")).collect();
    let end = if is_cut { "<w:p><w:r" } else { "</w:body></w:document>" };
    let space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let body = format!("<w:document xmlns:w=\"{space}\"><w:body>{}{end}", paragraphs.concat());
    let root = "<Relationships><Relationship Id='r' Type='http://t/officeDocument' Target='word/document.xml'/></Relationships>";
    let parts =
        [("[Content_Types].xml", "<Types/>"), ("_rels/.rels", root), ("word/document.xml", &*body)];
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, part) in parts {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("memory");
        zip.write_all(part.as_bytes()).expect("memory");
    }
    zip.finish().expect("memory").into_inner()
}

/// A document that is read in part is no "no"; one whose text begins as mail does is no mail.
#[test]
fn of_documents_the_text_counts_and_what_is_lost_is_said() {
    let place = place();
    let run = |bytes: &[u8]| {
        place.write("essay.docx", bytes);
        place.fanmill("sift check --key a.key --strict store.sift essay.docx").run()
    };
    let (original, decoy) = (original(), decoy());
    let whole = run(&word(&[&decoy], false));
    assert!(whole.stdout.starts_with("no"), "{whole}");
    let cut = run(&word(&[&decoy], true));
    assert!(!cut.stdout.starts_with("no"), "{cut}");
    assert!(cut.to_string().contains("damaged: read up to the fault"), "{cut}");
    let original = original.replace('&', "&amp;").replace('<', "&lt;");
    for first in ["From: a@b", "Content-Type: multipart/mixed; boundary=b", "&lt;p hidden>"] {
        let copy = run(&word(&[first, "Subject: x", &original], false));
        assert!(copy.stdout.starts_with("yes"), "{first}: {copy}");
    }
}

/// What is no text is refused by name where the bytes themselves would be searched for or sifted.
#[test]
fn documents_on_standard_input_are_refused_by_name() {
    let place = place();
    let done = place.fanmill("index add ix original.txt").run();
    assert_eq!(done.code, Some(0), "{done}");
    for (bytes, what) in [
        (word(&["a"], false), "an office document"),
        (b"%PDF-1.7\n1 0 obj\n".to_vec(), "a PDF document"),
    ] {
        place.write("given", bytes);
        for command in ["search ix -", "sift check --key a.key --strict store.sift -"] {
            let done = place.fanmill(command).fed(&place.path("given")).run();
            assert!(done.to_string().contains(what), "{command}: {done}");
            assert_ne!(done.code, Some(0), "{command}: {done}");
        }
    }
}
