//! One table per language. `example.rs` is the one to copy.

mod c;
mod cpp;
mod generic;
mod java;
mod javascript;
mod python;

use crate::language::Language;

/// The tables of all languages, in the order of their names.
pub const ALL: &[Language] =
    &[c::C, cpp::CPP, generic::GENERIC, java::JAVA, javascript::JAVASCRIPT, python::PYTHON];

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use fanmill::token::Symbol;

    use super::ALL;
    use crate::conformance::check_language;

    #[test]
    fn every_table_conforms() {
        for language in ALL {
            check_language(language);
        }
    }

    #[test]
    fn names_are_sorted_and_no_alias_is_another_name() {
        let names: Vec<&str> = ALL.iter().map(|language| language.name).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
        let all: Vec<&str> =
            ALL.iter().flat_map(|l| l.aliases.iter().copied().chain([l.name])).collect();
        let twice = all.iter().enumerate().find(|(i, name)| all[..*i].contains(name));
        assert_eq!(twice, None);
    }

    #[test]
    fn no_two_spellings_have_one_symbol() {
        let single = (b'!'..=b'~').map(|byte| char::from(byte).to_string());
        let words = ALL.iter().flat_map(|l| l.keywords().chain(l.operators()));
        let mut spellings: HashMap<Symbol, String> = HashMap::new();
        for spelling in words.map(str::to_owned).chain(single) {
            let symbol = Symbol::spelled(spelling.as_bytes());
            assert!(
                ![Symbol::BREAK, Symbol::IDENTIFIER, Symbol::NUMBER, Symbol::STRING]
                    .contains(&symbol)
            );
            let other = spellings.insert(symbol, spelling.clone());
            assert!(other.as_ref().is_none_or(|o| *o == spelling), "{spelling} and {other:?}");
        }
    }
}
