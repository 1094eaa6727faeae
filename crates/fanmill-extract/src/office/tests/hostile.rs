//! Tests with hostile and with damaged documents.

use std::time::Duration;

use proptest::prelude::*;

use super::*;

/// Checks what must be true of every document, whatever its bytes are.
fn check(bytes: &[u8], limits: &Limits) {
    let Ok(Some(found)) = read(bytes, limits) else { return };
    assert!(!found.text.trim().is_empty());
    assert!(found.text.len() as u64 <= 2 * limits.part_bytes);
    let mut before = None;
    for place in &found.places {
        assert!(before < Some(place.start), "places go backwards");
        assert!(found.text.is_char_boundary(place.start as usize));
        before = Some(place.start);
    }
    assert!((place_of(&found) as usize) < found.text.len());
}

fn place_of(found: &Extracted) -> u32 {
    found.places.last().map_or(0, |place| place.start)
}

#[test]
fn a_bomb_is_over_a_limit() {
    let spaces = format!("<w:p><w:r><w:t>x{}</w:t></w:r></w:p>", " ".repeat(30 << 20));
    let reason = unread(&docx(&spaces, &[]));
    assert!(
        reason.contains("over the limit of 200 to 1; raise the setting `max-ratio`"),
        "{reason}"
    );
    let limits = Limits { part_bytes: 1 << 20, ..Limits::standard() };
    let reason = read(&docx(&spaces, &[]), &limits).expect_err("over").reason;
    assert!(reason.contains("limit of 1048576 bytes a file"), "{reason}");
}

#[test]
fn a_long_string_that_many_cells_refer_to_is_over_the_limit_on_text() {
    let cells = "<c t=\"s\"><v>0</v></c>".repeat(100_000);
    let sheet = format!("<worksheet><row>{cells}</row></worksheet>");
    let strings = format!("<sst><si><t>{}</t></si></sst>", "word ".repeat(20_000));
    let bytes = package(
        "w.xml",
        &[
            ("w.xml", "<workbook><sheet r:id=\"s\"/></workbook>"),
            (
                "_rels/w.xml.rels",
                &relations(&[("s", "worksheet", "s.xml"), ("t", "sharedStrings", "t.xml")]),
            ),
            ("s.xml", &sheet),
            ("t.xml", &strings),
        ],
    );
    let (reason, effort) = fanmill_effort::of(|| unread(&bytes));
    assert!(reason.starts_with("its text is over the limit"), "{reason}");
    assert!(effort < Duration::from_secs(10));
}

#[test]
fn entities_of_a_document_type_do_not_grow() {
    let bomb = "<!DOCTYPE d [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><d:document><p><r><t>x &b; y &amp; z & é</t></r></p></d:document>";
    let bytes = package("d.xml", &[("d.xml", bomb)]);
    assert_eq!(text(&bytes), "x &b; y & z & é\n");
}

#[test]
fn references_in_a_circle_end() {
    let bytes = package(
        "p.xml",
        &[
            (
                "p.xml",
                &format!("<presentation>{}</presentation>", "<sldId r:id=\"a\"/>".repeat(100_000)),
            ),
            ("_rels/p.xml.rels", &relations(&[("a", "slide", "p2.xml"), ("b", "slide", "p.xml")])),
            ("p2.xml", "<sld><p><r><t>once</t></r></p></sld>"),
            (
                "_rels/p2.xml.rels",
                &relations(&[("a", "notesSlide", "p2.xml"), ("b", "notesSlide", "p.xml")]),
            ),
        ],
    );
    assert_eq!(text(&bytes), "once\n");
}

/// Documents of several megabytes each that are slow for readers that build trees, recurse or look back.
#[test]
fn documents_made_to_hurt_take_linear_time() {
    let attributes: String =
        (0..800_000).fold(String::new(), |all, i| all + " a" + &i.to_string() + "=\"\"");
    let bodies = [
        format!("<w:p{attributes}><w:r><w:t>x</w:t></w:r></w:p>"),
        "<w:p>".repeat(1_000_000),
        "<w:r>".repeat(4000) + &"<w:t>x</w:t>".repeat(100_000),
        paragraph("x").repeat(300_000),
        "<w:p><w:r>".to_owned() + &"<w:t>x</w:t><w:vanish/>".repeat(200_000),
        "<!--".repeat(1_000_000),
        "<![CDATA[".repeat(500_000),
        "<!DOCTYPE [".repeat(300_000),
        "&".repeat(1_000_000),
        "<w:p><w:r><w:delText>x</w:delText></w:r><w:r><w:t>y</w:t></w:r></w:p>".repeat(100_000),
    ];
    let mut documents: Vec<Vec<u8>> = bodies.iter().map(|body| docx(body, &[])).collect();
    documents.push(open_document("text", "", &"<text:p><text:span>".repeat(200_000)));
    documents.push(open_document("text", "", &"<text:section><text:p>x</text:p>".repeat(200_000)));
    documents.push(epub(&["/>".repeat(1_000_000).as_str(), "<title/>".repeat(300_000).as_str()]));
    documents
        .push(b"{\\rtf1".iter().copied().chain(b"{\\b ".repeat(1_000_000)).chain(*b"x").collect());
    documents.push([&b"{\\rtf1"[..], &b"{\\footnote x".repeat(500_000)].concat());
    documents.push([&b"{\\rtf1"[..], &b"\\u55357 ?\\'e9".repeat(500_000)].concat());
    documents.push([&b"{\\rtf1 x\\bin-5 "[..], b"\\bin99999999999 "].concat());
    documents.push([&b"{\\rtf1{\\fonttbl"[..], &b"\\f1\\fcharset204 ".repeat(300_000)].concat());
    for (number, bytes) in documents.iter().enumerate() {
        let ((), effort) = fanmill_effort::of(|| check(bytes, &Limits::standard()));
        assert!(effort < Duration::from_secs(10), "document {number}");
    }
}

