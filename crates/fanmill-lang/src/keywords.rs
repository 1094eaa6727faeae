//! Looking up keywords by the hash that a token's name needs anyway.

use fanmill::token::Symbol;

/// A word that means something to the lexer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keyword {
    /// As the table spells it.
    pub(crate) spelling: &'static str,
    /// Its token's symbol: a word that only introduces a literal or an import is an identifier.
    pub(crate) symbol: Symbol,
    /// Its lower-cased spelling, hashed: what it is found by.
    name: Symbol,
    /// Whether it may be the prefix of a literal: Python's `r`.
    pub(crate) is_prefix: bool,
    /// Whether it may introduce an import.
    pub(crate) is_import: bool,
}

/// A hash table of keywords with open addressing, a quarter full at most.
#[derive(Debug)]
pub(crate) struct Keywords {
    slots: Vec<Option<Keyword>>,
    is_case_ignored: bool,
}

impl Keywords {
    /// An empty table with room for `len` keywords.
    pub(crate) fn with_capacity(len: usize, is_case_ignored: bool) -> Keywords {
        Keywords { slots: vec![None; (4 * len + 1).next_power_of_two()], is_case_ignored }
    }

    /// The entry for `spelling`, made as an identifier if there is none.
    pub(crate) fn entry(&mut self, spelling: &'static str) -> &mut Keyword {
        let name = Symbol::spelled(spelling.to_ascii_lowercase().as_bytes());
        let slot = self.slot(name, spelling.as_bytes());
        self.slots[slot].get_or_insert(Keyword {
            spelling,
            symbol: Symbol::IDENTIFIER,
            name,
            is_prefix: false,
            is_import: false,
        })
    }

    /// The keyword spelled so, where `name` is the hash of the lower-cased spelling.
    #[inline]
    pub(crate) fn get(&self, name: Symbol, spelling: &[u8]) -> Option<&Keyword> {
        self.slots[self.slot(name, spelling)].as_ref()
    }

    /// Where the keyword is or would be.
    #[inline]
    fn slot(&self, name: Symbol, spelling: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = name.value() as usize & mask;
        while let Some(keyword) = &self.slots[slot] {
            let is_same = keyword.name == name
                && (self.is_case_ignored || keyword.spelling.as_bytes() == spelling);
            if is_same {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }
}
