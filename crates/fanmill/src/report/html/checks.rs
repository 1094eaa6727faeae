//! What must hold of every page, whatever is in the report and in the texts.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{STYLE, index_page, pair_page};
use crate::report::model::{Match, Pair, Passage, Place, Report};
use crate::report::printable::is_hidden;
use crate::report::samples::{Held, hostile, place, worked_example};

/// Attempts to get markup, script or a link into a page.
const PAYLOADS: [&str; 40] = [
    "<script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "\"><script>alert(1)</script>",
    "'><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)",
    "' onmouseover='alert(1)",
    "` onmouseover=`alert(1)",
    "x onmouseover=alert(1) y",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "</svg><script>alert(1)</script>",
    "<math><mtext></mtext><mglyph><style></math><img src onerror=alert(1)>",
    "<iframe src=javascript:alert(1)>",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "<a href=\"javascript:alert(1)\">x</a>",
    "<!--<script>alert(1)</script>-->",
    "--><script>alert(1)</script>",
    "]]><script>alert(1)</script>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "&amp;lt;script>",
    "<meta http-equiv=refresh content=0;url=//evil.example>",
    "<base href=//evil.example>",
    "<link rel=stylesheet href=//evil.example>",
    "<form action=//evil.example><input type=submit>",
    "<plaintext>",
    "</textarea></xmp></noscript><b>",
    "<style>*{display:none}</style>",
    "<\0script>alert(1)</script>",
    "<scr\u{0}ipt>alert(1)</scr\u{0}ipt>",
    "\u{202e}<script>\u{2066}alert(1)",
    "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
    "\u{FF1C}script\u{FF1E}alert(1)",
    "<details open ontoggle=alert(1)>",
    "a\nb\r\nc\td\u{85}e\u{2028}f",
    "file \"with\" 'quotes' & <markup>.py",
];

/// Elements that pages are made of.
const ELEMENTS: &str = " html head meta title style body header main footer nav section div span \
    h1 h2 h3 p a b i s u sup em mark small strong code bdi ul ol li dl dt dd table thead tbody \
    tr th td details summary svg rect path text ";

/// Attributes that pages are made of; none can run anything.
const ATTRIBUTES: &str = " lang charset http-equiv content name class id href rel title tabindex \
    data-n aria-label aria-hidden role viewBox preserveAspectRatio width height x y d text-anchor ";

/// Reads a page as a strict parser of our subset would; gives its identifiers and links.
fn checked(page: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut ids, mut links) = (BTreeSet::new(), BTreeSet::new());
    let (head, rest) = page.split_once("<style>").unwrap();
    let (style, body) = rest.split_once("</style>").unwrap();
    assert_eq!(style, STYLE);
    let mut open = Vec::new();
    for tag in tags(head).into_iter().chain(tags(body)) {
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closes what is open");
            continue;
        }
        let name = tag.split(' ').next().unwrap();
        assert!(ELEMENTS.contains(&format!(" {} ", name.trim_end_matches('/'))), "<{tag}>");
        for (attribute, value) in attributes(tag) {
            assert!(ATTRIBUTES.contains(&format!(" {attribute} ")), "<{tag}>");
            assert!(!value.contains(['<', '>', '"', '\'']), "<{tag}>");
            match attribute {
                "id" => assert!(ids.insert(value.to_owned()), "{value} is unique"),
                "href" => drop(links.insert(value.to_owned())),
                _ => {}
            }
        }
        if name != "meta" && !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new());
    assert!(!page.chars().any(|c| is_hidden(c) && c != '\n' && c != '\t'));
    (ids, links)
}

/// What stands between `<` and `>`, without the declaration of the type.
fn tags(markup: &str) -> Vec<&str> {
    let markup = markup.strip_prefix("<!DOCTYPE html>").unwrap_or(markup);
    let mut tags = Vec::new();
    for part in markup.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("every `<` has its `>`");
        assert!(!text.contains('>'), "a bare `>` in {text:?}");
        tags.push(tag);
    }
    tags
}

