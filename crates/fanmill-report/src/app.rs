//! The page's program: built from `web/`, committed, and the same in every report.
//!
//! Nothing from a report is ever put into these files: everything that differs is data (`data.rs`), and
//! the page's Content-Security-Policy allows nothing else.

/// The files of the program, by their path in the report's folder.
pub(super) const FILES: [(&str, &[u8]); 3] = [
    ("index.html", include_bytes!("app/index.html")),
    ("app/app.js", include_bytes!("app/app.js")),
    ("app/app.css", include_bytes!("app/app.css")),
];

/// The languages that the page has words for, by their tags: the folders of `web/src/words`.
pub const LANGUAGES: [&str; 2] = ["de", "en"];

/// Returns a file of the program, by its path in the report's folder.
///
/// # Panics
/// If there is no file of that name.
pub(super) fn text(name: &str) -> &'static str {
    let (_, bytes) = FILES.iter().find(|(path, _)| *path == name).expect("part of the program");
    std::str::from_utf8(bytes).expect("the program is UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_loads_only_its_own_files() {
        let page = text("index.html");
        let policy = "default-src 'none'; script-src 'self' file:; style-src 'self' file:; worker-src blob:; \
                      base-uri 'none'; form-action 'none'";
        assert!(page.contains(&format!("content=\"{policy}\"")), "{page}");
        assert!(page.contains("<noscript>"));
        let scripts: Vec<&str> = page.split("<script").skip(1).collect();
        assert_eq!(scripts.len(), 1);
        assert!(scripts[0].starts_with(" src=\"app/app.js\" defer></script>"), "a classic script");
        for inline in ["<style", " style=", " onload=", " onclick=", "javascript:", "://"] {
            assert!(!page.contains(inline), "{inline}");
        }
    }

    #[test]
    fn the_languages_are_those_that_there_are_words_for() {
        let words = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/words");
        let entries = std::fs::read_dir(words).expect("the words").map(|entry| entry.expect("one"));
        let folders = entries.filter(|entry| entry.path().is_dir());
        let mut tags: Vec<String> =
            folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        tags.sort();
        assert_eq!(tags, LANGUAGES);
    }

    #[test]
    fn the_program_is_small_and_loads_nothing_from_elsewhere() {
        let sizes: usize = FILES.iter().map(|(_, bytes)| bytes.len()).sum();
        // A language takes some 30 kB of words.
        assert!(sizes < 520_000, "{sizes} bytes");
        assert!(!text("app/app.css").contains("url("));
        assert!(!text("app/app.css").contains("@import"));
        for name in ["XMLHttpRequest", "WebSocket", "sendBeacon", "EventSource", "eval("] {
            assert!(!text("app/app.js").contains(name), "{name}");
        }
        // The only place that asks a server; a page from disk never does, and its policy forbids it.
        assert_eq!(text("app/app.js").matches("fetch(").count(), 1);
    }
}
