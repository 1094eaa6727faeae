//! Edits that make a copy of a program look like somebody's own work.
//!
//! Programs are compared but never run: an edit keeps their syntax, and their behaviour where that is simple.

use std::collections::{BTreeMap, BTreeSet};

use fanmill_kernel::hash::mix::SplitMix;

use super::language::Style;
use super::program::{Expression, Form, Function, Name, Program, Statement};

/// A way to disguise a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disguise {
    Rename,
    Comments,
    Layout,
    Reorder,
    Swap,
    Loops,
    Ternaries,
    DeadCode,
    Literals,
    Split,
    Inline,
    Together,
}

impl Disguise {
    pub(crate) const ALL: [(Disguise, &str); 12] = [
        (Disguise::Rename, "names changed"),
        (Disguise::Comments, "comments added"),
        (Disguise::Layout, "layout changed"),
        (Disguise::Reorder, "functions reordered"),
        (Disguise::Swap, "statements swapped"),
        (Disguise::Loops, "for made while"),
        (Disguise::Ternaries, "if made ternary, and back"),
        (Disguise::DeadCode, "dead statements inserted"),
        (Disguise::Literals, "literals changed"),
        (Disguise::Split, "functions split"),
        (Disguise::Inline, "functions inlined"),
        (Disguise::Together, "all of these"),
    ];

    /// Returns the program with `strength`, a fraction in `0..=1`, of its places disguised, and the style to write it
    /// in.
    pub(crate) fn apply(self, program: &Program, strength: f64, seed: u64) -> (Program, Style) {
        let mut editor = Editor {
            random: SplitMix::new(seed),
            strength,
            program: program.clone(),
            style: Style { seed, ..Style::default() },
        };
        match self {
            Disguise::Together => {
                // Functions are taken apart before their statements are changed, and renamed last.
                for (disguise, _) in Disguise::ALL.iter().rev().skip(1) {
                    editor.edit(*disguise);
                }
            }
            single => editor.edit(single),
        }
        (editor.program, editor.style)
    }
}

struct Editor {
    random: SplitMix,
    strength: f64,
    program: Program,
    style: Style,
}

impl Editor {
    fn edit(&mut self, disguise: Disguise) {
        match disguise {
            Disguise::Comments => self.style.comments = self.strength,
            Disguise::Layout => self.style.layout = self.strength,
            Disguise::Rename => self.rename(),
            Disguise::Reorder => self.reorder(),
            Disguise::Split => self.split(),
            Disguise::Inline => self.inline(),
            Disguise::Swap => self.each_block(&mut |editor, block| editor.swap(block)),
            Disguise::DeadCode => self.each_block(&mut |editor, block| editor.add_dead(block)),
            Disguise::Loops | Disguise::Ternaries | Disguise::Literals => {
                self.each_block(&mut |editor, block| {
                    for statement in block {
                        editor.rewrite(disguise, statement);
                    }
                });
            }
            Disguise::Together => {}
        }
    }

    fn happens(&mut self) -> bool {
        (self.random.below(1000) as f64) < 1000.0 * self.strength
    }

    fn fresh(&mut self) -> Name {
        self.program.next_name += 1;
        self.program.next_name - 1
    }

    /// Calls `edit` on every block of statements, inner ones first.
    fn each_block(&mut self, edit: &mut dyn FnMut(&mut Editor, &mut Vec<Statement>)) {
        let mut functions = std::mem::take(&mut self.program.functions);
        for function in &mut functions {
            self.block(&mut function.body, edit);
        }
        self.program.functions = functions;
    }

    fn block(
        &mut self,
        block: &mut Vec<Statement>,
        edit: &mut dyn FnMut(&mut Editor, &mut Vec<Statement>),
    ) {
        for statement in block.iter_mut() {
            for inner in statement.blocks() {
                if !inner.is_empty() {
                    self.block(inner, edit);
                }
            }
        }
        edit(self, block);
    }

    fn rename(&mut self) {
        let names = 0..self.program.next_name;
        let renamed: Vec<Name> =
            names.map(|name| if self.happens() { self.fresh() } else { name }).collect();
        for function in &mut self.program.functions {
            function.rename(&|name| renamed.get(name as usize).copied().unwrap_or(name));
        }
    }

    fn reorder(&mut self) {
        let n = self.program.functions.len();
        for from in 0..n {
            if self.happens() {
                let to = self.random.below(n);
                let function = self.program.functions.remove(from);
                self.program.functions.insert(to, function);
            }
        }
    }

