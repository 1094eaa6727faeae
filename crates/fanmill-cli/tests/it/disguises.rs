//! Ways to make a copied program look like one's own, as text transformations.
//!
//! They use a simple lexer that suits Java and Python alike. The result need not compile; it only has to look to
//! Fanmill as a disguised program would.

use std::collections::BTreeMap;

/// A piece of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'a> {
    Word(&'a str),
    /// A whole string or comment.
    Closed(&'a str),
    Other(char),
}

/// Cuts a program into pieces, which joined are the program.
fn pieces(program: &str) -> Vec<Piece<'_>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut pieces = Vec::new();
    let mut rest = program;
    while let Some(c) = rest.chars().next() {
        let closed = ["\"\"\"", "/*"].iter().find(|opener| rest.starts_with(**opener));
        let (piece, length) = if let Some(opener) = closed {
            let closer = if *opener == "/*" { "*/" } else { opener };
            let end = rest[3..].find(closer).map_or(rest.len(), |at| at + 3 + closer.len());
            (Piece::Closed(&rest[..end]), end)
        } else if rest.starts_with("//") || c == '#' {
            let end = rest.find('\n').unwrap_or(rest.len());
            (Piece::Closed(&rest[..end]), end)
        } else if c == '"' || c == '\'' {
            let end = literal_end(rest, c);
            (Piece::Closed(&rest[..end]), end)
        } else if is_word(c) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (Piece::Word(&rest[..end]), end)
        } else {
            (Piece::Other(c), c.len_utf8())
        };
        pieces.push(piece);
        rest = &rest[length..];
    }
    pieces
}

