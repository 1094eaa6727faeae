use super::made::{PdfBuilder, text};
use super::*;

const MOST: u64 = 1 << 24;

fn read_all(document: &[u8]) -> Extracted {
    read(document, MOST, "").expect("a document with text")
}

fn reason(document: &[u8]) -> String {
    read(document, MOST, "").expect_err("a document that is not read").reason.to_string()
}

fn aside(document: &Extracted, kind: SetApartReason) -> String {
    let of_kind = document.asides.iter().filter(|aside| aside.kind == kind);
    of_kind.map(|aside| &*aside.text).collect::<Vec<_>>().join(" / ")
}

#[test]
fn lines_are_read_with_their_pages() {
    let document = PdfBuilder::default()
        .prose(&["The quick brown fox jumps over", "the lazy dog (twice)."])
        .prose(&["A second page."])
        .finish();
    let found = read_all(&document);
    assert_eq!(
        found.text,
        "The quick brown fox jumps over\nthe lazy dog (twice).\n\n\x0cA second page.\n"
    );
    assert_eq!(found.at(3), Some(Location::Page(1)));
    assert_eq!(found.at(found.text.len() - 3), Some(Location::Page(2)));
    assert_eq!((found.format, found.flags, found.asides), (Format::Pdf, vec![], vec![]));
}

#[test]
fn fields_without_an_appearance_show_their_values() {
    let field = |entries: &str, y: u32| {
        format!("<< /Subtype /Widget /Rect [50 {y} 250 {}] {entries} >>", y + 40)
    };
    let own = "/FT /Tx /DA (/Helv 10 Tf 0 g)";
    let mut document = PdfBuilder::default().prose(&["Where is the mill?"]);
    document.annotations = [
        field(&format!("{own} /V (The mill lies beside the river, and its wheel is still.)"), 600),
        field(&format!("{own} /F 2 /V (hidden)"), 500),
        field(&format!("{own} /Ff 8192 /V (secret)"), 400),
        field("/FT /Btn /V (On)", 300),
        field(&format!("{own} /V (drawn) /AP << >>"), 200),
        field("/Parent << /FT /Tx /V <FEFF00D6006C> >>", 100),
        "<< /Subtype /Text /V (a remark) >> 7".to_owned(),
    ]
    .concat();
    let text = read_all(&document.finish()).text;
    let expected =
        "Where is the mill?\n\nThe mill lies beside the river, and its\nwheel is still.\n\nÖl\n";
    assert_eq!(text, expected);
}

#[test]
fn texts_written_onto_a_page_are_read_and_remarks_are_comments() {
    let at = |y: u32, kind: &str, entries: &str| {
        format!("<< /Subtype /{kind} /Rect [50 {y} 350 {}] {entries} >> ", y + 20)
    };
    let mut document = PdfBuilder::default().prose(&["Where is the mill?"]);
    document.annotations = [
        at(600, "FreeText", "/DA (/Helv 10 Tf 0 g) /Contents (Beside the river)"),
        at(500, "FreeText", "/F 2 /Contents (hidden)"),
        at(400, "FreeText", "/AP << >> /Contents (drawn)"),
        at(300, "Text", "/Contents (Really?)"),
        at(200, "Highlight", "/Contents <FEFF004A0061>"),
        at(100, "Popup", "/Contents (Really?)"),
        at(90, "Link", "/Contents (a way)"),
    ]
    .concat();
    let found = read_all(&document.finish());
    assert_eq!(found.text, "Where is the mill?\n\nBeside the river\n");
    assert_eq!(aside(&found, SetApartReason::Comment), "Really? Ja");
}

