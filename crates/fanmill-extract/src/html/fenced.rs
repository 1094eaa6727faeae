//! The text of a page as Markdown: prose as prose, and blocks of code in fences, so that a job can tell them apart.
//!
//! A block is an element `<pre>`. Its language is the one that a class names there or on the `<code>` in it. Everything
//! else is as in [`text()`](crate::html::text()).
//!
//! Cost: O(n) time and memory in the page.

use crate::html::elements::{NoScript, gap_around};
use crate::html::flow::Gap;
use crate::html::reading::{Reader, attribute, read};
use crate::html::text::TextCollector;
use html5ever::tokenizer::{Tag, TagKind};

/// Returns the text of a page, with its code in fences.
pub fn fenced(page: &str) -> String {
    let page_text = TextCollector::with_capacity(page.len() / 4);
    let (mut page, _) = read(page, NoScript::Text, FencedText { page: page_text, code: None });
    page.end_code();
    page.page.flow.into_text()
}

#[derive(Debug)]
struct FencedText {
    page: TextCollector,
    /// The block of code that is open.
    code: Option<Code>,
}

#[derive(Debug, Default)]
struct Code {
    text: String,
    language: String,
}

impl FencedText {
    /// Writes the block of code that is open, if there is one.
    fn end_code(&mut self) {
        let Some(Code { text, language }) = self.code.take() else { return };
        let text = text.trim_matches(['\n', '\r']);
        if text.trim().is_empty() {
            return;
        }
        // Longer than any run of backticks within.
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(3.max(longest + 1));
        self.page.flow.widen(Gap::Paragraph);
        self.page.flow.push_preformatted(&format!("{fence}{language}\n{text}\n{fence}"));
        self.page.flow.widen(Gap::Paragraph);
    }
}

/// Returns the language that a tag names: `lang-py`, `language-python`.
fn language(tag: &Tag) -> Option<String> {
    let classes = attribute(tag, "class")?;
    let named = classes.split_ascii_whitespace().find_map(|class| {
        class.strip_prefix("lang-").or_else(|| class.strip_prefix("language-"))
    })?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"+#-".contains(&byte);
    (named.len() <= 32 && named.bytes().all(is_name)).then(|| named.to_owned())
}

impl Reader for FencedText {
    fn tag(&mut self, tag: &Tag) {
        let name = &*tag.name;
        if name == "pre" {
            self.end_code();
            self.page.tag(tag);
            if tag.kind == TagKind::StartTag && self.page.is_shown() {
                self.code =
                    Some(Code { language: language(tag).unwrap_or_default(), ..Code::default() });
            }
            return;
        }
        let Some(code) = &mut self.code else { return self.page.tag(tag) };
        self.page.note(tag);
        match (name, language(tag)) {
            ("code", Some(language)) if code.language.is_empty() => code.language = language,
            ("br", _) => code.text.push('\n'),
            _ if gap_around(name) >= Gap::Line && !code.text.ends_with('\n') => {
                code.text.push('\n');
            }
            _ => {}
        }
    }

    fn text(&mut self, characters: &str) {
        match &mut self.code {
            Some(code) if self.page.is_shown() => code.text.push_str(characters),
            Some(_) => {}
            None => self.page.text(characters),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use crate::html::text;

    #[test]
    fn code_is_in_fences_and_prose_is_not() {
        let cases = [
            ("<p>One <code>x</code>\ntwo.</p>\n<p>Three</p>", "One x two.\n\nThree"),
            (
                "<p>See:</p><pre class=\"lang-py prettyprint-override\"><code>if a:\n    b()\n</code></pre><p>end",
                "See:\n\n```py\nif a:\n    b()\n```\n\nend",
            ),
            ("<pre><code class=language-c++>a &lt; b;\n</code></pre>", "```c++\na < b;\n```"),
            ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
            ("<pre><div>one();</div><div>two();</div></pre>", "```\none();\ntwo();\n```"),
            ("<pre>never closed", "```\nnever closed\n```"),
            ("<pre>\n</pre>x<script>y</script>", "x"),
            ("<pre>a<script>b</script></pre>", "```\na\n```"),
            ("a<pre></pre>b", "a\n\nb"),
            ("<template><pre>a</pre></template><title>T</title>x", "T\n\nx"),
        ];
        for (body, expected) in cases {
            assert_eq!(fenced(body), expected, "{body}");
        }
    }

    #[test]
    fn blocks_made_to_hurt_take_linear_time() {
        for page in
            ["<pre>x".repeat(200_000), "<pre>`".repeat(200_000), "<pre><div>".repeat(100_000)]
        {
            let (_, effort) = fanmill_effort::of(|| fenced(&page));
            assert!(effort < Duration::from_secs(10), "{}", &page[..20]);
        }
    }

    proptest! {
        #[test]
        fn words_are_those_of_the_page(parts in prop::collection::vec(prop::sample::select(&["<p>", "<pre>", "</pre>", "<code>", "<div>", "<script>", "</script>", "<template>", "</template>", "x ", "y\n", "&amp;", " z"][..]), 0..30)) {
            let page = parts.concat();
            let words = fenced(&page).replace("```", " ");
            prop_assert!(words.len() <= 4 * page.len());
            let expected = text(&page);
            prop_assert!(words.split_whitespace().eq(expected.split_whitespace()), "{words:?} {expected:?}");
        }
    }
}
