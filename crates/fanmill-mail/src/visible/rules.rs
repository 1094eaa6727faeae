//! The rules of a page's style sheets, and the declarations that apply to an element.
//!
//! As in browsers, the strongest of several declarations counts: first `!important` ones, then the style attribute,
//! then ids before classes before names, then the later rule. Rules are *doubtful* if we do not know whether they
//! apply: because of their conditions ([`media`](super::media)) or their [selectors](super::selector), because they are
//! in a layer or inside another rule, or because they are in a style sheet that only some programs read. A page with
//! such rules is read without them and with them. Where they are left out, the colours that they would set are unknown,
//! and hide nothing.
//!
//! Cost: O(n) in the style sheets; at most [`MAX_RULES`] rules are kept. Rules are found by what they require of the
//! innermost element. All elements of a page together may take [`MAX_STEPS`] steps; after that no rule applies, which
//! is counted.
//! Source: CSS Syntax Module Level 3, §5; CSS Cascading and Inheritance Level 4, §6; CSS Nesting Level 1.
//! Departs from it: layers have no rank of their own. Among linked or imported style sheets, only those in `data:`
//! addresses are read.

use std::collections::HashMap;
use std::rc::Rc;

use cssparser::{
    AtRuleParser, CowRcStr, ParseError, Parser, ParserState, QualifiedRuleParser, StyleSheetParser,
};
use data_url::DataUrl;

use super::block::{Block, DeclarationKind};
use super::media::{self, Applicability};
use super::names::{Ancestors, SelectableElement};
use super::property::Mode;
use super::selector::{Doubt, Selector, SelectorTarget};
use super::style::Style;
use super::variables::Variables;

/// Maximum number of rules kept for a page.
const MAX_RULES: usize = 20_000;
/// Maximum number of steps of all elements: a step is a rule that is looked at, a test of an element, or a declaration
/// that applies. A newsletter takes some 50,000.
const MAX_STEPS: u64 = 4_000_000;
/// Maximum total [size](Selector::size) of the selectors of nested rules, each with all selectors around it.
const MAX_NESTED: usize = 200_000;
/// Maximum number of style sheets read from addresses.
const MAX_IMPORTS: usize = 64;

/// Treatment of rules when we do not know whether they apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DoubtfulRules {
    Omitted,
    Followed,
}

/// The rules of a page.
#[derive(Debug)]
pub(super) struct Rules {
    kept: Vec<Rule>,
    blocks: Vec<Block>,
    /// Indices of rules by what they require of the innermost element.
    by_key: HashMap<String, Vec<usize>>,
    steps_left: u64,
    /// Size that is left for selectors of nested rules.
    nested_left: usize,
    /// Number of rules and declarations over the limits.
    n_cut: usize,
    has_doubtful: bool,
    in_doubt: DoubtfulRules,
    /// Cases in which the rules that are being read apply, according to the conditions around them.
    holds: Applicability,
    mode: Mode,
    /// Style sheets from addresses that still have to be read.
    imports: Vec<String>,
    n_imports: usize,
}

#[derive(Debug)]
struct Rule {
    selector: Selector,
    block: usize,
    holds: Applicability,
}

impl Rules {
    /// Creates an empty set of rules.
    pub(super) fn new(mode: Mode) -> Rules {
        Rules {
            kept: Vec::new(),
            blocks: Vec::new(),
            by_key: HashMap::new(),
            steps_left: MAX_STEPS,
            nested_left: MAX_NESTED,
            n_cut: 0,
            has_doubtful: false,
            in_doubt: DoubtfulRules::Omitted,
            holds: Applicability::Always,
            mode,
            imports: Vec::new(),
            n_imports: 0,
        }
    }

    /// Reads a style sheet that is, or may be, in force.
    pub(super) fn read(&mut self, text: &str, holds: Applicability) {
        self.holds = holds;
        self.read_rules(&mut Parser::new(text));
        while let Some(text) = self.imports.pop() {
            self.holds = Applicability::Sometimes;
            self.read_rules(&mut Parser::new(&text));
        }
    }

