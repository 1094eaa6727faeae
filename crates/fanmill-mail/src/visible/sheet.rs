//! The style sheets of a page, and what they and an element's own style declare about it.
//!
//! Of what several rules declare the strongest counts, as in browsers: what is `!important`, then an element's own
//! style, then ids before classes before names, then the later one. Rules of which it is not known whether they hold
//! ([`media`](super::media), [`selector`](super::selector)) are *doubtful*, and a page that has some is read without them, and
//! with them. Where they are left out, the colours that they would set are unknown, and hide nothing.
//!
//! Cost: O(n) in the sheets, of which [`MAX_RULES`] rules of [`MAX_DECLARATIONS`] declarations are kept. Rules are found by what
//! they ask of the innermost element. All elements of a page together may take [`MAX_STEPS`] steps; then the sheets are
//! read no further, which is counted.
//! Source: CSS Syntax Module Level 3, §5; CSS Cascading and Inheritance Level 4, §6.
//! Departs from it: rules inside of rules and layers have no rank of their own, and rules inside of rules are not read.

use std::collections::HashMap;
use std::rc::Rc;

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, RuleBodyParser, StyleSheetParser, Token,
};

use super::colour::Paint;
use super::media::{self, Holds};
use super::property::{self, N_PROPERTIES, Property, Value};
use super::selector::{Around, Names, Selector};
use super::variables::{self, Variables};

/// Rules of a page that are kept.
const MAX_RULES: usize = 20_000;
/// Declarations of a rule that are kept, of those that matter here.
const MAX_DECLARATIONS: usize = 128;
/// Steps that elements may take: a question to an element, or a declaration that is taken. A newsletter takes some 50,000.
const MAX_STEPS: u64 = 4_000_000;

/// What becomes of rules of which it is not known whether they hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InDoubt {
    Omitted,
    Followed,
}

/// The rules of a page.
#[derive(Debug)]
pub(super) struct Sheet {
    rules: Vec<Rule>,
    blocks: Vec<Block>,
    /// Rules by what they ask of the innermost element.
    by_key: HashMap<String, Vec<usize>>,
    steps_left: u64,
    /// Rules and declarations over the limits.
    n_cut: usize,
    has_doubtful: bool,
    in_doubt: InDoubt,
    /// Whether the rules that are being read hold, by what is around them.
    holds: Holds,
}

#[derive(Debug)]
struct Rule {
    selector: Selector,
    block: usize,
    holds: Holds,
}

/// What a rule or a style declares.
#[derive(Debug, Default)]
pub(super) struct Block {
    declarations: Vec<Declaration>,
    n_cut: usize,
}

#[derive(Debug)]
struct Declaration {
    what: What,
    is_important: bool,
}

#[derive(Debug)]
enum What {
    Known(Property, Value),
    /// What a name stands for.
    Name(Rc<str>, Rc<str>),
    /// A property whose value uses names.
    Named(Rc<str>, Rc<str>),
}

/// What is declared about an element in the end.
#[derive(Debug)]
pub(super) struct Style {
    values: [Option<Value>; N_PROPERTIES],
    /// The names that it sees.
    pub(super) variables: Variables,
}

impl Style {
    pub(super) fn new() -> Style {
        Style { values: [None; N_PROPERTIES], variables: Variables::default() }
    }

    /// What is declared of a property, if anything is.
    pub(super) fn get(&self, property: Property) -> Option<Value> {
        self.values[property as usize].filter(|value| *value != Value::Unset)
    }

    pub(super) fn set(&mut self, property: Property, value: Value) {
        self.values[property as usize] = Some(value);
    }
}

impl Block {
    /// Reads `property: value; …`.
    pub(super) fn parse(style: &str) -> Block {
        let mut block = Block::default();
        block.read(&mut Parser::new(style));
        block
    }

    fn read(&mut self, input: &mut Parser<'_>) {
        for _ in RuleBodyParser::new(input, self) {}
    }

    /// Adds a declaration; of several about the same the last one counts, or the last important one.
    fn declare(&mut self, name: &str, value: &str, is_important: bool) {
        let mut found = Vec::new();
        if name.starts_with("--") {
            found.push(What::Name(name.into(), value.trim().into()));
        } else if variables::has_names(value) {
            found.push(What::Named(name.to_ascii_lowercase().into(), value.into()));
        } else {
            let set = |property, value| found.push(What::Known(property, value));
            property::read(&name.to_ascii_lowercase(), value, set);
        }
        for what in found {
            let same = |old: &&mut Declaration| {
                old.is_important == is_important && old.what.is_about_same(&what)
            };
            // Among those with names the order matters, as one may be about several properties.
            if let Some(old) = self.declarations.iter_mut().find(same) {
                old.what = what;
            } else if self.declarations.len() < MAX_DECLARATIONS {
                self.declarations.push(Declaration { what, is_important });
            } else {
                self.n_cut += 1;
            }
        }
    }
}

