//! Data: JSON (RFC 8259 and JSON5), YAML 1.2 and TOML 1.0.
//!
//! Keys keep their spelling, since they are what documents of one kind share, by design or by copying; scalars are
//! classes. As in code, layout yields no tokens.

use crate::{Comment, CommentPlace, Escape, Language, Numbers, Quote, Words};

/// Numbers with signs.
const SIGNED: Numbers = Numbers { prefixes: &["-", "+", "."], ..Numbers::STRICT };

/// The table of JSON, with the comments and single quotes of its supersets.
pub(crate) const JSON: Language = Language {
    name: "json",
    aliases: &["json5", "jsonc"],
    extensions: &["geojson", "json", "json5", "jsonc", "jsonl", "webmanifest"],
    file_names: &[".babelrc", ".eslintrc"],
    words: Words::Keys(":"),
    keywords: &["false null true"],
    comments: super::c::COMMENTS,
    quotes: &[Quote::line("\"", "\""), Quote::line("'", "'")],
    numbers: SIGNED,
    ..Language::EMPTY
};

/// The table of YAML. A plain scalar of several words is several identifiers.
pub(crate) const YAML: Language = Language {
    name: "yaml",
    aliases: &["yml"],
    extensions: &["yaml", "yml"],
    words: Words::Keys(":"),
    word_part: "-./",
    keywords: &["False True false no null off on true yes"],
    operators: &["--- ... |- >- << !!"],
    comments: &[Comment::line("#").at(CommentPlace::Word)],
    quotes: &[
        Quote::lines("\"", "\""),
        Quote::lines("'", "'").escape(Escape::Doubled).after(crate::OpenerContext::Gap),
    ],
    numbers: SIGNED,
    ..Language::EMPTY
};

/// The table of TOML and of INI files.
pub(crate) const TOML: Language = Language {
    name: "toml",
    aliases: &["ini"],
    extensions: &["cfg", "conf", "ini", "properties", "toml"],
    file_names: &[".editorconfig", ".gitconfig", "cargo.lock", "pipfile", "poetry.lock"],
    words: Words::Keys("=].:"),
    word_part: "-",
    keywords: &["false inf nan true"],
    comments: &[Comment::line("#"), Comment::line(";").at(CommentPlace::LineStart)],
    quotes: &[
        Quote::line("\"", "\""),
        Quote::line("'", "'").raw(),
        Quote::lines("\"\"\"", "\"\"\""),
        Quote::lines("'''", "'''").raw(),
    ],
    numbers: SIGNED,
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::{JSON, TOML, YAML};
    use crate::languages::expect;

    #[test]
    fn worked_example_of_json() {
        expect(
            &JSON,
            r#"{"name": "a \" b", "n" : [-1.5e3, true, null], k: 'x' /* c */} // d"#,
            "{ name : STR , n : [ NUM , true , null ] , k : STR }",
        );
    }

    #[test]
    fn worked_example_of_yaml() {
        expect(
            &YAML,
            "---\nname: it's plain # note\n\"key\": 'it''s'\nlist:\n  - a#b\n  - -1.5\n  - yes\n",
            "--- name : ID ' ID ID key : STR list : - ID # ID - NUM - yes",
        );
    }

    #[test]
    fn worked_example_of_toml() {
        expect(
            &TOML,
            "[package.x] # note\nname = \"a\" \n\"q\" = '''it's\n''' # d\nn = [1_000, -.5, false]\n; ini\n",
            "[ package . x ] name = STR q = STR n = [ NUM , NUM , false ]",
        );
    }
}