/// A page with files attached to it: their contents with the entries of their streams, and whether they are pinned to
/// the page or else listed.
fn with_attached(files: &[(&str, &str, bool)]) -> Vec<u8> {
    let mut document = PdfBuilder::default().prose(&["Open the files in another viewer."]);
    let (mut listed, mut pins) = (String::new(), String::new());
    for (i, (entries, contents, is_pinned)) in files.iter().enumerate() {
        let object = PdfBuilder::FIRST_FREE + i;
        document.objects.push(super::made::streamed(entries, contents));
        let file = format!("<< /Type /Filespec /F (f{i}) /EF << /F {object} 0 R >> >>");
        if *is_pinned {
            pins.extend(["<< /Subtype /FileAttachment /FS ", &file, " >>"]);
        } else {
            listed.extend([&format!("(f{i}) "), &*file]);
        }
    }
    // A kid that is its own parent must not end anything.
    let kids = format!("[<< /Names [{listed}] >> {} 0 R]", PdfBuilder::FIRST_FREE + files.len());
    document.objects.push(format!("<< /Kids {kids} >>"));
    document.catalog = format!("/Names << /EmbeddedFiles << /Kids {kids} >> >>");
    document.annotations = pins;
    document.finish()
}

#[test]
fn attached_files_are_read_after_the_pages() {
    let inner = with_attached(&[("", "the innermost sheet", false)]);
    let inner = String::from_utf8_lossy(&inner).replace('\u{FFFD}', "?");
    let rtf = r"{\rtf1 a letter {\v and what it hides}}";
    let files = [
        ("", "the mill is still\n\n  and its wheel", false),
        ("", rtf, true),
        ("", "<!DOCTYPE html><p>a <b>page</b>", false),
        ("", &*inner, false),
    ];
    let found = read_all(&with_attached(&files));
    assert_eq!(
        found.text,
        "Open the files in another viewer.\n\
         the mill is still\nand its wheel\n\
         a page\n\
         Open the files in another viewer.\nthe innermost sheet\n\
         a letter\n"
    );
    let place = |word: &str| found.at(found.text.find(word).expect("a word of the text"));
    assert_eq!(place("viewer"), Some(Location::Page(1)));
    assert_eq!(place("wheel"), Some(Location::Attachment(1)));
    assert_eq!(place("a letter"), Some(Location::Attachment(4)));
    assert_eq!(aside(&found, SetApartReason::Hidden), "and what it hides");
    assert_eq!(found.asides[0].at, Location::Attachment(4));
    assert_eq!(found.flags, []);
}

#[test]
fn attached_files_that_are_not_read_are_flagged() {
    let flags = |entries: &str, contents: &str| {
        let found = read_all(&with_attached(&[(entries, contents, false)]));
        assert_eq!(found.text, "Open the files in another viewer.\n");
        found.flags
    };
    assert_eq!(flags("", "\0\u{1}picture\0"), [Flag::Embedded]);
    assert_eq!(flags("/Filter /FlateDecode", "no stream"), [Flag::Embedded]);
    assert_eq!(flags("/Filter /LZWDecode", "text"), [Flag::Embedded]);
    assert_eq!(flags("", "%PDF-1.7 and nothing else"), [Flag::Embedded]);
    assert_eq!(flags("", "PK\u{3}\u{4} cut short"), [Flag::Embedded]);
    assert_eq!(flags("", " \n"), []);
    // Too many pages, too many files, and deeper than is read.
    let long = |seed: usize| {
        // Lines that differ in numbers alone are headers.
        let letters = |page: usize| [page / 26, page % 26].map(|i| char::from(b'a' + i as u8));
        let made = (0..300).fold(PdfBuilder::default(), |made, page| {
            let [one, other] = letters(page);
            made.page(&text(50.0, 700.0, 11.0, &format!("leaf {seed} of {one}{other}{one}")))
        });
        String::from_utf8_lossy(&made.finish()).replace('\u{FFFD}', "?")
    };
    let long = [long(1), long(2)];
    let found = read_all(&with_attached(&[("", &long[0], false), ("", &long[1], true)]));
    assert_eq!(found.text.matches("leaf").count(), 500);
    assert_eq!(found.flags, [Flag::Limit]);
    let texts: Vec<String> = (0..70).map(|i| format!("text {i}.")).collect();
    let files: Vec<_> = texts.iter().map(|text| ("", &**text, false)).collect();
    let found = read_all(&with_attached(&files));
    assert_eq!(found.text.matches("text").count(), 64);
    assert_eq!(found.flags, [Flag::Embedded]);
    let mut nested = "the innermost".to_owned();
    for _ in 0..4 {
        let outer = with_attached(&[("", &nested, false)]);
        nested = String::from_utf8_lossy(&outer).replace('\u{FFFD}', "?");
    }
    let found = read_all(nested.as_bytes());
    assert_eq!(found.text.matches("viewer").count(), 3);
    assert_eq!((found.text.contains("innermost"), found.flags), (false, vec![Flag::Embedded]));
}