    /// Stores the style sheet that an address contains, if it contains one.
    pub(super) fn import(&mut self, address: &str) {
        if self.n_imports == MAX_IMPORTS {
            self.n_cut += 1;
        } else if let Some(text) = in_address(address) {
            self.n_imports += 1;
            self.imports.push(text);
        }
    }

    fn read_rules(&mut self, input: &mut Parser<'_>) {
        if self.holds != Applicability::Never {
            for _ in StyleSheetParser::new(input, self) {}
        }
    }

    /// Returns the mode in which the page is read.
    pub(super) fn mode(&self) -> Mode {
        self.mode
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns whether there are doubtful rules.
    pub(super) fn has_doubtful(&self) -> bool {
        self.has_doubtful
    }

    /// Returns the number of rules and declarations that were left out.
    pub(super) fn n_cut(&self) -> usize {
        self.n_cut
    }

    /// Returns whether the elements of this reading used up all their steps.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps_left == 0
    }

    /// Prepares another reading of the page.
    pub(super) fn begin(&mut self, in_doubt: DoubtfulRules) {
        self.in_doubt = in_doubt;
        self.steps_left = MAX_STEPS;
    }

    /// Adds the declarations of rules and of the style attribute for an element to `style`.
    pub(super) fn apply(
        &mut self,
        own: &SelectableElement,
        around: &impl Ancestors,
        inline: &Block,
        variables: &Variables,
        style: &mut Style,
    ) {
        self.n_cut += inline.n_cut;
        let found = self.rules_for(own, around);
        let steps_left = &mut self.steps_left;
        let mut blocks: Vec<(&Block, bool)> = Vec::with_capacity(found.len() + 1);
        for &rule in &found {
            let Rule { selector, block, .. } = &self.kept[rule];
            let is_omitted =
                selector.doubt > Doubt::None && self.in_doubt == DoubtfulRules::Omitted;
            let block = &self.blocks[*block];
            if selector.is_for == SelectorTarget::Beside {
                let n_steps = block.written.len() * (1 + own.n_attributes() / 16);
                *steps_left = steps_left.saturating_sub(n_steps as u64);
                style.written.extend(block.written.iter().cloned());
            } else {
                blocks.push((block, is_omitted));
            }
        }
        blocks.push((inline, false));
        // The weakest come first, since the last one counts.
        let ordered = [false, true].into_iter().flat_map(|is_important| {
            blocks.iter().flat_map(move |&(block, is_omitted)| {
                let declarations = block.declarations.iter();
                declarations
                    .filter(move |declaration| declaration.is_important == is_important)
                    .map(move |declaration| (&declaration.what, is_omitted))
            })
        });
        let ordered: Vec<(&DeclarationKind, bool)> = ordered.collect();
        *steps_left = steps_left.saturating_sub(ordered.len() as u64);
        let mut names = HashMap::new();
        for (what, is_omitted) in &ordered {
            if let (DeclarationKind::Name(name, value), false) = (what, is_omitted) {
                names.insert(Rc::clone(name), Rc::clone(value));
            }
        }
        style.variables = variables.with(names);
        for (what, is_omitted) in ordered {
            what.apply(is_omitted, self.mode, style, steps_left);
        }
    }

    /// Returns the rules for an element, the weakest first.
    fn rules_for(&mut self, own: &SelectableElement, around: &impl Ancestors) -> Vec<usize> {
        let mut found = Vec::new();
        if self.kept.is_empty() {
            return found;
        }
        for key in own.keys() {
            for &rule in self.by_key.get(&key).into_iter().flatten() {
                if self.steps_left == 0 {
                    break;
                }
                self.steps_left -= 1;
                let Rule { selector, holds, .. } = &self.kept[rule];
                let is_omitted =
                    *holds == Applicability::Sometimes && self.in_doubt == DoubtfulRules::Omitted;
                if !is_omitted && selector.fits(own, around, &mut self.steps_left) {
                    found.push(rule);
                }
            }
        }
        found.sort_unstable_by_key(|&rule| (self.kept[rule].selector.specificity, rule));
        found
    }

