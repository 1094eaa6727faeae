//! Documents whose fonts say in other ways than usual which characters they draw.

use super::made::{PdfBuilder, streamed};
use super::*;

const MOST: u64 = 1 << 24;

fn read_all(document: PdfBuilder) -> Extracted {
    read(&document.finish(), MOST, "").expect("a document with text")
}

/// Draws glyphs of two-byte codes in 20 points from a place on.
fn codes(x: f64, codes: &[u16]) -> String {
    let codes = codes.iter().map(|code| format!("{code:04X}")).collect::<Vec<_>>().concat();
    format!("BT /F1 20 Tf {x} 700 Td <{codes}> Tj ET\n")
}

/// Returns a TrueType program without outlines, whose table has these characters for the glyphs from 1 on.
fn program(characters: &str) -> Vec<u8> {
    let n_glyphs = characters.chars().count() as u16 + 1;
    let mut head = vec![0; 54];
    head[..4].copy_from_slice(&[0, 1, 0, 0]);
    head[12..16].copy_from_slice(&0x5F0F_3CF5_u32.to_be_bytes());
    head[18..20].copy_from_slice(&1000_u16.to_be_bytes());
    let mut maxp = vec![0, 0, 0x50, 0];
    maxp.extend(n_glyphs.to_be_bytes());
    // One subtable for Windows, of 32-bit characters, with a group for each character.
    let mut sorted: Vec<(u32, char)> = (1..).zip(characters.chars()).collect();
    sorted.sort_by_key(|&(_, c)| c);
    let groups: Vec<u8> = sorted
        .into_iter()
        .flat_map(|(glyph, c)| [c as u32, c as u32, glyph])
        .flat_map(u32::to_be_bytes)
        .collect();
    let words: [u16; 8] = [0, 1, 3, 10, 0, 12, 12, 0];
    let mut cmap: Vec<u8> = words.into_iter().flat_map(u16::to_be_bytes).collect();
    for number in [16 + groups.len() as u32, 0, (groups.len() / 12) as u32] {
        cmap.extend(number.to_be_bytes());
    }
    cmap.extend(groups);
    let tables = [(b"cmap", cmap), (b"head", head), (b"maxp", maxp)];
    let mut program = vec![0, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0];
    let mut at = program.len() + 16 * tables.len();
    for (tag, table) in &tables {
        program.extend(*tag);
        for number in [0, at as u32, table.len() as u32] {
            program.extend(number.to_be_bytes());
        }
        at += table.len().next_multiple_of(4);
    }
    for (_, table) in &tables {
        program.extend(table);
        program.resize(program.len().next_multiple_of(4), 0);
    }
    program
}

/// Returns a document with a composite font: its collection, its program, and a table of the document.
fn composite(ordering: &str, characters: &str, table: Option<&str>) -> PdfBuilder {
    let free = PdfBuilder::FIRST_FREE;
    let hex =
        program(characters).iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().concat();
    let mut document = PdfBuilder::default();
    let mut font = format!(
        "/Subtype /Type0 /BaseFont /Mill /Encoding /Identity-H /DescendantFonts [{free} 0 R]"
    );
    document.objects = vec![
        format!(
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Mill /DW 1000 /CIDSystemInfo << /Registry (Adobe) /Ordering ({ordering}) /Supplement 0 >> /FontDescriptor {} 0 R >>",
            free + 1
        ),
        format!("<< /Type /FontDescriptor /FontName /Mill /Flags 4 /FontFile2 {} 0 R >>", free + 2),
        streamed("/Filter /ASCIIHexDecode", &hex),
    ];
    if let Some(table) = table {
        let reference = format!(" /ToUnicode {} 0 R", free + 3);
        font.push_str(&reference);
        document.objects.push(streamed("", table));
    }
    document.font = Some(font);
    document
}

/// Returns a table from the codes from 1 on to characters.
fn table(characters: &str) -> String {
    let lines = (1..).zip(characters.chars());
    let lines = lines
        .map(|(code, c)| format!("<{code:04X}> <{:04X}>\n", c as u32))
        .collect::<Vec<_>>()
        .concat();
    format!(
        "begincodespacerange <0000> <FFFF> endcodespacerange\n{} beginbfchar\n{lines}endbfchar",
        characters.chars().count()
    )
}