fn attributes(tag: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = tag.split_once(' ').map_or("", |(_, rest)| rest);
    while let Some((name, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"').expect("a closed value");
        found.push((name.trim(), value));
        rest = after;
    }
    assert!(rest.trim_end_matches('/').trim().is_empty(), "{tag}");
    found
}

/// Every passage has its anchor on both sides, and every link within the page its target.
fn check_links(page: &str, pair: &Pair) {
    let (ids, links) = checked(page);
    for n in 1..=pair.passages.len() {
        assert!(ids.contains(&format!("a-{n}")) && ids.contains(&format!("b-{n}")), "passage {n}");
    }
    for link in links {
        match link.strip_prefix('#') {
            Some(id) => assert!(ids.contains(id), "{link}"),
            None => assert!(link == "../index.html" || is_page(&link), "{link}"),
        }
    }
}

fn is_page(link: &str) -> bool {
    link.strip_suffix(".html").is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
}

fn texts(text: &str) -> Held {
    Held(vec![vec![text.to_owned()], vec![text.to_owned()]])
}

#[test]
fn no_payload_makes_markup_and_none_gets_lost() {
    for payload in PAYLOADS {
        let report = hostile(payload);
        let held = texts(&format!("{payload}\n").repeat(20));
        let (_, links) = checked(&index_page(&report));
        let ours = |link: &String| {
            ["report.json", "pairs.csv", "clusters.csv", "pairs/0001.html"].contains(&link.as_str())
        };
        assert!(links.iter().all(ours), "{links:?}");
        check_links(&pair_page(&report, 0, &held).unwrap(), &report.pairs[0]);
    }
}

#[test]
fn the_policy_allows_the_style_sheet_and_nothing_else() {
    let page = index_page(&worked_example());
    let policy = page.split_once("Content-Security-Policy\" content=\"").unwrap().1;
    let policy = policy.split_once('"').unwrap().0.replace("&#39;", "'");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert!(policy.ends_with("='; base-uri 'none'; form-action 'none'"), "{policy}");
    assert!(!page.contains("style=\"") && !page.contains("://"));
}

fn pair_with(passages: Vec<Passage>) -> Report {
    let mut report = worked_example();
    report.pairs[0].passages = passages;
    for submission in &mut report.submissions {
        submission.files[0].boilerplate.clear();
    }
    report
}

fn passage_at(start: u32, end: u32) -> Passage {
    let found = Match {
        tokens: end.saturating_sub(start),
        a: place(start, end, 1),
        b: place(start, end, 1),
    };
    Passage { tokens: u64::from(found.tokens), moved: false, matches: vec![found] }
}

#[test]
fn a_passage_over_several_lines_is_one_box_and_links_to_its_counterpart() {
    let report = pair_with(vec![passage_at(2, 9)]);
    let page = pair_page(&report, 0, &texts("x\n  ab\ncd\ny\n")).unwrap();
    let expected = "<section id=\"a-1\" class=\"h0\">\
        <div data-n=\"2\">  <sup class=\"n\"><a class=\"h0\" href=\"#b-1\">1</a></sup>\
        <mark class=\"h0\"><a href=\"#b-1\" tabindex=\"-1\">ab</a></mark></div>\n\
        <div data-n=\"3\"><mark class=\"h0\"><a href=\"#b-1\" tabindex=\"-1\">cd</a></mark></div>\n\
        </section>\n<div data-n=\"4\">y</div>\n";
    assert!(page.contains(expected), "{page}");
}

#[test]
fn one_line_of_64_mib_makes_a_small_page() {
    let text = "var a = 1;".repeat((64 << 20) / 10);
    let report = pair_with(vec![passage_at(5_000, 60_000_000)]);
    let page = pair_page(&report, 0, &texts(&text)).unwrap();
    check_links(&page, &report.pairs[0]);
    assert!(page.len() < 100_000, "{}", page.len());
    assert!(page.contains("… 59,994,400 characters not shown …"));
}

#[test]
fn a_hundred_thousand_passages_in_hostile_text_make_a_page_of_a_few_megabytes() {
    let text = "\u{202e}<&\n".repeat(1 << 20);
    let report = pair_with((0..100_000).map(|i| passage_at(i * 60, i * 60 + 48)).collect());
    let page = pair_page(&report, 0, &texts(&text)).unwrap();
    check_links(&page, &report.pairs[0]);
    assert!(page.len() < 12 << 20, "{}", page.len());
}

#[test]
fn a_damaged_report_makes_no_panic() {
    let mut report = pair_with(vec![passage_at(9, 3), passage_at(u32::MAX - 1, u32::MAX)]);
    report.pairs[0].b = 77;
    report.clusters[0].members.push(99);
    report.histogram.clear();
    report.pairs[0].score = f64::NAN;
    checked(&index_page(&report));
    checked(&pair_page(&report, 0, &Held(Vec::new())).unwrap());
    assert_eq!(pair_page(&report, 1, &Held(Vec::new())), None);
}

/// The colours of `style.css` as `(name, red, green, blue)`, one map for light and one for dark.
fn palettes() -> [Vec<(String, [u8; 3])>; 2] {
    let (light, dark) = STYLE.split_once("@media (prefers-color-scheme: dark)").unwrap();
    let dark = dark.split_once("/*").unwrap().0;
    [light, dark].map(|css| {
        css.split([';', '{'])
            .filter_map(|rule| {
                let (name, value) = rule.trim().strip_prefix("--")?.split_once(": #")?;
                let channel = |at: usize| u8::from_str_radix(&value[at..at + 2], 16).unwrap();
                Some((name.to_owned(), [channel(0), channel(2), channel(4)]))
            })
            .collect()
    })
}

fn contrast(palette: &[(String, [u8; 3])], x: &str, y: &str) -> f64 {
    let luminance = |name: &str| {
        let (_, channels) = palette.iter().find(|(known, _)| known == name).unwrap();
        let linear = channels.map(|channel| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let (x, y) = (luminance(x), luminance(y));
    (x.max(y) + 0.05) / (x.min(y) + 0.05)
}

/// WCAG 2, level AA: 4.5 to 1 for text.
#[test]
fn every_text_has_enough_contrast_in_light_and_dark() {
    for palette in palettes() {
        let mut pairs = vec![
            ("ink", "page"),
            ("ink", "pane"),
            ("ink", "fill"),
            ("soft", "page"),
            ("soft", "pane"),
            ("soft", "fill"),
            ("link", "page"),
            ("link", "fill"),
            ("flag", "flag-fill"),
            ("grey", "grey-fill"),
            ("grey", "pane"),
            ("grey", "page"),
            ("chip", "chip-fill"),
        ];
        for (hue, strong) in [
            ("h0", "s0"),
            ("h1", "s1"),
            ("h2", "s2"),
            ("h3", "s3"),
            ("h4", "s4"),
            ("h5", "s5"),
            ("h6", "s6"),
            ("h7", "s7"),
        ] {
            pairs.extend([("ink", hue), (strong, hue), ("pane", strong)]);
        }
        for (x, y) in pairs {
            let ratio = contrast(&palette, x, y);
            assert!(ratio >= 4.5, "{x} on {y}: {ratio:.2}");
        }
    }
}

fn places() -> impl Strategy<Value = Place> {
    (0u32..3, 0u32..400, 0u32..400)
        .prop_map(|(file, start, end)| Place { file, ..place(start, end, 1) })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_text_and_any_spans_make_a_sound_page(
        text in "[a-c<>&\"' =/\n\r\t\u{0}\u{202e}é日]{0,200}", name in any::<String>(), copies in 1usize..30,
        spans in prop::collection::vec(prop::collection::vec((places(), places()), 0..4), 0..12),
    ) {
        let mut report = hostile(&name);
        report.pairs[0].passages = spans.into_iter().map(|matches| Passage {
            tokens: 1,
            moved: true,
            matches: matches.into_iter().map(|(a, b)| Match { tokens: 1, a, b }).collect(),
        }).collect();
        let held = texts(&text.repeat(copies));
        checked(&index_page(&report));
        check_links(&pair_page(&report, 0, &held).unwrap(), &report.pairs[0]);
        check_links(&pair_page(&report, 0, &Held(Vec::new())).unwrap(), &report.pairs[0]);
    }
}
