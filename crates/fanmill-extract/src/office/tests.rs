//! Tests with documents of every format.

mod hostile;

use super::made::{
    docx, docx_around, epub, open_document, package, paragraph, relations, zip, zip_of,
};
use super::*;

fn extracted(bytes: &[u8]) -> Extracted {
    read(bytes, &Limits::standard()).expect("it can be read").expect("it is a document")
}

fn unread(bytes: &[u8]) -> String {
    read(bytes, &Limits::standard()).expect_err("it cannot be read").reason.to_string()
}

fn text(bytes: &[u8]) -> String {
    extracted(bytes).text
}

fn asides(document: &Extracted) -> Vec<(SetApartReason, &str)> {
    document.asides.iter().map(|aside| (aside.kind, aside.text.trim())).collect()
}

#[test]
fn a_word_document_is_read_in_paragraphs() {
    let body = [
        paragraph("One &amp; two &#233;"),
        "<w:p/>".to_owned(),
        "<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>spl</w:t></w:r><w:r><w:t>it</w:t><w:tab/><w:t>x</w:t>\
         <w:br/><w:t>y</w:t><w:noBreakHyphen/><w:instrText>PAGE</w:instrText></w:r></w:p>"
            .to_owned(),
        format!("<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>", paragraph("cell 1"), paragraph("cell 2")),
        "<w:p><m:oMath><m:r><m:t>E=m</m:t></m:r><m:r><m:t>c2</m:t></m:r></m:oMath></w:p>".to_owned(),
    ];
    let note = "<w:footnotes><w:footnote w:type=\"separator\"><w:p><w:r><w:t>no</w:t></w:r></w:p></w:footnote>\
        <w:footnote><w:p><w:r><w:footnoteRef/><w:t>a note</w:t></w:r></w:p></w:footnote></w:footnotes>";
    let found = extracted(&docx(&body.concat(), &[("word/footnotes.xml", note)]));
    assert_eq!(found.format, Format::Docx);
    assert_eq!(found.text, "One & two é\n\nsplit x\ny-\ncell 1\ncell 2\n\nE=mc2\n\na note\n");
    let at = |word: &str| found.at(found.text.find(word).expect("there")).map(|at| at.to_string());
    assert_eq!(at("One").as_deref(), Some("paragraph 1"));
    assert_eq!(at("cell 2").as_deref(), Some("paragraph 4"));
    assert_eq!(at("a note").as_deref(), Some("note 1"));
    assert_eq!((found.asides, found.flags), (vec![], vec![]));
}

#[test]
fn text_boxes_are_read_once() {
    let inner = |word: &str| format!("<w:txbxContent>{}</w:txbxContent>", paragraph(word));
    let body = format!(
        "<w:p><w:r><w:t>around </w:t></w:r><w:r><mc:AlternateContent><mc:Choice>{}</mc:Choice><mc:Fallback>{}</mc:Fallback>\
         </mc:AlternateContent></w:r><w:r><w:t>it</w:t></w:r></w:p>",
        inner("box"),
        inner("box")
    );
    assert_eq!(text(&docx(&body, &[])), "box\n\naround it\n");
}

