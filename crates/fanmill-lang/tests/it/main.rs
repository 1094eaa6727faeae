//! Integration tests of the languages: one binary.

mod programs_in_texts;
