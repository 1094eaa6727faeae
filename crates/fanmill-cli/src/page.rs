//! The page of a report, to be shown in the browser.

use std::io::Write;
use std::path::Path;

use fanmill_report::printable;
use fanmill_text::readable::readable;

use crate::words::words;

/// Shows the page of the report in a folder. Without a browser this does not fail: the report is there.
pub(crate) fn open(folder: &Path) {
    let page = folder.join("index.html");
    if let Err(error) = open::that_detached(&page) {
        let page = readable(page.as_os_str()).into_owned();
        // If this cannot be written either, nothing is left to do.
        let _ = writeln!(
            words(),
            "note: the page could not be opened ({error}); open {} yourself",
            printable(&page)
        );
    }
}