#[test]
fn what_a_reader_does_not_see_is_set_apart() {
    let run = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text} </w:t></w:r>")
    };
    let body = [
        "<w:p>".to_owned(),
        run("", "seen"),
        "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>".to_owned(),
        format!("<w:moveFrom>{}</w:moveFrom>", run("", "away")),
        run("<w:vanish/>", "hidden"),
        run("<w:rStyle w:val=\"Ghost\"/>", "styled"),
        run("<w:vanish w:val=\"0\"/>", "shown"),
        run("<w:color w:val=\"FFFFFF\"/>", "white"),
        run("<w:color w:val=\"FFFFFF\"/><w:shd w:fill=\"000000\"/>", "on black"),
        run("<w:sz w:val=\"2\"/>", "tiny"),
        "</w:p><w:p><w:pPr><w:pStyle w:val=\"Heir\"/></w:pPr>".to_owned(),
        run("", "inherited"),
        "</w:p><w:tbl>".to_owned(),
        // White text in a table is kept, since the background is not known.
        format!("<w:p>{}</w:p></w:tbl>", run("<w:color w:val=\"FFFFFF\"/>", "head of a table")),
    ];
    let styles = "<w:styles><w:style w:styleId=\"Ghost\"><w:rPr><w:vanish/></w:rPr></w:style>\
        <w:style w:styleId=\"Heir\"><w:basedOn w:val=\"Ghost\"/></w:style></w:styles>";
    let comments = format!("<w:comments><w:comment>{}</w:comment></w:comments>", paragraph("why?"));
    let parts = [("word/styles.xml", styles), ("word/comments.xml", &comments)];
    let found = extracted(&docx(&body.concat(), &parts));
    assert_eq!(found.text, "seen shown on black\nhead of a table\n");
    let expected = [
        (SetApartReason::Deleted, "gone"),
        (SetApartReason::Moved, "away"),
        (SetApartReason::Hidden, "hidden styled"),
        (SetApartReason::White, "white"),
        (SetApartReason::Tiny, "tiny"),
        (SetApartReason::Hidden, "inherited"),
        (SetApartReason::Comment, "why?"),
    ];
    assert_eq!(asides(&found), expected);
    assert_eq!(found.n_words(SetApartReason::Hidden), 3);
}

#[test]
fn a_strict_document_with_other_prefixes_and_macros_is_read_too() {
    let root = relations(&[("r", "officeDocument", "/word/main.xml")]);
    let settings =
        "<settings><rsids><rsid x:val=\"00AB12CD\"/><rsid x:val=\"00AB12CD\"/></rsids></settings>";
    let core = "<p><dc:creator>Ada</dc:creator><cp:lastModifiedBy>Bo</cp:lastModifiedBy></p>";
    let bytes = zip(&[
        ("_rels/.rels", &root),
        (
            "word/main.xml",
            "\u{FEFF}<?xml version=\"1.0\"?><document><p><r><t>strict</t></r></p></document>",
        ),
        ("word/_rels/main.xml.rels", &relations(&[("s", "settings", "../word/settings.xml")])),
        ("word/settings.xml", settings),
        ("docProps/core.xml", core),
        ("word/vbaProject.bin", ""),
    ]);
    let found = extracted(&bytes);
    assert_eq!((found.text.as_str(), found.flags), ("strict\n", vec![Flag::Macros]));
    let Metadata { author, last_author, revision_ids, .. } = found.metadata;
    assert_eq!((author.as_deref(), last_author.as_deref()), (Some("Ada"), Some("Bo")));
    assert_eq!(revision_ids, [0x00AB_12CD]);
}

#[test]
fn slides_are_read_in_the_order_shown() {
    let slide = |text: &str| {
        format!(
            "<p:sld><a:p><a:r><a:t>{text}</a:t></a:r><a:fld type=\"slidenum\"><a:t>9</a:t></a:fld></a:p></p:sld>"
        )
    };
    // The slide `b` is listed twice, but read once.
    let list = "<p:presentation><p:sldId id=\"256\" r:id=\"b\"/><p:sldId id=\"257\" r:id=\"a\"/><p:sldId r:id=\"c\"/><p:sldId r:id=\"b\"/></p:presentation>";
    let bytes = package(
        "ppt/presentation.xml",
        &[
            ("ppt/presentation.xml", list),
            (
                "ppt/_rels/presentation.xml.rels",
                &relations(&[
                    ("a", "slide", "slides/s1.xml"),
                    ("b", "slide", "slides/s2.xml"),
                    ("c", "slide", "slides/s3.xml"),
                ]),
            ),
            ("ppt/slides/s1.xml", &slide("second").replace("<p:sld>", "<p:sld show=\"0\">")),
            ("ppt/slides/s2.xml", &slide("first")),
            ("ppt/slides/s3.xml", &slide("third")),
            ("ppt/slides/_rels/s2.xml.rels", &relations(&[("n", "notesSlide", "../notes/n.xml")])),
            ("ppt/notes/n.xml", &slide("say this").replace("p:sld", "p:notes")),
        ],
    );
    let found = extracted(&bytes);
    assert_eq!(
        (found.format, found.text.as_str()),
        (Format::Pptx, "first\nsay this\n\x0c\x0cthird\n")
    );
    assert_eq!(asides(&found), [(SetApartReason::Hidden, "second")]);
    assert_eq!(found.at(7), Some(Location::SpeakerNotes(1)));
}