impl What {
    fn is_about_same(&self, other: &What) -> bool {
        match (self, other) {
            (What::Known(a, _), What::Known(b, _)) => a == b,
            (What::Name(a, _), What::Name(b, _)) => a == b,
            _ => false,
        }
    }
}

impl Sheet {
    /// A sheet without rules.
    pub(super) fn new() -> Sheet {
        Sheet {
            rules: Vec::new(),
            blocks: Vec::new(),
            by_key: HashMap::new(),
            steps_left: MAX_STEPS,
            n_cut: 0,
            has_doubtful: false,
            in_doubt: InDoubt::Omitted,
            holds: Holds::Always,
        }
    }

    /// Reads a style sheet that is for some screens.
    pub(super) fn read(&mut self, text: &str, media: &str) {
        self.holds = media::of(&mut Parser::new(media));
        if self.holds != Holds::Never {
            let mut input = Parser::new(text);
            for _ in StyleSheetParser::new(&mut input, self) {}
        }
        self.holds = Holds::Always;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Whether there are rules of which it is not known whether they hold.
    pub(super) fn has_doubtful(&self) -> bool {
        self.has_doubtful
    }

    /// Rules and declarations that were left out, and whether elements took too many steps.
    pub(super) fn n_cut(&self) -> usize {
        self.n_cut + usize::from(self.steps_left == 0)
    }

    /// Prepares another reading of the page.
    pub(super) fn begin(&mut self, in_doubt: InDoubt) {
        self.in_doubt = in_doubt;
        self.steps_left = MAX_STEPS;
    }

    /// Adds to `style` what rules declare about an element, and what it declares itself.
    pub(super) fn apply(
        &mut self,
        own: &Names,
        around: &impl Around,
        inline: &Block,
        variables: &Variables,
        style: &mut Style,
    ) {
        self.n_cut += inline.n_cut;
        let found = self.rules_for(own, around);
        let steps_left = &mut self.steps_left;
        let mut blocks: Vec<(&Block, bool)> = Vec::with_capacity(found.len() + 1);
        for &rule in &found {
            let Rule { selector, block, .. } = &self.rules[rule];
            let is_omitted = selector.is_doubtful && self.in_doubt == InDoubt::Omitted;
            blocks.push((&self.blocks[*block], is_omitted));
        }
        blocks.push((inline, false));
        // In the order of their strength: the last one counts.
        let ordered = [false, true].into_iter().flat_map(|is_important| {
            blocks.iter().flat_map(move |&(block, is_omitted)| {
                let declarations = block.declarations.iter();
                declarations
                    .filter(move |declaration| declaration.is_important == is_important)
                    .map(move |declaration| (&declaration.what, is_omitted))
            })
        });
        let ordered: Vec<(&What, bool)> = ordered.collect();
        *steps_left = steps_left.saturating_sub(ordered.len() as u64);
        let mut names = HashMap::new();
        for (what, is_omitted) in &ordered {
            if let (What::Name(name, value), false) = (what, is_omitted) {
                names.insert(Rc::clone(name), Rc::clone(value));
            }
        }
        style.variables = variables.with(names);
        for (what, is_omitted) in ordered {
            what.apply(is_omitted, style, steps_left);
        }
    }

    /// The rules for an element, the weakest first.
    fn rules_for(&mut self, own: &Names, around: &impl Around) -> Vec<usize> {
        let mut found = Vec::new();
        if self.rules.is_empty() {
            return found;
        }
        for key in own.keys() {
            for &rule in self.by_key.get(&key).into_iter().flatten() {
                if self.steps_left == 0 {
                    break;
                }
                let Rule { selector, holds, .. } = &self.rules[rule];
                let is_omitted = *holds == Holds::Sometimes && self.in_doubt == InDoubt::Omitted;
                if !is_omitted && selector.fits(own, around, &mut self.steps_left) {
                    found.push(rule);
                }
            }
        }
        found.sort_unstable_by_key(|&rule| (self.rules[rule].selector.specificity, rule));
        found
    }

    fn add(&mut self, selectors: Vec<Selector>, block: Block) {
        self.n_cut += block.n_cut;
        if block.declarations.is_empty() {
            return;
        }
        let number = self.blocks.len();
        self.blocks.push(block);
        for selector in selectors {
            if selector.is_for_nothing {
                continue;
            }
            if selector.is_cut || self.rules.len() == MAX_RULES {
                self.n_cut += 1;
                continue;
            }
            self.has_doubtful |= selector.is_doubtful || self.holds == Holds::Sometimes;
            self.by_key.entry(selector.key()).or_default().push(self.rules.len());
            self.rules.push(Rule { selector, block: number, holds: self.holds });
        }
    }
}

impl What {
    /// Sets what is declared; of what is omitted only that the colours are not known.
    fn apply(&self, is_omitted: bool, style: &mut Style, steps_left: &mut u64) {
        let mut set = |property, value| {
            let is_colour =
                matches!(property, Property::Colour | Property::TextFill | Property::Ground);
            match is_omitted {
                false => style.set(property, value),
                true if is_colour => style.set(property, Value::Paint(Paint::Unknown)),
                true => {}
            }
        };
        match self {
            What::Known(property, value) => set(*property, *value),
            What::Name(..) => {}
            What::Named(property, value) => {
                let variables = style.variables.clone();
                match variables.replaced(value, steps_left) {
                    Some(value) => property::read(property, &value, |a, b| {
                        if !is_omitted {
                            style.set(a, b);
                        }
                    }),
                    // Such a value counts as none.
                    None => property::read(property, "unset", |a, b| style.set(a, b)),
                }
            }
        }
    }
}

type Parsed = Result<(), ParseError<()>>;

impl<'i> QualifiedRuleParser<'i> for Sheet {
    type Prelude = Vec<Selector>;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<Vec<Selector>, ParseError<()>> {
        let mut selectors = Vec::new();
        let mut n_cut = 0;
        let one = |input: &mut Parser<'i>| -> Result<(), ParseError<()>> {
            if selectors.len() == MAX_RULES {
                n_cut += 1;
                while input.next().is_ok() {}
                return Ok(());
            }
            // One that cannot be read makes the rule invalid, as in browsers.
            selectors.push(Selector::parse(input).ok_or_else(ParseError::unexpected_token)?);
            Ok(())
        };
        input.parse_comma_separated(one)?;
        self.n_cut += n_cut;
        Ok(selectors)
    }

