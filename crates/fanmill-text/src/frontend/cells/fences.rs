//! Markdown with fenced code, and its kin: R Markdown, Quarto, the text of MATLAB's live scripts.
//!
//! A fence is a line of at least three backticks or tildes. What follows it names the language: ```` ```java ````,
//! ```` ```{r plot, echo=FALSE} ````, ```` ```{.java #first} ````. The code ends before a line of the same sign, at least
//! as long; without one, at the end of the text. The lines of fences are neither prose nor code, and nor is a block of
//! settings in YAML at the beginning. An essay between two lines `---` is prose.
//!
//! Only fences with braces count in a comment of HTML, because knitr runs such chunks, and nobody sees the others.
//!
//! Cost: O(n), one pass.
//! Source: `CommonMark` 0.31.2, §4.5; knitr 1.48, `knit_patterns`, and Pandoc's manual, "Fenced code blocks", for braces.
//! Departs from it: a fence with braces may be indented by any number of blanks, as in knitr; an item of a list may begin
//! with a fence, but is not followed further, and nor are quotations.

use std::ops::Range;

use super::cell::{Cell, CellBuilder, CellKind};
use super::lines::{indent, lines};

/// Engines of knitr whose chunks are prose.
const PROSE: [&str; 4] = ["asis", "block", "block2", "markdown"];

/// Returns the cells of a text; `None` if it has no fence. `default` is the language of fences that name none.
pub(super) fn cells(text: &str, default: Option<&str>) -> Option<Vec<Cell>> {
    let mut cells = CellBuilder::new(text, CellKind::Markdown);
    let mut open: Option<(Fence, Range<usize>)> = None;
    let mut is_in_comment = false;
    for line in lines(text, front_matter(text)..text.len()) {
        let content = &text[line.clone()];
        match open.take() {
            Some((fence, body)) if fence.is_closed_by(content) => {
                fence.take(body, &mut cells, default);
            }
            Some((fence, body)) => open = Some((fence, body.start..line.end)),
            None => match Fence::read(content) {
                Some(fence) if fence.is_chunk || !is_in_comment => {
                    open = Some((fence, line.end..line.end));
                }
                _ => {
                    is_in_comment = ends_in_comment(content, is_in_comment);
                    cells.prose(line);
                }
            },
        }
    }
    if let Some((fence, body)) = open {
        fence.take(body, &mut cells, default);
    }
    cells.finish()
}

/// A line that begins code.
struct Fence {
    sign: u8,
    len: usize,
    /// Number of columns before it.
    indent: usize,
    /// True if braces follow it.
    is_chunk: bool,
    language: Option<String>,
}

impl Fence {
    /// Reads a line; `None` if it does not begin code.
    fn read(line: &str) -> Option<Fence> {
        let marks = line[list_marker(line)..].trim_start_matches([' ', '\t']);
        let sign = *marks.as_bytes().first().filter(|sign| matches!(sign, b'`' | b'~'))?;
        let len = marks.bytes().take_while(|&byte| byte == sign).count();
        let info = marks[len..].trim();
        let (indent, is_chunk) = (list_marker(line).max(indent(line)), info.starts_with('{'));
        // With a backtick in the rest of the line, it is code within a sentence.
        let is_fence = len >= 3
            && (indent <= 3 || is_chunk || list_marker(line) > 0)
            && !(sign == b'`' && info.contains('`'));
        is_fence.then(|| Fence { sign, len, indent, is_chunk, language: language(info) })
    }

    /// Returns whether a line ends the code that this one began.
    fn is_closed_by(&self, line: &str) -> bool {
        let marks = line.trim();
        marks.len() >= self.len
            && marks.bytes().all(|byte| byte == self.sign)
            && indent(line) <= self.indent.max(3)
    }

    /// Appends the lines between this fence and its end.
    fn take(self, body: Range<usize>, cells: &mut CellBuilder<'_>, default: Option<&str>) {
        if self.language.as_deref().is_some_and(|language| PROSE.contains(&language)) {
            cells.code(None, []);
            return cells.prose(body);
        }
        cells.code(self.language.or_else(|| default.map(str::to_owned)), [body]);
    }
}

