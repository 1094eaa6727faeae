//! The report as a page in one file, for a notebook: that shows a page inside its own, and cannot read a folder of
//! files beside it.
//!
//! The page's program asks for its data by inserting script elements (`web/src/data/scripts.ts`). Here all data is in the page
//! before the program starts, and a few lines answer in place of these elements. Its policy allows nothing from anywhere else.
//!
//! Cost: 380 kB of program, and the data of the pairs and texts.

use std::fmt::Write as _;

use fanmill::report::Report;
use fanmill_text::{Error, Result};

use crate::texts::Texts;
use crate::{app, folder};

/// Keeps the data, and hands it out when the program inserts an element for it. The address of a page inside another
/// one cannot be replaced, only the part after `#`.
const BEFORE: &str = "
const kept = new Map();
window.fanmill = (name, data) => kept.set(name, data);
";
const AFTER: &str = "
const append = document.head.append;
document.head.append = (...nodes) => {
  const name = /^data\\/(.*)\\.js$/.exec(nodes[0]?.getAttribute?.('src') ?? '')?.[1];
  if (name === undefined) return append.apply(document.head, nodes);
  setTimeout(() => (kept.has(name) ? window.fanmill(name, kept.get(name)) : nodes[0].onerror()));
};
history.replaceState = (state, title, address) => void (location.hash = address);
";

/// Returns the report's page; if the number of a listed pair is given, counted from 0, the page of that pair.
///
/// # Errors
/// If there is no such pair.
pub fn one_file(report: &Report, texts: &dyn Texts, pair: Option<usize>) -> Result<String> {
    let Some(i) = pair else { return page(report, texts, "") };
    let pair = report.pairs.get(i).ok_or_else(|| {
        Error::setting(format!(
            "there is no pair {i}; {} are listed, counted from 0",
            report.pairs.len()
        ))
    })?;
    page(&Report { pairs: vec![pair.clone()], ..report.clone() }, texts, "#/pair/1")
}

/// Returns the page. `start` is the address after `#` at which it opens.
fn page(report: &Report, texts: &dyn Texts, start: &str) -> Result<String> {
    let mut data = String::new();
    for (name, bytes) in folder::files(report, texts)? {
        if name.starts_with("data/") {
            data += &String::from_utf8_lossy(&bytes);
        }
    }
    let [script, style] = ["app/app.js", "app/app.css"].map(app::text);
    let mut page = String::with_capacity(data.len() + script.len() + style.len() + 2000);
    page += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; \
             style-src 'unsafe-inline'; worker-src blob:; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>Fanmill report</title>\n";
    let _ =
        write!(page, "<style>{style}</style>\n</head>\n<body>\n<div id=\"app\"></div>\n<script>");
    let _ = write!(page, "{BEFORE}{data}{AFTER}");
    if !start.is_empty() {
        let _ = write!(page, "location.hash = \"{start}\";");
    }
    // Escape what would end the element early; to the program, it is the same text.
    let script = script.replace("</script", "\\x3c/script").replace("<!--", "\\x3c!--");
    let _ = write!(page, "</script>\n<script>{script}</script>\n</body>\n</html>\n");
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{Held, worked_example};

    fn held() -> Held {
        Held(vec![vec!["a = '</script>'\n".repeat(40)], vec!["b = '<!--'\n".repeat(40)]])
    }

    #[test]
    fn a_page_has_its_data_and_ends_no_element_early() {
        let page = one_file(&worked_example(), &held(), None).expect("a page");
        for name in ["overview", "pairs/0001", "texts/0-0", "texts/1-0"] {
            assert!(page.contains(&format!("fanmill(\"{name}\", ")), "{name}");
        }
        assert_eq!(page.matches("<script>").count(), 2);
        assert_eq!(page.matches("</script").count(), 2);
        assert!(!page.contains("<!--"));
        assert!(!app::text("app/app.css").contains("</style"));
        assert!(!page.contains("location.hash = \"#"));
    }

    #[test]
    fn a_page_of_a_pair_has_that_pair_alone() {
        let mut report = worked_example();
        let mut second = report.pairs[0].clone();
        second.score = 0.125;
        report.pairs.push(second);
        let page = one_file(&report, &held(), Some(1)).expect("a page");
        assert!(
            page.contains("fanmill(\"pairs/0001\", ") && !page.contains("fanmill(\"pairs/0002\", ")
        );
        assert!(page.contains("\"score\":0.125") && page.contains("location.hash = \"#/pair/1\";"));
        let error = one_file(&report, &held(), Some(2)).expect_err("two pairs");
        assert_eq!(error.to_string(), "there is no pair 2; 2 are listed, counted from 0");
    }
}
