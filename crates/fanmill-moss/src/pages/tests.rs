//! Tests of what programs look for in the pages, in the order of these programs, and as strictly.

use proptest::prelude::*;

use super::*;

const ADDRESS: &str = "http://localhost:8080/results/1/123456789012";

fn listed(first: &str, second: &str) -> ListedPair {
    ListedPair {
        first: Side { name: first.to_owned(), percent: 87 },
        second: Side { name: second.to_owned(), percent: 0 },
        lines_matched: 64,
    }
}

fn index_of(listed: &[ListedPair]) -> String {
    let notes = ["a.c is empty <b>".to_owned()];
    index(&Index {
        address: ADDRESS,
        date: "Sat Aug  2 11:46:56 2025",
        options: "-l java -m 10 -n 250",
        comment: "week <3>",
        listed,
        notes: &notes,
        report: Some("http://localhost:8080/batches/7?a&b"),
    })
}

/// Returns the paragraphs, each of which ends where the next one or a rule begins.
fn paragraphs(html: &str) -> Vec<String> {
    let all = html.split("<p>").skip(1);
    all.map(|rest| text_of(rest.split("<HR>").next().unwrap_or(rest)).trim().to_owned()).collect()
}

/// mossum: the third paragraph is the title, and a name is made from the time if that is empty.
#[test]
fn the_third_paragraph_is_the_comment_or_empty() {
    let listed = [listed("a.c", "b.c")];
    let with = |comment: &str, report: Option<&str>| {
        let (date, options) = ("Sat Aug  2 11:46:56 2025", "-l c -m 10");
        let page = index(&Index {
            address: ADDRESS,
            date,
            options,
            comment,
            listed: &listed,
            notes: &[],
            report,
        });
        paragraphs(&page)[2].clone()
    };
    for report in [None, Some("http://localhost:8080/batches/7")] {
        assert_eq!(with("week 3", report), "week 3");
        assert_eq!(with("", report), "");
        assert_eq!(with("  ", report), "");
    }
}

/// Returns text without tags, and with references undone: what a parser calls the text of an element.
fn text_of(html: &str) -> String {
    let mut text = String::new();
    for (i, part) in html.split('<').enumerate() {
        text.push_str(if i == 0 { part } else { part.split_once('>').map_or("", |(_, t)| t) });
    }
    let references =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    references.iter().fold(text, |text, (reference, c)| text.replace(reference, c))
}

/// Returns the insides of cells, which are never closed.
fn cells(html: &str) -> Vec<&str> {
    let ends = ["<TD", "<TR", "<TH", "</TABLE"];
    let rest = html.split("<TD").skip(1);
    rest.map(|rest| {
        let end = ends.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
        rest[..end].split_once('>').expect("the end of the tag").1
    })
    .collect()
}

/// Returns all values of `HREF` in `<A …>`.
fn links(html: &str) -> Vec<&str> {
    let tags = html.split("<A ").skip(1).filter_map(|rest| rest.split('>').next());
    tags.filter_map(|tag| tag.split_once("HREF=\"")?.1.split('"').next()).collect()
}

/// Parses `^(.*?)\s+\(([\d.]+)%\)$`: the name and the number.
fn weight(cell: &str) -> Option<(&str, f64)> {
    let (name, percent) = cell.strip_suffix("%)")?.rsplit_once('(')?;
    let is_number = percent.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let trimmed = name.trim_end();
    (is_number && trimmed.len() < name.len() && !name.contains('\n'))
        .then(|| Some((trimmed, percent.parse().ok()?)))?
}

/// Parses `matchK-S.html#i`: the side and the passage.
fn target(link: &str, number: usize) -> Option<(usize, usize)> {
    let rest = link.strip_prefix(&format!("match{number}-"))?;
    let (side, passage) = rest.split_once(".html#")?;
    Some((side.parse().ok().filter(|side| *side < 2)?, passage.parse().ok()?))
}

#[test]
fn an_index_has_one_table_of_three_cells_a_row() {
    let html = index_of(&[listed("hana/A.java", "ivo b"), listed("x", "y (3%)")]);
    assert_eq!(html.matches("<TABLE").count(), 1);
    let cells: Vec<String> =
        cells(&html).into_iter().map(|c| text_of(c).trim().to_owned()).collect();
    assert_eq!(cells.len(), 6);
    for row in cells.chunks(3) {
        let ((_, left), (_, right)) =
            (weight(&row[0]).expect("left"), weight(&row[1]).expect("right"));
        let lines: f64 = row[2].parse().expect("a number");
        // pymousse computes this.
        assert!((1.0 - 2.0 * lines / (lines / left + lines / right)).is_finite());
    }
    assert_eq!(weight(&cells[1]), Some(("ivo b", 1.0)));
    assert_eq!(weight(&cells[4]), Some(("y (3%)", 1.0)));
    let first = html.split("<TR>").nth(2).expect("the first pair");
    assert_eq!(
        first,
        format!(
            "<TD><A HREF=\"{ADDRESS}/match0.html\">hana/A.java (87%)</A>\n    \
             <TD><A HREF=\"{ADDRESS}/match0.html\">ivo b (1%)</A>\n<TD ALIGN=right>64\n"
        )
    );
}