#[test]
fn attached_files_unpack_to_no_more_than_the_text_may_have() {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut packed, "mill ".repeat(20_000).as_bytes()).expect("a buffer");
    let packed = packed.finish().expect("a buffer");
    // The builder takes text, so the bytes replace a mark of their length.
    let mark = "@".repeat(packed.len());
    let mut document = with_attached(&[("/Filter /FlateDecode", &mark, false)]);
    let at = memchr::memmem::find(&document, mark.as_bytes()).expect("the mark");
    document[at..at + packed.len()].copy_from_slice(&packed);
    let found = read_all(&document);
    assert_eq!((found.text.matches("mill").count(), &found.flags[..]), (20_000, &[][..]));
    let found = read(&document, 150_000, "").expect("the page");
    assert_eq!((found.text.matches("mill").count(), &found.flags[..]), (0, &[Flag::Embedded][..]));
}

#[test]
fn what_is_on_a_layer_that_is_off_is_hidden() {
    let on = |layer: &str, y: f64, words: &str| {
        format!("/OC /{layer} BDC {} EMC ", text(50.0, y, 10.0, words))
    };
    let content = text(50.0, 700.0, 10.0, "seen by all")
        + &on("L1", 600.0, "an answer")
        + &on("L2", 500.0, "a question");
    let layers = |usual: &str| {
        let mut document = PdfBuilder::default().page(&content);
        let [first, second] = [0, 1].map(|n| PdfBuilder::FIRST_FREE + n);
        let layer = |name: &str| format!("<< /Type /OCG /Name ({name}) >>");
        document.objects = vec![layer("one"), layer("two")];
        document.resources = format!("/Properties << /L1 {first} 0 R /L2 {second} 0 R >>");
        let usual = usual.replace("ONE", &format!("{first} 0 R"));
        document.catalog =
            format!("/OCProperties << /OCGs [{first} 0 R {second} 0 R] /D << {usual} >> >>");
        let found = read_all(&document.finish());
        let hidden = aside(&found, SetApartReason::Hidden);
        (found.text.split_whitespace().collect::<Vec<_>>().join(" "), hidden)
    };
    let expected = |seen: &str, hidden: &str| (seen.to_owned(), hidden.to_owned());
    assert_eq!(layers("/OFF [ONE]"), expected("seen by all a question", "an answer"));
    let base = layers("/BaseState /OFF /ON [ONE]");
    assert_eq!(base, expected("seen by all an answer", "a question"));
    assert_eq!(layers(""), expected("seen by all an answer a question", ""));
}

#[test]
fn form_feeds_part_pages_with_and_without_text() {
    let document = PdfBuilder::default()
        .page("")
        .prose(&["The second."])
        .page("")
        .prose(&["The fourth."])
        .finish();
    assert_eq!(read_all(&document).text, "\x0cThe second.\n\n\x0c\x0cThe fourth.\n");
}

#[test]
fn words_that_go_on_in_the_next_line_are_joined() {
    let document = PdfBuilder::default()
        .prose(&["a compu-", "tational well-", "Known pages -", "and 12-", "13"])
        .prose(&["its last hyphen-"])
        .prose(&["ated word"])
        .finish();
    let text = "a computational\nwell-\nKnown pages -\nand 12-\n13\n\n\x0cits last hyphenated\n\n\x0cword\n";
    assert_eq!(read_all(&document).text, text);
}

#[test]
fn two_columns_are_read_one_after_the_other() {
    let mut content = text(50.0, 760.0, 16.0, "A heading that reaches over both of the columns");
    for row in 0..12 {
        let y = 700.0 - 12.0 * f64::from(row);
        content += &text(50.0, y, 10.0, &format!("left line number {row} fills its own column"));
        content += &text(310.0, y, 10.0, &format!("right line number {row} fills its own column"));
    }
    let found = read_all(&PdfBuilder::default().page(&content).finish()).text;
    let at = |what: &str| found.find(what).unwrap_or_else(|| panic!("{what} is missing: {found}"));
    assert!(at("A heading") < at("left line number 0"));
    assert!(at("left line number 11") < at("right line number 0"));
}

