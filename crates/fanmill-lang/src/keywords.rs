//! A hash table of keywords, looked up by the hash that a token's name needs anyway.

use fanmill_text::token::Symbol;

/// A word with a meaning for the lexer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keyword {
    /// Its spelling in the language table.
    pub(crate) spelling: &'static str,
    /// True if the spelling is in lower case.
    is_lower: bool,
    /// The symbol of its token; a word that only introduces literals or imports is an identifier.
    pub(crate) symbol: Symbol,
    /// True if it may be the prefix of a literal: Python's `r`.
    pub(crate) is_prefix: bool,
    /// True if it may introduce an import.
    pub(crate) is_import: bool,
}

/// A hash table of keywords with open addressing, a quarter full at most.
#[derive(Debug)]
pub(crate) struct Keywords {
    /// For each slot in use, the hash of a keyword's name and the keyword's index.
    slots: Vec<(u64, Option<u16>)>,
    entries: Vec<Keyword>,
    is_case_ignored: bool,
}

impl Keywords {
    /// Creates an empty table with room for `len` keywords.
    pub(crate) fn with_capacity(len: usize, is_case_ignored: bool) -> Keywords {
        let slots = vec![(0, None); (4 * len + 1).next_power_of_two()];
        Keywords { slots, entries: Vec::with_capacity(len), is_case_ignored }
    }

    /// Returns the entry for `spelling`, added as an identifier if it is new.
    pub(crate) fn entry(&mut self, spelling: &'static str) -> &mut Keyword {
        let name = Symbol::spelled(spelling.to_ascii_lowercase().as_bytes());
        let has_upper = spelling.bytes().any(|b| b.is_ascii_uppercase());
        let index = match self.find(name, spelling.as_bytes(), has_upper) {
            Ok(index) => index,
            Err(slot) => {
                let index = self.entries.len();
                let short = u16::try_from(index).expect("a language has fewer than 2^16 keywords");
                self.slots[slot] = (name.value(), Some(short));
                self.entries.push(Keyword {
                    spelling,
                    is_lower: !has_upper,
                    symbol: Symbol::IDENTIFIER,
                    is_prefix: false,
                    is_import: false,
                });
                index
            }
        };
        &mut self.entries[index]
    }

    /// Returns the symbols of the words that are compared by their spelling.
    pub(crate) fn spelled(&self) -> impl Iterator<Item = Symbol> + '_ {
        let symbols = self.entries.iter().map(|keyword| keyword.symbol);
        symbols.filter(|&symbol| symbol != Symbol::IDENTIFIER)
    }

    /// Returns the keyword with this spelling; `name` is the hash of the lower-cased spelling.
    ///
    /// If both are in lower case, only the hash is compared, as for names everywhere.
    #[inline]
    pub(crate) fn get(&self, name: Symbol, spelling: &[u8], has_upper: bool) -> Option<Keyword> {
        self.find(name, spelling, has_upper).ok().map(|index| self.entries[index])
    }

    /// Returns the keyword's index, or the slot where it would be.
    #[inline]
    fn find(&self, name: Symbol, spelling: &[u8], has_upper: bool) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = name.value() as usize & mask;
        while let (value, Some(index)) = self.slots[slot] {
            let index = usize::from(index);
            let keyword = &self.entries[index];
            let is_same = || {
                self.is_case_ignored
                    || (keyword.is_lower && !has_upper)
                    || keyword.spelling.as_bytes() == spelling
            };
            if value == name.value() && is_same() {
                return Ok(index);
            }
            slot = (slot + 1) & mask;
        }
        Err(slot)
    }
}