#[test]
fn sheets_are_read_in_rows() {
    let sheet = "<worksheet><row r=\"2\"><c r=\"B2\" t=\"s\"><v>1</v></c><c t=\"s\"><v>0</v></c><c r=\"AA2\"><f>1+1</f><v>2</v></c></row>\
        <row><c t=\"inlineStr\"><is><t>in</t></is></c><c t=\"s\"><v>99</v></c></row></worksheet>";
    let strings = "<sst><si><t>zero</t></si><si><r><t>o</t></r><r><t>ne</t></r><rPh><t>x</t></rPh></si></sst>";
    let bytes = package(
        "xl/workbook.xml",
        &[
            (
                "xl/workbook.xml",
                "<workbook><sheets><sheet name=\"Marks\" sheetId=\"1\" r:id=\"s\"/></sheets></workbook>",
            ),
            (
                "xl/_rels/workbook.xml.rels",
                &relations(&[("s", "worksheet", "s.xml"), ("t", "sharedStrings", "t.xml")]),
            ),
            ("xl/s.xml", sheet),
            ("xl/t.xml", strings),
        ],
    );
    let found = extracted(&bytes);
    assert_eq!(
        (found.text.as_str(), &found.sheets[..]),
        ("one\tzero\t2\nin\n", &["Marks".to_owned()][..])
    );
    let places: Vec<String> = found.places.iter().map(|place| place.at.to_string()).collect();
    assert_eq!(places, ["cell B2", "cell C2", "cell AA2", "cell A3"]);
}

#[test]
fn a_text_in_open_document_is_read() {
    let styles = "<number:text-style><number:text/></number:text-style>\
        <style:style style:name=\"w\"><style:text-properties fo:color=\"#ffffff\"/></style:style>\
        <style:style style:name=\"v\" style:parent-style-name=\"w\"><style:text-properties text:display=\"none\"/></style:style>";
    let body = "<text:tracked-changes><text:changed-region><text:deletion><office:change-info><dc:creator>Bo</dc:creator>\
        </office:change-info><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>\
        <text:h>Title</text:h><text:p>a\n   b<text:s text:c=\"3\"/>c<text:note><text:note-citation>1</text:note-citation>\
        <text:note-body><text:p>a note</text:p></text:note-body></text:note> d<text:span text:style-name=\"v\">no</text:span>\
        <text:span text:style-name=\"w\">white</text:span><office:annotation><dc:creator>Bo</dc:creator><text:p>why?</text:p></office:annotation></text:p>\
        <text:section text:display=\"none\"><text:p>never</text:p></text:section>\
        <table:table><table:table-row><table:table-cell><text:p>cell</text:p></table:table-cell></table:table-row></table:table>";
    let found = extracted(&open_document("text", styles, body));
    assert_eq!(found.format, Format::Odt);
    assert_eq!(found.text, "Title\n\na b   c d\ncell\n\na note\n");
    let expected = [
        (SetApartReason::Deleted, "gone"),
        (SetApartReason::Hidden, "no"),
        (SetApartReason::White, "white"),
        (SetApartReason::Comment, "why?"),
        (SetApartReason::Hidden, "never"),
    ];
    assert_eq!(asides(&found), expected);
    let Metadata { author, last_author, program, .. } = found.metadata;
    let said = [author, last_author, program].map(Option::unwrap_or_default);
    assert_eq!(said, ["Ada", "Bo", "Writer"]);
}