    /// Swaps neighbouring statements that have no name in common, or that only read the common names.
    fn swap(&mut self, block: &mut [Statement]) {
        for at in 1..block.len() {
            let (x, y) = (&block[at - 1], &block[at]);
            let is_fixed = |s: &Statement| matches!(s, Statement::Return(_) | Statement::Print(..));
            let is_free = x.written().is_disjoint(&y.names())
                && y.written().is_disjoint(&x.names())
                && !is_fixed(x)
                && !is_fixed(y);
            if is_free && self.happens() {
                block.swap(at - 1, at);
            }
        }
    }

    /// Inserts declarations of unused names, one for each statement at full strength.
    fn add_dead(&mut self, block: &mut Vec<Statement>) {
        for statement in std::mem::take(block) {
            let is_last = matches!(statement, Statement::Return(_));
            if is_last && self.happens() {
                block.push(self.dead());
            }
            block.push(statement);
            if !is_last && self.happens() {
                block.push(self.dead());
            }
        }
    }

    fn dead(&mut self) -> Statement {
        let value = Expression::Number(self.random.below(1000) as u32);
        Statement::Declare(self.fresh(), value)
    }

    fn rewrite(&mut self, disguise: Disguise, statement: &mut Statement) {
        match (disguise, statement) {
            (Disguise::Loops, Statement::Loop { form, .. })
            | (Disguise::Ternaries, Statement::Choose { form, .. })
                if self.happens() =>
            {
                *form = if *form == Form::Long { Form::Other } else { Form::Long };
            }
            (Disguise::Literals, statement) => {
                if let Statement::Print(text, _) = statement
                    && self.happens()
                {
                    *text += 12_345;
                }
                for value in statement.values() {
                    self.change_numbers(value);
                }
            }
            _ => {}
        }
    }

    fn change_numbers(&mut self, value: &mut Expression) {
        match value {
            Expression::Number(number) if self.happens() => *number += 1000,
            Expression::Binary(_, left, right) => {
                self.change_numbers(left);
                self.change_numbers(right);
            }
            Expression::Call(_, arguments) => {
                for argument in arguments {
                    self.change_numbers(argument);
                }
            }
            _ => {}
        }
    }

    /// Moves the second half of a function into a new function, which is called instead.
    fn split(&mut self) {
        for function in std::mem::take(&mut self.program.functions) {
            let mut head = function;
            if head.body.len() >= 4 && self.happens() {
                let body = head.body.split_off(head.body.len() / 2);
                let used: BTreeSet<Name> = body.iter().flat_map(Statement::names).collect();
                let known = head.body.iter().filter_map(Statement::declared);
                let known: BTreeSet<Name> = known.chain(head.parameters.iter().copied()).collect();
                let parameters: Vec<Name> = known.intersection(&used).copied().collect();
                let name = self.fresh();
                let arguments = parameters.iter().map(|&name| Expression::Name(name)).collect();
                head.body.push(Statement::Return(Expression::Call(name, arguments)));
                self.program.functions.push(Function { name, parameters, body });
            }
            self.program.functions.push(head);
        }
    }

    /// Replaces calls in declarations and assignments by the bodies of the called functions.
    fn inline(&mut self) {
        let functions = self.program.functions.clone();
        self.each_block(&mut |editor, block| {
            for statement in std::mem::take(block) {
                let called = match &statement {
                    Statement::Declare(_, value) | Statement::Assign(_, value) => value.call(),
                    _ => None,
                };
                let function =
                    called.and_then(|(name, _)| functions.iter().find(|f| f.name == name));
                match (called, function) {
                    (Some((_, arguments)), Some(function)) if editor.happens() => {
                        let function = editor.with_own_names(function);
                        // Arguments become declarations of the parameters, and the returned value becomes the value of
                        // the statement.
                        let given = function.parameters.iter().zip(arguments);
                        block.extend(
                            given.map(|(name, value)| Statement::Declare(*name, value.clone())),
                        );
                        let mut steps = function.body;
                        let Some(Statement::Return(value)) = steps.pop() else {
                            unreachable!("a function ends with a return")
                        };
                        block.append(&mut steps);
                        block.push(match statement {
                            Statement::Declare(to, _) => Statement::Declare(to, value),
                            Statement::Assign(to, _) => Statement::Assign(to, value),
                            other => other,
                        });
                    }
                    _ => block.push(statement),
                }
            }
        });
    }

    /// Returns the function with new names for its parameters and variables, so that it can be inserted into a body
    /// twice.
    fn with_own_names(&mut self, function: &Function) -> Function {
        let written = function.body.iter().flat_map(Statement::written);
        let own: BTreeSet<Name> = written.chain(function.parameters.iter().copied()).collect();
        let renamed: BTreeMap<Name, Name> =
            own.into_iter().map(|name| (name, self.fresh())).collect();
        let mut function = function.clone();
        function.rename(&|name| renamed.get(&name).copied().unwrap_or(name));
        function
    }
}