#[test]
fn collections_say_the_characters_of_embedded_fonts() {
    let document = composite("Japan1", "", None).page(&codes(50.0, &[843, 845, 847]));
    assert_eq!(read_all(document).text, "あいう\n");
}

#[test]
fn programs_say_the_characters_of_their_glyphs() {
    let document = composite("Identity", "wheľ", None).page(&codes(50.0, &[1, 2, 3, 3, 4]));
    let found = read_all(document);
    assert_eq!((found.text.as_str(), found.flags), ("wheeľ\n", vec![]));
    // Nothing says what the glyph 9 is.
    let document = composite("Identity", "wheľ", None).page(&codes(50.0, &[1, 2, 3, 9]));
    let found = read_all(document);
    assert_eq!((found.text.as_str(), found.flags), ("whe\n", vec![]));
    let unread = Unread { percent: 25, first: 1, last: 1 };
    assert_eq!(found.unread, Some(unread));
}

#[test]
fn letters_that_cannot_be_read_are_counted() {
    let said = |pages: &[(u64, u64)]| unread(pages).map(|unread| unread.to_string());
    assert_eq!(said(&[]), None);
    assert_eq!(said(&[(0, 0), (100, 0)]), None);
    // Formulas have a few.
    assert_eq!(said(&[(900, 40), (900, 40)]), None);
    assert_eq!(said(&[(30, 19)]).as_deref(), Some("39 % of the letters on page 1"));
    let pages = [(9000, 0), (10, 90), (9000, 1), (40, 60), (9000, 9)];
    assert_eq!(said(&pages).as_deref(), Some("2 % of the letters on pages 2 to 4"));
    assert_eq!(
        said(&[(9, 1), (9, 0), (9, 1)]).as_deref(),
        Some("7 % of the letters on pages 1 to 3")
    );
}

#[test]
fn a_table_that_lies_hides_nothing() {
    let line: Vec<u16> = (1..=7).cycle().take(28).collect();
    let page = codes(20.0, &line);
    let honest = composite("Identity", "amilnod", Some(&table("amilnod"))).page(&page);
    let honest = read_all(honest);
    assert_eq!((honest.text.len(), honest.flags), (29, vec![]));
    let lying = composite("Identity", "amilnod", Some(&table("xyzwvut"))).page(&page).page("");
    let lying = read_all(lying);
    let [said, drawn] = ["xyzwvut", "amilnod"].map(|word| word.repeat(4));
    assert_eq!(lying.text, format!("{said}\n\n{drawn}\n"));
    assert_eq!(
        (&lying.flags[..], lying.at(40)),
        (&[Flag::TwoReadings][..], Some(Location::Page(1)))
    );
    // A page that lies among many that do not.
    let many = |table: &str| {
        let mut pages = composite("Identity", "amilnodxyzwvut", Some(table));
        for _ in 0..20 {
            pages = pages.page(&codes(20.0, &line.iter().map(|code| code + 7).collect::<Vec<_>>()));
        }
        read_all(pages.page(&page))
    };
    assert_eq!(many(&table("AMILNODxyzwvut")).flags, []);
    let one = many(&table("bcefghjxyzwvut"));
    assert_eq!(one.flags, [Flag::TwoReadings]);
    assert_eq!(one.at(one.text.len() - 2), Some(Location::Page(21)));
    // Overprinting honest letters a thousand times makes no lie smaller.
    let repeated = codes(20.0, &[8]).repeat(1000) + &page;
    let lies = composite("Identity", "amilnodx", Some(&table("xyzwvutx"))).page(&repeated);
    assert_eq!(read_all(lies).flags, [Flag::TwoReadings]);
    // Letters in another form are the same.
    let capitals = composite("Identity", "amilnod", Some(&table("AMILNOD"))).page(&page);
    assert_eq!(read_all(capitals).flags, []);
}