#[test]
fn a_part_that_is_cut_off_is_read_up_to_there() {
    let found =
        extracted(&docx("<w:p><w:r><w:t>one</w:t></w:r></w:p><w:p><w:r><w:t>two</w:p>", &[]));
    assert_eq!((found.text.as_str(), found.flags), ("one\n\ntwo\n", vec![Flag::Damaged]));
}

const TAGS: [&str; 44] = [
    "<p>",
    "</p>",
    "<r>",
    "</r>",
    "<t>",
    "</t>",
    "<del>",
    "</del>",
    "<rPr>",
    "</rPr>",
    "<pPr>",
    "</pPr>",
    "<vanish/>",
    "<color val=\"FFFFFF\"/>",
    "<tbl>",
    "</tbl>",
    "<txbxContent>",
    "</txbxContent>",
    "<Fallback>",
    "</Fallback>",
    "<tab/>",
    "<br/>",
    "<note>",
    "</note>",
    "<annotation>",
    "</annotation>",
    "<span style-name=\"a\">",
    "</span>",
    "<s c=\"9\"/>",
    "<table name=\"x\">",
    "</table>",
    "<table-row number-rows-repeated=\"3\">",
    "</table-row>",
    "<table-cell number-columns-repeated=\"999999999999\">",
    "</table-cell>",
    "<deletion>",
    "</deletion>",
    "<page>",
    "</page>",
    "x",
    "é ",
    "&#x0;",
    "&amp;",
    "<![CDATA[y]]>",
];

const WORDS: [&str; 30] = [
    "{",
    "}",
    "\\par ",
    "\\footnote ",
    "\\*",
    "\\v ",
    "\\v0",
    "\\u55356 ",
    "\\u-9000?",
    "\\'e9",
    "\\'",
    "\\f1",
    "\\fonttbl",
    "\\fcharset128",
    "\\colortbl",
    ";",
    "\\cf1",
    "x",
    "\u{E9}",
    "\\bin2 ",
    "\\uc0",
    "\\uc99999",
    "\\",
    "\\cell",
    "\\intbl",
    "\\annotation ",
    "\\info",
    "\\author ",
    "\\ansicpg65001",
    "\\deleted",
];

proptest! {
    #[test]
    fn no_elements_make_it_panic(parts in prop::collection::vec(prop::sample::select(&TAGS[..]), 0..40)) {
        let body = parts.concat();
        let limits = Limits { part_bytes: 2000, ..Limits::standard() };
        check(&docx(&body, &[("word/comments.xml", &format!("<comment>{body}</comment>"))]), &limits);
        for kind in ["text", "presentation", "spreadsheet"] {
            check(&open_document(kind, "<style name=\"a\"/>", &body), &limits);
        }
        check(&package("s.xml", &[("s.xml", &format!("<workbook>{body}"))]), &limits);
    }

    #[test]
    fn no_rich_text_makes_it_panic(parts in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..60)) {
        check(format!("{{\\rtf1{}", parts.concat()).as_bytes(), &Limits { part_bytes: 2000, ..Limits::standard() });
    }

    #[test]
    fn damaged_documents_do_not_make_it_panic(number in 0..4_usize, at in any::<prop::sample::Index>(), byte: u8, cut in any::<prop::sample::Index>()) {
        let note = format!("<footnotes><footnote>{}</footnote></footnotes>", paragraph("note"));
        let mut bytes = match number {
            0 => docx(&paragraph("some words"), &[("word/footnotes.xml", &note)]),
            1 => open_document("text", "", "<text:p>some words</text:p>"),
            2 => epub(&["<p>one</p>", "<p>two</p>"]),
            _ => b"{\\rtf1\\ansi{\\fonttbl{\\f0 A;}} some {\\b words}\\par}".to_vec(),
        };
        let index = at.index(bytes.len());
        bytes[index] = byte;
        check(&bytes, &Limits::standard());
        bytes.truncate(cut.index(bytes.len()));
        check(&bytes, &Limits::standard());
    }
}