impl Function {
    fn rename(&mut self, renamed: &dyn Fn(Name) -> Name) {
        self.name = renamed(self.name);
        for name in &mut self.parameters {
            *name = renamed(*name);
        }
        for statement in &mut self.body {
            statement.rename(renamed);
        }
    }
}

impl Statement {
    /// Returns the blocks inside the statement.
    fn blocks(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::Loop { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// Returns the values that the statement computes itself.
    fn values(&mut self) -> Vec<&mut Expression> {
        match self {
            Statement::Declare(_, value)
            | Statement::Assign(_, value)
            | Statement::Print(_, value)
            | Statement::Return(value)
            | Statement::If { condition: value, .. }
            | Statement::Loop { limit: value, .. } => vec![value],
            Statement::Choose { condition, yes, no, .. } => vec![condition, yes, no],
        }
    }

    /// Returns the name to which the statement assigns a value.
    fn target(&mut self) -> Option<&mut Name> {
        match self {
            Statement::Declare(name, _)
            | Statement::Assign(name, _)
            | Statement::Choose { to: name, .. }
            | Statement::Loop { counter: name, .. } => Some(name),
            _ => None,
        }
    }

    fn rename(&mut self, renamed: &dyn Fn(Name) -> Name) {
        if let Some(name) = self.target() {
            *name = renamed(*name);
        }
        for value in self.values() {
            value.rename(renamed);
        }
        for statement in self.blocks().into_iter().flatten() {
            statement.rename(renamed);
        }
    }

    /// Returns all names in the statement.
    fn names(&self) -> BTreeSet<Name> {
        let found = std::cell::RefCell::new(BTreeSet::new());
        self.clone().rename(&|name| {
            found.borrow_mut().insert(name);
            name
        });
        found.into_inner()
    }

    /// Returns the names to which the statement, or a statement inside it, assigns a value.
    fn written(&self) -> BTreeSet<Name> {
        let mut copy = self.clone();
        let inner = copy.blocks().into_iter().flatten().flat_map(|inner| inner.written());
        let mut written: BTreeSet<Name> = inner.collect();
        written.extend(copy.target().map(|name| *name));
        written
    }

    /// Returns the name that the statement declares for the statements after it.
    fn declared(&self) -> Option<Name> {
        match self {
            Statement::Declare(name, _) => Some(*name),
            _ => None,
        }
    }
}

impl Expression {
    fn rename(&mut self, renamed: &dyn Fn(Name) -> Name) {
        match self {
            Expression::Name(name) => *name = renamed(*name),
            Expression::Number(_) => {}
            Expression::Binary(_, left, right) => {
                left.rename(renamed);
                right.rename(renamed);
            }
            Expression::Call(function, arguments) => {
                *function = renamed(*function);
                for argument in arguments {
                    argument.rename(renamed);
                }
            }
        }
    }

    fn call(&self) -> Option<(Name, &[Expression])> {
        match self {
            Expression::Call(function, arguments) => Some((*function, arguments)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disguise::language::Language;

    #[test]
    fn no_strength_changes_nothing_and_full_strength_something() {
        let program = Program::new(7);
        for (disguise, name) in Disguise::ALL {
            for language in Language::ALL {
                let text = |strength| {
                    let (program, style) = disguise.apply(&program, strength, 1);
                    language.write(&program, style)
                };
                assert_eq!(text(0.0), language.write(&program, Style::default()), "{name}");
                assert_ne!(text(1.0), text(0.0), "{name}");
                assert_eq!(text(0.5), text(0.5), "{name}");
            }
        }
    }

    #[test]
    fn a_dead_statement_stands_beside_every_statement() {
        fn count(block: &mut [Statement]) -> usize {
            block
                .iter_mut()
                .map(|statement| {
                    1 + statement.blocks().into_iter().map(|b| count(b)).sum::<usize>()
                })
                .sum()
        }
        let total = |mut program: Program| -> usize {
            program.functions.iter_mut().map(|function| count(&mut function.body)).sum()
        };
        let program = Program::new(3);
        let (copy, _) = Disguise::DeadCode.apply(&program, 1.0, 3);
        assert_eq!(total(copy), 2 * total(program));
    }

    #[test]
    fn no_body_declares_a_name_twice() {
        for seed in 0..20 {
            for (disguise, name) in Disguise::ALL {
                let (copy, _) = disguise.apply(&Program::new(seed), 1.0, seed);
                for function in &copy.functions {
                    let declared = function.body.iter().filter_map(Statement::declared);
                    let all: Vec<Name> =
                        declared.chain(function.parameters.iter().copied()).collect();
                    let distinct: BTreeSet<&Name> = all.iter().collect();
                    assert_eq!(distinct.len(), all.len(), "{name}, seed {seed}");
                }
            }
        }
    }
}