#[test]
fn spans_say_the_text_of_what_they_draw() {
    let span = |said: &str, x: f64, drawn: &[u16]| {
        format!("/Span << /ActualText <FEFF{said}> >> BDC {} EMC\n", codes(x, drawn))
    };
    let document = || composite("Identity", "abc", Some(&table("abc")));
    // Spans of a cluster, of a joiner without a width, and of a hyphen that stays out.
    let content = [
        codes(50.0, &[1]),
        span("00620065", 70.0, &[2, 9]),
        span("200C", 110.0, &[9]),
        codes(130.0, &[3]),
        span("", 150.0, &[3]),
    ];
    let found = read_all(document().page(&content.concat()));
    assert_eq!((found.text.as_str(), found.flags), ("abe\u{200C}c\n", vec![]));
    // Repeated spans make no lie smaller.
    let lying = codes(20.0, &[1; 24]);
    let honest = span("0062", 50.0, &[2]).repeat(500);
    let document_of = |content: &str| composite("Identity", "ab", Some(&table("xb"))).page(content);
    assert_eq!(read_all(document_of(&(honest + &lying))).flags, [Flag::TwoReadings]);
    // A long span is read by its glyphs, whatever it says.
    let long = read_all(document().page(&span("0078", 50.0, &[1, 2, 3, 1, 2, 3, 1, 2, 3])));
    assert_eq!(long.text, "abcabcabc\n");
    // Short ones that say other letters hide nothing either.
    let lies = (0..24)
        .map(|i| span("0078", 20.0 + 20.0 * f64::from(i), &[1]))
        .collect::<Vec<_>>()
        .concat();
    let found = read_all(document().page(&lies));
    assert_eq!(found.text, format!("{}\n\n{}\n", "x".repeat(24), "a".repeat(24)));
    assert_eq!(found.flags, [Flag::TwoReadings]);
    // Letters where a blank is drawn, a half of a word that is another one, and far more than is drawn.
    for (said, drawn) in [("0071", [1, 9]), ("00620063", [1, 2]), (&"0061".repeat(40), [1, 1])] {
        let spans = (0..24).map(|i| span(said, 20.0 + 20.0 * f64::from(i), &drawn));
        let found = read_all(document().page(&spans.collect::<Vec<_>>().concat()));
        let is_drawn = found.text.starts_with('a');
        assert!(is_drawn || found.flags == [Flag::TwoReadings], "{said}: {found:?}");
    }
}

#[test]
fn numbers_for_names_are_codes_of_tex() {
    let mut document = PdfBuilder::default();
    let letters = b"The mil";
    let names: String =
        letters.iter().map(|code| format!("{code} /a{code} ")).collect::<Vec<_>>().concat();
    let procedures = letters
        .iter()
        .map(|code| format!("/a{code} {} 0 R ", PdfBuilder::FIRST_FREE))
        .collect::<Vec<_>>()
        .concat();
    let widths = "10 ".repeat(96);
    document.font = Some(format!(
        "/Subtype /Type3 /FontBBox [0 0 10 10] /FontMatrix [.1 0 0 .1 0 0] /FirstChar 32 /LastChar 127 /Widths [{widths}] /Encoding << /Differences [{names}] >> /CharProcs << {procedures} >>"
    ));
    document.objects = vec![streamed("", "10 0 0 0 10 10 d1 0 0 8 8 re f")];
    let document = document.page("BT /F1 10 Tf 50 700 Td (The mill) Tj ET");
    assert_eq!(read_all(document).text, "The mill\n");
}

#[test]
fn letters_of_a_second_font_lie_in_the_gaps_of_the_first() {
    // Helvetica's letters with gaps of the width of an n, and then those.
    let line = "BT /F1 10 Tf 50 700 Td [(A wi) -556 (dmill ru) -556 (s.)] TJ ET\n";
    let second = "BT /F1 10 Tf 68.89 700 Td [(n) -3222 (n)] TJ ET\n";
    for content in [[line, second].concat(), [second, line].concat()] {
        assert_eq!(read_all(PdfBuilder::default().page(&content)).text, "A windmill runs.\n");
    }
}

#[test]
fn more_fonts_than_are_read_are_said() {
    let flags = |n_fonts: usize| {
        let mut document = composite("Identity", "mill", Some(&table("mill")));
        let first = PdfBuilder::FIRST_FREE + document.objects.len();
        document.objects.extend((0..n_fonts).map(|i| format!("<< /Type /Font /Name /N{i} >>")));
        let state = |i: usize| format!("/N{i} << /Font [{} 0 R 1] >> ", first + i);
        let states: String = (0..n_fonts).map(state).collect();
        document.resources = format!("/ExtGState << {states} >>");
        let found = read_all(document.page(&codes(50.0, &[1, 2, 3, 4])));
        assert_eq!(found.text, "mill\n");
        found.flags
    };
    assert_eq!(flags(900), []);
    assert_eq!(flags(1100), [Flag::Limit]);
}