/// The end of the one-line literal that a text starts with.
fn literal_end(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == '\n' || (c == quote && !escaped) {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// Replaces words; strings and comments stay as they are.
fn map_words(program: &str, mut map: impl FnMut(&str) -> String) -> String {
    let piece = |piece| match piece {
        Piece::Word(word) => map(word),
        Piece::Closed(text) => text.to_owned(),
        Piece::Other(c) => c.to_string(),
    };
    pieces(program).into_iter().map(piece).collect()
}

/// Words that are not names, such as the prefixes of Python's literals.
const KEYWORDS: &str = " abstract and as assert boolean break byte case catch char class continue def \
    default del do double elif else except extends False final finally float for from global if \
    implements import in instanceof int interface is lambda long new None nonlocal not null or \
    package pass private protected public raise record return short static super switch this throw \
    throws True true false try var void while with yield String self print range len r f rf ";

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && !KEYWORDS.contains(&format!(" {word} "))
}

/// Renames everything.
pub(crate) fn rename(program: &str) -> String {
    let mut names = BTreeMap::new();
    map_words(program, |word| {
        if !is_name(word) {
            return word.to_owned();
        }
        let next = names.len();
        names.entry(word.to_owned()).or_insert_with(|| format!("thing{next}")).clone()
    })
}

/// Adds a comment after each line and removes the old ones.
pub(crate) fn stuff_comments(program: &str, marker: &str) -> String {
    let bare: String = pieces(program)
        .into_iter()
        .filter(|piece| !matches!(piece, Piece::Closed(text) if text.starts_with(marker)))
        .map(|piece| match piece {
            Piece::Word(text) | Piece::Closed(text) => text.to_owned(),
            Piece::Other(c) => c.to_string(),
        })
        .collect();
    let in_block = |at: usize| bare[..at].matches("\"\"\"").count() % 2 == 1;
    let mut at = 0;
    let mut stuffed = String::new();
    for (i, line) in bare.lines().enumerate() {
        stuffed.push_str(line);
        at += line.len();
        if !in_block(at) {
            let comment = [marker, " step ", &i.to_string(), ": here I take care of another part"];
            stuffed.push_str("  ");
            stuffed.extend(comment);
        }
        at += 1;
        stuffed.push('\n');
    }
    stuffed
}

/// A zero-width space inside every word.
pub(crate) fn zero_width(program: &str) -> String {
    map_words(program, |word| match word.char_indices().nth(2) {
        Some((at, _)) => format!("{}\u{200b}{}", &word[..at], &word[at..]),
        None => word.to_owned(),
    })
}

/// Latin letters replaced by Cyrillic ones of the same shape, in every word.
pub(crate) fn look_alike(program: &str) -> String {
    map_words(program, |word| {
        word.chars()
            .map(|c| match c {
                'a' => 'а',
                'e' => 'е',
                'o' => 'о',
                'c' => 'с',
                'p' => 'р',
                'x' => 'х',
                c => c,
            })
            .collect()
    })
}

/// Reverses the blocks that empty lines separate, but for the first.
pub(crate) fn reorder(program: &str) -> String {
    let mut blocks: Vec<&str> = program.trim_end().split("\n\n").collect();
    let last = blocks.len() - 1;
    // The last block holds the brace that closes the class, or the call of main.
    blocks[1..last].reverse();
    blocks.join("\n\n") + "\n"
}

/// Adds a statement without effect after every `every`-th line that ends a statement.
pub(crate) fn dead_statements(program: &str, every: usize, is_java: bool) -> String {
    let mut out = String::new();
    let mut n = 0;
    let (mut opened, mut closed) = (0, 0);
    for line in program.lines() {
        out.push_str(line);
        out.push('\n');
        let code = line.split(if is_java { "//" } else { "#" }).next().unwrap_or(line).trim_end();
        opened += code.matches(['(', '[']).count();
        closed += code.matches([')', ']']).count();
        let indent = &line[..line.len() - line.trim_start().len()];
        let ends =
            if is_java { code.ends_with(';') } else { code.contains(" = ") || code.ends_with(':') };
        if !ends || indent.is_empty() || opened > closed {
            continue;
        }
        n += 1;
        if n % every == 0 {
            let deeper = if code.ends_with(':') { "    " } else { "" };
            let dead = match (is_java, n % 3) {
                (true, 0) => format!("int unused{n} = {n} + 1;"),
                (true, 1) => format!("if (false) {{ System.out.print(\"{n}\"); }}"),
                (true, _) => "Math.abs(-1);".to_owned(),
                (false, 0) => format!("unused{n} = [{n}, {n}]"),
                (false, 1) => format!("if False: print('{n}')"),
                (false, _) => "abs(-1)".to_owned(),
            };
            out.extend([indent, deeper, &dead, "\n"]);
        }
    }
    out
}

/// Puts `this.` before every name that does not follow a name, a type or a dot.
pub(crate) fn sprinkle_this(program: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    let mut declares = false;
    for piece in pieces(program) {
        match piece {
            Piece::Word(word) => {
                let is_small = word.starts_with(|c: char| c.is_ascii_lowercase());
                if is_name(word) && is_small && before != '.' && !declares {
                    out.push_str("this.");
                }
                out.push_str(word);
                (before, declares) =
                    ('w', !matches!(word, "return" | "throw" | "else" | "case" | "in"));
            }
            Piece::Closed(text) => out.push_str(text),
            Piece::Other(c) => {
                out.push(c);
                if !c.is_whitespace() {
                    (before, declares) = (c, matches!(c, '>' | ']' | '@'));
                }
            }
        }
    }
    out
}

pub(crate) fn crlf(program: &str) -> String {
    program.replace('\n', "\r\n")
}

/// Puts all on one line, without comments; for languages in which line ends have no meaning.
pub(crate) fn one_line(program: &str) -> String {
    pieces(program)
        .into_iter()
        .map(|piece| match piece {
            Piece::Closed(text) if text.starts_with('/') => String::new(),
            Piece::Word(text) | Piece::Closed(text) => text.to_owned(),
            Piece::Other('\n') => " ".to_owned(),
            Piece::Other(c) => c.to_string(),
        })
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn disguises_do_what_they_say() {
    let java = "class A {\n    // words\n    int x = go(\"a\\\"b\");\n\n    int g() { return x; }\n\n    void h() { }\n}\n";
    assert_eq!(rename(java).matches("thing").count(), 6);
    assert!(rename(java).contains("\"a\\\"b\"") && rename(java).contains("// words"));
    assert_eq!(
        one_line(java),
        "class A { int x = go(\"a\\\"b\"); int g() { return x; } void h() { } }"
    );
    assert!(
        sprinkle_this(java).contains("= this.go(")
            && sprinkle_this(java).contains("return this.x;")
    );
    assert!(sprinkle_this(java).contains("int g()"));
    assert!(zero_width("return x").starts_with("re\u{200b}turn x"));
    assert_eq!(reorder("a\n\nb\n\nc\n\nd\n"), "a\n\nc\n\nb\n\nd\n");
    assert!(!stuff_comments(java, "//").contains("words"));
}