#[test]
fn slides_and_sheets_in_open_document_are_read() {
    let slides = "<draw:page><text:p>one</text:p><presentation:notes><text:p>say</text:p></presentation:notes></draw:page>\
        <draw:page><draw:frame><draw:text-box><text:p>two</text:p></draw:text-box></draw:frame></draw:page>";
    let found = extracted(&open_document("presentation", "", slides));
    assert_eq!((found.format, found.text.as_str()), (Format::Odp, "one\nsay\n\x0ctwo\n"));
    assert_eq!(found.at(9).map(|at| at.to_string()).as_deref(), Some("slide 2"));
    let sheet = "<table:table table:name=\"S\"><table:table-row table:number-rows-repeated=\"2\"><table:table-cell/>\
        <table:table-cell table:number-columns-repeated=\"2\"><text:p>x</text:p><text:p>y</text:p></table:table-cell></table:table-row>\
        <table:table-row table:number-rows-repeated=\"1000000000\"><table:table-cell table:number-columns-repeated=\"1000000000\"/>\
        </table:table-row></table:table>";
    let found = extracted(&open_document("spreadsheet", "", sheet));
    assert_eq!((found.format, found.text.as_str()), (Format::Ods, "x y\tx y\nx y\tx y\n"));
    assert_eq!(found.places[3].at.to_string(), "cell C2");
}

#[test]
fn a_book_is_read_in_the_order_of_its_spine() {
    let pages = [
        "<html><head><title/></head><body><p>last</p></body></html>",
        "<html><body><p>first</p></body></html>",
    ];
    let found = extracted(&epub(&pages));
    assert_eq!((found.format, found.text.as_str()), (Format::Epub, "first\n\nlast\n"));
    assert_eq!(found.at(8), Some(Location::Chapter(2)));
    assert_eq!(found.metadata.author.as_deref(), Some("Ada"));
}

#[test]
fn rich_text_is_read() {
    let bytes = br"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Cyr;}}{\colortbl;\red255\green255\blue255;}
{\info{\author Ada}{\creatim\yr2026\mo3\dy1}{\title no}}{\header page}\pard One\~\'e9 {\b b}old\par
\uc1\u8364?\u-10180?\u-8398? {\f1\'ef\'f0} \'41\emdash \{x\}{\footnote a note}\par {\v hidden }{\cf1 white }{\deleted gone}{\fs2 tiny}
{\*\unknown no}{\field{\*\fldinst HYPERLINK}{\fldrslt link}}\bin3 }}}{\*\annotation why?}\par\intbl{\cf1 head}\cell two\cell\row}";
    let found = extracted(bytes);
    assert_eq!(found.format, Format::Rtf);
    assert_eq!(
        found.text,
        "One é bold\n\n€\u{1F332}".to_owned() + " пр A—{x}\n\nlink\nhead\ntwo\n\na note\n"
    );
    let expected = [
        (SetApartReason::Hidden, "hidden"),
        (SetApartReason::White, "white"),
        (SetApartReason::Deleted, "gone"),
        (SetApartReason::Tiny, "tiny"),
        (SetApartReason::Comment, "why?"),
    ];
    assert_eq!(asides(&found), expected);
    assert_eq!(found.metadata.author.as_deref(), Some("Ada"));
    assert_eq!(found.metadata.created.as_deref(), Some("2026-03-01T00:00"));
}

#[test]
fn white_letters_in_place_of_blanks_part_words() {
    let white = |text: &str| format!("{{\\cf1 {text}}}");
    let rtf = |body: &str| {
        text(format!("{{\\rtf1{{\\colortbl;\\red255\\green255\\blue255;}}{body}}}").as_bytes())
    };
    let essay = format!("The{}mill{}stood{}still.", white("x"), white("oo"), white("a b"));
    assert_eq!(rtf(&essay), "The mill stood still.\n");
    // Within a word of a usual line they are no blank, and nor are letters that take no room.
    assert_eq!(rtf(&format!("The mi{}ll stood.", white("x"))), "The mill stood.\n");
    assert_eq!(rtf("The{\\cf1\\fs2 x}mill{\\v x}stood"), "Themillstood\n");
    // A white blank is a blank.
    assert_eq!(rtf(&format!("The mill{}stood.", white(" "))), "The mill stood.\n");
}