#[test]
fn an_index_links_to_pairs_only() {
    let pairs: Vec<ListedPair> = (0..11).map(|i| listed(&format!("a{i}"), "b")).collect();
    let html = index_of(&pairs);
    let expected: Vec<String> =
        (0..11).flat_map(|i| [i, i].map(|i| format!("{ADDRESS}/match{i}.html"))).collect();
    assert_eq!(links(&html), expected);
    assert!(html.contains("http://localhost:8080/batches/7?a&amp;b"));
    assert!(html.contains("week &lt;3&gt;") && html.contains("a.c is empty &lt;b&gt;"));
}

#[test]
fn no_pairs_are_said_to_be_none() {
    let html = index_of(&[]);
    assert!(html.contains("No matches were found in your submission."));
    assert!(html.contains("<TABLE>") && cells(&html).is_empty() && links(&html).is_empty());
}

#[test]
fn lines_are_never_zero() {
    let none = ListedPair { lines_matched: 0, ..listed("a", "b") };
    assert_eq!(cells(&index_of(&[none]))[2].trim(), "1");
}

const TEXTS: [&str; 2] =
    ["class A {\n  int x = 1 < 2;\n  é();\n}\n", "// copied\nclass B {\n  int x = 1 < 2;\n}\n"];

fn passages() -> Vec<Passage> {
    let passage = |first, second, tokens| Passage { ranges: [first, second], tokens };
    vec![passage(12..26, 22..36, 30), passage(0..9, 10..19, 10)]
}

fn pair<'a>(listed: &'a ListedPair, passages: &'a [Passage]) -> Pair<'a> {
    Pair { number: 3, listed, texts: TEXTS, passages }
}