/// Returns the length of the mark of a list's item that a line begins with, and of the blanks around it: 0 if there is
/// none.
fn list_marker(line: &str) -> usize {
    let rest = line.trim_start_matches([' ', '\t']);
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let n_digits = rest.len() - digits.len();
    let after = match n_digits {
        0 => rest.strip_prefix(['-', '*', '+']),
        1..=9 => digits.strip_prefix(['.', ')']),
        _ => None,
    };
    let body = after.filter(|after| after.starts_with([' ', '\t']));
    body.map_or(0, |body| line.len() - body.trim_start_matches([' ', '\t']).len())
}

/// Returns the language that follows a fence, in lower case.
fn language(info: &str) -> Option<String> {
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}' | ':' | ';');
    let Some(braces) = info.strip_prefix('{') else {
        let name = info.split(ends).next()?;
        return (!name.is_empty()).then(|| name.to_lowercase());
    };
    let options = &braces[..braces.find('}').unwrap_or(braces.len())];
    let mut words = options.split(|c: char| c.is_whitespace() || c == ',');
    // `{r, engine="python"}` is Python.
    let engine = words.clone().find_map(|word| word.strip_prefix("engine="));
    let name = match engine {
        Some(engine) => engine.trim_matches(['"', '\'']),
        // `{r}`, and `{.r}` or `{=r}` of Pandoc. A word after `#` is a name of the block.
        None => words.find(|word| !word.is_empty() && !word.starts_with('#'))?,
    };
    match &*name.trim_start_matches(['.', '=']).to_lowercase() {
        "rcpp" => Some("cpp".to_owned()),
        name => (!name.is_empty() && !name.contains('=')).then(|| name.to_owned()),
    }
}

/// Returns whether a comment of HTML is open at the end of a line; a line within another block does not open one.
fn ends_in_comment(line: &str, is_inside: bool) -> bool {
    let opens = || line.trim_start_matches(' ').starts_with("<!--") && indent(line) <= 3;
    // `<!-->` is a whole one.
    (is_inside || opens()) && !line.contains("-->")
}

