//! Programs as source text, in three languages.
//!
//! C functions have no prototypes: calls before a definition parse, and a compiler warns.

use std::fmt::Write;

use fanmill_kernel::hash::mix::SplitMix;

use super::program::{Expression, Form, Function, Name, Program, Statement};

/// A language that programs are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Java,
    C,
    Python,
}

/// The parts of a text that do not affect the program's meaning.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Style {
    /// The share of lines that end with a comment, a fraction in `0..=1`.
    pub(crate) comments: f64,
    /// The share of blanks that are widened, or replaced by a new line where that changes nothing.
    pub(crate) layout: f64,
    pub(crate) seed: u64,
}

impl Language {
    pub(crate) const ALL: [Language; 3] = [Language::Java, Language::C, Language::Python];

    pub(crate) fn extension(self) -> &'static str {
        match self {
            Language::Java => "java",
            Language::C => "c",
            Language::Python => "py",
        }
    }

    /// Returns the program's text.
    pub(crate) fn write(self, program: &Program, style: Style) -> String {
        let random = SplitMix::new(style.seed);
        let mut writer = Writer { language: self, style, random, text: String::new(), depth: 0 };
        match self {
            Language::Java => writer.line("public class Solution {"),
            Language::C => writer.line("#include <stdio.h>"),
            Language::Python => (),
        }
        writer.depth += u32::from(self == Language::Java);
        for function in &program.functions {
            writer.function(function);
        }
        if self == Language::Java {
            writer.depth -= 1;
            writer.line("}");
        }
        writer.text
    }

    fn has_braces(self) -> bool {
        self != Language::Python
    }
}

struct Writer {
    language: Language,
    style: Style,
    random: SplitMix,
    text: String,
    /// Number of blocks around the next line.
    depth: u32,
}

impl Writer {
    fn happens(&mut self, probability: f64) -> bool {
        (self.random.below(1000) as f64) < 1000.0 * probability
    }

    fn line(&mut self, code: &str) {
        let is_directive = code.starts_with('#');
        self.text.push_str(&"    ".repeat(self.depth as usize));
        let mut in_literal = false;
        for word in code.split_inclusive(' ') {
            self.text.push_str(word);
            in_literal ^= word.matches('"').count() % 2 == 1;
            let can_widen = word.ends_with(' ') && !in_literal && !is_directive;
            if can_widen && self.happens(self.style.layout) {
                self.text.push_str(if self.language.has_braces() { "\n  " } else { "  " });
            }
        }
        if !is_directive && self.happens(self.style.comments) {
            let mark = if self.language.has_braces() { "//" } else { "#" };
            let _ = write!(self.text, " {mark} {}", spelled(self.random.below(1 << 16) as Name));
        }
        self.text.push('\n');
    }

    fn function(&mut self, function: &Function) {
        let kind = if self.language.has_braces() { "int " } else { "" };
        let parameters: Vec<String> =
            function.parameters.iter().map(|name| format!("{kind}{}", spelled(*name))).collect();
        let (name, parameters) = (spelled(function.name), parameters.join(", "));
        let head = match self.language {
            Language::Java => format!("public static int {name}({parameters})"),
            Language::C => format!("int {name}({parameters})"),
            Language::Python => format!("def {name}({parameters})"),
        };
        self.block(&head, &function.body);
        self.close();
        self.text.push('\n');
    }

    fn block(&mut self, head: &str, body: &[Statement]) {
        let open = if self.language.has_braces() { " {" } else { ":" };
        self.line(&format!("{head}{open}"));
        self.depth += 1;
        for statement in body {
            self.statement(statement);
        }
        self.depth -= 1;
    }

    fn close(&mut self) {
        if self.language.has_braces() {
            self.line("}");
        }
    }

    fn simple(&mut self, code: &str) {
        let end = if self.language.has_braces() { ";" } else { "" };
        self.line(&format!("{code}{end}"));
    }

