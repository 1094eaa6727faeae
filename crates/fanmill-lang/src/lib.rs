//! Source-code front ends for Fanmill: one lexer engine, one table per language.
//!
//! A front end turns a program into symbols that survive renaming and reformatting: identifiers,
//! numbers and strings become classes; comments and imports are dropped.
//!
//! ```
//! use fanmill_text::frontend::FrontEnd;
//! use fanmill_text::token::{Symbol, Tokens};
//! use fanmill_lang::front_end;
//!
//! let java = front_end("java").expect("Java has a table");
//! let (mut ours, mut theirs) = (Tokens::default(), Tokens::default());
//! java.tokenize("int n = 0; // count", &mut ours);
//! java.tokenize("int total\n  = 17;", &mut theirs);
//!
//! assert_eq!(ours.symbols, theirs.symbols); // int, identifier, =, number, ;
//! assert_eq!(ours.symbols[1], Symbol::IDENTIFIER);
//! assert_ne!(ours.names, theirs.names);
//! ```
//!
//! To add a language here, copy `languages/example.rs`. To add one from outside, build a [`Lexer`]
//! from a [`Language`], or implement [`FrontEnd`]; then run [`conformance::check`] on it.

#![forbid(unsafe_code)]

mod table;
mod keywords;
mod seen;
mod reader_memory;
mod compiled;
mod cursor;
mod reading;
mod shown;
mod lexer;
pub mod conformance;
mod languages;

pub use fanmill_text::frontend::Idioms;
pub use languages::ALL;
pub use lexer::Lexer;
pub use table::comments::{Comment, CommentPlace};
pub use table::fences::Fence;
pub use table::imports::Import;
pub use table::language::{Case, Docstrings, Island, Language, Words};
pub use table::numbers::{FinalPoint, Numbers};
pub use table::quotes::{Escape, OpenerContext, Quote, Terminator};

use fanmill_text::frontend::{FrontEnd, Registry};

/// Returns the front ends of all languages, in the order of their names.
pub fn front_ends() -> Vec<Box<dyn FrontEnd>> {
    ALL.iter().map(|language| Box::new(Lexer::new(language)) as Box<dyn FrontEnd>).collect()
}

/// Returns a registry of all languages and of prose: `compare(corpus, &fanmill_lang::registry(), …)`.
///
/// # Panics
/// Never: a test checks that no two front ends have the same name.
pub fn registry() -> Registry {
    Registry::new(front_ends()).expect("names differ")
}

/// Returns the front end for the language with this name or alias.
pub fn front_end(name: &str) -> Option<Lexer> {
    let language = ALL.iter().find(|l| l.name == name || l.aliases.contains(&name))?;
    Some(Lexer::new(language))
}
