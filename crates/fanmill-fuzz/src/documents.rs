//! Targets for documents: of office programs, their parts, which mutations of a zip seldom reach, and PDF.

use std::fmt::Write;

use fanmill_extract::extracted::Extracted;
use fanmill_extract::office::{Limits, read};
use fanmill_extract::pdf as portable;

use crate::seeds::zip;

/// Relations of a package to its main part, and of the main part to other parts.
const RELATIONS: [(&str, &str); 2] = [
    (
        "_rels/.rels",
        "<Relationships><Relationship Id=\"m\" Type=\"t/officeDocument\" Target=\"main.xml\"/></Relationships>",
    ),
    (
        "_rels/main.xml.rels",
        "<Relationships><Relationship Id=\"a\" Type=\"t/slide\" Target=\"other.xml\"/>\
         <Relationship Id=\"b\" Type=\"t/worksheet\" Target=\"other.xml\"/>\
         <Relationship Id=\"c\" Type=\"t/styles\" Target=\"other.xml\"/></Relationships>",
    ),
];

/// Parts that serve as the main part of a package.
const MAIN: [&str; 3] = [
    "<w:document><w:body><w:p><w:pPr><w:pStyle w:val=\"a\"/></w:pPr><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>\
     <w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>words</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>\
     </w:body></w:document>",
    "<p:presentation><p:sldId id=\"1\" r:id=\"a\"/></p:presentation>",
    "<workbook><sheet name=\"S\" r:id=\"b\"/></workbook>",
];
const OTHER: &str = "<x><style w:styleId=\"a\"><basedOn w:val=\"a\"/><vanish/></style><a:p><a:r><a:t>words</a:t></a:r></a:p>\
    <row r=\"2\"><c r=\"B2\"><v>1</v></c></row></x>";
const CONTENT: &str = "<office:document-content><style:style style:name=\"a\"><style:text-properties fo:color=\"#ffffff\"/></style:style>\
    <office:body><office:text><text:p text:style-name=\"a\">a<text:s text:c=\"3\"/><text:note><text:note-body><text:p>n</text:p>\
    </text:note-body></text:note></text:p><text:p>words</text:p></office:text></office:body></office:document-content>";
const PROJECT: &str = r#"{"targets":[{"isStage":true,"name":"Stage","blocks":{}},{"name":"Crow","blocks":{
    "a":{"opcode":"event_whenflagclicked","next":"b","topLevel":true,"inputs":{},"fields":{}},
    "b":{"opcode":"control_if_else","next":"e","inputs":{"CONDITION":[2,"c"],"SUBSTACK":[2,"d"],"SUBSTACK2":[2,"a"]}},
    "c":{"opcode":"operator_lt","inputs":{"OPERAND1":[3,[12,"height","v"],[10,""]],"OPERAND2":[1,[4,"12.5"]]}},
    "d":{"opcode":"looks_say","inputs":{"MESSAGE":[1,[10,"caw \"twice\""]]},"fields":{"VARIABLE":["height","v"]}},
    "e":{"opcode":"procedures_call","inputs":{"p":[1,"m"]},"mutation":{"proccode":"fly %s","argumentids":"[\"p\"]"}},
    "m":{"opcode":"motion_goto_menu","shadow":true,"fields":{"TO":["_random_",null]}}}}]}"#;
const OLD_PROJECT: &str = r#"{"objName":"Stage","children":[{"objName":"Crow","scripts":[[1,2,[["whenGreenFlag"],
    ["doIf",["<",["readVariable","height"],12.5],[["say:","caw"]]],["stopAll"]]]]}]}"#;
const LIVE_SCRIPT: &str = "<w:document><w:body><w:p><w:pPr><w:pStyle w:val=\"heading\"/></w:pPr><w:r><w:t>Flight</w:t></w:r></w:p>\
    <w:p><w:pPr><w:pStyle w:val=\"code\"/></w:pPr><w:r><w:t><![CDATA[h = 12;\nplot(h)]]></w:t></w:r></w:p></w:body></w:document>";
const APP: [&str; 2] = ["youngandroidproject/project.properties", "src/a/Screen1.bky"];
const APP_BLOCKS: &str = "<xml><block type=\"component_event\"><mutation component_type=\"Clock\" event_name=\"Timer\"/>\
    <field name=\"COMPONENT_SELECTOR\">Clock1</field><statement name=\"DO\"><block type=\"controls_if\"><value name=\"IF0\">\
    <block type=\"logic_true\"/></value><statement name=\"DO0\"><block type=\"x\"/></statement></block></statement></block></xml>";
