//! Declarations of a rule, or of the style attribute of an element.
//!
//! Rules inside a rule ([`Block::nested`]) are kept with it until [`rules`](super::rules) takes them.
//!
//! Cost: O(n) in the bytes; at most [`MAX_DECLARATIONS`] declarations of a rule are kept.
//! Source: CSS Syntax Module Level 3, §5; CSS Nesting Level 1.

use std::rc::Rc;

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, RuleBodyParser, Token,
};

use super::colour::Paint;
use super::nested::nested;
use super::property::{self, Mode, Property, Value};
use super::selector::Selector;
use super::style::{Piece, Style};
use super::variables;

/// Maximum number of declarations kept for a rule, counting only those that matter here.
const MAX_DECLARATIONS: usize = 128;
/// Maximum number of levels of nested rules that are read.
const MAX_NESTED: usize = 4;
/// Maximum number of rules inside a rule, and of their selectors, that are kept.
const MAX_INNER: usize = 20_000;
/// Maximum number of generated texts kept for a rule.
const MAX_WRITTEN: usize = 16;

/// The declarations of a rule or a style attribute.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) declarations: Vec<Declaration>,
    /// The rules inside it.
    pub(super) nested: Vec<(Vec<Selector>, Block)>,
    /// Texts generated before or after an element.
    pub(super) written: Vec<Rc<Piece>>,
    depth: usize,
    /// Number of rules and selectors inside it that may still be kept.
    inner_left: usize,
    pub(super) n_cut: usize,
    mode: Mode,
}

#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) what: DeclarationKind,
    pub(super) is_important: bool,
}

#[derive(Debug)]
pub(super) enum DeclarationKind {
    Known(Property, Value),
    /// A custom property and its value.
    Name(Rc<str>, Rc<str>),
    /// A property whose value uses custom properties.
    Named(Rc<str>, Rc<str>),
}

/// Reads a value of `content`. Returns the pieces that are kept, and the number of pieces that are not.
fn pieces(value: &str) -> (Vec<Rc<Piece>>, usize) {
    let mut input = Parser::new(value);
    let (mut pieces, mut n_cut) = (Vec::new(), 0);
    while let Ok(token) = input.next().cloned() {
        let piece = match token {
            Token::QuotedString(text) if !text.trim().is_empty() => Piece::Text(text.to_string()),
            Token::Function(name) if name.eq_ignore_ascii_case("attr") => {
                let name = nested(&mut input, |input| {
                    Some(input.expect_ident().ok()?.to_ascii_lowercase())
                });
                let Some(name) = name else { continue };
                Piece::Attribute(name)
            }
            _ => continue,
        };
        if pieces.len() < MAX_WRITTEN {
            pieces.push(Rc::new(piece));
        } else {
            n_cut += 1;
        }
    }
    (pieces, n_cut)
}

impl Block {
    fn new(mode: Mode, depth: usize) -> Block {
        let (declarations, nested, written) = (Vec::new(), Vec::new(), Vec::new());
        Block { declarations, nested, written, depth, inner_left: MAX_INNER, n_cut: 0, mode }
    }

    /// Returns the block of an element without a style attribute.
    pub(super) fn empty() -> Block {
        Block::new(Mode::Quirks, 0)
    }

    /// Reads `property: value; …`.
    pub(super) fn parse(style: &str, mode: Mode) -> Block {
        Block::read(mode, &mut Parser::new(style))
    }

    /// Reads the body of a rule.
    pub(super) fn read(mode: Mode, input: &mut Parser<'_>) -> Block {
        let mut block = Block::new(mode, 0);
        block.read_body(input);
        block
    }

    fn read_body(&mut self, input: &mut Parser<'_>) {
        for _ in RuleBodyParser::new(input, self) {}
    }

    /// Reads the body of a rule inside this one.
    fn read_nested(&mut self, selectors: Vec<Selector>, input: &mut Parser<'_>) {
        let n_kept = 1 + selectors.len();
        if self.depth == MAX_NESTED || self.inner_left < n_kept {
            self.n_cut += 1;
            return;
        }
        let mut inner = Block::new(self.mode, self.depth + 1);
        inner.inner_left = self.inner_left - n_kept;
        inner.read_body(input);
        self.inner_left = inner.inner_left;
        self.nested.push((selectors, inner));
    }

