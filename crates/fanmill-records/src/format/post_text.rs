//! The body of a post as Markdown: prose as prose, and blocks of code in fences, so that a job can tell them apart.

use fanmill_extract::html::{
    Flow, Gap, NoScript, Reader, Tag, TagKind, attribute, gap_around, read,
};

/// Returns the text of a body.
pub(super) fn of_body(body: &str) -> String {
    let (mut post, _) = read(body, NoScript::Text, PostText::default());
    post.end_code();
    post.flow.into_text()
}

#[derive(Debug, Default)]
struct PostText {
    flow: Flow,
    /// The block of code that is open.
    code: Option<Code>,
    /// If set, the characters up to the next tag are not text.
    is_dropped: bool,
}

#[derive(Debug, Default)]
struct Code {
    text: String,
    language: String,
}

impl PostText {
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
        self.flow.widen(Gap::Paragraph);
        self.flow.push_preformatted(&format!("{fence}{language}\n{text}\n{fence}"));
        self.flow.widen(Gap::Paragraph);
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

impl Reader for PostText {
    fn tag(&mut self, tag: &Tag) {
        let name = &*tag.name;
        let is_start = tag.kind == TagKind::StartTag;
        if name == "pre" {
            self.end_code();
            if is_start {
                self.code =
                    Some(Code { language: language(tag).unwrap_or_default(), ..Code::default() });
            }
        } else if let Some(code) = &mut self.code {
            match (name, language(tag)) {
                ("code", Some(language)) if code.language.is_empty() => code.language = language,
                ("br", _) => code.text.push('\n'),
                _ => {}
            }
        } else {
            self.flow.widen(if name == "img" { Gap::Space } else { gap_around(name) });
        }
        self.is_dropped = is_start && matches!(name, "script" | "style" | "iframe");
    }

    fn text(&mut self, characters: &str) {
        match &mut self.code {
            _ if self.is_dropped => {}
            Some(code) => code.text.push_str(characters),
            None => self.flow.push(characters),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("<pre>never closed", "```\nnever closed\n```"),
            ("<pre>\n</pre>x<script>y</script>", "x"),
        ];
        for (body, expected) in cases {
            assert_eq!(of_body(body), expected, "{body}");
        }
    }
}
