//! Names and texts that are markup, escapes or tricks: shown, and never obeyed.

use std::fs;
use std::path::Path;

use crate::place::{Place, example};
use crate::report::Ask;
use crate::run::Done;

/// Names of folders and files; none holds a slash.
const NAMES: [&str; 22] = [
    "a\"b'c`d",
    "new\nline\r\ttab",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "\"><script>alert(1)<",
    "' onmouseover='alert(1)",
    "&lt;b&gt;&amp;&#60;",
    "javascript:alert(1)",
    "]]><!--",
    "${alert(1)}{{7*7}}",
    "\u{1b}[31mred\u{1b}]0;title\u{7}",
    "\u{202e}yp.exe\u{2066}",
    "zero\u{200b}width\u{feff}",
    "line\u{2028}separator\u{85}",
    "=cmd|' C calc'!A0",
    "@SUM(A1)",
    "-rf",
    "%s%n%00..%2f",
    "\u{ff1c}script\u{ff1e}",
    "CON.txt ",
    "\u{1f469}\u{200d}\u{1f4bb} ünï 中文 עברית",
    "a,b;c",
];

/// A program that says nothing about itself, with markup and tricks in its strings and comments.
fn program() -> String {
    let lena = example("assignment/submissions/lena/inventory.py");
    let tricks = "# </script><script>alert(1)</script> <img src=x onerror=alert(1)> ]]> <!--\n\
                  TRICK = \"</pre></td><svg/onload=alert(1)>&lt;\\\"'\" + '\u{1b}[31m' + \"\u{202e}\u{200b}\"\n";
    format!("{tricks}{lena}{tricks}")
}

/// Every name as a submission, a file and an entry, in pairs of copies.
fn place() -> Place {
    let (place, program) = (Place::new(), program());
    for name in NAMES {
        place.write(Path::new("in").join(name).join(format!("{name}.py")), &program);
        place.write(Path::new("in").join(name).join(format!("empty {name}.py")), "");
    }
    place
}

#[test]
fn every_name_is_compared_and_kept() {
    let place = place();
    let report = place.fanmill("compare in --max-pairs 1000").report();
    report.check_account();
    assert_eq!(report.submissions.len(), NAMES.len());
    assert_eq!(report.pairs.len(), NAMES.len() * (NAMES.len() - 1) / 2);
    assert_eq!(report.clusters[0].members.len(), NAMES.len());
    for name in NAMES {
        assert!(report.submissions.iter().any(|submission| submission.name == name), "{name:?}");
    }
}

/// No character that a terminal or an eye could be fooled by, but for line feeds.
#[track_caller]
fn check_plain(what: &str, text: &str) {
    let odd = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}' | '\u{feff}' | '\u{2028}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let at = text.find(odd);
    assert_eq!(
        at,
        None,
        "{what}: {:?}",
        at.map(|at| text[at..].chars().take(30).collect::<String>())
    );
}

#[test]
fn terminal_and_data_hold_no_raw_controls() {
    let place = place();
    for format in ["table", "json", "csv"] {
        let Done { code, stdout, stderr, .. } =
            place.fanmill(&format!("compare in --top 500 --format {format}")).run();
        assert_eq!(code, Some(0));
        check_plain(format, &stdout);
        check_plain(format, &stderr);
        if format == "csv" {
            check_cells(&stdout);
        }
    }
    let error = place.fanmill("compare").arg("in/\u{1b}[31mred\n\u{202e}").run();
    assert_eq!(error.code, Some(3));
    check_plain("an error", &error.stderr);
    assert_eq!(error.stderr.lines().count(), 1, "{error}");
}

/// No cell is a formula, wherever a spreadsheet may split.
#[track_caller]
fn check_cells(csv: &str) {
    let cells = csv.lines().flat_map(|line| line.split(['"', ',', ';']));
    for cell in cells {
        assert!(!cell.trim_start().starts_with(['=', '@', '+', '-']), "{cell}");
    }
}

