//! Conformance tests: the rules that every front end for code must follow.
//!
//! [`check`] tests any front end. [`check_language`] also makes texts from a table's own openers,
//! closers and keywords, where mistakes are most likely. Texts are random with a fixed seed, and a
//! failure shows the text. [`expect_tokens`] checks a worked example.

#[cfg(test)]
use std::time::Duration;

use fanmill_text::frontend::{FrontEnd, Idioms, PART};
use fanmill_text::span::Span;
use fanmill_text::token::{Columns, Symbol, Tokens};

use crate::lexer::Lexer;
use crate::table::language::{Language, Words};

/// Number of random texts tried for each front end.
const TRIALS: u64 = 2000;

/// Fragments that may occur in any text: blanks, controls, quotes, escapes, letters of one to four bytes.
const FRAGMENTS: &[&str] = &[
    " ", "\n", "\r\n", "\t", "\0", "\u{1B}", "\u{FFFD}", "\u{FEFF}", "a", "Bc_9", "ß", "É", "中文",
    "𝕏", "\u{301}", "0", "7.5e-3", "0xFF", "\"", "'", "`", "\\", "\\\n", "//", "/*", "*/", "#",
    "--", "(*", "*)", "{", "}", "(", ")", "[", "]", "<", ">", "${", "$", "@", "%", ";", ",", ".",
    ":", "=", "+", "-", "*", "/", "|", "&", "!", "?", "~", "^",
];

/// Checks a front end's claims and its tokens for random texts.
///
/// # Panics
/// If it breaks a rule; the message names the front end, the rule and the text.
pub fn check(front_end: &dyn FrontEnd) {
    check_claims(front_end);
    check_renaming(front_end);
    check_texts(front_end, FRAGMENTS);
    check_parts(front_end);
}

/// Checks a language's table and its lexer: everything in [`check`], and the properties that follow from the table. In
/// this crate's own tests, also checks the processor time.
///
/// # Panics
/// As for [`check`].
pub fn check_language(language: &Language) {
    let lexer = Lexer::new(language);
    check(&lexer);
    check_words(language);
    let own = fragments(language);
    let all: Vec<&str> = own.iter().map(String::as_str).chain(FRAGMENTS.iter().copied()).collect();
    check_texts(&lexer, &all);
    check_steps(&lexer, &all);
    check_blanks(&lexer);
    #[cfg(test)]
    for opener in openers(language) {
        check_linear(&lexer, &opener);
    }
}

/// Checks that the tokens of `text` are `expected`: blank-separated spellings of keywords and
/// operators, `ID`, `NUM` and `STR`.
///
/// # Panics
/// If they are not; the message shows the tokens.
pub fn expect_tokens(front_end: &dyn FrontEnd, text: &str, expected: &str) {
    let tokens = tokenize(front_end, text);
    let actual = tokens.symbols.iter().zip(&tokens.spans).map(|(symbol, span)| {
        let spelling = &text[span.range()];
        match *symbol {
            Symbol::IDENTIFIER => "ID".to_owned(),
            Symbol::NUMBER => "NUM".to_owned(),
            Symbol::STRING => "STR".to_owned(),
            symbol if symbol == Symbol::spelled(spelling.as_bytes()) => spelling.to_owned(),
            symbol => {
                let inner = spelling.trim_matches(['"', '\'']).to_ascii_lowercase();
                let initial = inner.get(..1).unwrap_or_default().to_owned();
                let is = |text: &String| Symbol::spelled(text.as_bytes()) == symbol;
                [inner, initial].into_iter().find(is).unwrap_or_else(|| "?".to_owned())
            }
        }
    });
    let actual: Vec<String> = actual.collect();
    let expected: Vec<&str> = expected.split_whitespace().collect();
    assert!(
        actual == expected,
        "{}: tokens of\n{text}\nare\n{}\nnot\n{}",
        front_end.name(),
        actual.join(" "),
        expected.join(" ")
    );
}

/// Checks that names are in lower case, not empty, and claimed once.
fn check_claims(front_end: &dyn FrontEnd) {
    let (name, claims) = (front_end.name(), front_end.claims());
    let all = [claims.aliases, claims.extensions, claims.file_names, claims.interpreters];
    for claim in all.concat().into_iter().chain([name]) {
        assert!(!claim.is_empty(), "{name}: an empty claim");
        assert_eq!(claim, claim.to_lowercase(), "{name}: a claim in upper case");
    }
    for claims in all {
        let is_repeated = |(i, claim)| claims[..i].contains(claim);
        assert!(
            !claims.iter().enumerate().any(is_repeated),
            "{name}: a claim made twice: {claims:?}"
        );
    }
    assert!(front_end.version() > 0, "{name}: version 0");
}