#[test]
fn rows_of_a_table_are_read_across() {
    let mut content = String::new();
    for row in 0..12 {
        let y = 700.0 - 12.0 * f64::from(row);
        content += &text(50.0, y, 10.0, &format!("name {row}"));
        content += &text(310.0, y, 10.0, &format!("value {row}"));
    }
    let found = read_all(&PdfBuilder::default().page(&content).finish()).text;
    assert!(found.starts_with("name 0 value 0\nname 1 value 1\n"), "{found}");
}

#[test]
fn letters_that_are_placed_one_by_one_are_words() {
    let content = "BT /F1 10 Tf 50 700 Td [(T) 70 (o) -10 (gether) -300 (apar) 15 (t)] TJ ET";
    assert_eq!(read_all(&PdfBuilder::default().page(content).finish()).text, "Together apart\n");
}

#[test]
fn what_is_drawn_twice_for_boldness_is_read_once() {
    let bold = text(50.0, 700.0, 10.0, "bold words") + &text(50.3, 700.0, 10.0, "bold words");
    let outlined = format!("2 Tr 1 w {}", text(50.0, 600.0, 10.0, "outlined"));
    let found = read_all(&PdfBuilder::default().page(&(bold + &outlined)).finish()).text;
    assert_eq!(found, "bold words\n\noutlined\n");
}

#[test]
fn what_a_reader_does_not_see_is_set_apart() {
    let seen = text(50.0, 700.0, 10.0, "seen");
    let white = format!("q 1 1 1 rg {} Q ", text(50.0, 600.0, 10.0, "white words"));
    let invisible = format!("q 3 Tr {} Q ", text(50.0, 500.0, 10.0, "invisible words"));
    let tiny = text(50.0, 400.0, 1.0, "tiny words");
    let beside = text(2000.0, 300.0, 10.0, "beside it");
    let content = [seen, white, invisible, tiny, beside].concat();
    let found = read_all(&PdfBuilder::default().page(&content).finish());
    assert_eq!(found.text, "seen\n");
    assert_eq!(aside(&found, SetApartReason::White), "white words");
    assert_eq!(aside(&found, SetApartReason::Hidden), "invisible words");
    assert_eq!(aside(&found, SetApartReason::Tiny), "tiny words");
    assert_eq!(aside(&found, SetApartReason::OffPage), "beside it");
}

#[test]
fn white_text_on_a_dark_ground_is_seen() {
    let content =
        format!("0 0 0 rg 40 590 300 40 re f 1 1 1 rg {}", text(50.0, 600.0, 10.0, "a title"));
    assert_eq!(read_all(&PdfBuilder::default().page(&content).finish()).text, "a title\n");
    let covered = format!(
        "0 0 0 rg 40 590 300 40 re f 1 1 1 rg 30 580 400 60 re f {}",
        text(50.0, 600.0, 10.0, "no title")
    );
    let document =
        PdfBuilder::default().page(&(covered + &format!("0 g {}", text(50.0, 90.0, 9.0, "seen"))));
    assert_eq!(aside(&read_all(&document.finish()), SetApartReason::White), "no title");
}

#[test]
fn text_below_what_is_drawn_later_is_set_apart() {
    let below = text(50.0, 600.0, 10.0, "words below");
    let seen = text(50.0, 90.0, 10.0, "seen");
    let area = "40 590 300 40 re f";
    let aside_of = |content: &str| {
        let made = PdfBuilder::default().picture("Im").page(&format!("{below} {content} {seen}"));
        let found = read_all(&made.finish());
        (found.text.contains("words below"), aside(&found, SetApartReason::Covered))
    };
    let (hidden, shown) = ((false, "words below".to_owned()), (true, String::new()));
    assert_eq!(aside_of(&format!("1 g {area} 0 g")), hidden);
    assert_eq!(aside_of("q 300 0 0 40 40 590 cm /Im Do Q"), hidden);
    // Next to the text, over its lower half, as a frame around it, clipped away, and with the text drawn again on top.
    for content in [
        "40 700 300 40 re f".to_owned(),
        "40 590 300 13 re f".to_owned(),
        "20 570 340 80 re 40 590 300 40 re f*".to_owned(),
        format!("q 300 100 10 10 re W n {area} Q"),
        format!("1 g {area} 0 g {below}"),
        // A scan, with its text below.
        "q 600 0 0 800 0 0 cm /Im Do Q".to_owned(),
    ] {
        assert_eq!(aside_of(&content), shown, "{content}");
    }
}