#[test]
fn pages_hold_no_markup_from_outside() {
    let place = place();
    let done = place.fanmill("compare in --max-pairs 60 --quiet -o report").run();
    assert_eq!(done.code, Some(0), "{done}");
    let pages = fs::read_dir(place.path("report/pairs")).expect("pages");
    let mut pages: Vec<_> = pages.map(|page| page.expect("a page").path()).collect();
    assert!(pages.len() >= 60);
    pages.push(place.path("report/index.html"));
    for page in pages {
        check_page(&page, &fs::read_to_string(&page).expect("UTF-8"));
    }
}

/// Nothing that could load or run; which elements pages do consist of, the library's tests check.
fn check_page(page: &Path, html: &str) {
    let page = page.display();
    assert!(html.contains("http-equiv=\"Content-Security-Policy\""), "{page}");
    assert!(html.contains("default-src &#39;none&#39;"), "{page}");
    check_plain(&page.to_string(), html);
    for tag in tags(html).into_iter().filter(|tag| *tag != "!DOCTYPE html") {
        let name = tag.split([' ', '\n']).next().unwrap_or(tag);
        let element = name.trim_matches('/').to_ascii_lowercase();
        assert!(!DANGEROUS.contains(&&*element), "{page}: <{tag}>");
        for (attribute, value) in attributes(tag[name.len()..].trim_end_matches('/')) {
            let is_name = attribute.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
            let acts = attribute.starts_with("on") || ACTING.contains(&&*attribute);
            assert!(is_name && !acts, "{page}: <{tag}>");
            assert!(attribute != "href" || leads_inside(&value), "{page}: <{tag}>");
        }
    }
}

/// Elements that load, run, send or frame.
const DANGEROUS: [&str; 22] = [
    "script",
    "img",
    "iframe",
    "frame",
    "object",
    "embed",
    "applet",
    "base",
    "link",
    "form",
    "input",
    "button",
    "audio",
    "video",
    "source",
    "image",
    "use",
    "animate",
    "set",
    "foreignobject",
    "portal",
    "math",
];

/// Attributes that do, besides those that start with `on`.
const ACTING: [&str; 8] =
    ["src", "srcset", "srcdoc", "style", "action", "formaction", "background", "ping"];

/// Whether a link stays within the report.
fn leads_inside(link: &str) -> bool {
    let file = link.split('#').next().unwrap_or(link);
    let file = file.trim_start_matches("../").trim_start_matches("pairs/");
    let number = file.strip_suffix(".html").unwrap_or("");
    ["", "index.html", "report.json", "pairs.csv", "clusters.csv"].contains(&file)
        || (number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What stands between `<` and `>`, outside of `<style>`.
fn tags(html: &str) -> Vec<&str> {
    let mut tags = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("every < in a page of ours opens a tag");
        let tag = &rest[..end];
        let is_tag = tag.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        assert!(is_tag || tag == "!DOCTYPE html", "<{tag}>");
        tags.push(tag);
        rest = &rest[end..];
        if tag.starts_with("style") {
            rest = &rest[rest.find("</style").expect("closed")..];
        }
    }
    tags
}

/// The attributes of a tag, values without their quotes.
fn attributes(tag: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = tag.trim();
    while !rest.is_empty() {
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(quoted) = rest.strip_prefix("=\"") {
            let end = quoted.find('"').expect("values are quoted");
            quoted[..end].clone_into(&mut value);
            rest = &quoted[end + 1..];
        } else {
            assert!(!rest.starts_with('='), "an unquoted value: <{tag}>");
        }
        found.push((name, value));
        rest = rest.trim_start();
    }
    found
}

#[cfg(unix)]
#[test]
fn names_that_are_no_utf_8_are_kept_apart() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let place = Place::new();
    let program = program();
    for name in [&b"a\xff"[..], b"a\xfe", b"b\xc3("] {
        place.write(Path::new("in").join(OsStr::from_bytes(name)).join("a.py"), &program);
    }
    let report = place.fanmill("compare in").report();
    let mut names: Vec<&str> = report.submissions.iter().map(|s| s.name.as_str()).collect();
    names.dedup();
    assert_eq!((names.len(), report.pairs.len()), (3, 3), "{names:?}");
}
