//! Numbers for symbols, so that a token that stays in memory takes 4 bytes.
//!
//! A batch has far fewer than 2^32 different symbols. Numbers are given out in order of arrival, so they differ from
//! run to run. They may only be compared for equality: two numbers are equal exactly if their symbols are.
//!
//! Cost: one look-up per token.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{PoisonError, RwLock};

use crate::token::Symbol;

/// The symbols seen so far, each with its number.
#[derive(Debug, Default)]
pub struct Dictionary {
    numbers: RwLock<HashMap<u64, u32, BuildHasherDefault<IdentityHasher>>>,
}

/// The number of a symbol in one dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, bytemuck::NoUninit)]
#[repr(transparent)]
pub struct Number(u32);

impl Number {
    /// The number of [`Symbol::BREAK`].
    pub const BREAK: Number = Number(0);

    /// Returns whether the symbol is a class, which has many spellings, or a break.
    pub fn is_class(self) -> bool {
        u64::from(self.0) < Symbol::FIRST_SPELLED
    }
}

impl Dictionary {
    /// Returns the numbers of `symbols`, one for each.
    ///
    /// # Panics
    /// If there are 2^32 different symbols.
    pub fn numbers(&self, symbols: &[Symbol]) -> Vec<Number> {
        let mut numbers = Vec::with_capacity(symbols.len());
        let mut unknown = Vec::new();
        let known = self.numbers.read().unwrap_or_else(PoisonError::into_inner);
        for (at, symbol) in symbols.iter().enumerate() {
            // Classes are their own numbers.
            let class = symbol.is_class().then(|| symbol.value() as u32);
            let number = class.or_else(|| known.get(&symbol.value()).copied());
            if number.is_none() {
                unknown.push(at);
            }
            numbers.push(Number(number.unwrap_or_default()));
        }
        drop(known);
        if !unknown.is_empty() {
            let mut known = self.numbers.write().unwrap_or_else(PoisonError::into_inner);
            for at in unknown {
                let next = known.len() + Symbol::FIRST_SPELLED as usize;
                let next = u32::try_from(next).expect("a batch has fewer than 2^32 words");
                numbers[at] = Number(*known.entry(symbols[at].value()).or_insert(next));
            }
        }
        numbers
    }
}

/// Hashes a symbol by its value, which is a hash already.
#[derive(Debug, Default, Clone, Copy)]
pub struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_equal_where_symbols_are() {
        let dictionary = Dictionary::default();
        let symbols = |text: &str| -> Vec<Symbol> {
            let spelled = text.bytes().map(|byte| match byte {
                b'|' => Symbol::BREAK,
                b'x' => Symbol::IDENTIFIER,
                byte => Symbol::spelled(&[byte]),
            });
            spelled.collect()
        };
        let texts = ["abxab|c", "", "cx|zzy"].map(symbols);
        let numbered = texts.clone().map(|text| dictionary.numbers(&text));
        let all: Vec<_> = texts.iter().flatten().zip(numbered.iter().flatten()).collect();
        for (x, number_x) in &all {
            for (y, number_y) in &all {
                assert_eq!(x == y, number_x == number_y);
            }
            assert_eq!(**x == Symbol::BREAK, **number_x == Number::BREAK);
            assert_eq!(x.is_class(), number_x.is_class());
        }
    }
}