#[test]
fn text_recognised_in_a_scan_is_read() {
    let scan = format!(
        "q 600 0 0 800 0 0 cm /Im Do Q q 3 Tr {} Q ",
        text(50.0, 700.0, 10.0, "recognised words")
    );
    let document = |content: &str| PdfBuilder::default().picture("Im").page(content).finish();
    assert_eq!(read_all(&document(&scan)).text, "recognised words\n");
    let stamped = scan + &text(300.0, 50.0, 8.0, "A STAMP");
    let found = read_all(&document(&stamped));
    assert_eq!((&*found.text, found.asides.len()), ("recognised words\n\nA STAMP\n", 0));
    assert_eq!(found.scans, Scans::default());
    let reason = reason(&document("q 600 0 0 800 0 0 cm /Im Do Q"));
    assert_eq!(reason, "no text: its pages are pictures; recognise their text (OCR) first");
}

#[test]
fn fonts_without_characters_are_named() {
    let font = "/Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [<< /Type /Font \
         /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>]";
    let mut made = PdfBuilder::default().page(&text(50.0, 700.0, 10.0, "abcdefgh"));
    made.font = Some(font.to_owned());
    assert!(reason(&made.finish()).starts_with("no text: its fonts say no characters"));
}

#[test]
fn headers_and_page_numbers_are_set_apart_and_said() {
    let page = |i: usize| {
        let body = ["first", "second", "third", "fourth", "fifth"][i];
        text(50.0, 780.0, 9.0, "A Thesis on Weaving")
            + &text(50.0, 700.0, 10.0, &format!("the {body} page"))
            + &text(50.0, 600.0, 10.0, "its text")
            + &text(50.0, 500.0, 10.0, &format!("which ends with the {body}"))
            + &text(300.0, 20.0, 9.0, &format!("{}", i + 3))
    };
    let made = (0..5).fold(PdfBuilder::default(), |made, i| made.page(&page(i)));
    let found = read_all(&made.finish());
    assert!(!found.text.contains("Weaving") && !found.text.contains('7'), "{}", found.text);
    assert_eq!(found.n_words(SetApartReason::Furniture), 5 * 5);
}

#[test]
fn forms_are_drawn_and_do_not_repeat_for_ever() {
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources 4 0 R";
    let document = PdfBuilder::default()
        .drawn("Fm", form, &text(50.0, 700.0, 10.0, "in a form"))
        .page("/Fm Do")
        .finish();
    assert_eq!(read_all(&document).text, "in a form\n");
    let endless = text(50.0, 700.0, 10.0, "again") + "/Fm Do";
    let document = PdfBuilder::default().drawn("Fm", form, &endless).page("/Fm Do").finish();
    let found = read_all(&document);
    assert_eq!((&*found.text, found.flags), ("again\n", vec![Flag::Limit]));
}

#[test]
fn text_over_the_limit_is_not_read() {
    let document = PdfBuilder::default().prose(&["some words of a line"; 40]).finish();
    let unread = read(&document, 500, "").expect_err("over the limit");
    assert!(unread.reason.contains("over the limit of 500 bytes a file"), "{}", unread.reason);
}

#[test]
fn what_is_no_document_is_damaged() {
    for bytes in
        [&b""[..], b"%PDF-1.4\n", b"%PDF-1.7 1 0 obj << /Type /Catalog >> endobj trailer << >>"]
    {
        assert_eq!(reason(bytes), DAMAGED);
    }
}

#[test]
fn damage_of_any_kind_ends_in_text_or_in_a_reason() {
    let document = PdfBuilder::default()
        .picture("Im")
        .prose(&["The quick brown fox jumps", "over the lazy dog."])
        .page("q 9 0 0 9 0 0 cm /Im Do Q [(a) 3 (b)] TJ")
        .finish();
    for cut in 0..document.len() {
        let _ = read(&document[..cut], MOST, "");
    }
    for at in 0..document.len() {
        for change in [b'9', 0, document[at] ^ 0x10] {
            let mut changed = document.clone();
            changed[at] = change;
            if let Ok(found) = read(&changed, MOST, "") {
                assert!(!found.text.trim().is_empty());
            }
        }
    }
}

