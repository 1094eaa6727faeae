//! Escaping: the only place where text from outside becomes HTML.

/// Escapes text for HTML, both between tags and in quoted attributes.
///
/// `&`, `<`, `>` and both quotes become references. Control characters that HTML does not allow become
/// U+FFFD; tabs and line ends stay.
///
/// ```
/// use fanmill_moss::escape::escaped;
/// assert_eq!(escaped("<b title='\"'>&amp;"), "&lt;b title=&#39;&quot;&#39;&gt;&amp;amp;");
/// ```
pub fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            '\n' | '\r' | '\t' => html.push(c),
            c if c.is_control() => html.push('\u{fffd}'),
            c => html.push(c),
        }
    }
    html
}

/// Returns text as one line of HTML: control characters become blanks, and an empty text becomes `unnamed`.
pub(crate) fn label(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = line.trim();
    escaped(if line.is_empty() { "unnamed" } else { line })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_become_one_line() {
        assert_eq!(label(" a\r\n<b>\t"), "a  &lt;b&gt;");
        assert_eq!(label("\n"), "unnamed");
        assert_eq!(escaped("a\0b\u{85}"), "a\u{fffd}b\u{fffd}");
    }

    proptest! {
        #[test]
        fn nothing_is_left_that_html_reads(text in any::<String>()) {
            let html = escaped(&text);
            prop_assert!(!html.contains(['<', '>', '"', '\'']));
            for rest in html.split('&').skip(1) {
                let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
                prop_assert!(known.iter().any(|name| rest.starts_with(name)), "{html}");
            }
        }
    }
}