/// Checks that renaming an identifier changes only names.
fn check_renaming(front_end: &dyn FrontEnd) {
    if front_end.shown("qzxa + qzxa").is_some() {
        return; // Text outside its tags is prose.
    }
    let tokens = |word: &str| tokenize(front_end, &format!("{word} + {word}"));
    let (ours, theirs) = (tokens("qzxa"), tokens("qzxbc"));
    if ours.symbols.first() == Some(&Symbol::IDENTIFIER) {
        assert_eq!(ours.symbols, theirs.symbols, "{}: renaming changes symbols", front_end.name());
    }
    assert_ne!(ours.names, theirs.names, "{}: renaming does not change names", front_end.name());
}

/// Checks that the tokens of random texts are well-formed.
fn check_texts(front_end: &dyn FrontEnd, fragments: &[&str]) {
    let mut random = Random(0x5EED);
    for _ in 0..TRIALS {
        let len = random.below(40);
        let text: String = (0..len).map(|_| fragments[random.below(fragments.len())]).collect();
        check_tokens(front_end, &text);
    }
}

/// Checks that the fast loop reads the same tokens as the step-by-step lexer.
fn check_steps(lexer: &Lexer, fragments: &[&str]) {
    let language = lexer.language();
    let steps = Lexer::step_by_step(language);
    let own = language.operators().chain(language.keywords());
    let own = own.chain(language.qualifiers.iter().flat_map(|(word, mark)| [*word, *mark]));
    let own = own.chain(language.quotes.iter().flat_map(|quote| quote.prefixes.iter().copied()));
    let usual = ["x", "Y1", " ", "\n    ", "12", "0x1F", "1.5", "(", ")", "=", ";", ".", "\""];
    let own: Vec<&str> = own.chain(usual).collect();
    let mut random = Random(0x57E9);
    for trial in 0..TRIALS {
        let (len, mut text) = (random.below(60), String::new());
        for _ in 0..len {
            // Half of the texts have few fragments that end the loop.
            let other = if trial % 2 == 0 && random.below(8) > 0 { &own } else { fragments };
            text += other[random.below(other.len())];
        }
        let spelled = |lexer: &Lexer| {
            let tokens = tokenize(lexer, &text);
            let symbols = tokens.symbols.into_iter().zip(tokens.names);
            let with = |(two, span): (_, Span)| (two, span, text[span.range()].to_owned());
            symbols.zip(tokens.spans).map(with).collect::<Vec<_>>()
        };
        let (ours, theirs) = (spelled(lexer), spelled(&steps));
        let other = ours.iter().zip(&theirs).find(|(ours, theirs)| ours != theirs);
        assert!(ours == theirs, "{}: step by step, {other:?} differ, in {text:?}", language.name);
    }
}

/// Checks that reading a long text in parts gives the same tokens as reading it at once.
fn check_parts(front_end: &dyn FrontEnd) {
    const WORDS: [&str; 8] = ["ab ", "from x ", "import ", "+ ", "( ", ") ", "this . ", "c;\n"];
    let mut random = Random(0xAB5E);
    let text: String = (0..3 * PART).map(|_| WORDS[random.below(WORDS.len())]).collect();
    let (mut joined, mut n_parts) = (Tokens::default(), 0);
    front_end.tokenize_in_parts(&text, &mut Tokens::default(), &mut |part| {
        joined.append(part, Columns::All);
        n_parts += 1;
    });
    assert!(joined == tokenize(front_end, &text), "{}: other tokens in parts", front_end.name());
    assert!(n_parts > joined.len() / (2 * PART), "{}: {n_parts} parts", front_end.name());
}

/// Checks that spans are ascending and not empty, do not overlap or split characters, and that tokens are appended.
pub(crate) fn check_tokens(front_end: &dyn FrontEnd, text: &str) {
    let name = front_end.name();
    let once = tokenize(front_end, text);
    let mut twice = once.clone();
    front_end.tokenize(text, &mut twice);
    assert_eq!(once.symbols.len(), once.spans.len(), "{name}: symbols and spans of {text:?}");
    assert_eq!(once.symbols.len(), once.names.len(), "{name}: symbols and names of {text:?}");
    let n = once.len();
    assert_eq!(twice.symbols[..n], once.symbols, "{name}: not appended only: {text:?}");
    assert_eq!(twice.symbols[n..], once.symbols, "{name}: not the same twice: {text:?}");
    assert_eq!(twice.spans[n..], once.spans, "{name}: not the same spans twice: {text:?}");
    let mut end = 0;
    for span in once.spans.iter().map(|span| span.range()) {
        assert!(span.start >= end, "{name}: {span:?} overlaps the one before it in {text:?}");
        assert!(!span.is_empty(), "{name}: {span:?} is empty in {text:?}");
        assert!(
            text.get(span.clone()).is_some(),
            "{name}: {span:?} is outside {text:?} or splits a character"
        );
        end = span.end;
    }
}