#[test]
fn white_text_on_a_coloured_page_is_read() {
    let styles = |colour: &str| {
        format!(
            "<style:style style:name=\"W\"><style:text-properties fo:color=\"#ffffff\"/></style:style>\
             <style:style style:name=\"D\" style:master-page-name=\"Dark\" style:parent-style-name=\"W\"/>\
             <style:page-layout style:name=\"p\"><style:page-layout-properties \
             fo:background-color=\"{colour}\"/></style:page-layout>\
             <style:master-page style:name=\"Dark\" style:page-layout-name=\"p\"/>"
        )
    };
    let of = |colour: &str, body: &str| text(&open_document("text", &styles(colour), body));
    let both = "<text:p text:style-name=\"D\">one</text:p><text:p text:style-name=\"W\">two</text:p>\
                <text:p>three</text:p>";
    assert_eq!(of("#102030", both), "one\n\ntwo\n\nthree\n");
    assert_eq!(of("#ffffff", both), "three\n");
    // A kind of page that no paragraph is on colours nothing.
    let plain = "<text:p text:style-name=\"W\">two</text:p><text:p>three</text:p>";
    assert_eq!(of("#102030", plain), "three\n");
    let rtf = |shown: &str| {
        format!(
            "{{\\rtf1{{\\colortbl;\\red255\\green255\\blue255;}}{shown}{{\\*\\background{{\\shp{{\\*\\shpinst\
             {{\\sp{{\\sn fillColor}}{{\\sv 3153936}}}}}}}}}}{{\\cf1 one}} two}}"
        )
    };
    assert_eq!(text(rtf("\\viewbksp1").as_bytes()), "one two\n");
    assert_eq!(text(rtf("").as_bytes()), " two\n");
}

#[test]
fn a_star_within_a_group_of_rich_text_says_nothing() {
    let body = "{\\info{\\author Ada}{\\comment A program}}{\\i0\\*\\cs7\\cf0 One} two{\\*\\unknown three}";
    let found = extracted(format!("{{\\rtf1{body}}}").as_bytes());
    assert_eq!((&*found.text, found.metadata.author.as_deref()), ("One two\n", Some("Ada")));
    let found = extracted(b"{\\rtf1 One\\par} two");
    assert_eq!(found.text, "One\n");
    assert_eq!(asides(&found), [(SetApartReason::Hidden, "two")]);
}