const SHEET: &str = "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"S\"><table:table-row \
    table:number-rows-repeated=\"2\"><table:table-cell table:number-columns-repeated=\"3\"><text:p>x</text:p></table:table-cell>\
    </table:table-row></table:table></office:spreadsheet></office:body></office:document-content>";
const RICH: &str = "{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset204 A;}}{\\colortbl;\\red255\\green255\\blue255;}{\\info{\\author A}}\\f0 w\\'e9\\u8364?\
    {\\v h}{\\cf1 w}{\\footnote n}\\par\\intbl c\\cell\\row{\\*\\x y}\\bin2 zz}";

/// Reads a document of any format.
///
/// # Panics
/// If its text is blank or too long, or a place lies outside the text.
pub fn document(bytes: &[u8]) {
    let limits = Limits { part_bytes: 1 << 20, ..Limits::standard() };
    let Ok(Some(found)) = read(bytes, &limits) else { return };
    // Line ends do not count towards the limit.
    check(&found, 4 << 20);
}

/// Checks what holds of every document that was read, whose text has at most this many bytes.
fn check(found: &Extracted, most: usize) {
    assert!(!found.text.trim().is_empty(), "a document has text");
    assert!(found.text.len() <= most, "the text is within its limit");
    let starts: Vec<usize> = found.places.iter().map(|place| place.start as usize).collect();
    assert!(starts.is_sorted_by(|a, b| a < b), "places go forward");
    assert!(
        starts.iter().all(|&start| found.text.is_char_boundary(start)),
        "places are in the text"
    );
}

/// Reads a PDF as the child of the cage does, in this process: what the interpreter of pages panics at is caught, page
/// by page, and nothing else may panic.
///
/// # Panics
/// If its text is blank or too long, a place lies outside the text, or reading it again gives another text.
pub fn pdf(bytes: &[u8]) {
    let Ok(found) = portable::read(bytes, PDF_BYTES, "") else { return };
    check(&found, PDF_BYTES as usize);
    let n_pages = found.text.matches('\x0c').count() + 1;
    assert!(found.places.len() <= n_pages, "a page has one place");
    assert!(found.flags.is_sorted_by(|a, b| a < b), "a flag is set once");
    let shown = found.clone().with_hidden();
    check(&shown, 2 * PDF_BYTES as usize);
    assert_eq!(Ok(found), portable::read(bytes, PDF_BYTES, ""), "the same bytes, another text");
}

/// Maximum size of the text of a PDF, in bytes, so low that the limit is reached too.
const PDF_BYTES: u64 = 1 << 16;

/// Reads a part of a document: the first byte selects the format and the part, and the other bytes are the part.
pub fn part(bytes: &[u8]) {
    let Some((&first, part)) = bytes.split_first() else { return };
    let [root, table] = RELATIONS.map(|(name, part)| (name, part.as_bytes()));
    match first % 9 {
        0 => document(&zip(&[root, table, ("main.xml", part), ("other.xml", OTHER.as_bytes())])),
        kind @ 1..=3 => {
            let main = MAIN[usize::from(kind) - 1].as_bytes();
            document(&zip(&[root, table, ("main.xml", main), ("other.xml", part)]));
        }
        4 => {
            let mime = ("mimetype", &b"application/vnd.oasis.opendocument.text"[..]);
            document(&zip(&[mime, ("styles.xml", part), ("content.xml", part)]));
        }
        6 => document(&zip(&[("project.json", part)])),
        7 => document(&zip(&[("matlab/document.xml", part)])),
        8 => document(&zip(&[(APP[0], b""), (APP[1], part)])),
        _ => {
            let container = b"<rootfile full-path=\"a.opf\"/>";
            let spine = b"<p><item id=\"a\" href=\"a.html\"/><itemref idref=\"a\"/></p>";
            let names = [
                ("META-INF/container.xml", &container[..]),
                ("a.opf", &spine[..]),
                ("a.html", part),
            ];
            document(&zip(&names));
        }
    }
}