#[test]
fn frames_lead_to_the_three_pages_of_a_pair() {
    let (listed, passages) = (listed("a<b>", "c"), passages());
    let html = frames(&pair(&listed, &passages));
    assert!(html.contains("<TITLE>Matches for a&lt;b&gt; and c</TITLE>"));
    let frames: Vec<&str> =
        html.split("<FRAME SRC=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(frames, ["match3-top.html", "match3-0.html", "match3-1.html"]);
    assert!(frames.iter().all(|name| Page::named(name).is_some()));
}

#[test]
fn the_top_page_lists_lines_in_a_centred_table() {
    let (listed, passages) = (listed("hana", "ivo"), passages());
    let html = top(&pair(&listed, &passages));
    let (_, centred) = html.split_once("<CENTER>").expect("a centred part");
    let (table, _) = centred.split_once("</CENTER>").expect("its end");
    let headers: Vec<&str> = table.split("<TH>").skip(1).collect();
    assert_eq!(weight(headers[0]), Some(("hana", 87.0)));
    assert_eq!(weight(headers[2]), Some(("ivo", 1.0)));
    assert!(headers[4].starts_with('\n'), "markus-moss takes its first child");
    let cells = cells(table);
    let lines: Vec<String> = cells.iter().map(|cell| text_of(cell).trim().to_owned()).collect();
    assert_eq!(lines, ["2-2", "", "3-3", "", "1-1", "", "2-2", ""]);
    let targets: Vec<_> = links(&html).iter().map(|link| target(link, 3).expect(link)).collect();
    let row = |i| [(0, i), (0, i), (1, i), (1, i)];
    assert_eq!(targets, [row(0), row(1)].concat());
    // The passage has 30 of 40 tokens, and so 30/40 of 87 percent.
    assert!(cells[1].contains("width='67'"), "{}", cells[1]);
}

/// Returns what follows each `<A NAME=i>`: the number and the text of the `<FONT>`.
fn marks(html: &str) -> Vec<(usize, String)> {
    let rest = html.split("<A NAME=\"").skip(1);
    rest.map(|rest| {
        let (number, rest) = rest.split_once("\"></A><FONT color = #").expect("a font beside it");
        let (font, _) = rest.split_once("</FONT>").expect("its end");
        let (link, text) = font.split_once("></A>").expect("a link first");
        assert!(link.contains("><A HREF=") && !text.is_empty(), "text last: {font}");
        (number.parse().expect("a number"), text_of(text))
    })
    .collect()
}

#[test]
fn texts_have_a_font_beside_each_anchor() {
    let (listed, passages) = (listed("hana", "ivo"), passages());
    let pair = pair(&listed, &passages);
    let first = text(&pair, PairSide::First);
    let same = [(1, "class A {".to_owned()), (0, "int x = 1 < 2;".to_owned())];
    assert_eq!(marks(&first), same);
    let second = text(&pair, PairSide::Second);
    assert_eq!(marks(&second)[1], same[1]);
    for (html, source, other) in [(&first, TEXTS[0], 1), (&second, TEXTS[1], 0)] {
        let shown =
            html.split_once("<PRE>\n").and_then(|(_, t)| t.split_once("</PRE>")).expect("text");
        assert_eq!(text_of(shown.0), source);
        let targets: Vec<_> = links(html).iter().map(|link| target(link, 3).expect(link)).collect();
        assert_eq!(targets, [(other, 1), (other, 0)]);
    }
    assert!(first.contains("<TITLE>hana</TITLE>"));
}

#[test]
fn names_and_texts_cannot_be_html() {
    let odd = "</TITLE><script>alert('\"1\"')</script>\n<A HREF=x>\0.c";
    let listed = listed(odd, "");
    let passages = passages();
    let pair = Pair { number: 3, listed: &listed, texts: [odd, odd], passages: &passages };
    let pages = [
        index_of(std::slice::from_ref(&listed)),
        frames(&pair),
        top(&pair),
        text(&pair, PairSide::First),
        text(&pair, PairSide::Second),
    ];
    for html in &pages {
        assert!(!html.contains("<script") && !html.contains("<A HREF=x"), "{html}");
        assert!(html.contains("&lt;/TITLE&gt;") && !html.contains('\0'));
        assert!(!html.contains("--"), "no comment");
    }
    let cells: Vec<String> =
        cells(&pages[0]).into_iter().map(|cell| text_of(cell).trim().to_owned()).collect();
    assert!(weight(&cells[0]).is_some(), "a line: {}", cells[0]);
    assert_eq!(weight(&cells[1]), Some(("unnamed", 1.0)));
}

#[test]
fn an_address_with_odd_characters_stays_in_its_attribute() {
    let pairs = [listed("a", "b")];
    let html = index(&Index {
        address: "http://h/\"><b>",
        date: "",
        options: "",
        comment: "",
        listed: &pairs,
        notes: &[],
        report: None,
    });
    assert!(html.contains("HREF=\"http://h/&quot;&gt;&lt;b&gt;/match0.html\""));
}

#[test]
fn files_are_joined_after_their_names() {
    let (text, starts) = joined([("a/x.c", "int x;"), ("a/y\n.c", "int y;\n")]);
    assert_eq!(text, ">>>> file: a/x.c\nint x;\n>>>> file: a/y .c\nint y;\n");
    let own: Vec<&str> = starts.iter().map(|start| &text[*start..*start + 6]).collect();
    assert_eq!(own, ["int x;", "int y;"]);
}

#[test]
fn pages_have_one_name_each() {
    let pages = [Page::Index, Page::Frames(0), Page::Top(12), Page::Text(3, PairSide::First)];
    for page in pages {
        assert_eq!(Page::named(&page.to_string()), Some(page));
    }
    let none = [
        "match.html",
        "match-1.html",
        "match+1.html",
        "match01.html",
        "match1-2.html",
        "match1-top",
        "../match1.html",
        "match99999999999999999999.html",
        "MATCH1.html",
    ];
    assert!(none.iter().all(|name| Page::named(name).is_none()));
}

proptest! {
    /// Passages may be anywhere, overlap, lie beyond the end, or be inside characters.
    #[test]
    fn any_passages_leave_the_text_as_it_is(
        source in "[a<&é\n ]{0,30}",
        places in prop::collection::vec((0_usize..40, 0_usize..40), 0..8),
    ) {
        let listed = listed("a", "b");
        let passages: Vec<Passage> = places
            .iter()
            .map(|(from, to)| Passage { ranges: [*from..*to, *to..*from], tokens: 1 })
            .collect();
        let pair = Pair { number: 0, listed: &listed, texts: [&source, &source], passages: &passages };
        for which in [PairSide::First, PairSide::Second] {
            let html = text(&pair, which);
            let mut numbers: Vec<usize> = marks(&html).into_iter().map(|(i, _)| i).collect();
            numbers.sort_unstable();
            prop_assert_eq!(numbers, (0..places.len()).collect::<Vec<_>>());
            prop_assert_eq!(html.matches("<FONT").count(), html.matches("</FONT>").count());
            let (_, shown) = html.split_once("<PRE>\n").expect("a text");
            let (shown, _) = shown.split_once("</PRE>").expect("its end");
            // A passage that is not visible has a line end of its own.
            let shown = text_of(&shown.replace("></A>\n</FONT>", "></A></FONT>"));
            let n_kept = shown.bytes().filter(|b| *b != b'\n').collect::<Vec<_>>();
            let n_own = source.bytes().filter(|b| *b != b'\n').collect::<Vec<_>>();
            prop_assert_eq!(n_kept, n_own);
        }
        let html = top(&pair);
        let n_lines = source.lines().count().max(1) + 1;
        for cell in cells(&html).into_iter().step_by(2) {
            let cell = text_of(cell);
            let (from, to) = cell.trim().split_once('-').expect("a range");
            let (from, to): (usize, usize) = (from.parse().expect("a line"), to.parse().expect("a line"));
            prop_assert!(1 <= from && from <= to && to <= n_lines, "{cell}");
        }
    }
}