/// Returns the end of the settings that a text begins with, between a line `---` and a line `---` or `...`: 0 without any,
/// and where something else is between these lines.
fn front_matter(text: &str) -> usize {
    /// More words than these are an abstract, or an essay, whatever the lines look like.
    const MOST_WORDS: usize = 60;
    let mut lines = lines(text, 0..text.len());
    if lines.next().is_none_or(|first| text[first].trim_end() != "---") {
        return 0;
    }
    let mut n_words = 0;
    for line in lines {
        let content = text[line.clone()].trim_end();
        if matches!(content, "---" | "...") {
            return line.end;
        }
        let is_below = content.is_empty() || content.starts_with(['#', ' ', '\t', '-']);
        let is_key = |key: &str| !key.is_empty() && !key.contains(char::is_whitespace);
        let is_setting = is_below || content.split_once(':').is_some_and(|(key, _)| is_key(key));
        let value = content.split_once(": ").map_or(content, |(_, value)| value);
        n_words += value.split_whitespace().count();
        if !is_setting || n_words > MOST_WORDS {
            return 0;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns each cell as its language, or `-` for prose, and its text.
    fn read(text: &str) -> Vec<(String, String)> {
        let cells = super::cells(text, None).unwrap_or_default();
        let of = |cell: Cell| match cell.kind {
            CellKind::Code => (cell.language.unwrap_or_default(), cell.source),
            _ => ("-".to_owned(), cell.source),
        };
        cells.into_iter().map(of).collect()
    }

    fn pairs<const N: usize>(cells: [(&str, &str); N]) -> Vec<(String, String)> {
        cells.map(|(language, text)| (language.to_owned(), text.to_owned())).to_vec()
    }

    #[test]
    fn prose_and_code_apart() {
        let text = "---\ntitle: T\n---\nOne\n```{r plot, echo=FALSE}\nx <- 1\n```\ntwo\n~~~ java\nint y;\n~~~\n";
        let want = pairs([("-", "One\n"), ("r", "x <- 1\n"), ("-", "two\n"), ("java", "int y;\n")]);
        assert_eq!(read(text), want);
        assert_eq!(super::cells("# Title\n\nNo code but `this`, and ```this```.\n", None), None);
        assert_eq!(super::cells("---\ntitle: T\n---\n", None), None);
        assert_eq!(
            super::cells("```\na\n```\n", Some("matlab")).expect("code")[0].language.as_deref(),
            Some("matlab")
        );
    }

    #[test]
    fn a_fence_ends_by_its_own_sign_at_least_as_long() {
        let inner = "```\n~~~~\n````x\n    ````\n";
        assert_eq!(read(&format!("````md\n{inner}`````  \nz")), pairs([("md", inner), ("-", "z")]));
        assert_eq!(read("   ```c\r\na\r\n   ```\r\n"), pairs([("c", "a\r\n")]));
        assert_eq!(super::cells("    ```c\n", None), None);
        assert_eq!(
            read("- a\n    ```{r}\n    x\n    ```\nb"),
            pairs([("-", "- a\n"), ("r", "    x\n"), ("-", "b")])
        );
    }

    #[test]
    fn an_item_of_a_list_may_begin_with_a_fence() {
        assert_eq!(
            read("- ```bash\n  ls\n  ```\ntext\n10. ```c\n    x\n    ```\nz\n"),
            pairs([("bash", "  ls\n"), ("-", "text\n"), ("c", "    x\n"), ("-", "z\n")])
        );
        assert_eq!(read("<!-->\n```c\nx\n```\n")[1], ("c".to_owned(), "x\n".to_owned()));
    }

    #[test]
    fn an_open_fence_reaches_to_the_end() {
        assert_eq!(read("a\n```py\nx\n\ny"), pairs([("-", "a\n"), ("py", "x\n\ny")]));
        assert_eq!(read("a\n```"), pairs([("-", "a\n")]));
    }

    #[test]
    fn languages_as_people_write_them() {
        for (info, want) in [
            ("{r}", Some("r")),
            ("{r, echo=FALSE}", Some("r")),
            ("{r name, fig.width = 3}", Some("r")),
            ("{r, engine='Python'}", Some("python")),
            ("{.java .numberLines #first}", Some("java")),
            ("{#first .java}", Some("java")),
            ("{=html}", Some("html")),
            ("{Rcpp", Some("cpp")),
            ("C++ title=x", Some("c++")),
            ("js{1,3}", Some("js")),
            ("ruby:app.rb", Some("ruby")),
            ("{}", None),
            ("{startFrom=3}", None),
            ("", None),
        ] {
            assert_eq!(language(info).as_deref(), want, "{info}");
        }
    }

    #[test]
    fn settings_are_only_what_looks_like_them() {
        let all_but = |text: &str| text.len() - front_matter(text);
        let settings = "---\ntitle: Of bees\nauthor:\n  - name: A\n\n# now\n- x\n...\nz";
        assert_eq!(all_but(settings), 1);
        for essay in [
            "---\nIt was late when we came home.\n---\nz",
            "---\nabstract: |\n  It was late when we came home.\n---\nz",
            "---\nabstract: It was late when we came home.\n---\nz",
            "---\n- It was late when we came home.\n---\nz",
            "---\ntitle: open\n",
        ] {
            let essay = essay
                .replace("home.\n", &"home,\n  so late that we\n  sat in the dark.\n".repeat(9));
            assert_eq!(front_matter(&essay), 0, "{essay}");
        }
    }

    #[test]
    fn only_chunks_count_in_comments() {
        let text = "<!-- a\n```java\nOne\n```\n-->\n```c\nx\n```\n<!--\n```{r}\ny\n```\n--> z `<!--`\n```d\nw\n```\n";
        let found = read(text);
        let languages: Vec<&str> = found.iter().map(|(language, _)| &**language).collect();
        assert_eq!(languages, ["-", "c", "-", "r", "-", "d"]);
    }

    #[test]
    fn chunks_of_prose_are_prose() {
        assert_eq!(read("a\n```{asis, echo=x}\nb\n```\n"), pairs([("-", "a\nb\n")]));
    }
}