    fn add(&mut self, selectors: &[Selector], mut block: Block) {
        self.n_cut += block.n_cut;
        // Nested rules become rules of their own.
        for (inner, nested) in std::mem::take(&mut block.nested) {
            let whole = self.whole(&inner, selectors);
            self.add(&whole, nested);
        }
        let is_for_elements = !block.declarations.is_empty();
        let is_written = !block.written.is_empty();
        let (number, n_rules) = (self.blocks.len(), self.kept.len());
        for selector in selectors {
            let has_use = match selector.is_for {
                SelectorTarget::Elements => is_for_elements,
                SelectorTarget::Beside => is_written,
                SelectorTarget::Nothing => false,
            };
            if !has_use {
                continue;
            }
            if selector.is_cut || self.kept.len() == MAX_RULES {
                self.n_cut += 1;
                continue;
            }
            self.has_doubtful |=
                selector.doubt > Doubt::None || self.holds == Applicability::Sometimes;
            self.by_key.entry(selector.key()).or_default().push(self.kept.len());
            self.kept.push(Rule { selector: selector.clone(), block: number, holds: self.holds });
        }
        if self.kept.len() > n_rules {
            self.blocks.push(block);
        }
    }

    /// Combines the selectors of a nested rule with those of the rule around it, as far as their limit allows.
    fn whole(&mut self, inner: &[Selector], outer: &[Selector]) -> Vec<Selector> {
        let mut whole = Vec::new();
        for (inner, outer) in inner.iter().flat_map(|one| outer.iter().map(move |two| (one, two))) {
            let size = 1 + inner.size + outer.size;
            if size > self.nested_left {
                break;
            }
            self.nested_left -= size;
            whole.push(inner.inside(outer));
        }
        let n_all = inner.len().saturating_mul(outer.len());
        self.n_cut = self.n_cut.saturating_add(n_all - whole.len());
        whole
    }
}

type Parsed = Result<(), ParseError<()>>;

impl<'i> QualifiedRuleParser<'i> for Rules {
    type Prelude = Vec<Selector>;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<Vec<Selector>, ParseError<()>> {
        let found = Selector::list(input, MAX_RULES, Selector::parse);
        let (selectors, n_cut) = found.ok_or_else(ParseError::unexpected_token)?;
        self.n_cut += n_cut;
        Ok(in_doubt_together(selectors))
    }

    fn parse_block(
        &mut self,
        selectors: Vec<Selector>,
        _start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Parsed {
        let block = Block::read(self.mode, input);
        self.add(&selectors, block);
        Ok(())
    }
}

/// Makes all selectors of a rule doubtful if one is unknown: browsers ignore a rule if they do not know one of its
/// selectors, and we do not know which ones they know.
fn in_doubt_together(mut selectors: Vec<Selector>) -> Vec<Selector> {
    if selectors.iter().any(|selector| selector.doubt == Doubt::Unknown) {
        for selector in &mut selectors {
            selector.doubt = Doubt::Unknown;
        }
    }
    selectors
}

impl<'i> AtRuleParser<'i> for Rules {
    /// Cases in which the rules inside apply.
    type Prelude = Applicability;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
    ) -> Result<Applicability, ParseError<()>> {
        let holds = match &*name.to_ascii_lowercase() {
            "media" => media::applicability(input),
            "layer" | "supports" | "container" | "scope" | "starting-style" | "document"
            | "-moz-document" => Applicability::Sometimes,
            "import" => {
                let address = input.expect_url_or_string()?;
                self.import(&address);
                Applicability::Never
            }
            // The rules after it may be for elements of another namespace.
            "namespace" => {
                self.holds = self.holds.and(Applicability::Sometimes);
                Applicability::Never
            }
            _ => return Err(ParseError::unexpected_token()),
        };
        while input.next().is_ok() {}
        Ok(holds)
    }

    fn parse_block(
        &mut self,
        holds: Applicability,
        _start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Parsed {
        let around = self.holds;
        self.holds = around.and(holds);
        self.read_rules(input);
        self.holds = around;
        Ok(())
    }

    fn rule_without_block(
        &mut self,
        _holds: Applicability,
        _start: &ParserState,
    ) -> Result<(), ()> {
        Ok(())
    }
}

/// Returns the style sheet that an address contains.
fn in_address(address: &str) -> Option<String> {
    let data = DataUrl::process(address.trim()).ok()?;
    let (bytes, _) = data.decode_to_vec().ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
