//! Targets for office documents: whole documents, and their parts, which mutations of a zip seldom reach.

use fanmill_extract::office::{Limits, read};

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
    assert!(!found.text.trim().is_empty(), "a document has text");
    // Line ends do not count towards the limit.
    assert!(found.text.len() <= 4 << 20, "the text is within its limit");
    let starts: Vec<usize> = found.places.iter().map(|place| place.start as usize).collect();
    assert!(starts.is_sorted_by(|a, b| a < b), "places go forward");
    assert!(
        starts.iter().all(|&start| found.text.is_char_boundary(start)),
        "places are in the text"
    );
}

/// Reads a part of a document: the first byte selects the format and the part, and the other bytes are the part.
pub fn part(bytes: &[u8]) {
    let Some((&first, part)) = bytes.split_first() else { return };
    let [root, table] = RELATIONS.map(|(name, part)| (name, part.as_bytes()));
    match first % 6 {
        0 => document(&zip(&[root, table, ("main.xml", part), ("other.xml", OTHER.as_bytes())])),
        kind @ 1..=3 => {
            let main = MAIN[usize::from(kind) - 1].as_bytes();
            document(&zip(&[root, table, ("main.xml", main), ("other.xml", part)]));
        }
        4 => {
            let mime = ("mimetype", &b"application/vnd.oasis.opendocument.text"[..]);
            document(&zip(&[mime, ("styles.xml", part), ("content.xml", part)]));
        }
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
        (2, OTHER),
        (3, OTHER),
        (4, CONTENT),
        (4, SHEET),
        (5, pages),
    ];
    all.iter().map(|(kind, part)| [&[*kind], part.as_bytes()].concat()).collect()
}