    fn statement(&mut self, statement: &Statement) {
        let has_braces = self.language.has_braces();
        match statement {
            Statement::Declare(name, value) => {
                let kind = if has_braces { "int " } else { "" };
                self.simple(&format!("{kind}{} = {}", spelled(*name), value_of(value)));
            }
            Statement::Assign(name, value) => {
                self.simple(&format!("{} = {}", spelled(*name), value_of(value)));
            }
            Statement::If { condition, then, otherwise } => {
                self.block(&self.head("if", &value_of(condition)), then);
                if !otherwise.is_empty() {
                    self.block(if has_braces { "} else" } else { "else" }, otherwise);
                }
                self.close();
            }
            Statement::Loop { counter, limit, body, form } => {
                self.loop_of(&spelled(*counter), &value_of(limit), body, *form);
            }
            Statement::Choose { to, condition, yes, no, form } => {
                let (to, test) = (spelled(*to), value_of(condition));
                let (yes, no) = (value_of(yes), value_of(no));
                match (form, has_braces) {
                    (Form::Other, true) => self.simple(&format!("{to} = {test} ? {yes} : {no}")),
                    (Form::Other, false) => {
                        self.simple(&format!("{to} = {yes} if {test} else {no}"));
                    }
                    // Bodies of one statement are written by hand, since a block takes statements and these are text.
                    (Form::Long, _) => {
                        self.block(&self.head("if", &test), &[]);
                        self.indented(&format!("{to} = {yes}"));
                        self.block(if has_braces { "} else" } else { "else" }, &[]);
                        self.indented(&format!("{to} = {no}"));
                        self.close();
                    }
                }
            }
            Statement::Print(text, value) => {
                let (text, value) = (spelled(*text), value_of(value));
                self.simple(&match self.language {
                    Language::Java => format!("System.out.println(\"{text}: \" + {value})"),
                    Language::C => format!("printf(\"{text}: %d\\n\", {value})"),
                    Language::Python => format!("print(\"{text}:\", {value})"),
                });
            }
            Statement::Return(value) => self.simple(&format!("return {}", value_of(value))),
        }
    }

    fn head(&self, word: &str, condition: &str) -> String {
        if self.language.has_braces() {
            format!("{word} ({condition})")
        } else {
            format!("{word} {condition}")
        }
    }

    fn indented(&mut self, code: &str) {
        self.depth += 1;
        self.simple(code);
        self.depth -= 1;
    }

    fn loop_of(&mut self, counter: &str, limit: &str, body: &[Statement], form: Form) {
        match (form, self.language.has_braces()) {
            (Form::Long, true) => {
                self.block(
                    &format!("for (int {counter} = 0; {counter} < {limit}; {counter}++)"),
                    body,
                );
            }
            (Form::Long, false) => self.block(&format!("for {counter} in range({limit})"), body),
            (Form::Other, has_braces) => {
                let kind = if has_braces { "int " } else { "" };
                self.simple(&format!("{kind}{counter} = 0"));
                self.block(&self.head("while", &format!("{counter} < {limit}")), body);
                self.indented(&format!("{counter} += 1"));
            }
        }
        self.close();
    }
}

/// Returns the text of a value.
fn value_of(expression: &Expression) -> String {
    match expression {
        Expression::Name(name) => spelled(*name),
        Expression::Number(number) => number.to_string(),
        Expression::Binary(operator, left, right) => {
            let side = |side: &Expression| match side {
                Expression::Binary(..) => format!("({})", value_of(side)),
                _ => value_of(side),
            };
            format!("{} {operator} {}", side(left), side(right))
        }
        Expression::Call(function, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(value_of).collect();
            format!("{}({})", spelled(*function), arguments.join(", "))
        }
    }
}

/// Returns a word for each number, different for each of the first 2^16.
fn spelled(name: Name) -> String {
    const SYLLABLES: [&str; 16] = [
        "ba", "co", "du", "fe", "gi", "ho", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo",
        "zu",
    ];
    // Neighbouring numbers get words that differ in more than their ends.
    let mixed = (name & 0xffff).wrapping_mul(0x9e37) & 0xffff;
    (0..4).map(|i| SYLLABLES[(mixed >> (4 * i)) as usize & 15]).collect()
}