/// Checks that words are sorted and unique, and in lower case where case is ignored.
fn check_words(language: &Language) {
    let name = language.name;
    for group in language.keywords {
        let words: Vec<&str> = group.split_ascii_whitespace().collect();
        let out = words.windows(2).find(|pair| pair[0] >= pair[1]);
        assert!(out.is_none(), "{name}: keywords not sorted or unique: {out:?}");
    }
    let Idioms { common, typical, sure } = language.idioms;
    for group in [common, typical, sure] {
        let idioms: Vec<&str> = group.split_whitespace().collect();
        let out = idioms.windows(2).find(|pair| pair[0] >= pair[1]);
        assert!(out.is_none(), "{name}: idioms not sorted or unique: {out:?}");
        if language.case == crate::Case::Ignored {
            assert_eq!(group, group.to_lowercase(), "{name}: idiom in upper case");
        }
    }
    if language.case == crate::Case::Ignored {
        let upper = language.keywords().find(|word| word.chars().any(char::is_uppercase));
        assert_eq!(upper, None, "{name}: keyword in upper case");
    }
    let is_unknown = |word: &&str| {
        word.starts_with(|c: char| c.is_alphabetic()) && !language.keywords().any(|k| k == *word)
    };
    let unknown = language.operands().find(is_unknown);
    assert_eq!(unknown, None, "{name}: operand that is not a keyword");
}

/// Checks that adding blanks and comments between words changes nothing.
fn check_blanks(lexer: &Lexer) {
    let language = lexer.language();
    let is_plain = |word: &&str| word.bytes().all(|b| b.is_ascii_alphanumeric());
    let leads = |word: &&str| {
        language.imports.iter().any(|i| i.head == *word)
            || language.comments.iter().any(|c| c.open.eq_ignore_ascii_case(word))
            || language.quotes.iter().any(|q| q.prefixes.contains(word))
    };
    let mut words: Vec<&str> = language.keywords().filter(is_plain).filter(|w| !leads(w)).collect();
    words.extend(["qzxa", "Qzxb", "42", "7"]);
    let comments = language.comments.iter().map(|c| format!("\n {}\n        ", c.example()));
    let separators: Vec<String> = ["\n        ", "  ", "\t\n \t      "]
        .map(str::to_owned)
        .into_iter()
        .chain(comments)
        .collect();
    let mut random = Random(7);
    for separator in &separators {
        let words: Vec<&str> = (0..30).map(|_| words[random.below(words.len())]).collect();
        // Not in column 1, where Fortran's comments open: `cycle` would be one.
        let joined = |separator: &str| format!("        {}", words.join(separator));
        let (spaced, other) = (joined(" "), joined(separator));
        if language.words == Words::Initial {
            continue; // In these languages line starts matter.
        }
        assert_eq!(
            tokenize(lexer, &spaced).symbols,
            tokenize(lexer, &other).symbols,
            "{}: {other:?} is not {spaced:?}",
            language.name
        );
    }
}

/// Checks that half a megabyte of one opener takes linear processor time.
#[cfg(test)]
fn check_linear(lexer: &Lexer, opener: &str) {
    /// A linear scan takes milliseconds; scanning again at each opener would take minutes.
    const LIMIT: Duration = Duration::from_millis(1500);
    for (glue, len) in [("", 1 << 19), ("a\n", 1 << 17), ("a b ", 1 << 17)] {
        let text = format!("{opener}{glue}");
        let text = text.repeat(len / text.len());
        let (_, spent) = fanmill_effort::of(|| tokenize(lexer, &text));
        assert!(spent < LIMIT, "{}: {opener:?}{glue:?} repeated took {spent:?}", lexer.name());
    }
}

/// Returns texts in which the table's comments, literals, islands, imports and numbers open.
fn openers(language: &Language) -> Vec<String> {
    let mut all: Vec<String> = language.comments.iter().map(|c| c.open.to_owned()).collect();
    all.extend(language.comments.iter().map(crate::Comment::example));
    for quote in language.quotes {
        all.push(quote.open.to_owned());
        all.extend(quote.prefixes.iter().map(|prefix| format!("{prefix}{}", quote.open)));
        all.push(format!("{}{}tag", quote.prefixes.first().unwrap_or(&""), quote.open));
    }
    all.extend(language.islands.iter().flat_map(|i| [i.open, i.close]).map(str::to_owned));
    all.extend(language.imports.iter().map(|i| format!("{}{} ", i.after, i.head)));
    all.extend(language.numbers.prefixes.iter().map(|prefix| format!("{prefix}1")));
    all.extend(["(", "'a'", "$a$"].map(str::to_owned));
    all.retain(|opener| !opener.is_empty());
    all
}

/// Returns openers, closers, operators and words, including those of the islands.
fn fragments(language: &Language) -> Vec<String> {
    let mut all = openers(language);
    all.extend(language.islands.iter().flat_map(|i| openers(i.inside)));
    all.extend(language.operators().take(40).map(str::to_owned));
    all.extend(language.keywords().take(20).map(|word| format!("{word} ")));
    all.extend(["${", "#{", "\\(", "$("].map(str::to_owned));
    all
}

fn tokenize(front_end: &dyn FrontEnd, text: &str) -> Tokens {
    let mut tokens = Tokens::default();
    front_end.tokenize(text, &mut tokens);
    tokens
}

/// SplitMix64: random enough for varied texts, and reproducible on every platform.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((x ^ (x >> 31)) % bound as u64).expect("below a usize")
    }
}