/// Returns documents of two pages: with lines, columns, hidden text and a form, and with fonts that map their glyphs.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn pdfs() -> Vec<Vec<u8>> {
    let stream = |entries: &str, body: &str| {
        format!("<< {entries} /Length {} >>\nstream\n{body}\nendstream", body.len())
    };
    let page = |contents: u8| {
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources 3 0 R /Contents {contents} 0 R >>"
        )
    };
    let first = "BT /F1 11 Tf 50 740 Td (Wheat is threshed on the) Tj 0 -14 Td [(floor; a fan) -20 (mill turns, and) ] TJ \
        T* 1 Tr (hidden) Tj 0 Tr ET BT /F2 11 Tf 1 0 0 1 320 740 Tm <0001000200030004> Tj ET \
        1 1 1 rg BT /F1 9 Tf 50 600 Td (white) Tj ET q .5 0 0 .5 10 10 cm /X Do Q 0 g 40 500 99 9 re f";
    let second = "BT /F1 2 Tf 50 30 Td (tiny) Tj /F1 12 Tf 0 650 Td 14 TL (chaff flies off-) ' (wards.) ' ET \
        BI /W 2 /H 2 /BPC 8 /CS /G ID @@@@ EI";
    let unicode = "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange \
        2 beginbfrange <0001> <0003> <0041> <0004> <0004> <D83CDF3E> endbfrange endcmap";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [4 0 R 6 0 R] /Count 2 >>".to_owned(),
        "<< /Font << /F1 8 0 R /F2 9 0 R >> /XObject << /X 12 0 R >> >>".to_owned(),
        page(5),
        stream("", first),
        page(7),
        stream("", second),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [10 0 R] /ToUnicode 11 0 R >>"
            .to_owned(),
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) \
         /Supplement 0 >> /DW 500 /W [1 [600 300]] >>"
            .to_owned(),
        stream("", unicode),
        stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Resources 3 0 R",
            "BT /F1 30 Tf 20 20 Td (in a form) Tj ET",
        ),
    ];
    let encoded = |byte: u8| format!("{byte:02x}");
    let hex: String = second.bytes().map(encoded).collect();
    let mut filtered = objects.clone();
    filtered[6] = stream("/Filter /ASCIIHexDecode", &hex);
    vec![written(&objects), written(&filtered)]
}

/// Returns the file of these objects, which are numbered from 1, with a table of their places.
fn written(objects: &[String]) -> Vec<u8> {
    let (mut file, mut table) = ("%PDF-1.7\n".to_owned(), String::new());
    for (number, object) in (1..).zip(objects) {
        writeln!(table, "{:010} 00000 n ", file.len()).expect("memory takes it");
        writeln!(file, "{number} 0 obj\n{object}\nendobj").expect("memory takes it");
    }
    let (n, start) = (objects.len() + 1, file.len());
    write!(
        file,
        "xref\n0 {n}\n0000000000 65535 f \n{table}trailer\n<< /Size {n} /Root 1 0 R /Info << /Author (A) >> >>\n\
         startxref\n{start}\n%%EOF\n"
    )
    .expect("memory takes it");
    file.into_bytes()
}

/// Returns documents of each kind of container.
pub fn whole() -> Vec<Vec<u8>> {
    let [root, table] = RELATIONS.map(|(name, part)| (name, part.as_bytes()));
    let mime = ("mimetype", &b"application/vnd.oasis.opendocument.text"[..]);
    let mut all: Vec<Vec<u8>> = MAIN
        .iter()
        .map(|main| {
            zip(&[root, table, ("main.xml", main.as_bytes()), ("other.xml", OTHER.as_bytes())])
        })
        .collect();
    all.push(zip(&[mime, ("content.xml", CONTENT.as_bytes())]));
    all.push(RICH.as_bytes().to_vec());
    all.push(zip(&[("project.json", PROJECT.as_bytes()), ("1.svg", b"<svg/>")]));
    all.push(zip(&[(APP[0], b""), (APP[1], APP_BLOCKS.as_bytes())]));
    all.push(zip(&[("matlab/document.xml", LIVE_SCRIPT.as_bytes())]));
    all
}

/// Returns parts, each after the byte that selects it.
pub fn parts() -> Vec<Vec<u8>> {
    let pages = "<html><head><title/></head><body><p>words</p></body></html>";
    let all = [
        (0, MAIN[0]),
        (0, MAIN[1]),
        (0, MAIN[2]),
        (1, OTHER),
        (6, PROJECT),
        (6, OLD_PROJECT),
        (7, LIVE_SCRIPT),
        (8, APP_BLOCKS),
        (2, OTHER),
        (3, OTHER),
        (4, CONTENT),
        (4, SHEET),
        (5, pages),
    ];
    all.iter().map(|(kind, part)| [&[*kind], part.as_bytes()].concat()).collect()
}