    /// Adds a declaration. Among several for the same property the last one counts, or the last important one.
    fn declare(&mut self, name: &str, value: &str, is_important: bool) {
        if name.eq_ignore_ascii_case("content") {
            let (written, n_cut) = pieces(value);
            self.written = written;
            self.n_cut += n_cut;
        } else if name.starts_with("--") {
            self.push(DeclarationKind::Name(name.into(), value.trim().into()), is_important);
        } else if variables::has_names(value) {
            let name = name.to_ascii_lowercase();
            self.push(DeclarationKind::Named(name.into(), value.into()), is_important);
        } else {
            for (property, value) in property::read(&name.to_ascii_lowercase(), value, self.mode) {
                self.push(DeclarationKind::Known(property, value), is_important);
            }
        }
    }

    fn push(&mut self, what: DeclarationKind, is_important: bool) {
        let same =
            |old: &Declaration| old.is_important == is_important && old.what.is_about_same(&what);
        // Move it to the end, since a declaration in between, for `all` or with custom properties, may affect it, too.
        if let Some(old) = self.declarations.iter().position(same) {
            self.declarations.remove(old);
        }
        if self.declarations.len() < MAX_DECLARATIONS {
            self.declarations.push(Declaration { what, is_important });
        } else {
            self.n_cut += 1;
        }
    }
}

impl DeclarationKind {
    fn is_about_same(&self, other: &DeclarationKind) -> bool {
        match (self, other) {
            (DeclarationKind::Known(a, _), DeclarationKind::Known(b, _)) => a == b,
            (DeclarationKind::Name(a, _), DeclarationKind::Name(b, _)) => a == b,
            _ => false,
        }
    }
}

impl DeclarationKind {
    /// Applies a declaration. If it is omitted, it only makes the colour that it would set unknown.
    pub(super) fn apply(
        &self,
        is_omitted: bool,
        mode: Mode,
        style: &mut Style,
        steps_left: &mut u64,
    ) {
        let set = |style: &mut Style, property, value| {
            let is_colour =
                matches!(property, Property::Colour | Property::TextFill | Property::Background);
            match is_omitted {
                false => style.set(property, value),
                true if is_colour => style.set(property, Value::Paint(Paint::Unknown)),
                true => {}
            }
        };
        match self {
            DeclarationKind::Known(property, value) => set(style, *property, *value),
            DeclarationKind::Name(..) => {}
            DeclarationKind::Named(property, value) => {
                let value = style.variables.replaced(value, steps_left);
                let found = value.map(|value| property::read(property, &value, mode));
                // A value that is invalid for its property counts as `unset`.
                let found = found.filter(|found| !found.is_empty());
                let found = found.unwrap_or_else(|| property::read(property, "unset", mode));
                for (property, value) in found {
                    set(style, property, value);
                }
            }
        }
    }
}

impl<'i> DeclarationParser<'i> for Block {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _start: &ParserState,
    ) -> Result<(), ParseError<()>> {
        let start = input.position();
        let mut important = None;
        while let Ok(token) = input.next() {
            if *token != Token::Delim('!') {
                continue;
            }
            let behind = input.position();
            // Anything but `!important` after a value makes it invalid.
            input.expect_ident_matching("important")?;
            important = input.slice(start..behind).strip_suffix('!');
            input.expect_exhausted()?;
        }
        let value = important.unwrap_or_else(|| input.slice_from(start));
        self.declare(&name, value, important.is_some());
        Ok(())
    }
}

impl<'i> AtRuleParser<'i> for Block {
    type Prelude = ();
    type AtRule = ();
    type Error = ();

    fn parse_prelude(
        &mut self,
        _name: CowRcStr<'i>,
        input: &mut Parser<'i>,
    ) -> Result<(), ParseError<()>> {
        while input.next().is_ok() {}
        Ok(())
    }

    /// Reads a conditional block inside a rule. Its declarations are doubtful in any case, so the condition is not
    /// evaluated.
    fn parse_block(
        &mut self,
        (): (),
        _start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), ParseError<()>> {
        self.read_nested(vec![Selector::same()], input);
        Ok(())
    }
}

impl<'i> QualifiedRuleParser<'i> for Block {
    type Prelude = Vec<Selector>;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<Vec<Selector>, ParseError<()>> {
        let found = Selector::list(input, self.inner_left, Selector::parse_nested);
        let (selectors, n_cut) = found.ok_or_else(ParseError::unexpected_token)?;
        self.n_cut += n_cut;
        Ok(selectors)
    }

    fn parse_block(
        &mut self,
        selectors: Vec<Selector>,
        _start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), ParseError<()>> {
        self.read_nested(selectors, input);
        Ok(())
    }
}

impl RuleBodyItemParser<'_, (), ()> for Block {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}