#[test]
fn scanned_pages_are_drawn_as_they_lie_on_the_page() {
    // Four pixels in rows: black, white, white, white; on all of the page, and upside down.
    let picture = "/Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /ASCIIHexDecode";
    let document = |place: &str| {
        let page = format!("q {place} cm /P Do Q");
        PdfBuilder::default()
            .drawn("P", picture, "00FFFFFF")
            .page(&page)
            .prose(&["Words."])
            .finish()
    };
    let corners = |document: &[u8]| {
        let pgm = super::picture(document, 1, "").expect("a picture");
        let head = b"P5\n2500 3333\n255\n";
        assert!(pgm.starts_with(head), "{}", String::from_utf8_lossy(&pgm[..20]));
        let at = |x: usize, y: usize| pgm[head.len() + y * 2500 + x];
        [at(400, 400), at(2100, 400), at(400, 2900), at(2100, 2900)]
    };
    assert_eq!(corners(&document("600 0 0 800 0 0")), [0, 255, 255, 255]);
    assert_eq!(corners(&document("-600 0 0 -800 600 800")), [255, 255, 255, 0]);
    assert_eq!(corners(&document("0 -800 600 0 0 800")), [255, 0, 255, 255]);
    assert_eq!(corners(&document("60 0 0 80 0 0")), [255; 4]);
    let whole = document("600 0 0 800 0 0");
    let found = read_all(&whole);
    assert_eq!((&*found.text, &found.scans.unread[..]), ("\x0cWords.\n", &[1][..]));
    // A stamp does not make it a text, and many letters do.
    let stamped = |n: usize| {
        let page =
            "q 600 0 0 800 0 0 cm /P Do Q ".to_owned() + &text(50.0, 50.0, 9.0, &"a".repeat(n));
        PdfBuilder::default().drawn("P", picture, "00FFFFFF").page(&page).finish()
    };
    assert_eq!(read_all(&stamped(20)).scans.unread, [1]);
    // Stamps that repeat are set apart, and pages stay scans.
    let page = "q 600 0 0 800 0 0 cm /P Do Q ".to_owned() + &text(50.0, 50.0, 9.0, "Scanned");
    let many =
        PdfBuilder::default().drawn("P", picture, "00FFFFFF").page(&page).page(&page).page(&page);
    let found = super::read_with_scans(&many.finish(), MOST, "").expect("scans");
    assert_eq!((&*found.text, &found.scans.unread[..]), ("", &[1, 2, 3][..]));
    assert!(read_all(&stamped(60)).scans.unread.is_empty());
    // A picture on a part of the page is no scan.
    assert_eq!(read_all(&document("300 0 0 300 0 0")).scans, Scans::default());
    assert_eq!(
        super::picture(&whole, 3, "").map_err(|e| e.reason.to_string()),
        Err("a page that cannot be drawn".to_owned())
    );
    assert!(super::picture(&whole, 0, "").is_err());
}

#[test]
fn masks_and_strips_are_drawn_together() {
    let strip = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /ASCIIHexDecode";
    let mask = "/Type /XObject /Subtype /Image /Width 2 /Height 1 /BitsPerComponent 1 /ImageMask true /Filter /ASCIIHexDecode";
    let page = "q 600 0 0 400 0 400 cm /A Do Q q 600 0 0 400 0 0 cm /B Do Q q 0 g 600 0 0 800 0 0 cm /M Do Q";
    let document = PdfBuilder::default()
        .drawn("A", strip, "80")
        .drawn("B", strip, "C0")
        .drawn("M", mask, "40");
    let pgm = super::picture(&document.page(page).finish(), 1, "").expect("a picture");
    let at = |x: usize, y: usize| pgm[pgm.len() - 2500 * 3333 + y * 2500 + x];
    // The mask paints its left half.
    assert_eq!([at(400, 400), at(2100, 400), at(400, 2900), at(2100, 2900)], [0, 0x80, 0, 0xC0]);
}