#[test]
fn what_cannot_be_read_is_named() {
    let old = |stream: &str| {
        let name: Vec<u8> = stream.encode_utf16().flat_map(u16::to_le_bytes).collect();
        [b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0", &*name].concat()
    };
    assert_eq!(unread(&old("EncryptedPackage")), "encrypted; save it without a password");
    assert_eq!(unread(&old("WordDocument")), "an old Word document (.doc); save it as .docx");
    assert_eq!(unread(&old("?")), "an old office document; save it in a newer format");
    assert_eq!(unread(&docx("<w:p/>", &[])), "no text");
    assert_eq!(
        unread(b"{\\rtf1 {\\v x}}"),
        "no text that a reader sees; all of it is hidden, deleted or a comment"
    );
    let main = relations(&[("r", "officeDocument", "word/document.xml")]);
    assert_eq!(
        unread(&zip(&[("_rels/.rels", &main)])),
        "damaged: its part `word/document.xml` is missing"
    );
    assert_eq!(
        unread(&zip(&[("[Content_Types].xml", "<Types/>")])),
        "damaged: it has a list of its parts, and none of them"
    );
    let cut = &docx(&paragraph("x"), &[])[..100];
    assert_eq!(unread(cut), "cut off or damaged: its table of contents cannot be read");
    let limits = Limits::standard();
    assert_eq!(read(&zip(&[("a.txt", "words")]), &limits), Ok(None));
    assert_eq!(read(b"words", &limits), Ok(None));
}

#[test]
fn documents_inside_a_document_are_read() {
    let inner = docx(&paragraph("In the inner one."), &[]);
    let around = |inner: &[(&str, &str, &[u8])]| docx_around(&paragraph("Without."), inner);
    let found = extracted(&around(&[
        ("aFChunk", "a.docx", &inner),
        ("aFChunk", "b.html", b"<html><body><p>On a <b>page</b>.</p></body></html>"),
        ("aFChunk", "c.rtf", b"{\\rtf1 In rich text.}"),
        ("aFChunk", "d.txt", b"In plain text."),
        ("package", "embeddings/e.docx", &inner),
    ]));
    assert_eq!(
        found.text,
        "Without.\n\nIn the inner one.\n\nOn a page.\n\nIn rich text.\n\nIn plain text.\n\nIn the inner one.\n"
    );
    assert_eq!(found.flags, []);
    // A chunk that cannot be read, and one that lies too deep.
    let only = |bytes: &[u8]| around(&[("aFChunk", "a.docx", bytes)]);
    assert_eq!(extracted(&only(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0")).flags, [Flag::Embedded]);
    let deep = extracted(&only(&only(&only(&inner))));
    assert_eq!(
        (&*deep.text, deep.flags),
        ("Without.\n\nWithout.\n\nWithout.\n", vec![Flag::Embedded])
    );
}

#[test]
fn documents_inside_slides_and_sheets_are_read() {
    let inner = docx(&paragraph("In the inner one."), &[]);
    let root = |main: &str| relations(&[("r1", "officeDocument", main)]);
    let slide =
        "<p:sld xmlns:p=\"p\" xmlns:a=\"a\"><a:p><a:r><a:t>On a slide.</a:t></a:r></a:p></p:sld>";
    let slides = zip_of(&[
        ("_rels/.rels", root("ppt/p.xml").as_bytes()),
        (
            "ppt/p.xml",
            b"<p:presentation xmlns:p=\"p\" xmlns:r=\"r\"><p:sldId r:id=\"s1\"/></p:presentation>",
        ),
        ("ppt/_rels/p.xml.rels", relations(&[("s1", "slide", "s1.xml")]).as_bytes()),
        ("ppt/s1.xml", slide.as_bytes()),
        ("ppt/_rels/s1.xml.rels", relations(&[("o1", "package", "o1.docx")]).as_bytes()),
        ("ppt/o1.docx", &inner),
    ]);
    let found = extracted(&slides);
    assert_eq!(found.text, "On a slide.\nIn the inner one.\n");
    assert_eq!(found.at(found.text.len() - 3), Some(Location::Slide(1)));
    let sheet = "<worksheet><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>In a cell.</t></is></c></row></worksheet>";
    let sheets = zip_of(&[
        ("_rels/.rels", root("xl/w.xml").as_bytes()),
        ("xl/w.xml", b"<workbook xmlns:r=\"r\"><sheet name=\"One\" r:id=\"s1\"/></workbook>"),
        ("xl/_rels/w.xml.rels", relations(&[("s1", "worksheet", "s1.xml")]).as_bytes()),
        ("xl/s1.xml", sheet.as_bytes()),
        ("xl/_rels/s1.xml.rels", relations(&[("o1", "package", "o1.docx")]).as_bytes()),
        ("xl/o1.docx", &inner),
    ]);
    assert_eq!(extracted(&sheets).text, "In a cell.\nIn the inner one.\n");
}

#[test]
fn objects_of_other_programs_are_said_unless_they_are_equations() {
    let object = |name: &str| {
        let name = name.encode_utf16().flat_map(u16::to_le_bytes);
        let bytes: Vec<u8> =
            b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".iter().copied().chain(name).collect();
        extracted(&docx_around(&paragraph("Outer."), &[("oleObject", "o.bin", &bytes)])).flags
    };
    assert_eq!(object("Equation Native"), []);
    assert_eq!(object("Workbook"), [Flag::Embedded]);
}

#[test]
fn documents_inside_an_open_document_are_read() {
    let part = |kind: &str, body: &str| {
        format!(
            "<office:document-content><office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
        )
    };
    let (outer, text) =
        (part("text", "<text:p>Outer.</text:p>"), part("text", "<text:p>Inner.</text:p>"));
    let sheet = part(
        "spreadsheet",
        "<table:table table:name=\"S\"><table:table-row><table:table-cell><text:p>In a cell.</text:p></table:table-cell></table:table-row></table:table>",
    );
    let chart = part("chart", "<chart:title><text:p>A title</text:p></chart:title>");
    let inner = docx(&paragraph("In the file."), &[]);
    let around = |parts: &[(&str, &[u8])]| {
        let mime = b"application/vnd.oasis.opendocument.text";
        let own = [("mimetype", &mime[..]), ("content.xml", outer.as_bytes())];
        extracted(&zip_of(&[&own[..], parts].concat()))
    };
    let found = around(&[
        ("Object 1/content.xml", text.as_bytes()),
        ("Object 2/content.xml", sheet.as_bytes()),
        ("Object 3/content.xml", chart.as_bytes()),
        ("Object 4", &inner),
        ("ObjectReplacements/Object 1", b"a picture"),
    ]);
    assert_eq!(found.text, "Outer.\n\nInner.\nIn a cell.\n\nIn the file.\n");
    assert_eq!(found.flags, []);
    let formulas: Vec<String> = (0..80).map(|n| format!("Object {n}/content.xml")).collect();
    let formula = b"<math:math><math:mi>x</math:mi></math:math>";
    let formulas: Vec<(&str, &[u8])> =
        formulas.iter().map(|name| (&**name, &formula[..])).collect();
    let found = around(&formulas);
    assert_eq!((&*found.text, found.flags), ("Outer.\n", vec![]));
    let damaged = around(&[
        ("Object 1/content.xml", b"<a"),
        ("Object 2", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0"),
    ]);
    assert_eq!((&*damaged.text, damaged.flags), ("Outer.\n", vec![Flag::Embedded]));
}

#[test]
fn a_document_that_was_cut_off_is_read_up_to_the_cut() {
    let body: String =
        (0..2000_u64).map(|n| paragraph(&format!("Paragraph {n} of {}.", n * n * 7919))).collect();
    let whole = docx(&body, &[]);
    let cut = extracted(&whole[..whole.len() / 2]);
    assert_eq!(cut.flags, [Flag::Damaged]);
    assert!(cut.text.starts_with("Paragraph 0 of 0.\n\nParagraph 1 of 7919.\n"), "{}", cut.text);
    assert!(text(&whole).starts_with(cut.text.trim_end()) && cut.text.len() > 5000);
    // A zip of other files, and a document without its text, are damaged.
    let reason = "cut off or damaged: its table of contents cannot be read";
    let other = zip(&[("a.txt", &"words ".repeat(1000)), ("b.txt", "more")]);
    assert_eq!(unread(&other[..other.len() - 30]), reason);
    assert_eq!(unread(&whole[..200]), reason);
}

#[test]
fn a_document_cut_off_behind_one_inside_it_is_read_as_itself() {
    let inner = package(
        "word/document.xml",
        &[(
            "word/document.xml",
            "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>Inner.</w:t></w:r></w:p></w:body></w:document>",
        )],
    );
    let whole = docx_around(&paragraph("Outer."), &[("package", "a.docx", &inner)]);
    let end = whole.windows(4).rposition(|four| four == b"PK\x01\x02").expect("a table");
    let found = extracted(&whole[..end - 60]);
    assert!(found.text.starts_with("Outer.") && found.flags.contains(&Flag::Damaged), "{found:?}");
    // The first part of an OpenDocument is not packed.
    let text = "<text:p>One.</text:p>".repeat(500);
    let whole = open_document("text", "", &text);
    assert!(extracted(&whole[..whole.len() - 30]).text.starts_with("One."));
}

#[test]
fn an_inner_document_that_is_damaged_leaves_the_outer_one_alone() {
    let around = |inner: &[u8]| docx_around(&paragraph("Outer."), &[("package", "a.docx", inner)]);
    for inner in [&b"PK\x03\x04"[..], b"MIME-Version: 1.0\n\nboundary", b"a\0b"] {
        let found = extracted(&around(inner));
        assert_eq!((&*found.text, found.flags), ("Outer.\n", vec![Flag::Embedded]), "{inner:?}");
    }
    let small = Limits { part_bytes: 3000, ..Limits::standard() };
    let bomb = "x".repeat(100_000);
    let found =
        read(&around(bomb.as_bytes()), &small).expect("it can be read").expect("a document");
    assert_eq!((&*found.text, found.flags), ("Outer.\n", vec![Flag::Embedded]));
    let fragment = docx_around("", &[("aFChunk", "a.html", b"<p>On a <b>page</b>.</p>")]);
    assert_eq!(text(&fragment), "On a page.\n");
}
