//! Small programs made from a seed, as trees: calculations in loops, choices and calls, as in exercises.

use fanmill_kernel::hash::mix::SplitMix;

/// The number of a variable, a parameter or a function; a language spells it.
pub(crate) type Name = u32;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    Name(Name),
    Number(u32),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    Call(Name, Vec<Expression>),
}

/// The form of a loop or a choice; both forms have the same effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A `for`; an `if` with two assignments.
    Long,
    /// A `while` that counts; a ternary.
    Other,
}

/// A step of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Statement {
    Declare(Name, Expression),
    Assign(Name, Expression),
    If {
        condition: Expression,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// A loop that counts from 0 up to a limit.
    Loop {
        counter: Name,
        limit: Expression,
        body: Vec<Statement>,
        form: Form,
    },
    Choose {
        to: Name,
        condition: Expression,
        yes: Expression,
        no: Expression,
        form: Form,
    },
    Print(u32, Expression),
    Return(Expression),
}

/// A function of integers, whose last statement returns a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Name>,
    pub(crate) body: Vec<Statement>,
}

/// A list of functions; each calls only functions before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) functions: Vec<Function>,
    /// The next unused number.
    pub(crate) next_name: Name,
}

/// Number of functions in a program.
const FUNCTIONS: usize = 7;

impl Program {
    /// Creates the program of this seed.
    pub(crate) fn new(seed: u64) -> Program {
        let mut maker = Maker { random: SplitMix::new(seed), next_name: 0, made: Vec::new() };
        let functions = (0..FUNCTIONS).map(|_| maker.function()).collect();
        Program { functions, next_name: maker.next_name }
    }
}

struct Maker {
    random: SplitMix,
    next_name: Name,
    /// The functions so far, each with its number of parameters.
    made: Vec<(Name, usize)>,
}

impl Maker {
    fn fresh(&mut self) -> Name {
        self.next_name += 1;
        self.next_name - 1
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn function(&mut self) -> Function {
        let name = self.fresh();
        let parameters: Vec<Name> = (0..=self.below(3)).map(|_| self.fresh()).collect();
        let mut known = parameters.clone();
        let n_statements = 4 + self.below(5);
        let mut body = self.statements(n_statements, &mut known, 2);
        let value = self.expression(&known, 1);
        body.push(Statement::Return(value));
        self.made.push((name, parameters.len()));
        Function { name, parameters, body }
    }

    /// Returns statements over known variables; the variables that they declare are known afterwards.
    fn statements(&mut self, n: usize, known: &mut Vec<Name>, depth: u32) -> Vec<Statement> {
        (0..n).map(|_| self.statement(known, depth)).collect()
    }

    fn block(&mut self, known: &[Name], depth: u32) -> Vec<Statement> {
        let n = 1 + self.below(3);
        self.statements(n, &mut known.to_vec(), depth - 1)
    }

    fn statement(&mut self, known: &mut Vec<Name>, depth: u32) -> Statement {
        // Only the kinds from 5 on contain blocks, so depth 0 ends the nesting.
        let kinds = if depth == 0 { 5 } else { 9 };
        match self.below(kinds) {
            0 | 1 => {
                let value = self.expression(known, 2);
                known.push(self.fresh());
                Statement::Declare(self.next_name - 1, value)
            }
            2 => Statement::Assign(self.one_of(known), self.expression(known, 2)),
            3 => Statement::Print(self.next_name, self.expression(known, 0)),
            4 => {
                let (condition, to) = (self.condition(known), self.one_of(known));
                let (yes, no) = (self.expression(known, 1), self.expression(known, 1));
                let form = self.one_of(&[Form::Long, Form::Other]);
                Statement::Choose { to, condition, yes, no, form }
            }
            5 | 6 => {
                let (condition, then) = (self.condition(known), self.block(known, depth));
                let has_other = self.below(2) == 0;
                let otherwise = if has_other { self.block(known, depth) } else { Vec::new() };
                Statement::If { condition, then, otherwise }
            }
            _ => {
                let (counter, limit) = (self.fresh(), self.expression(known, 1));
                let inside: Vec<Name> = known.iter().copied().chain([counter]).collect();
                let body = self.block(&inside, depth);
                Statement::Loop { counter, limit, body, form: Form::Long }
            }
        }
    }

    fn condition(&mut self, known: &[Name]) -> Expression {
        let operator = self.one_of(&["<", ">", "<=", ">=", "==", "!="]);
        let (left, right) = (self.expression(known, 1), self.expression(known, 0));
        Expression::Binary(operator, Box::new(left), Box::new(right))
    }

    fn expression(&mut self, known: &[Name], depth: u32) -> Expression {
        match self.below(if depth == 0 { 3 } else { 8 }) {
            0 | 1 => Expression::Name(self.one_of(known)),
            2 => Expression::Number(self.below(100) as u32),
            3 if !self.made.is_empty() => {
                let at = self.below(self.made.len());
                let (function, n) = self.made[at];
                Expression::Call(function, (0..n).map(|_| self.expression(known, 0)).collect())
            }
            _ => {
                let operator = self.one_of(&["+", "-", "*", "%"]);
                let (left, right) = (self.expression(known, depth - 1), self.expression(known, 0));
                Expression::Binary(operator, Box::new(left), Box::new(right))
            }
        }
    }
}
