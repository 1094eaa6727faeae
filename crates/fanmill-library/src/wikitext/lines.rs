//! Lines of a text without what dropped parts have left: blanks at their ends, and more than one empty line.

/// Returns a text with at most one empty line in a row, and none around it.
pub(super) fn tidied(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_apart = false;
    for line in text.lines() {
        let line = line.trim_end();
        if line.is_empty() {
            is_apart = true;
            continue;
        }
        if !out.is_empty() {
            out.push_str(if is_apart { "\n\n" } else { "\n" });
        }
        is_apart = false;
        out.push_str(line);
    }
    out
}