    fn parse_block(
        &mut self,
        selectors: Vec<Selector>,
        _start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Parsed {
        let mut block = Block::default();
        block.read(input);
        self.add(selectors, block);
        Ok(())
    }
}

impl<'i> AtRuleParser<'i> for Sheet {
    /// Whether the rules inside hold.
    type Prelude = Holds;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
    ) -> Result<Holds, ParseError<()>> {
        let holds = match &*name.to_ascii_lowercase() {
            "media" => media::of(input),
            "layer" => Holds::Always,
            "supports" | "container" | "scope" | "starting-style" | "document"
            | "-moz-document" => Holds::Sometimes,
            _ => return Err(ParseError::unexpected_token()),
        };
        while input.next().is_ok() {}
        Ok(holds)
    }

    fn parse_block(
        &mut self,
        holds: Holds,
        _start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Parsed {
        let around = self.holds;
        self.holds = around.and(holds);
        if self.holds != Holds::Never {
            for _ in StyleSheetParser::new(input, self) {}
        }
        self.holds = around;
        Ok(())
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
    ) -> Parsed {
        let start = input.position();
        let mut important = None;
        while let Ok(token) = input.next() {
            if *token != Token::Delim('!') {
                continue;
            }
            let behind = input.position();
            if input.try_parse(|input| input.expect_ident_matching("important")).is_ok() {
                important = input.slice(start..behind).strip_suffix('!');
                break;
            }
        }
        let value = important.unwrap_or_else(|| input.slice_from(start));
        self.declare(&name, value, important.is_some());
        Ok(())
    }
}

impl AtRuleParser<'_> for Block {
    type Prelude = ();
    type AtRule = ();
    type Error = ();
}

impl QualifiedRuleParser<'_> for Block {
    type Prelude = ();
    type QualifiedRule = ();
    type Error = ();
}

impl RuleBodyItemParser<'_, (), ()> for Block {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        false
    }
}
